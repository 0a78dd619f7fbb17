"""Drawing speed-ups: studies below each other, each claim's name above its marks."""

import textwrap

from matplotlib.patheffects import withStroke

from . import axes as scales
from . import palette

LANE, NAME, STUDY, GAP = 0.13, 0.21, 0.27, 0.1  # inches
WIDTHS = {False: 96, True: 54}  # characters of a name


def _name(one, narrow):
    year = f" ({one.year})" if one.year else ""
    return textwrap.wrap(f"{one.claim.spec['id']}  {one.label}{year}", WIDTHS[narrow])


def _places(rows, narrow):
    """([(study, its place)], [(one, marks, the name's place, the first mark's place)], the whole height)."""
    studies, claims, at, last = [], [], 0.0, None
    for one, marks in rows:
        if one.study["id"] != last:
            at += STUDY + (GAP if last else 0)
            studies.append((one.study["id"].replace("_", " "), at))
            last = one.study["id"]
        name = at + NAME * len(_name(one, narrow))
        claims.append((one, marks, name, name + LANE))
        at = name + LANE * (len(marks) + 0.4) + GAP
    return studies, claims, at


def _mark(axes, mark, at):
    face = palette.PAPER[0] if mark.hollow else mark.colour
    if mark.value is None:
        low, high = mark.ends
        look = {"facecolor": face, "edgecolor": mark.colour, "linewidth": 1.1, "zorder": 2}
        axes.barh(at, high - low, 0.5 * LANE, left=low, **look)
        return
    if mark.ends:
        axes.plot(mark.ends, [at, at], color=mark.colour, linewidth=1.4, solid_capstyle="butt")
    axes.plot(mark.value, at, "o", color=mark.colour, markerfacecolor=face, markersize=5.5)


def _handle(axes, mark):
    face = palette.PAPER[0] if mark.hollow else mark.colour
    return axes.plot([], [], "o", color=mark.colour, markerfacecolor=face, markersize=5.5)[0]


def painter(rows):
    """What draws [(speed-up, its marks)]."""
    reach = [end for _, marks in rows for mark in marks for end in mark.reach] + [1.0]
    halo = [withStroke(linewidth=2.5, foreground=palette.PAPER[0])]

    def paint(figure, layout):
        axes = figure.add_subplot()
        scales.logarithmic(axes, "x", min(reach) / 1.15, max(reach) * 1.15, 5 if layout.narrow else 9)
        axes.axvline(1, color=palette.INK[0], linewidth=0.9)
        studies, claims, height = _places(rows, layout.narrow)
        where = {"transform": axes.get_yaxis_transform(), "va": "bottom", "path_effects": halo}
        for title, at in studies:
            axes.text(0, at, title, fontsize=layout.points, fontweight="bold", **where)
        for one, marks, name, first in claims:
            text = "\n".join(_name(one, layout.narrow))
            axes.text(0, name, text, fontsize=layout.points * 0.9, color=palette.MUTED[0], **where)
            for lane, mark in enumerate(marks):
                at = first + LANE * lane
                between = [marks[0].middle, mark.middle]
                axes.plot(between, [first, at], color=palette.BODY[0], linewidth=1.0, zorder=1)
                _mark(axes, mark, at)
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("times as fast")
        legend = {mark.label: mark for _, marks in rows for mark in marks}
        figure.legend(
            [_handle(axes, mark) for mark in legend.values()],
            [textwrap.fill(label, 44 if layout.narrow else 90) for label in legend],
            loc="outside lower left",
            ncols=1 if layout.narrow else 3,
        )

    return paint


def heights(rows):
    """Inches of the wide and of the narrow drawing."""
    entries = len({mark.label for _, marks in rows for mark in marks})
    return tuple(
        _places(rows, narrow)[2] + 0.75 + 0.2 * (entries if narrow else (entries + 2) // 3)
        for narrow in (False, True)
    )
