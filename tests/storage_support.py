"""From manifest text to the resolver's answers, with everything checked that holds for any answer.

Whatever a test asks, every fact it gets follows ``schemas/fact.json``, its origins point at parts that are there, and
its places lie inside their texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from efslint.knowledge.engines import load_engines
from efslint.knowledge.operators import load_operators
from efslint.kube.index import Index
from efslint.kube.manifests import read_manifests
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End
from efslint.storage.classes import default_class
from efslint.storage.configured import ConfiguredClass, StorageSettings
from efslint.storage.context import Context
from efslint.storage.fact import Confidence, Fact
from efslint.storage.offers import Offers
from efslint.storage.provisioners import Provisioners
from efslint.storage.resolve import Resolved, resolve
from efslint.storage.survey import Knowledge, survey
from efslint.text.source import Source, Span

Files = str | Mapping[str, str]
"""A text, taken for ``a.yaml``, or texts by path."""

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "efslint/schemas/fact.json").read_text(encoding="utf-8")
)
KNOWLEDGE = Knowledge(cache(load_engines), load_operators)

EFS_HOST = "fs-0a1b2c3d4e5f60718.efs.eu-west-1.amazonaws.com"

CLASSES = {
    "efs": "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: efs}, provisioner: efs.csi.aws.com}",
    "disk": "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: disk}, provisioner: ebs.csi.aws.com}",
}


def stream(*documents: str) -> str:
    """Join documents to a YAML stream."""
    return "".join(f"---\n{document.strip()}\n" for document in documents)


def claim(name: str, spec: str = "{}", metadata: str = "") -> str:
    """Write a PersistentVolumeClaim; ``spec`` and the further ``metadata`` are in flow style."""
    more = f", {metadata}" if metadata else ""
    return f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}{more}}}\nspec: {spec}"


def volume(name: str, spec: str, metadata: str = "") -> str:
    """Write a PersistentVolume."""
    more = f", {metadata}" if metadata else ""
    return f"apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {name}{more}}}\nspec: {spec}"


def storage_class(name: str, provisioner: str, more: str = "", metadata: str = "") -> str:
    """Write a StorageClass; ``more`` are lines at its top level."""
    extra = f", {metadata}" if metadata else ""
    return (
        f"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: {name}{extra}}}\n"
        f"provisioner: {provisioner}\n{more}"
    )


def pod(source: str, name: str = "app", metadata: str = "", mount: str = "", image: str = "nginx:1.27") -> str:
    """Write a Pod with one container ``c`` that mounts one volume ``v``, whose source is given in flow style."""
    more = f", {metadata}" if metadata else ""
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}{more}}}\nspec:\n"
        f"  containers:\n    - name: c\n      image: {image}\n"
        f"      volumeMounts: [{{name: v, mountPath: /var/lib/postgresql/data{mount}}}]\n"
        f"  volumes: [{{name: v, {source}}}]"
    )


def claiming(name: str = "data", metadata: str = "") -> str:
    """Write a Pod that mounts a claim."""
    return pod(f"persistentVolumeClaim: {{claimName: {name}}}", metadata=metadata)


def stateful(
    template: str = "{metadata: {name: v}, spec: {storageClassName: efs}}",
    more: str = "",
    pod_more: str = "",
    name: str = "db",
    metadata: str = "",
) -> str:
    """Write a StatefulSet with one claim template; ``more`` are lines of its spec, ``pod_more`` of its pod's."""
    extra = f", {metadata}" if metadata else ""
    return (
        f"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: {name}{extra}}}\nspec:\n{more}"
        "  template:\n    spec:\n      containers:\n        - name: c\n          image: postgres:16\n"
        "          volumeMounts: [{name: v, mountPath: /var/lib/postgresql/data}]\n"
        f"{pod_more}  volumeClaimTemplates: [{template}]"
    )


def resources(files: Files) -> tuple[Resource, ...]:
    """Read the objects of texts."""
    texts = {"a.yaml": files} if isinstance(files, str) else files
    return tuple(resource for path, text in texts.items() for resource in read_manifests(Source(path, text)).resources)


def context_of(files: Files, classes: Mapping[str, ConfiguredClass] | None = None) -> Context:
    """Make what resolving functions look at."""
    index = Index(resources(files))
    settings = StorageSettings(classes or {})
    return Context(index, settings, Provisioners(index), Offers(index), default_class(index))


def ends(files: Files, classes: Mapping[str, ConfiguredClass] | None = None) -> list[End]:
    """Return where the mounts and the operators' claims of texts end, in the order of the input."""
    found = survey(context_of(files, classes), KNOWLEDGE)
    return [*(use.end for use in found.uses), *(use.end for use in found.operator_uses)]


def said(end: End) -> str:
    """Put an end into a few words: kind, mounter, provisioning; or reason, kind and name of what is not resolved."""
    if isinstance(end, Backing):
        words = [end.kind, str(end.mounter or "-"), end.provisioning, "assumed" if end.assumed else ""]
    else:
        words = ["unresolved", end.reason, end.kind, end.name or ""]
    return " ".join(word for word in words if word)


def answers(files: Files, classes: Mapping[str, ConfiguredClass] | None = None) -> list[str]:
    """Return where the mounts of texts end, in words; resolves all of it and checks the facts."""
    resolved(files, classes)
    return [said(end) for end in ends(files, classes)]


def answer(files: Files, classes: Mapping[str, ConfiguredClass] | None = None) -> str:
    """Return where the one mount of texts ends."""
    (only,) = answers(files, classes)
    return only


def resolved(files: Files, classes: Mapping[str, ConfiguredClass] | None = None) -> Resolved:
    """Resolve texts and check the facts."""
    found = resolve(resources(files), KNOWLEDGE, StorageSettings(classes or {}))
    for fact in found.facts:
        check_fact(fact)
    return found


def facts(files: Files, target: str, classes: Mapping[str, ConfiguredClass] | None = None) -> list[Fact]:
    """Return the facts of one target."""
    return [fact for fact in resolved(files, classes).facts if fact.target == target]


def fact(files: Files, target: str, classes: Mapping[str, ConfiguredClass] | None = None) -> Fact:
    """Return the one fact of a target."""
    (only,) = facts(files, target, classes)
    return only


@cache
def _validator(target: str) -> Draft202012Validator:
    return Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{target}"})


def check_fact(fact: Fact) -> None:
    """Check what holds for every fact."""
    _validator(fact.target).validate(fact.value)
    assert "" in fact.origins
    for pointer, origin in fact.origins.items():
        assert _is_there(fact.value, pointer), f"{pointer} is no part of {fact.value}"
        assert origin.span is not None or origin.reason
    assert fact.origin("") is not None
    if fact.target in ("use", "probe", "reference", "file"):
        assert fact.chain
    for span in spans(fact):
        assert 0 <= span.start <= span.end <= len(span.source.text)
    if fact.object is not None:
        assert fact.objects[0] == fact.object
        assert len(set(fact.objects)) == len(fact.objects)
    assert (fact.confidence is Confidence.ASSUMED) == fact.value.get("storage", {}).get(
        "assumed", fact.confidence is Confidence.ASSUMED
    )


def spans(fact: Fact) -> Iterator[Span]:
    """Yield all places of a fact."""
    yield from (step.span for step in fact.chain)
    yield from (origin.span for origin in fact.origins.values() if origin.span is not None)


def _is_there(value: Any, pointer: str) -> bool:
    for part in pointer.split("/")[1:]:
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return False
    return True


def told(fact: Fact, pointer: str) -> str:
    """Return the text at the origin of a part of a fact."""
    origin = fact.origin(pointer)
    assert origin is not None
    assert origin.span is not None
    return origin.span.text


def chain(fact: Fact) -> list[str]:
    """Return the messages of the chain."""
    return [step.message for step in fact.chain]
