"""What the measuring resolves: how often sets of one program differ, and how often 3 % more time is found.

Runs gridmark_resolution (tests/resolution) again and again. For the GPU's kernels whole sets are compared,
some of which do 34 steps where the others do 33. CPU rows take both in turns: what a run of many processes
says of them is counted. At the end stands how often the intervals of the committed sets hold what repeats on
other machines measured; --repeats prints that alone. Needs nothing but gridmark_resolution and its judge: a
bare machine will do.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"
STEPS = {"same": 33, "slower": 34}


def order(same: int, slower: int) -> list[str]:
    """Kinds of the runs in their order: the slower ones spread among the others, so that no drift helps."""
    slots = [("same", (i + 0.5) / same) for i in range(same)] + [
        ("slower", (i + 0.5) / slower) for i in range(slower)
    ]
    return [kind for kind, _ in sorted(slots, key=lambda slot: slot[1])]


def run(program: Path, folder: Path, clock: str, kind: str, preset: str) -> Path:
    """One set into a folder; ends the script when it fails."""
    command = [
        str(program),
        "run",
        "--preset",
        preset,
        "--filter",
        f"resolution/{clock}/",
        "--out",
        str(folder),
    ]
    env = os.environ | {"GRIDMARK_RESOLUTION_STEPS": str(STEPS[kind])}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        sys.exit(f"resolution: {folder}: {next((line for line in said if 'failed' in line), said[-1])}")
    print(folder, flush=True)
    return folder


def judged(build: Path, words: list) -> str:
    """The judge's table; ends the script when it fails."""
    judge = [str(build / "gridmark_resolution_judge"), *map(str, words)]
    table = subprocess.run(judge, capture_output=True, text=True, check=False)
    if table.returncode != 0:
        sys.exit(table.stderr.strip())
    return table.stdout


def repeats(build: Path) -> str:
    """How often intervals hold what repeats on other machines measured, of the committed sets."""
    sets = [
        "repeats/nvidia-h200-paper",
        "repeats/nvidia-h200-model",
        "nvidia-h100",
        "repeats/nvidia-h100-paper",
    ]
    return judged(build, ["--repeats", *(RESULTS / name for name in sets)])


def heading(folder: Path) -> str:
    """Where and by which commit the numbers were measured."""
    context = json.loads((folder / "resolution.json").read_text())["context"]
    build, gpu, cpu = context["build"], context["gpu"] or {}, context["cpu"]
    dirty = " (changed)" if build.get("dirty") else ""
    where = f"{gpu.get('name', 'no GPU')}, {cpu.get('model')}, {cpu.get('threads')} threads"
    return f"{where}; {context['date']}; commit {build.get('commit')}{dirty}"


def main() -> int:
    """Runs, judges, prints the table and writes it beside the sets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=Path("build"), help="folder of the two programs")
    parser.add_argument("--out", type=Path, default=Path("build/resolution"), help="folder of the sets")
    parser.add_argument("--preset", default="paper", help="of every set [paper: three processes]")
    parser.add_argument("--same", type=int, default=11, help="sets of one program [11, which make 55 pairs]")
    parser.add_argument("--slower", type=int, default=5, help="sets that do 34 steps for 33 [5]")
    parser.add_argument("--cpu", type=int, default=3, help="runs of the CPU's rows [3]")
    parser.add_argument(
        "--cpu-sets", type=int, default=12, help="sets that make one of them [12: 36 processes]"
    )
    parser.add_argument("--repeats", action="store_true", help="only how often intervals hold repeats")
    options = parser.parse_args()
    if options.repeats:
        print(repeats(options.build), end="")
        return 0
    if min(options.same, options.cpu_sets) < 1 or min(options.slower, options.cpu) < 0:
        parser.error("at least one set")
    program = options.build / "gridmark_resolution"
    folders: dict[str, list[Path]] = {"same": [], "slower": []}
    for kind in order(options.same, options.slower):
        folder = options.out / f"{kind}-{len(folders[kind])}"
        folders[kind].append(run(program, folder, "gpu", kind, options.preset))
    words = ["--same", *folders["same"], "--slower", *folders["slower"]]
    for number in range(options.cpu):
        sets = [options.out / f"cpu-{number}-{part}" for part in range(options.cpu_sets)]
        words += ["--cpu", *(run(program, folder, "cpu", "same", options.preset) for folder in sets)]
    text = f"{heading(folders['same'][0])}\n\n{judged(options.build, words)}\n{repeats(options.build)}"
    (options.out / "resolution.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
