#!/usr/bin/env python3
"""Is a GPU row's time the same alone as among all rows of its group?

scripts/alone.py PROGRAM FOLDER [--rows 40] [--seed 1] [--only REGEX] [--reference results/nvidia-h100]
scripts/alone.py --from FOLDER      judge what was measured before

Takes the rows of the reference that the claims of README's table rest on as published, Table 1's of jacobi
among them, and others by a seed. Measures each without any other row of its group, then all of these groups
whole, into FOLDER: preset `paper`, three processes a row. The two medians shall differ by 0.5 % at most, or
as much as the processes' medians do. Returns 1 if a row differs by more. Needs only Python.
"""

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST = 0.005
LONGEST = 600  # characters of an expression, for the program


def matches(row, selector):
    """Whether a row has the values of a claim's selector: one, one of several, or, for None, none."""
    for key, wanted in selector.items():
        value = row[key] if key in ("variant", "quantity", "clock") else row["parameters"].get(key)
        if value not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True


def of_claims(rows, experiment):
    """Rows that claims of README's table judge."""
    named = re.findall(r"^\| .*\| (\w+): ", (ROOT / "README.md").read_text(), re.M)
    study = json.loads((ROOT / "experiments" / experiment / "study.json").read_text())
    chosen = []
    for claim in study["claims"]:
        pairs = claim.get("pairs", {})
        if claim["id"] in named and "numerator" in pairs:
            sides = [pairs.get("select", {}) | pairs[side] for side in ("numerator", "denominator")]
            chosen += [row for row in rows if any(matches(row, side) for side in sides)]
    return chosen


def planned(program):
    """Names of all rows of the preset."""
    command = [program, "run", "--preset", "paper", "--dry-run"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in said.splitlines() if "/" in line}


def choose(reference, names, wanted, seed):
    """The rows to try, of those named, and all rows of their groups, by experiment and group."""
    groups, must, others = defaultdict(list), {}, []
    for file in sorted(reference.glob("*.json")):
        rows = [
            row
            for row in json.loads(file.read_text())["rows"]
            if row["name"] in names
            and row["status"] == "ok"
            and row["clock"] in ("kernel", "step")
            and row.get("group")
        ]
        for row in rows:
            groups[file.stem, row["group"]].append(row["name"])
        rows = [row for row in rows if len(groups[file.stem, row["group"]]) > 1]
        must |= {row["name"]: (file.stem, row["group"]) for row in of_claims(rows, file.stem)}
        others += [(row["name"], (file.stem, row["group"])) for row in rows]
    others = [item for item in others if item[0] not in must]
    drawn = random.Random(seed).sample(others, max(0, min(wanted - len(must), len(others))))
    return must | dict(drawn), groups


def pattern(names):
    """A regular expression for these names alone, short where they begin alike."""
    if len(names) == 1:
        return re.escape(names[0])
    first, last = min(names), max(names)
    unlike = (at for at, letters in enumerate(zip(first, last, strict=False)) if len(set(letters)) > 1)
    start = first[: next(unlike, len(first))]
    rests = defaultdict(list)
    for name in names:
        rests[name[len(start) : len(start) + 1]].append(name[len(start) :])
    return re.escape(start) + "(" + "|".join(pattern(sorted(rest)) for rest in rests.values()) + ")"


def portions(names):
    """The names in their order, as many at once as the filter's longest expression takes."""
    some = []
    for name in sorted(names):
        if some and len(pattern([*some, name])) > LONGEST - 2:
            yield some
            some = []
        some.append(name)
    yield some


def run(program, names, folder):
    """Measures rows; what the program said stands in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for some in portions(names):
        experiments = sorted({name.split("/")[0] for name in some})
        words = ["--preset", "paper", "--filter", f"^{pattern(some)}$", "--out", folder]
        with (folder / "said.txt").open("a") as said:
            done = subprocess.run(
                [program, "run", *experiments, *words], stdout=said, stderr=said, check=False
            )
        if done.returncode != 0:
            sys.exit(f"alone: {folder}/said.txt: exit code {done.returncode}")


def process_medians(row):
    """The median of each process's samples."""
    samples, medians = list(row["samples"]), []
    for count in row.get("process_samples") or [len(samples)]:
        medians.append(statistics.median(samples[:count]))
        del samples[:count]
    return medians


def results(folders):
    """Median and the relative spread of the processes' medians, by row; and which program on which GPU."""
    found, sources = {}, set()
    for folder in folders:
        for file in sorted(folder.glob("*.json")):
            saved = json.loads(file.read_text())
            build = saved["context"]["build"]
            changed = " with changes" if build["dirty"] else ""
            sources.add(f"{saved['context']['gpu']['name']}, commit {build['commit'][:12]}{changed}")
            for row in saved["rows"]:
                if row["samples"]:
                    each = process_medians(row)
                    found[row["name"]] = row["median"], (max(each) - min(each)) / row["median"]
    return found, sources


def measure(program, folder, asked):
    """Runs the rows alone, then with all of their groups, into the folder."""
    chosen, groups = choose(asked.reference, planned(program), asked.rows, asked.seed)
    chosen = {name: group for name, group in chosen.items() if re.search(asked.only, name)}
    # A run takes one row of each group at most.
    turns = defaultdict(list)
    seen = defaultdict(int)
    for name, group in chosen.items():
        turns[seen[group]].append(name)
        seen[group] += 1
    for turn, names in turns.items():
        run(program, names, folder / f"alone-{turn}")
    run(program, [name for group in seen for name in groups[group]], folder / "together")


def judge(folder):
    """Prints the table of all rows that were measured alone; how many differ."""
    alone, sources = results(sorted(folder.glob("alone-*")))
    together, others = results([folder / "together"])
    print(*sorted(sources | others), sep="\n")
    print(
        "",
        "| row | alone, us | in its group, us | difference | processes differ by | |",
        "| --- | --- | --- | --- | --- | --- |",
        sep="\n",
    )
    worse = 0
    for name in sorted(alone):
        (one, own_spread), (other, spread) = alone[name], together[name]
        difference, allowed = other / one - 1, max(MOST, own_spread, spread)
        is_far = abs(difference) > allowed
        worse += is_far
        word = "differs" if is_far else ""
        words = [
            name,
            f"{one:.4g}",
            f"{other:.4g}",
            f"{difference:+.2%}",
            f"{max(own_spread, spread):.2%}",
            word,
        ]
        print("|", " | ".join(words), "|")
    print("", f"{worse} of {len(alone)} rows differ", sep="\n")
    return worse


def main():
    """Measures and judges."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="of these, rows whose name matches")
    parser.add_argument("--reference", type=Path, default=ROOT / "results" / "nvidia-h100")
    parser.add_argument(
        "--from", dest="before", type=Path, help="a folder of an earlier run; measures nothing"
    )
    asked = parser.parse_args()
    if asked.before is None:
        if asked.folder is None:
            parser.error("name the program and a folder, or --from FOLDER")
        measure(asked.program, asked.folder, asked)
    return 1 if judge(asked.before or asked.folder) else 0


if __name__ == "__main__":
    sys.exit(main())
