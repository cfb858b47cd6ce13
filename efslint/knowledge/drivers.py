"""What a provisioner or CSI driver name says: which client mounts the volume, and whether that is EFS or other NFS.

A name only. Where a volume of a driver that can do several things ends is for the resolver to find out from the object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from efslint.knowledge.hosts import has_placeholder, is_access_point_id, is_file_system_id


class Mounter(StrEnum):
    """Which client mounts the volume; decides what missing and repeated options mean."""

    EFS_CSI = "efs-csi"
    IN_TREE_NFS = "in-tree-nfs"
    CSI_DRIVER_NFS = "csi-driver-nfs"
    INLINE_NFS = "inline-nfs"
    OTHER_CSI_NFS = "other-csi-nfs"


class StorageKind(StrEnum):
    """What a driver's volumes are. ``other`` is surely neither EFS nor NFS; ``unknown`` may be anything."""

    EFS = "efs"
    NFS = "nfs"
    OTHER = "other"
    UNKNOWN = "unknown"


class Driver(NamedTuple):
    """A driver. ``product`` is how to call it in a message. ``known`` is false for a name nobody listed.

    ``kind`` ``nfs`` means that the server decides whether it is EFS. ``source`` is where that was read.
    """

    name: str
    kind: StorageKind
    mounter: Mounter | None
    product: str
    known: bool
    source: str


EFS_CSI_DRIVER = "efs.csi.aws.com"
NFS_CSI_DRIVER = "nfs.csi.k8s.io"

_SUBDIR = "nfs-subdir-external-provisioner"
_CLIENT = "nfs-client-provisioner (predecessor of nfs-subdir-external-provisioner)"
_RETIRED = "efs-provisioner (retired)"
_GANESHA = "NFS Ganesha server and external provisioner"
_SUBDIR_SOURCE = "kubernetes-sigs/nfs-subdir-external-provisioner:deploy/class.yaml"
_EXTERNAL_STORAGE = "kubernetes-retired/external-storage:"
_CHART = "kubernetes-sigs/nfs-subdir-external-provisioner:charts/nfs-subdir-external-provisioner/templates/_helpers.tpl"
_GANESHA_SOURCE = "kubernetes-sigs/nfs-ganesha-server-and-external-provisioner:README.md"
_CLASSES = "kubernetes/website:content/en/docs/concepts/storage/storage-classes.md"
_DRIVER_LIST = "https://kubernetes-csi.github.io/docs/drivers.html"

# name, mounter, product, source. Volumes of these are NFS; the server decides whether that is EFS.
_NFS = (
    (NFS_CSI_DRIVER, Mounter.CSI_DRIVER_NFS, "csi-driver-nfs", "kubernetes-csi/csi-driver-nfs:README.md"),
    ("k8s-sigs.io/nfs-subdir-external-provisioner", Mounter.IN_TREE_NFS, _SUBDIR, _SUBDIR_SOURCE),
    ("fuseim.pri/ifs", Mounter.IN_TREE_NFS, _CLIENT, f"{_EXTERNAL_STORAGE}nfs-client/deploy/class.yaml"),
    ("example.com/nfs", Mounter.IN_TREE_NFS, _GANESHA, _GANESHA_SOURCE),
    (
        "openebs.io/nfsrwx",
        Mounter.IN_TREE_NFS,
        "OpenEBS dynamic NFS provisioner",
        "openebs/dynamic-nfs-provisioner:README.md",
    ),
)
_OTHER_CSI_NFS = {
    "fsx.openzfs.csi.aws.com": "Amazon FSx for OpenZFS CSI driver",
    "filestore.csi.storage.gke.io": "Google Filestore CSI driver",
    "nasplugin.csi.alibabacloud.com": "Alibaba Cloud NAS CSI driver",
    "nfs.manila.csi.openstack.org": "OpenStack Manila NFS CSI driver",
    "fss.csi.oraclecloud.com": "Oracle Cloud File Storage CSI driver",
    "vpc.file.csi.ibm.io": "IBM Cloud File Storage CSI driver",
    "org.democratic-csi.nfs": "democratic-csi NFS driver",
    "csi-isilon.dellemc.com": "Dell PowerScale CSI driver",
    "nfs.csi.ceph.com": "Ceph NFS CSI driver",
}
_OTHER = {
    "ebs.csi.aws.com": "Amazon EBS CSI driver",
    "ebs.csi.eks.amazonaws.com": "Amazon EBS (EKS Auto Mode)",
    "fsx.csi.aws.com": "Amazon FSx for Lustre CSI driver",
    "s3.csi.aws.com": "Mountpoint for Amazon S3 CSI driver",
    "pd.csi.storage.gke.io": "Google Persistent Disk CSI driver",
    "gcsfuse.csi.storage.gke.io": "Google Cloud Storage FUSE CSI driver",
    "disk.csi.azure.com": "Azure Disk CSI driver",
    "file.csi.azure.com": "Azure Files CSI driver (SMB)",
    "blob.csi.azure.com": "Azure Blob CSI driver",
    "smb.csi.k8s.io": "SMB CSI driver",
    "cephfs.csi.ceph.com": "CephFS CSI driver",
    "rbd.csi.ceph.com": "Ceph RBD CSI driver",
    "nvmeof.csi.ceph.com": "Ceph NVMe-oF CSI driver",
    "driver.longhorn.io": "Longhorn",
    "rancher.io/local-path": "local-path-provisioner",
    "rancher.io/longhorn": "Longhorn",
    "openebs.io/local": "OpenEBS local volumes",
    "local.csi.openebs.io": "OpenEBS LVM CSI driver",
    "zfs.csi.openebs.io": "OpenEBS ZFS CSI driver",
    "cstor.csi.openebs.io": "OpenEBS cStor CSI driver",
    "io.openebs.csi-mayastor": "OpenEBS Mayastor",
    "topolvm.io": "TopoLVM",
    "topolvm.cybozu.com": "TopoLVM",
    "linstor.csi.linbit.com": "LINSTOR CSI driver",
    "pxd.portworx.com": "Portworx",
    "csi.vsphere.vmware.com": "vSphere CSI driver",
    "cinder.csi.openstack.org": "OpenStack Cinder CSI driver",
    "dobs.csi.digitalocean.com": "DigitalOcean Block Storage CSI driver",
    "csi.hetzner.cloud": "Hetzner Cloud CSI driver",
    "linodebs.csi.linode.com": "Linode Block Storage CSI driver",
    "csi.scaleway.com": "Scaleway Block Storage CSI driver",
    "block.csi.vultr.com": "Vultr Block Storage CSI driver",
    "blockvolume.csi.oraclecloud.com": "Oracle Cloud Block Volume CSI driver",
    "diskplugin.csi.alibabacloud.com": "Alibaba Cloud Disk CSI driver",
    "vpc.block.csi.ibm.io": "IBM VPC Block CSI driver",
    "csi.juicefs.com": "JuiceFS CSI driver",
    "hostpath.csi.k8s.io": "hostPath CSI driver",
    "microk8s.io/hostpath": "MicroK8s hostPath provisioner",
    "k8s.io/minikube-hostpath": "minikube hostPath provisioner",
    "docker.io/hostpath": "Docker Desktop hostPath provisioner",
    "secrets-store.csi.k8s.io": "Secrets Store CSI driver",
    "csi.cert-manager.io": "cert-manager CSI driver",
    "csi.spiffe.io": "SPIFFE CSI driver",
    "kubernetes.io/aws-ebs": "in-tree Amazon EBS",
    "kubernetes.io/gce-pd": "in-tree Google Persistent Disk",
    "kubernetes.io/azure-disk": "in-tree Azure Disk",
    "kubernetes.io/azure-file": "in-tree Azure Files (SMB)",
    "kubernetes.io/vsphere-volume": "in-tree vSphere volume",
    "kubernetes.io/cinder": "in-tree OpenStack Cinder",
    "kubernetes.io/glusterfs": "in-tree GlusterFS",
    "kubernetes.io/rbd": "in-tree Ceph RBD",
    "kubernetes.io/cephfs": "in-tree CephFS",
    "kubernetes.io/quobyte": "in-tree Quobyte",
    "kubernetes.io/portworx-volume": "in-tree Portworx volume",
    "kubernetes.io/scaleio": "in-tree ScaleIO",
    "kubernetes.io/storageos": "in-tree StorageOS",
    "kubernetes.io/host-path": "in-tree hostPath provisioner",
}
# Products whose volumes may or may not be NFS: the back end, which no manifest shows, decides.
_UNDECIDED = {
    "csi.trident.netapp.io": "NetApp Trident",
    "netapp.io/trident": "NetApp Trident",
    "csi-powerstore.dellemc.com": "Dell PowerStore CSI driver",
    "csi-unity.dellemc.com": "Dell Unity CSI driver",
    "pure-csi": "Pure Storage CSI driver",
    "kubernetes.io/no-provisioner": "no provisioner (volumes made by hand)",
}
# Ends of names whose beginning is the release or operator namespace. Charts name a provisioner
# cluster.local/<release>-<chart>; Rook puts its namespace before the driver name.
_CHART_ENDS = (
    ("nfs-subdir-external-provisioner", StorageKind.NFS, _SUBDIR, _CHART),
    (
        "nfs-client-provisioner",
        StorageKind.NFS,
        _CLIENT,
        "helm/charts:stable/nfs-client-provisioner/templates/_helpers.tpl",
    ),
    ("efs-provisioner", StorageKind.EFS, _RETIRED, "helm/charts:stable/efs-provisioner/values.yaml"),
    ("nfs-server-provisioner", StorageKind.NFS, _GANESHA, f"{_GANESHA_SOURCE.rpartition(':')[0]}:charts"),
    ("nfs-ganesha-server-and-external-provisioner", StorageKind.NFS, _GANESHA, _GANESHA_SOURCE),
)
_CEPH_ENDS = ("cephfs.csi.ceph.com", "rbd.csi.ceph.com", "nvmeof.csi.ceph.com", "nfs.csi.ceph.com")


@cache
def _drivers() -> Mapping[str, Driver]:
    return {driver.name: driver for driver in _listed()}


def _listed() -> Iterator[Driver]:
    efs_source = "kubernetes-sigs/aws-efs-csi-driver:deploy/kubernetes/base/csidriver.yaml"
    yield Driver(EFS_CSI_DRIVER, StorageKind.EFS, Mounter.EFS_CSI, "Amazon EFS CSI driver", True, efs_source)
    for name, mounter, product, source in _NFS:
        yield Driver(name, StorageKind.NFS, mounter, product, True, source)
    for name, product in _OTHER_CSI_NFS.items():
        yield Driver(name, StorageKind.NFS, Mounter.OTHER_CSI_NFS, product, True, _DRIVER_LIST)
    for name, product in _OTHER.items():
        source = _CLASSES if name.startswith("kubernetes.io/") else _DRIVER_LIST
        yield Driver(name, StorageKind.OTHER, None, product, True, source)
    for name, product in _UNDECIDED.items():
        yield Driver(name, StorageKind.UNKNOWN, None, product, True, _DRIVER_LIST)


def driver(name: str, parameters: Mapping[str, str] | None = None) -> Driver:
    """Say what a provisioner or CSI driver is; never fails, an unlisted name is ``unknown``.

    ``parameters`` are a class's ``parameters`` or a volume's ``volumeAttributes``: with ``protocol: nfs`` Azure Files
    is NFS (kubernetes-sigs/azurefile-csi-driver:docs/driver-parameters.md).
    """
    found = _drivers().get(name) or _by_ending(name)
    if name == "file.csi.azure.com" and _parameter(parameters, "protocol").lower() == "nfs":
        product, source = (
            "Azure Files CSI driver (NFS)",
            "kubernetes-sigs/azurefile-csi-driver:docs/driver-parameters.md",
        )
        return Driver(name, StorageKind.NFS, Mounter.OTHER_CSI_NFS, product, True, source)
    return found or Driver(name, StorageKind.UNKNOWN, None, name, False, "")


def _by_ending(name: str) -> Driver | None:
    domain, _, last = name.partition("/")
    if last == "aws-efs":
        source = f"{_EXTERNAL_STORAGE}aws/efs/deploy/class.yaml"
        return Driver(name, StorageKind.EFS, Mounter.IN_TREE_NFS, _RETIRED, True, source)
    if domain == "cluster.local":
        for end, kind, product, source in _CHART_ENDS:
            if last == end or last.endswith(f"-{end}"):
                return Driver(name, kind, Mounter.IN_TREE_NFS, product, True, source)
    for end in _CEPH_ENDS:
        if name.endswith(f".{end}"):
            ceph = _drivers()[end]
            return Driver(name, ceph.kind, ceph.mounter, ceph.product, True, ceph.source)
    return None


def _parameter(parameters: Mapping[str, str] | None, name: str) -> str:
    for key, value in (parameters or {}).items():
        if key.lower() == name.lower():
            return value
    return ""


def provisioned_file_system(parameters: Mapping[str, str] | None) -> str:
    """Say what an EFS CSI class makes: ``s3files`` with ``provisioningMode: s3files-ap``, else ``efs``.

    Source: kubernetes-sigs/aws-efs-csi-driver:docs/parameters.md.
    """
    return "s3files" if (parameters or {}).get("provisioningMode") == "s3files-ap" else "efs"


def assumed_efs(class_name: str) -> bool:
    """Whether the name of a class that is not in the input says EFS: it has ``efs`` as a word.

    A word ends where its letters end, so ``efs2`` and ``my-efs-sc`` count, ``prefs`` does not, and ``non-efs`` says
    the opposite. A text that cannot be the name of a class (not an RFC 1123 subdomain) says nothing.
    """
    if "efs" not in class_name or not _is_subdomain(class_name):
        return False
    words = re.findall(r"[a-z]+", class_name)
    return any(word == "efs" and words[:at][-1:] not in (["no"], ["not"], ["non"]) for at, word in enumerate(words))


def _is_subdomain(name: str) -> bool:
    label = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
    return len(name) <= 253 and all(label.fullmatch(part) for part in name.split("."))


class VolumeHandle(NamedTuple):
    """An EFS CSI ``volumeHandle`` taken apart; ``error`` says why the driver refuses it.

    ``file_system_type`` is ``efs`` or ``s3files``. Where a placeholder stands, the part is ``None`` without an error.
    """

    file_system_type: str
    file_system: str | None = None
    path: str | None = None
    access_point: str | None = None
    error: str | None = None


def volume_handle(text: str) -> VolumeHandle:
    """Take ``[type:]file-system[:path[:access-point]]`` apart as the driver does.

    Source: kubernetes-sigs/aws-efs-csi-driver:pkg/driver/node.go (``parseVolumeId``).
    """
    fields = text.split(":")
    file_system_type = "s3files" if fields[0] == "s3files" else "efs"
    if fields[0] in ("efs", "s3files"):
        fields = fields[1:]
    file_system, path, access_point = (*fields, "", "", "")[:3]
    templated = has_placeholder(text)
    error = None
    if len(fields) > 3 and not templated:
        error = "it has more than the three fields file system, path and access point"
    elif not is_file_system_id(file_system) and not templated:
        error = f"{file_system!r} is not a file system id (fs- and 8 to 40 lower-case hexadecimal digits)"
    elif access_point and not is_access_point_id(access_point) and not templated:
        error = f"{access_point!r} is not an access point id (fsap- and 8 to 40 lower-case hexadecimal digits)"
    return VolumeHandle(
        file_system_type,
        file_system if is_file_system_id(file_system) else None,
        path or None,
        access_point if is_access_point_id(access_point) else None,
        error,
    )
