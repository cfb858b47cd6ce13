"""Facts about provisioners of plain NFS volumes, and the file system on which they work.

Knows where each kind names its server: a provisioner that runs in a pod in its own settings, csi-driver-nfs in the
class or the volume. What that means for the volumes is told by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from efslint.knowledge.drivers import Mounter, driver
from efslint.knowledge.hosts import efs_host
from efslint.knowledge.images import parse_image
from efslint.kube.index import Found
from efslint.kube.pods import containers, pod_templates, scalar
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing
from efslint.storage.classes import provisioned
from efslint.storage.context import Context
from efslint.storage.fact import Fact, Origin, Step
from efslint.storage.provisioners import Provisioner
from efslint.storage.volumes import volume_end
from efslint.text.source import Span
from efslint.yaml.node import text

_RETIRED = "efs-provisioner"


def provisioner_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every provisioner: a workload, a class of csi-driver-nfs, or a volume of it by itself."""
    served = _served(context)
    for provisioner in context.provisioners.all:
        yield _of_pod(provisioner, served.get(id(provisioner), []))
    for resource in context.index.of_kind("StorageClass"):
        end = provisioned(context, resource)
        if isinstance(end, Backing):
            yield from _of_class(context, resource, end)
    for volume in context.index.of_kind("PersistentVolume"):
        end = volume_end(volume)
        if isinstance(end, Backing) and end.mounter is Mounter.CSI_DRIVER_NFS and not _class_tells(context, volume):
            yield from _of_driver(volume, end)


def _served(context: Context) -> dict[int, list[Resource]]:
    """Return the classes that each provisioner of the input makes volumes for."""
    served: dict[int, list[Resource]] = {}
    for resource in context.index.of_kind("StorageClass"):
        name = scalar(resource.node, "provisioner")
        for each in () if name is None else context.provisioners.nearest(name.text, resource.source):
            served.setdefault(id(each), []).append(resource)
    return served


def _of_pod(provisioner: Provisioner, served: list[Resource]) -> Fact:
    resource = provisioner.resource
    value = _value(resource, "pod", provisioner.server, provisioner.efs)
    value["retired"] = _is_retired(provisioner)
    steps = [Step(provisioner.span, provisioner.words)]
    for each in served:
        name = scalar(each.node, "provisioner")
        assert name is not None
        steps.append(Step(name.span, f"class {each.ref.name} is provisioned by {resource.ref.label}"))
    return _fact(resource, value, provisioner.span, tuple(steps), served)


def _is_retired(provisioner: Provisioner) -> bool:
    """Tell the retired provisioner by the name it has by default, or by its image."""
    if driver(provisioner.name).product.startswith(_RETIRED):
        return True
    images = (
        parse_image(text(container.node, "image") or "")
        for template in pod_templates(provisioner.resource)
        for container in containers(template)
    )
    return any(image is not None and image.segments[-1] == _RETIRED for image in images)


def _of_class(context: Context, resource: Resource, end: Backing) -> Iterator[Fact]:
    if end.mounter is Mounter.CSI_DRIVER_NFS:
        yield from _of_driver(resource, end)
        return
    name = scalar(resource.node, "provisioner")
    if name is None or not driver(name.text).product.startswith(_RETIRED):
        return
    if not context.provisioners.nearest(name.text, resource.source):
        value = {**_value(resource, "class", None, efs=True), "retired": True}
        yield _fact(resource, value, name.span, end.steps, [])


def _of_driver(resource: Resource, end: Backing) -> Iterator[Fact]:
    """Yield what csi-driver-nfs works on, where the server is written down."""
    if "server" in end.names:
        server, origin = end.names["server"]
        assert origin.span is not None
        kind = "class" if resource.ref.kind == "StorageClass" else "volume"
        value = {**_value(resource, kind, server, efs_host(server) is not None), "retired": False}
        yield _fact(resource, value, origin.span, end.steps, [])


def _class_tells(context: Context, volume: Resource) -> bool:
    """Say whether a volume's class is in the input and names the server, so that the volume need not."""
    name = scalar(volume.node, "spec", "storageClassName")
    if name is None:
        return False
    match context.index.cluster("StorageClass", name.text, volume.source):
        case Found(resource):
            end = provisioned(context, resource)
            return isinstance(end, Backing) and end.mounter is Mounter.CSI_DRIVER_NFS and "server" in end.names
        case _:
            return False


def _value(resource: Resource, kind: str, server: str | None, efs: bool) -> dict[str, Any]:
    ref = resource.ref
    value: dict[str, Any] = {"carrier": {"kind": ref.kind, "name": ref.name, "label": ref.label}, "works_in": kind}
    if server is not None:
        value["server"] = server
    if efs:
        value["file_system"] = "efs"
    return value


def _fact(resource: Resource, value: dict[str, Any], span: Span, steps: tuple[Step, ...], more: list[Resource]) -> Fact:
    refs = dict.fromkeys((resource.ref, *(each.ref for each in more)))
    return Fact("provisioner", value, {"": Origin(span)}, steps, resource.ref, tuple(refs))
