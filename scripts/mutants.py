#!/usr/bin/env python3
"""Applies the seeded defects of tests/mutants.toml, one at a time, to a copy of the project (build-mutants/),
and asks whether the tests of each one's part fail. The last line counts; 1 if any defect is not caught.

scripts/mutants.py [REGEX]    only those whose name matches
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from test import PASSIVE

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build-mutants"
BUILD = COPY / "build"
# Of all that is run on the copy. That is no checkout: else each commit here would build it anew.
ENV = os.environ | PASSIVE | {"GIT_CEILING_DIRECTORIES": str(ROOT)}
MOST_SECONDS = 1200  # for a part's tests without a defect


def listed(path=ROOT / "tests" / "mutants.toml"):
    """The defects; refuses one whose text is not in its file exactly once."""
    mutants = tomllib.loads(path.read_text())["mutant"]
    for mutant in mutants:
        found = (ROOT / mutant["file"]).read_text().count(mutant["old"])
        if found != 1:
            sys.exit(f"mutants: {mutant['name']}: its text stands {found} times in {mutant['file']}")
        if mutant["old"] == mutant["new"]:
            sys.exit(f"mutants: {mutant['name']}: changes nothing")
    return mutants


def tracked():
    """The files that git knows, by their paths in the project."""
    command = ["git", "ls-files"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def copy_project():
    """Every tracked file; one that is as it was keeps its date, so that little is built anew."""
    for name in tracked():
        source, copy = ROOT / name, COPY / name
        if source.is_file() and not (copy.exists() and copy.read_bytes() == source.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def configure():
    """Prepares the copy's build: without CUDA, whose compiler is slow. Kernels run on the host executor."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DGRIDMARK_CUDA=OFF"]
    command = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENV)


def build(targets):
    """Whether the test programs build."""
    command = ["ninja", "-C", BUILD, *targets]
    return subprocess.run(command, check=False, capture_output=True, env=ENV).returncode == 0


def passes(tests, seconds):
    """Whether all of a program's tests pass within so many seconds; two processes have half of them each, and
    write what they say beside the program."""
    command = [BUILD / tests, "--gtest_brief=1", "--gtest_fail_fast"]
    lists = COPY / "tests" / tests.removeprefix("gridmark_").removesuffix("_tests") / "CMakeLists.txt"
    shards = 1 if lists.exists() and "RESOURCE_LOCK" in lists.read_text() else 2
    env = ENV | {"GTEST_TOTAL_SHARDS": str(shards)}
    running = []
    for shard in range(shards):
        with (BUILD / f"{tests}-{shard}.log").open("w") as said:
            of_shard = env | {"GTEST_SHARD_INDEX": str(shard)}
            running.append(subprocess.Popen(command, env=of_shard, stdout=said, stderr=subprocess.STDOUT))
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            codes = [process.poll() for process in running]
            if any(codes):
                return False
            if None not in codes:
                return True
            time.sleep(0.05)
        return False
    finally:
        for process in running:
            process.kill()
            process.wait()


def program(part):
    """The test program of a part."""
    return f"gridmark_{part}_tests"


def verdict(mutant, seconds):
    """`caught`, `SURVIVED` or `does not build`, with the defect in place for as long as that takes."""
    file = COPY / mutant["file"]
    right = file.read_text()
    file.write_text(right.replace(mutant["old"], mutant["new"]))
    try:
        if not build([program(mutant["part"])]):
            return "does not build"
        return "SURVIVED" if passes(program(mutant["part"]), seconds) else "caught"
    finally:
        file.write_text(right)


def main():
    """Runs what was asked for; 0 when all were caught."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("regex", nargs="?", default="", help="only those whose name it matches")
    wanted = re.compile(parser.parse_args().regex)
    mutants = [mutant for mutant in listed() if wanted.search(mutant["name"])]
    parts = sorted({mutant["part"] for mutant in mutants})
    copy_project()
    configure()
    if not build([program(part) for part in parts]):
        sys.exit("mutants: the project as it is does not build")
    # A defect that makes a test hang is caught, too: it takes many times as long as without, on this machine.
    limits = {}
    for part in parts:
        start = time.monotonic()
        if not passes(program(part), MOST_SECONDS):
            sys.exit(f"mutants: {program(part)} fails without any defect")
        limits[part] = 60 + 5 * (time.monotonic() - start)
    verdicts = []
    for mutant in mutants:
        start = time.monotonic()
        verdicts.append(verdict(mutant, limits[mutant["part"]]))
        print(f"{verdicts[-1]:14} {time.monotonic() - start:4.0f} s  {mutant['name']}", flush=True)
    caught = verdicts.count("caught")
    print(f"{caught} of {len(verdicts)} defects caught")
    return 0 if caught == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
