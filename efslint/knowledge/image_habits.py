"""What official images do besides running their server: volumes they declare, and owners they change at start.

Only images that were read; another image of the same name in another repository is not taken for them.
"""

from __future__ import annotations

from typing import NamedTuple

from efslint.knowledge.images import Image, parse_image


class _Habit(NamedTuple):
    """``volumes`` are the directories of the image's VOLUME instructions. ``below`` limits the entry by version.

    ``changes_owner`` is true where the entry point, run as root, gives the data directory to the server's user and ends
    when it cannot.
    """

    volumes: tuple[str, ...]
    changes_owner: bool
    below: int | None = None


# docker-library/postgres:17/bookworm/Dockerfile, 18/bookworm/Dockerfile (the images of PostGIS, pgvector and
# TimescaleDB are built on these), docker-library/mysql:8.4, docker-library/mongo:7.0, each with its
# docker-entrypoint.sh. The entry point of MariaDB goes on when the owner cannot be changed, so it is not listed.
_POSTGRES = (
    _Habit(("/var/lib/postgresql/data",), changes_owner=True, below=18),
    _Habit(("/var/lib/postgresql",), changes_owner=True),
)
_HABITS = {
    ("postgres",): _POSTGRES,
    ("postgis", "postgis"): _POSTGRES,
    ("pgvector", "pgvector"): _POSTGRES,
    ("timescale", "timescaledb"): _POSTGRES,
    ("mysql",): (_Habit(("/var/lib/mysql",), changes_owner=True),),
    ("mongo",): (_Habit(("/data/db", "/data/configdb"), changes_owner=True),),
}


def declared_volumes(image: str) -> tuple[str, ...]:
    """Return the directories at which an official image declares volumes; none where the version decides and is absent.

    containerd puts a directory of its own at each of them that no mount covers, unless it is told not to
    (containerd/containerd:internal/cri/server/container_create.go, ``ignore_image_defined_volumes``); CRI-O does not by
    default (cri-o/cri-o:docs/crio.conf.5.md, ``image_volumes``).
    """
    found = _habit(image)
    return () if found is None else found.volumes


def changes_owner(image: str) -> bool:
    """Say whether an official image, started as root, changes the owner of its data directory and insists on it."""
    parsed = parse_image(image)
    return parsed is not None and any(each.changes_owner for each in _habits(parsed))


def _habit(image: str) -> _Habit | None:
    parsed = parse_image(image)
    if parsed is None:
        return None
    habits = _habits(parsed)
    if len(habits) > 1 and parsed.major is None:
        return None
    return next((each for each in habits if each.below is None or (parsed.major or 0) < each.below), None)


def _habits(image: Image) -> tuple[_Habit, ...]:
    segments = image.segments
    if "library" in segments[:-1]:
        segments = segments[-1:]
    return _HABITS.get(segments, ())
