"""From a PersistentVolume, or a volume written into a pod, to what stands behind it."""

from __future__ import annotations

from efslint.knowledge.drivers import Mounter, StorageKind, driver, volume_handle
from efslint.knowledge.hosts import efs_host
from efslint.kube.pods import scalar
from efslint.kube.resources import Resource
from efslint.storage.attributes import attribute, parameters_of
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.fact import Origin, Step
from efslint.yaml.node import Mapping, Scalar, child, text

# The keys of a PersistentVolume's spec that are not its source.
# https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-v1/
_NOT_A_SOURCE = frozenset(
    "accessModes capacity claimRef mountOptions nodeAffinity persistentVolumeReclaimPolicy storageClassName "
    "volumeAttributesClassName volumeMode".split()
)


def volume_end(resource: Resource) -> End:
    """Say what a PersistentVolume stands for."""
    spec = child(resource.node, "spec")
    name = resource.ref.name
    draft = Backing(
        "other", "", "", provisioning="static", carrier=resource, names={"volume": (name, Origin(resource.name_span))}
    )
    nfs = child(spec, "nfs")
    if type(nfs) is Mapping:
        return nfs_backing(nfs, Mounter.IN_TREE_NFS, f"volume {name}", draft)
    csi = child(spec, "csi")
    if type(csi) is Mapping:
        return csi_backing(csi, f"volume {name}", draft)
    if type(spec) is Mapping:
        for key, value in spec.pairs:
            if type(key) is Scalar and key.text not in _NOT_A_SOURCE and type(value) is Mapping:
                return Backing(
                    "other",
                    key.text,
                    f"volume {name} is of type {key.text}",
                    None,
                    resource,
                    "static",
                    names=draft.names,
                )
    return Unresolved("PersistentVolume", name, "unknown-provisioner", resource.name_span)


def nfs_backing(nfs: Mapping, mounter: Mounter, subject: str, draft: Backing) -> Backing:
    """Say what an ``nfs`` source stands for: EFS when its server is an EFS host."""
    server = scalar(nfs, "server")
    if server is None or not server.text:
        return Backing(
            "nfs", "nfs", f"{subject} is an NFS mount", mounter, draft.carrier, draft.provisioning, names=draft.names
        )
    efs = efs_host(server.text) is not None
    how = f"{subject} is an NFS mount of {server.text}" + (", an EFS file system" if efs else "")
    names = {**draft.names, "server": (server.text, Origin(server.span))}
    steps = (Step(server.span, how),)
    return Backing(
        "efs" if efs else "nfs", "nfs", how, mounter, draft.carrier, draft.provisioning, names=names, steps=steps
    )


def csi_backing(csi: Mapping, subject: str, draft: Backing) -> End:
    """Say what a ``csi`` source stands for, by its driver and, where that decides, its handle or its server."""
    name = scalar(csi, "driver")
    if name is None or not name.text:
        place = csi.span.one_line()
        if "volume" in draft.names:
            return Unresolved("PersistentVolume", draft.names["volume"][0], "unknown-provisioner", place)
        return Unresolved("provisioner", None, "unknown-provisioner", place)
    attributes = child(csi, "volumeAttributes")
    found = driver(name.text, parameters_of(attributes))
    step = Step(name.span, f"{subject} is mounted by {name.text}")
    if found.kind is StorageKind.UNKNOWN:
        return Unresolved("provisioner", name.text, "unknown-provisioner", name.span, steps=(step,))
    kind, mounter, names = str(found.kind), found.mounter, dict(draft.names)
    how = f"{subject} is mounted by {name.text}"
    if mounter is Mounter.EFS_CSI:
        kind = volume_handle(text(csi, "volumeHandle") or "").file_system_type
    server = attribute(attributes, "server") if mounter is Mounter.CSI_DRIVER_NFS else None
    steps: tuple[Step, ...] = (step,)
    if server is not None:
        names["server"] = (server.text, Origin(server.span))
        if efs_host(server.text) is not None:
            kind = "efs"
            how += f" from {server.text}, an EFS file system"
            steps = (step, Step(server.span, "the server is an EFS file system"))
    return Backing(kind, name.text, how, mounter, draft.carrier, draft.provisioning, names=names, steps=steps)
