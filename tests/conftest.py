"""Which tests may run beside each other: `pytest -n 2 --dist loadgroup` keeps a group in one process."""

import pytest

# Files whose tests make and share nothing that takes long: their tests are dealt out one by one.
LOOSE = {"test_hostile_json"}
# Crashes, hangs, signals and stopped clocks, one after the other.
ALONE = ("test_faults_", "test_terminal")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keeps a file's tests together, for what its fixtures make."""
    for item in items:
        file = item.path.stem
        if file not in LOOSE:
            item.add_marker(pytest.mark.xdist_group("faults" if file.startswith(ALONE) else file))
