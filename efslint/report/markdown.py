"""Markdown for the summary page of a CI job: a table, the worst first.

Knows GitHub's Markdown and its limit of 1 MiB for a step's summary (github/docs, "Workflow commands for GitHub
Actions").
"""

from __future__ import annotations

import re

from efslint.report.escape import visible
from efslint.report.model import Report
from efslint.report.summary import amount, gaps, sentence, verdict, worst_first
from efslint.rules.finding import Finding

_MOST_BYTES = 1024 * 1024
_CLOSING_BYTES = 4096
_SIGNS = {"error": "🔴 error", "warning": "🟡 warning", "note": "🔵 note"}

# Everything that could begin a tag, a cell, a link (bare addresses too), a mention, an emoji name or a formula.
_SPECIAL = re.compile(r"[&<>|`*_\[\]()\\~@#:!$]|(?<=www)\.", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[\w\-./:?=&%#~+,;@!]+", re.ASCII)


def markdown(report: Report) -> str:
    """Write the report, cut to what GitHub takes; what is cut is counted."""
    rows = [_row(finding) for finding in worst_first(report.findings)]
    skips = [f"- {_code(f'{skip.path}:{skip.line}')} {plain(skip.reason)}\n" for skip in report.skipped]
    room = _MOST_BYTES - _CLOSING_BYTES
    head = f"## efslint: {plain(', '.join(part for part in (verdict(report), gaps(report)) if part))}\n"
    parts = [head]
    for title, lines in (
        ("\n| Severity | Rule | Place | Finding |\n| --- | --- | --- | --- |\n", rows),
        ("\n### Skipped\n\n", skips),
    ):
        fitting = _fitting(lines, room)
        room -= sum(len(line.encode("utf-8")) for line in fitting)
        parts += [title, *fitting] if lines else []
        if len(fitting) < len(lines):
            parts.append(f"\n… and {amount(len(lines) - len(fitting), 'more line')} that did not fit here\n")
    return "".join([*parts, f"\n{plain(sentence(report))}\n"])


def plain(words: str) -> str:
    """Write words that Markdown and HTML show as they are."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", visible(words))


def _fitting(lines: list[str], room: int) -> list[str]:
    for number, line in enumerate(lines):
        room -= len(line.encode("utf-8"))
        if room < 0:
            return lines[:number]
    return lines


def _row(finding: Finding) -> str:
    place = finding.span.first
    rule = plain(finding.rule)
    if _ADDRESS.fullmatch(finding.docs):
        rule = f"[{rule}]({finding.docs})"
    where = _code(f"{finding.span.source.path}:{place.line}:{place.column}")
    said = plain(finding.message) + (f"<br>{plain(finding.help)}" if finding.help else "")
    return f"| {_SIGNS[finding.severity]} | {rule} {plain(finding.name)} | {where} | {said} |\n"


def _code(words: str) -> str:
    return f"<code>{plain(words)}</code>"
