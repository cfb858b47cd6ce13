"""The variables of a container, wherever the input keeps them."""

from __future__ import annotations

import pytest

from efslint.kube.environment import environment
from efslint.kube.index import Index
from efslint.kube.manifests import read_manifests
from efslint.kube.pods import containers, pod_templates
from efslint.text.source import Source

CONFIG_MAP = """\
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {DB_TYPE: postgres, PORT: 5432, list: [1]}
"""


@pytest.mark.parametrize(
    ("container", "variables", "is_open"),
    [
        ("", {}, False),
        ("env: [{name: A, value: x}, {name: B}]", {"A": "x", "B": ""}, False),
        ("env: [{value: x}, 7]", {}, False),
        ("env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]", {"A": None}, False),
        ("env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: DB_TYPE}}}]", {"A": "postgres"}, False),
        ("env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: absent}}}]", {"A": None}, False),
        ("env: [{name: A, valueFrom: {configMapKeyRef: {name: settings}}}]", {"A": None}, False),
        ("env: [{name: A, valueFrom: {configMapKeyRef: {name: elsewhere, key: k}}}]", {"A": None}, False),
        ("envFrom: [{configMapRef: {name: settings}}]", {"DB_TYPE": "postgres", "PORT": "5432"}, False),
        ("envFrom: [{prefix: X_, configMapRef: {name: settings}}]", {"X_DB_TYPE": "postgres", "X_PORT": "5432"}, False),
        ("envFrom: [{configMapRef: {name: elsewhere}}]", {}, True),
        ("envFrom: [{secretRef: {name: settings}}]", {}, True),
        (
            "env: [{name: DB_TYPE, value: mysql}]\nenvFrom: [{configMapRef: {name: settings}}]",
            {"DB_TYPE": "mysql", "PORT": "5432"},
            False,
        ),
    ],
)
def test_environment(container: str, variables: dict[str, str | None], is_open: bool) -> None:
    indented = container.replace("\n", "\n      ")
    text = f"""\
apiVersion: v1
kind: Pod
metadata: {{name: app, namespace: shop}}
spec:
  volumes: [{{name: d, persistentVolumeClaim: {{claimName: d}}}}]
  containers:
    - name: app
      {indented}
{CONFIG_MAP}"""
    index = Index(read_manifests(Source("a.yaml", text)).resources)
    (pod,) = index.of_kind("Pod")
    (template,) = pod_templates(pod)
    (found,) = containers(template)
    read = environment(index, pod, found.node)
    assert (read.texts, read.open) == (variables, is_open)
