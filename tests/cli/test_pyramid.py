"""`solve pyramid`, recomputed by NumPy from what the file itself holds."""

import itertools
import json
import re
import statistics

import h5py
import numpy as np
import pytest
from conftest import REFERENCE, ROOT, complaint
from solving import Solving

GPU = [
    "gpu_cyclic_reduction",
    "gpu_cyclic_reduction_synchronous",
    "gpu_cyclic_reduction_one_layer",
    "gpu_local_inverse",
    "gpu_local_inverse_synchronous",
    "gpu_marching",
    "gpu_marching_8",
]
WHOLE = ["cpu_thomas", "cpu_openmp"]
STREAMED = ["cpu_pyramid", *GPU]


solve = Solving("pyramid")


def recomputed(file):
    """Implicit steps of the whole rod, each of its sines by its own exact factor."""
    p, u = file["parameters"].attrs, file["u0"][:].astype(np.float64)
    odd = np.concatenate(([0], u, [0], -u[::-1]))  # of period 2 (n + 1)
    half = np.pi * np.arange(len(odd)) / len(odd)
    factor = (1 + 4 * p["s"] * np.sin(half) ** 2) ** -float(p["steps"])
    return np.fft.ifft(factor * np.fft.fft(odd)).real[1 : len(u) + 1]


def error(file):
    return np.abs(file["u"][:] - recomputed(file)).max()


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", WHOLE + STREAMED)
def test_equals_numpy(program, tmp_path, variant, precision):
    settings = ["n=1501", "steps=24", "s=1.7", "height=8", "device_values=1300", "seed=5"]
    tolerance = {"float": 1e-3, "double": 1e-10}[precision]
    file = solve(program, tmp_path, variant, *settings, f"precision={precision}", f"tolerance={tolerance}")
    assert file["u"].shape == file["u0"].shape == (1501,)
    assert file["u"].dtype == (np.float32 if precision == "float" else np.float64)
    assert error(file) <= tolerance
    pieces = file["parameters"].attrs["pieces"]
    assert pieces == 1 if variant in WHOLE else pieces > 1
    assert np.abs(file["u"][:] - file["u0"][:]).max() > 0.1  # it did something


@pytest.mark.parametrize("variant", STREAMED)
@pytest.mark.parametrize("s", [0.1, 1, 10])
@pytest.mark.parametrize("height", [1, 16])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-11])
def test_keeps_the_tolerance(program, tmp_path, variant, s, height, tolerance):
    """With pieces that do not divide n, the last of them short."""
    values = 4000
    if variant.startswith("gpu_cyclic_reduction"):
        values = 2500 if variant == "gpu_cyclic_reduction" else 1500
    settings = [f"s={s}", f"height={height}", f"tolerance={tolerance}", "n=3001", "steps=32"]
    settings.append(f"device_values={values}")
    with solve(program, tmp_path, variant, *settings) as file:
        assert file["parameters"].attrs["pieces"] > 1
        assert file["parameters"].attrs["padding"] > 0
        assert error(file) <= tolerance


def test_a_budget_of_one_small_piece_will_do(program, tmp_path):
    """Pieces as long as their padding, the shortest that there can be."""
    line = complaint(solve.ask(program, tmp_path, "cpu_pyramid", "n=2000", "device_values=10", "steps=16"))
    least = line.rsplit("at least ", 1)[1].split()[0]
    with solve(program, tmp_path, "cpu_pyramid", "n=2000", f"device_values={least}", "steps=16") as file:
        p = file["parameters"].attrs
        assert p["pieces"] == -(-2000 // p["padding"]) or p["pieces"] > 20
        assert error(file) <= 1e-6


def padding(program, tmp_path, *settings):
    with solve(program, tmp_path, "cpu_pyramid", *settings) as file:
        return file["parameters"].attrs["padding"]


def test_padding_is_for_every_pass_and_leaves_room_for_rounding(program, tmp_path):
    line = complaint(solve.ask(program, tmp_path, "cpu_pyramid", "tolerance=1e-13"))  # 1 to 2 roundings
    assert "twice what rounding" in line
    assert padding(program, tmp_path, "steps=17", "s=100") == padding(program, tmp_path, "steps=32", "s=100")
    s, steps, tolerance, p = 100, 64, 7e-13, 1
    rate = 2 * s / (1 + 2 * s + (1 + 4 * s) ** 0.5)
    left = (tolerance - steps * (2 + 2 / (1 - rate)) * 2**-52) / steps
    while 2 * rate ** (p + 1) / (1 + rate) > left:
        p += 1
    settings = ["height=1", "s=100", "tolerance=7e-13", "device_values=20000"]
    assert padding(program, tmp_path, *settings) == p


def test_the_error_falls_with_the_padding(program, tmp_path):
    errors = []
    for padding in (4, 8, 16):
        settings = [f"padding={padding}", "n=2000", "steps=1", "height=1", "device_values=400"]
        with solve(program, tmp_path, "cpu_pyramid", *settings) as file:
            assert file["parameters"].attrs["padding"] == padding
            errors.append(error(file))
    rate = (3 - 5**0.5) / 2  # lambda for s = 1
    assert errors[1] / errors[0] == pytest.approx(rate**4, rel=0.7)
    assert errors[2] / errors[1] == pytest.approx(rate**8, rel=0.9)


@pytest.mark.parametrize("variant", ["cpu_openmp", "cpu_pyramid", "gpu_local_inverse"])
def test_a_sine_decays_by_its_exact_factor(program, tmp_path, variant):
    settings = ["start=sine", "n=500", "steps=40", "s=20", "device_values=3000", "tolerance=1e-11"]
    with solve(program, tmp_path, variant, *settings) as file:
        factor = (1 + 4 * 20 * np.sin(np.pi / (2 * 501)) ** 2) ** -40
        assert np.abs(file["u"][:] - factor * file["u0"][:]).max() < 1e-11


@pytest.mark.parametrize("steps, height", [(10, 4), (7, 7), (1, 1), (0, 1)])
def test_any_height_will_do(program, tmp_path, steps, height):
    """One that does not divide the steps, too."""
    settings = ["n=900", "device_values=400", f"steps={steps}", f"height={height}"]
    with solve(program, tmp_path, "gpu_local_inverse_synchronous", *settings) as file:
        assert file["parameters"].attrs["height"] == height
        assert error(file) <= 1e-6


def test_the_usual_height_is_at_most_the_steps(program, tmp_path):
    with solve(program, tmp_path, "cpu_pyramid", "steps=3") as file:
        assert file["parameters"].attrs["height"] == 3


def test_steps_are_at_least_a_pass_where_they_are_not_set(program, tmp_path):
    with solve(program, tmp_path, "cpu_pyramid", "height=100") as file:
        assert file["parameters"].attrs["steps"] == 100


@pytest.mark.parametrize("variant", STREAMED)
def test_chooses_a_height(program, tmp_path, variant):
    settings = ["height=auto", "n=3001", "steps=50", "device_values=2600", "precision=double"]
    done = solve.ask(program, tmp_path, variant, *settings)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.strip().splitlines()
    with h5py.File(tmp_path / solve.file) as file:
        p = file["parameters"].attrs
        assert p["chosen"] == "auto"
        assert 1 <= p["height"] <= 50
        assert error(file) <= 1e-6
        assert line.startswith(
            f"gridmark: height {p['height']} (padding {p['padding']}, {p['pieces']} pieces): "
        )
        # Transfers are made once a pass.
        assert p["bytes_up"] == -(-50 // p["height"]) * 3001 * 8
    assert "no ceilings say what it takes" in line
    assert ("no trial: the host executor gives no times" in line) == (variant != "cpu_pyramid")


def test_the_trial_decides(program, tmp_path):
    """On the CPU, which gives times: half and double of the height stand beside it."""
    done = solve.ask(program, tmp_path, "cpu_pyramid", "height=auto", "n=20000", "steps=64")
    found = re.findall(r"(\d+) ([\d.e+]+) (us|ms)", done.stderr.split("trial: ")[1])
    times = {int(height): float(time) * {"us": 1, "ms": 1e3}[unit] for height, time, unit in found}
    assert len(times) > 1
    with h5py.File(tmp_path / solve.file) as file:
        assert times[file["parameters"].attrs["height"]] == min(times.values())


def test_no_trial_takes_longer_than_half_of_all_steps(program, tmp_path):
    settings = ["height=auto", "n=3000000", "steps=120", "device_values=100000"]
    done = solve.ask(program, tmp_path, "cpu_pyramid", *settings)
    trial, whole = re.search(
        r"no trial: it would take (\S+) ms beside (\S+) ms for all", done.stderr
    ).groups()
    assert float(trial) > max(1e3, float(whole) / 2)


def test_a_run_chooses_a_height_and_measures_its_neighbours(program):
    axes = ["--axis", "height=auto", "--axis", "n=50000", "--axis", "budget_mib=0.125"]
    rows = rows_of(program, *axes, "--variant", "cpu_pyramid")
    chosen = {row["parameters"]["height"]: row["parameters"]["chosen"] for row in rows.values()}
    (height,) = (h for h, word in chosen.items() if word == "auto")
    assert chosen == {height: "auto", height // 2: "neighbour", 2 * height: "neighbour"}
    name = f"pyramid/cpu_pyramid/streamed/50000/float/s_1/0.125_MiB/least_padding/h_{height}/wall"
    assert rows[name]["median"] > 0
    again = program("run", "--row", name, "--from", program.out, "--out", program.out / "again")
    assert again.returncode == 0, again.stderr
    (row,) = json.loads((program.out / "again" / "pyramid.json").read_text())["rows"]
    assert row["name"] == name


def test_a_run_says_why_it_chose(program):
    done = program(
        "run",
        "pyramid",
        "--axis",
        "height=auto",
        "--axis",
        "n=50000",
        "--variant",
        "cpu_pyramid",
        "--out",
        program.out,
    )
    (line,) = (line for line in done.stdout.splitlines() if ": height " in line)
    assert re.search(
        r"/h_(\d+): height \1 \(padding \d+, \d+ pieces?\): a step of .* by this machine's ceilings", line
    )


@pytest.mark.parametrize("n", [1, 2, 3, 17])
@pytest.mark.parametrize("variant", WHOLE + STREAMED)
def test_short_rods(program, tmp_path, variant, n):
    with solve(program, tmp_path, variant, f"n={n}", "steps=5") as file:
        assert error(file) <= 1e-6


def test_defaults_and_every_parameter_as_an_attribute(program, tmp_path):
    p = solve(program, tmp_path, "cpu_pyramid")["parameters"].attrs
    wanted = {
        "n": 20000,
        "steps": 64,
        "s": 1,
        "height": 16,
        "device_values": 8192,
        "tolerance": 1e-6,
        "seed": 1,
    }
    assert {key: p[key] for key in wanted} == wanted
    assert (p["precision"], p["start"], p["variant"]) == ("double", "random", "cpu_pyramid")
    assert 20 < p["padding"] < 60
    assert p["pieces"] > 4


def test_the_start_has_a_seed(program, tmp_path):
    starts = []
    for seed in (1, 2):
        with solve(program, tmp_path, "cpu_thomas", "n=1000", "steps=0", f"seed={seed}") as file:
            assert np.array_equal(file["u"][:], file["u0"][:])
            starts.append(file["u0"][:])
    assert not np.array_equal(*starts)
    assert all(-1 <= start.min() < -0.99 and 0.99 < start.max() <= 1 for start in starts)


@pytest.mark.parametrize(
    "variant, settings, words",
    [
        ("gpu_local_inverse", ["device_values=100"], ["device_values 100", "hold no piece", "at least"]),
        ("gpu_local_inverse", ["padding=10000"], ["device_values 8192", "padding of 10000"]),
        ("cpu_pyramid", ["tolerance=1e-16"], ["tolerance", "1e-16", "rounding to double"]),
        (
            "cpu_pyramid",
            ["precision=float", "tolerance=1e-7"],
            ["tolerance", "rounding to float", "64 steps"],
        ),
        ("cpu_pyramid", ["tolerance=0"], ["tolerance"]),
        ("cpu_pyramid", ["tolerance=2"], ["tolerance", "at most at 1"]),
        ("cpu_thomas", ["s=0"], ["s must lie above 0"]),
        ("cpu_thomas", ["s=-1"], ["s must lie above 0"]),
        ("cpu_thomas", ["s=nan"], ["s=nan"]),
        ("cpu_thomas", ["a=0.2"], ["a, b", "one needs the other"]),
        ("cpu_thomas", ["b=0.6"], ["a, b", "one needs the other"]),
        ("cpu_thomas", ["a=0.2", "b=0.6", "s=1"], ["s", "a and b"]),
        ("gpu_local_inverse", ["s=1e6"], ["gpu_local_inverse", "points"]),
        (
            "cpu_pyramid",
            ["s=1e6", "height=1000000", "steps=1000000"],
            ["height", "spread", "device_values 8192"],
        ),
        ("gpu_cusparse", [], ["cuSPARSE", "host"]),
        ("cpu_thomas", ["n=0"], ["n=0"]),
        ("cpu_openmp", ["n=900000000000"], ["n", "GiB of host memory"]),
        ("cpu_pyramid", ["height=0"], ["height=0"]),
        ("cpu_pyramid", ["height=100", "steps=50"], ["height=100", "50 steps"]),
        ("cpu_pyramid", ["height=auto", "device_values=10"], ["device_values 10 hold no piece", "at least"]),
        ("cpu_pyramid", ["height=auto", "padding=9"], ["padding", "height=auto"]),
        ("cpu_pyramid", ["steps=-1"], ["steps=-1"]),
        ("cpu_pyramid", ["precision=half"], ["precision"]),
        ("cpu_pyramid", ["tile=3"], ["tile", "device_values"]),
    ],
)
def test_bad_settings_are_refused_in_a_line(program, tmp_path, variant, settings, words):
    line = complaint(solve.ask(program, tmp_path, variant, *settings))
    assert all(word in line for word in words), line
    assert not (tmp_path / solve.file).exists()


def rows_of(program, *words):
    done = program("run", "pyramid", *words, "--out", program.out)
    assert done.returncode == 0, done.stderr + done.stdout
    return {r["name"]: r for r in json.loads((program.out / "pyramid.json").read_text())["rows"]}


def test_errors_are_computed_where_there_is_no_gpu(program):
    rows = rows_of(program, "--filter", "/error/s_1/h_1/|/tolerance/s_1/h_1/")
    low, high = (rows[f"pyramid/cpu_pyramid/error/s_1/h_1/p_{p}"] for p in (8, 16))
    assert low["median"] / high["median"] == pytest.approx(2207, rel=0.01)
    assert low["status"] == "ok"
    asked, found = (rows[f"pyramid/cpu_pyramid/tolerance/s_1/h_1/1e-12/{x}"] for x in ("asked", "found"))
    assert asked["median"] == 1e-12 > found["median"] > 0


def test_device_memory_sets_the_budget(program):
    rows = rows_of(program, "--device-memory", "256K", "--filter", "cpu_pyramid/streamed/1048576/float")
    assert all(row["parameters"]["budget_mib"] == 0.25 for row in rows.values())
    timed = [row for row in rows.values() if row["quantity"] == "time"]
    assert len(timed) == 4
    for row in timed:
        assert row["median"] > 0
        assert row["iterations"] == row["parameters"]["height"]


def tabled(program, folder):
    """The derived values that `tables` adds to a folder, by name; and the folder's own rows."""
    path = ROOT / "results" / folder
    answer = json.loads(program("tables", "--json", "--machine", path).stdout)
    saved = json.loads((path / "pyramid.json").read_text())
    added = {row["name"]: row for row in answer["derived"] if row["experiment"] == "pyramid"}
    return added, {row["name"]: row for row in saved["rows"]}


def times_over_height(rows, parts):
    """{sweep: {height: time of a step}} of streamed rows."""
    found = {}
    for row in rows.values():
        match = re.fullmatch(rf"(.*{parts}.*)/h_(\d+)/(step/stream|wall)", row["name"])
        if match and row["quantity"] == "time" and "part" not in row["parameters"]:
            found.setdefault(match[1], {})[int(match[2])] = row["median"]
    return found


def by_process(row):
    """The medians of a row's processes."""
    ends = [0, *itertools.accumulate(row["process_samples"])]
    return [statistics.median(row["samples"][low:high]) for low, high in itertools.pairwise(ends)]


def shares(row, sweep):
    """A row's time of each process by the sweep's least: the median."""
    each = zip(by_process(row), *(by_process(one) for one in sweep), strict=True)
    return statistics.median(time / min(times) for time, *times in each)


def rows_over_height(rows, sweep):
    """{height: row} of a sweep."""
    found = (re.fullmatch(rf"{re.escape(sweep)}/h_(\d+)/(step/stream|wall)", name) for name in rows)
    return {int(match[1]): rows[match[0]] for match in found if match}


def test_a_set_of_before_gets_best_and_chosen_heights_for_its_tables(program):
    """Set beside what stands in the file, and beside the goal: within a tenth of the best in nine of ten."""
    added, rows = tabled(program, "repeats/nvidia-h200-three-cards")
    assert not added.keys() & rows.keys()
    # The set has sweeps that are no longer planned; tables are of those that are.
    measured, near = times_over_height(rows, "/streamed/"), 0
    sweeps = {sweep: times for sweep, times in measured.items() if f"{sweep}/best_height/ceilings" in added}
    assert len(sweeps) == 26
    for sweep, times in sweeps.items():
        best = min(times, key=times.get)
        # The paper's sweeps had their best height already.
        assert {**rows, **added}[f"{sweep}/best_height/measured"]["median"] == best
        assert added[f"{sweep}/step_at_height/measured"]["median"] == times[best]
        chosen = added[f"{sweep}/best_height/ceilings"]["median"]
        assert added[f"{sweep}/step_at_height/ceilings"]["median"] == times[chosen]
        cost = added[f"{sweep}/cost_of_choice/ceilings"]["median"]
        each = rows_over_height(rows, sweep)
        assert cost == pytest.approx(shares(each[chosen], each.values()))
        assert cost <= 1.3
        near += cost <= 1.1
    assert near >= 0.9 * len(sweeps)
    sweep = "pyramid/gpu_marching_8/streamed/67108864/float/s_1/64_MiB/least_padding"
    memory = rows["pyramid/gpu_marching_8/in_memory/67108864/float/step/stream"]
    share = added[f"{sweep}/of_in_memory"]
    assert share["median"] == pytest.approx(100 * shares(memory, rows_over_height(rows, sweep).values()))
    assert share["unit"] == "%"


def test_boxes_have_their_best_height_beside_memory(program, tmp_path):
    document = json.loads((REFERENCE / "pyramid.json").read_text())
    document["rows"] = [row for row in document["rows"] if row["quantity"] == "time"]
    (tmp_path / "pyramid.json").write_text(json.dumps(document))
    added, rows = tabled(program, tmp_path)
    measured = times_over_height(rows, "gpu_box_skewed/box/")
    sweeps = {sweep: times for sweep, times in measured.items() if f"{sweep}/best_height/measured" in added}
    assert len(sweeps) == 5
    for sweep, times in sweeps.items():
        assert added[f"{sweep}/best_height/measured"]["median"] == min(times, key=times.get)
        memory = rows[re.sub(r"_skewed|/\d+_MiB", "", sweep) + "/step/stream"]
        share = 100 * shares(memory, rows_over_height(rows, sweep).values())
        assert added[f"{sweep}/of_in_memory"]["median"] == pytest.approx(share)
