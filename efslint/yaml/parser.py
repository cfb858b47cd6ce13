"""YAML text to nodes, one document at a time.

The only module that knows ruamel.yaml. It reads parse events and constructs nothing, so quoting, repeated keys and
places are kept and tags are only names. Cutting a stream into documents is left to ``split``, putting nodes together
to ``tree``, the meaning of scalars to ``scalars``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from efslint.text.source import Source
from efslint.yaml.node import Node, Scalar
from efslint.yaml.tree import Tree
from efslint.yaml.tree import YamlSyntaxError as YamlSyntaxError

_T = TypeVar("_T")

_MANY_BRACKETS = 4000  # libyaml's scanner takes quadratic time over open flow collections
_SCAN_DEPTH = 1000

# The complement of c-printable, YAML 1.1 section 5.1: what neither parser reads.
_FORBIDDEN = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# What word processors and web pages put in the place of blanks, quotes, commas and colons.
_LOOKALIKE = {
    "\u00a0": "a no-break space",
    "\u200b": "a zero-width space",
    "\u3000": "a full-width space",
    "\u2018": "a typographic quote",
    "\u2019": "a typographic quote",
    "\u201c": "a typographic quote",
    "\u201d": "a typographic quote",
    "\uff0c": "a full-width comma",
    "\uff1a": "a full-width colon",
    "\ufeff": "a byte order mark",
}
_COLON = "found unexpected ':'"
_WORDING = {
    "could not find expected ':'": "did not find the expected ':'",
    "did not find expected <document start>": "found more text where the document should end",
    "expected the node content, but found '-'": "did not find expected node content",
}


@cache
def c_parser() -> Any | None:
    """Return the class of the C parser, or ``None`` where only the pure Python parser is installed."""
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        return None
    return CParser


def parse_node(source: Source, start: int, end: int) -> Node | None:
    """Parse the one document that stands between two offsets; ``None`` where there is nothing but comments.

    Raises ``YamlSyntaxError``: for what the parser refuses, for a second document, for an alias without anchor, for a
    merge key whose value is no mapping, and beyond ``tree.MAX_DEPTH`` and ``tree.MAX_ALIASED``.
    """
    text, base = _document(source, start, end)
    return _guarded(source, base, end, lambda parser: _read(text, Tree(source, base, end), parser))


def check_syntax(source: Source, start: int, end: int) -> None:
    """Raise ``YamlSyntaxError`` if the document between two offsets is not YAML, as cheaply as that can be told.

    The C parser alone makes no Python object per node. Where an alias may stand or the nesting is extreme, the
    document is parsed as by ``parse_node``; elsewhere the limits on depth are not applied.
    """
    text, base = _document(source, start, end)
    whole = _may_have_alias(text) or _is_deep(text)

    def check(parser: Any | None) -> None:
        if parser is None or whole:
            _read(text, Tree(source, base, end), parser)
        else:
            parser(text).raw_parse()

    _guarded(source, base, end, check)


def _document(source: Source, start: int, end: int) -> tuple[str, int]:
    """Return what to hand to a parser, and the offset of its first character.

    Parsers skip a byte order mark without counting it. A version directive is made a comment: both parsers follow
    YAML 1.1 as far as scanning goes, whichever 1.x is asked for, but libyaml refuses all above 1.2.
    """
    if source.text.startswith("\ufeff", start, end):
        start += 1
    text = source.text[start:end]
    if "%YAML" in text:
        text = re.sub(
            r"\A(?:(?:%(?!YAML)[^\r\n]*|[ \t]*(?:#[^\r\n]*)?)[\r\n]++)*+%(?=YAML[ \t]+1\.[0-9])", _as_comment, text
        )
    return text, start


def _as_comment(directive: re.Match[str]) -> str:
    return directive[0][:-1] + "#"


def _read(text: str, tree: Tree, parser: Any | None) -> Node | None:
    from ruamel.yaml.events import (
        AliasEvent,
        DocumentStartEvent,
        MappingEndEvent,
        MappingStartEvent,
        ScalarEvent,
        SequenceEndEvent,
        SequenceStartEvent,
    )

    source, base, new = tree.source, tree.base, tuple.__new__
    documents = 0
    for event in _events(text, parser):
        kind = type(event)
        start, end = event.start_mark.index, event.end_mark.index
        if kind is ScalarEvent:
            style, tag, anchor = event.style or "", event.ctag, event.anchor
            if tag is None and anchor is None and style not in ("|", ">") and start != end:
                # By far the most frequent node, so it is made without the detour over its class.
                tree.items.append(new(Scalar, (source, start + base, end + base, event.value, style, None, None)))
            else:
                tree.scalar(start, end, event.value, style, event.tag, anchor)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            tree.open(start, kind is MappingStartEvent, event.flow_style, event.tag, event.anchor)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            tree.close(end)
        elif kind is AliasEvent:
            tree.alias(start, end, event.anchor)
        elif kind is DocumentStartEvent:
            documents += 1
            if documents > 1:
                raise YamlSyntaxError("a second document begins here", start + base)
    return tree.root()


def _events(text: str, parser: Any | None) -> Iterable[Any]:
    """Yield parse events; ``style`` is ``None`` or ``""`` for plain scalars, tags are long, marks count characters.

    ``parser`` is the class of the C parser, or ``None`` for the pure Python one.
    """
    if parser is not None:
        return iter(parser(text).get_event, None)
    from ruamel.yaml.main import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    events: Iterable[Any] = yaml.parse(text)
    return events


def _may_have_alias(text: str) -> bool:
    """Tell whether an alias may stand in a text: after an indicator, or alone on a line.

    An alias that begins a line as a key is let pass: notes in block scalars look like it.
    """
    if "*" not in text:
        return False
    for match in re.finditer(r"\*[A-Za-z0-9_-]+(?=[ \t]*(?:([,\]}\r\n#]|\Z)|:[ \t\r\n]))", text):
        before = match.start() - 1
        while before >= 0 and text[before] in " \t":
            before -= 1
        if before >= 0 and text[before] in "-:?,[{":
            return True
        if match[1] is not None and (before < 0 or text[before] in "\r\n"):
            return True
    return False


def _is_deep(text: str) -> bool:
    if text.count("[") + text.count("{") < _MANY_BRACKETS:
        return False
    depth = 0
    for bracket in re.finditer(r"[\[{\]}]", text):
        depth += 1 if bracket[0] in "[{" else -1 if depth else 0
        if depth > _SCAN_DEPTH:
            return True
    return False


def _guarded(source: Source, base: int, end: int, run: Callable[[Any | None], _T]) -> _T:
    """Run with the C parser where there is one, and turn a parser's error into one for people.

    libyaml refuses ``{image: mysql:8}``. The YAML library of Kubernetes does not
    (https://github.com/go-yaml/yaml/pull/305), and neither does the pure parser, which is asked then.
    """
    from ruamel.yaml.error import YAMLError

    parser = c_parser()
    try:
        try:
            return run(parser)
        except YAMLError as error:
            if parser is None or getattr(error, "problem", None) != _COLON:
                raise
            return run(None)
    except (YAMLError, UnicodeEncodeError) as error:
        raise _described(error, source, base, end) from None


def _described(error: Exception, source: Source, base: int, end: int) -> YamlSyntaxError:
    """Say what a parser's error says, where, and what in those lines may be the cause."""
    forbidden = re.search(_FORBIDDEN, source.text[base:end])
    if forbidden is not None:
        return YamlSyntaxError(_forbidden(forbidden[0]), base + forbidden.start())
    problem = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    offset = min(base + problem.index, end) if problem else base
    message = _problem(str(getattr(error, "problem", None) or error), source.text[offset : offset + 1])
    since = offset
    if context is not None and base + context.index < offset:
        since = base + context.index
        doing = str(getattr(error, "context", "")).removeprefix("while ")
        message += f" while {doing} that begins in line {source.position(since).line}"
    return YamlSyntaxError(message + _lookalike(source, since, offset), offset)


def _problem(problem: str, found: str) -> str:
    if problem.startswith("found character") and found == "\t":
        return "found a tab where only spaces may indent"
    if problem.startswith("found character") and found:
        return f"found character {found!r} that cannot start any token"
    return _WORDING.get(problem, problem)


def _forbidden(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X} is not valid UTF-8"
    if 0xD800 <= code <= 0xDFFF:
        return f"U+{code:04X} is half of a surrogate pair"
    return f"character U+{code:04X} is not allowed in YAML"


def _lookalike(source: Source, since: int, offset: int) -> str:
    last = source.position(offset).line
    first = max(source.position(since).line, last - 1)
    for line in range(last, first - 1, -1):
        for character in source.line_text(line):
            if character in _LOOKALIKE:
                return f"; line {line} holds {_LOOKALIKE[character]}, U+{ord(character):04X}"
    return ""
