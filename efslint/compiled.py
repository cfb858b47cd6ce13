"""Rules and knowledge as Python values, worked out when a wheel is built.

Reading some fifty YAML files takes longer than linting a manifest. A wheel therefore carries ``efslint/_compiled.py``,
which says the same in values that Python loads at once. A checkout has no such module: there the YAML files are read.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efslint.knowledge.catalogue import Engine
    from efslint.knowledge.operators import Operator
    from efslint.rules.rule import Rule


def source_text(rules: tuple[Rule, ...], engines: tuple[Engine, ...], operators: tuple[Operator, ...]) -> str:
    """Write the module: every value as the expression that makes it again; the same values give the same text."""
    writer = _Writer()
    values = {"RULES": rules, "ENGINES": engines, "OPERATORS": operators}
    lines = [f"{name} = {writer.expression(value)}" for name, value in values.items()]
    heading = '"""Made from rules/ and efslint/knowledge/ when the wheel was built. Not to be edited."""'
    imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(writer.classes.items())]
    shared = [f"{name} = {text}" for text, name in writer.sets.items()]
    return "\n".join((heading, "", *imports, "", *shared, *lines, ""))


class _Writer:
    """Writes values, and notes what the text needs: classes to import, and sets that many values share."""

    def __init__(self) -> None:
        self.classes: dict[str, set[str]] = {}
        self.sets: dict[str, str] = {}

    def expression(self, value: object) -> str:
        if isinstance(value, frozenset):
            text = f"frozenset(({''.join(f'{item!r},' for item in sorted(value))}))"
            return self.sets.setdefault(text, f"S{len(self.sets)}")
        if isinstance(value, dict):
            return "{" + ",".join(f"{key!r}:{self.expression(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.expression, value)) + "]"
        if isinstance(value, tuple) and type(value) is tuple:
            return "(" + "".join(f"{self.expression(item)}," for item in value) + ")"
        if isinstance(value, tuple) or is_dataclass(value):
            kind = type(value)
            self.classes.setdefault(kind.__module__, set()).add(kind.__name__)
            parts = value if isinstance(value, tuple) else (getattr(value, each.name) for each in fields(value))
            return f"{kind.__name__}({','.join(map(self.expression, parts))})"
        return repr(value)
