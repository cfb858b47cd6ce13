"""Facts about ``fsGroup``: pods that set it and mount volumes for which it does nothing, or a lot.

Whether kubelet changes groups is told by the volume plugin: in-tree NFS says no (kubernetes/kubernetes
``pkg/volume/nfs/nfs.go``, ``GetAttributes``), csi-driver-nfs says yes, always (kubernetes-csi/csi-driver-nfs
``deploy/csi-nfs-driverinfo.yaml``, ``fsGroupPolicy: File``). For the EFS CSI driver the default policy decides, by
access mode and file system type, so nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from efslint.knowledge.drivers import Mounter
from efslint.kube.pods import scalar
from efslint.storage.backing import Backing
from efslint.storage.engine_values import workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.survey import Survey
from efslint.yaml.node import text

_EFFECTS = {Mounter.IN_TREE_NFS: "none", Mounter.INLINE_NFS: "none", Mounter.CSI_DRIVER_NFS: "recursive"}


def fs_group_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every volume that is mounted for writing over NFS in a pod with an ``fsGroup``."""
    seen: set[tuple[int, str]] = set()
    for use in found.uses:
        mount, end = use.mount, use.end
        group = scalar(mount.template.spec, "securityContext", "fsGroup")
        if group is None or not isinstance(end, Backing) or mount.read_only or end.mounter is None:
            continue
        effect, key = _EFFECTS.get(end.mounter), (id(mount.template.spec), mount.volume)
        if effect is None or key in seen:
            continue
        seen.add(key)
        resource = mount.template.resource
        value = {
            "workload": workload_value(resource),
            "storage": end.value,
            "volume": mount.volume,
            "group": group.text,
            "effect": effect,
        }
        policy = text(mount.template.spec, "securityContext", "fsGroupChangePolicy")
        if policy is not None:
            value["change_policy"] = policy
        origins = {"": Origin(group.span), "/group": Origin(group.span), **end.origins}
        chain = (Step(group.span, "the pod's fsGroup"), mount.step, *end.steps)
        confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
        yield Fact("fs_group", value, origins, chain, resource.ref, (resource.ref,), None, confidence)
