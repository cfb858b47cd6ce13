"""Every mount of every container and every claim of every custom resource, followed to its end.

What all facts about use are made from. Knows who uses what; what is told of it to the rules is decided by the
``*_facts`` modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from efslint.knowledge.engines import Engine, Recognised, engine_of
from efslint.knowledge.operators import Operator, OperatorClaim, claims, operators_of
from efslint.kube.pods import Container, PodTemplate, pod_templates
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End
from efslint.storage.claims import Claim, claim_end
from efslint.storage.context import Context
from efslint.storage.engine_values import engine_statement, engine_value, held, recognised
from efslint.storage.uses import Mount, mounts


class Knowledge(NamedTuple):
    """What is known of software: read from data, and only when the input holds a volume worth asking about."""

    engines: Callable[[], tuple[Engine, ...]]
    operators: Callable[[], tuple[Operator, ...]]


class Use(NamedTuple):
    """One container's mount of one volume.

    ``recognised`` is the engine that the container runs, whether or not its files lie here; ``engine`` is the
    ``engine`` part of a fact when they do.
    """

    mount: Mount
    recognised: Recognised | None
    engine: dict[str, Any] | None

    @property
    def end(self) -> End:
        """Where the volume ends."""
        return self.mount.end


class OperatorUse(NamedTuple):
    """One claim of one custom resource; ``engine`` is the ``engine`` part of a fact."""

    resource: Resource
    claim: OperatorClaim
    engine: dict[str, Any]
    end: End


class Survey(NamedTuple):
    """The result: containers' mounts and operators' claims, each in the order of the input."""

    context: Context
    uses: tuple[Use, ...]
    operator_uses: tuple[OperatorUse, ...]


def survey(context: Context, knowledge: Knowledge) -> Survey:
    """Follow everything in the input that uses storage."""
    uses: list[Use] = []
    operator_uses: list[OperatorUse] = []
    for resource in context.index.all:
        for template in pod_templates(resource):
            uses.extend(_template_uses(context, template, knowledge))
        operator_uses.extend(_operator_uses(context, resource, knowledge))
    return Survey(context, tuple(uses), tuple(operator_uses))


def _template_uses(context: Context, template: PodTemplate, knowledge: Knowledge) -> Iterator[Use]:
    by_container: dict[int, tuple[Container, list[Mount]]] = {}
    for mount in mounts(context, template):
        by_container.setdefault(id(mount.container), (mount.container, []))[1].append(mount)
    for container, mine in by_container.values():
        # Engines are data that takes time to read; a pod on block storage is no reason to.
        if all(isinstance(mount.end, Backing) and mount.end.kind == "other" for mount in mine):
            yield from (Use(mount, None, None) for mount in mine)
            continue
        found = recognised(context.index, template.resource, container, knowledge.engines())
        parts = held(found, container)
        for mount in mine:
            part = parts.get(mount.path.text)
            yield Use(mount, found, None if found is None or part is None else engine_value(found, *part))


def _operator_uses(context: Context, resource: Resource, knowledge: Knowledge) -> Iterator[OperatorUse]:
    ref, group = resource.ref, resource.group
    if "." not in group or group.endswith(".k8s.io"):
        return
    for operator in operators_of(knowledge.operators(), ref.api_version, ref.kind):
        for claim in claims(operator, resource.node):
            value = {**engine_statement(engine_of(knowledge.engines(), claim.engine)), "role": claim.role}
            yield OperatorUse(resource, claim, value, _operator_end(context, resource, claim))


def _operator_end(context: Context, resource: Resource, found: OperatorClaim) -> End:
    claim = Claim(
        None,
        resource.ref.namespace,
        found.storage_class,
        found.node.span.one_line(),
        found.node if found.claim_spec else None,
        f"{resource.ref.label} ({found.route})",
        found.claim_name,
    )
    return claim_end(context, claim)
