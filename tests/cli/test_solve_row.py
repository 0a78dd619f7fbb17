"""`solve --row`: what a row of a result file measured, computed once more."""

import json

import h5py
import pytest
from conftest import ROOT

from gridmark_plots.results import current_version

REFERENCE = ROOT / "results" / "nvidia-h200"

# Sizes at which a field is there in a second; all else is the row's.
SMALL = {
    "jacobi": ["nx=70", "ny=45", "iterations=9"],
    "ginzburg_landau": ["n=1100", "steps=5"],
    "heat": ["nx=19", "ny=18", "nz=17", "steps=3"],
    "pyramid": ["n=3000", "steps=4", "height=4", "padding=40"],
    "maxwell": ["nx=321", "ny=5", "nz=6", "steps=3"],
}


def rows(study):
    """One row of each variant and set of parameters other than sizes."""
    found = {}
    for row in current_version(json.loads((REFERENCE / f"{study}.json").read_text()))["rows"]:
        # cuSPARSE is not on the host.
        elsewhere = row["variant"].startswith("peer_") or "cusparse" in row["variant"]
        if elsewhere or row["median"] is None or not row["clock"]:
            continue
        sizes = {"n", "nx", "ny", "nz", "threads"}
        key = tuple(sorted((k, v) for k, v in row["parameters"].items() if k not in sizes))
        found.setdefault((row["variant"], key), row)
    return list(found.values())


def some(study):
    """Of each variant the first and the last of its rows."""
    by_variant = {}
    for row in rows(study):
        by_variant.setdefault(row["variant"], []).append(row)
    return [
        row for found in by_variant.values() for row in dict.fromkeys([found[0]["name"], found[-1]["name"]])
    ]


@pytest.mark.parametrize(("study", "name"), [(study, name) for study in SMALL for name in some(study)])
def test_a_row_is_solved(program, tmp_path, study, name):
    row = {row["name"]: row for row in rows(study)}[name]
    on_host = [] if row["variant"].startswith("cpu") else ["--on", "host"]
    if not on_host:  # an instruction set that this CPU lacks
        listed = json.loads(program("list", study, "--json").stdout)["experiments"][0]["variants"]
        lacks = {one["name"]: one["reason"] for one in listed if not one["available"]}
        if row["variant"] in lacks:
            pytest.skip(lacks[row["variant"]])
    field = tmp_path / "field.h5"
    done = program(
        "solve", study, "--row", name, "--from", REFERENCE, "--set", *SMALL[study], *on_host, "--out", field
    )
    assert done.returncode == 0, done.stderr
    with h5py.File(field) as file:
        said = dict(file["parameters"].attrs.items())
    assert said["variant"] == row["variant"]
    # How many pieces there are follows from the size.
    set_here = {word.split("=")[0] for word in SMALL[study]} | {"steps", "pieces"}
    same = {key for key in row["parameters"] if key in said} - set_here
    assert "precision" in same
    for key in same:
        assert said[key] == row["parameters"][key], key


def test_the_command_line_comes_before_the_row(program, tmp_path):
    name = "jacobi/gpu_shared/512x256/float/32x32/32x8/shared/kernel/hot"
    row = ["solve", "jacobi", "--row", name, "--from", REFERENCE, "--out", tmp_path / "x.h5"]
    assert (
        program(*row, "--variant", "cpu_naive", "--set", "precision=double", "nx=9", "ny=8").returncode == 0
    )
    with h5py.File(tmp_path / "x.h5") as file:
        said = dict(file["parameters"].attrs.items())
    assert (said["variant"], said["precision"], said["nx"]) == ("cpu_naive", "double", 9)
    assert (said["tile_y"], said["block_y"]) == (32, 8)


def test_what_is_no_row_is_refused_in_one_line(program, tmp_path):
    out = ["--out", tmp_path / "x.h5"]
    for words, why in (
        (["--row", "jacobi/none", "--from", REFERENCE], "has no such row"),
        (["--row", "jacobi/none", "--from", tmp_path / "none"], "no such folder"),
        ([], "--variant or --row"),
        (["--variant", "cpu_naive", "--set", "tile=16x4"], "32 points wide"),
        (["--variant", "cpu_naive", "--set", "tile=32x4", "tile_y=4"], "no meaning beside tile"),
        (["--variant", "cpu_naive", "--set", "carveout=half"], "must be one of"),
    ):
        done = program("solve", "jacobi", *words, *out)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert why in done.stderr
        assert not (tmp_path / "x.h5").exists()
