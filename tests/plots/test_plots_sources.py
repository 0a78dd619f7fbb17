"""What is read: the binary's answers, solved fields, JSON, machines, studies, and bandwidths among them."""

import json

import pytest
import toy
from synthetic import ceiling, result, row, save, verdicts

from gridmark_plots import bandwidth, binary, fields, hardware, jsonfile
from gridmark_plots.errors import InputError
from gridmark_plots.results import read_machine, read_machines, read_published
from gridmark_plots.studies import read_studies

# The binary.


def program(folder, script):
    made = folder / "gridmark"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return made


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo one >&2; echo two >&2; exit 3", "exit code 3: two"),
        ("exit 1", "exit code 1: it said nothing"),
        ("echo '{'", "line 2: not JSON"),
        ("echo '{}'", "is a required property"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_the_last_that_was_said(tmp_path, script, said):
    with pytest.raises(InputError, match=f"gridmark claims --json: .*{said}"):
        binary.ask(program(tmp_path, script), ["claims", "--json"], "verdicts")


def test_each_machine_is_asked_for_by_its_folder(tmp_path):
    machines = [toy.machine(key, key, []) for key in ("m", "k")]
    told = [{"experiment": "toy", "id": "T1", "verdict": "NOT RUN", "statement": "s", "because": "b"}]
    script = f'echo "$@" >> {tmp_path}/asked; cat {save(tmp_path / "v.json", verdicts("d", "n", told))}'
    found = binary.verdicts(machines, program(tmp_path, script))
    assert {key: list(claims) for key, claims in found.items()} == {
        "m": [("toy", "T1")],
        "k": [("toy", "T1")],
    }
    assert (tmp_path / "asked").read_text() == "".join(f"claims --json --machine results/{k}\n" for k in "mk")


SOLVE = {"variant": "plain", "set": {"n": 4}}
SOLVED = {"kind": "contour", "title": "C", "field": "/psi", "solve": SOLVE}


def test_a_field_is_solved_again_where_it_or_what_made_it_is_gone(tmp_path):
    asked = tmp_path / "asked"
    solve = program(tmp_path, f'echo "$@" >> {asked}; for last; do :; done; echo field > "$last"')
    study = {**toy.STUDY, "figures": [toy.SWEEP, {**SOLVED, "id": "a"}, {**SOLVED, "id": "b"}]}
    out = tmp_path / "deep" / "fields"
    both = [out / "toy-a.h5", out / "toy-b.h5"]

    def made():
        asked.unlink(missing_ok=True)
        assert fields.make([study], solve, out) == both
        return asked.read_text().count("\n") if asked.exists() else 0

    assert (made(), made()) == (2, 0)
    both[0].unlink()
    assert (made(), made()) == (1, 0)
    both[1].with_suffix(".command").unlink()
    assert (made(), made()) == (1, 0)
    both[1].with_suffix(".command").write_text("another")
    assert made() == 1


def test_a_solve_that_fails_keeps_no_word_of_an_earlier_one(tmp_path, capsys):
    study = {**toy.STUDY, "figures": [{**SOLVED, "id": "a"}]}
    (tmp_path / "toy-a.command").write_text("earlier")
    assert fields.make([study], program(tmp_path, "exit 4"), tmp_path) == []
    assert "toy-a.h5: not solved: exit code 4" in capsys.readouterr().err
    assert not (tmp_path / "toy-a.command").exists()


# JSON.


def nested(deep):
    return json.loads("[" * deep + "]" * deep)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(nested(jsonfile.DEEPEST)), None),
        (json.dumps(nested(jsonfile.DEEPEST)).replace('[]', '[1]'), None),
        (json.dumps(nested(jsonfile.DEEPEST + 1)), "nested more than 32 deep"),
        (json.dumps({"a": {"b": nested(jsonfile.DEEPEST - 1)}}), "nested more than 32 deep"),
        (json.dumps("é" * (jsonfile.LONGEST // 2)), None),
        (json.dumps(["é" * (jsonfile.LONGEST // 2) + "e"]), "a text of more than 8192 bytes"),
        (json.dumps({"k" * (jsonfile.LONGEST + 1): 1}), "a text of more than 8192 bytes"),
        ("1" + "0" * 308, None),
        ("1" + "0" * 309, "too large for any double"),
        ("1" * 5000, "too large for any double"),
        ("1e309", "too large for any double"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "the key 'b' stands twice in one object"),
        ('"\\ud800"', "half of a character"),
        ("-Infinity", "-Infinity is not JSON"),
    ],
)  # fmt: skip
def test_json_of_any_size_is_read_or_refused_in_one_line(text, said):
    if said is None:
        assert jsonfile.parse(text, "f") == json.loads(text)
        return
    with pytest.raises(InputError, match=f"^f: .*{said}"):
        jsonfile.parse(text, "f")


def test_a_file_is_read_whole_and_one_that_is_too_large_or_no_file_is_refused(tmp_path, monkeypatch):
    file = save(tmp_path / "a.json", {"a": "é"})
    assert jsonfile.read(file) == {"a": "é"}
    monkeypatch.setattr(jsonfile, "LARGEST", file.stat().st_size)
    assert jsonfile.read(file) == {"a": "é"}
    monkeypatch.setattr(jsonfile, "LARGEST", file.stat().st_size - 1)
    with pytest.raises(InputError, match="larger than"):
        jsonfile.read(file)
    with pytest.raises(InputError, match="not a regular file"):
        jsonfile.read("/dev/null")
    file.write_bytes(b'{"a": "\xff"}')
    monkeypatch.undo()
    with pytest.raises(InputError, match="not UTF-8 text"):
        jsonfile.read(file)
    with pytest.raises(InputError, match="No such file"):
        jsonfile.read(tmp_path / "none.json")


# Result files.


def boxed(folder, name="Box", status="ok", experiment="toy", **context):
    rows = [row("plain", {"n": 1}, 1.0, status=status, **({"reason": "r"} if status != "ok" else {}))]
    return save(folder / f"{experiment}.json", result(name, rows, experiment, **context)).parent


@pytest.mark.parametrize(("forecasts", "refused"), [(False, True), (True, False)])
def test_forecasts_are_read_only_where_they_are_asked_for(tmp_path, schema, forecasts, refused):
    folder = boxed(tmp_path / "f", status="forecast", preset="forecast")
    document = json.loads((folder / "toy.json").read_text())
    document["rows"][0]["samples"] = []
    save(folder / "toy.json", document)
    for read in (
        lambda: read_machine(folder, {"toy"}, schema, forecasts),
        lambda: read_machines([folder], {"toy"}, schema, forecasts)[0],
        *([lambda: read_machine(folder, {"toy"}, schema)] if refused else []),
    ):
        if refused:
            with pytest.raises(InputError, match="holds forecasts, which are no measurements"):
                read()
        else:
            machine = read()
            assert machine.forecast and not machine.measured and machine.name == "Box (forecast)"


def test_machines_of_one_name_are_told_apart_and_of_one_folders_name_refused(tmp_path, schema):
    a, b, c = (boxed(tmp_path / key, name) for key, name in (("a", "Box"), ("b", "Box"), ("c", "Other")))
    found = read_machines([c, b, a], {"toy"}, schema)
    assert [machine.label() for machine in found] == ["Other", "Box [b]", "Box [a]"]
    assert all(machine.measured and not machine.published for machine in found)
    with pytest.raises(InputError, match="another machine's directory has the same name"):
        read_machines([a, boxed(tmp_path / "other" / "a", "Third")], {"toy"}, schema)


def test_published_sets_are_found_by_their_folders_and_foreign_files_are_kept_by_name(tmp_path, schema):
    for key in ("new", "old"):
        boxed(tmp_path / "published" / key, f"{key} (published)", published=True, preset="published")
    boxed(tmp_path / "published" / "old", experiment="other")
    (tmp_path / "published" / "notes.txt").write_text("no folder")
    found = read_published(tmp_path, {"toy"}, schema)
    assert list(found) == ["new", "old"] and found["old"].ignored == ["other.json"]
    assert found["old"].published and not found["old"].measured and found["old"].plain_name == "old"
    assert read_published(tmp_path / "nowhere", {"toy"}, schema) == {}


def test_a_machine_is_complete_where_each_of_its_experiments_is(tmp_path, schema):
    boxed(tmp_path / "m", complete=False)
    machine = read_machine(boxed(tmp_path / "m", experiment="two"), {"toy", "two"}, schema)
    assert [machine.complete(one) for one in (None, "toy", "two", "none")] == [False, False, True, True]
    assert (machine.label(), machine.label("two")) == ("Box (INCOMPLETE)", "Box")
    assert machine.rows("none") == [] and len(machine.rows("two")) == 1


# Studies.

RATIO = toy.TABLE["ratio"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"id": "other"}, "id: 'other' does not fit the folder's name"),
        ({"tables": [toy.TABLE, toy.TABLE]}, "tables: the id 't' stands twice"),
        ({"figures": [toy.SWEEP, {**toy.SWEEP, "title": "Another"}]}, "figures: the id 's' stands twice"),
        ({"claims": toy.STUDY["claims"] * 2}, "claims: the id 'T1' stands twice"),
        ({"tables": [{**toy.TABLE, "claims": ["T2"]}]}, "tables.t.claims: no claim 'T2'"),
        ({"tables": [{**toy.TABLE, "ratio": {**RATIO, "numerator": "c"}}]}, "ratio.numerator: no column 'c'"),
        ({"tables": [{**toy.TABLE, "ratio": {**RATIO, "denominator": "c"}}]}, "denominator: no column 'c'"),
    ],
)  # fmt: skip
def test_what_a_study_declares_must_fit_together(tmp_path, changes, said):
    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    save(tmp_path / "toy" / "study.json", {**study, **changes})
    with pytest.raises(InputError, match=said):
        read_studies(tmp_path)


def test_studies_are_read_by_name_and_know_their_file(tmp_path):
    study = {key: value for key, value in toy.STUDY.items() if key != "file"}
    for name in ("toy", "another"):
        save(tmp_path / name / "study.json", {**study, "id": name})
    assert [(one["id"], one["file"]) for one in read_studies(tmp_path)] == [
        (name, str(tmp_path / name / "study.json")) for name in ("another", "toy")
    ]
    with pytest.raises(InputError, match=rf"^{tmp_path}/toy: holds no <study>/study\.json"):
        read_studies(tmp_path / "toy")


# Bandwidths.

GIVEN = [
    ceiling("gpu_copy_bandwidth", 400.0, "GB/s", ""), ceiling("gpu_memory_peak", 900.0, "GB/s", "data sheet"),
    ceiling("cpu_memory_peak", 20.0, "GB/s", "data sheet"),
    ceiling("cpu_triad_all_threads", None, "GB/s", "", "no time"),
    ceiling("link_up_pinned", 50.0, "GB/s", ""), ceiling("link_down_pinned", None, "GB/s", "", "no card."),
]  # fmt: skip


def bound(clock="kernel", status="ok", limit=None, ceilings=GIVEN, **parameters):
    one = row("v", parameters, 2.0, clock=clock, status=status, bytes=1e6, limit=limit)
    return bandwidth.of(one, {"ceilings": ceilings}, "f")


def test_a_row_is_held_against_what_was_measured_and_else_against_the_data_sheet():
    found, _ = bound()
    assert (found.ceiling, found.seconds) == ("gpu_copy_bandwidth", pytest.approx(2.5e-6))
    assert (found.words, found.source) == ("of 400 GB/s", "gpu_copy_bandwidth (400 GB/s, measured)")
    found, _ = bound("wall")
    assert (found.words, found.source) == ("of 20 GB/s", "cpu_memory_peak (20 GB/s, from the data sheet)")
    assert bound("wall", threads=1)[0].ceiling == "cpu_memory_peak"
    assert bound("wall", ceilings=GIVEN[3:4]) == (None, "no time")
    assert (
        bound("wall", ceilings=[])[1]
        == "cpu_triad_all_threads and cpu_memory_peak are not among its ceilings"
    )


def test_the_link_is_held_against_itself_and_forecasts_against_the_sheet():
    link = {"ceiling": "link_up_pinned", "value": 3.0, "unit": "ms", "share": 0.5}
    found, _ = bound(limit=link)
    assert found.link and found.seconds == pytest.approx(3e-3) and found.words == "of the link, 50 GB/s"
    assert found.source == "link_up_pinned (50 GB/s, measured)"
    for limit in (link, None):
        assert bound(status="forecast", limit=limit)[0].source.endswith("from the data sheet)")
    assert bound(limit={**link, "ceiling": "link_down_pinned"}) == (None, "no card")
    near = {"ceiling": "gpu_l2_bandwidth", "value": 1.0, "unit": "us", "share": 0.5}
    assert bound(limit=near)[0].ceiling == "gpu_copy_bandwidth"


@pytest.mark.parametrize(
    ("context", "side", "found"),
    [
        ({"gpu": {"l2_bytes": 7}}, "GPU", ("the GPU's L2", 7)),
        ({"gpu": None}, "GPU", ("the GPU's L2", None)),
        ({"cpu": {"caches": {"l3": 5, "l3_total": 9}}}, "CPU", ("the CPU's L3", 9)),
        ({"cpu": {"caches": {"l3": 5}}}, "CPU", ("the CPU's L3", 5)),
        ({"cpu": {"caches": None}}, "CPU", ("the CPU's L3", None)),
    ],
)
def test_the_last_cache_before_a_memory(context, side, found):
    assert bandwidth.last_level(context, side) == found


def test_only_what_fits_a_cache_is_said_to_stay_there():
    size, l2 = 3 << 20, {"ceiling": "gpu_l2_bandwidth", "value": 1.0, "unit": "us", "share": 0.5}
    rows = [
        row("v", {}, 1.0, bytes=size), row("v", {}, 1.0, bytes=size + 1),
        row("v", {}, 1.0, bytes=9 * size, limit=l2),
        row("v", {}, 1.0, bytes=1, clock="wall"),
    ]  # fmt: skip
    held = list(zip("abcd", rows, (100.0, 100.1, 300.0, 90.0), strict=True))
    said = bandwidth.about_caches("Box", {"gpu": {"l2_bytes": size}, "cpu": {}}, held)
    assert [one.split(". ")[0] for one in said] == [
        "Box: what a and c work on stays in the GPU's L2 (3 MiB)",
        "Box: above 100 %: b and c",
    ]
    assert said[1].endswith("from a cache.")
    assert bandwidth.about_caches("Box", {"gpu": {"l2_bytes": size}}, [held[2]])[1].endswith(
        "from the GPU's L2."
    )


def test_a_time_whose_interval_reaches_nothing_has_no_share():
    study = {**toy.STUDY, "hardware": {"title": "T", "select": {}, "rows": ["variant"], "units": ["us"]}}
    machine = toy.machine("m", "Box", [row("plain", {}, 2.0, bytes=1e6, interval=[0.0, 3.0])])
    machine.sets["toy"].context["ceilings"] = GIVEN
    with pytest.raises(InputError, match="its time is not above 0"):
        hardware.compare(study, [machine])
