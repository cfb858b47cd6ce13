"""From a class name to what stands behind it.

A class that is in the input is judged by its provisioner, never by its name. One that is not may be settled by
configuration; else a name with the word ``efs`` is taken for EFS and said to be assumed.
"""

from __future__ import annotations

from efslint.knowledge.drivers import Driver, Mounter, StorageKind, assumed_efs, driver, provisioned_file_system
from efslint.knowledge.hosts import efs_host
from efslint.kube.index import Ambiguous, Found
from efslint.kube.pods import annotation
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.context import ConfiguredClass, Context
from efslint.storage.fact import Origin, Step
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Scalar, child, pairs, text

# https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass and its older form
_DEFAULT_MARKS = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


def class_end(context: Context, name: str, span: Span) -> End:
    """Follow a class by its name; ``span`` is where the name is written."""
    match context.index.cluster("StorageClass", name, span.source):
        case Found(resource):
            return provisioned(context, resource, span)
        case Ambiguous(candidates):
            ends = [provisioned(context, each, span) for each in candidates]
            if agree(ends):
                return ends[0]
            return Unresolved("StorageClass", name, "ambiguous", span)
        case _:
            return _absent_class(context, name, span)


def agree(ends: list[End]) -> bool:
    """Say whether several ends come to the same kind of storage, mounted by the same client."""
    first = ends[0]
    return isinstance(first, Backing) and all(
        isinstance(each, Backing) and (each.kind, each.mounter) == (first.kind, first.mounter) for each in ends
    )


def default_class(context: Context, near: Source) -> Resource | None:
    """Return the default class of the input: of several the newest, and none when their age is not written."""
    marked = [each for each in context.index.of_kind("StorageClass") if is_default(each)]
    if len(marked) > 1:
        names = {each.ref.name for each in marked}
        if len(names) == 1:
            found = context.index.cluster("StorageClass", marked[0].ref.name, near)
            return found.resource if isinstance(found, Found) else None
        aged = [(text(each.node, "metadata", "creationTimestamp") or "", each) for each in marked]
        if any(not age for age, _ in aged):
            return None
        return max(aged, key=lambda pair: pair[0])[1]
    return marked[0] if marked else None


def is_default(resource: Resource) -> bool:
    """Say whether a class is marked as the default."""
    return any(_is_true(annotation(resource.node, mark)) for mark in _DEFAULT_MARKS)


def _is_true(value: Scalar | None) -> bool:
    return value is not None and value.text == "true"


def default_end(context: Context, span: Span) -> End:
    """Follow a claim that names no class to the default class; ``span`` is where a class would be written."""
    resource = default_class(context, span.source)
    if resource is None:
        defaults = [each for each in context.index.of_kind("StorageClass") if is_default(each)]
        reason = "ambiguous" if defaults else "no-default"
        return Unresolved("StorageClass", None, reason, span)
    end = provisioned(context, resource, span)
    mark = next(mark for key in _DEFAULT_MARKS if _is_true(mark := annotation(resource.node, key)))
    assert mark is not None
    return end.behind((Step(mark.span, f"{resource.ref.name} is the default class"),))


def provisioned(context: Context, resource: Resource, span: Span | None = None) -> End:
    """Say what a class of the input stands for; ``span`` is where it is referred to."""
    scalar = child(resource.node, "provisioner")
    name = resource.ref.name
    here = span or resource.name_span
    if type(scalar) is not Scalar or not scalar.text:
        return Unresolved("provisioner", name, "unknown-provisioner", here)
    step = Step(scalar.span, f"class {name} is provisioned by {scalar.text}")
    names = {"class": (name, Origin(here))}
    known = context.provisioners.get(scalar.text)
    if known is not None:
        kind = "efs" if known.efs else "nfs"
        how = f"class {name} is provisioned by {scalar.text}, which {known.resource.ref.label} runs"
        if known.server:
            names["server"] = (known.server, Origin(known.span))
            how += f" on the NFS server {known.server}"
        hand = Step(known.span, f"{known.resource.ref.label} hands out this server")
        return Backing(kind, scalar.text, how, Mounter.IN_TREE_NFS, resource, names=names, steps=(step, hand))
    found = driver(scalar.text, parameters_of(child(resource.node, "parameters")))
    if found.kind is StorageKind.UNKNOWN:
        return Unresolved("provisioner", scalar.text, "unknown-provisioner", here, steps=(step,))
    return _by_driver(resource, found, Backing("other", scalar.text, "", names=names, steps=(step,)))


def _by_driver(resource: Resource, found: Driver, draft: Backing) -> Backing:
    """Complete a class whose driver is known; the class parameters may name the server or the file system type."""
    name = resource.ref.name
    kind, mounter, names, steps = str(found.kind), found.mounter, dict(draft.names), draft.steps
    how = f"class {name} is provisioned by {draft.driver}"
    parameters = child(resource.node, "parameters")
    if mounter is Mounter.EFS_CSI:
        kind = provisioned_file_system(parameters_of(parameters))
    server = attribute(parameters, "server") if mounter is Mounter.CSI_DRIVER_NFS else None
    if server is not None:
        names["server"] = (server.text, Origin(server.span))
        if efs_host(server.text) is not None:
            kind = "efs"
            how += f", whose server {server.text} is EFS"
            steps = (*steps, Step(server.span, "the server is an EFS file system"))
    return Backing(kind, draft.driver, how, mounter, resource, names=names, steps=steps)


def parameters_of(node: object) -> dict[str, str]:
    """Return class parameters or volume attributes as text."""
    if type(node) is not Mapping:
        return {}
    return {key: value.text for key, value in pairs(node) if type(value) is Scalar}


def attribute(node: object, name: str) -> Scalar | None:
    """Return a class parameter or volume attribute; csi-driver-nfs compares their names without regard to case.

    Source: kubernetes-csi/csi-driver-nfs ``pkg/nfs/controllerserver.go``.
    """
    if type(node) is Mapping:
        for key, value in pairs(node):
            if key.lower() == name.lower() and type(value) is Scalar:
                return value
    return None


def _absent_class(context: Context, name: str, span: Span) -> End:
    configured = context.settings.classes.get(name)
    names = {"class": (name, Origin(span))}
    if configured is not None:
        return _configured(name, configured, Backing("other", configured.driver, "", assumed=True, names=names), span)
    if assumed_efs(name):
        how = f"class {name} is not in the input and taken for EFS because of its name"
        return Backing("efs", "efs.csi.aws.com", how, assumed=True, names=names)
    stripped = name.strip()
    if stripped != name and isinstance(context.index.cluster("StorageClass", stripped, span.source), Found):
        hint = f"the name is written with blanks around it; a class {stripped} is in the input"
        return Unresolved("StorageClass", name, "not-a-name", span, hint=hint)
    return Unresolved("StorageClass", name, "missing", span)


def _configured(name: str, configured: ConfiguredClass, draft: Backing, span: Span) -> End:
    how = f"configuration says that class {name} is {configured.driver}"
    if configured.driver in ("efs", "nfs", "other"):
        return Backing(configured.driver, configured.driver, how, assumed=True, names=draft.names)
    found = driver(configured.driver)
    if found.kind is StorageKind.UNKNOWN:
        return Unresolved("provisioner", configured.driver, "unknown-provisioner", span)
    kind = str(found.kind)
    if configured.server and efs_host(configured.server) is not None:
        kind = "efs"
    return Backing(kind, configured.driver, how, found.mounter, assumed=True, names=draft.names)
