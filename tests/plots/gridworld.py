"""A made-up study of a grid of three dimensions: threads, sizes, kernels, a published card and a field.

None of these numbers was measured anywhere.
"""

import h5py
import numpy as np
from synthetic import CPU, GPU, NO_GPU, result, row, save, verdicts

KERNELS = {"gpu_plain": 1.0, "gpu_shared": 1.25, "gpu_texture": 1.31, "gpu_register_tiles": 0.62}
SIZES = (32, 64, 128, 256, 512)
THREADS = (1, 2, 4, 8, 16)
TIMES = {"quantity": "time"}
SERIES = [
    {"title": "scalar", "select": {"variant": "cpu_naive"}},
    {"title": "vectorised, the better of two", "select": {"variant": ["cpu_sse", "cpu_avx2"]}, "best": True},
]
ALL_THREADS = {"variant": ["cpu_sse", "cpu_avx2"], "threads": 16}
STUDY = {
    "id": "toy",
    "title": "A made-up study of a cube",
    "problem": ["Nothing is solved."],
    "tables": [
        {
            "id": "kernels",
            "title": "Time and speed of each size",
            "unit": "ms",
            "select": TIMES,
            "rows": ["nx"],
            "columns": [
                {"id": "texture", "title": "texture", "select": {"variant": "gpu_texture"}},
                {"id": "plain", "title": "plain", "select": {"variant": "gpu_plain"}},
                {"id": "speed", "title": "plain", "unit": "GFLOP/s", "select": {"variant": "gpu_plain"}},
                {"id": "cpu", "title": "CPU", "unit": "Gpoint/s", "select": ALL_THREADS},
                {"id": "cell", "title": "another card's", "select": {"variant": "gpu_cell"}},
            ],
            "ratio": {"title": "texture / plain", "numerator": "texture", "denominator": "plain"},
            "remarks": [
                {"ratio_above": 1.3, "text": "A texture costs over 30 % against a plain load in {keys}."},
                {"ratio_below": 0.9, "text": "A texture wins in {keys}.", "else": "A texture never wins."},
            ],
            "published": ["old-card"],
        }
    ],
    "figures": [
        {
            "id": "threads", "kind": "lines", "title": "Speed over threads", "select": {**TIMES, "nx": 512},
            "x": "threads", "unit": "GFLOP/s", "series": SERIES, "published": ["old-card"],
        },
        {
            "id": "sizes", "kind": "lines", "title": "Speed over sizes", "select": TIMES,
            "x": "nx", "x_title": "points along an edge", "unit": "GFLOP/s",
            "scale": {"x": "log", "y": "linear"}, "published": ["old-card"], "limits": True,
            "series": [{"title": name, "select": {"variant": name}} for name in KERNELS],
        },
        {
            "id": "each", "kind": "bars", "title": "Speed of each variant", "select": {**TIMES, "nx": 512},
            "groups": ["variant"], "order": ["cpu_naive", "cpu_sse", "cpu_avx2", "gpu_plain"], "best": True,
            "unit": "GFLOP/s", "published": ["old-card"],
        },
        {
            "id": "even", "kind": "bars", "title": "Kernel time", "scale": "linear",
            "select": {**TIMES, "nx": [256, 512], "clock": "kernel"}, "groups": ["variant", "nx"],
            "unit": "ms",
        },
        {
            "id": "cut", "kind": "contour", "title": "A plane through the middle", "field": "/t",
            "slice": {"axis": 0, "at": "middle"}, "filled": True, "label": "temperature (°C)",
        },
        {
            "id": "hot", "kind": "contour", "title": "The plane of the largest value", "field": "/t",
            "slice": {"axis": 1, "at": "hottest"}, "levels": 12,
        },
        {
            "id": "waves", "kind": "contour", "title": "Waves over space and time", "field": "/w",
            "aspect": "free", "filled": True, "levels": 12, "label": "height",
            "x_title": "place (mm)", "x_scale": 0.5, "y_title": "time (s)", "y_scale": "frame_time",
        },
        {
            "id": "ball", "kind": "slice", "title": "A wave around a ball", "field": "/ex", "body": "/eps",
            "axis": 1, "x_axis": 2, "coordinates": {"x": "/z", "y": "/x"}, "axis_title": "y",
        },
    ],
    "claims": [],
}  # fmt: skip


SKIPPED = {"status": "skipped", "reason": NO_GPU}
SKIPPED |= {"median": None, "interval": None, "samples": []}


def timed(variant, value, n, clock, interval=True, **parameters):
    """A row of a cube of n points each way that takes `value` ms."""
    work = {"flops": 26.0 * n**3, "bytes": 8.0 * n**3}
    given = {"nx": n, "ny": n, "nz": n, **parameters}
    measured = {"interval": [value * 0.97, value * 1.04] if interval else None}
    if clock == "kernel":
        least = work["bytes"] / 1.6e11 * 1e3
        measured["limit"] = {
            "ceiling": "gpu_copy_bandwidth",
            "value": least,
            "unit": "ms",
            "share": least / value,
        }
    made = row(variant, given, value, unit="ms", clock=clock, **work, **measured)
    return {**made, "name": f"{made['name']}/{clock}"}


def rows(gpu, scale=1.0):
    """Rows of a machine with or without a GPU."""
    found = []
    for threads in THREADS:
        for variant, factor in (("cpu_naive", 6.0), ("cpu_sse", 2.2), ("cpu_avx2", 1.3)):
            slower = 1.0 + 0.11 * threads + (0.5 if variant == "cpu_avx2" and threads == 16 else 0)
            value = 3400.0 * scale * factor * slower / threads
            found.append(timed(variant, value, 512, "wall", threads=threads))
    for place, size in enumerate(SIZES):
        for index, (variant, factor) in enumerate(KERNELS.items()):
            value = factor * (size / 512) ** 3 * 9.1 * (1 + 0.6 / (place + 1)) * (1 + 0.01 * index * place)
            one = timed(variant, value, size, "kernel", block="32x8")
            found.append(one if gpu else {**one, **SKIPPED})
    return found


def published():
    """The card's numbers, as printed."""
    found = [timed("cpu_naive", 61000.0, 512, "wall", interval=False, threads=1)]
    found += [timed("cpu_sse", 21000.0 / n, 512, "wall", interval=False, threads=n) for n in (1, 4)]
    for variant, factor in (("gpu_plain", 1.0), ("gpu_texture", 0.8), ("gpu_cell", 0.7)):
        for n in (256, 512):
            found.append(timed(variant, factor * 240.0 * (n / 512) ** 3, n, "step", interval=False))
    return found


def field(path, size=40):
    """A hot spot off the middle of a cube, hottest at z 12, y 25, x 30."""
    path.parent.mkdir(parents=True, exist_ok=True)
    z, y, x = np.mgrid[0:size, 0:size, 0:size]
    near = np.exp(-(((x - 30) / 9.0) ** 2) - ((y - 25) / 6.0) ** 2 - ((z - 12) / 8.0) ** 2)
    with h5py.File(path, "w") as file:
        file["t"] = 20.0 + 80.0 * near
        file.create_group("parameters").attrs.update({"iterations": 500})
    return path


def waves(path, frames=24, size=160, **parameters):
    """Two waves that run apart: a line of points, frame by frame, 2.5 s apart."""
    path.parent.mkdir(parents=True, exist_ok=True)
    t, x = np.mgrid[0:frames, 0:size]
    with h5py.File(path, "w") as file:
        file["w"] = np.cos(0.1 * (x - 3 * t)) + np.cos(0.13 * (x + 2 * t))
        file.create_group("parameters").attrs.update({"frame_time": 2.5, **parameters})
    return path


def staggered(path, nodes=(17, 21, 33)):
    """A wave along z and a ball, on points that are closest at the middle.

    Each dimension's last slot has no point: `ex` holds 1e9 there, and `eps` 0, as in x's first one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    x, y, z = (half * (s + s**3) / 2 for half, s in zip((3, 3, 5), map(steps, nodes), strict=True))
    across, deep, along = np.meshgrid(x, y, z, indexing="ij")
    inside = np.sqrt(across**2 + deep**2 + along**2) < 1.2
    ends = [(0, 1)] * 3
    with h5py.File(path, "w") as file:
        wave = np.cos(2 * along - inside) * (1 + 0.2 * across)
        file["ex"] = np.pad(wave, ends, constant_values=1e9)
        file["eps"] = np.pad(np.where(inside, 2.25, 1.0), ends)
        file["eps"][0] = 0.0
        file["x"], file["y"], file["z"] = x, y, z
        file.create_group("parameters").attrs.update({"steps": 300})
    return path


def steps(nodes):
    """From -1 to 1."""
    return np.linspace(-1, 1, nodes)


def world(root):
    """Two measured machines and a published one; the arguments of `report` that show them."""
    save(root / "experiments" / "toy" / "study.json", STUDY)
    old = result("Old card (published)", published(), published=True, preset="published")
    save(root / "sets" / "published" / "old-card" / "toy.json", old)
    files, ratios = [], []
    for key, name, gpu in (("grid-gpu", GPU, True), ("grid-cpu", CPU, False)):
        folder = root / "results" / key
        save(folder / "toy.json", result(name, rows(gpu, 1.0 if gpu else 4.7), complete=gpu))
        files.append(save(root / f"verdicts-{key}.json", verdicts(folder, name, [])))
        lines = [
            {
                "key": {"nx": n},
                "ratio": 1.31 + 0.02 * place,
                "interval": [1.28 + 0.02 * place, 1.34 + 0.02 * place],
            }
            for place, n in enumerate(SIZES)
        ]
        tables = [{"experiment": "toy", "id": "kernels", "rows": lines if gpu else []}]
        ratios.append(save(root / f"ratios-{key}.json", {"directory": str(folder), "tables": tables}))
    for figure in ("cut", "hot"):
        field(root / "fields" / f"toy-{figure}.h5")
    waves(root / "fields" / "toy-waves.h5")
    staggered(root / "fields" / "toy-ball.h5")
    machines = ["--machines", root / "results" / "grid-gpu", root / "results" / "grid-cpu"]
    given = ["report", "--experiments", root / "experiments", "--results", root / "sets", *machines]
    given += ["--fields", root / "fields", "--verdicts", *files, "--ratios", *ratios]
    return [str(part) for part in given]
