"""Sources to a report, as a library."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from changing import replace
from commands import CLASS, CLEAN, DATABASE, SHORT

from efslint import __version__, builtin
from efslint.builtin import EARLIEST_DAY, RuleUnreadableError, built_in_names, built_in_rules, default_settings
from efslint.inputs.reading import NotRegular, NotText, Unreadable
from efslint.pipeline import lint, lint_paths, lint_text
from efslint.report.model import Skip
from efslint.text.source import Source


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_text() -> None:
    (finding,) = lint_text(SHORT)
    assert (finding.rule, finding.span.text, finding.span.source.path) == ("EFS101", "timeo=30", "example.yaml")
    assert lint_text(SHORT, "a.yaml")[0].span.source.path == "a.yaml"
    assert lint_text(CLEAN) == ()


def test_a_text_is_judged_on_a_day() -> None:
    text = SHORT.replace("timeo=30", "timeo=30  # efslint: ignore[EFS101] until=2027-01-31")
    assert lint_text(text) == ()
    assert lint_text(text, today=date(2027, 1, 31)) == ()
    assert [each.rule for each in lint_text(text, today=date(2027, 2, 1))] == ["EFS101", "EFS005"]


def test_what_expired_before_this_version_has_expired_for_everybody() -> None:
    def until(day: date) -> int:
        return len(lint_text(SHORT.replace("timeo=30", f"timeo=30  # efslint: ignore[EFS101] until={day}")))

    assert until(EARLIEST_DAY) == 0
    assert until(EARLIEST_DAY - timedelta(days=1)) == 2


def test_paths(folder: Path) -> None:
    for name, text in (("db.yaml", DATABASE), ("class.yaml", CLASS), ("short.yaml", SHORT)):
        (folder / name).write_text(text)
    report = lint_paths([folder, "none.yaml", Path("short.yaml")])
    assert (report.version, report.files, report.documents, report.objects) == (__version__, 3, 3, 3)
    assert {"EFS101", "EFS201"} <= {each.rule for each in report.findings}
    assert [each.span.sort_key[:2] for each in report.findings] == sorted(
        each.span.sort_key[:2] for each in report.findings
    )
    assert lint_paths(["short.yaml"], date(2020, 1, 1)).findings[0].rule == "EFS101"


def test_everything_that_was_not_looked_into_is_named() -> None:
    outcome = lint(
        [
            NotRegular("z.yaml", "link-to-directory"),
            Source("b.yaml", "a: 1\n---\n[\n"),
            NotText(Source("a.yaml", "x\n"), 2, "the text is cut off"),
            Unreadable("none.yaml", "no such file or directory"),
            Source("d.yaml", f"{CLEAN}kind: PersistentVolume\n"),
            Source("c.yaml", "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: {{ x }}}\n"),
        ],
        default_settings(),
        [Source("b.yaml", SHORT), NotRegular("y.yaml"), Unreadable("y", "is odd"), Source("x.yaml", "'")],
    )
    assert [(each.path, each.reason) for each in outcome.report.skipped] == [
        ("a.yaml", "not-text"),
        ("b.yaml", "syntax-error"),
        ("c.yaml", "unrendered-template"),
        ("x.yaml", "syntax-error"),
        ("y.yaml", "not-a-regular-file"),
        ("z.yaml", "link-to-directory"),
    ]
    assert outcome.report.skipped[0] == Skip("a.yaml", 2, "not-text")
    assert [each.path for each in outcome.unreadable] == ["none.yaml", "y"]
    assert [(each.rule, each.span.source.path) for each in outcome.report.findings] == [
        ("EFS000", "a.yaml"),
        ("EFS000", "b.yaml"),
        ("EFS001", "c.yaml"),
        ("EFS002", "d.yaml"),
    ]
    assert (outcome.report.files, outcome.report.documents) == (4, 5)


@pytest.mark.parametrize("text", ["kind: Service\napiVersion: v1\nmetadata: {name: a}\n", "", "# efslint\n", CLASS])
def test_rules_are_read_for_facts_only(text: str) -> None:
    def rules() -> NoReturn:
        raise AssertionError

    settings = replace(default_settings(), rules=rules)
    if text == CLASS:
        with pytest.raises(AssertionError):
            lint([Source("a.yaml", text)], settings)
    else:
        assert lint([Source("a.yaml", text)], settings).report.rules == ()


def test_rules_are_read_when_a_report_lists_them() -> None:
    settings = replace(default_settings(), list_rules=True)
    assert lint([Source("a.yaml", "a: 1\n")], settings).report.rules == built_in_rules()


def test_rules_are_known_without_being_read() -> None:
    assert [(rule.id, rule.name) for rule in built_in_rules()] == list(built_in_names().items())


def test_a_rule_of_ours_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "EFS101-timeo-too-short.yaml").symlink_to("nothing")
    monkeypatch.setattr(builtin, "built_in_directory", lambda: str(folder))
    with pytest.raises(RuleUnreadableError, match="no such file or directory"):
        built_in_rules.__wrapped__()
