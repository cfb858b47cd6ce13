"""The whole way from sources to a report, without arguments, printing or exit codes.

Wires the rooms together in their order and nothing else: what a stage does is told by its own module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from efslint import __version__
from efslint.builtin import EARLIEST_DAY, default_settings
from efslint.inputs.files import find_sources
from efslint.inputs.reading import ChartDirectory, NotRegular, NotText, Unreadable
from efslint.kube.manifests import Manifests, TextProblem, read_manifests
from efslint.report.model import Report, Skip, Suppressed
from efslint.rules.finding import Finding
from efslint.rules.rule import Rule
from efslint.settings import Settings
from efslint.storage.fact import Fact
from efslint.storage.file_facts import file_facts
from efslint.text.source import Source, Span
from efslint.workers import Parsed, parse_all

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from efslint.adopt import Adopted
    from efslint.adoption.baseline import Comparison
    from efslint.helm.findings import Mapped
    from efslint.helm.places import Release

_Found: TypeAlias = Sequence[Manifests]
_SKIPPED = {
    "template": "unrendered-template",
    "syntax": "syntax-error",
    "encoding": "not-text",
    "chart": "chart-not-rendered",
}
"""The problems of a text that hide the rest of it, and the words for them."""
_SOURCE_MARK = "# Source: "  # with which Helm names the template of a document


class Outcome(NamedTuple):
    """A report, the paths that could not be read, and how the findings compare with the baseline.

    ``found`` are the findings before the baseline was applied, which is what a new baseline is made from.
    """

    report: Report
    unreadable: tuple[Unreadable, ...]
    found: tuple[Finding, ...] = ()
    comparison: Comparison | None = None


def lint(reads: Iterable[Parsed], settings: Settings, context: Iterable[Parsed] = ()) -> Outcome:
    """Lint everything that was read as one universe of objects.

    What is in ``context`` is read for resolving references only: a finding is reported, and a reference that could not
    be followed is counted, when any step of its evidence lies outside of it.
    """
    main = _parse(reads, settings)
    named = {each.source.path for each in main.manifests}
    beside = _parse((each for each in context if _path(each) not in named), settings)
    facts, unresolved = _facts(main.manifests, beside.manifests, settings)
    rules, adopted = _judge(facts, main, beside, settings)
    report = Report(
        __version__,
        adopted.findings if adopted is not None else (),
        rules,
        files=len(main.manifests),
        documents=sum(each.documents for each in main.manifests),
        objects=sum(each.objects for each in main.manifests),
        skipped=tuple(sorted((*main.skipped, *beside.skipped))),
        unresolved=unresolved,
        suppressed=tuple(Suppressed(*pair) for pair in adopted.suppressed) if adopted is not None else (),
        baselined=adopted.comparison.known if adopted is not None and adopted.comparison is not None else 0,
    )
    unreadable = (*main.unreadable, *beside.unreadable)
    if adopted is None:
        return Outcome(report, unreadable)
    return Outcome(report, unreadable, adopted.before_baseline, adopted.comparison)


def _facts(main: _Found, beside: _Found, settings: Settings) -> tuple[tuple[Fact, ...], int]:
    """Return the facts, and how many references could not be followed; without objects the resolver is not loaded."""
    found = [fact for each in main for fact in file_facts(each)]
    resources = [each for one in (*main, *beside) for each in one.resources]
    if not resources:
        return tuple(found), 0
    from efslint.storage.resolve import resolve

    only_context = frozenset(each.source.path for each in beside)
    resolved = resolve(resources, settings.knowledge(), settings.storage, only_context)
    return (*found, *resolved.facts), resolved.unresolved


def _judge(
    facts: Sequence[Fact], main: _Parsed, beside: _Parsed, settings: Settings
) -> tuple[tuple[Rule, ...], Adopted | None]:
    """Return the rules that had to be read, and what is left of the findings; ``None`` where there is nothing to judge:
    no fact, no suppression, no baseline.
    """
    marked = any(_is_marked(each.source.text) for each in main.manifests)
    rules = settings.rules() if facts or settings.list_rules or marked else ()
    if not facts and not marked and settings.adoption.baseline is None:
        return rules, None
    from efslint.adopt import adopt
    from efslint.rules.check import check

    findings = check(facts, rules, settings.rule_settings)
    only_context = frozenset(each.source.path for each in beside.manifests)
    mapped = _mapped(findings, main, settings)
    left = adopt(
        findings if mapped is None else mapped.findings,
        (*main.manifests, *beside.manifests),
        rules,
        settings.rule_settings,
        settings.adoption,
        only_context,
        mapped,
    )
    return rules, left


def _mapped(findings: tuple[Finding, ...], main: _Parsed, settings: Settings) -> Mapped | None:
    """Move the findings of what Helm rendered to the files of the charts; ``None`` where Helm rendered nothing."""
    if not any(_SOURCE_MARK in each.source.text for each in main.manifests):
        return None
    from efslint.helm.find import Charts
    from efslint.helm.findings import to_charts

    return to_charts(findings, main.manifests, Charts(settings.helm(), main.releases))


def _is_marked(text: str) -> bool:
    if "efslint" not in text:
        return False
    from efslint.adopt import is_marked  # of no use where nothing is found

    return is_marked(text)


class _Parsed(NamedTuple):
    """What was read. ``releases`` are those of the manifests that were rendered here, by their path."""

    manifests: tuple[Manifests, ...]
    skipped: tuple[Skip, ...]
    unreadable: tuple[Unreadable, ...]
    releases: Mapping[str, Release]


def _parse(reads: Iterable[Parsed], settings: Settings) -> _Parsed:
    manifests: list[Manifests] = []
    releases: dict[str, Release] = {}
    unreadable: list[Unreadable] = []
    skipped: list[Skip] = []
    for read in reads:
        if isinstance(read, Manifests):
            manifests.append(read)
        elif isinstance(read, Unreadable):
            unreadable.append(read)
        elif isinstance(read, NotRegular):
            skipped.append(Skip(read.path, 1, read.reason))
        elif isinstance(read, NotText):
            manifests.append(_not_text(read))
        elif isinstance(read, ChartDirectory):
            from efslint.helm.directories import chart_manifests

            chart = chart_manifests(read.path, settings.helm())
            manifests.extend(chart.manifests)
            releases.update(chart.releases)
            skipped.extend(Skip(*each) for each in chart.skipped)
        else:
            manifests.append(read_manifests(read))
    return _Parsed(tuple(manifests), (*skipped, *_skips(manifests)), tuple(unreadable), releases)


def _path(read: Parsed) -> str:
    return read.source.path if isinstance(read, (Manifests, NotText)) else read.path


def _not_text(read: NotText) -> Manifests:
    """Turn a file that is no text into one document that cannot be read, so that it is counted and reported."""
    problem = TextProblem("encoding", Span(read.source, read.offset, read.offset), read.reason)
    return Manifests(read.source, (), 1, 0, (problem,), template=False)


def _skips(manifests: Iterable[Manifests]) -> Iterator[Skip]:
    for each in manifests:
        for span in each.unrendered:
            yield Skip(each.source.path, span.first.line, "not-rendered")
        for problem in each.problems:
            if problem.kind in _SKIPPED:
                is_chart = problem.kind == "template" and problem.detail == "chart"
                yield Skip(each.source.path, problem.span.first.line, _SKIPPED["chart" if is_chart else problem.kind])


def lint_paths(paths: Sequence[Path | str], today: date = EARLIEST_DAY) -> Report:
    """Lint files and directories with the rules that ship with efslint; for tests and for use as a library.

    No clock is read: dates of suppressions are judged against ``today``. What cannot be read is not in the report.
    """
    return lint(parse_all(find_sources([str(path) for path in paths]), 1), default_settings(today)).report


def lint_text(text: str, path: str = "example.yaml", today: date = EARLIEST_DAY) -> tuple[Finding, ...]:
    """Lint a text with the rules that ship with efslint."""
    return lint([Source(path, text)], default_settings(today)).report.findings
