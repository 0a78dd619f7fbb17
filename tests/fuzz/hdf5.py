"""Fuzzes what reads HDF5: files of odd shapes and types, whole and damaged, as `--input` takes them.

python tests/fuzz/hdf5.py GRIDMARK SECONDS [FIRST]

Whatever the file, it is read exactly, or refused in one line and with exit code 2, within the bounds below,
and nothing is left behind. A case is a number; what fails is kept in tests/fuzz/found/hdf5 and named at last.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import hdf5_files

FOUND = Path(__file__).parent / "found" / "hdf5"
# The library may take half a GiB of address space beside the values, which are tiny here.
MOST_SECONDS, MOST_MEMORY = 20.0, 700 << 20


class Reader:
    """Reads files by the program in a folder of its own, and keeps the most that any took."""

    def __init__(self, gridmark, folder):
        self.gridmark, self.folder = gridmark, Path(folder)
        self.seconds = self.memory = 0.0
        self.read = self.refused = 0

    def run(self, arguments):
        """(exit code, what it said on the standard error) of the program; notes time and memory."""
        begin = time.monotonic()
        with (self.folder / "said").open("w+b") as said:
            child = subprocess.Popen(
                [self.gridmark, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=said
            )
            _, status, usage = os.wait4(child.pid, 0)  # of the process and of its own child
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read().decode(errors="replace")
        (self.folder / "said").unlink()
        seconds, memory = time.monotonic() - begin, usage.ru_maxrss * 1024
        self.seconds, self.memory = max(self.seconds, seconds), max(self.memory, memory)
        assert seconds <= MOST_SECONDS, f"took {seconds:.1f} s"
        assert memory <= MOST_MEMORY, f"took {memory / 2**20:.0f} MiB"
        return child.returncode, text

    def try_case(self, case, precision):
        """Raises AssertionError where the answer is not what it must be."""
        path, out = self.folder / "in.h5", self.folder / "out.h5"
        path.write_bytes(case.file)
        arguments = ["_copy_input", precision, path, out, f"t0:{case.rank}", "--seconds", MOST_SECONDS / 2]
        code, text = self.run(arguments)
        assert path.read_bytes() == case.file, "the file was changed"
        path.unlink()
        if code == 0:
            self.read += 1
            with h5py.File(out) as file:
                values = file["t0"][()]
            out.unlink()
            assert text == "", f"read, and said {text!r}"
            assert np.isfinite(values).all() and values.ndim == case.rank, "read what it must refuse"
            assert case.either or case.values is not None, "read what it must refuse"
            assert case.either or np.array_equal(values, case.values), "read other values"
        else:
            self.refused += 1
            assert code == 2, f"exit code {code}: {text}"
            assert text.startswith(f"gridmark: {path}: ") and text.count("\n") == 1, f"said {text!r}"
            assert case.either or case.values is None, f"refused: {text}"
        assert not list(self.folder.iterdir()), f"left {[p.name for p in self.folder.iterdir()]}"


def main(gridmark, seconds, first=0):
    """Tries case after case for so long; 1 where any failed."""
    failed, number, end = [], first, time.monotonic() + seconds
    where = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=where) as folder, tempfile.TemporaryDirectory(dir=where) as making:
        reader = Reader(gridmark, folder)
        while time.monotonic() < end:
            precision = "float" if number % 2 else "double"
            case = hdf5_files.case(number, Path(making), precision)
            try:
                reader.try_case(case, precision)
            except AssertionError as error:
                FOUND.mkdir(parents=True, exist_ok=True)
                (FOUND / f"{number}-{precision}-{case.rank}.h5").write_bytes(case.file)
                failed.append(f"case {number} ({case.what}): {error}")
                for left in Path(folder).iterdir():
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
            number += 1
    for line in failed:
        print(line)
    print(
        f"hdf5: {number - first} executions in {seconds:.0f} s, {len(failed)} failures; "
        f"{reader.read} read, {reader.refused} refused; "
        f"at most {reader.memory / 2**20:.0f} MiB and {reader.seconds:.2f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2]), *map(int, sys.argv[3:])))
