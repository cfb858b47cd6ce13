"""Recognising EFS by its DNS name.

Names: ``[zone.]file-system.efs.region.suffix`` (aws/efs-utils:dist/efs-utils.conf, ``dns_name_format``); the zone is a
name or, for cross-account mounts, an id (aws/efs-utils:src/mount_efs/dns_resolver.py). An IP address or an alias may be
EFS too; nothing in a manifest says so.
"""

from __future__ import annotations

from typing import NamedTuple

# aws/efs-utils:dist/efs-utils.conf, the dns_name_suffix of every section.
_SUFFIXES = (
    "amazonaws.com",
    "amazonaws.com.cn",
    "amazonaws.eu",
    "cloud.adc-e.uk",
    "c2s.ic.gov",
    "sc2s.sgov.gov",
    "csp.hci.ic.gov",
)
# A DNS name has at most 253 characters; the rest is room for the placeholders of templates.
_LONGEST = 1024
_PLACEHOLDERS = (("${", "}"), ("$(", ")"), ("{{", "}}"), ("<", ">"), ("@@", "@@"), ("%", "%"))
_UNKNOWN = "\0"
_LABEL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_" + _UNKNOWN)
_HEX = frozenset("0123456789abcdef")


class EfsHost(NamedTuple):
    """A name that can only be an EFS mount target. A part that is a placeholder, or not given, is ``None``."""

    file_system: str | None
    zone: str | None
    region: str | None
    suffix: str | None


def efs_host(text: str) -> EfsHost | None:
    """Take an EFS host name apart; ``None`` for anything else, an address or an alias included. Takes linear time."""
    if len(text) > _LONGEST or "." not in text:
        return None
    labels = _without_placeholders(text.strip()).lower().removesuffix(".").split(".")
    for suffix in (*_SUFFIXES, _UNKNOWN):
        length = suffix.count(".") + 1
        if ".".join(labels[-length:]) == suffix:
            found = _host(labels[:-length], suffix)
            if found is not None:
                return found
    return None


def is_file_system_id(text: str) -> bool:
    """Whether a text is a file system id: ``fs-`` and 8 to 40 lower-case hexadecimal digits."""
    return _is_id(text, "fs-")


def is_access_point_id(text: str) -> bool:
    """Whether a text is an access point id: ``fsap-`` and 8 to 40 lower-case hexadecimal digits."""
    return _is_id(text, "fsap-")


def has_placeholder(text: str) -> bool:
    """Whether a text still holds a template's placeholder, such as ``${FS_ID}`` or ``<file-system>``."""
    return len(text) <= _LONGEST and _without_placeholders(text) != text


def _host(labels: list[str], suffix: str) -> EfsHost | None:
    if (
        len(labels) not in (3, 4)
        or labels[-2] != "efs"
        or not all(label and _LABEL.issuperset(label) for label in labels)
    ):
        return None
    file_system, region = labels[-3], labels[-1]
    if suffix == _UNKNOWN and not (_said(file_system) or _said(region)):
        return None
    return EfsHost(
        file_system if is_file_system_id(file_system) else None,
        _said(labels[0]) if len(labels) == 4 else None,
        _said(region),
        _said(suffix),
    )


def _said(label: str) -> str | None:
    return None if _UNKNOWN in label else label


def _is_id(text: str, prefix: str) -> bool:
    digits = text.removeprefix(prefix)
    return text.startswith(prefix) and 8 <= len(digits) <= 40 and _HEX.issuperset(digits)


def _without_placeholders(text: str) -> str:
    """Replace each placeholder, which may hold dots itself, by one character that no name has."""
    for opening, closing in _PLACEHOLDERS:
        start = text.find(opening)
        while start >= 0:
            end = text.find(closing, start + len(opening))
            if end < 0:
                break
            text = text[:start] + _UNKNOWN + text[end + len(closing) :]
            start = text.find(opening, start + 1)
    return text
