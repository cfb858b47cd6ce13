"""Streams cut at their markers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.yaml.split import is_blank, split


def parts(text: str) -> list[str]:
    return [text[part.start : part.end] for part in split(text)]


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("", []),
        ("\n\n", []),
        ("# only a comment\n", []),
        ("a: 1\n", ["a: 1\n"]),
        ("---\na: 1\n", ["---\na: 1\n"]),
        ("a: 1\n---\nb: 2\n", ["a: 1\n", "---\nb: 2\n"]),
        ("# top\n---\na: 1\n", ["# top\n---\na: 1\n"]),
        ("a: 1\n---\n", ["a: 1\n", "---\n"]),
        ("---\n---\na: 1\n", ["---\n", "---\na: 1\n"]),
        ("a: 1\n---", ["a: 1\n", "---"]),
        ("a: 1\n--- # c\nb: 2", ["a: 1\n", "--- # c\nb: 2"]),
        ("a: 1\n---\t{b: 2}\n", ["a: 1\n", "---\t{b: 2}\n"]),
        ("--- |\n text\n--- x\n", ["--- |\n text\n", "--- x\n"]),
        ("a: 1\r\n---\r\nb: 2\r\n", ["a: 1\r\n", "---\r\nb: 2\r\n"]),
        ("a: 1\r---\rb: 2\r", ["a: 1\r", "---\rb: 2\r"]),
        ("a: |\n  ---\n  b\n", ["a: |\n  ---\n  b\n"]),
        ("a: x\n---b\n", ["a: x\n---b\n"]),
        ("a: x\n----\n", ["a: x\n----\n"]),
        ("a: -----BEGIN\n", ["a: -----BEGIN\n"]),
        ("%YAML 1.2\n---\na: 1\n", ["%YAML 1.2\n---\na: 1\n"]),
        ("a: 1\n...\n%TAG ! tag:x:\n# c\n---\nb: 2\n", ["a: 1\n", "\n%TAG ! tag:x:\n# c\n---\nb: 2\n"]),
        ("%NAME%: x\n---\na: 1\n", ["%NAME%: x\n", "---\na: 1\n"]),
        ("%YAML 1.2\n", ["%YAML 1.2\n"]),
        ("a: 1\n...\n", ["a: 1\n"]),
        ("a: 1\n... # end\n# more\n", ["a: 1\n"]),
        ("a: 1\n...\n---\nb: 2\n", ["a: 1\n", "\n---\nb: 2\n"]),
        ("...\n...\na: 1\n", ["\na: 1\n"]),
        ("\ufeff---\na: 1\n", ["\ufeff---\na: 1\n"]),
        ("a: 1\n\ufeff---\nb: 2\n", ["a: 1\n", "\ufeff---\nb: 2\n"]),
        ("a: x\u2028---\u2028y\n", ["a: x\u2028---\u2028y\n"]),
    ],
)
def test_split(text: str, documents: list[str]) -> None:
    assert parts(text) == documents


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ("a: 1\n...\nb: 2\n", [False, True]),
        ("a: 1\n...\n---\nb: 2\n", [False, False]),
        ("a: 1\n...\nb: 2\n---\nc: 3\n", [False, True, False]),
        ("a: 1\n...\n%YAML 1.2\n...\n", [False, True]),
        ("...\na: 1\n", [True]),
    ],
)
def test_text_behind_the_end_marker_is_stray(text: str, stray: list[bool]) -> None:
    assert [part.stray for part in split(text)] == stray


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True),
        (" \n\t\n", True),
        ("---", True),
        ("---\n# c\n", True),
        ("--- # c\n\n", True),
        ("# c\n---\n", True),
        ("\ufeff# c\n", True),
        ("--- x", False),
        ("---\na", False),
        ("a", False),
        ("---\n---\n", False),
        ("# c\n null\n", False),
    ],
)
def test_is_blank(text: str, blank: bool) -> None:
    assert is_blank(text, 0, len(text)) is blank


@given(st.text(alphabet="-.a# \n\r:%\ufeff", max_size=60))
def test_parts_are_in_order_and_lose_nothing_but_comments_and_markers(text: str) -> None:
    at = 0
    for part in split(text):
        assert at <= part.start <= part.end <= len(text)
        gap = text[at : part.start]
        assert all(line.strip("\ufeff \t\r")[:1] in ("", "#", ".") for line in gap.split("\n"))
        at = part.end


@given(st.lists(st.sampled_from(["a: 1", "- b", "{c: 2}", "null"]), min_size=1), st.sampled_from(["\n", "\r\n", "\r"]))
def test_joined_documents_are_found_again(documents: list[str], end: str) -> None:
    stream = "".join(f"---{end}{document}{end}" for document in documents)
    assert parts(stream) == [f"---{end}{document}{end}" for document in documents]
