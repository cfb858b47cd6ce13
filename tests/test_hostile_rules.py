"""Rule packs and configuration are somebody else's, too: they run no code, open no file, and make nothing slow."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import CLEAN, SHORT, efslint
from hypothesis import given, settings
from hypothesis import strategies as st

from efslint.rules.regex import MOST_CHARACTERS, MOST_STATES, RegexError, compiled

RULE = """\
id: ACME101
name: strange-path
severity: warning
since: "1.0"
target: mount
summary: A path that nobody should use
when:
  properties: {server: {pattern: PATTERN}}
  required: [server]
assert: {properties: {timeo_seconds: {minimum: 1}}}
message: "no"
help: "no"
references: [{title: Nobody, url: "https://example.com/"}]
rationale: Because.
remediation: Do not.
examples:
  - {firing: a, manifest: "a: 1  # expect: ACME101"}
  - {near-miss: a, manifest: "a: 1"}
  - {unknown: a, manifest: "a: 1"}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(SHORT)


def pack(text: str) -> None:
    Path("pack").mkdir()
    Path("pack/ACME101-strange-path.yaml").write_text(text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{pattern: PATTERN}", "{$ref: 'file:///etc/passwd'}", "unknown key '$ref'"),
        ("{pattern: PATTERN}", "{$ref: 'https://example.com/a.json'}", "unknown key '$ref'"),
        ("{pattern: PATTERN}", "{$dynamicRef: '#a'}", "unknown key '$dynamicRef'"),
        ("{pattern: PATTERN}", "{$schema: 'file:///etc/passwd'}", "unknown key '$schema'"),
        ("assert: {", "assert: {$id: 'file:///', ", "unknown key '$id'"),
        ("{pattern: PATTERN}", "{pattern: '(?=a)b'}", "'?=a' is not understood in a regular expression here"),
        ("{pattern: PATTERN}", r"{pattern: '(a)\1'}", r"is not understood in a regular expression here"),
        ("{pattern: PATTERN}", "{pattern: '((a{999}){999}){999}'}", "too large"),
    ],
)
def test_a_pack_reads_and_runs_nothing(old: str, new: str, told: str) -> None:
    pack(RULE.replace(old, new))
    ran = efslint("--no-config", "--rules", "pack", "a.yaml")
    assert ran.status == 2
    assert ran.err.startswith("efslint: pack/ACME101-strange-path.yaml:")
    assert told in ran.err


@pytest.mark.parametrize(
    "schema",
    [
        "{pattern: '(?=a)'}",
        "{items: {pattern: '(?=a)'}}",
        "{not: {contains: {pattern: '(?=a)'}}}",
        "{anyOf: [{type: string}, {allOf: [{pattern: '(?=a)'}]}]}",
    ],
)
def test_parameters_have_such_patterns_neither(schema: str) -> None:
    check = "check: access-refused\nparams: {a: b}\nparams-schema: {properties: {a: SCHEMA}}\n"
    text = RULE.replace("assert: {properties: {timeo_seconds: {minimum: 1}}}\n", check.replace("SCHEMA", schema))
    pack(text.replace("PATTERN", "a"))
    ran = efslint("--no-config", "--rules", "pack", "a.yaml")
    assert ran.status == 2
    assert "'?=a' is not understood in a regular expression here" in ran.err


def test_tags_of_python_are_only_names() -> None:
    call = "!!python/object/apply:os.mkdir [made]"
    Path("c.yaml").write_text(f"exclude: {call}\nbaseline: !!python/name:os.getcwd b\n")
    ran = efslint("--config", "c.yaml", "a.yaml")
    assert ran.status == 2
    pack(RULE.replace("PATTERN", call))
    assert efslint("--no-config", "--rules", "pack", "a.yaml").status == 2
    assert not Path("made").exists()


def test_nothing_but_what_is_named_is_opened() -> None:
    """Neither a pack nor a configuration makes a run open another file, or a socket."""
    pack(RULE.replace("PATTERN", "'file:///etc/passwd|https://example.com/'"))
    Path("c.yaml").write_text("rules: [pack]\nper-path-ignores: {'/etc/passwd': [EFS101]}\nexclude: ['/etc/passwd']\n")
    opened: list[str] = []

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if active and event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "urllib.")):
            opened.append(event)
        elif active and event == "open" and "passwd" in str(arguments[0]):
            opened.append(str(arguments[0]))

    active = True
    sys.addaudithook(watch)
    ran = efslint("--config", "c.yaml", "a.yaml")
    active = False
    assert ran.status in (1, 2)
    assert opened == []


@pytest.mark.parametrize(
    "pattern", ["^(/a+)+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)b$", "^(([a-z])+.)+[A-Z]$", "a?" * 40 + "b"]
)
def test_no_pattern_takes_long(pattern: str) -> None:
    text = "/" + "a" * 3000
    started = time.monotonic()
    assert not compiled(pattern).found_in(text.replace("b", "") + "\n!")
    assert time.monotonic() - started < 15


# Regular expressions.


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("", ["", "a"], []),
        ("^$", [""], ["a", "\n"]),
        ("b", ["abc"], ["", "ac"]),
        ("^ab?c*$", ["a", "ab", "accc", "abc"], ["abb", "b", "xab"]),
        ("^a+$", ["a", "aa"], ["", "ab"]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{2,}$", ["aa", "aaaa"], ["a"]),
        ("^a{0,2}$", ["", "a", "aa"], ["aaa"]),
        ("^(ab|c(d|)|)x$", ["abx", "cx", "cdx", "x"], ["ax", "dx"]),
        ("^(?:ab)*$", ["", "abab"], ["aba"]),
        (r"^[a-c\-\]]+$", ["ab-]c"], ["d", ""]),
        ("^[]a]$", ["]", "a"], ["b"]),
        ("^[^]a]$", ["b", "\n"], ["]", "a"]),
        (r"^\d\w\s\D\W\S\.\/$", ["1a x-y./"], ["aa x-y./"]),
        (r"^\t\n\r$", ["\t\n\r"], ["tnr"]),
        ("^.$", ["é"], ["\n", ""]),
        ("a$|^b", ["xa", "bx"], ["ax", "xb"]),
        ("(^a|b$)c?", ["ax", "xb"], ["xa", "bx"]),
        ("(a*)*", ["", "b"], []),
        ("^(a*)*$", ["aaa"], ["b"]),
    ],
)
def test_what_matches(pattern: str, matching: list[str], others: list[str]) -> None:
    regex = compiled(pattern)
    assert [text for text in matching if not regex.found_in(text)] == []
    assert [text for text in others if regex.found_in(text)] == []


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("a" * (MOST_CHARACTERS + 1), f"longer than {MOST_CHARACTERS} characters"),
        ("a{999}" * 3, f"more than {MOST_STATES} steps"),
        ("(a", "not closed"),
        ("a)", "')' is not understood"),
        ("*a", "'*a' is not understood"),
        ("a**", "'*' is not understood"),
        ("a*?", "'?' is not understood"),
        ("a{,2}", "'{,2' is not understood"),
        ("[z-a]", "bad character range"),
        ("[a", "'[a' is not understood"),
        ("[[a]", "'[[a' is not understood"),
        ("[a--b]", "'[a-' is not understood"),
        ("(?i)a", "'?i)' is not understood"),
        (r"\bx", r"is not understood"),
        (r"\p{L}", r"is not understood"),
        ("\\", "is not understood"),
    ],
)
def test_what_is_refused(pattern: str, told: str) -> None:
    with pytest.raises(RegexError, match=re.escape(told)):
        compiled(pattern)


ATOMS = st.sampled_from(("a", "b", ".", "[ab]", "[^a]", r"\w", r"\.", "^", "$"))
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join).map("({})".format),
        st.tuples(inner, st.sampled_from(("*", "+", "?", "{2}", "{1,}", "{0,2}"))).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(PATTERNS, st.text(alphabet="ab.c", max_size=6))
def test_the_answer_is_that_of_re(pattern: str, text: str) -> None:
    assert compiled(pattern).found_in(text) == (re.search(pattern, text) is not None)


def test_a_pack_with_a_pattern_is_used() -> None:
    pack(RULE.replace("PATTERN", r"'^192\.0\.2\.[0-9]+$'").replace("minimum: 1}", "minimum: 100000}"))
    assert "ACME101" in efslint("--no-config", "--rules", "pack", "a.yaml").out
    Path("a.yaml").write_text(CLEAN.replace("192.0.2.5", "192.0.2.5.example.com"))
    assert "ACME101" not in efslint("--no-config", "--rules", "pack", "a.yaml").out
