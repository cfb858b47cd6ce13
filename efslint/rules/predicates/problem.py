"""What a predicate may say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from efslint.storage.fact import Fact


class Problem(NamedTuple):
    """Something wrong with a fact.

    ``at`` is a JSON pointer into the fact's value. ``values`` are named values for the message; conditions of
    the rule see them under ``problem`` as well.
    """

    at: str
    values: Mapping[str, str | int | float | bool] = {}


Predicate = Callable[[Fact, Mapping[str, Any]], Iterable[Problem]]
"""A pure function from one fact and the rule's parameters to problems."""
