"""Class parameters and volume attributes as CSI drivers read them: what can be wrong, and how Go reads text.

Knows no driver; those are ``efs_settings`` and ``nfs_settings``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from efslint.knowledge.hosts import has_placeholder


class Verdict(StrEnum):
    """What becomes of a setting: ``refused`` settings make the driver fail, ``ignored`` ones do nothing."""

    REFUSED = "refused"
    IGNORED = "ignored"


class SettingFault(NamedTuple):
    """Something wrong with a setting. ``why`` reads after its name; ``meant`` is what was probably meant.

    ``given`` is false where the fault is that the setting is not there.
    """

    name: str
    verdict: Verdict
    why: str
    meant: str | None = None
    given: bool = True


# Go: strconv.ParseBool
_TRUE = frozenset(("1", "t", "T", "TRUE", "true", "True"))
_FALSE = frozenset(("0", "f", "F", "FALSE", "false", "False"))

RESERVED = "csi.storage.k8s.io/"
"""Keys that begin so are for the external provisioner, which keeps them from the driver."""


def is_open(text: str) -> bool:
    """Say whether a value is still to be filled in: it holds a placeholder, or a shell variable such as ``$EFS_ID``."""
    return has_placeholder(text) or text.startswith("$")


def go_boolean(text: str) -> bool | None:
    """Read a boolean as Go's ``strconv.ParseBool`` does; ``None`` for what it refuses."""
    return True if text in _TRUE else False if text in _FALSE else None


def go_integer(text: str) -> int | None:
    """Read a decimal integer as Go's ``strconv.ParseInt`` does; ``None`` for what it refuses."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text, re.ASCII) else None


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a name was probably meant to be: the same but for case, else the most similar."""
    by_lower = {each.lower(): each for each in known}
    lower = name.lower()
    if lower in by_lower:
        return by_lower[lower]
    from difflib import get_close_matches

    close = get_close_matches(lower[:64], by_lower, 1, 0.8)
    return by_lower[close[0]] if close else None
