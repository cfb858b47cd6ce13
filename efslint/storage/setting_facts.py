"""Facts about the settings of CSI volumes: class parameters, volume attributes and volume handles, each by itself.

Knows where the settings stand and that their values have to be strings; what the drivers make of them is known to
``efs_settings`` and ``nfs_settings``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from efslint.knowledge.driver_settings import SettingFault, Verdict, go_boolean
from efslint.knowledge.drivers import EFS_CSI_DRIVER, NFS_CSI_DRIVER, driver, volume_handle
from efslint.knowledge.efs_settings import efs_attribute_faults, efs_parameter_faults, told_apart, volume_handle_fault
from efslint.knowledge.nfs_settings import nfs_parameter_faults
from efslint.kube.pods import scalar
from efslint.kube.resources import Resource
from efslint.storage.context import Context
from efslint.storage.fact import Fact, Origin, Step
from efslint.storage.written_options import mount_option_items
from efslint.text.source import Span
from efslint.yaml import node as yaml
from efslint.yaml.node import Node, Scalar, child, text

_Judge = Callable[[Mapping[str, str]], tuple[SettingFault, ...]]
_CLASSES: Mapping[str, _Judge] = {EFS_CSI_DRIVER: efs_parameter_faults, NFS_CSI_DRIVER: nfs_parameter_faults}


class _Place(NamedTuple):
    """An object with settings, what they are, and the driver that reads them."""

    resource: Resource
    role: str
    driver: Scalar

    @property
    def step(self) -> Step:
        """The hop to the driver."""
        what = "class" if self.resource.ref.kind == "StorageClass" else "volume"
        verb = "provisioned" if what == "class" else "mounted"
        return Step(self.driver.span, f"{what} {self.resource.ref.name} is {verb} by {self.driver.text}")


def setting_facts(context: Context) -> Iterator[Fact]:
    """Yield a fact for every setting of the classes and volumes whose drivers are known well enough to judge it."""
    for resource in context.index.of_kind("StorageClass"):
        provisioner = scalar(resource.node, "provisioner")
        if provisioner is not None and provisioner.text in _CLASSES:
            place = _Place(resource, "parameter", provisioner)
            yield from _settings(place, "parameters", resource.node, _CLASSES[provisioner.text])
            if provisioner.text == EFS_CSI_DRIVER:
                yield from _directories(place)
    for resource in context.index.of_kind("PersistentVolume"):
        csi = child(resource.node, "spec", "csi")
        name = scalar(csi, "driver")
        if name is not None and name.text == EFS_CSI_DRIVER:
            yield from _handle(_Place(resource, "handle", name), csi)
            yield from _settings(_Place(resource, "attribute", name), "volumeAttributes", csi, efs_attribute_faults)


def _settings(place: _Place, key: str, holder: Node | None, judge: _Judge) -> Iterator[Fact]:
    settings = child(holder, key)
    if type(holder) is not yaml.Mapping or type(settings) is not yaml.Mapping:
        return
    written = {name.text: (name, value) for name, value in settings.pairs if type(name) is Scalar}
    faults: dict[str, SettingFault] = {}
    for fault in judge({name: _text(value) for name, (_, value) in written.items()}):
        faults.setdefault(fault.name, fault)
    # The field is a map of strings: https://github.com/kubernetes/website/pull/31219 shows what the API server says.
    for name, (_, value) in written.items():
        kind = _no_string(value)
        if kind is not None:
            why = f"is {kind}, and the API server takes nothing but strings here"
            faults[name] = SettingFault(name, Verdict.REFUSED, why)
    for name, (scalar_, value) in written.items():
        yield _fact(place, scalar_.span, faults.pop(name, None), name, _text(value))
    whole = holder.key(key)
    assert whole is not None
    for fault in faults.values():
        yield _fact(place, whole.span, fault, fault.name)


def _text(value: Node) -> str:
    """Return a value as text; the API server reads null as the empty string."""
    return value.text if type(value) is Scalar and value.value is not None else ""


def _no_string(value: Node) -> str | None:
    """Say what a value is that is no string, or ``None``."""
    if type(value) is not Scalar:
        return "a mapping" if type(value) is yaml.Mapping else "a list"
    typed = value.value
    if typed is None or isinstance(typed, str):
        return None
    return "a boolean" if isinstance(typed, bool) else "a number"


def _handle(place: _Place, csi: Node | None) -> Iterator[Fact]:
    handle = scalar(csi, "volumeHandle")
    if handle is None:
        return
    error = volume_handle_fault(handle.text)
    fault = None if error is None else SettingFault("volumeHandle", Verdict.REFUSED, f"is refused: {error}")
    yield _fact(place, handle.span, fault, "volumeHandle", handle.text)
    point = volume_handle(handle.text).access_point
    for option in mount_option_items(child(place.resource.node, "spec", "mountOptions")).options:
        # The driver reads options in lower case.
        if point is not None and option.name.lower() == "accesspoint" and (option.value or "").lower() != point:
            why = f"names another access point than volumeHandle, {point}, and the driver then refuses to mount"
            fault = SettingFault("mount option accesspoint", Verdict.REFUSED, why)
            yield _fact(place, option.span, fault, fault.name, option.text, Step(handle.span, "the other access point"))


def _fact(
    place: _Place,
    span: Span,
    fault: SettingFault | None,
    name: str,
    written: str | None = None,
    more: Step | None = None,
) -> Fact:
    ref = place.resource.ref
    value: dict[str, Any] = {
        "carrier": {"kind": ref.kind, "name": ref.name, "label": ref.label},
        "driver": place.driver.text,
        "product": driver(place.driver.text).product,
        "role": place.role,
        "name": name,
        "verdict": "accepted" if fault is None else str(fault.verdict),
        "given": written is not None,
    }
    if written is not None:
        value["value"] = written
    if fault is not None:
        value["why"] = fault.why
        if fault.meant is not None:
            value["meant"] = fault.meant
    steps = (place.step,) if more is None else (place.step, more)
    return Fact("setting", value, {"": Origin(span)}, steps, ref, (ref,))


def _directories(place: _Place) -> Iterator[Fact]:
    """Yield how a class of the EFS CSI driver names the directories of its volumes, if it says so."""
    parameters = child(place.resource.node, "parameters")
    pattern, unique = text(parameters, "subPathPattern"), text(parameters, "ensureUniqueDirectory")
    if pattern is None or type(parameters) is not yaml.Mapping:
        return
    apart = told_apart(pattern)
    key = parameters.key("subPathPattern" if unique is None else "ensureUniqueDirectory")
    if apart is None or key is None:
        return
    ref = place.resource.ref
    value = {
        "carrier": {"kind": ref.kind, "name": ref.name, "label": ref.label},
        "pattern": pattern,
        # Whatever is no boolean counts as true.
        "unique": unique is None or go_boolean(unique) is not False,
        "told_apart": apart,
    }
    yield Fact("directories", value, {"": Origin(key.span)}, (place.step,), ref, (ref,))
