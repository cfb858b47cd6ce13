"""Template text in the place of YAML.

Knows how Go (Helm) and Jinja templates look and where in a file they keep it from being a manifest. What is done
about one is left to the caller. Braces inside quoted and block scalars are data: Prometheus rules, Argo workflows and
dashboards are full of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence

# Patterns are compiled when they are used: few runs meet a template.
_LINE = r"[^\r\n]+"
_BLOCK_HEADER = r"(?:^|[:\-?][ \t]+|(?<!\S)[!&]\S*[ \t]+)[|>][-+0-9]{0,2}[ \t]*(?:[ \t]#.*)?$"
_QUOTED = r"""(?<![^\s\[{,:(])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
_COMMENT = r"(?:^|[ \t])#.*"
_OPENING = r"\{\{|\{%|\{#"
_UNCLOSED = r"""(?:^[ \t]*|[:\-?][ \t]+|(?<!\S)[!&]\S*[ \t]+)(["'])"""

_GO = (
    r"\{\{-|\{\{\s*(?:/\*|\.|\$|\(|"
    r"(?:if|else|end|range|with|define|template|include|block|toYaml|tpl|required|default|printf|quote|lookup|ternary)\b)"
)


class Template(NamedTuple):
    """The first piece of template text, the characters ``start`` to ``end``, and the language it seems to be in."""

    language: Literal["helm", "jinja"]
    start: int
    end: int


def find_template(text: str) -> Template | None:
    """Find template text that keeps a text from being a manifest.

    Meant for text that a YAML parser refused. Counts what stands where YAML expects a line, a key, a value or an item
    of its own; within a plain scalar braces are text. Text that only has placeholders
    such as ``${NAME}`` is no template.
    """
    if not re.search(_OPENING, text):
        return None
    for line in _structural_lines(text):
        found = _in_line(line)
        if found is not None:
            at, language = found
            return Template(language, line.start + at, line.start + _end(line.text, at))
    return None


def has_template_keys(node: Node) -> Span | None:
    """Find a ``{{ name }}`` that YAML reads as a flow mapping whose key is a flow mapping.

    Returns the place of the first that is met, braces included. Every node is visited once, aliases are not followed.
    """
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.anchor is not None or isinstance(node, Scalar):
            continue
        if isinstance(node, Sequence):
            waiting += reversed(node.items)
        else:
            inner = any(type(key) is Mapping and key.start == node.start + 1 for key, _ in node.pairs)
            if inner and node.source.text.startswith("{{", node.start):
                return node.span
            for pair in reversed(node.pairs):
                waiting += reversed(pair)
    return None


class _Line(NamedTuple):
    start: int
    text: str
    continues: bool  # it may be the next line of a plain scalar


def _structural_lines(text: str) -> Iterator[_Line]:
    """Yield the lines that hold YAML structure: no comments, no insides of block scalars, no ends of quoted ones."""
    block: int | None = None
    quote: tuple[str, int] | None = None
    scalar: int | None = None  # the indentation of a line that ended with a plain scalar
    for match in re.finditer(_LINE, text):
        line = match[0]
        body = line.lstrip(" \t")
        indent = len(line) - len(body)
        if not body or body[0] == "#" or (block is not None and indent > block):
            continue
        block = None
        if quote is not None and indent > quote[1]:
            if re.search(r"(?<!\\)(?:\\\\)*" + quote[0], line):
                quote = None
            continue
        yield _Line(match.start(), line, scalar is not None and indent > scalar)
        plain = _plain(line)
        opened = re.search(_UNCLOSED, plain)
        quote = None if opened is None else (opened[1], indent)
        if re.search(_BLOCK_HEADER, plain):
            block = _parent_indent(line, indent)
        if scalar is None or indent <= scalar:
            ends_open = plain.rstrip()[-1:] in (":", "-", "") or block is not None
            scalar = None if ends_open else indent


def _plain(line: str) -> str:
    return re.sub(_COMMENT, "", re.sub(_QUOTED, lambda quoted: "_" * len(quoted[0]), line))


def _parent_indent(line: str, indent: int) -> int:
    """Return the indentation that the lines of a block scalar must exceed: that of its key, behind any ``- ``."""
    dashes = re.compile(r"(?:-[ \t]+)*").match(line, indent)
    after = indent if dashes is None else dashes.end()
    return indent if line[after : after + 1] in "|>" else after


def _in_line(line: _Line) -> tuple[int, Literal["helm", "jinja"]] | None:
    text = line.text
    for quoted in re.finditer(_QUOTED, text):
        inside = quoted[0]
        if inside.count("{{") > inside.count("}}") and re.search(_GO, inside):
            return quoted.start() + inside.index("{{"), "helm"  # quotes within the braces ended the scalar
    plain = _plain(text)
    opening = re.search(_OPENING, plain)
    if opening is None:
        return None
    at = opening.start()
    if not _is_own(plain[:at]) or (line.continues and not plain[:at].strip()):
        return None
    if opening[0] == "{#" and "#}" not in text:
        return None
    return at, "helm" if re.compile(_GO).match(text, at) else "jinja"


def _is_own(before: str) -> bool:
    """Tell whether what follows is a line, key, value or item of its own rather than part of a plain scalar."""
    return (
        re.fullmatch(
            r"(?:[ \t]|[-?][ \t])*+(?:[^\s#\[{][^#\[{]*?:[ \t]++)?(?:[!&]\S+[ \t]++)?(?:[\[{].*[\[{,:])?[ \t]*", before
        )
        is not None
    )


def _end(line: str, at: int) -> int:
    close = {"{{": "}}", "{%": "%}", "{#": "#}"}[line[at : at + 2]]
    end = line.find(close, at)
    return len(line.rstrip()) if end < 0 else end + 2
