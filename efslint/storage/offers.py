"""Volumes as claims see them: those that are reserved for a claim, and those that are free, by class.

Built once for a run, so that a claim looks only at volumes that it could get. What a volume stands for is left to
``volumes``, which of the ways to a volume is taken to ``claims``.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple

from efslint.kube.index import Index
from efslint.kube.nearby import Namespaced, Nearby
from efslint.kube.pods import annotation, labels, strings
from efslint.kube.quantity import quantity
from efslint.kube.resources import Resource
from efslint.storage.backing import End, agree
from efslint.storage.volumes import volume_end
from efslint.text.source import Source
from efslint.yaml.node import Mapping, Node, Scalar, child, items, pairs, text

CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


class Offer:
    """Volumes that a claim could get, equally near; ``settled`` is true where it makes no difference which it gets."""

    __slots__ = ("settled", "volumes")

    def __init__(self, volumes: list[Resource]) -> None:
        ends: list[End] = [volume_end(each) for each in volumes]
        self.volumes = volumes
        self.settled = len(volumes) == 1 or (bool(volumes) and agree(ends))

    @property
    def volume(self) -> Resource:
        """The first of them."""
        return self.volumes[0]


class Offers:
    """The volumes of a run. Filled once; answers are kept, as many claims ask the same."""

    def __init__(self, index: Index) -> None:
        self._reserved: dict[str, Namespaced[Resource]] = {}
        self._free: dict[str, Nearby[Resource]] = {}
        self._known: dict[tuple[object, ...], Offer] = {}
        for volume in index.of_kind("PersistentVolume"):
            reference = child(volume.node, "spec", "claimRef")
            if type(reference) is Mapping:
                # One that names no claim keeps the volume from all.
                name, namespace = text(reference, "name"), text(reference, "namespace")
                if name:
                    self._reserved.setdefault(name, Namespaced()).add(namespace, volume.source, volume)
            else:
                self._free.setdefault(_class_of(volume), Nearby()).add(volume.source, volume)

    def reserved(self, name: str | None, pattern: str, namespace: str | None, near: Source) -> Offer:
        """Return the volumes whose ``claimRef`` names a claim, or a claim whose name fits a glob."""
        names = [] if name is None else [name]
        names += [each for each in self._reserved if pattern and fnmatchcase(each, pattern)]
        for each in names:
            if each in self._reserved and (found := self._reserved[each].nearest(namespace, near)):
                return Offer(found)
        return Offer([])

    def free(self, spec: Node | None, class_name: str, near: Source) -> Offer:
        """Return the volumes of a class, an empty one for those without, that a claim could be bound to."""
        request = _request(spec)
        key = (class_name, near.path, request)
        if key not in self._known:
            tiers = self._free[class_name].tiers(near) if class_name in self._free else iter(())
            fitting = ([each for each in tier if _fits(each, request)] for tier in tiers)
            self._known[key] = Offer(next(filter(None, fitting), []))
        return self._known[key]


_Wanted = tuple[str, str, tuple[str, ...]]


class _Request(NamedTuple):
    """What a claim asks of a volume. ``size`` is in bytes, ``None`` where it is not known."""

    modes: frozenset[str]
    volume_mode: str
    size: int | None
    labels: tuple[_Wanted, ...]


def _request(spec: Node | None) -> _Request:
    size = quantity(text(spec, "resources", "requests", "storage") or "")
    return _Request(frozenset(strings(spec, "accessModes")), _volume_mode(spec), size, tuple(_wanted(spec)))


def _volume_mode(spec: Node | None) -> str:
    return text(spec, "volumeMode") or "Filesystem"


def has_selector(spec: Node | None) -> bool:
    """Say whether a claim selects volumes by label, which no class can then make for it."""
    return bool(_wanted(spec))


def _wanted(spec: Node | None) -> list[_Wanted]:
    """Return what a claim's selector asks of labels, as key, operator and values."""
    found: list[_Wanted] = [
        (key, "In", (value.text,)) for key, value in pairs(spec, "selector", "matchLabels") if type(value) is Scalar
    ]
    for item in items(spec, "selector", "matchExpressions"):
        key = text(item, "key")
        if key is not None:
            found.append((key, text(item, "operator") or "", strings(item, "values")))
    return found


def _fits(volume: Resource, request: _Request) -> bool:
    """Judge a volume: kubernetes/kubernetes ``pkg/controller/volume/persistentvolume/index.go``."""
    spec = child(volume.node, "spec")
    if _volume_mode(spec) != request.volume_mode:
        return False
    offered = frozenset(strings(spec, "accessModes"))
    if request.modes and offered and not request.modes <= offered:
        return False
    size = quantity(text(spec, "capacity", "storage") or "")
    if size is not None and request.size is not None and size < request.size:
        return False
    if not request.labels:
        return True
    mine = labels(volume.node)
    return all(_selects(operator, values, mine.get(key)) for key, operator, values in request.labels)


def _selects(operator: str, values: tuple[str, ...], value: str | None) -> bool:
    """Judge one requirement: kubernetes/kubernetes ``staging/src/k8s.io/apimachinery/pkg/labels/selector.go``."""
    if operator == "In":
        return value is not None and value in values
    if operator == "NotIn":
        return value not in values
    return (value is not None) if operator == "Exists" else value is None


def _class_of(volume: Resource) -> str:
    named = annotation(volume.node, CLASS_ANNOTATION)
    return named.text if named is not None else text(volume.node, "spec", "storageClassName") or ""
