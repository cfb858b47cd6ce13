"""From a class name to what stands behind it.

A class that is in the input is judged by its provisioner, never by its name. One that is not may be settled by
configuration; else a name with the word ``efs`` is taken for EFS and said to be assumed.
"""

from __future__ import annotations

from collections.abc import Sequence

from efslint.knowledge.drivers import Driver, Mounter, StorageKind, assumed_efs, driver, provisioned_file_system
from efslint.knowledge.hosts import efs_host
from efslint.kube.index import Ambiguous, Found, Index, Missing
from efslint.kube.pods import annotation, scalar
from efslint.kube.resources import Resource
from efslint.storage.attributes import attribute, parameters_of
from efslint.storage.backing import Backing, End, Unresolved, agree
from efslint.storage.configured import ConfiguredClass
from efslint.storage.context import Context, Default
from efslint.storage.fact import Origin, Step
from efslint.storage.provisioners import Provisioner
from efslint.text.source import Span
from efslint.yaml.node import Scalar, child, text

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


def default_class(index: Index) -> Default | None:
    """Find the default class of the input: of several the newest, which is not known unless all ages are written."""
    marked = [(each, mark) for each in index.of_kind("StorageClass") if (mark := _default_mark(each)) is not None]
    if not marked:
        return None
    ages = {each.ref.name: text(each.node, "metadata", "creationTimestamp") or "" for each, _ in marked}
    name = None
    if len(ages) == 1 or all(ages.values()):
        # Of classes of one age the first by name: kubernetes/kubernetes pkg/volume/util/storageclass.go
        name = max(sorted(ages), key=ages.__getitem__)
    return Default(name, tuple(mark for each, mark in marked if each.ref.name == name))


def _default_mark(resource: Resource) -> Scalar | None:
    """Return the annotation that makes a class the default, if it is."""
    marks = (annotation(resource.node, key) for key in _DEFAULT_MARKS)
    return next((mark for mark in marks if mark is not None and mark.text == "true"), None)


def default_end(context: Context, span: Span) -> End:
    """Follow a claim that names no class to the default class; ``span`` is where a class would be written."""
    default = context.default
    if default is None or default.name is None:
        return Unresolved("StorageClass", None, "no-default" if default is None else "ambiguous", span)
    end = class_end(context, default.name, span)
    path = end.carrier.source.path if isinstance(end, Backing) and end.carrier is not None else None
    mark = next((mark for mark in default.marks if mark.source.path == path), default.marks[0])
    return end.behind((Step(mark.span, f"{default.name} is the default class"),))


def provisioned(context: Context, resource: Resource, span: Span | None = None) -> End:
    """Say what a class of the input stands for; ``span`` is where it is referred to."""
    named = scalar(resource.node, "provisioner")
    name = resource.ref.name
    here = span or resource.name_span
    if named is None or not named.text:
        return Unresolved("StorageClass", name, "unknown-provisioner", here)
    step = Step(named.span, f"class {name} is provisioned by {named.text}")
    names = {"class": (name, Origin(here))}
    known = context.provisioners.nearest(named.text, resource.source)
    if len({each.efs for each in known}) > 1:
        return Unresolved("provisioner", named.text, "ambiguous", here, steps=(step,))
    if known:
        return _by_pod(resource, known, Backing("other", named.text, "", names=names, steps=(step,)))
    found = driver(named.text, parameters_of(child(resource.node, "parameters")))
    if found.kind is StorageKind.UNKNOWN:
        return Unresolved("provisioner", named.text, "unknown-provisioner", here, steps=(step,))
    return _by_driver(resource, found, Backing("other", named.text, "", names=names, steps=(step,)))


def _by_pod(resource: Resource, known: Sequence[Provisioner], draft: Backing) -> Backing:
    """Complete a class whose provisioner runs in a pod of the input; of several that agree the servers may differ."""
    first = known[0]
    how = f"class {resource.ref.name} is provisioned by {draft.driver}, which {first.resource.ref.label} runs"
    names = dict(draft.names)
    if first.server is not None and len(known) == 1:
        names["server"] = (first.server, Origin(first.span))
        how += f" on the NFS server {first.server}"
    steps = (*draft.steps, Step(first.span, first.words))
    kind = "efs" if first.efs else "nfs"
    return Backing(kind, draft.driver, how, Mounter.IN_TREE_NFS, resource, names=names, steps=steps)


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


def _absent_class(context: Context, name: str, span: Span) -> End:
    configured = context.settings.classes.get(name)
    names = {"class": (name, Origin(span))}
    if configured is not None:
        return _configured(name, configured, Backing("other", configured.driver, "", assumed=True, names=names), span)
    if assumed_efs(name):
        how = f"class {name} is not in the input and taken for EFS because of its name"
        return Backing("efs", "efs.csi.aws.com", how, assumed=True, names=names)
    stripped = name.strip()
    if stripped != name:
        hint = "the name is written with blanks around it"
        if not isinstance(context.index.cluster("StorageClass", stripped, span.source), Missing):
            hint += f"; a class {stripped} is in the input"
        return Unresolved("StorageClass", name, "not-a-name", span, hint=hint)
    return Unresolved("StorageClass", name, "missing", span)


def _configured(name: str, configured: ConfiguredClass, draft: Backing, span: Span) -> End:
    how = f"configuration says that class {name} is {configured.driver}"
    kind, mounter = configured.driver, None
    if kind not in ("efs", "nfs", "other"):
        found = driver(configured.driver)
        if found.kind is StorageKind.UNKNOWN:
            return Unresolved("provisioner", configured.driver, "unknown-provisioner", span)
        kind, mounter = str(found.kind), found.mounter
    if kind == "nfs" and configured.server is not None and efs_host(configured.server) is not None:
        kind = "efs"
    return Backing(kind, configured.driver, how, mounter, assumed=True, names=draft.names)
