"""What changed since: data sheets beside measured ceilings, and the claims that each cause touches."""

import copy
import json

import pytest
import toy
from synthetic import ROOT, ceiling, jacobi_world, row, save

from gridmark_plots import causes, claims, since
from gridmark_plots.__main__ import main
from gridmark_plots.errors import InputError
from gridmark_plots.report import StudyView
from gridmark_plots.results import Machine, ResultSet, read_published
from gridmark_plots.selector import matches, measured

CARD = [
    ceiling("gpu_memory_peak", 150.0, "GB/s", "data sheet"),
    ceiling("gpu_peak_float", 1500.0, "GFLOP/s", "data sheet"),
    ceiling("gpu_peak_double", 187.5, "GFLOP/s", "data sheet"),
    ceiling("link_peak", 8.0, "GB/s", "data sheet"),
]
HOST = [ceiling("cpu_memory_peak", 25.0, "GB/s", "data sheet")]
NEW = [
    ceiling("gpu_copy_bandwidth", 3900.0, "GB/s", "measured"),
    ceiling("gpu_triad_bandwidth", 4000.0, "GB/s", "measured"),
    ceiling("gpu_fma_peak_float", 64000.0, "GFLOP/s", "measured"),
    ceiling("gpu_fma_peak_double", None, "GFLOP/s", "measured", "no double units"),
    ceiling("gpu_launch", 2.5, "us", "measured"),
    ceiling("link_up_pinned", 50.0, "GB/s", "measured"),
    ceiling("cpu_triad_all_threads", 100.0, "GB/s", "measured"),
]


def context(ceilings, gpu=None, cpu=None, **more):
    given = {"experiment": "toy", "complete": True, "ceilings": ceilings, "reasons": {}}
    return {**given, "gpu": gpu, "cpu": cpu or {}, **more}


def box(key, name, contexts, published=False):
    made = Machine(key, ROOT, name, published)
    for experiment, one in contexts.items():
        made.sets[experiment] = ResultSet(ROOT / f"{experiment}.json", one, [])
    return made


OLD = {
    "card": box(
        "card",
        "Card (published)",
        {"toy": context(CARD, {"name": "Card", "l2_bytes": 786432, "multiprocessors": 16}, year=2010)},
        True,
    ),
    "host": box("host", "Host (published)", {"toy": context(HOST, None, {"model": "Host"}, year=2008)}, True),
    "bare": box("bare", "Unnamed (published)", {"toy": context([])}, True),
}


def slower(ceilings, factor):
    """The same at another time."""
    return [{**one, "value": one["value"] and one["value"] * factor} for one in ceilings]


def new(**more):
    gpu = {"name": "New", "l2_bytes": 60 * 2**20, "multiprocessors": 132}
    other = [one for one in slower(NEW, 0.5) if one["name"] in ("gpu_launch", "cpu_triad_all_threads")]
    kept = [one for one in NEW if one["name"] not in ("gpu_launch", "cpu_triad_all_threads")]
    return box("m", "New box", {"toy": context(NEW, gpu, **more), "two": context(kept + other, gpu, **more)})


def made(machines):
    then, now = since.published_sides(OLD), since.measured_sides(machines)
    return since.table(OLD, then, now), then, now


def test_a_card_stands_beside_its_studys_cpu_and_a_measured_machine_beside_them():
    table, then, _ = made([new()])
    assert table.headings == ["", "unit", "Card / Host, 2010", "New box, measured"]
    lines = {line[0]: line[1:] for line in table.lines}
    assert lines["GPU memory"] == ["GB/s", "150", "4\u202f000"]
    assert lines["L2 cache"] == ["MiB", "0.75", "60"]
    assert lines["multiprocessors"] == ["", "16", "132"]
    assert lines["launch of a kernel"] == ["µs", "–", "1.25 to 2.5"]
    assert lines["CPU memory"] == ["GB/s", "25", "50 to 100"]
    assert len(then) == 1


def test_a_card_with_a_cpu_of_its_own_gets_no_other_and_the_fastest_memory_counts():
    own = context(slower(CARD, 0.5) + HOST, {"name": "Old", "l2_bytes": None}, {"model": "Own"}, year=2008)
    published = {**OLD, "own": box("own", "Old (published)", {"toy": own}, True)}
    then = since.published_sides(published)
    assert [side.heading for side in then] == ["Old / Own, 2008", "Card / Host, 2010"]
    (told,) = causes.of([], [], then, since.measured_sides([new()]))[0].told
    assert told.endswith("the fastest memory of then moved 0.188 to 0.375 MB in that time.")


def test_ratios_are_of_each_file_by_itself():
    lines = {line[0]: line[2:] for line in made([new()])[0].lines}
    assert lines["memory bytes per float operation"] == ["0.1", "0.0625"]
    assert lines["memory bytes per double operation"] == ["0.8", "–"]
    assert lines["double arithmetic / float"] == ["0.125", "–"]
    assert lines["GPU memory / link"] == ["18.8", "80"]
    assert lines["GPU memory / CPU memory"] == ["6", "40 to 80"]
    assert "GPU arithmetic / CPU arithmetic, float" not in lines


def test_what_is_missing_is_said_with_its_reason():
    notes = made([new()])[0].notes
    assert notes[0] == "Card / Host: not stated: launch of a kernel; CPU arithmetic, float."
    assert notes[1].startswith("New box: not measured: GPU arithmetic, double (no double units); CPU arith")
    assert notes[2:] == ["Unnamed (published): no data sheet, the study does not name its hardware."]


def test_a_machine_without_a_gpu_says_why_it_has_no_cache():
    plain = box("c", "CPU box", {"toy": context(NEW[-1:], reasons={"gpu": "no device"})})
    table, _, now = made([plain])
    assert now[0].facts == {"cpu_memory": (100.0, 100.0)}
    assert any("CPU box: not measured:" in note and "L2 cache (no device)" in note for note in table.notes)


def test_a_ceiling_in_another_unit_is_refused():
    wrong = box("w", "Box", {"toy": context([ceiling("gpu_launch", 2.5, "ms", "measured")])})
    with pytest.raises(InputError, match=r"gpu_launch: its unit is 'ms' where 'us' is asked for"):
        since.measured_sides([wrong])


def test_the_projects_published_machines_have_data_sheets_of_their_own():
    experiments = {path.parent.name for path in (ROOT / "experiments").glob("*/study.json")}
    published = read_published(ROOT / "results", experiments, ROOT / "harness" / "result.schema.json")
    sides = since.published_sides(published)
    facts = {side.label: side.facts for side in sides}
    assert facts["GeForce GTX 580 / Core i7-920"]["float_bytes"][0] == pytest.approx(192.4 / 1581)
    assert facts["GeForce GTX 580 / Core i7-920"]["memory_cpu"][0] == pytest.approx(192.4 / 25.6)
    assert facts["GeForce GTX 260 / Core i7-920"]["memory_link"][0] == pytest.approx(111.9 / 8)
    assert "l2" not in facts["GeForce GTX 260 / Core i7-920"]
    assert [side.year for side in sides] == sorted(side.year for side in sides)


LAUNCH = {
    "id": "launch",
    "claims": ["T1"],
    "text": "A step is its launch.",
    "shown": [{"title": "fast", "select": {"variant": "fast"}}, {"title": "none", "select": {"n": 99}}],
}


def caused(rows, **changes):
    """The causes of a toy study that names one."""
    study = {**toy.STUDY, "causes": [{**LAUNCH, **changes}]}
    machine = toy.machine("m", "New box", rows)
    view = StudyView(study, claims.of_study(study, [machine], {}), [], [])
    _, then, now = made([new()])
    return causes.of([view], [machine], then, now), causes.untouched([view])


def limited(value, share, ceiling="gpu_launch"):
    limit = {"ceiling": ceiling, "value": value * share, "unit": "us", "share": share}
    return row("fast", {"n": value}, value, limit=limit)


def test_a_cause_tells_its_numbers_and_shows_the_rows_that_a_study_names():
    found, untouched = caused([limited(2.0, 0.5), limited(4.0, 0.25)])
    launch = found[0]
    assert launch.told == [
        "New box: a launch takes 1.25 to 2.5 µs, its memory moves 5 to 10 MB in that time, "
        "the fastest memory of then moved 0.188 to 0.375 MB in that time."
    ]
    assert [one.text for one in launch.touched] == ["A step is its launch."]
    assert launch.touched[0].shown == ["New box: fast: 2 to 4 µs (25 to 50 % of gpu_launch)."]
    assert [claim.spec["id"] for claim in launch.touched[0].claims] == ["T1"]
    assert not untouched and not any(one.touched for one in found[1:])


def test_every_cause_compares_with_then():
    told = {one.id: one.told for one in caused([])[0]}
    assert told["l2"] == ["New box: 60 MiB of L2 (then 0.75)."]
    assert told["balance"] == [
        "New box: the memory delivers 0.0625 bytes for each float operation (then 0.1)."
    ]
    assert told["link"] == ["New box: the memory is 80 times as fast as the link (then 18.8)."]
    assert told["width"] == ["New box: 132 multiprocessors (then 16)."]
    assert told["host"] == ["New box: the GPU's memory is 40 to 80 times as fast as the CPU's (then 6)."]


def test_what_a_machine_did_not_measure_is_no_part_of_what_a_cause_tells():
    double = [*NEW[:3], ceiling("gpu_fma_peak_double", 32000.0, "GFLOP/s", "measured")]
    both = box("d", "Double box", {"toy": context(double)})
    launch = box("l", "Launch box", {"toy": context(NEW[4:5])})
    _, then, now = made([both, launch])
    told = {one.id: one.told for one in causes.of([], [], then, now)}
    assert told["balance"] == [
        "Double box: the memory delivers 0.0625 bytes for each float operation (then 0.1), "
        "0.125 for each double one (then 0.8), double arithmetic has 0.5 of float's rate (then 0.125)."
    ]
    assert told["launch"] == [
        "Launch box: a launch takes 2.5 µs, the fastest memory of then moved 0.375 MB in that time."
    ]
    assert told["l2"] == told["link"] == told["width"] == told["host"] == []
    alone = {one.id: one.told for one in causes.of([], [], [], now)}
    assert alone["launch"] == ["Launch box: a launch takes 2.5 µs."] and "(then" not in str(alone)


def test_the_models_limit_stands_beside_the_share_where_all_rows_have_it():
    rows = [{**limited(n, 0.5), "binding": {"ceiling": "gpu_l2_latency"}} for n in (2.0, 4.0)]
    shown = caused(rows)[0][0].touched[0].shown
    assert shown == ["New box: fast: 2 to 4 µs (50 % of gpu_launch; model: gpu_l2_latency)."]
    bare = [{**one, "limit": None, "unit": ""} for one in rows]
    assert caused(bare)[0][0].touched[0].shown == ["New box: fast: 2 to 4 (model: gpu_l2_latency)."]
    rows[1]["binding"] = None
    assert caused(rows)[0][0].touched[0].shown == ["New box: fast: 2 to 4 µs (50 % of gpu_launch)."]


def test_rows_of_several_limits_show_no_share_and_rows_that_were_not_measured_nothing():
    shown = caused([limited(2.0, 0.5), limited(4.0, 0.25, "gpu_l2_bandwidth")])[0][0].touched[0].shown
    assert shown == ["New box: fast: 2 to 4 µs."]
    assert caused([row("fast", {"n": 1}, None)])[0][0].touched[0].shown == []


def test_rows_of_several_units_are_refused():
    with pytest.raises(InputError, match=r"causes\.shown\.fast: rows of several units"):
        caused([row("fast", {"n": 1}, 2.0), row("fast", {"n": 2}, 2.0, unit="ms")])


def test_a_claim_that_no_cause_names_is_told():
    study = {**toy.STUDY, "causes": []}
    view = StudyView(study, claims.of_study(study, [], {}), [], [])
    assert [claim.spec["id"] for claim in causes.untouched([view])] == ["T1"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"claims": ["T9"]}, "causes.launch.claims: no claim 'T9'"),
        ({"claims": []}, "causes[0].claims: [] "),
        ({"id": "weather"}, "causes[0].id: 'weather' is not one of"),
        ({"text": ""}, "causes[0].text: '' "),
        ({"shown": [{"title": "x"}]}, "causes[0].shown[0]: 'select' is a required property"),
        ({"numbers": [1]}, "causes[0]: Additional properties"),
    ],
)
def test_a_cause_with_a_wrong_declaration_is_refused(tmp_path, capsys, changes, reason):
    study = copy.deepcopy({key: value for key, value in toy.STUDY.items() if key != "file"})
    file = save(tmp_path / "toy" / "study.json", {**study, "causes": [{**LAUNCH, **changes}]})
    assert main(["report", "--experiments", str(tmp_path), "--results", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"gridmark_plots: {file}: ") and reason in said


def test_a_cause_that_a_study_names_twice_is_refused(tmp_path, capsys):
    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    save(tmp_path / "toy" / "study.json", {**study, "causes": [LAUNCH, LAUNCH]})
    assert main(["report", "--experiments", str(tmp_path), "--results", str(tmp_path)]) == 2
    assert "causes: the id 'launch' stands twice" in capsys.readouterr().err


def test_the_schema_knows_the_causes_that_the_report_knows():
    schema = json.loads((ROOT / "plots/gridmark_plots/schemas/study.schema.json").read_text())
    assert tuple(schema["properties"]["causes"]["items"]["properties"]["id"]["enum"]) == causes.IDS


def test_every_study_tells_its_story_and_why_for_every_claim():
    for file in (ROOT / "experiments").glob("*/study.json"):
        study = json.loads(file.read_text())
        assert study["story"] and study["causes"], file
        assert all(claim.get("why", "").endswith(".") for claim in study["claims"]), file


def test_a_word_of_the_story_that_is_not_known_is_refused(tmp_path, capsys):
    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    save(tmp_path / "toy" / "study.json", {**study, "story": {"plain": "x"}})
    assert main(["report", "--experiments", str(tmp_path), "--results", str(tmp_path)]) == 2
    assert "story: 'since' is a required property" in capsys.readouterr().err


def test_the_page_holds_the_table_and_links_every_cause_to_its_claims(rendered):
    html = (rendered / "index.html").read_text()
    part = html[html.index('<section class="part" id="since"') : html.index('<section class="part" id="ginz')]
    assert "GeForce GTX 570, 2010" in part and "memory bytes per float operation" in part
    for identity in causes.IDS:
        assert f'id="cause-{identity}"' in part
    for name in ("J1", "J3", "G2", "H6c", "M2", "P1"):
        assert f'-claim-{name}">{name}</a>' in part
    report = (rendered / "report.md").read_text()
    assert "| memory bytes per float operation |" in report and "## What changed since" in report


def test_a_world_with_measured_ceilings_is_told_beside_then(tmp_path):
    arguments = jacobi_world(tmp_path)
    assert main([*arguments, "--results", str(ROOT / "results"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text()
    assert "the memory delivers 0.0681 bytes for each float operation (then 0.108 to 0.235)" in text


# The reference, and what was measured since by the rules of today.
SETS = [ROOT / "results" / name for name in ("nvidia-h100", "repeats/nvidia-h200-paper")]


def rows_of(folder, study):
    """The rows of a committed set; none where it lacks the study."""
    file = folder / f"{study}.json"
    return json.loads(file.read_text())["rows"] if file.exists() else []


def test_every_row_that_a_cause_shows_was_measured_on_the_reference_machine():
    for file in (ROOT / "experiments").glob("*/study.json"):
        rows = [row for where in SETS for row in rows_of(where, file.parent.name)]
        for cause in json.loads(file.read_text())["causes"]:
            for one in cause.get("shown", []):
                assert any(measured(each) and matches(one["select"], each) for each in rows), one["title"]
