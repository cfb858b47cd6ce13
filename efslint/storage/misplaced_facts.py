"""Facts about mount options that stand where nobody reads them.

Knows the places that people take for one; where options are read is known to ``mount_facts``. What stands in a wrong
place is never taken for an option in force.

Sources: kubernetes/website:content/en/docs/concepts/storage/persistent-volumes.md and storage-classes.md (the fields),
kubernetes/kubernetes:pkg/volume/util/util.go (``MountOptionFromSpec``) and pkg/volume/csi/csi_mounter.go (the
annotation), kubernetes-csi/csi-driver-nfs:pkg/nfs/controllerserver.go, kubernetes-sigs/aws-efs-csi-driver:
pkg/driver/controller.go, kubernetes-sigs/nfs-subdir-external-provisioner:
cmd/nfs-subdir-external-provisioner/provisioner.go and kubernetes-retired/external-storage:
aws/efs/cmd/efs-provisioner/efs-provisioner.go (the parameters).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from efslint.knowledge.drivers import Mounter, driver
from efslint.kube.pods import PodTemplate, annotation, pod_templates, volumes
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End
from efslint.storage.claims import claim_end, claim_object, claim_template
from efslint.storage.classes import provisioned
from efslint.storage.context import Context
from efslint.storage.fact import Fact, Origin, Step
from efslint.storage.mount_facts import ANNOTATION
from efslint.storage.volumes import csi_backing, volume_end
from efslint.storage.written_options import comma_string, mount_option_items
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, text

_KEY = "mountOptions"
# Of the provisioners of in-tree volumes those that are known to read no such parameter; the Ganesha one reads it
# (kubernetes-sigs/nfs-ganesha-server-and-external-provisioner:docs/usage.md).
_READ_NO_PARAMETER = ("nfs-subdir-external-provisioner", "efs-provisioner (retired)")


class _Misplaced(NamedTuple):
    """Options in a wrong place: what they stand in, under which key, and which of the places of the schema it is.

    ``end`` is what the volume is, where that is known; ``instead`` is what is read in their place.
    """

    resource: Resource
    kind: str
    name: str
    label: str
    key: Scalar
    place: str
    end: End | None = None
    instead: Step | None = None


def misplaced_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every place with mount options that nobody reads, unless the volume is surely not NFS."""
    for resource in context.index.all:
        for found in _in(context, resource):
            if not (isinstance(found.end, Backing) and found.end.kind == "other"):
                yield _fact(found)


def _in(context: Context, resource: Resource) -> Iterator[_Misplaced]:
    ref = resource.ref
    match ref.kind:
        case "PersistentVolumeClaim":
            for key, place in _in_claim(resource.node):
                end = claim_end(context, claim_object(resource))
                yield _Misplaced(resource, ref.kind, ref.name, ref.label, key, place, end)
        case "PersistentVolume":
            yield from _in_volume(resource)
        case "StorageClass":
            yield from _in_parameters(context, resource)
        case _:
            for template in pod_templates(resource):
                yield from _in_templates(context, template)
                yield from _in_pod(template)


def _written(holder: Node | None, name: str = _KEY) -> Scalar | None:
    """Return the key of mount options that are there; an empty list or text holds none."""
    if type(holder) is not Mapping:
        return None
    value = holder.get(name)
    if type(value) is Sequence:
        return holder.key(name) if value.items else None
    empty = value is None or (type(value) is Scalar and (value.value is None or not value.text.strip()))
    return None if empty else holder.key(name)


def _in_claim(claim: Mapping) -> Iterator[tuple[Scalar, str]]:
    for holder in (claim, child(claim, "spec")):
        key = _written(holder)
        if key is not None:
            yield key, "claim"
    key = _written(child(claim, "metadata", "annotations"), ANNOTATION)
    if key is not None:
        yield key, "claim-annotation"


def _in_templates(context: Context, template: PodTemplate) -> Iterator[_Misplaced]:
    """Look into the claims that a workload makes: of a StatefulSet, and generic ephemeral volumes."""
    ref = template.resource.ref
    claims = [(text(node, "metadata", "name") or "", "claim template", node) for node in template.claim_templates]
    for name, volume in volumes(template):
        node = child(volume, "ephemeral", "volumeClaimTemplate")
        if type(node) is Mapping:
            claims.append((name, "ephemeral volume", node))
    for name, what, node in claims:
        for key, place in _in_claim(node):
            label = f"{what} {name}"
            claim = claim_template(node, None, ref.namespace, label, template.resource.name_span)
            end = claim_end(context, claim)
            yield _Misplaced(template.resource, what, name, f"{label} of {ref.label}", key, place, end)


def _in_pod(template: PodTemplate) -> Iterator[_Misplaced]:
    resource = template.resource
    for name, volume in volumes(template):
        nfs, csi = child(volume, "nfs"), child(volume, "csi")
        end: End | None = None
        if type(csi) is Mapping:
            end = csi_backing(csi, f"volume {name}", Backing("other", "", "", provisioning="inline"))
        elif type(nfs) is not Mapping:
            continue
        for holder in (volume, nfs, csi):
            key = _written(holder)
            if key is not None:
                label = f"volume {name} of {resource.ref.label}"
                yield _Misplaced(resource, "volume", name, label, key, "inline-volume", end)


def _in_volume(resource: Resource) -> Iterator[_Misplaced]:
    ref, spec, end = resource.ref, child(resource.node, "spec"), volume_end(resource)
    if not isinstance(end, Backing) or end.mounter is None:
        return
    for holder in (resource.node, child(spec, "nfs"), child(spec, "csi")):
        key = _written(holder)
        if key is not None:
            yield _Misplaced(resource, ref.kind, ref.name, ref.label, key, "volume-source", end)
    marked = annotation(resource.node, ANNOTATION)
    key = _written(child(resource.node, "metadata", "annotations"), ANNOTATION)
    if end.mounter is not Mounter.IN_TREE_NFS:
        if key is not None:
            yield _Misplaced(resource, ref.kind, ref.name, ref.label, key, "csi-annotation", end)
    elif marked is not None:
        key = _written(spec)
        read = {option.text for option in comma_string(marked).options}
        if key is not None and read != {option.text for option in mount_option_items(child(spec, _KEY)).options}:
            instead = Step(marked.span, "the annotation is read instead")
            yield _Misplaced(resource, ref.kind, ref.name, ref.label, key, "shadowed-list", end, instead)


def _in_parameters(context: Context, resource: Resource) -> Iterator[_Misplaced]:
    ref, parameters, end = resource.ref, child(resource.node, "parameters"), provisioned(context, resource)
    if type(parameters) is not Mapping or not isinstance(end, Backing) or not _reads_no_parameter(end):
        return
    for key, _ in parameters.pairs:
        if type(key) is Scalar and key.text.lower() == _KEY.lower() and _written(parameters, key.text) is not None:
            yield _Misplaced(resource, ref.kind, ref.name, ref.label, key, "parameters", end)


def _reads_no_parameter(end: Backing) -> bool:
    if end.mounter is Mounter.IN_TREE_NFS:
        return any(name in driver(end.driver).product for name in _READ_NO_PARAMETER)
    return end.mounter in (Mounter.EFS_CSI, Mounter.CSI_DRIVER_NFS)


def _fact(found: _Misplaced) -> Fact:
    value: dict[str, Any] = {
        "carrier": {"kind": found.kind, "name": found.name, "label": found.label},
        "place": found.place,
        "key": found.key.text,
    }
    steps: tuple[Step, ...] = (Step(found.key.span, "mount options are written here"),)
    if found.instead is not None:
        steps += (found.instead,)
    if isinstance(found.end, Backing):
        value["driver"] = found.end.driver
        if found.end.mounter is not None:
            value["mounter"] = str(found.end.mounter)
        if found.end.kind in ("efs", "s3files"):
            value["file_system"] = found.end.kind
        steps += found.end.steps
    ref = found.resource.ref
    return Fact("misplaced", value, {"": Origin(found.key.span)}, steps, ref, (ref,))
