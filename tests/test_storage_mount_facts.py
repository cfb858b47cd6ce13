"""Where mount options are read, for every kind of object that can hold them. What options do has tests of its own."""

from __future__ import annotations

import pytest
from storage_support import (
    CLASSES,
    EFS_HOST,
    chain,
    claim,
    claiming,
    fact,
    facts,
    pod,
    stateful,
    storage_class,
    stream,
    told,
    volume,
)

from efslint.storage.fact import Fact, OriginKind

NFS_SOURCE = "nfs: {server: 192.0.2.7, path: /}"
ANNOTATED = "annotations: {volume.beta.kubernetes.io/mount-options: %s}"
CSI_NFS = "csi: {driver: nfs.csi.k8s.io, volumeHandle: h, volumeAttributes: {server: 192.0.2.7, share: /%s}}"
EFS_CSI = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d}"


def written(found: Fact) -> list[str]:
    return [each["text"] for each in found.value["listed"]]


def pv(source: str, options: str = "", metadata: str = "", more: str = "") -> str:
    lines = f"\n  mountOptions: {options}" if options else ""
    return volume("pv", f"{lines}\n  {source}{more}", metadata)


# --- where options are read -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            storage_class("a", "efs.csi.aws.com", "mountOptions: [hard, timeo=30]"), ["hard", "timeo=30"], id="class"
        ),
        pytest.param(
            storage_class("a", "efs.csi.aws.com", "mountOptions: [hard]", ANNOTATED % "soft"),
            ["hard"],
            id="class: annotation",
        ),
        pytest.param(
            storage_class("a", "nfs.csi.k8s.io", "parameters: {mountOptions: soft}"), [], id="class: not in parameters"
        ),
        pytest.param(pv(NFS_SOURCE, "[hard]"), ["hard"], id="in-tree volume"),
        pytest.param(
            pv(NFS_SOURCE, "[hard]", ANNOTATED % "'soft,timeo=30'"), ["soft", "timeo=30"], id="annotation replaces"
        ),
        pytest.param(pv(NFS_SOURCE, "", ANNOTATED % "soft"), ["soft"], id="annotation alone"),
        pytest.param(pv(NFS_SOURCE, "[hard]", ANNOTATED % "''"), [], id="an empty annotation replaces too"),
        pytest.param(pv(EFS_CSI, "[hard]", ANNOTATED % "soft"), ["hard"], id="CSI ignores the annotation"),
        pytest.param(pv(CSI_NFS % "", "[hard]", ANNOTATED % "soft"), ["hard"], id="csi-driver-nfs too"),
        pytest.param(
            pv(CSI_NFS % ", mountOptions: 'soft,timeo=30'", "[hard]"), ["hard", "soft", "timeo=30"], id="attribute last"
        ),
        pytest.param(pv(CSI_NFS % ", MountOptions: soft", "[hard]"), ["hard", "soft"], id="attribute in any case"),
        pytest.param(
            pv(
                "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d, volumeAttributes: {mountOptions: soft}}",
                "[hard]",
            ),
            ["hard"],
            id="no attribute of the EFS driver",
        ),
        pytest.param(pv(NFS_SOURCE, "null"), [], id="null"),
        pytest.param(pv("nfs: {server: 192.0.2.7, path: /, mountOptions: [soft]}"), [], id="not below the source"),
        pytest.param(pod("nfs: {server: 192.0.2.7, mountOptions: 'soft'}"), [], id="no place in a pod's nfs volume"),
        pytest.param(
            pod("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: a, mountOptions: 'nfsvers=3,nolock'}}"),
            ["nfsvers=3", "nolock"],
            id="inline csi",
        ),
        pytest.param(
            pod("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: a, MOUNTOPTIONS: soft}}"),
            ["soft"],
            id="any case",
        ),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: a}}"), [], id="inline csi without"),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io}"), [], id="inline csi without attributes"),
    ],
)
def test_where_options_are_read(text: str, expected: list[str]) -> None:
    found = fact(text, "mount")
    assert written(found) == expected
    assert found.value["explicit"] == len(expected)
    for at, option in enumerate(expected):
        assert told(found, f"/listed/{at}") == option


@pytest.mark.parametrize(
    "text",
    [
        CLASSES["disk"],
        storage_class("a", "example.org/x", "mountOptions: [soft]"),
        storage_class("a", "file.csi.azure.com", "mountOptions: [nobrl, soft]"),
        pv("hostPath: {path: /x}", "[soft]"),
        pv("csi: {driver: smb.csi.k8s.io}", "[soft, vers=3.0]"),
        pv("csi: {driver: x.example.org}", "[soft]"),
        pod("csi: {driver: efs.csi.aws.com, volumeAttributes: {mountOptions: soft}}"),
        pod("csi: {driver: x.example.org, volumeAttributes: {mountOptions: soft}}"),
        pod("emptyDir: {}"),
    ],
)
def test_what_is_not_mounted_over_nfs_or_not_at_all(text: str) -> None:
    assert facts(text, "mount") == []


@pytest.mark.parametrize(
    ("text", "carrier", "mounter", "file_system", "server"),
    [
        (CLASSES["efs"], "StorageClass/efs", "efs-csi", "efs", None),
        (
            storage_class("a", "efs.csi.aws.com", "parameters: {provisioningMode: s3files-ap}"),
            "StorageClass/a",
            "efs-csi",
            "s3files",
            None,
        ),
        (storage_class("a", "nfs.csi.k8s.io"), "StorageClass/a", "csi-driver-nfs", None, None),
        (
            storage_class("a", "nfs.csi.k8s.io", f"parameters: {{server: {EFS_HOST}}}"),
            "StorageClass/a",
            "csi-driver-nfs",
            "efs",
            EFS_HOST,
        ),
        (pv(NFS_SOURCE), "PersistentVolume/pv", "in-tree-nfs", None, "192.0.2.7"),
        (pv(f"nfs: {{server: {EFS_HOST}}}"), "PersistentVolume/pv", "in-tree-nfs", "efs", EFS_HOST),
        (pv("csi: {driver: fsx.openzfs.csi.aws.com}"), "PersistentVolume/pv", "other-csi-nfs", None, None),
        (pod("nfs: {server: 192.0.2.7}"), "volume v of Pod/app", "inline-nfs", None, "192.0.2.7"),
        (pod("nfs: {path: /}"), "volume v of Pod/app", "inline-nfs", None, None),
        (pod("csi: {driver: nfs.csi.k8s.io}"), "volume v of Pod/app", "csi-driver-nfs", None, None),
    ],
)
def test_the_carrier(text: str, carrier: str, mounter: str, file_system: str | None, server: str | None) -> None:
    value = fact(text, "mount").value
    assert value["carrier"]["label"] == carrier
    assert value["mounter"] == mounter
    assert value.get("file_system") == file_system
    assert value.get("server") == server


# --- places -----------------------------------------------------------------------------------------------------------


def test_an_option_in_force_points_at_where_it_is_written() -> None:
    found = fact(pv(NFS_SOURCE, "[hard, 'timeo=600,retrans=3', noresvport]"), "mount")
    assert told(found, "/options/timeo") == "timeo=600"
    assert told(found, "/options/retrans") == "retrans=3"
    assert told(found, "/options/mode") == "hard"
    assert told(found, "/options/resvport") == "noresvport"
    assert found.value["written"]["timeo"] is True
    assert found.value["in_force"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param(pv(NFS_SOURCE, "[hard]"), "mountOptions", id="the list"),
        pytest.param(pv(NFS_SOURCE), "pv", id="the name"),
        pytest.param(pv(NFS_SOURCE, "[hard]", ANNOTATED % "soft"), "soft", id="the annotation"),
        pytest.param(storage_class("a", "efs.csi.aws.com"), "a", id="the name of a class"),
        pytest.param(storage_class("a", "efs.csi.aws.com", "mountOptions:"), "mountOptions", id="an empty list"),
        pytest.param(pod("nfs: {server: 192.0.2.7}"), "192.0.2.7", id="the server"),
        pytest.param(pod("nfs: {path: /x}"), "{path: /x}", id="the volume"),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io}"), "nfs.csi.k8s.io", id="the driver"),
        pytest.param(
            pod("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {mountOptions: hard}}"), "hard", id="the attribute"
        ),
    ],
)
def test_what_is_missing_is_missing_at(text: str, place: str) -> None:
    found = fact(text, "mount")
    assert told(found, "") == place
    assert told(found, "/options") == place
    assert told(found, "/options/timeo") == place, "a default has no place of its own"
    assert found.origins["/options/timeo"].kind in (OriginKind.KERNEL, OriginKind.DRIVER)


def test_a_name_that_is_missing_is_missing_at_the_first_key() -> None:
    found = fact("apiVersion: v1\nkind: PersistentVolume\nspec: {nfs: {server: a}}", "mount")
    assert told(found, "") == "apiVersion"


# --- users ------------------------------------------------------------------------------------------------------------

DATABASE = "postgres:16"
STATIC = "{volumeName: pv, storageClassName: ''}"


def test_users_and_their_database_are_told() -> None:
    found = fact(
        stream(
            pv(NFS_SOURCE),
            claim("data", STATIC),
            claiming(),
            pod("persistentVolumeClaim: {claimName: data}", "pg", image=DATABASE),
        ),
        "mount",
    )
    assert found.value["database"]["id"] == "postgresql"
    assert found.value["database_user"] == "Pod/pg"
    assert found.value["read_only"] is False
    assert [each.label for each in found.objects] == ["PersistentVolume/pv", "Pod/app", "Pod/pg"]
    assert chain(found)[0] == "volume pv is an NFS mount of 192.0.2.7"
    assert sum("container c" in message for message in chain(found)) == 2
    assert sum("claim data is bound to volume pv" in message for message in chain(found)) == 1, (
        "a shared hop is told once"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(stream(stateful(), CLASSES["efs"]), id="class"),
        pytest.param(pod("nfs: {server: 192.0.2.7}", image=DATABASE), id="inline nfs"),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io}", image=DATABASE), id="inline csi"),
    ],
)
def test_the_database_of_every_kind_of_carrier(text: str) -> None:
    found = fact(text, "mount")
    assert found.value["database"]["id"] == "postgresql"
    assert len(found.objects) == (2 if found.value["carrier"]["kind"] == "StorageClass" else 1)


def test_the_users_of_one_inline_volume_are_not_those_of_another() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n"
        f"  containers: [{{name: c, image: '{DATABASE}',"
        " volumeMounts: [{name: v, mountPath: /var/lib/postgresql/data}]}]\n"
        "  volumes: [{name: v, nfs: {server: a}}, {name: w, nfs: {server: b}}]\n"
    )
    assert ["database" in each.value for each in facts(text, "mount")] == [True, False]


@pytest.mark.parametrize(
    ("image", "mount"), [("nginx:1.27", ""), (DATABASE, ", readOnly: true"), ("grafana/grafana:12.3.0", "")]
)
def test_no_database_where_none_writes(image: str, mount: str) -> None:
    text = pod(NFS_SOURCE, image=image, mount=mount)
    if "grafana" in image:
        text = text.replace("/var/lib/postgresql/data", "/var/lib/grafana")
        assert fact(text, "use").value["engine"]["category"] == "embedded"
    assert "database" not in fact(text, "mount").value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(pv(NFS_SOURCE), None, id="no users"),
        pytest.param(pv("nfs: {server: a, readOnly: true}"), True, id="in-tree volume"),
        pytest.param(pv("nfs: {server: a, readOnly: 'true'}"), None, id="not a boolean"),
        pytest.param(pv("csi: {driver: nfs.csi.k8s.io, readOnly: true}"), True, id="CSI volume"),
        pytest.param(pv("csi: {driver: nfs.csi.k8s.io, readOnly: true}", more="\n  nfs: null"), True, id="null source"),
        pytest.param(pod("nfs: {server: a, readOnly: true}"), True, id="inline nfs"),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io, readOnly: true}"), True, id="inline csi"),
        pytest.param(pod("nfs: {server: a}", mount=", readOnly: true"), True, id="all users"),
        pytest.param(pod("nfs: {server: a}"), False, id="a user that writes"),
        pytest.param(
            stream(
                pv(NFS_SOURCE),
                claim("data", STATIC),
                claiming(),
                pod("persistentVolumeClaim: {claimName: data, readOnly: true}"),
            ),
            False,
            id="one of two writes",
        ),
    ],
)
def test_read_only(text: str, expected: bool | None) -> None:
    assert fact(text, "mount").value.get("read_only") is expected


def test_a_volume_is_certain_and_told_once_without_users() -> None:
    found = fact(pv(f"nfs: {{server: {EFS_HOST}}}"), "mount")
    assert found.confidence == "certain"
    assert [each.label for each in found.objects] == ["PersistentVolume/pv"]
    assert chain(found) == [f"volume pv is an NFS mount of {EFS_HOST}, an EFS file system"]


def test_a_timeout_that_is_no_number_has_no_seconds() -> None:
    assert fact(pv(NFS_SOURCE, "[timeo=30]"), "mount").value["timeo_seconds"] == 3
    assert "timeo_seconds" not in fact(pv(NFS_SOURCE, "[timeo=a]"), "mount").value


def test_a_part_without_a_place_of_its_own_is_where_the_part_above_it_is() -> None:
    found = fact(pv(NFS_SOURCE, "[hard]"), "mount")
    assert told(found, "/options/mode") == "hard"
    assert told(found, "/carrier/name") == "mountOptions"
    bare = replace_origins(found)
    assert bare.origin("/options/mode") is None


def replace_origins(found: Fact) -> Fact:
    return Fact(found.target, found.value, {}, found.chain, found.object)


@pytest.mark.parametrize(("value", "tls"), [("", True), ("'true'", True), ("'false'", False), ("'F'", False)])
def test_encryption_in_transit_is_where_it_is_written(value: str, tls: bool) -> None:
    attributes = f", volumeAttributes: {{encryptInTransit: {value}}}" if value else ""
    found = fact(pv(f"csi: {{driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d{attributes}}}"), "mount")
    assert found.value["tls"] is tls
    assert told(found, "/tls") == (value or "pv")


def test_beside_what_is_no_option_defaults_are_not_known() -> None:
    """The API server takes no such object, so nothing is in force yet; what is written is meant all the same."""
    found = fact(pv(NFS_SOURCE, "[soft, 3]"), "mount")
    assert found.value["options"] == {"mode": "soft"}
    assert (found.value["explicit"], found.value["in_force"]) == (2, "")
