"""Where reports go and how they look."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import CLEAN, SHORT, efslint

from efslint.report.formats import FORMATS

ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.yaml").write_text(SHORT)
    (tmp_path / "clean.yaml").write_text(CLEAN)
    return tmp_path


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_to_a_file_is_the_report(name: str) -> None:
    shown = efslint("-f", name, "short.yaml")
    filed = efslint("-f", f"{name}=report", "short.yaml")
    assert (filed.status, filed.out, filed.err) == (1, "", "")
    assert Path("report").read_text() == shown.out != ""


def test_several_reports_at_once() -> None:
    ran = efslint("-f", "json=a.json", "-f", "concise", "-f", "gitlab=b.json", "-f", "concise", "short.yaml")
    assert ran == efslint("-f", "concise", "short.yaml")
    assert json.loads(Path("a.json").read_text())["version"] == 1
    assert isinstance(json.loads(Path("b.json").read_text()), list)


def test_a_report_that_cannot_be_written_costs_only_itself() -> None:
    ran = efslint("-f", "concise", "-f", "json=nowhere/a.json", "-f", "sarif=b.sarif", "clean.yaml")
    assert ran.status == 2
    assert ran.out == efslint("-f", "concise", "clean.yaml").out
    assert ran.err == "efslint: nowhere/a.json: no such file or directory\n"
    assert json.loads(Path("b.sarif").read_text())["runs"]


def test_a_report_has_the_same_line_ends_everywhere() -> None:
    efslint("-f", "text=report", "short.yaml")
    assert b"\r" not in Path("report").read_bytes()


def test_sarif_names_every_active_rule_even_without_a_finding() -> None:
    def rules(*arguments: str) -> list[str]:
        driver = json.loads(efslint("-f", "sarif", *arguments).out)["runs"][0]["tool"]["driver"]
        return [rule["id"] for rule in driver["rules"]]

    listed = [line.split()[0] for line in efslint("--list-rules").out.splitlines()]
    assert rules("clean.yaml") == listed
    assert rules("--select", "EFS101", "clean.yaml") == ["EFS101"]


def test_a_sarif_category() -> None:
    for arguments in (["--sarif-category", "storage/a"], ["--config", "c.yaml"]):
        Path("c.yaml").write_text("sarif-category: storage/a\n")
        assert "storage/a" in efslint("-f", "sarif", *arguments, "short.yaml").out


def test_statistics(folder: Path) -> None:
    (folder / "d").mkdir()
    for number in range(11):
        (folder / f"d/{number}.yaml").write_text(SHORT.replace("short", f"v{number}"))
    (folder / "d/bad.yaml").write_text("a: [\n")
    ran = efslint("--statistics", "d")
    assert ran.status == 1
    assert ran.out == (
        "11  EFS101  warning  timeo-too-short\n"
        " 1  EFS000  error    syntax-error\n"
        "1 error, 11 warnings; 12 files, 12 documents read; 1 skipped\n"
    )
    assert efslint("--statistics", "clean.yaml").out == "no findings; 1 file, 1 document read\n"
    efslint("--statistics", "-f", "json", "-f", "text=report", "d")
    assert Path("report").read_text() == ran.out


@pytest.mark.parametrize("name", ["text", "concise"])
def test_quiet_says_nothing_when_there_is_nothing_to_say(name: str) -> None:
    assert efslint("-q", "-f", name, "clean.yaml") == (0, "", "")
    assert efslint("-q", "-f", name, "short.yaml").out == efslint("-f", name, "short.yaml").out
    Path("bad.yaml").write_text("a: [\n")
    assert "skipped" in efslint("-q", "-f", name, "--ignore", "EFS0", "bad.yaml").out
    efslint("-q", "-f", f"{name}=report", "clean.yaml")
    assert Path("report").read_text() == efslint("-f", name, "clean.yaml").out


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("text", "concise")])
def test_quiet_leaves_reports_for_programs_alone(name: str) -> None:
    assert efslint("-q", "-f", name, "clean.yaml") == efslint("-f", name, "clean.yaml")


@pytest.mark.parametrize(
    ("environment", "option", "color"),
    [
        ({}, "auto", False),
        ({}, "always", True),
        ({"FORCE_COLOR": "1"}, "auto", True),
        ({"NO_COLOR": "1"}, "auto", False),
    ],
)
def test_colour_is_not_for_files(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], option: str, color: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = efslint("--color", option, "-f", "text", "-f", "markdown=report", "short.yaml")
    assert (ESCAPE in ran.out) is color
    assert ESCAPE not in Path("report").read_text()
    efslint("--color", option, "-f", "text=report", "short.yaml")
    assert ESCAPE not in Path("report").read_text()


@pytest.mark.parametrize(
    "change", [lambda text: text, lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}"]
)
def test_line_ends_and_marks_do_not_move_a_finding(change: Callable[[str], str]) -> None:
    Path("a.yaml").write_bytes(change(SHORT).encode())
    assert re.match(r"a\.yaml:10:7: ", efslint("-f", "concise", "a.yaml").out)
