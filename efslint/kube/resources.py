"""From parsed documents to Kubernetes objects.

Knows how manifests are packed (lists, typed lists, templates of objects) and how an object names itself.
Leaves what the objects mean to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from efslint.kube.identity import ObjectRef
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, text

_MAX_DEPTH = 20


class Resource(NamedTuple):
    """One object of the input. ``document`` counts the documents of its file from 0."""

    ref: ObjectRef
    node: Mapping
    document: int

    @property
    def source(self) -> Source:
        """The file that holds the object."""
        return self.node.source

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return group(self.ref.api_version)

    @property
    def name_span(self) -> Span:
        """Where the object is named; where it has no name, its first key."""
        name = child(self.node, "metadata", "name")
        if type(name) is Scalar:
            return name.span
        return self.node.pairs[0][0].span if self.node.pairs else self.node.span


def group(api_version: str) -> str:
    """Return the group of an ``apiVersion``: ``apps/v1`` → ``apps``, ``v1`` → the empty string."""
    return api_version.rpartition("/")[0]


def resources(root: Node | None, document: int) -> Iterator[Resource]:
    """Yield the objects of a document, lists unwrapped, in the order in which they are written."""
    yield from _unwrap(root, document, None, 0)


def _unwrap(node: Node | None, document: int, inherited: tuple[str, str] | None, depth: int) -> Iterator[Resource]:
    if depth > _MAX_DEPTH:
        return
    if type(node) is Sequence:
        for item in node.items:
            yield from _unwrap(item, document, inherited, depth + 1)
        return
    if type(node) is not Mapping:
        return
    kind, api_version = text(node, "kind"), text(node, "apiVersion")
    if not kind and inherited is not None:
        kind, api_version = inherited[0], api_version or inherited[1]
    if not kind:
        return
    api_version = api_version or ""
    packed = _packed(node, kind, api_version)
    if packed is not None:
        items = child(node, packed)
        kind_of_items = kind.removesuffix("List")
        typed = (kind_of_items, api_version) if packed == "items" and kind_of_items else None
        if type(items) is Sequence:
            yield from _unwrap(items, document, typed, depth + 1)
        return
    metadata = child(node, "metadata")
    ref = ObjectRef(api_version, kind, text(metadata, "namespace") or None, text(metadata, "name") or "")
    yield Resource(ref, node, document)


def _packed(node: Mapping, kind: str, api_version: str) -> str | None:
    """Return the key under which a list or an OpenShift template keeps its objects."""
    if kind.endswith("List") and node.get("items") is not None:
        return "items"
    if kind == "Template" and node.get("objects") is not None:
        # https://docs.openshift.com/container-platform/latest/openshift_images/using-templates.html
        return "objects" if group(api_version) in ("", "template.openshift.io") else None
    return None
