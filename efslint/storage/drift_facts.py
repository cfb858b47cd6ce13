"""Facts about volumes whose mount options are not those of their class.

Options of a class are copied once, when a volume is made (kubernetes-csi/external-provisioner:
pkg/controller/controller.go; kubernetes-sigs/nfs-subdir-external-provisioner:
cmd/nfs-subdir-external-provisioner/provisioner.go), and never reach a volume made by hand. Knows which volume is of
which class and compares the options as sets; which of them are in force is left to ``mount_facts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from efslint.knowledge.drivers import Mounter
from efslint.kube.index import Found
from efslint.kube.pods import annotation, scalar
from efslint.kube.resources import Resource
from efslint.storage.attributes import attribute
from efslint.storage.backing import Backing
from efslint.storage.classes import provisioned
from efslint.storage.context import Context
from efslint.storage.fact import Fact, Origin, Step
from efslint.storage.mount_facts import ANNOTATION
from efslint.storage.offers import CLASS_ANNOTATION
from efslint.storage.volumes import volume_end
from efslint.storage.written_options import WrittenOption, comma_string, mount_option_items
from efslint.yaml.node import Mapping, Scalar, child

# https://kubernetes.io/docs/reference/labels-annotations-taints/#pv-kubernetes-io-provisioned-by
_PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"
_BY_HAND = "kubernetes.io/no-provisioner"


def drift_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every NFS volume whose class is in the input and has mount options."""
    for volume in context.index.of_kind("PersistentVolume"):
        end = volume_end(volume)
        name = scalar(annotation(volume.node, CLASS_ANNOTATION)) or scalar(volume.node, "spec", "storageClassName")
        if not isinstance(end, Backing) or end.mounter is None or name is None:
            continue
        match context.index.cluster("StorageClass", name.text, volume.source):
            case Found(resource) if _same_driver(context, volume, end, resource):
                yield from _compared(volume, end.mounter, resource, name)
            case _:
                pass


def _same_driver(context: Context, volume: Resource, end: Backing, resource: Resource) -> bool:
    """Say whether a class could have made a volume, or is there for volumes made by hand."""
    provisioner, made_by = scalar(resource.node, "provisioner"), annotation(volume.node, _PROVISIONED_BY)
    if provisioner is None:
        return False
    if made_by is not None:
        return made_by.text == provisioner.text
    if provisioner.text == _BY_HAND:
        return True
    if end.mounter is Mounter.IN_TREE_NFS:
        made = provisioned(context, resource)
        return isinstance(made, Backing) and made.mounter is Mounter.IN_TREE_NFS
    return end.driver == provisioner.text


def _compared(volume: Resource, mounter: Mounter, resource: Resource, name: Scalar) -> Iterator[Fact]:
    wanted = mount_option_items(child(resource.node, "mountOptions"))
    spec = child(volume.node, "spec")
    written, place = mount_option_items(child(spec, "mountOptions")), volume.name_span
    key = spec.key("mountOptions") if type(spec) is Mapping else None
    if key is not None:
        place = key.span
    marked = annotation(volume.node, ANNOTATION)
    if marked is not None and mounter is Mounter.IN_TREE_NFS:
        written, place = comma_string(marked), marked.span
    last: tuple[WrittenOption, ...] = ()
    if mounter is Mounter.CSI_DRIVER_NFS:
        last = comma_string(attribute(child(spec, "csi", "volumeAttributes"), "mountOptions")).options
    if wanted.options and not wanted.malformed and not written.malformed:
        yield _fact(volume, resource, name, wanted.options, (*written.options, *last), Origin(place), mounter)


def _fact(
    volume: Resource,
    resource: Resource,
    name: Scalar,
    wanted: Iterable[WrittenOption],
    written: Iterable[WrittenOption],
    place: Origin,
    mounter: Mounter,
) -> Fact:
    theirs, mine = _set(wanted), _set(written)
    lacking = [option for key, option in theirs.items() if key not in mine]
    ref = volume.ref
    value: dict[str, Any] = {
        "carrier": {"kind": ref.kind, "name": ref.name, "label": ref.label},
        "mounter": str(mounter),
        "class": resource.ref.name,
        "provisioned": annotation(volume.node, _PROVISIONED_BY) is not None,
    }
    additional = [option for key, option in mine.items() if key not in theirs]
    for key, options in (("lacking", lacking), ("additional", additional)):
        if options:
            value[key] = ", ".join(option.text for option in options)
    steps = (
        Step(name.span, f"volume {ref.name} is of class {resource.ref.name}"),
        *(Step(option.span, f"class {resource.ref.name} has {option.text}") for option in lacking),
    )
    return Fact("drift", value, {"": place}, steps, ref, (ref, resource.ref))


def _set(options: Iterable[WrittenOption]) -> dict[str, WrittenOption]:
    """Return options by what they ask for: the spellings of the protocol version are one."""
    return {_normal(option): option for option in options}


def _normal(option: WrittenOption) -> str:
    if option.name in ("vers", "nfsvers"):
        return f"nfsvers={option.value}"
    if option.name in ("v2", "v3", "v4", "v4.0", "v4.1", "v4.2"):
        return f"nfsvers={option.name[1:]}"
    return option.name if option.value is None else f"{option.name}={option.value}"
