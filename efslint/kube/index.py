"""All objects of a run, found by kind, namespace and name.

Knows which of several objects of one name a reference means: the nearest. Leaves what to do with the answer to others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from efslint.kube.nearby import Namespaced
from efslint.kube.resources import Resource
from efslint.text.source import Source
from efslint.yaml.node import plain


class Found(NamedTuple):
    """The one object that a reference means."""

    resource: Resource


class Missing(NamedTuple):
    """No object of that name is in the input."""


class Ambiguous(NamedTuple):
    """Several objects of that name are equally near, and they differ."""

    candidates: tuple[Resource, ...]


Lookup: TypeAlias = Found | Missing | Ambiguous


class Index:
    """Objects by kind, namespace and name. Built once, then only read."""

    def __init__(self, found: Iterable[Resource]) -> None:
        self.all: tuple[Resource, ...] = tuple(found)
        self._by_name: dict[tuple[str, str], Namespaced[Resource]] = {}
        by_kind: dict[str, list[Resource]] = {}
        for resource in self.all:
            ref = resource.ref
            self._by_name.setdefault((ref.kind, ref.name), Namespaced()).add(ref.namespace, resource.source, resource)
            by_kind.setdefault(ref.kind, []).append(resource)
        self._by_kind = {kind: tuple(mine) for kind, mine in by_kind.items()}

    def of_kind(self, kind: str) -> tuple[Resource, ...]:
        """Return all objects of a kind."""
        return self._by_kind.get(kind, ())

    def cluster(self, kind: str, name: str, near: Source) -> Lookup:
        """Look up an object without a namespace (a class, a volume), as seen from a file."""
        same_name = self._by_name.get((kind, name))
        return Missing() if same_name is None else _one(same_name.anywhere(near))

    def namespaced(self, kind: str, namespace: str | None, name: str, near: Source) -> Lookup:
        """Look up an object in a namespace, as seen from a file."""
        same_name = self._by_name.get((kind, name))
        return Missing() if same_name is None else _one(same_name.nearest(namespace, near))


def _one(candidates: list[Resource]) -> Lookup:
    """Settle on one of several equally near objects; objects of the same content are one."""
    if not candidates:
        return Missing()
    first = plain(candidates[0].node)
    if any(plain(other.node) != first for other in candidates[1:]):
        return Ambiguous(tuple(candidates))
    return Found(candidates[0])
