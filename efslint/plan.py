"""What is to be done: arguments and configuration put together, and checked before anything is read.

Knows how options and the configuration file become the settings of a run, and which complaints are for people to act
on; leaves doing it to ``run``.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from efslint.adoption.rule_names import RuleName, named
from efslint.builtin import built_in_names, built_in_rules, knowledge
from efslint.config.merge import CommandLine, merge
from efslint.config.model import Config, ConfigError, Origin
from efslint.config.paths import excluder
from efslint.config.select import check_names, parameters, select_rules, severities
from efslint.helm.options import HelmOptions
from efslint.inputs.config_files import find_config, open_config, read_baseline
from efslint.inputs.reading import ChartDirectory, NotText, Read, read_file
from efslint.inputs.rule_files import read_rule_pack
from efslint.inputs.walk import STDIN
from efslint.rules.rule import Rule
from efslint.rules.settings import RuleSettings, param_problems
from efslint.settings import Adoption, Settings
from efslint.storage.configured import StorageSettings
from efslint.text.source import Source, Span

if TYPE_CHECKING:
    from efslint.adoption.baseline import Entry

Formats = tuple[tuple[str, str | None], ...]
"""Names of formats, each with the file it goes to, ``None`` for standard output."""


class RunError(Exception):
    """The job cannot be done as asked; the text is one line for people."""


class Plan(NamedTuple):
    """What is to be done. ``packs`` are the rules of rule packs, ``known`` the names of all rules."""

    arguments: Namespace
    config: Config
    formats: Formats
    excluded: Callable[[str], bool]
    packs: tuple[Rule, ...]
    known: tuple[RuleName, ...]


def reason(error: Exception) -> str | None:
    """Say what is wrong, with its place, if people can change it; ``None`` for a fault of efslint."""
    from efslint.adoption.baseline import BaselineError
    from efslint.builtin import RuleUnreadableError
    from efslint.inputs.rule_files import RulesMissingError
    from efslint.knowledge.data import KnowledgeError
    from efslint.rules.load import RuleError

    if isinstance(error, KnowledgeError):
        return _placed(error.message, error.span)
    known = (RunError, ConfigError, RuleError, BaselineError, RuleUnreadableError, RulesMissingError)
    return str(error) if isinstance(error, known) else None


def make_plan(arguments: Namespace) -> Plan:
    """Put arguments and configuration together. Raises what ``reason`` knows."""
    formats = _formats(arguments)
    config = _config(arguments)
    packs = tuple(_packs(config))
    known = (
        *(RuleName(*pair) for pair in built_in_names().items()),
        *(RuleName(rule.id, rule.name) for rule in packs),
    )
    check_names(config, known)
    return Plan(arguments, config, formats, excluder(config), packs, known)


def all_rules(plan: Plan) -> tuple[Rule, ...]:
    """Return every rule there is, sorted by id."""
    return tuple(sorted((*built_in_rules(), *plan.packs), key=lambda rule: rule.id))


def make_settings(plan: Plan, today: date) -> Settings:
    """Return what the pipeline needs. Raises what ``reason`` knows."""
    config, known = plan.config, plan.known
    if config.engines:
        knowledge(config.engines).engines()  # what is wrong with them is told whether or not this input needs them
    if config.parameters:
        _check_parameters(plan)
    options = _helm(plan.arguments)
    names = {rule.id: rule.name for rule in known}
    by_name = {names[rule]: values for rule, values in parameters(known, config).items()}
    return Settings(
        lambda: _active_rules(plan),
        lambda: knowledge(config.engines),
        Adoption(known, today, config, _baseline(plan), lambda path: not os.path.exists(path)),
        RuleSettings(severities(known, config), by_name),
        StorageSettings(config.storage_classes),
        list_rules=any(name == "sarif" for name, _ in plan.formats),
        helm=lambda: options,
    )


def _helm(arguments: Namespace) -> HelmOptions:
    """Return what is asked for about Helm, after a look at whether it can be had."""
    for path in arguments.values or ():
        _text(read_file(path))
    for directory in arguments.chart_root or ():
        if not os.path.isdir(directory):
            raise RunError(f"--chart-root: {directory} is not a directory")
    if arguments.set:
        from efslint.helm.given import SetError, parse_set

        for expression in arguments.set:
            try:
                parse_set(expression)
            except SetError as error:
                raise RunError(f"--set: {error}") from None
    below = tuple(path for path in arguments.paths if path != STDIN and os.path.isdir(path))
    return HelmOptions(
        (*below, "."),
        tuple(arguments.chart_root or ()),
        tuple(arguments.values or ()),
        tuple(arguments.set or ()),
        arguments.release,
        arguments.namespace,
    )


def _active_rules(plan: Plan) -> tuple[Rule, ...]:
    ids = frozenset(select_rules(plan.known, plan.config))
    return tuple(rule for rule in all_rules(plan) if rule.id in ids)


def _formats(arguments: Namespace) -> Formats:
    asked: Formats = tuple(dict.fromkeys(arguments.formats or (("text", None),)))
    files = [file for _, file in asked if file is not None]
    if len(asked) - len(files) > 1:
        raise RunError("only one format can go to standard output; give the others a file: -f FORMAT=FILE")
    if len(files) > len(set(files)):
        raise RunError("two formats cannot go to one file")
    if arguments.statistics and "text" not in dict(asked):
        raise RunError("--statistics is a part of the format text, which was not asked for")
    return asked


def _config(arguments: Namespace) -> Config:
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
        strict=arguments.strict,
        sarif_category=arguments.sarif_category,
    )
    return merge(_config_file(arguments), options)


def _config_file(arguments: Namespace) -> Config:
    if arguments.no_config:
        return Config()
    found = find_config() if arguments.config is None else open_config(arguments.config)
    if found is None:
        return Config()
    source = _text(found.read)
    from efslint.config.load import load

    return load(source, found.directory, found.within)


def _packs(config: Config) -> Iterator[Rule]:
    """Load the rules of rule packs; the ids of one are taken for the next."""
    from efslint.rules.load import load_pack

    taken = dict.fromkeys(built_in_names(), "a rule of efslint")
    for index, directory in enumerate(config.rules):
        origin = config.origin("rules", index)
        rules = load_pack([_text(read, origin) for read in read_rule_pack(directory)], taken)
        taken.update((rule.id, f"a rule of {directory}") for rule in rules)
        yield from rules


def _check_parameters(plan: Plan) -> None:
    for word, values in plan.config.parameters.items():
        ids = named(word, plan.known)
        for rule in all_rules(plan):
            for route, message in param_problems(rule, values) if rule.id in ids else ():
                origins = (plan.config.origin("parameters", word, *route[:length]) for length in (1, 0))
                raise ConfigError(message, next(origin.span for origin in origins if origin.span is not None))


def _baseline(plan: Plan) -> tuple[Entry, ...] | None:
    path, updated = plan.config.baseline, plan.arguments.update_baseline
    if path is None:
        if updated:
            raise RunError("--update-baseline needs --baseline FILE, or baseline in the configuration")
        return None
    if updated and not os.path.exists(path):
        return None
    from efslint.adoption.baseline import parse

    return parse(_text(read_baseline(path), plan.config.origin("baseline")))


def _text(read: Read, origin: Origin | None = None) -> Source:
    """Return the text of a file that the run needs; without it nothing can be done."""
    if isinstance(read, Source):
        return read
    if isinstance(read, NotText):
        raise RunError(_placed(read.reason, Span(read.source, read.offset, read.offset)))
    assert not isinstance(read, ChartDirectory)  # only a walk finds one
    message = f"{read.path}: {read.reason}"
    raise RunError(_placed(message, origin.span) if origin is not None and origin.span is not None else message)


def _placed(message: str, span: Span) -> str:
    line, column = span.first
    return f"{span.source.path}:{line}:{column}: {message}"
