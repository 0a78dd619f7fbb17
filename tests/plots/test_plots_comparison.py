"""A comparison's graph, table and page: each row's mark, interval, word and reason, and nothing else."""

import csv
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
import toy
from matplotlib.colors import to_hex
from synthetic import CPU, GPU, comparison, row

from gridmark_plots import comparison as compared
from gridmark_plots import own
from gridmark_plots.figures import palette, ratios


def rowed(name, verdict, ratio, interval, experiment="toy", **other):
    given = {"experiment": experiment, "name": f"{experiment}/{name}", "variant": "v", "quantity": "time"}
    given |= {"unit": "us", "clock": "wall", "base": 2.0, "new": 2.0 * (ratio or 1), "reason": None}
    return {**given, "verdict": verdict, "ratio": ratio, "interval": interval, **other}


ROWS = [
    rowed("a/1", "faster", 0.5, [0.4, 0.6]),
    rowed("b/1", "slower", 4.0, [3.9, 4.1]),
    rowed("c/1", "lower", 0.9, None),
    rowed("d/1", "higher", 1.5, None),
    rowed("e/1", "no difference resolved", 1.0, [0.9, 1.1]),
    rowed("f/1", "only in base", None, None),
]


def given(rows=tuple(ROWS), **other):
    return {**comparison(), "rows": list(rows), **other}


@pytest.mark.parametrize("place", [0, 1])
def test_each_row_with_a_ratio_has_a_mark_and_an_interval_at_its_place_from_above(drawn, place):
    ratios.make("toy", given(margin=1.25))
    axes = drawn[place].axes[0]
    wide = {
        line.get_gid().split(":")[1]: line
        for line in axes.lines
        if line.get_gid() and len(line.get_xdata()) == 2
    }
    dots = {
        line.get_gid().split(":")[1]: line
        for line in axes.lines
        if line.get_gid() and len(line.get_xdata()) == 1
    }
    assert {k: list(line.get_xdata()) for k, line in wide.items()} == {
        str(k): row["interval"] for k, row in enumerate(ROWS) if row["interval"]
    }
    assert all(list(line.get_ydata()) == [int(k)] * 2 for k, line in wide.items())
    assert {k: (*line.get_xdata(), *line.get_ydata()) for k, line in dots.items()} == {
        str(k): (row["ratio"], k) for k, row in enumerate(ROWS[:5])
    }
    # Down is smaller, up is larger; what is no time is hollow.
    assert [dots[k].get_marker() for k in "01234"] == ["v", "^", "v", "^", "o"]
    assert [to_hex(dots[k].get_markerfacecolor()) == palette.PAPER[0] for k in "01234"] == [False] * 2 + [
        True
    ] * 3
    assert to_hex(dots["0"].get_color()) != to_hex(dots["1"].get_color())
    low, high = axes.get_xlim()
    assert low < 0.4 and high > 4.1 and axes.get_ylim()[0] > 4 > 0 > axes.get_ylim()[1]
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c", "d", "e"]
    assert [line.get_xdata()[0] for line in axes.lines if not line.get_gid()] == [1]
    (band,) = axes.patches
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((0.8, 1.25))
    assert [text.get_text() for text in drawn[place].legends[0].get_texts()] == [
        row["verdict"] for row in ROWS[:5]
    ]


def test_the_line_at_one_is_always_in_sight_and_without_a_margin_there_is_no_band(drawn):
    ratios.make("toy", given([rowed("a", "slower", 3.0, [2.9, 3.1])]))
    axes = drawn[0].axes[0]
    assert axes.get_xlim()[0] < 1 < 3.1 < axes.get_xlim()[1] and not axes.patches
    assert [text.get_text() for text in axes.texts] == ["a"]


def test_a_long_name_ends_in_dots_where_it_would_leave_the_graph(drawn):
    names = {place: "n" * length for place, length in enumerate((56, 57, 110, 111))}
    ratios.make("toy", given([rowed(f"{name}/{k}", "slower", 3.0, None) for k, name in names.items()]))
    wide, narrow = ([text.get_text() for text in figure.axes[0].texts] for figure in drawn)
    assert [len(text) for text in narrow] == [56] * 4
    assert [len(text) for text in wide] == [58, 59, 110, 110]
    assert all(("…" in text) == (len(text) in (56, 110)) for text in wide + narrow)


def test_the_words_count_each_verdict_and_tell_the_range():
    figure = ratios.make("toy", given())
    assert (
        "for 5 rows of toy, from 0.5 to 4: 1 faster, 1 slower, 1 lower, 1 higher, 0 rough difference"
        in figure.alt
    )
    assert figure.caption.endswith("Bars are intervals. All rows share 1.")
    assert figure.lines[0] == ["toy/a/1", "0.5000", "0.4000 to 0.6000", "faster"]
    assert figure.lines[2] == ["toy/c/1", "0.9000", "", "lower"]
    without = ratios.make("toy", given(ROWS[5:]))
    assert not without.wide and without.notes == [
        "This figure is left out: no row of this experiment has a ratio."
    ]


def test_every_file_holds_each_row_of_its_experiment(tmp_path):
    odd = rowed("z", "only in new", None, None, "heat", clock=None, unit=None, base=None, reason="Why.")
    differences = [
        {"key": "cpu.threads", "base": 16.0, "new": True, "experiments": None},
        {"key": "build", "base": None, "new": "b", "experiments": ["heat"]},
    ]
    written = compared.write(tmp_path, given([*ROWS, odd], machine_differences=differences))
    names = ["figures/toy-ratios.svg", "comparison.csv", "comparison.md", "index.html"]
    assert [path.relative_to(tmp_path).as_posix() for path in written] == names
    text = (tmp_path / "comparison.md").read_text()
    assert text.startswith(f"# {GPU} (base) and {CPU} (new)\n")
    assert "| cpu.threads | 16 | yes |" in text and "| build (heat) | – | b |" in text
    assert "| rough difference | 2 |" in text
    assert "| toy/a/1 | wall | 2.000 | 1.000 | µs | 0.5000 | 0.4000 to 0.6000 | faster |  |" in text
    assert "| heat/z |  | – | 2.000 |  | – |  | only in new | Why. |" in text
    assert text.index("## toy") < text.index("toy/a/1") < text.index("## heat") < text.index("heat/z")
    with (tmp_path / "comparison.csv").open(newline="") as file:
        first, *_, last = csv.reader(file)
    assert first[-4:] == ["low", "high", "verdict", "reason"] and first[6:9] == ["base", "new", "ratio"]
    assert last == ["heat", "heat/z", "v", "time", "", "", "", "2", "", "", "", "only in new", "Why."]
    page = (tmp_path / "index.html").read_text()
    assert page.count("<h3>Every row</h3>") == 2 and '<a href="#heat">heat</a>' in page


def test_a_side_is_complete_unless_it_says_otherwise():
    assert [
        compared.label({"machine": "A", **more}) for more in ({}, {"complete": True}, {"complete": False})
    ] == [*("A", "A", "A (INCOMPLETE)")]


class Text(HTMLParser):
    """A page's cells and headings as a reader sees them, and its tags."""

    def __init__(self):
        super().__init__()
        self.texts, self.tags, self._open = [], set(), None

    def handle_starttag(self, tag, attrs):
        self.tags |= {tag, *(name for name, _ in attrs if name.startswith("on"))}
        if tag in ("td", "th", "h1", "h2", "p"):
            self._open = []

    def handle_data(self, data):
        if self._open is not None:
            self._open.append(data)

    def handle_endtag(self, tag):
        if tag in ("td", "th", "h1", "h2", "p") and self._open is not None:
            self.texts.append("".join(self._open))
            self._open = None


HOSTILE = "a/<b onclick='x'>&amp;\"|*c*_d_</td>"


def test_hostile_text_is_shown_as_it_is_on_every_page(tmp_path):
    rows = [
        rowed(f"{HOSTILE}{k}", "slower", 3.0, [2.9, 3.1], variant=HOSTILE, reason=HOSTILE) for k in (1, 2)
    ]
    sides = {side: {"directory": "d", "machine": f"{HOSTILE} {side}"} for side in ("base", "new")}
    differences = [{"key": HOSTILE, "base": HOSTILE, "new": None, "experiments": None}]
    compared.write(tmp_path / "compared", given(rows, machine_differences=differences, **sides))
    one = toy.machine("m", HOSTILE, [row(HOSTILE, {"n": n}, value) for n, value in ((1, 2.0), (2, None))])
    one.sets["toy"].context["axes"] = {"axes": [{"key": "n"}]}
    own.write(tmp_path / "own", one)
    for folder, cells in (("compared", [f"toy/{HOSTILE}1", HOSTILE]), ("own", [f"toy/{HOSTILE}/n:1"])):
        page = Text()
        page.feed((tmp_path / folder / "index.html").read_text())
        assert set(cells) <= set(page.texts) and not {"b", "onclick"} & page.tags
    text = (tmp_path / "compared" / "comparison.md").read_text()
    assert all(
        line.count("|") - line.count("\\|") == 10 for line in text.splitlines() if line.startswith("| toy/")
    )
    with (tmp_path / "compared" / "comparison.csv").open(newline="") as file:
        _, *lines = csv.reader(file, strict=True)
    assert [line[1:3] for line in lines] == [[f"toy/{HOSTILE}{k}", HOSTILE] for k in (1, 2)]
    drawings = list(tmp_path.rglob("*.svg"))
    assert drawings and all("title" in ElementTree.parse(path).getroot()[0].tag for path in drawings)
