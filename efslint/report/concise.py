"""One line per finding, in the form editors and scripts read, and the summary line.

Knows nothing of source text: it shows none.
"""

from __future__ import annotations

from efslint.report.lines import finding_line, skip_lines
from efslint.report.model import Report
from efslint.report.summary import sentence


def concise(report: Report) -> str:
    """Write ``path:line:column: severity[ID] name: message`` for every finding."""
    lines = [finding_line(finding) for finding in report.findings]
    lines += skip_lines(report.skipped)
    return "".join(f"{line}\n" for line in [*lines, sentence(report)])
