"""Provisioners that run as pods: their name, and the server they hand out, as their own settings say.

Sources: kubernetes-sigs/nfs-subdir-external-provisioner ``cmd/nfs-subdir-external-provisioner/provisioner.go`` and
kubernetes-retired/external-storage ``aws/efs/cmd/efs-provisioner/efs-provisioner.go`` for the variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from efslint.knowledge.hosts import efs_host
from efslint.kube.index import Found, Index
from efslint.kube.pods import Container, PodTemplate, containers, pod_templates, volumes
from efslint.kube.resources import Resource
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Scalar, child, items, text

_NAME = "PROVISIONER_NAME"
_SERVER = ("NFS_SERVER", "DNS_NAME")
_FILE_SYSTEM = "FILE_SYSTEM_ID"


@dataclass(frozen=True, slots=True)
class Provisioner:
    """A provisioner found in the input. ``server`` is the NFS server it hands out, if its settings name it.

    ``efs`` is true when the settings prove that the server is EFS. ``span`` is the setting that tells.
    """

    name: str
    resource: Resource
    server: str | None
    efs: bool
    span: Span


def provisioners(index: Index) -> dict[str, Provisioner]:
    """Find every pod that is told its provisioner name by the environment."""
    found: dict[str, Provisioner] = {}
    for resource in index.all:
        for template in pod_templates(resource):
            for container in containers(template):
                for each in _provisioner(index, template, container):
                    found.setdefault(each.name, each)
    return found


def _provisioner(index: Index, template: PodTemplate, container: Container) -> Iterator[Provisioner]:
    variables = _variables(index, template, container.node)
    name = variables.get(_NAME)
    if name is None or not name.text:
        return
    server = next((variables[key] for key in _SERVER if key in variables), None) or _mounted_server(template)
    file_system = variables.get(_FILE_SYSTEM)
    efs = file_system is not None or (server is not None and efs_host(server.text) is not None)
    deciding = server if server is not None and server.text else (file_system or name)
    yield Provisioner(name.text, template.resource, server.text if server else None, efs, deciding.span)


def _variables(index: Index, template: PodTemplate, container: Mapping) -> dict[str, Scalar]:
    """Return the literal variables of a container, those kept in a ConfigMap of the input included."""
    found: dict[str, Scalar] = {}
    for entry in items(container, "env"):
        name, value = text(entry, "name"), child(entry, "value")
        if name is None:
            continue
        if type(value) is not Scalar:
            value = _from_config_map(index, template, child(entry, "valueFrom", "configMapKeyRef"))
        if type(value) is Scalar:
            found[name] = value
        elif name == _FILE_SYSTEM:
            # Only the EFS provisioner has this variable, wherever its value is kept.
            holder = child(entry, "name")
            if type(holder) is Scalar:
                found[name] = holder._replace(text="")
    return found


def _from_config_map(index: Index, template: PodTemplate, reference: object) -> Scalar | None:
    if type(reference) is not Mapping:
        return None
    name, key = text(reference, "name"), text(reference, "key")
    if name is None or key is None:
        return None
    resource = template.resource
    match index.namespaced("ConfigMap", resource.ref.namespace, name, resource.source):
        case Found(config_map):
            value = child(config_map.node, "data", key)
            return value if type(value) is Scalar else None
        case _:
            return None


def _mounted_server(template: PodTemplate) -> Scalar | None:
    """Return the server of the pod's own NFS volume, which these provisioners mount to make directories in."""
    for _, volume in volumes(template):
        server = child(volume, "nfs", "server")
        if type(server) is Scalar:
            return server
    return None
