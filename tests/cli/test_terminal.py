"""What `run` shows: one line that moves on a terminal, a line now and then elsewhere, a result at the end."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest
from conftest import SHARED, complaint
from faulty import FAULTS

MOMENT = re.compile(r"(?:\[[#.]+\] )?( *\d+) %  (.*)  (\d+:\d\d)(?: elapsed)?, \d+:\d\d left")
NARROW = re.compile(r" *\d+ %, \d+:\d\d left")
VERDICTS = "REPRODUCED|TREND ONLY|NOT REPRODUCED|INCONCLUSIVE|NOT RUN"


class Terminal:
    """A program that runs in a folder on a terminal of its own, and what it shows there."""

    def __init__(self, folder, command, width, **settings):
        self.text, self.status = "", None
        self.folder = folder
        folder.mkdir(exist_ok=True)
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        env |= {"TERM": "xterm", "GRIDMARK_FAULTS_FOLDER": str(folder)} | settings
        self.pid, self.side = pty.fork()
        if self.pid == 0:
            try:
                self.side = 0
                self.resize(width)
                os.chdir(folder)
                os.execve(command[0], command, env)
            finally:
                os._exit(127)  # never a second copy of the tests

    def resize(self, width):
        """Makes the window this wide."""
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))

    def read(self, seconds):
        """Takes what is written within some time; False once the program has ended."""
        if select.select([self.side], [], [], seconds)[0]:
            try:
                self.text += os.read(self.side, 1 << 16).decode()
            except OSError:
                return False
        return True

    def until(self, pattern):
        """Reads until what follows now holds a match; returns it."""
        begin, end = len(self.text), time.monotonic() + 60
        while time.monotonic() < end:
            going_on = self.read(0.1)
            if found := re.compile(pattern).search(self.text, begin):
                return found
            assert going_on, self.text
        raise AssertionError(f"{pattern} never came: {self.text}")

    def ends(self):
        """Reads to the end; returns the exit code."""
        end = time.monotonic() + 60
        while self.read(1):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it never ended: {self.text}")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def drawn(self):
        """The moving line as it was each time it was drawn."""
        lines = re.split(r"\r\n|\r\x1b\[K", self.text)
        return [line for line in lines if re.match(r"(\[[#.]+\])? *\d+ %", line)]

    def shown(self):
        """The lines that stay, the last one that of the cursor: what a terminal makes of the text."""
        lines = [""]
        for part in re.findall(r"\r\n|\r|\x1b\[K|\x1b\[\d+m|[^\r\x1b]+", self.text):
            if part == "\r\n":
                lines.append("")
            elif part == "\r":
                column = 0
            elif part == "\x1b[K":
                lines[-1] = lines[-1][:column]
            elif not part.startswith("\x1b"):
                lines[-1] += part
        return lines


def faulty_run(folder, *words, width=80, faults="", **settings):
    """A run of the faulty program on a terminal, its results in the folder `results`."""
    command = [str(FAULTS), "run", SHARED, "--threads", "1", "--out", "results", *words]
    return Terminal(folder, command, width, GRIDMARK_FAULTS=faults, **settings)


def test_one_line_moves_within_the_window_however_it_changes(tmp_path):
    terminal = faulty_run(tmp_path, width=120, faults="4:sample2:wait")
    terminal.until("faulty/cpu/4/wall  ")
    for width in (80, 50, 30, 120):
        begin = len(terminal.text)
        terminal.resize(width)
        terminal.until(r"\r\x1b\[K")
        terminal.read(0.1)
        line = re.split(r"\r\x1b\[K", terminal.text[begin:])[1]
        assert len(line) < width
        assert (NARROW if width == 30 else MOMENT).fullmatch(line), line
        assert line.startswith("[") == (width >= 80)
    (tmp_path / "go").touch()
    assert terminal.ends() == 0
    assert all(len(line) <= 120 for line in terminal.shown())
    assert all(not MOMENT.match(line) and not NARROW.match(line) for line in terminal.shown())


def test_time_passes_while_nothing_new_arrives(tmp_path):
    terminal = faulty_run(tmp_path, faults="4:sample2:wait")
    first = terminal.until(r"faulty/cpu/4/wall  (\d+:\d\d) elapsed").group(1)
    start = time.monotonic()
    seen = [terminal.until(r"faulty/cpu/4/wall  (\d+:\d\d) elapsed").group(1) for _ in range(2)]
    assert time.monotonic() - start > 1, "at most once a second"
    assert len({first, *seen}) == 3
    (tmp_path / "go").touch()
    assert terminal.ends() == 0


@pytest.mark.parametrize("width", [120, 80, 50, 30])
def test_measured_rows_stay_and_skipped_ones_are_counted(tmp_path, width):
    terminal = faulty_run(tmp_path, width=width)
    assert terminal.ends() == 0
    lines = terminal.shown()
    assert all(len(line) <= width for line in lines), lines
    assert all(len(line) < width - 2 for line in terminal.drawn()), "room for ^C"
    assert len([line for line in lines if re.search(r"l: \d.* (us|ms).*\(estimate\)$", line)]) == 5
    assert not [line for line in lines if "gpu/" in line]
    text = " ".join(line.strip() for line in lines)
    assert re.search(r"6 rows need an NVIDIA GPU: \w", text)
    assert "7 of 13 rows measured (6 estimates), 6 skipped" in text
    assert re.search(r"^F1 .*REPRODUCED \(estimate\)$", "\n".join(lines), re.M)
    assert "the results are in results" in text


def test_skipped_rows_show_one_by_one_when_asked_for(tmp_path):
    terminal = faulty_run(tmp_path, "--verbose")
    assert terminal.ends() == 0
    assert len([line for line in terminal.shown() if re.match(r"faulty/gpu/.*: skipped: \w", line)]) == 6


def test_colours_mark_verdicts_and_failures_and_can_be_turned_off(tmp_path):
    for number, settings in enumerate(({}, {"NO_COLOR": "1"}, {"TERM": "dumb"})):
        terminal = faulty_run(tmp_path / str(number), faults="2:verify:wrong", **settings)
        assert terminal.ends() == 1
        assert ("\x1b[32mREPRODUCED\x1b[0m" in terminal.text) == (not settings)
        assert ("faulty/cpu/2/wall: \x1b[31mfailed\x1b[0m: wrong answer" in terminal.text) == (not settings)
        assert "failed: wrong answer" in re.sub(r"\x1b\[\d+m", "", terminal.text)
        assert bool(re.search(r"\x1b\[\d+m", terminal.text)) == (not settings)
    assert "\x1b" not in terminal.text and "\r\x1b" not in terminal.text, "a dumb terminal"


@pytest.mark.parametrize("how", ["Ctrl-C", signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_a_clean_line_that_says_what_was_kept(tmp_path, how):
    terminal = faulty_run(tmp_path, faults="4:sample2:wait")
    terminal.until("faulty/cpu/4/wall  ")
    if how == "Ctrl-C":
        os.write(terminal.side, b"\x03")
    else:
        os.kill(terminal.pid, how)
    assert terminal.ends() == 3
    assert terminal.shown()[-3:] == [
        "interrupted: what was measured is kept, 3 rows in results (INCOMPLETE)",
        "to go on: the same command again",
        "",
    ]
    assert not [line for line in terminal.shown() if " % " in line or "^C" in line]
    again = faulty_run(tmp_path)
    assert again.ends() == 0
    assert len([line for line in again.shown() if re.match(r"faulty/cpu/\d/wall: \d", line)]) == 1


def test_an_interrupted_fresh_run_goes_on_without_fresh(tmp_path):
    terminal = faulty_run(tmp_path, "--fresh", faults="4:sample2:wait")
    terminal.until("faulty/cpu/4/wall  ")
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.ends() == 3
    assert terminal.shown()[-2] == "to go on: the same command again, without --fresh"


def test_an_error_takes_the_moving_line_away(tmp_path):
    terminal = faulty_run(tmp_path, faults="4:sample2:wait")
    terminal.until("faulty/cpu/4/wall  ")
    file = tmp_path / "results" / "faulty.json"
    file.unlink()
    file.mkdir()
    (tmp_path / "go").touch()
    assert terminal.ends() == 1
    assert terminal.drawn()
    assert terminal.shown()[-2].startswith("gridmark: ") and terminal.shown()[-1] == ""


def test_elsewhere_lines_are_few_and_without_control_characters(program):
    words = ["run", "jacobi", SHARED, "--filter", "gpu_|cpu_naive/512x256/float", "--out", "results"]
    program.out.parent.mkdir(exist_ok=True)
    done = subprocess.run(
        [program.binary, *words],
        cwd=program.out.parent,
        env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stdout)
    lines = done.stdout.splitlines()
    assert len(lines) < 40
    assert all(len(line) <= 80 for line in lines[1:])
    decided = [line for line in lines if re.search(VERDICTS, line)]
    named = {name for line in decided for name in re.findall(r"\bJ\d\b", line)}
    assert named == {f"J{n}" for n in (1, 3, 4, 6, 7, 8)}  # the rows of the others are not planned by quick
    assert re.search(rf"^\d+ claims: \d+ ({VERDICTS})", done.stdout, re.M)
    assert lines[-1] == "Why each verdict: gridmark claims --machine results"
    assert 0 < forecast(done) < 120  # ceilings, and one of twelve rows that need no GPU


def test_columns_sets_the_width_of_a_result_without_a_terminal(program, tmp_path):
    env = os.environ | {"COLUMNS": "40"}
    command = [FAULTS, "run", SHARED, "--threads", "1", "--out", "r"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert all(len(line) <= 40 for line in done.stdout.splitlines()[1:])


def forecast(done):
    """Seconds that a run said it would take."""
    minutes, seconds = re.search(r"about (\d+):(\d\d) min", done.stdout).groups()
    return 60 * int(minutes) + int(seconds)


def test_the_forecast_holds_what_the_caller_does_afterwards(program, tmp_path):
    program.binary = FAULTS
    runs = [program("run", SHARED, "--out", tmp_path / n, "--afterwards", n) for n in ("0", "600")]
    assert [forecast(done) for done in runs] == [6, 606]  # 4.5 s for the ceilings, one for the study
    for wrong in ("-1", "nan", "inf", "1e9"):
        refused = program("run", "--out", tmp_path / "none", f"--afterwards={wrong}")
        assert "--afterwards: must lie between 0 and 86400 seconds" in complaint(refused)
    assert "soon" in complaint(program("run", "--out", tmp_path / "none", "--afterwards", "soon"))
