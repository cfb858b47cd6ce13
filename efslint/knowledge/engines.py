"""Recognising databases and other keepers of data in containers.

Knows how an image, a command and an environment are read together; what is known of each engine is data
(``engines.yaml``). Where the mounts lead is left to the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from efslint.knowledge.catalogue import Engine, External, ImagePattern, Setting, load_engines
from efslint.knowledge.commands import Line, Runs, expand, operands, option_values, runs, simple_commands
from efslint.knowledge.data import KnowledgeError
from efslint.knowledge.directories import DataDirectory, Holding, beside, holds, normal
from efslint.knowledge.images import Image, parse_image

__all__ = [
    "ContainerFacts",
    "DataDirectory",
    "Engine",
    "Holding",
    "KnowledgeError",
    "Recognised",
    "beside",
    "holds",
    "load_engines",
    "recognise",
]

# Trailing words of an image name that say a version or an operating system: company-postgresql-15, mysql-80-centos7.
_VERSION = re.compile(r"(?:[-_.](?:v?\d++(?:\.++\d++)*+|alpine|centos\d+|rhel\d+|ubi\d+|c\d+s))++$")

# bitnami's images link /opt/bitnami/NAME/data and /bitnami/NAME/data; the chart's mounts use either name.
_BITNAMI_HOME = "/opt/bitnami/"


class ContainerFacts(NamedTuple):
    """What a container says, as plain text.

    ``env`` maps names to values, ``None`` for a value that is not in the manifest (``valueFrom``). ``mounts`` are all
    its mount paths, whatever is mounted. ``init`` is true for a container that ends before the others start, so not for
    a native sidecar. ``env_open`` is true where more variables come from somewhere that was not read (``envFrom``).
    """

    image: str | None
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: Mapping[str, str | None] = {}
    mounts: tuple[str, ...] = ()
    init: bool = False
    env_open: bool = False


class Recognised(NamedTuple):
    """The engine a container runs and where it keeps its data."""

    engine: Engine
    data: tuple[DataDirectory, ...]


def recognise(container: ContainerFacts, engines: tuple[Engine, ...]) -> Recognised | None:
    """Say which engine a container runs, or ``None``: for clients, init containers, and all that is not known.

    An image is recognised by its name; one that is not, by variables that only one engine uses, or by the ending of its
    name, both only where a mount lies at the data directory.
    """
    image = parse_image(container.image) if container.image else None
    if container.init or image is None:
        return None
    index = _index(engines)
    named = _by_image(image, index)
    if named is not None:
        return _judge(*named, image, container)
    for engine in _by_signal(container, index):
        found = _judge(engine, engine.images, image, container)
        if found is not None and holds(found.data, container.mounts) and not _bystander(engine, image):
            return found
    for engine in _by_suffix(image, index):
        found = _judge(engine, engine.images, image, container)
        # A directory such as /data says nothing: many images that end in -redis are applications with a client.
        held = holds(found.data, container.mounts) if found is not None else ()
        if any(each.directory.count("/") > 1 for each in held) and not _bystander(engine, image):
            return found
    return None


class _Index(NamedTuple):
    """Engines by the last segment of their images' names, by the endings of names, and by variables."""

    exact: Mapping[str, tuple[tuple[Engine, ImagePattern], ...]]
    globs: tuple[tuple[Engine, ImagePattern], ...]
    suffixes: Mapping[str, Engine]
    signals: Mapping[str, Engine]


@lru_cache(maxsize=8)
def _index(engines: tuple[Engine, ...]) -> _Index:
    exact: dict[str, list[tuple[Engine, ImagePattern]]] = {}
    globs: list[tuple[Engine, ImagePattern]] = []
    suffixes: dict[str, Engine] = {}
    signals: dict[str, Engine] = {}
    for engine in engines:
        for pattern in engine.images:
            last = pattern.segments[-1]
            (globs if _is_glob(last) else exact.setdefault(last, [])).append((engine, pattern))
        for suffix in engine.suffixes:
            suffixes.setdefault(suffix, engine)
        for signal in engine.signals:
            signals.setdefault(signal, engine)
    return _Index({last: tuple(pairs) for last, pairs in exact.items()}, tuple(globs), suffixes, signals)


def _by_image(image: Image, index: _Index) -> tuple[Engine, tuple[ImagePattern, ...]] | None:
    """Return the engine whose patterns name most segments of the image, and those patterns."""
    exact = [pair for pair in index.exact.get(image.segments[-1], ()) if _fits(pair[1].segments, image.segments)]
    globs = (pair for pair in index.globs if _fits(pair[1].segments, image.segments))
    fitting = exact + [pair for pair in globs if not _bystander(pair[0], image)]
    if not fitting:
        return None
    engine, best = max(fitting, key=lambda pair: len(pair[1].segments))
    return engine, tuple(p for e, p in fitting if e is engine and len(p.segments) == len(best.segments))


def _is_glob(text: str) -> bool:
    return any(mark in text for mark in "*?[")


def _fits(pattern: tuple[str, ...], segments: tuple[str, ...]) -> bool:
    if len(pattern) > len(segments):
        return False
    tail = segments[len(segments) - len(pattern) :]
    return all(glob == part or fnmatchcase(part, glob) for glob, part in zip(pattern, tail, strict=True))


def _bystander(engine: Engine, image: Image) -> bool:
    return any(fnmatchcase(image.segments[-1], glob) for glob in engine.bystanders)


def _by_signal(container: ContainerFacts, index: _Index) -> Iterator[Engine]:
    for name, value in container.env.items():
        if value and name in index.signals:
            yield index.signals[name]


def _by_suffix(image: Image, index: _Index) -> Iterator[Engine]:
    """Yield the engine whose word ends the name, or is all of it, once a version behind it is taken off."""
    words = re.split("[-_]", _VERSION.sub("", image.segments[-1]))
    if words[-1] in index.suffixes:
        yield index.suffixes[words[-1]]


def _judge(
    engine: Engine, patterns: tuple[ImagePattern, ...], image: Image, container: ContainerFacts
) -> Recognised | None:
    lines = simple_commands(container.command, container.args, engine.entrypoint)
    if runs(lines, engine.servers, engine.clients) is Runs.CLIENT:
        return None
    if engine.off and all(value in option_values(lines, option) for option, value in engine.off):
        return None
    if any(_outside(setting, lines, container) for setting in engine.external):
        return None
    data = _directories(engine, patterns, image, container, lines, "data")
    log = _directories(engine, patterns, image, container, lines, "log")
    return Recognised(engine, (*data, *log))


def _outside(setting: External, lines: tuple[Line, ...], container: ContainerFacts) -> bool:
    """Say whether a setting names an external store, or may do so with a value that was not read."""
    if setting.option:
        values: list[str | None] = [expand(value, container.env) for value in option_values(lines, setting.name)]
    else:
        # Gitea and others read the sections in their variables' names without regard to case.
        values = [value for name, value in container.env.items() if name.lower() == setting.name.lower()]
        if not values:
            return container.env_open
    return any(value is None or _listed(value.lower(), setting.values) for value in values)


def _listed(value: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(value, glob) for glob in globs) if globs else value != ""


def _directories(
    engine: Engine,
    patterns: tuple[ImagePattern, ...],
    image: Image,
    container: ContainerFacts,
    lines: tuple[Line, ...],
    role: str,
) -> tuple[DataDirectory, ...]:
    """Return where the files of one role are: what options say, else variables, else the image."""
    divided = engine.category == "database"
    told = list(_told(engine, container, lines, role))
    known = [(path, why) for path, why in told if path is not None]
    if known:
        return tuple(DataDirectory(path, role, why, True, engine.aside, divided) for path, why in dict(known).items())
    inside = _in_range(patterns, image.major)
    paths = _paths(inside, role, image.major)
    certain = len(paths) == 1 and not told
    defaults = tuple(DataDirectory(path, role, "image default", certain, engine.aside, divided) for path in paths)
    if any(holding.whole for holding in holds(defaults, container.mounts)):
        return defaults
    # The directories of a version that this image is not stay ruled out, also where another image has the same.
    ruled_out = _paths((pattern for pattern in patterns if pattern not in inside), role, image.major)
    others = _paths((pattern for pattern in engine.images if pattern not in patterns), role, image.major)
    elsewhere = (path for path in others if path not in (*ruled_out, *paths))
    possible = tuple(
        DataDirectory(path, role, "another image's default", False, engine.aside, divided) for path in elsewhere
    )
    held = {holding.directory for holding in holds(possible, container.mounts) if holding.whole}
    return (*defaults, *(each for each in possible if each.path in held))


def _told(
    engine: Engine, container: ContainerFacts, lines: tuple[Line, ...], role: str
) -> Iterator[tuple[str | None, str]]:
    """Yield the directories that options name, or else the first variable that is set; ``None`` for unknown ones."""
    found = False
    if role == "data" and engine.operands:
        for path in operands(lines, engine.operands):
            found = True
            yield normal(path), "argument"
    for setting in engine.arguments:
        if setting.role == role:
            for value in option_values(lines, setting.name):
                found = True
                yield from _moved(setting, value, container.env)
    for setting in () if found else engine.environment:
        if setting.role == role and setting.name in container.env:
            yield from _moved(setting, container.env[setting.name], container.env)
            return


def _moved(setting: Setting, value: str | None, env: Mapping[str, str | None]) -> Iterator[tuple[str | None, str]]:
    text = None if value is None else expand(value, env)
    if text is None:
        yield None, setting.name
        return
    for part in text.split(setting.separator) if setting.separator else (text,):
        # cockroach --store=path=/data,size=1GiB; minio and others take URLs of local directories
        path = normal(part.strip().removeprefix("path=").removeprefix("file://"))
        if path is None:
            yield None, setting.name
        else:
            yield normal(f"{path}/{setting.append}"), setting.name
            if path.startswith(_BITNAMI_HOME):
                yield normal(f"/bitnami/{path.removeprefix(_BITNAMI_HOME)}/{setting.append}"), setting.name


def _in_range(patterns: tuple[ImagePattern, ...], major: int | None) -> tuple[ImagePattern, ...]:
    """Return the patterns whose versions include a tag's; all of them where the tag says none."""
    if major is None:
        return patterns
    return tuple(
        pattern
        for pattern in patterns
        if (pattern.below is None or major < pattern.below) and (pattern.since is None or major >= pattern.since)
    )


def _paths(patterns: Iterable[ImagePattern], role: str, major: int | None) -> tuple[str, ...]:
    """Return the directories of patterns; a tag without a version is taken to be of the first that has them."""
    return tuple(
        dict.fromkeys(
            path.replace("{major}", str(pattern.since if major is None else major))
            for pattern in patterns
            for path in (pattern.data if role == "data" else pattern.log)
        )
    )
