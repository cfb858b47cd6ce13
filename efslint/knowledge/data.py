"""Data that ships beside the code: where it is read, and how its entries are checked against the keys they may have.

Knows files of this package and the shape of entries; what the entries mean is left to the modules that read them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence
from efslint.yaml.parser import parse_node


class KnowledgeError(Exception):
    """An entry that is not as it must be. ``span`` is the place to change."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def data_text(name: str) -> str:
    """Return the text of a file that lies beside this module."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def data_node(name: str) -> Mapping:
    """Parse a file that lies beside this module; it holds one mapping."""
    source = Source(name, data_text(name))
    node = parse_node(source, 0, len(source.text))
    if type(node) is not Mapping:
        raise KnowledgeError(f"{name} is not a mapping", Span(source, 0, len(source.text)))
    return node


class Entry(NamedTuple):
    """One mapping whose keys are known in advance."""

    node: Mapping
    values: dict[str, Node]

    def word(self, key: str, default: str | None = None) -> str:
        """Return a text; without a default the key is required."""
        node = self.values.get(key)
        if node is None:
            if default is None:
                raise KnowledgeError(f"{key} is missing", self.node.span)
            return default
        return scalar_text(node, key)

    def words(self, key: str) -> tuple[str, ...]:
        """Return the items of a list of texts; a single text is split at blanks."""
        node = self.values.get(key)
        return () if node is None else words(node, key)

    def number(self, key: str) -> int | None:
        """Return an integer, ``None`` where the key is absent."""
        node = self.values.get(key)
        if node is None:
            return None
        value = node.value if type(node) is Scalar else None
        if type(value) is not int:
            raise KnowledgeError(f"{key} must be a number", node.span)
        return value

    def choice(self, key: str, choices: Iterable[str], default: str) -> str:
        """Return a text that must be one of the given ones."""
        node = self.values.get(key)
        if node is None:
            return default
        found, known = scalar_text(node, key), tuple(choices)
        if found not in known:
            raise KnowledgeError(f"{key} must be one of {', '.join(known)}, not {found}", node.span)
        return found

    def items(self, key: str) -> tuple[Node, ...]:
        """Return the items of a list; none where the key is absent."""
        node = self.values.get(key)
        if node is None:
            return ()
        if type(node) is not Sequence:
            raise KnowledgeError(f"{key} must be a list", node.span)
        return node.items

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return a mapping from text to text as pairs; none where the key is absent."""
        node = self.values.get(key)
        if node is None:
            return ()
        if type(node) is not Mapping:
            raise KnowledgeError(f"{key} must be a mapping", node.span)
        return tuple((scalar_text(name, key), scalar_text(value, key)) for name, value in node.pairs)


def entry(node: Node, known: Iterable[str], what: str) -> Entry:
    """Read a mapping that may have the given keys and no others; ``what`` names it in errors."""
    if type(node) is not Mapping:
        raise KnowledgeError(f"{what} must be a mapping", node.span)
    keys = tuple(known)
    values: dict[str, Node] = {}
    for name, value in node.pairs:
        key = name.text if type(name) is Scalar else None
        if key not in keys:
            shown = name.span.one_line().text if key is None else key
            from difflib import get_close_matches  # takes time to import, and only errors need it

            near = get_close_matches(shown, keys, 1)
            hint = f", did you mean {near[0]}?" if near else f", known are {', '.join(keys)}"
            raise KnowledgeError(f"unknown key {shown} in {what}{hint}", name.span)
        if not (type(value) is Scalar and value.value is None):
            values[key] = value
    return Entry(node, values)


def scalar_text(node: Node, key: str) -> str:
    """Return the text of a scalar; anything else is an error about ``key``."""
    if type(node) is not Scalar:
        raise KnowledgeError(f"{key} must be text", node.span)
    return node.text


def words(node: Node, key: str) -> tuple[str, ...]:
    """Return the items of a list of texts; a single text is split at blanks."""
    if type(node) is Sequence:
        return tuple(scalar_text(item, key) for item in node.items)
    return tuple(scalar_text(node, key).split())
