"""Planes of solved fields: values over two axes, and the words and lines that say what they are."""

from dataclasses import dataclass

import numpy as np

from .. import numbers


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
