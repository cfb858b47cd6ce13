"""The rules room: reading rule files and refusing bad ones, choosing words, finding places, and making findings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from changing import replace

from efslint.kube.identity import ObjectRef
from efslint.rules.check import check
from efslint.rules.example import bare, expected_lines
from efslint.rules.explain import markdown, plain_text
from efslint.rules.finding import Finding, Severity
from efslint.rules.load import RuleError, load_pack, load_rule, rule_ids
from efslint.rules.locate import pointer
from efslint.rules.predicates import BUILTIN, predicate
from efslint.rules.predicates.probes import probe_patience
from efslint.rules.predicates.problem import Problem
from efslint.rules.rule import Case, Reference, Rule
from efslint.rules.settings import RuleSettings, param_problems, params
from efslint.rules.wording import choose, placeholders, render
from efslint.storage.fact import Confidence, Fact, Origin, OriginKind, Step
from efslint.text.source import Source, Span

NAME = "pack/XY101-slow-mount.yaml"
RULE = """\
id: XY101
name: slow-mount
severity:
  - when: {required: [database]}
    then: error
  - then: note
since: "0.1"
target: mount
summary: A mount is slow
when:
  required: [timeo_seconds]
  properties:
    mounter: {enum: [efs-csi]}
    options: {required: [timeo]}
assert:
  properties:
    options:
      properties:
        timeo: {minimum: 150}
at: [/options/timeo, /listed/0/text]
message: "{carrier.kind}/{carrier.name} waits {timeo_seconds} s"
help: wait longer
references:
  - {title: A page, url: "https://example.com/page"}
rationale: |
  Because.
remediation: |
  Do it.
examples:
  - firing: too short
    manifest: |
      - timeo=1  # expect: XY101
  - near-miss: long
    manifest: |
      - timeo=600
  - unknown: nothing
    manifest: |
      - hard
"""
PROBE_RULE = (
    RULE.replace("target: mount", "target: probe")
    .replace(RULE[RULE.index("when:\n") : RULE.index("message:")], "check: probe-patience\n" + "PARAMS")
    .replace("  - when: {required: [database]}\n    then: error\n", "")
    .replace(
        '"{carrier.kind}/{carrier.name} waits {timeo_seconds} s"', '"{kind} {problem.reason} {problem.file_system}"'
    )
    .replace(
        "PARAMS",
        "params: {efs_latency_seconds: 5, stall_seconds: 20}\n"
        "params-schema:\n"
        "  properties:\n"
        "    efs_latency_seconds: {type: number, minimum: 0}\n"
        "    stall_seconds: {type: number, minimum: 0}\n",
    )
)


def load(text: str = RULE, path: str = NAME, **how: bool) -> Rule:
    return load_rule(Source(path, text), **how)


# Reading a rule file


def test_a_rule_file_is_read_whole() -> None:
    rule = load(validate=True)
    assert (rule.id, rule.name, rule.since, rule.target) == ("XY101", "slow-mount", "0.1", "mount")
    assert rule.severity == (Case({"required": ["database"]}, "error"), Case(None, "note"))
    assert rule.default_severity is Severity.NOTE
    assert rule.message == (Case(None, "{carrier.kind}/{carrier.name} waits {timeo_seconds} s"),)
    assert rule.assertion == {"properties": {"options": {"properties": {"timeo": {"minimum": 150}}}}}
    assert rule.at == ("/options/timeo", "/listed/0/text")
    assert rule.references == (Reference("A page", "https://example.com/page"),)
    assert [example.kind for example in rule.examples] == ["firing", "near-miss", "unknown"]
    assert rule.examples[0].manifest == "- timeo=1  # expect: XY101\n"
    assert rule.rationale == "Because.\n"


def test_documentation_may_be_left_unread() -> None:
    rule = load(documentation=False)
    assert (rule.rationale, rule.remediation, rule.examples) == ("", "", ())
    assert replace(load(), rationale="", remediation="", examples=()) == rule


def test_a_rule_with_a_predicate_is_read_whole() -> None:
    rule = load(PROBE_RULE, validate=True)
    assert rule.check == "probe-patience"
    assert rule.params == {"efs_latency_seconds": 5, "stall_seconds": 20}
    assert rule.params_schema is not None
    assert rule.assertion is None


def test_ids_come_from_file_names() -> None:
    names = ["EFS101-timeo-too-short.yaml", "rules/XY7-a.yml", "README.md", "notes.yaml"]
    assert rule_ids(names) == {"EFS101": "timeo-too-short", "XY7": "a"}


# What is refused. A row: what is replaced by what, the place at fault as text, and a part of the message.

REFUSED = [
    pytest.param("timeo: {minimum: 150}", "timeo: {minimun: 150}", "minimun", "did you mean 'minimum'", id="keyword"),
    pytest.param("timeo: {minimum: 150}", "timeo: {zzz: 150}", "zzz", "unknown key 'zzz'", id="unlike-any-keyword"),
    pytest.param("help: wait", "halp: wait", "halp", "did you mean 'help'", id="key"),
    pytest.param("timeo: {minimum: 150}", "timeo: false", "timeo: false", "not: {}", id="boolean-subschema"),
    pytest.param("timeo: {minimum: 150}", "timeo: {pattern: '('}", "pattern", "not closed", id="pattern"),
    pytest.param("timeo: {minimum: 150}", "timoe: {minimum: 150}", "timoe", "did you mean 'timeo'", id="property"),
    pytest.param("required: [timeo]", "required: [zzz]", "zzz", "a mount fact has no 'zzz' here", id="required"),
    pytest.param("[efs-csi]", "[efs-csi, csi-efs]", "csi-efs", "never 'csi-efs'", id="enum-of-the-fact"),
    pytest.param("{enum: [efs-csi]}", "{const: csi-efs}", "const", "it is one of efs-csi", id="const-of-the-fact"),
    pytest.param("[timeo]}", "[version], properties: {version: {const: 4.1}}}", "const", "type string", id="type"),
    pytest.param(
        "[timeo]}", "[timeo], properties: {mode: {const: soft}}}", "mode", "without requiring it", id="unknown-matches"
    ),
    pytest.param(
        "{minimum: 150}",
        "{minimum: 150}\n  not: {properties: {read_only: {const: true}}}",
        "read_only",
        "without requiring it",
        id="not-over-what-may-be-unknown",
    ),
    pytest.param(
        "{minimum: 150}",
        "{minimum: 150}\n    listed: {contains: {properties: {state: {const: fatal}}}}",
        "state",
        "without requiring it",
        id="contains-over-what-may-be-unknown",
    ),
    pytest.param(
        "{minimum: 150}",
        "{minimum: 150}\n    listed: {items: {properties: {stade: {const: fatal}}}}",
        "stade",
        "did you mean 'state'",
        id="items",
    ),
    pytest.param(
        "{minimum: 150}", "{minimum: 150}\n  anyOf: [{required: [zzz]}]", "zzz", "has no 'zzz'", id="below-any-of"
    ),
    pytest.param("/options/timeo,", "/options/timoe,", "/options/timoe", "did you mean 'timeo'", id="at"),
    pytest.param("/listed/0/text", "/listed/x/text", "/listed/x/text", "has no 'x' here", id="at-in-a-list"),
    pytest.param("{timeo_seconds} s", "{zzz} s", "message", "has no 'zzz' here", id="placeholder"),
    pytest.param("{timeo_seconds} s", "{timeo_meant} s", "message", "require 'timeo_meant'", id="hole"),
    pytest.param("{timeo_seconds} s", "{timeo_seconds:f} s", "message", "brace", id="format-language"),
    pytest.param(
        "{timeo_seconds} s", "{problem.x} s", "message", "has no 'problem' here", id="no-problem-without-check"
    ),
    pytest.param("name: slow-mount", "name: slow-mounts", "id", "XY101-slow-mounts.yaml", id="file-name"),
    pytest.param("id: XY101", "id: xy101", "id", "does not match", id="id"),
    pytest.param("target: mount", "target: mounts", "target", "is not one of", id="target"),
    pytest.param("then: error", "then: fatal", "then: fatal", "'fatal' is not one of", id="severity"),
    pytest.param("help: wait longer\n", "", "id", "'help' is a required property", id="missing-key"),
    pytest.param("  - then: note", "  - {when: {required: [server]}, then: note}", "{when:", "last", id="last-case"),
    pytest.param("  - then: note", "  - then: note\n  - then: note", "then: note", "last", id="two-last-cases"),
    pytest.param("{required: [database]}", "{required: [databse]}", "databse", "did you mean 'database'", id="case"),
    pytest.param("  Because.", "  Because", "rationale", "does not match", id="prose-without-end"),
    pytest.param("https://", "http://", "url", "does not match", id="insecure-address"),
    pytest.param("near-miss: long", "firing: long", "examples", "no example of the kind 'near-miss'", id="kinds"),
    pytest.param("  # expect: XY101", "", "firing: too", "has to mark a line", id="firing-without-mark"),
    pytest.param("- hard", "- hard  # expect: XY101", "unknown: nothing", "must not mark", id="unknown-with-mark"),
    pytest.param("at: [", "check: probe-patience\nat: [", "assert", "and not both", id="assert-and-check"),
    pytest.param(
        "at: [", "params: {a: 1}\nparams-schema: {properties: {a: {}}}\nat: [", "params", "'check'", id="params"
    ),
    pytest.param(RULE[RULE.index("assert:") : RULE.index("at:")], "", "id", "needs 'assert' or 'check'", id="neither"),
    pytest.param("target: mount", "target: mount\ntarget: use", "target", "stands twice", id="repeated-key"),
    pytest.param("  - firing:", "  - {a: 1, a: 2}\n  - firing:", "a: 1", "stands twice", id="repeated-key-in-a-list"),
    pytest.param("remediation: |\n  Do it.\n", "", "id", "'remediation' is a required property", id="undocumented"),
    pytest.param("rationale: |", "remediation: |\n  Do it.\nrationale: |", "remediation", "stands twice", id="twice"),
    pytest.param("summary: A mount is slow", "summary: true", "summary", "is not of type 'string'", id="no-text"),
    pytest.param("help: wait longer", "help: [", "", "", id="no-yaml"),
]


@pytest.mark.parametrize(("old", "new", "place", "message"), REFUSED)
def test_a_bad_rule_file_is_refused_at_its_place(old: str, new: str, place: str, message: str) -> None:
    assert RULE.count(old) == 1 or old in ("[timeo]}", "required: [timeo]")
    text = RULE.replace(old, new, 1)
    with pytest.raises(RuleError) as caught:
        load(text, validate=True)
    first = caught.value.span.first
    assert str(caught.value) == f"{NAME}:{first.line}:{first.column}: {caught.value.message}"
    assert message in caught.value.message
    assert text[caught.value.span.start :].startswith(place)


def test_documentation_stands_last() -> None:
    """Reading may stop before it, so nothing else may follow."""
    start = RULE.index("help:")
    text = RULE[:start] + RULE[RULE.index("references:") :] + "help: wait longer\n"
    with pytest.raises(RuleError, match="the last keys have to be rationale, remediation, examples") as caught:
        load(text, validate=True)
    assert text[caught.value.span.start :].startswith("rationale")


def test_what_a_condition_may_say() -> None:
    """Unknown parts may be mentioned where they are required, required above, or must be absent."""
    text = RULE.replace(
        "    options: {required: [timeo]}\n",
        "    options: {required: [timeo], properties: {timeo: {minimum: 1}, mode: {not: {}}}}\n"
        "  allOf: [{required: [server]}]\n"
        "  not: {required: [read_only], properties: {read_only: {const: true}}}\n",
    ).replace("    then: error\n", "    then: error\n  - when: {properties: {server: {pattern: x}}}\n    then: error\n")
    assert load(text.replace("{timeo_seconds} s", "{options.timeo} for {server}"), validate=True)


PREDICATE_REFUSED = [
    pytest.param("check: probe-patience", "check: probe-patient", "check", "did you mean 'probe-patience'", id="name"),
    pytest.param("check: probe-patience", "check: zzz", "check", "no predicate is named 'zzz'", id="unlike-any-name"),
    pytest.param("stall_seconds: 20", "stall_second: 20", "params:", "differ", id="parameter-names"),
    pytest.param(", stall_seconds: 20", ", stall_seconds: -1", "stall_seconds: -1", "minimum", id="default"),
    pytest.param("{kind} {problem", "{kid} {problem", "message", "did you mean 'kind'", id="placeholder"),
    pytest.param(
        "params: {efs_latency_seconds: 5, stall_seconds: 20}\n", "", "id", "differ", id="schema-without-parameters"
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "message"), PREDICATE_REFUSED)
def test_a_bad_rule_with_a_predicate_is_refused(old: str, new: str, place: str, message: str) -> None:
    text = PROBE_RULE.replace(old, new, 1)
    assert text != PROBE_RULE
    with pytest.raises(RuleError) as caught:
        load(text, validate=True)
    assert message in caught.value.message
    assert text[caught.value.span.start :].startswith(place)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]\n", "id: XY1\n", "text\n", RULE.replace("firing:", "fires:")])
def test_what_is_no_rule_file_is_refused_without_validation_too(text: str) -> None:
    with pytest.raises(RuleError, match="not a rule file"):
        load(text)


@pytest.mark.parametrize("text", ["[]\n", "text\n"])
def test_what_is_no_mapping_is_refused_by_validation(text: str) -> None:
    with pytest.raises(RuleError, match="is not of type 'object'"):
        load(text, validate=True)


def test_a_pack_may_not_use_an_id_twice() -> None:
    other = RULE.replace("slow-mount", "late-mount")
    sources = [Source(NAME, RULE), Source("pack/XY101-late-mount.yaml", other)]
    with pytest.raises(RuleError) as caught:
        load_pack(sources, {})
    assert str(caught.value) == f"pack/XY101-late-mount.yaml:1:5: rule id XY101 is used by {NAME} too"
    with pytest.raises(RuleError, match=r"used by rules/XY101-x\.yaml too"):
        load_pack(sources[:1], {"XY101": "rules/XY101-x.yaml"})
    assert [rule.id for rule in load_pack(sources[:1], {"EFS101": "x"})] == ["XY101"]


# Words


def test_placeholders_are_filled_in() -> None:
    value: Mapping[str, Any] = {"a": {"b": "x"}, "n": 6.0, "f": 0.5, "i": 3, "t": True, "u": False, "l": [1]}
    assert render("{a.b} {n} {f} {i} {t} {u}", value) == "x 6 0.5 3 true false"
    assert render("{a.c} {a.b.c} {z} {l} {a}", value) == "? ? ? ? ?"
    assert render("{{a.b}} {A} {} {a:x} 100%", value) == "{x} {A} {} {a:x} 100%"
    assert render("{a.b}", {"a": {"b": "{i}"}, "i": 1}) == "{i}"


def test_placeholders_are_listed() -> None:
    assert placeholders("{a.b} and {c}") == (("a", "b"), ("c",))


def test_the_first_case_that_holds_is_taken() -> None:
    cases = (Case({"x": 1}, "one"), Case({"x": 2}, "two"), Case(None, "else"))
    assert choose(cases, {"x": 2}, lambda schema, value: schema["x"] == value["x"]) == "two"
    assert choose(cases, {"x": 3}, lambda schema, value: schema["x"] == value["x"]) == "else"


def test_marks_in_examples_are_read_and_removed() -> None:
    manifest = "a: 1  # expect: EFS101, EFS103\nb: 2\nc: 3\t# expect: EFS103\nd: '# expect: EFS101 '\n"
    assert expected_lines(manifest, "EFS103") == (1, 3)
    assert expected_lines(manifest, "EFS10") == ()
    assert bare(manifest) == "a: 1\nb: 2\nc: 3\nd: '# expect: EFS101 '\n"


def test_both_explanations_say_the_same() -> None:
    rule = load(PROBE_RULE)
    assert markdown(rule) == (
        "# XY101 slow-mount\n\nA mount is slow.\n\nSeverity: note. Since version 0.1.\n\n"
        "## Why\n\nBecause.\n\n## What to do\n\nDo it.\n\n"
        "## Parameters\n\n- `efs_latency_seconds`: 5 unless configured\n- `stall_seconds`: 20 unless configured\n\n"
        "## Example: too short\n\n```yaml\n- timeo=1\n```\n\n## References\n\n- [A page](https://example.com/page)\n"
    )
    assert plain_text(load()) == (
        "XY101 slow-mount\n\nA mount is slow.\n\nSeverity: note, in some cases error. Since version 0.1.\n\n"
        "Why:\n\nBecause.\n\nWhat to do:\n\nDo it.\n\n"
        "Example: too short:\n\n    - timeo=1\n\nReferences:\n\n- A page\n  https://example.com/page\n"
    )


def test_what_was_not_read_is_not_explained() -> None:
    bare_rule = replace(load(documentation=False), references=())
    assert plain_text(bare_rule) == (
        "XY101 slow-mount\n\nA mount is slow.\n\nSeverity: note, in some cases error. Since version 0.1.\n"
    )


def test_an_explanation_without_a_firing_example_has_no_example() -> None:
    rule = load()
    assert "Example" not in markdown(replace(rule, examples=rule.examples[1:]))


# Parameters


def test_parameters_are_merged_by_rule_name() -> None:
    rule = load(PROBE_RULE)
    settings = RuleSettings(params={"slow-mount": {"stall_seconds": 60}, "other": {"efs_latency_seconds": 1}})
    assert params(rule, settings) == {"efs_latency_seconds": 5, "stall_seconds": 60}


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ({"stall_second": 1}, ("stall_second",), "did you mean 'stall_seconds'"),
        ({"zzz": 1}, ("zzz",), "it takes efs_latency_seconds, stall_seconds"),
        ({"stall_seconds": -1}, ("stall_seconds",), "stall_seconds: -1 is less than the minimum of 0"),
        ({"stall_seconds": "long"}, ("stall_seconds",), "is not of type 'number'"),
    ],
)
def test_wrong_parameters_are_told_with_their_path(
    given: Mapping[str, Any], path: tuple[str, ...], message: str
) -> None:
    ((found, words),) = param_problems(load(PROBE_RULE), given)
    assert found == path
    assert message in words


def test_right_parameters_are_no_problem_and_a_rule_without_takes_none() -> None:
    assert list(param_problems(load(PROBE_RULE), {"stall_seconds": 0.5})) == []
    ((_, words),) = param_problems(load(), {"a": 1})
    assert words == "rule slow-mount has no parameter 'a'; it takes none"


# Predicates


def test_every_built_in_predicate_is_where_the_table_says() -> None:
    assert all(callable(predicate(name)) for name in BUILTIN)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Pretend that packages provide predicates; the list collects the groups that were asked for."""
    asked: list[str] = []
    place = "efslint.rules.predicates.probes:probe_patience"
    entries = [EntryPoint(name, place, "efslint.predicates") for name in ("mine", "twice", "twice")]

    def entry_points(*, group: str) -> EntryPoints:
        asked.append(group)
        return EntryPoints(entries)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    predicate.cache_clear()
    yield asked
    predicate.cache_clear()


def test_installed_predicates_are_looked_up_only_for_other_names(installed: list[str]) -> None:
    assert predicate("probe-patience") is probe_patience
    assert installed == []
    assert predicate("mine") is probe_patience
    assert installed == ["efslint.predicates"]
    assert predicate("mine") is probe_patience
    assert installed == ["efslint.predicates"], "asked once"


def test_a_predicate_provided_twice_is_refused(installed: list[str]) -> None:
    assert installed == []
    with pytest.raises(LookupError, match=r"'twice' is provided twice, by efslint\S+ and efslint"):
        predicate("twice")


@pytest.mark.parametrize(
    ("timeout", "restart", "problems"),
    [
        (1, 21, [("/timeout_seconds", "timeout")]),
        (1, 1, [("/timeout_seconds", "timeout")]),
        (5, 25, []),
        (5, 20, []),
        (5, 19, [("/failure_threshold", "restart")]),
        (4, 60, [("/timeout_seconds", "timeout")]),
    ],
)
def test_patience_of_a_probe(timeout: int, restart: int, problems: list[tuple[str, str]]) -> None:
    value = {"timeout_seconds": timeout, "seconds_to_restart": restart, "storage": {"kind": "efs"}}
    fact = Fact("probe", value, {}, (), None)
    found = list(probe_patience(fact, {"efs_latency_seconds": 5, "stall_seconds": 20}))
    assert [(each.at, each.values["reason"]) for each in found] == problems
    assert all(each.values["file_system"] == "EFS" for each in found)


# Facts and rules to findings

TEXT = "kind: StorageClass\nname: shared\noptions:\n- timeo=60\n- retrans=1\n"
SOURCE = Source("b.yaml", TEXT)
CLASS = ObjectRef("storage.k8s.io/v1", "StorageClass", None, "shared")
POD = ObjectRef("v1", "Pod", "web", "app")
OTHER = ObjectRef("v1", "Pod", "web", "other")
SETTINGS = RuleSettings()


def span(text: str, source: Source = SOURCE) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def fact(
    options: Mapping[str, Any],
    origins: Mapping[str, Origin] | None = None,
    chain: Sequence[Step] = (),
    refs: Sequence[ObjectRef] = (CLASS,),
    confidence: Confidence = Confidence.CERTAIN,
    **more: Any,
) -> Fact:
    value = {
        "carrier": {"kind": "StorageClass", "name": "shared"},
        "mounter": "efs-csi",
        "options": options,
        "explicit": 1,
    }
    if origins is None:
        origins = {"": Origin(span("shared")), "/options/timeo": Origin(span("timeo=60"))}
    return Fact(
        "mount", {**value, **more}, origins, tuple(chain), refs[0] if refs else None, tuple(refs), None, confidence
    )


def run(rule: Rule, *facts: Fact, settings: RuleSettings = SETTINGS) -> tuple[Finding, ...]:
    return check(facts, [rule], settings)


def simple(**changes: Any) -> Rule:
    return replace(load(), **{"when": None, "at": (), "message": (Case(None, "slow"),), **changes})


def test_an_assertion_that_fails_is_a_finding_at_its_own_place() -> None:
    (found,) = run(load(), fact({"timeo": 60}, timeo_seconds=6.0))
    assert found == Finding(
        rule="XY101",
        name="slow-mount",
        severity=Severity.NOTE,
        confidence=Confidence.CERTAIN,
        message="StorageClass/shared waits 6 s",
        help="wait longer",
        docs="https://example.com/page",
        span=span("timeo=60"),
        object=CLASS,
        objects=(CLASS,),
        container=None,
        evidence=(Step(span("timeo=60"), "a mount is slow"),),
        fingerprint=found.fingerprint,
    )
    assert len(found.fingerprint) == 32
    assert int(found.fingerprint, 16) >= 0


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({"timeo": 150}, {"timeo_seconds": 15}),
        ({}, {"timeo_seconds": 6}),
        ({"timeo": 60}, {}),
        ({"timeo": 60}, {"timeo_seconds": 6, "mounter": "inline-nfs"}),
    ],
    ids=["holds", "unknown", "when-unknown", "when-not"],
)
def test_no_finding(options: Mapping[str, Any], more: Mapping[str, Any]) -> None:
    assert run(load(), fact(options, **more)) == ()


def test_other_targets_are_left_alone() -> None:
    assert run(load(), replace(fact({"timeo": 60}, timeo_seconds=6), target="use")) == ()


def test_a_rule_that_demands_nothing_finds_nothing() -> None:
    assert run(simple(assertion=None), fact({"timeo": 60})) == ()


def test_severity_follows_its_cases_and_the_settings() -> None:
    database = fact({"timeo": 60}, timeo_seconds=6, database={"id": "x"})
    assert run(load(), database)[0].severity is Severity.ERROR
    settings = RuleSettings(severity={"XY101": Severity.WARNING, "XY102": Severity.ERROR})
    assert run(load(), database, settings=settings)[0].severity is Severity.WARNING


def test_several_failures_are_one_finding_for_each_place() -> None:
    both = simple(
        assertion={"properties": {"options": {"properties": {"timeo": {"minimum": 150}, "retrans": {"minimum": 2}}}}}
    )
    origins = {"/options/timeo": Origin(span("timeo=60")), "/options/retrans": Origin(span("retrans=1"))}
    found = run(both, fact({"timeo": 60, "retrans": 1}, origins))
    assert [each.span for each in found] == [span("timeo=60"), span("retrans=1")]
    assert len({each.fingerprint for each in found}) == 2
    same = {"/options/timeo": Origin(span("timeo=60")), "/options/retrans": Origin(span("timeo=60"))}
    assert len(run(both, fact({"timeo": 60, "retrans": 1}, same))) == 1


# A place: the pointers to look at, the origins there are, and the text that is shown.
PLACES = [
    pytest.param((), {"": "shared", "/options/timeo": "timeo=60"}, "timeo=60", id="own"),
    pytest.param((), {"": "shared", "/options": "options:"}, "options:", id="above"),
    pytest.param((), {"": "shared", "/options/timeo": None}, "shared", id="default-of-somebody"),
    pytest.param(("/carrier", "/options"), {"": "shared", "/options": "options:"}, "options:", id="first-read"),
    pytest.param(("/carrier", "/server"), {"": "shared"}, "shared", id="none-read"),
    pytest.param(("/server",), {}, "kind:", id="nothing-read"),
]


@pytest.mark.parametrize(("at", "read", "shown"), PLACES)
def test_where_a_finding_is_shown(at: tuple[str, ...], read: Mapping[str, str | None], shown: str) -> None:
    origins = {
        where: Origin(None, OriginKind.KERNEL, "default") if text is None else Origin(span(text), reason="told")
        for where, text in read.items()
    }
    chain = (Step(span("kind:"), "the object"),)
    (found,) = run(simple(at=at), fact({"timeo": 60}, origins, chain))
    assert found.span == span(shown)
    if shown == "kind:":
        assert found.evidence == chain
    else:
        assert found.evidence == (Step(span(shown), "told"), *chain)


def test_a_place_of_several_lines_is_cut_to_its_first() -> None:
    whole = span("options:\n- timeo=60")
    (found,) = run(simple(), fact({"timeo": 60}, {"": Origin(whole)}, (Step(whole, "the list"),)))
    assert found.span == span("options:")
    assert found.evidence == (Step(span("options:"), "the list"),)


def test_a_label_keeps_a_name_in_capitals() -> None:
    (found,) = run(simple(summary="EFS is slow"), fact({"timeo": 60}))
    assert found.evidence[0].message == "EFS is slow"


def test_findings_at_one_place_become_one() -> None:
    chain = (Step(span("kind:"), "first"),)
    more = (Step(span("kind:"), "first"), Step(span("retrans=1"), "second"))
    quiet = fact({"timeo": 60}, None, chain, (CLASS, POD), Confidence.CERTAIN, timeo_seconds=6)
    loud = fact({"timeo": 60}, None, more, (OTHER, CLASS), Confidence.ASSUMED, timeo_seconds=7, database={})
    (found,) = run(load(), quiet, loud)
    assert found.severity is Severity.ERROR
    assert found.message == "StorageClass/shared waits 7 s", "the words of the worst"
    assert found.confidence is Confidence.ASSUMED, "which rests on a guess"
    assert found.object == OTHER
    assert found.objects == (OTHER, CLASS, POD)
    assert [step.message for step in found.evidence] == ["a mount is slow", "first", "second"]


def test_of_equal_findings_the_sure_one_speaks_then_the_first() -> None:
    facts = [
        fact({"timeo": 60}, refs=(OTHER,), confidence=Confidence.ASSUMED),
        fact({"timeo": 60}, refs=(POD,)),
        fact({"timeo": 60}, refs=(CLASS,)),
    ]
    (found,) = run(simple(), *facts)
    assert (found.confidence, found.object) == (Confidence.CERTAIN, POD)
    (found,) = run(simple(), facts[0])
    assert found.confidence is Confidence.ASSUMED


def test_findings_are_sorted_by_path_place_and_rule() -> None:
    early = Source("a.yaml", TEXT)
    late = fact({"timeo": 60}, {"": Origin(span("retrans=1"))})
    facts = [late, fact({"timeo": 60}), fact({"timeo": 60}, {"": Origin(span("retrans=1", early))})]
    rules = [simple(id="XY102"), simple()]
    found = check(facts, rules, SETTINGS)
    assert [(each.span.source.path, each.span.first.line, each.rule) for each in found] == [
        ("a.yaml", 5, "XY101"),
        ("a.yaml", 5, "XY102"),
        ("b.yaml", 4, "XY101"),
        ("b.yaml", 4, "XY102"),
        ("b.yaml", 5, "XY101"),
        ("b.yaml", 5, "XY102"),
    ]
    assert check(reversed(facts), rules, SETTINGS) == found


def test_what_is_in_no_object_goes_by_its_file() -> None:
    (here,) = run(simple(), fact({"timeo": 60}, refs=()))
    assert (here.object, here.objects) == (None, ())
    moved = Source("c.yaml", TEXT)
    (there,) = run(simple(), fact({"timeo": 60}, {"": Origin(span("timeo=60", moved))}, refs=()))
    assert here.fingerprint != there.fingerprint


# Fingerprints


def mark(where: str, text: str = TEXT, path: str = "b.yaml", at: str = "/options/timeo", **more: Any) -> str:
    source = Source(path, text)
    (found,) = run(simple(at=(at,)), fact({"timeo": 60}, {at: Origin(span(where, source))}, **more))
    return found.fingerprint


def test_a_fingerprint_survives_moving_and_new_versions() -> None:
    first = mark("timeo=60")
    assert mark("timeo=60", "# a comment\n\n" + TEXT) == first
    assert mark("timeo=60", TEXT, "elsewhere.yaml") == first
    assert mark("timeo=60", refs=(CLASS._replace(api_version="storage.k8s.io/v1beta1"),)) == first
    assert mark("timeo=60", at="/listed/0/text") == mark("timeo=60", at="/listed/7/text")


@pytest.mark.parametrize(
    "other",
    [
        {"where": "retrans=1"},
        {"where": "timeo=60", "at": "/options/retrans"},
        {"where": "timeo=60", "refs": (CLASS._replace(name="other"),)},
        {"where": "timeo=60", "refs": (CLASS._replace(namespace="web"),)},
        {"where": "timeo=60", "refs": (CLASS._replace(api_version="example.com/v1"),)},
        {"where": "timeo=60", "refs": (CLASS._replace(kind="Class"),)},
    ],
)
def test_a_fingerprint_tells_things_apart(other: dict[str, Any]) -> None:
    assert mark(**other) != mark("timeo=60")


def test_a_fingerprint_tells_equal_places_apart_by_their_order() -> None:
    twice = Source("b.yaml", "timeo=60\ntimeo=60\n")
    places = [Span(twice, 0, 8), Span(twice, 9, 17)]
    found = run(simple(), *(fact({"timeo": 60}, {"/options/timeo": Origin(place)}) for place in places))
    assert found[0].fingerprint == mark("timeo=60"), "the first keeps what it has alone"
    assert found[1].fingerprint != found[0].fingerprint


def test_pointers_are_escaped() -> None:
    assert pointer(("a/b", 0, "c~d")) == "/a~1b/0/c~0d"
    assert pointer(()) == ""


# Predicates in rules


def probe(**more: Any) -> Fact:
    value = {
        "kind": "livenessProbe",
        "timeout_seconds": 1,
        "seconds_to_restart": 21,
        "storage": {"kind": "nfs"},
        **more,
    }
    origins = {"": Origin(span("kind:")), "/timeout_seconds": Origin(span("timeo=60"))}
    return Fact("probe", value, origins, (), POD, (POD,), "app")


def test_problems_of_a_predicate_are_findings_with_its_values() -> None:
    rule = replace(
        load(PROBE_RULE),
        severity=(
            Case(
                {"required": ["problem"], "properties": {"problem": {"properties": {"reason": {"const": "restart"}}}}},
                "error",
            ),
            Case(None, "note"),
        ),
    )
    (found,) = run(rule, probe())
    assert (found.message, found.span) == ("livenessProbe timeout NFS", span("timeo=60"))
    assert (found.severity, found.container) == (Severity.NOTE, "app")
    (found,) = run(rule, probe(timeout_seconds=5, seconds_to_restart=5))
    assert (found.message, found.severity) == ("livenessProbe restart NFS", Severity.ERROR)
    assert found.span == span("kind:"), "the failure threshold was not written"
    patient = RuleSettings(params={"slow-mount": {"efs_latency_seconds": 1}})
    assert run(rule, probe(), settings=patient) == ()


def test_a_problem_without_a_place_is_shown_where_the_rule_says() -> None:
    rule = replace(load(PROBE_RULE), at=("/storage/class",))
    unread = replace(probe(), origins={"": Origin(span("kind:")), "/storage/class": Origin(span("shared"))})
    assert run(rule, unread)[0].span == span("shared")
    assert run(rule, probe())[0].span == span("timeo=60")


def test_an_unknown_predicate_is_told(installed: list[str]) -> None:
    with pytest.raises(LookupError, match="no predicate is named 'zzz'"):
        run(replace(load(PROBE_RULE), check="zzz"), probe())
    assert installed == ["efslint.predicates"]


def test_a_predicate_may_find_several_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Problem("/timeout_seconds", {"reason": "a"}), Problem("/kind", {"reason": "b"})]
    monkeypatch.setattr("efslint.rules.check.predicate", lambda _name: lambda _fact, _params: found)
    words = {each.message for each in run(load(PROBE_RULE), probe())}
    assert words == {"livenessProbe a ?", "livenessProbe b ?"}


# Start-up


def test_jsonschema_is_imported_for_facts_only() -> None:
    """Neither importing the room nor a rule whose target no fact has needs the validator."""
    program = (
        "import sys\n"
        "from efslint.rules.check import check\n"
        "from efslint.rules.load import load_rule\n"
        "from efslint.rules.settings import RuleSettings\n"
        "from efslint.text.source import Source\n"
        "rule = load_rule(Source('x', sys.stdin.read()), documentation=False)\n"
        "assert check((), [rule], RuleSettings()) == ()\n"
        "loaded = [name for name in ('jsonschema', 'importlib.metadata') if name in sys.modules]\n"
        "assert loaded == [], loaded\n"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", program], input=RULE, text=True, cwd=root, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
