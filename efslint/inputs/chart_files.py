"""Finds charts and reads their files, from directories and from archives.

Knows how a chart is laid out on disk (helm/helm-www, ``docs/topics/charts``); leaves what stands in the files to
``helm``. Nothing is unpacked to disk, and links that lead out of a chart are not followed.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from efslint.inputs.reading import read_file, shown
from efslint.inputs.walk import CHART_FILE, TOOL_DIRECTORIES
from efslint.text.decode import DecodeError, decode
from efslint.text.source import Source

_NAME = r"^name:[ \t]*[\"']?([^\s\"'#]+)"
# What tells where a rendered line comes from; schemas, licences and READMEs do not.
_READ = re.compile(r"(?:Chart|values)\.ya?ml|(?:templates|crds)/.+\.(?:ya?ml|tpl|txt|json)")
_MOST_DIRECTORIES = 20_000
_MOST_BYTES = 32 * 1024 * 1024
_MOST_FILES = 5_000
_DEEPEST = 8


class ChartFiles(NamedTuple):
    """The files of one chart.

    ``path`` is how reports name its directory or its archive. ``files`` are those with values and templates, by their
    path within the chart. ``directory`` is what the chart is called within ``charts/`` of its parent. A chart from an
    archive has ``archived``: its files cannot be edited where they are.
    """

    path: str
    directory: str
    files: dict[str, Source]
    subcharts: tuple[ChartFiles, ...] = ()
    archived: bool = False


def is_chart(directory: str) -> bool:
    """Say whether a directory is one of a chart."""
    return Path(directory, CHART_FILE).is_file()


def find_charts(roots: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the directories of charts by name, below (or at) some directories, each once.

    Looks at most 20,000 directories deep into one root, nearest first, so that a home directory costs little.
    """
    found: dict[str, dict[str, str]] = {}
    places: dict[str, str] = {}
    for root in roots:
        places.setdefault(os.path.realpath(root), root)
    for root in places.values():
        for directory in _chart_directories(root):
            found.setdefault(chart_name(directory), {}).setdefault(os.path.realpath(directory), directory)
    return {name: tuple(paths.values()) for name, paths in found.items()}


def chart_name(directory: str) -> str:
    """Return the name that a ``Chart.yaml`` gives its chart; the empty string where it gives none."""
    read = read_file(str(Path(directory, CHART_FILE)))
    match = re.search(_NAME, read.text, re.MULTILINE) if isinstance(read, Source) else None
    return match[1] if match is not None else ""


def _chart_directories(root: str) -> Iterator[str]:
    waiting = [root]
    for number, directory in enumerate(waiting):
        if number == _MOST_DIRECTORIES:
            return
        try:
            with os.scandir(directory) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        if any(entry.name == CHART_FILE for entry in entries):
            yield directory
        waiting.extend(
            entry.path
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and entry.name not in TOOL_DIRECTORIES and entry.name != "templates"
        )


def read_chart(directory: str) -> ChartFiles:
    """Read a chart and its vendored subcharts; what cannot be read is left out."""
    return _read_directory(Path(directory), Path(os.path.realpath(directory)), 0)


def _read_directory(path: Path, root: Path, depth: int) -> ChartFiles:
    files: dict[str, Source] = {}
    for file in _walk(path, root):
        name = file.relative_to(path).as_posix()
        if _READ.fullmatch(name):
            read = read_file(str(file))
            if isinstance(read, Source):
                files[name] = read
    return ChartFiles(shown(str(path)), path.name, files, tuple(_subcharts(path, root, depth)))


def _walk(path: Path, root: Path) -> Iterator[Path]:
    for base, directories, names in os.walk(path):
        top = Path(base) == path
        directories[:] = sorted(name for name in directories if not top or name in ("templates", "crds"))
        for name in sorted(names):
            file = Path(base, name)
            if not file.is_symlink() or (file.is_file() and Path(os.path.realpath(file)).is_relative_to(root)):
                yield file


def _subcharts(path: Path, root: Path, depth: int) -> Iterator[ChartFiles]:
    if depth == _DEEPEST:
        return
    for entry in sorted(path.glob("charts/*")):
        if entry.suffix == ".tgz" and entry.is_file():
            yield from read_archive(entry)
        elif is_chart(str(entry)):
            yield _read_directory(entry, root, depth + 1)


def read_archive(path: Path) -> Iterator[ChartFiles]:
    """Read the chart of an archive; none where it is broken or larger than any chart."""
    found: dict[str, Source] = {}
    size = 0
    try:
        with tarfile.open(path, "r:gz") as archive:
            for number, member in enumerate(archive):
                size += member.size
                if number == _MOST_FILES or size > _MOST_BYTES:
                    return
                source = _member(archive, member, shown(str(path)))
                if source is not None:
                    found[member.name] = source
    except (OSError, EOFError, tarfile.TarError):
        return
    name = next((name.partition("/")[0] for name in found), "")
    yield _from_archive(found, name, name, shown(str(path)), 0)


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> Source | None:
    content = archive.extractfile(member) if member.isreg() else None
    try:
        return None if content is None else Source(f"{path}!/{member.name}", decode(content.read()))
    except DecodeError:
        return None


def _from_archive(found: dict[str, Source], prefix: str, directory: str, path: str, depth: int) -> ChartFiles:
    own = {name.removeprefix(f"{prefix}/"): source for name, source in found.items() if name.startswith(f"{prefix}/")}
    files = {name: source for name, source in own.items() if _READ.fullmatch(name)}
    inner = sorted({name.split("/")[1] for name in own if name.startswith("charts/") and name.count("/") > 1})
    subcharts = (_from_archive(found, f"{prefix}/charts/{each}", each, path, depth + 1) for each in inner)
    return ChartFiles(path, directory, files, tuple(subcharts) if depth < _DEEPEST else (), archived=True)


def chart_bytes(directory: str) -> dict[str, bytes]:
    """Return all files of a chart that Helm would pack, by their path within it; ``.helmignore`` is obeyed."""
    root, found, size = Path(directory), dict[str, bytes](), 0
    ignored = _helmignore(root)
    for base, directories, names in os.walk(root):
        directories[:] = sorted(name for name in directories if name not in TOOL_DIRECTORIES)
        for name in sorted(names):
            file = Path(base, name)
            path = file.relative_to(root).as_posix()
            if ignored(path) or not file.is_file():
                continue
            size += file.stat().st_size
            if size > _MOST_BYTES or len(found) == _MOST_FILES:
                return found
            found[path] = file.read_bytes()
    return found


def _helmignore(root: Path) -> Callable[[str], bool]:
    read = read_file(str(root / ".helmignore")) if (root / ".helmignore").is_file() else None
    if not isinstance(read, Source):
        return lambda _: False
    from pathspec import GitIgnoreSpec  # most charts that are met are not rendered

    try:
        return GitIgnoreSpec.from_lines(read.text.splitlines()).match_file
    except ValueError:
        return lambda _: False


def read_values_file(path: str) -> Source | None:
    """Read a file of values that somebody named; ``None`` where it cannot be read, of which the rendering tells."""
    read = read_file(path)
    return read if isinstance(read, Source) else None


def ci_values(directory: str) -> tuple[str, ...]:
    """Return the files of values with which chart-testing tries a chart (``ci/*-values.yaml``), sorted."""
    return tuple(str(path) for path in sorted(Path(directory).glob("ci/*-values.yaml")) if path.is_file())
