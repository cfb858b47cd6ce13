"""Facts about mounts: one for every object that holds mount options, and for every NFS volume written into a pod.

Knows where Kubernetes reads options for each kind of object; what they do is told by ``effective_options``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from efslint.knowledge.drivers import Mounter
from efslint.kube.pods import PodTemplate, annotation, pod_templates, truth, volumes
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing
from efslint.storage.classes import attribute, provisioned
from efslint.storage.context import Context
from efslint.storage.effective_options import EffectiveOptions, effective
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.volumes import csi_backing, nfs_backing, volume_end
from efslint.storage.written_options import WrittenList, WrittenOption, comma_string, mount_option_items
from efslint.text.source import Span
from efslint.yaml.node import Mapping, child

# Kept by kubernetes/kubernetes pkg/volume/util (MountOptionFromSpec) for volume types of Kubernetes itself, not for
# CSI.
_ANNOTATION = "volume.beta.kubernetes.io/mount-options"
_FILE_SYSTEMS = {"efs": "efs", "s3files": "s3files"}


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who mounts a volume: where the volume ends, and the fact that says so."""

    end: Backing
    fact: Fact


@dataclass(frozen=True, slots=True)
class _Carrier:
    """An object, or a volume of a pod, together with the options that are written there.

    ``place`` is where a missing option would be written: the ``mountOptions`` key, else what makes the object NFS.
    """

    kind: str
    name: str
    resource: Resource
    end: Backing
    written: WrittenList
    last: Sequence[WrittenOption]
    place: Span
    read_only: bool | None = None
    tls: bool = True


def mount_facts(context: Context, users: Iterable[User]) -> Iterator[Fact]:
    """Yield one fact for every carrier of the input that is mounted over NFS."""
    by_carrier: dict[int, list[User]] = {}
    for user in users:
        if user.end.carrier is not None:
            by_carrier.setdefault(id(user.end.carrier), []).append(user)
    for carrier in _carriers(context):
        mine = by_carrier.get(id(carrier.resource), []) if carrier.end.carrier is not None else []
        yield _fact(carrier, mine)


def _carriers(context: Context) -> Iterator[_Carrier]:
    for resource in context.index.all:
        if resource.ref.kind == "StorageClass":
            end = provisioned(context, resource)
            if isinstance(end, Backing) and end.mounter is not None:
                written = mount_option_items(child(resource.node, "mountOptions"))
                yield _Carrier(
                    "StorageClass", resource.ref.name, resource, end, written, (), _place(resource, resource.node)
                )
        elif resource.ref.kind == "PersistentVolume":
            yield from _volume(resource)
        else:
            for template in pod_templates(resource):
                yield from _inline(template)


def _place(resource: Resource, holder: object) -> Span:
    """Return where a missing mount option is missing: at the list, else at the object's name."""
    key = holder.key("mountOptions") if type(holder) is Mapping else None
    return resource.name_span if key is None else key.span


def _volume(resource: Resource) -> Iterator[_Carrier]:
    end = volume_end(resource)
    if not isinstance(end, Backing) or end.mounter is None:
        return
    spec = child(resource.node, "spec")
    written = mount_option_items(child(spec, "mountOptions"))
    place = _place(resource, spec)
    marked = annotation(resource.node, _ANNOTATION)
    if marked is not None and end.mounter is Mounter.IN_TREE_NFS:
        written, place = comma_string(marked), marked.span
    attributes = child(spec, "csi", "volumeAttributes")
    last = comma_string(attribute(attributes, "mountOptions")).options if end.mounter is Mounter.CSI_DRIVER_NFS else ()
    encrypted = attribute(attributes, "encryptInTransit")
    tls = encrypted is None or encrypted.text.lower() not in ("false", "0", "f")
    source = child(spec, "nfs") or child(spec, "csi")
    yield _Carrier(
        "PersistentVolume", resource.ref.name, resource, end, written, last, place, truth(source, "readOnly"), tls
    )


def _inline(template: PodTemplate) -> Iterator[_Carrier]:
    resource = template.resource
    for name, volume in volumes(template):
        draft = Backing("other", "", "", provisioning="inline")
        nfs, csi = child(volume, "nfs"), child(volume, "csi")
        if type(nfs) is Mapping:
            end = nfs_backing(nfs, Mounter.INLINE_NFS, f"volume {name}", draft)
            place = end.names["server"][1].span if "server" in end.names else None
            yield _Carrier("volume", name, resource, end, WrittenList(), (), place or nfs.span, truth(nfs, "readOnly"))
        elif type(csi) is Mapping:
            found = csi_backing(csi, f"volume {name}", draft)
            if isinstance(found, Backing) and found.mounter in (Mounter.CSI_DRIVER_NFS, Mounter.OTHER_CSI_NFS):
                scalar = attribute(child(csi, "volumeAttributes"), "mountOptions")
                driver = child(csi, "driver")
                place = scalar.span if scalar is not None else (driver.span if driver is not None else csi.span)
                options = comma_string(scalar)
                yield _Carrier("volume", name, resource, found, options, (), place, truth(csi, "readOnly"))


def _fact(carrier: _Carrier, users: Sequence[User]) -> Fact:
    end = carrier.end
    assert end.mounter is not None
    file_system = _FILE_SYSTEMS.get(end.kind)
    outcome = effective(carrier.written.options, end.mounter, file_system, carrier.last, carrier.tls)
    owner = carrier.resource.ref.label
    label = owner if carrier.kind != "volume" else f"volume {carrier.name} of {owner}"
    value: dict[str, Any] = {
        "carrier": {"kind": carrier.kind, "name": carrier.name, "label": label},
        "mounter": str(end.mounter),
        "options": dict(outcome.options),
        "written": dict(outcome.written),
        "explicit": len(carrier.written.options) + len(carrier.last),
        "listed": [_listed(verdict) for verdict in outcome.listed],
        "in_force": outcome.in_force,
    }
    if file_system is not None:
        value["file_system"] = file_system
    if "server" in end.names:
        value["server"] = end.names["server"][0]
    value.update(_optional(outcome))
    read_only = _read_only(carrier, users)
    if read_only is not None:
        value["read_only"] = read_only
    value.update(_database(users))
    steps = (*end.steps, *_user_steps(users))
    refs = dict.fromkeys((carrier.resource.ref, *(ref for user in users for ref in user.fact.objects)))
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    return Fact("mount", value, _origins(carrier, outcome), steps, carrier.resource.ref, tuple(refs), None, confidence)


def _listed(verdict: Any) -> dict[str, str]:
    option = verdict.option
    found = {"text": option.text, "name": option.name, "state": str(verdict.state), "why": verdict.why}
    if option.value is not None:
        found["value"] = option.value
    return found


def _optional(outcome: EffectiveOptions) -> Iterator[tuple[str, object]]:
    """Yield the parts of a fact that are there only where they make sense."""
    if outcome.timeo_seconds is not None:
        yield "timeo_seconds", outcome.timeo_seconds
    if outcome.timeo_meant is not None:
        yield "timeo_meant", outcome.timeo_meant
    if outcome.lock_effect is not None:
        yield "lock_effect", outcome.lock_effect


def _origins(carrier: _Carrier, outcome: EffectiveOptions) -> dict[str, Origin]:
    origins = {"": Origin(carrier.place), "/options": Origin(carrier.place)}
    origins.update((f"/options/{key}", origin) for key, origin in outcome.origins.items())
    origins.update((f"/listed/{at}", Origin(verdict.option.span)) for at, verdict in enumerate(outcome.listed))
    if "server" in carrier.end.names:
        origins["/server"] = carrier.end.names["server"][1]
    return origins


def _read_only(carrier: _Carrier, users: Sequence[User]) -> bool | None:
    """Say whether nobody can write: the volume is read-only, or everybody known mounts it so; ``None`` without
    users.
    """
    if carrier.read_only:
        return True
    if not users:
        return None
    return all(user.fact.value.get("mount", {}).get("read_only") is True for user in users)


def _database(users: Sequence[User]) -> dict[str, object]:
    """Name a database among the users: the first that writes."""
    for user in users:
        engine = user.fact.value.get("engine")
        if (
            engine is not None
            and engine["category"] == "database"
            and not user.fact.value.get("mount", {}).get("read_only")
        ):
            return {"database": engine, "database_user": user.fact.value["workload"]["label"]}
    return {}


def _user_steps(users: Sequence[User]) -> Iterator[Step]:
    """Yield the hops from every user to the carrier; a hop that several share is told once."""
    seen: set[tuple[str, int, int]] = set()
    for user in users:
        for step in user.fact.chain:
            if step.span.sort_key not in seen:
                seen.add(step.span.sort_key)
                yield step
