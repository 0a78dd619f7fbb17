"""Damaged HDF5 files: whatever the bytes, reading succeeds or ends in one line and exit code 2."""

import os
import struct
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import pytest


@pytest.fixture(params=[("earliest", "v110"), ("v110", "v110")], ids=["oldest", "v110"])
def good(request, tmp_path):
    """Bytes of a file with a compressed and a plain field, in HDF5's oldest and in a later form."""
    values = np.random.default_rng(11).normal(size=(5, 6, 7))
    with h5py.File(tmp_path / "good.h5", "w", libver=request.param) as file:
        file.create_dataset("t0", data=values, chunks=(3, 3, 4), compression="gzip", shuffle=True)
        file["beta"] = values.astype("f4")
    return (tmp_path / "good.h5").read_bytes()


def read_all(program, tmp_path, contents):
    """Reads each content as a file: well, or refused in one line. How many were read well."""

    def read(number):
        path, out = tmp_path / f"{number}.h5", tmp_path / f"{number}.copy.h5"
        path.write_bytes(contents[number])
        done = program("_copy_input", "float", path, out, "t0:3", "beta:3", "--seconds", 20)
        saved = path.read_bytes()
        path.unlink()
        assert saved == contents[number]  # reading changes nothing
        if done.returncode == 0:
            assert done.stderr == ""
            with h5py.File(out) as file:
                assert np.isfinite(file["t0"][:]).all()
            out.unlink()
            return True
        assert done.returncode == 2, (number, done.returncode, done.stderr)
        assert done.stderr.startswith(f"gridmark: {path}: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert not out.exists()
        return False

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return sum(pool.map(read, range(len(contents))))


def test_truncated_files_are_refused(program, tmp_path, good):
    lengths = [0, 7, 8, 40, 96, 512, 1000, len(good) // 2, len(good) - 8, len(good) - 1]
    assert read_all(program, tmp_path, [good[:length] for length in lengths]) == 0


def test_flipped_bits(program, tmp_path, good):
    rng = np.random.default_rng(12)
    contents = [good]
    for _ in range(250):
        damaged = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
        contents.append(bytes(damaged))
    read = read_all(program, tmp_path, contents)
    assert 0 < read < len(contents)


def test_overwritten_metadata(program, tmp_path, good):
    rng = np.random.default_rng(13)
    contents = []
    for _ in range(150):
        start, length = int(rng.integers(min(2000, len(good)))), int(rng.integers(1, 9))
        fill = bytes(length) if rng.integers(2) else b"\xff" * length
        contents.append(good[:start] + fill + good[start + length :])
    assert read_all(program, tmp_path, contents) < len(contents)


def test_chunks_that_their_data_do_not_fill(program, tmp_path):
    with h5py.File(tmp_path / "good.h5", "w") as file:
        file["beta"] = np.ones((5, 6, 7))
        file.create_dataset("t0", data=np.ones((5, 6, 7)), chunks=(3, 3, 4), compression="gzip", shuffle=True)
    good = (tmp_path / "good.h5").read_bytes()
    right, wrong = struct.pack("<4I", 3, 3, 4, 8), struct.pack("<4I", 3, 3, 4 + (8 << 16), 8)
    assert good.count(right) == 1
    # HDF5 1.10.8 reads past its buffer here, and crashes.
    assert read_all(program, tmp_path, [good.replace(right, wrong)]) == 0
