"""Directories in a container: which mount holds which directory.

Knows absolute POSIX paths as text, and neither images nor volumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# Directories that many things share: one being the parent of a data directory says nothing of its other children.
_SHARED = frozenset(
    "/ /var /var/lib /var/log /var/opt /usr /usr/local /usr/share /opt /opt/bitnami /bitnami /srv /home /mnt /media "
    "/etc /root /tmp /run /app".split()
)


class DataDirectory(NamedTuple):
    """A directory in which an engine keeps files.

    ``role`` is ``"data"`` or ``"log"`` (a write-ahead log kept elsewhere). ``why`` says who chose it: ``image
    default``, or the variable or option. ``certain`` is false where it is one of several it may be. ``aside`` are names
    of directories below it that hold no data, ``divided`` is false where no directory below it holds data.
    """

    path: str
    role: str
    why: str
    certain: bool
    aside: frozenset[str] = frozenset()
    divided: bool = True


class Holding(NamedTuple):
    """A mount and the data directory it holds; ``whole`` is false where it holds only a part of the directory."""

    mount: str
    directory: str
    role: str
    why: str
    certain: bool
    whole: bool


def normal(path: str) -> str | None:
    """Return an absolute path without ``.``, ``..`` and superfluous slashes; ``None`` for a relative one."""
    if not path.startswith("/"):
        return None
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def at_or_below(path: str, directory: str) -> bool:
    """Say whether a normal path is a directory or lies below it."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def holds(directories: Iterable[DataDirectory], mounts: Iterable[str]) -> tuple[Holding, ...]:
    """Return the mounts that hold data directories, each with the text it was given as.

    A directory is held by the longest mount path at or above it. A mount below it holds a part, unless the part is
    known to be no data, looks like a single file, or the directory has so short a path that anything may lie below.
    """
    known = _known(mounts)
    return tuple(holding for directory in directories for holding in _held(directory, known))


def beside(directories: Iterable[DataDirectory], mounts: Iterable[str]) -> tuple[tuple[str, DataDirectory], ...]:
    """Return the mounts that were probably meant for a data directory and miss it, each with that directory.

    Such a mount lies in a directory above the data directory that is not a common one, is not known to be for something
    else, and no mount holds anything of any of the directories. Directories that are not certain say nothing.
    """
    known, all_ = _known(mounts), tuple(directories)
    if any(True for directory in all_ for _ in _held(directory, known)) or not all(each.certain for each in all_):
        return ()
    return tuple(
        (written, directory)
        for directory in all_
        if directory.role == "data"
        for path, written in known
        if _near(path, directory)
    )


def _known(mounts: Iterable[str]) -> list[tuple[str, str]]:
    pairs = ((normal(written), written) for written in mounts)
    return [(path, written) for path, written in pairs if path is not None]


def _held(directory: DataDirectory, mounts: list[tuple[str, str]]) -> Iterator[Holding]:
    path, role, why, certain = directory[:4]
    above = [pair for pair in mounts if at_or_below(path, pair[0])]
    if above:
        _, written = max(above, key=lambda pair: len(pair[0]))
        yield Holding(written, path, role, why, certain, whole=True)
    if directory.divided and path.count("/") > 1:
        for mount, written in mounts:
            if mount != path and at_or_below(mount, path) and _is_data(mount[len(path) + 1 :], directory.aside):
                yield Holding(written, path, role, why, certain, whole=False)


def _near(path: str, directory: DataDirectory) -> bool:
    parent, _, name = path.rpartition("/")
    shared = not parent or parent in _SHARED
    return not shared and at_or_below(directory.path, parent) and _is_data(name, directory.aside)


def _is_data(relative: str, aside: frozenset[str]) -> bool:
    """Judge a path below a data directory by its names."""
    names = relative.lower().split("/")
    return "." not in names[-1] and not any(name in aside for name in names)
