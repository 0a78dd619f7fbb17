"""What a finished figure is, whatever its kind."""

from dataclasses import dataclass, field

from . import canvas


@dataclass
class Figure:
    """A figure with its words and numbers; without drawings when left out, which a note explains.

    `lines` are its data as a table; the first `keys` cells of a line name it.
    """

    experiment: str
    id: str
    title: str
    alt: str = ""
    caption: str = ""
    headings: list = field(default_factory=list)
    lines: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    wide: str = ""
    narrow: str = ""
    keys: int = 1

    @property
    def identity(self):
        """The name of its files, and of its table in a page."""
        return f"{self.experiment}-{self.id}"

    def left_out(self):
        """Nothing to draw: a note says so, before those that say why."""
        self.notes.insert(0, "This figure is left out: no machine measured any of its rows.")
        return self

    def save(self, output):
        """Write the wide drawing as a file of its own, if there is one."""
        if self.wide:
            output.write(
                f"figures/{self.identity}.svg", canvas.standalone(self.wide, f"{self.title}. {self.alt}")
            )

    def paint(self, painter, wide_height, narrow_height):
        """Draw both layouts by `painter(figure, layout)`."""
        self.wide = canvas.draw(canvas.WIDE, wide_height, painter)
        self.narrow = canvas.draw(canvas.NARROW, narrow_height, painter)
        return self
