"""From a path to the manifests below it, without opening them.

Knows what is walked into, what is left alone, and what in a directory is no manifest of its own: the parts of a chart
and the patches of a kustomization.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from efslint.inputs.reading import ChartDirectory, NotRegular, Unreadable, read_file, shown, why
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

Found: TypeAlias = str | Unreadable | NotRegular | ChartDirectory


def expand(path: str, excluded: Callable[[str], bool], given: tuple[str, ...]) -> Iterator[Found]:
    """Yield a file as it is, and of a directory the manifests below it. ``given`` are all paths of the run."""
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


def _walk(directory: str, excluded: Callable[[str], bool], given: tuple[str, ...]) -> Iterator[Found]:
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
