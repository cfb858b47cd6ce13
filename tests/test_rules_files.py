"""Every file in ``rules/``: is it a rule file, are its words fit to print, and does it do what its examples say?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from efslint.rules.example import EXAMPLE_KINDS, bare, expected_lines
from efslint.rules.explain import markdown, plain_text
from efslint.rules.finding import Finding
from efslint.rules.load import load_rule, rule_ids
from efslint.rules.rule import Case, Example, Rule
from efslint.text.source import Source

RULES = Path(__file__).parents[1] / "rules"
FILES = sorted(RULES.glob("*.yaml"))
SCHEMAS = Path(__file__).parents[1] / "efslint" / "schemas"


def load(path: Path) -> Rule:
    return load_rule(Source(path.name, path.read_text(encoding="utf-8")))


LOADED = {path.name: load(path) for path in FILES}
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{example.kind}-{number}")
    for rule in LOADED.values()
    for number, example in enumerate(rule.examples)
]


@pytest.fixture(scope="module")
def lint_text() -> Callable[[str], tuple[Finding, ...]]:
    try:
        from efslint.builtin import default_settings
        from efslint.pipeline import lint_text
    except ImportError as error:  # pragma: no cover - only while the pipeline is being built
        pytest.skip(f"there is no pipeline: {error}")
    assert default_settings
    return lint_text


def test_there_are_rules_and_nothing_else_in_the_directory() -> None:
    assert len(FILES) >= 16
    assert sorted(path for path in RULES.iterdir() if not path.name.startswith(".")) == FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_a_valid_rule(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    rule = load_rule(source, validate=True)
    assert path.name == f"{rule.id}-{rule.name}.yaml"
    assert {example.kind for example in rule.examples} == set(EXAMPLE_KINDS)


def test_ids_and_names_are_unique() -> None:
    assert len({rule.id for rule in LOADED.values()}) == len(FILES)
    assert len({rule.name for rule in LOADED.values()}) == len(FILES)
    assert rule_ids(LOADED) == {rule.id: rule.name for rule in LOADED.values()}


def test_targets_are_those_of_the_fact_schema() -> None:
    facts = json.loads((SCHEMAS / "fact.json").read_text(encoding="utf-8"))["$defs"]
    targets = json.loads((SCHEMAS / "rule.json").read_text(encoding="utf-8"))["properties"]["target"]["enum"]
    parts = {reference.rpartition("/")[2] for reference in re.findall(r'"\$ref": ?"([^"]+)"', json.dumps(facts))}
    assert set(targets) == set(facts) - parts


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_stays_within_the_lines(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    assert [line for line in lines if len(line) > 120 or line != line.rstrip() or "\t" in line] == []
    assert lines[-1] == "", "the file ends with a line end"
    assert lines[-2] != "", "and with one only"


def texts(cases: tuple[Case, ...]) -> list[str]:
    return [case.then for case in cases]


@pytest.mark.parametrize("rule", LOADED.values(), ids=lambda rule: rule.id)
def test_the_words_are_fit_to_print(rule: Rule) -> None:
    for words in (rule.summary, *texts(rule.message), *texts(rule.help), *(each.title for each in rule.examples)):
        assert not words.endswith((".", "!", ":", ";", ","))
        assert "  " not in words
    assert rule.summary[0].isupper()
    for words in texts(rule.message) + texts(rule.help):
        assert not re.match("[A-Z][a-z]", words), "messages start with a small letter or a name in capitals"
    for prose in (rule.rationale, rule.remediation):
        assert prose.rstrip().endswith(".")
        assert not prose[0].islower()
    assert len(rule.summary) <= 100
    assert all(len(words) <= 260 for words in texts(rule.message))


@pytest.mark.parametrize("rule", LOADED.values(), ids=lambda rule: rule.id)
def test_every_word_of_the_rule_is_explained(rule: Rule) -> None:
    firing = next(example for example in rule.examples if example.kind == "firing")
    for page in (markdown(rule), plain_text(rule)):
        assert rule.summary in page
        assert rule.rationale.strip() in page
        assert rule.remediation.strip() in page
        assert all(reference.url in page for reference in rule.references)
        assert all(name in page for name in rule.params)
        assert "# expect" not in page
        assert page.endswith("\n")
        assert not page.endswith("\n\n")
    assert bare(firing.manifest).rstrip() in markdown(rule)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_fires_on_its_marked_lines(
    rule: Rule, example: Example, lint_text: Callable[[str], tuple[Finding, ...]]
) -> None:
    findings = [finding for finding in lint_text(example.manifest) if finding.rule == rule.id]
    assert sorted({each.span.first.line for each in findings}) == list(expected_lines(example.manifest, rule.id))
    for finding in findings:
        assert "?" not in finding.message, "a placeholder was not filled in"
        assert "?" not in finding.help, "a placeholder was not filled in"
        assert finding.span in [step.span for step in finding.evidence]
        assert finding.docs.startswith("https://")


def test_every_pattern_of_severities_occurs_in_the_catalogue() -> None:
    """The levels of the catalogue: the default, then what a condition makes of it."""
    levels: dict[str, Any] = {
        "EFS000": ["error"],
        "EFS001": ["note"],
        "EFS002": ["warning"],
        "EFS003": ["note"],
        "EFS101": ["error", "warning"],
        "EFS102": ["note"],
        "EFS103": ["note", "error", "warning"],
        "EFS104": ["warning"],
        "EFS105": ["error", "warning"],
        "EFS106": ["warning"],
        "EFS107": ["error"],
        "EFS108": ["note"],
        "EFS109": ["warning", "error"],
        "EFS110": ["error", "note", "warning"],
        "EFS111": ["error"],
        "EFS112": ["error", "warning"],
        "EFS113": ["warning"],
        "EFS114": ["warning"],
        "EFS115": ["note"],
        "EFS116": ["warning"],
        "EFS117": ["note"],
        "EFS118": ["note"],
        "EFS504": ["error"],
        "EFS505": ["warning"],
        "EFS506": ["note"],
        "EFS201": ["warning", "error"],
        "EFS202": ["warning"],
        "EFS203": ["error", "warning"],
        "EFS204": ["error"],
        "EFS205": ["warning"],
        "EFS206": ["warning"],
        "EFS301": ["warning"],
    }
    by_id = {rule.id: rule for rule in LOADED.values()}
    assert {id: [case.then for case in by_id[id].severity] for id in levels} == levels
