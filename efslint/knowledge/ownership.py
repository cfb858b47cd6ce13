"""Commands that change the owner of files.

Knows ``chown``, ``install`` and ``find`` with ``chown`` as coreutils and findutils document them; leaves what the files
lie on to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from efslint.knowledge.commands import Line, expand
from efslint.knowledge.directories import at_or_below, normal

# What follows "||" runs when the change fails, so the failure is expected.
_EXPECTED = re.compile(r"\b(?:chown|install)\b(?:(?!\b(?:chown|install)\b)[^\n;|])*+\|\|")


class OwnerChange(NamedTuple):
    """A change of owner: the command as it is run, the new owner and group as text, and where.

    ``program`` is ``chown`` or ``install``. ``group`` is ``None`` where the group is left alone.
    """

    program: str
    command: str
    owner: str
    group: str | None
    paths: tuple[str, ...]
    recursive: bool

    def reaches(self, directory: str) -> bool:
        """Say whether the change is one of a directory (a normal path) or of something in it."""
        return any(
            at_or_below(path, directory) or (self.recursive and at_or_below(directory, path)) for path in self.paths
        )


def owner_changes(lines: Iterable[Line], env: Mapping[str, str | None]) -> Iterator[OwnerChange]:
    """Yield the changes of owner among simple commands; what depends on values that are not known is left out."""
    for line in lines:
        read = {"chown": _chown, "install": _install, "find": _find}.get(line[0])
        if read is None:
            continue
        found = read(line)
        if found is not None:
            who, written, recursive = found
            owner, group = _who(who, env)
            paths = tuple(path for each in written if (path := normal(expand(each, env) or "")) is not None)
            if owner and paths:
                yield OwnerChange(
                    "install" if line[0] == "install" else "chown", " ".join(line), owner, group, paths, recursive
                )


def failure_expected(words: Iterable[str]) -> bool:
    """Say whether a script goes on to something else when a change of owner fails."""
    return any(_EXPECTED.search(word) for word in words)


def _who(text: str, env: Mapping[str, str | None]) -> tuple[str, str | None]:
    """Split ``owner[:[group]]``; an empty owner where it is unknown or only the group changes."""
    owner, _, group = (expand(text, env) or "").replace(".", ":", 1).partition(":")
    return ("0" if owner == "root" else owner), group or None


_Found = tuple[str, tuple[str, ...], bool]


def _chown(line: Line) -> _Found | None:
    options = [word for word in line[1:] if word.startswith("-")]
    operands = [word for word in line[1:] if not word.startswith("-")]
    if len(operands) < 2 or any(option.startswith("--reference") for option in options):
        return None
    recursive = any(option == "--recursive" or re.fullmatch("-[A-Za-z]*R[A-Za-z]*", option) for option in options)
    return operands[0], tuple(operands[1:]), recursive


def _find(line: Line) -> _Found | None:
    """Read ``find PATH… … -exec chown OWNER {} +``."""
    if "chown" not in line:
        return None
    start = [word for word in line[1:] if word not in ("-L", "-H", "-P")]
    length = next((at for at, word in enumerate(start) if word.startswith(("-", "!", "("))), len(start))
    inner = _chown(line[line.index("chown") :])
    return None if inner is None else (inner[0], tuple(start[:length]), True)


def _install(line: Line) -> _Found | None:
    owner, operands, value_of = "", [], ""
    for word in line[1:]:
        if value_of:
            owner = word if value_of == "-o" else owner
            value_of = ""
        elif word in ("-o", "-g", "-m", "-t", "-S"):
            value_of = word
        elif word.startswith(("-o", "--owner=")):
            owner = word[2:].removeprefix("owner=")
        elif not word.startswith("-"):
            operands.append(word)
    if not owner or not operands:
        return None
    directories = any(word == "--directory" or re.fullmatch("-[A-Za-z]*d[A-Za-z]*", word) for word in line[1:])
    return owner, tuple(operands if directories else operands[-1:]), False
