"""`gridmark claims`: everything about a claim, in the terminal as in the JSON."""

import json

from conftest import ROOT, complaint

PUBLISHED = ROOT / "results" / "published" / "gtx-570"
REFERENCE = ROOT / "results" / "nvidia-h200"


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
