"""What holds for any data: numbers, texts and drawings read back are what was written; orders are total."""

import csv
import functools
import io
import json
import math
import random
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from synthetic import row

from gridmark_plots import csvtable, markdown, numbers, sentences, units
from gridmark_plots.figures import axes, canvas, compact, contour, heatmap, ratios, slices, timeline
from gridmark_plots.figures.plane import Axis, Plane
from gridmark_plots.samples import DIGITS, SIGNS, Samples, packed
from gridmark_plots.selector import in_order
from gridmark_plots.values import Value

CASES = 60


def for_any(test):
    """The test with made-up data of many cases, the same ones in each run; an error says which one it was."""

    @functools.wraps(test)
    def every():
        for case in range(CASES):
            try:
                test(Draw(f"{test.__name__} {case}"))
            except Exception as error:
                error.add_note(f"case {case} of {test.__name__}")
                raise

    del every.__wrapped__  # pytest would take what is drawn for a fixture
    return every


class Draw(random.Random):
    """Data of one case; few things as often as many, and now and then none."""

    def some(self, make, least=0, most=6):
        return [make() for _ in range(self.randint(least, most))]

    def size(self):
        """A number above 0 of any power of ten that is told here."""
        return self.uniform(1, 10) * 10.0 ** self.randint(-7, 11)

    def signed(self):
        return self.choice([-1, 1]) * self.size()

    def text(self, letters, least=0, most=8):
        return "".join(self.some(lambda: self.choice(letters), least, most))

    def hostile(self):
        """What breaks tables and pages, among other text."""
        return self.text("a1 |\\`*_[]<>&#\"',;\n\r\t{}~\u00e9\u202f", 0, 12)

    def lines(self):
        return self.some(lambda: [self.hostile() for _ in range(3)], 1, 4)


# Numbers.


def read(text):
    """A number as a reader takes it."""
    return float(text.replace(numbers.NARROW_SPACE, ""))


def digits_of(text):
    """How many significant digits a text has."""
    return len(re.sub(r"e.*|\D", "", text).lstrip("0"))


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


# Axes.


@for_any
def test_ticks_are_round_rise_and_lie_on_the_axis(draw):
    low, most = draw.size(), draw.randint(4, 12)
    high = low * 10.0 ** draw.uniform(1, 7)
    found = axes.ticks_between(low, high, most)
    assert 2 <= len(found) <= most or (len(found) == 1 and high < 11 * low)
    assert found == sorted(set(found))
    assert low * 0.998 <= found[0] and found[-1] <= high * 1.002
    assert all(digits_of(f"{tick:.12g}".split("e")[0].rstrip("0")) <= 1 for tick in found)


@for_any
def test_every_cell_of_a_map_lies_around_its_place_and_meets_the_next_half_way(draw):
    values, kind = sorted({*draw.some(lambda: draw.randint(1, 400), 1, 9)}), draw.choice(["log", "linear"])
    found, place = heatmap.edges(values, kind), math.log if kind == "log" else float
    assert all(low < value < high for value, (low, high) in zip(values, pairwise(found), strict=True))
    for (low, high), edge in zip(pairwise(values), found[1:-1], strict=True):
        assert place(edge) == pytest.approx((place(low) + place(high)) / 2)
    for outer, at, inner in ((found[0], values[0], found[1]), (found[-1], values[-1], found[-2])):
        assert place(outer) + place(inner) == pytest.approx(2 * place(at))


@for_any
def test_the_colours_of_a_map_reach_around_all_its_values_in_about_ten_steps(draw):
    values = draw.some(lambda: draw.choice([0.0, draw.size()]), 1, 9)
    steps = heatmap.decades([heatmap.Sheet("Box", {(k, 1): one for k, one in enumerate(values)}, {})])
    above = [math.log10(value) for value in values if value > 0]
    assert 2 <= len(steps) <= 11 and len({high - low for low, high in pairwise(steps)}) == 1
    if above:
        assert (
            steps[0] <= min(above) < steps[0] + 1 and steps[-2] < max(max(above), steps[0] + 1) <= steps[-1]
        )


# Drawings.

TAKES = {"M": 1, "L": 1, "Q": 2, "C": 3}


def corners_of(data):
    """Every corner of path data, absolute or in steps."""
    found, here, start = [], (0.0, 0.0), (0.0, 0.0)
    for command, text in re.findall(r"([MLQCzlqc])([^A-Za-z]*)", data):
        if command == "z":
            here = start
            continue
        values = [float(value) for value in re.findall(r"-?[\d.]+", text)]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        takes = TAKES[command.upper()]
        for at in range(0, len(pairs), takes):
            some = pairs[at : at + takes]
            if command.islower():
                some = [(here[0] + x, here[1] + y) for x, y in some]
            found += some
            here = some[-1]
        start = here if command == "M" else start
    return found


def corner(draw):
    return f"{draw.randint(-300, 300) / 7:.2f} {draw.randint(-300, 300) / 7:.2f}"


@for_any
def test_straight_lines_keep_each_corner_within_a_tenth_of_a_point(draw):
    lines = draw.some(lambda: draw.some(lambda: corner(draw), 1), 1, 3)
    data = "".join(f"M {' L '.join(corners)} {draw.choice(['', 'z '])}" for corners in lines)
    small = compact.compact(f'<path d="{data}" style="fill: none"/>')
    found = corners_of(re.search(' d="([^"]*)"', small)[1])
    assert [end for one in found for end in one] == pytest.approx(
        [end for one in corners_of(data) for end in one], abs=0.0501
    )


@for_any
def test_a_letters_shape_in_steps_has_every_corner(draw):
    data = "M 5 -7 "
    for command in draw.some(lambda: draw.choice("LQCz")):
        values = [draw.randint(-90, 90) for _ in range(2 * TAKES.get(command, 0))]
        data += f"{command} {' '.join(map(str, values))} "
    data += "z M -1 2 L 3 4 z "
    (small,) = compact.letters(compact.compact(f'<path id="{compact.LETTER}41" d="{data}"/>')).values()
    assert corners_of(re.search(' d="([^"]*)"', small)[1]) == corners_of(data)


def groups(draw, deep=4):
    inner = draw.some(lambda: groups(draw, deep - 1), 0, 3) if deep else []
    if not inner:
        return draw.choice(["<path/>", '<g id="i0"/>', "a"])
    return draw.choice(["<g>", '<g class="l0">']) + "".join(inner) + "</g>"


@for_any
def test_groups_that_go_take_nothing_with_them(draw):
    text = groups(draw)
    found = compact.without_idle_groups(text)
    ElementTree.fromstring(f"<svg>{found}</svg>")
    assert "<g>" not in found and found.count('class="l0"') == text.count('class="l0"')
    assert re.sub('<g>|<g class="l0">|</g>', "", found) == re.sub('<g>|<g class="l0">|</g>', "", text)


@for_any
def test_names_in_a_comparison_lose_no_part(draw):
    names = draw.some(lambda: draw.some(lambda: draw.choice("abcd"), 1, 4), 1, 4)
    shared, own = ratios.names_of(
        [{"experiment": "toy", "name": "/".join(["toy", *parts])} for parts in names]
    )
    for parts, rest in zip(names, own, strict=True):
        assert rest and {part for part in f"{shared}/{rest}".split("/") if part} == set(parts)


# Figures' own arithmetic, against slower ways.


@for_any
def test_a_lane_is_busy_where_any_of_its_spans_is(draw):
    spans = [(begin, begin + draw.randint(0, 9)) for begin in draw.some(lambda: draw.randint(0, 40))]
    lane = timeline.Lane("a", sorted(spans), False)
    assert lane.busy == len({moment for begin, end in spans for moment in range(begin, end)})
    assert lane.end == max((end for _, end in spans), default=0)
    assert lane.longest == max((end - begin for begin, end in spans), default=0)


def some_points(draw):
    """A few points of a small plane."""
    wide = draw.randint(3, 7)
    return np.array([draw.choices([False, True], [1, 3], k=wide) for _ in range(draw.randint(3, 7))])


@for_any
def test_a_bodys_rim_is_what_has_a_neighbour_outside(draw):
    body = np.pad(some_points(draw), 1)  # it does not reach the edge
    rim = contour._rim(body)
    for y, x in np.argwhere(body):
        assert rim[y, x] != all((body[y - 1, x], body[y + 1, x], body[y, x - 1], body[y, x + 1]))
    assert not (rim & ~body).any()


@for_any
def test_only_fixed_points_off_the_edge_are_a_body(draw):
    free = some_points(draw)
    held = contour._held(free.astype(float))
    assert not held[[0, -1]].any() and not held[:, [0, -1]].any()
    assert (held[1:-1, 1:-1] == ~free[1:-1, 1:-1]).all()


@for_any
def test_a_field_that_rises_evenly_does_so_in_its_picture_however_its_points_are_spaced(draw):
    a, b, c = (draw.uniform(-3, 3) for _ in range(3))
    x, y = (np.cumsum([0.25 + draw.random() for _ in range(draw.randint(2, 5))]) for _ in range(2))
    plane = Plane(a + b * x[None, :] + c * y[:, None], None, {}, Axis("x", x), Axis("y", y))
    picture = slices._raster(plane)
    across, up = (
        side[0] + (np.arange(many) + 0.5) / many * (side[-1] - side[0])
        for side, many in ((x, picture.shape[1]), (y, picture.shape[0]))
    )
    assert max(picture.shape) == slices.PIXELS
    assert np.allclose(picture, a + b * across[None, :] + c * up[:, None])
