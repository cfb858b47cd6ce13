"""Changes of owner in commands, and what official images do at start."""

from __future__ import annotations

import pytest

from efslint.knowledge.commands import simple_commands
from efslint.knowledge.image_habits import changes_owner, declared_volumes
from efslint.knowledge.ownership import OwnerChange, failure_expected, owner_changes


def changes(script: str, env: dict[str, str | None] | None = None) -> list[OwnerChange]:
    return list(owner_changes(simple_commands(["sh", "-c", script], ()), env or {}))


@pytest.mark.parametrize(
    ("script", "owner", "group", "paths", "recursive"),
    [
        ("chown -R 33:44 /a /b", "33", "44", ("/a", "/b"), True),
        ("chown 33 /a/", "33", None, ("/a",), False),
        ("chown root: /a", "0", None, ("/a",), False),
        ("chown --recursive --from=0 mysql.mysql /a", "mysql", "mysql", ("/a",), True),
        ("chown -hR $OWNER $DATA", "7", None, ("/data",), True),
        ("mkdir -p /a && chown -v 33 /a/*", "33", None, ("/a/*",), False),
        ("find -L /a /b ! -user pg -exec chown pg {} +", "pg", None, ("/a", "/b"), True),
        ("install -d -m 700 -o 33 -g 44 /a /b", "33", None, ("/a", "/b"), False),
        ("install --directory --owner=33 /a", "33", None, ("/a",), False),
        ("install -o33 /x/file /a", "33", None, ("/a",), False),
    ],
)
def test_a_change_is_read(script: str, owner: str, group: str | None, paths: tuple[str, ...], recursive: bool) -> None:
    (found,) = changes(script, {"OWNER": "7", "DATA": "/data"})
    assert (found.owner, found.group, found.paths, found.recursive) == (owner, group, paths, recursive)
    assert found.program == ("install" if script.startswith("install") else "chown")


@pytest.mark.parametrize(
    "script",
    [
        "chmod -R 700 /a",
        "chown :44 /a",
        "chown 33",
        "chown --reference=/x /a /b",
        "chown $UNKNOWN /a",
        "chown 33 $UNKNOWN relative",
        "find /a -type f -exec chmod 600 {} +",
        "find /a -exec chown",
        "install -d -m 700 /a",
        "install -o 33",
    ],
)
def test_what_changes_no_owner_or_an_unknown_one(script: str) -> None:
    assert changes(script) == []


def test_what_a_change_reaches() -> None:
    (plain,), (deep,) = changes("chown 1 /a"), changes("chown -R 1 /a")
    assert plain.reaches("/a")
    assert not plain.reaches("/a/b")
    assert deep.reaches("/a/b")
    (below,) = changes("chown 1 /a/b")
    assert below.reaches("/a")
    assert not below.reaches("/c")


def test_a_failure_that_is_provided_for() -> None:
    assert failure_expected(["sh", "-c", "chown -R 1 /a 2>/dev/null || true"])
    assert not failure_expected(["sh", "-c", "chown -R 1 /a; test -f /b || exit 1"])


@pytest.mark.parametrize(
    ("image", "volumes"),
    [
        ("postgres:16.6", ("/var/lib/postgresql/data",)),
        ("docker.io/library/postgres:18-bookworm", ("/var/lib/postgresql",)),
        ("public.ecr.aws/docker/library/postgres:9.6", ("/var/lib/postgresql/data",)),
        ("timescale/timescaledb:2.17.0-pg15", ("/var/lib/postgresql/data",)),
        ("postgres:latest", ()),
        ("mongo", ("/data/db", "/data/configdb")),
        ("bitnami/mongodb:7", ()),
        ("example.com/team/postgres:16", ()),
        ("", ()),
    ],
)
def test_volumes_that_official_images_declare(image: str, volumes: tuple[str, ...]) -> None:
    assert declared_volumes(image) == volumes


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("postgres", True),
        ("mysql:8", True),
        ("mongo:7", True),
        ("mariadb:11", False),
        ("bitnami/mysql", False),
        ("", False),
    ],
)
def test_images_that_insist_on_an_owner(image: str, expected: bool) -> None:
    assert changes_owner(image, "/data/db", "image default") is expected


@pytest.mark.parametrize(
    ("image", "directory", "why", "expected"),
    [
        ("postgres:16", "/srv/pg", "PGDATA", True),
        ("postgres:16", "/srv/pg", "-c data_directory", False),
        ("mysql:8.4", "/srv/my", "--datadir", True),
        ("mongo:7", "/data/db", "--dbpath", True),
        ("mongo:7", "/srv/mongo", "--dbpath", False),
    ],
)
def test_which_directories_entry_points_know(image: str, directory: str, why: str, expected: bool) -> None:
    """docker-library/postgres, mysql and mongo: docker-entrypoint.sh."""
    assert changes_owner(image, directory, why) is expected
