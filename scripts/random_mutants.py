#!/usr/bin/env python3
"""Makes defects by rule from the code itself (scripts/mutation.py), one at a time, in a copy of the project
(build-mutants/), and asks whether any test fails: first the C++ test programs that hold the changed file,
the one of its folder first, then the tests in Python. A defect that does not compile, or stands in no file
that is built here, is replaced by the next. The table at the end says what share of each part was caught.

scripts/random_mutants.py 40 1          forty defects, drawn by seed 1, of each part in turns
scripts/random_mutants.py 40 1,2        forty by each seed
scripts/random_mutants.py 40 1 kernels  of one part
"""

import argparse
import functools
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from pathlib import Path

import mutants
import mutation
from mutants import BUILD, COPY, MOST_SECONDS, ROOT
from scipy.stats import binomtest
from test import CHECK_ONLY, cases

PARTS = ["kernels", "ranks", "experiments", "pure", "run and sampling", "plots and export"]
TARGETS = "gridmark_test_programs"


def equivalents():
    """Defects that change nothing anyone could see, by file and both lines; each has its reason."""
    listed = tomllib.loads((ROOT / "tests" / "equivalent.toml").read_text())["equivalent"]
    return {(each["file"], each["old"], each["new"]): each["reason"] for each in listed}


def asked_ninja(*words):
    """The lines that a tool of ninja prints about the copy's build."""
    command = ["ninja", "-C", BUILD, "-t", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@functools.cache
def readers():
    """The object files that are compiled from a file, by its path in the project."""
    found, current = defaultdict(set), ""
    for line in asked_ninja("deps"):
        if line.startswith(" "):
            path = Path(os.path.normpath(BUILD / line.strip()))
            if path.is_relative_to(COPY):
                found[str(path.relative_to(COPY))].add(current)
        else:
            current = line.split(":")[0]
    return found


@functools.cache
def inputs(program):
    """All that a program is made of."""
    return set(asked_ninja("inputs", program))


def programs_with(file):
    """The programs that a file is part of, that of its folder first, then the quick ones."""
    near = [f"gridmark_{folder}_tests" for folder in Path(file).parts]
    names = [name for name in ["gridmark", *SECONDS] if name != "pytest" and inputs(name) & readers()[file]]
    return sorted(names, key=lambda name: (name not in near, name == "gridmark", SECONDS.get(name, 0)))


SECONDS: dict[str, float] = {}  # that a program's tests take without a defect, and "pytest" the others
FAIL_ANYWAY: list[str] = []  # options that leave out tests in Python that fail in a copy, as what asks git


def try_without_a_defect():
    """Fills both, before any defect is in its place; ends when a C++ test fails."""
    for path in sorted(BUILD.glob("gridmark_*_tests")):
        start = time.monotonic()
        if not mutants.passes(path.name, MOST_SECONDS):
            sys.exit(f"mutants: {path.name} fails without any defect: {BUILD / path.name}-*.log")
        SECONDS[path.name] = time.monotonic() - start
    start = time.monotonic()
    failed = pytest(MOST_SECONDS)
    if failed == [NO_REPORT]:
        sys.exit("mutants: the tests in Python do not run")
    FAIL_ANYWAY.extend(f"--deselect={node_of(name)}" for name in failed)
    SECONDS["pytest"] = time.monotonic() - start


NO_REPORT = "pytest itself"


def pytest(seconds, *options):
    """Runs the tests in Python on the copy, for so long at most; the names of those that failed."""
    report = BUILD / "pytest.xml"
    report.unlink(missing_ok=True)
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={report}", "tests", *options]
    left_out = [f"--ignore={name}" for name in CHECK_ONLY]
    env = mutants.ENV | {"PYTHONPATH": "plots", "GRIDMARK": str(BUILD / "gridmark")}
    running = subprocess.Popen(
        [*words, *left_out],
        cwd=COPY,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        running.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    if not report.exists():
        return [NO_REPORT]
    failed = [case for case in cases(report) if [*case.iter("failure"), *case.iter("error")]]
    return [f"{case.get('classname')}.{case.get('name')}" for case in failed]


def node_of(name):
    """pytest's name of a test, from that of its report."""
    module, test = name.split("[")[0].rsplit(".", 1)
    return module.replace(".", "/") + ".py::" + test + name[len(f"{module}.{test}") :]


def caught_by(defect):
    """The program or the test that fails; "" where none does, and None where the defect cannot be tried."""
    programs = []
    if not defect.file.endswith(".py"):
        programs = programs_with(defect.file)
        if not programs:
            return None
        for name in programs:
            if not mutants.build([name]):
                return None
            if name != "gridmark" and not mutants.passes(name, 60 + 5 * SECONDS[name]):
                return name
        if "gridmark" not in programs:
            return ""
    failed = pytest(60 + 5 * SECONDS["pytest"], "-x", *FAIL_ANYWAY)
    return failed[0] if failed else ""


def build_anew(since):
    """Forgets and builds what was compiled since a time: the defect is in it."""
    for path in BUILD.rglob("*.o"):
        if path.stat().st_mtime >= since:
            path.unlink()
    if not mutants.build([TARGETS]):
        sys.exit("mutants: the project as it is does not build any more")


def tried(defect, same):
    """What became of a defect: `caught`, `SURVIVED`, `equivalent`, or None, and a line about it."""
    file = COPY / defect.file
    right = file.read_text()
    lines = defect.lines(right)
    start, began = time.monotonic(), time.time()
    if (defect.file, *lines) in same:
        by, word = "", "equivalent"
    else:
        before = file.stat()
        file.write_text(defect.applied(right))
        try:
            by = caught_by(defect)
        finally:
            file.write_text(right)
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
            build_anew(began)
        word = None if by is None else "caught" if by else "SURVIVED"
    where = f"{defect.file}:{right.count(chr(10), 0, defect.start) + 1}"
    took = time.monotonic() - start
    return word, f"{word!s:10} {took:4.0f} s  {where}  {defect.rule}: {lines[0]}  =>  {lines[1]}  {by}"


def seeds_in(text):
    """[1, 2] of "1,2"."""
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError("not numbers with commas between them") from None


def in_turns(count, seed, parts, files):
    """So many defects that can be tried, of each part in turns: the part, what became of it, and its line."""
    streams = [mutation.drawn(COPY, files, part, random.Random(f"{seed} {part}")) for part in parts]
    same = equivalents()
    for k in range(count):
        for defect in streams[k % len(parts)]:
            word, line = tried(defect, same)
            if word:
                yield parts[k % len(parts)], word, line
                break


def table_of(words, parts):
    """The share caught of each part, and of all, as a table. `words`: what became of each defect, by part."""
    lines = ["| part | caught | of | share | 95 % interval |", "| --- | --- | --- | --- | --- |"]
    for part in [*parts, "all"]:
        of_part = [word for one in ([part] if part != "all" else parts) for word in words[one]]
        caught, of = of_part.count("caught"), len(of_part) - of_part.count("equivalent")
        if of:
            low, high = binomtest(caught, of).proportion_ci(method="wilson")
            lines.append(f"| {part} | {caught} | {of} | {caught / of:.0%} | {low:.0%} to {high:.0%} |")
    return "\n".join(lines)


def main():
    """Runs what was asked for; 0 whatever the share."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("count", type=int, help="how many defects of each seed, shared among the parts")
    parser.add_argument("seeds", type=seeds_in, help="1 or 1,2: another seed draws others")
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this part")
    asked = parser.parse_args()
    parts = [asked.part] if asked.part else PARTS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    mutants.copy_project()
    mutants.configure()
    (BUILD / "venv").exists() or (BUILD / "venv").symlink_to(ROOT / "build" / "venv")
    if not mutants.build([TARGETS]):
        sys.exit("mutants: the project as it is does not build")
    try_without_a_defect()
    files = mutants.tracked()
    words = defaultdict(list)
    try:
        for seed in asked.seeds:
            for part, word, line in in_turns(asked.count, seed, parts, files):
                words[part].append(word)
                print(line, flush=True)
    finally:
        print("\n" + table_of(words, parts), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
