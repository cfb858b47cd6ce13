"""Recognising databases and other keepers of data in containers.

Knows how an image, a command and an environment are read together; what is known of each engine is data
(``engines.yaml``). Where the mounts lead is left to the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from efslint.knowledge.catalogue import Engine, External, ImagePattern, load_engines
from efslint.knowledge.commands import Line, Runs, expand, option_values, runs, simple_commands
from efslint.knowledge.data import KnowledgeError
from efslint.knowledge.directories import DataDirectory, Holding, beside, holds
from efslint.knowledge.engine_directories import ContainerFacts, engine_directories
from efslint.knowledge.images import Image, parse_image

__all__ = [
    "ContainerFacts",
    "DataDirectory",
    "Engine",
    "Holding",
    "KnowledgeError",
    "Recognised",
    "beside",
    "engine_of",
    "holds",
    "load_engines",
    "recognise",
]

# Trailing words of an image name that say a version or an operating system, or nothing: company-postgresql-15,
# mysql-80-centos7, postgres-custom.
_QUALIFIERS = re.compile(
    r"(?:[-_.](?:v?\d++(?:\.++\d++)*+|alpine|bookworm|bullseye|centos\d+|debian|rhel\d+|slim|ubi\d+|ubuntu|c\d+s"
    r"|amd64|arm64|base|broker|custom|database|db|docker|extended|fips|ha|image|primary|rs|server|ssl|standalone))++$"
)


class Recognised(NamedTuple):
    """The engine a container runs and where it keeps its data."""

    engine: Engine
    data: tuple[DataDirectory, ...]


def recognise(container: ContainerFacts, engines: tuple[Engine, ...]) -> Recognised | None:
    """Say which engine a container runs, or ``None``: for clients, init containers, and all that is not known.

    An image is recognised by its name; one that is not, by variables that only one engine uses, by the ending of its
    name, or by the server that its command starts, all only where a mount lies at the data directory.
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
    for engine in _by_program(container, index):
        found = _judge(engine, engine.images, image, container)
        # Where the command does not say which directory, one such as /data is as likely to be for something else.
        held = holds(found.data, container.mounts) if found is not None else ()
        if any(each.certain or each.directory.count("/") > 1 for each in held):
            return found
    return None


@lru_cache(maxsize=8)
def _by_id(engines: tuple[Engine, ...]) -> Mapping[str, Engine]:
    return {engine.id: engine for engine in engines}


def engine_of(engines: tuple[Engine, ...], identity: str) -> Engine:
    """Return an engine by its id; ``KeyError`` if there is none."""
    return _by_id(engines)[identity]


class _Index(NamedTuple):
    """Engines by the last segment of their images' names, by the endings of names, by variables and by servers.

    ``programs`` are the databases of which a server has that name, whatever its arguments.
    """

    exact: Mapping[str, tuple[tuple[Engine, ImagePattern], ...]]
    globs: tuple[tuple[Engine, ImagePattern], ...]
    suffixes: Mapping[str, Engine]
    signals: Mapping[str, Engine]
    programs: Mapping[str, tuple[Engine, ...]]


@lru_cache(maxsize=8)
def _index(engines: tuple[Engine, ...]) -> _Index:
    exact: dict[str, list[tuple[Engine, ImagePattern]]] = {}
    globs: list[tuple[Engine, ImagePattern]] = []
    suffixes: dict[str, Engine] = {}
    signals: dict[str, Engine] = {}
    programs: dict[str, dict[str, Engine]] = {}
    for engine in engines:
        for pattern in engine.images:
            last = pattern.segments[-1]
            (globs if _is_glob(last) else exact.setdefault(last, [])).append((engine, pattern))
        for suffix in engine.suffixes:
            suffixes.setdefault(suffix, engine)
        for signal in engine.signals:
            signals.setdefault(signal, engine)
        for server in engine.servers if engine.category == "database" else ():
            programs.setdefault(server.split()[0], {})[engine.id] = engine
    return _Index(
        {last: tuple(pairs) for last, pairs in exact.items()},
        tuple(globs),
        suffixes,
        signals,
        {program: tuple(mine.values()) for program, mine in programs.items()},
    )


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
    """Yield the engine whose word ends the name, or is all of it, once what says no more behind it is taken off."""
    words = re.split("[-_]", _QUALIFIERS.sub("", image.segments[-1]))
    if words[-1] in index.suffixes:
        yield index.suffixes[words[-1]]


def _by_program(container: ContainerFacts, index: _Index) -> Iterator[Engine]:
    """Yield the engine whose server the command starts; none where several have a server of that name (``mysqld``)."""
    lines = simple_commands(container.command, container.args)
    for line in lines:
        mine = index.programs.get(line[0], ())
        if len(mine) == 1 and runs(lines, mine[0].servers, mine[0].clients) is Runs.SERVER:
            yield mine[0]


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
    data = engine_directories(engine, patterns, image, container, lines, "data")
    log = engine_directories(engine, patterns, image, container, lines, "log")
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
