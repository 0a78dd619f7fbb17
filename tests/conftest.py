"""Which tests run in one process: `pytest -n 2` deals out groups, the longest first and single tests last."""

from pathlib import Path

import pytest

# Files whose tests make and share nothing that takes long: their tests are dealt out one by one.
LOOSE = {"test_debian13", "test_hostile_json"}
# Crashes, hangs, signals and stopped clocks, one after the other.
ALONE = ("test_faults_", "test_terminal")
# They look at the same reports, which tests/plots/conftest.py draws once a process.
PAGES = ("browser", "explore", "machines", "report", "since", "tables", "verdicts")
# What takes longest, in this order: both processes shall end at the same time.
LONG = ("pages", "test_plots_identical", "test_pyramid", "test_run", "test_peers")


def group_of(file):
    """The group of a file's tests; None where each is for itself."""
    if file in LOOSE:
        return None
    if file.removeprefix("test_plots_") in PAGES:
        return "pages"
    return "faults" if file.startswith(ALONE) else file


def place(item):
    """The sooner, the smaller."""
    group = group_of(item.path.stem)
    return LONG.index(group) if group in LONG else len(LONG) + (group is None)


def pytest_collection_modifyitems(items):
    """Puts what takes long first."""
    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keeps a group in one process, for what its fixtures make.

    Not by `--dist loadgroup`: of its marks pytest-xdist 3.8 sees nothing under pytest 9.2, and deals out all
    tests one by one without a word.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(Path(nodeid.split("::")[0]).stem) or nodeid

    config.option.loadscopereorder = False
    return Groups(config, log)
