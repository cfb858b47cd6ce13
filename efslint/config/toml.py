"""The table ``tool.efslint`` of a ``pyproject.toml``, as the nodes that a YAML file would give.

Knows TOML. ``tomllib`` gives values without places, so places are searched for in the text afterwards: a key that
stands at the start of a line is found exactly, what is nested in one line by its spelling, and anything else is placed
at the key above it.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from efslint.config.model import ConfigError
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence

TABLE = ("tool", "efslint")

Place: TypeAlias = tuple[int, int]
Route: TypeAlias = tuple[str | int, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEY = re.compile(rf"[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*=")
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\]")
_NAME = re.compile(_PART)
_WHERE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


class _Places(NamedTuple):
    """Where the keys are that begin a line, by their route, and all of their beginnings in order."""

    source: Source
    keys: dict[Route, Place]
    starts: tuple[int, ...]


def toml_table(source: Source) -> Node:
    """Return the table ``tool.efslint``. Raises ``ConfigError`` for broken TOML, and if there is no such table."""
    try:
        document = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(source, str(error)) from None
    tool = document.get("tool")
    if not isinstance(tool, dict) or "efslint" not in tool:
        raise ConfigError("there is no table [tool.efslint]", Span(source, 0, 0))
    keys: dict[Route, Place] = {}
    for route, place in _keys(source):
        keys.setdefault(route, place)
    places = _Places(source, keys, tuple(sorted({start for start, _ in keys.values()})))
    return _node(places, tool["efslint"], TABLE, keys.get(TABLE, (0, 0)))


def _broken(source: Source, message: str) -> ConfigError:
    where = _WHERE.search(message)
    offset = len(source.text)
    if where is not None and where[1] is not None:
        offset = min(source.line_starts[int(where[1]) - 1] + int(where[2]) - 1, offset)
    plain = _WHERE.sub("", message)
    return ConfigError(f"not TOML: {plain[:1].lower()}{plain[1:]}", Span(source, offset, offset))


def _keys(source: Source) -> Iterator[tuple[Route, Place]]:
    """Yield every key and table header that begins a line, and what it leads through."""
    table: Route = ()
    counts: dict[Route, int] = {}
    for start in source.line_starts:
        if header := _HEADER.match(source.text, start):
            table = ()
            for name, place in _parts(source, header.span(2)):
                table = (*table, name)
                yield table, place
                if header[1] == "[" and table in counts:
                    table = (*table, counts[table])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
                yield table, header.span(2)
        elif key := _KEY.match(source.text, start):
            route = table
            for name, place in _parts(source, key.span(1)):
                route = (*route, name)
                yield route, place


def _parts(source: Source, place: Place) -> Iterator[tuple[str, Place]]:
    for match in _NAME.finditer(source.text, *place):
        quoted = match[0][0] in "\"'"
        name = tomllib.loads(f"x = {match[0]}")["x"] if quoted else match[0]
        yield name, match.span()


def _node(places: _Places, value: Any, route: Route, near: Place) -> Node:
    """Build the node of a value; ``near`` is the place of its key or of what stands before it."""
    source = places.source
    if isinstance(value, dict):
        pairs: list[tuple[Node, Node]] = []
        for name, inner in value.items():
            place = places.keys.get((*route, name)) or _search(places, name, near)
            key = Scalar(source, *place, name, '"')
            pairs.append((key, _node(places, inner, (*route, name), place)))
        return Mapping(source, *near, tuple(pairs))
    if isinstance(value, list):
        items: list[Node] = []
        before = near
        for index, inner in enumerate(value):
            item = _node(places, inner, (*route, index), places.keys.get((*route, index), before))
            items.append(item)
            before = (item.start, item.end)
        return Sequence(source, *near, tuple(items))
    if isinstance(value, bool | int | float):
        text = str(value).lower()
        return Scalar(source, *_search(places, text, near), text)
    return Scalar(source, *_search(places, str(value), near), str(value), '"')


def _search(places: _Places, text: str, near: Place) -> Place:
    """Find what is written behind a place and before the next line that begins with a key; else return the place."""
    following = bisect_right(places.starts, near[1])
    limit = places.starts[following] if following < len(places.starts) else len(places.source.text)
    found = places.source.text.find(text, near[1], limit) if text else -1
    return (found, found + len(text)) if found >= 0 else near
