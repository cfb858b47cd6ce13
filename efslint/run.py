"""What the command line asks for, done: from parsed arguments to texts, notices and an exit status. Prints nothing.

Knows what each option makes of a run and what makes one fail; leaves printing to ``cli``.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from efslint.config.model import Config
from efslint.inputs.files import Seen, find_sources, list_files
from efslint.inputs.reading import NotRegular, Unreadable, shown
from efslint.pipeline import Outcome
from efslint.pipeline import lint as lint_sources
from efslint.plan import Plan, RunError, all_rules, make_plan, make_settings
from efslint.report.model import Report
from efslint.report.style import PLAIN, Style
from efslint.terminal import Progress, style
from efslint.workers import Parsed, parse_all


class Notice(NamedTuple):
    """Something to say on standard error. ``failure`` marks what made the exit status 2."""

    text: str
    failure: bool = False


class Finished(NamedTuple):
    """A run that was done: reports by file name (``None`` for standard output), notices, exit status."""

    reports: tuple[tuple[str | None, str], ...]
    notices: tuple[Notice, ...] = ()
    status: int = 0


def explain(arguments: Namespace) -> Finished:
    """Say what a rule, or each of several, is about."""
    from efslint.adoption.rule_names import named, spellings, suggestion
    from efslint.rules.explain import plain_text

    plan = make_plan(arguments)
    ids = named(arguments.explain, plan.known)
    if not ids:
        known = suggestion(arguments.explain, spellings(plan.known))
        raise RunError(f'--explain: there is no rule "{arguments.explain}"{known}')
    return _said("\n".join(plain_text(rule) for rule in all_rules(plan) if rule.id in ids))


def rule_list(arguments: Namespace) -> Finished:
    """Write one line per rule: id, severity, name, summary."""
    rules = all_rules(make_plan(arguments))
    ids, names = (max(map(len, words)) for words in zip(*((rule.id, rule.name) for rule in rules), strict=True))
    lines = (f"{rule.id:<{ids}}  {rule.default_severity:<7}  {rule.name:<{names}}  {rule.summary}\n" for rule in rules)
    return _said("".join(lines))


def configuration(arguments: Namespace) -> Finished:
    """Write all settings and where each comes from."""
    from efslint.config.show import show

    return _said(show(make_plan(arguments).config))


def file_list(arguments: Namespace) -> Finished:
    """Write the files that a run would read, one a line."""
    from efslint.report.escape import visible

    plan = make_plan(arguments)
    names: list[str] = []
    notices: list[Notice] = []
    for found in list_files(arguments.paths, plan.excluded):
        if isinstance(found, str):
            names.append(f"{visible(found)}\n")
        elif isinstance(found, Unreadable):
            notices.append(_failure(found))
        else:
            notices.append(Notice(f"{found.path}: skipped: {found.reason}"))
    return Finished(((None, "".join(names)),), tuple(notices), _status(plan.config, None, notices))


def lint(
    arguments: Namespace, today: date, columns: int | None = None, show: Callable[[str], None] | None = None
) -> Finished:
    """Lint, and write the reports that go to files.

    ``columns`` is the width of standard output if that is a terminal. ``show`` takes what is to be said meanwhile.
    """
    plan = make_plan(arguments)
    settings = make_settings(plan, today)
    stdin_name, seen = arguments.stdin_filename or "<stdin>", Seen()
    found, beside = (
        list(find_sources(paths, stdin_name, plan.excluded, seen, plan.config.max_file_size))
        for paths in (arguments.paths, plan.config.context)
    )
    reads = parse_all(found, arguments.jobs)
    context = _context(parse_all(beside, arguments.jobs), frozenset(map(shown, plan.config.context)))
    if show is None:
        outcome = lint_sources(reads, settings, context)
    else:
        progress = Progress(show, len(found) + len(beside))
        try:
            outcome = lint_sources(progress.of(reads), settings, progress.of(context))
        finally:
            progress.end()
    notices = [_failure(each) for each in outcome.unreadable]
    if arguments.update_baseline:
        outcome, notice = _with_new_baseline(plan, outcome)
        notices.append(notice)
    else:
        notices.extend(_stale(plan, outcome))
    reports = tuple(_reports(plan, outcome.report, style(arguments.color, os.environ, columns)))
    notices.extend(_write_files(reports))
    return Finished(reports, tuple(notices), _status(plan.config, outcome.report, notices))


def _context(reads: Iterable[Parsed], named: Collection[str]) -> Iterator[Parsed]:
    """Count what cannot be read below a path of the context as skipped: nobody asked for that very file.

    A commit hook reads the whole repository for context, data directories of local databases included.
    """
    for read in reads:
        if isinstance(read, Unreadable) and read.path not in named:
            yield NotRegular(read.path, "unreadable")
        else:
            yield read


def _said(text: str) -> Finished:
    return Finished(((None, text),))


def _failure(found: Unreadable) -> Notice:
    return Notice(f"{found.path}: {found.reason}", failure=True)


def _reports(plan: Plan, report: Report, on_stdout: Style) -> Iterator[tuple[str | None, str]]:
    from efslint.report.formats import render
    from efslint.report.statistics import statistics
    from efslint.report.summary import gaps

    arguments = plan.arguments
    for name, file in plan.formats:
        for_people = name in ("text", "concise")
        if arguments.quiet and file is None and for_people and not (report.findings or gaps(report)):
            continue
        if arguments.statistics and name == "text":
            yield file, statistics(report)
            continue
        category, suppressed = plan.config.sarif_category or "", arguments.sarif_suppressed
        looks = on_stdout if file is None else PLAIN
        yield file, render(name, report, looks, sarif_category=category, sarif_suppressed=suppressed)


def _with_new_baseline(plan: Plan, outcome: Outcome) -> tuple[Outcome, Notice]:
    """Write the findings of this run to the baseline, so that it knows all of them."""
    from efslint.adoption.baseline import update
    from efslint.inputs.config_files import write_baseline

    path = plan.config.baseline or ""
    failed = write_baseline(path, update(outcome.found, outcome.comparison))
    if failed is not None:
        return outcome, _failure(failed)
    number = len(outcome.found)
    report = outcome.report._replace(findings=(), baselined=number)
    return outcome._replace(report=report), Notice(f"{path}: {number} finding{'' if number == 1 else 's'} written")


def _stale(plan: Plan, outcome: Outcome) -> Iterator[Notice]:
    for entry in outcome.comparison.stale if outcome.comparison is not None else ():
        about = entry.object or entry.path
        yield Notice(f"{plan.config.baseline}: stale entry: {entry.rule} of {about} is no longer found")


def _write_files(reports: tuple[tuple[str | None, str], ...]) -> Iterator[Notice]:
    from efslint.inputs.report_files import write_report

    for file, text in reports:
        failed = None if file is None else write_report(file, text)
        if failed is not None:
            yield _failure(failed)


def _status(config: Config, report: Report | None, notices: list[Notice]) -> int:
    if any(notice.failure for notice in notices):
        return 2
    if report is None:
        return 0
    threshold = config.fail_on
    if threshold is not None and any(each.severity.rank <= threshold.rank for each in report.findings):
        return 1
    return 1 if config.strict and (report.skipped or report.unresolved) else 0
