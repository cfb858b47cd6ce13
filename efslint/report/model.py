"""What reports are made from."""

from __future__ import annotations

from typing import NamedTuple

from efslint.rules.finding import Finding, Severity
from efslint.rules.rule import Rule


class Skip(NamedTuple):
    """A file or document that was not looked into, and why. ``reason`` is a short word such as
    ``unrendered-template``.
    """

    path: str
    line: int
    reason: str


class Suppressed(NamedTuple):
    """A finding that a comment or an annotation hides, with the reason given there (empty when none is)."""

    finding: Finding
    justification: str


class Report(NamedTuple):
    """The result of a run: the same input gives the same report, byte for byte.

    ``findings`` are sorted by path and place. ``rules`` are all rules that were active, sorted by id.
    ``unresolved`` counts the references that could not be followed to the end.
    """

    version: str
    findings: tuple[Finding, ...]
    rules: tuple[Rule, ...]
    files: int = 0
    documents: int = 0
    objects: int = 0
    skipped: tuple[Skip, ...] = ()
    unresolved: int = 0
    suppressed: tuple[Suppressed, ...] = ()
    baselined: int = 0

    def number_of(self, severity: Severity) -> int:
        """Count the findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)
