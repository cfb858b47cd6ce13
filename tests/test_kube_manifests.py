"""From one text to its objects and to what is wrong with it."""

from __future__ import annotations

import pytest

from efslint.kube.manifests import Manifests, read_manifests
from efslint.text.source import Source

PV = "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a}\n"


def read(text: str) -> Manifests:
    return read_manifests(Source("a.yaml", text))


def labels(found: Manifests) -> list[str]:
    return [each.ref.label for each in found.resources]


def test_documents_and_objects_are_counted_whether_or_not_they_matter() -> None:
    found = read(f"{PV}---\n---\n# nothing\n---\nkind: Secret\n---\nname: x\n---\nkind: Pod\n---\n{PV}")
    assert labels(found) == ["PersistentVolume/a", "PersistentVolume/a"]
    assert [each.document for each in found.resources] == [0, 6]
    assert (found.documents, found.objects, found.template) == (5, 4, False)
    assert found.problems == ()


def test_the_objects_of_a_list_are_counted_each() -> None:
    found = read(
        "apiVersion: v1\nkind: PersistentVolumeList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}, null]"
    )
    assert (found.documents, found.objects) == (1, 2)


def test_a_broken_document_costs_only_itself() -> None:
    found = read(f"{PV}---\na: [\n---\n{PV}")
    assert labels(found) == ["PersistentVolume/a"] * 2
    assert (found.documents, found.objects) == (3, 2)
    (problem,) = found.problems
    assert problem.kind == "syntax"
    assert problem.detail
    assert problem.span.first.line in (5, 6)


@pytest.mark.parametrize(
    ("text", "language", "place"),
    [
        pytest.param(f"{PV}{{{{- if .Values.x }}}}\nspec: {{}}\n", "helm", "{{- if .Values.x }}", id="does not parse"),
        pytest.param(f"{PV}{{% if x %}}\nspec: {{}}\n", "jinja", "{% if x %}", id="jinja"),
        pytest.param(f"{PV}spec:\n  storageClassName: {{{{ name }}}}\n", "helm", "{{ name }}", id="parses as mappings"),
    ],
)
def test_a_template_is_left_alone_as_a_whole(text: str, language: str, place: str) -> None:
    found = read(f"{PV}---\n{text}")
    assert found.template
    assert (found.resources, found.objects) == ((), 0)
    (problem,) = found.problems
    assert (problem.kind, problem.detail, problem.span.text) == ("template", language, place)


def test_braces_in_what_is_no_object_make_no_template() -> None:
    found = read(f"{PV}---\npersistent: {{{{ name }}}}\nkind: [storage]\n")
    assert not found.template
    assert labels(found) == ["PersistentVolume/a"]


def repeated(text: str) -> list[tuple[str, int, int]]:
    """Return the keys that stand twice, with the lines of the last and of the first."""
    found = []
    for each in read(text).problems:
        assert each.kind == "duplicate-key"
        assert each.span.text == each.key
        assert each.related is not None
        assert each.related.text == each.key
        found.append((each.key, each.span.first.line, each.related.first.line))
    return found


def test_keys_that_stand_twice() -> None:
    assert repeated(f"{PV}spec: {{}}\nspec: {{}}\n") == [("spec", 5, 4)]
    assert repeated(f"{PV}spec:\n  items:\n    - nfs: {{path: /a,\n        path: /b}}\n") == [("path", 7, 6)]
    assert repeated(f"{PV}spec:\n  a: 1\n  a: 2\n  a: 3\n") == [("a", 7, 5), ("a", 7, 6)]


def test_only_objects_that_are_read_count() -> None:
    assert repeated("kind: Secret\ndata: {a: 1, a: 2}\n---\nkind: Pod\nspec: {}\nspec: {}\n") == []


def test_two_objects_without_a_line_between_them_are_told_as_that() -> None:
    (problem,) = read(f"{PV}spec: {{a: 1, a: 2}}\n{PV}").problems
    assert (problem.kind, problem.key, problem.span.first.line) == ("joined-objects", "apiVersion", 5)
    assert problem.related is not None
    assert problem.related.first.line == 1
    assert repeated(f"{PV}kind: PersistentVolume\n") == [("kind", 4, 2)], "one of the two alone is a slip"


def test_a_merge_key_repeats_nothing() -> None:
    assert repeated(f"{PV}x: &x {{a: 1}}\nspec:\n  <<: *x\n  a: 2\n") == []


def test_what_aliases_share_is_told_once() -> None:
    assert repeated(f"{PV}x: &x\n  a: 1\n  a: 2\ny: *x\nz: [*x, *x]\n") == [("a", 6, 5)]
    text = (
        "apiVersion: v1\nkind: List\nitems:\n- kind: PersistentVolume\n  spec: &s {a: 1,\n    a: 2}\n"
        "- kind: PersistentVolume\n  spec: *s\n"
    )
    assert repeated(text) == [("a", 6, 5)]


def test_a_repeated_key_that_only_an_alias_reaches() -> None:
    text = "apiVersion: v1\nkind: List\nx: &s {a: 1,\n  a: 2}\nitems:\n- kind: PersistentVolume\n  spec: *s\n"
    assert repeated(text) == [("a", 4, 3)]


def test_deep_nesting_is_walked_without_recursion() -> None:
    deep = "[" * 190 + "{a: 1, a: 2}" + "]" * 190
    assert len(repeated(f"{PV}spec: {deep}\n")) == 1
