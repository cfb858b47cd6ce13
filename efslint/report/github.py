"""Workflow commands that GitHub Actions turns into annotations.

Knows their grammar and limits (github/docs, "Workflow commands for GitHub Actions"; actions/runner,
``ActionCommand.cs``): past ten of a severity in a step the rest vanish silently, so the worst come first and a closing
line says how many more there are.
"""

from __future__ import annotations

from efslint.report.escape import visible
from efslint.report.lines import finding_line, skip_line
from efslint.report.model import Report
from efslint.report.summary import amount, gaps, sentence, worst_first
from efslint.rules.finding import Finding, Severity

_MOST = 10
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github(report: Report) -> str:
    """Write annotations, then in plain lines what did not become one, and the summary."""
    room = dict.fromkeys(Severity, _MOST)
    incomplete = gaps(report)
    if incomplete:
        room[Severity.NOTE] -= 1
    lines: list[str] = []
    rest: list[Finding] = []
    for finding in worst_first(report.findings):
        if room[finding.severity]:
            room[finding.severity] -= 1
            lines.append(_annotation(finding))
        else:
            rest.append(finding)
    if incomplete:
        lines.append(f"::notice title=efslint::{_data(f'not everything was looked at: {incomplete}')}")
    plain = [finding_line(finding) for finding in rest] + [skip_line(skip) for skip in report.skipped]
    if rest:
        plain.append(f"{amount(len(rest), 'more finding')} above, not annotated: GitHub shows {_MOST} of a severity")
    plain.append(f"efslint: {sentence(report)}")
    return "".join(f"{line}\n" for line in [*lines, *map(_inert, plain)])


def _annotation(finding: Finding) -> str:
    span = finding.span.one_line()
    properties = {
        "file": visible(span.source.path.removeprefix("./")),
        "line": span.first.line,
        "endLine": span.last.line,
        "col": span.first.column,
        "endColumn": span.last.column,
        "title": f"{visible(finding.rule)} {visible(finding.name)}",
    }
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    words = "\n".join(visible(part) for part in (finding.message, finding.help) if part)
    return f"::{_COMMANDS[finding.severity]} {given}::{_data(words)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _inert(line: str) -> str:
    """Keep the runner from reading a plain line as a command: the old form, ``##[``, counts anywhere in a line."""
    return line.replace("##[", "#\\x23[")
