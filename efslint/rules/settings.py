"""What a configuration may change about rules: severities and parameters.

Knows how the two are merged and whether parameters are what a rule takes; leaves reading configuration to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from efslint.rules.finding import Severity
from efslint.rules.rule import Rule
from efslint.rules.schema import validator


class RuleSettings(NamedTuple):
    """``severity`` by rule id, ``params`` by rule name; what is not named stays as the rule file says."""

    severity: Mapping[str, Severity] = {}
    params: Mapping[str, Mapping[str, Any]] = {}


def params(rule: Rule, settings: RuleSettings) -> dict[str, Any]:
    """Return the parameters that a rule runs with."""
    return {**rule.params, **settings.params.get(rule.name, {})}


def param_problems(rule: Rule, given: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what is wrong with parameters somebody set: the path into them, and a message."""
    for name in given:
        if name not in rule.params:
            from difflib import get_close_matches

            close = get_close_matches(name, rule.params, n=1)
            takes = f"did you mean {close[0]!r}" if close else f"it takes {', '.join(rule.params) or 'none'}"
            yield (name,), f"rule {rule.name} has no parameter {name!r}; {takes}"
    if rule.params_schema is None:
        return
    known = {name: value for name, value in given.items() if name in rule.params}
    for error in validator(rule.params_schema).iter_errors({**rule.params, **known}):
        path = tuple(error.absolute_path)
        yield path, f"{'.'.join(map(str, path))}: {error.message}"
