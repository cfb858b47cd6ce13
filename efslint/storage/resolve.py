"""From objects to facts: the one place that knows which facts there are.

Every other module of this room answers one question; this one asks them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from efslint.kube.index import Index
from efslint.kube.resources import Resource
from efslint.storage.backing import Unresolved
from efslint.storage.context import Context, StorageSettings
from efslint.storage.fact import Fact
from efslint.storage.mount_facts import User, mount_facts
from efslint.storage.provisioners import provisioners
from efslint.storage.survey import Knowledge, Survey, survey
from efslint.storage.use_facts import probe_facts, reference_facts, use_facts


@dataclass(frozen=True, slots=True)
class Resolved:
    """All facts of a run. ``unresolved`` counts the references that could not be followed, each once."""

    facts: tuple[Fact, ...]
    unresolved: int


def resolve(found: Iterable[Resource], knowledge: Knowledge, settings: StorageSettings | None = None) -> Resolved:
    """Resolve the objects of a run."""
    index = Index(found)
    if not index.all:
        return Resolved((), 0)
    context = Context(index, settings or StorageSettings(), provisioners(index))
    surveyed = survey(context, knowledge)
    uses = tuple(use_facts(surveyed))
    facts = [
        *(fact for fact, _ in uses),
        *reference_facts(surveyed),
        *probe_facts(surveyed),
        *mount_facts(context, [User(end, fact) for fact, end in uses]),
    ]
    return Resolved(tuple(facts), len(_missing(surveyed)))


def _missing(surveyed: Survey) -> set[tuple[str, str | None, str | None]]:
    """Return what could not be found, so that ten claims of one missing class count once."""
    ends = [*(use.end for use in surveyed.uses), *(use.end for use in surveyed.operator_uses)]
    return {end.identity for end in ends if isinstance(end, Unresolved)}
