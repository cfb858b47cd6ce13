"""The engine of a container and what is told of it to the rules."""

from __future__ import annotations

from typing import Any

from efslint.knowledge.engines import ContainerFacts, Engine, Recognised, holds, recognise
from efslint.kube.environment import environment
from efslint.kube.index import Index
from efslint.kube.pods import Container, strings
from efslint.kube.resources import Resource
from efslint.yaml.node import items, text


def recognised(
    index: Index, resource: Resource, container: Container, engines: tuple[Engine, ...]
) -> Recognised | None:
    """Say which engine a container runs; an init container that ends before the others start runs none."""
    if container.init and not container.sidecar:
        return None
    variables = environment(index, resource, container.node)
    facts = ContainerFacts(
        image=text(container.node, "image"),
        command=strings(container.node, "command"),
        args=strings(container.node, "args"),
        env=variables.texts,
        mounts=container_mount_paths(container),
        init=container.init and not container.sidecar,
        env_open=variables.open,
    )
    return recognise(facts, engines)


def container_mount_paths(container: Container) -> tuple[str, ...]:
    """Return all paths at which a container mounts anything, storage or not."""
    return tuple(
        path for item in items(container.node, "volumeMounts") if (path := text(item, "mountPath")) is not None
    )


def workload_value(resource: Resource) -> dict[str, Any]:
    """The ``workload`` part of a fact."""
    return {"kind": resource.ref.kind, "name": resource.ref.name, "label": resource.ref.label}


def container_value(container: Container) -> dict[str, Any]:
    """The ``container`` part of a fact."""
    value: dict[str, Any] = {"name": container.name, "sidecar": container.sidecar}
    image = text(container.node, "image")
    if image is not None:
        value["image"] = image
    return value


def engine_value(found: Recognised, role: str, directory: str) -> dict[str, Any]:
    """The ``engine`` part of a fact."""
    return {**engine_statement(found.engine), "role": role, "directory": directory}


def engine_statement(engine: Engine) -> dict[str, Any]:
    """What is known of an engine, whoever uses it."""
    value = {
        "id": engine.id,
        "product": engine.product,
        "category": engine.category,
        "stance": engine.stance,
        "statement": engine.statement,
    }
    if engine.source:
        value["source"] = engine.source
    return value


def held(found: Recognised | None, container: Container) -> dict[str, tuple[str, str]]:
    """Map the mount paths on which files of the engine lie to the role and the directory of the first of these."""
    if found is None:
        return {}
    all_ = holds(found.data, container_mount_paths(container))
    return {each.mount: (each.role, each.directory) for each in reversed(all_)}
