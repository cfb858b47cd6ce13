"""Provisioners that run as pods of the input: what they are called and which server they hand out."""

from __future__ import annotations

import pytest
from storage_support import EFS_HOST, Files, answer, chain, claim, claiming, fact, storage_class, stream

NAME = "{name: PROVISIONER_NAME, value: example.org/shared}"
NAS, FS = "{name: NFS_SERVER, value: 192.0.2.7}", f"{{name: NFS_SERVER, value: {EFS_HOST}}}"
USER = stream(claiming(), claim("data", "{storageClassName: shared}"), storage_class("shared", "example.org/shared"))

UNKNOWN = "unresolved unknown-provisioner provisioner example.org/shared"
ON_NFS, ON_EFS = "nfs in-tree-nfs dynamic", "efs in-tree-nfs dynamic"


def deployment(*env: str, volumes: str = "[]", name: str = "prov", metadata: str = "") -> str:
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}{metadata}}}\nspec:\n  template:\n    spec:\n"
        f"      containers:\n        - name: p\n          env: [{', '.join(env)}]\n      volumes: {volumes}\n"
    )


def config_map(data: str, metadata: str = "") -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m{metadata}}}\ndata: {data}"


def by_key(name: str, key: str) -> str:
    return f"{{name: {name}, valueFrom: {{configMapKeyRef: {{name: m, key: {key}}}}}}}"


SECRET = "valueFrom: {secretKeyRef: {name: s, key: k}}"
DATA = f"{{provisioner.name: example.org/shared, file.system.id: fs-0a1b2c3d, server: {EFS_HOST}}}"


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        pytest.param([], UNKNOWN, id="none"),
        # the server
        pytest.param([deployment(NAME, NAS)], ON_NFS, id="server"),
        pytest.param([deployment(NAME, FS)], ON_EFS, id="EFS server"),
        pytest.param([deployment(NAME, f"{{name: DNS_NAME, value: {EFS_HOST}}}")], ON_EFS, id="DNS name"),
        pytest.param([deployment(NAME, f"{{name: NFS_SERVER, {SECRET}}}")], ON_NFS, id="server in a Secret"),
        pytest.param([deployment(NAME, "{name: NFS_SERVER, value: ''}")], ON_NFS, id="server to be filled in"),
        pytest.param(
            [deployment(NAME, volumes=f"[{{name: r, nfs: {{server: {EFS_HOST}}}}}]")], ON_EFS, id="server of its volume"
        ),
        pytest.param(
            [deployment(NAME, FS, volumes="[{name: r, nfs: {server: 192.0.2.7}}]")], ON_EFS, id="setting before volume"
        ),
        pytest.param(
            [deployment(NAME, NAS, volumes=f"[{{name: r, nfs: {{server: {EFS_HOST}}}}}]")], ON_EFS, id="EFS volume"
        ),
        pytest.param(
            [
                deployment(
                    NAME, volumes="[{name: q, emptyDir: {}}, {name: s, nfs: {server: ''}}, {name: r, nfs: {server: a}}]"
                )
            ],
            ON_NFS,
            id="the first volume with a server",
        ),
        # the file system proves EFS
        pytest.param([deployment(NAME, "{name: FILE_SYSTEM_ID, value: fs-0a1b2c3d}")], ON_EFS, id="file system"),
        pytest.param([deployment(NAME, by_key("FILE_SYSTEM_ID", "gone"))], ON_EFS, id="file system elsewhere"),
        pytest.param(
            [deployment(NAME, "{name: FILE_SYSTEM_ID, value: ''}", NAS)], ON_EFS, id="only EFS' has the variable"
        ),
        # the name
        pytest.param([deployment("{name: PROVISIONER_NAME, value: other}", NAS)], UNKNOWN, id="other name"),
        pytest.param([deployment("{name: PROVISIONER_NAME, value: ''}", NAS)], UNKNOWN, id="empty name"),
        pytest.param([deployment(f"{{name: PROVISIONER_NAME, {SECRET}}}", NAS)], UNKNOWN, id="name in a Secret"),
        pytest.param([deployment(NAS)], UNKNOWN, id="no name"),
        pytest.param([deployment("null", "{value: x}", "[]", NAME, NAS)], ON_NFS, id="entries that are none"),
        # a pod that makes volumes of another kind under the same variable
        pytest.param([deployment(NAME)], UNKNOWN, id="nothing says NFS"),
        pytest.param([deployment(NAME, volumes="[{name: r, hostPath: {path: /x}}]")], UNKNOWN, id="local volumes"),
        # ConfigMap
        pytest.param(
            [
                deployment(by_key("PROVISIONER_NAME", "provisioner.name"), by_key("FILE_SYSTEM_ID", "file.system.id")),
                config_map(DATA),
            ],
            ON_EFS,
            id="ConfigMap",
        ),
        pytest.param(
            [deployment(NAME, by_key("NFS_SERVER", "server")), config_map(DATA)], ON_EFS, id="server in ConfigMap"
        ),
        pytest.param(
            [deployment(by_key("PROVISIONER_NAME", "gone"), NAS), config_map(DATA)], UNKNOWN, id="no such key"
        ),
        pytest.param([deployment(by_key("PROVISIONER_NAME", "provisioner.name"), NAS)], UNKNOWN, id="no ConfigMap"),
        pytest.param(
            [
                deployment(by_key("PROVISIONER_NAME", "provisioner.name"), NAS, metadata=", namespace: a"),
                config_map(DATA, ", namespace: b"),
            ],
            UNKNOWN,
            id="ConfigMap of another namespace",
        ),
        pytest.param(
            [deployment("{name: PROVISIONER_NAME, valueFrom: {configMapKeyRef: [m]}}", NAS), config_map(DATA)],
            UNKNOWN,
            id="no reference",
        ),
        # several
        pytest.param([deployment(NAME, NAS), deployment(NAME, NAS, name="q")], ON_NFS, id="two that agree"),
        pytest.param(
            [deployment(NAME, NAS), deployment(NAME, "{name: NFS_SERVER, value: 192.0.2.8}", name="q")],
            ON_NFS,
            id="two of other servers",
        ),
        pytest.param(
            [deployment(NAME, NAS), deployment(NAME, FS, name="q")],
            "unresolved ambiguous provisioner example.org/shared",
            id="two that differ",
        ),
    ],
)
def test_provisioners(documents: list[str], expected: str) -> None:
    assert answer(USER + stream(*documents)) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"x/a.yaml": USER, "x/b.yaml": deployment(NAME, FS), "y/b.yaml": deployment(NAME, NAS)}, ON_EFS),
        (
            {"x/a.yaml": USER, "y/b.yaml": deployment(NAME, FS), "z/b.yaml": deployment(NAME, NAS)},
            "unresolved ambiguous provisioner example.org/shared",
        ),
    ],
)
def test_of_provisioners_of_one_name_the_nearest_to_the_class_counts(files: Files, expected: str) -> None:
    assert answer(files) == expected


def test_a_pod_in_the_input_tells_more_than_the_name() -> None:
    """The name says NFS, the server that it is EFS."""
    name = "k8s-sigs.io/nfs-subdir-external-provisioner"
    text = stream(claiming(), claim("data", "{storageClassName: s}"), storage_class("s", name))
    assert answer(text) == ON_NFS
    more = deployment(f"{{name: PROVISIONER_NAME, value: {name}}}", FS)
    assert answer(text + stream(more)) == ON_EFS


@pytest.mark.parametrize(
    ("env", "words", "place", "server"),
    [
        ([NAME, FS], f"Deployment/prov hands out the NFS server {EFS_HOST}", EFS_HOST, EFS_HOST),
        (
            [NAME, "{name: FILE_SYSTEM_ID, value: fs-0a1b2c3d}"],
            "Deployment/prov hands out the EFS file system fs-0a1b2c3d",
            "fs-0a1b2c3d",
            None,
        ),
        (
            [NAME, f"{{name: NFS_SERVER, {SECRET}}}"],
            "Deployment/prov provisions under this name",
            "example.org/shared",
            None,
        ),
        (
            [NAME, "{name: FILE_SYSTEM_ID, value: ''}"],
            "Deployment/prov provisions under this name",
            "example.org/shared",
            None,
        ),
    ],
)
def test_the_setting_that_tells_is_the_evidence(env: list[str], words: str, place: str, server: str | None) -> None:
    found = fact(USER + stream(deployment(*env)), "use")
    assert chain(found)[-2:] == ["class shared is provisioned by example.org/shared", words]
    assert found.chain[-1].span.text == place
    assert found.value["storage"].get("server") == server
    assert "which Deployment/prov runs" in found.value["storage"]["how"]


def test_which_of_several_servers_it_is_is_not_said() -> None:
    other = deployment(NAME, "{name: NFS_SERVER, value: 192.0.2.8}", name="q")
    found = fact(USER + stream(deployment(NAME, NAS), other), "use")
    assert "server" not in found.value["storage"]
