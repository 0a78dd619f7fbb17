"""Slices: a plane cut from a solved field of three dimensions whose points lie where the file says."""

import numpy as np

from ..errors import InputError
from .datasets import dataset, must_be_finite, opened, parameters, twin
from .plane import Axis, Plane


def _finite(values, path, name):
    values = np.asarray(values, dtype=float)
    must_be_finite(values, path, name)
    return values


def _axis(file, spec, which, slots, path):
    """Positions along a dimension, whose last slot may have none: staggered arrays leave one unused."""
    name = spec["coordinates"][which]
    places = _finite(dataset(file, name, path, 1), path, name)
    if not slots - 1 <= len(places) <= slots:
        raise InputError(
            path, name, f"holds {len(places)} positions for {slots} values of {spec['field']} along '{which}'"
        )
    if (np.diff(places) <= 0).any():
        raise InputError(path, name, "holds positions that do not rise")
    return Axis(spec.get(f"{which}_title", name.strip("/")), places)


def _outlined(values):
    """Where a body is: its value is not the smallest one. The slots at the edges, of which staggered arrays
    leave some unused, are as their neighbours.
    """  # fmt: skip
    if min(values.shape) > 2:
        values = np.pad(values[1:-1, 1:-1], 1, mode="edge")
    return values > values.min()


def _read(file, spec, path):
    field = dataset(file, spec["field"], path, 3)
    body = twin(file, spec["body"], field, path) if "body" in spec else None
    cut, right = spec["axis"], spec["x_axis"]
    upward = 3 - cut - right
    across, up = (
        _axis(file, spec, which, field.shape[dimension], path)
        for which, dimension in (("x", right), ("y", upward))
    )
    last = field.shape[cut] - 1
    place = [slice(None)] * 3
    place[cut] = last // 2  # the middle of those before the last
    place[right], place[upward] = slice(len(across.places)), slice(len(up.places))

    def plane(source, name):
        values = _finite(source[tuple(place)], path, name)
        return values if upward < right else values.T

    where = f"index {last // 2} of 0 to {last} along {spec.get('axis_title', f'dimension {cut}')}"
    return Plane(
        plane(field, spec["field"]),
        None if body is None else _outlined(plane(body, spec["body"])),
        parameters(file),
        across,
        up,
        where,
    )


def read(path, spec):
    """The plane that a slice's declaration asks for, out of a solved field's HDF5 file."""
    with opened(path) as file:
        return _read(file, spec, path)
