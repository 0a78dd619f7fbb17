"""`solve`, recomputed by NumPy from what the file itself holds."""

import numpy as np
import pytest
from conftest import complaint
from solving import Solving

CUDA = [
    "gpu_shared",
    "gpu_no_shared",
    "gpu_shared_no_division",
    "gpu_no_shared_no_division",
    "gpu_rows",
    "gpu_persistent",
    "gpu_blocked_8",
    "gpu_blocked_12",
]
VARIANTS = [*CUDA, "cpu_naive", "cpu_openmp"]


solve = Solving("jacobi")


def recomputed(file):
    """The study's sweep in double: inside points average, the right edge copies its left neighbour."""
    p = file["parameters"].attrs
    psi, omega, mask = (file[name][:].astype(np.float64) for name in ("psi0", "omega", "mask"))
    for _ in range(int(p["iterations"])):
        new = psi.copy()
        inside = np.zeros_like(psi)
        inside[1:-1, 1:-1] = (
            p["a"] * (psi[1:-1, 2:] + psi[1:-1, :-2])
            + p["b"] * (psi[2:, 1:-1] + psi[:-2, 1:-1])
            + p["c"] * omega[1:-1, 1:-1]
        )
        new[mask == 1] = inside[mask == 1]
        left = np.roll(psi, 1, axis=1)
        new[mask == 2] = left[mask == 2]
        psi = new
    return psi


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("nx", "ny"), [(97, 61), (64, 48)])
def test_equals_numpy(program, tmp_path, variant, precision, nx, ny):
    file = solve(
        program,
        tmp_path,
        variant,
        f"nx={nx}",
        f"ny={ny}",
        "iterations=37",
        f"precision={precision}",
        "seed=5",
    )
    epsilon = np.finfo(np.float32 if precision == "float" else np.float64).eps
    assert file["psi"].shape == file["mask"].shape == file["omega"].shape == (ny, nx)
    error = np.abs(file["psi"][:] - recomputed(file)).max()
    assert error <= 2.5 * epsilon * 37 * 2
    assert np.abs(file["psi"][:] - file["psi0"][:]).max() > 1e-3  # it did something


def test_every_parameter_is_an_attribute(program, tmp_path):
    p = solve(program, tmp_path, "cpu_naive", "nx=33", "ny=21", "iterations=3").get("parameters").attrs
    assert {"a", "b", "c", "nx", "ny", "iterations", "tile_y", "block_y", "precision", "seed"} <= set(p)
    assert (p["nx"], p["ny"], p["iterations"], p["precision"]) == (33, 21, 3, "float")
    assert abs(2 * p["a"] + 2 * p["b"] - 1) < 1e-6
    assert p["a"] != p["b"]


def test_tiles_do_not_change_the_answer(program, tmp_path):
    sizes = ["nx=70", "ny=41", "iterations=11"]
    plain = solve(program, tmp_path, "gpu_shared", *sizes)["psi"][:]
    other = solve(program, tmp_path, "gpu_shared", *sizes, "tile_y=9", "block_y=3")["psi"][:]
    assert np.array_equal(plain, other)


def test_a_residual_ends_the_sweeps(program, tmp_path):
    p = solve(
        program, tmp_path, "cpu_openmp", "nx=40", "ny=24", "iterations=100000", "residual=1e-9",
        "precision=double",
    )["parameters"].attrs  # fmt: skip
    assert p["iterations"] < 100000
    assert p["largest_last_change"] <= 1e-9


def test_a_cuda_variant_without_a_gpu_hints_at_the_host(program, tmp_path):
    if program("solve", "jacobi", "--variant", "gpu_rows", "--out", tmp_path / "x.h5").returncode == 0:
        pytest.skip("this machine has a GPU")
    done = program("solve", "jacobi", "--variant", "gpu_rows", "--out", tmp_path / "x.h5")
    assert "--on host" in complaint(done)
