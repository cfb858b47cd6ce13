"""Where suppressions stand and what they say."""

from __future__ import annotations

from datetime import date

import pytest

from efslint.adoption.directives import Directive, annotation_directives, directives
from efslint.kube.identity import ObjectRef
from efslint.text.source import Source
from efslint.yaml.node import Node
from efslint.yaml.parser import parse_node

REF = ObjectRef("apps/v1", "StatefulSet", "prod", "postgres")


def read(text: str) -> tuple[Directive, ...]:
    return directives(Source("a.yaml", text))


def only(text: str) -> Directive:
    (found,) = read(text)
    return found


def tree(text: str) -> Node:
    source = Source("a.yaml", text)
    root = parse_node(source, 0, len(text))
    assert root is not None
    return root


@pytest.mark.parametrize(
    ("comment", "rules", "reason", "until"),
    [
        ("# efslint: ignore[EFS201]", ("EFS201",), "", None),
        ("# efslint: ignore[EFS201] test data", ("EFS201",), "test data", None),
        ("#efslint:ignore[EFS201]: test data", ("EFS201",), "test data", None),
        ("#\tefslint:  ignore [EFS201] - test data  ", ("EFS201",), "test data", None),
        ("# efslint: ignore[EFS201, database-on-nfs,EFS1] x", ("EFS201", "database-on-nfs", "EFS1"), "x", None),
        ("# efslint: ignore[EFS201,EFS201]", ("EFS201",), "", None),
        ("# efslint: ignore[EFS201] moves away until=2030-01-31", ("EFS201",), "moves away", date(2030, 1, 31)),
        ("# efslint: ignore[EFS201] until=2030-01-31", ("EFS201",), "", date(2030, 1, 31)),
        ("# efslint: ignore[EFS201] (until=2030-01-31)", ("EFS201",), "", date(2030, 1, 31)),
        ("# efslint: ignore[EFS201] until=2030-01-31, then gone", ("EFS201",), "then gone", date(2030, 1, 31)),
        ("# efslint: ignore[EFS201] see issue #12", ("EFS201",), "see issue #12", None),
        ("# efslint: ignore[EFS201] why # yamllint disable-line", ("EFS201",), "why", None),
        ("# noqa # efslint: ignore[EFS201] why", ("EFS201",), "why", None),
        ("# it holds: efslint # efslint: ignore[EFS201] why", ("EFS201",), "why", None),
    ],
)
def test_comments_are_read(comment: str, rules: tuple[str, ...], reason: str, until: date | None) -> None:
    found = only(f"a: 1 {comment}\n")
    assert (found.rules, found.reason, found.until, found.error) == (rules, reason, until, "")


def test_two_directives_share_a_comment() -> None:
    one, two = read("a: 1 # efslint: ignore[EFS101] this # efslint: ignore[EFS201] that\n")
    assert (one.rules, one.reason) == (("EFS101",), "this")
    assert (two.rules, two.reason) == (("EFS201",), "that")
    assert two.span.text == "# efslint: ignore[EFS201] that"


@pytest.mark.parametrize(
    ("comment", "error"),
    [
        ("# efslint: ignore", "names no rule; write ignore[EFS201]"),
        ("# efslint: ignore EFS201", "names no rule; write ignore[EFS201]"),
        ("# efslint: ignore-file[]", "names no rule; write ignore-file[EFS201]"),
        ("# efslint: ignore[EFS201", '"[" is not closed'),
        ("# efslint: ignroe[EFS201]", 'unknown directive "ignroe" (did you mean "ignore"?)'),
        ("# efslint: ignore[EFS201] until=soon", "until=soon is not a date such as until=2030-01-31"),
        ("# efslint: ignore[EFS201] until=2030-02-30", "until=2030-02-30 is not a date such as until=2030-01-31"),
        ("# efslint: ignore[EFS201] until=20300131", "until=20300131 is not a date such as until=2030-01-31"),
    ],
)
def test_comments_that_cannot_be_obeyed_say_why(comment: str, error: str) -> None:
    found = only(f"a: 1 {comment}\n")
    assert found.error == error
    assert found.span.text == comment


MANIFEST = """\
# efslint: ignore[A1] above the first document
---
kind: A # efslint: ignore[A2] same line
# efslint: ignore[A3] next line
# an ordinary comment

key: 1
  # efslint: ignore-document[A4] this document
list:
- x # efslint: ignore-file[A5] this file
---
kind: B
# efslint: ignore-document[B1]
# efslint: ignore[B2] nothing below
"""


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("A1", (2, 2)),  # the marker: nothing to suppress there
        ("A2", (3, 3)),
        ("A3", (7, 7)),
        ("A4", (1, 10)),
        ("A5", (1, 15)),
        ("B1", (11, 14)),
        ("B2", (14, 14)),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_directive_covers_lines(rule: str, lines: tuple[int, int], end: str) -> None:
    found = {directive.rules[0]: directive for directive in read(MANIFEST.replace("\n", end))}
    assert found[rule].lines == lines


@pytest.mark.parametrize(
    "text",
    [
        'a: "x # efslint: ignore[EFS201]"\n',
        "a: 'x # efslint: ignore[EFS201]'\n",
        'a: "first line\n  # efslint: ignore[EFS201]\n  last line"\n',
        "a: |\n  text\n  # efslint: ignore[EFS201]\n  text\n",
        "a: >-\n  # efslint: ignore[EFS201]\nb: 1\n",
        "a: [{b: 'x # efslint: ignore[EFS201]'}]\n",
        '"k # efslint: ignore[EFS201]": 1\n',
        "a: x# efslint: ignore[EFS201]\n",
        "a: http://x/#efslint:ignore[EFS201]\n",
        'a: "x # efslint: ignore[EFS201]"\na: 2\n',
        "a: &x |\n  # efslint: ignore[EFS201]\nb: *x\n",
        "a: &x {k: '# efslint: ignore[EFS201]'}\nb: {<<: *x}\nc: {<<: *x}\n",
        '{"a": "x # efslint: ignore[EFS201]"}',
        "a: 1 # see efslint: the documentation\n",
        "a: efslint:\n",
    ],
)
def test_text_that_is_no_comment_is_no_directive(text: str) -> None:
    assert read(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: | # efslint: ignore[EFS201] header of a block scalar\n  text\n",
        "a: |\n  text\n# efslint: ignore[EFS201] behind a block scalar\nb: 1\n",
        "a:\n  b: |-\n    text\n  # efslint: ignore[EFS201] behind a block scalar\n  c: 1\n",
        "a: 'it # is' # efslint: ignore[EFS201]\n",
        'a: "# efslint: ignore[X]" # efslint: ignore[EFS201]\n',
        "a: x#y # efslint: ignore[EFS201]\n",
        "a: [1, # efslint: ignore[EFS201]\n 2]\n",
        "# efslint: ignore[EFS201]\n",
        "a: é # efslint: ignore[EFS201]\n",
        "a: [\n# efslint: ignore[EFS201] in a document that is not YAML\n---\nb: 1\n",
        "b: |\n  # efslint: x\n---\na: 1 # efslint: ignore[EFS201]\n",
    ],
)
def test_text_that_is_a_comment_is_a_directive(text: str) -> None:
    assert only(text).rules == ("EFS201",)


def test_a_text_without_the_word_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efslint.adoption.directives.parse_node", None)
    assert read("a: 1 # a comment\n") == ()


def test_only_the_documents_that_hold_the_word_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def spy(source: Source, start: int, end: int) -> Node | None:
        parsed.append(source.text[start:end])
        return None

    monkeypatch.setattr("efslint.adoption.directives.parse_node", spy)
    read("a: 1\n---\nb: 1 # efslint: ignore[X]\nc: 2 # efslint: ignore[X]\n---\nd: 1\n")
    assert parsed == ["---\nb: 1 # efslint: ignore[X]\nc: 2 # efslint: ignore[X]\n"]


def annotated(value: str) -> tuple[Directive, ...]:
    return annotation_directives(REF, tree(f"metadata:\n  annotations:\n    efslint.dev/ignore: {value}\n"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"EFS201: reason"', [(("EFS201",), "reason", None)]),
        ("EFS201", [(("EFS201",), "", None)]),
        ('"EFS201, database-on-nfs: reason: more"', [(("EFS201", "database-on-nfs"), "reason: more", None)]),
        ('"EFS201: one; EFS101: two;"', [(("EFS201",), "one", None), (("EFS101",), "two", None)]),
        ("|\n      EFS201: one\n      EFS101: two\n", [(("EFS201",), "one", None), (("EFS101",), "two", None)]),
        ('"EFS201: gone soon until=2030-01-31"', [(("EFS201",), "gone soon", date(2030, 1, 31))]),
        ('"EFS201 until=2030-01-31"', [(("EFS201",), "", date(2030, 1, 31))]),
    ],
)
def test_annotations_are_read(value: str, expected: list[tuple[tuple[str, ...], str, date | None]]) -> None:
    found = annotated(value)
    assert [(one.rules, one.reason, one.until) for one in found] == expected
    assert {(one.object, one.error) for one in found} == {(REF, "")}


def test_an_entry_of_an_annotation_has_its_own_place() -> None:
    one, two, three = annotated('"EFS201: one; EFS201: one; EFS2\\u0030\\x31: two"')
    assert (one.span.text, one.span.first.column) == ("EFS201: one", 26)
    assert (two.span.text, two.span.first.column) == ("EFS201: one", 39)
    assert three.rules == ("EFS201",)  # escaped: shown at the whole value
    assert three.span.first.column == 25


@pytest.mark.parametrize("value", ['""', '" ; "', "[EFS201]", "{EFS201: reason}", "", '": reason"'])
def test_an_annotation_that_names_no_rule_says_so(value: str) -> None:
    (found,) = annotated(value)
    assert found.error == 'names no rule; write "EFS201: reason"'


def test_an_unknown_annotation_of_ours_is_not_passed_over() -> None:
    root = tree("metadata:\n  annotations:\n    efslint.dev/ignored: x\n    example.com/ignore: y\n    [a]: b\n")
    (found,) = annotation_directives(REF, root)
    assert found.error == 'unknown annotation "efslint.dev/ignored" (did you mean "efslint.dev/ignore"?)'
    assert found.span.text == "efslint.dev/ignored"


@pytest.mark.parametrize(
    "route",
    [
        (),
        ("spec", "template"),  # Deployment, StatefulSet, DaemonSet, Job, …
        ("spec", "jobTemplate"),  # CronJob
        ("spec", "jobTemplate", "spec", "template"),
        ("template",),  # PodTemplate
        ("spec", "worker", "podTemplate"),  # operators, wherever they have it
    ],
)
def test_annotations_are_found_on_the_object_and_its_pod_template(route: tuple[str, ...]) -> None:
    inner = "metadata: {annotations: {efslint.dev/ignore: EFS201}}"
    for key in reversed(route):
        inner = f"{key}: {{{inner}}}"
    (found,) = annotation_directives(REF, tree("{" + inner + "}"))
    assert found.rules == ("EFS201",)


@pytest.mark.parametrize("key", ["podMetadata", "inheritedMetadata"])
def test_annotations_of_the_pods_of_a_custom_resource_are_those_of_the_object(key: str) -> None:
    # prometheus-operator api.md, EmbeddedObjectMetadata; cloudnative-pg inheritedMetadata
    (found,) = annotation_directives(REF, tree(f"spec: {{{key}: {{annotations: {{efslint.dev/ignore: EFS201}}}}}}"))
    assert (found.rules, found.object) == (("EFS201",), REF)


CLAIM = "metadata:\n      annotations: {efslint.dev/ignore: 'EFS203: scratch'}\n    spec: {}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"spec:\n  volumeClaimTemplates:\n  - {CLAIM}  - metadata: {{name: b}}\n", (3, 5)),
        (f"spec:\n  volumeClaimTemplate:\n    {CLAIM}", (3, 5)),
    ],
)
def test_an_annotation_of_a_claim_template_is_about_its_lines(text: str, lines: tuple[int, int]) -> None:
    (found,) = annotation_directives(REF, tree(text))
    assert (found.object, found.lines, found.rules, found.reason) == (None, lines, ("EFS203",), "scratch")


def test_annotations_that_many_aliases_lead_to_are_read_once() -> None:
    root = tree("a: &a\n  metadata: {annotations: {efslint.dev/ignore: EFS201}}\nb: {<<: *a}\nc: {<<: *a}\n")
    assert len(annotation_directives(REF, root)) == 1


def test_objects_without_annotations_have_none() -> None:
    assert annotation_directives(REF, tree("metadata: {annotations: null, labels: {efslint.dev/ignore: EFS201}}")) == ()
