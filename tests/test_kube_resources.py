"""How manifests are packed and how objects name themselves. The wanted behaviour is that of ``kubectl apply``."""

from __future__ import annotations

import pytest

from efslint.kube.identity import ObjectRef
from efslint.kube.resources import Resource, group, resources
from efslint.text.source import Source
from efslint.yaml.parser import parse_node


def read(text: str) -> list[Resource]:
    source = Source("a.yaml", text)
    return list(resources(parse_node(source, 0, len(text)), 3))


def named(text: str) -> list[tuple[str, str, str]]:
    return [(each.ref.api_version, each.ref.kind, each.ref.name) for each in read(text)]


def test_an_object_names_itself() -> None:
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n"
    (only,) = read(text)
    assert only.ref == ObjectRef("apps/v1", "Deployment", "shop", "web")
    assert only.ref.label == "Deployment/web"
    assert (only.group, only.document, only.source.path) == ("apps", 3, "a.yaml")
    assert only.name_span.text == "web"


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("{kind: Pod, metadata: {name: 123}}", ObjectRef("", "Pod", None, "123")),
        ("{kind: Pod, metadata: {name: 1e3, namespace: on}}", ObjectRef("", "Pod", "on", "1e3")),
        ("{kind: Pod, metadata: {name: null, namespace: null}}", ObjectRef("", "Pod", None, "")),
        ('{kind: Pod, metadata: {name: a, namespace: ""}}', ObjectRef("", "Pod", None, "a")),
        ("{kind: Pod, metadata: null}", ObjectRef("", "Pod", None, "")),
        ("{kind: Pod, metadata: [a]}", ObjectRef("", "Pod", None, "")),
        ("{kind: Pod, metadata: {name: [a]}}", ObjectRef("", "Pod", None, "")),
        ("{kind: Pod, apiVersion: null}", ObjectRef("", "Pod", None, "")),
    ],
)
def test_names_are_source_text_and_what_is_none_is_absent(text: str, ref: ObjectRef) -> None:
    assert [each.ref for each in read(text)] == [ref]


@pytest.mark.parametrize(
    ("text", "place"), [("apiVersion: v1\nkind: Pod\n", "apiVersion"), ("kind: Pod\nmetadata: {name: x}", "x")]
)
def test_an_object_without_a_name_is_placed_at_its_first_key(text: str, place: str) -> None:
    (only,) = read(text)
    assert only.name_span.text == place


@pytest.mark.parametrize(
    ("api_version", "expected"), [("v1", ""), ("apps/v1", "apps"), ("storage.k8s.io/v1", "storage.k8s.io"), ("", "")]
)
def test_group(api_version: str, expected: str) -> None:
    assert group(api_version) == expected


PODS = "apiVersion: v1\nkind: {kind}\nitems: [{{kind: Pod, metadata: {{name: a}}}}, {{metadata: {{name: b}}}}]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("apiVersion: v1\nkind: List\nitems: [{kind: Pod, metadata: {name: a}}]", ["Pod/a"], id="List"),
        pytest.param(
            "apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}]", [], id="a List says no kind of its items"
        ),
        pytest.param(PODS.format(kind="PodList"), ["Pod/a", "Pod/b"], id="a typed list does"),
        pytest.param(
            "apiVersion: v1\nkind: PodList\nitems: [{kind: '', metadata: {name: a}}]",
            ["Pod/a"],
            id="an empty kind is none",
        ),
        pytest.param(
            "kind: List\nitems: [{kind: List, items: [{kind: Pod, metadata: {name: a}}]}, {kind: Pod}]",
            ["Pod/a", "Pod/"],
            id="nested",
        ),
        pytest.param("kind: List\nitems: null", [], id="null list"),
        pytest.param(
            "kind: List\nitems: [null, 3, [], {}, {kind: Pod, metadata: {name: a}}]", ["Pod/a"], id="null items"
        ),
        pytest.param("kind: List\nitems: {kind: Pod}", [], id="items that are no sequence"),
        pytest.param("kind: AllowList\nmetadata: {name: a}", ["AllowList/a"], id="a kind that ends in List"),
        pytest.param("[{kind: Pod, metadata: {name: a}}, {op: add}]", ["Pod/a"], id="sequence of objects"),
        pytest.param("[{op: add, path: /spec/mountOptions}]", [], id="JSON patch"),
        pytest.param(
            "apiVersion: template.openshift.io/v1\nkind: Template\nobjects: [{kind: Pod, metadata: {name: a}}]",
            ["Pod/a"],
            id="OpenShift template",
        ),
        pytest.param(
            "apiVersion: v1\nkind: Template\nobjects: [{kind: Pod, metadata: {name: a}}]",
            ["Pod/a"],
            id="OpenShift template of the old group",
        ),
        pytest.param(
            "apiVersion: example.org/v1\nkind: Template\nobjects: [{kind: Pod}]", ["Template/"], id="other template"
        ),
        pytest.param(
            "apiVersion: v1\nkind: Template\nmetadata: {name: t}", ["Template/t"], id="template without objects"
        ),
        pytest.param("{a: 1}", [], id="no kind"),
        pytest.param("{kind: null}", [], id="null kind"),
        pytest.param("{kind: ''}", [], id="empty kind"),
        pytest.param("{kind: [Pod]}", [], id="kind that is no text"),
        pytest.param("text", [], id="scalar"),
        pytest.param("# nothing", [], id="nothing"),
    ],
)
def test_unpacking(text: str, expected: list[str]) -> None:
    assert [each.ref.label for each in read(text)] == expected


def test_items_of_a_typed_list_inherit_its_version_unless_they_have_one() -> None:
    text = "apiVersion: apps/v1\nkind: DeploymentList\n"
    text += "items: [{metadata: {name: a}}, {apiVersion: v9, metadata: {name: b}}]"
    assert named(text) == [("apps/v1", "Deployment", "a"), ("v9", "Deployment", "b")]


def test_lists_are_followed_to_a_bounded_depth() -> None:
    def nested(depth: int) -> str:
        return "[" * depth + "{kind: Pod}" + "]" * depth

    assert len(read(nested(20))) == 1
    assert read(nested(21)) == []
