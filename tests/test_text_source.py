"""Places in text: lines end with LF, CRLF or CR, columns count characters, and nothing else breaks a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.source import Position, Source, Span


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\r\r\nb", 4, (3, 1)),
        ("é😀b", 2, (1, 3)),
        ("a\u2028b\x85c", 4, (1, 5)),
    ],
)
def test_position(text: str, offset: int, position: tuple[int, int]) -> None:
    assert Source("x", text).position(offset) == Position(*position)


@pytest.mark.parametrize(("line", "text"), [(1, "a"), (2, "b"), (3, ""), (4, "c"), (5, "")])
def test_line_text(line: int, text: str) -> None:
    assert Source("x", "a\nb\r\n\rc").line_text(line) == text


def test_span() -> None:
    span = Span(Source("x", "one\ntwo\r\nthree"), 2, 6)
    assert span.text == "e\ntw"
    assert (span.first, span.last) == ((1, 3), (2, 3))
    assert span.one_line() == Span(span.source, 2, 3)
    assert span.one_line().one_line() == span.one_line()
    assert span.sort_key < Span(Source("y", ""), 0, 0).sort_key


@given(st.text(alphabet="ab\r\né😀"), st.data())
def test_position_and_lines_agree(text: str, data: st.DataObject) -> None:
    source = Source("x", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.position(offset)
    start = source.line_starts[line - 1]
    assert start + column - 1 == offset
    assert source.line_text(line) == text[start:].replace("\r\n", "\n").replace("\r", "\n").split("\n")[0]


def test_a_source_names_itself_without_its_text() -> None:
    assert repr(Source("a.yaml", "password: hunter2\n")) == "Source('a.yaml', 18 characters)"
