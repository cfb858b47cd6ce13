"""What a rule found: the one type that flows from the rules to the reports."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from efslint.kube.identity import ObjectRef
from efslint.storage.fact import Confidence, Step
from efslint.text.source import Span


class Severity(StrEnum):
    """SARIF's levels, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst, for sorting and thresholds."""
        return _RANKS[self]


_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class Finding(NamedTuple):
    """One thing to change, and the chain of evidence that leads to it.

    ``span`` is the one line a person would change, ``evidence`` the hops in order, each with its own place;
    one of them has the place of ``span``. ``object`` is what suffers or is wrong and stands first in ``objects``;
    both are empty for a file that holds no object. ``fingerprint`` never depends on a line number. ``docs`` is the
    address of a page that supports the finding.
    """

    rule: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    help: str
    docs: str
    span: Span
    object: ObjectRef | None
    objects: tuple[ObjectRef, ...]
    container: str | None
    evidence: tuple[Step, ...]
    fingerprint: str
