"""Result files made to hurt: one line and exit code 2, in bounded memory and time, whatever reads them."""

import json
import os
import subprocess
import sys
import time

import pytest
from conftest import BINARY, ROOT

GOOD = (ROOT / "results" / "published" / "gtx-570" / "jacobi.json").read_text()
LARGEST = 16 << 20
# Beside what starting takes: 16 MiB of the smallest values are parsed to some hundreds of MB.
MOST_SECONDS, MOST_MEMORY = 30, 1 << 30
REPORTER = "import sys; from gridmark_plots.__main__ import main; sys.exit(main(sys.argv[1:]))"
# The commands that read results, with {bad} for the folder of the bad file and {good} for another.
COMMANDS = {
    "claims": [BINARY, "claims", "--machine", "{bad}"],
    "tables": [BINARY, "tables", "--machine", "{bad}"],
    "check": [BINARY, "check", "{bad}"],
    "compare": [BINARY, "compare", "{good}", "{bad}", "--json"],
    "export": [BINARY, "export", "{bad}", "--format", "csv"],
    "resume": [BINARY, "run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", "{bad}"],
    "report": [sys.executable, "-c", REPORTER, "report", "--machines", "{bad}", "--out", "{bad}/out"],
    "machines": [sys.executable, "-c", REPORTER, "machines", "{bad}", "--out", "{bad}/out"],
}


def with_row(**changes):
    """The good file with its first row changed."""
    document = json.loads(GOOD)
    document["rows"][0] |= changes
    return json.dumps(document)


def with_text(text):
    """The good file with its machine's name written so."""
    return GOOD.replace('"machine": "', f'"machine": "{text}', 1)


# What is in the file, and a word that both readers say about it.
HOSTILE = {
    "arrays in arrays": ("[" * 10**6, "deep"),
    "objects in objects": ('{"a":' * 10**6, "deep"),
    "deep in a good file": (GOOD.replace("41", "[" * 1000 + "]" * 1000, 1), "deep"),
    "an exponent of six digits": (GOOD.replace("41", "1e999999", 1), "too large"),
    "an integer of 10^5 digits": (GOOD.replace("41", "4" * 10**5, 1), "too large"),
    "an integer of 320 digits": (GOOD.replace("41", "4" * 320, 1), "too large"),
    "the same key twice": (GOOD.replace('"median": ', '"median": 1, "median": ', 1), "median"),
    "no UTF-8": (with_text("\xff").encode("latin-1", "replace"), ""),
    "half of a character": (with_text("\\ud800"), "JSON"),
    "NaN": (GOOD.replace("41", "NaN", 1), "JSON"),
    "Infinity": (GOOD.replace("41", "-Infinity", 1), "JSON"),
    "a byte order mark": ("\ufeff" + GOOD, "JSON"),
    "more behind the end": (GOOD + "{}", "JSON"),
    "a null byte": (GOOD + "\0", "JSON"),
    "more behind a null byte": (GOOD + "\0{}", "JSON"),
    "a null byte in a text": (with_text("\0"), "JSON"),
    "nothing": ("", "JSON"),
    "only null": ("null", ""),
    "many small values": ("[" + "0," * (LARGEST // 2 - 2) + "0]", ""),
    "many small arrays": ("[" + "[]," * (LARGEST // 3 - 2) + "[]]", ""),
    "a long text": (with_text("a" * 10**7), ""),
}  # fmt: skip


def refused(command, tmp_path, seconds=MOST_SECONDS):
    """The line that the command says of tmp_path/bad, within its bounds of memory and time."""
    words = [
        str(word).format(bad=tmp_path / "bad", good=ROOT / "results" / "published" / "gtx-570")
        if "{" in str(word) and word != REPORTER
        else str(word)
        for word in COMMANDS[command]
    ]
    begin = time.monotonic()
    with (tmp_path / "said").open("w+") as said:
        child = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "PYTHONPATH": str(ROOT / "plots")},
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    assert child.returncode == 2, (child.returncode, text[:2000])
    assert text.startswith("gridmark") and text.count("\n") == 1 and len(text) < 3000, text[:3000]
    assert time.monotonic() - begin < seconds
    assert usage.ru_maxrss * 1024 < MOST_MEMORY, usage.ru_maxrss
    return text


@pytest.fixture
def bad(tmp_path):
    """The file that is to be bad."""
    (tmp_path / "bad").mkdir()
    return tmp_path / "bad" / "jacobi.json"


# All of it by one command of each language; by the others, which share the place, some.
SOME = ["arrays in arrays", "the same key twice", "an exponent of six digits", "a null byte"]
READERS = [(what, command) for what in HOSTILE for command in ("claims", "report")]
READERS += [(what, command) for what in SOME for command in COMMANDS if command not in ("claims", "report")]


@pytest.mark.parametrize(("what", "command"), READERS)
def test_refused_by_all_that_read_results(tmp_path, bad, what, command):
    content, words = HOSTILE[what]
    bad.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = bad.stat()
    line = refused(command, tmp_path)
    assert str(bad) in line
    assert words in line
    assert [path.name for path in bad.parent.iterdir()] == ["jacobi.json"]
    assert bad.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.parametrize("command", COMMANDS)
def test_a_text_of_a_gigabyte_is_refused_by_its_size(tmp_path, bad, command):
    with bad.open("wb") as file:
        file.write(b'{"schema_version": "')
        file.truncate(1 << 30)  # a hole, which reads as null bytes
    line = refused(command, tmp_path, seconds=15)
    assert str(LARGEST) in line


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_not_waited_for(tmp_path, bad, command):
    os.mkfifo(bad)
    assert str(bad) in refused(command, tmp_path, seconds=15)


@pytest.mark.parametrize("command", ["claims", "tables", "check", "compare", "export", "resume"])
def test_rules_beyond_the_schema(tmp_path, bad, command):
    document = json.loads(GOOD)
    document["rows"].append(document["rows"][0])
    bad.write_text(json.dumps(document))
    assert "another row has the same" in refused(command, tmp_path)
    # They add up to 2^64 + 1.
    bad.write_text(with_row(samples=[1.0], process_samples=[2**63 - 1, 2**63 - 1, 3]))
    assert "process_samples: they add up to more" in refused(command, tmp_path)
    assert [path.name for path in bad.parent.iterdir()] == ["jacobi.json"]


def test_a_size_within_the_limit_is_read(tmp_path, program, bad):
    bad.write_text(GOOD + " " * (LARGEST - len(GOOD.encode())))
    assert program("claims", "--machine", bad.parent).returncode == 0
    bad.write_text(GOOD + " " * (LARGEST - len(GOOD.encode()) + 1))
    assert str(LARGEST) in refused("claims", tmp_path)
