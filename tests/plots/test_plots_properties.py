"""What holds for any data: numbers, texts and samples read back are what was written; orders are total."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
from draw import digits_of, for_any
from synthetic import row

from gridmark_plots import csvtable, markdown, numbers, sentences, units
from gridmark_plots.figures import canvas
from gridmark_plots.samples import DIGITS, SIGNS, Samples, packed
from gridmark_plots.selector import in_order
from gridmark_plots.values import Value

# Numbers.


def read(text):
    """A number as a reader takes it."""
    return float(text.replace(numbers.NARROW_SPACE, ""))


@for_any
def test_a_measured_number_reads_back_within_its_digits_and_has_as_many(draw):
    value, digits = draw.signed(), draw.randint(2, 6)
    text = numbers.measured(value, digits)
    assert read(text) == pytest.approx(value, rel=0.5001 * 10 ** (1 - digits))
    assert digits_of(text) == digits or ("." not in text and abs(value) >= 10 ** (digits - 1))
    assert ("e" in text) == (not 1e-4 <= abs(value) < 1e9)
    assert not re.search(r"\d{4}", text.split(".")[0])  # thousands are set apart


@pytest.mark.parametrize("value", [9.9996, 99.996, 999.96, 0.99996, 0.00099996])
def test_a_number_that_is_rounded_up_to_the_next_power_of_ten_has_no_digit_more(value):
    assert digits_of(numbers.measured(value)) == 4


@for_any
def test_a_published_number_has_no_zeros_at_its_end_and_a_cell_of_csv_ten_digits(draw):
    value, digits = draw.choice([draw.signed(), float(draw.randint(1, 99))]), draw.randint(2, 6)
    text = numbers.published(value, digits)
    assert read(text) == read(numbers.measured(value, digits))
    assert "e" in text or "." not in text or text[-1] not in "0."
    assert float(numbers.exact(value)) == pytest.approx(value, rel=0.5001e-9)


@for_any
def test_both_ends_of_an_interval_read_back_within_the_digits_of_the_larger(draw):
    low = draw.signed()
    high = low + abs(low) * draw.uniform(0, 2)
    texts = numbers.interval((low, high)).split(" to ")
    within = 0.5001e-3 * max(abs(low), abs(high))
    assert [read(text) for text in texts] == pytest.approx([low, high], abs=within)
    larger = texts[abs(high) >= abs(low)]
    assert ("e" in larger) == (not 1e-4 <= max(abs(low), abs(high)) < 1e9)
    assert "e" in larger or len({len(text.partition(".")[2]) for text in texts}) == 1


# Units.

TIMES = sorted(units.SECONDS)


@for_any
def test_a_time_in_any_unit_is_the_same_time_and_the_same_speed(draw):
    value, first, second = draw.size(), draw.choice(TIMES), draw.choice(TIMES)
    there, back = (
        units.factor({"unit": a, "name": "r"}, b, "f") for a, b in ((first, second), (second, first))
    )
    assert there * back == pytest.approx(1)
    one, other = (
        row("a", {"nx": 30, "ny": 20}, value * scale, unit=unit, flops=7e5)
        for scale, unit in ((1, first), (there, second))
    )
    assert units.seconds(one) == pytest.approx(units.seconds(other))
    for unit in (*units.SECONDS, *units.SPEEDS):
        (median, bounds), (twin, ends) = (units.convert(each, unit, "f") for each in (one, other))
        assert (twin, *ends) == pytest.approx((median, *bounds))
        assert bounds[0] < median < bounds[1]
    assert units.convert(one, "GFLOP/s", "f")[0] * 1e9 * units.seconds(one) == pytest.approx(7e5)
    assert units.convert(one, "Gpoint/s", "f")[0] * 1e9 * units.seconds(one) == pytest.approx(600)


# Text.


@for_any
def test_csv_reads_back_as_it_was_written(draw):
    lines = draw.lines()
    text = csvtable.write(["a", "b", 'c"'], lines)
    found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    # A cell's line breaks are all newlines.
    wanted = [[re.sub("\r\n|\r", "\n", cell) for cell in line] for line in lines]
    assert found == [["a", "b", 'c"'], *wanted]


def cells_of(line):
    """The cells of a line of a pipe table, as Markdown shows them; fails at markup."""
    cells = [""]
    for escaped, amp, other in re.findall(r"\\(.)|(&amp;)|(.)", line):
        if other == "|":
            cells.append("")
        else:
            assert escaped in "\\`*_[]<>|#~" and other not in tuple("`*_[]<>#&~\\"), line
            cells[-1] += escaped or amp[:1] or other
    assert cells[0] == cells[-1] == ""
    return [cell.strip(" ") for cell in cells[1:-1]]


@for_any
def test_a_pipe_table_shows_every_cell_as_it_is_on_one_line(draw):
    headings, lines = ("a", "b|c", "<d>"), draw.lines()
    head, rule, *rows = re.split(r"\r\n|\n|\r", markdown.pipes(headings, lines, (1,)))[:-1]
    assert rule == "| --- | ---: | --- |"
    # A line break within a cell is a space.
    wanted = [[re.sub(r"\r\n|\n|\r", " ", cell).strip(" ") for cell in line] for line in (headings, *lines)]
    assert [cells_of(line) for line in (head, *rows)] == wanted


@for_any
def test_a_drawing_of_its_own_is_xml_and_is_called_as_told(draw):
    title = draw.hostile().replace("\r", "")  # XML reads that as a newline
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1"><g style="fill: #20262d"/></svg>'
    root = ElementTree.fromstring(canvas.standalone(svg, title).encode())
    assert (root.find("{*}title").text or "") == title
    assert root.get("role") == "img" and root.get("width") == "1"


@for_any
def test_a_list_in_words_names_each_of_them_in_order(draw):
    words = draw.some(lambda: draw.text("abc", 1), 1, 5)
    text = sentences.listed(words, "or")
    assert re.split(", | or ", text) == words and text.count(" or ") == (len(words) > 1)


# Orders.


@for_any
def test_keys_of_numbers_have_one_order_however_they_come(draw):
    keys = draw.some(lambda: (f"{draw.randint(0, 40) / 2:g}", str(draw.randint(0, 3))))
    found = in_order(keys)
    assert found == sorted(set(keys), key=lambda key: tuple(map(float, key)))
    draw.shuffle(keys)
    assert in_order(keys) == found


@for_any
def test_keys_of_words_and_numbers_stand_below_their_words_as_these_come(draw):
    pairs = draw.some(lambda: (draw.choice("bac"), draw.randint(1, 30)), 0, 9)
    words = list(dict.fromkeys(word for word, _ in pairs))
    wanted = sorted(set(pairs), key=lambda pair: (words.index(pair[0]), pair[1]))
    assert in_order([(word, str(number)) for word, number in pairs]) == [(w, str(n)) for w, n in wanted]


# Samples, as a page's script reads them.


def unpacked(power, least, width, text):
    """The samples of a packed text."""
    found = []
    for part in re.findall(f".{{{width}}}", text):
        number = 0
        for sign in part:
            number = number * len(SIGNS) + SIGNS.index(sign)
        found.append((least + number) * 10.0**power)
    return found


@for_any
def test_packed_samples_read_back_within_the_digits_of_their_median(draw):
    median = draw.signed()
    samples = draw.some(lambda: median * (1 + draw.uniform(-1, 1) * 10 ** draw.randint(-5, 2)), 1)
    power, least, width, text = packed(samples, median)
    assert 10.0 ** (DIGITS - 1) * (1 - 1e-9) <= abs(median) / 10.0**power < 10.0**DIGITS * (1 + 1e-9)
    assert unpacked(power, least, width, text) == pytest.approx(samples, abs=0.5001 * 10.0**power)
    # No sign too many: some sample needs the first one.
    assert width == 1 or any(first != SIGNS[0] for first in text[::width])


@for_any
def test_a_page_tells_each_rows_samples_once_by_its_whole_name(draw):
    told = draw.some(lambda: (draw.text("ab<&\"'/", 0, 6), draw.randint(1, 3)), 1)
    page, places = Samples(), []
    for name, size in told:
        one = row("v", {}, size, samples=[size, 2 * size], name=name, process_samples=[1, 1])
        places += page.places((Value(size, row=one, unit="us"), Value(1.0)))
    text = page.text()
    rows, names = json.loads(text)["rows"], [""]
    for shared, own, *_ in rows:
        names.append(names[-1][:shared] + own)
    assert "<" not in text and len(rows) == len(set(told))
    assert [names[place + 1] for place in places] == [name for name, _ in told]
    for place, (_, size) in zip(places, told, strict=True):
        _, _, unit, *samples, processes = rows[place]
        assert unpacked(*samples) == pytest.approx([size, 2 * size], rel=1e-3)
        assert (unit, processes) == ("µs", [1, 1])
