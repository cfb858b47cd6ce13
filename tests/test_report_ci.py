"""The reports that CI systems read: GitHub annotations and summaries, GitLab Code Quality, JUnit."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from changing import replace
from jsonschema import Draft202012Validator
from report_samples import (
    BROKEN,
    CLASS,
    EVIL,
    FINDINGS,
    HOSTILE,
    HOSTILE_TEXT,
    NONE,
    NOTHING_READ,
    ON_EFS,
    REPORTS,
    at,
    finding,
)

from efslint.report.escape import visible
from efslint.report.github import github
from efslint.report.gitlab import gitlab
from efslint.report.junit import junit
from efslint.report.markdown import markdown, plain
from efslint.report.model import Report, Skip
from efslint.rules.finding import Severity
from efslint.text.source import Source, Span

every_report = pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)


def _numbered(number: int, severity: Severity) -> tuple[Any, ...]:
    source = Source("a.yaml", "x\n" * number)
    return tuple(finding(Span(source, 2 * n, 2 * n + 1), severity=severity) for n in range(number))


# --- GitHub workflow commands, read back as the runner does: actions/runner, ActionCommand.cs


def _commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    found = []
    for line in text.splitlines():
        line = line.lstrip()
        if line.startswith("::") and "::" in line[2:]:
            head, _, data = line[2:].partition("::")
            name, _, rest = head.partition(" ")
            pairs = dict(part.split("=", 1) for part in rest.split(",") if part)
            found.append(
                (
                    name,
                    {key: _unescaped(value, ("%3A", ":"), ("%2C", ",")) for key, value in pairs.items()},
                    _unescaped(data),
                )
            )
        elif "##[" in line:
            found.append(("old form", {}, line))
    return found


def _unescaped(text: str, *more: tuple[str, str]) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_github_reads_an_annotation() -> None:
    assert _commands(github(FINDINGS))[0] == (
        "error",
        {
            "file": "apps/db.yaml",
            "line": "18",
            "endLine": "18",
            "col": "27",
            "endColumn": "33",
            "title": "EFS201 database-on-efs",
        },
        "StatefulSet/ledger keeps PostgreSQL's data directory /data/pg on EFS\n"
        "give the claim a class of block storage, such as one of ebs.csi.aws.com",
    )


def test_github_reads_nothing_that_the_input_made_up() -> None:
    annotation, notice = _commands(github(HOSTILE))
    assert annotation[0] == "warning"
    assert set(annotation[1]) == {"file", "line", "endLine", "col", "endColumn", "title"}
    assert annotation[1]["file"] == visible(HOSTILE_TEXT.path)
    assert annotation[2] == visible(f"message {EVIL}") + "\n" + visible(f"help {EVIL}")
    assert notice == ("notice", {"title": "efslint"}, "not everything was looked at: 1 skipped")


def test_github_marks_one_line() -> None:
    (command,) = _commands(github(BROKEN))
    assert (command[1]["line"], command[1]["endLine"], command[1]["endColumn"]) == ("3", "3", "11")


def test_github_shows_ten_of_a_severity_and_the_worst_first() -> None:
    report = replace(NONE, findings=_numbered(12, Severity.NOTE) + _numbered(11, Severity.ERROR), unresolved=1)
    text = github(report)
    assert [name for name, _, _ in _commands(text)] == ["error"] * 10 + ["notice"] * 10
    plain_lines = text.splitlines()[20:]
    assert plain_lines[0].startswith("a.yaml:11:1: error[EFS102]")
    assert plain_lines[1].startswith("a.yaml:10:1: note[EFS102]")
    assert plain_lines[-2:] == [
        "4 more findings above, not annotated: GitHub shows 10 of a severity",
        "efslint: 11 errors, 12 notes; 1 file, 1 document read; 1 reference not resolved",
    ]
    assert "not annotated" not in github(replace(NONE, findings=_numbered(10, Severity.NOTE)))


def test_github_is_told_when_nothing_was_read() -> None:
    assert _commands(github(NOTHING_READ)) == [
        ("notice", {"title": "efslint"}, "not everything was looked at: no Kubernetes object found")
    ]
    assert github(NONE) == "efslint: no findings; 1 file, 1 document read\n"


# --- GitLab Code Quality, as gitlabhq/gitlabhq, doc/ci/testing/code_quality.md, describes it

CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "minLength": 1, "not": {"pattern": r"^(\./|/)"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


@every_report
def test_gitlab_gets_what_it_asks_for(report: Report) -> None:
    entries = json.loads(gitlab(report))
    Draft202012Validator(CODE_QUALITY).validate(entries)
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_gitlab_gets_findings_and_gaps() -> None:
    assert [
        (entry["check_name"], entry["severity"], entry["location"]["path"], entry["location"]["lines"]["begin"])
        for entry in json.loads(gitlab(FINDINGS))
    ] == [
        ("EFS201", "major", "apps/db.yaml", 18),
        ("EFS101", "minor", "storage/class.yaml", 7),
        ("skipped", "info", "chart/templates/pv.yaml", 1),
        ("incomplete", "info", "apps/db.yaml", 1),
    ]
    assert json.loads(gitlab(NONE)) == []
    (blind,) = json.loads(gitlab(NOTHING_READ))
    assert blind["description"] == "no findings; 1 file, 0 documents read; no Kubernetes object found"
    assert blind["location"] == {"path": ".", "lines": {"begin": 1}}


def test_gitlab_keeps_findings_apart_that_share_a_fingerprint() -> None:
    prints = [entry["fingerprint"] for entry in json.loads(gitlab(replace(NONE, findings=_numbered(2, Severity.NOTE))))]
    assert prints == ["f0:1", "f0:2"]


# --- JUnit


@every_report
def test_junit_is_xml_and_its_counts_are_right(report: Report) -> None:
    root = ET.fromstring(junit(report).encode("utf-8"))
    (suite,) = root
    cases = suite.findall("testcase")
    assert root.tag == "testsuites"
    assert int(root.attrib["tests"]) == int(suite.attrib["tests"]) == len(cases) > 0
    assert int(root.attrib["failures"]) == int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
    assert [child.tag for child in suite] == ["properties", *["testcase"] * len(cases), "system-out"]
    assert all(case.attrib["name"] and case.attrib["classname"] for case in cases)
    properties = {item.attrib["name"]: item.attrib["value"] for item in suite.iter("property")}
    assert properties["unresolved"] == str(report.unresolved)
    assert properties["skipped"] == str(len(report.skipped))


def test_junit_is_read_by_another_program() -> None:
    junitparser = pytest.importorskip("junitparser")
    (suite,) = junitparser.JUnitXml.fromstring(junit(FINDINGS).encode("utf-8"))
    assert (suite.tests, suite.failures, suite.skipped) == (3, 2, 1)
    assert [type(case.result[0]).__name__ for case in suite] == ["Failure", "Failure", "Skipped"]


def test_junit_says_what_was_found() -> None:
    first, _, skipped = ET.fromstring(junit(FINDINGS).encode()).iter("testcase")
    assert first.attrib == {"name": "EFS201 database-on-efs at apps/db.yaml:18:27", "classname": "apps/db.yaml"}
    assert first[0].attrib["type"] == "error"
    assert first[0].attrib["message"] == ON_EFS.message
    assert first[0].text == f"apps/db.yaml:18:27\n{ON_EFS.message}\nhelp: {ON_EFS.help}"
    assert skipped[0].attrib == {"message": "unrendered-template"}


def test_junit_passes_notes_and_keeps_their_words() -> None:
    note = replace(NONE, findings=(finding(at(CLASS, "shared"), severity=Severity.NOTE),))
    (case,) = ET.fromstring(junit(note).encode()).iter("testcase")
    assert [(child.tag, child.text) for child in case] == [("system-out", "storage/class.yaml:4:9\nit is so")]


def test_junit_of_a_blind_run_does_not_pass() -> None:
    (clean,) = ET.fromstring(junit(NONE).encode()).iter("testcase")
    assert (clean.attrib["name"], len(clean)) == ("no findings", 0)
    (blind,) = ET.fromstring(junit(NOTHING_READ).encode()).iter("testcase")
    assert [(child.tag, child.attrib) for child in blind] == [("skipped", {"message": "no Kubernetes object found"})]


def test_junit_keeps_markup_as_text() -> None:
    case = next(ET.fromstring(junit(HOSTILE).encode("utf-8")).iter("testcase"))
    assert case[0].attrib["message"] == visible(f"message {EVIL}")
    assert case.attrib["classname"] == visible(HOSTILE_TEXT.path)


# --- Markdown


@every_report
def test_markdown_has_a_row_per_finding_and_no_markup_of_the_input(report: Report) -> None:
    text = markdown(report)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == (len(report.findings) + 2 if report.findings else 0)
    for row in rows:
        assert row.count("|") == 5
    ours = re.sub(r"</?code>|<br>|\[EFS\d+\]\(https://[\w./-]+\)|^\| --- .*|^#+ ", "", text, flags=re.MULTILINE)
    assert not set("`*_[]\\~@<>$") & set(ours)
    assert "http:" not in ours
    assert "www." not in ours


def test_markdown_escapes_read_back_as_the_text() -> None:
    assert html.unescape(plain(EVIL)) == visible(EVIL)
    assert plain("a|b www.x.example db.yaml:100:5") == "a&#124;b www&#46;x.example db.yaml&#58;100&#58;5"


def test_markdown_links_only_to_addresses() -> None:
    assert "| [EFS201](https://docs.aws.amazon.com/efs/latest/ug/performance.html) database-on-efs |" in markdown(
        FINDINGS
    )
    assert "| EFS102 timeo-below-recommended |" in markdown(HOSTILE)


def test_markdown_puts_the_worst_first_and_says_what_is_missing() -> None:
    report = replace(FINDINGS, findings=tuple(reversed(FINDINGS.findings)))
    text = markdown(report)
    assert text.index("EFS201") < text.index("EFS101")
    assert text.startswith("## efslint: 1 error, 1 warning, 1 skipped, 2 references not resolved\n")
    assert "\n### Skipped\n\n- <code>chart/templates/pv.yaml&#58;1</code> unrendered-template\n" in text
    assert markdown(NOTHING_READ) == (
        "## efslint: no findings, no Kubernetes object found\n\n"
        "no findings; 1 file, 0 documents read; no Kubernetes object found\n"
    )


def test_markdown_fits_into_a_mebibyte_and_says_what_does_not() -> None:
    long = finding(at(CLASS, "shared"), message="名" * 10_000)
    skips = tuple(Skip("a.yaml", n, "x" * 1000) for n in range(1, 40))
    text = markdown(replace(NONE, findings=(long,) * 50, skipped=skips))
    assert len(text.encode("utf-8")) <= 1024 * 1024
    rows = text.count("timeo-below-recommended")
    assert 0 < rows < 50
    assert f"\n… and {50 - rows} more lines that did not fit here\n" in text
    assert text.splitlines()[-1] == "50 warnings; 1 file, 1 document read; 39 skipped"
