"""Facts and rules to findings.

Knows when a rule fires and how findings of one cause become one; leaves facts to the resolver, words and
conditions to the rule files, and places to ``locate``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from efslint.rules.finding import Finding, Severity
from efslint.rules.locate import Place, evidence, fingerprint, identity, place, pointer
from efslint.rules.predicates import predicate
from efslint.rules.predicates.problem import Problem
from efslint.rules.rule import Rule, Schema
from efslint.rules.schema import validator
from efslint.rules.settings import RuleSettings, params
from efslint.rules.wording import choose, render
from efslint.storage.fact import Confidence, Fact

Failures = Callable[[Schema, Mapping[str, Any]], Iterator[str]]
"""Yield a JSON pointer for everything in a value that a schema does not allow."""


class _Hit(NamedTuple):
    """One rule that fires on one fact at one place; ``value`` is what words and conditions look at."""

    rule: Rule
    fact: Fact
    place: Place
    value: Mapping[str, Any]
    severity: Severity


def check(facts: Iterable[Fact], rules: Sequence[Rule], settings: RuleSettings) -> tuple[Finding, ...]:
    """Return what the rules find in the facts, sorted by path, place and rule.

    Findings of one rule at one place are one finding. The worst of them (then the surest, then the first) gives
    everything that is single: severity, confidence, words, object and container. Objects and evidence of the
    others are added. ``LookupError`` if a rule names a predicate that is not there.
    """
    by_target: dict[str, list[Rule]] = {}
    for rule in rules:
        by_target.setdefault(rule.target, []).append(rule)
    failures = _failures()
    merged: dict[tuple[object, ...], list[_Hit]] = {}
    for fact in facts:
        for rule in by_target.get(fact.target, ()):
            for hit in _hits(rule, fact, settings, failures):
                merged.setdefault((rule.id, hit.place.span), []).append(hit)
    return _findings(merged.values(), failures)


def _failures() -> Failures:
    """Build each validator when it is first needed; a run without facts never pays for the import."""
    built: dict[int, Any] = {}

    def failures(schema: Schema, value: Mapping[str, Any]) -> Iterator[str]:
        made = built.get(id(schema))
        if made is None:
            made = built[id(schema)] = validator(schema)
        return (pointer(error.absolute_path) for error in made.iter_errors(value))

    return failures


def _holds(failures: Failures, schema: Schema, value: Mapping[str, Any]) -> bool:
    return next(failures(schema, value), None) is None


def _hits(rule: Rule, fact: Fact, settings: RuleSettings, failures: Failures) -> Iterator[_Hit]:
    if rule.when is not None and not _holds(failures, rule.when, fact.value):
        return
    if rule.check is not None:
        problems: Iterable[Problem] = predicate(rule.check)(fact, params(rule, settings))
    elif rule.assertion is not None:
        problems = (Problem(at) for at in sorted(failures(rule.assertion, fact.value)))
    else:
        problems = ()
    for problem in problems:
        value = {**fact.value, "problem": problem.values} if rule.check is not None else fact.value
        pointers = rule.at if rule.at and rule.check is None else (problem.at, *rule.at)
        severity = settings.severity.get(rule.id) or Severity(choose(rule.severity, value, partial(_holds, failures)))
        yield _Hit(rule, fact, place(fact, pointers), value, severity)


def _findings(groups: Iterable[Sequence[_Hit]], failures: Failures) -> tuple[Finding, ...]:
    ranked = [sorted(group, key=_importance) for group in groups]
    ranked.sort(key=lambda group: (*group[0].place.span.sort_key[:2], group[0].rule.id, group[0].place.span.end))
    seen: Counter[tuple[str, ...]] = Counter()
    findings = []
    for group in ranked:
        same = identity(group[0].rule.id, group[0].fact.object, group[0].place)
        findings.append(_finding(group, failures, fingerprint(same, seen[same])))
        seen[same] += 1
    return tuple(findings)


def _importance(hit: _Hit) -> tuple[int, bool]:
    return (hit.severity.rank, hit.fact.confidence is Confidence.ASSUMED)


def _finding(group: Sequence[_Hit], failures: Failures, mark: str) -> Finding:
    first = group[0]
    rule, fact = first.rule, first.fact
    objects = (ref for hit in group for ref in (hit.fact.object, *hit.fact.objects) if ref is not None)
    steps = (step for hit in group for step in evidence(hit.fact, hit.place, _label(rule.summary)))
    holds = partial(_holds, failures)
    return Finding(
        rule=rule.id,
        name=rule.name,
        severity=first.severity,
        confidence=fact.confidence,
        message=render(choose(rule.message, first.value, holds), first.value),
        help=render(choose(rule.help, first.value, holds), first.value),
        docs=render(choose(rule.docs, first.value, holds), first.value) if rule.docs else rule.references[0].url,
        span=first.place.span,
        object=fact.object,
        objects=tuple(dict.fromkeys(objects)),
        container=fact.container,
        evidence=tuple(dict.fromkeys(steps)),
        fingerprint=mark,
    )


def _label(summary: str) -> str:
    """Turn a summary into the label of a place; a first word in capitals stays."""
    return summary if summary[1:2].isupper() else summary[:1].lower() + summary[1:]
