"""What official images do besides running their server: volumes they declare, and owners they change at start.

Only images that were read; another image of the same name in another repository is not taken for them.
"""

from __future__ import annotations

from efslint.knowledge.directories import at_or_below
from efslint.knowledge.images import Image, parse_image

# Images whose entry point, run as root, gives the data directory to the server's user and ends when it cannot:
# docker-library/postgres:17/bookworm and 18/bookworm (the images of PostGIS, pgvector and TimescaleDB are built on
# these), docker-library/mysql:8.4, docker-library/mongo:7.0, each with its Dockerfile and docker-entrypoint.sh. The one
# of MariaDB goes on when the owner cannot be changed, so it is not listed.
_ON_POSTGRES = ("postgres", "postgis/postgis", "pgvector/pgvector", "timescale/timescaledb")
_VOLUMES = {"mysql": ("/var/lib/mysql",), "mongo": ("/data/db", "/data/configdb")}
_POSTGRES_18 = 18


def declared_volumes(image: str) -> tuple[str, ...]:
    """Return the directories at which an official image declares volumes; none where the version decides and is absent.

    containerd puts a directory of its own at each of them that no mount covers, unless it is told not to
    (containerd/containerd:internal/cri/server/container_create.go, ``ignore_image_defined_volumes``); CRI-O does not by
    default (cri-o/cri-o:docs/crio.conf.5.md, ``image_volumes``).
    """
    parsed = parse_image(image)
    if parsed is None:
        return ()
    name = _name(parsed)
    if name in _ON_POSTGRES and parsed.major is not None:
        return ("/var/lib/postgresql/data",) if parsed.major < _POSTGRES_18 else ("/var/lib/postgresql",)
    return _VOLUMES.get(name, ())


def changes_owner(image: str, directory: str, why: str) -> bool:
    """Say whether an official image, started as root, changes the owner of a directory of its data and insists on it.

    ``why`` says who chose the directory, as in ``DataDirectory``. The entry point of postgres follows variables but not
    options, that of mongo only knows its own directories, that of mysql asks the server.
    """
    parsed = parse_image(image)
    if parsed is None:
        return False
    name = _name(parsed)
    if name in _ON_POSTGRES:
        return not why.startswith("-")
    return name == "mysql" or (name == "mongo" and any(at_or_below(directory, each) for each in _VOLUMES[name]))


def _name(image: Image) -> str:
    """Return the repository; a mirror of the official images keeps them under ``library``."""
    segments = image.segments
    return segments[-1] if "library" in segments[-2:-1] else "/".join(segments)
