"""Which files of a folder are results: the rule of harness/results/result_file.cpp, for all that is Python.

It needs nothing but Python itself: cluster/ uses it, too.
"""

import json
import re
from pathlib import Path

_NAME = re.compile(r"[a-z][a-z0-9_]*\.json")


def _read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def _is_result(document):
    """Whether it says that it is one: other JSON may lie beside results."""
    if not isinstance(document, dict):
        return False
    context = document.get("context")
    return "schema_version" in document or (
        isinstance(context, dict) and context.get("experiment") is not None
    )


def named(folder):
    """The files that are results by their names, <experiment>.json: none that a run has set aside
    (<experiment>.old-N.json) or not finished."""
    return [path for path in sorted(Path(folder).glob("*.json")) if _NAME.fullmatch(path.name)]


def result_files(folder, read=_read):
    """(path, document) of each result; what `read` raises for a damaged file goes on to the caller."""
    return [(path, document) for path in named(folder) if _is_result(document := read(path))]
