"""NFS servers in containers. Expected values: the entry points and manuals named in each server's ``source``."""

from __future__ import annotations

import pytest

from efslint.knowledge.nfs_servers import NFS_SERVERS, exports, nfs_server


@pytest.mark.parametrize(
    ("image", "product"),
    [
        ("registry.k8s.io/sig-storage/nfs-provisioner:v4.0.8", "NFS Ganesha provisioner"),
        ("quay.io/kubernetes_incubator/nfs-provisioner:v2.3.0", "NFS Ganesha provisioner"),
        ("itsthenetwork/nfs-server-alpine:12", "nfs-server-alpine"),
        ("mirror.example/cache/itsthenetwork/nfs-server-alpine", "nfs-server-alpine"),
        ("openebs/nfs-server-alpine:0.11.0", "OpenEBS NFS server"),
        ("k8s.gcr.io/volume-nfs:0.8", "volume-nfs"),
        ("gcr.io/google_containers/volume-nfs", "volume-nfs"),
        ("erichough/nfs-server:2.2.1", "docker-nfs-server"),
        ("gists/nfs-server", "nfs-server"),
    ],
)
def test_server_is_recognised_by_its_image(image: str, product: str) -> None:
    server = nfs_server(image)
    assert server is not None
    assert server.product == product


@pytest.mark.parametrize(
    "image",
    [
        "registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2",
        "quay.io/external_storage/nfs-client-provisioner",
        "registry.k8s.io/sig-storage/nfsplugin:v4.9.0",
        "example/nfs-server-alpine-client",
        "example/my-volume-nfs",
        "",
    ],
)
def test_others_are_no_server(image: str) -> None:
    assert nfs_server(image) is None


@pytest.mark.parametrize(
    ("image", "variables", "command", "args", "directories"),
    [
        # cmd/nfs-provisioner/main.go: exportDir is a constant
        ("sig-storage/nfs-provisioner", {}, [], ["-provisioner=example.com/nfs"], ["/export"]),
        ("sig-storage/nfs-provisioner", {}, [], ["-run-server=false"], []),
        # nfsd.sh ends without SHARED_DIRECTORY
        ("itsthenetwork/nfs-server-alpine", {"SHARED_DIRECTORY": "/nfsshare/"}, [], [], ["/nfsshare"]),
        (
            "itsthenetwork/nfs-server-alpine",
            {"SHARED_DIRECTORY": "/a", "SHARED_DIRECTORY_2": "/a/b"},
            [],
            [],
            ["/a", "/a/b"],
        ),
        ("itsthenetwork/nfs-server-alpine", {}, [], [], []),
        ("itsthenetwork/nfs-server-alpine", {"SHARED_DIRECTORY": None}, [], [], []),
        # the image's entry point has /exports, arguments are added
        ("k8s.gcr.io/volume-nfs", {}, [], ["/data"], ["/exports", "/data"]),
        ("k8s.gcr.io/volume-nfs", {}, [], ["-G", "777"], ["/exports"]),
        ("k8s.gcr.io/volume-nfs", {}, ["/bin/sh"], [], []),
        ("erichough/nfs-server", {"NFS_EXPORT_0": "/nfs *(rw)", "NFS_EXPORT_1": " ", "X": "/x"}, [], [], ["/nfs"]),
        ("erichough/nfs-server", {}, [], [], []),
        ("gists/nfs-server", {}, [], [], ["/nfs-share"]),
        ("gists/nfs-server", {"NFS_DIR": "/srv"}, [], [], ["/srv"]),
        ("gists/nfs-server", {"NFS_DIR": None}, [], [], []),
    ],
)
def test_exported_directories(
    image: str, variables: dict[str, str | None], command: list[str], args: list[str], directories: list[str]
) -> None:
    server = nfs_server(image)
    assert server is not None
    assert [each.directory for each in exports(server, variables, command, args)] == directories


def test_every_server_names_its_source() -> None:
    assert all(":" in each.source and "/" in each.source for each in NFS_SERVERS)
