"""Made-up rows that are no times: spans of a pass, errors over two parameters and a theory's curve."""

from synthetic import row

ACTIVITIES = ("upload", "kernels", "download")


def busy(activity, spans, **other):
    """A row of what one activity did, in us."""
    total = float(sum(end - begin for begin, end in spans))
    given = {"quantity": "busy", "clock": None, "spans": [list(span) for span in spans], **other}
    return row("overlapped", {"activity": activity, "pieces": len(spans)}, total, **given)


def overlapped(pieces=6, took=(4800.0, 3100.0, 4300.0)):
    """A pass over pieces, each of which is uploaded, computed and downloaded while its neighbours are."""
    ends, spans = [0.0] * len(took), {activity: [] for activity in ACTIVITIES}
    for piece in range(pieces):
        ready = 0.0
        for place, activity in enumerate(ACTIVITIES):
            begin = max(ready, ends[place]) + 12.0
            ends[place] = ready = begin + took[place] * (0.6 if piece == pieces - 1 else 1.0)
            spans[activity].append((begin, ends[place]))
    return [busy(activity, spans[activity]) for activity in ACTIVITIES]


def constant(quantity, value, **parameters):
    """A row without a unit, a clock or an interval."""
    given = {"quantity": quantity, "unit": "", "clock": None, "interval": None, "samples": []}
    made = row("local_inverse", parameters, value, **given)
    return {**made, "name": f"{made['name']}/{quantity}"}


def errors(heights=(1, 2, 4, 8, 16, 32, 64), paddings=(1, 2, 3, 5, 8, 12, 20, 32, 48, 80)):
    """Errors that fall with the padding and rise with the height, and the padding that a theory asks for."""
    rows = [
        constant(
            "error", max(0.4 * 10 ** (-6.0 * padding / height**0.5), 3.2e-16), height=height, padding=padding
        )
        for height in heights
        for padding in paddings
        if not (height == 1 and padding > 32)
    ]
    for tolerance in (6, 12):
        rows += [
            constant("padding", tolerance * h**0.5 / 6.0, height=h, tolerance=f"1e-{tolerance}")
            for h in heights
        ]
    return rows
