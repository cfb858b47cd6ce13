"""What suppressions take out, and which of them are complained about."""

from __future__ import annotations

from datetime import date

import pytest
from changing import replace
from hypothesis import given
from hypothesis import strategies as st

from efslint.adoption.directives import annotation_directives, directives
from efslint.adoption.rule_names import RuleName
from efslint.adoption.suppress import Conditions, Outcome, ProblemKind, apply
from efslint.kube.identity import ObjectRef
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Confidence, Step
from efslint.text.source import Source, Span
from efslint.yaml.parser import parse_node

KNOWN = (
    RuleName("EFS004", "unused-suppression"),
    RuleName("EFS005", "expired-suppression"),
    RuleName("EFS101", "timeo-too-short"),
    RuleName("EFS103", "soft-mount"),
    RuleName("EFS201", "database-on-efs"),
)
ALL = tuple(rule.id for rule in KNOWN)
TODAY = date(2026, 3, 1)
CONDITIONS = Conditions(KNOWN, ALL, TODAY)
REF = ObjectRef("apps/v1", "StatefulSet", None, "postgres")


def finding(rule: str, *places: tuple[Source, int], objects: tuple[ObjectRef, ...] = ()) -> Finding:
    """Make a finding whose evidence is the first character of each (source, line), shown at the last of them."""
    steps = tuple(
        Step(Span(source, source.line_starts[line - 1], source.line_starts[line - 1] + 1), "step")
        for source, line in places
    )
    name = dict(KNOWN)[rule]
    about = objects[0] if objects else None
    return Finding(
        rule,
        name,
        Severity.WARNING,
        Confidence.CERTAIN,
        "message",
        "help",
        "https://example.com",
        steps[-1].span,
        about,
        objects,
        None,
        steps,
        f"{rule}:{len(places)}",
    )


def run(text: str, *lines: int, rule: str = "EFS201", conditions: Conditions = CONDITIONS) -> Outcome:
    """Apply the comments of a text to one finding with evidence on some of its lines."""
    source = Source("a.yaml", text)
    return apply([finding(rule, *((source, line) for line in lines))], directives(source), conditions)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1 # efslint: ignore[EFS201] why\nb: 1\n",
        "a: 1\nb: 1 # efslint: ignore[database-on-efs] why\n",
        "a: 1\n# efslint: ignore[EFS2] why\nb: 1\n",
        "a: 1\nb: 1\n# efslint: ignore-file[EFS201] why\n",
        "a: 1\nb: 1\n# efslint: ignore-document[EFS101,EFS201] why\n",
    ],
)
def test_a_comment_on_any_step_of_the_evidence_takes_the_finding_out(text: str) -> None:
    b = text.split("\n").index(next(line for line in text.split("\n") if line.startswith("b"))) + 1
    outcome = run(text, 1, b)
    assert outcome.kept == ()
    assert [reason for _, reason in outcome.suppressed] == ["why"]


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: 1\nc: 1 # efslint: ignore[EFS201] another line\n",
        "c: 1 # efslint: ignore[EFS201] the line above is not free\na: 1\n",
        "a: 1 # efslint: ignore[EFS101] another rule\n",
        "a: 1\n---\nb: 1 # efslint: ignore-document[EFS201] another document\n",
    ],
)
def test_a_comment_elsewhere_does_nothing_and_is_called_unused(text: str) -> None:
    line = 2 if text.startswith("c") else 1
    outcome = run(text, line)
    assert (len(outcome.kept), outcome.suppressed) == (1, ())
    assert [problem.kind for problem in outcome.problems] == [ProblemKind.UNUSED]


def test_a_comment_in_another_file_of_the_evidence_counts() -> None:
    pod = Source("pod.yaml", "kind: Pod\n")
    storage = Source("class.yaml", "kind: StorageClass # efslint: ignore[EFS201] why\n")
    other = Source("other.yaml", "kind: Pod\n")
    here, there = finding("EFS201", (pod, 1), (storage, 1)), finding("EFS201", (other, 1))
    outcome = apply([here, there], directives(storage), CONDITIONS)
    assert outcome.kept == (there,)
    assert outcome.suppressed == ((here, "why"),)
    assert outcome.problems == ()


def test_the_place_of_the_finding_counts_even_if_no_step_has_it() -> None:
    source = Source("a.yaml", "a: 1\nb: 1 # efslint: ignore[EFS201]\n")
    found = replace(finding("EFS201", (source, 1)), span=Span(source, 5, 6))
    assert apply([found], directives(source), CONDITIONS).suppressed == ((found, ""),)


def test_of_several_reasons_the_first_in_the_text_is_given() -> None:
    outcome = run(
        "# efslint: ignore[EFS201]\na: 1 # efslint: ignore[EFS201] second\n# efslint: ignore-file[EFS201] third\n", 2
    )
    assert [reason for _, reason in outcome.suppressed] == ["second"]
    assert outcome.problems == ()


MANIFEST = """\
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: postgres
  annotations:
    efslint.dev/ignore: "EFS201: one small table; EFS101: not here"
"""


def test_an_annotation_counts_for_its_object_in_its_file() -> None:
    source, copy = Source("dev/db.yaml", MANIFEST), Source("prod/db.yaml", MANIFEST)
    root = parse_node(source, 0, len(MANIFEST))
    assert root is not None
    annotations = annotation_directives(REF, root)
    other = REF._replace(name="mysql")
    dev, prod = finding("EFS201", (source, 4), objects=(other, REF)), finding("EFS201", (copy, 4), objects=(REF,))
    neighbour = finding("EFS201", (source, 4), objects=(other,))
    outcome = apply([dev, prod, neighbour], annotations, CONDITIONS)
    assert outcome.suppressed == ((dev, "one small table"),)
    assert outcome.kept == (prod, neighbour)
    (problem,) = outcome.problems
    assert (problem.kind, problem.text) == (ProblemKind.UNUSED, "EFS101")
    assert problem.span.text == "EFS101: not here"


def test_only_the_words_that_did_nothing_are_unused() -> None:
    outcome = run("a: 1 # efslint: ignore[EFS103,EFS201,EFS2,database-on-efs]\n", 1)
    (problem,) = outcome.problems
    assert (problem.kind, problem.text) == (ProblemKind.UNUSED, "EFS103")
    assert problem.message == "nothing to suppress: EFS103 does not fire here"
    assert problem.kind.rule == "EFS004"


def test_an_unknown_rule_is_named_with_a_suggestion_and_the_others_count() -> None:
    outcome = run("a: 1 # efslint: ignore[EFS210,EFS201]\n", 1)
    assert len(outcome.suppressed) == 1
    (problem,) = outcome.problems
    assert (problem.kind, problem.text) == (ProblemKind.UNKNOWN, "EFS210")
    assert problem.message == 'there is no rule "EFS210" (did you mean "EFS201"?)'


@pytest.mark.parametrize("word", ["EFS103", "EFS1", "soft-mount", "EFS"])
def test_what_names_a_rule_that_was_not_looked_for_is_not_unused(word: str) -> None:
    active = tuple(rule for rule in ALL if rule != "EFS103")
    outcome = run(f"a: 1 # efslint: ignore[{word}]\n", 1, rule="EFS201", conditions=replace(CONDITIONS, active=active))
    assert outcome.problems == ()


def test_a_prefix_of_which_every_rule_was_looked_for_is_unused() -> None:
    conditions = replace(CONDITIONS, active=tuple(rule for rule in ALL if rule not in ("EFS004", "EFS005")))
    source = Source("a.yaml", "a: 1 # efslint: ignore[EFS]\n")
    assert [problem.text for problem in apply([], directives(source), conditions).problems] == ["EFS"]


@pytest.mark.parametrize("word", ["EFS004", "unused-suppression", "EFS00"])
def test_rules_about_suppressions_are_ignored_by_configuration_only(word: str) -> None:
    outcome = run(f"a: 1 # efslint: ignore[{word}]\n", 1, rule="EFS004")
    assert len(outcome.kept) == 1
    assert [problem.message for problem in outcome.problems] == [f"{word} can be ignored in the configuration only"]


@pytest.mark.parametrize(("day", "left"), [("2026-02-28", 1), ("2026-03-01", 0), ("2026-03-02", 0)])
def test_a_suppression_ends_after_its_day(day: str, left: int) -> None:
    outcome = run(f"a: 1 # efslint: ignore[EFS201,soft-mount] why until={day}\n", 1)
    assert len(outcome.kept) == left
    expired = [problem for problem in outcome.problems if problem.kind is ProblemKind.EXPIRED]
    assert [problem.message for problem in expired] == [
        f"the suppression of EFS201, soft-mount expired on {day}" for _ in range(left)
    ]
    assert all(problem.kind.rule == "EFS005" for problem in expired)
    assert len(outcome.problems) == 1  # expired, or soft-mount unused; never both


def test_a_finding_is_taken_out_by_a_valid_suppression_beside_an_expired_one() -> None:
    outcome = run("# efslint: ignore[EFS201] old until=2026-01-01\na: 1 # efslint: ignore[EFS201] new\n", 2)
    assert [reason for _, reason in outcome.suppressed] == ["new"]
    assert [problem.kind for problem in outcome.problems] == [ProblemKind.EXPIRED]


def test_a_suppression_without_a_reason_is_refused_where_one_is_required() -> None:
    strict = replace(CONDITIONS, require_reason=True)
    refused = run("a: 1 # efslint: ignore[EFS201] until=2030-01-01\n", 1, conditions=strict)
    assert len(refused.kept) == 1
    (problem,) = refused.problems
    assert (problem.kind, problem.text, problem.kind.rule) == (ProblemKind.NO_REASON, "EFS201", "EFS004")
    assert run("a: 1 # efslint: ignore[EFS201] because\n", 1, conditions=strict).problems == ()


def test_what_is_not_understood_suppresses_nothing() -> None:
    outcome = run("a: 1 # efslint: ignore\n", 1)
    assert len(outcome.kept) == 1
    (problem,) = outcome.problems
    assert (problem.kind, problem.text) == (ProblemKind.UNKNOWN, "# efslint: ignore")
    assert problem.message == "names no rule; write ignore[EFS201]"


def test_nothing_is_said_about_suppressions_in_context_files() -> None:
    text = "a: 1 # efslint: ignore[EFS201]\nb: 1 # efslint: ignore[EFS101,EFS999]\nc: 1 # efslint: ignore\n"
    assert len(run(text, 1).problems) == 3
    outcome = run(text, 1, conditions=replace(CONDITIONS, context={"a.yaml"}))
    assert (len(outcome.suppressed), outcome.problems) == (1, ())


LINES = 6
places = st.lists(st.integers(1, LINES), min_size=1, max_size=4, unique=True)
drafts = st.lists(st.tuples(st.sampled_from(("EFS101", "EFS103", "EFS201")), places), max_size=8)


def written(comments: dict[int, str], above: bool) -> Source:
    lines: list[str] = []
    for line in range(1, LINES + 1):
        comment = comments.get(line)
        lines.extend([f"# {comment}", f"k{line}: v"] if comment and above else [f"k{line}: v # {comment or 'plain'}"])
    return Source("a.yaml", "\n".join(lines) + "\n")


@given(drafts, st.integers(1, LINES), st.sampled_from(("EFS101", "EFS1", "EFS201", "EFS")), st.booleans())
def test_a_comment_takes_out_exactly_the_findings_with_evidence_on_its_line(
    drafts: list[tuple[str, list[int]]], line: int, word: str, above: bool
) -> None:
    source = written({line: f"efslint: ignore[{word}] why"}, above)
    at = {k: next(n for n in range(1, 99) if source.line_text(n).startswith(f"k{k}:")) for k in range(1, LINES + 1)}
    findings = [finding(rule, *((source, at[k]) for k in lines)) for rule, lines in drafts]
    outcome = apply(findings, directives(source), CONDITIONS)
    expected = [rule.startswith(word) and line in lines for rule, lines in drafts]
    assert outcome.kept == tuple(f for f, hit in zip(findings, expected, strict=True) if not hit)
    assert [f for f, _ in outcome.suppressed] == [f for f, hit in zip(findings, expected, strict=True) if hit]
    assert bool(outcome.problems) is not any(expected)
