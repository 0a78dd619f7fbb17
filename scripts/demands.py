#!/usr/bin/env python3
"""Counts what GPU variants ask of a chip (NVIDIA's profiler, `ncu`), and writes harness/model/counted.cpp.

scripts/demands.py --gridmark build/gridmark [FOLDER]   count into FOLDER [build/demands], then write
scripts/demands.py --from FOLDER [--out FILE]           write from what was counted into it before

Each variant is launched once at several sizes and settings, in both precisions. It declares there how its
work grows: rows, warps, points. Non-negative least squares of the relative errors give what one of each
costs. The table at the end names the variants that this explains worst. Counting needs ncu and a GPU.
"""

import argparse
import collections
import csv
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 60  # that one study's sizes may take
TARGET = ROOT / "harness" / "model" / "counted.cpp"
REFERENCE = ROOT / "results" / "nvidia-h100"

OPERATIONS = [
    f"smsp__sass_thread_inst_executed_op_{kind}{word}_pred_on.sum"
    for kind in "fd"
    for word in ("add", "mul", "fma")
]
# What a unit's cost is made of: counters, and what one of each is.
QUANTITIES = {
    "instructions": (["smsp__inst_executed.sum"], 1),
    "l1_bytes": (["l1tex__data_pipe_lsu_wavefronts.sum", "l1tex__data_pipe_tex_wavefronts.sum"], 128),
    "l2_bytes": (["lts__t_sectors_srcunit_tex.sum"], 32),
    "flops": (OPERATIONS, 2),
}
# Two sizes at least of every study, one that does not divide evenly, and the settings that change the work.
SIZES = {
    "jacobi": [
        ["nx=512", "ny=256", "tile=32x4,32x8,32x16,32x32", "block=32x4,32x8"],
        ["nx=1000", "ny=600", "tile=32x8,32x16,32x32", "block=32x4,32x8"],
        ["nx=4096", "ny=4096", "tile=32x32", "block=32x4"],
        ["nx=300", "ny=200", "tile=32x8", "block=32x8"],
        ["nx=511,1001", "ny=333", "tile=32x8,32x32", "block=32x8"],
    ],
    "heat": [
        ["nx=128,256", "ny=128", "nz=128"],
        ["nx=220", "ny=201", "nz=171"],
        ["nx=133,251", "ny=201", "nz=101"],
    ],
    "maxwell": [["n=96,160"], ["nx=100", "ny=171", "nz=199"]],
    "pyramid": [["n=1000000,4194304", "s=1,10,100"]],
    "ginzburg_landau": [["n=4096,10000,16384,32768,65536", "block=64,128,256"]],
}


def choices(experiment):
    """Axes of what rows of the reference choose beside their size: paths, ablations."""
    file = REFERENCE / f"{experiment}.json"
    rows = json.loads(file.read_text())["rows"]
    axes = ["precision=float,double"]
    for key in ("beta", "ablation"):
        values = sorted({row["parameters"][key] for row in rows if key in row["parameters"]})
        if values:
            axes.append(f"{key}={','.join(values + ['none'] * (key == 'ablation'))}")
    return axes


def count(program, folder):
    """Runs the profiler at every size; its answers, and what the variants declare, lie in the folder."""
    ncu = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin")
    if ncu is None:
        sys.exit("demands: ncu: not found; it comes with the CUDA toolkit")
    folder.mkdir(parents=True, exist_ok=True)
    counters = ",".join(name for names, _ in QUANTITIES.values() for name in names)
    options = ["--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "demangled"]
    options += ["--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off"]
    failed = False
    for experiment, sizes in SIZES.items():
        for k, axes in enumerate(sizes):
            name = folder / f"{experiment}-{k}"
            words = [program, "_demands", experiment]
            for axis in [*axes, *choices(experiment)]:
                words += ["--axis", axis]
            log = ["--log-file", name.with_suffix(".csv"), "--metrics", counters]
            start = time.monotonic()
            with name.with_suffix(".jsonl").open("w") as said:
                running = subprocess.Popen([ncu, *options, *log, *words], stdout=said, start_new_session=True)
                try:
                    code = running.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    os.killpg(running.pid, signal.SIGKILL)
                    code = "none"
            print(
                f"{time.monotonic() - start:3.0f} s, exit code {code}: {' '.join(map(str, words))}",
                flush=True,
            )
            failed = failed or code != 0
    if failed:
        sys.exit("demands: not all could be counted")


def sources(folder):
    """What counted, in words: the card, and the build of each study's lines."""
    builds = collections.defaultdict(set)
    for file in sorted(folder.glob("*.jsonl")):
        build = json.loads(file.read_text().splitlines()[0])
        commit = (build["commit"] or "unknown")[:12] + (" with changes" if build["dirty"] else "")
        builds[f"{build['gpu']}, commit {commit}"].add(file.stem.split("-")[0])
    return [f"{build}: {', '.join(sorted(studies))}" for build, studies in sorted(builds.items())]


def launches(file):
    """Name, blocks and quantities of every launch in the profiler's CSV."""
    lines = [line for line in file.read_text().splitlines() if line.startswith('"')]
    for row in csv.DictReader(lines):
        if not row["ID"]:
            continue  # the units
        blocks = 1
        for size in re.findall(r"\d+", row["Grid Size"]):
            blocks *= int(size)
        amounts = {
            quantity: scale * sum(float(row[name].replace(",", "")) for name in names)
            for quantity, (names, scale) in QUANTITIES.items()
        }
        yield row["Kernel Name"], blocks, amounts


def whole_word(kernel):
    """A declared expression, which a name does not match in the middle of a word."""
    return rf"\b(?:{kernel})" if kernel[:1].isalpha() else kernel


def cases(folder):
    """By variant and kernel: the units and the counted amounts of each launch or of launches alike."""
    found = collections.defaultdict(list)
    for file in sorted(folder.glob("*.jsonl")):
        counted = launches(file.with_suffix(".csv"))
        for line in file.read_text().splitlines()[1:]:
            point = json.loads(line)
            launched = sum(each["times"] for each in point["kernels"])
            own = list(itertools.islice(counted, round(launched)))
            declared = [kernel for kernel in point["kernels"] if any(kernel["units"])]
            for kernel, blocks in sorted({(each["kernel"], each["blocks"]) for each in declared}):
                of_kernel = [each for each in declared if each["kernel"] == kernel]
                several = len({each["blocks"] for each in of_kernel}) > 1
                alike = [each for each in of_kernel if not several or each["blocks"] == blocks]
                mine = [
                    amounts
                    for name, size, amounts in own
                    if re.search(whole_word(kernel), name) and (not several or size == blocks)
                ]
                expected = sum(each["times"] for each in alike)
                if len(mine) != expected:
                    sys.exit(
                        f"demands: {point['name']}: {len(mine)} launches of {kernel}, {expected} declared"
                    )
                units = [sum(each["times"] * each["units"][u] for each in alike) for u in range(3)]
                totals = {quantity: sum(each[quantity] for each in mine) for quantity in QUANTITIES}
                largest = max(
                    size
                    for name, size, _ in own
                    if re.search(whole_word(kernel), name) and (not several or size == blocks)
                )
                found[point["counted_as"], kernel].append((point["name"], units, totals, largest / blocks))
        if next(counted, None) is not None:
            sys.exit(f"demands: {file}: more launches than the variants declare")
    return found


def fitted(rows, quantity):
    """What one of each unit costs, and the largest relative error."""
    import numpy as np
    from scipy.optimize import nnls

    amounts = np.array([totals[quantity] for _, _, totals, _ in rows])
    units = np.array([each for _, each, _, _ in rows], dtype=float)
    some = amounts > 0
    if not some.any():
        return [0.0] * 3, 0.0
    relative = units[some] / amounts[some, None]
    scale = np.maximum(relative.max(axis=0), 1e-300)
    cost = nnls(relative / scale, np.ones(some.sum()))[0] / scale
    cost *= (relative * cost).max(axis=0) > 1e-6  # what it rounds to
    cost = np.array([float(f"{each:.4g}") for each in cost])
    return cost.tolist(), float(np.abs(relative @ cost - 1).max())


def checksum(text):
    """Of the generated file's numbers, in words. A number that a hand has changed looks like one counted."""
    numbers = "\n".join(re.findall(r"^ *\{.*\},  // .*$", text, re.M))
    return f"// The numbers' CRC-32 is {zlib.crc32(numbers.encode()):08x}."


def write(folder, target):
    """Writes the generated file; prints what is explained worst."""
    found = cases(folder)
    head = [
        "// Generated by `make demands`. Do not edit.",
        *[f"// {source}" for source in sources(folder)],
    ]
    lines = [
        "// A line ends with how many cases it comes from and the largest error of its numbers there.",
        "// clang-format off",
        '#include "harness/model/counts.hpp"',
        "",
        "namespace gridmark::harness {",
        "",
        "std::span<const Counts> counts() {",
        "    static constexpr Counts table[]{",
    ]
    worst = []
    for (counted_as, kernel), rows in sorted(found.items()):
        costs, errors = {}, {}
        for quantity in QUANTITIES:
            costs[quantity], errors[quantity] = fitted(rows, quantity)
        numbers = ", ".join(
            "{" + ", ".join(f"{each:g}" for each in costs[quantity]) + "}" for quantity in QUANTITIES
        )
        error = max(errors.values())
        text = json.dumps(kernel)
        lines.append(f'        {{"{counted_as}", {text}, {numbers}}},  // {len(rows)}, {error:.1%}')
        worst.append((error, counted_as, kernel, errors, max(abs(row[3] - 1) for row in rows)))
    lines += ["    };", "    return table;", "}", "", "}  // namespace gridmark::harness", ""]
    target.write_text("\n".join([*head, checksum("\n".join(lines)), *lines]))
    print("| variant | kernel | " + " | ".join(QUANTITIES) + " | blocks |")
    print("| --- | --- |" + " ---: |" * (len(QUANTITIES) + 1))
    for _, counted_as, kernel, errors, blocks in sorted(worst, reverse=True):
        cells = " | ".join(f"{each:.1%}" for each in errors.values())
        print(f"| {counted_as} | {kernel} | {cells} | {blocks:.1%} |")


def main():
    """Counts and writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "demands")
    parser.add_argument("--gridmark", type=Path, help="the program, on a machine with a GPU")
    parser.add_argument("--from", dest="counted", type=Path, help="a folder of what was counted before")
    parser.add_argument("--out", type=Path, default=TARGET, help="the generated file")
    asked = parser.parse_args()
    if asked.gridmark:
        count(asked.gridmark, asked.folder)
    write(asked.counted or asked.folder, asked.out)


if __name__ == "__main__":
    main()
