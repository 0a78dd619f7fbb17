"""`solve ginzburg_landau`, recomputed by NumPy from what the file itself holds, and its input from HDF5."""

import json

import numpy as np
import pytest
from conftest import complaint, described
from solving import Solving, input_writer

VARIANTS = list(described("ginzburg_landau"))


solve = Solving("ginzburg_landau")


def rate(u, v, p):
    """The printed system; at the ends the missing neighbour is the point itself."""

    def difference(x):
        return np.concatenate((x[:1], x[:-1])) + np.concatenate((x[1:], x[-1:])) - 2 * x

    lu, lv, norm = difference(u), difference(v), u * u + v * v
    return (
        u + p["d"] * (lu + p["a"] * lv) - norm * (u - p["b"] * v),
        v + p["d"] * (lv - p["a"] * lu) - norm * (p["b"] * u + v),
    )


def recomputed(file, steps=None):
    """Classical Runge-Kutta steps in double."""
    p = file["parameters"].attrs
    y = np.array([file["u0"][:], file["v0"][:]], dtype=np.float64)
    for _ in range(int(p["steps"]) if steps is None else steps):
        k1 = np.array(rate(*y, p))
        k2 = np.array(rate(*(y + p["dt"] / 2 * k1), p))
        k3 = np.array(rate(*(y + p["dt"] / 2 * k2), p))
        k4 = np.array(rate(*(y + p["dt"] * k3), p))
        y = y + p["dt"] / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("start", ["random", "wave"])
def test_equals_numpy(program, tmp_path, variant, precision, start):
    settings = ["n=333", "steps=50", "block=96", "d=0.8", "a=-0.6", "b=0.9", "dt=0.07", "seed=5"]
    file = solve(program, tmp_path, variant, *settings, f"precision={precision}", f"start={start}")
    y = recomputed(file)
    for name, expected in zip("uv", y, strict=True):
        assert file[name].shape == file[name + "0"].shape == (333,)
        assert file[name].dtype == (np.float32 if precision == "float" else np.float64)
        eps = np.finfo(file[name].dtype).eps
        assert np.abs(file[name][:] - expected).max() <= 200 * eps
        assert np.abs(file[name][:] - file[name + "0"][:]).max() > 0.1  # it did something


def test_defaults_and_every_parameter_as_an_attribute(program, tmp_path):
    p = solve(program, tmp_path, "cpu_openmp", "steps=3", "block=256")["parameters"].attrs
    wanted = {"n": 16384, "steps": 3, "dt": 0.1, "d": 1, "a": 1, "b": 0.5, "block": 256, "seed": 1}
    assert {key: p[key] for key in wanted} == wanted
    assert (p["precision"], p["start"], p["variant"]) == ("double", "random", "cpu_openmp")


def test_the_start_is_small_and_has_a_seed(program, tmp_path):
    fields = {}
    for seed in (1, 2):
        with solve(program, tmp_path, "cpu_serial", "n=1000", "steps=0", f"seed={seed}") as file:
            fields[seed] = np.array([file["u"][:], file["v0"][:]])
    assert 0.09 < np.abs(fields[1]).max() <= 0.1
    assert not np.array_equal(fields[1], fields[2])


def test_blocks_and_threads_do_not_change_the_answer(program, tmp_path):
    answers = []
    for variant, setting in [
        ("gpu_overlap8", "block=9"),
        ("gpu_overlap8", "block=1024"),
        ("gpu_relaunch", "block=1"),
        ("gpu_grid_barrier", "block=7"),
    ]:
        with solve(program, tmp_path, variant, "n=100", "steps=9", setting) as file:
            answers.append(file["u"][:])
    assert all(np.array_equal(answers[0], answer) for answer in answers)


def test_frames_show_the_amplitude_over_time(program, tmp_path):
    with solve(program, tmp_path, "cpu_openmp", "n=50", "steps=12", "frames=4") as file:
        assert file["amplitude"].shape == (5, 50)
        assert file["parameters"].attrs["frames"] == 4
        assert file["parameters"].attrs["frame_time"] == pytest.approx(0.3)
        for frame in range(5):
            u, v = recomputed(file, 3 * frame)
            assert np.abs(file["amplitude"][frame] - np.hypot(u, v)).max() < 1e-12
        last = np.hypot(file["u"][:], file["v"][:])
        assert np.array_equal(file["amplitude"][4], last)


@pytest.mark.parametrize(
    "settings, words",
    [
        (["block=8"], ["block", "above 8"]),
        (["block=1025"], ["block", "1024"]),
        (["n=1"], ["n=1", "between 2"]),
        (["dt=1"], ["dt 1", "unstable", "dt <= 0.4"]),
        (["d=40"], ["unstable"]),
        (["dt=0"], ["dt"]),
        (["a=inf"], ["a=inf"]),
        (["precision=half"], ["precision"]),
        (["start=here"], ["start"]),
        (["steps=7", "frames=2"], ["frames"]),
        (["tile=3"], ["tile", "block"]),
    ],
)
def test_bad_settings_are_refused_in_a_line(program, tmp_path, settings, words):
    line = complaint(solve.ask(program, tmp_path, "gpu_overlap8", *settings))
    assert all(word in line for word in words), line
    assert not (tmp_path / solve.file).exists()


def test_the_stable_dt_that_is_named_will_do(program, tmp_path):
    line = complaint(solve.ask(program, tmp_path, "cpu_serial", "n=64", "steps=2000", "dt=5"))
    stable = line.rsplit("<= ", 1)[1]
    with solve(program, tmp_path, "cpu_serial", "n=64", "steps=2000", f"dt={stable}") as file:
        assert np.abs(file["u"][:]).max() < 1.5


def test_keys_without_use_are_accepted_and_chaos_too(program, tmp_path):
    file = solve(program, tmp_path, "cpu_serial", "n=64", "steps=100", "block=8", "a=2", "b=3")
    assert np.isfinite(file["u"][:]).all()


@pytest.fixture
def fields(tmp_path):
    """Writes the input file: a random start, or what a test puts in the place of its halves."""
    rng = np.random.default_rng(4)
    good = {name: rng.uniform(-0.8, 0.8, 333).astype(np.float32) for name in ("u0", "v0")}
    return input_writer(tmp_path, good)


@pytest.mark.parametrize("variant", ["cpu_openmp", "gpu_overlap8_listing", "gpu_grid_barrier"])
@pytest.mark.parametrize("precision", ["float", "double"])
def test_input_from_h5py(program, tmp_path, fields, variant, precision):
    settings = ["steps=50", "block=96", "d=0.8", "a=-0.6", "b=0.9", "dt=0.07", f"precision={precision}"]
    file = solve(program, tmp_path, variant, *settings, start=fields())
    for name in ("u0", "v0"):
        assert np.array_equal(file[name][:], fields.good[name])
    for name, expected in zip("uv", recomputed(file), strict=True):
        assert np.abs(file[name][:] - expected).max() <= 200 * np.finfo(file[name].dtype).eps
    p = file["parameters"].attrs
    assert (p["n"], p["start"], p["input"]) == (333, "input", "my.h5")
    assert "seed" not in p


def test_input_of_other_types_and_a_run_goes_on_where_another_ended(program, tmp_path, fields):
    integers = {"u0": np.arange(20) % 3 - 1, "v0": np.ones(20, dtype=">f8")}
    file = solve(program, tmp_path, "cpu_serial", "steps=8", start=fields(**integers))
    whole = np.array([file["u"][:], file["v"][:]])
    assert np.array_equal(file["u0"][:], integers["u0"])
    assert np.abs(whole - recomputed(file)).max() < 1e-13
    file = solve(program, tmp_path, "cpu_serial", "steps=5", start=fields(**integers))
    half = {"u0": file["u"][:], "v0": file["v"][:]}
    file = solve(program, tmp_path, "cpu_serial", "steps=3", "n=20", start=fields(**half))
    assert np.array_equal(np.array([file["u"][:], file["v"][:]]), whole)


def test_bad_input_is_refused_in_a_line(program, tmp_path, fields):
    good = fields.good["u0"]
    nan = good.copy()
    nan[17] = np.nan
    cases = [
        ({"v0": None}, [], ["my.h5", "v0"]),
        ({"u0": None}, [], ["my.h5", "u0"]),
        ({"v0": good.reshape(3, 111)}, [], ["my.h5", "/v0", "2 dimensions"]),
        ({"u0": nan}, [], ["my.h5", "/u0", "[17]"]),
        ({"v0": good[:-1]}, [], ["my.h5", "/u0 is [333]", "/v0 [332]", "one size"]),
        ({"u0": good[:1], "v0": good[:1]}, [], ["my.h5", "[1]", "between 2"]),
        ({}, ["n=334"], ["--set n", "my.h5", "333 points"]),
        ({}, ["dt=1"], ["unstable", "dt <= 0.4"]),
        ({}, ["seed=3"], ["--set seed: has no meaning beside --input"]),
        ({}, ["start=wave"], ["--set start: has no meaning beside --input"]),
        ({"u0": good * 1e30}, [], ["range of double"]),
    ]
    for changes, settings, words in cases:
        done = solve.ask(program, tmp_path, "cpu_serial", "steps=9", *settings, start=fields(**changes))
        line = complaint(done)
        assert all(word in line for word in words), line
        assert not (tmp_path / solve.file).exists()
    assert "nowhere.h5" in complaint(
        solve.ask(program, tmp_path, "cpu_serial", start=["--input", "nowhere.h5"])
    )


def test_counts_are_counted_without_a_gpu(program):
    """Launches of a step, and how often blocks meet in a launch, by the host executor."""
    program(
        "run",
        "ginzburg_landau",
        "--filter",
        "16384/.*(launches|synchronisations|segments)$",
        "--out",
        program.out,
    )
    rows = json.loads((program.out / "ginzburg_landau.json").read_text())["rows"]
    found = {(row["variant"], row["quantity"]): row["median"] for row in rows}
    assert found == {
        ("gpu_overlap8_listing", "launches"): 1,
        ("gpu_overlap8", "launches"): 1,
        ("gpu_relaunch", "launches"): 4,
        ("gpu_grid_barrier", "launches"): 0.01,
        ("gpu_overlap8_listing", "synchronisations"): 1,
        ("gpu_relaunch", "synchronisations"): 1,
        ("gpu_grid_barrier", "synchronisations"): 400,
        ("gpu_overlap8_listing", "segments"): pytest.approx(1.5, abs=0.01),
    }
    assert {row["clock"] for row in rows} == {None}


def test_synchronisation_is_a_row_of_its_own(program):
    """Without a GPU it is skipped for the reason that its parts have."""
    program("run", "ginzburg_landau", "--filter", "gpu_.*/1024/double/block_128", "--out", program.out)
    rows = {r["name"]: r for r in json.loads((program.out / "ginzburg_landau.json").read_text())["rows"]}
    for variant in ("gpu_overlap8", "gpu_relaunch"):
        base = f"ginzburg_landau/{variant}/1024/double/block_128"
        cost = rows[f"{base}/synchronisation/stream"]
        assert f"{base}/synchronisation/graph" not in rows
        step, kernel = rows[f"{base}/step/stream"], rows[f"{base}/kernel/hot"]
        assert (cost["quantity"], cost["unit"], cost["clock"]) == ("synchronisation", "us", None)
        if step["median"] is None:
            assert (cost["status"], cost["reason"]) == (step["status"], step["reason"])
        else:
            apart = [s - k for s, k in zip(step["samples"], kernel["samples"], strict=False)]
            assert cost["samples"] == pytest.approx(apart)
