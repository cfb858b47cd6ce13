"""The class parameters and volume attributes of the EFS CSI driver, judged as the driver judges them.

Sources: kubernetes-sigs/aws-efs-csi-driver ``pkg/driver/controller.go`` (``CreateVolume``),
``pkg/driver/filesystem_id_finder.go``, ``pkg/driver/node.go`` (``NodePublishVolume``) and ``docs/parameters.md``; for
paths and permissions the EFS API, https://docs.aws.amazon.com/efs/latest/ug/API_RootDirectory.html and
https://docs.aws.amazon.com/efs/latest/ug/API_CreationInfo.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from efslint.knowledge.driver_settings import (
    RESERVED,
    SettingFault,
    Verdict,
    closest,
    go_boolean,
    go_integer,
    is_open,
)
from efslint.knowledge.drivers import volume_handle
from efslint.knowledge.hosts import efs_host, has_placeholder, is_access_point_id, is_file_system_id

_MODES = ("efs-ap", "s3files-ap")
_FILE_SYSTEM = ("fileSystemId", "fileSystemIdConfigRef", "fileSystemIdSecretRef")
_NAMES = (
    *("provisioningMode", *_FILE_SYSTEM, "directoryPerms", "uid", "gid", "gidRangeStart", "gidRangeEnd", "basePath"),
    *("subPathPattern", "ensureUniqueDirectory", "az", "enforceZoneAffinity", "reuseAccessPoint", "enableTagging"),
)
# Read by others (external-provisioner reads fsType), or told by another rule.
_ELSEWHERE = ("fstype", "mountoptions")
_SECRET_KEYS = ("awsRoleArn", "externalId", "crossaccount")
# docs/parameters.md, "Static provisioning volumeAttributes"; the rest the driver and its provisioner write themselves
_ATTRIBUTES = ("encryptInTransit", "mounttargetip", "crossaccount")
_OWN_ATTRIBUTES = ("mounttargetipmap", "storage.kubernetes.io/csiprovisioneridentity")
_NEEDS = "the EFS CSI driver makes no volume without"
_IGNORES = "is not a parameter of the EFS CSI driver, which ignores it"
# The driver takes this many group ids from the start of a range: as many as a file system has access points.
_MOST_IDS = 10000
_VARIABLES = ("${.PVC.name}", "${.PVC.namespace}", "${.PV.name}")
_LONGEST_PATH, _DEEPEST_PATH = 100, 4
_UNIQUE_END = "-" + "0" * 36
# What people write where an id is to be filled in.
_STAND_IN = (
    r"(?i)x{3}|[][<>{}$]|your|replace|change|placeholder|example|todo|insert|file[-_ ]?system|(efs|fs)[-_]?id|[-_]id\b"
)


def efs_parameter_faults(parameters: Mapping[str, str]) -> tuple[SettingFault, ...]:
    """Judge a class of the EFS CSI driver. A class without parameters serves volumes made by hand, and has no fault.

    What is left open by a placeholder is not judged.
    """
    unknown = tuple(_unknown(parameters))
    if parameters.keys().isdisjoint(_NAMES):
        return unknown
    guessed = {fault.meant for fault in unknown}
    required = tuple(_required(parameters, guessed))
    missing = {fault.name for fault in required if not fault.given}
    # A required parameter under a wrong name is both ignored and missing: said once, where it is written.
    worse = (
        fault._replace(verdict=Verdict.REFUSED, why=f"is ignored, and {fault.meant} is missing")
        if fault.meant in missing
        else fault
        for fault in unknown
    )
    told = [fault.name for fault in required if not fault.given and fault.name not in guessed]
    return (
        *worse,
        *(fault for fault in required if fault.given),
        *_together(told),
        *_numbers(parameters),
        *_texts(parameters),
        *_path(parameters),
    )


def _together(missing: Sequence[str]) -> Iterator[SettingFault]:
    """Tell of everything that is missing in one fault: it is missing in one place."""
    if len(missing) > 1:
        names = ", ".join(missing[:-1]) + f" and {missing[-1]}"
        yield SettingFault(names, Verdict.REFUSED, f"are missing, and {_NEEDS} them", given=False)
    elif missing:
        yield SettingFault(missing[0], Verdict.REFUSED, f"is missing, and {_NEEDS} it", given=False)


def _unknown(parameters: Mapping[str, str]) -> Iterator[SettingFault]:
    for name in parameters:
        if name in _NAMES or name.lower() in _ELSEWHERE or name.startswith(RESERVED):
            continue
        if name.lower() == "encryptintransit":
            why = "is an attribute of volumes made by hand, and ignored here: volumes of a class are always encrypted"
            yield SettingFault(name, Verdict.IGNORED, why)
        elif name in _SECRET_KEYS:
            yield SettingFault(name, Verdict.IGNORED, "is read from the provisioner secret only, and ignored here")
        else:
            yield SettingFault(name, Verdict.IGNORED, _IGNORES, closest(name, _NAMES))


def _missing(name: str) -> SettingFault:
    return SettingFault(name, Verdict.REFUSED, "is missing", given=False)


def _required(parameters: Mapping[str, str], guessed: set[str | None]) -> Iterator[SettingFault]:
    mode = parameters.get("provisioningMode")
    if mode is None:
        yield _missing("provisioningMode")
    elif mode not in _MODES and not is_open(mode):
        yield SettingFault("provisioningMode", Verdict.REFUSED, f"takes efs-ap or s3files-ap, not {mode!r}")
    given = [name for name in _FILE_SYSTEM if parameters.get(name, "").strip()]
    if not given:
        empty = next((name for name in _FILE_SYSTEM if name in parameters), None)
        guess = next((name for name in _FILE_SYSTEM if name in guessed), _FILE_SYSTEM[0])
        if empty is None:
            yield _missing(guess)
        else:
            yield SettingFault(empty, Verdict.REFUSED, f"is empty, and {_NEEDS} it")
    for name in given[1:]:
        yield SettingFault(name, Verdict.REFUSED, f"stands beside {given[0]}, and only one of them may be given")
    if "directoryPerms" not in parameters:
        yield _missing("directoryPerms")


def _numbers(parameters: Mapping[str, str]) -> Iterator[SettingFault]:
    numbers: dict[str, int | None] = {}
    for name, least in (("uid", 0), ("gid", 0), ("gidRangeStart", 1), ("gidRangeEnd", 1)):
        value = parameters.get(name)
        if value is None:
            continue
        numbers[name] = number = go_integer(value)
        if (number is None or number < least) and not is_open(value):
            yield SettingFault(name, Verdict.REFUSED, f"takes a whole number from {least}, not {value!r}")
            numbers[name] = None
    for here, other in (("gidRangeStart", "gidRangeEnd"), ("gidRangeEnd", "gidRangeStart")):
        if here in numbers and other not in numbers:
            yield SettingFault(here, Verdict.REFUSED, f"is given without {other}, and the driver takes both or neither")
    start, end = numbers.get("gidRangeStart"), numbers.get("gidRangeEnd")
    if start is not None and end is not None:
        if end <= start:
            yield SettingFault("gidRangeEnd", Verdict.REFUSED, f"has to be greater than gidRangeStart, {start}")
        elif end - start > _MOST_IDS:
            why = f"is out of reach: the driver takes no more than {_MOST_IDS} group ids from gidRangeStart, {start}"
            yield SettingFault("gidRangeEnd", Verdict.IGNORED, why)


def _texts(parameters: Mapping[str, str]) -> Iterator[SettingFault]:
    known = {name: value for name, value in parameters.items() if not is_open(value)}
    perms = known.get("directoryPerms")
    if perms is not None and not re.fullmatch("[0-7]{3,4}", perms):
        yield SettingFault("directoryPerms", Verdict.REFUSED, f"takes three or four octal digits, not {perms!r}")
    file_system = known.get("fileSystemId", "").strip()
    wrong = file_system_fault(file_system)
    if wrong is not None:
        yield SettingFault("fileSystemId", Verdict.REFUSED, wrong)
    for name in _FILE_SYSTEM[1:]:
        value = known.get(name, "")
        if value.strip() and [bool(part.strip()) for part in value.split("/")] != [True] * 3:
            yield SettingFault(name, Verdict.REFUSED, f"takes namespace/name/key, not {value!r}")
    reuse, unique = known.get("reuseAccessPoint"), known.get("ensureUniqueDirectory")
    if reuse is not None and go_boolean(reuse) is None:
        yield SettingFault("reuseAccessPoint", Verdict.REFUSED, f"takes true or false, not {reuse!r}")
    if unique is not None and go_boolean(unique) is None:
        why = f"takes true or false, and the driver reads {unique!r} as true"
        yield SettingFault("ensureUniqueDirectory", Verdict.IGNORED, why)


def file_system_fault(text: str) -> str | None:
    """Say what is wrong with a text that was meant for a file system id, or ``None`` where it is one, or an unknown.

    Only mistakes that leave no doubt are told: texts such as ``fs-xxxxxxxx`` stand for an id that is filled in later.
    """
    if is_access_point_id(text):
        return f"takes a file system id, and {text} is an access point"
    if efs_host(text) is not None:
        return f"takes a file system id, and {text} is a host name"
    if is_file_system_id(text.lower()) and not is_file_system_id(text):
        return f"takes a file system id, whose letters are lower-case, not {text!r}"
    return None


def _path(parameters: Mapping[str, str]) -> Iterator[SettingFault]:
    """Judge the root directory of access points; a variable is counted as one character, the least it can be."""
    base, pattern = parameters.get("basePath", ""), parameters.get("subPathPattern")
    bare = pattern if pattern is not None else "x"
    for variable in _VARIABLES:
        bare = bare.replace(variable, "x")
    if re.search(r"\$\{(\.|pvc?\.)", bare, re.IGNORECASE):
        why = f"may use {', '.join(_VARIABLES[:-1])} and {_VARIABLES[-1]}, no other variable"
        yield SettingFault("subPathPattern", Verdict.REFUSED, why)
    elif not has_placeholder(base) and not has_placeholder(bare):
        kept = go_boolean(parameters.get("ensureUniqueDirectory", "true")) is False
        end = _UNIQUE_END if pattern is not None and not kept else ""
        levels = [part for part in f"{base}/{bare}{end}".split("/") if part not in ("", ".")]
        name = "basePath" if pattern is None or len(base) > len(pattern) else "subPathPattern"
        if len(levels) > _DEEPEST_PATH:
            why = f"leads {len(levels)} directories deep, and EFS takes access points of {_DEEPEST_PATH} levels at most"
            yield SettingFault(name, Verdict.REFUSED, why)
        elif sum(len(part) + 1 for part in levels) > _LONGEST_PATH:
            why = f"leads to paths of more than {_LONGEST_PATH} characters, which EFS does not take for access points"
            yield SettingFault(name, Verdict.REFUSED, why)


def told_apart(pattern: str) -> str | None:
    """Say what a ``subPathPattern`` gives directories of their own: ``claims``, ``names`` of claims, ``namespaces`` or
    ``nothing``; ``None`` where a placeholder leaves it open.

    A volume's name is made for one claim. A claim's name is one of many only within its namespace.
    """
    bare = pattern
    for variable in _VARIABLES:
        bare = bare.replace(variable, "")
    if has_placeholder(bare):
        return None
    name, namespace, volume = (variable in pattern for variable in _VARIABLES)
    if volume or (name and namespace):
        return "claims"
    return "names" if name else "namespaces" if namespace else "nothing"


def volume_handle_fault(text: str) -> str | None:
    """Say why the driver refuses a ``volumeHandle``; ``None`` where it does not, or where an id is to be filled in."""
    error = volume_handle(text).error
    ids = ":".join(field for field in text.split(":") if not field.startswith("/"))
    return None if error is None or re.search(_STAND_IN, ids) else error


def efs_attribute_faults(attributes: Mapping[str, str]) -> tuple[SettingFault, ...]:
    """Judge the ``volumeAttributes`` of a volume of the EFS CSI driver; their names are compared without case."""
    return tuple(fault for name, value in attributes.items() if (fault := _attribute_fault(name, value)) is not None)


def _attribute_fault(name: str, value: str) -> SettingFault | None:
    lower = name.lower()
    if lower in _OWN_ATTRIBUTES:
        return None
    if lower not in map(str.lower, _ATTRIBUTES):
        why = "is not an attribute of the EFS CSI driver, which then refuses to mount the volume"
        if lower == "path":
            why = "is refused by the EFS CSI driver since version 3.0.0"
        return SettingFault(name, Verdict.REFUSED, why, None if lower == "path" else closest(name, _ATTRIBUTES))
    if is_open(value) or re.search(_STAND_IN, value):
        return None
    if lower == "mounttargetip":
        # Some versions of the driver write one address per zone: use1-az1:10.0.0.1,use1-az2:10.0.0.2
        right, takes = "," in value or _is_address(value), "an IP address"
    else:
        right, takes = go_boolean(value) is not None, "true or false"
    return None if right else SettingFault(name, Verdict.REFUSED, f"takes {takes}, not {value!r}")


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True
