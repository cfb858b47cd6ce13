"""What makes the EFS CSI driver or its mount helper refuse to mount, and what they leave out.

Sources: kubernetes-sigs/aws-efs-csi-driver:pkg/driver/node.go and CHANGELOG-3.x.md; aws/efs-utils:
src/efs_utils_common/mount_options.py (``check_options_validity``, ``check_unsupported_options``) and
src/mount_efs/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from efslint.storage.option_order import Cause, Placed


class AccessPoint(StrEnum):
    """Whether an EFS CSI volume comes with an access point.

    ``named`` in its ``volumeHandle``, or ``made`` with the volume, as it always is for one of a class
    (kubernetes-sigs/aws-efs-csi-driver:pkg/driver/controller.go).
    """

    NONE = "none"
    NAMED = "named"
    MADE = "made"


class Encryption(NamedTuple):
    """What decides about TLS beside the mount options.

    ``asked`` is true unless ``encryptInTransit`` is false. An access point brings TLS along whatever that says
    (kubernetes-sigs/aws-efs-csi-driver:pkg/driver/node.go), and S3 Files is never mounted without TLS and IAM.
    """

    asked: bool
    access_point: AccessPoint
    s3files: bool

    @property
    def on(self) -> bool:
        """Whether the mount is encrypted."""
        return self.asked or self.s3files or self.access_point is not AccessPoint.NONE


class Refusal(NamedTuple):
    """Options together with which the mount fails, and why."""

    names: tuple[str, ...]
    why: str
    cause: Cause


def refusals(placed: Mapping[str, Placed], encryption: Encryption) -> Iterator[Refusal]:
    """Yield why the mount fails, given the options by name."""
    yield from _refused_by_driver(placed, encryption)
    yield from _tls_refusals(placed, encryption)
    for name in ("capath", *(() if encryption.s3files else ("azid",))):
        if name in placed:
            yield Refusal((name,), f"the EFS mount helper does not support {name}", Cause.REFUSED)
    if encryption.on and "port" in placed:
        why = "port and tls exclude each other, and the EFS CSI driver adds tls unless it is switched off"
        yield Refusal(("port",), why, Cause.REFUSED)
    if encryption.on and "ocsp" in placed and "noocsp" in placed:
        yield Refusal(("ocsp", "noocsp"), "ocsp and noocsp exclude each other", Cause.EXCLUSIVE)
    if "awsprofile" in placed and "iam" not in placed and not encryption.s3files:
        yield Refusal(("awsprofile",), "awsprofile needs iam", Cause.REFUSED)
    yield from _refused_values(placed, encryption.s3files)


def _refused_by_driver(placed: Mapping[str, Placed], encryption: Encryption) -> Iterator[Refusal]:
    if "crossaccount" in placed:
        why = "the EFS CSI driver takes crossaccount only as a volume attribute since 3.0"
        yield Refusal(("crossaccount",), why, Cause.REFUSED)
    if "accesspoint" in placed and encryption.access_point is AccessPoint.MADE:
        why = "the EFS CSI driver makes an access point for every volume of a class and refuses another one"
        yield Refusal(("accesspoint",), why, Cause.REFUSED)


def _tls_refusals(placed: Mapping[str, Placed], encryption: Encryption) -> Iterator[Refusal]:
    if "tls" in placed and not encryption.asked:
        yield Refusal(("tls",), "tls is written while encryptInTransit is false", Cause.TLS)
    if "notls" in placed and encryption.on:
        yield Refusal(("notls",), "notls and tls exclude each other; encryptInTransit switches tls off", Cause.TLS)
    if "accesspoint" in placed and not encryption.on:
        yield Refusal(("accesspoint",), "an access point needs tls, which encryptInTransit switches off", Cause.TLS)
    if "iam" in placed and not encryption.on:
        yield Refusal(("iam",), "iam needs tls, which encryptInTransit switches off", Cause.TLS)


def _refused_values(placed: Mapping[str, Placed], s3files: bool) -> Iterator[Refusal]:
    access_point = placed.get("accesspoint")
    if access_point is not None and not _is_long_access_point(access_point.parsed.value or ""):
        yield Refusal(("accesspoint",), "an access point id is fsap- and 17 hexadecimal digits", Cause.VALUE)
    for name in ("nfsvers", "vers"):
        if s3files and name in placed and placed[name].parsed.value == "4.0":
            yield Refusal((name,), "S3 Files does not support NFSv4.0", Cause.REFUSED)
    for name, one in placed.items():
        if one.parsed.usable and one.text.count("=") > 1:
            yield Refusal((name,), "the EFS mount helper cannot read an option with two equals signs", Cause.VALUE)


def _is_long_access_point(text: str) -> bool:
    digits = text.removeprefix("fsap-")
    return text != digits and len(digits) == 17 and set(digits) <= set("0123456789abcdef")


def left_out(name: str, tls: bool) -> str | None:
    """Say why an option never has an effect on this path although it is known, or ``None``."""
    if name == "awscredsuri":
        return "the EFS CSI driver drops it"
    if name == "port" and not tls:
        return "the EFS mount helper replaces it by the port of its local proxy"
    return None
