#!/usr/bin/env python3
"""Gridmark on all nodes of a Slurm partition, and which of them is slow, without root (docs/clusters.md).

    cluster/fleet.py run PARTITION [STUDY...] [--preset paper]   measures every node by ReFrame, then reports
    cluster/fleet.py report PARTITION                            ranks the sets there are; measures nothing
    cluster/fleet.py settings                                    ReFrame's settings for this cluster

Exit codes: 0 done, no node is slow; 1 a node failed or is slow; 2 bad usage or bad input.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plots"))
from gridmark_plots import streams  # noqa: E402
from gridmark_plots.resultfiles import result_files  # noqa: E402

PROGRAM = ROOT / "build-portable" / "gridmark-portable" / "gridmark"
RESULTS = ROOT / "results" / "cluster"
REFRAME = ROOT / "build" / "cluster" / "bin" / "reframe"
# What a ratio must exceed where a row has no margin of its own (harness/compare/compare.hpp).
RESOLUTION = 1.02

KEPT = "what was measured is kept, and the same command goes on with it"
ENDS = {0: "", 1: "a row failed or timed out", 3: f"interrupted: {KEPT}"}


class Refused(Exception):
    """Bad input: one line, exit code 2."""


# What a job said


def why_not(output: str, errors: str) -> str:
    """Why a job did not end well, in one line; empty if it did. Of a requeued job the last attempt counts."""
    ends = re.findall(r"^gridmark ended with (\d+)$", output, re.MULTILINE)
    said = [line for line in errors.splitlines() if line.startswith("gridmark: ")]
    if not ends:
        return said[-1] if said else f"the job was ended before its work was done: {KEPT}"
    code = int(ends[-1])
    return ENDS.get(code, said[-1] if said else f"it ended with {code}")


def folders(output: str) -> list[Path]:
    """The result sets that a job's tasks said they write."""
    found = re.findall(r"^gridmark set: (.+)$", output, re.MULTILINE)
    return [Path(folder) for folder in dict.fromkeys(found)]


def upper_threshold(row: dict) -> float | None:
    """By how much a compared row's time may exceed its reference; None: it cannot be compared.

    `compare` calls it slower where the low end of the ratio's interval exceeds the margin. As a bound on the
    median that is the margin, widened by what lies between that end and the ratio of the medians.
    """
    if row["verdict"] not in ("slower", "faster", "no difference resolved") or row["reason"] is not None:
        return None
    margin = row["margin"] or RESOLUTION
    return row["new"] / row["base"] * margin / row["interval"][0] - 1


# What Slurm tells


class Partition(NamedTuple):
    """A partition by its nodes; of unequal ones the least number of GPUs and of CPUs."""

    name: str
    nodes: int
    gpus: int
    cpus: int


def gpus_of(gres: str) -> int:
    """How many GPUs a node has: "gpu:a100:4(S:0-1),shard:8" are four."""
    found = re.findall(r"(?:^|,)gpu(?::[^:,(]+)??(?::(\d+))?(?=[(,]|$)", gres)
    return sum(int(count or 1) for count in found)


def partitions_of(text: str) -> dict[str, Partition]:
    """From lines of `sinfo -o '%R|%N|%c|%G'`, a node each."""
    found: dict[str, Partition] = {}
    for line in text.splitlines():
        name, _, cpus, gres = line.strip().split("|")
        gpus, count = gpus_of(gres), int(cpus.rstrip("+"))
        known = found.get(name, Partition(name, 0, gpus, count))
        found[name] = Partition(name, known.nodes + 1, min(known.gpus, gpus), min(known.cpus, count))
    return found


def ask(command: Sequence[str]) -> subprocess.CompletedProcess:
    """Runs a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


def last_line(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def partitions() -> dict[str, Partition]:
    """Those of the cluster here."""
    try:
        done = ask(["sinfo", "--noheader", "--Node", "--format=%R|%N|%c|%G"])
    except FileNotFoundError:
        raise Refused(
            "there is no sinfo here: run this on a node of a cluster that has Slurm's commands"
        ) from None
    if done.returncode != 0:
        raise Refused(f"Slurm does not answer: {last_line(done.stderr)}")
    return partitions_of(done.stdout)


def partition_named(name: str) -> Partition:
    """The partition; it has GPUs."""
    known = partitions()
    if name not in known:
        raise Refused(f"there is no partition {name} (there is: {', '.join(sorted(known)) or 'none'})")
    if known[name].gpus == 0:
        raise Refused(
            f"partition {name} has nodes without GPUs, by Slurm's Gres: one task a GPU has no place there"
        )
    return known[name]


def settings(found: dict[str, Partition]) -> dict:
    """ReFrame's site configuration: one system, with all partitions that have GPUs."""
    # sacct knows jobs that have ended, but only where accounting is on.
    try:
        accounting = ask(["sacct", "--noheader", "--starttime=now"]).returncode == 0
    except FileNotFoundError:
        accounting = False

    def part(one: Partition) -> dict:
        return {
            "name": reframe_name(one.name),
            "scheduler": "slurm" if accounting else "squeue",
            "launcher": "srun",
            "access": [f"--partition={one.name}"],
            "environs": ["builtin"],
            "max_jobs": 1000,
            "extras": {"gpus": one.gpus, "cpus": one.cpus},
        }

    usable = [part(one) for one in found.values() if one.gpus > 0]
    system = {"name": "cluster", "hostnames": [".*"], "partitions": usable}
    return {"systems": [system]}


def reframe_name(partition: str) -> str:
    """A partition's name in the letters that ReFrame takes."""
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", partition)
    return name if re.match(r"[a-zA-Z_]", name) else f"p{name}"


# Before anything is submitted


def program_words(program: str) -> list[str]:
    """The words that start the program from any folder; blanks part them, as in a job."""
    words = program.split()
    if words and Path(words[0]).exists():
        words[0] = str(Path(words[0]).resolve())
    return words


def start(words: Sequence[str], **options) -> subprocess.CompletedProcess:
    """Runs the program to its end."""
    try:
        return subprocess.run(words, check=False, text=True, **options)
    except (OSError, IndexError) as error:
        hint = " (make portable)" if list(words[:1]) == [str(PROGRAM)] else ""
        raise Refused(f"{' '.join(words[:1])} cannot be started: {error}{hint}") from None


def check_program(words: Sequence[str]) -> None:
    """The program starts here. Where it does not on a node, the node's job says so."""
    done = start([*words, "list"], capture_output=True)
    if done.returncode != 0:
        raise Refused(last_line(done.stderr).removeprefix("gridmark: "))


def check_room(results: Path) -> None:
    """Results can be written: 4 MiB, as much as the files of a node take."""
    try:
        results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=results) as file:
            file.write(bytes(4 << 20))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Refused(f"{results}: no room for results: {error.strerror}") from None


# The command


def reframe_command(words: argparse.Namespace, part: Partition, here: Path) -> list[str]:
    """Every node of the partition that Slurm knows, those that are down too: they are then reported."""
    variables = {
        "studies": " ".join(words.study),
        "preset": words.preset,
        "rows": words.rows,
        "program": " ".join(words.program),
        "results": str(words.results),
        "base": str(words.base.resolve()) if words.base else "",
        "margin": " ".join(str(folder.resolve()) for folder in words.margin),
    }
    command = [str(words.reframe), "-C", str(here / "settings.yaml")]
    command += ["-c", str(ROOT / "cluster" / "gridmark_reframe.py"), "-r", f"--distribute={words.nodes}"]
    command += [f"--system=cluster:{reframe_name(part.name)}", f"--prefix={here}"]
    command += [f"--report-file={here / 'report.json'}", "--keep-stage-files", "--nocolor"]
    command += ["--exec-policy=serial"] if words.one_by_one else []
    for name, value in variables.items():
        command += ["-S", f"Gridmark.{name}={value}"] if value else []
    return command + [word for option in words.job for word in ("-J", option)]


def failures(report: dict) -> list[str]:
    """A line for each node whose check failed: how many rows are slower than their reference, or why."""
    lines = []
    for case in report["runs"][-1]["testcases"]:
        if case["result"] not in ("fail", "abort"):
            continue
        # `--distribute` puts the node into the name; a job that never began has no list of nodes.
        node = ",".join(case.get("job_nodelist") or re.findall(r"nid=(\S+)", case["display_name"]))
        slow = [
            key.split(":")[-1] for key, value in (case.get("perfvalues") or {}).items() if value[-1] == "fail"
        ]
        reason = " ".join(str(case["fail_reason"]).split()).removeprefix("sanity error: ")
        if blocked := re.search(r"it was blocked due to reason: (.+)", reason):
            reason = f"its job cannot start ({blocked[1]})"
        if slow:
            reason = f"{len(slow)} rows are slower than their reference, first {slow[0]}"
        lines.append(f"{node or case['display_name']}: {reason.removeprefix('gridmark: ')}")
    return sorted(lines)


def measure(words: argparse.Namespace) -> int:
    """All nodes; a line for each that failed, then the ranking."""
    part = partition_named(words.partition)
    check_program(words.program)
    words.results = words.results.resolve()
    check_room(words.results)
    if not words.reframe.exists():
        raise Refused(f"{words.reframe}: ReFrame is not there: make cluster")
    here = words.results / "reframe" / reframe_name(part.name)
    here.mkdir(parents=True, exist_ok=True)
    # JSON is YAML, and ReFrame deprecates the name of the former.
    (here / "settings.yaml").write_text(json.dumps(settings({part.name: part}), indent=1))
    (here / "report.json").unlink(missing_ok=True)
    code = subprocess.run(reframe_command(words, part, here), check=False, cwd=here).returncode
    if not (here / "report.json").exists():
        raise Refused("ReFrame ran no check; what it said stands above")
    failed = failures(json.loads((here / "report.json").read_text()))
    for line in failed:
        print(f"gridmark: {line}", file=sys.stderr)
    return max(report(words), 1 if failed or code else 0)


def sets_of(results: Path, partition: str) -> list[str]:
    """The folders of result files that a partition's nodes wrote."""
    return [str(folder) for folder in sorted((results / partition).glob("*/")) if result_files(folder)]


def report(words: argparse.Namespace) -> int:
    """The ranking of `gridmark compare`; of too few sets the reason why there is none."""
    found = sets_of(words.results, words.partition)
    if len(found) < 2:
        raise Refused(f"{words.results / words.partition}: {len(found)} sets are too few to rank")
    sys.stdout.flush()
    return start([*words.program, "compare", "--rank", *found]).returncode


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise Refused(f"{message} ({self.prog} --help)")

    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    run = commands.add_parser("run", help="measure on every node of a partition, then report")
    rank = commands.add_parser("report", help="rank the sets that are there")
    commands.add_parser("settings", help="print ReFrame's settings for this cluster")
    for command in (run, rank):
        command.add_argument("partition", metavar="PARTITION")
        command.add_argument(
            "--results", type=Path, default=RESULTS, help="folder of all sets [results/cluster]"
        )
        command.add_argument(
            "--program", type=program_words, default=[str(PROGRAM)], help="[the portable folder's]"
        )
    run.add_argument("study", nargs="*", metavar="STUDY", help="[all]")
    run.add_argument("--preset", choices=("quick", "paper", "full"), default="quick")
    run.add_argument("--rows", default="", metavar="REGEX", help="only rows whose name matches")
    run.add_argument(
        "--nodes", default="all", metavar="STATE", help="all, or those in a state, as idle [all]"
    )
    run.add_argument("--base", type=Path, help="a result set: rows that are slower fail the check")
    run.add_argument(
        "--margin", type=Path, nargs="*", default=[], help="sets that give CPU rows their margin"
    )
    run.add_argument(
        "--job", action="append", default=[], metavar="OPTION", help="of sbatch, as time=2:00:00"
    )
    run.add_argument("--one-by-one", action="store_true", help="one node at a time")
    run.add_argument("--reframe", type=Path, default=REFRAME, help="[build/cluster/bin/reframe]")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """The command; bad input is one line."""
    try:
        words = parsed(arguments)
        if words.command == "run":
            return measure(words)
        if words.command == "report":
            return report(words)
        print(json.dumps(settings(partitions()), indent=1))
        return 0
    except Refused as error:
        print(f"gridmark: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(streams.run("gridmark", lambda: main(sys.argv[1:])))
