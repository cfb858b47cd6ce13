"""Mount options as somebody wrote them: from YAML nodes to single options, each with its exact place.

Knows the shapes a ``mountOptions`` value can have, right and wrong; what the options do is ``effective_options``.
"""

from __future__ import annotations

from typing import NamedTuple

from efslint.knowledge.options import Fault, OptionProblem, parse_option, split_options
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence


class WrittenOption(NamedTuple):
    """One option.

    ``text``, ``name`` and ``value`` are trimmed but keep their case. ``item`` counts the list items from 0,
    ``item_text`` is the whole item: several options may stand in one, joined by commas. ``span`` covers just this
    option, or the whole scalar where escapes or folding hide the place. ``problem`` is what is wrong with it as a word.
    """

    text: str
    name: str
    value: str | None
    span: Span
    item: int
    item_text: str
    problem: OptionProblem | None = None


class MalformedItem(NamedTuple):
    """Something that stands where an option should and is none. ``why`` reads after the text it is about."""

    span: Span
    text: str
    why: str


class WrittenList(NamedTuple):
    """What a ``mountOptions`` value holds. ``present`` is false where there is none, or null, which is the same."""

    options: tuple[WrittenOption, ...] = ()
    malformed: tuple[MalformedItem, ...] = ()
    present: bool = False


def mount_option_items(node: Node | None) -> WrittenList:
    """Read a ``mountOptions`` value, which should be a list of strings."""
    if node is None or (type(node) is Scalar and node.value is None):
        return WrittenList()
    if type(node) is not Sequence:
        why = (
            "is a mapping, not a list of strings"
            if type(node) is Mapping
            else "is a single value, not a list of strings"
        )
        return WrittenList((), (MalformedItem(node.span, _shown(node), why),), True)
    options: list[WrittenOption] = []
    malformed: list[MalformedItem] = []
    for index, item in enumerate(node.items):
        why_not = _not_an_item(item)
        if why_not is None and type(item) is Scalar:
            options.extend(_options_of(item, index))
        else:
            malformed.append(MalformedItem(item.span, _shown(item), why_not or ""))
    return WrittenList(tuple(options), tuple(malformed), True)


def comma_string(node: Node | None) -> WrittenList:
    """Read options written as one string with commas: the beta annotation, or csi-driver-nfs ``volumeAttributes``.

    Each piece is an item of its own, as kubelet splits the annotation (kubernetes/kubernetes:pkg/volume/util/util.go).
    """
    if node is None or (type(node) is Scalar and node.value is None):
        return WrittenList()
    if type(node) is not Scalar or not isinstance(node.value, str):
        return WrittenList((), (MalformedItem(node.span, _shown(node), "is not a string"),), True)
    pieces = _options_of(node, 0)
    items = tuple(
        WrittenOption(piece.text, piece.name, piece.value, piece.span, index, piece.text, piece.problem)
        for index, piece in enumerate(pieces)
    )
    return WrittenList(items, (), True)


def _not_an_item(item: Node) -> str | None:
    """Say why a list item is no option text, or ``None`` when it is one."""
    if type(item) is Mapping:
        return "is a mapping, not a string: write name=value"
    if type(item) is Sequence:
        return "is a list inside the list, not a string"
    if type(item) is Scalar and item.value is None:
        return "is null, not a string"
    if type(item) is Scalar and not isinstance(item.value, str):
        return "is not a string: a number or a boolean cannot be a mount option"
    if type(item) is Scalar and not split_options(item.text):
        return "is empty"
    return None


def _options_of(scalar: Scalar, index: int) -> tuple[WrittenOption, ...]:
    written = []
    for offset, piece in split_options(scalar.text):
        parsed = parse_option(piece)
        span = _piece_span(scalar, offset + piece.find(parsed.text), len(parsed.text))
        problem = parsed.problem
        if problem is not None and problem.fault is Fault.BLANKS and piece != scalar.text:
            span = _piece_span(scalar, offset, len(piece))
        written.append(WrittenOption(parsed.text, parsed.name, parsed.value, span, index, scalar.text, problem))
    return tuple(written)


def _piece_span(scalar: Scalar, offset: int, length: int) -> Span:
    """Find a part of a scalar's content in the source; the whole scalar where content and source differ."""
    raw = scalar.source.text[scalar.start : scalar.end]
    quote = 1 if scalar.style in ("'", '"') else 0
    if raw[quote : len(raw) - quote] != scalar.text:
        return scalar.span
    start = scalar.start + quote + offset
    return Span(scalar.source, start, start + length)


def _shown(node: Node) -> str:
    """Quote the first line of a node's source, for a message."""
    return node.span.one_line().text.strip()
