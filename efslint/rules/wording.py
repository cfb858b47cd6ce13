"""The words of a rule: choosing between cases and filling placeholders in.

Knows ``Case`` and dotted placeholders such as ``{carrier.name}``; leaves what the values mean to the rule files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from efslint.rules.rule import Case, Schema

PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\}")

Holds = Callable[[Schema, Mapping[str, Any]], bool]
"""Say whether a schema holds of a value."""


def choose(cases: Sequence[Case], value: Mapping[str, Any], holds: Holds) -> str:
    """Return the first case whose condition holds; the last one has none."""
    return next(case.then for case in cases if case.when is None or holds(case.when, value))


def placeholders(template: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths that a template mentions, in order."""
    return tuple(tuple(match.split(".")) for match in PLACEHOLDER.findall(template))


def render(template: str, value: Mapping[str, Any]) -> str:
    """Fill the placeholders in. What the value does not hold prints as ``?``."""
    return PLACEHOLDER.sub(lambda match: _text(_look_up(value, match[1].split("."))), template)


def _look_up(value: object, path: Sequence[str]) -> object:
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, (str, int, float)) else "?"
