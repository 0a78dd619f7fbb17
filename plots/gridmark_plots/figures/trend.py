"""The trend of a line in words, for those who do not see it."""

from itertools import pairwise

from .. import numbers
from ..selector import plain


def of(label, marks, name, least=False):
    """What (x, value) marks do over the parameter called `name`; `least` always tells the smallest."""
    (first, start), (last, end) = marks[0], marks[-1]
    (low_at, low), (high_at, high) = (pick(marks, key=lambda mark: mark[1].value) for pick in (min, max))
    ringed = f", least {_said(low)} at {plain(low_at)}" if least else ""
    if len(marks) == 1:
        return f"{label}: {_said(start)} at {name} {plain(first)}{ringed}"
    if high.value - low.value < 0.005 * high.value:
        return f"{label}: stays near {_said(start)} from {name} {plain(first)} to {plain(last)}{ringed}"
    steps = [later[1].value - sooner[1].value for sooner, later in pairwise(marks)]
    word = "rises" if min(steps) > 0 else "falls" if max(steps) < 0 else "runs"
    text = f"{label}: {word} from {_said(start)} at {name} {plain(first)} to {_said(end)} at {plain(last)}"
    if word != "runs":
        return text + ringed
    return f"{text}, least {_said(low)} at {plain(low_at)}, most {_said(high)} at {plain(high_at)}"


def _said(value):
    return numbers.measured(value.value, 3)
