"""The table model against numbers worked out by hand, and its Markdown and CSV against each other."""

import csv
import io
import re

import pytest
import toy
from synthetic import GPU, NO_GPU, row

from gridmark_plots import csvtable, markdown, numbers
from gridmark_plots.errors import InputError


def texts(table):
    return [[*key, *(markdown.cell_text(cell) for cell in cells)] for key, cells in table.lines]


def test_published_numbers_stand_beside_measured_ones_in_the_tables_unit():
    table = toy.table()
    assert [(group.label, column.heading) for group, column in table.columns] == [
        ("Old card", "plain (µs)"),
        ("Old card", "fast (µs)"),
        ("Old card", "plain / fast"),
        ("New box", "plain (µs)"),
        ("New box", "fast (µs)"),
        ("New box", "plain / fast"),
    ]
    first = [
        "1",
        "40",
        "25",
        "1.600",
        "2.500 (2.400 to 2.600)",
        "2.000 (1.980 to 2.030)",
        "1.250 (1.210 to 1.290)",
    ]
    assert texts(table) == [first, ["2", "–", "–", "–", "5.000 (4.900 to 5.200) est.", "–", "–"]]


def test_each_key_has_one_line_however_many_rows_share_it():
    assert [key for key, _ in toy.table().lines] == [("1",), ("2",)]


def test_only_the_binary_gives_a_measured_ratio():
    table = toy.table([toy.machine("other", "Other box", toy.MEASURED)])
    assert not any(column.ratio for _, column in table.columns)


@pytest.mark.parametrize("guessed", [(), ("plain",), ("fast",), ("plain", "fast")])
def test_a_ratio_is_an_estimate_where_either_of_its_times_is_one(guessed):
    more = {"status": "estimate", "reason": "three samples"}
    rows = [row(name, {"n": 1}, 2.0, **(more if name in guessed else {})) for name in ("plain", "fast")]
    ((_, cells),) = toy.table([toy.machine("m", "Box", rows)]).lines
    assert [markdown.cell_text(cell).endswith(" est.") for cell in cells] == [
        "plain" in guessed, "fast" in guessed, bool(guessed),
    ]  # fmt: skip


def test_rows_without_a_number_become_one_sentence_with_the_reason():
    assert toy.table().notes == [
        "New box: 1 row failed: a wrong answer at point 7.",
        "New box: 1 value marked est. is an estimate: three samples.",
    ]
    skipped = [row("plain", {"n": n}, None) for n in range(3)] + [row("fast", {"n": 1}, None)]
    table = toy.table([toy.machine("m", "Bare box", skipped)])
    assert table.notes == [f"Bare box: all 4 rows were skipped: {NO_GPU}."]
    assert table.lines == [] and table.groups == []


def test_a_machine_that_never_ran_the_study_says_so():
    bare = toy.machine("m", "Bare box", [])
    assert toy.table([bare]).notes == ["Bare box: no row of this was part of the run."]
    bare.sets.clear()
    assert toy.table([bare]).notes == ["Bare box: this study was not run there."]


def test_rows_that_share_a_cell_are_both_shown_with_what_differs():
    twins = [row("plain", {"n": 1, "mode": mode}, value) for mode, value in (("x", 2.0), ("y", 3.0))]
    cell = texts(toy.table([toy.machine("m", "Box", twins)]))[0][1]
    assert cell == "2.000 (1.980 to 2.020) [mode x]; 3.000 (2.970 to 3.030) [mode y]"


def test_the_share_of_the_limit_stands_beside_the_value_where_asked():
    limit = {"ceiling": "gpu_copy_bandwidth", "value": 1.8, "unit": "us", "share": 0.9}
    box = toy.machine("m", "Box", [row("plain", {"n": 1}, 2.0, limit=limit)])
    with_share, without = toy.table([box], share=True), toy.table([box])
    assert texts(with_share)[0][1] == "2.000 (1.980 to 2.020) 90 % of gpu_copy_bandwidth"
    assert "ok, 90 % of gpu_copy_bandwidth" in csvtable.render(with_share)
    assert texts(without)[0][1] == "2.000 (1.980 to 2.020)"


SHOWN = [
    {"id": "a", "title": "a step", "select": {"variant": "plain"}},
    *(
        {"id": word, "title": word, "shows": word, "select": {"variant": "plain"}}
        for word in ("share", "stepwise", "registers", "blocks", "occupancy")
    ),
]


def test_a_column_shows_shares_of_both_limits_and_the_kernel():
    """Of a row without a limit of a step at a time its own; what a row has not is left out."""
    near = {"ceiling": "gpu_copy_bandwidth", "value": 1.8, "unit": "us", "share": 0.9}
    beaten = {**near, "share": 4.5}
    kernel = {"registers": 124, "static_shared": 0, "blocks_per_multiprocessor": 4, "occupancy": 0.25}
    rows = [
        row("plain", {"n": 1}, 2.0, limit=near, stepwise_limit=beaten, kernel=kernel),
        row("plain", {"n": 2}, 2.0, limit=near, stepwise_limit=None, kernel=None),
        row("plain", {"n": 3}, 2.0),
        row("plain", {"n": 4}, 2.0, kernel={name: kernel[name] for name in ("registers", "static_shared")}),
    ]
    table = toy.table([toy.machine("m", "Box", rows)], columns=SHOWN)
    headings = [column.heading for _, column in table.columns]
    assert headings == ["a step (µs)", "share (%)", "stepwise (%)", "registers", "blocks", "occupancy (%)"]
    time = "2.000 (1.980 to 2.020)"
    assert texts(table) == [
        ["1", time, "90.00", "450.0", "124", "4", "25.00"],
        ["2", time, "90.00", "90.00", "–", "–", "–"],
        ["3", time, "–", "–", "–", "–", "–"],
        ["4", time, "–", "–", "124", "–", "–"],
    ]


TOTALS = [
    {"id": "a", "title": "a step", "select": {"variant": "plain"}},
    {"id": "b", "title": "whole run", "unit": "ms", "total": True, "select": {"variant": "plain"}},
]


def test_a_total_is_the_time_of_all_iterations_of_a_sample_in_every_form():
    limit = {"ceiling": "gpu_copy_bandwidth", "value": 1.8, "unit": "us", "share": 0.9}
    rows = [
        row("plain", {"n": 1}, 2.0, iterations=30000, limit=limit),
        row("plain", {"n": 2}, 3.0, iterations=0),
        row("plain", {"n": 3}, 3.0, iterations=500, interval=None),
        row("plain", {"n": 3, "block": 2}, None, iterations=9),
    ]
    table = toy.table([toy.machine("k", "Box", rows)], columns=TOTALS, share=True)
    assert [column.heading for _, column in table.columns] == ["a step (µs)", "whole run (ms)"]
    share = "90 % of gpu_copy_bandwidth"
    assert texts(table) == [
        ["1", f"2.000 (1.980 to 2.020) {share}", f"60.00 (59.40 to 60.60) {share}"],
        ["2", "3.000 (2.970 to 3.030)", "–"],
        ["3", "3.000", "1.500"],
    ]
    assert "Box: whole run [ms],Box: whole run [ms] low" in csvtable.render(table)
    assert ",60,59.4,60.6," in csvtable.render(table)


@pytest.mark.parametrize(("iterations", "cells"), [(0, ["40"]), (250, ["40", "10"])])
def test_a_published_row_without_iterations_gives_no_total(iterations, cells):
    """Their ratio stays the one of an iteration's times, here of a row and itself."""
    old = row("plain", {"n": 1}, 40.0, interval=None, iterations=iterations)
    table = toy.table([toy.machine("o", "Old", [old], published=True)], columns=TOTALS)
    assert texts(table) == [["1", *cells, "1.000"]]


def test_only_keeps_the_rows_that_one_of_its_selectors_matches():
    assert [key for key, _ in toy.table(only=[{"n": 2}]).lines] == [("2",)]


def test_an_incomplete_machine_is_marked_in_every_form():
    table = toy.table([toy.machine("m", "Cut box", toy.MEASURED, complete=False)])
    assert table.groups[0].label == "Cut box (INCOMPLETE)"
    assert "Cut box (INCOMPLETE): plain" in csvtable.render(table)
    assert "Cut box (INCOMPLETE): plain" in markdown.render(table)
    assert all(note.startswith("Cut box (INCOMPLETE):") for note in table.notes)


def test_a_unit_that_does_not_convert_is_refused_by_name():
    rows = [row("plain", {"n": 1}, 3.0, unit="GB/s")]
    with pytest.raises(
        InputError, match=r"m/toy.json: toy/plain/n:1: its unit is 'GB/s' where 'us' is asked for"
    ):
        toy.table([toy.machine("m", "Box", rows)])


def test_csv_and_markdown_hold_the_same_numbers():
    table = toy.table()
    lines = list(csv.DictReader(io.StringIO(csvtable.render(table))))
    assert len(lines) == len(table.lines)
    for line, (_, cells) in zip(lines, table.lines, strict=True):
        for (group, column), cell in zip(table.columns, cells, strict=True):
            unit = f" [{column.unit}]" if column.unit else ""
            name = f"{group.label}: {column.title}{unit}"
            form = numbers.published if group.machine.published and column.unit else numbers.measured
            text = markdown.cell_text(cell)
            assert (form(float(line[name])) if line[name] else "–") == text.split(" ")[0]
            if cell and cell[0].interval:
                bounds = float(line[f"{name} low"]), float(line[f"{name} high"])
                assert f"({numbers.interval(bounds)})" in text
                assert line[f"{name} status"] == ("estimate" if "est." in text else "ok")


def test_a_column_of_speeds_stands_beside_one_of_times_in_every_form(gridded):
    page = (gridded / "index.html").read_text()
    assert re.search(r"plain <small>\(ms\).*?plain <small>\(GFLOP/s\)", page, re.S)
    text = (gridded / "tables" / "toy-kernels.md").read_text()
    line = next(line for line in text.splitlines() if line.startswith("| 512 |"))
    assert "| 10.19 (9.89 to 10.60) | 342.4 (329.2 to 353.0) |" in line  # 26 * 512^3 flops in 10.192 ms
    with (gridded / "tables" / "toy-kernels.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))[-1]
    assert float(cells[f"{GPU}: plain [GFLOP/s]"]) == pytest.approx(26 * 512**3 / 10.192e-3 / 1e9)
    assert float(cells[f"{GPU}: plain [GFLOP/s] low"]) == pytest.approx(26 * 512**3 / 10.192e-3 / 1e9 / 1.04)
    assert "342.4" in page


def test_a_published_ratio_is_one_of_times_also_below_columns_of_speeds():
    given = {"flops": 1e6, "interval": None}
    rows = [row(name, {"n": 1}, value, **given) for name, value in (("plain", 40.0), ("fast", 25.0))]
    table = toy.table([toy.machine("old", "Old", rows, published=True)], unit="GFLOP/s")
    assert texts(table) == [["1", "25", "40", "1.600"]]


def test_a_column_without_any_value_is_left_out_for_that_machine_alone():
    rows = [toy.PUBLISHED, [row("plain", {"n": 1}, 2.0), row("fast", {"n": 1}, None)]]
    old, box = toy.machine("o", "Old", rows[0], published=True), toy.machine("m2", "Box", rows[1])
    table = toy.table([old, box])
    assert [f"{group.label} {column.title}" for group, column in table.columns] == [
        "Old plain", "Old fast", "Old plain / fast", "Box plain",
    ]  # fmt: skip
    assert texts(table) == [["1", "40", "25", "1.600", "2.000 (1.980 to 2.020)"]]
    assert csvtable.render(table).splitlines()[0].count("Box: ") == 4  # value, low, high, status


def test_lines_of_numbers_are_in_their_order_and_others_as_they_come():
    for given, wanted in (((256, 32, 512), ["32", "256", "512"]), ((256, "b", 32), ["256", "b", "32"])):
        rows = [row("plain", {"n": n}, 1.0) for n in given]
        assert [key for (key,), _ in toy.table([toy.machine("m", "Box", rows)]).lines] == wanted


ABOVE = {"ratio_above": 1.2, "text": "Plain loses in {keys}."}


@pytest.mark.parametrize(
    ("remark", "said"),
    [
        (ABOVE, ["New box: Plain loses in 1 (1.250)."]),
        ({**ABOVE, "ratio_above": 1.215}, []),  # the interval reaches down to 1.21
        ({**ABOVE, "ratio_above": 1.215, "else": "Plain never loses."}, ["New box: Plain never loses."]),
        ({"ratio_below": 1.3, "text": "Plain is near in {keys}."}, ["New box: Plain is near in 1 (1.250)."]),
        ({"ratio_below": 1.28, "text": "no"}, []),
    ],
)
def test_a_remark_is_printed_where_the_ratios_interval_bears_it_out(remark, said):
    table = toy.table(remarks=[remark])
    assert table.notes[2:] == said
    assert all(markdown.escape(one) in markdown.render(table) for one in said)


def test_remarks_need_a_measured_ratio():
    old = toy.machine("old-card", "Old card", toy.PUBLISHED, published=True)
    other = toy.machine("other", "Other box", toy.MEASURED[:2])
    assert toy.table([old, other], remarks=[{**ABOVE, "else": "never"}]).notes == []


def test_a_remark_names_every_line_that_bears_it_out(gridded):
    said = f"{GPU}: A texture costs over 30 % against a plain load in 128 (1.350), 256 (1.370), 512 (1.390)."
    for name in ("index.html", "report.md", "tables/toy-kernels.md"):
        text = (gridded / name).read_text()
        assert said in text and f"{GPU}: A texture never wins." in text and "texture wins" not in text


def test_a_table_is_for_machines_that_have_the_rows_it_needs():
    has = toy.machine("m", "New box", toy.MEASURED)
    lacks = toy.machine("other", "Other box", toy.MEASURED[:2])
    spec = {"needs": {"variant": "plain", "n": 2}}
    assert [group.label for group in toy.table([lacks, has], **spec).groups] == ["New box"]
    # A row that failed is no reason.
    assert toy.table([has], needs={"variant": "fast", "n": 2}).groups == []


def test_all_rows_may_be_held_against_one():
    spec = {
        "rows": ["n", "variant"],
        "columns": [{"id": "a", "title": "time", "select": {}}],
        "ratio": {"title": "/ plain", "numerator": "a", "against": {"variant": "plain"}},
    }
    given = {
        "m": {("toy", "t"): [{"key": {"n": 1, "variant": "fast"}, "ratio": 0.8, "interval": [0.7, 0.9]}]}
    }
    from gridmark_plots import tables

    table = tables.build(toy.STUDY, toy.TABLE | spec, [toy.machine("m", "New box", toy.MEASURED)], given)
    cells = {key: [markdown.cell_text(cell) for cell in line] for key, line in table.lines}
    assert cells["1", "fast"][1] == "0.8000 (0.7000 to 0.9000)"
    assert cells["1", "plain"][1] == "–"
