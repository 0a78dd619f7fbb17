"""The list of seeded defects (tests/mutants.toml) keeps up with the code; `make mutants` tries them."""

import random
import re
import subprocess
import sys

from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import mutants
import mutation
import random_mutants


def test_every_defect_has_its_place_and_its_tests():
    listed = mutants.listed()
    assert len(listed) >= 40
    assert len({mutant["name"] for mutant in listed}) == len(listed)
    for mutant in listed:
        assert (ROOT / "tests" / mutant["part"] / "CMakeLists.txt").exists(), mutant["name"]
    parts = {mutant["part"] for mutant in listed}
    assert parts >= {
        "jacobi",
        "heat",
        "ginzburg_landau",
        "pyramid",
        "maxwell",
        "launch",
        "statistics",
        "verdicts",
    }


def test_a_defect_without_its_place_is_refused(tmp_path):
    for text, word in [("nowhere to be found", "0 times"), ("#include", "times in")]:
        broken = tmp_path / "mutants.toml"
        place = f'file = "harness/run/limit.cpp"\nold = "{text}"'
        broken.write_text(f'[[mutant]]\nname = "x"\n{place}\nnew = ""\npart = "run"\n')
        code = f"import pathlib, mutants; mutants.listed(pathlib.Path({str(broken)!r}))"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT / "scripts", capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert word in done.stderr


def made(text, file="kernels/heat/x.cpp"):
    """{rule: the lines that it makes} of a text."""
    found = {}
    for defect in mutation.defects_of(file, text):
        old, new = defect.lines(text)
        assert old != new and defect.applied(text) != text
        found.setdefault(defect.rule, []).append(new)
    return found


CPP = """\
// if (a < b) return 1;
#include "a/b.hpp"
const char* text = "a < b && c + 1";
int f(int a, int b) {
    if (a <= b && !done) return 0;
    wait_for(a, b);
    const double us = 1e6 * std::min(a, b) + 9;
    return us > 0.05 ? a : b;
}
"""


def test_a_defect_is_what_a_tired_developer_might_write():
    found = made(CPP)
    assert found["comparison"] == [
        "if (a < b && !done) return 0;",
        "return us >= 0.05 ? a : b;",
    ]
    assert found["logic"] == ["if (a <= b || !done) return 0;", "if (a <= b && done) return 0;"]
    assert found["dropped guard"] == found["dropped call"] == [";"]
    assert found["unit"] == ["const double us = 1e3 * std::min(a, b) + 9;"]
    assert found["extreme"] == ["const double us = 1e6 * std::max(a, b) + 9;"]
    assert "const double us = 1e6 / std::min(a, b) + 9;" in found["arithmetic"]
    assert "const double us = 1e6 * std::min(a, b) + 10;" in found["constant"]
    assert "return us > 0.06 ? a : b;" in found["constant"]
    assert found["branches"] == ["return us > 0.05 ? b : a;"]
    assert found["early return"] == ["int f(int a, int b) { return {};"]
    assert found["swapped arguments"] == ["wait_for(b, a);"], "not those of min"


def test_no_defect_stands_in_a_comment_a_string_or_a_directive():
    lines = CPP.splitlines()[:3]
    assert made("\n".join(lines) + "\n") == {}
    assert made('"""A text: 1 < 2."""\n# 1 < 2\nx = f"{y}: 1 < 2"\n', "plots/x.py") == {}


def test_python_is_read_by_rules_of_its_own():
    text = "def f(a, b):\n    if not a or b:\n        return None\n    a.append(b)\n    return any(a)\n"
    found = made(text, "plots/x.py")
    assert found["logic"] == ["if not a and b:", "if a or b:"]
    assert found["dropped guard"] == ["if False:"]
    assert found["dropped call"] == ["pass"]
    assert found["extreme"] == ["return all(a)"]


def test_every_product_file_is_of_a_part_and_no_other_file_is():
    parts = {name: mutation.part_of(name) for name in mutants.tracked()}
    for name, part in parts.items():
        code = name.endswith((".cpp", ".hpp", ".cu", ".cuh", ".py"))
        product = name.startswith(("kernels/", "harness/", "experiments/", "plots/"))
        assert (part is not None) == (code and product), name
        assert part is None or part in random_mutants.PARTS
    assert set(parts.values()) == {None, *random_mutants.PARTS}


def test_a_seed_draws_the_same_defects_again_and_another_one_others():
    files = [name for name in mutants.tracked() if name.startswith(("kernels/ranks/", "tests/ranks/"))]

    def some(seed):
        drawn = mutation.drawn(ROOT, files, "ranks", random.Random(seed))
        return [next(drawn) for _ in range(5)]

    assert some(1) == some(1) != some(2)
    assert all(mutation.part_of(defect.file) == "ranks" for defect in some(1))


def test_an_equivalent_defect_still_has_its_place():
    for (file, old, new), reason in random_mutants.equivalents().items():
        assert reason and old != new
        assert old in [line.strip() for line in (ROOT / file).read_text().splitlines()], (file, old)


def test_names_of_tests_in_a_report_are_told_as_pytest_takes_them():
    assert (
        random_mutants.node_of("tests.cli.test_run.test_a[x.y/z-1]")
        == "tests/cli/test_run.py::test_a[x.y/z-1]"
    )
    assert random_mutants.node_of("tests.plots.test_b.test_c") == "tests/plots/test_b.py::test_c"


def test_defects_of_each_part_are_tried_in_turns(monkeypatch):
    """One that cannot be tried is replaced by the next of its part."""
    drawn = {"kernels": ["a", "no", "b"], "ranks": ["c", "d"]}
    monkeypatch.setattr(mutation, "drawn", lambda root, files, part, chance: iter(drawn[part]))
    monkeypatch.setattr(
        random_mutants, "tried", lambda defect, same: (None if defect == "no" else "caught", f"line {defect}")
    )
    found = list(random_mutants.in_turns(3, 1, ["kernels", "ranks"], []))
    assert found == [
        ("kernels", "caught", "line a"),
        ("ranks", "caught", "line c"),
        ("kernels", "caught", "line b"),
    ]


def test_a_table_tells_the_share_of_each_part():
    words = {"kernels": ["caught"] * 3 + ["SURVIVED", "equivalent"], "ranks": ["caught"]}
    assert random_mutants.table_of(words, ["kernels", "ranks"]).splitlines()[2:] == [
        "| kernels | 3 | 4 | 75% | 30% to 95% |",
        "| ranks | 1 | 1 | 100% | 21% to 100% |",
        "| all | 4 | 5 | 80% | 38% to 96% |",
    ]


def test_random_defects_meet_every_test_program():
    """They look for programs by this name: one that is called otherwise would never be asked."""
    for lists in sorted((ROOT / "tests").glob("*/CMakeLists.txt")):
        for program in re.findall(r"gtest_discover_tests\((\S+)", lists.read_text()):
            assert re.fullmatch(r"gridmark_\w+_tests", program), f"{lists.parent.name}: {program}"
