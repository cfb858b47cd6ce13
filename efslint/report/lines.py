"""Findings and skipped files as one line each, which reports for people and CI logs share.

Knows how a place is written; leaves the order and the rest to the formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from efslint.report.escape import visible
from efslint.report.model import Skip
from efslint.rules.finding import Finding

_MOST_SKIPS = 10  # of one reason


def finding_line(finding: Finding) -> str:
    """Write ``path:line:column: severity[ID] name: message``."""
    what = f"{finding.severity}[{visible(finding.rule)}] {visible(finding.name)}: {visible(finding.message)}"
    return f"{place(finding)}: {what}"


def place(finding: Finding) -> str:
    """Write ``path:line:column``."""
    line, column = finding.span.first
    return f"{shown_path(finding.span.source.path)}:{line}:{column}"


def skip_lines(skipped: Iterable[Skip]) -> Iterator[str]:
    """Name what was not looked into; of many with one reason the first ones, and how many more there are."""
    left: dict[str, int] = {}
    for skip in skipped:
        left[skip.reason] = left.get(skip.reason, 0) + 1
        if left[skip.reason] <= _MOST_SKIPS:
            yield skip_line(skip)
    for reason, number in left.items():
        if number > _MOST_SKIPS:
            yield f"… and {number - _MOST_SKIPS} more skipped: {visible(reason)} (-f json names all)"


def skip_line(skip: Skip) -> str:
    """Say what was not looked into, where it begins, and why."""
    return f"{shown_path(skip.path)}:{skip.line}: skipped: {visible(skip.reason)}"


def shown_path(path: str) -> str:
    """Make a path harmless. One that could be taken for a command of a CI runner (``::error::``) gets a ``./``."""
    path = visible(path)
    return f"./{path}" if path.lstrip().startswith(("::", "##")) else path
