"""What a PersistentVolume, or a volume written into a pod, stands for."""

from __future__ import annotations

import pytest
from storage_support import EFS_HOST, answer, ends, pod, resources, said, stream, volume

from efslint.storage.backing import Backing, Unresolved
from efslint.storage.volumes import volume_end

HANDLE = "volumeHandle: fs-0a1b2c3d4e5f60718"


def end(spec: str) -> Backing | Unresolved:
    (only,) = resources(volume("pv", spec))
    return volume_end(only)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        # in-tree NFS: the server decides
        (f"{{nfs: {{server: {EFS_HOST}, path: /}}}}", "efs in-tree-nfs static"),
        (f"{{nfs: {{server: {EFS_HOST.upper()}., path: /}}}}", "efs in-tree-nfs static"),
        ("{nfs: {server: '${FS}.efs.${REGION}.amazonaws.com', path: /}}", "efs in-tree-nfs static"),
        ("{nfs: {server: '<file-system>.efs.us-east-1.amazonaws.com', path: /}}", "efs in-tree-nfs static"),
        ("{nfs: {server: 192.0.2.7, path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {server: '${NFS_SERVER}', path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {server: fs-0a1b2c3d4e5f60718.fsx.us-east-1.amazonaws.com, path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {server: null, path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {server: '', path: /}}", "nfs in-tree-nfs static"),
        ("{nfs: {server: [a], path: /}}", "nfs in-tree-nfs static"),
        # EFS CSI: the handle tells the type of file system
        (f"{{csi: {{driver: efs.csi.aws.com, {HANDLE}}}}}", "efs efs-csi static"),
        (
            "{csi: {driver: efs.csi.aws.com, volumeHandle: 'fs-0a1b2c3d4e5f60718::fsap-0a1b2c3d4e5f60718'}}",
            "efs efs-csi static",
        ),
        ("{csi: {driver: efs.csi.aws.com, volumeHandle: 'efs:fs-0a1b2c3d'}}", "efs efs-csi static"),
        ("{csi: {driver: efs.csi.aws.com, volumeHandle: 's3files:fs-0a1b2c3d'}}", "s3files efs-csi static"),
        ("{csi: {driver: efs.csi.aws.com}}", "efs efs-csi static"),
        # csi-driver-nfs: the server decides, and attribute names have no case
        (
            "{csi: {driver: nfs.csi.k8s.io, volumeHandle: h, volumeAttributes: {server: 192.0.2.7, share: /}}}",
            "nfs csi-driver-nfs static",
        ),
        (
            f"{{csi: {{driver: nfs.csi.k8s.io, volumeAttributes: {{server: {EFS_HOST}, share: /}}}}}}",
            "efs csi-driver-nfs static",
        ),
        (
            f"{{csi: {{driver: nfs.csi.k8s.io, volumeAttributes: {{SERVER: {EFS_HOST}, share: /}}}}}}",
            "efs csi-driver-nfs static",
        ),
        ("{csi: {driver: nfs.csi.k8s.io, volumeAttributes: null}}", "nfs csi-driver-nfs static"),
        ("{csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: null}}}", "nfs csi-driver-nfs static"),
        # a server means nothing to a driver that does not read it
        (
            f"{{csi: {{driver: fsx.openzfs.csi.aws.com, volumeAttributes: {{server: {EFS_HOST}}}}}}}",
            "nfs other-csi-nfs static",
        ),
        ("{csi: {driver: file.csi.azure.com, volumeAttributes: {protocol: nfs}}}", "nfs other-csi-nfs static"),
        ("{csi: {driver: file.csi.azure.com}}", "other - static"),
        ("{csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}}", "other - static"),
        ("{csi: {driver: driver.example.org}}", "unresolved unknown-provisioner provisioner driver.example.org"),
        ("{csi: {driver: csi.trident.netapp.io}}", "unresolved unknown-provisioner provisioner csi.trident.netapp.io"),
        ("{csi: {driver: null}}", "unresolved unknown-provisioner PersistentVolume pv"),
        ("{csi: {driver: ''}}", "unresolved unknown-provisioner PersistentVolume pv"),
        ("{csi: {}}", "unresolved unknown-provisioner PersistentVolume pv"),
        # anything else
        ("{hostPath: {path: /x}}", "other - static"),
        (
            "{capacity: {storage: 1Gi}, claimRef: {name: c}, nodeAffinity: {}, awsElasticBlockStore: {volumeID: a}}",
            "other - static",
        ),
        ("{nfs: null, csi: null, local: {path: /x}}", "other - static"),
        ("{capacity: {storage: 1Gi}, hostPath: null}", "unresolved unknown-provisioner PersistentVolume pv"),
        ("{}", "unresolved unknown-provisioner PersistentVolume pv"),
        ("null", "unresolved unknown-provisioner PersistentVolume pv"),
        ("[]", "unresolved unknown-provisioner PersistentVolume pv"),
        ("{[a]: {}, b: 1}", "unresolved unknown-provisioner PersistentVolume pv"),
    ],
)
def test_persistent_volumes(spec: str, expected: str) -> None:
    assert said(end(spec)) == expected


def test_the_type_of_another_volume_is_its_driver() -> None:
    found = end("{hostPath: {path: /x}}")
    assert isinstance(found, Backing)
    assert (found.driver, found.how, found.value["volume"]) == ("hostPath", "volume pv is of type hostPath", "pv")


@pytest.mark.parametrize(
    "spec",
    [
        f"{{nfs: {{server: {EFS_HOST}, path: /}}}}",
        f"{{csi: {{driver: nfs.csi.k8s.io, volumeAttributes: {{server: {EFS_HOST}}}}}}}",
    ],
)
def test_the_server_is_named_and_is_the_evidence(spec: str) -> None:
    found = end(spec)
    assert isinstance(found, Backing)
    name, origin = found.names["server"]
    assert origin.span is not None
    assert (name, origin.span.text, found.value["server"]) == (EFS_HOST, EFS_HOST, EFS_HOST)
    assert found.steps[-1].span == origin.span
    assert "EFS" in found.steps[-1].message
    assert found.carrier is not None
    assert found.carrier.ref.name == "pv"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"nfs: {{server: {EFS_HOST}, path: /}}", "efs inline-nfs inline"),
        ("nfs: {server: 192.0.2.7, path: /}", "nfs inline-nfs inline"),
        ("nfs: {path: /}", "nfs inline-nfs inline"),
        ("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: 192.0.2.7}}", "nfs csi-driver-nfs inline"),
        (f"csi: {{driver: nfs.csi.k8s.io, volumeAttributes: {{server: {EFS_HOST}}}}}", "efs csi-driver-nfs inline"),
        ("csi: {driver: secrets-store.csi.k8s.io}", "other - inline"),
        ("csi: {driver: driver.example.org}", "unresolved unknown-provisioner provisioner driver.example.org"),
        ("csi: {driver: null}", "unresolved unknown-provisioner provisioner"),
    ],
)
def test_volumes_written_into_a_pod(source: str, expected: str) -> None:
    assert answer(pod(source)) == expected


def test_an_inline_volume_of_the_efs_driver_is_no_mount_that_works() -> None:
    """The driver registers the persistent mode only, so the pod never starts; there are no options to judge."""
    from storage_support import facts

    text = pod("csi: {driver: efs.csi.aws.com, volumeAttributes: {}}")
    assert answer(text) == "efs efs-csi inline"
    assert facts(text, "mount") == []


@pytest.mark.parametrize(
    "source",
    ["emptyDir: {}", "configMap: {name: x}", "nfs: null", "csi: []", "hostPath: {path: /nfs}", "ephemeral: null"],
)
def test_other_volumes_of_a_pod_are_passed_over(source: str) -> None:
    assert ends(stream(pod(source), pod("persistentVolumeClaim: {claimName: null}"))) == []
