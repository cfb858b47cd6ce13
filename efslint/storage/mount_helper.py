"""What makes the EFS CSI driver or its mount helper refuse to mount, and what they leave out.

Sources: kubernetes-sigs/aws-efs-csi-driver:pkg/driver/node.go and CHANGELOG-3.x.md; aws/efs-utils:
src/efs_utils_common/mount_options.py (``check_options_validity``, ``check_unsupported_options``) and
src/mount_efs/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from efslint.storage.option_order import Placed


class Refusal(NamedTuple):
    """Options together with which the mount fails, and why in plain words."""

    names: tuple[str, ...]
    why: str


def refusals(placed: Mapping[str, Placed], tls: bool, s3files: bool) -> Iterator[Refusal]:
    """Yield why the mount fails, given the options by name.

    ``tls`` is what the volume asks for (on unless ``encryptInTransit`` is false); S3 Files always uses TLS and IAM.
    """
    yield from _refused_by_driver(placed, tls)
    encrypted, iam = tls or s3files, s3files or "iam" in placed
    for name in ("capath", *(() if s3files else ("azid",))):
        if name in placed:
            yield Refusal((name,), f"the EFS mount helper does not support {name}")
    if encrypted and "port" in placed:
        yield Refusal(
            ("port",), "port and tls exclude each other, and the EFS CSI driver adds tls unless it is switched off"
        )
    if encrypted and "notls" in placed:
        yield Refusal(("notls",), "notls and tls exclude each other; encryptInTransit switches tls off")
    if encrypted and "ocsp" in placed and "noocsp" in placed:
        yield Refusal(("ocsp", "noocsp"), "ocsp and noocsp exclude each other")
    if "accesspoint" in placed and not encrypted:
        yield Refusal(("accesspoint",), "an access point needs tls, which encryptInTransit switches off")
    if "iam" in placed and not encrypted:
        yield Refusal(("iam",), "iam needs tls, which encryptInTransit switches off")
    if "awsprofile" in placed and not iam:
        yield Refusal(("awsprofile",), "awsprofile needs iam")
    yield from _refused_values(placed, s3files)


def _refused_by_driver(placed: Mapping[str, Placed], tls: bool) -> Iterator[Refusal]:
    if "tls" in placed and not tls:
        yield Refusal(("tls",), "tls is written while encryptInTransit is false")
    if "crossaccount" in placed:
        yield Refusal(("crossaccount",), "the EFS CSI driver takes crossaccount only as a volume attribute since 3.0")


def _refused_values(placed: Mapping[str, Placed], s3files: bool) -> Iterator[Refusal]:
    access_point = placed.get("accesspoint")
    if access_point is not None and not _is_long_access_point(access_point.parsed.value or ""):
        yield Refusal(("accesspoint",), "an access point id is fsap- and 17 hexadecimal digits")
    for name in ("nfsvers", "vers"):
        if s3files and name in placed and placed[name].parsed.value == "4.0":
            yield Refusal((name,), "S3 Files does not support NFSv4.0")
    for name, one in placed.items():
        if one.parsed.usable and one.text.count("=") > 1:
            yield Refusal((name,), "the EFS mount helper cannot read an option with two equals signs")


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
