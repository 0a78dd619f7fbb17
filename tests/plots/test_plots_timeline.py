"""Timelines: the spans of a pass lane by lane, their numbers, their words and what they refuse."""

import re

import pytest
import toy
from derived import ACTIVITIES, busy, overlapped

from gridmark_plots import jsonfile
from gridmark_plots.errors import InputError
from gridmark_plots.figures import palette, timeline

SPEC = {
    "id": "p", "kind": "timeline", "title": "A pass", "select": {"quantity": "busy"}, "unit": "ms",
    "lanes": [{"title": name, "select": {"activity": name}} for name in ACTIVITIES],
}  # fmt: skip
ROWS = [
    busy("upload", [(0, 4000), (4000, 9000), (11000, 12000)]),
    busy("kernels", [(4000, 6000)]),
    busy("download", [(19000, 20000), (6000, 7000)]),
]


def made(rows=ROWS, *more, **changes):
    return timeline.make(toy.STUDY, {**SPEC, **changes}, [toy.machine("m", "Box", rows), *more])


def bars(axes):
    """[(left, right, middle, opacity)] of each lane of a panel."""
    found = []
    for lane in axes.collections:
        boxes = [path.get_extents() for path in lane.get_paths()]
        opacity = [colour[3] for colour in lane.get_facecolors()]
        found.append(sorted((b.x0, b.x1, (b.y0 + b.y1) / 2, o) for b, o in zip(boxes, opacity, strict=True)))
    return found


def test_the_table_holds_the_numbers_of_each_lane():
    figure = made()
    assert figure.headings == [
        "machine", "lane", "spans", "busy (ms)", "share of the pass", "longest span (ms)",
    ]  # fmt: skip
    assert figure.lines == [
        ["Box", "upload", "3", "10.00", "50 %", "5.000"],
        ["Box", "kernels", "1", "2.000", "10 %", "2.000"],
        ["Box", "download", "2", "2.000", "10 %", "1.000"],
    ]
    assert made(unit="us").lines[0][3:] == ["10\u202f000", "50 %", "5\u202f000"]
    assert made(unit="us").headings[3] == "busy (µs)"


def test_the_alternative_text_tells_each_lane():
    assert made().alt == (
        "Timeline of upload, kernels and download. Box: upload busy 50 % of 20.0 ms in 3 spans, "
        "kernels busy 10 % in 1 span, download busy 10 % in 2 spans. The table holds each lane."
    )
    assert "alternate" in made().caption and made(caption="Own.").caption == "Own."


@pytest.mark.parametrize("place", [0, 1])
def test_each_span_is_a_bar_of_another_shade_than_its_neighbours(drawn, place):
    made()
    (axes,) = drawn[place].axes
    assert bars(axes) == [
        [(0, 4, 0, 1.0), (4, 9, 0, 0.5), (11, 12, 0, 1.0)],
        [(4, 6, 1, 1.0)],
        [(6, 7, 2, 1.0), (19, 20, 2, 0.5)],
    ]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(ACTIVITIES)
    low, high = axes.get_ylim()
    assert low > high and axes.get_xlim() == (0, pytest.approx(20.2))
    assert axes.get_xlabel() == "time from the pass's begin (ms)"


def test_a_lane_without_a_row_is_empty_and_one_without_spans_has_none(drawn):
    figure = made([ROWS[0], busy("kernels", [])])
    assert figure.lines[1:] == [
        ["Box", "kernels", "0", "0", "0 %", "0"],
        ["Box", "download", "–", "–", "–", "–"],
    ]
    assert [len(lane) for lane in bars(drawn[0].axes[0])] == [3, 0]
    assert "kernels busy 0 % in 0 spans. The" in figure.alt


def test_each_machine_has_its_panel_of_the_same_scale(drawn):
    figure = made(ROWS, toy.machine("k", "Other", [busy("upload", [(0, 40000)])]))
    assert [axes.get_title(loc="left") for axes in drawn[0].axes] == ["Box", "Other"]
    assert len({axes.get_xlim() for axes in drawn[0].axes}) == 1
    assert [line[0] for line in figure.lines] == ["Box"] * 3 + ["Other"] * 3
    assert "; Other: upload busy 100 % of 40.0 ms in 1 span." in figure.alt


def test_what_was_not_measured_is_told():
    lost = {"median": None, "interval": None, "status": "skipped", "reason": "no CUDA device is visible"}
    rows = [{**one, **lost} for one in ROWS]
    figure = made(rows)
    assert not figure.wide and figure.notes == [
        "This figure is left out: no machine measured any of its rows.",
        "Box: all 3 rows were skipped: no CUDA device is visible.",
    ]
    guess = {"status": "estimate", "reason": "one sample"}
    figure = made([{**ROWS[0], **guess}, *rows[1:]], toy.machine("k", "Other", []))
    assert figure.lines[0][3] == "10.00 est." and len(figure.notes) == 3
    assert made([busy("upload", [])]).notes[1:] == ["Box: its pass holds no span."]


@pytest.mark.parametrize(
    ("rows", "changes", "reason"),
    [
        (
            [*ROWS, busy("upload", [(0, 1)])],
            {},
            "toy/overlapped/activity:upload/pieces:1: the lane 'upload' takes one row, "
            "it has 'toy/overlapped/activity:upload/pieces:3' too",
        ),
        (
            [{key: value for key, value in ROWS[1].items() if key != "spans"}],
            {},
            "toy/overlapped/activity:kernels/pieces:1: a timeline asks for its 'spans', it has none",
        ),
        ([busy("upload", [(0, 1), (5, 3)])], {}, "pieces:2: spans[1] ends at 3, before it begins at 5"),
        ([busy("upload", [(0, 1)], unit="%")], {}, "its unit is '%' where 'ms' is asked for"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(rows, changes, reason):
    with pytest.raises(InputError, match=f"m/toy.json: .*{re.escape(reason)}$"):
        made(rows, **changes)


@pytest.mark.parametrize("drawing", ["wide", "narrow"])
def test_its_colours_have_dark_twins_and_its_bytes_are_the_same_each_time(drawing):
    rows = overlapped()
    svg = getattr(made(rows), drawing)
    assert svg == getattr(made(rows), drawing)
    used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg))
    assert {palette.series(index) for index in range(3)} < used <= {light for light, _ in palette.EVERY}
    assert "opacity: 0.5" in svg


@pytest.mark.parametrize(
    ("spans", "key"),
    [([[0, 1, 2]], "spans[0]"), ([[0, "1"]], "spans[0][1]"), ([[-1, 1]], "spans[0][0]"), ({}, "spans")],
)
def test_spans_of_a_result_file_are_pairs_of_numbers_from_0_on(schema, spans, key):
    from synthetic import result

    assert jsonfile.check(result("Box", overlapped()), schema, "toy.json")
    bad = result("Box", [{**ROWS[0], "spans": spans}])
    with pytest.raises(InputError, match=re.escape(f"toy.json: rows[0].{key}: ")):
        jsonfile.check(bad, schema, "toy.json")
