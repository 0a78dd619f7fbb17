"""The folders of measured results that a report shows, one a line: those that come with the project, then the
one given (results/local if none is), each if it holds results.

No git is asked: an unpacked archive has the same report.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "plots"))
from gridmark_plots import streams  # noqa: E402
from gridmark_plots.resultfiles import result_files  # noqa: E402

# A contributed machine is added here, and so comes into everybody's report.
DELIVERED = ("results/nvidia-h100",)


def main(own="results/local"):
    """Print them; a damaged folder is one: who draws it says what is wrong."""
    for folder in [*(name for name in DELIVERED if name != own.rstrip("/")), own]:
        try:
            is_one = bool(result_files(ROOT / folder))
        except (OSError, ValueError):
            is_one = True
        if is_one:
            print(folder)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(streams.run("machines", lambda: main(*sys.argv[1:])))
