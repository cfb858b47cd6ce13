"""The variables of a container, those that ConfigMaps of the input hold included.

Knows ``env`` and ``envFrom``. Values in Secrets are never read: they stay unknown.
"""

from __future__ import annotations

from collections.abc import Mapping as Read
from typing import NamedTuple

from efslint.kube.index import Found, Index
from efslint.kube.pods import scalar
from efslint.kube.resources import Resource
from efslint.yaml.node import Mapping, Node, Scalar, child, items, pairs, text


class Environment(NamedTuple):
    """Variables by name, ``None`` for a value that is not in the input.

    ``open`` is true where more variables come from an object that is not in the input, or from a Secret.
    """

    variables: Read[str, Scalar | None]
    open: bool

    @property
    def texts(self) -> dict[str, str | None]:
        """The variables as plain text."""
        return {name: None if value is None else value.text for name, value in self.variables.items()}


def environment(index: Index, resource: Resource, container: Mapping) -> Environment:
    """Read the variables of a container of an object; ``env`` goes over ``envFrom``, later over earlier.

    https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables
    """
    found: dict[str, Scalar | None] = {}
    missing = False
    for source in items(container, "envFrom"):
        data = _config_map(index, resource, text(source, "configMapRef", "name"))
        if data is None:
            missing = True
            continue
        prefix = text(source, "prefix") or ""
        found.update((prefix + key, value) for key, value in pairs(data) if type(value) is Scalar)
    for entry in items(container, "env"):
        name = text(entry, "name")
        if name is not None:
            found[name] = _value(index, resource, entry)
    return Environment(found, missing)


def _value(index: Index, resource: Resource, entry: Node) -> Scalar | None:
    written = scalar(entry, "value")
    if written is not None:
        return written
    origin = child(entry, "valueFrom")
    if origin is None:
        named = child(entry, "name")
        return named._replace(text="") if type(named) is Scalar else None
    key = text(origin, "configMapKeyRef", "key")
    data = _config_map(index, resource, text(origin, "configMapKeyRef", "name"))
    return None if key is None or data is None else scalar(data, key)


def _config_map(index: Index, resource: Resource, name: str | None) -> Node | None:
    """Return the data of a ConfigMap of the input."""
    if name is None:
        return None
    match index.namespaced("ConfigMap", resource.ref.namespace, name, resource.source):
        case Found(config_map):
            return child(config_map.node, "data")
        case _:
            return None
