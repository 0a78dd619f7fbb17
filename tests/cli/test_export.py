"""`gridmark export`: what other programs read of a result set."""

import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BINARY, REFERENCE, ROOT, complaint
from faulty import LIBRARY, walk
from jsonschema import Draft7Validator

FORMATS = ["csv", "googlebenchmark", "bencher", "github-action-benchmark"]
COMPARE = Path("/usr/share/benchmark/compare.py")
IDENTITY = {
    "gpu_uuid": "GPU-0a1b2c3d-1111-2222-3333-444455556666",
    "serial": "1654922006536",
    "host_name": "node-17.cluster.example",
}


def row(name, **changes):
    """A row of a result file: 9 samples of 2 processes, or what is changed."""
    samples = changes.get("samples", [2.345678, 2.5, 2.25, 2.375, 2.125, 2.75, 2.625, 3.0, 2.0])
    return {
        "name": name,
        "iterations": 28,
        "experiment": "jacobi",
        "variant": "gpu_rows",
        "parameters": {"nx": 512, "precision": "float", "repeated": True},
        "quantity": "time",
        "unit": "us",
        "clock": "kernel",
        "samples": samples,
        "process_samples": [4, 5] if len(samples) == 9 else [len(samples)],
        "median": sorted(samples)[len(samples) // 2],
        "interval": [min(samples), max(samples)],
        "status": "ok",
        "reason": None,
        "verification": None,
        "bytes": None,
        "flops": None,
        "limit": None,
        "counters": None,
        **changes,
    }


def without_samples(name, median, **changes):
    return row(name, samples=[0.0], **changes) | {"samples": [], "process_samples": [], "median": median}


ROWS = [
    row("jacobi/gpu_rows/512"),
    row('jacobi/"odd", name/512', status="estimate", reason="a debug build", samples=[4.0, 4.5, 5.0]),
    without_samples(
        "jacobi/skipped", None, status="skipped", interval=None, reason='needs "8 GiB",\nfree are 4'
    ),
    without_samples(
        "jacobi/hits",
        97.5,
        quantity="l1_hit_rate",
        unit="%",
        clock=None,
        interval=None,
        parameters={"s": 1.5},
    ),
    without_samples("jacobi/published", 3.0, unit="ms", clock="step", interval=None),
]


def save(folder, rows=ROWS, name="jacobi", **gpu):
    """A result file of these rows; `gpu` is added to what its context says of the GPU."""
    folder.mkdir(exist_ok=True)
    document = json.loads((ROOT / "results" / "repeats" / "nvidia-h200-paper" / "heat.json").read_text())
    document["context"] |= {"experiment": name, "resume_key": "none"}
    document["context"]["gpu"] |= gpu
    rows = [{k: v for k, v in r.items() if (k, v) != ("process_samples", [])} for r in rows]
    (folder / f"{name}.json").write_text(json.dumps(document | {"rows": rows}))
    return folder


@pytest.fixture
def mine(tmp_path):
    return save(tmp_path / "mine")


def exported(program, folder, form, *words):
    done = program("export", folder, "--format", form, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def json_without_nan(text):
    """The document; NaN and Infinity, which Python's reader knows, are refused."""
    return json.loads(text, parse_constant=lambda word: pytest.fail(word))


def test_csv_has_a_line_a_sample(program, mine):
    lines = list(csv.DictReader(io.StringIO(exported(program, mine, "csv"), newline="")))
    for original in ROWS:
        own = [line for line in lines if line["name"] == original["name"]]
        for key in ("experiment", "variant", "quantity", "unit", "status"):
            assert {line[key] for line in own} == {original[key]}
        for key in ("clock", "reason"):
            assert {line[key] for line in own} == {original[key] or ""}
        values = [line["value"] for line in own]
        if original["samples"]:
            assert [float(value) for value in values] == original["samples"]
            places = [(n, i) for n, count in enumerate(original["process_samples"]) for i in range(count)]
            assert [(int(line["process"]), int(line["sample"])) for line in own] == places
        else:
            assert values == ["" if original["median"] is None else f"{original['median']:g}"]
            assert [(line["process"], line["sample"]) for line in own] == [("", "")]
    first, hits = lines[0], next(line for line in lines if line["name"] == "jacobi/hits")
    assert (first["parameter_nx"], first["parameter_precision"]) == ("512", "float")
    assert (first["parameter_repeated"], first["parameter_s"]) == ("true", "")
    assert (hits["parameter_nx"], hits["parameter_s"]) == ("", "1.5")
    assert len(lines) == 9 + 3 + 1 + 1 + 1


def test_google_benchmark_has_a_repetition_a_sample(program, mine):
    """Google Benchmark 1.7's own rules for its JSON."""
    document = json_without_nan(exported(program, mine, "googlebenchmark"))
    assert document["context"]["executable"] == "gridmark"
    assert document["context"]["library_build_type"] == "release"
    assert isinstance(document["context"]["num_cpus"], int)
    repetitions = {}
    for entry in document["benchmarks"]:
        assert entry["time_unit"] == "ns"
        assert entry["cpu_time"] == entry["real_time"] > 0
        assert (entry["per_family_instance_index"], entry["threads"]) == (0, 1)
        if entry["run_type"] == "iteration":
            assert entry["name"] == entry["run_name"]
            assert entry["iterations"] == 28
            repetitions.setdefault(entry["name"], []).append(entry)
    times = {"jacobi/gpu_rows/512": 1e3, 'jacobi/"odd", name/512': 1e3, "jacobi/published": 1e6}
    assert list(repetitions) == list(times)
    for family, (name, entries) in enumerate(repetitions.items()):
        original = next(r for r in ROWS if r["name"] == name)
        samples = original["samples"] or [original["median"]]
        assert [e["repetition_index"] for e in entries] == list(range(len(samples)))
        assert {e["repetitions"] for e in entries} == {len(samples)}
        assert {e["family_index"] for e in entries} == {family}
        assert [e["real_time"] for e in entries] == [round(s * times[name], 6) for s in samples]
    medians = [e for e in document["benchmarks"] if e["run_type"] == "aggregate"]
    assert [(e["name"], e["aggregate_name"], e["real_time"]) for e in medians] == [
        ("jacobi/gpu_rows/512_median", "median", 2375.0),
        ('jacobi/"odd", name/512_median', "median", 4500.0),
    ]
    assert medians[1]["label"] == "kernel clock, estimate: a debug build"


def python_with_scipy():
    """A Python that has what compare.py imports; GRIDMARK_SCIPY_PYTHON may name one."""
    for python in (os.environ.get("GRIDMARK_SCIPY_PYTHON"), sys.executable, "/usr/bin/python3"):
        if (
            python
            and not subprocess.run([python, "-c", "import scipy.stats"], capture_output=True).returncode
        ):
            return python
    return None


def test_googles_compare_runs_its_u_test(program, tmp_path):
    python = python_with_scipy()
    if not COMPARE.exists() or python is None:
        pytest.skip("no compare.py that runs: apt-get install libbenchmark-tools python3-scipy")
    slower = [row("jacobi/gpu_rows/512", samples=[10 * s for s in ROWS[0]["samples"]]), *ROWS[1:]]
    for name, rows in (("old", ROWS), ("new", slower)):
        save(tmp_path / name, rows)
        exported(program, tmp_path / name, "googlebenchmark", "--out", tmp_path / f"{name}.json")
    words = [tmp_path / "old.json", tmp_path / "new.json"]
    dumped = tmp_path / "report.json"
    command = [python, COMPARE, "--no-color", "--dump_to_json", dumped, "benchmarks", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "U Test, Repetitions: 9 vs 9" in done.stdout
    report = {entry["name"]: entry for entry in json.loads(dumped.read_text())}
    assert report["jacobi/gpu_rows/512"]["utest"]["time_pvalue"] < 0.001
    assert report["jacobi/gpu_rows/512_median"]["measurements"][0]["time"] == pytest.approx(9)
    assert report['jacobi/"odd", name/512']["utest"]["time_pvalue"] > 0.5
    assert math.isfinite(report["OVERALL_GEOMEAN"]["measurements"][0]["time"])


# https://bencher.dev/docs/reference/bencher-metric-format: names to measures to metrics.
NUMBER = {"type": "number"}
METRIC = {
    "type": "object",
    "required": ["value"],
    "properties": {"value": NUMBER, "lower_value": NUMBER, "upper_value": NUMBER},
    "additionalProperties": False,
}
BENCHER = {
    "type": "object",
    "additionalProperties": {"type": "object", "minProperties": 1, "additionalProperties": METRIC},
}


def test_bencher_has_bounds(program, mine):
    document = json_without_nan(exported(program, mine, "bencher"))
    Draft7Validator(BENCHER).validate(document)
    assert document == {
        "jacobi/gpu_rows/512": {"latency": {"value": 2375.0, "lower_value": 2000.0, "upper_value": 3000.0}},
        'jacobi/"odd", name/512': {
            "latency": {"value": 4500.0, "lower_value": 4000.0, "upper_value": 5000.0}
        },
        "jacobi/hits": {"l1_hit_rate (%)": {"value": 97.5}},
        "jacobi/published": {"latency": {"value": 3000000.0}},
    }


def test_github_action_benchmark_takes_times_alone(program, mine):
    done = program("export", mine, "--format", "github-action-benchmark")
    points = json_without_nan(done.stdout)
    assert [(p["name"], p["unit"], p["value"], p.get("range")) for p in points] == [
        ("jacobi/gpu_rows/512", "us", 2.375, "± 0.625"),
        ('jacobi/"odd", name/512', "us", 4.5, "± 0.5"),
        ("jacobi/published", "ms", 3.0, None),
    ]
    assert points[0]["extra"] == "kernel clock\n90 % interval [2, 3] us\n9 samples, 2 processes"
    assert points[1]["extra"].endswith("\nestimate: a debug build")
    assert all(set(p) <= {"name", "unit", "value", "range", "extra"} for p in points)
    assert done.stderr.splitlines() == [
        "1 rows left out: skipped or failed, without a number",
        "1 rows left out: github-action-benchmark takes times alone",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_the_committed_sets_leave_whole(program, form):
    text = exported(program, REFERENCE, form)
    rows = []
    for path in REFERENCE.glob("*.json"):
        rows += json.loads(path.read_text())["rows"]
    times = {r["name"] for r in rows if r["median"] is not None and r["quantity"] == "time"}
    if form == "csv":
        assert text.count("\n") == 1 + sum(max(1, len(r["samples"])) for r in rows)
    elif form == "googlebenchmark":
        entries = json_without_nan(text)["benchmarks"]
        assert {e["run_name"] for e in entries} == times
    elif form == "bencher":
        assert set(json_without_nan(text)) == {r["name"] for r in rows if r["median"] is not None}
    else:
        assert {p["name"] for p in json_without_nan(text)} == times


@pytest.mark.parametrize("form", FORMATS)
def test_anonymous_leaves_out_host_uuid_and_serial(program, tmp_path, form):
    told = " and ".join(IDENTITY.values())
    rows = [
        row("jacobi/a", status="estimate", reason=f"measured on {told}"),
        row(f"jacobi/{IDENTITY['serial']}", parameters={"where": told, IDENTITY["host_name"]: 1}),
    ]
    gpu = {
        "uuid": IDENTITY["gpu_uuid"],
        "board": {"serial": IDENTITY["serial"]},
        "host": IDENTITY["host_name"],
    }
    folder = save(tmp_path / "mine", rows, **gpu)
    if form in ("csv", "googlebenchmark", "github-action-benchmark"):
        assert IDENTITY["gpu_uuid"] in exported(program, folder, form)
    text = exported(program, folder, form, "--anonymous")
    assert [value for value in IDENTITY.values() if value in text] == []
    assert "jacobi/a" in text


def test_a_time_in_a_unit_of_its_own_is_no_time_of_theirs(program, mine):
    save(mine, [row("jacobi/a", unit="ticks"), row("jacobi/b")])
    entries = json.loads(exported(program, mine, "googlebenchmark"))["benchmarks"]
    assert {entry["run_name"] for entry in entries} == {"jacobi/b"}
    metrics = json.loads(exported(program, mine, "bencher"))
    assert metrics["jacobi/a"] == {"time (ticks)": {"value": 2.375, "lower_value": 2.0, "upper_value": 3.0}}


def test_anonymous_keeps_a_study_that_is_called_as_the_host_is(program, tmp_path):
    folder = save(tmp_path / "mine", host="jacobi")
    assert "jacobi/gpu_rows/512" in exported(program, folder, "csv", "--anonymous")


def test_out_is_what_standard_output_would_be(program, mine, tmp_path):
    for form in FORMATS:
        said = exported(program, mine, form, "--out", tmp_path / "file")
        assert said == ""
        assert (tmp_path / "file").read_text() == exported(program, mine, form, "--out", "-")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "xml"], ", ".join(FORMATS)),
        ([], "--format"),
        (["--format", "csv", "--out", "{mine}/jacobi.json"], "jacobi.json: files of that ending"),
        (["--format", "csv", "--out", "{mine}"], "is no file"),
        (["--format", "csv", "--out", "{mine}/../pipe"], "is no file"),
        (["--format", "csv", "--out", "{mine}/none/x.csv"], "folder does not exist"),
    ],
)
def test_bad_words_are_one_line(program, mine, words, said):
    before = (mine / "jacobi.json").read_bytes()
    os.mkfifo(mine.parent / "pipe")  # as a device is: a file renamed over it would put it out of the world
    assert said in complaint(program("export", mine, *[word.format(mine=mine) for word in words]))
    assert [path.name for path in mine.iterdir()] == ["jacobi.json"]
    assert (mine / "jacobi.json").read_bytes() == before
    assert (mine.parent / "pipe").is_fifo()


@pytest.mark.parametrize("form", FORMATS)
def test_broken_folders_are_one_line(program, tmp_path, mine, form):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no result file" in complaint(program("export", empty, "--format", form))
    assert "/none" in complaint(program("export", "/none", "--format", form))
    save(mine, [ROWS[0] | {"experiment": "heat"}], "heat")
    assert "two rows are called jacobi/gpu_rows/512" in complaint(program("export", mine, "--format", form))
    (mine / "heat.json").write_text("{")
    assert "heat.json" in complaint(program("export", mine, "--format", form))
    (mine / "heat.json").unlink()
    save(mine, [])
    assert f"nothing that {form} has a place for" in complaint(program("export", mine, "--format", form))


@pytest.mark.parametrize("form", ["googlebenchmark", "bencher"])
def test_a_time_beyond_all_numbers_is_refused(program, mine, form):
    save(mine, [row("jacobi/slow", unit="s", samples=[1e300] * 9)])
    assert "jacobi/slow: 1e+300 s is too large" in complaint(program("export", mine, "--format", form))


def test_what_bencher_cannot_name_is_refused(program, mine):
    save(mine, [row("jacobi/" + "a" * 1018)])
    assert "Bencher takes 1024" in complaint(program("export", mine, "--format", "bencher"))
    save(mine, [row("jacobi/a", quantity="a" * 60)])
    assert "Bencher takes 64" in complaint(program("export", mine, "--format", "bencher"))


def test_a_full_disk_leaves_no_half_file(mine, tmp_path):
    """Before each single operation on the file: open, write, fsync, rename, close; open, fsync, close of the
    folder."""
    settings = {"IN": "export", "DO": 28}

    def at(n):
        folder = tmp_path / str(n)
        folder.mkdir()
        out = folder / "mine.csv"
        out.write_text("old")
        env = os.environ | {"LD_PRELOAD": str(LIBRARY)}
        env |= {f"GRIDMARK_FAULT_{key}": str(settings[key]) for key in settings}
        env |= {"GRIDMARK_FAULT_FOLDER": str(folder), "GRIDMARK_FAULT_AT": str(n)}
        command = [BINARY, "export", mine, "--format", "csv", "--out", out]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert [path.name for path in folder.iterdir()] == ["mine.csv"]
        if done.returncode == 0:
            return True
        line = complaint(done, code=1)
        assert str(out) in line and "No space left on device" in line
        assert out.read_text() == "old" if n <= 4 else out.read_text().endswith("\n")
        return False

    assert walk(at) == 7  # that the folder cannot be closed harms nothing


def test_full_standard_output_is_an_error(mine):
    with Path("/dev/full").open("w") as full:
        command = [BINARY, "export", mine, "--format", "csv"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert "standard output: No space left on device" in complaint(done, code=1)


def test_exporting_changes_no_result(program, mine, tmp_path):
    shutil.copytree(mine, tmp_path / "before")
    exported(program, mine, "csv", "--out", mine / "samples.csv")
    (mine / "samples.csv").unlink()
    assert (mine / "jacobi.json").read_bytes() == (tmp_path / "before" / "jacobi.json").read_bytes()
    assert [path.name for path in mine.iterdir()] == ["jacobi.json"]
