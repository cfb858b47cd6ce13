"""Source frames: the line of a step, a run of carets under the exact text, and a label.

Knows how wide characters are on a terminal, how to cut a line, and what on a line must stay secret. A line of a
document that holds a Secret, and a literal value of an environment variable, are shown only where the step is
about that very text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

from efslint.report.escape import visible
from efslint.text.source import Source, Span

_TAB = 4
_LONG = 1000  # a longer line is minified JSON or encoded data: what stands around the span helps nobody
_NARROWEST = 24
_MASK = "***"

# Left to the cache of ``re``: most runs show few frames, and none of a Secret.
_DOCUMENT = r"(?m)^---(?=\s|$)"
_SECRET = r"""\bkind["']?\s*:\s*(?:[!&]\S*\s+){0,2}["']?Secret(?![\w.-])"""
_KEY = r"""[\s-]*(?:"[^"]*"|'[^']*'|[\w./-]+)\s*:(?=\s|$)"""
_VALUE = r"""(?:^|(?<=[\s{,\[]))["']?value["']?\s*:\s*"""
_SCALAR = r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'"""


class Frame(NamedTuple):
    """What is shown of one line. ``before`` and ``marked`` are widths in columns: where the carets start, how many."""

    shown: str
    before: int
    marked: int


def secret_parts(source: Source) -> tuple[int, ...]:
    """Return the bounds, start and end in turn, of the documents that hold a Secret."""
    text = source.text
    if "Secret" not in text:
        return ()
    starts = [0, *(match.start() for match in re.finditer(_DOCUMENT, text)), len(text) + 1]
    bounds: list[int] = []
    for match in re.finditer(_SECRET, text):
        after = bisect_right(starts, match.start())
        if not bounds or bounds[-2] != starts[after - 1]:
            bounds += starts[after - 1 : after + 1]
    return tuple(bounds)


def frame(span: Span, width: int, secrets: tuple[int, ...] = ()) -> Frame:
    """Show the first line of a span in so many columns; ``secrets`` are the ``secret_parts`` of its source."""
    line, start, end = _line(span.one_line())
    chars = _columns(line, _hidden(line, start, end, secret=bool(bisect_right(secrets, span.start) % 2)))
    return _cut(chars, start, end, max(width, _NARROWEST))


def text_width(text: str) -> int:
    """Say how many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def wrapped(text: str, width: int) -> list[str]:
    """Break a text between words into lines of at most so many columns; a longer word stays whole."""
    lines = [""]
    for word in text.split():
        if lines[-1] and text_width(lines[-1]) + 1 + text_width(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _line(span: Span) -> tuple[str, int, int]:
    """Return the line around a one-line span, and the span within it; of a very long line only the span."""
    source = span.source
    first = span.first
    begin = span.start - first.column + 1
    over = source.line_starts[first.line] if first.line < len(source.line_starts) else len(source.text)
    if over - begin > _LONG:
        return _clip(source.text[begin:over], span, begin)
    return source.line_text(first.line), span.start - begin, span.end - begin


def _clip(line: str, span: Span, begin: int) -> tuple[str, int, int]:
    line = line.rstrip("\r\n")
    start = span.start - begin
    end = min(span.end - begin, start + _LONG)
    return "…" * (start > 0) + line[start:end] + "…" * (end < len(line)), int(start > 0), int(start > 0) + end - start


def _hidden(line: str, start: int, end: int, *, secret: bool) -> list[tuple[int, int]]:
    """Return the parts of a line that must not be shown; ``start`` and ``end`` bound what the step is about."""
    hidden: list[tuple[int, int]] = []
    if secret:
        key = re.match(_KEY, line)
        hidden += _without((key.end() if key else 0, len(line)), start, end)
    for match in re.finditer(_VALUE, line) if "value" in line else ():
        value = (match.end(), _value_end(line, match))
        within = value[0] <= start and end <= value[1]
        hidden += _without(value, start, end) if within else [value]
    return hidden


def _without(part: tuple[int, int], start: int, end: int) -> list[tuple[int, int]]:
    return [(part[0], min(part[1], start)), (max(part[0], end), part[1])]


def _value_end(line: str, key: re.Match[str]) -> int:
    quoted = re.match(_SCALAR, line[key.end() :])
    if quoted:
        return key.end() + quoted.end()
    if "{" in line[: key.start()]:
        return min(at for at in (line.find(",", key.end()), line.find("}", key.end()), len(line)) if at >= 0)
    return len(line)


class _Column(NamedTuple):
    shown: str
    width: int


def _columns(line: str, hidden: list[tuple[int, int]]) -> list[_Column]:
    """Turn each character into what is shown for it."""
    columns: list[_Column] = []
    covered = {at for first, last in hidden for at in _tight(line, first, last)}
    at = 0
    for index, char in enumerate(line):
        if index in covered:
            shown = "" if index - 1 in covered else _MASK
            columns.append(_Column(shown, len(shown)))
        elif char == "\t":
            columns.append(_Column(" " * (_TAB - at % _TAB), _TAB - at % _TAB))
        else:
            shown = visible(char)
            columns.append(_Column(shown, text_width(shown)))
        at += columns[-1].width
    return columns


def _tight(line: str, first: int, last: int) -> range:
    """Leave out white space at both ends: indentation is no secret."""
    body = line[first:last]
    return range(first + len(body) - len(body.lstrip()), first + len(body.rstrip()))


def _cut(columns: list[_Column], start: int, end: int, width: int) -> Frame:
    """Choose what fits: the span first, then what stands before and after it in turn."""
    first, last = 0, len(columns)
    if sum(column.width for column in columns) > width:
        room = width - 2
        first = last = start
        while last < end and room >= columns[last].width:
            room -= columns[last].width
            last += 1
        first, last, room = _grown(columns, first, last, room)
        if first == 0 or last == len(columns):  # only one end is cut, so one of the two "…" is not needed
            first, last, _ = _grown(columns, first, last, room + 1)
    ahead = "…" if first > 0 else ""
    behind = "…" if last < len(columns) else ""
    shown = ahead + "".join(column.shown for column in columns[first:last]) + behind
    before = len(ahead) + sum(column.width for column in columns[first:start])
    return Frame(shown.rstrip(), before, max(1, sum(column.width for column in columns[start : min(end, last)])))


def _grown(columns: list[_Column], first: int, last: int, room: int) -> tuple[int, int, int]:
    grew = True
    while grew:
        grew = False
        if first > 0 and room >= columns[first - 1].width:
            first -= 1
            room -= columns[first].width
            grew = True
        if last < len(columns) and room >= columns[last].width:
            room -= columns[last].width
            last += 1
            grew = True
    return first, last, room


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
