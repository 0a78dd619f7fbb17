"""Drawings made small: the same paths, letters shared by a page, and nothing that a browser would show."""

import re

import pytest

from gridmark_plots.figures import compact

RING = "M 10.04 20 \nL 30 20.06 \nL 30 40 \nz\nM 12 22 \nL 14 22 \nL 14 24 \nz\n"


def path(data, style="fill: #0b5cad"):
    return f'<path d="{data}" style="{style}"/>'


def absolute(data):
    """The corners of a path of M, l and z."""
    found, here = [], (0.0, 0.0)
    for command, numbers in re.findall(r"([Mlz])([^Mlz]*)", data):
        values = [float(text) for text in numbers.split()]
        for x, y in zip(values[::2], values[1::2], strict=True):
            here = (x, y) if command == "M" else (here[0] + x, here[1] + y)
            found.append(tuple(round(one, 3) for one in here))
    return found


def data_of(svg):
    return re.findall(r' d="([^"]*)"', svg)


def test_straight_lines_become_steps_whose_corners_are_within_a_tenth_of_a_point():
    (data,) = data_of(compact.compact(path(RING)))
    assert data == "M10 20l20 0.1 0 19.9zM12 22l2 0 0 2z"
    assert absolute(data) == [(10, 20), (30, 20.1), (30, 40), (12, 22), (14, 22), (14, 24)]


def test_rounding_does_not_add_up_along_a_line():
    corners = [(0.333 * step, 0.777 * step) for step in range(400)]
    words = " ".join(f"{'L' if step else 'M'} {x} {y}" for step, (x, y) in enumerate(corners))
    (data,) = data_of(compact.compact(path(words)))
    for (x, y), (to_x, to_y) in zip(corners, absolute(data), strict=True):
        assert abs(x - to_x) <= 0.0501 and abs(y - to_y) <= 0.0501


def test_a_letters_shape_is_told_in_steps_that_end_where_it_ended():
    shape = "M 2034 4250 \nQ 1547 4250 1301 3770 \nL 1301 100 \nz\nM 10 20 \nL 10 0 \nz\n"
    (data,) = data_of(compact.compact(f'<path id="_61" d="{shape}" transform="scale(0.015625)"/>'))
    assert data == "M2034 4250q-487 0-733-480l0-3670zM10 20l0-20z"


def test_curves_keep_their_precision():
    assert data_of(compact.compact(path("M 1.23 4.56 \nQ 7.89 0.12 3.45 6.78 \nz"))) == [
        "M1.23 4.56Q7.89 0.12 3.45 6.78z"
    ]


def test_a_text_with_a_halo_is_drawn_wider_in_the_papers_colour_and_then_in_its_own():
    letters = '<use href="#_61"/><use href="#_62" x="63.6"/>'
    line = '<g style="fill: #5a6570" transform="translate(1 2) scale(0.1 -0.1)">'
    shape = '<defs><path id="_61" d="M1 1Q2 2 3 3" transform="scale(0.015625)"/></defs>'
    made = compact.compact(f'<g id="halo">{line}{shape}{letters}</g>{line}{letters}</g></g>')
    assert made.count("fill: #fdfdfb; stroke: #fdfdfb; stroke-width: 1600") == made.count("#5a6570") == 2
    assert made.rindex("#fdfdfb") < made.index("#5a6570") and made.count("<defs>") == 1
    behind, front = made.split('<g style="fill: #5a6570"', 1)
    assert behind.count("<use") == front.count("<use") == 4


def test_groups_that_say_nothing_go_and_those_that_do_stay():
    assert compact.without_idle_groups('<g><g x="1"><g><a/></g></g><g></g></g>') == '<g x="1"><a/></g>'


def test_a_mark_keeps_its_place_in_the_data_for_a_page_and_loses_it_in_a_file():
    given = f'<g id="mark:3:2:1">{path("M 1 1 ")}</g><g id="mark:4:2:0"><a/></g><g id="mark:5:"><b/></g>'
    made = compact.compact(given)
    assert re.findall(r'data-m="([^"]*)"', made) == ["3,2,1", "4,2", "5"]
    assert compact.without_marks(made) == path("M1 1") + "<a/><b/>"


def test_styles_become_classes_with_their_colours_in_the_dark():
    looks = compact.Looks()
    drawn = looks.named(path("M1 1") + path("M2 2") + path("M3 3", "fill: none; stroke: #20262d"))
    assert re.findall(r'class="([^"]*)"', drawn) == ["l0", "l0", "l1"]
    light, dark = looks.rules()
    assert light == ".l0{fill:#0b5cad}\n.l1{fill:none;stroke:#20262d}"
    assert dark == ".l0{fill:#74b6f5}\n.l1{stroke:#e4e7ea}"


def test_neighbours_that_look_alike_are_one_path_and_others_are_not():
    alike = compact.compact(path("M 1 1 \nL 2 1 \nz") + path("M 5 1 \nL 6 1 \nz"))
    assert alike == path("M1 1l1 0zM5 1l1 0z")
    apart = compact.compact(path("M 1 1 \nL 2 1 \nz") + path("M 5 1 \nL 6 1 \nz", "fill: none"))
    assert len(data_of(apart)) == 2


@pytest.mark.parametrize("which", ["rendered", "gridded", "compared"])
def test_a_page_holds_every_letter_once_and_a_drawing_of_its_own_holds_those_that_it_uses(which, request):
    directory = request.getfixturevalue(which)
    page = (directory / "index.html").read_text()
    used = set(re.findall(r'href="#(_[^"]+)"', page))
    assert used and sorted(re.findall(r'<path id="(_[^"]+)"', page)) == sorted(used)
    for file in (directory / "figures").glob("*.svg"):
        svg = file.read_text()
        assert set(re.findall(r'<path id="(_[^"]+)"', svg)) == set(re.findall(r'href="#(_[^"]+)"', svg))
