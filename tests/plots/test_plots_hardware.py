"""Machines in one study: the best row of each, the bandwidth that it is held against, and what is missing."""

import re

import pytest
import toy
from matplotlib.colors import to_hex
from synthetic import REFERENCE, ROOT, ceiling, row

from gridmark_plots import bandwidth, hardware
from gridmark_plots.errors import InputError
from gridmark_plots.figures import palette
from gridmark_plots.results import read_machine
from gridmark_plots.studies import read_studies

SPEC = {"title": "Toy step", "select": {"quantity": "time"}, "rows": ["variant"], "units": ["us", "Gpoint/s"]}
STUDY = {**toy.STUDY, "hardware": SPEC, "variants": {"fast": "", "host": ""}}
CEILINGS = [
    ceiling("gpu_copy_bandwidth", 400.0, "GB/s", ""),
    ceiling("gpu_triad_bandwidth", 500.0, "GB/s", ""),
    ceiling("gpu_l2_bandwidth", 9000.0, "GB/s", ""),
    ceiling("cpu_triad_one_thread", 10.0, "GB/s", ""),
    ceiling("cpu_triad_all_threads", 100.0, "GB/s", ""),
    ceiling("link_up_pinned", 50.0, "GB/s", ""),
]
SHEET = [
    ceiling("gpu_memory_peak", 200.0, "GB/s", "data sheet"),
    ceiling("cpu_memory_peak", 20.0, "GB/s", "data sheet"),
]
MB = 1_000_000  # bytes: 2 us at 500 GB/s


def timed(variant, value, clock="kernel", **other):
    given = {"n": 1000, **other.pop("parameters", {})}
    return row(variant, given, value, **{"clock": clock, "bytes": MB, **other})


def box(rows, ceilings=CEILINGS, published=False, key="m", name="Box", **context):
    made = toy.machine(key, name, rows, published)
    made.sets["toy"].context.update({"ceilings": ceilings, **context})
    return made


def compared(*machines, **changes):
    return hardware.compare({**STUDY, "hardware": {**SPEC, **changes}}, machines)


def cells(table):
    """{variant / clock: the values of its cells}."""
    return {" / ".join(key): [cell[0].value if cell else None for cell in line] for key, line in table.lines}


def test_the_share_is_bytes_by_time_by_bandwidth_and_its_interval_turns_around():
    table, _ = compared(box([timed("fast", 4.0, interval=[3.2, 5.0])]))
    (line,) = cells(table).values()
    assert line == pytest.approx([4.0, 0.25, 50.0])
    share = table.lines[0][1][2][0]
    assert share.interval == pytest.approx((40.0, 62.5)) and share.text == "50.00"


def test_the_larger_measured_ceiling_counts_and_the_data_sheet_only_without_one():
    rows = [timed("fast", 4.0)]
    less = [{**one, "value": 300.0} if "triad" in one["name"] else one for one in CEILINGS]
    assert cells(compared(box(rows, less))[0])["fast / kernel"][2] == pytest.approx(62.5)
    more = [{**one, "value": 1000.0} for one in SHEET]
    both = compared(box(rows, CEILINGS + more))[0]
    assert cells(both)["fast / kernel"][2] == pytest.approx(50.0)
    sheet = compared(box(rows, SHEET))[0]
    assert cells(sheet)["fast / kernel"][2] == pytest.approx(125.0)
    assert "Box: shares are of gpu_memory_peak (200 GB/s, from the data sheet)." in sheet.notes


@pytest.mark.parametrize(("threads", "share"), [(1, 50.0), (11, 5.0), (None, 5.0)])
def test_the_cpu_is_held_against_the_triad_of_its_threads(threads, share):
    given = {} if threads is None else {"threads": threads}
    table, _ = compared(box([timed("host", 200.0, "wall", parameters=given)]))
    assert cells(table)["host / wall"][2] == pytest.approx(share)
    published = box([timed("host", 200.0, "wall", parameters=given)], SHEET, published=True)
    table, _ = compared(published)
    assert cells(table)["host / wall"][2] == pytest.approx(25.0)
    assert [column.title for column in table.groups[0].columns][-1] == "share of data sheet"


def test_a_row_bounded_by_the_link_is_held_against_the_link():
    limit = {"ceiling": "link_up_pinned", "value": 6.0, "unit": "us", "share": 0.6}
    table, _ = compared(box([timed("fast", 10.0, "step", limit=limit)]))
    assert cells(table)["fast / step"][2] == pytest.approx(60.0)
    assert table.lines[0][1][2][0].note == "of the link, 50 GB/s"
    assert any("the share is that of the link for fast / step" in note for note in table.notes)


def test_the_best_is_the_least_time_and_clocks_are_never_mixed():
    rows = [
        timed("fast", 9.0, parameters={"tile": "a"}),
        timed("fast", 5.0, parameters={"tile": "b"}),
        timed("fast", 2.0, "step", parameters={"tile": "a"}),
    ]
    table, _ = compared(box(rows))
    assert table.keys == ["variant", "clock"]
    assert {key: line[0] for key, line in cells(table).items()} == {"fast / kernel": 5.0, "fast / step": 2.0}
    assert table.lines[0][1][0][0].note == "tile b"


def test_lines_stand_in_the_order_in_which_the_study_declares_its_variants():
    old = box([timed("host", 90.0, "wall")], SHEET, published=True, key="o", name="Old")
    table, figure = compared(old, box([timed("host", 50.0, "wall"), timed("fast", 5.0)]))
    assert list(cells(table)) == ["fast / kernel", "host / wall"]
    assert [line[:2] for line in figure.lines] == [["fast", "kernel"], ["host", "wall"]]


def test_above_100_percent_is_shown_and_explained():
    cached = {"gpu": {"l2_bytes": 2 * MB}}
    table, figure = compared(box([timed("fast", 1.0)], **cached))
    assert cells(table)["fast / kernel"][2] == pytest.approx(200.0) and "200.0" in figure.lines[0][2]
    assert any("all GPU rows work on stays in the GPU's L2" in note for note in table.notes)
    assert any("above 100 %: fast / kernel" in note and "from the GPU's L2" in note for note in table.notes)
    unknown, _ = compared(box([timed("fast", 1.0)]))
    assert any("at least a part comes from a cache." in note for note in unknown.notes)
    slow, _ = compared(box([timed("fast", 4.0)]))
    assert not any("100 %" in note for note in slow.notes)


def test_what_is_missing_is_told():
    old = box([timed("fast", 8.0, interval=None)], SHEET, published=True, key="o", name="Old (published)")
    new = box([timed("fast", 4.0), timed("host", 50.0, "wall"), timed("lost", None)])
    silent = box([row("fast", {"n": 1}, 3.0, quantity="speedup")], SHEET, True, "s", "Silent (published)")
    absent = toy.machine("a", "Absent (published)", [], published=True)
    absent.sets.clear()
    never = toy.machine("n", "Never", [])
    never.sets.clear()
    notes = compared(old, silent, absent, never, new)[0].notes
    assert "Silent (published): no time of this is published, only speedup." in notes
    assert "Old (published): nothing published of host / wall." in notes
    assert "Never: this study was not run there." in notes
    assert "Not of this study: the published numbers of Absent." in notes
    assert "Box: 1 row was skipped: no CUDA device is visible." in notes


def test_without_a_bandwidth_or_bytes_there_is_no_share_but_a_reason():
    none = [ceiling("gpu_copy_bandwidth", None, "GB/s", "", "too little memory.")]
    table, figure = compared(box([timed("fast", 4.0)], none))
    assert "Box: no share for fast / kernel: too little memory." in table.notes
    assert [column.title for _, column in table.columns] == ["time", "speed"]
    assert not figure.wide and figure.notes[0].startswith("This figure is left out")
    notes = compared(box([timed("fast", 4.0, bytes=None)]))[0].notes
    assert "Box: no share for fast / kernel: it does not state the bytes that it has to move." in notes
    assert any(
        "are not among its ceilings" in note for note in compared(box([timed("fast", 4.0)], []))[0].notes
    )


def test_the_notes_say_what_shares_are_of_and_what_nothing_is_known_of():
    rows = [timed("fast", 4.0), timed("host", 50.0, "wall"), timed("odd", 3.0, bytes=None)]
    limit = {"ceiling": "link_up_pinned", "value": 6.0, "unit": "us", "share": 0.6}
    other = timed("fast", 10.0, "step", limit=limit)
    table, figure = compared(box(rows), box([other], key="k", name="Other"))
    assert table.notes == [
        "Box: no share for odd / kernel: it does not state the bytes that it has to move.",
        "Box: shares are of gpu_triad_bandwidth (500 GB/s, measured) and "
        "cpu_triad_all_threads (100 GB/s, measured).",
        "Box: nothing measured of fast / step.",
        "Other: shares are of link_up_pinned (50 GB/s, measured).",
        "Other: data move over the link, and nothing else bounds the time more closely: the share is that of "
        "the link for fast / step.",
        "Other: nothing measured of fast / kernel, host / wall and odd / kernel.",
    ]
    keys = ["fast / kernel", "fast / step", "host / wall", "odd / kernel"]
    assert list(cells(table)) == keys  # as the study declares its variants, others behind
    assert [column.heading for _, column in table.columns] == [
        "time (µs)", "speed (Gpoint/s)", "share of measured bandwidth (%)",
    ] * 2  # fmt: skip
    assert [line[:2] for line in figure.lines] == [key.split(" / ") for key in keys[:3]]
    assert figure.headings == ["variant", "clock", "Box (%)", "Other (%)"]
    assert figure.title == "Toy step: share of the machine's own bandwidth"


def test_colours_are_given_to_measured_machines_first(drawn):
    old = box([timed("fast", 8.0, interval=None)], SHEET, published=True, key="o", name="Old")
    table, _ = compared(old, box([timed("fast", 4.0)]))
    bars = {bar.get_gid(): to_hex(bar.get_edgecolor()) for bar in drawn[0].axes[0].patches}
    assert bars == {"mark:0:2:0": palette.series(1), "mark:0:3:0": palette.series(0)}
    assert [value.text for (value,) in (table.lines[0][1][2], table.lines[0][1][5])] == ["62.5", "50.00"]
    assert [line.get_xdata()[0] for line in drawn[0].axes[0].lines if len(set(line.get_xdata())) == 1] == [
        100
    ]


def test_a_bandwidth_in_another_unit_and_a_time_of_nothing_are_refused():
    wrong = [ceiling("gpu_copy_bandwidth", 4.0, "TB/s", "")]
    with pytest.raises(InputError, match=r"gpu_copy_bandwidth: a bandwidth in GB/s is asked for"):
        compared(box([timed("fast", 4.0)], wrong))
    with pytest.raises(InputError, match="its time is not above 0"):
        compared(box([timed("fast", 0.0)]), units=["us"])


def test_estimates_are_marked():
    guess = timed("fast", 4.0, status="estimate", reason="one sample")
    table, figure = compared(box([guess]))
    assert all(cell[0].estimate for cell in table.lines[0][1])
    assert "est." in figure.lines[0][2]


@pytest.mark.parametrize("place", [0, 1])
def test_published_bars_are_hollow_and_the_axis_reaches_100_percent(drawn, place):
    old = box([timed("fast", 50.0, interval=None)], SHEET, published=True, key="o", name="Old")
    _, figure = compared(old, box([timed("fast", 40.0)]))
    (axes,) = drawn[place].axes
    assert [bar.get_facecolor()[3] for bar in axes.patches] == [0, 1]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([10.0, 5.0])
    assert axes.get_xlim()[1] > 100 and [100.0, 100.0] in [list(line.get_xdata()) for line in axes.lines]
    assert figure.headings == ["variant", "clock", "Old (%)", "Box (%)"] and "Old: 10.0 with" in figure.alt


@pytest.mark.parametrize("place", [0, 1])
def test_forecasts_are_hatched_and_named(drawn, place):
    told = timed("fast", 50.0, status="forecast", reason="by its sheet", samples=[], interval=[40.0, 100.0])
    guess = box([told], key="f", name="New (forecast)")
    guess.forecast = True
    table, figure = compared(box([timed("fast", 40.0)]), guess)
    (axes,) = drawn[place].axes
    assert [bar.get_hatch() for bar in axes.patches] == [None, "////"]
    assert axes.patches[1].get_facecolor()[3] == 0
    assert figure.headings[-1] == "New (forecast) (%)"
    assert "New (forecast): 1 value is a forecast by its sheet, never measured." in table.notes
    assert "New (forecast): shares are of gpu_triad_bandwidth (500 GB/s, from the data sheet)." in table.notes
    assert table.groups[1].columns[-1].title == "share of data sheet"


EXPERIMENTS = read_studies(ROOT / "experiments")


@pytest.mark.parametrize("study", EXPERIMENTS, ids=[study["id"] for study in EXPERIMENTS])
def test_every_study_finds_its_rows_on_the_reference_machine(study, schema):
    machine = read_machine(REFERENCE, {study["id"]}, schema)
    table, figure = hardware.compare(study, [machine])
    assert len(table.lines) > 1 and figure.wide
    assert all(cell for _, line in table.lines for cell in line), "a share or a time is missing"


def test_memory_is_known_by_the_same_mixes_as_in_the_model():
    header = (ROOT / "harness" / "model" / "machine_limits.hpp").read_text()
    (mixes,) = re.findall(r"memory_mixes\[\] = \{(.*?)\};", header, re.S)
    assert set(bandwidth.MEASURED["GPU"]) == set(re.findall(r'"(\w+)"', mixes))
