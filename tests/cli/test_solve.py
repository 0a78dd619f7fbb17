"""`solve`: jacobi recomputed by NumPy from what the file itself holds, and `--row`."""

import json

import h5py
import numpy as np
import pytest
from conftest import REFERENCE, complaint
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


# --- what a row of a result file measured, computed once more


# Sizes at which a field is there in a second; all else is the row's.
SMALL = {
    "jacobi": ["nx=70", "ny=45", "iterations=9"],
    "ginzburg_landau": ["n=1100", "steps=5"],
    "heat": ["nx=19", "ny=18", "nz=17", "steps=3"],
    "pyramid": ["n=3000", "steps=4", "height=4", "padding=40"],
    "maxwell": ["nx=321", "ny=5", "nz=6", "steps=3"],
}
SMALL_BOX = ["nx=30", "ny=31", "nz=40", "steps=4", "height=4"]
DOCUMENTS = {study: json.loads((REFERENCE / f"{study}.json").read_text()) for study in SMALL}
ROWS = {study: document["rows"] for study, document in DOCUMENTS.items()}


def rows(study):
    """One row of each variant and set of parameters other than sizes."""
    found = {}
    for row in ROWS[study]:
        # cuSPARSE is not on the host.
        elsewhere = row["variant"].startswith("peer_") or "cusparse" in row["variant"]
        if elsewhere or row["median"] is None or not row["clock"]:
            continue
        sizes = {"n", "nx", "ny", "nz", "threads"}
        key = tuple(sorted((k, v) for k, v in row["parameters"].items() if k not in sizes))
        found.setdefault((row["variant"], key), row)
    return list(found.values())


def some(study):
    """Of each variant the first and the last of its rows, by name."""
    by_variant = {}
    for row in rows(study):
        by_variant.setdefault(row["variant"], []).append(row)
    return {row["name"]: row for found in by_variant.values() for row in (found[0], found[-1])}


SOME = {study: some(study) for study in SMALL}


@pytest.fixture(scope="module")
def set_of_some(tmp_path_factory):
    """A folder of results that holds these rows alone: the whole files take the program long to read."""
    folder = tmp_path_factory.mktemp("some")
    for study, document in DOCUMENTS.items():
        kept = [row for row in ROWS[study] if row["name"] in SOME[study]]
        (folder / f"{study}.json").write_text(json.dumps(document | {"rows": kept}))
    return folder


def small(study, row):
    """SMALL, where the row has a height of its own or is a box of the pyramid."""
    if row["parameters"].get("dimensions") == 3:
        return SMALL_BOX
    streamed = study == "heat" and "height" in row["parameters"]
    return [*SMALL[study], *(["height=2"] if streamed else [])]


@pytest.mark.parametrize(("study", "name"), [(study, name) for study in SMALL for name in SOME[study]])
def test_a_row_is_solved(program, tmp_path, set_of_some, study, name):
    row = SOME[study][name]
    words = small(study, row)
    on_host = [] if row["variant"].startswith("cpu") else ["--on", "host"]
    if not on_host:  # an instruction set or a library that is not here
        listed = json.loads(program("list", study, "--json").stdout)["experiments"][0]["variants"]
        lacks = {one["name"]: one["reason"] for one in listed if not one["available"]}
        if row["variant"] in lacks:
            pytest.skip(lacks[row["variant"]])
    field = tmp_path / "field.h5"
    done = program(
        "solve", study, "--row", name, "--from", set_of_some, "--set", *words, *on_host, "--out", field
    )
    assert done.returncode == 0, done.stderr
    with h5py.File(field) as file:
        said = dict(file["parameters"].attrs.items())
    assert said["variant"] == row["variant"]
    # Pieces, their depth and their reach follow from size and steps.
    set_here = {word.split("=")[0] for word in words} | {"steps", "pieces", "slab_depth", "reach"}
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
