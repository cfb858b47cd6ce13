"""Values that somebody gives on the command line: ``--set`` expressions and files, as Helm puts them together.

Knows the grammar of ``--set`` (helm/helm, ``pkg/strvals/parser.go``) and that the last one wins. Leaves what a chart
brings itself to ``charts``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from efslint.helm.charts import Layer, Path, parsed
from efslint.text.source import Source
from efslint.yaml.node import Mapping, Node, Scalar, plain
from efslint.yaml.node import Sequence as List

_KEY = re.compile(r"((?:[^\\.\[\]=,]|\\.)*)")
_INDEX = re.compile(r"\[(\d+)\]")
_TEXT = re.compile(r"((?:[^\\,]|\\.)*)")
_ITEM = re.compile(r"((?:[^\\,}]|\\.)*)")
_MOST_ITEMS = 65_536  # as Helm

Tree: TypeAlias = dict[str, Any]


class SetError(Exception):
    """A ``--set`` expression that cannot be understood; the text says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One ``key=value`` of a ``--set``. ``value`` is a scalar or a list of scalars."""

    path: Path
    value: Node


def parse_set(expression: str) -> tuple[Setting, ...]:
    """Parse the words behind one ``--set``. Raises ``SetError``."""
    return tuple(_settings(Source(f"--set {expression}", expression)))


def _settings(source: Source) -> Iterator[Setting]:
    text, at = source.text, 0
    while at < len(text):
        path, at = _path(text, at)
        if text[at : at + 1] != "=":
            raise SetError(f'"{text}" is not key=value')
        value, at = _value(source, at + 1)
        yield Setting(path, value)
        if at < len(text) and text[at] != ",":
            raise SetError(f'"{text}" has no comma before "{text[at:]}"')
        at += 1


def _path(text: str, at: int) -> tuple[Path, int]:
    path: list[str | int] = []
    while True:
        key = _KEY.match(text, at)
        assert key is not None  # it may be empty
        if not key[1]:
            raise SetError(f'"{text}" has an empty key')
        path.append(_unescaped(key[1]))
        at = key.end()
        while (index := _INDEX.match(text, at)) is not None:
            if int(index[1]) > _MOST_ITEMS:
                raise SetError(f'"{text}" has an index that is too large')
            path.append(int(index[1]))
            at = index.end()
        if text[at : at + 1] != ".":
            return tuple(path), at
        at += 1


def _value(source: Source, at: int) -> tuple[Node, int]:
    if source.text[at : at + 1] != "{":
        return _scalar(source, at, _TEXT)
    items: list[Node] = []
    end = at
    while source.text[end : end + 1] in ("{", ","):
        item, end = _scalar(source, end + 1, _ITEM)
        items.append(item)
    if not source.text[end:]:
        raise SetError(f'"{source.text}" has a list that is not closed')
    return List(source, at, end + 1, tuple(items)), end + 1


def _scalar(source: Source, at: int, pattern: re.Pattern[str]) -> tuple[Node, int]:
    match = pattern.match(source.text, at)
    assert match is not None  # it may be empty
    text = _unescaped(match[1])
    typed = re.fullmatch(r"true|false|null|0|-?[1-9]\d*", match[1]) is not None
    return Scalar(source, at, match.end(), text, "" if typed else '"'), match.end()


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def given_layers(sets: Sequence[str], files: Sequence[Source]) -> tuple[Layer, ...]:
    """Return values as layers, the strongest first: what is set before files, the last before the first."""
    layers: list[Layer] = []
    for expression in reversed(sets):
        layers += [Layer(_tree(each), (), f"--set {expression}") for each in reversed(parse_set(expression))]
    layers.extend(Layer(parsed(source), ()) for source in reversed(files))
    return tuple(layers)


def _tree(setting: Setting) -> Node:
    node = setting.value
    for step in reversed(setting.path):
        source, start, end = node.source, node.start, node.end
        if isinstance(step, int):
            nothing = Scalar(source, start, start, "null")
            node = List(source, start, end, (*(nothing for _ in range(step)), node))
        else:
            node = Mapping(source, start, end, ((Scalar(source, 0, start, step), node),))
    return node


def given_values(sets: Iterable[str], files: Iterable[Source]) -> Tree:
    """Put values together to what a chart is rendered with."""
    values: Tree = {}
    for source in files:
        node = parsed(source)
        merge(values, plain(node) if type(node) is Mapping else {})
    for expression in sets:
        for setting in parse_set(expression):
            _put(values, setting.path, plain(setting.value))
    return values


def merge(into: Tree, more: Any) -> None:
    """Merge mappings key by key; everything else is replaced."""
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def _put(into: Any, path: Path, value: Any) -> None:
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        into.extend([None] * (step + 1 - len(into)))
    empty: Any = value if not rest else [] if isinstance(rest[0], int) else {}
    known = into[step] if isinstance(step, int) else into.get(step)
    if not rest:
        into[step] = value
        return
    if type(known) is not type(empty):
        into[step] = known = empty
    _put(known, rest, value)
