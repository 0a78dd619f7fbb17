"""Solved fields: what a contour is drawn from, a plane of two dimensions or one cut from three."""

from dataclasses import dataclass

import h5py
import numpy as np

from ..errors import InputError
from ..selector import plain

DIRECTIONS = ("z", "y", "x")


@dataclass(frozen=True)
class Axis:
    """One direction of a plane: what it is called, its points, and what a step between two is worth."""

    title: str
    size: int
    step: float

    @property
    def places(self):
        """Where its points lie."""
        return np.arange(self.size) * self.step

    @property
    def span(self):
        """From where to where they lie."""
        return f"0 to {(self.size - 1) * self.step:.6g}"


@dataclass(frozen=True)
class Plane:
    """Values on a plane with its mask or None; `across` and `up` are its axes, `cut` says where it lies."""

    values: np.ndarray
    mask: np.ndarray | None
    parameters: dict
    across: Axis
    up: Axis
    cut: str = ""

    @property
    def body(self):
        """The fixed points that do not lie on the edge, or None without a mask."""
        if self.mask is None:
            return None
        fixed = self.mask == 0
        fixed[[0, -1], :] = False
        fixed[:, [0, -1]] = False
        return fixed


def _dataset(file, name, path, dimensions):
    key = name.strip("/")
    if key not in file or not isinstance(file[key], h5py.Dataset):
        raise InputError(path, name, "no such dataset")
    found = file[key]
    if found.ndim != dimensions or min(found.shape) < 2:
        words = {2: "two dimensions", 3: "three dimensions for a slice"}[dimensions]
        raise InputError(path, name, f"must have {words}, has shape {list(found.shape)}")
    return found


def _must_be_finite(values, path, name):
    if not np.isfinite(values).all():
        raise InputError(path, name, "holds values that are not finite")


def _hottest(dataset, axis, path, name):
    """The index along an axis of the largest value; reads one plane at a time."""
    best, place = -np.inf, 0
    for index, plane in enumerate(dataset):
        _must_be_finite(plane, path, name)
        at = np.unravel_index(np.argmax(plane), plane.shape)
        if plane[at] > best:
            best, place = plane[at], (index, *at)[axis]
    return int(place)


def _index(dataset, cut, path, name):
    size = dataset.shape[cut["axis"]]
    if cut["at"] == "middle":
        return size // 2
    if cut["at"] == "hottest":
        return _hottest(dataset, cut["axis"], path, name)
    if cut["at"] >= size:
        raise InputError(path, name, f"a slice at {cut['at']} is asked for, but there are {size} planes")
    return cut["at"]


def _text(value):
    value = value.item() if hasattr(value, "item") and np.ndim(value) == 0 else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return f"{value:.6g}" if isinstance(value, float) else plain(value)


def _parameters(file):
    if "parameters" not in file:
        return {}
    return {name: _text(value) for name, value in sorted(file["parameters"].attrs.items())}


def _step(file, spec, key, path):
    """What one step of the grid is worth: 1, the number given, or that of an attribute of /parameters."""
    given = spec.get(key, 1)
    if not isinstance(given, str):
        return given
    value = np.asarray(file["parameters"].attrs.get(given) if "parameters" in file else None)
    if value.ndim or value.dtype.kind not in "iuf" or not 0 < value < np.inf:
        raise InputError(path, f"/parameters/{given}", f"'{key}' asks for a number above 0 there")
    return value.item()


def _read(file, spec, path):
    cut = spec.get("slice")
    field = _dataset(file, spec["field"], path, 3 if cut else 2)
    mask = _dataset(file, spec["mask"], path, field.ndim) if "mask" in spec else None
    if mask is not None and mask.shape != field.shape:
        raise InputError(
            path, spec["mask"], f"shape {list(mask.shape)} differs from the field's {list(field.shape)}"
        )
    place, across, up, where = (), "i", "j", ""
    if cut:
        index = _index(field, cut, path, spec["field"])
        place = tuple(index if axis == cut["axis"] else slice(None) for axis in range(3))
        up, across = (name for axis, name in enumerate(DIRECTIONS) if axis != cut["axis"])
        where = f"{DIRECTIONS[cut['axis']]} = {index} of 0 to {field.shape[cut['axis']] - 1}"
    mask = None if mask is None else np.asarray(mask[place], dtype=float)
    values = np.asarray(field[place], dtype=float)
    return Plane(
        values,
        mask,
        _parameters(file),
        Axis(spec.get("x_title", across), values.shape[1], _step(file, spec, "x_scale", path)),
        Axis(spec.get("y_title", up), values.shape[0], _step(file, spec, "y_scale", path)),
        where,
    )


def read(path, spec):
    """The plane that a contour's declaration asks for, out of a solved field's HDF5 file."""
    try:
        with h5py.File(path, "r") as file:
            plane = _read(file, spec, path)
    except OSError as error:
        raise InputError(path, None, f"not a readable HDF5 file: {error}") from None
    _must_be_finite(plane.values, path, spec["field"])
    return plane
