"""EFS host names; the forms are those of aws/efs-utils:dist/efs-utils.conf and the EFS user guide."""

from __future__ import annotations

import time

import pytest

from efslint.knowledge.hosts import EfsHost, efs_host, has_placeholder, is_access_point_id, is_file_system_id

ID = "fs-0123456789abcdef0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ID}.efs.us-east-1.amazonaws.com", EfsHost(ID, None, "us-east-1", "amazonaws.com")),
        ("fs-01234567.efs.eu-west-1.amazonaws.com", EfsHost("fs-01234567", None, "eu-west-1", "amazonaws.com")),
        (f"us-east-1a.{ID}.efs.us-east-1.amazonaws.com", EfsHost(ID, "us-east-1a", "us-east-1", "amazonaws.com")),
        (f"use1-az1.{ID}.efs.us-east-1.amazonaws.com", EfsHost(ID, "use1-az1", "us-east-1", "amazonaws.com")),
        (f"{ID}.efs.cn-north-1.amazonaws.com.cn", EfsHost(ID, None, "cn-north-1", "amazonaws.com.cn")),
        (f"{ID}.efs.eusc-de-east-1.amazonaws.eu", EfsHost(ID, None, "eusc-de-east-1", "amazonaws.eu")),
        (f"{ID}.efs.eu-isoe-west-1.cloud.adc-e.uk", EfsHost(ID, None, "eu-isoe-west-1", "cloud.adc-e.uk")),
        (f"{ID}.efs.us-iso-east-1.c2s.ic.gov", EfsHost(ID, None, "us-iso-east-1", "c2s.ic.gov")),
        (f"{ID}.efs.us-isob-east-1.sc2s.sgov.gov", EfsHost(ID, None, "us-isob-east-1", "sc2s.sgov.gov")),
        (f"{ID}.efs.us-isof-south-1.csp.hci.ic.gov", EfsHost(ID, None, "us-isof-south-1", "csp.hci.ic.gov")),
        (f"{ID.upper()}.EFS.US-East-1.AmazonAWS.com.", EfsHost(ID, None, "us-east-1", "amazonaws.com")),
        (f" {ID}.efs.us-east-1.amazonaws.com ", EfsHost(ID, None, "us-east-1", "amazonaws.com")),
    ],
)
def test_host_is_taken_apart(text: str, expected: EfsHost) -> None:
    assert efs_host(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "${FS_ID}.efs.${REGION}.amazonaws.com",
        "$(FS_ID).efs.$(REGION).amazonaws.com",
        "<fs>.efs.<region>.amazonaws.com",
        "{{ .Values.efs.id }}.efs.{{ .Values.aws.region }}.amazonaws.com",
        "%FS%.efs.%REGION%.amazonaws.com",
        "@@FS@@.efs.@@REGION@@.amazonaws.com",
        "fs-xxx.efs.region.amazonaws.com",
        "fs-${ID}.efs.us-east-1.amazonaws.com",
        f"{ID}.efs.us-east-1.${{DNS_SUFFIX}}",
    ],
)
def test_placeholders_still_look_like_efs(text: str) -> None:
    assert efs_host(text) is not None


def test_a_placeholder_is_not_taken_for_a_value() -> None:
    assert efs_host("${FS_ID}.efs.${REGION}.amazonaws.com") == EfsHost(None, None, None, "amazonaws.com")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.0.0.10",
        "nas.example.internal",
        f"{ID}.fsx.us-east-1.amazonaws.com",
        f"svm-0123.{ID}.fsx.us-east-1.amazonaws.com",
        f"{ID}.efs.us-east-1.amazonaws.com.example.com",
        f"{ID}.efs.us-east-1.example.com",
        f"a.b.{ID}.efs.us-east-1.amazonaws.com",
        "efs.us-east-1.amazonaws.com",
        f"{ID}..efs.us-east-1.amazonaws.com",
        f"{ID}.efs.us east.amazonaws.com",
        "{{ .Values.server }}",
        "${A}.efs.${B}.${C}",
        "${unclosed.efs.us-east-1.amazonaws.com",
        "a." * 600,
    ],
)
def test_everything_else_is_not_known_to_be_efs(text: str) -> None:
    assert efs_host(text) is None


@pytest.mark.parametrize("hostile", ["${" * 100_000, "a-" * 100_000 + ".efs.", "<>" * 500 + ".efs.x", "%" * 1000 + "."])
def test_hostile_text_takes_no_time(hostile: str) -> None:
    start = time.perf_counter()
    assert efs_host(hostile) is None
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fs-01234567", True),
        ("fs-" + "a" * 40, True),
        ("fs-0123456", False),
        ("fs-" + "a" * 41, False),
        ("fs-0123456G", False),
        ("0123456789", False),
        ("fs-", False),
    ],
)
def test_file_system_id(text: str, expected: bool) -> None:
    assert is_file_system_id(text) is expected


def test_access_point_id() -> None:
    assert is_access_point_id("fsap-0123456789abcdef0")
    assert not is_access_point_id("fs-0123456789abcdef0")


@pytest.mark.parametrize(("text", "expected"), [("a${B}c", True), ("fs-0123", False), ("100%", False), ("<", False)])
def test_placeholder(text: str, expected: bool) -> None:
    assert has_placeholder(text) is expected
