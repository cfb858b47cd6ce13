"""Where a claim or a pod's volume ends: the answer of the resolver, before rules look at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from efslint.knowledge.drivers import Mounter
from efslint.kube.resources import Resource
from efslint.storage.fact import Origin, Step
from efslint.text.source import Span


class Backing(NamedTuple):
    """A volume followed to its end.

    ``kind`` is ``efs``, ``nfs`` (an NFS server not known to be EFS), ``s3files`` or ``other`` (anything else).
    ``carrier`` is the object of the input whose mount options are used; for a volume written into a pod, the object
    that holds it. ``names`` are the names met on the way,
    by the keys of ``storage`` in ``schemas/fact.json``, each with where it stands. ``how`` says in words why the kind
    is known.
    """

    kind: str
    driver: str
    how: str
    mounter: Mounter | None = None
    carrier: Resource | None = None
    provisioning: str = "dynamic"
    assumed: bool = False
    names: Mapping[str, tuple[str, Origin]] = {}
    steps: tuple[Step, ...] = ()

    def behind(self, steps: tuple[Step, ...], **names: tuple[str, Origin]) -> Backing:
        """Return this backing as seen from one hop earlier."""
        return self._replace(steps=steps + self.steps, names={**self.names, **names})

    @property
    def value(self) -> dict[str, Any]:
        """The ``storage`` part of a fact."""
        found: dict[str, Any] = {
            "kind": self.kind,
            "driver": self.driver,
            "how": self.how,
            "provisioning": self.provisioning,
            "assumed": self.assumed,
        }
        if self.mounter is not None:
            found["mounter"] = str(self.mounter)
        found.update((key, name) for key, (name, _) in self.names.items())
        return found

    @property
    def origins(self) -> dict[str, Origin]:
        """Where the names of ``value`` stand, by JSON pointer."""
        return {f"/storage/{key}": origin for key, (_, origin) in self.names.items()}


class Unresolved(NamedTuple):
    """A reference that could not be followed.

    ``kind`` and ``name`` say what is missing, ``namespace`` where a claim was looked for; ``reason`` is one of those in
    ``schemas/fact.json``. ``span`` is where the reference stands.
    """

    kind: str
    name: str | None
    reason: str
    span: Span
    namespace: str | None = None
    hint: str | None = None
    steps: tuple[Step, ...] = ()

    def behind(self, steps: tuple[Step, ...]) -> Unresolved:
        """Return this answer as seen from one hop earlier."""
        return self._replace(steps=steps + self.steps)

    @property
    def identity(self) -> tuple[str, str | None, str | None]:
        """What is missing, so that it is counted once.

        A volume that nobody named is one for every claim; the default class is one for all.
        """
        unnamed = self.name is None and self.kind != "StorageClass"
        name = f"{self.span.source.path}:{self.span.start}" if unnamed else self.name
        return (self.kind, self.namespace, name)


End: TypeAlias = Backing | Unresolved


def agree(ends: Sequence[End]) -> bool:
    """Say whether several ends come to the same kind of storage, mounted by the same client."""
    first = ends[0]
    return isinstance(first, Backing) and all(
        isinstance(each, Backing) and (each.kind, each.mounter) == (first.kind, first.mounter) for each in ends
    )
