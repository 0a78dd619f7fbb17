"""Reading JSON and checking it against a schema, with one clear line when something is wrong."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from .errors import InputError

_OWN_SCHEMAS = Path(__file__).parent / "schemas"


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def _refuse_twins(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key '{next(k for k in keys if keys.count(k) > 1)}' stands twice in one object")
    return found


def parse(text, name):
    """The JSON value in `text`; `name` is what an error calls it."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_twins)
    except json.JSONDecodeError as error:
        raise InputError(name, f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(name, None, f"not JSON: {error}") from None


def read(path):
    """The JSON value in a file."""
    try:
        return parse(Path(path).read_text(encoding="utf-8"), path)
    except OSError as error:
        raise InputError(path, None, error.strerror or error) from None
    except UnicodeDecodeError:
        raise InputError(path, None, "not UTF-8 text") from None


@cache
def _validator(path):
    return Draft7Validator(read(path))


def _short(message, limit=160):
    return message if len(message) <= limit else message[: limit - 4] + " ..."


def check(value, schema, name):
    """Refuse `value` unless it obeys the schema: a path, or the name of one in `schemas/`."""
    path = Path(schema) if str(schema).endswith(".json") else _OWN_SCHEMAS / f"{schema}.schema.json"
    error = best_match(_validator(path).iter_errors(value))
    if error is None:
        return value
    key = error.json_path.removeprefix("$").lstrip(".") or "top level"
    raise InputError(name, key, _short(error.message))
