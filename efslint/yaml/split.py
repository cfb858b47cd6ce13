"""A YAML stream, cut into its documents.

Knows the markers ``---`` and ``...`` and the directives; parses nothing. Cutting first is what makes a broken
document cost only itself, and it is what kubectl does (``YAMLReader`` in
``kubernetes/kubernetes:staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A marker stands at the start of a line and is followed by a blank or the end of the line. A byte order mark before it
# comes from files joined as they were.
_FIRST_MARKER = re.compile(r"\ufeff?(---|\.\.\.)(?![^ \t\r\n])")
_MARKER = re.compile(r"\n\ufeff?(---|\.\.\.)(?![^ \t\r\n])")
_MARKER_AFTER_CR = r"[\r\n]\ufeff?(---|\.\.\.)(?![^ \t\r\n])"  # ten times slower, so only where needed
_BLANK = re.compile(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*(?:#[^\r\n]*)?")
_PROLOGUE = re.compile(
    r"\ufeff?(?:(?:[ \t]*(?:#[^\r\n]*)?|%(?:YAML|TAG)[ \t][^\r\n]*)[\r\n]+)*"
    r"(?:[ \t]*(?:#[^\r\n]*)?|%(?:YAML|TAG)[ \t][^\r\n]*)"
)


class Part(NamedTuple):
    """The characters ``start`` to ``end`` of one document, its ``---`` included, the ``...`` after it not.

    Comments and directives before the first ``---`` belong to the document that it begins. ``stray`` tells that this is
    text behind a ``...`` without a ``---``, which kubectl does not read.
    """

    start: int
    end: int
    stray: bool = False


def split(text: str) -> Iterator[Part]:
    """Yield the documents of a stream in order, in linear time.

    Two markers with nothing between them make an empty document; a stream of blanks and comments has no document.
    """
    start, bare, stray = 0, True, False  # bare: no marker has opened a document here yet
    for place, marker in _markers(text):
        opens = marker == "---"
        if not bare or not _only(_PROLOGUE if opens else _BLANK, text, start, place):
            yield Part(start, place, stray)
            start = place
        if opens:
            bare, stray = False, False
        else:
            start, bare, stray = text.index(marker, place) + len(marker), True, True
    if not bare or not _only(_BLANK, text, start, len(text)):
        yield Part(start, len(text), stray)


def is_blank(text: str, start: int, end: int) -> bool:
    """Tell whether there is nothing but blanks, comments and one ``---`` between two offsets."""
    match = _BLANK.match(text, start, end)
    at = start if match is None else match.end()
    return at == end or (text.startswith("---", at) and _only(_BLANK, text, at + 3, end))


def _markers(text: str) -> Iterator[tuple[int, str]]:
    first = _FIRST_MARKER.match(text)
    if first is not None:
        yield first.start(), first[1]
    pattern = re.compile(_MARKER_AFTER_CR) if "\r---" in text or "\r..." in text else _MARKER
    for match in pattern.finditer(text):
        yield match.start() + 1, match[1]


def _only(pattern: re.Pattern[str], text: str, start: int, end: int) -> bool:
    match = pattern.match(text, start, end)
    return match is not None and match.end() == end
