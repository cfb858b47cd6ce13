"""What ships with efslint, read when it is asked for: its rules and its knowledge of software."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from efslint.adoption.rule_names import RuleName
from efslint.config.model import Config
from efslint.inputs.reading import Read
from efslint.inputs.rule_files import built_in_directory, read_rule_files, rule_file_names
from efslint.rules.load import load_rule, rule_ids
from efslint.rules.rule import Rule
from efslint.settings import Adoption, Settings
from efslint.text.source import Source

if TYPE_CHECKING:
    from efslint.storage.survey import Knowledge
    from efslint.yaml.node import Node

EARLIEST_DAY = date(2026, 11, 1)
"""No run of this version happens before this day: what expired earlier has expired for everybody."""


def _compiled() -> Any | None:
    """Return what a wheel carries ready-made (see ``compiled``), ``None`` in a checkout."""
    try:
        from efslint import _compiled as module  # type: ignore[attr-defined, unused-ignore]
    except ImportError:
        return None
    return module


@cache
def built_in_names() -> Mapping[str, str]:
    """Return the names of the rules that ship with efslint by their ids, without reading a rule."""
    return rule_ids(rule_file_names(built_in_directory()))


@cache
def built_in_rules() -> tuple[Rule, ...]:
    """Load the rules that ship with efslint, sorted by id. Raises ``RuleUnreadableError``."""
    made = _compiled()
    if made is not None:
        rules: tuple[Rule, ...] = made.RULES
        return rules
    directory = built_in_directory()
    sources = map(_source, read_rule_files(directory, rule_file_names(directory)))
    return tuple(sorted(map(load_rule, sources), key=lambda rule: rule.id))


class RuleUnreadableError(Exception):
    """A rule file that ships with efslint cannot be read."""


def _source(read: Read) -> Source:
    if not isinstance(read, Source):
        raise RuleUnreadableError(f"a rule of efslint cannot be read: {read}")
    return read


@cache
def knowledge(more_engines: tuple[Node, ...] = ()) -> Knowledge:
    """Return the knowledge that ships with efslint, and engines of somebody's own; nothing is read before it is
    needed.
    """
    from efslint.knowledge.engines import load_engines
    from efslint.knowledge.operators import load_operators
    from efslint.storage.survey import Knowledge

    made = _compiled()
    if made is not None and not more_engines:
        return Knowledge(lambda: made.ENGINES, lambda: made.OPERATORS)
    return Knowledge(cache(partial(load_engines, more_engines)), load_operators)


def default_settings(today: date = EARLIEST_DAY) -> Settings:
    """Return the settings of a run without configuration on a given day."""
    known = tuple(RuleName(*pair) for pair in built_in_names().items())
    return Settings(built_in_rules, knowledge, Adoption(known, today, Config()))
