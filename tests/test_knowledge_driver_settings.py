"""Class parameters and volume attributes. Expected values: the sources of the drivers named in each module."""

from __future__ import annotations

import pytest

from efslint.knowledge.driver_settings import SettingFault, closest, go_boolean, go_integer
from efslint.knowledge.efs_settings import (
    efs_attribute_faults,
    efs_parameter_faults,
    file_system_fault,
    told_apart,
    volume_handle_fault,
)
from efslint.knowledge.nfs_settings import nfs_parameter_faults

EFS = {"provisioningMode": "efs-ap", "fileSystemId": "fs-0123456789abcdef0", "directoryPerms": "700"}
NFS = {"server": "nas.example.internal", "share": "/volumes"}


def shown(faults: tuple[SettingFault, ...]) -> list[str]:
    return [f"{fault.verdict} {fault.name}" + ("" if fault.given else " missing") for fault in faults]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"provisioningMode": "s3files-ap"},
        {"provisioningMode": "${MODE}"},
        {"uid": "0", "gid": "1000"},
        {"uid": "{{ uid }}"},
        {"uid": "$APP_UID", "fileSystemId": "$EFS"},
        {"gidRangeStart": "1", "gidRangeEnd": "2"},
        {"gidRangeStart": "50000", "gidRangeEnd": "60000"},
        {"gidRangeStart": "$(START)", "gidRangeEnd": "2"},
        {"basePath": "/a/b", "subPathPattern": "${.PVC.namespace}/${.PVC.name}"},
        {"basePath": "/a", "subPathPattern": "/b//c/./d"},
        {"subPathPattern": "${TEAM}/${.PV.name}"},
        {"basePath": "/" + "a" * 97},
        {"subPathPattern": "a" * 99, "ensureUniqueDirectory": "false"},
        {"ensureUniqueDirectory": "F", "reuseAccessPoint": "1"},
        {"az": "eu-west-1a", "enforceZoneAffinity": "true", "enableTagging": "false"},
        {"csi.storage.k8s.io/provisioner-secret-name": "s", "csi.storage.k8s.io/fstype": "efs", "fsType": "efs"},
        {"mountOptions": "tls"},  # EFS112 tells
        {"fileSystemId": "fs-xxxxxxxx"},
        {"fileSystemId": "<id>"},
        {"directoryPerms": "0755"},
        {"directoryPerms": "${PERMS}"},
    ],
)
def test_efs_parameters_that_are_right(more: dict[str, str]) -> None:
    assert efs_parameter_faults({**EFS, **more}) == ()


@pytest.mark.parametrize(
    "parameters",
    [{}, {"csi.storage.k8s.io/provisioner-secret-name": "s"}],
)
def test_class_for_volumes_made_by_hand(parameters: dict[str, str]) -> None:
    assert efs_parameter_faults(parameters) == ()
    assert nfs_parameter_faults(parameters) == ()


@pytest.mark.parametrize(
    ("more", "faults"),
    [
        ({"basPath": "/a"}, ["ignored basPath"]),
        ({"encryptInTransit": "true"}, ["ignored encryptInTransit"]),
        ({"awsRoleArn": "arn"}, ["ignored awsRoleArn"]),
        ({"provisioningMode": "efs-dir"}, ["refused provisioningMode"]),
        ({"fileSystemId": ""}, ["refused fileSystemId"]),
        ({"fileSystemIdSecretRef": "a/b/c"}, ["refused fileSystemIdSecretRef"]),
        ({"fileSystemId": "", "fileSystemIdConfigRef": "a/b"}, ["refused fileSystemIdConfigRef"]),
        ({"fileSystemId": "", "fileSystemIdConfigRef": "a//c"}, ["refused fileSystemIdConfigRef"]),
        ({"fileSystemId": "fsap-0123456789abcdef0"}, ["refused fileSystemId"]),
        ({"directoryPerms": "rwx"}, ["refused directoryPerms"]),
        ({"directoryPerms": "0o755"}, ["refused directoryPerms"]),
        ({"uid": "-1"}, ["refused uid"]),
        ({"gid": "root"}, ["refused gid"]),
        ({"gidRangeStart": "0", "gidRangeEnd": "9"}, ["refused gidRangeStart"]),
        ({"gidRangeStart": "1000"}, ["refused gidRangeStart"]),
        ({"gidRangeEnd": "1000"}, ["refused gidRangeEnd"]),
        ({"gidRangeStart": "9", "gidRangeEnd": "9"}, ["refused gidRangeEnd"]),
        ({"gidRangeStart": "50000", "gidRangeEnd": "7000000"}, ["ignored gidRangeEnd"]),
        ({"reuseAccessPoint": "yes"}, ["refused reuseAccessPoint"]),
        ({"ensureUniqueDirectory": "no"}, ["ignored ensureUniqueDirectory"]),
        ({"subPathPattern": "${.PVC.labels.app}"}, ["refused subPathPattern"]),
        ({"subPathPattern": "${pvc.metadata.name}"}, ["refused subPathPattern"]),
        ({"basePath": "/a/b/c", "subPathPattern": "d/${.PVC.name}"}, ["refused subPathPattern"]),
        ({"basePath": "/a/b/c/d"}, ["refused basePath"]),
        ({"basePath": "/" + "a" * 98}, ["refused basePath"]),
        ({"subPathPattern": "a" * 99}, ["refused subPathPattern"]),
    ],
)
def test_efs_parameters_that_are_wrong(more: dict[str, str], faults: list[str]) -> None:
    assert shown(efs_parameter_faults({**EFS, **more})) == faults


@pytest.mark.parametrize(
    ("without", "more", "faults"),
    [
        ("provisioningMode", {}, ["refused provisioningMode missing"]),
        ("fileSystemId", {}, ["refused fileSystemId missing"]),
        ("directoryPerms", {}, ["refused directoryPerms missing"]),
        # one finding where a required name is misspelt
        ("fileSystemId", {"filesystemId": "fs-0123456789abcdef0"}, ["refused filesystemId"]),
        ("directoryPerms", {"directoryPerm": "700"}, ["refused directoryPerm"]),
        ("fileSystemId", {"fileSystemIDConfigRef": "a/b/c"}, ["refused fileSystemIDConfigRef"]),
    ],
)
def test_required_efs_parameters(without: str, more: dict[str, str], faults: list[str]) -> None:
    parameters = {name: value for name, value in EFS.items() if name != without}
    assert shown(efs_parameter_faults({**parameters, **more})) == faults


def test_what_is_missing_is_told_together() -> None:
    (fault,) = efs_parameter_faults({"basePath": "/a"})
    assert fault.name == "provisioningMode, fileSystemId and directoryPerms"
    assert fault.why.startswith("are missing")


def test_hint_of_a_misspelt_parameter() -> None:
    assert efs_parameter_faults({**EFS, "basPath": "/a"})[0].meant == "basePath"
    assert efs_parameter_faults({**EFS, "performanceMode": "x"})[0].meant is None
    assert nfs_parameter_faults({**NFS, "subDirs": "a"})[0].meant == "subDir"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("fs-0123456789abcdef0", False),
        ("fs-xxxxxxxx", False),
        ("YOUR_FILE_SYSTEM", False),
        ("FS-0123456789ABCDEF0", True),
        ("fsap-0123456789abcdef0", True),
        ("fs-0123456789abcdef0.efs.eu-west-1.amazonaws.com", True),
    ],
)
def test_file_system_id(text: str, wrong: bool) -> None:
    assert (file_system_fault(text) is not None) is wrong


@pytest.mark.parametrize(
    ("more", "faults"),
    [
        ({}, []),
        ({"SUBDIR": "a", "OnDelete": "Retain", "mountPermissions": "0777"}, []),
        ({"onDelete": "", "mountPermissions": ""}, []),
        ({"onDelete": "${POLICY}", "mountPermissions": "${MODE}"}, []),
        ({"mountOptions": "nfsvers=4.1"}, []),  # EFS112 tells
        ({"csi.storage.k8s.io/provisioner-secret-name": "s"}, []),
        ({"readOnly": "false"}, ["refused readOnly"]),
        ({"onDelete": "keep"}, ["refused onDelete"]),
        ({"mountPermissions": "rwx"}, ["refused mountPermissions"]),
        ({"server": ""}, ["refused server"]),
    ],
)
def test_nfs_parameters(more: dict[str, str], faults: list[str]) -> None:
    assert shown(nfs_parameter_faults({**NFS, **more})) == faults


def test_nfs_server_is_required() -> None:
    assert shown(nfs_parameter_faults({"share": "/volumes"})) == ["refused server missing"]
    assert shown(nfs_parameter_faults({"servr": "nas", "share": "/volumes"})) == ["refused servr"]


@pytest.mark.parametrize(
    ("attributes", "faults"),
    [
        ({}, []),
        ({"ENCRYPTINTRANSIT": "True", "crossAccount": "false", "mounttargetip": "10.0.0.1"}, []),
        ({"mounttargetip": "fd00::1"}, []),
        ({"mounttargetip": "use1-az1:10.0.0.1,use1-az2:10.0.0.2"}, []),
        ({"encryptInTransit": "${TLS}", "mounttargetip": "<ip>"}, []),
        ({"mounttargetip": "[MOUNT TARGET IP ADDRESS]"}, []),
        ({"mounttargetipmap": "x", "storage.kubernetes.io/csiProvisionerIdentity": "1-2-efs.csi.aws.com"}, []),
        ({"path": "/a"}, ["refused path"]),
        ({"encryptInTransi": "true"}, ["refused encryptInTransi"]),
        ({"az": "eu-west-1a"}, ["refused az"]),
        ({"encryptInTransit": "yes"}, ["refused encryptInTransit"]),
        ({"mounttargetip": "10.0.0"}, ["refused mounttargetip"]),
    ],
)
def test_efs_attributes(attributes: dict[str, str], faults: list[str]) -> None:
    assert shown(efs_attribute_faults(attributes)) == faults


@pytest.mark.parametrize(("text", "value"), [("true", True), ("T", True), ("0", False), ("yes", None), ("tRUE", None)])
def test_go_boolean(text: str, value: bool | None) -> None:
    assert go_boolean(text) is value


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("-1", -1), ("+2", 2), ("0x1", None), ("", None), ("1_0", None)])
def test_go_integer(text: str, value: int | None) -> None:
    assert go_integer(text) == value


def test_closest_prefers_the_name_that_differs_in_case() -> None:
    assert closest("FILESYSTEMID", ("fileSystemIdSecretRef", "fileSystemId")) == "fileSystemId"
    assert closest("colour", ("server",)) is None


@pytest.mark.parametrize(
    ("pattern", "apart"),
    [
        ("apps", "nothing"),
        ("/", "nothing"),
        ("${.PVC.namespace}", "namespaces"),
        ("${.PVC.name}", "names"),
        ("${.PVC.namespace}/${.PVC.name}", "claims"),
        ("${.PV.name}", "claims"),
        ("${TEAM}/${.PVC.name}", None),
        ("<team>", None),
    ],
)
def test_what_a_pattern_tells_apart(pattern: str, apart: str | None) -> None:
    assert told_apart(pattern) == apart


@pytest.mark.parametrize(
    ("handle", "wrong"),
    [
        ("fs-0123456789abcdef0", False),
        ("fs-0123456789abcdef0:/a:fsap-0123456789abcdef0", False),
        ("s3files:fs-0123456789abcdef0", False),
        # to be filled in
        ("fs-xxxxxxxx::fsap-xxxxxxxx", False),
        ("[FileSystemId]", False),
        ("fs-REPLACE_ME", False),
        ("EFS_ID", False),
        ("s3files:$FILES", False),
        ("<fs>:/a", False),
        # wrong
        ("FS-0123456789ABCDEF0", True),
        ("fs-0123456789abcdefg", True),
        ("efs-volume-1", True),
        ("", True),
        ("fs-0123456789abcdef0:/a:/b:fsap-0123456789abcdef0", True),
        ("fs-0123456789abcdef0::fsap-123", True),
        # a word in the path says nothing about the ids
        ("FS-0123456789ABCDEF0:/examples", True),
    ],
)
def test_volume_handle(handle: str, wrong: bool) -> None:
    assert (volume_handle_fault(handle) is not None) is wrong
