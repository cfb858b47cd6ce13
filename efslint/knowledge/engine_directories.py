"""Where the engine of a container keeps its files: what options say, else variables, else the image's own directories.

Knows how a container's settings move directories; which engine it is, is told by ``engines``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from efslint.knowledge.catalogue import Engine, ImagePattern, Setting
from efslint.knowledge.commands import Line, expand, operands, option_values
from efslint.knowledge.directories import DataDirectory, holds, normal
from efslint.knowledge.images import Image

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


def engine_directories(
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
