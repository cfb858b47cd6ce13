"""From objects to facts: the one place that knows the order of the work.

Every other module of this room answers one question; this one asks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from efslint.knowledge.engines import Engine
from efslint.knowledge.operators import Operator, operators_of
from efslint.kube.index import Index
from efslint.kube.pods import Container, PodTemplate, pod_templates
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.context import Context, StorageSettings
from efslint.storage.fact import Fact
from efslint.storage.mount_facts import User, mount_facts
from efslint.storage.operator_facts import operator_facts
from efslint.storage.provisioners import provisioners
from efslint.storage.use_facts import (
    container_mount_paths,
    engine_value,
    held,
    probe_facts,
    recognised,
    reference_fact,
    use_fact,
)
from efslint.storage.uses import Mount, mounts


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of software: read from data, and only when the input holds a volume worth asking about."""

    engines: Callable[[], tuple[Engine, ...]]
    operators: Callable[[], tuple[Operator, ...]]


@dataclass(frozen=True, slots=True)
class Resolved:
    """All facts of a run. ``unresolved`` counts the references that could not be followed, each once."""

    facts: tuple[Fact, ...]
    unresolved: int


def resolve(found: Iterable[Resource], knowledge: Knowledge, settings: StorageSettings | None = None) -> Resolved:
    """Resolve the objects of a run."""
    index = Index(found)
    context = Context(index, settings or StorageSettings(), provisioners(index))
    facts: list[Fact] = []
    users: list[User] = []
    missing: set[tuple[str, str | None, str | None]] = set()
    for resource in index.all:
        for fact, end, user in _resource_facts(context, resource, knowledge):
            if fact is not None:
                facts.append(fact)
            if isinstance(end, Unresolved):
                missing.add(end.identity)
            elif user is not None:
                users.append(user)
    facts.extend(mount_facts(context, users))
    return Resolved(tuple(facts), len(missing))


_Part = tuple[Fact | None, End, User | None]


def _resource_facts(context: Context, resource: Resource, knowledge: Knowledge) -> Iterator[_Part]:
    """Yield what one object says: facts, the ends of its volumes, and who uses which mount."""
    for template in pod_templates(resource):
        yield from _template_facts(context, template, knowledge)
    if resource.group:
        yield from _custom_resource(context, resource, knowledge)


def _custom_resource(context: Context, resource: Resource, knowledge: Knowledge) -> Iterator[_Part]:
    ref = resource.ref
    if "." not in resource.group or resource.group.endswith(".k8s.io"):
        return
    for operator in operators_of(knowledge.operators(), ref.api_version, ref.kind):
        engines = {engine.id: engine for engine in knowledge.engines()}
        for fact, end in operator_facts(context, resource, operator, engines):
            yield fact, end, User(end, fact) if isinstance(end, Backing) and fact is not None else None


def _template_facts(context: Context, template: PodTemplate, knowledge: Knowledge) -> Iterator[_Part]:
    by_container: dict[int, list[Mount]] = {}
    holders: dict[int, Container] = {}
    for mount in mounts(context, template):
        by_container.setdefault(id(mount.container), []).append(mount)
        holders[id(mount.container)] = mount.container
    for key, mine in by_container.items():
        if all(isinstance(mount.end, Backing) and mount.end.kind == "other" for mount in mine):
            continue
        yield from _container_facts(template, holders[key], mine, knowledge)


def _container_facts(
    template: PodTemplate, container: Container, mine: list[Mount], knowledge: Knowledge
) -> Iterator[_Part]:
    engine = recognised(container, container_mount_paths(container), knowledge.engines())
    probed = False
    for mount in mine:
        end = mount.end
        part = held(engine, mount, container)
        value = None if engine is None or part is None else engine_value(engine, *part)
        if isinstance(end, Unresolved):
            fact = None
            if value is not None:
                decides = f"whether {value['product']} files lie on EFS or NFS"
                fact = reference_fact(end, decides, value, (mount.step,), template.resource, container.name)
            yield fact, end, None
            continue
        if end.kind == "other":
            continue
        fact = use_fact(mount, end, value)
        yield fact, end, User(end, fact)
        if not probed and (not container.init or container.sidecar):
            probed = True
            for probe in probe_facts(template, container, mount, end):
                yield probe, end, None
