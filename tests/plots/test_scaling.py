"""Scaling over ranks: what was measured and what is a forecast differ, and what binds is told."""

import copy
import csv
import html
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from gridmark_plots import scaling
from gridmark_plots.__main__ import main
from gridmark_plots.figures import palette

NUMBERS = (1, 2, 4, 8, 16, 64)


def curve(kind="strong", steps=1, size="512x512/float", most_measured=4, binds=()):
    """A made-up curve: the model loses 5 % with each doubling, the measured steps take a tenth longer."""
    points = []
    for place, ranks in enumerate(NUMBERS):
        by = ranks if kind == "strong" else 1
        efficiency = 100 - 5 * place
        step = 800 * 100 / (efficiency * by)
        points.append(
            {
                "variant": "ranks_gpu",
                "size": size,
                "scaling": kind,
                "ranks": ranks,
                "steps_per_exchange": steps,
                "computing_us": 800 / by,
                "exchange_us": 12.5 * place,
                "step_us": step,
                "binds": binds[place] if binds else "computing",
                "efficiency": efficiency,
                "measured_us": (step if ranks == 1 else 1.1 * step) if ranks <= most_measured else None,
            }
        )
    return points


BINDS = ["computing", "computing", "latency", "latency", "bandwidth", "bandwidth"]
GIVEN = {
    "network": "Made-up <net>",
    "curves": {
        "jacobi": [*curve(binds=BINDS), *curve(steps=4), *curve("weak")],
        "heat": [*curve(), *curve(size="64x64x64/double", most_measured=8)],
    },
}


def run(tmp_path, given, out="out"):
    """The exit code of drawing what is given: a value, or a text that is no JSON."""
    saved = tmp_path / "scaling.json"
    saved.write_text(given if isinstance(given, str) else json.dumps(given))
    return main(["scaling", "--scaling", str(saved), "--out", str(tmp_path / out)])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("scaling")
    assert run(root, GIVEN) == 0
    return root / "out"


def axes_of(figure):
    """The graphs and the strips of a drawing, from above."""
    return figure.axes[::2], figure.axes[1::2]


def test_marks_were_measured_and_lines_are_the_models_dashed_beyond(drawn):
    scaling.make("jacobi", "strong", curve(most_measured=4))
    for figure in drawn:
        ((graph,), _) = axes_of(figure)
        marks = [line for line in graph.lines if line.get_marker() != "None"]
        assert [line.get_xdata()[0] for line in marks] == pytest.approx([1, 2, 4])
        assert [line.get_ydata()[0] for line in marks] == pytest.approx([100, 95 / 1.1, 90 / 1.1])
        lines = [line for line in graph.lines if line.get_linestyle() in ("-", "--")]
        assert [list(line.get_xdata()) for line in lines if line.get_linewidth()][:2] == [
            [1, 2, 4],
            [4, 8, 16, 64],
        ]
        assert [line.get_linestyle() for line in lines if len(line.get_xdata()) > 2] == ["-", "--"]
        assert "extrapolation by the model" in " ".join(text.get_text() for text in graph.texts)


def test_without_more_ranks_than_were_measured_nothing_is_called_extrapolation(drawn):
    figure = scaling.make("jacobi", "weak", curve("weak", most_measured=64))
    for drawing in drawn:
        ((graph,), _) = axes_of(drawing)
        assert len(graph.texts) == 0 and "--" not in {line.get_linestyle() for line in graph.lines}
    assert "extrapolated" not in str(figure.lines)


def test_the_svg_holds_dashes_for_a_forecast_and_a_mark_for_each_measured_step():
    known, some = (scaling.make("jacobi", "strong", curve(most_measured=most)) for most in (64, 4))
    for wide, forecast, marks in ((known.wide, False, 6), (some.wide, True, 3)):
        dashed = re.findall(rf'style="fill: none; stroke-dasharray: [^"]*stroke: {palette.series(0)}', wide)
        assert len(dashed) == forecast
        blue = re.findall(rf'<use href="#i\d+"[^>]*fill: {palette.series(0)}', wide)
        assert len(blue) == marks + 2  # and one in the legend, one before the strip's row


def test_marks_of_one_number_of_ranks_stand_side_by_side(drawn):
    scaling.make("jacobi", "strong", [*curve(), *curve(steps=4)])
    ((graph,), _) = axes_of(drawn[0])
    at = sorted(line.get_xdata()[0] for line in graph.lines if line.get_marker() != "None")
    pairs = list(zip(at[::2], at[1::2], strict=True))
    assert [low * high for low, high in pairs] == pytest.approx([1, 4, 16])
    assert all(1.02 < high / low < 1.5 for low, high in pairs)


@pytest.mark.parametrize("place", [0, 1])
def test_every_mark_is_tied_to_its_line_in_its_curves_look(drawn, place):
    figure = scaling.make("jacobi", "weak", [*curve("weak", binds=BINDS), *curve("weak", 4, most_measured=2)])
    ((graph,), (strip,)) = axes_of(drawn[place])
    assert graph.get_title(loc="left") == "512x512/float a rank" and graph.get_ylabel() == "efficiency (%)"
    assert [text.get_text() for text in graph.texts] == ["extrapolation by the model →"]
    begin, end = graph.patches[0].get_x(), graph.patches[0].get_x() + graph.patches[0].get_width()
    assert begin == 4 and end == pytest.approx(graph.get_xlim()[1])  # beyond all that was measured
    marks = {line.get_gid(): line for line in graph.lines if line.get_gid() and len(line.get_xdata()) == 1}
    assert [f"mark:{k}:" for k in (0, 1, 2, 6, 7)] == list(marks)
    looks = [(marks[f"mark:{k}:"].get_marker(), marks[f"mark:{k}:"].get_color()) for k in (0, 2, 6, 7)]
    assert looks[0] == looks[1] != looks[2] == looks[3]
    spots = {line.get_gid(): line.get_xydata()[0] for line in graph.lines if len(line.get_xdata()) == 2}
    assert [tuple(spots[f"mark:{k}:"]) for k in (0, 5, 11)] == [(1, 100), (64, 75), (64, 75)]
    assert graph.get_ylim()[0] == 0 and graph.get_ylim()[1] > 105.5
    beside = {line.get_color(): line.get_ydata()[0] for line in strip.lines}
    assert beside == {looks[0][1]: 0, looks[2][1]: 1} and strip.get_xlabel() == "ranks"
    assert strip.get_ylim() == (1.5, -0.5)
    every = [text.get_text() for text in drawn[place].legends[0].get_texts()]
    words = [f"{word} binds ({word[0].upper()})" for word in scaling.BINDS]
    names = ["ranks_gpu, exchange every step", "ranks_gpu, exchange every 4 steps"]
    assert [text for text in every if text != " "] == [*names, *words]
    assert figure.alt.count("measured up to") == 2


def test_a_curve_of_which_nothing_was_measured_is_all_forecast(drawn):
    points = curve(most_measured=0, binds=BINDS)
    figure = scaling.make("jacobi", "strong", points)
    ((graph,), _) = axes_of(drawn[0])
    (line,) = [one for one in graph.lines if one.get_linestyle() == "--"]
    assert list(line.get_xdata()) == list(NUMBERS) and graph.patches[0].get_x() == 1
    assert [one[7] for one in figure.lines] == ["extrapolated"] * 6 and "measured up to" not in figure.alt
    assert "by the model 100 % at 1 ranks and 75 % at 64, bound by computing from 1 to 2 ranks" in figure.alt
    assert figure.alt.endswith("bound by bandwidth from 16 to 64 ranks. The table holds each value.")


def test_ranks_stand_in_their_order_however_they_come_and_one_alone_is_drawn(drawn):
    assert scaling.make("a", "strong", curve()[::-1]).lines == scaling.make("a", "strong", curve()).lines
    figure = scaling.make("a", "strong", curve()[:1])
    ((graph,), (strip,)) = axes_of(drawn[-1])
    assert len(figure.lines) == 1 and len(strip.patches) == 1
    low, high = graph.get_xlim()
    bar = strip.patches[0]
    assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx((low, high))


def test_marks_of_many_curves_keep_clear_of_the_next_number_of_ranks():
    points = [
        {**curve()[0], "ranks": ranks, "steps_per_exchange": steps}
        for ranks in (60, 64)
        for steps in range(1, 6)
    ]
    curves = scaling.curves_of(points, "f")
    shifts = scaling._shifts(curves, inch=1.0)
    first, second = ([ranks * shifts[one.label, ranks] for one in curves] for ranks in (60, 64))
    assert first == sorted(first) and second == sorted(second) and first[-1] < second[0]
    assert len(set(first)) == 5 and first[2] == pytest.approx(60)


def test_the_strip_tells_what_binds_from_where_to_where(drawn):
    scaling.make("jacobi", "strong", [*curve(binds=BINDS), *curve(steps=4)])
    for drawing in drawn:
        (_, (strip,)) = axes_of(drawing)
        words = [text.get_text() for text in strip.texts]
        assert [word[0].upper() for word in words] == ["C", "L", "B", "C"]
        first, second, third, whole = ((bar.get_x(), bar.get_x() + bar.get_width()) for bar in strip.patches)
        assert first[1] == second[0] == pytest.approx(8**0.5) and second[1] == third[0] == pytest.approx(
            128**0.5
        )
        assert whole == pytest.approx((first[0], third[1]))
        assert len({bar.get_facecolor() for bar in strip.patches}) == 3


def test_each_size_has_its_own_graph_and_strip(drawn):
    scaling.make("heat", "strong", GIVEN["curves"]["heat"])
    graphs, strips = axes_of(drawn[0])
    assert [one.get_title(loc="left") for one in graphs] == ["512x512/float", "64x64x64/double"]
    assert len(strips) == 2
    begins = [
        min(line.get_xdata()[0] for line in one.lines if line.get_linestyle() == "--") for one in graphs
    ]
    assert begins == [4, 8]


def test_the_table_holds_the_models_step_what_binds_and_what_was_measured():
    figure = scaling.make("jacobi", "strong", curve(binds=BINDS))
    name = "ranks_gpu, exchange every step, 512x512/float"
    first, second, *_, last = figure.lines
    assert first == [name, "1", "800.0", "0", "800.0", "100.0", "computing", "800.0", "100.0", "+0 %"]
    assert second[5:] == ["95.0", "computing", "463.2", "86.4", "-9 %"]
    assert last[5:] == ["75.0", "bandwidth", "extrapolated", "\u2013", "\u2013"]
    told = (
        "measured up to 4 ranks, there 81.8 %, bound by computing from 1 to 2 ranks, bound by latency from 4"
    )
    assert told in figure.alt


def test_every_point_is_in_the_csv_and_the_markdown(made):
    with (made / "scaling.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    points = [(study, point) for study, points in GIVEN["curves"].items() for point in points]
    assert [(line["study"], line["binds"]) for line in lines] == [
        (study, one["binds"]) for study, one in points
    ]
    assert lines[1]["measured_efficiency"] == "86.36363636" and lines[5]["measured_us"] == ""
    text = (made / "scaling.md").read_text()
    assert len(re.findall(r"^\| ranks\\_gpu", text, re.M)) == len(points)
    assert text.count("| bandwidth | extrapolated |") == 2 and "Made-up \\<net\\>" in text
    named = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert sorted(named) == sorted(f"figures/{path.name}" for path in (made / "figures").iterdir())
    assert len(named) == 3


def test_the_page_shows_all_graphs_and_fits_its_width(made, measure):
    page = (made / "index.html").read_text()
    assert page.count('<div class="graph"') == 3 and "Made-up &lt;net&gt;" in page
    for place in range(len(NUMBERS)):
        assert f'data-m="{place}"' in page
    for width in (360, 1280):
        seen = measure(made / "index.html", width)
        assert seen["scroll"] <= seen["client"] and seen["hidden"] == []


def test_two_runs_are_the_same_byte_for_byte(made, tmp_path):
    saved = tmp_path / "scaling.json"
    saved.write_text(json.dumps(GIVEN))
    words = ["scaling", "--scaling", str(saved), "--out", str(tmp_path / "out")]
    elsewhere = {"PYTHONPATH": str(ROOT / "plots"), "PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    asked = [sys.executable, "-m", "gridmark_plots", *words]
    subprocess.run(asked, env={**os.environ, **elsewhere}, check=True, capture_output=True)
    files = sorted(path.relative_to(made) for path in made.rglob("*") if path.is_file())
    assert len(files) == 6
    for name in files:
        assert (tmp_path / "out" / name).read_bytes() == (made / name).read_bytes(), name


def changed(**changes):
    """What is given, with the first point changed; None takes its key away."""
    copied = copy.deepcopy(GIVEN)
    point = copied["curves"]["jacobi"][0]
    for key, value in changes.items():
        point.pop(key) if value is None else point.update({key: value})
    return copied


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{", "line 1: not JSON"),
        ('{"network": "", "curves": NaN}', "not JSON: NaN is not JSON"),
        ({"network": ""}, "top level: 'curves' is a required property"),
        ({"network": "", "curves": {}}, "curves: holds no curve"),
        ({"network": "", "curves": {"heat": []}}, "curves: holds no curve"),
        ({"network": "", "curves": {"../heat": curve()}}, "curves: '../heat' does not match"),
        (changed(binds=None), "curves.jacobi[0]: 'binds' is a required property"),
        (changed(binds="luck"), "curves.jacobi[0].binds: 'luck' is not one of"),
        (changed(ranks=0), "curves.jacobi[0].ranks: 0 is less than the minimum"),
        (changed(variant="$x"), "curves.jacobi[0].variant: '$x' does not match"),
        (changed(measured_us=0), "curves.jacobi[0].measured_us: 0 is "),
        (changed(ranks=2), "ranks_gpu 512x512/float strong: 2 ranks stand twice in one curve"),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(given, said, tmp_path, capsys):
    assert run(tmp_path, given) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"gridmark_plots: {tmp_path / 'scaling.json'}: ") and told.count("\n") == 1
    assert said in told
    assert not (tmp_path / "out").exists()


def test_the_binary_is_asked_and_the_networks_source_is_shown(tmp_path, capsys):
    saved, network = tmp_path / "s.json", ROOT / "cluster" / "network-ndr400.json"
    saved.write_text(json.dumps({"network": "a", "curves": {"heat": curve()}}))
    binary = tmp_path / "gridmark"
    binary.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat {saved}\n')
    binary.chmod(0o755)
    out = tmp_path / "out"
    asking = [
        "scaling",
        "results/ranks",
        "--network",
        str(network),
        "--gridmark",
        str(binary),
        "--out",
        str(out),
    ]
    assert main(asking) == 0
    assert (tmp_path / "asked").read_text() == f"scaling results/ranks --network {network} --json\n"
    page = (out / "index.html").read_text()
    assert "ranks a node" in page and json.loads(network.read_text())["source"] in html.unescape(page)
    for wrong in (["scaling"], ["scaling", "results/ranks", "--scaling", str(saved)]):
        assert main(wrong) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("name", ["network-ndr400.json", "network-hdr200.json"])
def test_the_network_files_say_where_each_number_comes_from(name):
    network = json.loads((ROOT / "cluster" / name).read_text())
    for key, value in network.items():
        if key not in ("name", "source"):
            assert value > 0 and re.search(rf"(?<!node_){key} {value}: ", network["source"]), key
