"""From the paths of a run to what is to be read, each once and in a stable order.

Walking directories is left to ``walk``, opening files to ``reading``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from efslint.inputs.read_bytes import MOST_BYTES
from efslint.inputs.reading import ChartDirectory, NotRegular, Read, Unreadable, read_file, read_stdin, shown
from efslint.inputs.walk import CHART_FILE, STDIN, expand


class File(NamedTuple):
    """A file that was found and is still to be read. ``size`` is in bytes, 0 where it is not known."""

    path: str
    size: int
    most_bytes: int = MOST_BYTES


def nothing(_: str) -> bool:
    """Leave out no path."""
    return False


class Seen:
    """What was met so far, so that nothing is read twice, however often and under whatever names it is given."""

    def __init__(self) -> None:
        self._known: set[tuple[int, int] | str] = set()

    def first(self, identity: tuple[int, int] | str) -> bool:
        """Say whether this is the first time."""
        known = identity in self._known
        self._known.add(identity)
        return not known


def find_sources(
    paths: Iterable[str],
    stdin_name: str = "<stdin>",
    excluded: Callable[[str], bool] = nothing,
    seen: Seen | None = None,
    most_bytes: int = MOST_BYTES,
) -> Iterator[Read | File]:
    """Find files, the manifests below directories, and standard input (``-``), each once, in a stable order.

    Files are left to ``read_found``; standard input is read at once. ``seen`` is shared by the calls of one run. What
    is larger than ``most_bytes`` is not read.
    """
    for found in _each_once(paths, excluded, Seen() if seen is None else seen):
        if isinstance(found, str):
            yield read_stdin(stdin_name, most_bytes)
        else:
            yield found._replace(most_bytes=most_bytes) if isinstance(found, File) else found


def read_found(found: Read | File) -> Read:
    """Read a file that was found; what was read already is returned as it is."""
    return read_file(found.path, found.most_bytes) if isinstance(found, File) else found


def read_sources(
    paths: Iterable[str],
    stdin_name: str = "<stdin>",
    excluded: Callable[[str], bool] = nothing,
    seen: Seen | None = None,
) -> Iterator[Read]:
    """Read what ``find_sources`` finds, one after the other."""
    return map(read_found, find_sources(paths, stdin_name, excluded, seen))


def list_files(
    paths: Iterable[str], excluded: Callable[[str], bool] = nothing
) -> Iterator[str | Unreadable | NotRegular]:
    """Name the files that a run over these paths would read, and what it would complain about.

    A chart is named by its ``Chart.yaml``.
    """
    for found in _each_once(paths, excluded, Seen()):
        if isinstance(found, ChartDirectory):
            yield f"{shown(found.path)}/{CHART_FILE}".removeprefix("./")
        else:
            yield shown(found.path) if isinstance(found, File) else found


def _each_once(
    paths: Iterable[str], excluded: Callable[[str], bool], seen: Seen
) -> Iterator[File | str | Unreadable | NotRegular | ChartDirectory]:
    """Yield what is to be read, ``-`` for standard input, and what cannot be."""
    given = tuple(paths)
    for path in given:
        if path == STDIN:
            if seen.first(STDIN):
                yield STDIN
            continue
        for found in expand(path, excluded, given):
            if not isinstance(found, str):
                if seen.first(found.path):
                    yield found
                continue
            identity, size = _identity(found)
            if seen.first(identity):
                yield File(found, size)


def _identity(path: str) -> tuple[tuple[int, int] | str, int]:
    """Tell files apart whatever they are called; two hard links are two files, each at its own place.

    Returns the size, too.
    """
    try:
        status = os.stat(path)
    except OSError:
        return path, 0
    single = status.st_ino and status.st_nlink < 2
    return (status.st_dev, status.st_ino) if single else os.path.realpath(path), status.st_size
