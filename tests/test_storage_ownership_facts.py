"""Facts about owners, about fsGroup, and about volumes that miss the data."""

from __future__ import annotations

import pytest

from efslint.builtin import default_settings
from efslint.kube.manifests import read_manifests
from efslint.storage.fact import Confidence, Fact
from efslint.storage.resolve import resolve
from efslint.text.source import Source


def facts(target: str, text: str) -> list[Fact]:
    manifests = read_manifests(Source("it.yaml", text))
    assert manifests.problems == ()
    return [
        fact for fact in resolve(manifests.resources, default_settings().knowledge()).facts if fact.target == target
    ]


def storage(parameters: str = "", provisioner: str = "efs.csi.aws.com", class_name: str = "shared") -> str:
    mode = "provisioningMode: efs-ap, " if provisioner == "efs.csi.aws.com" else ""
    return (
        "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: files}\n"
        f"spec: {{accessModes: [ReadWriteMany], storageClassName: {class_name}}}\n"
        "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: shared}\n"
        f"provisioner: {provisioner}\nparameters: {{{mode}server: nas.example.internal, share: /v{parameters}}}\n"
    )


CLAIM = "persistentVolumeClaim: {claimName: files}"


def pod(container: str, mounts: str = "{name: v, mountPath: /site}", *, init: bool = True, more: str = "") -> str:
    one = f"[{{name: one, {container}, volumeMounts: [{mounts}]}}]"
    both = (
        f"initContainers: {one}, containers: [{{name: app, image: example.com/app}}]" if init else f"containers: {one}"
    )
    return (
        f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: it}}\n"
        f"spec: {{{both}, volumes: [{{name: v, {CLAIM}}}, {{name: w, emptyDir: {{}}}}]{more}}}\n"
    )


def script(text: str) -> str:
    return f"image: busybox, command: [sh, -c, '{text}']"


def test_a_command_that_changes_an_owner() -> None:
    (fact,) = facts("ownership", pod(script("mkdir -p /site/x; chown -R 33:33 /site")) + storage())
    assert fact.value["by"] == "command"
    assert fact.value["command"] == "chown -R 33:33 /site"
    assert fact.container == "one"
    assert [step.span.text for step in fact.chain][:2] == ["chown", "/site"]


def test_a_program_that_is_put_together_is_shown_at_the_mount() -> None:
    text = pod('image: busybox, command: [sh, -c, "\\x63hown 33 /site"]') + storage()
    (fact,) = facts("ownership", text)
    assert fact.chain[0].span.text == "/site"


@pytest.mark.parametrize(
    ("parameters", "command", "refused"),
    [
        ("", "chown 33 /site", True),
        ("", "chown www-data /site/x", True),
        ("", "chown -R 33 /", True),
        ("", "chown 50001 /site", False),
        (", gidRangeStart: '1000', gidRangeEnd: '2000'", "chown 1500 /site", False),
        (", gidRangeStart: '1000', gidRangeEnd: '2000'", "chown 50001 /site", True),
        (", uid: '33'", "chown 33:44 /site", False),
        (", uid: '33'", "chown 34 /site", True),
        (", uid: '33'", "chown www-data /site", False),
        (", uid: '33'", "chown root /site", True),
        (", uid: x", "chown 34 /site", False),
        (", uid: '0'", "chown 33 /site", False),
        ("", "chown 33 /elsewhere", False),
        ("", "chown 33 /site || true", False),
        ("", "chown :33 /site", False),
    ],
)
def test_which_changes_are_refused(parameters: str, command: str, refused: bool) -> None:
    found = facts("ownership", pod(script(command)) + storage(parameters))
    assert bool(found) is refused


@pytest.mark.parametrize(
    "text",
    [
        pod(script("chown 33 /site"), "{name: v, mountPath: /site, readOnly: true}") + storage(),
        pod(script("chown 33 /site/cache"), "{name: v, mountPath: /site}, {name: w, mountPath: /site/cache}")
        + storage(),
        pod(script("chown 33 /site"), "{name: v, mountPath: site}") + storage(),
        pod(script("chown 33 /site")),
        pod(script("chown 33 /site")) + storage(class_name="efs-other"),
        pod(script("chown 33 /site")) + storage(provisioner="nfs.csi.k8s.io"),
        pod(script("chown 33 /site")) + storage().replace("provisioningMode: efs-ap, ", ""),
    ],
)
def test_where_nothing_is_refused_or_known(text: str) -> None:
    assert facts("ownership", text) == []


MYSQL = "{name: v, mountPath: /var/lib/mysql}"


def test_an_image_that_changes_the_owner_at_start() -> None:
    (fact,) = facts("ownership", pod("image: 'mysql:8'", MYSQL, init=False) + storage())
    assert fact.value["by"] == "image"
    assert fact.value["engine"]["id"] == "mysql"
    assert [step.span.text for step in fact.chain][:2] == ["/var/lib/mysql", "files"]


@pytest.mark.parametrize(
    ("container", "mounts", "more", "parameters"),
    [
        ("image: 'mysql:8', command: [mysqld]", MYSQL, "", ""),
        ("image: 'bitnami/mysql:8'", "{name: v, mountPath: /bitnami/mysql}", "", ""),
        ("image: 'mysql:8'", "{name: v, mountPath: /backup}", "", ""),
        ("image: 'mysql:8', securityContext: {runAsUser: 999}", MYSQL, "", ""),
        ("image: 'mysql:8'", MYSQL, ", securityContext: {runAsUser: 999}", ""),
        ("image: 'mysql:8'", MYSQL, ", securityContext: {runAsNonRoot: true}", ""),
        ("image: 'mysql:8'", MYSQL, "", ", uid: '999'"),
    ],
)
def test_images_that_do_not_start_as_root_or_may_succeed(
    container: str, mounts: str, more: str, parameters: str
) -> None:
    assert facts("ownership", pod(container, mounts, init=False, more=more) + storage(parameters)) == []


GROUP = ", securityContext: {fsGroup: 2000}"


def test_fs_group_on_in_tree_nfs() -> None:
    text = pod("image: example.com/app", init=False, more=GROUP).replace(CLAIM, "nfs: {server: n, path: /a}")
    (fact,) = facts("fs_group", text)
    assert (fact.value["effect"], fact.value["group"], fact.value["volume"]) == ("none", "2000", "v")
    assert "change_policy" not in fact.value
    assert [step.span.text for step in fact.chain][:2] == ["2000", "/site"]


def test_fs_group_on_csi_driver_nfs_is_one_fact_per_volume() -> None:
    policy = ", securityContext: {fsGroup: 2000, fsGroupChangePolicy: OnRootMismatch}"
    text = pod("image: a", "{name: v, mountPath: /a}, {name: v, mountPath: /b}", init=False, more=policy)
    (fact,) = facts("fs_group", text + storage(provisioner="nfs.csi.k8s.io"))
    assert (fact.value["effect"], fact.value["change_policy"]) == ("recursive", "OnRootMismatch")


@pytest.mark.parametrize(
    "text",
    [
        pod("image: a", init=False) + storage(provisioner="nfs.csi.k8s.io"),
        pod("image: a", init=False, more=GROUP) + storage(),
        pod("image: a", init=False, more=GROUP),
        pod("image: a", init=False, more=GROUP) + storage(class_name="efs-other"),
        pod("image: a", "{name: v, mountPath: /a, readOnly: true}", init=False, more=GROUP)
        + storage(provisioner="nfs.csi.k8s.io"),
    ],
)
def test_fs_group_that_does_its_work_or_is_not_known(text: str) -> None:
    assert facts("fs_group", text) == []


def data_pod(image: str, mounts: str, more: str = "") -> str:
    return pod(f"image: '{image}'{more}", mounts, init=False) + storage()


@pytest.mark.parametrize(
    ("image", "mount", "more", "directory"),
    [
        ("postgres:18", "/var/lib/postgresql/data", "", "/var/lib/postgresql/18/docker"),
        ("postgres:16", "/var/lib/postgresql/data", ", env: [{name: PGDATA, value: /pgdata}]", "/pgdata"),
        ("postgres:16", "/var/lib/postgresql/data", ", args: [-D, /pgdata]", "/pgdata"),
        ("mongo:7", "/data/mongo-data", "", "/data/db"),
    ],
)
def test_volumes_that_miss_the_data(image: str, mount: str, more: str, directory: str) -> None:
    (fact,) = facts("beside", data_pod(image, f"{{name: v, mountPath: {mount}}}", more))
    assert fact.value["directory"] == directory
    assert "image_volume" not in fact.value
    assert fact.confidence is Confidence.CERTAIN
    assert fact.chain[0].span.text == mount


@pytest.mark.parametrize(
    ("image", "mount", "declared"),
    [
        ("postgres:16", "/var/lib/postgresql", "/var/lib/postgresql/data"),
        ("mongo:7", "/data", "/data/db"),
    ],
)
def test_volumes_of_images_over_the_mount(image: str, mount: str, declared: str) -> None:
    (fact,) = facts("beside", data_pod(image, f"{{name: v, mountPath: {mount}}}"))
    assert (fact.value["directory"], fact.value["image_volume"]) == (declared, declared)


@pytest.mark.parametrize(
    "text",
    [
        data_pod("postgres:16", "{name: v, mountPath: /var/lib/postgresql/data}"),
        data_pod("postgres:18", "{name: v, mountPath: /var/lib/postgresql}"),
        data_pod("postgres:latest", "{name: v, mountPath: /var/lib/postgresql}"),
        data_pod("bitnami/postgresql:16", "{name: v, mountPath: /bitnami/postgresql}"),
        data_pod(
            "postgres:16",
            "{name: v, mountPath: /var/lib/postgresql}",
            ", env: [{name: PGDATA, value: /var/lib/postgresql/mine}]",
        ),
        data_pod(
            "postgres:16", "{name: v, mountPath: /var/lib/postgresql}, {name: w, mountPath: /var/lib/postgresql/data}"
        ),
        data_pod("postgres:18", "{name: v, mountPath: /var/lib/postgresql/data, readOnly: true}"),
        data_pod("postgres:18", "{name: v, mountPath: /backup}"),
        data_pod("postgres:18", "{name: v, mountPath: var/lib/postgresql/data}"),
        data_pod("postgres:16", "{name: v, mountPath: /docker-entrypoint-initdb.d}"),
        data_pod("postgres:16", "{name: v, mountPath: /wal}", ", args: [postgres, --waldir=/wal]"),
        data_pod("mongo:7", "{name: v, mountPath: /data/extra}"),
        data_pod("grafana/grafana:11", "{name: v, mountPath: /var/lib/grafana-data}"),
        data_pod("example.com/app:1", "{name: v, mountPath: /data}"),
        data_pod("surrealdb/surrealdb:2", "{name: v, mountPath: /data}"),
        pod("image: 'postgres:18'", "{name: v, mountPath: /var/lib/postgresql/data}", init=False)
        + storage(provisioner="ebs.csi.aws.com"),
    ],
)
def test_volumes_that_hold_the_data_or_were_meant_for_something_else(text: str) -> None:
    assert facts("beside", text) == []
