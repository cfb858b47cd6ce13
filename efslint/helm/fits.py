"""Which lines of a template can have made a node of what was rendered.

Knows what lines always make and with which text; leaves walking to ``trace``.
"""

from __future__ import annotations

from collections.abc import Iterable

from efslint.helm.go_template import Opener
from efslint.helm.outline import CONTROL, YIELD, Line, Outline
from efslint.helm.views import View, pattern
from efslint.text.source import Source
from efslint.yaml.node import Mapping, Node, Scalar, child
from efslint.yaml.parser import YamlSyntaxError, parse_node


def holds_key(line: Line) -> bool:
    """Say whether an item has its first key on its own line."""
    return line.kind == "item" and any(line.value[0] <= each.key[0] < line.value[1] for each in line.children)


def fragment(view: View, start: int, end: int) -> Node | None:
    try:
        return parse_node(_blotted(view.outline), start, end)
    except YamlSyntaxError:
        return None


def _blotted(found: Outline) -> Source:
    return Source(found.body.source.path, found.text)


def key_fits(view: View, line: Line, key: str) -> bool:
    text = view.outline.text[line.key[0] : line.key[1]]
    if YIELD not in text:
        return text.strip("\"'") == key
    return pattern(text).fullmatch(key) is not None


def fits(
    view: View, lines: Iterable[Line], node: Node, scope: tuple[Opener, ...], depth: int, item: Node | None = None
) -> bool:
    """Say whether lines can have made a node: what they always make must be there, with the same literal text.

    Lines in conditions of their own need not be there. With ``item``, the one line is that of an item.
    """
    if depth > 4:
        return True
    for line in lines:
        if line.kind == "action" or line.scope != scope:
            continue
        inner = item
        if line.kind == "key":
            key = view.outline.text[line.key[0] : line.key[1]]
            if YIELD in key:
                continue
            inner = child(node, key.strip("\"'"))
        if inner is None:
            if line.kind == "key" and type(node) is Mapping:
                return False
            continue
        if not _line_fits(view, line, inner, depth):
            return False
    return True


def _line_fits(view: View, line: Line, node: Node, depth: int) -> bool:
    start, end = line.value
    text = view.outline.text[start:end]
    if text and not holds_key(line):
        if type(node) is not Scalar:
            return text[0] in "[{" or YIELD in text or text[0] in "&!"
        if text[0] in "|>[{&*!" or CONTROL in text:
            return True
        written = fragment(view, start, end)
        return type(written) is not Scalar or pattern(written.text).fullmatch(node.text) is not None
    if line.kind == "item" and type(node) is Scalar and holds_key(line):
        return False
    return type(node) is Scalar or fits(view, line.children, node, line.scope, depth + 1)
