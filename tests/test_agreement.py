"""Agreement with other readers of YAML: Go's, which kubectl has, ruamel's own in Python, and the YAML test suite.

What Go says is written down in ``data``, by ``data/update.py``.
"""

from __future__ import annotations

import io
import json
import math
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from efslint.pipeline import lint_text
from efslint.text.decode import decode
from efslint.text.source import Source
from efslint.yaml import parser
from efslint.yaml.documents import SyntaxProblem, read_documents
from efslint.yaml.node import Mapping, Node, Scalar, plain
from efslint.yaml.node import Sequence as NodeSequence
from efslint.yaml.parser import YamlSyntaxError, parse_node
from efslint.yaml.split import split

DATA = Path(__file__).parent / "data"
GO_VALUES: list[tuple[str, str | None]] = json.loads((DATA / "go-values.json").read_text(encoding="utf-8"))
SUITE: list[dict[str, object]] = json.loads((DATA / "yaml-test-suite.json").read_text(encoding="utf-8"))
ARCHIVE = Path(__file__).parents[1].parent / "shared" / "corpus" / "real.tar.xz"

# Go makes JSON, in which keys are text: it types a key first, and has none for what is no scalar or null. It decodes
# !!binary. A manifest has none of these keys, and efslint compares keys as they are written.
TYPED_KEYS = ("yes: a\n", "y: a\n", "0x10: a\n")
BINARY = ("a: !!binary aGk=\n",)
# What Go refuses and efslint reads all the same: JSON has no infinity and no such keys; a tag that does not fit; "\/"
# of YAML 1.2, which ruamel knows.
LENIENT = (
    *(f"a: {word}\n" for word in (".inf", ".Inf", ".INF", "-.inf", "+.inf", "-.Inf", ".nan", ".NaN", ".NAN")),
    *("a: !!int a\n", "a: !!bool 1\n", "a: !!null a\n", 'a: "\\/"\n', "~: a\n", "null: a\n"),
    *("? [a]\n: b\n", "? {a: 1}\n: b\n", "b: &b {x: 1, w: 2}\n*b : 1\n"),
)


def read(text: str) -> Node | SyntaxProblem | None:
    [document] = read_documents(Source("a.yaml", text), lambda _: True)
    return document if isinstance(document, SyntaxProblem) else document.root


@pytest.mark.parametrize(("text", "told"), [pair for pair in GO_VALUES if pair[0] not in (*TYPED_KEYS, *BINARY)])
def test_values_are_those_of_go(text: str, told: str | None) -> None:
    node = read(text)
    if told is None:
        assert (text in LENIENT) == (not isinstance(node, SyntaxProblem))
    else:
        assert node is not None
        assert not isinstance(node, SyntaxProblem)
        assert same(plain(node), json.loads(told))


def same(one: object, other: object) -> bool:
    """Compare JSON values; a float is a float however it is written, but true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers) and not isinstance(one, bool):
        return not isinstance(other, bool) and (one == other or math.isclose(one, other, rel_tol=1e-15))
    return type(one) is type(other) and one == other


def test_the_comparison_can_fail() -> None:
    assert not same({"a": True}, {"a": 1})
    assert not same({"a": 1}, {"a": "1"})
    assert not same([1], [1, 2])
    assert not same({"a": None}, {})
    assert same([2**64, {"a": 1.0}], [18446744073709552000, {"a": 1}])


# Cases of the suite in which efslint reads what Go refuses: %YAML 1.2, keys that are collections or null, and (6CA3,
# Q5MG) a tab before JSON, which kubectl does not hand to its YAML library …
READ_HERE_ONLY = set(
    "6CA3 Q5MG 27NA 3UYS 4FJ6 4MUZ 6BFJ 6PBE 6ZKB 9DXL 9MMA 9MMW B63P BEC7 DFF7 FH7J H7TQ KK5P LX3P M2N8 M5DY PW8X "
    "Q9WF RTP8 RZP5 SBG9 SF5V V9D5 W4TN X38W XW4D".split()
)
# … and in which Go reads a part: it stops at the end of the first document and says nothing of the rest. HRE5 is \' in
# double quotes, which is no YAML.
READ_BY_GO_ONLY = set("3HFZ 4H7K 7Z25 9HCY 9MQT BS4K DK3J EB22 FP8R HRE5 KS4U RHX7".split())
# !!binary, and a key "y".
READ_DIFFERENTLY = {"565N", "C4HZ"}


@pytest.mark.parametrize("case", SUITE, ids=[f"{case['id']}-{number}" for number, case in enumerate(SUITE)])
def test_the_yaml_test_suite(case: dict[str, object]) -> None:
    """Every case ends, and where both readers read a document they read the same."""
    text, told = case["text"], case["go"]
    assert isinstance(text, str)
    assert isinstance(told, list)
    lint_text(text)
    for document, answer in zip(read_documents(Source("a.yaml", text), lambda _: True), told, strict=True):
        if isinstance(document, SyntaxProblem):
            assert answer is None or case["id"] in READ_BY_GO_ONLY
        elif answer is None:
            assert case["id"] in READ_HERE_ONLY
        elif case["id"] not in READ_DIFFERENTLY:
            assert same(None if document.root is None else plain(document.root), json.loads(answer))


@pytest.mark.parametrize("case", SUITE, ids=[f"{case['id']}-{number}" for number, case in enumerate(SUITE)])
def test_the_yaml_test_suite_with_both_parsers(case: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("a.yaml", str(case["text"]))
    by_c = list(parsed(source))
    monkeypatch.setattr(parser, "c_parser", lambda: None)
    in_python = list(parsed(source))
    assert by_c == in_python or case["id"] in PARSERS_DIFFER


# Where ruamel's parser in Python, which runs only where the C one is missing, reads corners of YAML in another way: it
# refuses tabs and uneven blank lines, allows keys without text, more in names of anchors, and text of a block scalar at
# the margin, and puts some errors and empty keys elsewhere.
PARSERS_DIFFER = set(
    "2LFX 2SXE 4QFQ 55WF 5LLU 6BCT 6LVF 8XYN 96NN DC7X DFF7 DK3J DK95 DWX9 FP8R HRE5 HS5T J3BT K54U KK5P M7A3 MUS6 "
    "NB6Z NKF9 R4YG S98Z T26H UV7Q W4TN W5VH X4QW Y2GN Y79Y".split()
)


@pytest.fixture(scope="module")
def real() -> list[Source]:
    if not ARCHIVE.exists():
        pytest.skip("the archive of real manifests is not here")
    with tarfile.open(fileobj=io.BytesIO(ARCHIVE.read_bytes())) as archive:
        members = [member for member in archive if member.name.endswith((".yaml", ".yml", ".json"))]
        files = ((member.name, archive.extractfile(member)) for member in members[5::29] if member.size < 30_000)
        return [Source(name, decode(file.read())) for name, file in files if file is not None]


def test_both_parsers_read_real_manifests_alike(real: list[Source], monkeypatch: pytest.MonkeyPatch) -> None:
    by_c = [list(parsed(source)) for source in real]
    monkeypatch.setattr(parser, "c_parser", lambda: None)
    for source, expected in zip(real, by_c, strict=True):
        assert list(parsed(source)) == expected, source.path
    assert sum(type(node) is not int for nodes in by_c for node in nodes) > 200


def parsed(source: Source) -> Iterator[Node | int | None]:
    for part in split(source.text):
        try:
            yield parse_node(source, part.start, part.end)
        except YamlSyntaxError as error:
            yield error.offset


def test_nodes_are_compared_with_their_places() -> None:
    """Two parsers agree only if every place does: nodes are tuples that hold them."""
    source = Source("a.yaml", "a: [b]")
    node = parse_node(source, 0, 6)
    assert type(node) is Mapping
    [(key, value)] = node.pairs
    assert type(key) is Scalar
    assert type(value) is NodeSequence
    assert node != node._replace(pairs=((key._replace(end=2), value),))
