"""What is looked for in a chart, what is found, and how far the search has come.

Knows the types that the modules of the search share; leaves the search to ``trace``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from efslint.helm import expressions as ex
from efslint.helm.charts import Path
from efslint.helm.outline import YIELD, Line, Outline
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar

MOST_STEPS = 4000
"""How far one search may go in all: named templates may lead into each other without end."""

DEEPEST = 12
"""How many texts of named templates may lead into each other."""


class Target(NamedTuple):
    """What is looked for: a scalar of an object, by its path, or the key that leads there.

    ``text`` is its content, of which ``focus`` (start and end) is meant.
    """

    root: Mapping
    path: Path
    on_key: bool
    text: str
    focus: tuple[int, int]


class Candidate(NamedTuple):
    """A place that can have made the text.

    ``line`` is the place in the template where that text is put in, which differs from ``span`` for values. ``sure``
    tells that nothing else was done to the text. ``given`` names the option when the value is in no file, ``path`` is
    that of the value.
    """

    span: Span
    line: Span
    sure: bool = True
    given: str = ""
    path: Path | None = None


class Miss(NamedTuple):
    """A line that makes the field from something unknown, or (``overridden``) from other values than were rendered.

    A ``vague`` one makes several fields, this one perhaps among them.
    """

    line: Span
    overridden: bool
    vague: bool = False


Found: TypeAlias = Iterator[Candidate | Miss]


class View(NamedTuple):
    """The outline that is walked, what names mean in it, and the chain of lines and nodes that led to a place.

    ``steps`` are those that are left to the whole search; ``depth`` counts the texts around the outline.
    """

    outline: Outline
    scope: ex.Scope
    target: Target
    steps: Iterator[int]
    depth: int = 0
    chain: tuple[tuple[tuple[Line, ...], Node], ...] = ()

    def may_go_on(self) -> bool:
        """Say whether the search may go on from here; asking takes a step."""
        return self.depth <= DEEPEST and next(self.steps, None) is not None


def pattern(text: str) -> re.Pattern[str]:
    """Return what a text with blotted actions matches, a group for each action."""
    parts = re.split(f"({YIELD}+)", text)
    return re.compile("".join("(.*)" if part[:1] == YIELD else re.escape(part) for part in parts), re.DOTALL)


def same(node: Scalar, text: str) -> bool:
    """Say whether a value, put into a template, can have become a text; Go writes numbers in its own way."""
    if node.text == text:
        return True
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return float(text) == value
    except ValueError:
        return False
