"""Remarks: sentences that a table declares about its ratios, printed when the numbers bear them out."""


def _beyond(remark, value):
    """Whether a ratio, or else its whole interval, lies beyond the remark's number."""
    ends = value.interval or (value.value, value.value)
    if "ratio_above" in remark:
        return ends[0] > remark["ratio_above"]
    return ends[1] < remark["ratio_below"]


def _named(key, value):
    mark = " est." if value.estimate else ""
    return f"{' / '.join(part for part in key if part)} ({value.text}{mark})"


def of(spec, group, keys, cells):
    """The sentences that hold for one measured machine, its label in front."""
    if group.machine.published or not group.columns or not group.columns[-1].ratio:
        return []
    given = [(key, value) for key, line in zip(keys, cells, strict=True) for value in line[-1]]
    found = []
    for remark in spec.get("remarks", []):
        hits = [_named(key, value) for key, value in given if _beyond(remark, value)]
        text = remark["text"].replace("{keys}", ", ".join(hits)) if hits else remark.get("else")
        if text:
            found.append(f"{group.label}: {text}")
    return found
