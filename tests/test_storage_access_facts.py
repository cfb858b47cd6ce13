"""Facts about access modes and inline CSI volumes."""

from __future__ import annotations

import pytest
from storage_support import CLASSES, claim, fact, facts, pod, stateful, storage_class, stream, told, volume

from efslint.rules.predicates.access import access_refused
from efslint.storage.fact import Fact

MAKING = storage_class("efs", "efs.csi.aws.com", "parameters: {provisioningMode: efs-ap}\n")
CSI = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0123456789abcdef0}"


def problems(found: Fact) -> list[tuple[str, object]]:
    return [(problem.at, problem.values["reason"]) for problem in access_refused(found, {})]


def access(files: str) -> Fact:
    return fact(files, "access")


def test_volume() -> None:
    found = access(volume("v", f"{{accessModes: [ReadOnlyMany, ReadWriteMany], volumeMode: Block, {CSI}}}"))
    assert found.value["access_modes"] == ["ReadOnlyMany", "ReadWriteMany"]
    assert (found.value["volume_mode"], found.value["provisioned"]) == ("Block", False)
    assert (told(found, "/access_modes/1"), told(found, "/volume_mode")) == ("ReadWriteMany", "Block")
    assert problems(found) == [("/volume_mode", "block"), ("/access_modes/0", "ReadOnlyMany")]


@pytest.mark.parametrize(
    ("files", "label"),
    [
        (
            stream(claim("d", "{accessModes: [ReadWriteOnce], storageClassName: efs}"), MAKING),
            "PersistentVolumeClaim/d",
        ),
        (
            stream(
                stateful("{metadata: {name: v}, spec: {accessModes: [ReadWriteOnce], storageClassName: efs}}"), MAKING
            ),
            "claim template v of StatefulSet/db",
        ),
        (
            stream(stateful("{spec: {accessModes: [ReadWriteOnce], storageClassName: efs}}"), MAKING),
            "claim template of StatefulSet/db",
        ),
        (
            stream(
                pod("ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], storageClassName: efs}}}"),
                MAKING,
            ),
            "ephemeral volume v of Pod/app",
        ),
    ],
)
def test_who_asks(files: str, label: str) -> None:
    found = access(files)
    assert found.value["carrier"]["label"] == label
    assert found.value["provisioned"] is True
    assert problems(found) == []


@pytest.mark.parametrize(
    ("spec", "classes", "found"),
    [
        # a new volume is asked for with every mode of the claim
        ("accessModes: [ReadWriteMany, ReadOnlyMany]", MAKING, [("/access_modes/1", "ReadOnlyMany")]),
        # a class that makes no volumes, or a volume that is chosen: whoever made that decides
        ("accessModes: [ReadOnlyMany]", CLASSES["efs"], []),
        ("accessModes: [ReadOnlyMany], volumeName: v", MAKING, []),
        ("volumeMode: Block", MAKING, [("/volume_mode", "block")]),
        ("volumeMode: Filesystem", MAKING, []),
    ],
)
def test_claims_of_efs(spec: str, classes: str, found: list[tuple[str, object]]) -> None:
    assert problems(access(stream(claim("d", f"{{storageClassName: efs, {spec}}}"), classes))) == found


@pytest.mark.parametrize(
    ("spec", "driver", "found"),
    [
        ("accessModes: [ReadWriteOnce, ReadWriteMany]", "ebs.csi.aws.com", [("/access_modes/1", "ReadWriteMany")]),
        ("accessModes: [ReadWriteMany]", "kubernetes.io/aws-ebs", [("/access_modes/0", "ReadWriteMany")]),
        ("accessModes: [ReadWriteOnce]", "ebs.csi.aws.com", []),
        # docs/multi-attach.md: io2 in Block mode
        ("accessModes: [ReadWriteMany], volumeMode: Block", "ebs.csi.aws.com", []),
        ("accessModes: [ReadWriteMany], volumeName: v", "ebs.csi.aws.com", []),
        ("accessModes: [ReadWriteMany], selector: {matchLabels: {a: b}}", "nfs.csi.k8s.io", None),
        ("accessModes: [ReadWriteMany]", "nfs.csi.k8s.io", []),
        ("accessModes: [ReadWriteMany]", "rbd.csi.ceph.com", []),
    ],
)
def test_claims_of_others(spec: str, driver: str, found: list[tuple[str, object]] | None) -> None:
    files = stream(claim("d", f"{{storageClassName: c, {spec}}}"), storage_class("c", driver))
    assert [problems(each) for each in facts(files, "access")] == ([] if found is None else [found])


def test_assumed_class() -> None:
    found = access(claim("d", "{accessModes: [ReadOnlyMany], storageClassName: my-efs}"))
    assert found.value["provisioned"] is False
    assert problems(found) == []


def test_nothing_asked_and_nothing_known() -> None:
    nothing = (volume("v", f"{{{CSI}}}"), claim("d", "{storageClassName: efs}"), MAKING)
    unknown = (volume("w", "{accessModes: [ReadWriteMany]}"), claim("e", "{accessModes: [ReadWriteMany]}"))
    assert facts(stream(*nothing, *unknown), "access") == []
    assert facts(volume("v", f"{{accessModes: [{{}}], {CSI}}}"), "access") == []


def test_inline_volumes() -> None:
    found = fact(pod("csi: {driver: efs.csi.aws.com}"), "inline")
    assert (found.value["volume"], found.value["driver"]) == ("v", "efs.csi.aws.com")
    assert told(found, "") == "efs.csi.aws.com"
    assert facts(pod("csi: {}"), "inline") == []
    assert facts(pod("emptyDir: {}"), "inline") == []
