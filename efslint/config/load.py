"""From the text of a configuration file to a ``Config``.

Knows the keys of the file, the same that ``schemas/config.json`` describes. Leaves finding and opening it to
``inputs``, and whether the rules that it names exist to ``select``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from posixpath import isabs, join, normpath
from typing import Any

from efslint.config.model import NEVER, Config, ConfigError, Origin, pointer
from efslint.config.read import choice, fields, flag, known_key, listed, no_repeated_keys, size, word, words
from efslint.rules.finding import Severity
from efslint.storage.configured import ConfiguredClass
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, pairs, plain

SEVERITIES = tuple(str(level) for level in Severity)
THRESHOLDS = (*SEVERITIES, NEVER)
_DEPTH = 3


def load(source: Source, directory: str = "", within: str = "") -> Config:
    """Read a configuration file: YAML, JSON, or TOML with the table ``tool.efslint``.

    ``directory`` leads from the working directory to the file's, ``within`` back (see ``inputs.config_files``). Raises
    ``ConfigError`` with the place of what is wrong.
    """
    root = _parse(source)
    base = Config(path=source.path, within=within)
    if root is None:
        return base
    no_repeated_keys(root)
    values: dict[str, Any] = {}
    for key, value in fields(root, "the configuration"):
        known_key(key, KEYS, "")
        values[key.text.replace("-", "_")] = KEYS[key.text](value, key.text)
    for lists in values.keys() & {"rules", "context"}:
        values[lists] = tuple(_reached(path, directory) for path in values[lists])
    if "baseline" in values:
        values["baseline"] = _reached(values["baseline"], directory)
    return Config(path=source.path, within=within, origins=dict(_origins(root)), **values)


def _parse(source: Source) -> Node | None:
    if source.path.endswith(".toml"):
        from efslint.config.toml import toml_table

        return toml_table(source)
    from efslint.yaml.parser import YamlSyntaxError, parse_node

    try:
        root = parse_node(source, 0, len(source.text))
    except YamlSyntaxError as error:
        raise ConfigError(error.message, Span(source, error.offset, error.offset)) from None
    return None if type(root) is Scalar and root.value is None else root


def _origins(node: Node, *route: str | int) -> Iterator[tuple[str, Origin]]:
    """Yield the place of every key and list entry, three levels deep: as deep as people are told of values."""
    if len(route) == _DEPTH:
        return
    if type(node) is Sequence:
        for index, item in enumerate(node.items):
            yield pointer(*route, index), Origin(item.span)
            yield from _origins(item, *route, index)
    for key, value in pairs(node):
        yield pointer(*route, key), Origin(_key_span(node, key))
        yield from _origins(value, *route, key)


def _key_span(node: Node, key: str) -> Span | None:
    found = node.key(key) if type(node) is Mapping else None
    return found.span if found is not None else None


def _selected(node: Node, key: str) -> tuple[str, ...]:
    found = words(node, key)
    if not found:
        raise ConfigError(
            f"{key} is empty, so nothing would be looked for; leave it out to select every rule", node.span
        )
    return found


def _reached(path: str, directory: str) -> str:
    return path if isabs(path) or not directory else normpath(join(directory, path))


def _threshold(node: Node, key: str) -> Severity | None:
    text = choice(node, key, THRESHOLDS)
    return None if text == NEVER else Severity(text)


def _severity(node: Node, key: str) -> dict[str, Severity]:
    return {
        rule.text: Severity(choice(value, f"the severity of {rule.text}", SEVERITIES))
        for rule, value in fields(node, key)
    }


def _path_ignores(node: Node, key: str) -> dict[str, tuple[str, ...]]:
    return {glob.text: words(value, f"{key} for {glob.text}") for glob, value in fields(node, key)}


def _parameters(node: Node, key: str) -> dict[str, dict[str, Any]]:
    return {
        rule.text: {name.text: plain(part) for name, part in fields(value, f"the parameters of {rule.text}")}
        for rule, value in fields(node, key)
    }


def _storage_classes(node: Node, key: str) -> dict[str, ConfiguredClass]:
    return {name.text: _storage_class(value, name.text) for name, value in fields(node, key)}


def _storage_class(node: Node, name: str) -> ConfiguredClass:
    if type(node) is not Mapping:
        return ConfiguredClass(word(node, f"the driver of class {name}"))
    found: dict[str, str] = {}
    for key, value in fields(node, f"class {name}"):
        known_key(key, ("driver", "server"), f" for class {name}")
        found[key.text] = word(value, f"the {key.text} of class {name}")
    if "driver" not in found:
        raise ConfigError(f"class {name} has no driver", node.span.one_line())
    return ConfiguredClass(found["driver"], found.get("server"))


def _engines(node: Node, key: str) -> tuple[Node, ...]:
    for item in listed(node, key):
        fields(item, f"an entry of {key}")
    return listed(node, key)


KEYS: dict[str, Callable[[Node, str], Any]] = {
    "select": _selected,
    "ignore": words,
    "severity": _severity,
    "fail-on": _threshold,
    "exclude": words,
    "per-path-ignores": _path_ignores,
    "rules": words,
    "parameters": _parameters,
    "storage-classes": _storage_classes,
    "engines": _engines,
    "context": words,
    "baseline": word,
    "strict": flag,
    "require-suppression-reason": flag,
    "sarif-category": word,
    "max-file-size": size,
}
