"""What gridmark says of a folder of results: is it fit to be contributed, and all about its claims."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import REFERENCE, ROOT, complaint

SIDES = ("numerator", "denominator")
MEASURED = {"jacobi", "heat", "ginzburg_landau", "pyramid", "maxwell"}


def missing(program, folder):
    """What `check` says of studies that a folder lacks; one that was just begun is not measured yet."""
    listed = json.loads(program("list", "--json").stdout)["experiments"]
    ids = [entry["id"] for entry in listed if not (folder / f"{entry['id']}.json").exists()]
    return [f"{id}.json: is missing" for id in ids]


def test_the_reference_set_is_complete_and_consistent(program):
    assert {file.stem for file in REFERENCE.glob("*.json")} >= MEASURED
    done = program("check", REFERENCE)
    if lacking := missing(program, REFERENCE):
        assert done.stdout.splitlines() == lacking
    else:
        assert done.returncode == 0, done.stdout


def test_no_committed_row_but_these_is_verified_by_nothing():
    for folder in [REFERENCE, *(REFERENCE.parent / "repeats").iterdir()]:
        for file in folder.glob("*.json"):
            for row in json.loads(file.read_text())["rows"]:
                found = row["verification"]
                if found and found["tolerance"] > 0.01 * found.get("scale", 1):
                    assert "steps_a_trip" in row["name"], (folder, row["name"])


def test_a_claim_says_which_side_the_paper_has_no_version_of(program):
    """Where one side is an optimised variant, and the other is not."""
    said = []
    for listed in json.loads(program("list", "--json").stdout)["experiments"]:
        ours = {entry["name"] for entry in listed["variants"] if entry["origin"] == "optimised"}
        study = json.loads((ROOT / "experiments" / listed["id"] / "study.json").read_text())
        for claim in study["claims"]:
            sides = [claim.get("pairs", {}).get(side, {}).get("variant") for side in SIDES]
            marked = [side for side in sides if isinstance(side, str) and side in ours]
            if len(marked) == 1:
                assert f"{marked[0]} (ours" in claim["quantity"], claim["id"]
                said += marked
    assert len(said) > 5


def test_says_what_is_lacking_a_line_each(program, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(REFERENCE, folder)
    (folder / "heat.json").unlink()
    document = json.loads((folder / "jacobi.json").read_text())
    document["context"]["complete"] = False
    document["context"]["build"]["dirty"] = True
    document["context"]["clocks"]["cpu_stolen"] = 0.3
    row = next(row for row in document["rows"] if row["median"] is not None)
    row["disturbed"] = {"by": ["others took half"], "allowed": True}
    row["median"] *= 1.001
    (folder / "jacobi.json").write_text(json.dumps(document))
    done = program("check", folder)
    assert done.returncode == 2
    assert "heat.json: is missing" in done.stdout
    assert sorted(done.stdout.splitlines()) == sorted(
        [
            *missing(program, folder),
            "jacobi.json: incomplete; the same run again goes on with it",
            "jacobi.json: measured by a commit with changes of its own, or nobody knows",
            f"jacobi.json: 1 disturbed rows, first {row['name']} (others took half); measure it again",
            f"jacobi.json: 1 rows whose median is not that of their samples, first {row['name']}",
            "jacobi.json: the host gave 30 % of the CPU time to others; measure it again",
        ]
    )


@pytest.mark.parametrize("name", ["nvidia-h100", "repeats/nvidia-h200-three-cards"])
def test_committed_limits_are_those_of_points_and_ceilings(program, tmp_path, name):
    for saved in (ROOT / "results" / name).glob("*.json"):
        copy = Path(shutil.copy(saved, tmp_path))
        assert program("_derive", copy).returncode == 0
        assert copy.read_bytes() == saved.read_bytes()
        document = json.loads(copy.read_text())
        for row in document["rows"]:
            assert row["limit"] is None or row["limit"]["share"] <= 1.02
            assert row["limit"] is None or "beaten_limit" not in row


def test_bad_folders_are_refused(program, tmp_path):
    assert "no such folder" in complaint(program("check", tmp_path / "none"))
    assert "no result file" in complaint(program("check", tmp_path))
    complaint(program("check"))


def test_a_forecast_is_no_measurement_anywhere(program, tmp_path):
    folder, base = tmp_path / "card", ROOT / "results" / "repeats" / "nvidia-h200-model"
    made = program("forecast", "a100-sxm4-80gb", "heat", "--base", base, "--out", folder)
    assert made.returncode == 0
    assert [path.name for path in folder.iterdir()] == ["heat.json"], "no file of a study without a row"
    document = json.loads((folder / "heat.json").read_text())
    rows = document["rows"]
    assert {row["status"] for row in rows} <= {"forecast", "skipped"}
    told = [row for row in rows if row["status"] == "forecast"]
    assert len(told) > 50
    assert all(not row["samples"] and row["verification"] is None and row["reason"] for row in told)
    assert all(row["limit"]["share"] <= 1.001 for row in told)
    assert all(one["how"] for one in document["context"]["ceilings"])
    for command in (
        ["check"],
        ["compare", REFERENCE],
        ["tables", "--machine"],
        ["claims", "--machine"],
        ["forecast"],
    ):
        assert "no measurements" in complaint(program(*command, folder))
    # What was measured is never written over, and a forecast never stands among measured rows.
    shutil.copy(base / "heat.json", folder / "heat.json")
    assert "holds measurements" in complaint(
        program("forecast", "a100-sxm4-80gb", "heat", "--base", base, "--out", folder)
    )
    document = json.loads((folder / "heat.json").read_text())
    document["rows"].append(told[0])
    (folder / "heat.json").write_text(json.dumps(document))
    assert "status" in complaint(program("check", folder))


# --- claims: everything, in the terminal as in the JSON


PUBLISHED = ROOT / "results" / "published" / "gtx-570"


def test_the_terminal_holds_every_claim_with_all_its_parts(program):
    claims = json.loads(program("claims", "--machine", REFERENCE, "--json").stdout)["claims"]
    assert {claim["experiment"] for claim in claims} >= {
        "jacobi",
        "ginzburg_landau",
        "pyramid",
        "maxwell",
        "heat",
    }
    text = program("claims", "--machine", REFERENCE).stdout
    for claim in claims:
        for key in (
            "statement",
            "quote",
            "place",
            "quantity",
            "published",
            "measured",
            "because",
            "limits",
            "why",
        ):
            assert claim[key] in text, (claim["id"], key)
        for erratum in claim["errata"]:
            assert erratum in text
        assert claim["quote"]
        assert claim["place"]


def test_claims_say_which_ceiling_would_turn_them(program):
    folder = ROOT / "results" / "repeats" / "nvidia-h200-model"
    claims = json.loads(program("claims", "G6", "J1", "J8", "--machine", folder, "--json").stdout)["claims"]
    turns = {claim["id"]: claim["turns"] for claim in claims}
    assert "gpu_l1_bandwidth" in turns["G6"]["words"] and 0 < turns["G6"]["factor"] < 1 < turns["G6"]["ratio"]
    years = [card["year"] for card in turns["G6"]["cards"]]
    assert years == sorted(years) and years[0] == 2008 and len(years) >= 8
    assert all("H200" not in card["machine"] for card in turns["G6"]["cards"])
    # Cards with a weaker L1 come nearer to 1.
    assert min(card["ratio"] for card in turns["G6"]["cards"]) < 1.2 < turns["G6"]["ratio"]
    # The same chip with another memory makes of every pair what was measured here, but for little.
    for turn in turns.values():
        (near,) = (card["ratio"] for card in turn["cards"] if "H100" in card["machine"])
        assert near == pytest.approx(turn["ratio"], rel=0.02)
    assert turns["J8"]["words"].startswith("no ceiling within a hundredfold") and turns["J8"]["ceiling"] == ""
    said = program("claims", "G6", "--machine", folder).stdout
    assert f"turns      {turns['G6']['words']}" in said
    before = folder.with_name("nvidia-h200-paper")
    old = json.loads(program("claims", "J1", "--machine", before, "--json").stdout)["claims"]
    assert old[0]["turns"] is None, "it lacks ceilings"


def test_limits_name_what_bounds_the_rows(program):
    claims = json.loads(program("claims", "P1", "--machine", REFERENCE, "--json").stdout)["claims"]
    assert [claim["id"] for claim in claims] == ["P1"]
    assert " % of link_" in claims[0]["limits"]


def test_single_claims(program):
    text = program("claims", "J1", "H2", "--machine", PUBLISHED).stdout
    assert "\nJ1 " in text
    assert "\nH2 " in text
    assert "\nJ2 " not in text
    assert "no such claim" in complaint(program("claims", "J99", "--machine", PUBLISHED))


@pytest.mark.parametrize("claim", ["J4", "J4-like"])
def test_the_published_ratio_of_each_pair_is_that_of_the_published_rows(claim):
    study = json.loads((ROOT / "experiments" / "jacobi" / "study.json").read_text())
    published = next(one["published"] for one in study["claims"] if one["id"] == claim)
    times = {}
    for row in json.loads((PUBLISHED / "jacobi.json").read_text())["rows"]:
        pair = " / ".join(row["parameters"][key] for key in ("tile", "block"))
        times.setdefault(pair, {})[row["variant"]] = row["median"]
    ratios = {pair: both["gpu_shared"] / both["gpu_no_shared"] for pair, both in times.items()}
    assert published["pairs"] == pytest.approx(ratios, abs=0.0005)
    ends = (min(ratios.values()), max(ratios.values()))
    assert ends == pytest.approx((published["low"], published["high"]), abs=0.005)
