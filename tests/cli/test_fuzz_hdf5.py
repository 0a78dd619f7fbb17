"""A fixed part of what `make fuzz ONLY=hdf5` tries, and every file that it ever found."""

import sys
from pathlib import Path

import pytest
from conftest import BINARY, ROOT

sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
import hdf5
import hdf5_files

FOUND = sorted(hdf5.FOUND.glob("*.h5"))


@pytest.fixture
def reader(tmp_path):
    """Reads files in a folder of its own."""
    (tmp_path / "reading").mkdir()
    return hdf5.Reader(BINARY, tmp_path / "reading")


def test_three_hundred_cases(reader, tmp_path):
    for number in range(300):
        precision = "float" if number % 2 else "double"
        case = hdf5_files.case(number, tmp_path, precision)
        try:
            reader.try_case(case, precision)
        except AssertionError as error:
            raise AssertionError(f"case {number} ({case.what}): {error}") from error
    assert reader.read > 30 and reader.refused > 100


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found(reader, path):
    _, precision, rank = path.stem.split("-")
    case = hdf5_files.Case(Path(path).read_bytes(), int(rank), None, path.stem, either=True)
    reader.try_case(case, precision)
