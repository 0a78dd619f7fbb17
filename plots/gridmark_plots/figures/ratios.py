"""The comparison of two machines as a graph: one line for each row, its ratio and interval."""

from ..numbers import count, interval, measured
from . import axes as scales
from . import palette
from .model import Figure

LOOKS = {
    "faster": ("v", palette.series(2), True),
    "slower": ("^", palette.series(1), True),
    "no difference resolved": ("o", palette.MUTED[0], False),
    "not comparable": ("x", palette.MUTED[0], True),
}


def _painter(rows, margin):
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
                axes.plot(row["interval"], [place, place], color=colour, linewidth=1.6, solid_capstyle="butt")
            face = colour if full else palette.PAPER[0]
            axes.plot(
                row["ratio"],
                place,
                marker,
                color=colour,
                markerfacecolor=face,
                markersize=6,
                label=row["verdict"],
            )
            name = row["name"].removeprefix(f"{row['experiment']}/")
            longest = 52 if layout.narrow else 110
            name = name if len(name) <= longest else name[: longest - 1] + "\u2026"
            axes.text(
                0,
                place - 0.3,
                name,
                transform=axes.get_yaxis_transform(),
                va="bottom",
                fontsize=layout.points * 0.85,
                color=palette.MUTED[0],
                clip_on=False,
            )
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
    figure.caption = (
        "Left of the line the new machine's number is smaller, for a time: it is faster. Bars are intervals."
    )
    height = 1.2 + 0.36 * len(rows)
    return figure.paint(_painter(rows, comparison.get("margin")), height, height)
