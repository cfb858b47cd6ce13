"""Facts about mounts: one for every object that holds mount options, and for every NFS volume written into a pod.

Knows where Kubernetes reads options for each kind of object; what they do is told by ``effective_options``, and facts
about single options are made by ``option_facts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from efslint.knowledge.drivers import Mounter, volume_handle
from efslint.kube.pods import PodTemplate, annotation, pod_templates, scalar, truth, volumes
from efslint.kube.resources import Resource
from efslint.storage.attributes import attribute
from efslint.storage.backing import Backing
from efslint.storage.classes import provisioned
from efslint.storage.context import Context
from efslint.storage.effective_options import EffectiveOptions, effective
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.mount_helper import AccessPoint, Encryption
from efslint.storage.option_facts import is_open, option_facts
from efslint.storage.option_order import Cause, State
from efslint.storage.volumes import csi_backing, nfs_backing, volume_end
from efslint.storage.written_options import MalformedItem, WrittenList, comma_string, mount_option_items
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Scalar, child, text

# Kept by kubernetes/kubernetes pkg/volume/util (MountOptionFromSpec) for volume types of Kubernetes itself, not for
# CSI.
ANNOTATION = "volume.beta.kubernetes.io/mount-options"
_FILE_SYSTEMS = {"efs": "efs", "s3files": "s3files"}
# No rule asks who says so: locking is there only where somebody wrote it, and nothing but an option makes bg.
_ONLY_WRITTEN = ("locking", "background")


class User(NamedTuple):
    """Somebody who mounts a volume: where the volume ends, and the fact that says so."""

    end: Backing
    fact: Fact


class _Carrier(NamedTuple):
    """An object, or a volume of a pod, together with the options that are written there.

    ``last`` are options of ``volumeAttributes``, which come after all others. ``place`` is where a missing option would
    be written: the ``mountOptions`` key, else what makes the object NFS. ``encrypted`` is ``encryptInTransit``.
    """

    kind: str
    name: str
    resource: Resource
    end: Backing
    written: WrittenList
    last: WrittenList
    place: Span
    read_only: bool = False
    encrypted: Scalar | None = None
    access_point: AccessPoint = AccessPoint.NONE

    @property
    def encryption(self) -> Encryption:
        """What decides about TLS on the EFS CSI driver. Texts of false: Go's ``strconv.ParseBool``."""
        asked = self.encrypted is None or self.encrypted.text not in ("false", "False", "FALSE", "0", "f", "F")
        return Encryption(asked, self.access_point, self.end.kind == "s3files")

    @property
    def malformed(self) -> tuple[MalformedItem, ...]:
        """What stands where an option should and is none."""
        return (*self.written.malformed, *self.last.malformed)


def mount_facts(context: Context, users: Iterable[User]) -> Iterator[Fact]:
    """Yield one fact for every carrier of the input that is mounted over NFS, followed by those about its options."""
    by_carrier: dict[tuple[int, str], list[User]] = {}
    for user in users:
        volume = user.fact.value["mount"]["volume"] if user.end.provisioning == "inline" else ""
        by_carrier.setdefault((id(user.end.carrier), volume), []).append(user)
    for carrier in _carriers(context):
        volume = carrier.name if carrier.kind == "volume" else ""
        assert carrier.end.mounter is not None
        outcome = effective(
            carrier.written.options,
            carrier.end.mounter,
            _FILE_SYSTEMS.get(carrier.end.kind),
            carrier.last.options,
            carrier.encryption.asked,
            carrier.access_point,
        )
        fact = _fact(carrier, outcome, by_carrier.get((id(carrier.resource), volume), []))
        yield fact
        yield from option_facts(fact, outcome, carrier.malformed, carrier.encrypted)


def _carriers(context: Context) -> Iterator[_Carrier]:
    for resource in context.index.all:
        if resource.ref.kind == "StorageClass":
            end = provisioned(context, resource)
            if isinstance(end, Backing) and end.mounter is not None:
                written = mount_option_items(child(resource.node, "mountOptions"))
                place = _place(resource, resource.node)
                made = AccessPoint.MADE if end.mounter is Mounter.EFS_CSI else AccessPoint.NONE
                yield _Carrier(
                    "StorageClass", resource.ref.name, resource, end, written, WrittenList(), place, access_point=made
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
    marked = annotation(resource.node, ANNOTATION)
    if marked is not None and end.mounter is Mounter.IN_TREE_NFS:
        written, place = comma_string(marked), marked.span
    attributes = child(spec, "csi", "volumeAttributes")
    in_attributes = attribute(attributes, "mountOptions") if end.mounter is Mounter.CSI_DRIVER_NFS else None
    read_only = truth(spec, "nfs", "readOnly") or truth(spec, "csi", "readOnly")
    encrypted, named = None, False
    if end.mounter is Mounter.EFS_CSI:
        encrypted = attribute(attributes, "encryptInTransit")
        named = volume_handle(text(spec, "csi", "volumeHandle") or "").access_point is not None
    yield _Carrier(
        "PersistentVolume",
        resource.ref.name,
        resource,
        end,
        written,
        comma_string(in_attributes),
        place,
        read_only,
        encrypted,
        AccessPoint.NAMED if named else AccessPoint.NONE,
    )


def _inline(template: PodTemplate) -> Iterator[_Carrier]:
    resource = template.resource
    for name, volume in volumes(template):
        draft = Backing("other", "", "", carrier=resource, provisioning="inline")
        nfs, csi = child(volume, "nfs"), child(volume, "csi")
        if type(nfs) is Mapping:
            end = nfs_backing(nfs, Mounter.INLINE_NFS, f"volume {name}", draft)
            place = scalar(nfs, "server") or nfs
            none = WrittenList()
            yield _Carrier("volume", name, resource, end, none, none, place.span, truth(nfs, "readOnly"))
        elif type(csi) is Mapping:
            found = csi_backing(csi, f"volume {name}", draft)
            if isinstance(found, Backing) and found.mounter in (Mounter.CSI_DRIVER_NFS, Mounter.OTHER_CSI_NFS):
                written = attribute(child(csi, "volumeAttributes"), "mountOptions")
                place = written or scalar(csi, "driver") or csi
                options = comma_string(written)
                none, read_only = WrittenList(), truth(csi, "readOnly")
                yield _Carrier("volume", name, resource, found, options, none, place.span, read_only)


def _fact(carrier: _Carrier, outcome: EffectiveOptions, users: Sequence[User]) -> Fact:
    end = carrier.end
    file_system = _FILE_SYSTEMS.get(end.kind)
    owner = carrier.resource.ref.label
    label = owner if carrier.kind != "volume" else f"volume {carrier.name} of {owner}"
    value: dict[str, Any] = {
        "carrier": {"kind": carrier.kind, "name": carrier.name, "label": label},
        "mounter": str(end.mounter),
        "options": _options(carrier, outcome),
        "written": {key: by for key, by in outcome.written.items() if key not in _ONLY_WRITTEN},
        "explicit": len(carrier.written.options) + len(carrier.last.options) + len(carrier.malformed),
        "listed": [_listed(verdict) for verdict in outcome.listed],
        "in_force": "" if carrier.malformed else outcome.in_force,
    }
    if file_system is not None:
        value["file_system"] = file_system
    if "server" in end.names:
        value["server"] = end.names["server"][0]
    value.update(_optional(outcome))
    known = carrier.encrypted is None or not is_open(carrier.encrypted.text)
    if end.mounter is Mounter.EFS_CSI and known and all(each.cause is not Cause.TLS for each in outcome.fatal):
        value["tls"] = carrier.encryption.on
    read_only = _read_only(carrier, outcome, users)
    if read_only is not None:
        value["read_only"] = read_only
    if not read_only:
        value.update(_database(users))
    steps = (*end.steps, *_user_steps(users))
    refs = dict.fromkeys((carrier.resource.ref, *(ref for user in users for ref in user.fact.objects)))
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    origins = _origins(carrier, outcome, value)
    return Fact("mount", value, origins, steps, carrier.resource.ref, tuple(refs), None, confidence)


def _options(carrier: _Carrier, outcome: EffectiveOptions) -> dict[str, str | int | bool]:
    """Return the options in force; of a malformed list, which the API server does not take, only what it says."""
    if carrier.malformed:
        return {key: value for key, value in outcome.options.items() if key in outcome.deciders}
    return dict(outcome.options)


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


def _origins(carrier: _Carrier, outcome: EffectiveOptions, value: dict[str, Any]) -> dict[str, Origin]:
    origins = {"": Origin(carrier.place), "/options": Origin(carrier.place)}
    origins.update((f"/options/{key}", outcome.origins[key]) for key in value["options"])
    origins.update((f"/listed/{at}", Origin(verdict.option.span)) for at, verdict in enumerate(outcome.listed))
    if "server" in carrier.end.names:
        origins["/server"] = carrier.end.names["server"][1]
    if carrier.encrypted is not None and "tls" in value:
        origins["/tls"] = Origin(carrier.encrypted.span)
    return origins


def _read_only(carrier: _Carrier, outcome: EffectiveOptions, users: Sequence[User]) -> bool | None:
    """Say whether nobody can write: the volume is read-only, by itself or by the option ``ro``, or everybody known
    mounts it so; ``None`` without users.
    """
    if carrier.read_only or any(
        verdict.option.name.lower() == "ro" and verdict.state is State.EFFECTIVE for verdict in outcome.listed
    ):
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
