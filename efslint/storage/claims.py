"""From a claim to a class or a volume, as the control plane binds them.

https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding is the source of the order: a volume that the
claim names or that names the claim; else a volume of the same class that fits; else the class makes one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from efslint.kube.index import Ambiguous, Found, Missing
from efslint.kube.pods import annotation, labels, strings
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.classes import agree, class_end, default_class, default_end
from efslint.storage.context import Context
from efslint.storage.fact import Origin, Step
from efslint.storage.volumes import volume_end
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar, child, pairs, text

_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, whether an object of its own, a template in a workload, or a part of a custom resource.

    ``name`` is what the control plane calls it, ``None`` where that depends on names made at run time.
    ``class_name`` is the scalar that names the class (the beta annotation wins over the field), ``None`` where no class
    is named. ``span`` is where a class would be written. ``spec`` is the claim's spec. ``pattern`` is a glob over the
    names that an operator gives to the claims it makes.
    """

    name: str | None
    namespace: str | None
    class_name: Scalar | None
    span: Span
    spec: Node | None
    label: str
    pattern: str = ""

    def is_named(self, name: str | None) -> bool:
        """Say whether a name is, or may be, this claim's."""
        return name is not None and (name == self.name or (self.pattern != "" and fnmatchcase(name, self.pattern)))


def claim_object(resource: Resource) -> Claim:
    """Read a PersistentVolumeClaim."""
    ref = resource.ref
    return _claim(resource.node, ref.name, ref.namespace, resource.name_span, f"claim {ref.name}")


def claim_template(node: Mapping, name: str | None, namespace: str | None, label: str, span: Span) -> Claim:
    """Read a claim template; ``name`` is the name of the claim that it makes, ``span`` a place that always exists."""
    scalar = child(node, "metadata", "name")
    return _claim(node, name, namespace, scalar.span if type(scalar) is Scalar else span, label)


def _claim(node: Mapping, name: str | None, namespace: str | None, span: Span, label: str) -> Claim:
    spec = child(node, "spec")
    named = annotation(node, _CLASS_ANNOTATION) or child(spec, "storageClassName")
    class_name = named if type(named) is Scalar and named.value is not None else None
    return Claim(name, namespace, class_name, span, spec, label)


def claim_end(context: Context, claim: Claim) -> End:
    """Follow a claim to its end."""
    named = child(claim.spec, "volumeName")
    if type(named) is Scalar and named.text:
        end = _named_volume(context, claim, named)
        if end is not None:
            return end
    reserved = reserved_end(context, claim)
    if reserved is not None:
        return reserved
    if claim.class_name is not None and claim.class_name.text == "":
        return _static(context, claim, "")
    if claim.class_name is not None:
        return _by_class(context, claim, claim.class_name)
    return _without_class(context, claim)


def _named_volume(context: Context, claim: Claim, named: Scalar) -> End | None:
    match context.index.cluster("PersistentVolume", named.text, named.span.source):
        case Found(volume):
            step = Step(named.span, f"{claim.label} is bound to volume {named.text}")
            end = volume_end(volume)
            if isinstance(end, Unresolved):
                return end.behind((step,))
            return end.behind((step,), volume=(named.text, Origin(named.span)), **_class_names(claim))
        case Ambiguous(candidates):
            ends = [volume_end(each) for each in candidates]
            if agree(ends):
                return ends[0].behind((Step(named.span, f"{claim.label} is bound to volume {named.text}"),))
            return Unresolved("PersistentVolume", named.text, "ambiguous", named.span)
        case Missing() if claim.class_name is None or claim.class_name.text == "":
            return Unresolved("PersistentVolume", named.text, "missing", named.span)
        case _:
            # A volume made by the class: its driver is the class' driver, though its options are not known.
            return None


def _class_names(claim: Claim) -> dict[str, tuple[str, Origin]]:
    if claim.class_name is None or claim.class_name.text == "":
        return {}
    return {"class": (claim.class_name.text, Origin(claim.class_name.span))}


def reserved_end(context: Context, claim: Claim) -> End | None:
    """Follow a claim through a volume that names it in its ``claimRef``; ``None`` where no volume does."""
    reserved = _binding_volumes(context, claim)
    return _through_volume(claim, reserved[0]) if reserved else None


def _binding_volumes(context: Context, claim: Claim) -> list[Resource]:
    """Return the volumes that name this claim in their ``claimRef``."""
    found = []
    for volume in context.index.of_kind("PersistentVolume"):
        reference = child(volume.node, "spec", "claimRef")
        if reference is not None and claim.is_named(text(reference, "name")):
            namespace = text(reference, "namespace")
            if claim.namespace is None or namespace is None or namespace == claim.namespace:
                found.append(volume)
    return found


def _through_volume(claim: Claim, volume: Resource, assumed: bool = False) -> End:
    end = volume_end(volume)
    reference = child(volume.node, "spec", "claimRef", "name")
    class_name = claim.class_name if claim.class_name is not None and claim.class_name.text else None
    if type(reference) is Scalar and claim.is_named(reference.text):
        step = Step(reference.span, f"volume {volume.ref.name} is reserved for {claim.label}")
    elif class_name is not None:
        step = Step(
            class_name.span, f"{claim.label} asks for class {class_name.text}, which volume {volume.ref.name} has"
        )
    else:
        step = Step(claim.span, f"{claim.label} fits volume {volume.ref.name}")
    if isinstance(end, Unresolved):
        return end.behind((step,))
    names = _class_names(claim) or {"volume": (volume.ref.name, Origin(claim.span))}
    return replace(end.behind((step,), **names), assumed=end.assumed or assumed)


def _fitting(context: Context, claim: Claim, class_name: str) -> list[Resource]:
    """Return the volumes without an owner that a claim of a class could be bound to."""
    selector = {key: value.text for key, value in pairs(claim.spec, "selector", "matchLabels") if type(value) is Scalar}
    modes = set(strings(claim.spec, "accessModes"))
    found = []
    for volume in context.index.of_kind("PersistentVolume"):
        spec = child(volume.node, "spec")
        offered = set(strings(spec, "accessModes"))
        if child(spec, "claimRef") is not None or _volume_class(volume) != class_name:
            continue
        if selector and not selector.items() <= labels(volume.node).items():
            continue
        if modes and offered and not modes <= offered:
            continue
        found.append(volume)
    return found


def _volume_class(volume: Resource) -> str:
    named = annotation(volume.node, _CLASS_ANNOTATION)
    return named.text if named is not None else text(volume.node, "spec", "storageClassName") or ""


def _static(context: Context, claim: Claim, class_name: str, assumed: bool = False) -> End:
    """Bind a claim to one of the volumes that fit; when they differ in kind, which one it gets is not known."""
    fitting = _fitting(context, claim, class_name)
    if not fitting:
        return Unresolved("PersistentVolume", None, "missing", claim.span, claim.namespace)
    near = [each for each in fitting if each.source.path == claim.span.source.path] or fitting
    ends = [_through_volume(claim, each, assumed) for each in near]
    if agree(ends):
        return ends[0]
    return Unresolved("PersistentVolume", None, "ambiguous", claim.span, claim.namespace)


def _by_class(context: Context, claim: Claim, class_name: Scalar) -> End:
    step = Step(class_name.span, f"{claim.label} asks for class {class_name.text}")
    if _fitting(context, claim, class_name.text):
        end = _static(context, claim, class_name.text)
        if isinstance(end, Backing):
            return end
    return class_end(context, class_name.text, class_name.span).behind((step,))


def _without_class(context: Context, claim: Claim) -> End:
    step = Step(claim.span, f"{claim.label} names no class")
    if default_class(context, claim.span.source) is None and _fitting(context, claim, ""):
        # Without a default class the claim stays without a class and is bound to a volume without one. Whether the
        # cluster has a default class, the input does not say.
        end = _static(context, claim, "", assumed=True)
        if isinstance(end, Backing):
            return end
    return default_end(context, claim.span).behind((step,))
