"""What a place in a rendered manifest is a part of: the object, the way there, and the text that is meant.

Knows nodes and spans; leaves where it comes from to ``trace``.
"""

from __future__ import annotations

from collections.abc import Iterable

from efslint.helm.views import Target
from efslint.kube.resources import Resource
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar, items, pairs

Path = tuple[str | int, ...]


def target_of(span: Span, resources: Iterable[Resource]) -> tuple[Resource, Target] | None:
    """Find the object around a place and what it is there; ``None`` for what is in no object, such as a comment."""
    for resource in resources:
        node = resource.node
        if node.source.path == span.source.path and node.start <= span.start < node.end:
            found = _within(node, node, span, ())
            return None if found is None else (resource, found)
    return None


def _within(root: Mapping, node: Node, span: Span, path: Path) -> Target | None:
    """Go down to the key or scalar at the start of a place; a collection is met at its first key or item."""
    while True:
        if type(node) is Mapping:
            key = next((key for key, _ in node.pairs if type(key) is Scalar and _holds(key, span)), None)
            if type(key) is Scalar:
                return Target(root, (*path, key.text), True, key.text, (0, len(key.text)))
        elif type(node) is Scalar:
            break
        found = next(((step, value) for step, value in _steps(node) if _holds(value, span)), None)
        if found is None:
            return None
        path, node = (*path, found[0]), found[1]
    return Target(root, path, False, node.text, _focus(node, span))


def _steps(node: Node) -> Iterable[tuple[str | int, Node]]:
    return pairs(node) if type(node) is Mapping else enumerate(items(node))


def _holds(node: Node, span: Span) -> bool:
    return node.start <= span.start < node.end or (node.start == node.end == span.start)


def _focus(node: Scalar, span: Span) -> tuple[int, int]:
    """Return the part of a scalar's text that a place covers; all of it where escapes or folding make that unclear."""
    raw = node.source.text[node.start + len(node.style) : node.end - len(node.style)]
    start, end = span.start - node.start - len(node.style), span.end - node.start - len(node.style)
    if raw != node.text or start < 0 or end > len(raw):
        return 0, len(node.text)
    return start, end
