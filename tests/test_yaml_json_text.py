"""JSON: strict, exact places, several values, and broken ones among them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.source import Source
from efslint.yaml.json_text import JsonValue, build_json, read_values
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, plain
from efslint.yaml.tree import MAX_DEPTH, YamlSyntaxError


def build(text: str) -> Node:
    source = Source("x.json", text)
    (value,) = read_values(text)
    assert value.message is None, value
    return build_json(source, value.start, value.end)


def test_places_and_styles() -> None:
    root = build(' {"a" : ["é\\n😀", -1.5e3 ,true], "b":{ },"c":null} ')
    assert root.span.text == '{"a" : ["é\\n😀", -1.5e3 ,true], "b":{ },"c":null}'
    inner = child(root, "a")
    assert type(inner) is Sequence
    assert inner.span.text == '["é\\n😀", -1.5e3 ,true]'
    assert [(item.span.text, item.text, item.style) for item in inner.items if type(item) is Scalar] == [
        ('"é\\n😀"', "é\n😀", '"'),
        ("-1.5e3", "-1.5e3", ""),
        ("true", "true", ""),
    ]
    assert type(root) is Mapping
    assert [key.span.text for key, _ in root.pairs] == ['"a"', '"b"', '"c"']
    assert plain(root) == {"a": ["é\n😀", -1500.0, True], "b": {}, "c": None}


def test_strings_are_text() -> None:
    assert plain(build('["yes", "1", "", "~", "a: b", "[,]{:}"]')) == ["yes", "1", "", "~", "a: b", "[,]{:}"]


def test_surrogates() -> None:
    assert plain(build(r'["\ud83d\ude00", "\ud83d", "\ude00\ud83d x"]')) == ["😀", "\ufffd", "\ufffd\ufffd x"]


def test_repeated_keys() -> None:
    root = build('{"a": 1, "<<": {"x": 1}, "a": 2}')
    assert type(root) is Mapping
    assert plain(root) == {"<<": {"x": 1}, "a": 2}
    assert [value.span.text for _, value in root.shadowed] == ["1"]


def test_depth() -> None:
    assert build("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    with pytest.raises(YamlSyntaxError, match="nested more than"):
        build("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    (value,) = read_values("[" * 100_000)
    assert value.message in ("nested too deeply", "expected a value")


def test_endless_numbers() -> None:
    assert plain(build("[" + "9" * 5000 + "]")) == ["9" * 5000]


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("{a: 1}", 1, "expected a key in double quotes"),
        ('{"a" 1}', 5, "expected ':' after the key"),
        ('{"a": }', 6, "expected a value"),
        ("[1 2]", 3, "expected ',' or the closing bracket"),
        ('["a', 1, "the string that starts here does not end"),
        ('["a\nb"]', 3, "a control character stands in a string"),
        (r'["\x"]', 2, "unknown escape in a string"),
        (r'["\u12"]', 3, "expected four hexadecimal digits"),
        ("[01]", 2, "expected ',' or the closing bracket"),
        ("['a']", 1, "expected a value"),
        ('["NaN", NaN]', 8, "NaN is not JSON"),
        ("[-Infinity]", 1, "-Infinity is not JSON"),
        ("[] x", 3, "expected '{' or '['"),
        ("// note\n{}", 0, "expected '{' or '['"),
    ],
)
def test_errors(text: str, offset: int, message: str) -> None:
    broken = [value for value in read_values(text) if value.message is not None]
    assert message in (broken[0].message or "")
    slack = 1 if "escape" in message or "hexadecimal" in message else 0  # versions of Python differ
    assert abs(broken[0].offset - offset) <= slack


def test_trailing_comma() -> None:
    # Where the decoder sees it differs between Python versions.
    (value,) = read_values('{"a": 1, }')
    assert value.message in ("expected a key in double quotes", "a comma stands before the closing bracket")


@pytest.mark.parametrize("between", ["", " ", "\n", "\r\n", "\n\n"])
def test_several_values(between: str) -> None:
    values = ['{"a": [1]}', "[]", '{"b": "}{"}']
    text = between.join(values) + between
    assert [text[value.start : value.end] for value in read_values(text)] == values


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ('{"a": 1}\n{"b": }\n{"c": 3}\n', ['{"a": 1}', '{"c": 3}']),
        ('{"a": 1}\r\n{"b": [\r\n{"c": 3}', ['{"a": 1}', '{"c": 3}']),
        ('{"a": "\n{"c": 3}\n', ['{"c": 3}']),
        ('{"a": 1}\nError: x\n{"c": 3}\n', ['{"a": 1}', '{"c": 3}']),
        ('{\n "a": [\n  {"b": x},\n  {"c": 1}\n ]\n}\n{"d": 1}\n', ['{"d": 1}']),
        ('{"a": x', []),
        ('[\n{"a": 1},\n{"b": },\n{"c": 3},\n]\n', []),
    ],
)
def test_reading_goes_on_behind_a_broken_value(text: str, good: list[str]) -> None:
    values = list(read_values(text))
    assert [text[value.start : value.end] for value in values if value.message is None] == good
    assert sum(value.message is not None for value in values) == 1


def test_a_broken_value_ends_before_the_next_line() -> None:
    assert next(read_values('{"a"}\n{}')) == JsonValue(0, 6, "expected ':' after the key", 4)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(JSON), st.booleans(), st.sampled_from([None, 0, 2]))
def test_round_trip(value: list[object], ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    root = build(text)
    assert plain(root) == value
    assert type(root) is Sequence
    assert [json.loads(item.span.text) for item in root.items] == value


@given(st.text(alphabet='{}[]",:\\ \n1ae.-NaI/u0', max_size=30).map(lambda text: "{" + text))
def test_agrees_with_the_json_module(text: str) -> None:
    values = list(read_values(text))
    try:
        expected = json.loads(text, parse_constant=lambda name: json.loads(name + "?"))
    except ValueError:
        assert len(values) != 1 or values[0].message is not None
    else:
        assert plain(build(text)) == expected
    assert all(0 <= value.start < value.end <= len(text) for value in values)
    assert all(value.start <= value.offset <= len(text) for value in values if value.message is not None)
