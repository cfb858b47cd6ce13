"""A copy of a frozen value with some fields changed, whichever kind of value it is."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Return the value with other fields; the standard library has this for both kinds from Python 3.13 on."""
    given: Any = value
    changed: T = given._replace(**changes) if isinstance(value, tuple) else dataclasses.replace(given, **changes)
    return changed
