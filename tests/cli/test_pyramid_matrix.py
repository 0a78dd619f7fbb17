"""`solve pyramid` with the paper's other words and matrices of one's own, recomputed by SciPy."""

import numpy as np
import pytest
from conftest import complaint
from scipy.linalg import solve_banded
from solving import Solving, input_writer

N = 2003
solve = Solving("pyramid")


def stepped(lower, diagonal, upper, u, steps):
    """Implicit steps by LAPACK's solver of banded systems, which exchanges rows (the program never does)."""
    bands = np.zeros((3, len(u)))
    bands[0, 1:], bands[1], bands[2, :-1] = upper[:-1], diagonal, lower[1:]
    for _ in range(steps):
        u = solve_banded((1, 1), bands, u)
    return u


def pair(a, b):
    return [a] * N, [b] * N, [a] * N


@pytest.mark.parametrize("variant", ["cpu_openmp", "gpu_local_inverse", "gpu_cyclic_reduction_synchronous"])
@pytest.mark.parametrize("a, b", [(1, 2.5), (-1, 3), (0.5, -1.25), (-0.4, -1.2)])
def test_any_pair_whose_inverse_decays(program, tmp_path, variant, a, b):
    settings = [f"a={a}", f"b={b}", f"n={N}", "steps=7", "height=3", "device_values=1600"]
    with solve(program, tmp_path, variant, *settings) as file:
        expected = stepped(*pair(a, b), file["u0"][:], 7)
        scale = (abs(b) - 2 * abs(a)) ** -7.0
        assert np.abs(file["u"][:] - expected).max() <= 1e-6 * scale
        assert np.abs(expected).max() > 1e-3 * scale
        p = file["parameters"].attrs
        assert (p["a"], p["b"]) == (a, b)
        assert (p["pieces"] > 1) == (variant != "cpu_openmp")


def test_the_papers_words(program, tmp_path):
    """U(0) = U(W) = C, s = alpha^2 h_t / h_x^2, and a start of one's own."""
    start = 20 + np.random.default_rng(4).uniform(-5, 5, N)
    words = input_writer(tmp_path, {"u0": start})()
    settings = ["C=37", "alpha=3", "h_t=0.02", "h_x=0.5", "steps=9", "height=4", "device_values=1700"]
    with solve(program, tmp_path, "gpu_local_inverse", *settings, start=words) as file:
        s = 9 * 0.02 / 0.25
        expected = 37 + stepped(*pair(-s, 1 + 2 * s), start - 37, 9)
        assert np.array_equal(file["u0"][:], start)
        assert np.abs(file["u"][:] - expected).max() <= 1e-6 * np.abs(start - 37).max()
        p = file["parameters"].attrs
        assert (p["C"], p["s"], p["start"], p["n"]) == (37, pytest.approx(s), "input", N)
    # What is C everywhere stays so.
    words = input_writer(tmp_path, {"u0": np.full(N, 37.0)})()
    with solve(program, tmp_path, "gpu_local_inverse", *settings, start=words) as file:
        assert np.all(file["u"][:] == 37)


def medium(kind):
    rng = np.random.default_rng(7)
    if kind == "layered":
        k = np.repeat(10 ** rng.uniform(-2, 0, N // 37 + 2), 37)[: N + 1]
        return -k[:-1], 1 + k[:-1] + k[1:], -k[1:]
    lower, upper = rng.uniform(-1, 1, (2, N))
    if kind == "nearly_singular":
        return lower, np.abs(lower) + np.abs(upper) + 0.02, upper
    return lower, (np.abs(lower) + np.abs(upper) + rng.uniform(0.5, 2, N)) * rng.choice([-1, 1], N), upper


MEDIA = ["layered", "random", "nearly_singular"]
VARIANTS = [
    "cpu_thomas",
    "cpu_gtsv",
    "gpu_cyclic_reduction",
    "gpu_cyclic_reduction_synchronous",
    "gpu_cyclic_reduction_one_layer",
]


def has_lapack(program, tmp_path):
    done = solve.ask(program, tmp_path, "cpu_gtsv", "n=3", "steps=1")
    return "liblapack" not in done.stderr


@pytest.mark.parametrize("kind", MEDIA)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("precision", ["double", "float"])
def test_any_three_diagonals(program, tmp_path, variant, kind, precision):
    if variant == "cpu_gtsv" and not has_lapack(program, tmp_path):
        pytest.skip("no LAPACK here")
    lower, diagonal, upper = medium(kind)
    start = np.random.default_rng(8).uniform(0, 1, N)
    words = input_writer(tmp_path, {"u0": start, "lower": lower, "diagonal": diagonal, "upper": upper})()
    # A nearly singular one reaches too far for pieces.
    values = 60000 if kind == "nearly_singular" else 15500
    tolerance = {"double": 1e-9, "float": 0.02}[precision]
    settings = ["steps=5", "height=2", f"device_values={values}", f"precision={precision}"]
    with solve(program, tmp_path, variant, *settings, f"tolerance={tolerance}", start=words) as file:
        stored = [file[name][:].astype(float) for name in ("lower", "diagonal", "upper", "u0")]
        expected = stepped(*stored, 5)
        rows = np.abs(stored[1]) - np.abs(stored[0]) - np.abs(stored[2])
        error = np.abs(file["u"][:] - expected).max()
        assert error <= tolerance * rows.min() ** -5.0
        assert error <= {"double": 1e-9, "float": 1e-3}[precision] * np.abs(expected).max()
        p = file["parameters"].attrs
        assert (p["pieces"] > 1) == (variant.startswith("gpu") and kind != "nearly_singular")
        if variant.startswith("gpu"):
            # Counted: the field once, and three diagonals of each padded piece, in three passes.
            word = 8 if precision == "double" else 4
            assert p["bytes_up"] == word * 3 * N + 3 * p["bytes_down"]


@pytest.mark.parametrize("variant", ["gpu_cyclic_reduction", "gpu_cyclic_reduction_one_layer"])
def test_chooses_a_height_for_three_diagonals(program, tmp_path, variant):
    lower, diagonal, upper = medium("random")
    start = np.random.default_rng(8).uniform(0, 1, N)
    words = input_writer(tmp_path, {"u0": start, "lower": lower, "diagonal": diagonal, "upper": upper})()
    with solve(
        program, tmp_path, variant, "steps=20", "height=auto", "device_values=15500", start=words
    ) as file:
        expected = stepped(lower, diagonal, upper, start, 20)
        assert np.abs(file["u"][:] - expected).max() <= 1e-6 * np.abs(expected).max()
        p = file["parameters"].attrs
        assert p["chosen"] == "auto"
        assert p["pieces"] > 1
        assert 1 <= p["height"] <= 20


@pytest.mark.parametrize("kind", MEDIA)
def test_the_media_that_rows_are_measured_with(program, tmp_path, kind):
    settings = [f"medium={kind}", "n=700", "steps=3", "device_values=9000"]
    with solve(program, tmp_path, "gpu_cyclic_reduction", *settings) as file:
        stored = [file[name][:] for name in ("lower", "diagonal", "upper", "u0")]
        expected = stepped(*stored, 3)
        assert np.abs(file["u"][:] - expected).max() <= 1e-9 * np.abs(expected).max()
        assert file["parameters"].attrs["medium"] == kind
        off = np.abs(stored[0]) + np.abs(stored[2])
        least = {"layered": 1, "random": 0.5, "nearly_singular": 0.01}[kind]
        assert (np.abs(stored[1]) - off).min() == pytest.approx(least, rel=0.05)


@pytest.mark.parametrize(
    "variant, settings, changes, words",
    [
        ("cpu_thomas", ["a=1", "b=1.9"], None, ["a = 1, b = 1.9", "does not decay", "|b| > 2 |a| = 2"]),
        ("cpu_thomas", ["a=1", "b=2.0000001"], None, ["decays by 1 - 0.000316", "is needed"]),
        ("cpu_thomas", ["a=0", "b=2"], None, ["a must not be 0"]),
        ("cpu_thomas", ["a=1"], None, ["a, b", "needs the other"]),
        ("cpu_thomas", ["a=1", "b=3", "s=2"], None, ["--set s:", "a and b"]),
        ("cpu_thomas", ["a=0.3", "b=0.7", "steps=900"], None, ["900 steps", "beyond all numbers"]),
        ("cpu_thomas", ["alpha=0"], None, ["alpha"]),
        ("cpu_thomas", ["h_t=1", "s=1"], None, ["--set s:", "h_t"]),
        ("cpu_thomas", [], {"u0": None}, ["/u0 is missing"]),
        ("cpu_thomas", [], {"upper": None}, ["/lower, /diagonal and /upper"]),
        ("cpu_thomas", [], {"upper": np.ones(5)}, ["/upper has 5 values", "/u0 has"]),
        ("cpu_thomas", [], {"u0": np.full(N, np.nan)}, ["u0"]),
        ("cpu_thomas", [], {"diagonal": np.full(N, 0.5)}, ["row", "is not dominant", "must exceed"]),
        ("cpu_thomas", ["n=7"], {}, ["--set n:", "--input"]),
        ("cpu_thomas", ["s=2"], {}, ["--set s:", "/diagonal"]),
        ("cpu_openmp", [], {}, ["cpu_openmp", "constant coefficients alone"]),
        ("gpu_local_inverse", [], {}, ["gpu_local_inverse", "constant coefficients alone"]),
        ("gpu_cyclic_reduction", ["device_values=900"], {}, ["device_values 900", "hold no piece"]),
    ],
)
def test_bad_matrices_are_refused_in_a_line(program, tmp_path, variant, settings, changes, words):
    lower, diagonal, upper = medium("random")
    write = input_writer(tmp_path, {"u0": diagonal, "lower": lower, "diagonal": diagonal, "upper": upper})
    start = () if changes is None else write(**changes)
    line = complaint(solve.ask(program, tmp_path, variant, *settings, start=start))
    assert all(word in line for word in words), line
    assert not (tmp_path / solve.file).exists()
