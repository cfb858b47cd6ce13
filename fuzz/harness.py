"""Coverage-guided fuzzing with atheris: bytes in, the whole way from text to reports, and what must always hold.

``python fuzz/harness.py parse|lint [libFuzzer options] [corpus …]``; ``make fuzz`` installs what it takes and runs
both. What the fuzzer finds is kept in ``tests/data/fuzz`` and replayed by ``tests/test_hostile_finds.py``.
"""

from __future__ import annotations

import json
import sys
from xml.dom.minidom import parseString

import atheris

with atheris.instrument_imports(include=["efslint"]):
    from efslint.builtin import default_settings
    from efslint.kube.manifests import read_manifests
    from efslint.pipeline import lint
    from efslint.report.formats import FORMATS, render
    from efslint.report.summary import steps
    from efslint.text.decode import DecodeError, decode
    from efslint.text.source import Source, Span
    from efslint.yaml.documents import SyntaxProblem, read_documents
    from efslint.yaml.node import Mapping, Node, Scalar, Sequence


def parse(data: bytes) -> None:
    """Read every document of a text into nodes; all of them lie within their document."""
    text = _text(data)
    if text is None:
        return
    source = Source("fuzz.yaml", text)
    for document in read_documents(source, lambda _: True):
        assert 0 <= document.start <= document.end <= len(text)
        if isinstance(document, SyntaxProblem):
            assert document.start <= document.span.start < document.span.end <= document.end, document
            assert document.message
        elif document.root is not None:
            _within(document.root, document.start, document.end)
    read_manifests(source)


def lint_all(data: bytes) -> None:
    """Lint a text and write every report; places are places of the text, and the reports are what they claim to be."""
    text = _text(data)
    if text is None:
        return
    outcome = lint([Source("fuzz.yaml", text)], default_settings())
    for finding in outcome.report.findings:
        for span in (finding.span, *(step.span for step in steps(finding))):
            _check(span)
    for name in FORMATS:
        written = render(name, outcome.report)
        if name in ("json", "sarif", "gitlab"):
            json.loads(written)
        elif name == "junit":
            parseString(written)
        assert not any(char < " " and char != "\n" for char in written), name


def _text(data: bytes) -> str | None:
    try:
        return decode(data)
    except DecodeError:
        return None


def _check(span: Span) -> None:
    assert 0 <= span.start <= span.end <= len(span.source.text), span
    line, column = span.first
    assert column <= len(span.source.line_text(line)) + 2, span


def _within(root: Node, start: int, end: int) -> None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        assert start <= node.start <= node.end <= end, node
        if node.anchor is not None or isinstance(node, Scalar):
            continue
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            waiting += [part for pair in (*node.pairs, *node.shadowed) for part in pair]


def main() -> None:
    """Run libFuzzer over one of the two."""
    targets = {"parse": parse, "lint": lint_all}
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in targets:
        raise SystemExit(f"usage: harness.py {'|'.join(targets)} [libFuzzer options] [corpus …]")
    atheris.Setup(sys.argv, targets[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
