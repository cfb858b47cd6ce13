"""Which of several objects of one name a reference means."""

from __future__ import annotations

import pytest
from storage_support import resources

from efslint.kube.index import Ambiguous, Found, Index, Missing
from efslint.text.source import Source


def index(**files: str) -> Index:
    return Index(resources({path.replace("__", "/").replace("_yaml", ".yaml"): text for path, text in files.items()}))


def config_map(value: str, namespace: str = "") -> str:
    place = f", namespace: {namespace}" if namespace else ""
    return f"{{apiVersion: v1, kind: ConfigMap, metadata: {{name: m{place}}}, data: {{provisioner: {value}}}}}"


def look(found: Index, namespace: str | None = None, near: str = "a.yaml") -> str:
    """Return the value of the ConfigMap ``m`` that is meant, or how many it may be."""
    answer = found.namespaced("ConfigMap", namespace, "m", Source(near, ""))
    if isinstance(answer, Found):
        return answer.resource.node.source.text.partition("provisioner: ")[2].partition("}")[0]
    return f"{len(answer.candidates)} candidates" if isinstance(answer, Ambiguous) else "missing"


@pytest.mark.parametrize(
    ("files", "namespace", "near", "expected"),
    [
        pytest.param({}, None, "a.yaml", "missing", id="nothing"),
        pytest.param({"b_yaml": config_map("1")}, None, "a.yaml", "1", id="one"),
        # namespaces
        pytest.param({"b_yaml": config_map("1", "x")}, "x", "a.yaml", "1", id="equal namespace"),
        pytest.param({"b_yaml": config_map("1", "x")}, "y", "a.yaml", "missing", id="other namespace"),
        pytest.param({"b_yaml": config_map("1")}, "y", "a.yaml", "1", id="object without a namespace"),
        pytest.param({"b_yaml": config_map("1", "x")}, None, "a.yaml", "1", id="reference without a namespace"),
        pytest.param(
            {"a_yaml": config_map("1"), "d__b_yaml": config_map("2", "x")}, "x", "a.yaml", "2", id="equal before none"
        ),
        pytest.param(
            {"a_yaml": config_map("1", "x"), "d__b_yaml": config_map("2")}, None, "a.yaml", "2", id="none before any"
        ),
        pytest.param(
            {"a_yaml": config_map("1", "x"), "b_yaml": config_map("2", "y")}, None, "a.yaml", "1", id="any: same file"
        ),
        pytest.param(
            {"b_yaml": config_map("1", "x"), "c_yaml": config_map("1", "y")},
            None,
            "a.yaml",
            "2 candidates",
            id="any: two",
        ),
        # nearness
        pytest.param({"a_yaml": config_map("1"), "b_yaml": config_map("2")}, None, "a.yaml", "1", id="same file"),
        pytest.param(
            {"x__b_yaml": config_map("1"), "y__b_yaml": config_map("2")}, None, "x/a.yaml", "1", id="same directory"
        ),
        pytest.param(
            {"x__y__b_yaml": config_map("1"), "z__b_yaml": config_map("2")},
            None,
            "x/a/a.yaml",
            "1",
            id="common ancestor",
        ),
        pytest.param(
            {"x__b_yaml": config_map("1"), "x__y__b_yaml": config_map("2")},
            None,
            "x/a/a.yaml",
            "1",
            id="directly in it",
        ),
        pytest.param(
            {"x__b_yaml": config_map("1"), "x__c_yaml": config_map("2")},
            None,
            "x/a.yaml",
            "2 candidates",
            id="ambiguous",
        ),
        pytest.param(
            {"x__b_yaml": config_map("1"), "x__c_yaml": config_map("1")}, None, "x/a.yaml", "1", id="equal content"
        ),
        pytest.param(
            {"x__b_yaml": config_map("1"), "y__b_yaml": config_map("2")},
            None,
            "a.yaml",
            "2 candidates",
            id="equally far",
        ),
        pytest.param(
            {"a_yaml": config_map("1") + "\n---\n" + config_map("2")},
            None,
            "a.yaml",
            "2 candidates",
            id="twice in a file",
        ),
    ],
)
def test_look_up(files: dict[str, str], namespace: str | None, near: str, expected: str) -> None:
    assert look(index(**files), namespace, near) == expected


def test_objects_of_the_cluster_have_no_namespace() -> None:
    text = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v, namespace: stray}, spec: {}}"
    found = index(a_yaml=text)
    assert isinstance(found.cluster("PersistentVolume", "v", Source("b.yaml", "")), Found)
    assert isinstance(found.cluster("PersistentVolume", "w", Source("b.yaml", "")), Missing)
    assert isinstance(found.cluster("StorageClass", "v", Source("b.yaml", "")), Missing)


def test_content_is_compared_as_values() -> None:
    one = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {nfs: {server: a, path: /}}}"
    other = (
        "apiVersion: v1\nkind: PersistentVolume\nmetadata:\n  name: 'v'\nspec:\n  nfs:\n    server: a\n    path: '/'\n"
    )
    found = index(x_yaml=one, y_yaml=other)
    assert isinstance(found.cluster("PersistentVolume", "v", Source("b.yaml", "")), Found)


def test_all_objects_of_a_kind_in_the_order_of_the_input() -> None:
    found = index(a_yaml=config_map("1", "x") + "\n---\n" + config_map("2"), b_yaml=config_map("3"))
    assert [each.ref.namespace for each in found.of_kind("ConfigMap")] == ["x", None, None]
    assert found.of_kind("Pod") == ()
    assert len(found.all) == 3
