"""Commands as typed, the files that they write, and the words for what was not measured or only forecast."""

import hashlib
import os

import pytest
import toy
from synthetic import ROOT, jacobi_world, result, row, save

from gridmark_plots import machines, render, sentences, values
from gridmark_plots.__main__ import _arguments, main
from gridmark_plots.errors import InputError
from gridmark_plots.results import Machine, ResultSet

STUDY = {key: value for key, value in toy.STUDY.items() if key != "file"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["report"], {"machines": [], "out": "report", "fields": None, "ratios": [], "verdicts": []}),
        (["compare"], {"base": None, "new": None, "out": "report/comparison", "comparison": None}),
        (["fields"], {"out": "build/fields"}),
        (["machines"], {"folders": [], "out": "report/machines", "verdicts": []}),
        (["own", "x"], {"folder": "x", "out": "report/own"}),
        (["scaling"], {"set": None, "network": None, "out": "report/scaling", "scaling": None}),
    ],
)
def test_each_command_has_its_defaults(words, found):
    given = vars(_arguments().parse_args(words))
    for key, value in found.items():
        assert given[key] == value if isinstance(value, list | None) else str(given[key]) == value, key
    known = {
        "gridmark": "build/gridmark",
        "schema": "harness/result.schema.json",
        "experiments": "experiments",
    }
    for key, path in known.items():
        assert key not in given or given[key] == ROOT / path
    assert str(given.get("results", "results")) == "results"


@pytest.mark.parametrize(
    "words", [[], ["rep"], ["own"], ["report", "--machine", "x"], ["compare", "a", "b", "c"]]
)
def test_what_is_no_command_or_shortened_is_refused(words, capsys):
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2 and "usage: gridmark_plots" in capsys.readouterr().err


def test_fields_that_are_nowhere_are_refused_before_anything_is_drawn(tmp_path, capsys):
    arguments = jacobi_world(tmp_path)
    arguments[arguments.index("--fields") + 1] = str(tmp_path / "nowhere")
    assert main([*arguments, "--results", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"gridmark_plots: {tmp_path / 'nowhere'}: no such directory of fields\n"
    assert not (tmp_path / "out").exists()


def test_the_paths_of_solved_fields_are_printed(tmp_path, capsys, monkeypatch):
    figure = {"id": "c", "kind": "contour", "title": "C", "field": "/psi", "solve": {"variant": "plain"}}
    save(tmp_path / "experiments" / "toy" / "study.json", {**STUDY, "figures": [figure]})
    binary = tmp_path / "gridmark"
    binary.write_text('#!/bin/sh\nfor last; do :; done; echo field > "$last"\n')
    binary.chmod(0o755)
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    given = ["--experiments", tmp_path / "experiments", "--gridmark", binary, "--out", tmp_path / "f"]
    assert main(["fields", *map(str, given)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'f' / 'toy-c.h5'}\n"
    assert "MPLBACKEND" not in os.environ


def test_sizes_of_ones_own_are_drawn_and_a_file_of_no_study_is_told(tmp_path, capsys, schema):
    save(tmp_path / "experiments" / "toy" / "study.json", STUDY)
    axes = {"axes": {"axes": [{"key": "n", "values": ["1", "2"]}], "variants": []}}
    rows = [row("plain", {"n": n}, 2.0 * n) for n in (1, 2)]
    save(tmp_path / "box" / "toy.json", result("Box", rows, **axes))
    save(tmp_path / "box" / "other.json", result("Box", rows, "other"))
    given = ["own", tmp_path / "box", "--experiments", tmp_path / "experiments", "--out", tmp_path / "out"]
    assert main([*map(str, given), "--results", str(tmp_path), "--schema", str(schema)]) == 0
    said = capsys.readouterr()
    assert said.err == f"{tmp_path / 'box' / 'other.json'}: no study of this name, not read\n"
    assert said.out.split() == [
        str(tmp_path / "out" / name) for name in ("figures/toy-n-kernel.svg", "index.html")
    ]


# Files.


def test_a_file_is_written_whole_in_place_and_a_link_stays_one(tmp_path):
    output = render.Output(tmp_path / "out")
    elsewhere = save(tmp_path / "elsewhere.txt", "old")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link.txt").symlink_to(elsewhere)
    assert output.write("link.txt", "new\n") == tmp_path / "out" / "link.txt"
    assert elsewhere.read_text() == "new\n" and (tmp_path / "out" / "link.txt").is_symlink()
    output.write("deep/er/a.txt", "é\n")
    assert (tmp_path / "out" / "deep" / "er" / "a.txt").read_bytes() == b"\xc3\xa9\n"
    assert output.written == [tmp_path / "out" / name for name in ("link.txt", "deep/er/a.txt")]
    assert not list(tmp_path.rglob("*.part"))
    with pytest.raises(InputError, match="deep: exists and is no file"):
        output.write("deep", "x")
    with pytest.raises(InputError, match=r"link\.txt/a"):
        output.write("link.txt/a", "x")


def test_digests_are_of_the_folders_asked_for_in_order(tmp_path):
    output = render.Output(tmp_path)
    for name in ("tables/b.csv", "index.html", "tables/a.csv", "figures/c.svg", "other/tables/d"):
        output.write(name, name)
    lines = render.digests_of(output, ("tables", "figures")).splitlines()
    assert lines == [
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}"
        for name in ("figures/c.svg", "tables/a.csv", "tables/b.csv")
    ]


# Words.


def machine(rows, forecast=False, published=False, experiment="toy", **context):
    given = {"experiment": experiment, "complete": True, "ceilings": [], "reasons": {}, **context}
    made = Machine("m", ROOT, "Box" + (" (published)" if published else ""), published, forecast)
    made.sets[experiment] = ResultSet(ROOT / f"{experiment}.json", given, rows)
    return made


def forecast(count, reason="by its data sheet"):
    return [row("v", {"n": n}, 1.0, status="forecast", reason=reason) for n in range(count)]


def test_rows_without_a_number_and_values_that_are_none_are_counted_by_reason():
    rows = [row("a", {"n": n}, None) for n in range(2)]
    said = sentences.about("Box", machine(rows), "toy", rows)
    assert said == ["Box: both rows were skipped: no CUDA device is visible."]
    failed = [
        row("a", {"n": 3}, None, status="failed", reason=reason) for reason in ("late.", "late", "wrong")
    ]
    assert sentences.about("Box", machine([]), "toy", [*rows, *failed]) == [
        "Box: 2 rows were skipped: no CUDA device is visible.",
        "Box: 2 rows failed: late.",
        "Box: 1 row failed: wrong.",
    ]
    guesses = [row("a", {}, 1.0, status="estimate", reason="few") for _ in range(3)]
    assert sentences.about("Box", machine([]), "toy", [*guesses, *rows])[1:] == [
        "Box: all 3 values marked est. are estimates: few."
    ]
    assert sentences.about("Box", machine([]), "toy", [*guesses, row("a", {}, 1.0)]) == [
        "Box: 3 values marked est. are estimates: few."
    ]


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "Box: 1 value is a forecast by its data sheet, never measured."),
        (2, "Box: 2 values are forecasts by its data sheet, never measured."),
    ],
)
def test_forecasts_are_counted(count, said):
    assert sentences.about("Box", machine([], forecast=True), "toy", forecast(count)) == [said]


def test_what_was_no_part_of_a_run_or_a_forecast_is_told_of_no_published_set():
    for made, word in ((machine([]), "run"), (machine([], forecast=True), "forecast")):
        assert sentences.about("Box", made, "toy", []) == [f"Box: no row of this was part of the {word}."]
        did = "run there" if word == "run" else word
        assert sentences.about("Box", made, "heat", []) == [f"Box: this study was not {did}."]
    for experiment in ("toy", "heat"):
        assert sentences.about("Box", machine([], published=True), experiment, []) == []


def test_machines_are_told_with_what_their_numbers_are_and_when():
    measured = machine([], date="2026-02-01")
    measured.sets["heat_2"] = ResultSet(ROOT / "h.json", {"complete": False, "date": "2026-01-31"}, [])
    sold, made = machine([], published=True, year=2010, date="2026"), machine([], forecast=True, year=2025)
    headings, lines = machines.summary([measured, sold, made, machine([])])
    assert headings == ["machine", "numbers", "when", "studies"]
    assert lines == [
        ["Box (INCOMPLETE)", "measured by Gridmark", "measured 2026-01-31", "heat 2, toy"],
        ["Box (published)", "published", "sold since 2010", "toy"],
        ["Box", "a model's, from the data sheet", "sold since 2025", "toy"],
        ["Box", "measured by Gridmark", "measured: not known", "toy"],
    ]


def test_a_value_is_told_as_exactly_as_it_is_known():
    exact = values.Value(3.0, (3.0, 3.0))
    assert (exact.interval_text, exact.text, exact.ends) == ("", "3.000", (3.0, 3.0, 3.0))
    assert values.Value(3.0, (2.0, 4.0)).interval_text == "2.000 to 4.000"
    assert (values.Value(3.0, published=True).text, values.Value(1234567.0, count=True).text) == (
        "3",
        "1234567",
    )
    assert values.Value(3.0).ends == (3.0,) and values.Value(3.0).interval_text == ""


def test_rows_differ_in_all_but_their_status():
    rows = [
        row("a", {"n": 1, "k": 1}, 1.0),
        row("a", {"n": 1}, 1.0, status="estimate"),
        row("a", {"n": 2}, 1.0),
    ]
    assert values.differing(rows) == ["k", "n"] and values.differing(rows[:1]) == []
    notes = [value.note for value in values.values_of(rows, "us", False, "f")]
    assert notes == ["k 1, n 1", "k none, n 1", "k none, n 2"]
    assert [value.estimate for value in values.values_of(rows, "us", False, "f")] == [False, True, False]
