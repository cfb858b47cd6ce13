"""Findings to what is left of them, without files."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import pytest
from changing import replace
from commands import CLASS, CLEAN, DATABASE, SHORT

from efslint.adopt import _is_partial, is_marked
from efslint.adoption.baseline import Entry, entries
from efslint.builtin import default_settings
from efslint.config.load import load
from efslint.config.model import Config
from efslint.kube.manifests import read_manifests
from efslint.pipeline import Outcome, lint
from efslint.settings import Adoption
from efslint.text.source import Source

KNOWN = default_settings().adoption.known
TODAY = date(2027, 1, 31)


def run(sources: dict[str, str], context: Iterable[tuple[str, str]] = (), config: str = "", **adoption: Any) -> Outcome:
    loaded = load(Source("efslint.yaml", config)) if config else Config()
    settings = replace(default_settings(), adoption=replace(Adoption(KNOWN, TODAY, loaded), **adoption))
    return lint([Source(*pair) for pair in sources.items()], settings, [Source(*pair) for pair in context])


def rules(outcome: Outcome) -> list[str]:
    return [finding.rule for finding in outcome.report.findings]


def ignored(rule: str, text: str = SHORT) -> str:
    return text.replace("timeo=30", f"timeo=30  # efslint: ignore[{rule}] so it is")


@pytest.mark.parametrize(
    ("text", "marked"),
    [("# efslint: x", True), ("{efslint.dev/ignore: x}", True), ("efslint is a linter", False), ("", False)],
)
def test_a_text_that_may_hold_suppressions(text: str, marked: bool) -> None:
    assert is_marked(text) is marked


def test_reasons_are_kept() -> None:
    outcome = run({"a.yaml": ignored("EFS101")})
    assert [(each.finding.rule, each.justification) for each in outcome.report.suppressed] == [("EFS101", "so it is")]
    assert outcome.found == ()


def test_findings_about_suppressions_stand_in_order() -> None:
    texts = {"b.yaml": ignored("EFS102"), "a.yaml": f"# efslint: ignore-file[EFS102] no\n{SHORT}"}
    outcome = run(texts)
    assert [(each.span.source.path, each.rule) for each in outcome.report.findings] == [
        ("a.yaml", "EFS004"),
        ("a.yaml", "EFS101"),
        ("b.yaml", "EFS101"),
        ("b.yaml", "EFS004"),
    ]


def test_suppressions_cannot_hide_what_is_wrong_with_them() -> None:
    outcome = run({"a.yaml": f"# efslint: ignore-file[EFS004, EFS102] no\n{CLEAN}"})
    assert rules(outcome) == ["EFS004", "EFS004"]
    said = [(each.span.text, each.evidence[0].message) for each in outcome.report.findings]
    assert said == [
        ("EFS004", "EFS004 can be ignored in the configuration only"),
        ("EFS102", "nothing to suppress: EFS102 does not fire here"),
    ]


def test_an_ignored_path_hides_suppressed_findings_too_only_once() -> None:
    outcome = run({"a.yaml": ignored("EFS101"), "b.yaml": SHORT}, config="per-path-ignores: {'*.yaml': [EFS1]}\n")
    assert rules(outcome) == []
    assert [each.justification for each in outcome.report.suppressed] == ["so it is", "per-path-ignores: *.yaml"]


def test_suppressed_findings_of_the_context_are_not_counted() -> None:
    outcome = run({"a.yaml": CLEAN}, {"b.yaml": ignored("EFS101"), "c.yaml": SHORT}.items())
    assert rules(outcome) == []
    assert outcome.report.suppressed == ()


def test_a_finding_of_the_context_that_touches_a_path() -> None:
    alone = run({"a.yaml": CLEAN}, {"db.yaml": DATABASE, "class.yaml": CLASS}.items())
    assert "EFS201" not in rules(alone)
    assert "EFS201" in rules(run({"class.yaml": CLASS}, {"db.yaml": DATABASE}.items()))
    assert "EFS201" in rules(run({"db.yaml": DATABASE}, {"class.yaml": CLASS}.items()))


def baseline(text: str = SHORT, path: str = "a.yaml") -> tuple[Entry, ...]:
    return entries(run({path: text}).found)


def test_without_a_baseline_nothing_is_compared() -> None:
    outcome = run({"a.yaml": SHORT})
    assert outcome.comparison is None
    assert rules(outcome) == [finding.rule for finding in outcome.found] == ["EFS101"]


def test_known_findings_are_counted_and_kept_for_a_new_baseline() -> None:
    outcome = run({"a.yaml": SHORT}, baseline=baseline())
    assert rules(outcome) == []
    assert outcome.report.baselined == 1
    assert [finding.rule for finding in outcome.found] == ["EFS101"]


@pytest.mark.parametrize(
    ("texts", "config", "gone", "stale"),
    [
        ({"a.yaml": CLEAN}, "", False, True),
        ({"b.yaml": CLEAN}, "", False, False),
        ({"b.yaml": CLEAN}, "", True, True),
        ({"a.yaml": CLEAN}, "select: [EFS2]\n", False, False),
        ({"a.yaml": CLEAN}, "ignore: [timeo-too-short]\n", False, False),
        ({"a.yaml": f"{CLEAN}---\n["}, "", False, False),
        ({"a.yaml": "a: {{ x }}\nb: {{- y }}\n"}, "", False, False),
        ({"a.yaml": f"{CLEAN}  path: /other\n"}, "", False, True),  # a key that stands twice hides nothing else
        ({"a.yaml": ignored("EFS101")}, "", False, True),
    ],
)
def test_an_entry_is_stale_when_its_finding_would_have_been_seen(
    texts: dict[str, str], config: str, gone: bool, stale: bool
) -> None:
    outcome = run(texts, config=config, baseline=baseline(), gone=lambda path: gone and path == "a.yaml")
    assert outcome.comparison is not None
    assert bool(outcome.comparison.stale) is stale
    assert bool(outcome.comparison.unseen) is not stale


def test_entries_of_the_context_are_not_judged() -> None:
    outcome = run({"b.yaml": CLEAN}, {"a.yaml": CLEAN}.items(), baseline=baseline())
    assert outcome.comparison is not None
    assert outcome.comparison.unseen == baseline()


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ("apiVersion: v1\nkind: Pod\nspec: {}\nspec: {volumes: [{nfs: {}}]}\n", False),
        ("apiVersion: v1\nkind: Pod\nspec: {}\napiVersion: v1\nkind: Pod\n", False),
        ("apiVersion: v1\nkind: Pod\nspec: [\n", True),
    ],
    ids=["a key twice", "two objects in one", "broken"],
)
def test_only_what_was_not_read_leaves_entries_of_a_baseline_open(text: str, partial: bool) -> None:
    manifests = read_manifests(Source("a.yaml", text))
    assert manifests.problems
    assert _is_partial(manifests) is partial
