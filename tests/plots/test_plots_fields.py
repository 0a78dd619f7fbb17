"""Fields are solved by the binary, once, and again only when what is asked for changes."""

import pytest
import toy

from gridmark_plots import fields

SOLVE = {"variant": "plain", "set": {"n": 4, "on": True}, "residual": 1e-6}
SPEC = {"id": "c", "kind": "contour", "title": "C", "field": "/psi", "solve": SOLVE}


def study(**changes):
    return [{**toy.STUDY, "figures": [toy.SWEEP, {**SPEC, **changes}]}]


def binary(folder, script):
    made = folder / "gridmark"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return made


def test_the_binary_is_asked_once_for_what_the_study_declares(tmp_path):
    solve = binary(tmp_path, f'echo "$@" >> {tmp_path}/asked; for last; do :; done; echo field > "$last"')
    out = tmp_path / "fields"
    for _ in range(2):
        assert fields.make(study(), solve, out) == [out / "toy-c.h5"]
    asked = f"solve toy --variant plain --set n=4 --set on=true --set residual=1e-06 --out {out}/toy-c.h5\n"
    assert (tmp_path / "asked").read_text() == asked
    fields.make(study(solve={**SOLVE, "residual": 1e-3}), solve, out)
    assert (tmp_path / "asked").read_text().count("\n") == 2


@pytest.mark.parametrize(("kind", "asked"), [("contour", True), ("slice", True), ("bars", False)])
def test_only_kinds_that_draw_a_field_are_solved(kind, asked):
    assert (fields.command(toy.STUDY, {**SPEC, "kind": kind}, "gridmark", "f.h5") is not None) == asked


def test_a_failed_solve_is_told_and_leaves_no_field(tmp_path, capsys):
    solve = binary(tmp_path, 'for last; do :; done; echo half > "$last"; echo "gridmark: no GPU" >&2; exit 2')
    assert fields.make(study(), solve, tmp_path) == []
    assert capsys.readouterr().err == "gridmark_plots: toy-c.h5: not solved: gridmark: no GPU\n"
    assert not (tmp_path / "toy-c.h5").exists()
