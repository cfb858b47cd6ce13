"""Drivers, class names and volume handles, as driver documents, charts and the EFS CSI driver have them."""

from __future__ import annotations

import pytest

from efslint.knowledge.drivers import (
    Mounter,
    StorageKind,
    VolumeHandle,
    assumed_efs,
    driver,
    provisioned_file_system,
    volume_handle,
)

FS = "fs-0123456789abcdef0"
AP = "fsap-0123456789abcdef0"
EFS, NFS, OTHER, UNKNOWN = StorageKind.EFS, StorageKind.NFS, StorageKind.OTHER, StorageKind.UNKNOWN


@pytest.mark.parametrize(
    ("name", "kind", "mounter"),
    [
        ("efs.csi.aws.com", EFS, Mounter.EFS_CSI),
        ("nfs.csi.k8s.io", NFS, Mounter.CSI_DRIVER_NFS),
        ("k8s-sigs.io/nfs-subdir-external-provisioner", NFS, Mounter.IN_TREE_NFS),
        ("fuseim.pri/ifs", NFS, Mounter.IN_TREE_NFS),
        ("cluster.local/nfs-subdir-external-provisioner", NFS, Mounter.IN_TREE_NFS),
        ("cluster.local/rel-nfs-subdir-external-provisioner", NFS, Mounter.IN_TREE_NFS),
        ("cluster.local/home-nfs-client-provisioner", NFS, Mounter.IN_TREE_NFS),
        ("cluster.local/rel-nfs-server-provisioner", NFS, Mounter.IN_TREE_NFS),
        ("example.com/nfs", NFS, Mounter.IN_TREE_NFS),
        ("example.com/aws-efs", EFS, Mounter.IN_TREE_NFS),
        ("openshift.org/aws-efs", EFS, Mounter.IN_TREE_NFS),
        ("external-storage.alpha.kubernetes.io/aws-efs", EFS, Mounter.IN_TREE_NFS),
        ("cluster.local/rel-efs-provisioner", EFS, Mounter.IN_TREE_NFS),
        ("fsx.openzfs.csi.aws.com", NFS, Mounter.OTHER_CSI_NFS),
        ("rook-ceph.nfs.csi.ceph.com", NFS, Mounter.OTHER_CSI_NFS),
        ("rook-ceph.rbd.csi.ceph.com", OTHER, None),
        ("rook-ceph.cephfs.csi.ceph.com", OTHER, None),
        ("ebs.csi.aws.com", OTHER, None),
        ("ebs.csi.eks.amazonaws.com", OTHER, None),
        ("kubernetes.io/aws-ebs", OTHER, None),
        ("fsx.csi.aws.com", OTHER, None),
        ("s3.csi.aws.com", OTHER, None),
        ("pd.csi.storage.gke.io", OTHER, None),
        ("disk.csi.azure.com", OTHER, None),
        ("file.csi.azure.com", OTHER, None),
        ("smb.csi.k8s.io", OTHER, None),
        ("driver.longhorn.io", OTHER, None),
        ("rancher.io/local-path", OTHER, None),
        ("csi.trident.netapp.io", UNKNOWN, None),
        ("kubernetes.io/no-provisioner", UNKNOWN, None),
    ],
)
def test_listed_driver(name: str, kind: StorageKind, mounter: Mounter | None) -> None:
    found = driver(name)
    assert (found.name, found.kind, found.mounter, found.known) == (name, kind, mounter, True)
    assert found.product
    assert found.source


@pytest.mark.parametrize(
    "name", ["", "cluster.local/storage", "acme.example/efs", "cluster.local/xefs-provisioner", "efs"]
)
def test_unlisted_driver_is_unknown(name: str) -> None:
    found = driver(name)
    assert (found.kind, found.mounter, found.known, found.product) == (UNKNOWN, None, False, name)


@pytest.mark.parametrize(
    ("parameters", "kind"),
    [
        ({"protocol": "nfs"}, NFS),
        ({"skuName": "Premium_LRS", "Protocol": "NFS"}, NFS),
        ({"protocol": "smb"}, OTHER),
        ({}, OTHER),
        (None, OTHER),
    ],
)
def test_azure_files_is_nfs_by_parameter(parameters: dict[str, str] | None, kind: StorageKind) -> None:
    assert driver("file.csi.azure.com", parameters).kind is kind


def test_s3_files_by_parameter() -> None:
    assert provisioned_file_system({"provisioningMode": "s3files-ap"}) == "s3files"
    assert provisioned_file_system({"provisioningMode": "efs-ap"}) == "efs"
    assert provisioned_file_system(None) == "efs"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("efs", True),
        ("efs-rwx", True),
        ("my-efs-sc", True),
        ("aws-efs", True),
        ("efs.fast", True),
        ("efs2", True),
        ("prefs", False),
        ("efsx", False),
        ("refs-data", False),
        ("gp3", False),
        ("", False),
        ("EFS", False),
        ("non-efs", False),
        ("not-efs", False),
        ("no-efs", False),
        ("non-efs-but-efs", True),
        ("efs_sc", False),
        ("efs sc", False),
        ("-efs", False),
        ("efs-", False),
        ("a..efs", False),
        ("efs" + "-a" * 126, False),
    ],
)
def test_class_name_that_says_efs(name: str, expected: bool) -> None:
    assert assumed_efs(name) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FS, VolumeHandle("efs", FS)),
        (f"{FS}:", VolumeHandle("efs", FS)),
        (f"{FS}:/data", VolumeHandle("efs", FS, "/data")),
        (f"{FS}::{AP}", VolumeHandle("efs", FS, None, AP)),
        (f"{FS}:/data:{AP}", VolumeHandle("efs", FS, "/data", AP)),
        (f"efs:{FS}::{AP}", VolumeHandle("efs", FS, None, AP)),
        (f"s3files:{FS}", VolumeHandle("s3files", FS)),
        ("${FS_ID}::${AP_ID}", VolumeHandle("efs")),
    ],
)
def test_volume_handle(text: str, expected: VolumeHandle) -> None:
    assert volume_handle(text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a file system id"),
        ("efs", "not a file system id"),
        ("fs-1234567", "not a file system id"),
        (FS.upper(), "not a file system id"),
        (f"{FS}.efs.us-east-1.amazonaws.com", "not a file system id"),
        (f"{FS}::fs-0123456789abcdef0", "not an access point id"),
        (f"{FS}:/a:{AP}:b", "three fields"),
        (f"nfs:{FS}", "not a file system id"),
    ],
)
def test_volume_handle_the_driver_refuses(text: str, why: str) -> None:
    assert why in (volume_handle(text).error or "")
