"""A machine's own bandwidth: the one that a row's time is held against."""

from dataclasses import dataclass

from . import numbers, units
from .errors import InputError

MEASURED = {
    "GPU": ("gpu_triad_bandwidth", "gpu_copy_bandwidth"),
    "CPU, one thread": ("cpu_triad_one_thread",),
    "CPU": ("cpu_triad_all_threads",),
}
DATA_SHEET = {"GPU": "gpu_memory_peak", "CPU, one thread": "cpu_memory_peak", "CPU": "cpu_memory_peak"}
LINK = "pcie_"


@dataclass(frozen=True)
class Bound:
    """A bandwidth in GB/s and the least seconds that it allows a row."""

    ceiling: str
    bandwidth: float
    seconds: float

    @property
    def link(self):
        """Whether it is the link between host and GPU."""
        return self.ceiling.startswith(LINK)

    @property
    def words(self):
        """How much it is, and whether it is the link's."""
        return f"of {'the link, ' if self.link else ''}{numbers.published(self.bandwidth)} GB/s"

    @property
    def source(self):
        """Which ceiling it is, and where that comes from."""
        kind = "from the data sheet" if self.ceiling in DATA_SHEET.values() else "measured"
        return f"{self.ceiling} ({numbers.published(self.bandwidth)} GB/s, {kind})"


def side_of(row):
    """Whose memory a timed row uses: the GPU's or the CPU's."""
    return "CPU" if row["clock"] == "wall" else "GPU"


def _known(ceilings, names, file):
    """The largest of these ceilings that has a value, or None."""
    found = [ceilings[name] for name in names if name in ceilings and ceilings[name]["value"]]
    for one in found:
        if one["unit"] != "GB/s":
            raise InputError(
                file, one["name"], f"a bandwidth in GB/s is asked for, its unit is '{one['unit']}'"
            )
    return max(found, key=lambda one: one["value"], default=None)


def _why_not(ceilings, names):
    said = [ceilings[name]["reason"] for name in names if name in ceilings and ceilings[name]["reason"]]
    return said[0].rstrip(".") if said else f"{' and '.join(names)} are not among its ceilings"


def of(row, context, file):
    """(the Bound of a timed row, None) or (None, why there is none).

    A measured bandwidth goes before a data sheet's. A row whose own limit is the link is held against that.
    """
    ceilings = {one["name"]: one for one in context["ceilings"]}
    limit = row["limit"]
    if limit and limit["ceiling"].startswith(LINK):
        link = _known(ceilings, [limit["ceiling"]], file)
        if link is None:
            return None, _why_not(ceilings, [limit["ceiling"]])
        return Bound(link["name"], link["value"], units.seconds({**limit, "median": limit["value"]})), None
    if not row["bytes"]:
        return None, "it does not state the bytes that it has to move"
    side = side_of(row)
    if side == "CPU" and row["parameters"].get("threads") == 1:
        side = "CPU, one thread"
    names = [*MEASURED[side], DATA_SHEET[side]]
    found = _known(ceilings, MEASURED[side], file) or _known(ceilings, [DATA_SHEET[side]], file)
    if found is None:
        return None, _why_not(ceilings, names)
    return Bound(found["name"], found["value"], row["bytes"] / found["value"] / 1e9), None
