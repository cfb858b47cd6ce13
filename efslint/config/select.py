"""What configuration says of rules, once it is known which rules there are.

Knows how words name rules and which of two words wins. Leaves the rules themselves to ``rules``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from efslint.adoption.rule_names import RuleName, named, specificity, spellings, suggestion
from efslint.config.model import Config, ConfigError, Origin
from efslint.rules.finding import Severity

_Rank: TypeAlias = tuple[bool, int]
_NOT_NAMED: _Rank = (False, 0)


def check_names(config: Config, known: Sequence[RuleName]) -> None:
    """Refuse words that name no rule, and prefixes for parameters. Raises ``ConfigError`` at the first of them."""
    exact = spellings(known)
    for word, *route in _named_rules(config):
        if word not in exact and (route[0] == "parameters" or not named(word, known)):
            origin = config.origin(*route)
            option = f"{origin.option}: " if origin.option else ""
            message = f'{option}there is no rule "{word}"{suggestion(word, exact)}'
            raise ConfigError(message, origin.span)


def select_rules(known: Sequence[RuleName], config: Config) -> tuple[str, ...]:
    """Return the ids of the rules to check, in the order given.

    Of the words in ``select`` and ``ignore`` that name a rule one from the command line goes before one from a file,
    then the most exact decides, then ``ignore``. Without ``select`` every rule is selected.
    """
    found: list[str] = []
    for rule in known:
        ignored = max(_ranks("ignore", config.ignore, rule, known, config), default=_NOT_NAMED)
        selected = max(_ranks("select", config.select, rule, known, config), default=_NOT_NAMED)
        if selected > ignored if config.select else ignored == _NOT_NAMED:
            found.append(rule.id)
    return tuple(found)


def severities(known: Sequence[RuleName], config: Config) -> dict[str, Severity]:
    """Return the severities that configuration sets, by rule id; words win as they do for ``select_rules``."""
    found: dict[str, Severity] = {}
    for rule in known:
        words = [word for word in config.severity if rule.id in named(word, known)]
        if words:
            found[rule.id] = config.severity[
                max(words, key=lambda word: _rank(word, rule, config.origin("severity", word)))
            ]
    return found


def parameters(known: Sequence[RuleName], config: Config) -> dict[str, Mapping[str, Any]]:
    """Return the parameters that configuration gives to rules, by rule id."""
    found: dict[str, Mapping[str, Any]] = {}
    for word, values in config.parameters.items():
        for rule in named(word, known):
            found[rule] = {**found.get(rule, {}), **values}
    return found


def _ranks(
    key: str, words: Sequence[str], rule: RuleName, known: Sequence[RuleName], config: Config
) -> Iterator[_Rank]:
    for index, word in enumerate(words):
        if rule.id in named(word, known):
            yield _rank(word, rule, config.origin(key, index))


def _rank(word: str, rule: RuleName, origin: Origin) -> _Rank:
    return bool(origin.option), specificity(word, rule)


def _named_rules(config: Config) -> Iterator[tuple[Any, ...]]:
    for index, word in enumerate(config.select):
        yield word, "select", index
    for index, word in enumerate(config.ignore):
        yield word, "ignore", index
    for word in config.severity:
        yield word, "severity", word
    for word in config.parameters:
        yield word, "parameters", word
    for glob, words in config.per_path_ignores.items():
        for index, word in enumerate(words):
            yield word, "per-path-ignores", glob, index
