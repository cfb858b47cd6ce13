"""JUnit XML, as Jenkins, GitLab and others read it.

Knows its elements: an error or a warning is a failed case, a note a passed one with output, a skipped file a skipped
case. A run without any of them has one case, as an empty suite is an error to some readers.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from efslint.report.escape import visible
from efslint.report.model import Report
from efslint.report.summary import counts, gaps, sentence, verdict
from efslint.rules.finding import Finding, Severity


def junit(report: Report) -> str:
    """Write one suite with a case per finding and per skipped file."""
    cases = [line for case in _cases(report) for line in case]
    failures = report.number_of(Severity.ERROR) + report.number_of(Severity.WARNING)
    skipped = sum(line.lstrip().startswith("<skipped") for line in cases)
    tests = sum(line.lstrip().startswith("<testcase") for line in cases)
    totals = f'tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines += [f'<testsuites name="efslint" tests="{tests}" failures="{failures}" errors="0">']
    lines += [f'  <testsuite name="efslint" {totals}>', "    <properties>"]
    lines += [f'      <property name="{name}" value="{number}"/>' for name, number in counts(report).items()]
    lines += ["    </properties>", *cases]
    lines += [f"    <system-out>{_text(sentence(report))}</system-out>", "  </testsuite>", "</testsuites>"]
    return "".join(f"{line}\n" for line in lines)


def _cases(report: Report) -> Iterator[list[str]]:
    for finding in report.findings:
        yield _finding(finding)
    for skip in report.skipped:
        reason = f"<skipped message={_attribute(skip.reason)}/>"
        yield _case(f"{skip.path}:{skip.line}", skip.path, reason)
    if not report.findings and not report.skipped:
        blind = f"<skipped message={_attribute(gaps(report))}/>" if not report.objects else ""
        yield _case(verdict(report), "efslint", blind)


def _finding(finding: Finding) -> list[str]:
    place = finding.span.first
    where = f"{finding.span.source.path}:{place.line}:{place.column}"
    said = [where, finding.message, *([f"help: {finding.help}"] if finding.help else [])]
    body = "\n".join(_text(words) for words in said)
    if finding.severity is Severity.NOTE:
        outcome = f"<system-out>{body}</system-out>"
    else:
        outcome = f'<failure type="{finding.severity}" message={_attribute(finding.message)}>{body}</failure>'
    return _case(f"{finding.rule} {finding.name} at {where}", finding.span.source.path, outcome)


def _case(name: str, group: str, outcome: str) -> list[str]:
    head = f"    <testcase name={_attribute(name)} classname={_attribute(group)}"
    return [f"{head}/>"] if not outcome else [f"{head}>", f"      {outcome}", "    </testcase>"]


def _text(words: str) -> str:
    return escape(visible(words))


def _attribute(words: str) -> str:
    return quoteattr(visible(words))
