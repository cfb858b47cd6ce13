"""The outline of a template: which lines make which keys and items, however many actions stand among them.

A template is no YAML, but people indent it like the YAML that comes out. Knows lines, indentation and actions; leaves
what the actions yield to ``expressions`` and comparing with rendered manifests to ``trace``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from efslint.helm.go_template import Action, Body, Opener, actions

# Put in the place of actions, character for character: those that yield text, and the others. YAML takes both.
YIELD, CONTROL = "\ue000", "\ue001"
_KEY = r"\"[^\"]*\"|'[^']*'|[^\s:#{\[\"'-][^:#]*?|-[^\s:][^:#]*?"
_LINE = (
    rf"(?P<indent>[ {CONTROL}]*)(?P<dashes>(?:-[ {CONTROL}]+)*(?:-$)?)"
    rf"(?:(?P<key>{_KEY})[ \t]*:(?=[ \t{CONTROL}]|$))?(?P<rest>.*)"
)
_INDENT = r"\b(?P<how>nindent|indent)\s+(?P<width>\d+)\s*$"


@dataclass(slots=True)
class Line:
    """A key with what is below it, an item, or an action in the place of lines.

    ``key`` and ``value`` are ranges of the text; that of the value may be empty, and has no comment. ``scope`` is what
    encloses the line.
    """

    kind: Literal["key", "item", "action"]
    indent: int
    key: tuple[int, int]
    value: tuple[int, int]
    scope: tuple[Opener, ...]
    children: list[Line] = field(default_factory=list)


class Outline(NamedTuple):
    """The documents of a template; ``text`` is as long as that of its source, with actions blotted out."""

    body: Body
    text: str
    documents: tuple[Line, ...]


@cache
def outline(body: Body) -> Outline:
    """Return the outline of a template, a named template or a text that is used as one."""
    found = actions(body)
    text = _blotted(body, found)
    lines = [line for line in _lines(body, text, found) if not any(each.keyword == "define" for each in line.scope)]
    documents: list[Line] = []
    stack: list[Line] = []
    root = _root()
    for line in lines:
        if line.kind == "key" and text[line.key[0] : line.key[1]] == "---":
            documents.append(root)
            root, stack = _root(), []
            continue
        _place(line, root, stack)
    documents.append(root)
    documents = [each for each in documents if each.children]
    for each in documents:  # what encloses a document as a whole is no condition within it
        each.scope = min((line.scope for line in each.children), key=len)
    return Outline(body, text, tuple(documents))


def _root() -> Line:
    return Line("key", -1, (0, 0), (0, 0), ())


def _blotted(body: Body, found: tuple[Action, ...]) -> str:
    text, pieces, at = body.source.text, [], 0
    for action in found:
        pieces += [text[at : action.start], (CONTROL if action.keyword else YIELD) * (action.end - action.start)]
        at = action.end
    return "".join((*pieces, text[at:]))


def _lines(body: Body, text: str, found: tuple[Action, ...]) -> list[Line]:
    lines: list[Line] = []
    ends = [action.end for action in found]
    number = 0
    for match in re.compile(r"[^\r\n]+").finditer(text, body.start, body.end):
        content = match[0].lstrip(" " + CONTROL)
        start = match.end() - len(content)
        while number < len(found) and ends[number] <= start:
            number += 1
        scope = found[number - 1].after if number else ()
        if content.startswith("---"):
            lines.append(Line("key", -1, (start, start + 3), (start, start), scope))
        elif content and not content.startswith("#"):
            lines.extend(_line(match, scope, found))
    return lines


def _line(match: re.Match[str], scope: tuple[Opener, ...], found: tuple[Action, ...]) -> list[Line]:
    text, start = match.string, match.start()
    parts = re.compile(_LINE).match(text, start, match.end())
    assert parts is not None  # everything in it is optional
    lines: list[Line] = []
    column = parts["indent"].count(" ")
    for dash in re.finditer("-", parts["dashes"]):
        at = parts.start("dashes") + dash.start()
        inner = text[at + 1 : match.end()]
        begin = at + 1 + len(inner) - len(inner.lstrip(" " + CONTROL))
        lines.append(Line("item", column, (at, at + 1), _trimmed(text, begin, match.end()), scope))
        column += 1 + text[at + 1 : begin].count(" ")
    rest = _trimmed(text, *parts.span("rest"))
    if parts["key"] is not None:
        lines.append(Line("key", column, parts.span("key"), rest, scope))
    elif not lines and set(text[rest[0] : rest[1]]) == {YIELD}:
        lines.append(Line("action", _width(rest[0], found, column), rest, rest, scope))
    return lines


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut blanks, what yields nothing, and a comment from both ends of a range."""
    comment = re.compile(r"(?:^|[ \t])#(?![^\"']*[\"'][ \t]*$).*").search(text, start, end)
    end = end if comment is None else comment.start()
    part = text[start:end]
    start += len(part) - len(part.lstrip(" \t" + CONTROL))
    return start, max(start, start + len(text[start:end].rstrip(" \t" + CONTROL)))


def _width(start: int, found: tuple[Action, ...], column: int) -> int:
    """Return how far an action indents what it yields."""
    action = next((each for each in found if each.start == start), None)
    indent = re.search(_INDENT, action.body) if action is not None else None
    if indent is None:
        return column
    return int(indent["width"]) + (column if indent["how"] == "indent" else 0)


def _place(line: Line, root: Line, stack: list[Line]) -> None:
    """Hang a line below the one that it is indented under; items may stand right below their key."""
    while stack and (
        stack[-1].indent > line.indent or (stack[-1].indent == line.indent and not _holds(stack[-1], line))
    ):
        stack.pop()
    parent = stack[-1] if stack else root
    parent.children.append(line)
    if line.kind == "action" and stack and stack[-1].indent == line.indent:
        # It may as well be a neighbour of the key that it could be the value of.
        above = stack[-2] if len(stack) > 1 else root
        above.children.append(line)
    else:
        stack.append(line)


def _holds(parent: Line, line: Line) -> bool:
    empty = parent.kind == "key" and parent.value[0] == parent.value[1]
    return empty and line.kind != "key" and parent.indent == line.indent


def value_actions(found: Outline, start: int, end: int) -> tuple[Action, ...]:
    """Return the actions within a range that yield text."""
    return tuple(each for each in actions(found.body) if start <= each.start and each.end <= end and not each.keyword)
