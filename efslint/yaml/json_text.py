"""JSON text to nodes.

Knows JSON, several values in one text (concatenated, or one per line) and where each stands. Leaves YAML, of which
JSON is almost a part, to ``parser``, and the choice between them to ``documents``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from efslint.text.source import Source
from efslint.yaml.node import Node, Scalar
from efslint.yaml.tree import Tree

_SPACE = r"[ \t\r\n]*"
_TOKEN = r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{}\]]|[^][{}",:\s]+'
_NEXT_VALUE = r"[\r\n][ \t]*(?=[\[{])"
_SURROGATE = "[\ud800-\udfff]"

_WORDING = {
    "Expecting value": "expected a value",
    "Expecting property name enclosed in double quotes": "expected a key in double quotes",
    "Expecting ':' delimiter": "expected ':' after the key",
    "Expecting ',' delimiter": "expected ',' or the closing bracket",
    "Unterminated string starting at": "the string that starts here does not end",
    "Invalid control character at": "a control character stands in a string",
    "Invalid \\escape": "unknown escape in a string",
    "Invalid \\uXXXX escape": "expected four hexadecimal digits after \\u",
    "Extra data": "expected the end of the text or another '{'",
    "Illegal trailing comma before end of object": "a comma stands before the closing bracket",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
}


class JsonValue(NamedTuple):
    """The characters of one value; ``message`` and ``offset`` say what is wrong with it, if anything is."""

    start: int
    end: int
    message: str | None = None
    offset: int = 0


def read_values(text: str) -> Iterator[JsonValue]:
    """Yield the places of the values of a text, checked by the strict rules of JSON.

    After a broken value reading goes on at the next line that begins with ``{`` or ``[`` and is not indented deeper;
    a broken array takes the rest of the text.
    """
    at = _after_space(text, 0)
    while at < len(text):
        value = _value(text, at)
        yield value
        at = _after_space(text, value.end)


def build_json(source: Source, start: int, end: int) -> Node:
    """Turn the characters of a value that ``read_values`` found sound into nodes.

    Strings have the style ``"``, everything else is plain. Surrogate pairs are joined; half of a pair becomes
    U+FFFD, as in Go. Raises ``tree.YamlSyntaxError`` beyond ``tree.MAX_DEPTH``.
    """
    from json.decoder import scanstring  # type: ignore[attr-defined]

    text, new = source.text, tuple.__new__
    tree = Tree(source, 0, end)
    for match in re.compile(_TOKEN, re.DOTALL).finditer(text, start, end):
        token, first, last = match[0], match.start(), match.end()
        if token[0] == '"':
            content = token[1:-1]
            if "\\" in content:
                content = re.sub(_SURROGATE, "\ufffd", scanstring(text, first + 1)[0])
            tree.items.append(new(Scalar, (source, first, last, content, '"', None, None)))
        elif token in "{[":
            tree.open(first, token == "{", True, None, None)
        elif token in "}]":
            tree.close(last)
        else:
            tree.items.append(new(Scalar, (source, first, last, token, "", None, None)))
    return tree.items[0]


def _value(text: str, start: int) -> JsonValue:
    from json.decoder import JSONDecodeError, JSONDecoder

    if text[start] not in "{[":
        return _broken(text, start, "expected '{' or '['", start)
    # Numbers are not made here: Python refuses integers of more than 4300 digits.
    decoder = JSONDecoder(parse_int=len, parse_float=len, parse_constant=_no_constant)
    try:
        return JsonValue(start, decoder.raw_decode(text, start)[1])
    except JSONDecodeError as error:
        return _broken(text, start, _WORDING.get(error.msg, error.msg), error.pos)
    except _Constant as constant:
        return _broken(text, start, f"{constant} is not JSON", _find_constant(text, start, str(constant)))
    except RecursionError:
        return _broken(text, start, "nested too deeply", start)


class _Constant(Exception):
    pass


def _no_constant(name: str) -> object:
    raise _Constant(name)


def _find_constant(text: str, start: int, name: str) -> int:
    tokens = re.compile(_TOKEN, re.DOTALL).finditer(text, start)
    return next(match.start() for match in tokens if match[0] == name)


def _broken(text: str, start: int, message: str, offset: int) -> JsonValue:
    """Make the broken value end before the next line that begins as a value of the same level would.

    An object may lack its end, so any such line counts. An array takes the rest of the text: its lines are its items.
    """
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[start] != "[":
        for match in re.compile(_NEXT_VALUE).finditer(text, start):
            if match.end() - match.start() - 1 <= start - line:
                return JsonValue(start, match.start() + 1, message, offset)
    return JsonValue(start, len(text), message, offset)


def _after_space(text: str, at: int) -> int:
    match = re.compile(_SPACE).match(text, at)
    return at if match is None else match.end()
