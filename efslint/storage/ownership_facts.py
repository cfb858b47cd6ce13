"""Facts about owners: containers that change the owner of files on dynamically provisioned EFS volumes.

Such a volume is an access point with an enforced user, which every request is made as, whoever makes it
(kubernetes-sigs/aws-efs-csi-driver:docs/parameters.md,
https://docs.aws.amazon.com/efs/latest/ug/enforce-identity-access-points.html). That user can give files to nobody else,
unless it is root.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from efslint.knowledge.commands import simple_commands
from efslint.knowledge.directories import at_or_below, normal
from efslint.knowledge.drivers import Mounter
from efslint.knowledge.image_habits import changes_owner
from efslint.knowledge.ownership import OwnerChange, failure_expected, owner_changes
from efslint.kube.pods import environment, integer, strings, truth
from efslint.storage.attributes import parameters_of
from efslint.storage.backing import Backing
from efslint.storage.beside_facts import covered
from efslint.storage.engine_values import container_mount_paths, container_value, workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.survey import Survey, Use
from efslint.text.source import Span
from efslint.yaml.node import child, items, text

# kubernetes-sigs/aws-efs-csi-driver:docs/parameters.md: users without a uid of their own are taken from this range.
_RANGE = (50_000, 7_000_000)


def ownership_facts(found: Survey) -> Iterator[Fact]:
    """Yield a fact for every command, and every start of an image, that changes an owner it cannot change."""
    for use in found.uses:
        end = use.end
        if not isinstance(end, Backing) or use.mount.read_only:
            continue
        parameters = _access_point_parameters(end)
        if parameters is None or parameters.get("uid") == "0":
            continue
        change = next((each for each in _changes(use) if _refused(each, parameters)), None)
        if change is not None:
            yield _fact(use, end, {"by": "command", "command": change.command}, _written(use, change.program))
        elif _at_start(use, parameters):
            yield _fact(use, end, {"by": "image"}, use.mount.path.span)


def _access_point_parameters(end: Backing) -> dict[str, str] | None:
    """Return the parameters of a class that makes access points; ``None`` for every other volume."""
    if end.kind != "efs" or end.mounter is not Mounter.EFS_CSI or end.provisioning != "dynamic" or end.carrier is None:
        return None
    parameters = parameters_of(child(end.carrier.node, "parameters"))
    return parameters if parameters.get("provisioningMode") == "efs-ap" else None


def _changes(use: Use) -> Iterator[OwnerChange]:
    """Yield the changes of owner by the container's own command that reach this mount and no deeper one."""
    node, top = use.mount.container.node, normal(use.mount.path.text)
    words = (*strings(node, "command"), *strings(node, "args"))
    if top is None or failure_expected(words):
        return
    deeper = [
        path
        for each in container_mount_paths(use.mount.container)
        if (path := normal(each)) is not None and path != top and at_or_below(path, top)
    ]
    for change in owner_changes(simple_commands(strings(node, "command"), strings(node, "args")), environment(node)):
        mine = change._replace(paths=tuple(path for path in change.paths if not _in_any(path, deeper)))
        if mine.reaches(top):
            yield change


def _in_any(path: str, directories: list[str]) -> bool:
    return any(at_or_below(path, directory) for directory in directories)


def _refused(change: OwnerChange, parameters: dict[str, str]) -> bool:
    """Say whether the new owner is surely not the user of the access point."""
    number = int(change.owner) if change.owner.isdecimal() else None
    uid = parameters.get("uid")
    if uid is not None:
        # The number behind a name is in the image; the owner that is there already can always be set.
        return number is not None and uid.isdecimal() and number != int(uid)
    first, last = parameters.get("gidRangeStart", ""), parameters.get("gidRangeEnd", "")
    lowest = int(first) if first.isdecimal() else _RANGE[0]
    highest = int(last) if last.isdecimal() else _RANGE[1]
    return number is None or not lowest <= number <= highest


def _at_start(use: Use, parameters: dict[str, str]) -> bool:
    """Say whether the image's own entry point, run as root, gives the data directory to another user."""
    if use.engine is None or use.recognised is None or "uid" in parameters:
        return False
    node, pod = use.mount.container.node, use.mount.template.spec
    directory = next(each for each in use.recognised.data if each.path == use.engine["directory"])
    image = text(node, "image") or ""
    if child(node, "command") is not None or not changes_owner(image, directory.path, directory.why):
        return False
    if covered(use) is not None:
        # With some container runtimes the change is one of a directory that lies over the mount.
        return False
    contexts = (child(node, "securityContext"), child(pod, "securityContext"))
    user = next((number for each in contexts if (number := integer(each, "runAsUser")) is not None), 0)
    return user == 0 and not any(truth(each, "runAsNonRoot") for each in contexts)


def _written(use: Use, program: str) -> Span:
    """Return where the program stands in the container's command."""
    node = use.mount.container.node
    for item in (*items(node, "command"), *items(node, "args")):
        at = item.source.text.find(program, item.start, item.end)
        if at >= 0:
            return Span(item.source, at, at + len(program))
    return use.mount.path.span


def _fact(use: Use, end: Backing, value: dict[str, Any], span: Span) -> Fact:
    mount = use.mount
    resource = mount.template.resource
    told: dict[str, Any] = {
        "workload": workload_value(resource),
        "container": container_value(mount.container),
        "mount_path": mount.path.text,
        "storage": end.value,
        **value,
    }
    if use.engine is not None:
        told["engine"] = use.engine
    words = f"container {mount.container.name} changes the owner of files"
    chain = (Step(span, words), *(() if span == mount.path.span else (mount.step,)), *end.steps)
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = resource.ref
    return Fact(
        "ownership", told, {"": Origin(span), **end.origins}, chain, ref, (ref,), mount.container.name, confidence
    )
