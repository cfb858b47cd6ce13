"""The words of the command line."""

from __future__ import annotations

import argparse
import re
from datetime import date

import pytest

from efslint.cli_arguments import FORMAT_NAMES, SEVERITIES, UsageError, parse_arguments, parser
from efslint.report.formats import FORMATS
from efslint.rules.finding import Severity


def options() -> list[argparse.Action]:
    return [action for action in parser()._actions if action.option_strings]


def test_formats_and_severities_are_those_there_are() -> None:
    assert list(FORMAT_NAMES) == list(FORMATS)
    assert list(SEVERITIES) == list(Severity)


@pytest.mark.parametrize("columns", ["300", "100", "60", "20"])
def test_help_fits_a_page(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = parser().format_help().splitlines()
    assert max(map(len, lines)) < 100
    assert all(line == line.rstrip() for line in lines)


def test_help_tells_the_exit_statuses_and_every_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    text = parser().format_help()
    assert "exit status:" in text
    for status in ("0", "1", "2"):
        assert re.search(rf"^  {status}  \w", text, re.MULTILINE)
    for action in options():
        assert all(name in text for name in action.option_strings)
    assert not re.search("\x1b", text)


@pytest.mark.parametrize("action", options(), ids=lambda action: action.option_strings[-1])
def test_help_of_an_option_is_a_phrase(action: argparse.Action) -> None:
    assert action.help is not None
    assert re.fullmatch(r"[a-z\[].{10,}[^.]", action.help)
    assert "  " not in action.help


@pytest.mark.parametrize(
    ("word", "parsed"),
    [
        ("json", ("json", None)),
        ("json=-", ("json", None)),
        ("json=a=b.json", ("json", "a=b.json")),
        ("sarif=out/x.sarif", ("sarif", "out/x.sarif")),
    ],
)
def test_a_format_and_its_file(word: str, parsed: tuple[str, str | None]) -> None:
    assert parse_arguments(["-f", word]).formats == [parsed]


def test_a_day() -> None:
    assert parse_arguments(["--today", "2026-01-31"]).today == date(2026, 1, 31)
    assert parse_arguments([]).today is None


def test_paths_before_between_and_behind_options() -> None:
    arguments = parse_arguments(["a", "-q", "-", "--fail-on", "note", "b", "--", "-c", "--", "-q"])
    assert arguments.paths == ["a", "-", "b", "-c", "--", "-q"]
    assert arguments.quiet
    assert parse_arguments(["--", "--version"]).version is False


@pytest.mark.parametrize("argv", [["-f", "--"], ["--sel=EFS1"], ["--quiet=yes"], ["--today", ""], ["a", "", "b"]])
def test_what_cannot_be_understood(argv: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_arguments(argv)
