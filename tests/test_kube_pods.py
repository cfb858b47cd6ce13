"""Where pod templates sit, and what stands in them. Routes: Kubernetes' and the operators' API references."""

from __future__ import annotations

import pytest
from storage_support import resources

from efslint.kube.pods import (
    PodTemplate,
    annotation,
    containers,
    environment,
    integer,
    labels,
    pod_templates,
    scalar,
    strings,
    truth,
    volumes,
)
from efslint.yaml.node import Mapping, child

POD = "{containers: [{name: c}], volumes: [{name: v, persistentVolumeClaim: {claimName: d}}]}"


def templates(text: str) -> list[PodTemplate]:
    return [template for resource in resources(text) for template in pod_templates(resource)]


def node(text: str) -> Mapping:
    """Parse the ``spec`` of an object."""
    (only,) = resources(f"apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: x}}\nspec: {text}")
    found = child(only.node, "spec")
    assert type(found) is Mapping
    return found


@pytest.mark.parametrize(
    ("api_version", "kind", "body"),
    [
        ("v1", "Pod", f"spec: {POD}"),
        ("v1", "PodTemplate", f"template: {{spec: {POD}}}"),
        ("apps/v1", "Deployment", f"spec: {{template: {{spec: {POD}}}}}"),
        ("extensions/v1beta1", "Deployment", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps/v1", "StatefulSet", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps/v1", "DaemonSet", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps/v1", "ReplicaSet", f"spec: {{template: {{spec: {POD}}}}}"),
        ("v1", "ReplicationController", f"spec: {{template: {{spec: {POD}}}}}"),
        ("batch/v1", "Job", f"spec: {{template: {{spec: {POD}}}}}"),
        ("batch/v1", "CronJob", f"spec: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}"),
        # by the general mechanism
        ("argoproj.io/v1alpha1", "Rollout", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps.openshift.io/v1", "DeploymentConfig", f"spec: {{template: {{spec: {POD}}}}}"),
        ("serving.knative.dev/v1", "Service", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps.kruise.io/v1alpha1", "CloneSet", f"spec: {{template: {{spec: {POD}}}}}"),
        ("apps.kruise.io/v1beta1", "StatefulSet", f"spec: {{template: {{spec: {POD}}}}}"),
        (
            "apps.kruise.io/v1alpha1",
            "AdvancedCronJob",
            f"spec: {{template: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}}}",
        ),
        ("kubeflow.org/v1", "PyTorchJob", f"spec: {{pytorchReplicaSpecs: {{Master: {{template: {{spec: {POD}}}}}}}}}"),
        ("batch.volcano.sh/v1alpha1", "Job", f"spec: {{tasks: [{{replicas: 2, template: {{spec: {POD}}}}}]}}"),
    ],
)
def test_every_workload_has_its_template(api_version: str, kind: str, body: str) -> None:
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x}}\n{body}"
    (template,) = templates(text)
    assert [name for name, _ in volumes(template)] == ["v"]
    assert [each.name for each in containers(template)] == ["c"]
    assert template.resource.ref.label == f"{kind}/x"


@pytest.mark.parametrize(
    "text",
    [
        f"apiVersion: v1\nkind: Pod\nspec: [{POD}]",
        "apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: null}, x: volumeClaim}",
        "apiVersion: apps/v1\nkind: Deployment\nspec: [volumeClaim]",
        "apiVersion: v1\nkind: Service\nspec: {ports: [], x: volumeClaim}",
        "apiVersion: example.org/v1\nkind: Volume\nspec: {template: {spec: {storage: 1Gi}}}",
        "apiVersion: example.org/v1\nkind: Volume\nspec: {template: {spec: {containers: {}}}}",
        "apiVersion: example.org/v1\nkind: Volume\nspec: {template: null, volumes: 1}",
        f"apiVersion: example.org/v1\nkind: Volume\nmetadata: {{template: {{spec: {POD}}}}}",
        f"apiVersion: v1\nkind: PersistentVolume\nspec: {{template: {{spec: {POD.replace('containers', 'things')}}}}}",
    ],
)
def test_what_is_no_pod_template(text: str) -> None:
    assert len(resources(text)) == 1
    assert templates(text) == []


def test_several_templates_of_one_object() -> None:
    text = (
        "apiVersion: kubeflow.org/v1\nkind: TFJob\nspec:\n  volumes: 1\n  specs:\n"
        "    - {replicas: 1, template: {spec: {containers: [{name: a}]}}}\n"
        "    - {replicas: 2, template: {spec: {containers: [{name: b}]}}}\n"
    )
    found = templates(text)
    assert [[each.name for each in containers(template)] for template in found] == [["a"], ["b"]]
    assert [template.replicas for template in found] == [1, 2]


def test_the_search_for_templates_is_bounded() -> None:
    def nested(depth: int) -> str:
        inner = "{template: {spec: {containers: [{name: volume}]}}}"
        return "apiVersion: example.org/v1\nkind: X\nspec: " + "{a: " * depth + inner + "}" * depth

    assert len(templates(nested(8))) == 1
    assert templates(nested(9)) == []


def test_what_stands_beside_the_template() -> None:
    text = (
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: x}\nspec:\n  replicas: 3\n"
        "  template: {metadata: {labels: {a: b}}, spec: {containers: null}}\n"
        "  volumeClaimTemplates: [{metadata: {name: data}}, null, text, {spec: {}}]\n"
    )
    (template,) = templates(text)
    assert template.replicas == 3
    assert labels(child(template.resource.node, "spec", "template")) == {"a": "b"}
    assert template.metadata is child(template.resource.node, "spec", "template", "metadata")
    assert len(template.claim_templates) == 2
    assert list(containers(template)) == []


@pytest.mark.parametrize(
    "written", ["", "replicas: null", "replicas: '3'", "replicas: 1.5", "replicas: true", "replicas: []"]
)
def test_replicas_that_are_no_number_are_unknown(written: str) -> None:
    text = f"apiVersion: apps/v1\nkind: Deployment\nspec: {{template: {{spec: {POD}}}, {written}}}"
    (template,) = templates(text)
    assert template.replicas is None


def test_init_containers_come_first_and_sidecars_keep_running() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nspec:\n  volumes: volumeClaim\n"
        "  containers: [{name: main, restartPolicy: Always}, {}]\n"
        "  initContainers: [{name: once}, {name: side, restartPolicy: Always}, null, 7,"
        " {name: no, restartPolicy: Never}]\n"
    )
    (template,) = templates(text)
    assert [(each.name, each.init, each.sidecar) for each in containers(template)] == [
        ("once", True, False),
        ("side", True, True),
        ("no", True, False),
        ("main", False, False),
        ("", False, False),
    ]
    assert list(volumes(template)) == []


def test_volumes_without_a_name_are_none() -> None:
    entries = "{nfs: {}}, {name: null}, {name: 1, nfs: {}}, nfs, null, {name: b}"
    text = f"apiVersion: v1\nkind: Pod\nspec: {{volumes: [{entries}]}}"
    (template,) = templates(text)
    assert [name for name, _ in volumes(template)] == ["1", "b"]


def test_environment() -> None:
    container = node(
        "{env: [{name: A, value: x}, {name: B, value: 1}, {name: C, value: null}, {name: D}, {name: E, value: ''},"
        " {name: F, valueFrom: {secretKeyRef: {}}}, {name: G, value: null, valueFrom: {}}, {value: y}, null, z,"
        " {name: H, value: [x]}, {name: A, value: last}]}"
    )
    assert environment(container) == {
        "A": "last",
        "B": "1",
        "C": "",
        "D": "",
        "E": "",
        "F": None,
        "G": None,
        "H": "",
    }
    assert environment(node("{env: {A: x}}")) == {}


def test_small_readers() -> None:
    found = node("{a: [x, 1, null, [y], {}], n: 3, t: true, s: 'true', u: ~, f: 1.5}")
    assert strings(found, "a") == ("x", "1")
    assert strings(found, "n") == ()
    assert [integer(found, key) for key in "ntsufx"] == [3, None, None, None, None, None]
    assert [truth(found, key) for key in "tsnux"] == [True, False, False, False, False]
    assert [each.text if (each := scalar(found, key)) else None for key in "ntsuax"] == [
        *("3", "true", "true", None, None, None),
    ]


def test_labels_and_annotations() -> None:
    (only,) = resources(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {labels: {a: b, c: 1, d: [x]}, annotations: {e: f, g: {}}}"
    )
    assert labels(only.node) == {"a": "b", "c": "1"}
    found = annotation(only.node, "e")
    assert found is not None
    assert found.text == "f"
    assert annotation(only.node, "g") is None
    assert labels(None) == {}
