"""The names under which rule files call predicates.

A predicate of our own is one line here: its name and where its function lives, read when a rule needs it.
Predicates of installed packages are entry points of the group ``efslint.predicates``, looked up only for a
name that is not here, so that nothing changes by being installed.
"""

from __future__ import annotations

from functools import cache
from typing import cast

from efslint.rules.predicates.problem import Predicate

BUILTIN = {
    "access-refused": "efslint.rules.predicates.access:access_refused",
    "probe-patience": "efslint.rules.predicates.probes:probe_patience",
}
"""Name → ``module:function``."""

GROUP = "efslint.predicates"


@cache
def predicate(name: str) -> Predicate:
    """Return the predicate of that name; ``LookupError`` says what is wrong with the name."""
    place = BUILTIN.get(name)
    if place is None:
        return _installed(name)
    from importlib import import_module

    module, _, function = place.partition(":")
    return cast(Predicate, getattr(import_module(module), function))


def _installed(name: str) -> Predicate:
    from importlib.metadata import entry_points

    found = entry_points(group=GROUP)
    matching = [entry for entry in found if entry.name == name]
    if len(matching) > 1:
        owners = " and ".join(sorted(entry.value for entry in matching))
        raise LookupError(f"predicate {name!r} is provided twice, by {owners}")
    if not matching:
        from difflib import get_close_matches

        close = get_close_matches(name, [*BUILTIN, *(entry.name for entry in found)], n=1)
        raise LookupError(f"no predicate is named {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    return cast(Predicate, matching[0].load())
