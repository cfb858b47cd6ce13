"""NFS servers that run in containers: how to recognise them, and which directories they export.

Knows images, their documented defaults and the settings that move an export; what lies below an export is for the
resolver to find out. A server whose exports stand in a file (``/etc/exports``) exports nothing that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from efslint.knowledge.directories import normal
from efslint.knowledge.images import parse_image


class NfsServer(NamedTuple):
    """A server. ``images`` are the ends of repositories that hold it.

    ``directory`` is exported whatever the settings say, empty where nothing is without them. ``variables`` name a
    directory each and ``default`` is what the first of them falls back to. Variables that begin with ``lines`` hold a
    line of exports(5). ``arguments`` is true where arguments name more directories. ``off`` are arguments that
    keep the server from running.
    """

    product: str
    images: tuple[str, ...]
    source: str
    directory: str = ""
    variables: tuple[str, ...] = ()
    default: str = ""
    lines: str = ""
    arguments: bool = False
    off: tuple[str, ...] = ()


class Export(NamedTuple):
    """A directory of a container that is exported, and the setting that says so."""

    directory: str
    why: str


_SHARED = ("SHARED_DIRECTORY", "SHARED_DIRECTORY_2")

NFS_SERVERS = (
    NfsServer(
        "NFS Ganesha provisioner",
        (
            *(
                "sig-storage/nfs-provisioner",
                "external_storage/nfs-provisioner",
                "kubernetes_incubator/nfs-provisioner",
            ),
            *("nfs-ganesha-server-and-external-provisioner", "k8s-staging-sig-storage/nfs-provisioner"),
        ),
        "kubernetes-sigs/nfs-ganesha-server-and-external-provisioner:cmd/nfs-provisioner/main.go",
        "/export",
        off=("-run-server=false", "--run-server=false"),
    ),
    NfsServer(
        "nfs-server-alpine", ("itsthenetwork/nfs-server-alpine",), "sjiveson/nfs-server-alpine:nfsd.sh", "", _SHARED
    ),
    NfsServer(
        "OpenEBS NFS server",
        ("openebs/nfs-server-alpine",),
        "openebs/dynamic-nfs-provisioner:README.md",
        "",
        _SHARED,
    ),
    NfsServer(
        "volume-nfs",
        ("volume-nfs",),
        "kubernetes/examples:staging/volumes/nfs/nfs-data/Dockerfile",
        "/exports",
        arguments=True,
    ),
    NfsServer(
        "docker-nfs-server",
        ("erichough/nfs-server",),
        "ehough/docker-nfs-server:README.md",
        lines="NFS_EXPORT_",
    ),
    NfsServer(
        "nfs-server",
        ("gists/nfs-server", "gists/nfsd"),
        "vgist/dockerfiles:nfs-server/README.md",
        "",
        ("NFS_DIR",),
        "/nfs-share",
    ),
)


def nfs_server(image: str) -> NfsServer | None:
    """Recognise a server by its image, from whatever registry or mirror."""
    parsed = parse_image(image)
    if parsed is None:
        return None
    repository = "/" + "/".join(parsed.segments)
    return next((each for each in NFS_SERVERS if any(repository.endswith(f"/{end}") for end in each.images)), None)


def exports(
    server: NfsServer, variables: Mapping[str, str | None], command: Sequence[str], args: Sequence[str]
) -> tuple[Export, ...]:
    """Return what a container exports, as absolute paths without superfluous parts.

    ``variables`` are those of the container, ``None`` for a value that is not in the manifest. A container with a
    ``command`` of its own may run anything.
    """
    if command or any(arg in server.off for arg in args):
        return ()
    written = (*_fixed(server, args), *_chosen(server, variables))
    found = ((normal(directory), why) for directory, why in written)
    return tuple(Export(directory, why) for directory, why in found if directory is not None)


def _fixed(server: NfsServer, args: Sequence[str]) -> Iterator[tuple[str, str]]:
    if server.directory:
        yield server.directory, "default"
    if server.arguments:
        yield from ((arg, "args") for arg in args)


def _chosen(server: NfsServer, variables: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name in server.variables:
        value = variables.get(name)
        if value:
            yield value, name
    if server.default and server.variables[0] not in variables:
        yield server.default, "default"
    if server.lines:
        for name, value in variables.items():
            if name.startswith(server.lines) and value:
                yield value.split()[0] if value.strip() else "", name
