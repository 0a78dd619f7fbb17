"""Made-up result files, verdicts and fields. None of these numbers was measured anywhere."""

import json
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "results" / "nvidia-h100"
CONFIGURATIONS = [(32, 4), (16, 4), (8, 4), (4, 4), (32, 8), (16, 8), (32, 16)]
NO_GPU = "no CUDA device is visible"
GPU, CPU = "Synthetic GPU (made up)", "Synthetic CPU box (made up)"


def row(variant, parameters, value, **other):
    """A row that obeys the schema; `value` None makes it a skipped one."""
    good = value is not None
    given = {
        "name": "/".join(["toy", variant, *(f"{key}:{part}" for key, part in parameters.items())]),
        "iterations": 9 if good else 0,
        "experiment": "toy",
        "variant": variant,
        "parameters": parameters,
        "quantity": "time",
        "unit": "us",
        "clock": "kernel",
        "samples": [value] * 9 if good else [],
        "median": value,
        "interval": [value * 0.99, value * 1.01] if good else None,
        "status": "ok" if good else "skipped",
        "reason": None if good else NO_GPU,
        "verification": None,
        "bytes": None,
        "flops": None,
        "limit": None,
        "counters": None,
    }
    return {**given, **other}


def result(machine, rows, experiment="toy", **context):
    """A result file's content."""
    base = {
        "experiment": experiment,
        "machine": machine,
        "preset": "quick",
        "complete": True,
        "build": {"commit": "0000000", "dirty": False},
        "cpu": {"model": "Synthetic 64", "threads": 16},
        "gpu": None,
        "ceilings": [],
        "reasons": {"gpu": NO_GPU},
    }
    return {"schema_version": 2, "context": {**base, **context}, "rows": rows}


def save(path, value):
    """Write JSON, with its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def ceiling(name, value, unit, how, reason=None):
    """A ceiling."""
    return {"name": name, "value": value, "unit": unit, "reason": reason, "how": how}


GPU_CEILINGS = [
    ceiling("gpu_copy_bandwidth", 4190.0, "GB/s", "copy of 1 GiB, median of 9"),
    ceiling("gpu_l2_bandwidth", 9200.0, "GB/s", "repeated reads of a quarter of the L2"),
    ceiling("gpu_fma_peak_float", 61500.0, "GFLOP/s", "eight independent FMA chains a thread"),
    ceiling("gpu_fma_peak_double", 30700.0, "GFLOP/s", "eight independent FMA chains a thread"),
    ceiling("gpu_launch_latency", 3.4, "us", "empty kernels back to back"),
]
CPU_CEILINGS = [
    ceiling("cpu_triad_all_threads", 103.0, "GB/s", "STREAM triad, 4 x the last cache, all threads"),
    ceiling("cpu_fma_peak_float_all_threads", 1650.0, "GFLOP/s", "AVX-512 FMA chains"),
    ceiling("cpu_fma_peak_double_all_threads", None, "GFLOP/s", "AVX-512 FMA chains", "this is made up too"),
]


def _jacobi(variant, size, precision, value, clock="kernel", **parameters):
    points, width = size[0] * size[1], 8 if precision == "double" else 4
    every = {"nx": size[0], "ny": size[1], "precision": precision, **parameters}
    if clock == "kernel":
        every["cache"] = "hot"
    label = "/".join(f"{key}:{part}" for key, part in parameters.items())
    name = "/".join(["jacobi", variant, f"{size[0]}x{size[1]}", precision, label, clock])
    own = {
        "name": name,
        "experiment": "jacobi",
        "clock": clock,
        "bytes": 3 * width * points,
        "flops": 6 * points,
    }
    return row(variant, every, value, **own)


def jacobi_rows(gpu):
    """Rows in the shape of the Jacobi study, of a machine with or without a GPU."""
    rows, small, large = [], (512, 256), (16384, 8192)
    for size, precision in [(small, "float"), (small, "double"), (large, "float"), (large, "double")]:
        scale = (1 if size == small else 260) * (1.6 if precision == "double" else 1)
        for index, (tile, block) in enumerate(CONFIGURATIONS):
            for variant, carveout, factor in [
                ("gpu_shared", "shared", 1.34),
                ("gpu_no_shared", "l1", 1.0),
                ("gpu_shared", "l1", 1.41),
                ("gpu_no_shared", "shared", 1.12),
            ]:
                value = (2.0 + 0.31 * ((index * 3) % 5)) * factor * scale if gpu else None
                named = {"tile": f"32x{tile}", "block": f"32x{block}", "carveout": carveout}
                rows.append(_jacobi(variant, size, precision, value, **named))
    big = {"status": "skipped", "reason": "needs 2.1 GiB of device memory, 1.7 GiB are free", "median": None}
    if gpu:
        rows[-1] = {
            **_jacobi("gpu_no_shared", large, "double", None, tile="32x32", block="32x16", carveout="l1"),
            **big,
        }
    for launch, value in (("graph", 3.1), ("stream", 4.4)):
        for variant, carveout in (("gpu_shared", "shared"), ("gpu_no_shared", "l1")):
            named = {"tile": "32x32", "block": "32x8", "carveout": carveout, "launch": launch}
            rows.append(_jacobi(variant, small, "float", value if gpu else None, "step", **named))
    for tile, block in CONFIGURATIONS:
        named = {"tile": f"32x{tile}", "block": f"32x{block}"}
        hit = _jacobi("gpu_no_shared", small, "float", 61.5 + tile / 4 if gpu else None, **named)
        rows.append(
            {**hit, "quantity": "l1_hit_rate", "unit": "%", "clock": None, "bytes": None, "flops": None}
        )
    teams = (("cpu_naive", "one", 171.0), ("cpu_openmp", "one", 70.0), ("cpu_openmp", "all", 9.4))
    for variant, team, value in teams:
        for size, precision in [(small, "float"), (small, "double"), (large, "float")]:
            scale = (1 if size == small else 2100) * (1.5 if precision == "double" else 1)
            estimate = {"status": "estimate", "reason": "preset quick: 9 samples of one process"}
            rows.append({**_jacobi(variant, size, precision, value * scale, "wall", team=team), **estimate})
    return rows


def _claim(identity, verdict, because, **other):
    empty = {"measured": None, "value": None, "interval": None, "estimate": False, "errata": []}
    told = {
        "experiment": "jacobi",
        "id": identity,
        "statement": "as declared",
        "verdict": verdict,
        "because": because,
    }
    return {**told, **empty, **other}


def verdicts(directory, machine, claims):
    """What the binary's `claims` prints."""
    return {"machine": machine, "directory": str(directory), "complete": True, "claims": claims}


def jacobi_world(root):
    """A machine with a GPU and one without; the arguments of `report` that show them."""
    gpu, cpu = root / "results" / "synthetic-gpu", root / "results" / "synthetic-cpu"
    card = {"name": "Synthetic GPU", "memory_gib": 141, "power_cap_w": None}
    why = {"gpu.power_cap_w": "the driver of a made-up card does not tell"}
    both = {"experiment": "jacobi", "software": {"driver": "0.0", "cuda": "13.0"}}
    save(
        gpu / "jacobi.json",
        result(GPU, jacobi_rows(True), gpu=card, reasons=why, ceilings=GPU_CEILINGS + CPU_CEILINGS, **both),
    )
    save(cpu / "jacobi.json", result(CPU, jacobi_rows(False), ceilings=CPU_CEILINGS, complete=False, **both))
    one = [
        _claim(
            "J1",
            "REPRODUCED",
            "Every one of 7 pairs lies above 1.",
            measured="1.25 to 1.45",
            value=1.34,
            interval=[1.25, 1.45],
        ),
        _claim(
            "J2",
            "NOT REPRODUCED",
            "61.5 % lies outside 70 % by more than 10 %.",
            measured="62.5 to 69.5 %",
            value=65.5,
            interval=[62.5, 69.5],
            estimate=True,
        ),
        _claim(
            "J3",
            "INCONCLUSIVE",
            "The two best configurations' intervals overlap.",
            measured="gpu_no_shared, 32x32 / 32x4",
        ),
        _claim("J4", "TREND ONLY", "Some pairs lie outside.", measured="1.1 to 1.3", interval=[1.1, 1.3]),
    ]
    none = [_claim(name, "NOT RUN", f"Not measured: {NO_GPU}.") for name in ("J1", "J2", "J3", "J4")]
    save(root / "verdicts-gpu.json", verdicts(gpu, GPU, one))
    save(root / "verdicts-cpu.json", verdicts(cpu, CPU, none))
    lines = [
        {"key": {"tile": f"32x{tile}", "block": f"32x{block}"}, "ratio": 1.34, "interval": [1.322, 1.357]}
        for tile, block in CONFIGURATIONS
    ]
    tables = [{"experiment": "jacobi", "id": name, "rows": lines} for name in ("table-1", "table-1-large")]
    save(root / "ratios-gpu.json", {"directory": str(gpu), "tables": tables})
    field(root / "fields" / "jacobi-figure-1.h5")
    files = [root / "verdicts-gpu.json", root / "verdicts-cpu.json"]
    machines = ["--machines", gpu, cpu, "--fields", root / "fields"]
    given = ["report", *machines, "--verdicts", *files, "--ratios", root / "ratios-gpu.json"]
    return [str(part) for part in given]


def sided(root):
    """The arguments of `machines` that show the same two machines beside two published cards."""
    jacobi_world(root)
    made = [root / "results" / "synthetic-gpu", root / "results" / "synthetic-cpu"]
    files = [root / "verdicts-gpu.json", root / "verdicts-cpu.json"]
    given = ["machines", "gtx-570", "tesla-x2070", *made, "--results", ROOT / "results", "--verdicts", *files]
    return [str(part) for part in given]


def field(path, nx=256, ny=128):
    """A made-up stream function around a body, in the binary's layout."""
    path.parent.mkdir(parents=True, exist_ok=True)
    y, x = np.mgrid[0:ny, 0:nx] / (ny - 1.0)
    near = np.exp(-(((x - 1.0) / 0.35) ** 2) - ((y - 0.5) / 0.3) ** 2)
    mask = np.ones((ny, nx))
    mask[[0, -1], :] = mask[:, 0] = 0
    mask[:, -1] = 2
    mask[ny * 3 // 8 : ny * 5 // 8, nx * 7 // 16 : nx * 9 // 16] = 0
    with h5py.File(path, "w") as file:
        file["psi"], file["mask"] = y + (0.5 - y) * near, mask
        file.create_group("parameters").attrs.update(
            {"iterations": 41237, "residual": 9.7e-7, "nx": nx, "ny": ny}
        )
    return path


def comparison():
    """What the binary's `compare` prints."""
    looks = [
        ("faster", 0.91, [0.9, 0.92]),
        ("slower", 1.31, [1.29, 1.33]),
        ("lower", 0.8, [0.79, 0.81]),
        ("higher", 1.2, [1.19, 1.21]),
        ("rough difference", 1.08, [1.07, 1.09]),
        ("no difference resolved", 1.005, [0.99, 1.02]),
        ("not comparable", 1.4, None),
        ("only in base", None, None),
        ("only in new", None, None),
    ]
    rows = []
    for index in range(16):
        verdict, ratio, interval = looks[index % len(looks)]
        tile, block = CONFIGURATIONS[index % len(CONFIGURATIONS)]
        name = (
            f"jacobi/gpu_shared/512x256/float/tile:32x{tile}/block:32x{block}/carveout:shared/kernel/{index}"
        )
        values = {
            "base": None if verdict == "only in new" else 1.9,
            "new": None if verdict == "only in base" else 1.91,
        }
        reason = "CPU rows of two runs" if verdict == "not comparable" else None
        told = {
            "experiment": "jacobi",
            "name": name,
            "variant": "gpu_shared",
            "quantity": "time",
            "unit": "us",
        }
        rows.append(
            {
                **told,
                "clock": "kernel",
                **values,
                "ratio": ratio,
                "interval": interval,
                "verdict": verdict,
                "reason": reason,
            }
        )
    summary = {
        verdict.replace(" resolved", "").replace(" ", "_").replace("only_in", "only"): 2
        for verdict, _, _ in looks
    }
    return {
        "base": {"directory": "results/a", "machine": GPU},
        "new": {"directory": "results/b", "machine": CPU},
        "machine_differences": [
            {"key": "gpu.name", "base": "Synthetic GPU", "new": None, "experiments": None},
            {"key": "build.commit", "base": "a", "new": "b", "experiments": ["jacobi", "heat"]},
        ],
        "summary": summary,
        "rows": rows,
    }
