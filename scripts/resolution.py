"""What the measuring resolves: how often sets of one program differ, and how often 3 % more time is found.

Runs gridmark_resolution (tests/resolution) again and again, some of the runs doing 34 steps where the others
do 33, and counts what comparisons say of them. Needs nothing but the two programs: a bare machine will do.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

STEPS = {"same": 33, "slower": 34}


def order(same: int, slower: int) -> list[str]:
    """Kinds of the runs in their order: the slower ones spread among the others, so that no drift helps."""
    slots = [("same", (i + 0.5) / same) for i in range(same)] + [
        ("slower", (i + 0.5) / slower) for i in range(slower)
    ]
    return [kind for kind, _ in sorted(slots, key=lambda slot: slot[1])]


def run(program: Path, folder: Path, kind: str, words: list[str]) -> None:
    """One run into a folder; ends the script when it fails."""
    command = [str(program), "run", "--out", str(folder), *words]
    env = os.environ | {"GRIDMARK_RESOLUTION_STEPS": str(STEPS[kind])}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"resolution: {folder}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")


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
    parser.add_argument("--same", type=int, default=11, help="sets of one program (11 make 55 pairs)")
    parser.add_argument("--slower", type=int, default=5, help="sets that do 34 steps for 33")
    parser.add_argument("words", nargs="*", help="for `run`: -- --preset paper --filter ...")
    options = parser.parse_args()
    if options.same < 1 or options.slower < 0:
        parser.error("at least one set")
    folders: dict[str, list[Path]] = {"same": [], "slower": []}
    for kind in order(options.same, options.slower):
        folder = options.out / f"{kind}-{len(folders[kind])}"
        run(options.build / "gridmark_resolution", folder, kind, options.words or ["--preset", "paper"])
        folders[kind].append(folder)
        print(folder, flush=True)
    judge = [str(options.build / "gridmark_resolution_judge"), *map(str, folders["same"]), "--"]
    table = subprocess.run(
        [*judge, *map(str, folders["slower"])], capture_output=True, text=True, check=False
    )
    if table.returncode != 0:
        sys.exit(table.stderr.strip())
    text = f"{heading(folders['same'][0])}\n\n{table.stdout}"
    (options.out / "resolution.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
