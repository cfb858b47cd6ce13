"""Where pod templates sit in objects, and what stands in them.

Knows the built-in workload kinds and, by one general mechanism, every other kind that keeps a pod template under
``template.spec``. Leaves claims, classes and storage to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from efslint.kube.resources import Resource
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, items, pairs, text

# kind -> the route to its pod spec. https://kubernetes.io/docs/concepts/workloads/
_POD_SPEC = {
    "Pod": ("spec",),
    "PodTemplate": ("template", "spec"),
    "Deployment": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "ReplicationController": ("spec", "template", "spec"),
    "Job": ("spec", "template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
_MAX_DEPTH = 8


class PodTemplate(NamedTuple):
    """A pod template and the object that makes pods from it.

    ``spec`` is the pod's spec, ``metadata`` the template's. ``claim_templates`` are the ``volumeClaimTemplates`` beside
    the template. ``replicas`` is ``None`` where the manifest leaves the number to a default or to an autoscaler.
    """

    resource: Resource
    spec: Mapping
    metadata: Node | None
    claim_templates: tuple[Mapping, ...]
    replicas: int | None


class Container(NamedTuple):
    """One container of a pod. ``sidecar`` marks an init container that keeps running (``restartPolicy: Always``)."""

    name: str
    node: Mapping
    init: bool
    sidecar: bool


def pod_templates(resource: Resource) -> Iterator[PodTemplate]:
    """Yield the pod templates of an object: one for a workload, any number for other kinds, none for most."""
    # Volcano has a Job, OpenKruise a StatefulSet of its own; the groups of Kubernetes' own workloads have no dot.
    route = None if "." in resource.group else _POD_SPEC.get(resource.ref.kind)
    if route is not None:
        holder = child(resource.node, *route[:-1])
        yield from _template(resource, holder, child(resource.node, "spec"))
        return
    yield from _nested(resource, child(resource.node, "spec"), 0)


def _nested(resource: Resource, node: Node | None, depth: int) -> Iterator[PodTemplate]:
    """Find ``template.spec.containers`` anywhere below a ``spec``: Rollout, DeploymentConfig, Knative Service, …"""
    if depth > _MAX_DEPTH:
        return
    if type(node) is Mapping:
        template = node.get("template")
        if type(child(template, "spec", "containers")) is Sequence:
            yield from _template(resource, template, node)
        for key, value in node.pairs:
            if type(key) is Scalar and key.text != "template":
                yield from _nested(resource, value, depth + 1)
        if template is not None and type(child(template, "spec", "containers")) is not Sequence:
            yield from _nested(resource, template, depth + 1)
    elif type(node) is Sequence:
        for item in node.items:
            yield from _nested(resource, item, depth + 1)


def _template(resource: Resource, holder: Node | None, beside: Node | None) -> Iterator[PodTemplate]:
    spec = child(holder, "spec")
    if type(spec) is not Mapping:
        return
    claims = tuple(item for item in items(beside, "volumeClaimTemplates") if type(item) is Mapping)
    yield PodTemplate(resource, spec, child(holder, "metadata"), claims, integer(beside, "replicas"))


def containers(template: PodTemplate) -> Iterator[Container]:
    """Yield init containers first, then containers, as they are written."""
    for key in ("initContainers", "containers"):
        for node in items(template.spec, key):
            if type(node) is Mapping:
                init = key == "initContainers"
                sidecar = init and text(node, "restartPolicy") == "Always"
                yield Container(text(node, "name") or "", node, init, sidecar)


def volumes(template: PodTemplate) -> Iterator[tuple[str, Mapping]]:
    """Yield the pod's volumes with their names."""
    for node in items(template.spec, "volumes"):
        name = text(node, "name")
        if type(node) is Mapping and name is not None:
            yield name, node


def environment(container: Mapping) -> dict[str, str | None]:
    """Return a container's variables; ``None`` for one whose value comes from elsewhere."""
    found: dict[str, str | None] = {}
    for entry in items(container, "env"):
        name = text(entry, "name")
        if name is not None:
            value = text(entry, "value")
            found[name] = None if value is None and child(entry, "valueFrom") is not None else value or ""
    return found


def scalar(node: Node | None, *route: str | int) -> Scalar | None:
    """Return a scalar that is there and not null."""
    found = child(node, *route)
    return found if type(found) is Scalar and found.value is not None else None


def strings(node: Node | None, *route: str | int) -> tuple[str, ...]:
    """Return the texts of a sequence of scalars, such as ``command``; other items are left out."""
    return tuple(each.text for item in items(node, *route) if (each := scalar(item)) is not None)


def integer(node: Node | None, *route: str | int) -> int | None:
    """Return an integer field, or ``None`` where it is absent or no integer."""
    found = child(node, *route)
    if type(found) is Scalar and type(found.value) is int:
        return found.value
    return None


def truth(node: Node | None, *route: str | int) -> bool:
    """Return whether a field is true; the text ``"true"`` does not count, as the API server refuses it."""
    found = child(node, *route)
    return type(found) is Scalar and found.value is True


def labels(node: Node | None) -> dict[str, str]:
    """Return the labels of an object."""
    return {key: value.text for key, value in pairs(node, "metadata", "labels") if type(value) is Scalar}


def annotation(node: Node | None, name: str) -> Scalar | None:
    """Return the value of an annotation of an object."""
    found = child(node, "metadata", "annotations", name)
    return found if type(found) is Scalar else None
