"""From objects to facts: the one place that knows which facts there are.

Every other module of this room answers one question; this one asks them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from efslint.kube.index import Index
from efslint.kube.resources import Resource
from efslint.storage.access_facts import access_facts, inline_facts
from efslint.storage.backing import Unresolved
from efslint.storage.beside_facts import beside_facts
from efslint.storage.classes import default_class
from efslint.storage.configured import StorageSettings
from efslint.storage.context import Context
from efslint.storage.drift_facts import drift_facts
from efslint.storage.export_facts import export_facts
from efslint.storage.fact import Fact
from efslint.storage.fs_group_facts import fs_group_facts
from efslint.storage.misplaced_facts import misplaced_facts
from efslint.storage.mount_facts import User, mount_facts
from efslint.storage.offers import Offers
from efslint.storage.ownership_facts import ownership_facts
from efslint.storage.provisioner_facts import provisioner_facts
from efslint.storage.provisioners import Provisioners
from efslint.storage.setting_facts import setting_facts
from efslint.storage.sharing_facts import sharing_facts
from efslint.storage.survey import Knowledge, Survey, survey
from efslint.storage.use_facts import probe_facts, reference_facts, use_facts


class Resolved(NamedTuple):
    """All facts of a run. ``unresolved`` counts the references that could not be followed, each once."""

    facts: tuple[Fact, ...]
    unresolved: int


def resolve(
    found: Iterable[Resource],
    knowledge: Knowledge,
    settings: StorageSettings | None = None,
    only_context: Collection[str] = (),
) -> Resolved:
    """Resolve the objects of a run; nothing is counted of what only the files of ``only_context`` refer to."""
    index = Index(found)
    if not index.all:
        return Resolved((), 0)
    settings = settings or StorageSettings()
    context = Context(index, settings, Provisioners(index), Offers(index), default_class(index))
    surveyed = survey(context, knowledge)
    uses = tuple(use_facts(surveyed))
    facts = [
        *(fact for fact, _ in uses),
        *reference_facts(surveyed),
        *probe_facts(surveyed),
        *sharing_facts(surveyed),
        *beside_facts(surveyed),
        *ownership_facts(surveyed),
        *fs_group_facts(surveyed),
        *mount_facts(context, [User(end, fact) for fact, end in uses]),
        *misplaced_facts(context),
        *provisioner_facts(context),
        *export_facts(surveyed),
        *drift_facts(context),
        *access_facts(context),
        *inline_facts(context),
        *setting_facts(context),
    ]
    return Resolved(tuple(facts), len(_missing(surveyed, only_context)))


def _missing(surveyed: Survey, only_context: Collection[str]) -> set[tuple[str, str | None, str | None]]:
    """Return what could not be found, so that ten claims of one missing class count once."""
    ends = [*(use.end for use in surveyed.uses), *(use.end for use in surveyed.operator_uses)]
    return {
        end.identity
        for end in ends
        if isinstance(end, Unresolved)
        and any(span.source.path not in only_context for span in (end.span, *(step.span for step in end.steps)))
    }
