"""Solved fields: what a contour is drawn from, a plane of two dimensions or one cut from three."""

import numpy as np

from ..errors import InputError
from .datasets import dataset, must_be_finite, opened, parameters, twin
from .plane import Axis, Plane

DIRECTIONS = ("z", "y", "x")


def _held(mask):
    """The fixed points that do not lie on the edge."""
    fixed = mask == 0
    fixed[[0, -1], :] = False
    fixed[:, [0, -1]] = False
    return fixed


def _hottest(field, axis, path, name):
    """The index along an axis of the largest value; reads one plane at a time."""
    best, place = -np.inf, 0
    for index, plane in enumerate(field):
        must_be_finite(plane, path, name)
        at = np.unravel_index(np.argmax(plane), plane.shape)
        if plane[at] > best:
            best, place = plane[at], (index, *at)[axis]
    return int(place)


def _index(field, cut, path, name):
    size = field.shape[cut["axis"]]
    if cut["at"] == "middle":
        return size // 2
    if cut["at"] == "hottest":
        return _hottest(field, cut["axis"], path, name)
    if cut["at"] >= size:
        raise InputError(path, name, f"a slice at {cut['at']} is asked for, but there are {size} planes")
    return cut["at"]


def _step(file, spec, key, path):
    """What one step of the grid is worth: 1, the number given, or that of an attribute of /parameters."""
    given = spec.get(key, 1)
    if not isinstance(given, str):
        return given
    value = np.asarray(file["parameters"].attrs.get(given) if "parameters" in file else None)
    if value.ndim or value.dtype.kind not in "iuf" or not 0 < value < np.inf:
        raise InputError(path, f"/parameters/{given}", f"'{key}' asks for a number above 0 there")
    return value.item()


def _axis(file, spec, which, name, size, path):
    places = np.arange(size) * _step(file, spec, f"{which}_scale", path)
    return Axis(spec.get(f"{which}_title", name), places)


def _read(file, spec, path):
    cut = spec.get("slice")
    field = dataset(file, spec["field"], path, 3 if cut else 2)
    mask = twin(file, spec["mask"], field, path) if "mask" in spec else None
    place, across, up, where = (), "i", "j", ""
    if cut:
        index = _index(field, cut, path, spec["field"])
        place = tuple(index if axis == cut["axis"] else slice(None) for axis in range(3))
        up, across = (name for axis, name in enumerate(DIRECTIONS) if axis != cut["axis"])
        where = f"{DIRECTIONS[cut['axis']]} = {index} of 0 to {field.shape[cut['axis']] - 1}"
    body = None if mask is None else _held(np.asarray(mask[place], dtype=float))
    values = np.asarray(field[place], dtype=float)
    sides = (
        _axis(file, spec, "x", across, values.shape[1], path),
        _axis(file, spec, "y", up, values.shape[0], path),
    )
    return Plane(values, body, parameters(file), *sides, where)


def read(path, spec):
    """The plane that a contour's declaration asks for, out of a solved field's HDF5 file."""
    with opened(path) as file:
        plane = _read(file, spec, path)
    must_be_finite(plane.values, path, spec["field"])
    return plane
