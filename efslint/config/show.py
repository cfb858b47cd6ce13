"""The configuration in force, as text for people that is a configuration file too.

Knows how values are written; leaves printing to others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from efslint.config.load import KEYS
from efslint.config.model import NEVER, Config
from efslint.storage.configured import ConfiguredClass
from efslint.yaml.node import plain


def show(config: Config) -> str:
    """Write every value with a comment that says who gave it; what is not set is named in a comment.

    The text is a configuration file for the working directory, except that patterns keep the directory they are
    relative to.
    """
    lines = [f"# configuration file: {config.path or 'none'}"]
    for key in KEYS:
        lines.extend(_lines(config, key, _value(config, key)))
    return "\n".join(lines) + "\n"


def _value(config: Config, key: str) -> Any:
    value = getattr(config, key.replace("-", "_"))
    if key == "fail-on":
        return NEVER if value is None else str(value)
    if key == "engines":
        return tuple(plain(node) for node in value)
    return value


def _lines(config: Config, key: str, value: Any) -> Iterator[str]:
    if value is None or (value in ((), {}) and not isinstance(value, bool)):
        yield f"# {key}: not set"
    elif isinstance(value, Mapping):
        yield f"{key}:"
        for name, inner in value.items():
            yield f"  {_text(name)}: {_text(inner)}  # {config.origin(key, name).label}"
    elif isinstance(value, tuple):
        yield f"{key}:"
        for index, inner in enumerate(value):
            yield f"  - {_text(inner)}  # {config.origin(key, index).label}"
    else:
        yield f"{key}: {_text(value)}  # {config.origin(key).label}"


def _text(value: Any) -> str:
    """Write a value as JSON, which is YAML; its quotes keep ``on`` and ``1e3`` what they are."""
    if isinstance(value, ConfiguredClass):
        parts = {"driver": value.driver, "server": value.server}
        value = value.driver if value.server is None else parts
    return json.dumps(value, ensure_ascii=False)
