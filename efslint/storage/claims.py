"""From a claim to a class or a volume, as the control plane binds them.

https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding is the source of the order: a volume that the
claim names or that names the claim; else a volume of the same class that fits; else the class makes one.
"""

from __future__ import annotations

from typing import NamedTuple

from efslint.kube.index import Ambiguous, Found
from efslint.kube.pods import annotation, scalar
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved, agree
from efslint.storage.classes import class_end, default_end
from efslint.storage.context import Context
from efslint.storage.fact import Origin, Step
from efslint.storage.offers import CLASS_ANNOTATION, Offer, has_selector
from efslint.storage.volumes import volume_end
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, Scalar, child


class Claim(NamedTuple):
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
    class_name = scalar(annotation(node, CLASS_ANNOTATION)) or scalar(spec, "storageClassName")
    return Claim(name, namespace, class_name, span, spec, label)


def claim_end(context: Context, claim: Claim) -> End:
    """Follow a claim to its end."""
    named = scalar(claim.spec, "volumeName")
    if named is not None and named.text:
        return _named_volume(context, claim, named)
    reserved = reserved_end(context, claim)
    if reserved is not None:
        return reserved
    if claim.class_name is None:
        return _without_class(context, claim)
    if claim.class_name.text == "":
        return _free_volume(context, claim, "") or _no_volume(claim)
    return _by_class(context, claim, claim.class_name)


def _named_volume(context: Context, claim: Claim, named: Scalar) -> End:
    step = Step(named.span, f"{claim.label} is bound to volume {named.text}")
    match context.index.cluster("PersistentVolume", named.text, named.span.source):
        case Found(volume):
            end = volume_end(volume)
        case Ambiguous(candidates):
            ends = [volume_end(each) for each in candidates]
            end = ends[0] if agree(ends) else Unresolved("PersistentVolume", named.text, "ambiguous", named.span)
        case _ if claim.class_name is not None and claim.class_name.text:
            # A volume made by the class: its driver is the class' driver, though its options are not known.
            return _class_end(context, claim, claim.class_name)
        case _:
            return Unresolved("PersistentVolume", named.text, "missing", named.span)
    if isinstance(end, Unresolved):
        return end.behind((step,))
    return end.behind((step,), volume=(named.text, Origin(named.span)), **_class_names(claim))


def _class_names(claim: Claim) -> dict[str, tuple[str, Origin]]:
    if claim.class_name is None or claim.class_name.text == "":
        return {}
    return {"class": (claim.class_name.text, Origin(claim.class_name.span))}


def reserved_end(context: Context, claim: Claim) -> End | None:
    """Follow a claim through a volume that names it in its ``claimRef``; ``None`` where no volume does."""
    offer = context.offers.reserved(claim.name, claim.pattern, claim.namespace, claim.span.source)
    if not offer.volumes:
        return None
    reference = child(offer.volume.node, "spec", "claimRef", "name")
    assert type(reference) is Scalar
    step = Step(reference.span, f"volume {offer.volume.ref.name} is reserved for {claim.label}")
    return _through_volume(claim, offer, step)


def _through_volume(claim: Claim, offer: Offer, step: Step) -> End:
    """Take the volume that is offered; when several differ in kind, which one the claim gets is not known."""
    if not offer.settled:
        return Unresolved("PersistentVolume", None, "ambiguous", claim.span, claim.namespace)
    end = volume_end(offer.volume)
    if isinstance(end, Unresolved):
        return end.behind((step,))
    return end.behind((step,), **(_class_names(claim) or {"volume": (offer.volume.ref.name, Origin(claim.span))}))


def _free_volume(context: Context, claim: Claim, class_name: str) -> End | None:
    """Bind a claim to one of the free volumes of a class that fit; ``None`` where none does."""
    offer = context.offers.free(claim.spec, class_name, claim.span.source)
    if not offer.volumes:
        return None
    name = offer.volume.ref.name
    if claim.class_name is not None and class_name:
        words = f"{claim.label} asks for class {class_name}, which volume {name} has"
        return _through_volume(claim, offer, Step(claim.class_name.span, words))
    return _through_volume(claim, offer, Step(claim.span, f"{claim.label} fits volume {name}"))


def _no_volume(claim: Claim) -> Unresolved:
    return Unresolved("PersistentVolume", None, "missing", claim.span, claim.namespace)


def _by_class(context: Context, claim: Claim, class_name: Scalar) -> End:
    free = _free_volume(context, claim, class_name.text)
    if free is not None:
        return free
    if has_selector(claim.spec):
        return _no_volume(claim)
    return _class_end(context, claim, class_name)


def _class_end(context: Context, claim: Claim, class_name: Scalar) -> End:
    step = Step(class_name.span, f"{claim.label} asks for class {class_name.text}")
    return class_end(context, class_name.text, class_name.span).behind((step,))


def _without_class(context: Context, claim: Claim) -> End:
    default = context.default
    if default is None:
        # Without a default class the claim stays without a class and is bound to a volume without one. Whether the
        # cluster has a default class, the input does not say.
        end = _free_volume(context, claim, "")
        if isinstance(end, Backing):
            return end._replace(assumed=True)
    elif default.name is not None:
        # The claim is given the default class before a volume is looked for.
        end = _free_volume(context, claim, default.name)
        if end is not None:
            return end.behind((Step(default.marks[0].span, f"{default.name} is the default class"),))
    if has_selector(claim.spec):
        return _no_volume(claim)
    step = Step(claim.span, f"{claim.label} names no class")
    return default_end(context, claim.span).behind((step,))
