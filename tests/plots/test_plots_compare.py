"""The comparison's files hold what the binary said, and nothing else."""

import csv

import synthetic

from gridmark_plots.__main__ import main


def test_csv_has_every_row_with_the_binarys_verdict(compared):
    with (compared / "comparison.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    given = synthetic.comparison()["rows"]
    assert [line["verdict"] for line in lines] == [row["verdict"] for row in given]
    for line, row in zip(lines, given, strict=True):
        assert line["name"] == row["name"]
        assert line["ratio"] == ("" if row["ratio"] is None else f"{row['ratio']:g}")
        assert line["low"] == ("" if row["interval"] is None else f"{row['interval'][0]:g}")


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
