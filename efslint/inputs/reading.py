"""From one path to one source, or to why there is none.

What cannot be read is a value, not an exception, so that one bad path loses nothing else. Finding paths is left to
``walk`` and ``files``.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from efslint.inputs.read_bytes import MOST_BYTES, read_bytes, read_stream
from efslint.text.decode import DecodeError, decode
from efslint.text.source import Source


class Unreadable(NamedTuple):
    """A path that is missing or cannot be read: the job cannot be done as asked."""

    path: str
    reason: str


class NotText(NamedTuple):
    """A file that was read and is not text. ``source`` is what stands before the place at which it stops being text,
    ``offset``.
    """

    source: Source
    offset: int
    reason: str


class NotRegular(NamedTuple):
    """Something in a directory that is left alone: no regular file, such as a socket or a link that leads to a
    directory elsewhere, or a patch of kustomize, which is no object. ``reason`` is the short word for it.
    """

    path: str
    reason: str = "not-a-regular-file"


class ChartDirectory(NamedTuple):
    """The directory of a Helm chart: its templates are to be rendered, not read."""

    path: str


Read: TypeAlias = Source | Unreadable | NotText | NotRegular | ChartDirectory


def read_file(path: str, most_bytes: int = MOST_BYTES) -> Read:
    """Read and decode one file."""
    try:
        data = read_bytes(path, most_bytes)
    except (OSError, ValueError) as error:  # a path that holds a NUL is a ValueError
        return Unreadable(shown(path), why(error))
    return _decoded(data, shown(path), most_bytes)


def read_stdin(name: str, most_bytes: int) -> Read:
    stdin = getattr(sys.stdin, "buffer", None)  # there is no standard input when the caller has closed it
    if stdin is None:
        return Unreadable(name, "standard input is closed")
    try:
        return _decoded(read_stream(stdin, most_bytes), name, most_bytes)
    except OSError as error:
        return Unreadable(name, why(error))


def _decoded(data: bytes, path: str, most_bytes: int) -> Read:
    if len(data) > most_bytes:
        mebi, rest = divmod(most_bytes, 1024 * 1024)
        limit = f"{most_bytes} bytes" if rest else f"{mebi} MiB"
        return Unreadable(path, f"larger than {limit}, the max-file-size of the configuration")
    try:
        return Source(path, decode(data))
    except DecodeError as error:
        before = decode(data[: error.offset])
        return NotText(Source(path, before), len(before), error.message)


def why(error: OSError | ValueError) -> str:
    """Say in plain words why a path cannot be used."""
    text = getattr(error, "strerror", None) or str(error)
    if "embedded null" in text:  # which Python 3.13 words in another way
        return "embedded null byte"
    return f"{text[:1].lower()}{text[1:]}"


def shown(path: str) -> str:
    """Return a path as reports print it: relative to the working directory, with forward slashes."""
    directory, name = os.path.split(path)
    here = os.getcwd()
    if not directory or name in ("", os.curdir, os.pardir, *here.split(os.sep)):  # it may lead to where we are
        return _relative(path)
    # Most files stand beside others, and working out a relative path takes as long as reading a small file.
    beside = _shown_directory(directory, here)
    return name if beside == os.curdir else f"{beside}/{name}"


@lru_cache(maxsize=64)
def _shown_directory(directory: str, _: str) -> str:
    return _relative(directory)


def _relative(path: str) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:  # pragma: no cover - only on Windows: another drive has no relative path
        relative = path
    return relative.replace(os.sep, "/")
