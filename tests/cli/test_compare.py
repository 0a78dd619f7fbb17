"""`gridmark compare` as its user reads it."""

import copy
import json
import re
import shutil

import pytest
from comparing import REPEATS, RESULTS, SCHEMA, compare, document, saved, scale, told
from conftest import complaint
from jsonschema import Draft7Validator

MEMORY = ("gpu_copy_bandwidth", "gpu_triad_bandwidth", "gpu_tiles_bandwidth")


@pytest.fixture(scope="module")
def heat():
    """A committed file in the present form."""
    return json.loads((REPEATS / "nvidia-h200-paper" / "heat.json").read_text())


def is_bound(row):
    """Whether GPU memory makes up most of a row's time, by the model or else by its limit."""
    by = row.get("binding") or row["limit"]
    if not row["median"] or not by or by["ceiling"] not in MEMORY:
        return False
    return by.get("term", by.get("value")) >= 0.5 * row["median"]


def slower_memory(file, ceilings=MEMORY):
    """The file of a card whose memory, and all that it bounds, is 5 % slower."""
    sick = copy.deepcopy(file)
    for ceiling in sick["context"]["ceilings"]:
        if ceiling["name"] in ceilings:
            ceiling["value"] *= 0.95
    for row in filter(is_bound, sick["rows"]):
        scale(row, 1 / 0.95)
    return sick


def test_what_differs_is_said_experiment_by_experiment(tmp_path):
    base = REPEATS / "nvidia-h200-three-cards"
    for name in ("heat", "maxwell"):
        file = json.loads((base / f"{name}.json").read_text())
        gpu, cpu = file["context"]["gpu"], file["context"]["cpu"]
        was = {"gpu": gpu["name"], "cpu": cpu["model"]}
        gpu["name"] = "another"
        if name == "heat":
            cpu["model"] = "yet another"
        saved(tmp_path, file)
    done = compare(base, tmp_path)
    assert done.returncode == 0
    differences = done.stdout.split("What differs between the machines:\n")[1].split("\n\n")[0]
    assert differences == (
        f"  cpu.model: {was['cpu']} -> yet another (heat)\n  gpu.name: {was['gpu']} -> another"
    )


def test_the_answer_comes_first_and_then_what_differs(tmp_path, heat):
    new = copy.deepcopy(heat)
    rows = {row["name"]: row for row in new["rows"] if row["clock"] == "kernel"}
    names = list(rows)
    little, much, faster = names[0], names[10], names[20]
    for name, factor in ((little, 1.1), (much, 1.5), (faster, 0.8)):
        scale(rows[name], factor)
    base = saved(tmp_path / "base", heat)
    text = compare(base, saved(tmp_path / "new", new)).stdout
    answer = " ".join(text.split("\n\n")[0].split())
    short = [name.removeprefix("heat/") for name in (much, faster)]
    assert "heat: both faster and slower. Of 89 comparable times 2 are slower, 1 faster" in answer
    assert (
        f"the median changed by +0.0%, the extremes by -20.0% ({short[1]}) and +50.0% ({short[0]})" in answer
    )
    assert "Both sides ran one program: the machine or its state made the difference." in answer
    changes = [float(change) for change in re.findall(r"^  heat/.* ([-+][\d.]+)%", text, re.M)]
    assert changes == [50.0, -20.0, 10.0]
    everything = compare(base, tmp_path / "new", "--all").stdout
    assert len(everything.splitlines()) > len(heat["rows"])
    assert all(row["name"].split("/", 2)[2][:40] in everything for row in heat["rows"])


def test_rows_that_move_with_their_ceiling_are_the_machines(tmp_path):
    heat = json.loads((REPEATS / "nvidia-h100-paper" / "heat.json").read_text())
    base = saved(tmp_path / "base", heat)
    found = document(base, saved(tmp_path / "both", slower_memory(heat)))
    (cause,) = found["causes"]
    bound = sum(row["clock"] != "wall" for row in filter(is_bound, heat["rows"]))
    assert (cause["resource"], cause["how"], cause["bound"]) == ("GPU memory", "ceiling", bound)
    assert len(cause["rows"]) == bound == found["studies"][0]["by_the_machine"] > 10
    assert {row["cause"]["resource"] for row in found["rows"] if row["verdict"] == "slower"} == {"GPU memory"}
    assert "The machine, not the kernels, in heat: GPU memory" in told(base, tmp_path / "both")
    alone = document(base, saved(tmp_path / "rows", slower_memory(heat, ceilings=())))
    assert alone["summary"]["slower"] == bound
    assert alone["causes"] == []


def test_launching_is_named_where_only_launched_steps_changed():
    found = document(REPEATS / "nvidia-h200-three-cards", REPEATS / "nvidia-h200-other-host")
    (cause,) = [one for one in found["causes"] if one["how"] == "launches"]
    assert cause["ceiling"] == "gpu_launch"
    assert cause["ratio"] == pytest.approx(1.15, abs=0.01)
    assert len(cause["rows"]) > 20
    assert all(name.endswith("/step/stream") for name in cause["rows"])


def test_a_disturbed_set_says_so_beside_the_verdict(tmp_path, heat):
    robbed = copy.deepcopy(heat)
    robbed["context"]["clocks"]["cpu_stolen"] = 0.25
    robbed["context"]["clocks"]["after"]["limited_by"] = ["hardware thermal slowdown"]
    base, new = saved(tmp_path / "base", heat), saved(tmp_path / "new", robbed)
    assert document(base, base)["disturbances"] == []
    found = document(base, new)["disturbances"]
    assert [(one["set"], one["directory"], one["experiment"]) for one in found] == [(1, str(new), "heat")] * 2
    text = told(base, new)
    verdict = text.split("heat: no difference resolved.")[1].split("The machines, programs")[0]
    assert f"Disturbed was {new}: the host gave 25 % of the CPU time to others." in verdict
    assert f"Disturbed was {new}: GPU clock limited by hardware thermal slowdown after the run" in verdict


def test_more_than_two_sets_are_a_history(tmp_path, heat):
    (name,) = [row["name"] for row in heat["rows"] if row["clock"] == "kernel"][:1]
    folders = []
    for place, (date, factor) in enumerate((("2026-03-01", 1.3), ("2026-01-01", 1), ("2026-02-01", 1.001))):
        file = copy.deepcopy(heat)
        file["context"]["date"] = date
        scale(next(row for row in file["rows"] if row["name"] == name), factor)
        folders.append(saved(tmp_path / f"set{place}", file))
    found = document(*folders)
    assert [side["directory"] for side in found["sets"]] == [str(folders[k]) for k in (1, 2, 0)]
    (changed,) = [row for row in found["rows"] if row["verdict"] == "changed"]
    assert changed["name"] == name
    assert [(step["from"], step["to"], step["verdict"]) for step in changed["steps"]] == [(0, 2, "slower")]
    text = told(*folders)
    assert f"[3] 2026-03-01 {folders[0]}" in text
    assert "heat: 1 of 89 comparable rows changed: 1 at [3]." in text
    assert "[3] slower +30.0%" in text


def of_one_process(file):
    """The file as the preset quick leaves it: the first process's samples."""
    quick = copy.deepcopy(file)
    for row in quick["rows"]:
        if row["samples"]:
            row["samples"] = row["samples"][: row.get("process_samples", [len(row["samples"])])[0]]
            row["process_samples"] = [len(row["samples"])]
            row.update(status="estimate", reason="preset quick")
    return quick


def test_sets_of_one_process_have_a_rough_comparison(tmp_path, heat):
    quick = of_one_process(heat)
    new = copy.deepcopy(quick)
    rows = [row for row in new["rows"] if row["clock"] in ("kernel", "step") and row["median"]]
    walls = [row for row in new["rows"] if row["clock"] == "wall" and row["median"]]
    for row, factor in ((rows[0], 1.28), (rows[1], 0.9), (rows[2], 1.01), (walls[0], 3)):
        scale(row, factor)
    base, fresh = saved(tmp_path / "base", quick), saved(tmp_path / "new", new)
    whole = saved(tmp_path / "whole", heat)
    found = document(base, fresh)
    rough = {row["name"] for row in found["rows"] if row["verdict"] == "rough difference"}
    assert rough == {rows[0]["name"], rows[1]["name"]}
    assert found["summary"]["slower"] == found["summary"]["faster"] == 0
    (study,) = found["studies"]
    assert (study["word"], study["times"]["comparable"]) == ("roughly both faster and slower", 0)
    assert (study["rough"]["slower"], study["rough"]["faster"]) == (1, 1)
    assert {row["verdict"] for row in found["rows"] if row["name"] == walls[0]["name"]} == {"not comparable"}
    text = compare(base, fresh).stdout
    assert re.search(r"^  heat/.* \+28\.0%  rough$", text, re.M)
    one_sided = document(whole, fresh)
    assert rough <= {row["name"] for row in one_sided["rows"] if row["verdict"] == "rough difference"}
    refused = compare(base, fresh, "--fail-on", "slower=5%")
    assert "no row of these sets can be compared" in complaint(refused)
    history = document(base, base, fresh)
    assert {row["name"] for row in history["rows"] if row["verdict"] == "roughly changed"} == rough
    assert history["summary"]["changed"] == history["studies"][0]["changed"] == 0
    assert set(re.findall(r"^    (heat/\S+)", compare(base, base, fresh).stdout, re.M)) == rough
    # A set of one process between two whole ones hides no difference that these resolve.
    slower = copy.deepcopy(heat)
    scale(next(row for row in slower["rows"] if row["name"] == rows[2]["name"]), 1.1)
    between = document(whole, fresh, saved(tmp_path / "slower", slower))
    assert {row["name"] for row in between["rows"] if row["verdict"] == "changed"} == {rows[2]["name"]}
    assert f"    {rows[2]['name']} " in compare(whole, fresh, tmp_path / "slower").stdout


def test_a_ranking_takes_four_sets():
    """tests/cli/test_cluster.py makes so many."""
    sets = sorted(REPEATS.glob("nvidia-h200*"))[:3]
    assert "--rank: takes four sets of one GPU model" in complaint(compare("--rank", *sets))


# Two sets and as many as there are, with all that they differ in, and a card against a published one.
SCREENS = [
    (RESULTS / "nvidia-h100", REPEATS / "nvidia-h200-paper"),
    (REPEATS / "nvidia-h200-three-cards", REPEATS / "nvidia-h200-other-host"),
    (RESULTS / "nvidia-h100", RESULTS / "published" / "gtx-570"),
    (RESULTS / "nvidia-h100", *sorted(REPEATS.glob("nvidia-h200*"))),
]


@pytest.mark.parametrize("folders", SCREENS)
def test_a_comparison_is_one_screen_whatever_the_sets(folders):
    lines = compare(*folders).stdout.splitlines()
    assert 5 < len(lines) <= 40
    assert "--all" in lines[-1]
    assert len(compare(*folders, "--all").stdout.splitlines()) > 40


def test_it_begins_with_the_fastest_version_of_each_study():
    base, new = RESULTS / "nvidia-h100", REPEATS / "nvidia-h200-paper"
    found = document(base, new)["fastest"]
    both = {path.name for path in base.iterdir()} & {path.name for path in new.iterdir()}
    assert {f"{one['experiment']}.json" for one in found} == both
    lines = compare(base, new).stdout.splitlines()
    begun = [line.split(": ")[0] for line in lines[1:] if not line.startswith(" ")][: len(found)]
    assert begun == [one["experiment"] for one in found]
    for one in found:
        for side in ("base", "new"):
            folder = {"base": base, "new": new}[side]
            rows = json.loads((folder / f"{one['experiment']}.json").read_text())["rows"]
            (row,) = [row for row in rows if row["name"] == one[side]["name"]]
            assert row["median"] == one[side]["value"]
            assert row["status"] in ("ok", "estimate")
            assert (row["limit"] or {}).get("ceiling") == (one[side]["limit"] or {}).get("ceiling")
        assert one["ratio"] == pytest.approx(one["new"]["value"] / one["base"]["value"], rel=0.02)


def test_five_runs_make_cpu_rows_comparable(tmp_path, heat):
    walls = [row["name"] for row in heat["rows"] if row["clock"] == "wall" and row["median"]]

    def run(name, factor, commit=None):
        file = copy.deepcopy(heat)
        file["rows"] = [row for row in file["rows"] if row["name"] in walls]
        file["context"]["build"]["commit"] = commit or file["context"]["build"]["commit"]
        for row in file["rows"]:
            # One sample a process: what is tested here is the margin, not the interval.
            row.update(samples=[row["median"]] * 3, process_samples=[1, 1, 1])
            row["interval"] = [row["median"]] * 2
            scale(row, factor)
        return saved(tmp_path / name, file)

    margin = [run(f"margin{k}", factor) for k, factor in enumerate((1, 1.01, 1.03, 1.02, 1.04))]
    base, near, far = run("base", 1, "old"), run("near", 1.07, "new"), run("far", 1.1, "new")
    without = document(base, far)
    assert without["summary"]["not comparable"] == len(walls)
    text = told(base, far)
    assert f"{len(walls)} CPU rows are not comparable: wall times differ from run to run." in text
    assert "gridmark run --preset paper --filter 'wall$' --out margin/$i" in text
    kernels = copy.deepcopy(heat)
    kernels["rows"] = [row for row in kernels["rows"] if row["name"] not in walls]
    both = [saved(tmp_path / f"both{k}", {**heat, "rows": heat["rows"]}) for k in range(3)]
    assert f"{len(walls)} CPU rows are not comparable: wall" in told(*both)
    assert "CPU rows" not in told(*(saved(tmp_path / f"kernels{k}", kernels) for k in range(3)))
    four = document(base, far, "--margin", *margin[:4])
    assert four["summary"]["not comparable"] == len(walls)
    assert document(base, far, "--margin", *margin)["summary"]["slower"] == len(walls)
    inside = document(base, near, "--margin", *margin)
    assert inside["summary"]["no difference resolved"] == len(walls)
    assert {round(row["margin"], 6) for row in inside["rows"]} == {1.0816}


HEALTHY = [
    REPEATS / "nvidia-h200-three-cards",
    *(REPEATS / f"nvidia-h200{name}" for name in ("", "-earlier", "-other-card", "-other-host", "-paper")),
]


def test_a_healthy_group_names_no_straggler():
    assert document(*HEALTHY)["stragglers"] == []


# These sets lack what the model needs, and share no row that the memory bounds by its limit.
@pytest.mark.parametrize(("study", "ceilings"), [("heat", MEMORY[:1]), ("jacobi", MEMORY)])
def test_the_straggler_is_found(tmp_path, study, ceilings):
    copied = REPEATS / "nvidia-h200-paper" / f"{study}.json"
    sick = saved(tmp_path / "sick", slower_memory(json.loads(copied.read_text()), ceilings))
    group = [sick]
    for folder in (
        REPEATS / "nvidia-h200",
        REPEATS / "nvidia-h200-other-card",
        REPEATS / "nvidia-h200-three-cards",
    ):
        group.append(tmp_path / f"{len(group)}-{folder.name}")
        group[-1].mkdir()
        shutil.copy(folder / f"{study}.json", group[-1])
    found = document(*group)
    (slow,) = found["stragglers"]
    assert (slow["directory"], slow["experiment"], slow["machines"]) == (str(sick), study, 4)
    assert slow["resource"] == "GPU memory"
    assert 2 * slow["slower"] >= slow["bound"]
    assert slow["ceiling"] in ceilings
    assert slow["ceiling_ratio"] == pytest.approx(1 / 0.95, abs=0.01)
    text = told(*group)
    assert f"The straggler of 4 equal machines: {sick}, by GPU memory in {study}:" in text
    assert (slow["row"] or slow["ceiling"]) in text


def test_every_row_keeps_to_the_schema_and_nothing_else_does(tmp_path, heat):
    base, new = saved(tmp_path / "base", heat), saved(tmp_path / "new", slower_memory(heat))
    validator = Draft7Validator(SCHEMA)
    for folders in ((base, new), (base, new, base)):
        found = json.loads(compare(*folders, "--json").stdout)
        validator.validate(found)
        del found["rows"][3:]
        for row, key in ((found["rows"][0], "verdict"), (found, "causes"), (found, "wall_margin")):
            kept = row.pop(key)
            assert not validator.is_valid(found), key
            row[key] = kept


def test_help_tells_all_of_it():
    text = " ".join(compare("--help").stdout.split())
    assert "order of their dates" in text
    for word in ("--all", "--fail-on", "slower=5%", "--margin", "--json", "docs/compare.md"):
        assert word in text
