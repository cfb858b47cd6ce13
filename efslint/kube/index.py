"""All objects of a run, found by kind, namespace and name.

Knows which of several objects of one name a reference means: the nearest. Leaves what to do with the answer to others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from efslint.kube.resources import Resource
from efslint.text.source import Source
from efslint.yaml.node import plain


@dataclass(frozen=True, slots=True)
class Found:
    """The one object that a reference means."""

    resource: Resource


@dataclass(frozen=True, slots=True)
class Missing:
    """No object of that name is in the input."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several objects of that name are equally near, and they differ."""

    candidates: tuple[Resource, ...]


Lookup: TypeAlias = Found | Missing | Ambiguous


class Index:
    """Objects by kind, namespace and name. Built once, then only read."""

    def __init__(self, found: Iterable[Resource]) -> None:
        self.all: tuple[Resource, ...] = tuple(found)
        self._by_name: dict[tuple[str, str], list[Resource]] = {}
        self._by_kind: dict[str, list[Resource]] = {}
        for resource in self.all:
            self._by_name.setdefault((resource.ref.kind, resource.ref.name), []).append(resource)
            self._by_kind.setdefault(resource.ref.kind, []).append(resource)

    def of_kind(self, kind: str) -> tuple[Resource, ...]:
        """Return all objects of a kind."""
        return tuple(self._by_kind.get(kind, ()))

    def cluster(self, kind: str, name: str, near: Source) -> Lookup:
        """Look up an object without a namespace (a class, a volume), as seen from a file."""
        return nearest(self._by_name.get((kind, name), ()), near)

    def namespaced(self, kind: str, namespace: str | None, name: str, near: Source) -> Lookup:
        """Look up an object in a namespace, as seen from a file.

        ``kubectl apply -n`` puts an object that names no namespace into any. So an object without one can be meant by a
        reference from every namespace, and the other way round; an equal namespace is preferred.
        """
        candidates = self._by_name.get((kind, name), ())
        equal = [each for each in candidates if each.ref.namespace == namespace]
        if not equal:
            equal = [each for each in candidates if namespace is None or each.ref.namespace is None]
        return nearest(equal, near)


def nearest(candidates: Iterable[Resource], near: Source) -> Lookup:
    """Choose among candidates: same file, then same directory, then the nearest common ancestor."""
    left = list(candidates)
    if not left:
        return Missing()
    if len(left) > 1:
        ranks = [_proximity(each.source, near) for each in left]
        best = max(ranks)
        left = [each for each, rank in zip(left, ranks, strict=True) if rank == best]
    if len(left) > 1:
        first = plain(left[0].node)
        if any(plain(other.node) != first for other in left[1:]):
            return Ambiguous(tuple(left))
    return Found(left[0])


def _proximity(one: Source, other: Source) -> tuple[int, int, int]:
    """Rank how near two files are; greater is nearer."""
    if one.path == other.path:
        return (2, 0, 0)
    mine, theirs = one.path.split("/")[:-1], other.path.split("/")[:-1]
    if mine == theirs:
        return (1, 0, 0)
    common = 0
    for left, right in zip(mine, theirs, strict=False):
        if left != right:
            break
        common += 1
    return (0, common, -len(mine))
