"""From paths to sources. The one place that opens manifests.

Knows files, directories and standard input; leaves what stands in them to others. What cannot be read is a value, not
an exception, so that one bad path loses nothing else.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from efslint.inputs.read_bytes import MOST_BYTES, read_bytes, read_stream
from efslint.text.decode import DecodeError, decode
from efslint.text.source import Source

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "-"
# Directories of tools, which hold no manifests of the project itself.
TOOL_DIRECTORIES = frozenset((".git", ".hg", ".svn", ".tox", ".venv", ".terraform", "node_modules", "__pycache__"))
CHART_FILE = "Chart.yaml"
# What rendering a chart takes care of.
_CHART_DIRECTORIES = frozenset(("templates", "charts", "ci"))
_CHART_FILES = re.compile(r"Chart\.(?:yaml|lock)|values[^/]*\.(?:ya?ml|json)")
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
# Emacs locks a file with a dangling link of this name beside it.
_EDITOR_LOCK = ".#"


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


class File(NamedTuple):
    """A file that was found and is still to be read. ``size`` is in bytes, 0 where it is not known."""

    path: str
    size: int
    most_bytes: int = MOST_BYTES


Read: TypeAlias = Source | Unreadable | NotText | NotRegular | ChartDirectory
_Found: TypeAlias = str | Unreadable | NotRegular | ChartDirectory


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
            yield _read_stdin(stdin_name, most_bytes)
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


def read_file(path: str, most_bytes: int = MOST_BYTES) -> Read:
    """Read and decode one file."""
    try:
        data = read_bytes(path, most_bytes)
    except (OSError, ValueError) as error:  # a path that holds a NUL is a ValueError
        return Unreadable(shown(path), why(error))
    return _decoded(data, shown(path), most_bytes)


def _read_stdin(name: str, most_bytes: int) -> Read:
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
        for found in _expand(path, excluded, given):
            if not isinstance(found, str):
                if seen.first(found.path):
                    yield found
                continue
            identity, size = _identity(found)
            if seen.first(identity):
                yield File(found, size)


def _expand(path: str, excluded: Callable[[str], bool], given: tuple[str, ...]) -> Iterator[_Found]:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        yield Unreadable(shown(path), why(error))
        return
    if stat.S_ISDIR(mode):
        yield from _walk(path, excluded, given)
    elif not excluded(shown(path)):
        yield path


class _Level(NamedTuple):
    """A directory that is being walked: what is left of it, and the files in it that are no objects."""

    left: Iterator[os.DirEntry[str] | Unreadable | ChartDirectory]
    patches: frozenset[str]


def _walk(directory: str, excluded: Callable[[str], bool], given: tuple[str, ...]) -> Iterator[_Found]:
    """Walk a directory in sorted order. Links to directories are not followed, so there are no loops; those that lead
    to where nothing of what is ``given`` will be read are named.
    """
    levels = [_level(directory, excluded, frozenset())]  # no recursion: directories may nest deeper than calls
    while levels:
        entry = next(levels[-1].left, None)
        if entry is None:
            levels.pop()
        elif isinstance(entry, (Unreadable, ChartDirectory)):
            yield entry
        elif entry.is_dir(follow_symlinks=False):
            if entry.name not in TOOL_DIRECTORIES and not excluded(shown(entry.path) + "/"):
                levels.append(_level(entry.path, excluded, levels[-1].patches))
        elif _leads_to_directory(entry):
            known = entry.name in TOOL_DIRECTORIES or _is_below(entry.path, given)
            if not known and not excluded(shown(entry.path) + "/"):
                yield NotRegular(shown(entry.path), "link-to-directory")
        elif _is_manifest(entry.name) and not excluded(shown(entry.path)):
            patches = levels[-1].patches
            is_patch = bool(patches) and os.path.realpath(entry.path) in patches
            yield NotRegular(shown(entry.path), "kustomize-patch") if is_patch else _entry(entry)


def _level(directory: str, excluded: Callable[[str], bool], patches: frozenset[str]) -> _Level:
    try:
        with os.scandir(directory) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        return _Level(iter((Unreadable(shown(directory), why(error)),)), patches)
    names = frozenset(entry.name for entry in entries)
    patches |= _patches(directory, names)
    if CHART_FILE in names and _is_rendered(directory, excluded):
        others = (entry for entry in entries if not _is_part_of_chart(entry))
        return _Level(iter((ChartDirectory(directory), *others)), patches)
    return _Level(iter(entries), patches)


def _is_rendered(directory: str, excluded: Callable[[str], bool]) -> bool:
    """Say whether a chart is to be rendered; who excludes its templates does not want them seen in any way."""
    return not any(excluded(shown(f"{directory}/{name}") + end) for name, end in ((CHART_FILE, ""), ("templates", "/")))


def _is_part_of_chart(entry: os.DirEntry[str]) -> bool:
    if entry.is_dir(follow_symlinks=False):
        return entry.name in _CHART_DIRECTORIES
    return _CHART_FILES.fullmatch(entry.name) is not None


def _patches(directory: str, names: frozenset[str]) -> frozenset[str]:
    """Return the patches that a ``kustomization.yaml`` among the names of a directory lists."""
    name = next((name for name in _KUSTOMIZATIONS if name in names), None)
    read = read_file(f"{directory}/{name}") if name is not None else None
    if not isinstance(read, Source):
        return frozenset()
    from efslint.inputs.kustomize import patch_files  # few directories have one

    return patch_files(read, directory)


def _is_manifest(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.startswith(_EDITOR_LOCK)


def _leads_to_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:  # links in a circle, which opening will complain about if it comes to that
        return False


def _is_below(path: str, given: tuple[str, ...]) -> bool:
    place = os.path.realpath(path)
    tops = (os.path.realpath(each) for each in given if each != STDIN)
    return any(place == top or place.startswith(top.rstrip(os.sep) + os.sep) for top in tops)


def _entry(entry: os.DirEntry[str]) -> str | Unreadable | NotRegular:
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        return Unreadable(shown(entry.path), why(error))
    return entry.path if stat.S_ISREG(mode) else NotRegular(shown(entry.path))


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
