"""Mount options in places where nobody reads them.

Expected values come from the fields of the Kubernetes API and from the sources that ``misplaced_facts`` names.
"""

from __future__ import annotations

import pytest
from storage_support import CLASSES, claim, facts, pod, stateful, storage_class, stream, volume

MARK = "annotations: {volume.beta.kubernetes.io/mount-options: %s}"
NFS = "nfs: {server: 192.0.2.7, path: /}"
EFS_CSI = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d}"
EPHEMERAL = "ephemeral: {volumeClaimTemplate: {spec: {storageClassName: %s, mountOptions: [hard]}}}"


def pv(source: str, options: str = "", metadata: str = "") -> str:
    lines = f"\n  mountOptions: {options}" if options else ""
    return volume("pv", f"{lines}\n  {source}", metadata)


def template(inside: str = "", metadata: str = "", name: str = "efs") -> str:
    return stateful(f"{{metadata: {{name: v{metadata}}}, spec: {{storageClassName: {name}{inside}}}}}")


def places(text: str) -> list[tuple[str, str, str]]:
    return [
        (each.value["place"], each.value["carrier"]["label"], each.value["key"]) for each in facts(text, "misplaced")
    ]


ANNOTATION = "volume.beta.kubernetes.io/mount-options"
CLAIM, PV, CLASS = "PersistentVolumeClaim/a", "PersistentVolume/pv", "StorageClass/a"
VOLUME, TEMPLATE = "volume v of Pod/app", "claim template v of StatefulSet/db"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(claim("a", "{mountOptions: [hard]}"), ("claim", CLAIM, "mountOptions"), id="claim"),
        pytest.param(claim("a", "{mountOptions: hard}"), ("claim", CLAIM, "mountOptions"), id="a text"),
        pytest.param(claim("a", "{mountOptions: {hard: true}}"), ("claim", CLAIM, "mountOptions"), id="a mapping"),
        pytest.param(claim("a", "{}\nmountOptions: [hard]"), ("claim", CLAIM, "mountOptions"), id="beside the spec"),
        pytest.param(claim("a", "{}", MARK % "soft"), ("claim-annotation", CLAIM, ANNOTATION), id="claim's annotation"),
        pytest.param(template(", mountOptions: [hard]"), ("claim", TEMPLATE, "mountOptions"), id="template"),
        pytest.param(
            template("", f", {MARK % 'soft'}"), ("claim-annotation", TEMPLATE, ANNOTATION), id="template's annotation"
        ),
        pytest.param(
            pod(EPHEMERAL % "efs"), ("claim", "ephemeral volume v of Pod/app", "mountOptions"), id="ephemeral"
        ),
        pytest.param(
            pod("nfs: {server: a, mountOptions: hard}"), ("inline-volume", VOLUME, "mountOptions"), id="inline nfs"
        ),
        pytest.param(
            pod("nfs: {server: a}, mountOptions: [hard]"), ("inline-volume", VOLUME, "mountOptions"), id="beside nfs"
        ),
        pytest.param(
            pod("csi: {driver: nfs.csi.k8s.io, mountOptions: [hard]}"),
            ("inline-volume", VOLUME, "mountOptions"),
            id="inline csi",
        ),
        pytest.param(
            pv("nfs: {server: a, path: /, mountOptions: [hard]}"), ("volume-source", PV, "mountOptions"), id="below nfs"
        ),
        pytest.param(
            pv("csi: {driver: efs.csi.aws.com, mountOptions: [hard]}"),
            ("volume-source", PV, "mountOptions"),
            id="below csi",
        ),
        pytest.param(
            pv(NFS) + "\nmountOptions: [hard]", ("volume-source", PV, "mountOptions"), id="beside the spec of a volume"
        ),
        pytest.param(
            pv(EFS_CSI, "", MARK % "soft"), ("csi-annotation", PV, ANNOTATION), id="annotation of a CSI volume"
        ),
        pytest.param(pv(NFS, "[hard]", MARK % "soft"), ("shadowed-list", PV, "mountOptions"), id="shadowed"),
        pytest.param(
            pv(NFS, "[hard]", MARK % "''"), ("shadowed-list", PV, "mountOptions"), id="shadowed by an empty text"
        ),
        pytest.param(
            storage_class("a", "nfs.csi.k8s.io", "parameters: {server: a, mountoptions: hard}"),
            ("parameters", CLASS, "mountoptions"),
            id="csi-driver-nfs",
        ),
        pytest.param(
            storage_class("a", "efs.csi.aws.com", "parameters: {mountOptions: hard}"),
            ("parameters", CLASS, "mountOptions"),
            id="EFS CSI driver",
        ),
        pytest.param(
            storage_class("a", "cluster.local/x-nfs-subdir-external-provisioner", "parameters: {mountOptions: hard}"),
            ("parameters", CLASS, "mountOptions"),
            id="subdir provisioner",
        ),
        pytest.param(
            storage_class("a", "example.com/aws-efs", "parameters: {mountOptions: hard}"),
            ("parameters", CLASS, "mountOptions"),
            id="retired provisioner",
        ),
    ],
)
def test_places(text: str, expected: tuple[str, str, str]) -> None:
    assert places(stream(text, CLASSES["efs"])) == [expected]
    assert facts(text, "option") == [each for each in facts(text, "option") if each.value["text"] == "soft"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(claim("a", "{mountOptions: []}"), id="empty list"),
        pytest.param(claim("a", "{mountOptions: null}"), id="null"),
        pytest.param(claim("a", "{mountOptions: ''}"), id="empty text"),
        pytest.param(claim("a", "[mountOptions]"), id="no mapping"),
        pytest.param(claim("a", "{mountOptions: [hard], storageClassName: disk}"), id="surely no NFS"),
        pytest.param(template(", mountOptions: [hard]", name="disk"), id="template of surely no NFS"),
        pytest.param(pod(EPHEMERAL % "disk"), id="ephemeral of surely no NFS"),
        pytest.param(pod("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {mountOptions: hard}}"), id="attribute"),
        pytest.param(pod("csi: {driver: s3.csi.aws.com, mountOptions: [a]}"), id="inline csi that is not NFS"),
        pytest.param(pod("hostPath: {path: /x}, mountOptions: [hard]"), id="a volume of another kind"),
        pytest.param(pv(NFS, "[hard]"), id="volume"),
        pytest.param(pv(NFS, "", MARK % "hard"), id="annotation that is read"),
        pytest.param(pv(NFS, "[soft, hard]", MARK % "'hard,soft'"), id="both say the same"),
        pytest.param(pv(EFS_CSI, "[hard]"), id="CSI volume"),
        pytest.param(pv("hostPath: {path: /x}", "[hard]", MARK % "soft"), id="volume that is not NFS"),
        pytest.param(pv("csi: {driver: x.example.org}", "", MARK % "soft"), id="unknown driver"),
        pytest.param(storage_class("a", "nfs.csi.k8s.io", "parameters: {server: a, mountOptions: ''}"), id="empty"),
        pytest.param(storage_class("a", "nfs.csi.k8s.io", "parameters: []"), id="no parameters"),
        pytest.param(storage_class("a", "nfs.csi.k8s.io", "parameters: {? [a] : b}"), id="a strange key"),
        pytest.param(storage_class("a", "example.com/nfs", "parameters: {mountOptions: hard}"), id="Ganesha reads it"),
        pytest.param(storage_class("a", "filestore.csi.storage.gke.io", "parameters: {mountOptions: a}"), id="others"),
        pytest.param(storage_class("a", "example.org/x", "parameters: {mountOptions: hard}"), id="unknown"),
        pytest.param("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {mountOptions: [hard]}", id="no pod"),
    ],
)
def test_nothing_is_misplaced(text: str) -> None:
    assert places(stream(text, CLASSES["disk"])) == []


def test_a_claim_of_unknown_storage_has_no_options_either() -> None:
    assert places(claim("a", "{mountOptions: [hard], storageClassName: elsewhere}")) == [
        ("claim", CLAIM, "mountOptions")
    ]


def test_the_fact_tells_what_the_volume_is_and_where_the_key_stands() -> None:
    (found,) = facts(pv(EFS_CSI, "", MARK % "soft"), "misplaced")
    assert (found.value["driver"], found.value["mounter"], found.value["file_system"]) == (
        "efs.csi.aws.com",
        "efs-csi",
        "efs",
    )
    span = found.origins[""].span
    assert span is not None
    assert span.text == ANNOTATION


def test_what_is_read_instead_is_evidence() -> None:
    (found,) = facts(pv(NFS, "[hard]", MARK % "soft"), "misplaced")
    assert "soft" in [step.span.text for step in found.chain]
