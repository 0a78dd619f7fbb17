"""Matplotlib set up to draw the same bytes each time, and its SVG made fit for two colour schemes."""

import io
import re
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from . import compact, palette

matplotlib.rcdefaults()  # whatever a matplotlibrc of the user's says

WIDE_INCHES, NARROW_INCHES = 7.5, 3.45
_INK, _MUTED = palette.INK[0], palette.MUTED[0]
_STYLE = {
    "svg.hashsalt": "gridmark",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
    "axes.edgecolor": _MUTED,
    "axes.labelcolor": _INK,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "figure.facecolor": "none",
    "grid.color": palette.GRID[0],
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.color": _INK,
    "xtick.color": _MUTED,
    "ytick.color": _MUTED,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "lines.linewidth": 1.3,
}


@dataclass(frozen=True)
class Layout:
    """One of the two ways in which a figure is drawn."""

    name: str
    inches: float
    points: float

    @property
    def narrow(self):
        """Whether this is the one for a phone."""
        return self.name == "narrow"


WIDE = Layout("wide", WIDE_INCHES, 9.5)
NARROW = Layout("narrow", NARROW_INCHES, 8.5)


def _arrange(figure):
    """Lay the figure out, once and for all: left to itself, savefig would draw all of it twice."""
    dpi = figure.dpi
    figure.get_layout_engine().execute(figure)  # which leaves it at the dpi of an SVG
    figure.set_layout_engine(None)
    figure.set_dpi(dpi)


def draw(layout, height, paint):
    """The SVG text of a figure that `paint(figure, layout)` fills."""
    sizes = {"font.size": layout.points, "legend.fontsize": layout.points * 0.95}
    with matplotlib.rc_context({**_STYLE, **sizes}):
        figure = Figure(figsize=(layout.inches, height), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure, layout)
        _arrange(figure)
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return clean(out.getvalue().decode())


def _short(match):
    return re.sub(
        r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), match[0]
    )


def clean(svg):
    """Drop what names the maker, round coordinates to a hundredth of a point, give ids short names."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.S)
    svg = re.sub(r' d="[^"]*"|translate\([^)]*\)|\b(?:x|y)="[^"]*"', _short, svg)
    svg = svg.replace("xlink:href", "href").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
    names = {}
    for name in dict.fromkeys(own or other for own, other in used):
        letter = name.startswith(compact.FONT)
        names[name] = compact.LETTER + name.removeprefix(compact.FONT) if letter else f"i{len(names)}"

    def renamed(found):
        if found[1] in names:
            return f' id="{names[found[1]]}"'
        return found[0] if found[1].startswith((compact.MARK, compact.HALO)) else ""

    svg = re.sub(r' id="([^"]+)"', renamed, svg)
    svg = re.sub(r'(href="#|url\(#)([^")]+)', lambda found: found[1] + names[found[2]], svg)
    return compact.compact(svg)


def standalone(svg, title):
    """The SVG as a file of its own, following the reader's colour scheme."""
    looks = compact.Looks()
    opening, rest = looks.named(compact.without_marks(svg)).split(">", 1)
    light, dark = looks.rules()
    style = f"{light}\n@media (prefers-color-scheme: dark){{\n{dark}\n}}"
    safe = title.replace("&", "&amp;").replace("<", "&lt;")
    head = f'<?xml version="1.0" encoding="utf-8"?>\n{opening} role="img">\n'
    return f"{head}<title>{safe}</title>\n<style>{style}</style>{rest}"


def inline(svg, number):
    """The n-th SVG of a page: sized by the page, and hidden from readers, who get the text instead.

    It refers to letters that the page must hold: `compact.sheet`. The number makes its ids the page's own.
    """
    svg = re.sub(r'( id="|href="#|url\(#)(i\d+)(?=[")])', rf"\1g{number}\2", svg)
    opening, rest = svg.split(">", 1)
    opening = re.sub(r' (?:width|height|version|xmlns)="[^"]*"', "", opening)
    return f'{opening} aria-hidden="true" focusable="false">{rest}'
