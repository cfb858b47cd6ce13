"""How Kubernetes names an object."""

from __future__ import annotations

from typing import NamedTuple


class ObjectRef(NamedTuple):
    """What identifies an object. ``namespace`` is ``None`` where the manifest gives none."""

    api_version: str
    kind: str
    namespace: str | None
    name: str

    @property
    def label(self) -> str:
        """``Kind/name``, as kubectl prints it."""
        return f"{self.kind}/{self.name}"
