"""Thousands of real manifests: nothing but syntax errors goes wrong, and every span is what it names."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from efslint.text.decode import decode
from efslint.text.source import Source
from efslint.yaml import parser
from efslint.yaml.documents import SyntaxProblem, read_documents
from efslint.yaml.node import Mapping, Node, Scalar, Sequence
from efslint.yaml.parser import YamlSyntaxError, parse_node
from efslint.yaml.split import split
from efslint.yaml.templates import find_template

ARCHIVE = Path(__file__).parents[1].parent / "shared" / "corpus" / "real.tar.xz"


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    if not ARCHIVE.exists():
        pytest.skip("the archive of real manifests is not here")
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes())) as archive:
        members = [member for member in archive if member.name.endswith((".yaml", ".yml", ".json"))]
        files = ((member.name, archive.extractfile(member)) for member in members[::9] if member.size < 40_000)
        return [Source(name, decode(file.read())) for name, file in files if file is not None]


def nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if type(node) is Sequence:
            waiting += node.items
        elif type(node) is Mapping:
            for pair in (*node.pairs, *node.shadowed):
                waiting += pair


def is_what_it_names(node: Scalar) -> bool:
    text = node.span.text
    if node.anchor is not None:
        return text.startswith("*")
    if node.style in ("|", ">"):
        return text.startswith(node.style) and not text[-1].isspace()
    if "\n" in text or "\\" in text:
        return text[:1] == (node.style or node.text[:1])
    unquoted = text if not node.style else text[1:-1].replace("''", "'") if node.style == "'" else text[1:-1]
    return unquoted == node.text


def test_real_manifests(sources: list[Source]) -> None:
    broken: list[SyntaxProblem] = []
    count = 0
    for source in sources:
        for document in read_documents(source, lambda _: True):
            if isinstance(document, SyntaxProblem):
                broken.append(document)
            elif document.root is not None:
                for node in nodes(document.root):
                    count += 1
                    assert type(node) is not Scalar or is_what_it_names(node), (source.path, node.start)
    assert count > 50_000
    # Whatever does not parse there is an unrendered template.
    assert [problem.source.path for problem in broken if find_template(problem.source.text) is None] == []


def test_both_parsers_agree(sources: list[Source], monkeypatch: pytest.MonkeyPatch) -> None:
    small = [source for source in sources if len(source.text) < 3000 and "\t" not in source.text][:150]
    by_c = [parsed(source) for source in small]
    monkeypatch.setattr(parser, "c_parser", lambda: None)
    for source, expected in zip(small, by_c, strict=True):
        assert parsed(source) == expected, source.path


def parsed(source: Source) -> list[object]:
    found: list[object] = []
    for part in split(source.text):
        try:
            found.append(parse_node(source, part.start, part.end))
        except YamlSyntaxError as error:
            found.append(error.offset)
    return found
