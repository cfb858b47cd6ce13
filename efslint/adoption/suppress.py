"""Taking suppressed findings out, and saying which suppressions are of no use.

Knows how suppressions and findings meet. Leaves reading suppressions to ``directives`` and turning problems with them
into findings (``EFS004``, ``EFS005``) to others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from efslint.adoption.directives import Directive
from efslint.adoption.rule_names import RuleName, named, spellings, suggestion
from efslint.kube.identity import ObjectRef
from efslint.rules.finding import Finding
from efslint.text.source import Span


class ProblemKind(StrEnum):
    """What is wrong with a suppression."""

    UNUSED = "unused"
    EXPIRED = "expired"
    UNKNOWN = "unknown"
    NO_REASON = "no-reason"

    @property
    def rule(self) -> str:
        """The rule that reports it."""
        return EXPIRED if self is ProblemKind.EXPIRED else UNUSED


UNUSED, EXPIRED = "EFS004", "EFS005"
"""The rules about suppressions: only configuration can ignore them."""


class SuppressionProblem(NamedTuple):
    """A suppression that should be changed. ``text`` is what is wrong: the name of a rule, or the whole directive."""

    kind: ProblemKind
    span: Span
    text: str
    message: str


class Outcome(NamedTuple):
    """What is left of the findings, each suppressed one with its justification, and problems by place."""

    kept: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, str], ...]
    problems: tuple[SuppressionProblem, ...]


class Conditions(NamedTuple):
    """What suppressions are judged by.

    ``known`` are all rules, ``active`` the ids of those that were looked for, ``context`` the paths that are read for
    their objects only: nothing is said about suppressions there.
    """

    known: tuple[RuleName, ...]
    active: Collection[str]
    today: date
    require_reason: bool = False
    context: Collection[str] = ()


def apply(findings: Iterable[Finding], directives: Sequence[Directive], conditions: Conditions) -> Outcome:
    """Take out the findings that a directive covers; comments and annotations alike.

    A comment covers a finding if any step of its evidence begins on a line of the comment, an annotation if the object
    is one of the finding's and its file one of those in the evidence. Directives that are expired, not understood or,
    where a reason is required, without one are not obeyed.
    """
    refused = {directive: problem for directive in directives if (problem := _refusal(directive, conditions))}
    places = _places(directive for directive in directives if directive not in refused)
    ids = cache(lambda word: named(word, conditions.known))
    kept: list[Finding] = []
    suppressed: list[tuple[Finding, str]] = []
    used: set[tuple[Directive, str]] = set()
    for finding in findings:
        hits = [
            (directive, word)
            for directive in _covering(places, finding)
            for word in directive.rules
            if finding.rule in ids(word)
        ]
        if not hits or finding.rule in (UNUSED, EXPIRED):
            kept.append(finding)
            continue
        used.update(hits)
        reasons = sorted((directive.span.sort_key, directive.reason) for directive, _ in hits if directive.reason)
        suppressed.append((finding, reasons[0][1] if reasons else ""))
    problems = [*refused.values(), *_useless(directives, refused, used, conditions)]
    return Outcome(
        tuple(kept),
        tuple(suppressed),
        tuple(
            sorted(
                (problem for problem in problems if problem.span.source.path not in conditions.context),
                key=lambda problem: (problem.span.sort_key, problem.text),
            )
        ),
    )


class _Places(NamedTuple):
    """Directives by what they cover, so that the cost does not grow with findings times directives."""

    lines: Mapping[tuple[str, int], Sequence[Directive]]
    ranges: Mapping[str, Sequence[Directive]]
    objects: Mapping[tuple[str, ObjectRef], Sequence[Directive]]


def _places(directives: Iterable[Directive]) -> _Places:
    lines: dict[tuple[str, int], list[Directive]] = defaultdict(list)
    ranges: dict[str, list[Directive]] = defaultdict(list)
    objects: dict[tuple[str, ObjectRef], list[Directive]] = defaultdict(list)
    for directive in directives:
        path, (first, last) = directive.span.source.path, directive.lines
        if directive.object is not None:
            objects[path, directive.object].append(directive)
        elif first == last:
            lines[path, first].append(directive)
        else:
            ranges[path].append(directive)
    return _Places(lines, ranges, objects)


def _covering(places: _Places, finding: Finding) -> Iterator[Directive]:
    spans = (finding.span, *(step.span for step in finding.evidence))
    evidence = {(span.source.path, span.first.line) for span in spans}
    for path, line in evidence:
        yield from places.lines.get((path, line), ())
        yield from (found for found in places.ranges.get(path, ()) if found.lines[0] <= line <= found.lines[1])
    for path in {path for path, _ in evidence}:
        for ref in finding.objects:
            yield from places.objects.get((path, ref), ())


def _refusal(directive: Directive, conditions: Conditions) -> SuppressionProblem | None:
    """Say why a directive is not obeyed at all; ``None`` if it is."""
    span, text = directive.span, directive.span.text
    if directive.error:
        return SuppressionProblem(ProblemKind.UNKNOWN, span, text, directive.error)
    names = ", ".join(directive.rules)
    if directive.until is not None and directive.until < conditions.today:
        message = f"the suppression of {names} expired on {directive.until.isoformat()}"
        return SuppressionProblem(ProblemKind.EXPIRED, span, names, message)
    if conditions.require_reason and not directive.reason:
        message = f"the suppression of {names} gives no reason, and the configuration requires one"
        return SuppressionProblem(ProblemKind.NO_REASON, span, names, message)
    return None


def _useless(
    directives: Iterable[Directive],
    refused: Collection[Directive],
    used: Collection[tuple[Directive, str]],
    conditions: Conditions,
) -> Iterator[SuppressionProblem]:
    """Name the words of obeyed directives that suppressed nothing, unless a rule they name was not looked for."""
    own, active = {UNUSED, EXPIRED}, frozenset(conditions.active)
    for directive in directives:
        if directive in refused:
            continue
        for word in directive.rules:
            ids, span = named(word, conditions.known), _span_of(word, directive)
            if not ids:
                message = f'there is no rule "{word}"{suggestion(word, spellings(conditions.known))}'
                yield SuppressionProblem(ProblemKind.UNKNOWN, span, word, message)
            elif ids <= own:
                message = f"{word} can be ignored in the configuration only"
                yield SuppressionProblem(ProblemKind.UNUSED, span, word, message)
            elif (directive, word) not in used and ids - own <= active:
                message = f"nothing to suppress: {word} does not fire here"
                yield SuppressionProblem(ProblemKind.UNUSED, span, word, message)


def _span_of(word: str, directive: Directive) -> Span:
    """Return where a word stands, if it is one of several: each is a problem of its own, at a place of its own."""
    span = directive.span
    at = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", span.text) if len(directive.rules) > 1 else None
    return span if at is None else Span(span.source, span.start + at.start(), span.start + at.end())
