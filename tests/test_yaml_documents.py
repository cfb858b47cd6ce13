"""Streams to documents: what is wanted, what is broken, and that the one does not harm the other."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.decode import decode
from efslint.text.source import Source
from efslint.yaml import documents
from efslint.yaml.documents import Document, SyntaxProblem, read_documents
from efslint.yaml.node import plain

KEYS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")), max_size=5)


def read(text: str, wanted: bool = True) -> list[Document | SyntaxProblem]:
    found = list(read_documents(Source("x", text), lambda _: wanted))
    assert [document.index for document in found] == list(range(len(found)))
    assert all(0 <= document.start <= document.end <= len(text) for document in found)
    for problem in found:
        if isinstance(problem, SyntaxProblem):
            assert problem.start <= problem.span.start < problem.span.end <= problem.end
    return found


def values(text: str) -> list[object]:
    """Give the value of each document; for a broken one line, column and message, for an empty one ``...``."""
    found: list[object] = []
    for document in read(text):
        if isinstance(document, SyntaxProblem):
            found.append((*document.span.first, document.message))
        else:
            found.append(... if document.root is None else plain(document.root))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# c\n", []),
        ("a: 1\n---\n# c\n---\nb: 2\n---\n", [{"a": 1}, ..., {"b": 2}, ...]),
        ("--- {a: 1}\n--- # Source: x\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("- a\n---\nb\n", [["a"], "b"]),
        ("--- null\n---\n!!null\n", [None, None]),
        ('{"a": 1}', [{"a": 1}]),
        (' {"a": 1}{"b": 2}\n["c"]', [{"a": 1}, {"b": 2}, ["c"]]),
        ("{a: 1}\n", [{"a": 1}]),
        ("[a, b]\n", [["a", "b"]]),
        ('{"a": 1}\n---\nb: 2\n', [{"a": 1}, {"b": 2}]),
        ('{"a": 1 # c\n}\n', [{"a": 1}]),
        (
            "kind: ConfigMap\ndata:\n  x: |\n    ---\n    kind: Pod\n",
            [{"kind": "ConfigMap", "data": {"x": "---\nkind: Pod\n"}}],
        ),
        ("a: 1\na: 2\n", [{"a": 2}]),
        (
            "a: &x 1\n---\nb: *x\n---\nc: 3\n",
            [{"a": 1}, (3, 4, "the alias names no anchor of this document"), {"c": 3}],
        ),
    ],
)
def test_documents(text: str, expected: list[object]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b: c\n", (2, 5)),
        ("a: [1,\n\n# c\n", (4, 3)),
        ("a: '\n", (2, 4)),
        ("a: caf\udce9\n", (2, 7)),
        ("a: \0\n", (2, 4)),
        ("\tb: 1\n", (2, 1)),
        ("? [{{ x }\n", (2, 9)),
    ],
)
def test_a_broken_document_costs_only_itself(text: str, place: tuple[int, int]) -> None:
    for line_end in ("\n", "\r\n", "\r"):
        stream = f"---\n{text}---\nb: 2\n".replace("\n", line_end)
        broken, good = values(stream)
        assert good == {"b": 2}
        assert isinstance(broken, tuple)
        assert broken[:2] == place


def test_text_behind_the_end_marker() -> None:
    assert values("a: 1\n...\n\nb: 2\n---\nc: 3\n") == [
        {"a": 1},
        (4, 1, "text after the end of a document '...' needs '---' before it"),
        {"c": 3},
    ]


def test_what_is_not_wanted_is_only_checked() -> None:
    asked: list[str] = []

    def wanted(text: str) -> bool:
        asked.append(text)
        return "kind: Pod" in text

    text = "kind: Pod\n---\nkind: Secret\n---\n# c\n---\na: [\n---\nb: *x\n"
    found = list(read_documents(Source("x", text), wanted))
    assert asked == ["kind: Pod\n", "---\nkind: Secret\n", "---\na: [\n", "---\nb: *x\n"]
    kinds = [(type(document), getattr(document, "empty", None), getattr(document, "root", None)) for document in found]
    assert kinds[0][:2] == (Document, False)
    assert kinds[0][2] is not None
    assert kinds[1:] == [
        (Document, False, None),
        (Document, True, None),
        (SyntaxProblem, None, None),
        (SyntaxProblem, None, None),
    ]


def test_a_document_that_turns_out_to_be_empty() -> None:
    (document,) = read("--- #\n  \n%\n".replace("%", "") + "\n")
    assert isinstance(document, Document)
    assert document.empty
    (tabbed,) = read("\x85")
    assert isinstance(tabbed, Document)
    assert tabbed.empty


def test_unwanted_json() -> None:
    (one, broken) = read('{"kind": "Pod"}\n{"kind": }\n', wanted=False)
    assert isinstance(one, Document)
    assert (one.root, one.empty) == (None, False)
    assert isinstance(broken, SyntaxProblem)


def test_broken_json_among_lines_of_json() -> None:
    assert values('{"a": 1}\n{"b": }\n{"c": 3}\n') == [{"a": 1}, (2, 7, "expected a value"), {"c": 3}]


def test_json_that_is_too_deep() -> None:
    (problem,) = read('{"a": ' + "[" * 300 + "]" * 300 + "}")
    assert isinstance(problem, SyntaxProblem)
    assert "nested" in problem.message


def test_broken_flow_style_is_reported_as_yaml() -> None:
    ((line, column, message),) = values("{a: 1, b: [}\n")  # type: ignore[misc]
    assert (line, column) == (1, 12)
    assert "flow" in message or "expected node content" in message


def test_broken_json_is_reported_as_json() -> None:
    assert values('{\n  "a": 1\n  "b": 2\n}\n') == [(3, 3, "expected ',' or the closing bracket")]


def test_templates_in_braces() -> None:
    (document,) = read("{{ x }}\n")
    assert isinstance(document, Document)
    assert document.root is not None
    assert isinstance(read("{{- if .x }}\na: 1\n{{- end }}\n")[0], SyntaxProblem)


def test_a_problem_at_a_line_break_in_a_blank_document() -> None:
    source = Source("x", "\n\n")
    problem = documents._problem(source, 0, documents.Part(0, 2), "m", 1)
    assert (problem.span.start, problem.span.end) == (1, 2)


def test_utf_16_from_a_shell() -> None:
    assert values(decode("\ufeffkind: Pod\r\n---\r\nkind: Job\r\n".encode("utf-16-le"))) == [
        {"kind": "Pod"},
        {"kind": "Job"},
    ]


def test_joined_files_with_marks() -> None:
    assert values("a: 1\n\ufeff---\nb: 2\n---\n\ufeff# c\nc: 3\n")[:2] == [{"a": 1}, {"b": 2}]


NUMBERS = st.integers(-(2**63), 2**64 - 1)


@given(st.lists(st.recursive(NUMBERS, lambda v: st.lists(v) | st.dictionaries(KEYS, v), max_leaves=5)))
def test_streams_of_json(items: list[object]) -> None:
    boxed = [[item] for item in items]
    for separator in ("", "\n", "\n---\n"):
        assert values(separator.join(json.dumps(item, ensure_ascii=False) for item in boxed)) == boxed


@given(st.text(alphabet="-.{}[]\"':,#\n\r a1*&|%\ufeff\0", max_size=60), st.booleans())
def test_any_text(text: str, wanted: bool) -> None:
    read(text, wanted)


@given(st.text(alphabet="{}[]\"':,#\n a1*&|%-", max_size=30).filter(lambda text: "---" not in text))
def test_neighbours_of_any_text(text: str) -> None:
    found = values(f"a: 1\n---\n{text}\n---\nb: 2\n")
    assert (found[0], found[-1]) == ({"a": 1}, {"b": 2})
