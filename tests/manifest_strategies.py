"""Hypothesis strategies for valid manifests about storage, and for damage to them.

What is made is JSON-like values and the ways to write them down; what a test says of them is in
``test_properties_manifests.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import strategies as st

Object: TypeAlias = dict[str, Any]

NAMES = st.sampled_from(("a", "b", "db", "data-0", "shared", "efs-sc"))
_OPTIONS = st.sampled_from(
    "hard soft timeo=30 timeo=600 retrans=2 nfsvers=4.1 nfsvers=3 noresvport nolock tls rsize=4096 wsize=1048576 "
    "actimeo=0 bg sec=sys _netdev iam unknown vers=4.2".split()
)
_IMAGES = st.sampled_from(
    "postgres:16 mysql:8 mongo redis:7 busybox registry.example.com/team/app:1.2 minio/minio prom/prometheus:v2.50.0 "
    "docker.elastic.co/elasticsearch/elasticsearch:8.1.0 rabbitmq:3-management".split()
)
_PATHS = st.sampled_from(
    ("/data", "/var/lib/postgresql/data", "/var/lib/mysql", "/data/db", "/var/lib/postgresql", "/usr/share/nginx/html")
)
_CLASSES = st.sampled_from(("files", "efs-sc", "gp3", ""))
_MODES = st.sampled_from(("ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany", "ReadWriteOncePod"))
_HANDLES = st.sampled_from(
    ("fs-0a1b2c3d4e5f60718", "fs-0a1b2c3d:/sub", "fs-0a1b2c3d::fsap-0a1b2c3d4e5f60718", "nonsense", "")
)


def _object(api_version: str, kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **spec}


@st.composite
def volumes(draw: st.DrawFn) -> Object:
    """Make a PersistentVolume on NFS or EFS."""
    nfs = {"nfs": {"server": draw(st.sampled_from(("192.0.2.5", "fs-0a1b2c3d.efs.eu-west-1.amazonaws.com")))}}
    nfs["nfs"]["path"] = draw(st.sampled_from(("/", "/exports/a")))
    csi = {"csi": {"driver": "efs.csi.aws.com", "volumeHandle": draw(_HANDLES)}}
    spec: Object = {
        "capacity": {"storage": "5Gi"},
        "accessModes": draw(st.lists(_MODES, min_size=1, max_size=2, unique=True)),
        "mountOptions": draw(st.lists(_OPTIONS, max_size=4)),
        "storageClassName": draw(_CLASSES),
        **draw(st.sampled_from((nfs, csi))),
    }
    return _object("v1", "PersistentVolume", draw(NAMES), {"spec": spec})


@st.composite
def classes(draw: st.DrawFn) -> Object:
    """Make a StorageClass."""
    driver = draw(st.sampled_from(("efs.csi.aws.com", "nfs.csi.k8s.io", "ebs.csi.aws.com", "example.com/nfs")))
    parameters = draw(
        st.sampled_from(
            (
                {"provisioningMode": "efs-ap", "fileSystemId": "fs-0a1b2c3d4e5f60718", "directoryPerms": "700"},
                {"server": "192.0.2.5", "share": "/exports"},
                {},
            )
        )
    )
    spec = {"provisioner": driver, "parameters": parameters, "mountOptions": draw(st.lists(_OPTIONS, max_size=3))}
    return _object("storage.k8s.io/v1", "StorageClass", draw(st.sampled_from(("files", "efs-sc", "gp3"))), spec)


def _claim_spec(mode: str, storage_class: str) -> Object:
    return {
        "accessModes": [mode],
        "storageClassName": storage_class,
        "resources": {"requests": {"storage": "5Gi"}},
    }


@st.composite
def claims(draw: st.DrawFn) -> Object:
    """Make a PersistentVolumeClaim."""
    spec = _claim_spec(draw(_MODES), draw(_CLASSES))
    if draw(st.booleans()):
        spec["volumeName"] = draw(NAMES)
    return _object("v1", "PersistentVolumeClaim", draw(NAMES), {"spec": spec})


@st.composite
def workloads(draw: st.DrawFn) -> Object:
    """Make a workload whose container mounts one volume."""
    container: Object = {
        "name": "main",
        "image": draw(_IMAGES),
        "volumeMounts": [{"name": "data", "mountPath": draw(_PATHS)}],
    }
    if draw(st.booleans()):
        container["env"] = [{"name": "PASSWORD", "value": SECRET}]
    if draw(st.booleans()):
        probe = {"exec": {"command": ["ls", "/data"]}, "timeoutSeconds": draw(st.integers(1, 30))}
        container["livenessProbe"] = probe
    pod: Object = {"containers": [container]}
    if draw(st.booleans()):
        pod["securityContext"] = {"fsGroup": 1000, "runAsUser": draw(st.sampled_from((0, 999)))}
    kind = draw(st.sampled_from(("Deployment", "StatefulSet", "Pod", "Job")))
    if kind != "StatefulSet" or draw(st.booleans()):
        source: Object = {"persistentVolumeClaim": {"claimName": draw(NAMES)}}
        if draw(st.booleans()):
            source = {"nfs": {"server": "192.0.2.5", "path": "/exports/a"}}
        pod["volumes"] = [{"name": "data", **source}]
    if kind == "Pod":
        return _object("v1", kind, draw(NAMES), {"spec": pod})
    spec: Object = {"template": {"metadata": {"labels": {"app": "a"}}, "spec": pod}}
    if kind != "Job":
        spec |= {"replicas": draw(st.integers(1, 3)), "selector": {"matchLabels": {"app": "a"}}}
    if "volumes" not in pod:
        template = {"metadata": {"name": "data"}, "spec": _claim_spec(draw(_MODES), draw(_CLASSES))}
        spec["volumeClaimTemplates"] = [template]
    return _object("batch/v1" if kind == "Job" else "apps/v1", kind, draw(NAMES), {"spec": spec})


SECRET = "hunter2-and-more"
"""What no report may ever show."""


def _secret(name: str) -> Object:
    return _object("v1", "Secret", name, {"stringData": {"mountOptions": SECRET, "nfs": SECRET}})


def _distinct(objects: list[Object]) -> list[Object]:
    """Keep one object of a kind and name: which of two is meant depends on where they stand."""
    return list({(each["kind"], each["metadata"]["name"]): each for each in objects}.values())


MANIFESTS = st.lists(
    st.one_of(volumes(), classes(), claims(), workloads(), NAMES.map(_secret)), min_size=1, max_size=6
).map(_distinct)
"""Objects as they stand in one directory, at most one of a kind and name."""


class Writing:
    """One way to write values as YAML; every way means the same."""

    def __init__(self, indent: int, quote: str, flow: int, inner: bool) -> None:
        """``flow`` is the depth from which on flow style is used, ``inner`` indents lists in mappings."""
        self.indent, self.quote, self.flow, self.inner = indent, quote, flow, inner

    def __repr__(self) -> str:
        """Show what hypothesis prints of a failing example."""
        return f"Writing({self.indent}, {self.quote!r}, {self.flow}, {self.inner})"

    def document(self, value: object) -> str:
        """Write one document."""
        return "\n".join(self._lines(value, 0)) + "\n"

    def _lines(self, value: object, depth: int) -> list[str]:
        if depth >= self.flow or not isinstance(value, (dict, list)) or not value:
            return [self._flow(value)]
        lines: list[str] = []
        if isinstance(value, dict):
            for key, inner in value.items():
                below = self._lines(inner, depth + 1)
                if isinstance(inner, (dict, list)) and inner and depth + 1 < self.flow:
                    pad = " " * (self.indent if isinstance(inner, dict) or self.inner else 0)
                    lines += [f"{key}:", *(f"{pad}{line}" for line in below)]
                else:
                    lines.append(f"{key}: {below[0]}")
        else:
            for inner in value:
                first, *rest = self._lines(inner, depth + 1)
                lines += [f"- {first}", *(f"  {line}" for line in rest)]
        return lines

    def _flow(self, value: object) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {self._flow(inner)}" for key, inner in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self._flow, value)) + "]"
        if not isinstance(value, str):
            return json.dumps(value)
        if self.quote == "'" and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        words = ("y", "n", "no", "on", "off", "yes", "true", "false", "null")
        plain = value[:1].isalpha() and value.replace("-", "").isalnum() and value.lower() not in words
        return value if plain and self.quote == "" else json.dumps(value)


WRITINGS = st.builds(
    Writing, st.integers(1, 6), st.sampled_from(("", "'", '"')), st.sampled_from((1, 2, 4, 6, 99)), st.booleans()
)
PLAIN = Writing(2, "", 99, inner=False)


def stream(objects: list[Object], writing: Writing = PLAIN) -> str:
    """Write objects as the documents of one file."""
    return "---\n".join(map(writing.document, objects))


def _cut(text: str, at: int, length: int) -> str:
    return text[:at] + text[at + length :]


def _double(text: str, at: int, length: int) -> str:
    return text[: at + length] + text[at:]


def _swap(text: str, at: int, length: int) -> str:
    return text[:at] + text[at : at + length][::-1] + text[at + length :]


_JUNK = (
    *("\t", "\0", "\x1b[31m", "\r", "\u2028", "\u0085", "\ufeff", "\udc80", "\ud800", "\U0001f4be", "---\n", "...\n"),
    *("{{ .Values.a }}", "{%", "*a", "&a ", "<<: ", "!!int ", "? ", ": ", "- ", "[", "}", '"', "'", "|", ">-\n", "%"),
    *("# efslint: ignore[EFS101]\n", "# efslint: ignore-file[\n", "# Source: a/templates/b.yaml\n", "Error: x\n"),
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Write a manifest and spoil it in a few places."""
    text = stream(draw(MANIFESTS), draw(WRITINGS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        change: Callable[[str, int, int], str] = draw(st.sampled_from((_cut, _double, _swap)))
        if draw(st.booleans()):
            text = text[:at] + draw(st.sampled_from(_JUNK)) + text[at:]
        else:
            text = change(text, at, draw(st.integers(1, 40)))
    return text
