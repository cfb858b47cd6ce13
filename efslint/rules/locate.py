"""Where a finding is shown, what leads there, and how it is recognised again.

Knows JSON pointers, origins and spans; leaves what is wrong to ``check``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from efslint.kube.identity import ObjectRef
from efslint.storage.fact import Fact, Step
from efslint.text.source import Span

_INDEX = re.compile(r"/[0-9]+(?=/|$)")


class Place(NamedTuple):
    """A part of a fact and the one line on which it was read; ``reason`` is what its origin says, or nothing."""

    pointer: str
    span: Span
    reason: str


def pointer(path: Iterable[str | int]) -> str:
    """Write a path as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def place(fact: Fact, pointers: Sequence[str]) -> Place:
    """Return where a failure is shown, given pointers, best first.

    A pointer that was itself read somewhere is taken before one that only lies below something that was.
    A fact of which nothing was read is shown where its chain begins.
    """
    for candidate in pointers:
        origin = fact.origins.get(candidate)
        if origin is not None and origin.span is not None:
            return Place(candidate, origin.span.one_line(), origin.reason)
    for candidate in pointers:
        origin = fact.origin(candidate)
        if origin is not None and origin.span is not None:
            return Place(candidate, origin.span.one_line(), origin.reason)
    return Place(pointers[0], fact.chain[0].span.one_line(), fact.chain[0].message)


def evidence(fact: Fact, where: Place, label: str) -> tuple[Step, ...]:
    """Return the chain of a fact, with the place of the finding among its steps."""
    chain = tuple(Step(step.span.one_line(), step.message) for step in fact.chain)
    if any(step.span == where.span for step in chain):
        return chain
    return (Step(where.span, where.reason or label), *chain)


def identity(rule: str, subject: ObjectRef | None, where: Place) -> tuple[str, ...]:
    """Return what makes a finding the same one after lines were moved.

    That is the rule, the API group (a new version of an API is the same object), kind, namespace and name of
    the object, the key path without list indexes, and the text at fault. What is in no object goes by its file.
    """
    if subject is None:
        owner: tuple[str, ...] = (where.span.source.path,)
    else:
        group = subject.api_version.rpartition("/")[0]
        owner = (group, subject.kind, subject.namespace or "", subject.name)
    return (rule, *owner, _INDEX.sub("/*", where.pointer), where.span.text)


def fingerprint(identity: tuple[str, ...], occurrence: int) -> str:
    """Return 32 hexadecimal digits; ``occurrence`` counts, from 0, findings of the same identity in report order."""
    import hashlib  # takes longer than a run without findings should

    parts = identity if occurrence == 0 else (*identity, str(occurrence))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
