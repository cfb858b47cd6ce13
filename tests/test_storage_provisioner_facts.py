"""Facts about provisioners. Expected values: the settings each of them reads, as named in ``provisioners``."""

from __future__ import annotations

import pytest
from storage_support import EFS_HOST, chain, fact, facts, storage_class, stream, told, volume

SUBDIR = "k8s-sigs.io/nfs-subdir-external-provisioner"
NFS_CSI = "nfs.csi.k8s.io"


def workload(env: str, image: str = "registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2") -> str:
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: p}\nspec:\n  template:\n    spec:\n"
        f"      containers: [{{name: p, image: '{image}', env: [{env}]}}]"
    )


def setting(name: str, value: str) -> str:
    return f"{{name: {name}, value: '{value}'}}"


def nas(server: str) -> str:
    return f"parameters: {{server: {server}, share: /v}}\n"


def test_pod_on_efs_with_its_class() -> None:
    env = ", ".join((setting("PROVISIONER_NAME", SUBDIR), setting("NFS_SERVER", EFS_HOST)))
    other = storage_class("other", "ebs.csi.aws.com")
    found = fact(stream(workload(env), storage_class("nfs", SUBDIR), other, storage_class("none", '""')), "provisioner")
    assert found.value == {
        "carrier": {"kind": "Deployment", "name": "p", "label": "Deployment/p"},
        "works_in": "pod",
        "server": EFS_HOST,
        "file_system": "efs",
        "retired": False,
    }
    assert told(found, "") == f"'{EFS_HOST}'"
    assert [ref.name for ref in found.objects] == ["p", "nfs"]
    assert chain(found)[-1] == "class nfs is provisioned by Deployment/p"


def test_pod_on_another_server() -> None:
    env = ", ".join((setting("PROVISIONER_NAME", SUBDIR), setting("NFS_SERVER", "10.0.0.1")))
    found = fact(workload(env), "provisioner")
    assert "file_system" not in found.value
    assert found.value["server"] == "10.0.0.1"


@pytest.mark.parametrize(
    ("name", "image", "retired"),
    [
        ("example.com/aws-efs", "mirror.example/efs:1", True),
        ("files.example/x", "quay.io/external_storage/efs-provisioner:v2.4.0", True),
        ("files.example/x", "mirror.example/efs:1", False),
        ("files.example/x", "", False),
    ],
)
def test_retired_pod(name: str, image: str, retired: bool) -> None:
    env = ", ".join((setting("PROVISIONER_NAME", name), setting("FILE_SYSTEM_ID", "fs-0123456789abcdef0")))
    found = fact(workload(env, image), "provisioner")
    assert found.value["retired"] is retired
    assert found.value["file_system"] == "efs"
    assert "server" not in found.value


def test_two_workloads_of_one_name_are_two_provisioners() -> None:
    env = ", ".join((setting("PROVISIONER_NAME", SUBDIR), setting("NFS_SERVER", EFS_HOST)))
    found = facts({"one/a.yaml": workload(env), "two/a.yaml": workload(env)}, "provisioner")
    assert [each.object and each.chain[0].span.source.path for each in found] == ["one/a.yaml", "two/a.yaml"]


def test_retired_class_without_its_workload() -> None:
    found = fact(storage_class("efs", "external-storage.alpha.kubernetes.io/aws-efs"), "provisioner")
    assert (found.value["works_in"], found.value["retired"], found.value["file_system"]) == ("class", True, "efs")
    assert told(found, "") == "external-storage.alpha.kubernetes.io/aws-efs"


def test_retired_class_with_its_workload_is_told_once() -> None:
    env = ", ".join(
        (setting("PROVISIONER_NAME", "example.com/aws-efs"), setting("FILE_SYSTEM_ID", "fs-0123456789abcdef0"))
    )
    found = fact(stream(workload(env), storage_class("efs", "example.com/aws-efs")), "provisioner")
    assert found.value["works_in"] == "pod"


@pytest.mark.parametrize(("server", "efs"), [(EFS_HOST, True), ("10.0.0.1", False)])
def test_class_of_csi_driver_nfs(server: str, efs: bool) -> None:
    found = fact(storage_class("nas", NFS_CSI, nas(server)), "provisioner")
    assert (found.value["works_in"], found.value["server"]) == ("class", server)
    assert ("file_system" in found.value) is efs
    assert told(found, "") == server


def test_classes_of_others_and_without_a_server() -> None:
    more = (storage_class("a", NFS_CSI), storage_class("b", SUBDIR), storage_class("c", "x.example/unknown"))
    assert facts(stream(*more, storage_class("d", "efs.csi.aws.com")), "provisioner") == []


def pv(more: str = "", driver: str = NFS_CSI) -> str:
    return volume("v", f"{{{more}csi: {{driver: {driver}, volumeAttributes: {{server: {EFS_HOST}, share: /}}}}}}")


@pytest.mark.parametrize(
    ("files", "kinds"),
    [
        (pv(), ["volume"]),
        (pv("storageClassName: absent, "), ["volume"]),
        (pv(driver="other.example"), []),
        # the class tells it already
        (stream(pv("storageClassName: nas, "), storage_class("nas", NFS_CSI, nas(EFS_HOST))), ["class"]),
        (stream(pv("storageClassName: nas, "), storage_class("nas", NFS_CSI)), ["volume"]),
        (stream(pv("storageClassName: nas, "), storage_class("nas", "x.example/unknown")), ["volume"]),
        (stream(pv("storageClassName: nas, "), storage_class("nas", "ebs.csi.aws.com")), ["volume"]),
    ],
)
def test_volumes_of_csi_driver_nfs(files: str, kinds: list[str]) -> None:
    assert [each.value["works_in"] for each in facts(files, "provisioner")] == kinds
