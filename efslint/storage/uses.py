"""Which container keeps files on which volume: every mount of every pod template, followed to its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from efslint.knowledge.drivers import Mounter
from efslint.kube.index import Ambiguous, Found
from efslint.kube.pods import Container, PodTemplate, containers, integer, pod_templates, scalar, truth, volumes
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved, agree
from efslint.storage.claims import Claim, claim_end, claim_object, claim_template, reserved_end
from efslint.storage.context import Context
from efslint.storage.fact import Origin, Step
from efslint.storage.volumes import csi_backing, nfs_backing
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Scalar, child, items, text

# Ordinals looked at when searching for claims made in advance; a set of more replicas than this has no hand-made
# claims.
_MOST_ORDINALS = 200


class Mount(NamedTuple):
    """One volume mount of one container, and where the volume ends."""

    template: PodTemplate
    container: Container
    path: Scalar
    sub_path: str | None
    read_only: bool
    volume: str
    end: End

    @property
    def step(self) -> Step:
        """The first hop of the chain."""
        return Step(self.path.span, f"container {self.container.name} mounts volume {self.volume} here")


def mounts(context: Context, template: PodTemplate) -> Iterator[Mount]:
    """Yield the mounts of a pod template whose volumes are claims, NFS or CSI volumes."""
    ends = dict(_ends(context, template))
    if not ends:
        return
    for container in containers(template):
        for node in items(container.node, "volumeMounts"):
            path, name = scalar(node, "mountPath"), text(node, "name")
            if path is None or name not in ends:
                continue
            read_only, sub_path = truth(node, "readOnly"), text(node, "subPath") or text(node, "subPathExpr")
            for end, locked in ends[name]:
                yield Mount(template, container, path, sub_path, read_only or locked, name, end)


def _ends(context: Context, template: PodTemplate) -> Iterator[tuple[str, list[tuple[End, bool]]]]:
    """Yield every volume of a pod with its ends and whether the volume itself is read-only."""
    taken = set()
    for node in template.claim_templates:
        name = text(node, "metadata", "name")
        if name is not None:
            # The StatefulSet controller puts its claims in place of volumes of the same name.
            taken.add(name)
            yield name, [(end, False) for end in _template_ends(context, template, node, name)]
    for name, volume in volumes(template):
        if name not in taken:
            end = _volume_end(context, template, name, volume)
            if end is not None:
                yield name, [end]


def _template_ends(context: Context, template: PodTemplate, node: Mapping, name: str) -> Iterator[End]:
    """Follow a claim template; a claim of the name it would make that is already there is used instead.

    Names: kubernetes/kubernetes ``pkg/controller/statefulset/stateful_set_utils.go``.
    """
    resource = template.resource
    start, count = _ordinals(template)
    label = f"claim template {name}"
    made = 0
    for ordinal in range(start, start + count):
        claim_name = f"{name}-{resource.ref.name}-{ordinal}"
        end = _present_claim(context, resource.ref.namespace, claim_name, resource.name_span)
        if end is not None:
            made += 1
            step = Step(resource.name_span, f"claim {claim_name} is there already, which {label} would make")
            yield _behind(end, step, {"claim": (claim_name, Origin(resource.name_span))})
    if made < count:
        first = f"{name}-{resource.ref.name}-{start}"
        yield claim_end(context, claim_template(node, first, resource.ref.namespace, label, resource.name_span))


def _ordinals(template: PodTemplate) -> tuple[int, int]:
    """Return the first ordinal of a StatefulSet's pods, and how many of them are looked at."""
    start = integer(template.resource.node, "spec", "ordinals", "start") or 0
    return start, min(max(template.replicas or 1, 1), _MOST_ORDINALS)


def _volume_end(context: Context, template: PodTemplate, name: str, volume: Mapping) -> tuple[End, bool] | None:
    resource = template.resource
    claimed = child(volume, "persistentVolumeClaim")
    if claimed is not None:
        claim_name = scalar(claimed, "claimName")
        if claim_name is None:
            return None
        return _claimed(context, resource, name, claim_name), truth(claimed, "readOnly")
    ephemeral = child(volume, "ephemeral", "volumeClaimTemplate")
    if type(ephemeral) is Mapping:
        # https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#persistentvolumeclaim-naming
        made = f"{resource.ref.name}-{name}" if resource.ref.kind == "Pod" else None
        place = scalar(volume, "name") or volume
        claim = claim_template(ephemeral, made, resource.ref.namespace, f"ephemeral volume {name}", place.span)
        return claim_end(context, claim), False
    draft = Backing("other", "", "", carrier=resource, provisioning="inline")
    nfs = child(volume, "nfs")
    if type(nfs) is Mapping:
        return nfs_backing(nfs, Mounter.INLINE_NFS, f"volume {name}", draft), truth(nfs, "readOnly")
    csi = child(volume, "csi")
    if type(csi) is Mapping:
        return csi_backing(csi, f"volume {name}", draft), truth(csi, "readOnly")
    return None


def _claimed(context: Context, resource: Resource, volume: str, claim_name: Scalar) -> End:
    step = Step(claim_name.span, f"volume {volume} is claim {claim_name.text}")
    names = {"claim": (claim_name.text, Origin(claim_name.span))}
    namespace = resource.ref.namespace
    end = _present_claim(context, namespace, claim_name.text, claim_name.span)
    return _behind(end or _absent_claim(context, namespace, claim_name), step, names)


def _present_claim(context: Context, namespace: str | None, name: str, span: Span) -> End | None:
    """Follow a claim of the input by its name; ``None`` where there is none of it."""
    match context.index.namespaced("PersistentVolumeClaim", namespace, name, span.source):
        case Found(resource):
            return claim_end(context, claim_object(resource))
        case Ambiguous(candidates):
            ends = [claim_end(context, claim_object(each)) for each in candidates]
            if agree(ends):
                return ends[0]
            return Unresolved("PersistentVolumeClaim", name, "ambiguous", span, namespace)
        case _:
            return None


def _absent_claim(context: Context, namespace: str | None, claim_name: Scalar) -> End:
    """Follow a claim that is not in the input: a volume may name it, or a StatefulSet of the input make it."""
    claim = Claim(claim_name.text, namespace, None, claim_name.span, None, f"claim {claim_name.text}")
    reserved = reserved_end(context, claim)
    if reserved is not None:
        return reserved
    made = list(_made_claims(context, namespace, claim_name))
    if len(made) == 1:
        return made[0]
    return Unresolved("PersistentVolumeClaim", claim_name.text, "missing", claim_name.span, namespace)


def _made_claims(context: Context, namespace: str | None, claim_name: Scalar) -> Iterator[End]:
    """Follow a claim to the templates of StatefulSets that make one of this name."""
    words = claim_name.text.split("-")
    if not (words[-1].isascii() and words[-1].isdigit()):
        return
    for at in range(1, len(words) - 1):
        name, owner = "-".join(words[:at]), "-".join(words[at:-1])
        found = context.index.namespaced("StatefulSet", namespace, owner, claim_name.span.source)
        if not isinstance(found, Found):
            continue
        for template in pod_templates(found.resource):
            start, count = _ordinals(template)
            if not start <= int(words[-1]) < start + count:
                continue
            for node in template.claim_templates:
                if text(node, "metadata", "name") == name:
                    label = f"claim template {name} of {found.resource.ref.label}"
                    step = Step(claim_name.span, f"claim {claim_name.text} is made by {label}")
                    made = claim_template(node, claim_name.text, namespace, label, found.resource.name_span)
                    yield claim_end(context, made).behind((step,))


def _behind(end: End, step: Step, names: dict[str, tuple[str, Origin]]) -> End:
    if isinstance(end, Unresolved):
        return end.behind((step,))
    return end.behind((step,), **names)
