"""The command as a whole: what goes to which stream, the exit status, and what can go wrong with streams."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from commands import CLEAN, SHORT, efslint

from efslint import __version__, cli, run
from efslint.cli import main
from efslint.report.formats import FORMATS

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.yaml").write_text(SHORT)
    (tmp_path / "clean.yaml").write_text(CLEAN)
    return tmp_path


def process(*arguments: str, seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    command = (sys.executable, "-m", "efslint", *arguments)
    return subprocess.run(command, capture_output=True, env=environment, check=False)


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of bash in which ``$efslint`` is the command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "efslint": f"{sys.executable} -m efslint"}
    return subprocess.run(
        ("bash", "-c", f"set -o pipefail; {command}"), capture_output=True, text=True, env=environment, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["clean.yaml"], 0),
        (["short.yaml"], 1),
        (["--fail-on", "error", "short.yaml"], 0),
        (["--fail-on", "warning", "short.yaml"], 1),
        (["--fail-on", "note", "short.yaml"], 1),
        (["--fail-on", "never", "short.yaml"], 0),
        (["--severity", "EFS101=error", "--fail-on", "error", "short.yaml"], 1),
        (["--severity", "EFS101=note", "short.yaml"], 0),
        (["--severity", "timeo-too-short=note", "--fail-on", "note", "short.yaml"], 1),
        (["missing.yaml"], 2),
        (["short.yaml", "missing.yaml"], 2),
        (["--fail-on", "never", "missing.yaml"], 2),
        (["--version"], 0),
        (["-V"], 0),
        (["-V", "-q"], 0),
        (["--help"], 0),
        (["-h"], 0),
        (["--explain", "EFS101"], 0),
        (["--list-rules"], 0),
        (["--list-files", "."], 0),
        (["--show-config"], 0),
        ([], 2),
        (["-q"], 2),
    ],
)
def test_exit_status(arguments: list[str], status: int) -> None:
    assert efslint(*arguments).status == status


def test_a_document_that_does_not_parse_is_a_finding(folder: Path) -> None:
    (folder / "bad.yaml").write_text("a: [\n---\n" + SHORT)
    ran = efslint("-f", "json", "bad.yaml")
    assert ran.status == 1
    assert ran.rules == {"EFS000", "EFS101"}


def test_without_a_path_the_help_is_shown_and_nothing_was_done() -> None:
    ran = efslint()
    assert ran == (2, efslint("--help").out, "")
    assert ran.out.startswith("usage: efslint [OPTIONS] [PATH ...]\n")


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version(option: str) -> None:
    assert efslint(option) == efslint(option, "-v") == (0, f"efslint {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense", "a"], "--nonsense"),
        (["--sel", "EFS1", "a"], "--sel"),  # no abbreviations: a later option would break them
        (["--select"], "--select"),
        (["-f", "yaml", "a"], "unknown format 'yaml'; there are text, "),
        (["-f", "sarif=", "a"], "no file after 'sarif='"),
        (["-f", "text", "-f", "json", "a"], "only one format can go to standard output"),
        (["-f", "json", "-f", "sarif=-", "a"], "only one format can go to standard output"),
        (["-f", "json=x", "-f", "sarif=x", "a"], "two formats cannot go to one file"),
        (["-f", "json", "--statistics", "a"], "--statistics"),
        (["--color", "blue", "a"], "--color"),
        (["--fail-on", "always", "a"], "--fail-on"),
        (["--severity", "EFS101=fatal", "a"], '--severity: expected error, warning or note, not "fatal"'),
        (["--severity", "EFS101", "a"], "--severity: expected RULE=LEVEL"),
        (["--storage-class", "files", "a"], "--storage-class: expected NAME=DRIVER"),
        (["--select", "EFS999", "a"], '--select: there is no rule "EFS999"'),
        (["--ignore", "timeo-to-short", "a"], 'did you mean "timeo-too-short"?'),
        (["--select", ",", "a"], "--select"),
        (["--severity", "nothing=note", "a"], '--severity: there is no rule "nothing"'),
        (
            ["--explain", "timeo-too-shor"],
            '--explain: there is no rule "timeo-too-shor" (did you mean "timeo-too-short"?)',
        ),
        (["--exclude", "[", "--exclude", "!", "a"], "--exclude"),
        (["--today", "tomorrow", "a"], "'tomorrow' is not a day such as 2026-01-31"),
        (["--today", "2026-02-30", "a"], "'2026-02-30' is not a day"),
        (["--today", "20260131", "a"], "'20260131' is not a day"),
        (["--update-baseline", "a"], "--update-baseline needs --baseline FILE"),
        (["--baseline", "missing.json", "a"], "missing.json: no such file or directory"),
        (["--config", "missing.yaml", "a"], "missing.yaml: no such file or directory"),
        (["--config", "x", "--no-config", "a"], "not allowed with"),
        (["--rules", "missing", "a"], "missing: no such file or directory"),
        (["--rules", "clean.yaml", "a"], "clean.yaml: not a directory"),
        (["--list-files"], "--list-files needs a PATH"),
        ([""], "an empty name"),
        (["--", ""], "an empty name"),
        (["--context", "", "a"], "an empty name"),
        (["--config", "", "a"], "an empty name"),
        (["--rules", "", "a"], "an empty name"),
        (["--baseline", "", "a"], "an empty name"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], said: str) -> None:
    ran = efslint(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("efslint: ")
    assert ran.err.count("\n") == 1
    assert said in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["short.yaml", "-f", "concise", "clean.yaml"],
        ["-f", "concise", "short.yaml", "clean.yaml"],
        ["short.yaml", "clean.yaml", "-f", "concise"],
        ["-f", "concise", "--", "short.yaml", "clean.yaml"],
        ["short.yaml", "-f", "concise", "--", "clean.yaml"],
    ],
)
def test_options_may_stand_anywhere(arguments: list[str]) -> None:
    ran = efslint(*arguments)
    assert ran == efslint("-f", "concise", "short.yaml", "clean.yaml")
    assert ran.out.startswith("short.yaml:10:7: ")


@pytest.mark.parametrize("paths", [["--", "-x.yaml"], ["./-x.yaml"]])
def test_a_name_may_begin_with_a_dash(folder: Path, paths: list[str]) -> None:
    (folder / "-x.yaml").write_text(SHORT)
    assert efslint("-f", "json", *paths).places == [("EFS101", "-x.yaml", 10, 7)]


def test_what_is_said_cannot_steer_a_terminal() -> None:
    ran = efslint("no\x1b[31m\nsuch")
    assert ran.err == "efslint: no\\x1b[31m\\nsuch: no such file or directory\n"


def test_a_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError("a\nb")

    monkeypatch.setattr(run, "lint_sources", fail)
    ran = efslint("short.yaml")
    assert ran == (
        2,
        "",
        "efslint: internal error: ZeroDivisionError: a b (run again with -v and report the traceback)\n",
    )
    ran = efslint("-v", "short.yaml")
    assert ran.status == 2
    assert ran.err.startswith("Traceback (most recent call last):\n")
    assert ran.err.endswith("\nefslint: internal error: ZeroDivisionError: a b (report the traceback above)\n")


def test_a_package_that_is_missing_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name in ("efslint.run", "efslint.plan")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "efslint.builtin", None)
    monkeypatch.delattr("efslint.run")
    ran = efslint("short.yaml")
    assert ran.status == 2
    assert ran.err.startswith("efslint: internal error: ModuleNotFoundError: ")
    assert ran.err.count("\n") == 1


def test_an_interrupt_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "lint_sources", interrupt)
    assert efslint("short.yaml") == (130, "", "")


def test_an_interrupt_of_the_process(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "efslint", "clean.yaml", "pipe.yaml")
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    with (folder / "pipe.yaml").open("wb"):  # returns when the command has opened the other end
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("arguments", ["short.yaml", "--help", "--version", "--explain EFS101", "--list-files ."])
def test_nobody_reads_any_more(arguments: str) -> None:
    closed = shell(f"$efslint {arguments} | true")
    assert closed.stderr == ""
    assert closed.returncode == (1 if arguments == "short.yaml" else 0)


def test_a_long_report_into_a_pipe_that_is_closed_early(folder: Path) -> None:
    (folder / "many.yaml").write_text("---\n".join(SHORT.replace("short", f"v{i}") for i in range(300)))
    closed = shell("$efslint many.yaml | head -1")
    assert closed.stderr == ""
    assert closed.stdout.count("\n") == 1
    assert closed.returncode == 1


@pytest.mark.parametrize("command", ["$efslint short.yaml >&-", "$efslint short.yaml >/dev/null 2>&-"])
def test_a_stream_that_is_closed_from_the_beginning(command: str) -> None:
    closed = shell(command)
    assert (closed.returncode, closed.stdout, closed.stderr) == (1, "", "")


def test_a_closed_stream_of_errors_gets_nothing_and_its_text_goes_nowhere_else() -> None:
    closed = shell("$efslint missing.yaml clean.yaml -q 2>&-")
    assert (closed.returncode, closed.stdout) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk() -> None:
    full = shell("$efslint short.yaml >/dev/full")
    assert full.returncode == 2
    assert full.stderr == "efslint: standard output: no space left on device\n"
    assert shell("$efslint short.yaml missing.yaml 2>/dev/full").returncode == 2


class Broken(io.BytesIO):
    """A stream that cannot be written to; its file is one that the test opened."""

    def __init__(self, error: OSError, number: int) -> None:
        super().__init__()
        self.error, self.number = error, number

    def write(self, _: object) -> NoReturn:
        raise self.error

    def fileno(self) -> int:
        return self.number


@pytest.fixture
def number(folder: Path) -> Iterator[int]:
    opened = os.open(folder / "stream", os.O_WRONLY | os.O_CREAT)
    yield opened
    os.close(opened)


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (BrokenPipeError(), 0, ""),
        (OSError(28, "No space left on device"), 2, "efslint: standard output: no space left on device\n"),
        (OSError("Odd"), 2, "efslint: standard output: odd\n"),
    ],
)
def test_output_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    error: OSError,
    status: int,
    said: str,
) -> None:
    stream = io.TextIOWrapper(Broken(error, number))
    monkeypatch.setattr(sys, "stdout", stream)
    assert cli.main(["--version"]) == status
    assert capsys.readouterr().err == said
    os.write(number, b"nothing gets there any more")
    assert Path("stream").read_bytes() == b""
    stream.detach()


def test_errors_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    stream = io.TextIOWrapper(Broken(BrokenPipeError(), number), write_through=True)
    monkeypatch.setattr(sys, "stderr", stream)
    assert cli.main(["missing.yaml", "-q"]) == 2
    os.write(number, b"nothing gets there any more")
    assert Path("stream").read_bytes() == b""
    stream.detach()


def test_streams_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["short.yaml"]) == 1
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(["missing.yaml"]) == 2
    monkeypatch.setattr(run, "lint_sources", None)
    assert cli.main(["-v", "short.yaml"]) == 2


def test_a_stream_of_text_will_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        text = io.StringIO()
        patch.setattr(sys, "stdout", text)
        assert cli.main(["-f", "concise", "short.yaml"]) == 1
    assert text.getvalue().startswith("short.yaml:10:7: ")
    assert capsys.readouterr().out == ""


def test_the_report_is_utf_8_whatever_the_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "é×.yaml").write_text(SHORT)
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii"))
    assert cli.main(["-f", "concise", "é×.yaml"]) == 1
    assert raw.getvalue().decode("utf-8").startswith("é×.yaml:10:7: ")


def test_arguments_come_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "argv", ["efslint", "--version"])
    assert cli.main() == 0
    assert capsysbinary.readouterr().out == f"efslint {__version__}\n".encode()


def test_the_package_is_a_command() -> None:
    ran = process("-f", "concise", "short.yaml")
    assert ran.returncode == 1
    assert ran.stdout.startswith(b"short.yaml:10:7: ")
    assert ran.stderr == b""


def test_two_runs_are_the_same_to_the_byte(folder: Path) -> None:
    (folder / "bad.yaml").write_text("a: [\n")
    formats = [word for name in FORMATS if name != "text" for word in ("-f", f"{name}=report.{name}.out")]
    runs = []
    for seed in ("1", "2"):
        ran = process("-f", "text", *formats, ".", "missing.yaml", seed=seed)
        runs.append((ran, {name: Path(f"report.{name}.out").read_bytes() for name in FORMATS if name != "text"}))
    assert runs[0][0].stdout == runs[1][0].stdout != b""
    assert runs[0][1] == runs[1][1]
    assert (runs[0][0].returncode, runs[0][0].stderr) == (runs[1][0].returncode, runs[1][0].stderr)
    assert [text for text in (runs[0][0].stdout, *runs[0][1].values()) if str(folder).encode() in text] == []


def test_a_process_of_its_own_tunes_the_collector(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Called as a library the command leaves the collector alone; as a process it may not look at everything again."""
    manifest = tmp_path / "a.yaml"
    manifest.write_text("kind: Namespace\napiVersion: v1\n")
    before = gc.get_threshold()
    assert main([str(manifest)]) == 0
    assert gc.get_threshold() == before
    monkeypatch.setattr(sys, "argv", ["efslint", str(manifest)])
    try:
        assert main() == 0
        assert gc.get_threshold() != before
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
    assert b"no findings" in capsysbinary.readouterr().out
