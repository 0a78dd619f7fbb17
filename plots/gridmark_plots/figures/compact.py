"""SVG made small without a change that shows: shared glyphs, classes, short numbers, no idle groups."""

import re

from . import palette

FONT, LETTER = "DejaVuSans-", "_"  # how the ids of letters begin as drawn, and in a drawing made small
MARK, HALO = "mark:", "halo"  # how a drawing's own parts are named, see `mark` and `halo`
_SHAPE = re.compile(rf'<path id="({LETTER}[^"]*)"[^>]*/>')
_LETTERS = re.compile(rf'(<path id="{LETTER}[^"]*" d=)"([MLQCz\s\d-]*)"')
_ALIKE = re.compile(r'<path d="([^"]*)"( (?:clip-path|style)="[^>]*)/>(?:<path d="[^"]*"\2/>)+')
_MARKED = re.compile(rf' id="{MARK}(\d+):([\d:]*)"')
_WORDS = re.compile(
    r'<g style="(fill: [^";]*)[^"]*" transform="([^"]*scale\(([\d.]+) [^"]*)">(.*?)</g>', re.DOTALL
)
_HALOED = re.compile(rf'<g id="{HALO}">((?:{_WORDS.pattern})+)</g>', re.DOTALL)
_DEFINED = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_HALO_POINTS = 2.5
_LETTER_SCALE = 64  # units of a letter's shape in a point of a text of one point


def mark(artist, line, column=None, place=0):
    """Tie a drawn thing to the figure's data: a line of its table, there a cell, there one of its values."""
    cell = "" if column is None else f"{column}:{place}"
    artist.set_gid(f"{MARK}{line}:{cell}")


def halo(text):
    """Let the paper shine around a text that crosses lines."""
    text.set_gid(HALO)


def _tenth(match):
    """A coordinate rounded to a tenth of a point, or of a letter's unit, which is smaller."""
    return f'{match[1]}="{round(float(match[2]), 1):g}"'


def _data(match):
    """Path data: where all lines are straight, steps in tenths of a point; letters keep their precision."""
    if set(re.findall("[A-Za-z]", match[1])) - set("MLz"):
        tight = re.sub(r"\s*([A-Za-z])\s*", r"\1", match[1])
        return f' d="{tight.strip()}"'
    out, before, last = "", "", (0, 0)
    for command, x, y in re.findall(r"(?=([MLz]))(?:[ML]\s+(\S+)\s+(\S+)|z)", match[1]):
        here = last if command == "z" else (round(10 * float(x)), round(10 * float(y)))
        if command == "L":
            step = f"{(here[0] - last[0]) / 10:g} {(here[1] - last[1]) / 10:g}"
            out += f" {step}" if before == "L" else f"l{step}"
        else:
            out += "z" if command == "z" else f"M{here[0] / 10:g} {here[1] / 10:g}"
        before, last = command, here
    return f' d="{out}"'


def _steps(match):
    """A letter's shape, whose corners are whole numbers, as steps from each corner to the next."""
    out, here, start = "", (0, 0), (0, 0)
    for command, given in re.findall(r"([MLQCz])([^MLQCz]*)", match[2]):
        values = [int(value) for value in given.split()]
        corners = list(zip(values[::2], values[1::2], strict=True))
        if command == "z":
            here = start
        elif command == "M":
            start = corners[0]
        if command in "Mz":
            out += command + " ".join(map(str, values))
        else:
            steps = [f"{x - here[0]} {y - here[1]}" for x, y in corners]
            out += command.lower() + " ".join(steps).replace(" -", "-")
        here = corners[-1] if corners else here
    return f'{match[1]}"{out}"'


def _joined(match):
    """Neighbouring paths that look alike as one path."""
    data = "".join(re.findall(r' d="([^"]*)"', match[0]))
    return f'<path d="{data}"{match[2]}/>'


def _haloed(match):
    """The words of a text in the paper's colour, wider, and once more in front of that."""
    behind = front = ""
    for ink, transform, scale, words in _WORDS.findall(match[1]):
        width = _HALO_POINTS * _LETTER_SCALE / float(scale)
        look = f"fill: {palette.PAPER[0]}; stroke: {palette.PAPER[0]}; stroke-width: {width:.0f}"
        behind += f'<g style="{look}" transform="{transform}">{words}</g>'
        front += f'<g style="{ink}" transform="{transform}">{_DEFINED.sub("", words)}</g>'
    return behind + front


def _marked(match):
    """The mark's place in the figure's data as an attribute for scripts."""
    cell = match[2].split(":") if match[2] else []
    parts = [match[1], *(cell if cell[1:] != ["0"] else cell[:1])]
    return f' data-m="{",".join(parts)}"'


def without_idle_groups(svg):
    """The drawing without groups that say nothing."""
    idle = []

    def kept(match):
        if match[0] == "</g>":
            return "" if idle.pop() else match[0]
        if match[0].endswith("/>"):
            return match[0]
        idle.append(match[0] == "<g>")
        return "" if idle[-1] else match[0]

    return re.sub(r"<g\b[^>]*>|</g>", kept, svg)


def compact(svg):
    """The same drawing in fewer bytes."""
    svg = re.sub(r">\s+<", "><", svg)
    svg = _MARKED.sub(_marked, _HALOED.sub(_haloed, svg))
    svg = re.sub(r' d="([^"]*)"', _data, _LETTERS.sub(_steps, svg))
    svg = re.sub(r' transform="translate\((-?[\d.]+) 0\)"/>', r' x="\1"/>', svg)
    svg = re.sub(r'\b([xy])="(-?[\d.]+)"', _tenth, svg)
    return _ALIKE.sub(_joined, without_idle_groups(svg)).strip()


def without_marks(svg):
    """The drawing without what ties its marks to a page's table."""
    return without_idle_groups(re.sub(r' data-m="[^"]*"', "", svg))


class Looks:
    """What several drawings of a page or a file look like: a class for each of their styles."""

    def __init__(self):
        self._names = {}

    def named(self, svg):
        """The drawing with classes in place of styles."""
        return re.sub(r' style="([^"]*)"', lambda found: f' class="{self._name(found[1])}"', svg)

    def _name(self, style):
        return self._names.setdefault(style, f"l{len(self._names)}")

    def rules(self):
        """The classes as style rules for paper, and those for the dark, both as text."""
        light, dark = [], []
        for style, name in self._names.items():
            light.append(f".{name}{{{re.sub(': |; ', lambda found: found[0].strip(), style)}}}")
            swapped = palette.in_the_dark(style)
            dark += [f".{name}{{{swapped}}}"] if swapped else []
        return "\n".join(light), "\n".join(dark)


def letters(svg):
    """{id: shape} of the letters that a drawing holds."""
    return {match[1]: match[0] for match in _SHAPE.finditer(svg)}


def without_letters(svg):
    """The drawing without the shapes of its letters."""
    return _SHAPE.sub("", svg).replace("<defs></defs>", "")


def sheet(shapes):
    """The letters of all drawings of a page, to which they refer."""
    every = "".join(shapes[name] for name in sorted(shapes))
    return f'<svg class="letters" aria-hidden="true" focusable="false"><defs>{every}</defs></svg>'
