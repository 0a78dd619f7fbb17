"""What the report's script does, in a real browser: each test fails when its part of the script is gone."""

import json
import re
from itertools import pairwise

import chromium
import pytest
import synthetic

from gridmark_plots import render
from gridmark_plots.__main__ import main

TABLE = "jacobi-table-1"
MADE_UP = """{% extends "page.html.j2" %}{% import "macros.html.j2" as m %}{% block body %}<main id="main">
{% for key, values in tables %}{{ m.plain_table(key, ["value"], values, key=key) }}{% endfor %}
</main>{% endblock %}"""
ORDERS = {
    "sizes": ["2 KiB", "900 MiB", "1.5 GiB", "2 GB"],
    "times": ["900 ns", "2.50 µs (2.40 to 2.60)", "1 ms", "0.5 s"],
    "thousands": ["999.5", "9\u202f200", "61\u202f500 (61\u202f000 to 62\u202f000)", "1.234e+09"],
    "ranges": ["0.9", "1.2 to 1.6", "1.45", "10 to 15 times"],
    "grids": ["8x8", "32x4", "512 x 256 points", "64x64x64"],
    "words": ["-3", "-0.5", "7 %", "gpu_a2", "gpu_a10", "\u2013"],
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.Browser(tmp_path_factory.mktemp("profile"), "--hide-scrollbars") as found:
        yield found


@pytest.fixture
def visit(browser):
    """Opens pages and closes them; none may complain or ask for anything but itself."""
    opened = []

    def page(path, state="", **given):
        opened.append(chromium.Page(browser, path.as_uri() + state, **given))
        return opened[-1]

    yield page
    for one in opened:
        said = [*one.events("Runtime.exceptionThrown"), *one.events("Log.entryAdded")]
        urls = {sent["request"]["url"].split("#")[0] for sent in one.events("Network.requestWillBeSent")}
        one.close()
        assert said == []
        assert all(re.match(r"file://.*\.html$|data:", url) for url in urls), urls


def within(key, selector):
    """The selector of something within the table of this key."""
    return f'table[data-key="{key}"] {selector}'


def all_of(selector):
    """JavaScript: a list of what the selector finds."""
    return f"[...document.querySelectorAll({json.dumps(selector)})]"


def column(page, key, place):
    """The texts of a table's column, row by row as they are seen; an interval has a line of its own."""
    rows = all_of(within(key, "tbody tr:not(.unfolded)"))
    cells = page.get(f"{rows}.filter(row => !row.hidden).map(row => row.cells[{place}].innerText.trim())")
    return [cell.split("\n")[0] for cell in cells]


def head(key, place):
    """The button of a column that has one heading, above it no machine's name."""
    return within(key, f"thead tr:first-child th:nth-child({place + 1}) .sort")


def told(page, selector):
    return page.get(f"document.querySelector({json.dumps(selector)}).innerText")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_report_opens_with_its_picture_and_few_words(rendered, visit, width):
    page = visit(rendered / "index.html", width=width)
    top = page.get("document.querySelector('.graph').getBoundingClientRect().top")
    assert 0 < top < 600
    assert page.get("document.querySelector('section.part').contains(document.querySelector('.graph'))")
    words = f"{told(page, 'header.top')} {told(page, 'section.part')}".split()
    assert 40 < len(words) <= 150


def test_without_scripts_every_table_is_there_and_nothing_that_would_not_work(rendered, visit):
    text = (rendered / "index.html").read_text()
    page = visit(rendered / "index.html", scripts=False)
    rows = page.get("document.querySelectorAll('tbody tr').length")
    assert page.get("document.querySelectorAll('table').length") == text.count("<table") > 30
    assert rows == len(re.findall(r"<tr\b", text.split('<script type="application/json"')[0])) - page.get(
        "document.querySelectorAll('thead tr').length"
    )
    assert page.get("document.querySelectorAll('[hidden], .tool, .bar, .tip, button').length") == 0
    page.get("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    seen = page.get("[...document.querySelectorAll('table')].map(one => one.innerText)")
    assert all(seen) and "1.34 (1.25 to 1.45)" in seen[1]


@pytest.mark.parametrize("key", ORDERS)
def test_sorting_understands_units_intervals_and_sizes(visit, tmp_path, key):
    values = ORDERS[key]
    mixed = [[value] for value in values[1::2] + values[::2]]
    template = render._environment(True).from_string(MADE_UP)
    (tmp_path / "page.html").write_text(template.render(tables=[(key, mixed)]))
    page = visit(tmp_path / "page.html")
    assert column(page, key, 0) == [value for (value,) in mixed]
    page.click(head(key, 0))
    assert column(page, key, 0) == values
    page.click(head(key, 0))
    missing = [value for value in values if value == "\u2013"]
    assert column(page, key, 0) == [value for value in reversed(values) if value != "\u2013"] + missing
    page.click(head(key, 0))
    assert column(page, key, 0) == [value for (value,) in mixed]


def test_a_sorted_column_says_so_and_the_arrow_keys_reach_the_others(rendered, visit):
    page = visit(rendered / "index.html")
    page.click(head(TABLE, 0))
    sorts = f"{all_of(within(TABLE, 'th'))}.map(one => one.ariaSort)"
    assert [one for one in page.get(sorts) if one] == ["ascending"]
    reached = "document.activeElement.ariaLabel"
    first = page.get(reached)
    page.press("ArrowRight")
    assert page.get(reached) != first and page.get(reached).startswith("Sort by ")
    page.press("Enter")
    assert [one for one in page.get(sorts) if one] == ["ascending"]
    stops = f"{all_of(within(TABLE, '.sort'))}.filter(one => one.tabIndex === 0)"
    assert page.get(f"{stops}.length") == 1
    assert "sorted by" in told(page, "[role=status]")


def test_verdicts_sort_by_their_kind_within_each_study(rendered, visit):
    page = visit(rendered / "index.html")
    page.click(head("claims", 2))
    kinds = page.get(
        f"{all_of(within('claims', 'tbody'))}.map(body =>"
        "[...body.rows].map(row => row.querySelector('.badge')?.innerText.trim() ?? 'study'))"
    )
    jacobi = next(one for one in kinds if "REPRODUCED" in one)
    judged = [one for one in jacobi if one != "no verdict"]
    assert judged == ["study", "REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE"]
    assert all(one.index("study") == 0 and one.count("study") == 1 for one in kinds)


def test_every_table_of_several_rows_can_be_sorted_and_filtered(rendered, sided, compared, visit):
    pages = [one / "index.html" for one in (rendered, sided, compared)]
    for path in (*pages, rendered / "sentences.html"):
        page = visit(path)
        lacking = page.get(
            f"{all_of('table')}.filter(one => one.querySelectorAll('tbody tr').length > 2)"
            ".filter(one => !one.querySelector('.sort') || !(one.closest('.scroll') ?? one)"
            ".previousElementSibling.querySelector('input')).map(one => one.dataset.key)"
        )
        keys = page.get(f"{all_of('table')}.map(one => one.dataset.key)")
        assert lacking == [] and len(set(keys)) == len(keys)


def test_a_filter_keeps_the_rows_with_every_word(rendered, visit):
    page = visit(rendered / "index.html")
    every = column(page, TABLE, 0)
    frame = f"document.querySelector({json.dumps(within(TABLE, ''))}).closest('.scroll')"
    page.get(f"{frame}.previousElementSibling.firstChild.id = 'own'")
    page.type("#own", "32x16 32X32")
    assert column(page, TABLE, 0) == ["32x32"] and column(page, TABLE, 1) == ["32x16"]
    count = page.get("document.querySelector('#own').nextSibling.innerText")
    assert count == f"1 of {len(every)} rows" and count in told(page, "[role=status]")
    page.type("#own", "")
    page.press("Escape")
    page.get("(() => { own.value = ''; own.dispatchEvent(new Event('input')); })()")
    assert column(page, TABLE, 0) == every


@pytest.mark.parametrize(
    ("words", "kind", "link"),
    [
        ("J3", "Claims", "J3. "),
        ("gpu_no_shared", "Variants", "gpu_no_shared"),
        ("32 x 16 no_shared", "Tables", "rows"),
        ("512x256 roofline jacobi", "Graphs", "Roofline"),
    ],
)
def test_the_search_finds_claims_variants_and_sizes(rendered, visit, words, kind, link):
    page = visit(rendered / "index.html")
    page.type("#search", words)
    assert kind.upper() in told(page, ".found").upper().split("\n")
    links = page.get(
        f"{all_of('.found .eyebrow')}.find(one => one.textContent === '{kind}')"
        ".nextElementSibling.innerText.split('\\n')"
    )
    assert link in links[0]
    page.type("#search", "nothingiscalledthis")
    assert told(page, ".found").strip() == "Nothing found"


def test_what_was_found_is_followed_to_the_filtered_table(rendered, visit):
    page = visit(rendered / "index.html")
    page.type("#search", "gpu_no_shared 32x16")
    place = f'.found a[href^="#{TABLE}?"]'
    assert told(page, place).endswith(": 3 of 7 rows")
    page.click(place)
    keys = list(zip(column(page, TABLE, 0), column(page, TABLE, 1), strict=True))
    assert len(keys) == 3 and all("32x16" in key for key in keys)
    top = page.get(f"document.querySelector({json.dumps(within(TABLE, ''))}).getBoundingClientRect().top")
    assert 0 < top < 300
    assert not page.get("document.querySelector('.found').checkVisibility()")


def test_a_link_keeps_search_sort_filter_and_open_rows(rendered, visit):
    page = visit(rendered / "index.html")
    page.type("#search", "J1")
    page.click(head(TABLE, 0))
    page.click(head(TABLE, 0))
    page.click(within(TABLE, "tbody tr:nth-child(2) .more"))
    order = [column(page, TABLE, place) for place in range(3)]
    link = page.get("location.hash")
    assert link != "" and order[0] == [f"32x{tile}" for tile in (32, 32, 32, 16, 16, 8, 4)]
    other = visit(rendered / "index.html", link)
    assert [column(other, TABLE, place) for place in range(3)] == order
    assert other.get("document.querySelector('#search').value") == "J1"
    assert other.get("document.querySelectorAll('.unfolded').length") == 1
    other.get("location.hash = '#jacobi'")
    assert other.get("new Promise(done => setTimeout(() => done(location.hash), 50))") == "#jacobi" + link[1:]
    filtered = visit(rendered / "index.html", f"#{TABLE}?f.{TABLE}=32x8")
    keys = list(zip(column(filtered, TABLE, 0), column(filtered, TABLE, 1), strict=True))
    assert 0 < len(keys) < 7 and all("32x8" in key for key in keys)


def test_a_mark_tells_its_value_and_interval_under_the_mouse_and_by_key(gridded, visit):
    page = visit(gridded / "index.html")
    graph = '.graph[data-of="toy-each-graph"]'
    mark = page.get(
        f"[...document.querySelectorAll('{graph} .wide [data-m]')].map(one => one.dataset.m).find(mark => {{"
        "const [line, column] = mark.split(',');"
        "const rows = document.querySelectorAll('table[data-key=\"toy-each-graph\"] tbody tr');"
        "return rows[line].cells[column].textContent.includes(' to '); })"
    )
    line, at = mark.split(",")[:2]
    cell = within("toy-each-graph", f"tbody tr:nth-child({int(line) + 1}) :nth-child({int(at) + 1})")
    expected = page.get(f"document.querySelector('{cell}').textContent")
    tip = f"{all_of('.tip')}.find(one => !one.hidden)"
    assert page.get(f"{tip} === undefined")
    page.hover(f'{graph} .wide [data-m="{mark}"]')
    assert page.get(f"{tip}.firstChild.textContent") == expected and " to " in expected
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert page.get(f"{tip} === undefined")
    page.get(f"document.querySelector('{graph}').focus()")
    page.press("ArrowRight")
    first = page.get(f"{tip}.firstChild.textContent")
    page.press("ArrowRight")
    second = page.get(f"{tip}.firstChild.textContent")
    assert first and second and first != second and second in told(page, "[role=status]")
    page.press("Escape")
    assert page.get(f"{tip} === undefined")


PLACES = """(() => {
  const found = {}, number = text => parseFloat(text.replace(/[^0-9.e-]*/, ""));
  for (const graph of document.querySelectorAll(".graph")) {
    const lines = [...document.querySelectorAll(`table[data-key="${graph.dataset.of}"] tbody tr`)];
    const own = found[graph.dataset.of] = [];
    for (const mark of graph.querySelectorAll(".wide [data-m]")) {
      const [line, column, place] = mark.dataset.m.split(","), box = mark.getBoundingClientRect();
      const cell = column && lines[line]?.cells[column].textContent.split("; ")[place ?? 0];
      own.push({there: Boolean(lines[line]), value: cell && number(cell), x: box.right, y: box.top, column});
    }
  }
  return found;
})()"""


def test_every_mark_stands_where_its_cell_of_the_data_says(gridded, rendered, visit):
    found = {**visit(gridded / "index.html").get(PLACES), **visit(rendered / "index.html").get(PLACES)}
    assert all(one["there"] for marks in found.values() for one in marks)
    assert sum(bool(marks) for marks in found.values()) >= 7
    for key, upward in (("toy-each-graph", False), ("toy-even-graph", False), ("toy-sizes-graph", True)):
        marks = sorted(found[key], key=lambda one: one["value"])
        assert len(marks) > 4
        places = [-one["y"] if upward else one["x"] for one in marks]
        slack = 1.5  # points: an interval begins beside its value
        assert all(later > sooner - slack for sooner, later in pairwise(places)), key


def test_a_rows_samples_unfold_below_it(tmp_path, visit):
    arguments = synthetic.sided(tmp_path)
    rows = {}
    for file in (tmp_path / "results").glob("*/jacobi.json"):
        result = json.loads(file.read_text())
        for row in result["rows"]:
            if row["samples"]:
                row["samples"] = [row["median"] * (1 + 0.003 * ((5 * place) % 9 - 4)) for place in range(9)]
                row["process_samples"] = [4, 3, 2]
                rows[row["name"]] = row
        file.write_text(json.dumps(result))
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    page = visit(tmp_path / "out" / "index.html")
    button = within("jacobi-hardware", "tbody tr:nth-child(3) .more")
    page.click(button)
    assert page.get(f"{all_of(button)}[0].ariaExpanded") == "true"
    names = page.get(f"{all_of('.unfolded code')}.map(one => one.innerText)")
    texts = page.get(f"{all_of('.unfolded details p')}.map(one => one.textContent)")
    assert names and len(names) == len(texts)
    for name, text in zip(names, texts, strict=True):
        shown = [float(one) for one in re.split("[;,] ", text)]
        assert shown == pytest.approx(rows[name]["samples"], rel=5e-4)
        assert [part.count(",") + 1 for part in text.split(";")] == [4, 3, 2]
    assert page.get("document.querySelectorAll('.unfolded circle').length") == 9 * len(names)
    assert page.get("document.querySelectorAll('.unfolded .strip path').length") == 3 * len(names)
    page.click(button)
    assert page.get("document.querySelectorAll('.unfolded').length") == 0


def test_two_machines_stand_side_by_side_and_only_what_differs(sided, visit):
    page = visit(sided / "index.html")
    key = "jacobi-hardware"
    groups = f"{all_of(within(key, 'th.group'))}.filter(one => !one.hidden)"
    names = page.get(f"{groups}.map(one => one.innerText)")
    assert len(names) > 2
    choose = (
        "((place, name) => {{ const one = document.querySelectorAll('.pair select')[place]; one.value = name;"
        "one.dispatchEvent(new Event('change')); }})({}, {})"
    )
    for place, name in enumerate(("GeForce GTX 570 (published)", synthetic.GPU)):
        page.get(choose.format(place, json.dumps(name)))
    assert page.get(f"{groups}.map(one => one.innerText)") == ["GeForce GTX 570 (published)", synthetic.GPU]
    cells = f"{all_of(within(key, 'tbody tr:first-child td:not([hidden])'))}.length"
    shown = page.get(f"{groups}.reduce((sum, one) => sum + one.colSpan, 0)")
    heads = f"{all_of(within(key, 'thead tr:last-child th:not([hidden])'))}.length"
    assert page.get(cells) == page.get(heads) == shown
    every = column(page, key, 0)
    page.click("#only")
    left = column(page, key, 0)
    assert 0 < len(left) < len(every)
    other = visit(sided / "index.html", page.get("location.hash"))
    assert column(other, key, 0) == left
    assert other.get(f"{groups}.length") == 2


def test_of_a_comparison_the_rows_that_differ_can_be_kept(compared, visit):
    page = visit(compared / "index.html")
    key = "every-row-of-jacobi"
    verdicts = column(page, key, 7)
    page.click("#only")
    apart = [one for one in verdicts if one in ("faster", "slower", "lower", "higher")]
    assert column(page, key, 7) == apart != verdicts


@pytest.mark.parametrize("which", ["sided", "compared"])
def test_every_control_has_a_name_and_the_first_stops_are_as_before(which, request, visit):
    page = visit(request.getfixturevalue(which) / "index.html")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    kinds = ("button", "searchbox", "combobox", "checkbox")
    controls = [node for node in nodes if node.get("role", {}).get("value") in kinds]
    assert controls and all(node["name"]["value"].strip() for node in controls)
    page.press("Tab")
    assert page.get("document.activeElement.className") == "skip"
    page.press("Tab")
    assert page.get("document.activeElement.closest('nav') !== null")
    assert page.get(f"{all_of('.graph')}.every(one => one.role === 'img' && one.ariaLabel.length > 40)")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_scrolls_sideways_with_the_search_and_samples_open(rendered, visit, width):
    page = visit(rendered / "index.html", width=width)
    page.click(within(TABLE, ".more"))
    page.type("#search", "gpu")
    assert page.get("document.documentElement.scrollWidth") <= width
