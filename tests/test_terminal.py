"""What a terminal is asked for, and what is shown on one while a run takes its time."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import SHORT

from efslint import cli
from efslint.report.style import Style
from efslint.terminal import Progress, shows_links, shows_progress, style

LINK = "\x1b]8;;https://"


@pytest.mark.parametrize(
    ("environment", "option", "terminal", "color"),
    [
        ({}, "auto", True, True),
        ({}, "auto", False, False),
        ({}, "always", False, True),
        ({}, "never", True, False),
        ({"TERM": "dumb"}, "auto", True, False),
        ({"TERM": "dumb"}, "always", True, True),
        ({"NO_COLOR": "1"}, "auto", True, False),
        ({"NO_COLOR": ""}, "auto", True, True),
        ({"NO_COLOR": "0"}, "auto", True, False),
        ({"FORCE_COLOR": "1"}, "auto", False, True),
        ({"FORCE_COLOR": ""}, "auto", False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "auto", True, False),
        ({"NO_COLOR": "1"}, "always", False, True),
        ({"FORCE_COLOR": "1"}, "never", True, False),
    ],
)
def test_colour(environment: dict[str, str], option: str, terminal: bool, color: bool) -> None:
    assert style(option, environment, 100 if terminal else None).color is color


def test_a_report_is_as_wide_as_its_terminal() -> None:
    assert style("auto", {}, 132) == Style(True, 132, False, True)
    assert style("auto", {}, 20) == Style(True, 40, False, True)
    assert style("auto", {}, None) == Style(False, 100, False, False)


@pytest.mark.parametrize(
    ("environment", "links"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "foot"}, True),
        ({"WT_SESSION": "1"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "5000"}, False),  # crashed on them
        ({"TERM": "xterm-256color", "VTE_VERSION": "odd"}, False),
        # Within another terminal: what the outer one can do says nothing.
        ({"TERM": "tmux-256color", "VTE_VERSION": "7600"}, False),
        ({"TERM": "screen", "WT_SESSION": "1"}, False),
        ({"TERM": "xterm-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "iTerm.app"}, False),
        ({"FORCE_HYPERLINK": "1", "TERM": "tmux"}, True),
        ({"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, False),
        ({"FORCE_HYPERLINK": "", "TERM": "xterm-kitty"}, True),
    ],
)
def test_links_are_for_terminals_that_are_known_to_show_them(environment: dict[str, str], links: bool) -> None:
    assert shows_links(environment) is links
    assert style("auto", environment, 100).hyperlinks is links
    assert style("never", environment, 100).hyperlinks is False
    assert style("always", environment, None).hyperlinks is False


def test_a_line_is_written_over_only_where_that_works() -> None:
    assert shows_progress({"TERM": "xterm"})
    assert not shows_progress({"TERM": "dumb"})
    assert not shows_progress({"TERM": "xterm", "CI": "true"})


def shown(seconds_per_file: float, files: int) -> list[str]:
    """Let a run of so many files, and as many of the context, go by on a clock of its own."""
    said: list[str] = []
    time = 0.0

    def read() -> Iterator[int]:
        nonlocal time
        for number in range(files):
            time += seconds_per_file
            yield number

    progress = Progress(said.append, 2 * files, lambda: time)
    assert list(progress.of(read())) == list(range(files))
    assert list(progress.of(read())) == list(range(files))
    progress.end()
    return said


def test_a_run_of_less_than_a_second_says_nothing() -> None:
    assert shown(0.0005, 999) == []


def test_a_long_run_says_how_far_it_is_and_cleans_up() -> None:
    said = shown(0.001, 1500)
    assert said[0] == "efslint: reading 1,000 of 3,000 files"
    assert len(said) < 30, "ten times a second at most"
    assert said[-2:] == ["efslint: checking 3,000 files", ""]


class Terminal:
    """Stands in for standard output or error that is a terminal."""

    def __init__(self, *, broken: bool = False) -> None:
        self.text = ""
        self.broken = broken

    def isatty(self) -> bool:
        return True

    def flush(self) -> None: ...

    def write(self, text: str) -> None:
        if self.broken:
            raise OSError(errno.EIO, "gone")
        self.text += text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "CI", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.yaml").write_text(SHORT)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("program", ["iTerm.app", "Apple_Terminal"])
def test_a_terminal_gets_colour_and_perhaps_links(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    terminal: Any = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("TERM_PROGRAM", program)
    assert cli.main(["short.yaml"]) == 1
    assert "\x1b[1;33m" in terminal.text
    assert (LINK in terminal.text) is (program == "iTerm.app")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("arguments", "variable", "said"), [((), "X", True), (("-q",), "X", False), ((), "CI", False)])
def test_progress_is_shown_on_standard_error_and_taken_away(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], variable: str, said: bool
) -> None:
    terminal: Any = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("efslint.terminal._PATIENCE", 0)
    monkeypatch.setenv(variable, "1")
    assert cli.main([*arguments, "--fail-on", "never", "short.yaml"]) == 0
    lines = terminal.text.split("\r\x1b[K")
    assert lines == (
        ["", "efslint: reading 1 of 1 files", "efslint: checking 1 files", "efslint: checking 1 files", ""]
        if said
        else [""]
    )


@pytest.mark.usefixtures("folder")
def test_progress_that_cannot_be_shown_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal(broken=True))
    monkeypatch.setattr("efslint.terminal._PATIENCE", 0)
    assert cli.main(["--fail-on", "never", "short.yaml"]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("columns", [40, 60, 120])
def test_sentences_are_broken_between_words_on_a_real_terminal(folder: Path, columns: int) -> None:
    import fcntl
    import pty
    import struct
    import termios

    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[1])}
    command = (sys.executable, "-m", "efslint", "short.yaml")
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=child, stderr=subprocess.DEVNULL) as process:
        os.close(child)
        read = b""
        while chunk := _read(parent):
            read += chunk
    os.close(parent)
    assert process.returncode == 1
    lines = re.sub(r"\x1b\[[\d;]*m", "", read.decode()).splitlines()
    assert "timeo-too-short:" in " ".join(lines)
    assert [line for line in lines if len(line) > columns and " " in line.strip().removeprefix("= docs: ")] == []
    # Broken between words: joined again, it is what a pipe gets.
    piped = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout
    assert " ".join(" ".join(lines[: lines.index("")]).split()).startswith(piped.splitlines()[0])


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side is closed
        return b""
