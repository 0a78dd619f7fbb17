"""The code in the documents: C++ stands in a file that is built, and commands are those that there are."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import BINARY, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PARTS = ("examples", "kernels", "harness", "experiments")
MAKEFILE = (ROOT / "Makefile").read_text()


def blocks(language):
    """Fenced blocks in a language; a test's name says which page and how the block begins."""
    found = []
    for page in PAGES:
        for word, code in re.findall(r"^ *```(\S*)\n(.*?)^ *```$", page.read_text(), re.M | re.S):
            if word == language:
                first = code.strip().splitlines()[0].split("  ")[0]
                found.append(pytest.param(code, id=f"{page.name}: {first}"))
    return found


def test_blocks_are_in_languages_that_are_checked():
    fences = [word for page in PAGES for word in re.findall(r"^ *```(\S+)$", page.read_text(), re.M)]
    assert set(fences) <= {"cpp", "sh", "json", "yaml"}


def sources(*folders):
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    return [file for file in files if file.suffix in (".cu", ".cuh", ".cpp", ".hpp")]


@pytest.mark.parametrize("code", blocks("cpp"))
def test_a_snippet_is_part_of_a_file_that_is_built(code):
    words = " ".join(code.split())
    assert any(words in " ".join(file.read_text().split()) for file in sources(*PARTS))


def test_every_example_is_built():
    """By itself, or as part of a file that the build wrote."""
    commands = json.loads((ROOT / "build" / "compile_commands.json").read_text())
    files = {Path(command["file"]) for command in commands}
    text = "".join(file.read_text() for file in files if file.is_relative_to(ROOT / "build"))
    compiled = [file for file in sources("examples") if file.suffix in (".cu", ".cpp")]
    assert compiled
    for file in compiled:
        assert file in files or f'"{file}"' in text or f'"{file.relative_to(ROOT)}"' in text, file


def commands(code):
    """The words of each line; a for loop's are those inside."""
    for line in code.splitlines():
        line = re.sub(r"^for .*?; do (.*); done$", r"\1", line.strip())
        if words := shlex.split(line, comments=True):
            yield words


def said(*words):
    """The program's answer."""
    return subprocess.run([BINARY, *words], capture_output=True, text=True, check=True).stdout


def options(command):
    """What `gridmark COMMAND` takes."""
    assert f"\n  {command} " in said("--help"), f"gridmark has no command {command}"
    return set(re.findall(r"--[\w-]+", said(command, "--help")))


@pytest.mark.parametrize("code", blocks("sh"))
def test_a_command_is_one_that_there_is(code):
    for program, *words in commands(code):
        if program.removeprefix("build/") == "gridmark":
            given = {word.split("=")[0] for word in words if word.startswith("--")}
            assert given <= options(words[0]) | {"--benchmark_filter"}, words
        elif program == "make":
            assert f"\n{words[0]}:" in MAKEFILE, words
            for word in words[1:]:
                assert re.search(rf"\b{word.split('=')[0]}\b", MAKEFILE), word
        elif test := re.fullmatch(r"build/gridmark_(\w+)_tests", program):
            assert test[1] == "wave" or (ROOT / "tests" / test[1]).is_dir(), program
        elif "/" in program:
            assert (ROOT / program).exists(), program
        elif program == "cp":
            assert all((ROOT / word).exists() for word in words), words


@pytest.mark.parametrize("code", blocks(""))
def test_a_block_without_a_language_has_no_code(code):
    for line in code.splitlines():
        assert not line.rstrip().endswith((";", "{", "}")), line
        first, *rest = line.split() or [""]
        assert not (rest and first in ("gridmark", "build/gridmark", "make", "cp")), line
