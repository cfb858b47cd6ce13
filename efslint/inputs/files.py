"""From paths to sources. The one place that opens manifests.

Knows files, directories and standard input; leaves what stands in them to others. What cannot be read is a value, not
an exception, so that one bad path loses nothing else.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from efslint.text.decode import DecodeError, decode
from efslint.text.source import Source

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "-"
# Directories of tools, which hold no manifests of the project itself.
TOOL_DIRECTORIES = frozenset((".git", ".hg", ".svn", ".tox", ".venv", ".terraform", "node_modules", "__pycache__"))
# More than any manifest; what ends this limit is an endless file such as a device.
MOST_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A path that is missing or cannot be read: the job cannot be done as asked."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class NotText:
    """A file that was read and is not text. ``source`` is what can be told of it, ``offset`` where it stops being
    text.
    """

    source: Source
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class NotRegular:
    """Something in a directory that is no regular file, such as a socket; it is left alone."""

    path: str


Read: TypeAlias = Source | Unreadable | NotText | NotRegular


def nothing(_: str) -> bool:
    """Leave out no path."""
    return False


def read_sources(
    paths: Iterable[str], stdin_name: str = "<stdin>", excluded: Callable[[str], bool] = nothing
) -> Iterator[Read]:
    """Read files, the manifests below directories, and standard input (``-``), each once, in a stable order."""
    seen: set[tuple[int, int] | str] = set()
    for path in paths:
        if path == STDIN:
            if STDIN not in seen:
                seen.add(STDIN)
                yield _read_stdin(stdin_name)
            continue
        for found in _expand(path, excluded):
            if isinstance(found, str):
                identity = _identity(found)
                if identity not in seen:
                    seen.add(identity)
                    yield read_file(found)
            else:
                yield found


def list_files(
    paths: Iterable[str], excluded: Callable[[str], bool] = nothing
) -> Iterator[str | Unreadable]:
    """Name the files that a run over these paths would read."""
    seen: set[tuple[int, int] | str] = set()
    for path in paths:
        for found in (path,) if path == STDIN else _expand(path, excluded):
            if isinstance(found, str):
                identity = _identity(found)
                if identity not in seen:
                    seen.add(identity)
                    yield STDIN if found == STDIN else shown(found)
            elif isinstance(found, Unreadable):
                yield found


def read_file(path: str) -> Read:
    """Read and decode one file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        return Unreadable(shown(path), _why(error))
    return _decoded(data, shown(path))


def _read_stdin(name: str) -> Read:
    try:
        return _decoded(sys.stdin.buffer.read(MOST_BYTES + 1), name)
    except OSError as error:
        return Unreadable(name, _why(error))


def _decoded(data: bytes, path: str) -> Read:
    if len(data) > MOST_BYTES:
        return Unreadable(path, f"larger than {MOST_BYTES // 1024 // 1024} MiB")
    try:
        return Source(path, decode(data))
    except DecodeError as error:
        # Latin-1 gives every byte a character, so that the place can be counted.
        return NotText(Source(path, data[: error.offset].decode("latin-1")), error.offset, error.message)


def _expand(path: str, excluded: Callable[[str], bool]) -> Iterator[str | Unreadable | NotRegular]:
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError) as error:
        yield Unreadable(shown(path), _why(error))
        return
    if stat.S_ISDIR(mode):
        yield from _walk(path, excluded)
    elif not excluded(shown(path)):
        yield path


def _walk(directory: str, excluded: Callable[[str], bool]) -> Iterator[str | Unreadable | NotRegular]:
    """Walk a directory in sorted order; links to directories are not followed, so there are no loops."""
    try:
        with os.scandir(directory) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        yield Unreadable(shown(directory), _why(error))
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in TOOL_DIRECTORIES and not excluded(shown(entry.path) + "/"):
                yield from _walk(entry.path, excluded)
        elif entry.name.endswith(SUFFIXES) and not excluded(shown(entry.path)):
            yield from _entry(entry)


def _entry(entry: os.DirEntry[str]) -> Iterator[str | Unreadable | NotRegular]:
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        yield Unreadable(shown(entry.path), _why(error))
        return
    if stat.S_ISREG(mode):
        yield entry.path
    elif not stat.S_ISDIR(mode):
        yield NotRegular(shown(entry.path))


def _identity(path: str) -> tuple[int, int] | str:
    try:
        status = Path(path).stat()
    except OSError:
        return path
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)


def shown(path: str) -> str:
    """Return a path as reports print it: relative to the working directory, with forward slashes."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # pragma: no cover - only on Windows: another drive has no relative path
        relative = path
    return relative.replace(os.sep, "/")
