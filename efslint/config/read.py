"""Reading single values of a configuration file, and complaining about wrong ones at their place.

Knows types; leaves which key has which to ``load``.
"""

from __future__ import annotations

from collections.abc import Collection
from re import fullmatch

from efslint.adoption.rule_names import suggestion
from efslint.config.model import ConfigError
from efslint.yaml.node import Mapping, Node, Scalar, Sequence


def word(node: Node, what: str) -> str:
    """Read text that is not empty."""
    if type(node) is not Scalar or not isinstance(node.value, str) or not node.value:
        hint = "; put it in quotes" if type(node) is Scalar and node.text and not node.style else ""
        raise ConfigError(f"{what} must be text, not {described(node)}{hint}", node.span)
    return node.value


def words(node: Node, what: str) -> tuple[str, ...]:
    """Read a list of texts."""
    return tuple(word(item, f"an entry of {what}") for item in listed(node, what))


def size(node: Node, what: str) -> int:
    """Read a number of bytes, with or without a unit."""
    value = node.value if type(node) is Scalar else None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = fullmatch("([1-9][0-9]{0,5})([KMG])iB", value) if isinstance(value, str) else None
    if match is None:
        raise ConfigError(f"{what} must be a number of bytes or a size such as 64MiB, not {described(node)}", node.span)
    return int(match[1]) << {"K": 10, "M": 20, "G": 30}[match[2]]


def listed(node: Node, what: str) -> tuple[Node, ...]:
    """Read a list."""
    if type(node) is not Sequence:
        raise ConfigError(f"{what} must be a list, not {described(node)}", node.span)
    return node.items


def flag(node: Node, what: str) -> bool:
    """Read ``true`` or ``false``."""
    if type(node) is not Scalar or not isinstance(node.value, bool):
        raise ConfigError(f"{what} must be true or false, not {described(node)}", node.span)
    return node.value


def choice(node: Node, what: str, choices: Collection[str]) -> str:
    """Read one of several words."""
    if type(node) is Scalar and isinstance(node.value, str) and node.value in choices:
        return node.value
    hint = ""
    if type(node) is Scalar and node.text == "off":
        hint = '; to switch a rule off, put it under "ignore"'
    elif type(node) is Scalar:
        hint = suggestion(node.text, choices)
    raise ConfigError(f"{what} must be {one_of(choices)}, not {described(node)}{hint}", node.span)


def fields(node: Node, what: str) -> tuple[tuple[Scalar, Node], ...]:
    """Read a mapping whose keys are texts."""
    if type(node) is not Mapping:
        raise ConfigError(f"{what} must be a mapping, not {described(node)}", node.span)
    found: list[tuple[Scalar, Node]] = []
    for key, value in node.pairs:
        if type(key) is not Scalar or not key.text:
            raise ConfigError(f"a key of {what} must be text", key.span)
        found.append((key, value))
    return tuple(found)


def known_key(key: Scalar, choices: Collection[str], where: str) -> None:
    """Refuse a key that does not exist."""
    if key.text not in choices:
        raise ConfigError(f'unknown key "{key.text}"{where}{suggestion(key.text, choices)}', key.span)


def no_repeated_keys(node: Node) -> None:
    """Refuse keys that stand twice in one mapping, at any depth."""
    waiting: list[Node] = [node]
    while waiting:
        node = waiting.pop()
        if type(node) is Mapping:
            for key, _ in node.shadowed:
                again = node.key(key.text) if type(key) is Scalar else None
                first = key.span.first.line
                raise ConfigError(f"{described(key)} is set twice, first on line {first}", (again or key).span)
            waiting.extend(part for pair in node.pairs for part in pair)
        elif type(node) is Sequence:
            waiting.extend(node.items)


def described(node: Node) -> str:
    """Say what a value is, for people."""
    if type(node) is Scalar:
        if isinstance(node.value, str):
            return f'"{node.value}"' if node.value else "empty text"
        return node.text if node.value is not None else "null"
    return "a list" if type(node) is Sequence else "a mapping"


def one_of(choices: Collection[str]) -> str:
    """Enumerate: ``error, warning or note``."""
    *most, last = choices
    return f"{', '.join(most)} or {last}"
