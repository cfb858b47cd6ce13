"""What Helm prints: manifests, the comments that name their templates, and text around them that is no manifest.

Knows the output of ``helm template``, ``helm install --dry-run`` and ``helm get manifest``, of Helm 3 and 4, with what
goes to standard error mixed in. Leaves the manifests to ``manifests`` and the way back to a chart to ``helm``. Sources:
helm/helm, ``pkg/cmd/template.go``, ``pkg/cmd/status.go`` (``statusPrinter.WriteTable``) and ``pkg/action/action.go``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

from efslint.text.source import Source, Span
from efslint.yaml.split import split

SOURCE_MARK = "# Source: "
FAILED = "Error: "
"""With which Helm says that it failed, on a line of its own; it stands in no document."""
_SECTIONS = ("\nMANIFEST:", "\nHOOKS:")

# What stands between the documents: the header and the sections of a release, and its notes.
_HEADER = r"(?:Release \"[^\"]*\" has been \w+\.[^\n]*\n)?NAME: (?P<name>\S+)\r?\n(?:LAST DEPLOYED|NAMESPACE|STATUS): "
_SECTION = r"^(?:HOOKS|MANIFEST):[ \t]*\r?$"
_NOTES = r"^NOTES:[ \t]*\r?$"
# Lines of standard error; all begin in the first column, where a manifest has keys, and none is a key.
_STDERR = (
    r"^(?:"
    r"[\w.]+\.go:\d+: .*"  # Go's log: walk.go, coalesce.go, [debug] lines
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+:\d+\] .*"  # klog
    r"|(?:time=\S+ )?level=[A-Z]+ (?:source=\S+ )?msg=.*"  # slog, of Helm 4
    r"|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d .*"  # Go's log without a file
    r"|(?:WARNING|warning|Warning): .*"
    r"|Pulled: \S+|Digest: sha256:[0-9a-f]{64}"
    r"|Use --debug flag to render out invalid YAML|helm\.go:\d+: .*"
    r")\r?$"
)
_ERROR = r"^Error: (?P<reason>.*)"
_BLANKS = r"(?:[ \t]*\r?\n)*"
_SOURCE_LINE = rf"{_BLANKS}(?:---[^\r\n]*\r?\n)?{_BLANKS}# Source: (?P<template>\S(?:[^\r\n]*[^\s])?)[ \t]*\r?(?:\n|$)"
# ``chart/templates/x.yaml``, ``chart/charts/sub/templates/x.yaml``, ``chart/crds/x.yaml``
_TEMPLATE = r"[^/\s]+/(?:charts/[^/\s]+/)*(?:templates|crds)/[^\r\n]+"
_RELEASE_LABEL = (
    r"^[ \t]+[\"']?(?:app\.kubernetes\.io/instance|release)[\"']?:[ \t]*[\"']?([a-z0-9][-.a-z0-9]*)[\"']?[ \t]*\r?$"
)


class Piece(NamedTuple):
    """A document, the characters ``start`` to ``end``, and the template that it names: ``chart/templates/x.yaml``.

    The name is what the text says, and may be wrong. A document without a name has, ``assumed``, that of the one
    before: templates make several documents, and not every program that renders them names each.
    """

    start: int
    end: int
    template: str
    assumed: bool = False


def is_helm_output(text: str) -> bool:
    """Say whether a text may have been printed by Helm; costs a few searches."""
    return SOURCE_MARK in text or any(mark in text for mark in _SECTIONS) or _failed(text)


def _failed(text: str) -> bool:
    """Say whether this is what is left of a run that failed: nothing but standard error."""
    if FAILED not in text:
        return False
    return text.startswith(FAILED) or (f"\n{FAILED}" in text and re.match(_STDERR, text, re.MULTILINE) is not None)


def without_noise(source: Source) -> tuple[Source, Span | None]:
    """Blank out what is no manifest, so that every offset stays, and return the place at which Helm says it failed.

    Blanked lines keep their length and their line ends.
    """
    text = source.text
    ranges = [*_around(text), *((found.start(), found.end()) for found in re.finditer(_STDERR, text, re.MULTILINE))]
    failure = re.search(_ERROR, text, re.MULTILINE)
    error = None
    if failure is not None:
        error = Span(source, failure.start(), failure.end()).one_line()
        ranges.append((failure.start(), _end_of_error(text, failure.end())))
    if not ranges:
        return source, error
    parts: list[str] = []
    at = 0
    for start, end in sorted(ranges):  # they may overlap
        parts += (text[at:start], re.sub(r"[^\r\n]", " ", text[max(start, at) : end]))
        at = max(at, end)
    return Source(source.path, "".join((*parts, text[at:]))), error


def _end_of_error(text: str, end: int) -> int:
    """Return where an error ends: up to the next document it may have several lines, with a stack of Go among them."""
    following = text.find("\n---", end)
    return len(text) if following < 0 else following + 1


def _around(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the header, of the titles of sections, and of the notes."""
    header = re.compile(f"^{_HEADER}", re.MULTILINE).search(text)
    if header is None:
        return []
    titles = [*re.compile(_SECTION, re.MULTILINE).finditer(text, header.start())]
    if not titles:
        return [(0, len(text))]  # a status, without manifests
    notes = re.compile(_NOTES, re.MULTILINE).search(text, titles[-1].end())
    ranges = [(0, titles[0].end()), *((title.start(), title.end()) for title in titles[1:])]
    if notes is not None:
        ranges.append((notes.start(), len(text)))
    return ranges


def pieces(source: Source) -> tuple[Piece, ...]:
    """Return the documents that begin with the name of a template, and those that follow them without, in order."""
    return _pieces(source.text) if SOURCE_MARK in source.text else ()


@cache
def _pieces(text: str) -> tuple[Piece, ...]:
    first, template = re.compile(_SOURCE_LINE), re.compile(_TEMPLATE)
    found: list[Piece] = []
    for start, end, _ in split(text):
        named = first.match(text, start, end)
        if named is not None and template.fullmatch(named["template"]) and ".." not in named["template"].split("/"):
            found.append(Piece(start, end, named["template"]))
        elif named is None and found:
            found.append(Piece(start, end, found[-1].template, assumed=True))
    return tuple(found)


def piece_at(source: Source, offset: int) -> Piece | None:
    """Return the document around an offset, if its template is known or assumed."""
    found = pieces(source)
    at = bisect_right(found, offset, key=lambda piece: piece.start) - 1
    return found[at] if at >= 0 and offset < found[at].end else None


def release_name(source: Source) -> str | None:
    """Return the name of the release: from the header or, if all objects agree, from their labels.

    Subcharts and operators label with names of their own, so a label is believed only if it is the commonest by far.
    """
    header = re.search(f"^{_HEADER}", source.text, re.MULTILINE)
    if header is not None:
        return header["name"]
    counts: dict[str, int] = {}
    for name in re.findall(_RELEASE_LABEL, source.text, re.MULTILINE):
        counts[name] = counts.get(name, 0) + 1
    best = max(counts, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] * 2 > sum(counts.values()) else None
