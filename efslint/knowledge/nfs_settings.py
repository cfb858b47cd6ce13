"""The class parameters of csi-driver-nfs, judged as the driver judges them.

Source: kubernetes-csi/csi-driver-nfs ``pkg/nfs/controllerserver.go`` (``CreateVolume``, ``newNFSVolume``) and
``pkg/nfs/utils.go`` (``validateOnDeleteValue``). Names are compared without regard to case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from efslint.knowledge.driver_settings import RESERVED, SettingFault, Verdict, closest, is_open

_NAMES = ("server", "share", "subDir", "onDelete", "mountPermissions")
_ON_DELETE = ("", "delete", "retain", "archive")
# Told by another rule: options that are no parameter.
_ELSEWHERE = "mountoptions"


def nfs_parameter_faults(parameters: Mapping[str, str]) -> tuple[SettingFault, ...]:
    """Judge a class of csi-driver-nfs. A class without parameters serves volumes made by hand, and has no fault."""
    return tuple(_faults(parameters))


def _faults(parameters: Mapping[str, str]) -> Iterator[SettingFault]:
    mine = {name: value for name, value in parameters.items() if not name.startswith(RESERVED)}
    known = {name.lower(): (name, value) for name, value in mine.items()}
    guessed = set()
    for name in mine:
        if name.lower() not in (*map(str.lower, _NAMES), _ELSEWHERE):
            meant = closest(name, _NAMES)
            guessed.add(meant)
            yield SettingFault(name, Verdict.REFUSED, "is not a parameter of csi-driver-nfs, which refuses it", meant)
    if "server" not in known and "server" not in guessed and known.keys() & {each.lower() for each in _NAMES}:
        why = "is missing, and csi-driver-nfs makes no volume without it"
        yield SettingFault("server", Verdict.REFUSED, why, given=False)
    elif known.get("server", ("", "-"))[1] == "":
        yield SettingFault(
            known["server"][0], Verdict.REFUSED, "is empty, and csi-driver-nfs makes no volume without it"
        )
    yield from _values(known)


def _values(known: Mapping[str, tuple[str, str]]) -> Iterator[SettingFault]:
    name, value = known.get("ondelete", ("", ""))
    if value.lower() not in _ON_DELETE and not is_open(value):
        yield SettingFault(name, Verdict.REFUSED, f"takes delete, retain or archive, not {value!r}")
    name, value = known.get("mountpermissions", ("", ""))
    if not re.fullmatch("[0-7]{0,11}", value) and not is_open(value):
        yield SettingFault(name, Verdict.REFUSED, f"takes an octal number, not {value!r}")
