"""Machines beside each other: two row by row, and any number, how they are found, and what the pages hold."""

import csv
import re

import pytest
import synthetic
from synthetic import ROOT, result, row, save

from gridmark_plots.__main__ import main
from gridmark_plots.errors import InputError
from gridmark_plots.results import find_folders


def test_a_bare_name_is_looked_up_among_measured_sets_and_then_published_ones(tmp_path, monkeypatch):
    results = tmp_path / "results"
    for name in ("box", "published/box", "published/card"):
        (results / name).mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    found = find_folders(["box", "card", "here", "results/published/box"], results)
    expected = [results / "box", results / "published" / "card"]
    assert found[:2] == expected and [str(path) for path in found[2:]] == ["here", "results/published/box"]
    with pytest.raises(InputError, match=r"^cart: no such folder of results, nor .*results/published/cart$"):
        find_folders(["cart"], results)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "machines: takes at least one directory of results"),
        (["gtx-999"], "gtx-999: no such folder of results"),
        (["results/gtx-999"], "results/gtx-999: no such directory of results"),
        (["gtx-570", "gtx-570"], "another machine's directory has the same name"),
        (["published"], "holds no result file of a known experiment"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(names, said, tmp_path, capsys):
    given = [*names, "--results", str(ROOT / "results"), "--out", str(tmp_path / "out")]
    assert main(["machines", *given]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and said in told.err
    assert not (tmp_path / "out").exists()


def test_published_machines_alone_need_no_binary(tmp_path):
    given = ["gtx-570", "gtx-580", "--results", str(ROOT / "results"), "--gridmark", str(tmp_path / "none")]
    assert main(["machines", *given, "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "machines.md").read_text()
    assert "This figure is left out: no machine measured any of the published speed-ups." in text
    assert "| GeForce GTX 580 (published) | published | sold since 2010 | heat |" in text


def test_a_measured_machine_needs_the_binarys_verdicts(tmp_path, capsys):
    save(tmp_path / "box" / "jacobi.json", result("Box", [row("cpu_naive", {"n": 1}, 1.0)], "jacobi"))
    assert main(["machines", str(tmp_path / "box"), "--gridmark", str(tmp_path / "none")]) == 2
    assert "cannot be started" in capsys.readouterr().err


def test_every_graph_has_its_data_and_every_table_its_csv(sided):
    page = (sided / "index.html").read_text()
    assert page.count('<div class="graph"') == page.count("Data of this graph") == 2
    for name in re.findall(r'href="(tables/[^"]+)"', page):
        assert (sided / name).is_file()
    assert sorted(path.name for path in (sided / "figures").iterdir()) == [
        "generations-speedups.svg", "jacobi-hardware.svg",
    ]  # fmt: skip
    regions = re.findall(r'<div class="scroll"([^>]*)>', page)
    assert regions and all('tabindex="0"' in given and "aria-label=" in given for given in regions)


def test_the_page_and_its_twin_name_each_machine_its_clock_and_its_bandwidth(sided):
    for form in ("index.html", "machines.md"):
        text = (sided / form).read_text().replace("\\", "")
        for name in ("GeForce GTX 570", "Tesla X2070", synthetic.GPU, "data sheet", "wall", "kernel"):
            assert name in text, name
        assert "this study was not run there" in text  # the made-up machines have one study alone
    assert '<span class="mark">INCOMPLETE</span>' in (sided / "index.html").read_text()


def test_the_csv_holds_times_and_shares(sided):
    with (sided / "tables" / "jacobi-hardware.csv").open(newline="") as file:
        lines = {(line["variant"], line["clock"]): line for line in csv.DictReader(file)}
    best = lines["gpu_no_shared", "kernel"]
    assert best["GeForce GTX 570 (published): time [us]"] == "26"
    assert best["GeForce GTX 570 (published): share of data sheet [%]"] == "39.8"
    time = float(best[f"{synthetic.GPU}: time [us]"])
    share = float(best[f"{synthetic.GPU}: share of measured bandwidth [%]"])
    assert share == pytest.approx(100 * 12 * 512 * 256 / (time * 1e-6) / 4190e9)


def test_a_second_run_writes_the_same_bytes(sided, tmp_path):
    assert main([*synthetic.sided(tmp_path), "--out", str(tmp_path / "again")]) == 0
    for path in sided.rglob("*"):
        if path.is_file():
            assert (tmp_path / "again" / path.relative_to(sided)).read_bytes() == path.read_bytes()


# --- two: the comparison's files hold what the binary said, and nothing else


def test_csv_has_every_row_with_the_binarys_verdict(compared):
    with (compared / "comparison.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    given = synthetic.comparison()["rows"]
    assert [line["verdict"] for line in lines] == [one["verdict"] for one in given]
    for line, one in zip(lines, given, strict=True):
        assert line["name"] == one["name"]
        assert line["ratio"] == ("" if one["ratio"] is None else f"{one['ratio']:g}")
        assert line["low"] == ("" if one["interval"] is None else f"{one['interval'][0]:g}")


def test_markdown_and_page_show_the_same_rows(compared):
    text, page = (compared / "comparison.md").read_text(), (compared / "index.html").read_text()
    for form in (text, page):
        assert form.count("no difference resolved") >= 2
        assert "CPU rows of two runs" in form
    assert text.count("| jacobi/gpu") == len(synthetic.comparison()["rows"])
    assert "| gpu.name | Synthetic GPU | – |" in text
    assert "| build.commit (jacobi, heat) | a | b |" in text


def test_an_incomplete_side_is_marked(tmp_path):
    given = synthetic.comparison()
    given["new"]["complete"] = False
    saved = synthetic.save(tmp_path / "c.json", given)
    assert main(["compare", "--comparison", str(saved), "--out", str(tmp_path / "out")]) == 0
    assert '<span class="mark">INCOMPLETE</span>' in (tmp_path / "out" / "index.html").read_text()
    assert f"{synthetic.CPU} (INCOMPLETE)" in (tmp_path / "out" / "comparison.md").read_text()


def test_two_directories_or_a_saved_comparison_are_needed(capsys):
    assert main(["compare", "results/a"]) == 2
    assert "takes two directories of results, BASE and NEW" in capsys.readouterr().err


def test_the_binary_is_asked_for_the_comparison(tmp_path, capsys):
    saved = synthetic.save(tmp_path / "c.json", synthetic.comparison())
    binary = tmp_path / "gridmark"
    binary.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat {saved}\n')
    binary.chmod(0o755)
    assert main(["compare", "a", "b", "--gridmark", str(binary), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "asked").read_text() == "compare a b --json\n"
    binary.write_text('#!/bin/sh\necho "gridmark: a: no such directory" >&2\nexit 2\n')
    assert main(["compare", "a", "b", "--gridmark", str(binary)]) == 2
    assert "exit code 2: gridmark: a: no such directory" in capsys.readouterr().err
