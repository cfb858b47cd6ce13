"""Which directory of which file system a volume is, as far as the manifest names it.

Two volumes with one place are one directory, whatever claims and volumes lead there. A place that is not wholly written
down (a dynamically provisioned volume, a placeholder) is not known.
"""

from __future__ import annotations

from typing import NamedTuple

from efslint.knowledge.directories import normal
from efslint.knowledge.drivers import EFS_CSI_DRIVER, NFS_CSI_DRIVER, volume_handle
from efslint.knowledge.hosts import efs_host, has_placeholder
from efslint.kube.pods import strings
from efslint.storage.attributes import attribute
from efslint.yaml.node import Mapping, Node, child, text


class Place(NamedTuple):
    """A directory. ``root`` says which tree it is in: a file system, an access point of one, or an NFS server."""

    root: str
    path: str

    def below(self, path: str) -> Place:
        """Return a directory below this one."""
        return Place(self.root, normal(f"{self.path}/{path}") or "/")


def place_of(source: Node | None, options: Node | None = None) -> Place | None:
    """Return the place of a volume source: the spec of a PersistentVolume, or a volume written into a pod.

    ``options`` holds ``mountOptions``, where an access point may be named.
    """
    nfs, csi = child(source, "nfs"), child(source, "csi")
    if type(nfs) is Mapping:
        return _on_server(text(nfs, "server"), text(nfs, "path"))
    driver = text(csi, "driver")
    if driver == EFS_CSI_DRIVER:
        return _behind_handle(text(csi, "volumeHandle") or "", child(csi, "volumeAttributes"), options)
    if driver == NFS_CSI_DRIVER:
        attributes = child(csi, "volumeAttributes")
        server, share, inner = (attribute(attributes, name) for name in ("server", "share", "subDir"))
        if server is not None and share is not None:
            return _on_server(server.text, share.text + ("" if inner is None else f"/{inner.text}"))
    return None


def _on_server(server: str | None, path: str | None) -> Place | None:
    directory = normal(path or "")
    if not server or directory is None or has_placeholder(f"{server}{path}"):
        return None
    host = efs_host(server)
    if host is not None and host.file_system is not None:
        return Place(host.file_system, directory)
    return Place(server.lower().rstrip("."), directory)


def _behind_handle(handle: str, attributes: Node | None, options: Node | None) -> Place | None:
    """Read an EFS CSI handle; the attribute ``path`` is a directory to version 2 of the driver and refused since."""
    found = volume_handle(handle)
    if found.error or found.file_system is None or has_placeholder(handle) or attribute(attributes, "path") is not None:
        return None
    written = (option.strip() for item in strings(options) for option in item.split(","))
    named = (option.partition("=")[2] for option in written if option.startswith("accesspoint="))
    point = found.access_point or next(named, None)
    return Place(f"{found.file_system} {point}" if point else found.file_system, "/").below(found.path or "")
