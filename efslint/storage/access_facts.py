"""Facts about what volumes and claims ask of their driver: access modes, volume mode, and volumes inside a pod.

Knows who asks which driver; what a driver grants is known to the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from efslint.knowledge.drivers import EFS_CSI_DRIVER
from efslint.kube.pods import pod_templates, scalar, volumes
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing
from efslint.storage.claims import Claim, claim_end, claim_object, claim_template
from efslint.storage.context import Context
from efslint.storage.engine_values import workload_value
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.offers import has_selector
from efslint.storage.volumes import volume_end
from efslint.yaml.node import Mapping, Node, Scalar, child, items, text


def access_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every volume, claim and claim template that names access modes and whose driver is known."""
    for resource in context.index.of_kind("PersistentVolume"):
        end = volume_end(resource)
        if isinstance(end, Backing):
            spec = child(resource.node, "spec")
            yield from _fact(resource, ("PersistentVolume", resource.ref.name, resource.ref.label), spec, end)
    for resource in context.index.all:
        for kind, claim in _claims(resource):
            end = claim_end(context, claim)
            if isinstance(end, Backing):
                own = kind == "PersistentVolumeClaim"
                label = resource.ref.label if own else f"{claim.label} of {resource.ref.label}"
                yield from _fact(resource, (kind, claim.name or "", label), claim.spec, end)


def _claims(resource: Resource) -> Iterator[tuple[str, Claim]]:
    ref = resource.ref
    if ref.kind == "PersistentVolumeClaim":
        yield ref.kind, claim_object(resource)
        return
    for template in pod_templates(resource):
        found = [("claim template", text(node, "metadata", "name"), node) for node in template.claim_templates]
        for volume_name, volume in volumes(template):
            claim = child(volume, "ephemeral", "volumeClaimTemplate")
            if type(claim) is Mapping:
                found.append(("ephemeral volume", volume_name, claim))
        for kind, name, node in found:
            yield kind, claim_template(node, None, ref.namespace, f"{kind} {name or ''}".strip(), resource.name_span)


def _fact(resource: Resource, carrier: tuple[str, str, str], spec: Node | None, end: Backing) -> Iterator[Fact]:
    modes = [mode for mode in items(spec, "accessModes") if type(mode) is Scalar]
    block = scalar(spec, "volumeMode")
    if not modes and block is None:
        return
    kind, name, label = carrier
    value: dict[str, Any] = {
        "carrier": {"kind": kind, "name": name, "label": label},
        "access_modes": [mode.text for mode in modes],
        "volume_mode": "Filesystem" if block is None else block.text,
        "provisioned": _provisioned(spec, end),
        "storage": end.value,
    }
    origins = {f"/access_modes/{at}": Origin(mode.span) for at, mode in enumerate(modes)}
    origins[""] = Origin(modes[0].span if modes else resource.name_span)
    if block is not None:
        origins["/volume_mode"] = Origin(block.span)
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    yield Fact("access", value, {**end.origins, **origins}, end.steps, resource.ref, (resource.ref,), None, confidence)


def _provisioned(spec: Node | None, end: Backing) -> bool:
    """Say whether a volume is surely made for a claim. A class of the EFS CSI driver makes one only when told how."""
    if end.provisioning != "dynamic" or scalar(spec, "volumeName") is not None or has_selector(spec):
        return False
    if end.driver != EFS_CSI_DRIVER:
        return True
    return end.carrier is not None and scalar(end.carrier.node, "parameters", "provisioningMode") is not None


def inline_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every CSI volume that is written into a pod."""
    for resource in context.index.all:
        for template in pod_templates(resource):
            for name, volume in volumes(template):
                driver = scalar(volume, "csi", "driver")
                if driver is not None:
                    value = {"workload": workload_value(resource), "volume": name, "driver": driver.text}
                    step = Step(driver.span, f"volume {name} is written into the pod and mounted by {driver.text}")
                    yield Fact("inline", value, {"": Origin(driver.span)}, (step,), resource.ref, (resource.ref,))
