"""What every report says about a run, whatever its format: the counts, the order, the steps of a finding.

Leaves how it looks to the formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from efslint.report.model import Report
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Step
from efslint.text.source import Span


def counts(report: Report) -> dict[str, int]:
    """Return the summary as the JSON report spells it."""
    return {
        "errors": report.number_of(Severity.ERROR),
        "warnings": report.number_of(Severity.WARNING),
        "notes": report.number_of(Severity.NOTE),
        "suppressed": len(report.suppressed),
        "baselined": report.baselined,
        "files": report.files,
        "documents": report.documents,
        "skipped": len(report.skipped),
        "unresolved": report.unresolved,
    }


def verdict(report: Report) -> str:
    """Say how many findings of each severity there are: ``2 errors, 1 note``, or ``no findings``."""
    number = counts(report)
    found = [amount(number[f"{name}s"], name) for name in ("error", "warning", "note") if number[f"{name}s"]]
    return ", ".join(found) or "no findings"


def gaps(report: Report) -> str:
    """Say what the run could not look at, or the empty string when it saw everything."""
    parts = []
    if report.skipped:
        parts.append(f"{len(report.skipped)} skipped")
    if report.unresolved:
        parts.append(f"{amount(report.unresolved, 'reference')} not resolved")
    if not report.objects:
        parts.append("no Kubernetes object found")
    return ", ".join(parts)


def sentence(report: Report) -> str:
    """Say everything in one line; nothing that was not looked at goes unsaid."""
    hidden = ", ".join(
        f"{number} {word}"
        for number, word in ((len(report.suppressed), "suppressed"), (report.baselined, "baselined"))
        if number
    )
    read = f"{amount(report.files, 'file')}, {amount(report.documents, 'document')} read"
    return "; ".join(part for part in (verdict(report), read, hidden, gaps(report)) if part)


def amount(number: int, word: str) -> str:
    """Return a number and its noun."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by severity and leave the order within a severity as it is."""
    return sorted(findings, key=lambda finding: finding.severity.rank)


def same_place(one: Span, other: Span) -> bool:
    """Tell whether two spans cover the same characters of the same file."""
    return one.sort_key == other.sort_key


def steps(finding: Finding) -> tuple[Step, ...]:
    """Return the evidence, with the place of the finding itself in front where the evidence lacks it."""
    if any(same_place(step.span, finding.span) for step in finding.evidence):
        return finding.evidence
    return (Step(finding.span, ""), *finding.evidence)


def few_steps(finding: Finding, most: int) -> tuple[Step, ...]:
    """Return at most so many steps, in order; the place of the finding is always among them."""
    every = steps(finding)
    shown = every[:most]
    if any(same_place(step.span, finding.span) for step in shown):
        return shown
    own = next(step for step in every if same_place(step.span, finding.span))
    return (*shown[:-1], own)


def fingerprints(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """Pair each finding with a fingerprint that no other one of the report has.

    Platforms drop all but one of those that share a fingerprint, so the second of a kind gets ``:2`` and so on.
    """
    seen: Counter[str] = Counter()
    for finding in findings:
        seen[finding.fingerprint] += 1
        yield finding, f"{finding.fingerprint}:{seen[finding.fingerprint]}"
