"""`run --axis`, `--row`, `--dry-run`: sizes of the user's own, measured, drawn, run again and solved."""

import json
import os
import re
import subprocess
import sys

import h5py
import jsonschema
import pytest
from conftest import REFERENCE, ROOT, SHARED, Program, complaint

AXES = ["--axis", "nx=64,130", "--axis", "ny=45", "--variant", "cpu_naive,cpu_openmp,gpu_rows"]
NAIVE = "jacobi/cpu_naive/130x45/float/one_thread/wall"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A run of two sizes of three variants."""
    program = Program(tmp_path_factory.mktemp("own"))
    program.done = program("run", "jacobi", SHARED, *AXES, "--out", program.out)
    return program


def test_every_combination_has_a_verified_number_or_a_reason(own):
    assert own.done.returncode == 0, own.done.stderr
    document = json.loads(own.file.read_text())
    jsonschema.validate(document, json.loads((ROOT / "harness" / "result.schema.json").read_text()))
    assert document["context"]["complete"] is True
    assert document["context"]["axes"] == {
        "axes": [{"key": "nx", "values": ["64", "130"]}, {"key": "ny", "values": ["45"]}],
        "variants": ["cpu_naive", "cpu_openmp", "gpu_rows"],
    }
    rows = own.rows()
    for nx in (64, 130):
        for variant in ("cpu_naive", "cpu_openmp"):
            (row,) = [r for r in rows.values() if r["variant"] == variant and r["parameters"]["nx"] == nx]
            assert row["parameters"]["ny"] == 45
            assert row["status"] == "estimate"
            assert len(row["samples"]) >= 9
            assert row["verification"]["error"] <= row["verification"]["tolerance"]
            assert row["limit"] is not None
        assert f"jacobi/gpu_rows/{nx}x45/float/32x4/32x4/l1/kernel/hot" in rows
    # The summary tells each number, and no verdict: none is about these sizes.
    assert f"\n{NAIVE}: " in own.done.stdout
    assert "NOT RUN" not in own.done.stdout


def page_of(results, out):
    """The page of a run of own sizes."""
    done = subprocess.run(
        [sys.executable, "-m", "gridmark_plots", "own", str(results), "--out", str(out)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "plots")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return (out / "index.html").read_text().replace("<wbr>", "")


def test_a_graph_shows_each_line_over_the_axis(own, tmp_path):
    page = page_of(own.out, tmp_path)
    assert (tmp_path / "figures" / "jacobi-nx-wall.svg").exists()
    assert "cpu_naive" in page
    assert "cpu_openmp" in page
    assert ">64<" in page
    assert ">130<" in page


def test_one_size_is_a_page_with_a_table(own, program, tmp_path):
    one = ["--axis", "nx=64", "--axis", "ny=64", "--variant", "cpu_naive"]
    assert program("run", "jacobi", SHARED, *one, "--out", program.out).returncode == 0
    page = page_of(program.out, tmp_path / "one")
    (name,) = program.rows()
    assert f">{name}<" in page
    assert not list(tmp_path.glob("one/figures/*"))
    # A size that is left over beside graphs of others is in a table, too.
    more = Program(tmp_path / "more")
    both = ["--axis", "nx=64,128", "--axis", "ny=64", "--variant", "cpu_naive,gpu_rows"]
    assert more("run", "jacobi", SHARED, *both, "--out", more.out).returncode == 0
    assert "Not measured" in page_of(more.out, tmp_path / "both")


def test_a_row_of_a_file_is_measured_again_and_solved(own, tmp_path):
    again = Program(tmp_path)
    done = again("run", "--row", NAIVE, "--from", own.out, "--out", again.out)
    assert done.returncode == 0, done.stderr
    assert list(again.rows()) == [NAIVE]
    assert again.rows()[NAIVE]["median"] > 0
    field = tmp_path / "psi.h5"
    done = again(
        "solve", "jacobi", "--row", NAIVE, "--from", own.out, "--set", "iterations=3", "--out", field
    )
    assert done.returncode == 0, done.stderr
    with h5py.File(field) as file:
        assert file["psi"].shape == (45, 130)


def test_a_difference_is_measured_by_what_it_is_made_of(program):
    point = "ginzburg_landau/gpu_relaunch/16384/double/block_128"
    done = program("run", "--row", f"{point}/synchronisation/stream", "--dry-run")
    assert done.returncode == 0, done.stderr
    for name in (f"{point}/synchronisation/stream", f"{point}/step/stream", f"{point}/kernel/hot"):
        assert name in done.stdout
    assert "of 3 rows" in done.stdout


def test_a_dry_run_tells_rows_memory_and_time_and_writes_nothing(program):
    done = program(
        "run", "heat", "--axis", "n=48", "--axis", "precision=double", "--dry-run", "--out", program.out
    )
    assert done.returncode == 0, done.stderr
    assert "heat/cpu_naive/48x48x48/double/all_threads/wall" in done.stdout
    assert "GiB of the host" in done.stdout
    assert "min at most" in done.stdout
    assert not program.out.exists()


def memory_told(text):
    """GiB of the host by row, and at a time; every GPU's is "-"."""
    rows = re.findall(r"^ +([\d.e-]+) +- +(\S+)$", text, re.M)
    (most,) = re.findall(r"at most: ([\d.e-]+) GiB of the host, - GiB of the GPU$", text, re.M)
    return {name: float(value) for value, name in rows}, float(most)


def test_memory_at_a_time_is_that_of_what_is_measured_in_turns(program):
    words = ["run", "jacobi", "--dry-run", "--filter"]
    alone, most = memory_told(program(*words, "cpu_naive/(4096x4096|512x256)/float").stdout)
    small, large = sorted(alone.values())
    assert large / small == pytest.approx(4096 * 4096 / (512 * 256), rel=0.01), "so many points more"
    assert most == large, "sizes are measured one after the other"
    together, most = memory_told(program(*words, "cpu.*/4096x4096/float").stdout)
    assert set(together.values()) == {large} and most == pytest.approx(len(together) * large, rel=0.01)


@pytest.mark.parametrize("dry", [True, False])
def test_what_cannot_run_says_so_before_anything_is_measured(program, tmp_path, dry):
    words = ["jacobi", "--axis", "tile=32x7", "--axis", "block=32x2", "--variant", "gpu_shared"]
    done = program("run", *words, *(["--dry-run"] if dry else ["--out", tmp_path]))
    assert "tile=32x7/kernel/hot: cannot run: tile_y must be a multiple of block_y" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["jacobi", "--axis", "depth=3"], "jacobi has block, block_y, carveout, nx, ny"),
        (["jacobi", "--axis", "nx=1:1000000:+1"], "1000000 values"),
        (["jacobi", "--axis", "nx=3:1002:+1", "--axis", "ny=3:1002:+1"], "10000000 combinations"),
        (["jacobi", "--axis", "nx=wide"], "--axis nx=wide: not a whole number"),
        (["jacobi", "--axis", "nx=1"], "must lie between 3"),
        (["heat", "--axis", "n=5", "--axis", "nx=6"], "--axis nx: has no meaning beside n"),
        (["jacobi", "--variant", "gpu_rowz"], "jacobi has gpu_shared"),
        (["--axis", "nx=5"], "name the one experiment"),
        (["jacobi", "heat", "--axis", "nx=5"], "name the one experiment"),
        (["jacobi", "--axis", "nx=5", "--filter", "no_such_row"], "no row of jacobi matches"),
        (["--row", "nothing/at/all"], "begins with no experiment"),
        (["--row", "jacobi/cpu_naive/1x1", "--from", REFERENCE], "has no such row"),
        (["heat", "--row", "jacobi/cpu_naive/512x256/float/one_thread/wall"], "is one of jacobi"),
        (["jacobi", "--row", "jacobi/x", "--axis", "nx=5"], "have no place beside it"),
    ],
)
def test_bad_words_are_refused_in_one_line(program, words, said):
    assert said in complaint(program("run", *words, "--out", program.out))
    assert not program.out.exists()
