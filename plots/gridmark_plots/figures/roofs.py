"""The roofs of a roofline graph, from the ceilings that a result set states."""

from dataclasses import dataclass

from .. import numbers


@dataclass(frozen=True)
class Roof:
    """A bandwidth (GB/s, a slope) or an arithmetic peak (GFLOP/s, flat)."""

    title: str
    value: float
    slope: bool

    @property
    def text(self):
        """What stands on the line."""
        big, unit = self.value, "GB/s" if self.slope else "GFLOP/s"
        if big >= 1000:
            big, unit = big / 1000, "T" + unit[1:]
        return f"{self.title} {numbers.published(big, 3)} {unit}"

    def at(self, intensity):
        """The most GFLOP/s that it allows at this many flops per byte."""
        return self.value * intensity if self.slope else self.value


NAMES = {
    "GPU": {
        "gpu_copy_bandwidth": ("memory", True),
        "gpu_l2_bandwidth": ("L2", True),
        "gpu_fma_peak_float": ("float", False),
        "gpu_fma_peak_double": ("double", False),
    },
    "CPU": {
        "cpu_triad_all_threads": ("memory", True),
        "cpu_fma_peak_float_all_threads": ("float", False),
        "cpu_fma_peak_double_all_threads": ("double", False),
    },
}


def _let_the_better_mix_count(stated):
    """A roof must hold for any mix of reads and writes: where the triad is faster, it replaces the copy."""
    copy, triad = stated.get("gpu_copy_bandwidth"), stated.get("gpu_triad_bandwidth")
    if copy and triad and (triad["value"] or 0) > (copy["value"] or 0):
        stated["gpu_copy_bandwidth"] = triad


def of(context, side):
    """(the roofs of the GPU or the CPU, a sentence for each that has no value)."""
    found, missing = [], []
    stated = {ceiling["name"]: ceiling for ceiling in context["ceilings"]}
    _let_the_better_mix_count(stated)
    for name, (title, slope) in NAMES[side].items():
        ceiling = stated.get(name)
        if ceiling is None:
            missing.append(f"no {side} roof '{title}': {name} is not among the ceilings")
        elif ceiling["value"] is None:
            missing.append(
                f"no {side} roof '{title}': {(ceiling['reason'] or 'no reason given').rstrip('.')}"
            )
        else:
            found.append(Roof(title, ceiling["value"], slope))
    return found, missing
