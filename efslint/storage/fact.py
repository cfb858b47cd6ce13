"""Facts: what the resolver found out, as plain JSON values, and where every part of it was read.

The contract between the resolver and the rules. Knows neither how facts are made nor what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from efslint.kube.identity import ObjectRef
from efslint.text.source import Span


class Confidence(StrEnum):
    """``certain`` when every hop was read in the input, ``assumed`` when one comes from configuration or a name."""

    CERTAIN = "certain"
    ASSUMED = "assumed"


class OriginKind(StrEnum):
    """Who says so."""

    MANIFEST = "manifest"
    DRIVER = "driver-default"
    KERNEL = "kernel-default"
    KUBERNETES = "kubernetes-default"


class Origin(NamedTuple):
    """Where a part of a fact comes from. ``span`` is ``None`` for what nobody wrote down."""

    span: Span | None
    kind: OriginKind = OriginKind.MANIFEST
    reason: str = ""


class Step(NamedTuple):
    """One hop of the chain of evidence: a place and what it says."""

    span: Span
    message: str


class Fact(NamedTuple):
    """Something resolved.

    ``value`` follows the definition of ``target`` in ``schemas/fact.json``; what is not known is absent from it.
    ``origins`` maps JSON pointers (RFC 6901) into ``value`` to where that part was read.
    ``object`` is what suffers or is wrong; ``objects`` are all that take part, that one first.
    """

    target: str
    value: Mapping[str, Any]
    origins: Mapping[str, Origin]
    chain: tuple[Step, ...]
    object: ObjectRef | None
    objects: tuple[ObjectRef, ...] = ()
    container: str | None = None
    confidence: Confidence = Confidence.CERTAIN

    def origin(self, pointer: str) -> Origin | None:
        """Return where a part was read; for a part without a place of its own, where the nearest one above was."""
        while True:
            found = self.origins.get(pointer)
            if found is not None and found.span is not None:
                return found
            if not pointer:
                return None
            pointer = pointer.rpartition("/")[0]
