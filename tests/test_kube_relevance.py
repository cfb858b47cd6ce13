"""Which documents are parsed. A wrong no costs a finding, so every shape that matters must be a yes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from efslint.kube.relevance import is_relevant, kind_at_top


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("apiVersion: v1\nkind: Pod\n", "Pod"),
        ("kind: 'Pod'\n", "Pod"),
        ('kind: "Pod"  # comment\n', "Pod"),
        ("kind:\tPod", "Pod"),
        ("metadata:\n  kind: Pod\n", None),
        ("{kind: Pod}", None),
        ('"kind": "Pod"', None),
        ("kind:\n  Pod", None),
    ],
)
def test_kind_at_top(text: str, expected: str | None) -> None:
    assert kind_at_top(text) == expected


YES = [
    ("PersistentVolume", "metadata: {name: x}"),
    ("PersistentVolumeClaim", "metadata: {name: x}"),
    ("StorageClass", "metadata: {name: x}"),
    ("Pod", "spec: {volumes: [{persistentVolumeClaim: {}}]}"),
    ("Deployment", "spec: {template: {spec: {volumes: [{nfs: {server: a}}]}}}"),
    ("CronJob", "volumes: [{csi: {driver: nfs.csi.k8s.io}}]"),
    ("StatefulSet", "spec: {volumeClaimTemplates: []}"),
    ("Pod", "spec: {volumes: [{ephemeral: {volumeClaimTemplate: {}}}]}"),
    ("Deployment", "env: [{name: PROVISIONER_NAME}]"),
    ("ConfigMap", "data: {provisioner.name: example.com/aws-efs}"),
    ("ConfigMap", "data: {PROVISIONER_NAME: example.com/aws-efs}"),
    ("ConfigMap", "data: {server: fs-0a1b2c3d.efs.eu-west-1.amazonaws.com}"),
    ("postgresql", "spec: {volume: {size: 1Gi}}"),
    ("RabbitmqCluster", "spec: {persistence: {}}"),
    ("RabbitmqCluster", "spec: {}"),
    ("InnoDBCluster", "spec: {instances: 3}"),
    ("MongoDBCommunity", "spec: {members: 3}"),
    ("Kubegres", "spec: {database: {size: 1Gi}}"),
    ("CrdbCluster", "spec: {dataStore: {pvc: {}}}"),
    ("Rollout", "spec: {template: {spec: {volumes: []}}}"),
    ("List", "items: [{kind: PersistentVolumeClaim}]"),
    ("PodList", "items: [{spec: {volumes: []}}]"),
]


@pytest.mark.parametrize(("kind", "body"), YES)
def test_what_may_concern_storage_is_read(kind: str, body: str) -> None:
    assert is_relevant(f"apiVersion: v1\nkind: {kind}\n{body}\n")
    assert is_relevant(f"{{apiVersion: v1, kind: {kind}, {body}}}"), "flow style"


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "postgresql", "spec": {"volume": {"size": "1Gi"}}},
        {"kind": "Kafka", "spec": {"kafka": {"storage": {"type": "jbod"}}}},
        {"kind": "StorageClass", "provisioner": "efs.csi.aws.com"},
    ],
)
def test_json_is_read(document: dict[str, object]) -> None:
    assert is_relevant(json.dumps(document, indent=1))


@pytest.mark.parametrize(
    "text",
    [
        "kind: CustomResourceDefinition\nspec: {mountOptions: {}, nfs: {}, storageClassName: {}}",
        "kind: HelmRelease\nspec: {values: {persistence: {storageClass: efs}}}",
        "kind: Secret\ndata: {volume: x}",
        "kind: Pod\nspec: {containers: []}",
        "kind: Service\nspec: {ports: []}",
        "kind: ConfigMap\ndata: {volume: persistent}",
        "kind: Kustomization\nresources: []",
        "services: {db: {volumes: [a]}}",
        "{apiVersion: v1, kind: Pod, spec: {}}",
    ],
)
def test_what_cannot_is_not(text: str) -> None:
    assert not is_relevant(text)


def test_the_kinds_are_words_of_the_api() -> None:
    """A slip in the word list, two words run together, would go unnoticed otherwise."""
    code = (Path(__file__).parents[1] / "efslint/kube/relevance.py").read_text(encoding="utf-8")
    for listed in re.findall(r'^    "([^"]+)"', code, re.MULTILINE):
        assert all(re.fullmatch(r"([A-Z][a-z0-9]*|API|CSI)+", word) for word in listed.split())
