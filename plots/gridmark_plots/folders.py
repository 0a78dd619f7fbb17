"""Folders of results by path, or by the bare name of a machine."""

from pathlib import Path

from .errors import InputError


def find(names, results):
    """The folders named: a bare name is looked up in `results`, then in `results/published`."""
    return [_find(name, Path(results)) for name in names]


def _find(name, results):
    path = Path(name)
    if len(path.parts) != 1 or path.is_absolute() or name in (".", ".."):
        return path
    places = [results / name, results / "published" / name]
    for place in places:
        if place.is_dir():
            return place
    if path.is_dir():
        return path
    raise InputError(name, None, f"no such folder of results, nor {places[0]} or {places[1]}")
