"""Custom resources of operators: which volumes they ask for, and of which class.

Knows routes into custom resources, which are data (``operators.yaml``); what a class is, is left to the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from efslint.knowledge.data import data_node, entry
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child, text

_FILE_KEYS = ("operators",)
_KEYS = ("group", "kind", "engine", "when", "unless", "claims")
_CLAIM_KEYS = ("path", "class", "role", "when", "unless", "absent", "claim_name", "engine")
_STEP = re.compile(r"(\{[^}]*\}|[^.\[{]+)(?:\[([^=\]]*)(?:=((?:[^\[\]]|\[[^\]]*\])*))?\])?(?:\.|$)")


class Condition(NamedTuple):
    """A key that must be there with a value that fits a glob; ``up`` says how many objects above to look in."""

    route: tuple[str, ...]
    glob: str
    up: int


class Step(NamedTuple):
    """One step of a route: keys, any of which may be there (``*``: all), then which items of a list.

    ``items`` is ``None`` where the value is no list; an empty route takes every item, another those that fit ``glob``.
    """

    keys: tuple[str, ...]
    items: tuple[str, ...] | None
    glob: str


class ClaimRoute(NamedTuple):
    """Where a resource describes a volume. ``claim_spec`` is true where that is the specification of a claim."""

    steps: tuple[Step, ...]
    class_key: str
    claim_spec: bool
    role: str
    when: tuple[Condition, ...]
    unless: tuple[Condition, ...]
    absent_default: bool
    claim_name: str
    engine: str


class Operator(NamedTuple):
    """One kind of custom resource that keeps data. ``engine`` is the id of an engine."""

    group: str
    kind: str
    engine: str
    when: tuple[Condition, ...]
    unless: tuple[Condition, ...]
    claims: tuple[ClaimRoute, ...]


class OperatorClaim(NamedTuple):
    """A volume that a custom resource asks for.

    ``node`` is the object that holds the class, or the one above where the operator adds it (``absent``).
    ``storage_class`` is ``None`` where no class is named, which means the default one. ``claim_spec`` is true where
    ``node`` is the specification of a claim, so that it may have a ``selector`` or a ``volumeName``. ``claim_name`` is
    a glob over the names of the claims that the operator makes, empty where it is not known.
    """

    node: Mapping
    storage_class: Scalar | None
    role: str
    route: str
    claim_spec: bool
    engine: str
    absent: bool
    claim_name: str


@cache
def load_operators() -> tuple[Operator, ...]:
    """Return all operators; raises ``KnowledgeError`` with the place of what is wrong."""
    file = entry(data_node("operators.yaml"), _FILE_KEYS, "operators.yaml")
    return tuple(operator for node in file.items("operators") for operator in _operators(node))


def operators_of(operators: Iterable[Operator], api_version: str, kind: str) -> tuple[Operator, ...]:
    """Return the operators that read an object; the version within the group does not matter."""
    group = api_version.partition("/")[0]
    return tuple(each for each in operators if each.kind == kind and each.group == group)


def claims(operator: Operator, root: Node) -> Iterator[OperatorClaim]:
    """Yield the volumes that a custom resource asks for, in the order of the data."""
    if not _holds(operator.when, operator.unless, (root,)):
        return
    name = text(root, "metadata", "name")
    for route in operator.claims:
        for trail, where in _walk(route, root):
            node = trail[-1]
            if type(node) is not Mapping or not _holds(route.when, route.unless, trail):
                continue
            absent = where is None
            found = None if absent else node.get(route.class_key)
            yield OperatorClaim(
                node=node,
                storage_class=found if type(found) is Scalar and found.value is not None else None,
                role=route.role,
                route=_pattern(route) if where is None else where,
                claim_spec=route.claim_spec and not absent,
                engine=route.engine or operator.engine,
                absent=absent,
                claim_name=route.claim_name.replace("{name}", name) if name is not None else "",
            )


def _operators(node: Node) -> Iterator[Operator]:
    read = entry(node, _KEYS, "an operator")
    routes = tuple(_claim(item) for item in read.items("claims"))
    for group in read.words("group"):
        for kind in read.words("kind"):
            yield Operator(
                group,
                kind,
                read.word("engine"),
                _conditions(read.words("when")),
                _conditions(read.words("unless")),
                routes,
            )


@cache
def _steps(path: str) -> tuple[Step, ...]:
    return tuple(
        Step(
            tuple(match[1].strip("{}").split(",")),
            None if match[2] is None else tuple(match[2].split(".")) if match[2] else (),
            match[3] or "*",
        )
        for match in _STEP.finditer(path)
    )


def _claim(node: Node) -> ClaimRoute:
    read = entry(node, _CLAIM_KEYS, "a claim")
    return ClaimRoute(
        steps=_steps(read.word("path")),
        class_key=read.word("class", "storageClassName"),
        claim_spec="class" not in read.values,
        role=read.choice("role", ("data", "log"), "data"),
        when=_conditions(read.words("when")),
        unless=_conditions(read.words("unless")),
        absent_default=read.choice("absent", ("default", "none"), "none") == "default",
        claim_name=read.word("claim_name", ""),
        engine=read.word("engine", ""),
    )


def _conditions(written: Iterable[str]) -> tuple[Condition, ...]:
    found = []
    for each in written:
        key, equals, glob = each.partition("=")
        plain = key.lstrip("^")
        found.append(Condition(tuple(plain.split(".")), glob if equals else "*", len(key) - len(plain)))
    return tuple(found)


def _holds(when: Iterable[Condition], unless: Iterable[Condition], trail: tuple[Node, ...]) -> bool:
    return all(_fits(each, trail) for each in when) and not any(_fits(each, trail) for each in unless)


def _fits(condition: Condition, trail: tuple[Node, ...]) -> bool:
    """Judge a condition on the last object of a trail, or on one above it."""
    if condition.up >= len(trail):
        return False
    node = child(trail[-1 - condition.up], *condition.route)
    if type(node) is Scalar:
        return node.value is not None and fnmatchcase(node.text, condition.glob)
    return node is not None and condition.glob == "*"


def _walk(route: ClaimRoute, root: Node) -> Iterator[tuple[tuple[Node, ...], str | None]]:
    """Yield the objects at the end of a route, each with those above it and the route as taken.

    Where the operator makes up for an object that is not there, yield the last one that is, without a route. A list
    of which every item counts (``()``) asks for nothing when it is not there.
    """
    level: list[tuple[tuple[Node, ...], str]] = [((root,), "")]
    for step in route.steps:
        following: list[tuple[tuple[Node, ...], str]] = []
        for trail, where in level:
            found = list(_follow(step, trail, where))
            if not found and route.absent_default and step.items != () and type(trail[-1]) is Mapping:
                yield trail, None
            following += found
        level = following
    yield from level


def _follow(step: Step, trail: tuple[Node, ...], where: str) -> Iterator[tuple[tuple[Node, ...], str]]:
    node = trail[-1]
    if type(node) is not Mapping:
        return
    for key, value in node.pairs:
        if type(key) is not Scalar or (key.text not in step.keys and step.keys != ("*",)) or _is_null(value):
            continue
        path = f"{where}.{key.text}" if where else key.text
        if step.items is None:
            yield (*trail, value), path
        elif type(value) is Sequence:
            for place, item in enumerate(value.items):
                if not step.items or _fits(Condition(step.items, step.glob, 0), (item,)):
                    yield (*trail, value, item), f"{path}[{place}]"


def _is_null(node: Node) -> bool:
    return type(node) is Scalar and node.value is None


def _pattern(route: ClaimRoute) -> str:
    """Write a route without places, for an object that is not there."""
    return ".".join("|".join(step.keys) + ("" if step.items is None else "[]") for step in route.steps)
