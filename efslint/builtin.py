"""What ships with efslint, read when it is asked for: its rules and its knowledge of software."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from efslint.inputs.rule_files import built_in_directory, read_rule_files, rule_file_names
from efslint.knowledge.engines import Engine, load_engines
from efslint.knowledge.operators import load_operators
from efslint.pipeline import Settings
from efslint.rules.load import load_pack, load_rule, rule_ids
from efslint.rules.rule import Rule
from efslint.storage.survey import Knowledge
from efslint.text.source import Source
from efslint.yaml.node import Node


@cache
def built_in_names() -> Mapping[str, str]:
    """Return the names of the rules that ship with efslint by their ids, without reading a rule."""
    return rule_ids(rule_file_names(built_in_directory()))


@cache
def built_in_rules() -> tuple[Rule, ...]:
    """Load the rules that ship with efslint, sorted by id."""
    directory = built_in_directory()
    sources = read_rule_files(directory, rule_file_names(directory))
    return tuple(sorted((load_rule(each) for each in sources if isinstance(each, Source)), key=lambda rule: rule.id))


@cache
def _engines() -> tuple[Engine, ...]:
    return load_engines()


def knowledge(more_engines: tuple[Node, ...] = ()) -> Knowledge:
    """Return the knowledge that ships with efslint, and engines of somebody's own; nothing is read before it is
    needed.
    """
    if not more_engines:
        return Knowledge(_engines, load_operators)

    @cache
    def engines() -> tuple[Engine, ...]:
        return load_engines(more_engines)

    return Knowledge(engines, load_operators)


def load_rule_pack(directory: str) -> tuple[Rule, ...]:
    """Load the rules of a folder that somebody named. Raises ``RuleError`` for a rule file that is wrong."""
    folder = Path(directory)
    sources = [each for each in read_rule_files(folder, rule_file_names(folder)) if isinstance(each, Source)]
    return load_pack(sources, dict.fromkeys(built_in_names(), "a rule of efslint"))


def default_settings() -> Settings:
    """Return the settings of a run without configuration."""
    return Settings(built_in_rules, knowledge())
