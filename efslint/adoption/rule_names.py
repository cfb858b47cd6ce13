"""How people name rules: by id, by the beginning of an id, or by name.

Knows the three spellings and how to suggest a right one. Leaves where such words are written to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class RuleName(NamedTuple):
    """A rule that exists: ``EFS201`` and ``database-on-efs``."""

    id: str
    name: str


def specificity(word: str, rule: RuleName) -> int:
    """Say how exactly a word names a rule: 0 for not at all, more for a longer prefix, most for its id or name.

    A prefix holds the letters of the id and none or some of its digits: ``EFS`` and ``EFS1``, but not ``E``.
    """
    if word in rule:
        return len(rule.id) + 1
    letters = rule.id.rstrip("0123456789")
    return len(word) if word.startswith(letters) and rule.id.startswith(word) else 0


def named(word: str, known: Sequence[RuleName]) -> frozenset[str]:
    """Return the ids of the rules that a word names; a word that is an id or a name is never read as a prefix."""
    exact = frozenset(rule.id for rule in known if word in rule)
    return exact or frozenset(rule.id for rule in known if specificity(word, rule))


def suggestion(word: str, choices: Iterable[str]) -> str:
    """Return `` (did you mean "…"?)`` for the choice that is most like the word, else the empty string."""
    from difflib import get_close_matches  # a misspelling is rare, and the import is not free

    spelled = {choice.casefold(): choice for choice in choices}
    close = get_close_matches(word.casefold(), spelled, n=1)
    return f' (did you mean "{spelled[close[0]]}"?)' if close else ""


def spellings(known: Iterable[RuleName]) -> tuple[str, ...]:
    """Return every id and name, to suggest from."""
    return tuple(word for rule in known for word in rule)
