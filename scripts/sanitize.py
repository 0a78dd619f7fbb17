#!/usr/bin/env python3
"""Runs tests under a sanitizer of the compiler; what `make test` does not run because it takes longer.

scripts/sanitize.py thread     every C++ test in build-tsan, with four OpenMP threads
scripts/sanitize.py address    the command-line tests, with the program of build-asan
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from test import ROOT, ctest, pytest, run

THREADS = "4"  # although a machine may have fewer cores: a race needs no two of them to be seen


def archer(program: Path) -> Path:
    """Tells ThreadSanitizer what OpenMP orders; lies beside the run-time library that is linked."""
    needs = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found = re.search(r"libomp\S* => (\S+)", needs)
    library = Path(found[1]).resolve().with_name("libarcher.so") if found else None
    if library is None or not library.exists():
        sys.exit(f"sanitize: {program.name}: no libarcher.so beside LLVM's libomp (package libomp-dev)")
    return library


def races_seen(report: Path) -> bool:
    """Whether the races that are made on purpose were run, and reported."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    states = [
        case.get("status") for case in cases if case.get("name", "").startswith("launch/RaceDeathTest.")
    ]
    return bool(states) and all(state == "run" for state in states)


def thread() -> tuple[int, int, int]:
    """All C++ tests under ThreadSanitizer; races made on purpose must have been reported."""
    folder = ROOT / "build-tsan"
    report = folder / "tests.xml"
    env = {
        "OMP_TOOL_LIBRARIES": str(archer(folder / "gridmark_launch_tests")),
        "OMP_NUM_THREADS": THREADS,
        "KMP_BLOCKTIME": "0",  # more threads than cores: one that waits must not spin
        # A test asks for more memory than there is, and wants an error for it.
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 allocator_may_return_null=1",
    }
    # No long runs: hundreds of thousands of barriers, of loops that other tests run too
    command, _ = ctest("build-tsan", "-E", "LongRun")
    passed, failed, skipped = run("C++ tests (build-tsan)", command, report, env)
    if not races_seen(report):
        print("a race made on purpose was not reported: ThreadSanitizer does not see")
        failed += 1
    return passed, failed, skipped


def address() -> tuple[int, int, int]:
    """The command-line tests against a program that AddressSanitizer and UBSan watch. Not the injected
    faults: it takes their crashes for its own, and will not start behind their preloaded library. Nor those
    of programs that this build lacks."""
    command, report = pytest("build-asan", "tests/cli")
    command += [
        f"--ignore-glob=*/test_{name}.py"
        for name in ("example_study", "faults_*", "resolution", "terminal", "wrong_study")
    ]
    return run(
        "Command-line tests (build-asan)",
        command,
        report,
        {"GRIDMARK": str(ROOT / "build-asan" / "gridmark")},
    )


def main() -> int:
    """What was asked for; 0 when all is clean."""
    suites = {"thread": thread, "address": address}
    if len(sys.argv) != 2 or sys.argv[1] not in suites:
        sys.exit(__doc__)
    passed, failed, _ = suites[sys.argv[1]]()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
