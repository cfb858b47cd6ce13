"""One line per finding, in the form editors and scripts read, and the summary line.

Knows nothing of source text: it shows none.
"""

from __future__ import annotations

from efslint.report.escape import visible
from efslint.report.model import Report
from efslint.report.summary import sentence
from efslint.report.text import shown_path, skip_lines
from efslint.rules.finding import Finding


def concise(report: Report) -> str:
    """Write ``path:line:column: severity[ID] name: message`` for every finding."""
    lines = [finding_line(finding) for finding in report.findings]
    lines += skip_lines(report.skipped)
    return "".join(f"{line}\n" for line in [*lines, sentence(report)])


def finding_line(finding: Finding) -> str:
    """Write a finding in one line."""
    place = finding.span.first
    where = f"{shown_path(finding.span.source.path)}:{place.line}:{place.column}"
    what = f"{finding.severity}[{visible(finding.rule)}] {visible(finding.name)}: {visible(finding.message)}"
    return f"{where}: {what}"
