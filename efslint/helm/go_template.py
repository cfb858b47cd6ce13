"""Go templates: where the actions of a text stand, what encloses each of them, and what their expressions are.

Knows the syntax of text/template (https://pkg.go.dev/text/template); leaves what an expression yields to
``expressions`` and what a text becomes to ``outline``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from efslint.text.source import Source, Span

_BODY = r"(?:\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|(?!-?\}\}|\{\{).)*+"
_ACTION = rf"\{{\{{-?(?:\s*/\*.*?\*/\s*|(?P<body>{_BODY}))-?\}}\}}"
_TOKEN = (
    r"(?P<string>\"(?:[^\"\\]|\\.)*\"|`[^`]*`)|(?P<assign>:=|=)|(?P<punctuation>[()|,])"
    r"|(?P<number>'(?:[^'\\]|\\.)+'|[-+]?\d[\w.]*)|(?P<chain>\$\w*|\.(?![\w.])|(?=\.\w))|(?P<word>\w+)|(?P<field>\.\w+)"
)
_OPENERS = ("if", "with", "range", "define", "block")


class Body(NamedTuple):
    """A text with actions: the characters ``start`` to ``end`` of a source."""

    source: Source
    start: int
    end: int


class Opener(NamedTuple):
    """What encloses an action: ``if``, ``with``, ``range`` and the expression behind it, which stands at ``at``.

    ``branch`` counts the ``else`` before the action; in a branch of its own the dot is what it was outside.
    """

    keyword: str
    expression: str
    at: int
    offset: int
    branch: int = 0


class Action(NamedTuple):
    """One ``{{ … }}``, the characters ``start`` to ``end``. ``body`` is what stands in it, from ``offset`` on.

    ``scope`` is what encloses it, ``after`` what encloses the text behind it. ``keyword`` is ``if``, ``end`` and the
    like, ``:=`` for an assignment, ``/*`` for a comment, and empty for what yields text.
    """

    start: int
    end: int
    keyword: str
    body: str
    offset: int
    scope: tuple[Opener, ...]
    after: tuple[Opener, ...]


class Field(NamedTuple):
    """A chain: ``.a.b`` of the dot (``base`` is ``.``), of a variable (``$``, ``$x``), or of an expression."""

    base: str | Expression
    names: tuple[str, ...]


class Literal(NamedTuple):
    """A string, number or constant, and where it stands."""

    text: str
    span: Span


class Call(NamedTuple):
    """A function and its arguments, what was piped into it as the last."""

    name: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = Field | Literal | Call


@cache
def _action() -> re.Pattern[str]:
    return re.compile(_ACTION, re.DOTALL)


@cache
def _token() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_TOKEN})", re.DOTALL)


@cache
def actions(body: Body) -> tuple[Action, ...]:
    """Return the actions of a text in order, each with what encloses it."""
    return tuple(_actions(body))


@cache
def defines(source: Source) -> dict[str, Body]:
    """Return the named templates that a file defines."""
    if "define" not in source.text and "block" not in source.text:
        return {}
    found: dict[str, Body] = {}
    open_: dict[int, tuple[str, int]] = {}
    for action in actions(Body(source, 0, len(source.text))):
        if action.keyword in ("define", "block"):
            name = re.match(r"\s*(?:\"([^\"]+)\"|`([^`]+)`)", action.body)
            if name is not None:
                open_[action.start] = (name[1] or name[2], action.end)
        elif action.keyword == "end" and action.scope and action.scope[-1].offset in open_:
            named, start = open_.pop(action.scope[-1].offset)
            found[named] = Body(source, start, action.start)
    return found


def _actions(body: Body) -> Iterator[Action]:
    stack: list[Opener] = []
    for match in _action().finditer(body.source.text, body.start, body.end):
        keyword, text, offset = _keyword(match)
        scope = tuple(stack)
        if keyword in _OPENERS:
            stack.append(Opener(keyword, text, offset, match.start()))
        elif keyword == "else" and stack:
            opener = stack[-1]
            stack[-1] = opener._replace(branch=opener.branch + 1)
            chained = re.match(r"\s*with\b", text)
            if chained is not None:  # "else with", since Go 1.23
                stack[-1] = Opener("with", text[chained.end() :], offset + chained.end(), opener.offset)
        elif keyword == "end" and stack:
            stack.pop()
        yield Action(*match.span(), keyword, text, offset, scope, tuple(stack))


def _keyword(match: re.Match[str]) -> tuple[str, str, int]:
    body = match["body"]
    if body is None:
        return "/*", "", match.start()
    word = re.match(r"\s*(if|with|range|define|block|else|end|break|continue)\b", body)
    if word is not None:
        return word[1], body[word.end() :], match.start("body") + word.end()
    assigned = re.match(r"\s*\$\w+\s*:?=", body)
    return (":=" if assigned else ""), body, match.start("body")


def parse_expression(source: Source, text: str, offset: int) -> Expression | None:
    """Parse an expression that stands at an offset of a source; ``None`` if it is none."""
    tokens = [*_tokens(text)]
    found, at = _pipeline(source, offset, tokens, 0)
    return found if at == len(tokens) else None


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _token().match(text, at, end)
        if match is None or match.lastgroup is None:
            yield _Token("error", text[at:], at)
            return
        yield _Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        at = match.end()
        if match.lastgroup == "chain" or match[match.lastgroup] == ")":
            # Fields belong to what they follow only without a blank between.
            while (more := re.compile(r"\.\w+").match(text, at, end)) is not None:
                yield _Token("field", more[0], more.start())
                at = more.end()


def _pipeline(source: Source, offset: int, tokens: list[_Token], at: int) -> tuple[Expression | None, int]:
    value: Expression | None = None
    while True:
        command, at = _command(source, offset, tokens, at)
        if not command:
            return None, at
        if value is not None:
            command.append(value)
        head = command[0]
        value = Call(head.name, tuple(command[1:])) if isinstance(head, Call) and not head.arguments else head
        if at < len(tokens) and tokens[at].text == "|" and tokens[at].kind == "punctuation":
            at += 1
            continue
        return value, at


def _command(source: Source, offset: int, tokens: list[_Token], at: int) -> tuple[list[Expression], int]:
    found: list[Expression] = []
    while at < len(tokens):
        kind, text, start = tokens[at]
        span = Span(source, offset + start, offset + start + len(text))
        operand: Expression | None
        if kind == "string":
            operand, at = Literal(_unquoted(text), span), at + 1
        elif kind == "number" or text in ("true", "false", "nil"):
            operand, at = Literal(text, span), at + 1
        elif kind == "word":
            operand, at = Call(text, ()), at + 1
        elif kind == "chain":
            names, at = _fields(tokens, at + 1)
            operand = Field(text or ".", names)
        elif text == "(" and kind == "punctuation":
            operand, at = _pipeline(source, offset, tokens, at + 1)
            if operand is None or at >= len(tokens) or tokens[at].text != ")":
                return [], len(tokens) + 1
            names, at = _fields(tokens, at + 1)
            operand = Field(operand, names) if names else operand
        else:
            return found, at
        found.append(operand)
    return found, at


def _fields(tokens: list[_Token], at: int) -> tuple[tuple[str, ...], int]:
    names: list[str] = []
    while at < len(tokens) and tokens[at].kind == "field":
        names.append(tokens[at].text[1:])
        at += 1
    return tuple(names), at


def _unquoted(text: str) -> str:
    if text.startswith("`"):
        return text[1:-1]
    return re.sub(r"\\(.)", lambda escaped: {"n": "\n", "t": "\t"}.get(escaped[1], escaped[1]), text[1:-1])
