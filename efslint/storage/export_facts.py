"""Facts about NFS servers in pods: the directories that they export from a volume on EFS or NFS.

Knows which volume holds an exported directory; images and their settings are known to ``nfs_servers``.
"""

from __future__ import annotations

from collections.abc import Iterator

from efslint.knowledge.directories import DataDirectory, holds
from efslint.knowledge.nfs_servers import Export, NfsServer, exports, nfs_server
from efslint.kube.pods import Container, environment, strings
from efslint.storage.backing import Backing
from efslint.storage.engine_values import container_mount_paths, container_value, workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.survey import Survey
from efslint.storage.uses import Mount
from efslint.yaml.node import text


def export_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every exported directory that lies on EFS or NFS."""
    for use in found.uses:
        server = nfs_server(text(use.mount.container.node, "image") or "")
        if server is not None and isinstance(use.end, Backing) and use.end.kind != "other":
            for export in _exported(server, use.mount):
                yield _fact(server, export, use.mount, use.end)


def _exported(server: NfsServer, mount: Mount) -> Iterator[Export]:
    """Yield the exports of a container whose directory the mount holds: no other mount lies between."""
    container = mount.container
    if container.init and not container.sidecar:
        return
    for export in exports(server, environment(container.node), *_arguments(container)):
        directory = DataDirectory(export.directory, "data", export.why, certain=True)
        for held in holds((directory,), container_mount_paths(container)):
            if held.whole and held.mount == mount.path.text:
                yield export


def _arguments(container: Container) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return strings(container.node, "command"), strings(container.node, "args")


def _fact(server: NfsServer, export: Export, mount: Mount, end: Backing) -> Fact:
    resource = mount.template.resource
    value = {
        "workload": workload_value(resource),
        "container": container_value(mount.container),
        "server": server.product,
        "directory": export.directory,
        "mount_path": mount.path.text,
        "storage": end.value,
    }
    origins = {"": Origin(mount.path.span), **end.origins}
    words = f"container {mount.container.name} is an NFS server and exports {export.directory}, which lies here"
    steps = (Step(mount.path.span, words), *end.steps)
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    return Fact("export", value, origins, steps, resource.ref, (resource.ref,), mount.container.name, confidence)
