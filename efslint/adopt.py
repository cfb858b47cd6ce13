"""From all findings to those that are reported: suppressions, ignores by path, context, baseline.

Sits between the rules and the reports and asks ``adoption`` and ``config``; knows only their order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from efslint.config.paths import ignore_by_path
from efslint.config.select import select_rules
from efslint.kube.manifests import Manifests
from efslint.rules.check import check
from efslint.rules.finding import Finding
from efslint.rules.rule import Rule
from efslint.rules.settings import RuleSettings
from efslint.settings import Adoption
from efslint.storage.fact import Fact, Origin, Step
from efslint.text.source import Source

if TYPE_CHECKING:  # most runs have neither a suppression nor a baseline
    from efslint.adoption.baseline import Comparison
    from efslint.adoption.directives import Directive
    from efslint.adoption.suppress import SuppressionProblem
    from efslint.helm.findings import Mapped


class Adopted(NamedTuple):
    """What is left: ``findings`` to report, what was suppressed and why, and how the baseline compares.

    ``before_baseline`` are the findings that would be reported without one.
    """

    findings: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, str], ...] = ()
    before_baseline: tuple[Finding, ...] = ()
    comparison: Comparison | None = None


def adopt(
    findings: tuple[Finding, ...],
    manifests: Sequence[Manifests],
    rules: Sequence[Rule],
    settings: RuleSettings,
    adoption: Adoption,
    context: Collection[str] = (),
    charts: Mapped | None = None,
) -> Adopted:
    """Take out what the team has decided about, and add what is wrong with those decisions.

    ``context`` are the paths that were read only for resolving references, ``charts`` the files of charts to which
    findings were moved.
    """
    sources = charts.sources if charts is not None else ()
    found = (*_directives(manifests), *_in_comments(sources))
    problems: tuple[SuppressionProblem, ...] = ()
    suppressed: tuple[tuple[Finding, str], ...] = ()
    if found:
        from efslint.adoption.suppress import Conditions, apply

        conditions = Conditions(
            adoption.known,
            frozenset(rule.id for rule in rules),
            adoption.today,
            adoption.config.require_suppression_reason,
            frozenset(context),
        )
        outcome = apply(findings, found, conditions)
        findings, suppressed, problems = outcome.kept, outcome.suppressed, outcome.problems
        if charts is not None:
            problems = charts.told_once(problems)
    if problems:
        more = check((_fact(problem) for problem in problems), rules, settings)
        findings = tuple(sorted((*findings, *more), key=_order))
    findings, hidden = ignore_by_path(findings, adoption.config, adoption.known)
    suppressed = (*suppressed, *hidden)
    if context:
        findings = tuple(each for each in findings if _touches(each, context))
        suppressed = tuple(pair for pair in suppressed if _touches(pair[0], context))
    if adoption.baseline is None:
        return Adopted(findings, suppressed, findings)
    paths = {each.source.path for each in manifests if each.source.path not in context and not _is_partial(each)}
    paths.update(source.path for source in sources)
    return _against_baseline(findings, suppressed, paths, adoption)


def _against_baseline(
    findings: tuple[Finding, ...],
    suppressed: tuple[tuple[Finding, str], ...],
    read: Collection[str],
    adoption: Adoption,
) -> Adopted:
    """Take out the known findings.

    Nothing is said of entries about which the run cannot tell: those of rules that were not selected, and those of
    files that were not read, or not as a whole, so that they are not in ``read``.
    """
    from efslint.adoption import baseline

    entries = adoption.baseline or ()
    selected = {*select_rules(adoption.known, adoption.config)}
    set_aside = {rule.id for rule in adoption.known} - selected
    judged = {*read}
    judged.update(entry.path for entry in entries if adoption.gone(entry.path))
    comparison = baseline.compare(findings, [entry for entry in entries if entry.rule not in set_aside], judged)
    asleep = tuple(entry for entry in entries if entry.rule in set_aside)
    comparison = comparison._replace(unseen=(*comparison.unseen, *asleep))
    return Adopted(comparison.new, suppressed, findings, comparison)


def _is_partial(manifests: Manifests) -> bool:
    """Say whether a part of a file could not be read, so that what is no longer found may still be there."""
    return any(problem.kind not in ("duplicate-key", "joined-objects") for problem in manifests.problems)


def is_marked(text: str) -> bool:
    """Say whether there may be suppressions in a text; most texts do not hold the word at all."""
    if "efslint" not in text:
        return False
    from efslint.adoption.directives import MARK, PREFIX

    return MARK in text or PREFIX in text


def _order(finding: Finding) -> tuple[str, int, str, int]:
    """Order findings as ``check`` does."""
    path, start, end = finding.span.sort_key
    return (path, start, finding.rule, end)


def _directives(manifests: Iterable[Manifests]) -> Iterator[Directive]:
    for each in manifests:
        if is_marked(each.source.text):
            from efslint.adoption.directives import PREFIX, annotation_directives

            yield from _in_comments((each.source,))
            for resource in each.resources if PREFIX in each.source.text else ():
                yield from annotation_directives(resource.ref, resource.node)


def _in_comments(sources: Iterable[Source]) -> Iterator[Directive]:
    for source in sources:
        if is_marked(source.text):
            from efslint.adoption.directives import directives

            yield from directives(source)


def _touches(finding: Finding, context: Collection[str]) -> bool:
    """Say whether any step of a finding lies in a file that is not only context."""
    spans = (finding.span, *(step.span for step in finding.evidence))
    return any(span.source.path not in context for span in spans)


def _fact(problem: SuppressionProblem) -> Fact:
    kind = "suppression-expired" if problem.kind == "expired" else "suppression-unused"
    value = {"problem": kind, "detail": problem.message, "key": problem.text}
    return Fact("file", value, {"": Origin(problem.span)}, (Step(problem.span, problem.message),), None)
