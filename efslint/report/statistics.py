"""How many findings each rule has, for a first look at a large repository."""

from __future__ import annotations

from collections import Counter

from efslint.report.model import Report
from efslint.report.summary import sentence


def statistics(report: Report) -> str:
    """Write one line per rule that found something, the most frequent first, and the summary line."""
    counted = Counter((finding.rule, str(finding.severity), finding.name) for finding in report.findings)
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    width = len(str(max(counted.values(), default=0)))
    lines = [f"{number:>{width}}  {rule}  {severity:<7}  {name}" for (rule, severity, name), number in ordered]
    return "\n".join([*lines, sentence(report)]) + "\n"
