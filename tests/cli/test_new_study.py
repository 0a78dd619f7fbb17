"""scripts/new-study.sh: whole copies of examples/study, and ids that are refused."""

import re
import shutil
import subprocess

import pytest
from conftest import ROOT

EXAMPLE = ROOT / "examples" / "study"
PARTS = ("kernels", "experiments", "tests")


def new_study(*words):
    return subprocess.run(
        [str(ROOT / "scripts" / "new-study.sh"), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def letters(text):
    """A text's characters, less what clang-format may change: white space, breaks of strings and comments,
    and the order of includes."""
    return sorted(re.sub(r'[\s"/]', "", text))


@pytest.mark.parametrize("id", ["w", "wave_2", "a_rather_long_name_of_a_study"])
def test_a_copy_is_whole_and_well_formed(tmp_path, id):
    done = new_study(id, tmp_path)
    assert done.returncode == 0, done.stderr
    for part in PARTS:
        files = {file.name: file for file in (EXAMPLE / part / "diffusion").iterdir()}
        copies = {file.name: file for file in (tmp_path / part / id).iterdir()}
        assert set(copies) == set(files)
        for name, file in files.items():
            assert letters(copies[name].read_text()) == letters(file.read_text().replace("diffusion", id))
    if shutil.which("clang-format"):
        sources = [file for file in tmp_path.rglob("*") if file.suffix in (".cpp", ".hpp", ".cu")]
        style = f"--style=file:{ROOT / '.clang-format'}"
        subprocess.run(["clang-format", style, "--dry-run", "--Werror", *map(str, sources)], check=True)


@pytest.mark.parametrize(
    "id, reason",
    [
        ("", "a letter first"),
        ("Wave", "lower-case"),
        ("2d", "a letter first"),
        ("_wave", "a letter first"),
        ("shallow-water", "lower-case"),
        ("../wave", "lower-case"),
        ("wave two", "lower-case"),
        ("double", "a word of C++"),
        ("std", "a namespace"),
        ("harness", "a namespace"),
        ("embedded", "a namespace"),
        ("testing", "a namespace"),
        ("diffusion", "a namespace"),
    ],
)
def test_bad_ids_are_refused(tmp_path, id, reason):
    done = new_study(id, tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("new-study: ")
    assert len(done.stderr.splitlines()) == 1
    assert id in done.stderr
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["wave", "one", "two"]])
def test_wrong_arguments_are_refused(arguments):
    done = new_study(*arguments)
    assert done.returncode == 2
    assert done.stderr == "new-study: scripts/new-study.sh ID [FOLDER]: which id shall the study have?\n"


@pytest.mark.parametrize("part", PARTS)
def test_what_is_there_stays(tmp_path, part):
    mine = tmp_path / part / "wave" / "mine.cpp"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    done = new_study("wave", tmp_path)
    assert (done.returncode, done.stderr) == (2, f"new-study: {part}/wave is there already\n")
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [mine]
    assert mine.read_text() == "precious"


def test_the_repositorys_own_studies_are_there():
    before = {part: sorted((ROOT / part / "heat").iterdir()) for part in PARTS}
    assert new_study("heat").stderr == "new-study: kernels/heat is there already\n"
    assert before == {part: sorted((ROOT / part / "heat").iterdir()) for part in PARTS}
