"""Facts about NFS servers in pods. Expected values: what each server exports, as named in ``nfs_servers``."""

from __future__ import annotations

import pytest
from storage_support import CLASSES, EFS_HOST, chain, claim, fact, facts, stream, told

EFS = f"nfs: {{server: {EFS_HOST}, path: /}}"
NAS = "nfs: {server: 10.0.0.1, path: /}"
DISK = "persistentVolumeClaim: {claimName: disk}"
GANESHA = "registry.k8s.io/sig-storage/nfs-provisioner:v4.0.8"


def server(mounts: str, volumes: str, more: str = "", image: str = GANESHA, key: str = "containers") -> str:
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: s}\nspec:\n"
        f"  {key}: [{{name: c, image: '{image}', volumeMounts: [{mounts}]{more}}}]\n  volumes: [{volumes}]"
    )


def mount(name: str, path: str) -> str:
    return f"{{name: {name}, mountPath: {path}}}"


def test_server_on_efs() -> None:
    found = fact(server(mount("v", "/export"), f"{{name: v, {EFS}}}"), "export")
    assert (found.value["server"], found.value["directory"]) == ("NFS Ganesha provisioner", "/export")
    assert found.value["storage"]["kind"] == "efs"
    assert found.container == "c"
    assert told(found, "/mount_path") == "/export"
    assert chain(found)[0] == "container c is an NFS server and exports /export, which lies here"


@pytest.mark.parametrize(
    ("mounts", "volumes", "kinds"),
    [
        # the mount is above the export
        (mount("v", "/"), f"{{name: v, {NAS}}}", ["nfs"]),
        # or beside it, or below it
        (mount("v", "/backup"), f"{{name: v, {EFS}}}", []),
        (mount("v", "/export/more"), f"{{name: v, {EFS}}}", []),
        # a mount of something else lies between
        (f"{mount('v', '/')}, {mount('e', '/export')}", f"{{name: v, {EFS}}}, {{name: e, emptyDir: {{}}}}", []),
        (mount("v", "/export"), f"{{name: v, {DISK}}}", []),
        (mount("v", "/export"), "{name: v, persistentVolumeClaim: {claimName: absent}}", []),
    ],
)
def test_where_the_export_lies(mounts: str, volumes: str, kinds: list[str]) -> None:
    files = stream(server(mounts, volumes), claim("disk", "{storageClassName: disk}"), CLASSES["disk"])
    assert [each.value["storage"]["kind"] for each in facts(files, "export")] == kinds


@pytest.mark.parametrize(
    ("more", "image", "key", "count"),
    [
        ("", "nginx:1.27", "containers", 0),
        (", args: [-run-server=false]", GANESHA, "containers", 0),
        (", command: [sh]", GANESHA, "containers", 0),
        ("", GANESHA, "initContainers", 0),
        (", restartPolicy: Always", GANESHA, "initContainers", 1),
        (", env: [{name: SHARED_DIRECTORY, value: /export}]", "itsthenetwork/nfs-server-alpine", "containers", 1),
        (", env: [{name: SHARED_DIRECTORY, value: /other}]", "itsthenetwork/nfs-server-alpine", "containers", 0),
    ],
)
def test_what_makes_a_server(more: str, image: str, key: str, count: int) -> None:
    files = server(mount("v", "/export"), f"{{name: v, {EFS}}}", more, image, key)
    assert len(facts(files, "export")) == count


def test_container_without_an_image() -> None:
    text = server(mount("v", "/export"), f"{{name: v, {EFS}}}").replace(f"image: '{GANESHA}', ", "")
    assert facts(text, "export") == []
