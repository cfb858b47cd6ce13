"""Access modes and volume modes that a driver does not grant.

Knows what the EFS and EBS drivers refuse; leaves who asks for it to the facts.

Sources: kubernetes-sigs/aws-efs-csi-driver ``pkg/driver/node.go`` (``isValidVolumeCapabilities``),
kubernetes/kubernetes ``pkg/volume/csi/csi_mounter.go`` (a mount asks for the first mode of the volume only),
kubernetes-csi/external-provisioner ``pkg/controller/controller.go`` (a new volume is asked for with every mode of the
claim), kubernetes-sigs/aws-ebs-csi-driver ``docs/multi-attach.md``, and
https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes for the EBS volumes of Kubernetes itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from efslint.rules.predicates.problem import Problem
from efslint.storage.fact import Fact

_EBS = ("ebs.csi.aws.com", "kubernetes.io/aws-ebs")


def access_refused(fact: Fact, _: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield one problem for everything that the driver refuses."""
    asked = fact.value
    modes, storage = _looked_at(asked), asked["storage"]
    if storage.get("mounter") == "efs-csi":
        if asked["volume_mode"] == "Block":
            yield Problem("/volume_mode", {"reason": "block"})
        refused = "ReadOnlyMany"
    elif storage["driver"] in _EBS and asked["provisioned"] and asked["volume_mode"] == "Filesystem":
        refused = "ReadWriteMany"
    else:
        return
    if refused in modes:
        yield Problem(f"/access_modes/{modes.index(refused)}", {"reason": refused})


def _looked_at(asked: Mapping[str, Any]) -> list[str]:
    """Return the modes that reach the driver: all of a claim for which a volume is made, the first of a volume."""
    modes: list[str] = asked["access_modes"]
    if asked["provisioned"]:
        return modes
    return modes[:1] if asked["carrier"]["kind"] == "PersistentVolume" else []
