"""What drawings of planes share: their frame, their height, and the scale of their colours."""

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
