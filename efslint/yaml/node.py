"""Parsed YAML: three kinds of node, each with its exact place in the text.

Knows YAML; leaves reading it to ``parser`` and what the values mean to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from efslint.text.source import Source, Span
from efslint.yaml.scalars import Plain, typed

# Named tuples, not frozen dataclasses: a parse makes one node per scalar, and a named tuple is made in a
# third of the time.


class Scalar(NamedTuple):
    """A scalar. ``text`` is its content after unfolding and unescaping, before any typing.

    ``style`` is ``""`` (plain), ``"'"``, ``'"'``, ``"|"`` or ``">"``. ``tag`` is the explicit tag, if one is written.
    A node that was reached through an alias has the alias' place, and ``anchor`` is the place of what it names.
    """

    source: Source
    start: int
    end: int
    text: str
    style: str = ""
    tag: str | None = None
    anchor: tuple[int, int] | None = None

    @property
    def span(self) -> Span:
        """Where the scalar is written, its quotes included."""
        return Span(self.source, self.start, self.end)

    @property
    def value(self) -> Plain:
        """The value as Kubernetes' YAML library types it."""
        return typed(self.text, self.style, self.tag)


class Sequence(NamedTuple):
    """A sequence, in block or flow style."""

    source: Source
    start: int
    end: int
    items: tuple[Node, ...]
    tag: str | None = None
    anchor: tuple[int, int] | None = None

    @property
    def span(self) -> Span:
        """From the first character of the sequence to the last of its last item."""
        return Span(self.source, self.start, self.end)


class Mapping(NamedTuple):
    """A mapping. ``pairs`` is what is in force: merge keys expanded, of repeated keys the last.

    ``shadowed`` holds the pairs that lost to a later one of the same key in the same mapping (not those that
    lost to a merge, which is how merge keys are meant to be used).
    """

    source: Source
    start: int
    end: int
    pairs: tuple[tuple[Node, Node], ...]
    shadowed: tuple[tuple[Node, Node], ...] = ()
    tag: str | None = None
    anchor: tuple[int, int] | None = None

    @property
    def span(self) -> Span:
        """From the first key to the last character of the last value."""
        return Span(self.source, self.start, self.end)

    def get(self, key: str) -> Node | None:
        """Return the value of a key, compared by the key's text, as JSON keys are text."""
        for name, value in self.pairs:
            if type(name) is Scalar and name.text == key:
                return value
        return None

    def key(self, key: str) -> Scalar | None:
        """Return the key itself, for its place."""
        for name, _ in self.pairs:
            if type(name) is Scalar and name.text == key:
                return name
        return None


Node: TypeAlias = Scalar | Sequence | Mapping


def child(node: Node | None, *route: str | int) -> Node | None:
    """Follow keys and indexes from a node; ``None`` where the route ends or a kind does not fit."""
    for step in route:
        if type(node) is Mapping and isinstance(step, str):
            node = node.get(step)
        elif type(node) is Sequence and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def text(node: Node | None, *route: str | int) -> str | None:
    """Return the text of a scalar that is there and not null, else ``None``.

    The source text, not the typed value: a name such as ``1e3`` or ``on`` is a name.
    """
    node = child(node, *route)
    if type(node) is not Scalar or node.value is None:
        return None
    return node.text


def items(node: Node | None, *route: str | int) -> tuple[Node, ...]:
    """Return the items of a sequence; none where there is no sequence."""
    node = child(node, *route)
    return node.items if type(node) is Sequence else ()


def pairs(node: Node | None, *route: str | int) -> Iterator[tuple[str, Node]]:
    """Yield the pairs of a mapping whose keys are scalars; none where there is no mapping."""
    node = child(node, *route)
    if type(node) is Mapping:
        for key, value in node.pairs:
            if type(key) is Scalar:
                yield key.text, value


def plain(node: Node) -> object:
    """Turn a node into JSON-like values: ``dict`` with text keys, ``list``, and typed scalars."""
    if type(node) is Scalar:
        return node.value
    if type(node) is Sequence:
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in pairs(node)}
