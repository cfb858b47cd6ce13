"""A text to its documents.

Decides what is JSON and what is YAML, keeps a broken document from harming its neighbours, and parses only what is
wanted. Leaves to others what a document means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from efslint.text.source import Source, Span
from efslint.yaml.node import Node
from efslint.yaml.parser import YamlSyntaxError, check_syntax, parse_node
from efslint.yaml.split import Part, is_blank, split

if TYPE_CHECKING:
    from efslint.yaml.json_text import JsonValue

_JSON = r"[ \t\r\n]*[\[{]"
_LIKE_JSON = r'\s*(?:\{\s*["}]|\[\s*[]\["{])'


class Document(NamedTuple):
    """One document, the characters ``start`` to ``end`` of its source; ``index`` counts all documents from 0.

    ``root`` is ``None`` where the document was not wanted (its syntax is sound all the same) and where it is ``empty``.
    """

    source: Source
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    start: int
    end: int
    root: Node | None
    empty: bool


class SyntaxProblem(NamedTuple):
    """A document that could not be read. ``span``, one character or more within it, is where reading failed."""

    source: Source
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    start: int
    end: int
    span: Span
    message: str


def read_documents(source: Source, wanted: Callable[[str], bool]) -> Iterator[Document | SyntaxProblem]:
    """Yield the documents of a YAML stream, a JSON text, concatenated JSON or one JSON value per line.

    ``wanted`` is asked with the text of every document that is not empty; only those it wants are turned into nodes,
    all are checked for syntax. Never raises for what the text holds.
    """
    parts = list(split(source.text))
    values = _json_values(source.text) if len(parts) == 1 and re.match(_JSON, source.text) else []
    if values and _is_best_as_json(source, values):
        yield from (_json_document(source, index, value, wanted) for index, value in enumerate(values))
    else:
        yield from (_yaml_document(source, index, part, wanted) for index, part in enumerate(parts))


def _json_values(text: str) -> list[JsonValue]:
    from efslint.yaml.json_text import read_values

    return list(read_values(text))


def _is_best_as_json(source: Source, values: list[JsonValue]) -> bool:
    """Tell whether to take a text as JSON: it is, or it looks so and is not YAML either."""
    if all(value.message is None for value in values):
        return True
    if re.match(_LIKE_JSON, source.text) is None:
        return False
    try:
        check_syntax(source, 0, len(source.text))
    except YamlSyntaxError:
        return True
    return False


def _json_document(
    source: Source, index: int, value: JsonValue, wanted: Callable[[str], bool]
) -> Document | SyntaxProblem:
    from efslint.yaml.json_text import build_json

    start, end, message, offset = value
    if message is not None:
        return _problem(source, index, Part(start, end), message, offset)
    try:
        root = build_json(source, start, end) if wanted(source.text[start:end]) else None
    except YamlSyntaxError as error:
        return _problem(source, index, Part(start, end), error.message, error.offset)
    return Document(source, index, start, end, root, empty=False)


def _yaml_document(source: Source, index: int, part: Part, wanted: Callable[[str], bool]) -> Document | SyntaxProblem:
    start, end, stray = part
    if stray:
        message = "text after the end of a document '...' needs '---' before it"
        return _problem(source, index, part, message, start)
    if is_blank(source.text, start, end):
        return Document(source, index, start, end, None, empty=True)
    root = None
    try:
        if wanted(source.text[start:end]):
            root = parse_node(source, start, end)
            return Document(source, index, start, end, root, empty=root is None)
        check_syntax(source, start, end)
    except YamlSyntaxError as error:
        return _problem(source, index, part, error.message, error.offset)
    return Document(source, index, start, end, None, empty=False)


def _problem(source: Source, index: int, part: Part, message: str, offset: int) -> SyntaxProblem:
    """Point at a character that can be seen: parsers notice much only at the end of the line or of the text."""
    start, end, _ = part
    text = source.text
    offset = min(max(offset, start), end - 1)
    if part.stray:
        offset += len(text[offset:end]) - len(text[offset:end].lstrip(" \t\r\n"))
    elif text[offset] in "\r\n":
        before = text[start:offset].rstrip()
        offset = start + len(before) - 1 if before else offset
    return SyntaxProblem(source, index, start, end, Span(source, offset, offset + 1), message)
