"""Data directories that two pods can have open: within a workload, and between two."""

from __future__ import annotations

from typing import Any

import pytest

from efslint.builtin import default_settings
from efslint.kube.manifests import read_manifests
from efslint.kube.resources import Resource
from efslint.storage.fact import Confidence, Fact
from efslint.storage.place import Place, place_of
from efslint.storage.resolve import resolve
from efslint.text.source import Source
from efslint.yaml.node import child


def read(texts: dict[str, str]) -> list[Resource]:
    manifests = [read_manifests(Source(path, text)) for path, text in texts.items()]
    assert not any(each.problems for each in manifests)
    return [resource for each in manifests for resource in each.resources]


def facts(*texts: str) -> list[Fact]:
    """Return the sharing facts of manifests, each text a file of its own."""
    found = read({f"{number}.yaml": text for number, text in enumerate(texts)})
    return [fact for fact in resolve(found, default_settings().knowledge()).facts if fact.target == "sharing"]


def causes(*texts: str) -> list[str]:
    return [fact.value["cause"] for fact in facts(*texts)]


CLASS = """---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: shared}
provisioner: efs.csi.aws.com
parameters: {provisioningMode: efs-ap, fileSystemId: fs-0123456789abcdef0, directoryPerms: "700"}
"""
NFS = "nfs: {server: nas.example.internal, path: /db}"
CLAIMED = "persistentVolumeClaim: {claimName: db}"


def claim(name: str = "db", class_name: str = "shared", modes: str = "ReadWriteMany", more: str = "") -> str:
    return (
        f"---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}}}\n"
        f"spec: {{accessModes: [{modes}], storageClassName: '{class_name}'{more}}}\n"
    )


def volume(name: str, source: str, more: str = "") -> str:
    return (
        f"---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {name}}}\n"
        f"spec: {{accessModes: [ReadWriteMany], {source}{more}}}\n"
    )


def workload(
    name: str = "db",
    kind: str = "Deployment",
    *,
    spec: str = "",
    source: str = NFS,
    image: str = "mongo:7.0",
    mount: str = "mountPath: /data/db",
    container: str = "",
    metadata: str = "",
) -> str:
    api_version = {"Job": "batch/v1", "CronJob": "batch/v1", "Pod": "v1"}.get(kind, "apps/v1")
    pod = (
        f"{{containers: [{{name: c, image: '{image}', volumeMounts: [{{name: v, {mount}}}], {container}}}], "
        f"volumes: [{{name: v, {source}}}]}}"
    )
    inner = pod if kind == "Pod" else f"{{{spec}{', ' if spec else ''}template: {{spec: {pod}}}}}"
    return f"---\napiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}{metadata}}}\nspec: {inner}\n"


RECREATE = "strategy: {type: Recreate}"


def test_the_pods_of_one_workload() -> None:
    (fact,) = facts(workload(spec="replicas: 2", source=CLAIMED) + claim() + CLASS)
    assert fact.value["cause"] == "replicas"
    assert fact.value["pods"] == 2
    assert fact.object is not None
    assert fact.object.label == "Deployment/db"
    assert fact.confidence is Confidence.CERTAIN
    assert [step.span.text for step in fact.chain][:3] == ["2", "/data/db", "db"]


def test_an_assumed_class_is_said_to_be_assumed() -> None:
    (fact,) = facts(workload(source=CLAIMED) + claim(class_name="efs-sc"))
    assert (fact.value["cause"], fact.confidence) == ("rolling-update", Confidence.ASSUMED)
    assert "pods" not in fact.value


@pytest.mark.parametrize(
    "text",
    [
        workload(spec=RECREATE),
        workload(spec="replicas: 0"),
        workload(kind="Pod"),
        workload(metadata=", ownerReferences: [{kind: Fleet, name: f}]"),
        workload(mount="mountPath: /data/db, readOnly: true"),
        workload(mount="mountPath: /backup"),
        workload(image="grafana/grafana:11", mount="mountPath: /var/lib/grafana"),
        workload(image="rabbitmq:4", mount="mountPath: /var/lib/rabbitmq"),
        workload(source="emptyDir: {}"),
        workload(source=CLAIMED),
        workload(source=CLAIMED) + claim(modes="ReadWriteOncePod") + CLASS,
        workload(source="ephemeral: {volumeClaimTemplate: {spec: {storageClassName: shared}}}") + CLASS,
        workload(
            mount="mountPath: /data/db, subPathExpr: $(POD)",
            container="env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]",
        ),
        workload(container="command: [sh, -c, 'exec mongod --dbpath /data/db/$HOSTNAME']"),
        workload(container="args: [mongod, --dbpath, /data/db/$(WHO)]"),
        workload(
            image="postgres:16",
            mount="mountPath: /var/lib/postgresql/data",
            container="env: [{name: PGDATA, valueFrom: {configMapKeyRef: {name: a, key: b}}}]",
        ),
        workload("wal", image="postgres:16", mount="mountPath: /wal", container="args: [postgres, --waldir=/wal]"),
    ],
)
def test_one_pod_or_nothing_that_is_known(text: str) -> None:
    assert causes(text) == []


def test_a_constant_sub_path_expression_is_one_directory() -> None:
    container = "env: [{name: PART, value: a}], args: [mongod, --dbpath, /data/db]"
    assert causes(workload(mount="mountPath: /data/db, subPathExpr: x/$(PART)", container=container)) == [
        "rolling-update"
    ]


def test_claim_templates_give_every_pod_its_own() -> None:
    templates = "volumeClaimTemplates: [{metadata: {name: v}, spec: {storageClassName: shared}}]"
    text = workload(kind="StatefulSet", spec=f"replicas: 3, {templates}", source="emptyDir: {}") + CLASS
    assert causes(text) == []


def test_a_pod_template_object_runs_nothing() -> None:
    pod = "{metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: 'mongo:7.0', volumeMounts: "
    pod += f"[{{name: v, mountPath: /data/db}}]}}], volumes: [{{name: v, {NFS}}}]}}}}"
    template = f"---\napiVersion: v1\nkind: PodTemplate\nmetadata: {{name: one}}\ntemplate: {pod}\n"
    assert causes(template + template.replace("one", "two")) == []
    pods = workload("one", kind="Pod") + workload("two", kind="Pod")
    assert causes(pods) == ["other-workload"], "the same pod, not as a template"


PODS = {"source": CLAIMED, "spec": RECREATE}


def test_two_workloads_on_one_claim() -> None:
    (fact,) = facts(workload("a", **PODS) + workload("b", **PODS) + claim() + CLASS)
    assert fact.value["cause"] == "other-workload"
    assert fact.value["other"] == "Deployment/a"
    assert [ref.label for ref in fact.objects] == ["Deployment/b", "Deployment/a"]
    origin = fact.origin("/cause")
    assert origin is not None
    assert origin.span is not None
    assert origin.span.text == "db"


def test_three_workloads_are_two_findings() -> None:
    text = "".join(workload(name, **PODS) for name in "abc")
    assert [fact.value["other"] for fact in facts(text + claim() + CLASS)] == ["Deployment/a", "Deployment/a"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NFS, "nfs: {server: NAS.example.internal., path: /db/}"),
        (
            "nfs: {server: fs-0123456789abcdef0.efs.us-east-1.amazonaws.com, path: /db}",
            "nfs: {server: us-east-1a.fs-0123456789abcdef0.efs.us-east-1.amazonaws.com, path: /db}",
        ),
    ],
)
def test_two_inline_volumes_of_one_place(one: str, other: str) -> None:
    assert causes(workload("a", spec=RECREATE, source=one) + workload("b", spec=RECREATE, source=other)) == [
        "other-workload"
    ]


def test_a_sub_path_and_a_longer_path_are_one_place() -> None:
    one = workload("a", kind="Pod", mount="mountPath: /data/db, subPath: x")
    other = workload("b", kind="Pod", source="nfs: {server: nas.example.internal, path: /db/x}")
    assert causes(one + other) == ["other-workload"]


def test_the_directory_below_the_mount_counts() -> None:
    one = workload("a", kind="Pod", mount="mountPath: /data")
    other = workload("b", kind="Pod", mount="mountPath: /data/db, subPath: db")
    third = workload("c", kind="Pod", mount="mountPath: /data/db/part, subPath: db")
    assert causes(one + other + third) == ["other-workload", "other-workload"]


@pytest.mark.parametrize(
    "other",
    [
        workload("b", spec=RECREATE, source="nfs: {server: nas.example.internal, path: /other}"),
        workload("b", spec=RECREATE, mount="mountPath: /data/db, subPath: b"),
        workload("b", spec=RECREATE, image="mysql:8", mount="mountPath: /var/lib/mysql"),
        workload("a", spec=RECREATE),
        workload("a", spec=RECREATE, metadata=", namespace: prod"),
        workload("a", kind="StatefulSet"),
        workload("b", kind="Job", container="args: [mongod]"),
    ],
)
def test_two_workloads_that_do_not_meet(other: str) -> None:
    assert causes(workload("a", spec=RECREATE), other) == []


def test_one_name_in_two_namespaces_is_two_workloads() -> None:
    one = workload("a", spec=RECREATE, metadata=", namespace: prod")
    other = workload("a", spec=RECREATE, metadata=", namespace: test")
    assert causes(one, other) == ["other-workload"]


def test_two_kinds_of_one_name_in_one_file_are_two_workloads() -> None:
    assert causes(workload("a", spec=RECREATE) + workload("a", kind="StatefulSet")) == ["other-workload"]


HANDLE = "csi: {driver: efs.csi.aws.com, volumeHandle: 'fs-0123456789abcdef0:/pg'}"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            volume("one", HANDLE, ", claimRef: {name: one}") + claim("one", ""),
            volume("two", HANDLE, ", claimRef: {name: two}") + claim("two", ""),
            ["other-workload"],
        ),
        (
            volume("one", HANDLE) + claim("one", "", more=", volumeName: one"),
            volume("two", HANDLE) + claim("two", "", more=", volumeName: two"),
            ["other-workload"],
        ),
        # Which of the free volumes a claim gets is up to the control plane.
        (volume("one", HANDLE) + claim("one", ""), volume("two", HANDLE) + claim("two", ""), []),
        (claim("one") + CLASS, claim("two"), []),
        (claim("one", "efs-a"), claim("two", "efs-a"), []),
    ],
)
def test_two_claims(one: str, other: str, expected: list[str]) -> None:
    pods = "".join(
        workload(name, spec=RECREATE, source=f"persistentVolumeClaim: {{claimName: {name}}}") for name in ("one", "two")
    )
    assert causes(pods + one + other) == expected


def test_claim_templates_whose_volumes_are_one_directory() -> None:
    templates = "volumeClaimTemplates: [{metadata: {name: v}, spec: {storageClassName: ''}}]"
    sets = "".join(
        workload(name, kind="StatefulSet", spec=templates, source="emptyDir: {}")
        + volume(name, HANDLE, f", claimRef: {{name: v-{name}-0}}")
        for name in ("one", "two")
    )
    assert causes(sets) == ["other-workload"]


def test_a_claim_for_one_pod_is_not_shared_by_two_workloads() -> None:
    text = workload("a", **PODS) + workload("b", **PODS) + claim(modes="ReadWriteOncePod") + CLASS
    assert causes(text) == []


FILE_SYSTEM = "fs-0123456789abcdef0"
POINT = "fsap-0123456789abcdef0"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("nfs: {server: NAS.x., path: //a/./b/}", Place("nas.x", "/a/b")),
        ("nfs: {server: n, path: relative}", None),
        ("nfs: {path: /a}", None),
        ("nfs: {server: '${NAS}', path: /a}", None),
        ("nfs: {server: '${FS}.efs.us-east-1.amazonaws.com', path: /a}", None),
        (f"csi: {{driver: efs.csi.aws.com, volumeHandle: {FILE_SYSTEM}}}", Place(FILE_SYSTEM, "/")),
        (f"csi: {{driver: efs.csi.aws.com, volumeHandle: 'efs:{FILE_SYSTEM}:a/'}}", Place(FILE_SYSTEM, "/a")),
        (
            f"csi: {{driver: efs.csi.aws.com, volumeHandle: '{FILE_SYSTEM}::{POINT}'}}",
            Place(f"{FILE_SYSTEM} {POINT}", "/"),
        ),
        (
            f"csi: {{driver: efs.csi.aws.com, volumeHandle: {FILE_SYSTEM}}}, mountOptions: ['tls,accesspoint={POINT}']",
            Place(f"{FILE_SYSTEM} {POINT}", "/"),
        ),
        (f"csi: {{driver: efs.csi.aws.com, volumeHandle: {FILE_SYSTEM}, volumeAttributes: {{path: /a}}}}", None),
        ("csi: {driver: efs.csi.aws.com, volumeHandle: '${FS}'}", None),
        ("csi: {driver: efs.csi.aws.com}", None),
        ("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {Server: n, share: /a}}", Place("n", "/a")),
        ("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: n, share: /a, subdir: b}}", Place("n", "/a/b")),
        ("csi: {driver: nfs.csi.k8s.io, volumeAttributes: {server: n}}", None),
        ("csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}", None),
        ("hostPath: {path: /a}", None),
    ],
)
def test_places(spec: str, expected: Place | None) -> None:
    text = f"apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: v}}\nspec: {{{spec}}}\n"
    found: Any = child(read({"v.yaml": text})[0].node, "spec")
    assert place_of(found, child(found, "mountOptions")) == expected
