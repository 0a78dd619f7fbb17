#!/usr/bin/env python3
"""Runs the four tools of compute-sanitizer over every CUDA variant of every study, in both precisions, at
small sizes that do not divide evenly; over the ceilings' kernels and the timed path; and over kernels with a
mistake each, which they must report. Writes FOLDER/sanitizers.md.
Exit code 0: all clean and every mistake seen; 1: not so; 2: bad usage.

scripts/sanitize_gpu.py --gridmark build/gridmark --out results/local

Needs python3 and compute-sanitizer alone, so that it also runs from a carried folder.
"""

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

# What each tool is told, and the mistakes of tests/launch/bad_kernels.cpp that it must see, in its words.
TOOLS = {
    "memcheck": (["--leak-check", "full"], {"out_of_bounds": "Invalid __global__ write", "leak": "Leaked"}),
    "racecheck": (["--racecheck-report", "all"], {"shared_race": "Race reported|hazard"}),
    "initcheck": ([], {"uninitialised_read": "Uninitialized __global__ memory read"}),
    "synccheck": ([], {"divergent_barrier": "Barrier error|Divergent thread"}),
}
PRECISIONS = ["float", "double"]
# The step clock, by a stream and by a graph: CUPTI, the kernel clock, shares no process with the tools.
TIMED = "gpu_shared/512x256/float/32x32/32x4/shared/step/"
# It waits at barriers alone and has no shared memory that could race; racecheck follows each for minutes.
NOTHING_TO_RACE = "meet_kernel"
BY_KERNEL_CLOCK = {"gpu_empty_kernel"}  # a ceiling that cannot be measured here, either
# A tool's own time can hide what a longer chain of operations takes. Both lengths of it ran.
NO_DIFFERENCE = "its clock went back or stood still"
SECONDS = 1800  # for one process: the ceilings took over 500 under racecheck beside 14 others


class UsageError(Exception):
    """One line for the user."""


class Case(NamedTuple):
    """One program run under each tool: `what` it is in the table, and the words after the program's name."""

    what: str
    words: list
    makes_file: bool = False


class Outcome(NamedTuple):
    """What a tool said: `reports` is None when it never came to a summary."""

    case: Case
    tool: str
    reports: int
    trouble: str
    seconds: float
    lines: list
    said: str

    @property
    def clean(self):
        """Whether the program ended well and the tool, to its end, had nothing to report."""
        return self.reports == 0 and not self.trouble


def solve_cases(experiments):
    """Every CUDA variant of `gridmark list --json` with its study's small settings, in both precisions."""
    cases = []
    for study in experiments:
        names = [variant["name"] for variant in study["variants"] if variant["kind"] == "cuda"]
        if names and not study["small"]:
            raise UsageError(f"{study['id']}: its study.json names no `small` settings")
        for name in names:
            for settings in study["small"]:
                for precision in PRECISIONS:
                    words = ["solve", study["id"], "--variant", name, "--on", "gpu"]
                    words += ["--set", *settings.split(), f"precision={precision}"]
                    cases.append(Case(f"{study['id']} | {name} | {precision} | {settings}", words, True))
    return cases


def other_cases():
    """What no `solve` launches. They take longest, so they come first."""
    run = ["run", "jacobi", "--preset", "quick", "--filter", TIMED]
    return [
        Case("ceilings | all | | `gridmark machine`", ["machine", "--json"]),
        Case("timed path | jacobi gpu_shared | float | step clock, stream and graph", run, True),
    ]


def reports_in(lines):
    """How many errors, hazards and leaked bytes the summaries add up to; None without any summary."""
    found = [re.search(r"SUMMARY: ([\d,]+) (?:errors?|hazards?|bytes)", line) for line in lines]
    counts = [int(match[1].replace(",", "")) for match in found if match]
    return sum(counts) if counts else None


def trouble_of(case, code, lines, output, out):
    """Why a run says nothing about its kernels, whatever the tool counted; empty when it does."""
    said = [line for line in output.splitlines() if not line.startswith("=========") and line.strip()]
    if code != 0:
        return f"exit code {code}" + (f": {said[-1]}" if said else "")
    for line in lines:
        if re.match(r"=+ (Error:|Internal|.*not supported)", line):
            return line.strip("= ")
    if case.makes_file and not (out.exists() and (out.is_dir() or out.stat().st_size > 0)):
        return "it wrote no result"
    if case.words[0] == "machine":
        text = "\n".join(said)
        try:
            ceilings = json.loads(text[text.index("{") :])["ceilings"]
        except (ValueError, KeyError):
            return "it printed no ceilings"
        lacking = [
            c["name"]
            for c in ceilings
            if c["name"].startswith(("gpu_", "link_"))
            and c["value"] is None
            and c["name"] not in BY_KERNEL_CLOCK
            and NO_DIFFERENCE not in (c["reason"] or "")
        ]
        if lacking:
            return "not measured: " + ", ".join(lacking)
    return ""


def run_case(sanitizer, program, case, tool, folder, seconds):
    """One process under one tool, given up after so many seconds."""
    out = Path(tempfile.mkdtemp(dir=folder)) / "out.h5"
    words = [
        sanitizer,
        "--tool",
        tool,
        "--target-processes",
        "all",
        *TOOLS[tool][0],
        *(["--kernel-regex-exclude", f"kns={NOTHING_TO_RACE}"] if tool == "racecheck" else []),
        str(program),
        *case.words,
    ]
    if case.makes_file:
        words += ["--out", str(out)]
    start = time.monotonic()
    try:
        done = subprocess.run(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return Outcome(case, tool, None, f"no end within {seconds} s", time.monotonic() - start, [], "")
    lines = [line for line in output.splitlines() if line.startswith("=========")]
    reports = reports_in(lines)
    trouble = trouble_of(case, code, lines, output, out)
    if reports is None:
        trouble = trouble or "the tool gave no summary"
    return Outcome(case, tool, reports, trouble, time.monotonic() - start, lines, output)


def sees(outcome):
    """The line by which a tool reports the mistake that it was shown; empty when it did not."""
    words = re.compile(TOOLS[outcome.tool][1][outcome.case.what])
    told = [line.strip("= ") for line in outcome.lines if words.search(line) and "SUMMARY" not in line]
    return told[0] if told else ""


def one_line(words):
    """The last line that a command prints; `unknown` where there is no such command."""
    try:
        text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except OSError:
        return "unknown"
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "unknown"


def provenance(sanitizer, program):
    """What was run, on what, when."""
    gpu = one_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).split(", ")
    version = one_line([sanitizer, "--version"])
    commit = "unknown"
    machine = subprocess.run([str(program), "machine", "--json"], stdout=subprocess.PIPE, text=True)
    if machine.returncode == 0:
        build = json.loads(machine.stdout)["build"]
        commit = (build["commit"] or "unknown") + (" with changes" if build["dirty"] else "")
    return {
        "GPU": gpu[0],
        "driver": gpu[1] if len(gpu) > 1 else "unknown",
        "compute-sanitizer": version,
        "commit": commit,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
    }


def cell(outcome):
    """An outcome in the table."""
    if outcome.clean:
        return f"0 ({outcome.seconds:.1f} s)"
    return f"**{'?' if outcome.reports is None else outcome.reports}** ({outcome.seconds:.1f} s)"


def report(facts, cases, outcomes, mistakes, verdict):
    """sanitizers.md."""
    by = {(outcome.case.what, outcome.tool): outcome for outcome in outcomes}
    lines = [
        "# compute-sanitizer over every CUDA variant",
        "",
        "Written by `make sanitize-gpu`. " + verdict,
        "",
    ]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    if any(case.words[0] == "machine" for case in cases):
        lines += ["", f"racecheck leaves out {NOTHING_TO_RACE} of the ceilings, which has no shared memory."]
    lines += ["", "Errors, hazards and bytes leaked that each tool reported (seconds of the process):", ""]
    lines += [
        f"| study | variant | precision | settings | {' | '.join(TOOLS)} |",
        "| --- " * (4 + len(TOOLS)) + "|",
    ]
    lines += [f"| {c.what} | {' | '.join(cell(by[c.what, tool]) for tool in TOOLS)} |" for c in cases]
    lines += [
        "",
        "Kernels with a mistake each, which the tool must report (tests/launch/bad_kernels.cpp):",
        "",
    ]
    lines += ["| mistake | tool | reported |", "| --- | --- | --- |"]
    lines += [f"| {o.case.what} | {o.tool} | {sees(o) or '**not seen**'} |" for o in mistakes]
    failed = [outcome for outcome in outcomes if not outcome.clean]
    if failed:
        lines += ["", "Not clean:", ""]
        lines += [f"- {o.case.what} | {o.tool}: {o.trouble or str(o.reports) + ' reported'}" for o in failed]
    lines += ["", "The last lines of each run, equal ones counted:", "", "```"]
    for tool in TOOLS:
        ends = [line for o in outcomes if o.tool == tool for line in o.lines if "SUMMARY" in line]
        lines += [f"{tool:10}{ends.count(line):4} x {line}" for line in sorted(set(ends))]
    return "\n".join([*lines, "```", ""])


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gridmark", type=Path, required=True, help="the program")
    parser.add_argument("--bad-kernels", type=Path, help="the kernels with mistakes [beside the program]")
    parser.add_argument("--out", type=Path, required=True, help="folder that sanitizers.md is written to")
    parser.add_argument("--jobs", type=int, default=6, help="processes at a time [6]")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"for a process [{SECONDS}]")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose line has this")
    return parser.parse_args()


def main():
    """Runs everything; the exit code."""
    words = arguments()
    bad_kernels = words.bad_kernels or words.gridmark.with_name("gridmark_bad_kernels")
    sanitizer = shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path="/usr/local/cuda/bin"
    )
    if sanitizer is None:
        raise UsageError("compute-sanitizer: not found; it comes with the CUDA toolkit")
    for program in (words.gridmark, bad_kernels):
        if not os.access(program, os.X_OK):
            raise UsageError(f"{program}: no such program")
    listed = subprocess.run(
        [str(words.gridmark), "list", "--json"], check=True, stdout=subprocess.PIPE, text=True
    )
    every = other_cases() + solve_cases(json.loads(listed.stdout)["experiments"])
    try:
        cases = [case for case in every if re.search(words.only, case.what)]
    except re.error as error:
        raise UsageError(f"--only {words.only}: {error}") from None
    if not cases:
        raise UsageError(f"--only {words.only}: no case has that")
    facts = provenance(sanitizer, words.gridmark)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max_workers=words.jobs) as pool:
        shown = [
            pool.submit(
                run_case, sanitizer, bad_kernels, Case(mistake, [mistake]), tool, folder, words.seconds
            )
            for tool, (_, names) in TOOLS.items()
            for mistake in names
        ]
        runs = [
            pool.submit(run_case, sanitizer, words.gridmark, case, tool, folder, words.seconds)
            for case in cases
            for tool in TOOLS
        ]
        mistakes = [run.result() for run in shown]
        outcomes = []
        for run in runs:
            outcomes.append(run.result())
            if not outcomes[-1].clean:
                told = outcomes[-1].trouble or f"{outcomes[-1].reports} reported"
                print(f"{outcomes[-1].case.what} | {outcomes[-1].tool}: not clean: {told}", flush=True)
                print(outcomes[-1].said[-4000:], flush=True)
    clean, seen = sum(o.clean for o in outcomes), sum(sees(o) != "" for o in mistakes)
    verdict = f"{clean} of {len(outcomes)} runs clean, {seen} of {len(mistakes)} mistakes seen"
    if words.only:
        verdict += f" (only {words.only})"
    verdict += f", in {time.monotonic() - start:.0f} s."
    words.out.mkdir(parents=True, exist_ok=True)
    (words.out / "sanitizers.md").write_text(report(facts, cases, outcomes, mistakes, verdict))
    print(f"sanitize-gpu: {verdict} Table: {words.out / 'sanitizers.md'}")
    return 0 if clean == len(outcomes) and seen == len(mistakes) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (UsageError, OSError) as error:
        print(f"sanitize-gpu: {error}", file=sys.stderr)
        sys.exit(2)
