"""The type of scalars, row by row against ``kubernetes-sigs/yaml:goyaml.v2/resolve.go`` and its ``decode_test.go``."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.yaml.scalars import Plain, typed

TRUE = "y Y yes Yes YES true True TRUE on On ON".split()
FALSE = "n N no No NO false False FALSE off Off OFF".split()
NULL = ["", *"~ null Null NULL".split()]

TABLE: list[tuple[str, Plain]] = [
    *((text, True) for text in TRUE),
    *((text, False) for text in FALSE),
    *((text, None) for text in NULL),
    *((text, math.inf) for text in ".inf .Inf .INF +.inf +.Inf +.INF".split()),
    *((text, -math.inf) for text in "-.inf -.Inf -.INF".split()),
    # resolveMap knows these spellings only
    *((text, text) for text in "yEs YeS oN tRUE nUll nil None .iNf +.nan <<".split()),
    ("hi", "hi"),
    ("10", 10),
    ("-10", -10),
    ("+10", 10),
    ("0", 0),
    ("-0", 0),
    ("0b10", 2),
    ("0B10", 2),
    ("-0b101010", -42),
    ("0b-1", -1),
    ("0b1010_0111_0100_1010_1110", 685230),
    ("0xA", 10),
    ("0XfF", 255),
    ("-0x1f", -31),
    ("0x_0A_74_AE", 685230),
    ("010", 8),
    ("0755", 493),
    ("0o755", 493),
    ("0O755", 493),
    ("-017", -15),
    ("02472256", 685230),
    ("00", 0),
    ("08", 8.0),
    ("0778", 778.0),
    ("+685_230", 685230),
    ("1_000", 1000),
    ("1__0_", 10),
    ("_1", "_1"),
    ("50cent_of_dollar", "50cent_of_dollar"),
    ("4294967296", 4294967296),
    ("9223372036854775807", 2**63 - 1),
    ("9223372036854775808", 2**63),
    ("+9223372036854775808", float(2**63)),
    ("-9223372036854775808", -(2**63)),
    ("-9223372036854775809", -float(2**63)),
    ("18446744073709551615", 2**64 - 1),
    ("18446744073709551616", float(2**64)),
    ("0x10000000000000000", "0x10000000000000000"),
    ("-0x10000000000000000", "-0x10000000000000000"),
    ("0b" + "1" * 65, "0b" + "1" * 65),
    ("9" * 400, "9" * 400),
    ("-" + "9" * 400, "-" + "9" * 400),
    ("0.1", 0.1),
    (".1", 0.1),
    ("-.1", -0.1),
    ("+.5", 0.5),
    ("1.", 1.0),
    ("4.1", 4.1),
    ("6.8523e+5", 685230.0),
    ("685.230_15e+03", 685230.15),
    ("685_230.15", 685230.15),
    ("1e3", 1000.0),
    ("12e5678", "12e5678"),
    (".5e400", ".5e400"),
    ("1e-999", 0.0),
    ("123456E1", 1234560.0),
    (".1_0", ".1_0"),
    (".", "."),
    ("...", "..."),
    (".e1", ".e1"),
    ("1.2.3", "1.2.3"),
    ("1e", "1e"),
    ("0x", "0x"),
    ("0xg", "0xg"),
    ("0b2", "0b2"),
    ("-", "-"),
    ("+", "+"),
    ("-b_c", "-b_c"),
    ("1:1", "1:1"),
    ("22:22", "22:22"),
    ("190:20:30", "190:20:30"),
    ("190:20:30.15", "190:20:30.15"),
    ("2015-01-01", "2015-01-01"),
    ("2015-02-24T18:19:39.12Z", "2015-02-24T18:19:39.12Z"),
    ("2015-02-24 18:19:39", "2015-02-24 18:19:39"),
    ("=", "="),
    ("inf", "inf"),
    ("nan", "nan"),
    ("1 ", "1 "),
    ("\u0661", "\u0661"),
    ("1\u0661", "1\u0661"),
]


@pytest.mark.parametrize(("text", "value"), TABLE)
def test_plain(text: str, value: Plain) -> None:
    got = typed(text, "", None)
    assert (type(got), got) == (type(value), value)


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text: str) -> None:
    got = typed(text, "", None)
    assert isinstance(got, float)
    assert math.isnan(got)


@pytest.mark.parametrize("style", ["'", '"', "|", ">"])
@pytest.mark.parametrize("text", ["yes", "1", "", "~", ".inf", "0x1"])
def test_quoted_and_block_scalars_are_text(style: str, text: str) -> None:
    assert typed(text, style, None) == text


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("str", "2015-01-01", "2015-01-01"),
        ("str", "yes", "yes"),
        ("str", "", ""),
        ("binary", "gIGC", "gIGC"),
        ("binary", "1", "1"),
        ("timestamp", "2015-01-01", "2015-01-01"),
        ("set", "1", "1"),
        ("bool", "yes", True),
        ("bool", "off", False),
        ("bool", "1", "1"),
        ("int", "1", 1),
        ("int", "yes", "yes"),
        ("int", "1.5", "1.5"),
        ("int", "x", "x"),
        ("float", "1.1", 1.1),
        ("float", "0", 0.0),
        ("float", "-1", -1.0),
        ("float", "9" * 400, "9" * 400),
        ("float", "x", "x"),
        ("float", "true", "true"),
        ("null", "", None),
        ("null", "~", None),
        ("null", "x", "x"),
    ],
)
@pytest.mark.parametrize("prefix", ["tag:yaml.org,2002:", "!!"])
@pytest.mark.parametrize("style", ["", "'"])
def test_core_tags(prefix: str, style: str, tag: str, text: str, value: Plain) -> None:
    got = typed(text, style, prefix + tag)
    assert (type(got), got) == (type(value), value)


@pytest.mark.parametrize("tag", ["!", "!Ref", "!vault", "!int", "tag:example.com:int", "!!python/object:os.system"])
def test_other_tags_are_opaque(tag: str) -> None:
    assert typed("12", "", tag) == "12"


@pytest.mark.parametrize("text", ["9" * 5000, "0x" + "f" * 5000, "0" + "7" * 5000, "-" + "1" * 5000, "1_" * 5000])
def test_endless_numbers_stay_text(text: str) -> None:
    assert typed(text, "", None) == text


@given(st.text(alphabet="0123456789+-._eExXbBoOaAfFyYnN~:T "), st.sampled_from(["", "!!int", "!!float", "!!bool"]))
def test_never_raises_and_can_be_shown(text: str, tag: str) -> None:
    json.dumps(typed(text, "", tag or None))


@given(st.integers(-(2**63), 2**64 - 1))
def test_integers(number: int) -> None:
    assert typed(str(number), "", None) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats(number: float) -> None:
    assert typed(repr(number), "", None) == number
