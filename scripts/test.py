"""Runs the tests: scripts/test.py [check]

Without a word: the C++ tests of the default build, the tests of the command line and those of the report.
`check`: what that leaves out, which are those of injected faults, damaged input, a wrong study and the kept
inputs of the fuzzers, and the C++ tests of the sanitizer build. Its sums hold the run without a word, which
came before. Before the last line, `N passed, N failed`, stand the ten slowest tests and files, and the names
of those that failed.
"""

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# Teams of more threads than there are cores: whoever waits must not spin. That takes a fifth of the time.
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
# What `make test` leaves to `make check`. They need programs that only that builds, or guard its own tools.
CHECK_ONLY = [
    "tests/cli/test_cluster.py",
    "tests/cli/test_debian13.py",
    "tests/cli/test_faults_children.py",
    "tests/cli/test_faults_files.py",
    "tests/cli/test_faults_interrupts.py",
    "tests/cli/test_fuzz_hdf5.py",
    "tests/cli/test_mutants.py",
    "tests/cli/test_resolution.py",
    "tests/cli/test_sanitize_gpu.py",
    "tests/cli/test_wrong_study.py",
]


class Counts(NamedTuple):
    """How many tests ended how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


def cases(report: Path) -> list[ElementTree.Element]:
    """The tests in a JUnit file; none if there is no such file."""
    return list(ElementTree.parse(report).getroot().iter("testcase")) if report.exists() else []


def count(report: Path) -> Counts:
    """The tests of a JUnit file; a missing one counts as one failure."""
    if not report.exists():
        return Counts(failed=1)
    passed = failed = skipped = 0
    for case in cases(report):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return Counts(passed, failed, skipped)


def run(label: str, command: list[str], report: Path, env: dict[str, str]) -> Counts:
    """Runs one suite; its output is shown when a test fails."""
    report.unlink(missing_ok=True)
    start = time.monotonic()
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | PASSIVE | env, capture_output=True, text=True, check=False
    )
    counts = count(report)
    if result.returncode != 0 and counts.failed == 0:
        counts = counts._replace(failed=1)  # the suite itself broke
    if counts.failed:
        print(result.stdout[-20000:], result.stderr[-5000:], sep="\n")
    took = round(time.monotonic() - start)
    print(
        f"{label}: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped"
        f" in {took // 60}:{took % 60:02}",
        flush=True,
    )
    return counts


def ctest(folder: str, report: str, *options: str) -> tuple[list[str], Path]:
    """The command that runs a build's C++ tests, and where it reports."""
    report = ROOT / folder / report
    words = ["ctest", "--test-dir", folder, "--output-on-failure", "-j2", "--output-junit", str(report)]
    return [*words, *options], report


def pytest(report: str, *options: str) -> tuple[list[str], Path]:
    """The command that runs tests in Python, two at a time, and where it reports."""
    report = ROOT / "build" / report
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2"]
    return [*words, f"--junitxml={report}", *options], report


Suite = tuple[str, list[str], Path, dict[str, str]]


def usual() -> list[Suite]:
    """What `make test` runs: name, command, report, environment."""
    left_out = [f"--ignore={name}" for name in CHECK_ONLY]
    return [
        ("C++ tests", *ctest("build", "tests.xml", "-LE", "check"), {}),
        ("Python and command-line tests", *pytest("pytest.xml", "tests", *left_out), {"PYTHONPATH": "plots"}),
    ]


def further() -> list[Suite]:
    """What `make check` runs besides."""
    # The default build does each long run once and takes all four orders of blocks; here one is enough.
    # Plans of all presets only compare names, plates physics, claims verdicts. Whole plans of a study run
    # kernels that have tests of their own here.
    heavy = (
        "LongRun|MakeEveryTimedRow|Plate.Reflects|PreparesWorkThatVerifies|GetsNoTime|Paddings|CanGoEveryWay"
        "|/(forward|reverse|other_random)( |$)"
    )
    return [
        ("C++ tests, further", *ctest("build", "tests-check.xml", "-L", "check"), {}),
        ("Python tests, further", *pytest("pytest-check.xml", *CHECK_ONLY), {"PYTHONPATH": "plots"}),
        (
            "C++ tests, sanitizers",
            *ctest("build-asan", "tests.xml", "-E", heavy),
            {"ASAN_OPTIONS": "detect_leaks=0"},
        ),
    ]


def failed_ones(reports: dict[str, Path]) -> list[str]:
    """A line for each failed test: its name and how its message begins."""
    lines = []
    for label, report in reports.items():
        for case in cases(report):
            problem = [*case.iter("failure"), *case.iter("error")]
            if not problem:
                continue
            module, name = case.get("classname", ""), case.get("name", "")
            message = (problem[0].get("message") or problem[0].text or "").strip()[:200].replace("\n", " ")
            lines.append(f"failed: {name if module == name else f'{module}.{name}'} ({label}) {message}")
    return lines


def slowest(reports: dict[str, Path]) -> list[str]:
    """Ten lines on the tests and ten on the files (suites of GoogleTest) that took longest."""
    tests, files = Counter(), Counter()
    for label, report in reports.items():
        for case in cases(report):
            name, seconds = case.get("name", ""), float(case.get("time") or 0)
            module = case.get("classname", "")
            # ctest gives a test's name as its class, too.
            file = name.split("  #")[0].rpartition(".")[0] if module == name else module
            tests[f"{name.split('  #')[0] if module == name else f'{module}.{name}'} ({label})"] += seconds
            files[f"{file} ({label})"] += seconds
    lines = []
    for what, counter in (("tests", tests), ("files", files)):
        lines.append(f"slowest {what}:")
        lines += [f"  {seconds:6.1f} s  {name}" for name, seconds in counter.most_common(10)]
    return lines


def main() -> int:
    """All suites in turn."""
    if sys.argv[1:] not in ([], ["check"]):
        sys.exit(__doc__)
    check = bool(sys.argv[1:])
    done = usual() if check else []
    chosen = further() if check else usual()
    results = [count(report) for _, _, report, _ in done] + [run(*suite) for suite in chosen]
    reports = {label: report for label, _, report, _ in [*done, *chosen]}
    print(*slowest(reports), *failed_ones(reports), sep="\n")
    passed, failed, skipped = (sum(counts) for counts in zip(*results, strict=True))
    if skipped:
        print(f"{skipped} skipped (each says why)")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
