"""Facts about sharing: data directories of databases that two pods can have open at once.

Knows which pods use which directory of a volume: the pods of one workload, or those of two. What the software does then
is left to the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from efslint.knowledge.commands import expand, option_values, simple_commands
from efslint.knowledge.directories import at_or_below, normal
from efslint.kube.identity import ObjectRef
from efslint.kube.index import Found
from efslint.kube.overlap import Overlap, overlap
from efslint.kube.pods import PodTemplate, environment, scalar, strings, volumes
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing
from efslint.storage.context import Context
from efslint.storage.engine_values import container_value, workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.place import Place, place_of
from efslint.storage.survey import Survey, Use
from efslint.text.source import Span
from efslint.yaml.node import Mapping, child, items, text

# Two brokers on one directory are a documented way of running ActiveMQ (activemq.apache.org, Shared File System Master
# Slave). RabbitMQ and EMQX keep their files in a directory named after the node, so that pods do not meet there
# (rabbitmq.com/docs/relocate, docs.emqx.com).
_MEANT_FOR_SEVERAL = frozenset(("activemq", "rabbitmq", "emqx"))
# A script that looks at the name of its pod may well give each pod a directory of its own.
_POD_NAME = re.compile(r"host_?name|pod_?(?:name|ip|uid|id)|ordinal", re.IGNORECASE)


class _Holder(NamedTuple):
    """One workload's data directory. ``path`` is where it lies on its volume.

    ``claim`` is the claim of the input, if one is found; ``place`` the directory itself where all of it is written
    down; ``span`` what in the workload names the volume. ``own`` is true where every pod gets a volume of its own.
    """

    use: Use
    end: Backing
    engine: dict[str, Any]
    path: str
    claim: Resource | None
    place: Place | None
    span: Span
    own: bool

    @property
    def template(self) -> PodTemplate:
        return self.use.mount.template

    @property
    def ref(self) -> ObjectRef:
        return self.template.resource.ref

    @property
    def one_pod_only(self) -> bool:
        """Whether the scheduler lets one pod at a time use the claim.

        https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes
        """
        return self.claim is not None and strings(self.claim.node, "spec", "accessModes") == ("ReadWriteOncePod",)


def sharing_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every workload whose pods share a data directory, and for every one that shares another's."""
    holders = [holder for use in found.uses if (holder := _holder(found.context, use)) is not None]
    for holder in holders:
        together = None if holder.own or holder.one_pod_only else overlap(holder.template)
        if together is not None:
            yield _alone(holder, together)
    first: dict[object, _Holder] = {}
    told: set[int] = set()
    for holder in holders:
        if holder.ref.kind in ("Job", "CronJob") or (holder.own and holder.place is None):
            continue
        for key in _keys(holder):
            other = first.setdefault(key, holder)
            if id(holder) not in told and _differ(other.template.resource, holder.template.resource):
                told.add(id(holder))
                yield _with_another(holder, other)


def _holder(context: Context, use: Use) -> _Holder | None:
    mount, end, engine = use.mount, use.end, use.engine
    if not isinstance(end, Backing) or end.kind not in ("efs", "nfs") or engine is None or mount.read_only:
        return None
    if engine["category"] != "database" or engine["role"] != "data" or engine["id"] in _MEANT_FOR_SEVERAL:
        return None
    if not _runs(mount.template) or _varies(use):
        return None
    path = _path_on_volume(use, engine["directory"])
    if path is None:
        return None
    volume = next((node for name, node in volumes(mount.template) if name == mount.volume), None)
    made = {text(node, "metadata", "name") for node in mount.template.claim_templates}
    own = mount.volume in made or child(volume, "ephemeral") is not None
    named = None if own else scalar(volume, "persistentVolumeClaim", "claimName")
    claim = None if named is None else _claim(context, mount.template.resource, named.text)
    place = _place(end, claim, volume)
    span = (named or scalar(volume, "nfs", "path") or mount.path).span
    return _Holder(use, end, engine, path, claim, None if place is None else place.below(path), span, own)


def _runs(template: PodTemplate) -> bool:
    """Say whether pods are made of a template: not without replicas, and what a controller made is told of that one."""
    resource = template.resource
    owned = child(resource.node, "metadata", "ownerReferences") is not None
    return not owned and template.replicas != 0 and resource.ref.kind != "PodTemplate"


def _claim(context: Context, resource: Resource, name: str) -> Resource | None:
    found = context.index.namespaced("PersistentVolumeClaim", resource.ref.namespace, name, resource.source)
    return found.resource if isinstance(found, Found) else None


def _varies(use: Use) -> bool:
    """Say whether every pod may have a directory of its own: by an unknown setting, or a script that asks for names."""
    node, recognised = use.mount.container.node, use.recognised
    assert recognised is not None, "an engine was recognised, or it would have no files here"
    engine, env = recognised.engine, environment(node)
    words = (*strings(node, "command"), *strings(node, "args"))
    if any(_POD_NAME.search(word) for word in words):
        return True
    lines = simple_commands(strings(node, "command"), strings(node, "args"), engine.entrypoint)
    told: list[str | None] = [value for each in engine.arguments for value in option_values(lines, each.name)]
    told += [env[each.name] for each in engine.environment if each.name in env]
    return any(value is None or expand(value, env) is None for value in told)


def _path_on_volume(use: Use, directory: str) -> str | None:
    """Return where a directory of the container lies on the volume; ``None`` where that depends on the pod."""
    mount, node = use.mount, use.mount.container.node
    written = next(each for each in items(node, "volumeMounts") if child(each, "mountPath") is mount.path)
    expression = text(written, "subPathExpr")
    inner = text(written, "subPath") or ""
    if expression is not None:
        expanded = expand(expression, environment(node))
        if expanded is None:
            return None
        inner = expanded
    top = normal(mount.path.text) or "/"
    below = directory[len(top.rstrip("/")) :] if at_or_below(directory, top) else ""
    return normal(f"/{inner}/{below}")


def _place(end: Backing, claim: Resource | None, volume: Mapping | None) -> Place | None:
    """Return the place of a volume that is surely the one the claim gets."""
    if end.provisioning == "inline":
        return place_of(volume)
    carrier = end.carrier
    if end.provisioning != "static" or carrier is None:
        return None
    spec = child(carrier.node, "spec")
    bound = text(spec, "claimRef", "name") is not None
    if not bound and (claim is None or text(claim.node, "spec", "volumeName") != carrier.ref.name):
        return None
    return place_of(spec, child(spec, "mountOptions"))


def _keys(holder: _Holder) -> Iterator[object]:
    """Yield what identifies a data directory of one engine: the claim and the path on it, and the place."""
    if holder.claim is not None and not holder.one_pod_only:
        yield (holder.engine["id"], id(holder.claim.node), holder.path)
    if holder.place is not None:
        yield (holder.engine["id"], *holder.place)


def _differ(one: Resource, other: Resource) -> bool:
    """Say whether two workloads exist side by side.

    Two objects of one kind and name are versions of one object unless their namespaces differ; so are, in two files,
    two kinds of one name, as in a tutorial that shows the same database as a Deployment and as a StatefulSet.
    """
    spaces = {one.ref.namespace, other.ref.namespace} - {None}
    if one.ref.name != other.ref.name or len(spaces) > 1:
        return True
    return one.ref.kind != other.ref.kind and one.source.path == other.source.path


def _alone(holder: _Holder, together: Overlap) -> Fact:
    value: dict[str, Any] = {"cause": together.cause}
    if together.pods is not None:
        value["pods"] = together.pods
    words = {
        "replicas": f"{together.pods} pods at once",
        "rolling-update": "a rolling update starts the new pod before the old one ends",
        "every-node": "one pod on every node",
        "parallelism": f"up to {together.pods} pods at once",
    }
    return _fact(holder, value, (Step(together.span, words[together.cause]),), (holder.ref,), together.span)


def _with_another(holder: _Holder, other: _Holder) -> Fact:
    value = {"cause": "other-workload", "other": other.ref.label}
    words = f"{other.ref.label} keeps {other.engine['product']} files in the same directory"
    steps = (Step(other.span, words), *other.end.steps)
    return _fact(holder, value, steps, (holder.ref, other.ref), holder.span)


def _fact(
    holder: _Holder, value: dict[str, Any], steps: tuple[Step, ...], refs: tuple[ObjectRef, ...], span: Span
) -> Fact:
    mount, end = holder.use.mount, holder.end
    told = {
        "workload": workload_value(holder.template.resource),
        "container": container_value(mount.container),
        "storage": end.value,
        "engine": holder.engine,
        **value,
    }
    kept = Step(mount.path.span, f"container {mount.container.name} keeps {holder.engine['product']} files here")
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    origins = {"": Origin(span), "/cause": Origin(span), **end.origins}
    chain = (*steps, kept, *end.steps)
    return Fact("sharing", told, origins, chain, holder.ref, refs, mount.container.name, confidence)
