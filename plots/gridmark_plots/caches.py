"""Sentences on caches: where a share of the memory's bandwidth is more than what comes from memory."""

from . import numbers, sentences
from .bandwidth import side_of

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


def about(label, context, held):
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
