"""The list of seeded defects (tests/mutants.toml) keeps up with the code; `make mutants` tries them."""

import subprocess
import sys

from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import mutants


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
