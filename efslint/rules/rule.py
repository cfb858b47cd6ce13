"""What a rule is: data without behaviour, as read from its one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from efslint.rules.finding import Severity

Schema = Mapping[str, Any]


class Case(NamedTuple):
    """One alternative of a value that depends on the fact: the first case whose ``when`` holds is taken.

    ``when`` is a schema over the fact, or ``None`` for the last case, which always holds.
    """

    when: Schema | None
    then: str


class Reference(NamedTuple):
    """A page that supports the rule: its title and its address."""

    title: str
    url: str


class Example(NamedTuple):
    """Manifests that show the rule at work. Lines a person would change end in ``# expect: ID``."""

    kind: str  # "firing", "near-miss" or "unknown"
    title: str
    manifest: str


class Rule(NamedTuple):
    """One rule.

    Either ``assertion`` (a schema that must hold of every fact of ``target`` for which ``when`` holds) or
    ``check`` (the name of a predicate, called with ``params``) is set. ``at`` are JSON pointers, tried in order,
    for where a finding is shown when the failure itself has no place. ``docs`` is the page that supports a finding,
    where it depends on the fact; without it, that is the first reference.
    """

    id: str
    name: str
    severity: tuple[Case, ...]
    since: str
    target: str
    summary: str
    message: tuple[Case, ...]
    help: tuple[Case, ...]
    rationale: str
    remediation: str
    references: tuple[Reference, ...]
    when: Schema | None = None
    assertion: Schema | None = None
    check: str | None = None
    params: Mapping[str, Any] = {}
    params_schema: Schema | None = None
    at: tuple[str, ...] = ()
    docs: tuple[Case, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def default_severity(self) -> Severity:
        """The severity when no condition raises or lowers it."""
        return Severity(self.severity[-1].then)
