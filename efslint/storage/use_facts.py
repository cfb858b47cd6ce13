"""Facts about containers: what keeps its files on a volume, and which probes watch it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from efslint.knowledge.engines import ContainerFacts, Engine, Recognised, holds, recognise
from efslint.kube.pods import Container, PodTemplate, environment, integer, strings
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, Unresolved
from efslint.storage.fact import Confidence, Fact, Origin, OriginKind, Step
from efslint.storage.uses import Mount
from efslint.yaml.node import Mapping, Scalar, child, items, text

# https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/, kubernetes/kubernetes
# pkg/apis/core/v1/defaults.go; a zero is defaulted like an absent field
_PROBE_DEFAULTS = {"timeoutSeconds": 1, "periodSeconds": 10, "failureThreshold": 3}
_HANDLERS = ("exec", "httpGet", "grpc", "tcpSocket")
_PROBES = ("livenessProbe", "startupProbe")


def recognised(container: Container, all_mounts: Iterable[str], engines: tuple[Engine, ...]) -> Recognised | None:
    """Say which engine a container runs; an init container that ends before the others start runs none."""
    if container.init and not container.sidecar:
        return None
    facts = ContainerFacts(
        image=text(container.node, "image"),
        command=strings(container.node, "command"),
        args=strings(container.node, "args"),
        env=environment(container.node),
        mounts=tuple(all_mounts),
        init=container.init,
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


def held(found: Recognised | None, mount: Mount, container: Container) -> tuple[str, str] | None:
    """Return the role and the directory of the engine's files that lie on a mount, or ``None``."""
    if found is None:
        return None
    for each in holds(found.data, container_mount_paths(container)):
        if each.mount == mount.path.text:
            return each.role, each.directory
    return None


def use_fact(mount: Mount, end: Backing, engine: dict[str, Any] | None) -> Fact:
    """Make the fact of one mount."""
    template = mount.template
    mount_value: dict[str, Any] = {"path": mount.path.text, "read_only": mount.read_only, "volume": mount.volume}
    if mount.sub_path is not None:
        mount_value["sub_path"] = mount.sub_path
    value: dict[str, Any] = {
        "workload": workload_value(template.resource),
        "container": container_value(mount.container),
        "mount": mount_value,
        "storage": end.value,
    }
    if template.replicas is not None:
        value["replicas"] = template.replicas
    origins = {
        "": Origin(mount.path.span),
        "/mount/path": Origin(mount.path.span),
        **end.origins,
    }
    first = mount.step
    if engine is not None:
        value["engine"] = engine
        words = f"container {mount.container.name} keeps {engine['product']} files here"
        first = Step(mount.path.span, words)
    return Fact(
        "use",
        value,
        origins,
        (first, *end.steps),
        template.resource.ref,
        (template.resource.ref,),
        mount.container.name,
        Confidence.ASSUMED if end.assumed else Confidence.CERTAIN,
    )


def probe_facts(template: PodTemplate, container: Container, mount: Mount, end: Backing) -> Iterator[Fact]:
    """Make the facts of the probes of a container that can restart it."""
    for kind in _PROBES:
        probe = child(container.node, kind)
        key = container.node.key(kind)
        if type(probe) is not Mapping or key is None:
            continue
        handler = next((each for each in _HANDLERS if child(probe, each) is not None), None)
        if handler is not None:
            yield _probe_fact(template, container, mount, end, (kind, probe, key, handler))


def _probe_fact(
    template: PodTemplate,
    container: Container,
    mount: Mount,
    end: Backing,
    written: tuple[str, Mapping, Scalar, str],
) -> Fact:
    kind, probe, key, handler = written
    origins: dict[str, Origin] = {"": Origin(key.span), "/kind": Origin(key.span)}
    numbers: dict[str, int] = {}
    for field, default in _PROBE_DEFAULTS.items():
        pointer = {"timeoutSeconds": "timeout_seconds", "periodSeconds": "period_seconds"}.get(
            field, "failure_threshold"
        )
        scalar = child(probe, field)
        number = integer(scalar)
        numbers[pointer] = number or default
        if type(scalar) is Scalar:
            origins[f"/{pointer}"] = Origin(scalar.span)
        else:
            origins[f"/{pointer}"] = Origin(None, OriginKind.KUBERNETES, f"{field} is {default} when not given")
    # The first failure is followed by failureThreshold - 1 more, a period apart, and the last one takes its timeout.
    restart = numbers["period_seconds"] * (numbers["failure_threshold"] - 1) + numbers["timeout_seconds"]
    value: dict[str, Any] = {
        "workload": workload_value(template.resource),
        "container": container_value(container),
        "kind": kind,
        "handler": handler,
        **numbers,
        "timeout_written": integer(probe, "timeoutSeconds") is not None,
        "seconds_to_restart": restart,
        "mount_path": mount.path.text,
        "storage": end.value,
    }
    origins.update(end.origins)
    steps = (Step(key.span, f"{kind} of container {container.name}"), mount.step, *end.steps)
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = template.resource.ref
    return Fact("probe", value, origins, steps, ref, (ref,), container.name, confidence)


def reference_fact(
    end: Unresolved,
    decides: str,
    engine: dict[str, Any] | None,
    first: tuple[Step, ...],
    resource: Resource,
    container: str | None,
) -> Fact:
    """Make the fact of a reference that decides a verdict and leads nowhere."""
    value: dict[str, Any] = {"kind": end.kind, "reason": end.reason, "decides": decides}
    if end.name is not None:
        value["name"] = end.name
    if end.hint is not None:
        value["hint"] = end.hint
    if engine is not None:
        value["engine"] = engine
    origins = {"": Origin(end.span)}
    ref = resource.ref
    return Fact("reference", value, origins, (*first, *end.steps), ref, (ref,), container)
