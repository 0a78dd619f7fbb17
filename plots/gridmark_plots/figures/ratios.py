"""The comparison of two machines as a graph: one line for each row, its ratio and interval."""

from ..numbers import count, interval, measured
from . import axes as scales
from . import compact, palette
from .model import Figure

LOOKS = {
    "faster": ("v", palette.series(2), True),
    "slower": ("^", palette.series(1), True),
    "lower": ("v", palette.INK[0], False),
    "higher": ("^", palette.INK[0], False),
    "rough difference": ("D", palette.series(0), False),
    "no difference resolved": ("o", palette.MUTED[0], False),
    "not comparable": ("x", palette.MUTED[0], True),
}


def names_of(rows):
    """(what all names share, each name's own parts), both without the experiment."""
    parts = [row["name"].removeprefix(f"{row['experiment']}/").split("/") for row in rows]
    shared = [part for part in parts[0] if all(part in other for other in parts)] if len(parts) > 1 else []
    own = ["/".join(part for part in mine if part not in shared) for mine in parts]
    return ("/".join(shared), own) if all(own) else ("", ["/".join(mine) for mine in parts])


def _painter(rows, margin):
    names = names_of(rows)[1]

    def paint(figure, layout):
        axes = figure.add_subplot()
        ends = [end for row in rows for end in (row["interval"] or [row["ratio"]])] + [1.0]
        low, high = min(ends) / 1.12, max(ends) * 1.12
        scales.logarithmic(axes, "x", low, high, 5 if layout.narrow else 9)
        if margin:
            axes.axvspan(1 / margin, margin, color=palette.GRID[0], linewidth=0)
        axes.axvline(1, color=palette.INK[0], linewidth=0.9)
        for place, row in enumerate(rows):
            marker, colour, full = LOOKS[row["verdict"]]
            if row["interval"]:
                track = axes.plot(
                    row["interval"], [place, place], color=colour, linewidth=1.6, solid_capstyle="butt"
                )
                compact.mark(track[0], place)
            face = colour if full else palette.PAPER[0]
            (dot,) = axes.plot(
                row["ratio"],
                place,
                marker,
                color=colour,
                markerfacecolor=face,
                markersize=6,
                label=row["verdict"],
            )
            compact.mark(dot, place)
            longest = 56 if layout.narrow else 110
            name = names[place] if len(names[place]) <= longest else names[place][: longest - 1] + "\u2026"
            text = axes.text(
                0,
                place - 0.3,
                name,
                transform=axes.get_yaxis_transform(),
                va="bottom",
                fontsize=layout.points * 0.9,
                color=palette.MUTED[0],
            )
            compact.halo(text)
        axes.set_ylim(len(rows) - 0.5, -0.9)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("new / base")
        handles, labels = axes.get_legend_handles_labels()
        legend = dict(zip(labels, handles, strict=True))
        figure.legend(
            legend.values(), legend.keys(), loc="outside lower left", ncols=2 if layout.narrow else 4
        )

    return paint


def make(experiment, comparison):
    """The graph of one experiment's rows that have a ratio."""
    figure = Figure(experiment, "ratios", f"{experiment}: new machine over base, row by row")
    rows = [row for row in comparison["rows"] if row["experiment"] == experiment and row["ratio"] is not None]
    if not rows:
        figure.notes.append("This figure is left out: no row of this experiment has a ratio.")
        return figure
    figure.headings = ["row", "new / base", "interval", "verdict"]
    for row in rows:
        figure.lines.append([row["name"], measured(row["ratio"]), interval(row["interval"]), row["verdict"]])
    low, high = min(row["ratio"] for row in rows), max(row["ratio"] for row in rows)
    totals = [f"{sum(row['verdict'] == name for row in rows)} {name}" for name in LOOKS]
    figure.alt = (
        f"Dot plot of new over base for {count(len(rows), 'row')} of {experiment}, "
        f"from {low:.3g} to {high:.3g}: "
        f"{', '.join(totals)}. The table holds each ratio."
    )
    shared = names_of(rows)[0]
    figure.caption = (
        "Left of the line the new number is smaller; for a time, that is faster. Bars are intervals."
    )
    figure.caption += f" All rows share {shared}." if shared else ""
    height = 1.2 + 0.36 * len(rows)
    return figure.paint(_painter(rows, comparison.get("margin")), height, height)
