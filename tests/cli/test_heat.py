"""`solve heat`, recomputed by NumPy from what the file itself holds, and its input from HDF5."""

import json

import h5py
import numpy as np
import pytest
from conftest import complaint, described
from solving import Solving, input_writer

DESCRIBED = described("heat")
STREAMED = ["gpu_pyramid", "gpu_skewed"]
CUDA = [name for name in DESCRIBED if name.startswith("gpu_") and name not in STREAMED]
CPU = [name for name in DESCRIBED if name.startswith("cpu_")]
SEVERAL_STEPS = [name for name, about in DESCRIBED.items() if "in one pass" in about]
SIZE = ["nx=21", "ny=19", "nz=23"]


def missing(program, variant):
    """Why a CPU version cannot run here."""
    listed = json.loads(program("list", "heat", "--json").stdout)["experiments"][0]["variants"]
    return next(v["reason"] for v in listed if v["name"] == variant and v["kind"] == "cpu")


solve = Solving("heat")


def recomputed(file):
    """The step of the thesis, signs mended, in double, two layers of the boundary around T; then dt times
    the source."""
    p = file["parameters"].attrs
    source = file["source"][:].astype(np.float64) if "source" in file else 0
    t, beta = (file[name][:].astype(np.float64) for name in ("t0", "beta"))
    nz, ny, nx = t.shape
    for _ in range(int(p["steps"])):
        padded = np.pad(t, 2, constant_values=p["boundary"])
        total = np.zeros_like(t)
        for axis, n in enumerate((nz, ny, nx)):
            for offset, weight in zip(range(5), (-1, 16, -30, 16, -1), strict=True):
                part = [slice(2, -2)] * 3
                part[axis] = slice(offset, offset + n)
                total += weight * padded[tuple(part)] / p[("dz", "dy", "dx")[axis]] ** 2
        t = t + beta * p["dt"] / 12 * total + p["dt"] * source
    return t


def bound(precision, steps):
    """Larger than the rounding of so many steps at beta dt / dx^2 <= 0.05 and 57 degrees."""
    return steps * 1.4 * 11.6 * 57 * np.finfo(np.float32 if precision == "float" else np.float64).eps


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", CPU + CUDA)
def test_equals_numpy(program, tmp_path, variant, precision):
    if variant in CPU and (why := missing(program, variant)):
        pytest.skip(why)
    file = solve(
        program, tmp_path, variant, *SIZE, "steps=7", "start=random", f"precision={precision}", "seed=5"
    )
    assert file["t"].shape == file["t0"].shape == file["beta"].shape == (23, 19, 21)
    assert file["t"].dtype == (np.float32 if precision == "float" else np.float64)
    assert np.abs(file["t"][:] - recomputed(file)).max() <= bound(precision, 7)
    assert np.abs(file["t"][:] - file["t0"][:]).max() > 1  # it did something


@pytest.mark.parametrize("variant", STREAMED)
@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("height, memory", [(1, 100_000), (3, 150_000), (7, "")])
def test_slabs_equal_numpy(program, tmp_path, variant, precision, height, memory):
    memory = [f"device_values={memory}"] if memory else []
    settings = ["nx=21", "ny=19", "nz=67", "steps=7", "start=random", f"height={height}", *memory]
    with solve(program, tmp_path, variant, *settings, f"precision={precision}") as file:
        assert np.abs(file["t"][:] - recomputed(file)).max() <= bound(precision, 7)
        assert np.abs(file["t"][:] - file["t0"][:]).max() > 1
        p = file["parameters"].attrs
        assert p["height"] == height and p["pieces"] == -(-67 // p["slab_depth"]) >= 3
        passes = -(-7 // height)
        width = 4 if precision == "float" else 8
        row = {"float": 32 + 32, "double": 16 + 32}[precision]  # filler, the points, to a line
        plane = row * (19 + 4)
        assert p["bytes_down"] == passes * 67 * plane * width
        if variant == "gpu_skewed":
            assert p["bytes_up"] == passes * 67 * (plane + 21 * 19) * width
        else:
            twice = 4 * (p["pieces"] - 1) * 7  # layers of all passes, of h steps each or fewer
            assert p["bytes_up"] <= (passes * 67 + twice) * (plane + 21 * 19) * width
            assert p["bytes_up"] > passes * 67 * (plane + 21 * 19) * width


@pytest.mark.parametrize("variant", STREAMED)
def test_slabs_that_cannot_be_are_refused(program, tmp_path, variant):
    for settings, words in [
        (["device_values=9000"], ["device_values 9000 hold no slab", "2 steps need at least"]),
        (["height=3"], ["height=3", "more than the 2 steps"]),
        (["height=0"], ["height=0"]),
        (["budget_mib=-1"], ["budget_mib=-1"]),
        (["budget_mib=1", "device_values=90000"], ["device_values", "budget_mib"]),
    ]:
        line = complaint(solve.ask(program, tmp_path, variant, *SIZE, "steps=2", *settings))
        assert all(word in line for word in words), line


@pytest.mark.parametrize("variant", ["cpu_naive", "cpu_sse", "cpu_march", "cpu_wavefront", *CUDA, *STREAMED])
def test_three_spacings(program, tmp_path, variant):
    spacings = ["dx=1e-3", "dy=2e-3", "dz=0.7e-3"]
    file = solve(program, tmp_path, variant, *SIZE, "steps=4", "start=random", *spacings)
    assert [file["parameters"].attrs[k] for k in ("dx", "dy", "dz")] == [1e-3, 2e-3, 0.7e-3]
    assert np.abs(file["t"][:] - recomputed(file)).max() <= bound("float", 4)
    assert np.abs(file["t"][:] - file["t0"][:]).max() > 1


def test_dx_stands_for_spacings_that_are_not_given(program, tmp_path):
    p = solve(program, tmp_path, "cpu_naive", *SIZE, "steps=1", "dx=2e-3", "dz=3e-3")["parameters"].attrs
    assert [p[k] for k in ("dx", "dy", "dz")] == [2e-3, 2e-3, 3e-3]


ABLATIONS = {
    "gpu_four_cubes": ["shared_row_36"],
    "gpu_no_shared": ["block_rows_2", "block_rows_4", "block_rows_16", "block_rows_32", "carveout_shared"],
    "gpu_generated_borders": ["carveout_shared"],
}


def test_ablations_and_cubes_do_not_change_the_answer(program, tmp_path):
    settings = [*SIZE, "steps=3", "start=random"]
    plain = solve(program, tmp_path, "cpu_sse", *settings)["t"][:]
    for variant, words in ABLATIONS.items():
        for word in words:
            file = solve(program, tmp_path, variant, *settings, f"ablation={word}")
            assert np.array_equal(plain, file["t"][:]), word
            assert file["parameters"].attrs["ablation"] == word
    for blocks in ("l3_l1", "l3_l2"):
        for variant in ("cpu_blocked", "cpu_sse"):
            assert np.array_equal(
                plain, solve(program, tmp_path, variant, *settings, f"blocks={blocks}")["t"][:]
            )


def test_words_that_a_variant_does_not_know_are_refused(program, tmp_path):
    for variant, setting, words in [
        ("gpu_no_shared", "ablation=shared_row_36", ["ablation", "block_rows_16", "none"]),
        ("gpu_naive", "ablation=carveout_shared", ["ablation", "none"]),
        ("cpu_sse", "blocks=l2", ["blocks", "caches, l3_l1, l3_l2"]),
        ("cpu_sse", "dy=0", ["dx, dy and dz must be positive"]),
        ("cpu_sse", "dz=-1", ["dx, dy and dz must be positive"]),
    ]:
        line = complaint(solve.ask(program, tmp_path, variant, *SIZE, setting))
        assert all(word in line for word in words), line


def test_every_parameter_is_an_attribute(program, tmp_path):
    p = solve(program, tmp_path, "cpu_naive", *SIZE, "steps=3", "dt=0.5", "boundary=30")["parameters"].attrs
    assert {"dx", "precision", "seed", "start", "variant"} <= set(p)
    assert [p[k] for k in ("nx", "ny", "nz", "steps", "dt", "boundary")] == [21, 19, 23, 3, 0.5, 30]


def test_the_phantom_has_a_hot_spot_and_a_seed(program, tmp_path):
    fields = {}
    for seed in (1, 2):
        with solve(
            program, tmp_path, "cpu_sse", "nx=40", "ny=40", "nz=40", "steps=0", f"seed={seed}"
        ) as file:
            fields[seed] = file["t"][:], file["beta"][:]
    assert 60 < fields[1][0].max() <= 63
    assert abs(np.median(fields[1][0]) - 37) < 0.1
    assert not np.array_equal(fields[1][1], fields[2][1])


def test_blocks_threads_and_the_path_of_beta_do_not_change_the_answer(program, tmp_path):
    settings = [*SIZE, "steps=5", "start=random"]
    plain = solve(program, tmp_path, "cpu_sse", *settings)["t"][:]
    blocks = ["outer=16x7x9", "inner=16x3x4", "streaming=yes"]
    other = solve(program, tmp_path, "cpu_sse", *settings, *blocks, start=["--threads", "3"])["t"][:]
    assert np.array_equal(plain, other)
    for variant, tile in (("cpu_march", "16x3x4"), ("cpu_wavefront", "16x1x2"), ("cpu_wavefront", "500x5x8")):
        waves = solve(program, tmp_path, variant, *settings, f"tile={tile}", start=["--threads", "3"])["t"][:]
        assert np.abs(waves - plain).max() <= bound("float", 5)
    for path in ("texture", "load"):
        assert np.array_equal(
            plain, solve(program, tmp_path, "gpu_no_shared", *settings, f"beta={path}")["t"][:]
        )


def test_every_variant_states_its_operations(program):
    """The number that the operations test counts."""
    listed = json.loads(program("list", "heat", "--json").stdout)["experiments"][0]["variants"]
    assert [v["name"] for v in listed] == CPU + CUDA + STREAMED
    assert {"cpu_wavefront", "gpu_blocked_2", "gpu_blocked_3"} <= set(SEVERAL_STEPS)
    one_step = [v["about"] for v in listed if v["name"] in SINGLE_STEPS]
    assert len(one_step) >= 13
    assert all(about.endswith("; 29 operations a point") for about in one_step)


@pytest.fixture
def fields(tmp_path):
    """Writes the input file: two random fields of one shape, or what a test puts in their place."""
    rng = np.random.default_rng(4)
    shape = (7, 9, 11)
    good = {
        "t0": rng.uniform(20, 50, shape).astype(np.float32),
        "beta": rng.uniform(1e-7, 2e-7, shape).astype(np.float32),
    }
    return input_writer(tmp_path, good)


@pytest.mark.parametrize("variant", ["cpu_sse", "gpu_generated_borders"])
@pytest.mark.parametrize("precision", ["float", "double"])
def test_input_from_h5py(program, tmp_path, fields, variant, precision):
    settings = ["steps=20", "dt=0.3", f"precision={precision}"]
    file = solve(program, tmp_path, variant, *settings, start=fields())
    for name in ("t0", "beta"):
        assert np.array_equal(file[name][:], fields.good[name])
    assert np.abs(file["t"][:] - recomputed(file)).max() <= bound(precision, 20)
    assert file["parameters"].attrs["input"] == "my.h5"


SINGLE_STEPS = [v for v in CPU + CUDA if v not in SEVERAL_STEPS]


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", SINGLE_STEPS)
def test_a_source_of_heat(program, tmp_path, fields, variant, precision):
    if variant in CPU and (why := missing(program, variant)):
        pytest.skip(why)
    source = np.random.default_rng(5).uniform(-1, 4, fields.good["t0"].shape)
    settings = ["steps=5", "dt=0.3", "dy=2e-3", f"precision={precision}"]
    file = solve(program, tmp_path, variant, *settings, start=fields(source=source))
    assert np.abs(file["source"][:] - source).max() < 1e-6
    expected = recomputed(file)
    assert np.abs(file["t"][:] - expected).max() <= bound(precision, 5)
    without = solve(program, tmp_path, variant, *settings, start=fields())
    assert "source" not in without
    assert np.abs(without["t"][:] - expected).max() > 1


@pytest.mark.parametrize("variant", SEVERAL_STEPS + STREAMED)
def test_a_source_has_no_place_within_a_pass(program, tmp_path, fields, variant):
    done = solve.ask(program, tmp_path, variant, "steps=1", start=fields(source=fields.good["t0"]))
    line = complaint(done)
    assert "my.h5: /source" in line and f"{variant} makes" in line and "in one pass" in line


def test_input_of_another_type_and_layout(program, tmp_path, fields):
    with h5py.File(tmp_path / "my.h5", "w") as file:
        file.create_dataset(
            "t0", data=np.arange(5 * 6 * 7).reshape(5, 6, 7) % 30 + 20, chunks=True, compression=4
        )
        file.create_dataset("beta", data=fields.good["beta"][:5, :6, :7].astype(">f8"))
    file = solve(
        program, tmp_path, "cpu_naive", "steps=3", "precision=double", start=["--input", tmp_path / "my.h5"]
    )
    assert file["t"].shape == (5, 6, 7)
    assert np.abs(file["t"][:] - recomputed(file)).max() <= bound("double", 3)


def test_bad_input_is_refused_in_a_line(program, tmp_path, fields):
    nan = fields.good["beta"].copy()
    nan[2, 3, 4] = np.nan
    negative = fields.good["beta"].copy()
    negative[1, 0, 5] = -1e-7
    cases = [
        ({"beta": None}, [], ["my.h5", "beta"]),
        ({"t0": None}, [], ["my.h5", "t0"]),
        ({"beta": fields.good["beta"][0]}, [], ["my.h5", "/beta", "2 dimensions"]),
        ({"beta": nan}, [], ["my.h5", "/beta", "[2,3,4]"]),
        ({"t0": nan * 1e7}, [], ["my.h5", "/t0"]),
        ({"beta": fields.good["beta"][:, :, :10]}, [], ["my.h5", "[7,9,11]", "[7,9,10]"]),
        ({"beta": negative}, [], ["my.h5", "negative", "[1,0,5]"]),
        ({"source": nan}, [], ["my.h5", "/source", "[2,3,4]"]),
        ({"source": fields.good["t0"][:, :, :10]}, [], ["my.h5", "/source", "[7,9,10]"]),
        ({"source": fields.good["t0"][0]}, [], ["my.h5", "/source", "2 dimensions"]),
        ({}, ["dt=0.5", "dz=1e-4"], ["unstable", "mean of the axes"]),
        ({}, ["dt=1"], ["unstable", "0.125", "dt <= 0.6"]),
        ({}, ["dx=1e-5"], ["unstable"]),
        ({}, ["nx=12"], ["nx", "11 x 9 x 7"]),
        ({}, ["ny=8"], ["ny", "11 x 9 x 7"]),
        ({}, ["nz=11"], ["nz", "11 x 9 x 7"]),
        ({}, ["dt=0"], ["dt"]),
        ({}, ["dt=nan"], ["dt"]),
        ({}, ["seed=3"], ["--set seed: has no meaning beside --input"]),
        ({}, ["start=random"], ["--set start: has no meaning beside --input"]),
    ]
    for changes, settings, words in cases:
        done = solve.ask(program, tmp_path, "cpu_sse", "steps=2", *settings, start=fields(**changes))
        line = complaint(done)
        assert all(word in line for word in words), line
        assert not (tmp_path / solve.file).exists()
    assert "nowhere.h5" in complaint(solve.ask(program, tmp_path, "cpu_sse", start=["--input", "nowhere.h5"]))


def test_unstable_steps_of_the_phantom_are_refused(program, tmp_path):
    assert "unstable" in complaint(solve.ask(program, tmp_path, "cpu_naive", *SIZE, "dt=2"))


def test_a_temperature_that_overflows_is_refused(program, tmp_path, fields):
    done = solve.ask(program, tmp_path, "cpu_naive", "dt=0.5", start=fields(t0=np.full((7, 9, 11), 3e38)))
    assert "range of float" in complaint(done)


@pytest.mark.parametrize(
    "blocks",
    [
        "5x5",
        "5",
        "0x1x1",
        "5x5x0",
        "1xx2x3",
        "1x2x3x",
        "1x2x3x4",
        "ax1x1",
        "2x3x99999999999",
        "16x16x2147483647",
        "-1x2x3",
        "",
    ],
)
def test_impossible_blocks_are_refused(program, tmp_path, blocks):
    assert "64x20x64" in complaint(solve.ask(program, tmp_path, "cpu_wavefront", *SIZE, f"tile={blocks}"))
    assert "64x20x64" in complaint(solve.ask(program, tmp_path, "cpu_sse", *SIZE, f"inner={blocks}"))
    assert "64x20x64" in complaint(
        program("run", "heat", "--set", f"outer={blocks}", "--out", tmp_path / "r")
    )


def test_a_run_takes_other_blocks_and_starts_over_for_them(program, tmp_path):
    """What was measured with other blocks must not be continued."""
    out = tmp_path / "r"
    seen = []
    for inner in ("16x2x16", "16x4x8"):
        done = program(
            "run", "heat", "--filter", "cpu_sse/32.*float/one", "--set", f"inner={inner}", "--out", out
        )
        assert done.returncode == 0, done.stderr
        rows = json.loads((out / "heat.json").read_text())["rows"]
        seen += [(row["parameters"]["inner"], row["status"]) for row in rows]
    assert seen == [("16x2x16", "estimate"), ("16x4x8", "estimate")]
    assert "no such key" in complaint(program("run", "heat", "--set", "blocks=1", "--out", out))
    assert "no such key" in complaint(program("run", "jacobi", "--set", "inner=1x1x1", "--out", out))
    assert "name the one" in complaint(program("run", "--set", "inner=1x1x1", "--out", out))
