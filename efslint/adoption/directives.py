"""Reading suppressions where they are written: in comments and in annotations.

Knows their grammar, what is a comment in YAML, and which lines or object each of them is about. Leaves to ``suppress``
which rules exist, which day it is, and what is suppressed in the end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from efslint.adoption.rule_names import suggestion
from efslint.kube.identity import ObjectRef
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence
from efslint.yaml.parser import YamlSyntaxError, parse_node
from efslint.yaml.split import Part, split

ANNOTATION = "efslint.dev/ignore"
"""The annotation that suppresses findings about an object, for manifests whose comments do not survive."""

PREFIX = "efslint.dev/"
"""How our annotations begin: in a text without it there are none to read, misspelled ones included."""

MARK = "efslint:"
"""What a text holds if there are suppressions in its comments."""

_VERBS = ("ignore", "ignore-document", "ignore-file")
_COMMENT = re.compile(r"#[ \t]*efslint:")
_BODY = re.compile(r"[ \t]*([\w-]*)[ \t]*(?:\[([^\]]*)(\])?)?(.*)", re.DOTALL)
_OTHER_COMMENT = re.compile(r"[ \t]#[ \t]")  # of another tool, behind ours; "issue #12" is not one
_UNTIL = re.compile(r"\(?\buntil=(\S*[^\s.,;)]|)[.,;)]*(?=\s|$)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ENTRY = re.compile(r"[^;\r\n]+")

# Of all claims of an object, an annotation on a claim template is about that one. The first is a field of StatefulSets
# and of operators, the second of operators that make one claim for each pod.
_CLAIMS = ("volumeClaimTemplates", "volumeClaimTemplate")


class Directive(NamedTuple):
    """One suppression.

    ``span`` is what is written, ``rules`` the words for the rules it names. It covers ``lines`` (first and last, from
    1) of its own source, or, if it is an annotation, ``object`` as far as that is seen in the same source. ``error``
    says why a directive that was not understood cannot be obeyed.
    """

    span: Span
    rules: tuple[str, ...] = ()
    reason: str = ""
    until: date | None = None
    lines: tuple[int, int] = (0, 0)
    object: ObjectRef | None = None
    error: str = ""


def directives(source: Source) -> tuple[Directive, ...]:
    """Read the suppressions in the comments of a text, in order.

    A text without ``efslint:`` costs one search. Otherwise the documents that hold the word are parsed, to tell
    comments from ``#`` inside scalars; in a document that is not YAML every ``#`` after a blank counts.
    """
    if MARK not in source.text:
        return ()
    documents, content = _documents(source), _content(source)
    opaque: dict[Part, tuple[tuple[int, int], ...]] = {}
    found: list[Directive] = []
    offset = source.text.find(MARK)
    while offset >= 0:
        document = documents[bisect_right(documents, offset, key=itemgetter(0)) - 1]
        if document not in opaque:
            opaque[document] = _opaque(source, document)
        line = source.position(offset).line
        start = _comment(source, line, opaque[document])
        found.extend(_read_comment(source, line, start, document, content))
        offset = source.text.find(MARK, _line_end(source, line))
    return tuple(found)


def annotation_directives(ref: ObjectRef, root: Node) -> tuple[Directive, ...]:
    """Read the suppressions in the annotations of an object (``root`` is its node), and of what it makes.

    An annotation of the pods is one of the object, wherever it keeps their metadata. One on a claim template is about
    that template: it covers the lines of it.
    """
    found: list[Directive] = []
    for written, claim in _annotations(root):
        lines = (0, 0) if claim is None else (claim.span.first.line, claim.span.last.line)
        for key, value in written.pairs:
            if type(key) is Scalar and key.text == ANNOTATION:
                read = _read_annotation(ref, key, value)
                found.extend(each if claim is None else each._replace(object=None, lines=lines) for each in read)
            elif type(key) is Scalar and key.text.startswith(PREFIX):
                message = f'unknown annotation "{key.text}"{suggestion(key.text, (ANNOTATION,))}'
                found.append(Directive(key.span, object=ref, error=message))
    return tuple(found)


def _annotations(root: Node) -> Iterator[tuple[Mapping, Node | None]]:
    """Find the annotations in ``metadata``, ``podMetadata`` and the like, each with the claim template it is in."""
    waiting: list[tuple[Node, str, Node | None]] = [(root, "", None)]
    seen: set[tuple[type, int, int]] = set()  # merge keys can lead to one place many times over
    while waiting:
        node, name, claim = waiting.pop()
        place = (type(node), node.start, node.end)
        if place in seen or type(node) is Scalar:
            continue
        seen.add(place)
        if type(node) is Sequence:
            waiting.extend((item, "", item if name == _CLAIMS[0] else claim) for item in reversed(node.items))
            continue
        assert type(node) is Mapping
        if name == _CLAIMS[1]:
            claim = node
        annotations = node.get("annotations")
        if name.lower().endswith("metadata") and type(annotations) is Mapping:
            yield annotations, claim
        waiting.extend((value, key.text, claim) for key, value in reversed(node.pairs) if type(key) is Scalar)


def _line_end(source: Source, line: int) -> int:
    return source.line_starts[line - 1] + len(source.line_text(line))


def _documents(source: Source) -> list[Part]:
    """Return the documents of a text; what is between or behind them, all comments, belongs to the one before."""
    parts = [*split(source.text)] or [Part(0, len(source.text))]
    ends = [*(part.start for part in parts[1:]), len(source.text)]
    return [Part(part.start if i else 0, end) for i, (part, end) in enumerate(zip(parts, ends, strict=True))]


def _opaque(source: Source, document: Part) -> tuple[tuple[int, int], ...]:
    """Return the ranges of a document in which ``#`` is text: quoted scalars, and block scalars below their header."""
    try:
        root = parse_node(source, document.start, document.end)
    except YamlSyntaxError:
        return ()
    return tuple(sorted(_opaque_in(root))) if root is not None else ()


def _opaque_in(root: Node) -> Iterator[tuple[int, int]]:
    waiting: list[Node] = [root]
    seen: set[tuple[type, int, int]] = set()  # merge keys can lead to one place many times over
    while waiting:
        node = waiting.pop()
        place = (type(node), node.start, node.end)
        if node.anchor is not None or place in seen:
            continue
        seen.add(place)
        if isinstance(node, Scalar):
            if node.style in ("'", '"'):
                yield node.start, node.end
            elif node.style:
                yield node.span.one_line().end, node.end
        elif isinstance(node, Mapping):
            waiting.extend(part for pair in (*node.pairs, *node.shadowed) for part in pair)
        else:
            waiting.extend(node.items)


def _comment(source: Source, line: int, opaque: tuple[tuple[int, int], ...]) -> int:
    """Return where the comment of a line begins; where there is none, the end of the line."""
    start, text = source.line_starts[line - 1], source.line_text(line)
    for match in re.finditer(r"(?:^|(?<=[ \t]))#", text):
        offset = start + match.start()
        before = bisect_right(opaque, (offset, len(source.text))) - 1
        if before < 0 or offset >= opaque[before][1]:
            return offset
    return start + len(text)


def _content(source: Source) -> list[int]:
    """Return the lines that hold more than blanks and comments."""
    lines = range(1, len(source.line_starts) + 1)
    return [line for line in lines if source.line_text(line).strip()[:1] not in ("", "#")]


def _read_comment(source: Source, line: int, start: int, document: Part, content: list[int]) -> Iterator[Directive]:
    end = _line_end(source, line)
    marks = [*_COMMENT.finditer(source.text, start, end)]
    for mark, limit in zip(marks, [*(mark.start() for mark in marks), end][1:], strict=True):
        other = _OTHER_COMMENT.search(source.text, mark.end(), limit)
        body = source.text[mark.end() : other.start() if other else limit].rstrip()
        span = Span(source, mark.start(), mark.end() + len(body))
        yield _read_body(span, body, line, document, content)


def _read_body(span: Span, body: str, line: int, document: Part, content: list[int]) -> Directive:
    match = _BODY.match(body)
    assert match is not None
    verb, rules, closed, rest = match.groups()
    if verb not in _VERBS:
        return Directive(span, error=f'unknown directive "{verb}"{suggestion(verb, _VERBS)}')
    if rules is not None and closed is None:
        return Directive(span, error='"[" is not closed')
    words = _words(rules or "")
    if not words:
        return Directive(span, error=f"names no rule; write {verb}[EFS201]")
    lines = {
        "ignore": _lines(span.source, line, span.start, content),
        "ignore-document": (span.source.position(document.start).line, span.source.position(document.end - 1).line),
        "ignore-file": (1, len(span.source.line_starts)),
    }
    return _dated(Directive(span, words, lines=lines[verb]), rest)


def _lines(source: Source, line: int, start: int, content: list[int]) -> tuple[int, int]:
    """Return what a comment covers: its own line or, if nothing else stands there, the next line with content."""
    before = source.text[source.line_starts[line - 1] : start].strip()
    if before and not before.startswith("#"):
        return line, line
    below = bisect_right(content, line)
    covered = content[below] if below < len(content) else line
    return covered, covered


def _read_annotation(ref: ObjectRef, key: Scalar, value: Node) -> Iterator[Directive]:
    entries = [entry.strip() for entry in _ENTRY.findall(value.text)] if type(value) is Scalar else []
    if not any(entries):
        yield Directive(key.span, object=ref, error='names no rule; write "EFS201: reason"')
    offset = value.start
    for entry in filter(None, entries):
        at = value.source.text.find(entry, offset, value.end)
        span = Span(value.source, at, at + len(entry)) if at >= 0 else value.span.one_line()
        offset = max(offset, span.end if at >= 0 else offset)
        rules, _, rest = entry.partition(":")
        words = _words(rules)
        if not words:
            yield Directive(span, object=ref, error='names no rule; write "EFS201: reason"')
            continue
        # "EFS201 until=2030-01-31" has a date and no reason, so no colon.
        spaced = [word for word in words if not word.startswith("until=")]
        dates = [word for word in words if word.startswith("until=")]
        yield _dated(Directive(span, tuple(spaced), object=ref), " ".join((*dates, rest)))


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.replace(",", " ").split()))


def _dated(directive: Directive, rest: str) -> Directive:
    """Add the reason and the date that stand behind the rules."""
    until = _UNTIL.search(rest)
    reason = " ".join((rest[: until.start()] + rest[until.end() :] if until else rest).split()).strip(" :-–—")
    try:
        day = date.fromisoformat(until[1]) if until and _DAY.fullmatch(until[1]) else None
    except ValueError:
        day = None
    error = f"until={until[1]} is not a date such as until=2030-01-31" if until and day is None else ""
    return Directive(directive.span, directive.rules, reason, day, directive.lines, directive.object, error)
