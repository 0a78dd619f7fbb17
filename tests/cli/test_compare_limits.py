"""`gridmark compare --fail-on`: a limit on what may differ."""

import copy
import json

import pytest
from comparing import REPEATS, RESULTS, compare, saved, scale, told
from conftest import complaint


@pytest.fixture(scope="module")
def heat():
    """A committed file in the present form."""
    return json.loads((REPEATS / "nvidia-h200-paper" / "heat.json").read_text())


def test_a_limit_fails_and_names_the_rows(tmp_path, heat):
    new = copy.deepcopy(heat)
    row = next(row for row in new["rows"] if row["clock"] == "kernel")
    scale(row, 1.08)
    base, slow = saved(tmp_path / "base", heat), saved(tmp_path / "slow", new)
    failed = compare(base, slow, "--fail-on", "slower=5%")
    assert failed.returncode == 1
    assert failed.stdout.startswith(str(base)), "the comparison is printed all the same"
    assert failed.stderr == f"gridmark: --fail-on slower=5%: 1 row\n  {row['name']}: slower, +8.0%\n"
    assert compare(base, slow, "--fail-on", "slower=9%").returncode == 0
    assert compare(slow, base, "--fail-on", "slower=5%").returncode == 0
    assert compare(slow, base, "--fail-on", "faster=5%").returncode == 1
    judged = compare(base, slow, "--fail-on", "slower=5%", "--json")
    assert judged.returncode == 1
    assert json.loads(judged.stdout)["summary"]["slower"] == 1


def test_a_limit_on_a_history_is_held_by_time_and_never_by_a_guess(tmp_path, heat):
    """Three sets of one day, the slow one in the middle of what the shell sorts, the newest by its time."""
    names = {"a": ("09:00:00", 1), "b": ("21:00:00", 1.3), "c": ("12:00:00", 1)}
    folders = []
    for name, (time, factor) in names.items():
        file = copy.deepcopy(heat)
        file["context"] |= {"date": "2026-03-01", "time": time}
        scale(next(row for row in file["rows"] if row["clock"] == "kernel"), factor)
        folders.append(saved(tmp_path / name, file))
    assert compare(*folders, "--fail-on", "slower=5%").returncode == 1
    assert compare(*folders, "--fail-on", "faster=5%").returncode == 0
    for folder in folders[:2]:
        file = json.loads((folder / "heat.json").read_text())
        del file["context"]["time"]
        (folder / "heat.json").write_text(json.dumps(file))
    line = complaint(compare(*folders, "--fail-on", "slower=5%"))
    assert "which is older" in line and "heat.json" in line
    assert compare(*folders).returncode == 0, "what was given is shown as given"


@pytest.mark.parametrize(
    "limit",
    ["slower", "slower=5", "slower=-5%", "slower=nan%", "slower=%", "quicker=5%", "=5%", "slower=9999%"],
)
def test_a_limit_that_means_nothing_is_refused(limit):
    base = RESULTS / "published" / "gtx-570"
    line = complaint(compare(base, base, "--fail-on", limit))
    assert line.startswith(f"gridmark: --fail-on {limit}: must be slower=5%")


def test_a_limit_is_refused_where_nothing_could_exceed_it(tmp_path, heat):
    quick = copy.deepcopy(heat)
    for row in quick["rows"]:
        row.pop("process_samples", None)
    base, new = saved(tmp_path / "base", heat), saved(tmp_path / "new", quick)
    assert "no row of these sets can be compared" in complaint(compare(base, new, "--fail-on", "slower=5%"))
    assert "times have fewer than three processes, so their comparison is rough" in told(base, new)
