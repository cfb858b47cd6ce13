"""Words for rules: ids, beginnings of ids, names."""

from __future__ import annotations

import pytest

from efslint.adoption.rule_names import RuleName, named, specificity, spellings, suggestion

KNOWN = (
    RuleName("EFS101", "timeo-too-short"),
    RuleName("EFS102", "timeo-below-recommended"),
    RuleName("EFS201", "database-on-efs"),
    RuleName("ACME1", "house-rule"),
    RuleName("ACME10", "other-house-rule"),
)


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("EFS201", {"EFS201"}),
        ("database-on-efs", {"EFS201"}),
        ("EFS1", {"EFS101", "EFS102"}),
        ("EFS", {"EFS101", "EFS102", "EFS201"}),
        ("ACME1", {"ACME1"}),  # an id, although it is also how another begins
        ("ACME", {"ACME1", "ACME10"}),
        ("E", set()),  # too short to be meant
        ("EF", set()),
        ("", set()),
        ("efs201", set()),
        ("EFS2011", set()),
        ("database", set()),
    ],
)
def test_words_name_rules(word: str, ids: set[str]) -> None:
    assert named(word, KNOWN) == ids


def test_a_longer_word_is_more_exact_and_a_name_as_exact_as_an_id() -> None:
    rule = RuleName("EFS201", "database-on-efs")
    grades = [specificity(word, rule) for word in ("EFS1", "EFS", "EFS2", "EFS20", "EFS201")]
    assert grades == sorted(set(grades))
    assert grades[0] == 0
    assert specificity("database-on-efs", rule) == specificity("EFS201", rule)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("EFS210", ' (did you mean "EFS201"?)'),
        ("efs201", ' (did you mean "EFS201"?)'),
        ("databse-on-efs", ' (did you mean "database-on-efs"?)'),
        ("zzzz", ""),
    ],
)
def test_a_misspelled_word_gets_a_suggestion(word: str, hint: str) -> None:
    assert suggestion(word, ("EFS201", "database-on-efs")) == hint


def test_spellings_are_ids_and_names() -> None:
    assert spellings(KNOWN[:2]) == ("EFS101", "timeo-too-short", "EFS102", "timeo-below-recommended")
