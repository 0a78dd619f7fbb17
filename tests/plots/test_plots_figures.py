"""Figures: what they plot, what they leave out and why, and that their SVG follows the reader's colours."""

import colorsys
import re
import xml.etree.ElementTree as ElementTree

import pytest
import toy
from synthetic import CPU_CEILINGS, GPU_CEILINGS, ROOT, comparison, field, row

from gridmark_plots.figures import axes, canvas, contour, palette, ratios, roofline, sweep
from gridmark_plots.selector import in_order


def machines():
    return [
        toy.machine("old-card", "Old card", toy.PUBLISHED, published=True),
        toy.machine("m", "Box", toy.MEASURED),
    ]


def test_a_sweep_tables_what_it_plots():
    figure = sweep.make(toy.STUDY, toy.SWEEP, machines())
    assert figure.headings == ["n", "plain, Old card (µs)", "plain, Box (µs)"]
    assert figure.lines == [
        ["1", "40", "2.500 (2.400 to 2.600)"],
        ["2", "–", "5.000 (4.900 to 5.200) est."],
    ]
    assert "from 2.5 to 40 µs" in figure.alt


def test_a_sweep_without_numbers_says_why():
    figure = sweep.make(toy.STUDY, toy.SWEEP, [toy.machine("m", "Box", [row("plain", {"n": 1}, None)])])
    assert not figure.wide
    assert figure.notes == [
        "This figure is left out: no machine measured any of its rows.",
        "Box: 1 row was skipped: no CUDA device is visible.",
    ]


def test_numeric_categories_are_in_order():
    rows = [row("plain", {"n": n}, 1.0) for n in (16, 2, 128)]
    figure = sweep.make(toy.STUDY, toy.SWEEP, [toy.machine("m", "Box", rows)])
    assert [line[0] for line in figure.lines] == ["2", "16", "128"]


def test_numbers_are_in_order_below_words_as_they_come():
    keys = [("slow", "16", "b"), ("slow", "2", "b"), ("fast", "16", "b"), ("fast", "2.5", "a")]
    assert in_order([*keys, keys[0]]) == [keys[1], keys[0], keys[3], keys[2]]
    words = [("b", "x"), ("a", "x"), ("b", "w")]
    assert in_order(words) == words
    assert in_order([]) == []


def test_a_roofline_keeps_the_best_of_each_group_at_its_work_per_byte():
    rows = [
        row("plain", {"n": 1, "block": 1}, 4.0, bytes=8000.0, flops=4000.0),
        row("plain", {"n": 1, "block": 2}, 2.0, bytes=8000.0, flops=4000.0),
        row("plain", {"n": 2, "block": 1}, 1.0),
    ]
    box = toy.machine("m", "Box", rows)
    box.sets["toy"].context["ceilings"] = GPU_CEILINGS
    spec = {
        "id": "r",
        "kind": "roofline",
        "title": "R",
        "select": {"quantity": "time"},
        "groups": ["variant", "n"],
    }
    figure = roofline.make(toy.STUDY, {**spec, "best": True}, [box])
    speed = "2.000 (1.980 to 2.020)"
    assert figure.lines == [["Box", "plain", "1", "kernel", "0.5", speed, "toy/plain/n:1/block:2"]]
    assert len(roofline.make(toy.STUDY, spec, [box]).lines) == 2


def test_roofs_come_from_the_ceilings_and_missing_ones_are_told():
    found, missing = roofline.of({"ceilings": CPU_CEILINGS}, "CPU")
    assert [roof.text for roof in found] == ["memory 103 GB/s", "float 1.65 TFLOP/s"]
    assert missing == ["no CPU roof 'double': this is made up too"]
    assert found[0].at(2.0) == 206.0 and found[1].at(2.0) == 1650.0


def test_a_contour_is_drawn_from_its_field_or_left_out_with_a_sentence(tmp_path):
    spec = {"id": "c", "kind": "contour", "title": "C", "field": "/psi", "mask": "/mask", "levels": 7}
    assert contour.make(toy.STUDY, spec, None).notes[0].startswith("This figure is left out: its field")
    field(tmp_path / "toy-c.h5", 64, 32)
    figure = contour.make(toy.STUDY, spec, tmp_path)
    assert figure.caption == "Solved by 41237 iterations to a residual of 9.7e-07."
    assert figure.alt.startswith("7 contour lines of psi around a body on 64 x 32 points")
    assert ["points", "64 x 32"] in figure.lines
    assert palette.BODY[0] in figure.wide and figure.notes == []


def test_a_field_that_falls_short_of_its_residual_says_so(tmp_path):
    import h5py

    spec = {"id": "c", "kind": "contour", "title": "C", "field": "/psi"}
    with h5py.File(field(tmp_path / "toy-c.h5", 64, 32), "a") as file:
        file["parameters"].attrs.update({"residual": 1e-6, "largest_last_change": 2e-4})
    figure = contour.make(toy.STUDY, spec, tmp_path)
    assert "the last one moved no point by more than 0.0002 (asked for: 1e-06)" in figure.caption
    assert figure.notes == ["The residual that was asked for was not reached."]


@pytest.mark.parametrize(
    ("given", "caption", "falls_short"),
    [
        ({"residual": 0.0, "largest_last_change": 2e-4}, "by more than 0.0002 (asked for: 0).", False),
        ({"residual": 2e-4, "largest_last_change": 2e-4}, "by more than 0.0002 (asked for: 0.0002).", False),
        (
            {"largest_last_change": 2e-4},
            "Solved by 9 iterations; the last one moved no point by more than",
            False,
        ),
        ({"residual": 1e-3}, "Solved by 9 iterations to a residual of 0.001.", False),
        ({"residual": 1e-6, "largest_last_change": 2e-6}, "(asked for: 1e-06).", True),
        ({}, "Solved by 9 iterations.", False),
    ],
)
def test_how_far_a_field_was_solved_is_said(tmp_path, given, caption, falls_short):
    import h5py

    with h5py.File(field(tmp_path / "toy-c.h5", 64, 32), "a") as file:
        for key in list(file["parameters"].attrs):
            del file["parameters"].attrs[key]
        file["parameters"].attrs.update({"iterations": 9, **given})
    spec = {"id": "c", "kind": "contour", "title": "C", "field": "/psi"}
    figure = contour.make(toy.STUDY, {**spec, "caption": "First."}, tmp_path)
    assert figure.caption.startswith("First. Solved") and caption in figure.caption
    assert bool(figure.notes) == falls_short
    assert figure.lines == [
        ["points", "64 x 32"],
        ["least value", figure.lines[1][1]],
        ["largest value", figure.lines[2][1]],
        *(
            [name, plain]
            for name, plain in sorted((k, f"{v:.6g}") for k, v in {"iterations": 9, **given}.items())
        ),
    ]
    assert "around a body" not in figure.alt and figure.alt.startswith(
        "20 contour lines of psi on 64 x 32 points"
    )


def test_rows_names_in_a_comparison_drop_what_all_share():
    given = comparison()
    rows = [one for one in given["rows"] if one["ratio"] is not None]
    shared, own = ratios.names_of(rows)
    assert shared == "gpu_shared/512x256/float/carveout:shared/kernel"
    assert own[0] == "tile:32x32/block:32x4/0" and len(set(own)) == len(own)
    assert len(ratios.make("jacobi", given).lines) == len(rows)


@pytest.mark.parametrize("drawing", ["wide", "narrow"])
def test_every_colour_of_a_drawing_has_a_dark_twin(drawing):
    svg = getattr(sweep.make(toy.STUDY, toy.SWEEP, machines()), drawing)
    used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg))
    assert used and used <= {light for light, _ in palette.EVERY}
    lone = canvas.standalone(svg, "A title & more")
    assert ElementTree.fromstring(lone.encode()).tag.endswith("svg")
    light, dark = lone.split("@media (prefers-color-scheme: dark)")
    for ink, twin in palette.EVERY:
        assert (ink in light) == (ink in used) == (twin in dark), ink
    assert " style=" not in lone and "<metadata" not in lone and "matplotlib" not in lone
    assert "A title &amp; more" in lone


def _luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one, other):
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1])
def test_graph_colours_stand_out_in_both_schemes(scheme):
    paper = palette.PAPER[scheme]
    for pair in (palette.INK, palette.MUTED, *palette.SERIES):
        assert _contrast(pair[scheme], paper) >= 4.5, pair
    assert len({light for light, _ in palette.EVERY}) == len(palette.EVERY)


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_and_badges_have_aa_contrast_in_both_schemes(scheme):
    blocks = re.findall(r":root \{(.*?)\}", (ROOT / "plots/templates/style.css").read_text(), re.S)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", blocks[scheme]))
    for ink in ("ink", "muted", "link"):
        for ground in ("paper", "panel"):
            assert _contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for name in ("good", "part", "bad", "open", "none"):
        assert _contrast(colours[name], colours[f"{name}-bg"]) >= 4.5, name
    assert colours["paper"] == palette.PAPER[scheme]


@pytest.mark.parametrize("scheme", [0, 1])
def test_a_verdict_has_the_colour_and_the_shape_that_its_word_calls_for(scheme):
    style = (ROOT / "plots/templates/style.css").read_text()
    colours = dict(
        re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", re.findall(r":root \{(.*?)\}", style, re.S)[scheme])
    )
    used = dict(
        re.findall(
            r"\.badge\.([a-z-]+)(?:, [^{]*)? \{ color: var\(--([a-z]+)\); background: var\(--\2-bg\)", style
        )
    )
    hues = {"reproduced": "green", "trend-only": "amber", "not-reproduced": "red", "inconclusive": "violet"}
    for verdict, hue in hues.items():
        for name in (used[verdict], f"{used[verdict]}-bg"):
            parts = [int(colours[name][place : place + 2], 16) for place in (1, 3, 5)]
            degrees = colorsys.rgb_to_hsv(*parts)[0] * 360
            at, reach = {"green": (147, 10), "amber": (43, 6), "red": (350, 15), "violet": (250, 15)}[hue]
            assert abs((degrees - at + 180) % 360 - 180) <= reach, (verdict, name, degrees)
    shapes = dict(
        re.findall(
            r'<symbol id="([a-z-]+)"[^>]*>(.*?)</symbol>',
            (ROOT / "plots/templates/macros.html.j2").read_text(),
        )
    )
    strokes = {
        name: (shape.count("<circle"), len(re.findall(r"[Mm]", "".join(re.findall(r' d="([^"]*)"', shape)))))
        for name, shape in shapes.items()
    }
    assert strokes["reproduced"] == (1, 1), "a tick in a disc"
    assert strokes["not-reproduced"] == (0, 2), "a cross"
    assert set(used) | {"not-run"} == set(shapes)


@pytest.mark.parametrize(("low", "high"), [(1.9, 60.0), (0.85, 1.6), (0.01, 5e5), (30, 31)])
def test_an_axis_always_has_a_few_ticks(low, high):
    assert 2 <= len(axes.ticks_between(low, high, 8)) <= 9
