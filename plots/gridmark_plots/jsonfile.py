"""Reading JSON and checking it against a schema, with one clear line when something is wrong."""

import json
import math
import os
import stat
from functools import cache
from pathlib import Path

from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from .errors import InputError

_OWN_SCHEMAS = Path(__file__).parent / "schemas"

# As in harness/results/json_file.hpp.
LARGEST, DEEPEST, LONGEST = 16 << 20, 32, 8192


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def _refuse_twins(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        seen = set()
        twin = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key '{_short(twin)}' stands twice in one object")
    return found


def _finite(text):
    value = float(text)
    if math.isinf(value):
        raise ValueError("it holds a number too large for any double")
    return value


def _integer(text):
    # Of 309 digits and more no double is large enough; Python itself refuses to read those of thousands.
    if len(text) > 310:
        raise ValueError("it holds a number too large for any double")
    _finite(text)
    return int(text)


def _refuse_excess(value):
    """Nothing nested so deep that recursing into it fails, no long texts, and no halves of characters."""
    level, deep = [value], 0
    while level:
        for one in level:
            if isinstance(one, str) and len(one.encode()) > LONGEST:
                raise ValueError(f"it holds a text of more than {LONGEST} bytes")
        inside = [one for one in level if isinstance(one, dict | list)]
        if inside and deep == DEEPEST:
            raise ValueError(f"nested more than {DEEPEST} deep")
        level = [part for one in inside for part in (one.values() if isinstance(one, dict) else one)]
        level += [key for one in inside if isinstance(one, dict) for key in one]
        deep += 1


def parse(text, name):
    """The JSON value in `text`; `name` is what an error calls it."""
    try:
        value = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_integer,
            object_pairs_hook=_refuse_twins,
        )
        _refuse_excess(value)
        return value
    except json.JSONDecodeError as error:
        raise InputError(name, f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except UnicodeEncodeError:
        raise InputError(name, None, "not JSON: it holds half of a character") from None
    except RecursionError:
        raise InputError(name, None, f"not JSON: nested more than {DEEPEST} deep") from None
    except ValueError as error:
        raise InputError(name, None, f"not JSON: {error}") from None


def _text_of(path):
    """The text of a regular file that is not larger than any of ours may be."""
    # Without waiting for who might write into a pipe.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise InputError(path, None, "not a regular file")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(path, None, f"larger than {LARGEST} bytes, which no result file is")
    return content.decode("utf-8")


def read(path):
    """The JSON value in a file."""
    try:
        return parse(_text_of(path), path)
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
