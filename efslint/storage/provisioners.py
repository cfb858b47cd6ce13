"""Provisioners that run as pods: their name, and the server they hand out, as their own settings say.

Sources: kubernetes-sigs/nfs-subdir-external-provisioner ``cmd/nfs-subdir-external-provisioner/provisioner.go`` and
kubernetes-retired/external-storage ``aws/efs/cmd/efs-provisioner/efs-provisioner.go`` for the variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from efslint.knowledge.hosts import efs_host
from efslint.kube.environment import environment
from efslint.kube.index import Index
from efslint.kube.nearby import Nearby
from efslint.kube.pods import Container, PodTemplate, containers, pod_templates, scalar, volumes
from efslint.kube.resources import Resource
from efslint.text.source import Source, Span
from efslint.yaml.node import Scalar

_NAME = "PROVISIONER_NAME"
_SERVER = ("NFS_SERVER", "DNS_NAME")
_FILE_SYSTEM = "FILE_SYSTEM_ID"


class Provisioner(NamedTuple):
    """A provisioner of NFS volumes found in the input. ``server`` is the NFS server it hands out, if it is known.

    ``efs`` is true when the settings prove that the server is EFS. ``span`` is the setting that tells, ``words`` what
    that tells.
    """

    name: str
    resource: Resource
    server: str | None
    efs: bool
    span: Span
    words: str


class Provisioners:
    """The provisioners of a run by name. Several clusters in one input often run one of the same name each."""

    def __init__(self, index: Index) -> None:
        self.all = tuple(_provisioners(index))
        self._by_name: dict[str, Nearby[Provisioner]] = {}
        for each in self.all:
            self._by_name.setdefault(each.name, Nearby()).add(each.resource.source, each)

    def nearest(self, name: str, near: Source) -> list[Provisioner]:
        """Return who provisions under a name, as seen from a file; of those that hand out the same, one."""
        found = self._by_name[name].nearest(near) if name in self._by_name else []
        return list({(each.server, each.efs): each for each in reversed(found)}.values())


def _provisioners(index: Index) -> Iterator[Provisioner]:
    for resource in index.all:
        for template in pod_templates(resource):
            for container in containers(template):
                yield from _provisioner(index, template, container)


def _provisioner(index: Index, template: PodTemplate, container: Container) -> Iterator[Provisioner]:
    variables = environment(index, template.resource, container.node).variables
    name = variables.get(_NAME)
    if name is None or not name.text:
        return
    told = next((found for key in _SERVER if (found := variables.get(key)) is not None and found.text), None)
    servers = [each for each in (told, _mounted_server(template)) if each is not None]
    # Both name one server. One may be the address of a mount target, which does not show that it is EFS.
    server = next((each for each in servers if efs_host(each.text) is not None), servers[0] if servers else None)
    # Provisioners of other volumes read their name from the same variable, rancher/local-path-provisioner:main.go.
    if server is None and variables.keys().isdisjoint((*_SERVER, _FILE_SYSTEM)):
        return
    label = template.resource.ref.label
    if server is not None:
        place, words = server.span, f"{label} hands out the NFS server {server.text}"
    elif (file_system := variables.get(_FILE_SYSTEM)) is not None and file_system.text:
        place, words = file_system.span, f"{label} hands out the EFS file system {file_system.text}"
    else:
        place, words = name.span, f"{label} provisions under this name"
    efs = _FILE_SYSTEM in variables or (server is not None and efs_host(server.text) is not None)
    yield Provisioner(name.text, template.resource, server.text if server else None, efs, place, words)


def _mounted_server(template: PodTemplate) -> Scalar | None:
    """Return the server of the pod's own NFS volume, which these provisioners mount to make directories in."""
    servers = (scalar(volume, "nfs", "server") for _, volume in volumes(template))
    return next((server for server in servers if server is not None and server.text), None)
