"""`solve maxwell`, recomputed by NumPy from what the file itself holds, and its input from HDF5."""

import json
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BINARY, complaint
from maxwell_scheme import expect_recomputed
from solving import Solving

STREAMED = ["gpu_streamed_pageable", "gpu_streamed", "gpu_streamed_overlapped"]
SKEWED = ["gpu_streamed_skewed", "gpu_streamed_skewed_indexed"]
CHOICES = ["gpu_in_core_concurrent", "gpu_in_core_host_faces", "gpu_in_core_lookup"]
IN_MEMORY = ["gpu_in_core", *CHOICES, "gpu_in_core_fused", "gpu_single_pass", "gpu_single_pass_indexed"]
CUDA = [*IN_MEMORY, *STREAMED, *SKEWED]
CPU = ["cpu_openmp", "cpu_plain", "cpu_plain_lookup"]
SIZE = ["nx=13", "ny=11", "nz=19"]


solve = Solving("maxwell")


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", [*CPU, *CUDA])
def test_equals_numpy(program, tmp_path, variant, precision):
    case = "sphere" if "skewed_indexed" in variant else "random"
    settings = [*SIZE, "steps=45", f"case={case}", "seed=4", "amplitude_y=0.7", "wavelength=9", "moments=3"]
    with solve(program, tmp_path, variant, *settings, f"precision={precision}") as file:
        assert file["ex"].shape == (14, 12, 20)
        assert file["ex"].dtype == (np.float32 if precision == "float" else np.float64)
        scheme = expect_recomputed(file)
        assert np.abs(scheme.e[0]).max() > 0.5
        assert np.abs(scheme.e[2]).max() > 0.05  # the body scatters
        assert list(file["moments/step"]) == [15, 30, 45]
        np.testing.assert_allclose(file["points/ct"][:], (np.arange(45) + 1) * scheme.dct)
        assert ("slab_depth" in scheme.p) == ("streamed" in variant)


WAVES = {
    "frequencies": ["amplitude_y=0.7", "wavelength=9", "wavelength_y=6.5"],
    "pulses": ["amplitude_y=-1", "pulse=14", "pulse_x=5", "wavelength_x=4"],
    "lightning": ["waveform=lightning", "rise=2", "fall=20", "fall_y=9", "amplitude_y=0.5"],
    "one of each": ["waveform_y=lightning", "amplitude_y=0.8", "rise=1.5", "wavelength=7"],
}


@pytest.mark.parametrize("wave", WAVES)
@pytest.mark.parametrize("variant", ["cpu_openmp", "gpu_in_core", "gpu_single_pass", "gpu_streamed_skewed"])
def test_each_direction_has_its_own_wave(program, tmp_path, variant, wave):
    settings = [*SIZE, "steps=45", "case=sphere", "precision=double", *WAVES[wave]]
    with solve(program, tmp_path, variant, *settings) as file:
        scheme = expect_recomputed(file)
        assert np.abs(scheme.e[0]).max() > 0.1 and np.abs(scheme.e[1]).max() > 0.1
        for name in ("wavelength", "pulse"):
            assert (f"{name}_x" in scheme.p) == (wave != "lightning")


BAD_WAVES = [
    (["waveform=square"], "--set waveform=square: must be one of lightning, sine"),
    (["rise=2"], "--set rise: has no meaning beside a waveform of sine"),
    (["fall_x=2", "waveform_y=lightning"], "--set fall_x: has no meaning beside a waveform of sine"),
    (["waveform=lightning", "pulse=3"], "--set pulse: has no meaning beside a waveform of lightning"),
    (
        ["waveform_y=lightning", "wavelength_y=3"],
        "--set wavelength_y: has no meaning beside a waveform of lightning",
    ),
    (["waveform=lightning", "rise=80"], "--set rise: 80 must be less than fall, which is 80"),
    (["waveform=lightning", "rise_x=0"], "--set rise_x: must be above 0"),
    (["wavelength_y=-1"], "--set wavelength_y: must be above 0"),
    (["pulse_y=-1"], "--set pulse_y: its length must not be below 0"),
]


@pytest.mark.parametrize("settings, says", BAD_WAVES, ids=[" ".join(words) for words, _ in BAD_WAVES])
def test_bad_waves(program, tmp_path, settings, says):
    assert says in complaint(solve.ask(program, tmp_path, "cpu_openmp", *SIZE, *settings))


@pytest.mark.parametrize("variant, by", [("gpu_in_core", STREAMED[0]), ("gpu_in_core_fused", STREAMED[2])])
def test_the_memory_decides_where_the_grid_goes(program, tmp_path, variant, by):
    settings = [*SIZE, "steps=12"]
    answers = []
    for words, streamed_by in (
        ([], None),
        (["placement=memory"], None),
        (["placement=auto"], None),
        (["placement=auto", "device_values=100000"], None),
        (["placement=auto", "device_values=50000"], by),
        (["placement=auto", "device_values=50000", "precision=float"], by),
        (["placement=slabs"], by),
        (["placement=slabs", "slab_depth=3"], by),
    ):
        with solve(program, tmp_path, variant, *settings, *words) as file:
            at = file["parameters"].attrs
            assert at.get("streamed_by") == streamed_by and at["variant"] == variant
            assert ("slab_depth" in at) == (streamed_by is not None)
            answers.append(file["ey"][:])
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


def test_a_grid_by_index_is_placed_by_what_its_index_takes(program, tmp_path):
    size = ["nx=70", "ny=6", "nz=7", "steps=3", "case=slab"]
    for values, streamed_by in (("10000000", None), ("170000", "gpu_streamed_skewed_indexed")):
        words = ("placement=auto", f"device_values={values}")
        with solve(program, tmp_path, "gpu_single_pass_indexed", *size, *words) as file:
            assert file["parameters"].attrs.get("streamed_by") == streamed_by


BAD_PLACES = [
    ("cpu_openmp", ["placement=auto"], "placement: has no meaning beside --variant cpu_openmp"),
    ("gpu_streamed", ["placement=auto"], "placement: has no meaning beside --variant gpu_streamed"),
    (
        "gpu_in_core_lookup",
        ["placement=slabs"],
        "has no meaning beside --variant gpu_in_core_lookup",
    ),
    ("gpu_in_core", ["placement=disk"], "--set placement=disk: must be one of auto, memory, slabs"),
    ("gpu_in_core", ["slab_depth=2"], "slab_depth: has no meaning beside placement=memory"),
    (
        "gpu_in_core_fused",
        ["row_alignment=4"],
        "has no meaning beside --variant gpu_in_core_fused",
    ),
    ("gpu_streamed", ["row_alignment=4"], "row_alignment: has no meaning beside a grid that is streamed"),
    ("cpu_plain", ["row_alignment=4"], "row_alignment: has no meaning beside --variant cpu_plain"),
]


@pytest.mark.parametrize("variant, words, says", BAD_PLACES, ids=[f"{v} {w[0]}" for v, w, _ in BAD_PLACES])
def test_bad_places(program, tmp_path, variant, words, says):
    assert says in complaint(solve.ask(program, tmp_path, variant, *SIZE, *words))


@pytest.mark.parametrize("variant", ["gpu_in_core", "gpu_in_core_concurrent", "gpu_in_core_host_faces"])
def test_rows_of_any_alignment(program, tmp_path, variant):
    fields = []
    for words in ([], ["row_alignment=1"], ["row_alignment=32"]):
        with solve(program, tmp_path, variant, *SIZE, "steps=12", *words) as file:
            fields.append(file["hx"][:])
    assert np.abs(fields[0]).max() > 0 and all(np.array_equal(field, fields[0]) for field in fields)


@pytest.mark.parametrize("case", ["empty", "slab", "sphere", "aircraft"])
def test_built_in_cases(program, tmp_path, case):
    size = ["nx=31", "ny=29", "nz=37"]
    with solve(program, tmp_path, "cpu_openmp", *size, "steps=70", f"case={case}", "pulse=8") as file:
        expect_recomputed(file)
        assert (file["eps_x"][:].max() > 1 or file["sigma_x"][:].max() > 0) == (case != "empty")


@pytest.mark.parametrize("variant", STREAMED)
def test_a_budget_makes_the_slabs(program, tmp_path, variant):
    line = complaint(solve.ask(program, tmp_path, variant, *SIZE, "device_values=100"))
    assert "cannot hold slabs of one plane" in line
    least = line.rsplit("need ", 1)[1].split()[0]
    whole = {}
    for values in (least, int(least) * 3, 10**8):
        with solve(program, tmp_path, variant, *SIZE, "steps=30", f"device_values={values}") as file:
            depth = file["parameters"].attrs["slab_depth"]
            assert depth == 1 if values == least else depth > 1
            whole[depth] = file["ex"][:]
    assert max(whole) == 13
    assert all(np.array_equal(field, whole[13]) for field in whole.values())


@pytest.mark.parametrize("variant", SKEWED)
def test_a_budget_makes_the_passes(program, tmp_path, variant):
    line = complaint(solve.ask(program, tmp_path, variant, *SIZE, "device_values=100"))
    assert "cannot hold a window of 6 planes" in line
    # in bytes, of floats of 4
    least = -(-int(line.rsplit("needs ", 1)[1].split()[0]) // 4)
    assert "--set device_values" in complaint(
        solve.ask(program, tmp_path, variant, *SIZE, f"device_values={least - 1}")
    )
    whole = {}
    for values in (least, least * 2, 10**8):
        with solve(program, tmp_path, variant, *SIZE, "steps=30", f"device_values={values}") as file:
            at = file["parameters"].attrs
            whole[at["slab_depth"], at["steps_per_pass"]] = file["ex"][:]
    assert min(whole) == (1, 2) and len(whole) == 3
    assert all(np.array_equal(field, whole[1, 2]) for field in whole.values())


@pytest.mark.parametrize("variant", STREAMED)
def test_a_slab_depth_that_is_set(program, tmp_path, variant):
    whole = {}
    for depth in (1, 5, 13):
        with solve(program, tmp_path, variant, *SIZE, "steps=9", f"slab_depth={depth}") as file:
            assert file["parameters"].attrs["slab_depth"] == depth
            whole[depth] = file["hy"][:]
    assert all(np.array_equal(field, whole[1]) for field in whole.values())
    for wrong, says in (("slab_depth=0", "between 1 and 13"), ("slab_depth=14", "between 1 and 13")):
        assert says in complaint(solve.ask(program, tmp_path, variant, *SIZE, wrong))
    both = complaint(solve.ask(program, tmp_path, variant, *SIZE, "slab_depth=2", "device_values=99999"))
    assert "device_values: has no meaning beside slab_depth" in both


@pytest.mark.parametrize("variant", SKEWED)
def test_steps_per_pass_that_are_set(program, tmp_path, variant):
    size = ["nx=70", "ny=6", "nz=7", "steps=7"]
    whole = {}
    for depth, steps in ((1, 1), (1, 6), (8, 2), (16, 4)):
        chosen = (f"slab_depth={depth}", f"steps_per_pass={steps}")
        with solve(program, tmp_path, variant, *size, *chosen) as file:
            at = file["parameters"].attrs
            assert (at["slab_depth"], at["steps_per_pass"]) == (depth, steps)
            whole[chosen] = file["ez"][:]
    first, *others = whole.values()
    assert np.abs(first).max() > 0 and all(np.array_equal(field, first) for field in others)
    for wrong, says in (
        (("slab_depth=1", "steps_per_pass=3"), "even or one"),
        (("slab_depth=30", "steps_per_pass=2"), "need 123 planes, the grid has 71"),
    ):
        assert says in complaint(solve.ask(program, tmp_path, variant, *size, *wrong))


def write_input(path, **changes):
    """An uneven grid of two materials in vacuum; a change to None leaves a dataset out."""
    rng = np.random.default_rng(5)
    data = {axis: np.cumsum(rng.uniform(0.7, 1.3, n)) for axis, n in zip("xyz", (9, 7, 11), strict=True)}
    data["cells"] = rng.integers(0, 3, (8, 6, 10)).astype(np.uint8)
    data["layers"] = np.array([[1, 1, 0], [2.5, 1.2, 0.1], [4, 1, 0]])
    data["points"] = np.array([[data["x"][2] + 0.1, data["y"][3] - 0.1, data["z"][4]], [-50, 50, 3]])
    data["moments"] = np.array([4.0, 1.0])
    data.update(changes)
    with h5py.File(path, "w") as file:
        for name, values in data.items():
            if values is not None:
                file[name] = values
    return data


@pytest.mark.parametrize("variant", ["cpu_openmp", "gpu_in_core_fused", "gpu_streamed_overlapped"])
def test_input_file(program, tmp_path, variant):
    data = write_input(tmp_path / "in.h5")
    settings = ["steps=30", "wavelength=7", "dt=0.2", "precision=double"]
    with solve(program, tmp_path, variant, *settings, start=("--input", tmp_path / "in.h5")) as file:
        expect_recomputed(file)
        for axis in "xyz":
            np.testing.assert_array_equal(file[axis][:], data[axis])
        assert file["points/index"][:].tolist()[0] == [2, 3, 4]
        assert file["points/index"][:].tolist()[1][:2] == [0, 6]
        assert list(file["moments/step"]) == [5, 20]
        eps = data["layers"][data["cells"]][..., 0]
        np.testing.assert_allclose(file["eps_z"][0, 0, 1:-1], eps[0, 0], rtol=1e-12)


def test_input_without_points_and_moments(program, tmp_path):
    write_input(tmp_path / "in.h5", points=None, moments=None)
    with solve(program, tmp_path, "cpu_openmp", "steps=9", start=("--input", tmp_path / "in.h5")) as file:
        assert "points" not in file and "moments" not in file
        expect_recomputed(file)


BAD_INPUT = [
    ({"x": np.array([0.0, 1.0, 1.0])}, "x[2] is not greater than the node before it"),
    ({"z": np.array([1.0])}, "z has fewer than 2 nodes"),
    ({"y": None}, "/y"),
    ({"cells": np.full((8, 6, 10), 3)}, "cell 0 is of material 3, which is no layer (there are 3)"),
    ({"cells": np.full((8, 6, 10), -1)}, "no number of a layer"),
    ({"cells": np.full((8, 6, 10), 0.5)}, "no number of a layer"),
    ({"cells": np.zeros((8, 6, 9))}, "/cells is [8,6,9]; between the nodes there are [8,6,10] cells"),
    ({"layers": np.array([[np.nan, 1, 0]] * 3)}, "layers"),
    ({"layers": np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0]])}, "layer 1: eps must be a positive number"),
    (
        {"layers": np.array([[1, 1, 0], [1, 1, -0.1], [1, 1, 0]])},
        "layer 1: sigma must be a number not below 0",
    ),
    ({"layers": np.ones((3, 4))}, "/layers is [3,4]; its rows must have 3 values"),
    ({"points": np.ones((3, 2))}, "/points is [3,2]"),
    ({"moments": np.array([1e6])}, "/moments: c t = 1e+06 does not lie in the 30 steps"),
]


@pytest.mark.parametrize("changes, says", BAD_INPUT, ids=[says[:30] for _, says in BAD_INPUT])
def test_bad_input_file(program, tmp_path, changes, says):
    write_input(tmp_path / "in.h5", **changes)
    line = complaint(
        solve.ask(program, tmp_path, "cpu_openmp", "steps=30", start=("--input", tmp_path / "in.h5"))
    )
    assert "in.h5" in line and says in line
    assert not (tmp_path / solve.file).exists() and not (tmp_path / f"{solve.file}.partial").exists()


BAD_SETTINGS = [
    ("dt=0.4", "unstable; with its boundaries the scheme allows c dt up to 0.375278, 0.65 of Yee's limit"),
    ("dt=0", "c dt must be above 0"),
    ("dt=nan", "dt"),
    ("nx=1", "nx"),
    ("nz=1000000", "need"),
    ("case=ufo", "case"),
    ("wavelength=0", "wavelength"),
    ("pulse=-1", "pulse"),
    ("steps=-1", "steps"),
    ("seeds=1", "seeds"),
]


@pytest.mark.parametrize("setting, says", BAD_SETTINGS, ids=[setting for setting, _ in BAD_SETTINGS])
def test_bad_settings(program, tmp_path, setting, says):
    assert says in complaint(solve.ask(program, tmp_path, "cpu_openmp", setting))


def test_sizes_beside_a_file_must_be_its_own(program, tmp_path):
    write_input(tmp_path / "in.h5")
    start = ("--input", tmp_path / "in.h5")
    assert "has 9 nodes there" in complaint(solve.ask(program, tmp_path, "cpu_openmp", "nx=8", start=start))
    solve(program, tmp_path, "cpu_openmp", "nx=9", "steps=20", start=start)


@pytest.mark.parametrize("setting", ["case=slab", "seed=2", "moments=3"])
def test_what_the_file_tells_is_not_set(program, tmp_path, setting):
    write_input(tmp_path / "in.h5")
    line = complaint(
        solve.ask(program, tmp_path, "cpu_openmp", setting, start=("--input", tmp_path / "in.h5"))
    )
    assert f"--set {setting.split('=')[0]}: has no meaning beside --input" in line


def test_run_skips_streamed_rows_whose_budget_holds_no_layer(program, tmp_path):
    words = ["--preset", "quick", "--device-memory", "1K", "--filter", "gpu_streamed/", "--out", tmp_path]
    assert program("run", "maxwell", *words).returncode == 0
    rows = json.loads((tmp_path / "maxwell.json").read_text())["rows"]
    assert rows
    for row in rows:
        assert row["status"] == "skipped" and "cannot hold slabs of one plane" in row["reason"]


def test_records_survive_a_kill(tmp_path):
    """What was recorded can be read while the solve runs, and after it was killed."""
    out, partial = tmp_path / solve.file, tmp_path / f"{solve.file}.partial"
    words = ["solve", "maxwell", "--variant", "cpu_openmp", "--threads", "1", "--out", str(out)]
    settings = ["nx=9", "ny=9", "nz=9", "steps=2000000", "wavelength=5"]
    running = subprocess.Popen([str(BINARY), *words, *(w for s in settings for w in ("--set", s))])

    def recorded():
        try:
            with h5py.File(partial) as file:
                return int(np.isfinite(file["points/ct"][:]).sum())
        except (OSError, KeyError):  # not there yet
            return 0

    try:
        until = time.monotonic() + 60
        while recorded() < 10 and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        running.kill()
        running.wait()
    count = recorded()
    assert 10 <= count < 2000000
    assert not out.exists()
    with h5py.File(partial) as file:
        ct = file["points/ct"][:count]
        np.testing.assert_allclose(ct, ct[0] * (np.arange(count) + 1), rtol=1e-12)
        assert np.isfinite(file["points/ex"][: count - 1]).all()
        assert np.isnan(file["points/ex"][-1]).all()
        assert np.abs(file["points/ex"][: count - 1]).max() > 0
