"""Planes of solved fields: read from a file's datasets, with the words that say what they are, and framed."""

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from .. import numbers
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


@dataclass(frozen=True)
class Axis:
    """One direction of a plane: what it is called, and where its points lie."""

    title: str
    places: np.ndarray

    @property
    def span(self):
        """From where to where they lie."""
        return f"{self.places[0]:.6g} to {self.places[-1]:.6g}"

    @property
    def length(self):
        """What the cells around the points span together, an end's as wide as they are on average."""
        size = len(self.places)
        return (self.places[-1] - self.places[0]) * size / (size - 1)


@dataclass(frozen=True)
class Plane:
    """Values on a plane over `across` and `up`, where a body is or None, and where the plane lies (`cut`)."""

    values: np.ndarray
    body: np.ndarray | None
    parameters: dict
    across: Axis
    up: Axis
    cut: str = ""

    @property
    def size(self):
        """How many points there are across and up."""
        return f"{self.values.shape[1]} x {self.values.shape[0]}"

    @property
    def spans(self):
        """What its axes are and where they end."""
        return [[axis.title, axis.span] for axis in (self.across, self.up)]

    @property
    def has_body(self):
        """Whether there is a body to draw."""
        return self.body is not None and bool(self.body.any())

    def lines(self, spans):
        """What a figure's table says of it."""
        cut = [["plane", self.cut]] if self.cut else []
        ends = [["least value", self.values.min()], ["largest value", self.values.max()]]
        found = [["points", self.size], *spans, *cut, *([name, f"{value:.6g}"] for name, value in ends)]
        return found + [[name, value] for name, value in self.parameters.items()]

    def words(self, spans):
        """The end of a figure's text for those who do not see it."""
        low, high = (numbers.measured(float(end), 3) for end in (self.values.min(), self.values.max()))
        over = " by ".join(f"{title} from {span}" for title, span in spans)
        return f"on {self.size} points{f', {over}' if over else ''}, values from {low} to {high}"


FREE = 0.55  # of its width is the height of a drawing whose axes share no scale


def frame(axes, plane, layout, free=False):
    """Name the axes and close the frame; lengths on both have one scale unless they are free."""
    axes.set_aspect("auto" if free else "equal")
    axes.set_xlabel(plane.across.title)
    upright = {"rotation": 0, "labelpad": 11} if len(plane.up.title) == 1 else {}
    axes.set_ylabel(plane.up.title, **upright)
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)
    if layout.narrow:
        axes.locator_params(nbins=5)


def heights(plane, bar, free=False):
    """Inches of the wide and of the narrow drawing, with or without a scale of colours."""
    if free:
        return 0.5 + FREE * (6.1 if bar else 7.0), 0.47 + FREE * 2.95 + (0.5 if bar else 0)
    shape = plane.up.length / plane.across.length
    return min(0.7 + 6.6 * shape, 5.2), 0.65 + 2.8 * shape + (0.7 if bar else 0)


def colour_bar(figure, coloured, axes, label, layout):
    """The scale of the colours; below the graph where that is narrow."""
    side = {"orientation": "horizontal", "aspect": 30} if layout.narrow else {"aspect": 25}
    bar = figure.colorbar(coloured, ax=axes, label=label, **side)
    bar.solids.set_edgecolor("face")
    bar.solids.set_rasterized(False)  # many colours would become a picture within the drawing
    return bar
