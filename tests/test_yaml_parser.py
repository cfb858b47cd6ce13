"""YAML to nodes, with the C parser and with the pure one: content, places, limits, and errors."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.source import Source
from efslint.yaml import parser, tree
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, items, plain
from efslint.yaml.parser import YamlSyntaxError, check_syntax, parse_node


@pytest.fixture(params=["c", "pure"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with both parsers."""
    if request.param == "pure":
        monkeypatch.setattr(parser, "c_parser", lambda: None)
    return str(request.param)


def source(text: str) -> Source:
    return Source("x.yaml", text)


def parse(text: str) -> Node:
    node = parse_node(source(text), 0, len(text))
    assert node is not None
    return node


def failure(text: str) -> YamlSyntaxError:
    with pytest.raises(YamlSyntaxError) as caught:
        parse_node(source(text), 0, len(text))
    with pytest.raises(YamlSyntaxError) as checked:
        check_syntax(source(text), 0, len(text))
    assert (checked.value.message, checked.value.offset) == (caught.value.message, caught.value.offset)
    return caught.value


def nodes(node: Node) -> Iterator[Node]:
    yield node
    if type(node) is Sequence:
        for item in node.items:
            yield from nodes(item)
    elif type(node) is Mapping:
        for pair in (*node.pairs, *node.shadowed):
            for part in pair:
                yield from nodes(part)


def spans(text: str) -> list[str]:
    return [node.span.text for node in nodes(parse(text))]


def test_the_c_parser_runs_here() -> None:
    found = parser.c_parser()
    assert found is not None
    assert "ruamel_yaml" in found.__module__
    assert not hasattr(found, "scanner")


def test_without_the_c_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ruamel.yaml.cyaml", None)
    parser.c_parser.cache_clear()
    try:
        assert parser.c_parser() is None
        assert plain(parse("a: [1, x]")) == {"a": [1, "x"]}
        with pytest.raises(YamlSyntaxError):
            check_syntax(source("a: ["), 0, 4)
    finally:
        parser.c_parser.cache_clear()


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("=", "="),
        ("a: =", {"a": "="}),
        ("a: yes\nb: 'yes'", {"a": True, "b": "yes"}),
        ("on: 1\n5432: x", {"on": 1, "5432": "x"}),
        ("- 0755\n- 22:22\n- 2024-01-01\n- ~\n-", [493, "22:22", "2024-01-01", None, None]),
        ("a: >-\n  hard,\n  timeo=600\n", {"a": "hard, timeo=600"}),
        ("a: {b: [1,\n  # c\n  2,], c: d,}", {"a": {"b": [1, 2], "c": "d"}}),
        ("a: !Ref b\nc: !!binary Zg==\nd: !!int '7'\ne: ! 12", {"a": "b", "c": "Zg==", "d": 7, "e": "12"}),
        ("a: !!python/object:os.system [x]", {"a": ["x"]}),
        ("a: !!set {b, c}", {"a": {"b": None, "c": None}}),
        ("a: |\n\tx\n", None),
        ("a: |\n  x\n  \ty\n", {"a": "x\n\ty\n"}),
        ("a: b\r\nc: |\r\n  d\r\n  e\r\n", {"a": "b", "c": "d\ne\n"}),
        ("a: b\rc: d\r", {"a": "b", "c": "d"}),
        ("---\nkind: Pod\n", {"kind": "Pod"}),
        ("--- {kind: Pod}\n", {"kind": "Pod"}),
        ("--- |\n text\n", "text\n"),
        ("\ufeffa: 1", {"a": 1}),
        ("%YAML 1.1\n---\na: 1", {"a": 1}),
        ("%YAML 1.2\n---\na: 1", {"a": 1}),
        ("# c\n\n%TAG !e! tag:e:\n%YAML 1.9 # c\n---\na: !e!x 1", {"a": "1"}),
        ("a: '%YAML 1.9'", {"a": "%YAML 1.9"}),
        ("# - soft\na: [] # - soft", {"a": []}),
        (
            "containers: null\nvolumes: {}\nspec: []\nmetadata:",
            {"containers": None, "volumes": {}, "spec": [], "metadata": None},
        ),
        ("- op: add\n  path: /a", [{"op": "add", "path": "/a"}]),
        ("a: 存储 😀\nb: “x”", {"a": "存储 😀", "b": "“x”"}),
    ],
)
def test_content(text: str, value: object) -> None:
    if value is None:
        failure(text)
    else:
        assert plain(parse(text)) == value
        check_syntax(source(text), 0, len(text))


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize("text", ["", "\n", "# c", "---", "---\n# c\n", "\ufeff", "--- # c\n...\n"])
def test_empty(text: str) -> None:
    assert parse_node(source(text), 0, len(text)) is None


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize("text", ["null", "--- ~", "!!null", "''", "&a"])
def test_a_written_null_is_not_empty(text: str) -> None:
    assert type(parse(text)) is Scalar


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("a: é😀\n'b' : \"c\\n\"\n", ["a: é😀\n'b' : \"c\\n\"", "a", "é😀", "'b'", '"c\\n"']),
        ("\ufeffa: 1", ["a: 1", "a", "1"]),
        ("- a\n\n# c\n", ["- a", "a"]),
        ("a:\n- b\n\n# x\nc: d", ["a:\n- b\n\n# x\nc: d", "a", "- b", "b", "c", "d"]),
        ("a:\n  b: c\n\n\n  # d\ne:\n", ["a:\n  b: c\n\n\n  # d\ne:", "a", "b: c", "b", "c", "e", ""]),
        (
            "a: |\n  x\n\n  y\n\n\nb: >-\n  z",
            ["a: |\n  x\n\n  y\n\n\nb: >-\n  z", "a", "|\n  x\n\n  y", "b", ">-\n  z"],
        ),
        ("a: |2- # c\n\n\nb: >\n", ["a: |2- # c\n\n\nb: >", "a", "|2-", "b", ">"]),
        ("a: [ 1 , {b: } ]  # c\n", ["a: [ 1 , {b: } ]", "a", "[ 1 , {b: } ]", "1", "{b: }", "b", ""]),
        ("a: one\n  two\n  # c\n", ["a: one\n  two", "a", "one\n  two"]),
        ("a: &x !!str v\nb: !t &y [1]", ["a: &x !!str v\nb: !t &y [1]", "a", "v", "b", "[1]", "1"]),
        ("a: &x # c\n  # d\n  b: 1", ["a: &x # c\n  # d\n  b: 1", "a", "b: 1", "b", "1"]),
        ("&m\n&k a: 1", ["&k a: 1", "a", "1"]),
        ("a: &x\nb: !t\n", ["a: &x\nb: !t", "a", "", "b", ""]),
        ("a: !<tag:x,y> b", ["a: !<tag:x,y> b", "a", "b"]),
        ("? a\n# c\n? b\n: c", ["? a\n# c\n? b\n: c", "a", "", "b", "c"]),
        ("? {a: b}\n: c", ["? {a: b}\n: c", "{a: b}", "a", "b", "c"]),
        ("{a, b: c}", ["{a, b: c}", "a", "", "b", "c"]),
        ("a: b\x85c: d\u2028e: f", ["a: b\x85c: d\u2028e: f", "a", "b", "c", "d", "e", "f"]),
        ("a: \n\n# c\nb:  # d\n", ["a: \n\n# c\nb:", "a", "", "b", ""]),
    ],
)
def test_spans(text: str, texts: list[str], either: str) -> None:
    if either == "pure" and "\x85" in text:
        pytest.skip("the pure parser takes only LF, CR and NEL for line ends within a document")
    assert spans(text) == texts


@pytest.mark.usefixtures("either")
def test_the_place_of_nothing_is_right_behind_the_colon() -> None:
    text = "a: \n\n# c\nb:  # d\n"
    values = [child(parse(text), key) for key in "ab"]
    assert [value and value.start for value in values] == [2, 11]


@pytest.mark.usefixtures("either")
def test_offsets_count_from_the_start_of_the_text() -> None:
    text = "x: 1\n---\na: [é, b]\n---\n"
    root = parse_node(source(text), 5, 19)
    assert root is not None
    assert [node.span.text for node in nodes(root)] == ["a: [é, b]", "a", "[é, b]", "é", "b"]


@pytest.mark.usefixtures("either")
def test_styles_and_tags() -> None:
    root = parse("[a, 'a', \"a\", !!int 1, !Ref b]")
    assert type(root) is Sequence
    assert [(item.style, item.tag) for item in root.items if type(item) is Scalar] == [
        ("", None),
        ("'", None),
        ('"', None),
        ("", "tag:yaml.org,2002:int"),
        ("", "!Ref"),
    ]
    block = parse("- |\n a\n- >\n b\n")
    assert [item.style for item in block.items if type(item) is Scalar] == ["|", ">"]  # type: ignore[union-attr]
    assert parse("!t {a: b}").tag == "!t"
    assert parse("!t [a]").tag == "!t"


@pytest.mark.usefixtures("either")
def test_repeated_keys_are_kept() -> None:
    root = parse("a: 1\nb: 2\n'a': 3\n? [x]\n: 4\na: 5\n? [x]\n: 6\n")
    assert type(root) is Mapping
    assert plain(root) == {"b": 2, "a": 5}
    assert [(key.span.text, value.span.text) for key, value in root.shadowed] == [("a", "1"), ("'a'", "3")]
    assert [key.span.text for key, _ in root.pairs] == ["b", "[x]", "a", "[x]"]


@pytest.mark.usefixtures("either")
def test_anchors_may_be_redefined() -> None:
    assert plain(parse("a: &x 1\nb: *x\nc: &x [2]\nd: *x\n")) == {"a": 1, "b": 1, "c": [2], "d": [2]}


@pytest.mark.usefixtures("either")
def test_an_alias_has_its_own_place_and_names_the_original() -> None:
    text = "a: &x\n  b: [c]\nd: *x\n*y : &y z\n".replace("*y : &y z", "e: &y k\n*y : z")
    root = parse(text)
    copy = child(root, "d")
    original = child(root, "a")
    assert original is not None
    assert original.anchor is None
    assert type(copy) is Mapping
    assert copy.span.text == "*x"
    assert copy.anchor == (original.start, original.end)
    inner = child(copy, "b")
    assert inner is not None
    assert inner.span.text == "[c]"
    assert text.index("[c]") == inner.start
    assert plain(root)["k"] == "z"  # type: ignore[index]


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("b: &b {x: 1, y: 2}\na:\n  <<: *b\n  x: 3", {"x": 3, "y": 2}),
        ("b: &b {x: 1, y: 2}\na:\n  x: 3\n  <<: *b", {"x": 1, "y": 2}),
        ("b: &b {x: 1}\nc: &c {x: 2, y: 3}\na: {<<: [*b, *c]}", {"x": 1, "y": 3}),
        ("b: &b {x: 1}\nc: &c {<<: *b, y: 2}\na: {<<: *c}", {"y": 2, "x": 1}),
        ("a: {<<: {x: 1}, y: 2}", {"y": 2, "x": 1}),
        ("a: {<<: [], y: 2}", {"y": 2}),
        ("a: {!!merge <<: {x: 1}}", {"x": 1}),
        ("a: {<<: {x: 1}, <<: {x: 2}}", {"x": 2}),
        ("a: {'<<': 1}", {"<<": 1}),
        ("a: {!!str <<: 1}", {"<<": 1}),
    ],
)
def test_merge_keys(text: str, value: object) -> None:
    node = child(parse(text), "a")
    assert type(node) is Mapping
    assert plain(node) == value
    assert node.shadowed == ()


@pytest.mark.usefixtures("either")
def test_complex_keys_are_merged_too() -> None:
    node = child(parse("a: {<<: {? [k] : 1}, ? [k] : 2}"), "a")
    assert type(node) is Mapping
    assert [value.span.text for _, value in node.pairs] == ["2", "1"]


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("text", "at"), [("a: {<<: 1}", "1"), ("a: {<<: [{}, 1]}", "1"), ("a:\n  <<:\n  b: 1", "\n  b")]
)
def test_merging_what_is_no_mapping(text: str, at: str) -> None:
    with pytest.raises(YamlSyntaxError, match="merge key") as caught:
        parse(text)
    assert caught.value.offset == text.index(at)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: b: c", (1, 5), "mapping values are not allowed in this context"),
        (
            "a: [1,\nb: 2\n",
            (3, 1),
            "did not find expected ',' or ']' while parsing a flow sequence that begins in line 1",
        ),
        ("a:\n\tb: 1", (2, 1), "found a tab where only spaces may indent"),
        ("a: @x", (1, 4), "found character '@' that cannot start any token"),
        ("a: `x", (1, 4), "found character '`' that cannot start any token"),
        ("é: {a: %x}", (1, 8), "found character '%' that cannot start any token"),
        (
            "a: 'x\nb: 1\n",
            (3, 1),
            "found unexpected end of stream while scanning a quoted scalar that begins in line 1",
        ),
        ("a: 1\n- b\n", (2, 1), "did not find expected key while parsing a block mapping that begins in line 1"),
        ("a\nb: 1", (2, 2), "mapping values are not allowed in this context"),
        ("a: 1\n}", (2, 1), "did not find expected key while parsing a block mapping that begins in line 1"),
        ("a: *x", (1, 4), "the alias names no anchor of this document"),
        ("*x", (1, 1), "the alias names no anchor of this document"),
        ("- &x [*x]", (1, 7), "the alias stands inside the node it names"),
        ("- &x 1\n- &x {a: [\n  *x\n]}", (3, 3), "the alias stands inside the node it names"),
        ("a: b\0c", (1, 5), "character U+0000 is not allowed in YAML"),
        ("a: [\n# \x07", (2, 3), "character U+0007 is not allowed in YAML"),
        ("a: 😀\n# caf\udce9", (2, 6), "byte 0xE9 is not valid UTF-8"),
        ("a: \ud800", (1, 4), "U+D800 is half of a surrogate pair"),
        ("%YAML 2.0\n---\na", (1, 1), "found incompatible YAML document"),
        ("%FOO bar\n---\na", (1, 5), "found unknown directive name while scanning a directive that begins in line 1"),
        ("a: 1\n  b: 2\n", (2, 4), "mapping values are not allowed in this context"),
        ("spec:\n  a: 1\n \u00a0b: 1\n", None, "; line 3 holds a no-break space, U+00A0"),
        ("a: [“x”, 'y\n", None, "; line 1 holds a typographic quote, U+201C"),
        ("a: 1\nb： 2\n", None, "; line 2 holds a full-width colon, U+FF1A"),
    ],
)
def test_errors(text: str, place: tuple[int, int] | None, message: str) -> None:
    caught = failure(text)
    assert message in caught.message
    assert str(caught) == caught.message
    if place is not None:
        assert source(text).position(caught.offset) == place


@pytest.mark.parametrize("text", ["a: b: c", "a: [1", "a: *x", "- &x [*x]", "a\0", "a: '", "\ud800", "\tb: 1", "%A\n"])
def test_both_parsers_refuse(text: str, either: str) -> None:
    assert either
    with pytest.raises(YamlSyntaxError) as caught:
        parse(text)
    assert 0 <= caught.value.offset <= len(text)


@pytest.mark.usefixtures("either")
def test_one_document_only() -> None:
    text = "a: 1\n---\nb: 2\n"
    with pytest.raises(YamlSyntaxError, match="second document") as caught:
        parse(text)
    assert caught.value.offset == 5


def nested(depth: int, style: str) -> str:
    match style:
        case "flow":
            return "[" * depth + "]" * depth
        case "lines":
            return "[\n" * depth + "]" * depth
        case "block":
            return "- " * depth + "x"
        case _:
            return "? " * depth + "x"


@pytest.mark.parametrize("style", ["flow", "lines", "block", "keys"])
def test_depth_is_bounded(style: str) -> None:
    assert parse(nested(tree.MAX_DEPTH, style)) is not None
    with pytest.raises(YamlSyntaxError, match="nested more than 200 levels deep"):
        parse(nested(tree.MAX_DEPTH + 1, style))


@pytest.mark.parametrize("style", ["flow", "lines", "block", "keys"])
def test_attacks_by_depth_end_soon(style: str) -> None:
    text = nested(100_000, style)
    start = time.perf_counter()
    with pytest.raises(YamlSyntaxError, match="nested"):
        parse(text)
    if style in ("flow", "lines"):
        with pytest.raises(YamlSyntaxError, match="nested"):
            check_syntax(source(text), 0, len(text))
    assert time.perf_counter() - start < 5


def test_many_brackets_alone_are_no_attack() -> None:
    check_syntax(source("a: [" + "[1], {b: 2}, ]" * 0 + "[], {}, " * 4000 + "]"), 0, 32005)
    check_syntax(source("a: |\n " + "}]" * 100 + "{[" * 3000), 0, 6206)


def test_aliases_count_for_depth() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, tree.MAX_DEPTH + 1))]
    assert parse("\n".join(lines[: tree.MAX_DEPTH - 1])) is not None
    text = "\n".join(lines)
    with pytest.raises(YamlSyntaxError, match="levels deep") as caught:
        parse(text)
    assert text[caught.value.offset] == "*"


def test_alias_bomb() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    start = time.perf_counter()
    with pytest.raises(YamlSyntaxError, match="aliases stand for more than 400000 nodes"):
        parse("\n".join(lines))
    assert time.perf_counter() - start < 2


def test_merge_bomb() -> None:
    lines = ["a0: &a0 {k: 1}", *(f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}" for n in range(1, 150))]
    node = child(parse("\n".join(lines)), "a149")
    assert type(node) is Mapping
    assert len(node.pairs) == 150
    with pytest.raises(YamlSyntaxError):
        parse("\n".join(["a: &a [" + "x, " * 50_000 + "]", *(f"b{n}: *a" for n in range(10))]))


@pytest.mark.parametrize(
    "text",
    [
        "a: *x",
        "- *x",
        "[*x]",
        "{a: b, c: *x }",
        "[a, *x, b]",
        "? *x\n: b",
        "a:\n  *x\n",
        "a:\n  *x # c\n",
        "{*x : b}",
    ],
)
def test_undefined_aliases_are_found_by_the_quick_check(text: str) -> None:
    with pytest.raises(YamlSyntaxError, match="names no anchor"):
        check_syntax(source(text), 0, len(text))


@pytest.mark.parametrize(
    "text", ["a: 5 * b", "a: |\n  *bold* text\n", "a: |\n  *note: x\n", "a: x *b, c", "a: 2**8", "a: |\n  * b\n"]
)
def test_stars_in_text(text: str) -> None:
    assert not parser._may_have_alias(text)
    check_syntax(source(text), 0, len(text))


def test_time_is_linear() -> None:
    def seconds(count: int) -> float:
        text = "items:\n" + "- {name: x, args: [a, 'b', \"c\"]}\n- name: y\n  value: |\n    text\n" * count
        return min(_timed(text) for _ in range(3))

    assert seconds(4_000) < 40 * seconds(400)


def _timed(text: str) -> float:
    start = time.perf_counter()
    parse(text)
    return time.perf_counter() - start


def test_long_lines_and_scalars() -> None:
    text = "a: '" + "x " * 300_000 + "'\nb: " + "y" * 500_000 + "\nc: |\n  " + "z" * 500_000 + "\n\n" + " \n" * 50_000
    start = time.perf_counter()
    root = parse(text)
    assert time.perf_counter() - start < 3
    last = child(root, "c")
    assert last is not None
    assert last.span.text.endswith("z")


TEXT = st.text(st.characters(exclude_characters="\x7f", exclude_categories=("Cc", "Cs", "Co", "Cn")), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.booleans())
def test_json_means_the_same_in_yaml(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=1)
    if "\\ud" in text:  # escaped surrogate pairs, which YAML does not join
        text = json.dumps(value, ensure_ascii=False)
    assert plain(parse(text)) == value


def blocks(value: object, indent: str = "") -> str:
    if isinstance(value, dict) and value:
        return "".join(
            f"\n{indent}{json.dumps(k, ensure_ascii=False)}: {blocks(v, indent + '  ')}" for k, v in value.items()
        )
    if isinstance(value, list) and value:
        return "".join(f"\n{indent}- {blocks(v, indent + '  ')}" for v in value)
    return json.dumps(value, ensure_ascii=False)


@given(JSON, st.sampled_from(["\n", "\r\n", "\n\n# c\n"]))
def test_spans_are_what_they_name(value: object, end: str) -> None:
    text = blocks(value).lstrip("\n").replace("\n", end)
    root = parse(text)
    assert plain(root) == value
    for node in nodes(root):
        if type(node) is Scalar:
            again = parse_node(node.source, node.start, node.end)
            assert type(again) is Scalar
            assert (again.start, again.end, again.text, again.value) == (node.start, node.end, node.text, node.value)
        else:
            last = node.pairs[-1][1] if type(node) is Mapping and node.pairs else (items(node) or (None,))[-1]
            assert last is None or last.end in (node.end, node.end - 1)
            assert node.span.text[:1] in '-"[{'


def test_tabs_between_tokens() -> None:
    # The pure parser refuses them, which YAML 1.1 does not.
    assert plain(parse("a:\tb\t# c\nd: e\tf\n")) == {"a": "b", "d": "e\tf"}


@given(st.text(alphabet="ab:-#&*!|>'\"{}[],?%@\n\t \r\u00a0\x85<~1", max_size=40))
def test_any_text_gives_nodes_or_an_error(text: str) -> None:
    try:
        root = parse_node(source(text), 0, len(text))
    except YamlSyntaxError as problem:
        assert 0 <= problem.offset <= len(text)  # noqa: PT017 - either outcome is right
        return
    if root is not None:
        assert all(0 <= node.start <= node.end <= len(text) for node in nodes(root))


@pytest.mark.parametrize("text", ["a: {image: mysql:8}\n", "{a: x:y:z, b: [http://c.d/e:f]}\n"])
def test_a_colon_within_a_plain_scalar_in_flow_style(text: str) -> None:
    """libyaml refuses it, the YAML library of Kubernetes does not: https://github.com/go-yaml/yaml/pull/305."""
    source = Source("a.yaml", text)
    root = parse_node(source, 0, len(text))
    assert root is not None
    assert plain(root) in ({"a": {"image": "mysql:8"}}, {"a": "x:y:z", "b": ["http://c.d/e:f"]})
    check_syntax(source, 0, len(text))


def test_a_colon_that_is_wrong_in_flow_style_stays_an_error() -> None:
    text = "a: {b: mysql:8: c}\n"
    with pytest.raises(YamlSyntaxError):
        parse_node(Source("a.yaml", text), 0, len(text))
