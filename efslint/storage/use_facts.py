"""Facts about use: what keeps its files on a volume, and which probes watch it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from efslint.kube.pods import Container, integer
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, Unresolved
from efslint.storage.engine_values import container_value, workload_value
from efslint.storage.fact import Confidence, Fact, Origin, OriginKind, Step
from efslint.storage.survey import OperatorUse, Survey
from efslint.storage.uses import Mount
from efslint.yaml.node import Mapping, Scalar, child

# https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/, kubernetes/kubernetes
# pkg/apis/core/v1/defaults.go; a zero is defaulted like an absent field
_PROBE_DEFAULTS = {"timeoutSeconds": 1, "periodSeconds": 10, "failureThreshold": 3}
_HANDLERS = ("exec", "httpGet", "grpc", "tcpSocket")
_PROBES = ("livenessProbe", "startupProbe")


def use_facts(found: Survey) -> Iterator[tuple[Fact, Backing]]:
    """Yield a fact for every mount and every claim that ends at EFS or NFS, with its end."""
    for use in found.uses:
        if isinstance(use.end, Backing) and use.end.kind != "other":
            yield _use_fact(use.mount, use.end, use.engine), use.end
    for claim in found.operator_uses:
        if isinstance(claim.end, Backing) and claim.end.kind != "other":
            yield _operator_fact(claim, claim.end), claim.end


def reference_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every reference that leads nowhere and decides about an engine's files."""
    for use in found.uses:
        if isinstance(use.end, Unresolved) and use.engine is not None:
            mount = use.mount
            yield _reference_fact(use.end, use.engine, mount.step, mount.template.resource, mount.container.name)
    for claim in found.operator_uses:
        if isinstance(claim.end, Unresolved):
            yield _reference_fact(claim.end, claim.engine, _claim_step(claim), claim.resource, None)


def probe_facts(found: Survey) -> Iterator[Fact]:
    """Yield the facts of the probes that can restart a container with files on EFS or NFS."""
    seen: set[int] = set()
    for use in found.uses:
        container, end = use.mount.container, use.end
        if not isinstance(end, Backing) or end.kind == "other" or id(container) in seen:
            continue
        seen.add(id(container))
        if container.init and not container.sidecar:
            continue
        for kind in _PROBES:
            probe = child(container.node, kind)
            key = container.node.key(kind)
            if type(probe) is not Mapping or key is None:
                continue
            handler = next((each for each in _HANDLERS if type(child(probe, each)) is Mapping), None)
            if handler is not None:
                yield _probe_fact(container, use.mount, end, (kind, probe, key, handler))


def _use_fact(mount: Mount, end: Backing, engine: dict[str, Any] | None) -> Fact:
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


def _claim_step(use: OperatorUse) -> Step:
    words = f"{use.resource.ref.label} keeps {use.engine['product']} files on volumes that its operator claims"
    return Step(use.resource.name_span, words)


def _operator_fact(use: OperatorUse, end: Backing) -> Fact:
    value = {"workload": workload_value(use.resource), "storage": end.value, "engine": use.engine}
    origins = {"": Origin(use.resource.name_span), **end.origins}
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = use.resource.ref
    return Fact("use", value, origins, (_claim_step(use), *end.steps), ref, (ref,), None, confidence)


def _probe_fact(
    container: Container,
    mount: Mount,
    end: Backing,
    written: tuple[str, Mapping, Scalar, str],
) -> Fact:
    kind, probe, key, handler = written
    resource = mount.template.resource
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
        "workload": workload_value(resource),
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
    ref = resource.ref
    return Fact("probe", value, origins, steps, ref, (ref,), container.name, confidence)


def _reference_fact(
    end: Unresolved, engine: dict[str, Any], first: Step, resource: Resource, container: str | None
) -> Fact:
    decides = f"whether {engine['product']} files lie on EFS or NFS"
    value: dict[str, Any] = {"kind": end.kind, "reason": end.reason, "decides": decides, "engine": engine}
    if end.name is not None:
        value["name"] = end.name
    if end.hint is not None:
        value["hint"] = end.hint
    ref = resource.ref
    return Fact("reference", value, {"": Origin(end.span)}, (first, *end.steps), ref, (ref,), container)
