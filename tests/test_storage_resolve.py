"""All facts of a run, and that no damage to manifests makes the resolver fail."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_support import (
    CLASSES,
    EFS_HOST,
    KNOWLEDGE,
    answers,
    check_fact,
    claim,
    claiming,
    pod,
    resolved,
    resources,
    stateful,
    storage_class,
    stream,
    volume,
)

from efslint.kube.manifests import read_manifests
from efslint.storage.configured import StorageSettings
from efslint.storage.file_facts import file_facts
from efslint.storage.resolve import Resolved, resolve
from efslint.text.source import Source


def test_nothing_in_nothing_out() -> None:
    assert resolved("") == Resolved((), 0)
    assert resolved("kind: Secret") == Resolved((), 0)


def test_facts_come_in_the_order_of_the_input() -> None:
    text = stream(stateful(), CLASSES["efs"], pod("nfs: {server: a}"), volume("pv", "{nfs: {server: b}}"))
    found = resolved(text).facts
    assert [(each.target, each.object.name) for each in found if each.object and each.target in ("use", "mount")] == [
        *(("use", "db"), ("use", "app"), ("mount", "efs"), ("mount", "app"), ("mount", "pv")),
    ]
    assert resolved(text).facts == found


def test_context_is_not_counted_unless_the_input_refers_to_it() -> None:
    gone = claim("data", "{storageClassName: gone}")
    cases = {
        1: {"main.yaml": claiming(), "context.yaml": gone},
        0: {"main.yaml": CLASSES["efs"], "context.yaml": stream(claiming(), gone)},
    }
    for expected, files in cases.items():
        found = resolve(resources(files), KNOWLEDGE, StorageSettings(), {"context.yaml"})
        assert found.unresolved == expected
        assert resolve(resources(files), KNOWLEDGE, StorageSettings()).unresolved == 1


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        ("containers:\n    - name: c", "containers: null\n  x:\n    - name: c"),
        ("volumes: [", "volumes: {}\n  x: ["),
        ("metadata: {name: app}", "metadata: null"),
        ("metadata: {name: app}", "metadata: [name]"),
        ("metadata: {name: app}", "metadata: {name: 123}"),
        ("metadata: {name: app}", "metadata: {name: {a: b}}"),
        ("volumeMounts: [{", "volumeMounts: x\n      y: [{"),
        ("volumeMounts: [{", "volumeMounts: [null, 1, [], {"),
        ("mountPath: /var/lib/postgresql/data", "mountPath: {}"),
        ("image: nginx:1.27", "image: [nginx]"),
        ("persistentVolumeClaim: {claimName: data}", "persistentVolumeClaim: data"),
        ("persistentVolumeClaim: {claimName: data}", "persistentVolumeClaim: {claimName: [data]}"),
        ("spec:\n", "spec: []\nx:\n"),
        ("kind: Pod", "kind: {a: b}"),
    ],
)
def test_a_broken_part_costs_only_itself(whole: str, damaged: str) -> None:
    text = claiming()
    assert whole in text
    sound = stream(pod("nfs: {server: a}", "sound"))
    found = answers(stream(text.replace(whole, damaged), claim("data", "{storageClassName: efs}")) + sound)
    assert found[-1] == "nfs inline-nfs inline"


# --- damaged manifests ------------------------------------------------------------------------------------------------

_PROBE = {"exec": {"command": ["a"]}, "timeoutSeconds": 1, "periodSeconds": 5, "failureThreshold": 2}
_CONTAINER = {
    "name": "c",
    "image": "postgres:16",
    "command": ["postgres"],
    "args": ["-D", "/var/lib/postgresql/data"],
    "env": [
        {"name": "PGDATA", "value": "/var/lib/postgresql/data"},
        {"name": "PROVISIONER_NAME", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "provisioner"}}},
        {"name": "NFS_SERVER", "value": EFS_HOST},
    ],
    "livenessProbe": _PROBE,
    "volumeMounts": [
        {"name": "a", "mountPath": "/var/lib/postgresql/data", "subPath": "x", "readOnly": True},
        *({"name": name, "mountPath": f"/{name}"} for name in "bcdef"),
    ],
}
_POD = {
    "securityContext": {"fsGroup": 999},
    "initContainers": [{**_CONTAINER, "restartPolicy": "Always"}],
    "containers": [_CONTAINER],
    "volumes": [
        {"name": "a", "persistentVolumeClaim": {"claimName": "data", "readOnly": True}},
        {"name": "b", "nfs": {"server": EFS_HOST, "path": "/"}},
        {
            "name": "c",
            "csi": {"driver": "nfs.csi.k8s.io", "volumeAttributes": {"server": "a", "mountOptions": "soft,timeo=30"}},
        },
        {"name": "d", "ephemeral": {"volumeClaimTemplate": {"metadata": {}, "spec": {"storageClassName": "efs"}}}},
        {"name": "e", "persistentVolumeClaim": {"claimName": "other"}},
    ],
}
_SELECTOR = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}
_MARK = "storageclass.kubernetes.io/is-default-class"
SOUND: list[Any] = [
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "n"}, "spec": _POD},
    {
        "apiVersion": "v1",
        "kind": "List",
        "items": [
            {
                "apiVersion": "apps/v1",
                "kind": "StatefulSet",
                "metadata": {"name": "s", "namespace": "n"},
                "spec": {
                    "replicas": 2,
                    "ordinals": {"start": 1},
                    "template": {"metadata": {"labels": {"a": "b"}}, "spec": _POD},
                    "volumeClaimTemplates": [
                        {"metadata": {"name": "f"}, "spec": {"storageClassName": "efs", "volumeName": "pv"}}
                    ],
                },
            },
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "m", "namespace": "n"},
                "data": {"provisioner": "example.org/p"},
            },
        ],
    },
    {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "n", "annotations": {}},
        "spec": {"storageClassName": "", "accessModes": ["ReadWriteMany"], "selector": _SELECTOR},
    },
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "other", "namespace": "n"}, "spec": {}},
    {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {
            "name": "pv",
            "labels": {"a": "b"},
            "annotations": {"volume.beta.kubernetes.io/mount-options": "soft,vers=3"},
        },
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "storageClassName": "",
            "mountOptions": ["hard", "timeo=600"],
            "nfs": {"server": EFS_HOST, "path": "/", "readOnly": True},
        },
    },
    {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pw"},
        "spec": {
            "claimRef": {"name": "f-s-1", "namespace": "n"},
            "mountOptions": ["tls", "soft"],
            "csi": {
                "driver": "efs.csi.aws.com",
                "volumeHandle": "fs-0a1b2c3d::fsap-0a1b2c3d",
                "readOnly": False,
                "volumeAttributes": {"encryptInTransit": "false"},
            },
        },
    },
    {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "efs", "annotations": {_MARK: "true"}, "creationTimestamp": "2024-01-01T00:00:00Z"},
        "provisioner": "example.org/p",
        "parameters": {"server": EFS_HOST, "provisioningMode": "efs-ap"},
        "mountOptions": ["hard", "soft"],
    },
    {
        "apiVersion": "acid.zalan.do/v1",
        "kind": "postgresql",
        "metadata": {"name": "z", "namespace": "n"},
        "spec": {"volume": {"size": "1Gi", "storageClass": "efs"}},
    },
]

SCALARS = st.sampled_from([None, "", "x", 0, -1, 123, True, 1.5, "a\nb", "efs", "${X}"])
REPLACEMENTS = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(st.sampled_from(["name", "spec", "a"]), SCALARS, max_size=2)
)


def places(value: Any, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the routes to all parts of a value, the value itself left out."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in inner for place in ((*route, key), *places(part, (*route, key)))]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw the sound manifests with some parts removed or replaced, as a YAML stream or as JSON texts."""
    documents = deepcopy(SOUND)
    for _ in range(draw(st.integers(1, 6))):
        *route, last = draw(st.sampled_from(places(documents)))
        holder = documents
        for key in route:
            holder = holder[key]
        if draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = draw(REPLACEMENTS)
        if not documents:
            break
    separator = draw(st.sampled_from(["\n---\n", "\n"]))
    indent = draw(st.sampled_from([None, 1]))
    return "".join(f"{separator}{json.dumps(each, indent=indent)}" for each in documents)


def test_the_sound_manifests_hold_what_they_should() -> None:
    """Without this, the property below could pass on manifests that nobody reads."""
    text = "".join(f"---\n{json.dumps(each)}\n" for each in SOUND)
    found = resolve(read_manifests(Source("a.yaml", text)).resources, KNOWLEDGE)
    kinds = {each.target for each in found.facts}
    assert {"use", "probe", "mount"} <= kinds
    ends = {each.value["storage"]["kind"] for each in found.facts if each.target == "use"}
    assert ends == {"efs", "nfs"}


@given(damaged())
@settings(max_examples=150, deadline=None)
def test_damage_never_makes_it_fail(text: str) -> None:
    manifests = read_manifests(Source("a.yaml", text))
    for resource in manifests.resources:
        assert 0 <= resource.name_span.start <= resource.name_span.end <= len(text)
    for fact in (*file_facts(manifests), *resolve(manifests.resources, KNOWLEDGE).facts):
        check_fact(fact)


@given(st.text(alphabet="{}[]:,-\n ab*&!'\"|>#%", max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read(noise: str) -> None:
    text = f"{volume('pv', '{nfs: {server: a}}')}\n{noise}\n---\n{noise}\n---\nkind: PersistentVolume\n{noise}"
    manifests = read_manifests(Source("a.yaml", text))
    for fact in (*file_facts(manifests), *resolve(manifests.resources, KNOWLEDGE).facts):
        check_fact(fact)


# --- cost -------------------------------------------------------------------------------------------------------------


def copies(count: int, same_names: bool, one_directory: bool) -> dict[str, str]:
    """Write many small files, each with a claim, its volume, its class and its user."""
    files = {}
    for at in range(count):
        name = "x" if same_names else f"x{at}"
        path = f"a{at}.yaml" if one_directory else f"d{at}/a.yaml"
        files[path] = stream(
            claiming(name),
            claim(name, f"{{storageClassName: {name}}}"),
            volume(name, f"{{storageClassName: {name}, nfs: {{server: a}}}}"),
            storage_class(name, "efs.csi.aws.com"),
        )
    return files


@pytest.mark.parametrize("one_directory", [False, True])
@pytest.mark.parametrize("same_names", [False, True])
def test_the_work_grows_with_the_input_and_no_faster(same_names: bool, one_directory: bool) -> None:
    def seconds(count: int) -> float:
        found = resources(copies(count, same_names, one_directory))
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            resolve(found, KNOWLEDGE)
            best = min(best, time.process_time() - start)
        return best

    seconds(5)
    assert seconds(240) < 12 * seconds(40), "six times the input; quadratic work would take 36 times as long"
