"""`solve pyramid` in two and three dimensions, recomputed by SciPy axis by axis and by a sine's factor."""

import h5py
import numpy as np
import pytest
from conftest import REFERENCE, complaint
from scipy.linalg import solve_banded
from solving import Solving, input_writer

solve = Solving("pyramid")
VERSIONS = ["cpu_box", "gpu_box", "gpu_box_skewed"]
SIZE = ["nx=17", "ny=13", "nz=151"]


def stepped(u, s, steps):
    """Crank and Nicolson's steps in each axis: half explicit, half by LAPACK's solver of banded systems."""
    for axis in range(3):
        n = u.shape[axis]
        if n == 1:
            continue
        bands = np.full((3, n), -s / 2)
        bands[1] = 1 + s
        first = np.moveaxis(u, axis, 0)
        lines = first.reshape(n, -1)
        for _ in range(steps):
            wide = np.pad(lines, ((1, 1), (0, 0)))
            lines = solve_banded((1, 1), bands, lines + s / 2 * (wide[2:] - 2 * lines + wide[:-2]))
        u = np.moveaxis(lines.reshape(first.shape), 0, axis)
    return u


@pytest.mark.parametrize("variant", VERSIONS)
@pytest.mark.parametrize("precision, tolerance", [("double", 1e-9), ("float", 2e-3)])
@pytest.mark.parametrize("s", [0.1, 1, 3])
def test_equals_scipy(program, tmp_path, variant, precision, tolerance, s):
    settings = [*SIZE, f"s={s}", "steps=7", "height=2", f"tolerance={tolerance}", f"precision={precision}"]
    settings.append("device_values=31000")
    with solve(program, tmp_path, variant, *settings) as file:
        u0, p = file["u0"][:].astype(float), file["parameters"].attrs
        assert u0.shape == file["u"].shape == (151, 13, 17)
        assert np.abs(file["u"][:] - stepped(u0, s, 7)).max() <= tolerance
        assert np.abs(file["u"][:] - u0).max() > 0.1
        if variant == "gpu_box_skewed":
            assert p["pieces"] > 1
            assert p["bytes_up"] == p["bytes_down"] == 4 * u0.size * (8 if precision == "double" else 4)


@pytest.mark.parametrize("variant", ["cpu_box", "gpu_box"])
def test_two_dimensions(program, tmp_path, variant):
    with solve(program, tmp_path, variant, "dimensions=2", "nx=45", "ny=71", "steps=9", "s=0.7") as file:
        assert file["u"].shape == (1, 71, 45)
        assert np.abs(file["u"][:] - stepped(file["u0"][:], 0.7, 9)).max() < 1e-12


@pytest.mark.parametrize("variant", VERSIONS)
def test_a_sine_decays_by_its_exact_factor(program, tmp_path, variant):
    with solve(program, tmp_path, variant, *SIZE, "start=sine", "steps=10", "s=1.4", "height=3") as file:
        factor = 1.0
        for n in (17, 13, 151):
            sine = np.sin(np.pi / (2 * (n + 1))) ** 2
            factor *= (1 - 2.8 * sine) / (1 + 2.8 * sine)
        assert np.abs(file["u"][:] - factor**10 * file["u0"][:]).max() < 1e-6


@pytest.mark.parametrize("variant", VERSIONS)
def test_the_papers_words_and_a_start_of_ones_own(program, tmp_path, variant):
    start = 20 + np.random.default_rng(4).uniform(-5, 5, (151, 9, 11))
    settings = ["C=37", "alpha=3", "h_t=0.02", "h_x=0.5", "steps=6", "height=2"]
    with solve(program, tmp_path, variant, *settings, start=input_writer(tmp_path, {"u0": start})()) as file:
        expected = 37 + stepped(start - 37, 9 * 0.02 / 0.25, 6)
        assert np.abs(file["u"][:] - expected).max() <= 1e-6 * np.abs(start - 37).max()
    # What is C everywhere stays so.
    same = input_writer(tmp_path, {"u0": np.full((151, 9, 11), 37.0)})()
    with solve(program, tmp_path, variant, *settings, start=same) as file:
        assert np.all(file["u"][:] == 37)


@pytest.mark.parametrize(
    "row, smaller, shape",
    [
        ("gpu_box_skewed/box/256x256x256/float/32_MiB/h_4/step/stream", ["nx=8", "ny=9"], (256, 9, 8)),
        ("gpu_box/box/256x256x256/double/step/stream", ["nx=8", "ny=9", "nz=10"], (10, 9, 8)),
        ("cpu_thomas/medium/layered/1048576/float/wall", ["n=500"], (500,)),
    ],
)
def test_a_row_is_solved(program, tmp_path, row, smaller, shape):
    words = [word for setting in [*smaller, "steps=2"] for word in ("--set", setting)]
    on = ["--on", "host"] if row.startswith("gpu_") else []
    out = tmp_path / solve.file
    done = program(
        "solve", "pyramid", "--row", f"pyramid/{row}", "--from", REFERENCE, *on, *words, "--out", out
    )
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        assert file["u"].shape == shape
        assert ("diagonal" in file) == ("medium" in row)


@pytest.mark.parametrize(
    "variant, settings, words",
    [
        ("cpu_box", ["s=0"], ["s must lie above 0"]),
        ("cpu_box", ["s=nan"], ["s=nan"]),
        ("cpu_box", ["nx=0"], ["nx=0"]),
        ("cpu_box", ["dimensions=2", "nz=3"], ["nz must be 1"]),
        ("cpu_box", ["nx=1000000", "ny=1000000"], ["nx, ny, nz", "GiB of host memory"]),
        ("cpu_box", ["h_t=1", "s=1"], ["--set s:", "h_t"]),
        ("gpu_box", ["s=900"], ["gpu_box", "reaches", "registers"]),
        ("gpu_box_cusparse", [], ["gpu_box_cusparse", "cuSPARSE", "host executor"]),
        ("gpu_box_cusparse_strided", [], ["gpu_box_cusparse_strided", "cuSPARSE", "host executor"]),
        ("gpu_box_skewed", ["device_values=9000"], ["device_values 9000", "hold no slab", "at least"]),
        ("gpu_box_skewed", ["tolerance=1e-16"], ["tolerance", "rounding to double"]),
        ("gpu_box_skewed", ["height=0"], ["height=0"]),
        ("gpu_box_skewed", ["dimensions=2", "device_values=100"], ["do not hold the layer"]),
    ],
)
def test_bad_boxes_are_refused_in_a_line(program, tmp_path, variant, settings, words):
    line = complaint(solve.ask(program, tmp_path, variant, *settings))
    assert all(word in line for word in words), line
    assert not (tmp_path / solve.file).exists()
