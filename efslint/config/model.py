"""What configuration is: values, and for each of them who gave it.

Knows no file and no option; leaves reading to ``load``, and the command line's part to ``merge``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from efslint.inputs.read_bytes import MOST_BYTES
from efslint.rules.finding import Severity
from efslint.storage.configured import ConfiguredClass
from efslint.text.source import Span
from efslint.yaml.node import Node

NEVER = "never"
"""How people write a threshold that nothing reaches."""


class ConfigError(Exception):
    """Configuration that cannot be used. ``span`` is where it is written, ``None`` on the command line."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span

    def __str__(self) -> str:
        if self.span is None:
            return self.message
        line, column = self.span.first
        return f"{self.span.source.path}:{line}:{column}: {self.message}"


class Origin(NamedTuple):
    """Who gave a value: a place in a file, an option of the command line, or, with neither, nobody."""

    span: Span | None = None
    option: str = ""

    @property
    def label(self) -> str:
        """``path:line``, the option, or ``default``."""
        if self.span is not None:
            return f"{self.span.source.path}:{self.span.first.line}"
        return self.option or "default"


DEFAULT = Origin()


class Config(NamedTuple):
    """Everything that can be set, under the names of the configuration file with ``_`` for ``-``.

    An empty ``select`` selects every rule; a ``fail_on`` of ``None`` means never. ``max_file_size`` is in bytes.
    ``rules``, ``context`` and ``baseline`` are paths from the working directory. ``within`` leads from the directory of
    the configuration file to the working directory. ``origins`` maps JSON pointers, such as ``/severity/EFS101`` and
    ``/ignore/0``, to who gave that value.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = {}
    fail_on: Severity | None = Severity.WARNING
    exclude: tuple[str, ...] = ()
    per_path_ignores: Mapping[str, tuple[str, ...]] = {}
    rules: tuple[str, ...] = ()
    parameters: Mapping[str, Mapping[str, Any]] = {}
    storage_classes: Mapping[str, ConfiguredClass] = {}
    engines: tuple[Node, ...] = ()
    context: tuple[str, ...] = ()
    baseline: str | None = None
    strict: bool = False
    require_suppression_reason: bool = False
    sarif_category: str | None = None
    max_file_size: int = MOST_BYTES
    path: str | None = None
    within: str = ""
    origins: Mapping[str, Origin] = {}

    def origin(self, *route: str | int) -> Origin:
        """Return who gave a value, by its keys and indexes: ``origin("severity", "EFS101")``."""
        return self.origins.get(pointer(*route), DEFAULT)


def pointer(*route: str | int) -> str:
    """Write keys and indexes as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in route)
