"""Nodes of one document, put together from what a parser meets in order.

Knows anchors, aliases, merge keys, repeated keys and how far all of that may go; knows no parser.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from efslint.text.source import Source
from efslint.yaml.node import Mapping, Node, Scalar, Sequence

MAX_DEPTH = 200
"""How deep collections may nest, aliases expanded: far more than manifests need, and safe for recursive readers."""

MAX_ALIASED = 400_000
"""How many nodes a document may reach through aliases; goyaml.v2 allows 396,000 to 400,000 (its ``decode.go``)."""

_BLANKS = " \t\r\n\x85\u2028\u2029"
_MERGE_TAG = "tag:yaml.org,2002:merge"

_Pairs = tuple[tuple[Node, Node], ...]


class YamlSyntaxError(Exception):
    """A document that is not YAML. ``message`` is for people, ``offset`` a character offset into the source's text."""

    def __init__(self, message: str, offset: int) -> None:
        """Keep the message and the place."""
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Anchored(NamedTuple):
    node: Node
    size: int  # nodes in it, aliases expanded
    height: int  # collections nested in it, itself included


class _Open:
    """A collection that has begun."""

    __slots__ = ("anchor", "deepest", "is_flow", "is_mapping", "items", "nested", "start", "tag")

    def __init__(self, items: list[Node], start: int, deepest: int) -> None:
        self.items = items  # in a mapping, keys and values in turn
        self.start = start
        self.deepest = deepest  # the depth of the deepest collection in it
        self.nested = 0  # the nodes within its items
        self.is_mapping = self.is_flow = False
        self.anchor: str | None = None
        self.tag: str | None = None


class Tree:
    """The document so far. ``items`` is where the next node goes: a parser appends plain scalars right there."""

    __slots__ = ("aliased", "anchors", "base", "end", "items", "source", "stack")

    def __init__(self, source: Source, base: int, end: int) -> None:
        """Begin a document of the characters ``base`` to ``end``; places given to the methods count from ``base``."""
        self.source = source
        self.base = base
        self.end = end
        self.items: list[Node] = []
        self.stack = [_Open(self.items, base, 0)]
        self.anchors: dict[str, _Anchored | None] = {}  # None while the node is not finished
        self.aliased = 0

    def scalar(self, start: int, end: int, text: str, style: str, tag: str | None, anchor: str | None) -> None:
        """Add a scalar that has a tag, an anchor or a block style, or is empty; all others need no help."""
        start, end = start + self.base, end + self.base
        start = min(self._after_properties(start, tag, anchor), end)
        if style in ("|", ">"):
            end = _block_end(self.source.text, start, end, text)
        elif start == end and tag is None and anchor is None:
            start = end = self._empty_place(start)
        node = Scalar(self.source, start, end, text, style, tag)
        if anchor is not None:
            self.anchors[anchor] = _Anchored(node, 1, 0)
        self.items.append(node)

    def open(self, start: int, is_mapping: bool, is_flow: bool, tag: str | None, anchor: str | None) -> None:
        """Begin a collection inside the present one."""
        depth = len(self.stack)
        if depth > MAX_DEPTH:
            raise YamlSyntaxError(f"nested more than {MAX_DEPTH} levels deep", start + self.base)
        self.items = []
        opened = _Open(self.items, self._after_properties(start + self.base, tag, anchor), depth)
        opened.is_mapping, opened.is_flow = is_mapping, is_flow
        opened.tag, opened.anchor = tag, anchor
        self.stack.append(opened)
        if anchor is not None:
            self.anchors[anchor] = None

    def close(self, end: int) -> None:
        """End the present collection; the end of one in block style is that of its last item, whatever is given."""
        opened = self.stack.pop()
        items = opened.items
        last = end + self.base if opened.is_flow or not items else max(items[-1].end, opened.start)
        node: Node
        if opened.is_mapping:
            pairs, shadowed = in_force(items)
            node = Mapping(self.source, opened.start, last, pairs, shadowed, opened.tag)
        else:
            node = Sequence(self.source, opened.start, last, tuple(items), opened.tag)
        size = 1 + len(items) + opened.nested
        if opened.anchor is not None:
            self.anchors[opened.anchor] = _Anchored(node, size, opened.deepest - len(self.stack) + 1)
        parent = self.stack[-1]
        parent.nested += size - 1
        parent.deepest = max(parent.deepest, opened.deepest)
        self.items = parent.items
        self.items.append(node)

    def alias(self, start: int, end: int, name: str) -> None:
        """Add the node that an alias names, at the alias' place; what is inside it keeps its own places."""
        start, end = start + self.base, end + self.base
        if name not in self.anchors:
            raise YamlSyntaxError("the alias names no anchor of this document", start)
        anchored = self.anchors[name]
        if anchored is None:
            raise YamlSyntaxError("the alias stands inside the node it names", start)
        node, size, height = anchored
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise YamlSyntaxError(f"aliases stand for more than {MAX_ALIASED} nodes", start)
        parent = self.stack[-1]
        depth = len(self.stack) - 1 + height
        if depth > MAX_DEPTH:
            raise YamlSyntaxError(f"nested more than {MAX_DEPTH} levels deep", start)
        parent.deepest = max(parent.deepest, depth)
        parent.nested += size - 1
        self.items.append(node._replace(start=start, end=end, anchor=(node.start, node.end)))

    def root(self) -> Node | None:
        """Return the finished document; ``None`` if it holds nothing, not even a written null."""
        root = self.items[0] if self.items else None
        is_nothing = type(root) is Scalar and root.start == root.end and root.tag is None and not self.anchors
        return None if is_nothing else root

    def _after_properties(self, start: int, tag: str | None, anchor: str | None) -> int:
        """Find where a node itself begins: parsers count its tag and its anchor as part of it."""
        for _ in range((tag is not None) + (anchor is not None)):
            match = re.compile(r"(?:!<[^>]*>|[!&][^\s,\[\]{}]*)(?:\s++(?:#[^\r\n]*)?)*+").match(
                self.source.text, start, self.end
            )
            start = start if match is None else match.end()
        return start

    def _empty_place(self, place: int) -> int:
        """Put what is not there right behind its ``:``, not behind the comments and blank lines that follow."""
        opened = self.stack[-1]
        if opened.is_mapping and len(opened.items) % 2:
            key_end = opened.items[-1].end
            colon = re.compile(r"[ \t]*:").match(self.source.text, key_end, place)
            if colon is not None:
                return colon.end()
            between = self.source.text[key_end:place]
            if "\n" in between and ":" not in between:
                return key_end
        return place


def in_force(items: list[Node]) -> tuple[_Pairs, _Pairs]:
    """Sort the keys and values of a mapping into the pairs that hold and those that lost to a later one.

    Of repeated keys the last holds. A merge key ``<<`` brings in the pairs of a mapping, or of a list of mappings in
    which the earlier goes before the later, right where it stands: it wins over keys before it and loses to those after
    it. That is what kubectl does (``mapping`` and ``merge`` in ``kubernetes-sigs/yaml:goyaml.v2/decode.go``), though
    https://yaml.org/type/merge.html lets a mapping's own keys win wherever they stand.
    """
    keys, values = items[::2], items[1::2]
    pairs = tuple(zip(keys, values, strict=True))
    names = {key.text for key in keys if type(key) is Scalar}
    if len(names) == len(keys) and "<<" not in names:
        return pairs, ()
    held: dict[str | int, tuple[Node, Node]] = {}
    own: dict[str | int, tuple[Node, Node]] = {}
    shadowed: list[tuple[Node, Node]] = []
    for pair in pairs:
        key = pair[0]
        if type(key) is Scalar and _is_merge(key):
            held.update(_merged(pair[1]))
            continue
        name = _name(key)
        if name in own:
            shadowed.append(own.pop(name))
        own[name] = held[name] = pair
    kept = tuple(pair for name, pair in own.items() if held[name] is pair)
    return (*kept, *(pair for name, pair in held.items() if own.get(name) is not pair)), tuple(shadowed)


def _name(key: Node) -> str | int:
    """Return what tells keys apart; collections, which JSON has no use for as keys, are told apart by their place."""
    return key.text if type(key) is Scalar else key.start


def _is_merge(key: Scalar) -> bool:
    return key.text == "<<" and key.anchor is None and (key.tag == _MERGE_TAG if key.tag else not key.style)


def _merged(value: Node) -> dict[str | int, tuple[Node, Node]]:
    found: dict[str | int, tuple[Node, Node]] = {}
    for mapping in reversed(value.items) if type(value) is Sequence else (value,):
        if type(mapping) is not Mapping:
            raise YamlSyntaxError("a merge key '<<' takes a mapping or a list of mappings", mapping.start)
        found.update((_name(pair[0]), pair) for pair in mapping.pairs)
    return found


def _block_end(text: str, start: int, end: int, content: str) -> int:
    if not content.strip(_BLANKS):
        header = re.compile(r"[|>][-+0-9]*").match(text, start, end)
        return end if header is None else header.end()
    while text[end - 1] in _BLANKS:
        end -= 1
    return end
