"""Facts about class parameters, volume attributes and handles: where they stand, and that values are strings."""

from __future__ import annotations

import pytest
from storage_support import chain, fact, facts, storage_class, stream, told, volume

GOOD = "provisioningMode: efs-ap, fileSystemId: fs-0123456789abcdef0, directoryPerms: '700'"


def efs(parameters: str) -> str:
    return storage_class("c", "efs.csi.aws.com", f"parameters: {parameters}\n")


def pv(csi: str, more: str = "") -> str:
    return volume("v", f"{{{more}csi: {{driver: efs.csi.aws.com, {csi}}}}}")


def faults(files: str) -> list[tuple[str, str, str, str]]:
    return [
        (each.value["role"], each.value["verdict"], each.value["name"], told(each, ""))
        for each in facts(files, "setting")
        if each.value["verdict"] != "accepted"
    ]


def test_every_parameter_is_a_fact() -> None:
    found = facts(efs(f"{{{GOOD}}}"), "setting")
    assert [(each.value["name"], each.value["verdict"]) for each in found] == [
        ("provisioningMode", "accepted"),
        ("fileSystemId", "accepted"),
        ("directoryPerms", "accepted"),
    ]
    assert found[0].value["product"] == "Amazon EFS CSI driver"
    assert chain(found[0]) == ["class c is provisioned by efs.csi.aws.com"]


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ("{" + GOOD + ", basPath: /a}", [("parameter", "ignored", "basPath", "basPath")]),
        ("{provisioningMode: efs-ap, directoryPerms: '700'}", [("parameter", "refused", "fileSystemId", "parameters")]),
        # the API server takes strings only; null is the empty string to it
        ("{" + GOOD + ", uid: 1000}", [("parameter", "refused", "uid", "uid")]),
        ("{" + GOOD + ", reuseAccessPoint: true}", [("parameter", "refused", "reuseAccessPoint", "reuseAccessPoint")]),
        ("{" + GOOD + ", az: [a]}", [("parameter", "refused", "az", "az")]),
        ("{" + GOOD + ", az: {a: b}}", [("parameter", "refused", "az", "az")]),
        ("{" + GOOD + ", az: }", []),
        # one fault for one setting
        ("{" + GOOD + ", gidRangeStart: 0}", [("parameter", "refused", "gidRangeStart", "gidRangeStart")]),
        ("{" + GOOD + ", ? [a, b] : c}", []),
        ("{}", []),
        ("text", []),
    ],
)
def test_parameters_of_efs(parameters: str, found: list[tuple[str, str, str, str]]) -> None:
    assert faults(efs(parameters)) == found


def test_hint_and_value_are_told() -> None:
    found = facts(efs("{" + GOOD + ", basPath: /a}"), "setting")[-1].value
    assert (found["meant"], found["value"], found["given"]) == ("basePath", "/a", True)


def test_classes_of_others() -> None:
    nas = storage_class("n", "nfs.csi.k8s.io", "parameters: {server: s, path: /a}\n")
    assert faults(nas) == [("parameter", "refused", "path", "path")]
    assert facts(storage_class("d", "ebs.csi.aws.com", "parameters: {typ: gp3}\n"), "setting") == []
    assert facts("kind: StorageClass\nmetadata: {name: c}\nparameters: {a: b}", "setting") == []


@pytest.mark.parametrize(
    ("csi", "more", "found"),
    [
        ("volumeHandle: fs-0123456789abcdef0", "", []),
        ("volumeHandle: FS-0123456789ABCDEF0", "", [("handle", "refused", "volumeHandle", "FS-0123456789ABCDEF0")]),
        ("volumeHandle: [FileSystemId]", "", []),
        ("volumeAttributes: {}", "", []),
        (
            "volumeAttributes: {path: /a, encryptInTransit: false}",
            "",
            [
                ("attribute", "refused", "path", "path"),
                ("attribute", "refused", "encryptInTransit", "encryptInTransit"),
            ],
        ),
        (
            "volumeHandle: 'fs-0123456789abcdef0::fsap-0123456789abcdef0'",
            "mountOptions: [iam, accesspoint=fsap-0fedcba9876543210], ",
            [("handle", "refused", "mount option accesspoint", "accesspoint=fsap-0fedcba9876543210")],
        ),
        # the driver reads options in lower case
        (
            "volumeHandle: 'fs-0123456789abcdef0::fsap-0123456789abcdef0'",
            "mountOptions: [AccessPoint=FSAP-0123456789ABCDEF0], ",
            [],
        ),
        (
            "volumeHandle: 'fs-0123456789abcdef0::fsap-0123456789abcdef0'",
            "mountOptions: [accesspoint], ",
            [("handle", "refused", "mount option accesspoint", "accesspoint")],
        ),
        ("volumeHandle: fs-0123456789abcdef0", "mountOptions: [accesspoint=fsap-0123456789abcdef0], ", []),
    ],
)
def test_volumes(csi: str, more: str, found: list[tuple[str, str, str, str]]) -> None:
    assert faults(pv(csi, more)) == found


def test_volumes_of_others() -> None:
    files = stream(
        volume("v", "{csi: {driver: x.example, volumeHandle: h}}"), volume("w", "{nfs: {server: s, path: /}}")
    )
    assert facts(files, "setting") == []


@pytest.mark.parametrize(
    ("more", "unique", "apart", "at"),
    [
        ("subPathPattern: apps", True, "nothing", "subPathPattern"),
        ("subPathPattern: apps, ensureUniqueDirectory: 'false'", False, "nothing", "ensureUniqueDirectory"),
        ("subPathPattern: '${.PVC.name}', ensureUniqueDirectory: '0'", False, "names", "ensureUniqueDirectory"),
        ("subPathPattern: apps, ensureUniqueDirectory: 'no'", True, "nothing", "ensureUniqueDirectory"),
    ],
)
def test_directories(more: str, unique: bool, apart: str, at: str) -> None:
    found = fact(efs(f"{{{GOOD}, {more}}}"), "directories")
    assert (found.value["unique"], found.value["told_apart"], told(found, "")) == (unique, apart, at)


@pytest.mark.parametrize("parameters", ["{}", "[]", "{ensureUniqueDirectory: 'false'}", "{subPathPattern: '${TEAM}'}"])
def test_directories_that_are_not_known(parameters: str) -> None:
    assert facts(efs(parameters), "directories") == []
