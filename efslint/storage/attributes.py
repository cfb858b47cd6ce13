"""Class parameters and volume attributes: text by name, which some drivers compare without regard to case."""

from __future__ import annotations

from efslint.yaml.node import Mapping, Scalar, pairs


def parameters_of(node: object) -> dict[str, str]:
    """Return class parameters or volume attributes as text."""
    if type(node) is not Mapping:
        return {}
    return {key: value.text for key, value in pairs(node) if type(value) is Scalar and value.value is not None}


def attribute(node: object, name: str) -> Scalar | None:
    """Return a class parameter or volume attribute; csi-driver-nfs compares their names without regard to case.

    Source: kubernetes-csi/csi-driver-nfs ``pkg/nfs/controllerserver.go``.
    """
    if type(node) is Mapping:
        for key, value in pairs(node):
            if key.lower() == name.lower() and type(value) is Scalar and value.value is not None:
                return value
    return None
