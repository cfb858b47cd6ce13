"""Text that was read, and places in it.

Knows characters and lines, nothing else: not where the text came from, not what language it is in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place as people count it: line and column start at 1, columns count characters."""

    line: int
    column: int


class Source:
    """One decoded text and the name it is reported under. Never changed once it is made.

    ``path`` is what reports print: forward slashes, relative to the working directory where that is
    possible, or the name given to standard input. ``text`` has no byte order mark and keeps its line ends.
    """

    # No dataclass: that module takes longer to import than most runs take to lint.
    __slots__ = ("_line_starts", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path: Final = path
        self.text: Final = text
        self._line_starts: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"Source({self.path!r}, {len(self.text)} characters)"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Source) and self.path == other.path and self.text == other.text)

    def __hash__(self) -> int:
        return hash((self.path, len(self.text)))

    @property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the first character of every line; LF, CRLF and a lone CR end a line."""
        if self._line_starts is None:
            self._line_starts = (0, *(match.end() for match in _LINE_END.finditer(self.text)))
        return self._line_starts

    def position(self, offset: int) -> Position:
        """Say where an offset (0 to the length of the text) stands."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line_text(self, line: int) -> str:
        """Return a line (counted from 1) without its line end; past the last line, the empty string."""
        if line > len(self.line_starts):
            return ""
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[self.line_starts[line - 1] : end].rstrip("\r\n")


class Span(NamedTuple):
    """A half-open range of characters, ``text[start:end]``, of one source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters that the span covers."""
        return self.source.text[self.start : self.end]

    @property
    def first(self) -> Position:
        """Where the span begins."""
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """Where the span ends; the column is that of the first character after it."""
        return self.source.position(self.end)

    @property
    def sort_key(self) -> tuple[str, int, int]:
        """Order by path, then by place."""
        return (self.source.path, self.start, self.end)

    def one_line(self) -> Span:
        """Cut the span to its first line: reports show, and GitHub comments on, single lines only."""
        break_ = _LINE_END.search(self.source.text, self.start, self.end)
        return self if break_ is None else Span(self.source, self.start, break_.start())
