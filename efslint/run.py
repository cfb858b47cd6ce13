"""What the command line asks for, done: from parsed arguments to texts, notices and an exit status. Prints nothing.

Knows how configuration and options become the settings of a run; leaves printing to ``cli``.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from efslint.adoption.rule_names import RuleName
from efslint.config.model import Config, ConfigError
from efslint.inputs.files import NotText, Read, Unreadable
from efslint.storage.context import StorageSettings

if TYPE_CHECKING:
    from efslint.adopt import Adoption
    from efslint.adoption.baseline import Entry
    from efslint.pipeline import Outcome, Settings
    from efslint.report.model import Report
    from efslint.report.style import Style
    from efslint.rules.rule import Rule
    from efslint.rules.settings import RuleSettings


class RunError(Exception):
    """The job cannot be done as asked; the text is one line for people."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say on standard error. ``failure`` marks what made the exit status 2."""

    text: str
    failure: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that was done: reports by file name (``None`` for standard output), notices, exit status."""

    reports: tuple[tuple[str | None, str], ...]
    notices: tuple[Notice, ...]
    status: int


def explain(word: str) -> str:
    """Return what a rule is about, for a terminal."""
    from efslint.adoption.rule_names import RuleName, named, spellings, suggestion
    from efslint.builtin import built_in_names, built_in_rules
    from efslint.rules.explain import plain_text

    known = tuple(RuleName(*pair) for pair in built_in_names().items())
    ids = named(word, known)
    if not ids:
        raise RunError(f"there is no rule {word!r}{suggestion(word, spellings(known))}")
    return "\n".join(plain_text(rule) for rule in built_in_rules() if rule.id in ids)


def rule_list(arguments: Namespace) -> str:
    """Return one line per rule: id, severity, name, summary."""
    rules = _Setup(arguments).all_rules()
    return "".join(f"{rule.id}  {rule.default_severity:<7}  {rule.name:<28}  {rule.summary}\n" for rule in rules)


def configuration(arguments: Namespace) -> str:
    """Return all settings and where each comes from."""
    from efslint.config.show import show

    return show(_Setup(arguments).config)


def file_list(arguments: Namespace) -> str:
    """Return the files that a run would read, one a line."""
    from efslint.inputs.files import Unreadable, list_files

    setup = _Setup(arguments)
    lines = []
    for found in list_files(arguments.paths, setup.excluded):
        if isinstance(found, Unreadable):
            raise RunError(f"{found.path}: {found.reason}")
        lines.append(f"{found}\n")
    return "".join(lines)


def lint(arguments: Namespace) -> Finished:
    """Lint, and write the reports that go to files."""
    from efslint.inputs.files import read_sources
    from efslint.pipeline import lint as lint_sources

    setup = _Setup(arguments)
    stdin_name = arguments.stdin_filename or "<stdin>"
    reads = read_sources(arguments.paths, stdin_name, setup.excluded)
    beside = read_sources(setup.config.context, stdin_name, setup.excluded)
    outcome = lint_sources(reads, setup.settings(), beside)
    report = outcome.report
    notices = [Notice(f"{each.path}: {each.reason}", failure=True) for each in outcome.unreadable]
    notices += _baseline_notices(setup, outcome)
    reports = tuple(_reports(setup, outcome))
    notices += _write_files(reports)
    status = _status(setup.config, report, any(notice.failure for notice in notices))
    return Finished(reports, tuple(notices), status)


class _Setup:
    """Arguments and configuration put together; parts are worked out when they are asked for."""

    def __init__(self, arguments: Namespace) -> None:
        self.arguments = arguments
        try:
            self.config = _config(arguments)
            from efslint.config.paths import excluder

            self.excluded: Callable[[str], bool] = excluder(self.config)
        except ConfigError as error:
            raise RunError(str(error)) from None
        self.packs = tuple(self._packs())
        self.known = tuple(self._known())
        self._check_names()

    def _known(self) -> Iterator[RuleName]:
        from efslint.builtin import built_in_names

        yield from (RuleName(*pair) for pair in built_in_names().items())
        yield from (RuleName(rule.id, rule.name) for rule in self.packs)

    def _packs(self) -> Iterator[Rule]:
        for directory in self.config.rules:
            from efslint.builtin import load_rule_pack
            from efslint.rules.load import RuleError

            try:
                yield from load_rule_pack(directory)
            except (RuleError, OSError) as error:
                raise RunError(str(error)) from None

    def _check_names(self) -> None:
        from efslint.config.select import check_names

        try:
            check_names(self.config, self.known)
        except ConfigError as error:
            raise RunError(str(error)) from None

    def all_rules(self) -> tuple[Rule, ...]:
        """Return every rule there is, sorted by id."""
        from efslint.builtin import built_in_rules

        return tuple(sorted((*built_in_rules(), *self.packs), key=lambda rule: rule.id))

    def active_rules(self) -> tuple[Rule, ...]:
        """Return the selected rules."""
        from efslint.config.select import select_rules

        ids = frozenset(select_rules(self.known, self.config))
        rules = tuple(rule for rule in self.all_rules() if rule.id in ids)
        self._check_parameters(rules)
        return rules

    def _check_parameters(self, rules: tuple[Rule, ...]) -> None:
        if not self.config.parameters:
            return
        from efslint.adoption.rule_names import named
        from efslint.rules.settings import param_problems

        for word, values in self.config.parameters.items():
            for rule in rules:
                if rule.id in named(word, self.known):
                    for route, message in param_problems(rule, values):
                        raise RunError(str(ConfigError(message, self.config.origin("parameters", word, *route).span)))

    def settings(self) -> Settings:
        """Return what the pipeline needs."""
        from efslint.builtin import knowledge
        from efslint.pipeline import Settings

        return Settings(
            self.active_rules,
            knowledge(self.config.engines),
            self._rule_settings(),
            StorageSettings(self.config.storage_classes),
            self._adoption(),
            list_rules=any(name in ("sarif",) for name, _ in self.formats),
        )

    def _rule_settings(self) -> RuleSettings:
        from efslint.config.select import parameters, severities
        from efslint.rules.settings import RuleSettings

        names = {rule.id: rule.name for rule in self.known}
        by_name = {names[rule]: values for rule, values in parameters(self.known, self.config).items()}
        return RuleSettings(severities(self.known, self.config), by_name)

    def _adoption(self) -> Adoption:
        from efslint.adopt import Adoption

        return Adoption(self.known, self.arguments.today, self.config, self._baseline(), lambda path: not Path(path).exists())

    def _baseline(self) -> tuple[Entry, ...] | None:
        path = self.config.baseline
        if path is None or (self.arguments.update_baseline and not Path(path).exists()):
            if self.arguments.update_baseline and path is None:
                raise RunError("--update-baseline needs --baseline FILE, or baseline in the configuration")
            return None
        from efslint.adoption.baseline import BaselineError, parse
        from efslint.inputs.config_files import read_baseline
        from efslint.text.source import Source

        read = read_baseline(path)
        if not isinstance(read, Source):
            raise RunError(_why_not(read))
        try:
            return parse(read)
        except BaselineError as error:
            raise RunError(str(error)) from None

    @property
    def formats(self) -> tuple[tuple[str, str | None], ...]:
        """The formats asked for, each with the file it goes to."""
        asked = tuple(self.arguments.formats or (("text", None),))
        if sum(file is None for _, file in asked) > 1:
            raise RunError("only one format can go to standard output; give the others a file: -f FORMAT=FILE")
        return asked


def _config(arguments: Namespace) -> Config:
    from efslint.config.merge import CommandLine, merge

    options = CommandLine(
        select=tuple(arguments.select or ()),
        ignore=tuple(arguments.ignore or ()),
        severity=tuple(arguments.severity or ()),
        fail_on=arguments.fail_on,
        exclude=tuple(arguments.exclude or ()),
        rules=tuple(arguments.rules or ()),
        storage_class=tuple(arguments.storage_class or ()),
        context=tuple(arguments.context or ()),
        baseline=arguments.baseline,
        strict=bool(arguments.strict),
        sarif_category=arguments.sarif_category,
    )
    return merge(_config_file(arguments), options)


def _config_file(arguments: Namespace) -> Config:
    if arguments.no_config:
        return Config()
    from efslint.inputs.config_files import find_config, open_config
    from efslint.text.source import Source

    found = find_config() if arguments.config is None else open_config(arguments.config)
    if found is None:
        return Config()
    if not isinstance(found.read, Source):
        raise RunError(
            f"{getattr(found.read, 'path', arguments.config)}: {getattr(found.read, 'reason', 'is no text')}"
        )
    from efslint.config.load import load

    return load(found.read, found.directory, found.within)


def _why_not(read: Read) -> str:
    """Say in one line why a file could not be read."""
    if isinstance(read, NotText):
        line, column = read.source.position(len(read.source.text))
        return f"{read.source.path}:{line}:{column}: {read.reason}"
    return f"{read.path}: {read.reason}" if isinstance(read, Unreadable) else read.path


def _reports(setup: _Setup, outcome: Outcome) -> Iterator[tuple[str | None, str]]:
    from efslint.report.formats import render
    from efslint.report.statistics import statistics
    from efslint.report.summary import gaps

    arguments, report = setup.arguments, outcome.report
    for name, file in setup.formats:
        if arguments.quiet and file is None and name in ("text", "concise") and not (report.findings or gaps(report)):
            continue
        if arguments.statistics and name == "text":
            yield file, statistics(report)
            continue
        style = _style(arguments, file)
        category = setup.config.sarif_category or ""
        yield (
            file,
            render(name, report, style, sarif_category=category, sarif_suppressed=arguments.sarif_suppressed),
        )


def _style(arguments: Namespace, file: str | None) -> Style:
    """Say how text may look: in colour on a terminal, unless the environment or an option says otherwise.

    https://no-color.org and https://force-color.org: any value that is not empty counts.
    """
    import shutil
    import sys

    from efslint.report.style import Style

    terminal = file is None and sys.stdout.isatty()
    color = terminal and os.environ.get("TERM") != "dumb"
    if os.environ.get("FORCE_COLOR"):
        color = file is None
    if os.environ.get("NO_COLOR"):
        color = False
    if arguments.color != "auto":
        color = arguments.color == "always" and file is None
    width = shutil.get_terminal_size((100, 24)).columns if terminal else 100
    return Style(color, max(width, 40), color and terminal)


def _baseline_notices(setup: _Setup, outcome: Outcome) -> Iterator[Notice]:
    comparison, path = outcome.comparison, setup.config.baseline
    if setup.arguments.update_baseline and path is not None:
        from efslint.adoption.baseline import update
        from efslint.inputs.config_files import write_baseline

        failed = write_baseline(path, update(outcome.found, comparison))
        if failed is not None:
            yield Notice(f"{failed.path}: {failed.reason}", failure=True)
        else:
            yield Notice(f"{path}: {len(outcome.found)} findings written")
    elif comparison is not None:
        for entry in comparison.stale:
            yield Notice(f"{path}: stale entry: {entry.rule} of {entry.object or entry.path} is no longer found")


def _write_files(reports: tuple[tuple[str | None, str], ...]) -> Iterator[Notice]:
    from efslint.inputs.report_files import write_report

    for file, text in reports:
        if file is not None:
            failed = write_report(file, text)
            if failed is not None:
                yield Notice(f"{failed.path}: {failed.reason}", failure=True)


def _status(config: Config, report: Report, failed: bool) -> int:
    if failed:
        return 2
    threshold = config.fail_on
    if threshold is not None and any(each.severity.rank <= threshold.rank for each in report.findings):
        return 1
    return 1 if config.strict and (report.skipped or report.unresolved) else 0
