"""SVG made small without a change that shows: shared glyphs, short numbers, no spaces between its parts."""

import re

FONT, LETTER = "DejaVuSans-", "_"  # how the ids of letters begin as drawn, and in a drawing made small
_SHAPE = re.compile(rf'<path id="({LETTER}[^"]*)"[^>]*/>')
_PAIR = re.compile(r'(<path d="[^"]*") style="([^"]*)"/>\s*\1 style="(fill: [^";]*)"/>')
_ALIKE = re.compile(r'<path d="([^"]*)"( (?:clip-path|style)="[^>]*)/>(?:<path d="[^"]*"\2/>)+')
_STROKED = re.compile(r"stroke: [^;]*; stroke-width: [^;]*")


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


def _haloed(match):
    """A text's outline and the same outline in front of it, as one path whose stroke is painted first."""
    stroke = _STROKED.search(match[2])
    return f'{match[1]} style="{match[3]}; {stroke[0]}; paint-order: stroke"/>' if stroke else match[0]


def _joined(match):
    """Neighbouring paths that look alike as one path."""
    data = "".join(re.findall(r' d="([^"]*)"', match[0]))
    return f'<path d="{data}"{match[2]}/>'


def compact(svg):
    """The same drawing in fewer bytes."""
    svg = _PAIR.sub(_haloed, svg)
    svg = re.sub(r' d="([^"]*)"', _data, svg)
    svg = re.sub(r' transform="translate\((-?[\d.]+) 0\)"/>', r' x="\1"/>', svg)
    svg = re.sub(r'\b([xy])="(-?[\d.]+)"', _tenth, svg)
    return _ALIKE.sub(_joined, re.sub(r">\s+<", "><", svg)).strip()


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
