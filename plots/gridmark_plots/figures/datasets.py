"""Datasets of a solved field's HDF5 file: what a figure cannot use is refused in a sentence."""

from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from ..errors import InputError
from ..selector import plain

_DIMENSIONS = {1: "one dimension", 2: "two dimensions", 3: "three dimensions for a slice"}


def file_of(figure, spec, fields):
    """The file of a figure's field, `<fields>/<experiment>-<figure id>.h5`; or None, and a note of why."""
    path = Path(fields, f"{figure.identity}.h5") if fields else None
    if path is not None and path.exists():
        return path
    solve = spec.get("solve", {}).get("variant", "a solved field")
    figure.notes.append(f"This figure is left out: its field ({solve}) has not been solved in this run.")
    return None


@contextmanager
def opened(path):
    """The file while it is read."""
    try:
        with h5py.File(path, "r") as file:
            yield file
    except OSError as error:
        raise InputError(path, None, f"not a readable HDF5 file: {error}") from None


def dataset(file, name, path, dimensions):
    """A dataset of numbers with so many dimensions."""
    key = name.strip("/")
    if key not in file or not isinstance(file[key], h5py.Dataset):
        raise InputError(path, name, "no such dataset")
    found = file[key]
    if found.ndim != dimensions or min(found.shape) < 2:
        words = _DIMENSIONS[dimensions]
        raise InputError(path, name, f"must have {words}, has shape {list(found.shape)}")
    if found.dtype.kind not in "biuf":
        raise InputError(path, name, "holds no numbers")
    return found


def twin(file, name, field, path):
    """A dataset that says something of each value of the field."""
    found = dataset(file, name, path, field.ndim)
    if found.shape != field.shape:
        raise InputError(
            path, name, f"shape {list(found.shape)} differs from the field's {list(field.shape)}"
        )
    return found


def must_be_finite(values, path, name):
    """Refuse values that cannot be drawn."""
    if not np.isfinite(values).all():
        raise InputError(path, name, "holds values that are not finite")


def _text(value):
    value = value.item() if hasattr(value, "item") and np.ndim(value) == 0 else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return f"{value:.6g}" if isinstance(value, float) else plain(value)


def parameters(file):
    """What the file says of how it was solved, as texts."""
    if "parameters" not in file:
        return {}
    return {name: _text(value) for name, value in sorted(file["parameters"].attrs.items())}
