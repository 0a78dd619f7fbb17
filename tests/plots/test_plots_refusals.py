"""Bad input ends in exit code 2 and one line that names the file, the key and the reason."""

import copy
import json

import pytest
from synthetic import jacobi_world, result, row, save

from gridmark_plots.__main__ import main
from gridmark_plots.studies import read_studies


@pytest.fixture
def refuse(tmp_path, capsys):
    """Run a report over one made-up machine whose file holds this text, and hand back what it says."""

    def run(text, name="jacobi.json"):
        path = tmp_path / "results" / "box" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        assert main(["report", "--machines", str(path.parent), "--out", str(tmp_path / "out")]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        assert not (tmp_path / "out").exists()
        return said.err.removeprefix("gridmark_plots: ").removeprefix(str(path.parent)).strip()

    return run


GOOD = result("Box", [row("cpu_naive", {"n": 1}, 1.0)], experiment="jacobi")


def changed(*path, value=None):
    copied = copy.deepcopy(GOOD)
    target = copied
    for step in path[:-1]:
        target = target[step]
    if value is None:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return json.dumps(copied)


def test_what_is_refused_is_named(refuse):
    assert refuse('{"a": 1,}').startswith("/jacobi.json: line 1: not JSON:")
    assert refuse('{"a": NaN}') == "/jacobi.json: not JSON: NaN is not JSON"
    assert refuse('{"a": 1, "a": 2}') == "/jacobi.json: not JSON: the key 'a' stands twice in one object"
    assert (
        refuse(changed("context", "complete")) == "/jacobi.json: context: 'complete' is a required property"
    )
    said = refuse(changed("rows", 0, "clock", value="sun"))
    assert said.startswith("/jacobi.json: rows[0].clock: 'sun' is not one of")
    said = refuse(changed("context", "experiment", value="heat"))
    assert said == "/jacobi.json: context.experiment: 'heat' does not fit the file's name"
    assert refuse("[" * 100000).startswith("/jacobi.json: ")
    said = refuse(changed("context", "cpu", value={"emulated": True}))
    assert said == "/jacobi.json: its processor was emulated: these times are no measurements"
    forecast = copy.deepcopy(GOOD)
    forecast["context"]["preset"] = "forecast"
    forecast["rows"][0].update(status="forecast", reason="by its sheet", samples=[])
    said = refuse(json.dumps(forecast))
    assert said == "/jacobi.json: holds forecasts, which are no measurements"
    forecast["context"]["preset"] = "paper"
    assert "status" in refuse(json.dumps(forecast))


def test_version_1_is_no_longer_read(refuse):
    said = "/jacobi.json: schema_version: must be 2; version 1 is no longer read, last by commit d3eefcd"
    for old in (changed("schema_version", value=1), changed("schema_version"), '{"schema_version": 1}'):
        assert refuse(old) == said


def test_a_directory_without_results_is_refused(refuse, tmp_path):
    (tmp_path / "results" / "box").mkdir(parents=True)
    assert refuse("{}", "Notes.json") == ": holds no result file of a known experiment"


def test_a_good_file_needs_the_binary_and_its_absence_is_told(tmp_path, capsys):
    save(tmp_path / "box" / "jacobi.json", GOOD)
    binary = tmp_path / "gridmark"
    assert main(["report", "--machines", str(tmp_path / "box"), "--gridmark", str(binary)]) == 2
    assert f"{binary}: cannot be started: No such file or directory" in capsys.readouterr().err


def test_verdicts_of_another_machine_or_of_an_unknown_word_are_refused(tmp_path, capsys):
    arguments = jacobi_world(tmp_path)
    file = tmp_path / "verdicts-cpu.json"
    saved = json.loads(file.read_text())
    save(file, {**saved, "directory": "results/elsewhere"})
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert "directory: 'results/elsewhere' is none of the machines asked for" in capsys.readouterr().err
    saved["claims"][0]["verdict"] = "TRUE"
    save(file, saved)
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert "claims[0].verdict: 'TRUE' is not one of" in capsys.readouterr().err


def test_a_study_that_names_a_missing_column_or_claim_is_refused(tmp_path, capsys):
    import toy

    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    for table, reason in [
        (
            {"ratio": {"title": "x", "numerator": "a", "denominator": "c"}},
            "tables.t.ratio.denominator: no column 'c'",
        ),
        ({"claims": ["T9"]}, "tables.t.claims: no claim 'T9'"),
        (
            {"unit": "GFLOP/s", "columns": [{**toy.TABLE["columns"][0], "total": True}]},
            "tables.t.a.total: needs a unit of time, its unit is 'GFLOP/s'",
        ),
        ({}, "t.published: no results/published/old-card/toy.json"),
    ]:
        save(tmp_path / "toy" / "study.json", {**study, "tables": [{**toy.TABLE, **table}]})
        assert main(["report", "--experiments", str(tmp_path), "--results", str(tmp_path)]) == 2
        assert reason in capsys.readouterr().err


COLUMN = {"id": "a", "title": "plain", "select": {"variant": "plain"}}
PAIRS = {"select": {}, "numerator": {"variant": "plain"}, "denominator": {"variant": ["fast"]}, "by": ["n"]}
OPTIMUM = {"select": {}, "among": [{}], "by": ["variant"], "expect": {"variant": "fast"}}

SLICE = {"kind": "slice", "field": "/e", "axis": 1, "x_axis": 2, "coordinates": {"x": "/z", "y": "/x"}}


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "ordering", "pairs": {**PAIRS, "across": True, "per": "flops"}},
        {"kind": "ratio", "pairs": {**PAIRS, "best": True}, "published": {"text": "2", "value": 2}},
        {"kind": "optimum", "optimum": {**OPTIMUM, "candidates": 4}},
        {"kind": "range", "pairs": PAIRS, "published": {"text": "1 to 2", "low": 1, "high": 2}},
        {"kind": "ordering", "pairs": PAIRS, "or_equal": True},
        {"kind": "absolute", "of": {"select": {}, "ways": [{"n": 1}, {"n": 2}]}, "published": {"value": 2}},
    ],
)
def test_a_claim_with_every_key_is_accepted(tmp_path, claim):
    import toy

    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    claims = [{**study["claims"][0], "tolerance": 0.1, **claim}]
    save(tmp_path / "toy" / "study.json", {**study, "claims": claims})
    assert read_studies(tmp_path)[0]["claims"] == claims


def test_a_field_that_is_no_hdf5_is_refused(tmp_path, capsys):
    arguments = jacobi_world(tmp_path)
    (tmp_path / "fields" / "jacobi-figure-1.h5").write_text("no field")
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert "jacobi-figure-1.h5: not a readable HDF5 file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("entry", "changes", "reason"),
    [
        ("tables", {"remarks": [{"text": "x"}]}, "tables[0].remarks[0]: "),
        (
            "tables",
            {"remarks": [{"ratio_above": 1, "ratio_below": 1, "text": "x"}]},
            "tables[0].remarks[0]: ",
        ),
        ("tables", {"remarks": [], "ratio": None}, "'ratio' is a dependency of 'remarks'"),
        ("tables", {"columns": [{**COLUMN, "total": "ms"}]}, "tables[0].columns[0].total: 'ms' is not"),
        ("tables", {"select": {"n": []}}, "tables[0].select.n: "),
        ("tables", {"select": {"n": [[1]]}}, "tables[0].select.n[0]: "),
        ("claims", {"kind": "ordering", "tolerance": 0.1}, "claims[0]: 'pairs' is a required property"),
        ("claims", {"expect": "above 1"}, "claims[0]: Additional properties"),
        ("claims", {"pairs": {**PAIRS, "accross": True}}, "claims[0].pairs: Additional properties"),
        ("claims", {"pairs": {**PAIRS, "per": "bytes"}}, "claims[0].pairs.per: "),
        ("claims", {"pairs": {**PAIRS, "across": True, "best": True}}, "claims[0].pairs: "),
        ("claims", {"pairs": PAIRS, "kind": "ratio", "tolerance": 0}, "'value' is a required property"),
        ("claims", {"pairs": PAIRS, "kind": "range", "tolerance": 0}, "'low' is a required property"),
        ("claims", {"of": {"select": {}, "ways": [{}]}}, "claims[0].of.ways: [{}] is too short"),
        ("claims", {"optimum": {**OPTIMUM, "candidates": 0}}, "claims[0].optimum.candidates: 0 is less"),
        ("figures", {"kind": "lines", "x": ["n"]}, "figures[0].x: ['n'] is not of type 'string'"),
        (
            "figures",
            {"kind": "lines", "x": "n", "scale": {"y": "cubic"}},
            "figures[0].scale.y: 'cubic' is not",
        ),
        ("figures", {"kind": "lines", "x": "n", "limits": "all"}, "figures[0].limits: 'all' is not of type"),
        (
            "figures",
            {"kind": "lines", "x": "n", "series": [{"title": "t", "select": {}, "style": "dotted"}]},
            "figures[0].series[0].style: 'dotted' is not one of",
        ),
        (
            "figures",
            {"kind": "lines", "x": "n", "series": [{"title": "t", "select": {}, "mark": "most"}]},
            "figures[0].series[0].mark: 'most' is not one of",
        ),
        (
            "figures",
            {"kind": "lines", "x": "n", "series": [{"title": "t", "select": {}, "mark": "least and chosen"}]},
            "figures[0]: 'chosen' is a required property",
        ),
        ("figures", {"kind": "bars"}, "figures[0]: 'groups' is a required property"),
        ("figures", {"kind": "bars", "groups": ["n"], "scale": {"x": "log"}}, "figures[0].scale: "),
        ("figures", {"kind": "contour", "field": "t", "aspect": "wide"}, "figures[0].aspect: 'wide' is not"),
        ("figures", {"kind": "contour", "field": "t", "x_scale": 0}, "figures[0].x_scale: 0 is less than"),
        ("figures", {"kind": "contour", "field": "t", "y_scale": ["dt"]}, "figures[0].y_scale: ['dt'] is"),
        ("figures", {"kind": "contour", "field": "t", "y_title": ""}, "figures[0].y_title: '' "),
        (
            "figures",
            {"kind": "contour", "field": "t", "slice": {"axis": 3, "at": 0}},
            "slice.axis: 3 is not one",
        ),
        ("figures", {"kind": "contour", "field": "t", "slice": {"axis": 0, "at": "top"}}, "slice.at: "),
        ("figures", {"kind": "contour", "field": "t", "slice": {"axis": 0, "at": -1}}, "slice.at: "),
        ("figures", {**SLICE, "axis": None}, "figures[0]: 'axis' is a required property"),
        ("figures", {**SLICE, "axis": "y"}, "figures[0].axis: 'y' is not"),
        ("figures", {**SLICE, "x_axis": 3}, "figures[0].x_axis: 3 is not one of"),
        ("figures", {**SLICE, "x_axis": 1}, "figures.s.x_axis: 1 is the axis that is cut"),
        ("figures", {**SLICE, "coordinates": {"x": "/z"}}, "figures[0].coordinates: 'y' is a required"),
        ("figures", {**SLICE, "body": 2.25}, "figures[0].body: 2.25 is not of type"),
        ("figures", {"axis": 1}, "figures[0].axis: 1 is not of type 'string'"),
    ],
)
def test_a_study_with_a_wrong_declaration_is_refused(tmp_path, capsys, entry, changes, reason):
    import toy

    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    own = {key: value for key, value in {**study[entry][0], **changes}.items() if value is not None}
    file = save(tmp_path / "toy" / "study.json", {**study, entry: [own]})
    assert main(["report", "--experiments", str(tmp_path), "--results", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"gridmark_plots: {file}: ") and reason in said and said.count("\n") == 1
