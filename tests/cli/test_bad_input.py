"""Bad input: one line that says what is wrong, exit code 2, nothing lost."""

import json
import os
import shutil

import pytest
from conftest import ROOT, complaint

SOLVE = ["solve", "jacobi", "--variant", "gpu_shared", "--on", "host"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["tile_y=7", "block_y=4"], "multiple"),
        (["block_y=2", "tile_y=4"], "at least 3"),
        (["tile_y=64"], "at most 32"),
        (["block_y=64", "tile_y=64"], "at most 32"),
        (["nx=2"], "between"),
        (["nx=100000", "ny=100000"], "2^31"),
        (["nx=ten"], "not a whole number"),
        (["nx=1e3"], "not a whole number"),
        (["residual=nan"], "finite"),
        (["residual=-1"], "negative"),
        (["precision=half"], "float"),
        (["colour=red"], "no such key"),
        (["nx"], "KEY=VALUE"),
    ],
)
def test_settings(program, tmp_path, settings, words):
    flags = [w for s in settings for w in ("--set", s)]
    assert words in complaint(program(*SOLVE, *flags, "--out", tmp_path / "f.h5"))
    assert not (tmp_path / "f.h5").exists()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ([], "subcommand"),
        (["run", "poisson"], "poisson: no such experiment"),
        (["list", "poisson"], "poisson: no such experiment"),
        (["solve", "poisson", "--variant", "x", "--out", "f.h5"], "poisson: no such experiment"),
        (["solve", "jacobi", "--variant", "gpu_magic", "--out", "f.h5"], "gpu_shared"),
        (["solve", "jacobi", "--variant", "cpu_naive"], "--out"),
        (["solve", "jacobi", "--variant", "cpu_naive", "--on", "gpu", "--out", "f.h5"], "CPU variant"),
        (["solve", "jacobi", "--variant", "cpu_naive", "--on", "moon", "--out", "f.h5"], "--on"),
        (["solve", "jacobi", "--variant", "cpu_naive", "--input", "i.h5", "--out", "f.h5"], "--input"),
        (["solve", "jacobi", "--variant", "cpu_naive", "--out", "/nonexistent/f.h5"], "/nonexistent/f.h5"),
        (["run", "--preset", "slow"], "quick, paper, full"),
        (["run", "--filter", "["], "regular expression"),
        (["run", "--filter", "(a)\\1"], "back-references"),
        (["run", "--filter", "a" * 601], "601 characters"),
        (["run", "--filter", os.fsdecode(b"\xff")], "UTF-8"),
        (["claims", "--machine", "a" * 5000], "File name too long"),
        (["_copy_input", "float", "i.h5", "o.h5", "t0:x"], "NAME:DIMENSIONS"),
        (["_copy_input", "float", "i.h5", "o.h5", "t0:99999999999"], "NAME:DIMENSIONS"),
        (["solve", "\x1b[31m" * 1000, "--variant", "x", "--out", "f.h5"], "?[31m"),
        (["run", "--device-memory", "much"], "8GiB"),
        (["run", "--threads", "-1"], "--threads"),
        (["run", "--timeout", "0"], "--timeout"),
        (["run", "--out", "/dev/null/x"], "/dev/null/x"),
        (["run", "--wings"], "--wings"),
        (["claims", "--machine", "/nonexistent"], "/nonexistent"),
        (["compare", "/nonexistent", "results/published/gtx-570"], "/nonexistent"),
        (["forecast"], "MACHINE is required"),
        (["forecast", "rtx-9999"], "neither a folder of results nor a file nor a delivered data sheet"),
        (["forecast", "a100-sxm4-80gb", "--base-sheet", "grace"], "is no GPU"),
        (["forecast", "a100-sxm4-80gb", "poisson"], "no row that the model can say anything of"),
    ],
)
def test_command_lines(program, command, words):
    assert words in complaint(program(*command))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "not valid JSON"),
        (lambda text: text.replace('"schema_version": 2', '"schema_version": 1'), "version 1 is no longer"),
        (lambda text: text.replace('"median": 41', '"median": "41"'), "median"),
        (lambda text: "[" * 100000, "jacobi.json"),
    ],
)
@pytest.mark.parametrize("command", ["claims", "tables", "compare"])
def test_damaged_result_files(program, tmp_path, change, words, command):
    good = ROOT / "results" / "published" / "gtx-570"
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "jacobi.json").write_text(change((good / "jacobi.json").read_text()))
    arguments = [good, bad] if command == "compare" else ["--machine", bad]
    line = complaint(program(command, *arguments))
    assert words in line
    assert "jacobi.json" in line


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda sheet: sheet.pop("ceilings"), "ceilings must be a list"),
        (lambda sheet: sheet["gpu"].pop("clock_mhz"), "clock_mhz must be a number above 0"),
        (lambda sheet: sheet["ceilings"][0].update(value=0), "value must be a number above 0"),
        (lambda sheet: sheet["ceilings"][0].pop("source"), "needs its source"),
        (lambda sheet: sheet["ceilings"][1].update(value=1), "which lies behind it"),
    ],
)
def test_a_data_sheet_that_makes_no_sense(program, tmp_path, change, words):
    sheet = {
        "machine": "My card",
        "kind": "gpu",
        "gpu": {"multiprocessors": 100, "clock_mhz": 1500, "l2_bytes": 50000000},
        "ceilings": [
            {"name": "gpu_memory_peak", "value": 2000, "unit": "GB/s", "source": "page 2"},
            {"name": "gpu_l2_bandwidth", "value": 5000, "unit": "GB/s", "source": "page 3"},
        ],
    }
    base = ["--base", ROOT / "results" / "repeats" / "nvidia-h200-model"]
    file = tmp_path / "card.json"
    file.write_text(json.dumps(sheet))
    said = program("forecast", file, "heat", "--json", *base)
    rows = json.loads(said.stdout)["rows"]
    assert {row["status"] for row in rows} == {"forecast"}
    assert all(row["measured_us"] is None for row in rows)
    assert all(row["interval_us"][0] < row["interval_us"][1] for row in rows)
    change(sheet)
    file.write_text(json.dumps(sheet))
    line = complaint(program("forecast", file, *base))
    assert words in line and str(file) in line


def test_an_empty_folder_of_results(program, tmp_path):
    assert "no result file" in complaint(program("claims", "--machine", tmp_path))


def test_list_has_the_form_of_the_contract(program):
    listed = json.loads(program("list", "--json").stdout)
    study = json.loads((ROOT / "experiments" / "jacobi" / "study.json").read_text())
    jacobi = next(e for e in listed["experiments"] if e["id"] == "jacobi")
    assert [c["id"] for c in jacobi["claims"]] == [c["id"] for c in study["claims"]]
    assert {v["name"] for v in jacobi["variants"]} == set(study["variants"])
    for variant in jacobi["variants"]:
        assert variant["kind"] in ("cpu", "cuda")
        assert variant["available"] is (variant["reason"] is None)


@pytest.mark.parametrize(
    ("study", "variant", "settings"),
    [
        ("jacobi", "cpu_naive", ["nx=46340", "ny=46340", "precision=double"]),
        ("ginzburg_landau", "cpu_openmp", ["n=536870912", "steps=0"]),
        ("ginzburg_landau", "cpu_openmp", ["n=1048576", "steps=100000", "frames=100000"]),
        ("heat", "cpu_naive", ["nx=1200", "ny=1200", "nz=1200"]),
        ("pyramid", "cpu_thomas", ["n=1099511627776"]),
        ("maxwell", "cpu_openmp", ["nx=1200", "ny=1200", "nz=1200"]),
    ],
)
@pytest.mark.skipif(
    os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 60e9,
    reason="this machine's memory holds some of it",
)
def test_what_the_memory_does_not_hold_is_not_attempted(program, tmp_path, study, variant, settings):
    flags = [w for s in settings for w in ("--set", s)]
    line = complaint(program("solve", study, "--variant", variant, *flags, "--out", tmp_path / "f.h5"))
    assert "GiB of host memory" in line
    assert not (tmp_path / "f.h5").exists()


def test_coefficients_without_a_stable_step(program, tmp_path):
    flags = ["--set", "b=-1e308", "--set", "a=0.5", "--set", "dt=1e-3", "--set", "n=64"]
    line = complaint(
        program("solve", "ginzburg_landau", "--variant", "cpu_openmp", *flags, "--out", tmp_path / "f.h5")
    )
    assert "no dt is stable" in line


def test_a_folder_whose_name_is_no_text(program, tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    shutil.copytree(os.fsencode(ROOT / "results" / "published" / "gtx-570"), folder)
    done = program("claims", "--machine", os.fsdecode(folder), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["directory"].endswith("\ufffd")
