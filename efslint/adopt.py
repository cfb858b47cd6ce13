"""From all findings to those that are reported: suppressions, ignores by path, context, baseline.

Sits between the rules and the reports and asks ``adoption`` and ``config``; knows only their order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from efslint.adoption import baseline
from efslint.adoption.directives import MARK, PREFIX, Directive, annotation_directives, directives
from efslint.adoption.rule_names import RuleName
from efslint.adoption.suppress import Conditions, SuppressionProblem, apply
from efslint.config.model import Config
from efslint.config.paths import ignore_by_path
from efslint.kube.manifests import Manifests
from efslint.rules.check import check
from efslint.rules.finding import Finding
from efslint.rules.rule import Rule
from efslint.rules.settings import RuleSettings
from efslint.storage.fact import Fact, Origin, Step


@dataclass(frozen=True, slots=True)
class Adoption:
    """How a team lives with findings.

    ``known`` are all rules, whether selected or not. ``context`` are the paths that were read only for resolving
    references. ``baseline`` holds the known findings, ``None`` where there is no baseline. ``gone`` says of a path
    that is not part of the run whether its file no longer exists.
    """

    known: tuple[RuleName, ...]
    today: date
    config: Config
    baseline: tuple[baseline.Entry, ...] | None = None
    gone: Callable[[str], bool] = lambda path: False  # noqa: ARG005


@dataclass(frozen=True, slots=True)
class Adopted:
    """What is left: ``findings`` to report, what was suppressed and why, and how the baseline compares."""

    findings: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, str], ...] = ()
    before_baseline: tuple[Finding, ...] = field(default=())
    comparison: baseline.Comparison | None = None


def adopt(
    findings: tuple[Finding, ...],
    manifests: Sequence[Manifests],
    rules: Sequence[Rule],
    settings: RuleSettings,
    adoption: Adoption,
    context: Collection[str] = (),
) -> Adopted:
    """Take out what the team has decided about, and add what is wrong with those decisions."""
    found = tuple(_directives(manifests))
    problems: tuple[SuppressionProblem, ...] = ()
    suppressed: tuple[tuple[Finding, str], ...] = ()
    if found:
        conditions = Conditions(
            adoption.known,
            frozenset(rule.id for rule in rules),
            adoption.today,
            adoption.config.require_suppression_reason,
            frozenset(context),
        )
        outcome = apply(findings, found, conditions)
        findings, suppressed, problems = outcome.kept, outcome.suppressed, outcome.problems
    if problems:
        more = check((_fact(problem) for problem in problems), rules, settings)
        findings = tuple(sorted((*findings, *more), key=lambda each: (each.span.sort_key, each.rule)))
    findings, hidden = ignore_by_path(findings, adoption.config, adoption.known)
    suppressed = (*suppressed, *hidden)
    if context:
        findings = tuple(each for each in findings if _touches(each, context))
        suppressed = tuple(pair for pair in suppressed if _touches(pair[0], context))
    if adoption.baseline is None:
        return Adopted(findings, suppressed, findings)
    paths = {each.source.path for each in manifests if each.source.path not in context}
    paths.update(each.path for each in adoption.baseline if adoption.gone(each.path))
    comparison = baseline.compare(findings, adoption.baseline, paths)
    return Adopted(comparison.new, suppressed, findings, comparison)


def _directives(manifests: Iterable[Manifests]) -> Iterable[Directive]:
    for each in manifests:
        if MARK in each.source.text:
            yield from directives(each.source)
        if PREFIX in each.source.text:
            for resource in each.resources:
                yield from annotation_directives(resource.ref, resource.node)


def _touches(finding: Finding, context: Collection[str]) -> bool:
    """Say whether any step of a finding lies in a file that is not only context."""
    spans = (finding.span, *(step.span for step in finding.evidence))
    return any(span.source.path not in context for span in spans)


def _fact(problem: SuppressionProblem) -> Fact:
    kind = "suppression-expired" if problem.kind == "expired" else "suppression-unused"
    value = {"problem": kind, "detail": problem.message, "key": problem.text}
    return Fact("file", value, {"": Origin(problem.span)}, (Step(problem.span, problem.message),), None)
