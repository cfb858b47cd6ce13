"""Walking nodes: routes that end early, kinds that do not fit, and keys of any type."""

from __future__ import annotations

from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Scalar, child, items, pairs, plain, text
from efslint.yaml.parser import parse_node

SOURCE = Source("x", "a: {b: [x, 1e3, ~]}\n5: yes\n? [c]\n: d\ne: ''\n")
ROOT = parse_node(SOURCE, 0, len(SOURCE.text))


def test_child() -> None:
    found = child(ROOT, "a", "b", 1)
    assert type(found) is Scalar
    assert (found.text, found.value) == ("1e3", 1000.0)
    assert child(ROOT) is ROOT
    for route in (("a", "z"), ("a", 0), ("a", "b", 3), ("a", "b", "x"), ("5", "x"), ("z", "y")):
        assert child(ROOT, *route) is None
    assert child(None, "a") is None


def test_text_is_that_of_the_source() -> None:
    assert text(ROOT, "a", "b", 1) == "1e3"
    assert text(ROOT, "5") == "yes"
    assert text(ROOT, "e") == ""
    assert text(ROOT, "a", "b", 2) is None
    assert text(ROOT, "a") is None


def test_items_and_pairs() -> None:
    assert [item.span.text for item in items(ROOT, "a", "b")] == ["x", "1e3", "~"]
    assert items(ROOT, "a") == ()
    assert [key for key, _ in pairs(ROOT)] == ["a", "5", "e"]
    assert list(pairs(ROOT, "5")) == []


def test_keys() -> None:
    assert type(ROOT) is Mapping
    key = ROOT.key("5")
    assert key is not None
    assert key.span == Span(SOURCE, SOURCE.text.index("5"), SOURCE.text.index("5") + 1)
    assert ROOT.key("c") is None
    assert ROOT.get("c") is None


def test_plain() -> None:
    assert plain(ROOT) == {"a": {"b": ["x", 1000.0, None]}, "5": True, "e": ""}  # type: ignore[arg-type]
