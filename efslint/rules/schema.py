"""JSON Schema as rules use it: draft 2020-12, with regular expressions that cannot run away.

Schemas hold no ``$ref`` but into themselves, and nothing is ever fetched or opened for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from efslint.rules.rule import Schema


def validator(schema: Schema) -> Validator:
    """Return a validator for a schema whose patterns ``regex`` understands."""
    made: Validator = _class()(schema)
    return made


@cache
def _class() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    return extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]


def _pattern(_: Validator, pattern: str, instance: object, __: Schema) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    from efslint.rules.regex import compiled

    if isinstance(instance, str) and not compiled(pattern).found_in(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
