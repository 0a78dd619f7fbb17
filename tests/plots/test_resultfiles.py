"""One rule says which files of a folder are results, for the graphs, the cluster and the scripts."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from gridmark_plots.errors import InputError
from gridmark_plots.resultfiles import result_files
from gridmark_plots.results import read_machine

ROOT = Path(__file__).resolve().parents[2]
HEAT = ROOT / "results" / "nvidia-h100" / "heat.json"
SCHEMA = ROOT / "harness" / "result.schema.json"


@pytest.fixture
def folder(tmp_path):
    """A set with what else may lie beside it."""
    shutil.copy(HEAT, tmp_path)
    shutil.copy(HEAT, tmp_path / "heat.old-1.json")
    (tmp_path / "heat.json.partial").write_text("{ half of")
    (tmp_path / "jacobi.old-2.json").write_text("{ half of")
    (tmp_path / "notes.json").write_text(json.dumps({"by": "me"}))
    (tmp_path / "report.json").write_text(json.dumps({"context": {"date": "today"}, "benchmarks": []}))
    (tmp_path / "list.json").write_text("[1]")
    return tmp_path


def test_only_results_are_results(folder):
    ((path, document),) = result_files(folder)
    assert path.name == "heat.json"
    assert document["rows"]


def test_the_graphs_read_those_alone(folder):
    machine = read_machine(folder, {"heat", "jacobi"}, SCHEMA)
    assert list(machine.sets) == ["heat"] and machine.ignored == []


def test_what_says_that_it_is_a_result_is_not_passed_over(folder):
    (folder / "jacobi.json").write_text('{"schema_version": 2}')
    with pytest.raises(InputError, match=r"jacobi\.json"):
        read_machine(folder, {"heat", "jacobi"}, SCHEMA)
    (folder / "jacobi.json").write_text("{ half of")
    with pytest.raises(InputError, match=r"jacobi\.json"):
        read_machine(folder, {"heat", "jacobi"}, SCHEMA)


def test_a_folder_of_other_json_alone_is_no_set(folder):
    (folder / "heat.json").unlink()
    with pytest.raises(InputError, match="holds no result file"):
        read_machine(folder, {"heat", "jacobi"}, SCHEMA)


def test_the_fleet_ranks_folders_of_results(folder, tmp_path):
    sys.path.insert(0, str(ROOT / "cluster"))
    import fleet

    results = tmp_path / "results"
    shutil.copytree(folder, results / "gpu" / "n01-gpu0", ignore=shutil.ignore_patterns("results"))
    (results / "gpu" / "n02-gpu0").mkdir()
    shutil.copy(HEAT, results / "gpu" / "n02-gpu0" / "heat.old-1.json")
    assert fleet.sets_of(results, "gpu") == [str(results / "gpu" / "n01-gpu0")]
