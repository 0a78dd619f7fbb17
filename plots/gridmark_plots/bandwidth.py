"""A machine's own bandwidth: what a row's time is held against, and where caches give more than memory."""

from dataclasses import dataclass

from . import numbers, sentences, units
from .errors import InputError
from .selector import FORECAST

MEASURED = {
    # As memory_mixes of harness/model/machine_limits.hpp: the best of several mixes counts.
    "GPU": ("gpu_triad_bandwidth", "gpu_copy_bandwidth", "gpu_tiles_bandwidth"),
    "CPU, one thread": ("cpu_triad_one_thread",),
    "CPU": ("cpu_triad_all_threads",),
}
DATA_SHEET = {"GPU": "gpu_memory_peak", "CPU, one thread": "cpu_memory_peak", "CPU": "cpu_memory_peak"}
LINK = "link_"


@dataclass(frozen=True)
class Bound:
    """A bandwidth in GB/s and the least seconds that it allows a row."""

    ceiling: str
    bandwidth: float
    seconds: float
    forecast: bool = False

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
        sheet = self.forecast or self.ceiling in DATA_SHEET.values()
        kind = "from the data sheet" if sheet else "measured"
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
        seconds = units.seconds({**limit, "median": limit["value"]})
        return Bound(link["name"], link["value"], seconds, row["status"] == FORECAST), None
    if not row["bytes"]:
        return None, "it does not state the bytes that it has to move"
    forecast = row["status"] == FORECAST
    side = side_of(row)
    if side == "CPU" and row["parameters"].get("threads") == 1:
        side = "CPU, one thread"
    names = [*MEASURED[side], DATA_SHEET[side]]
    found = _known(ceilings, MEASURED[side], file) or _known(ceilings, [DATA_SHEET[side]], file)
    if found is None:
        return None, _why_not(ceilings, names)
    return Bound(found["name"], found["value"], row["bytes"] / found["value"] / 1e9, forecast), None


MIB = 1 << 20
CACHE_LIMIT = (
    "gpu_l2_bandwidth"  # of a row whose pieces stay in the cache, however many bytes they are in all
)


def last_level(context, side):
    """(what the last cache before the memory is called, its bytes or None)."""
    if side == "GPU":
        return "the GPU's L2", (context.get("gpu") or {}).get("l2_bytes")
    caches = (context.get("cpu") or {}).get("caches") or {}
    return "the CPU's L3", caches.get("l3_total") or caches.get("l3")


def _stays(row, size):
    """Whether what a row reads and writes stays in a cache of this size."""
    return bool(row["limit"] and row["limit"]["ceiling"] == CACHE_LIMIT) or row["bytes"] <= size


def about_caches(label, context, held):
    """Sentences for one machine, given [(name, row, share in %)] of what is held against its memory."""
    found = []
    for side in ("GPU", "CPU"):
        mine = [one for one in held if side_of(one[1]) == side]
        cache, size = last_level(context, side)
        names = [name for name, row, _ in mine if size and _stays(row, size)]
        if names:
            which = f"all {side} rows" if len(names) == len(mine) else sentences.listed(names)
            found.append(
                f"{label}: what {which} work on stays in {cache} ({numbers.published(size / MIB, 3)} MiB). "
                "It need not come from memory, and a share of its bandwidth may exceed 100 %."
            )
        above = [name for name, _, share in mine if share > 100]
        if above:
            source = cache if set(above) <= set(names) else "a cache"
            found.append(
                f"{label}: above 100 %: {sentences.listed(above)}. That is more than the memory delivers: "
                f"at least a part comes from {source}."
            )
    return found
