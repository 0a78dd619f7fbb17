"""Runs every test: the C++ ones of the default and the sanitizer build, then pytest.

The last line is `N passed, N failed`.
"""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def count(report: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped tests of a JUnit file; a missing one counts as one failure."""
    if not report.exists():
        return 0, 1, 0
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def run(label: str, command: list[str], report: Path, env: dict[str, str]) -> tuple[int, int, int]:
    """Runs one suite; its output is shown when a test fails."""
    report.unlink(missing_ok=True)
    result = subprocess.run(command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True)
    passed, failed, skipped = count(report)
    if result.returncode != 0 and failed == 0:
        failed = 1  # the suite itself broke
    if failed:
        print(result.stdout[-20000:], result.stderr[-5000:], sep="\n")
    print(f"{label}: {passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return passed, failed, skipped


def main() -> int:
    """All suites in turn."""
    results = []
    for folder, env in (("build", {}), ("build-asan", {"ASAN_OPTIONS": "detect_leaks=0"})):
        report = ROOT / folder / "tests.xml"
        command = ["ctest", "--test-dir", folder, "--output-on-failure", "-j2", "--output-junit", str(report)]
        results.append(run(f"C++ tests ({folder})", command, report, env))
    report = ROOT / "build" / "pytest.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", "tests"]
    results.append(run("Python and command-line tests", command, report, {"PYTHONPATH": "plots"}))
    passed, failed, skipped = (sum(r[i] for r in results) for i in range(3))
    if skipped:
        print(f"{skipped} skipped (each says why)")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
