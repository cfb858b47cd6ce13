"""Facts about single mount options: what is told of each, and what a mount says of TLS and of writing.

Expected values come from nfs(5), efs-utils' ``mount_options.py`` and the EFS CSI driver's ``node.go``.
"""

from __future__ import annotations

from typing import Any

import pytest
from storage_support import EFS_HOST, claim, fact, facts, pod, storage_class, stream, volume

from efslint.storage.fact import Fact

NFS = "nfs: {server: 192.0.2.7, path: /}"
EFS_NFS = f"nfs: {{server: {EFS_HOST}, path: /}}"
CSI_NFS = "csi: {driver: nfs.csi.k8s.io, volumeHandle: h, volumeAttributes: {server: 192.0.2.7, share: /%s}}"
ACCESS_POINT = "fsap-0123456789abcdef0"


def efs_csi(attributes: str = "", handle: str = "fs-0a1b2c3d") -> str:
    return f"csi: {{driver: efs.csi.aws.com, volumeHandle: '{handle}', volumeAttributes: {{{attributes}}}}}"


OFF = efs_csi("encryptInTransit: 'false'")


def pv(source: str, options: str = "[]", metadata: str = "") -> str:
    return volume("pv", f"\n  mountOptions: {options}\n  {source}", metadata)


def told(source: str, options: str) -> list[Fact]:
    return facts(pv(source, options), "option")


def part(found: list[Fact], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(each.value.get(key) for key in keys) for each in found]


# --- what is told of an option ----------------------------------------------------------------------------------------


def test_an_option_tells_name_value_and_number() -> None:
    found = told(NFS, "['hard,timeo=600', lookupcache=none]")
    assert part(found, "text", "name", "value", "number", "state") == [
        ("hard", "hard", None, None, "effective"),
        ("timeo=600", "timeo", "600", 600, "effective"),
        ("lookupcache=none", "lookupcache", "none", None, "effective"),
    ]
    assert [each.origins[""].span.text for each in found if each.origins[""].span] == [
        "hard",
        "timeo=600",
        "lookupcache=none",
    ]
    assert {each.value["carrier"]["label"] for each in found} == {"PersistentVolume/pv"}


def test_the_efs_csi_driver_passes_lower_case_on() -> None:
    assert part(told(efs_csi(), "[TIMEO=600]"), "text", "name", "number") == [("TIMEO=600", "timeo", 600)]
    assert part(told(NFS, "[TIMEO=600]"), "text", "name", "state") == [("TIMEO=600", "TIMEO", "unknown")]


def test_the_mount_is_told_with_its_option() -> None:
    text = stream(
        pv(EFS_NFS, "[soft]", "labels: {a: b}"),
        claim("data", "{storageClassName: '', volumeName: pv}"),
        pod("persistentVolumeClaim: {claimName: data}", image="postgres:16"),
    )
    value = fact(text, "option").value
    assert (value["mounter"], value["file_system"], value["server"]) == ("in-tree-nfs", "efs", EFS_HOST)
    assert (value["database"]["id"], value["database_user"]) == ("postgresql", "Pod/app")
    assert value["read_only"] is False


@pytest.mark.parametrize("option", ["${OPTIONS}", "timeo=${TIMEO}", "region=$AWS_REGION", "<option>", "timeo=%TIMEO%"])
def test_nothing_is_told_of_an_option_that_is_filled_in_later(option: str) -> None:
    assert part(told(efs_csi(), f"['{option}', hard]"), "text") == [("hard",)]
    assert told(efs_csi(), f"'{option}'") == []


@pytest.mark.parametrize(
    ("options", "text", "why"),
    [
        ("hard", "hard", "is a single value, not a list of strings"),
        ("{timeo: 600}", "{timeo: 600}", "is a mapping, not a list of strings"),
        ("[4.1]", "4.1", "is not a string: a number or a boolean cannot be a mount option"),
    ],
)
def test_what_is_no_option_has_no_name(options: str, text: str, why: str) -> None:
    assert part(told(NFS, options), "text", "name", "state", "why") == [(text, None, "malformed", why)]


def test_a_number_in_the_attributes_is_no_text() -> None:
    assert part(told(CSI_NFS % ", mountOptions: 7", "[hard]"), "text", "state") == [
        ("7", "malformed"),
        ("hard", "effective"),
    ]


def test_what_is_in_force_beside_a_malformed_item_is_not_known() -> None:
    value = fact(pv(EFS_NFS, "[4.1, timeo=100]"), "mount").value
    assert value["options"] == {"timeo": 100}
    assert (value["in_force"], value["explicit"]) == ("", 2)


# --- verdicts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        pytest.param(NFS, "[_netdev]", ("ignored", "no-op"), id="no-op"),
        pytest.param(NFS, "[nolock, nfsvers=4.1]", ("ignored", "locks"), id="locks"),
        pytest.param(NFS, "[minorversion=1]", ("ignored", "minor-version"), id="minor version"),
        pytest.param(NFS, "[frobnicate]", ("unknown", None), id="unknown"),
        pytest.param(CSI_NFS % "", "[frobnicate, sloppy]", ("ignored", "sloppy"), id="sloppy"),
        pytest.param(NFS, "['sloppy,frobnicate']", ("effective", None), id="sloppy itself"),
        pytest.param(NFS, "[tls]", ("fatal", "helper-only"), id="helper only"),
        pytest.param(NFS, "[nfsvers=4.1, vers=4]", ("fatal", "versions"), id="versions"),
        pytest.param(efs_csi(), "[v4.1]", ("fatal", "added-version"), id="the helper's version"),
        pytest.param(efs_csi(), "[v4.1, v4.0]", ("fatal", "versions"), id="two of them and the helper's"),
        pytest.param(efs_csi(), "[ocsp, noocsp]", ("fatal", "exclusive"), id="exclusive"),
        pytest.param(NFS, "[proto=udp, vers=4.1]", ("fatal", "transport"), id="transport"),
        pytest.param(efs_csi(), "[port=2049]", ("fatal", "refused"), id="refused"),
        pytest.param(efs_csi(), "[accesspoint=fsap-1]", ("fatal", "value"), id="value"),
        pytest.param(OFF, "[tls]", ("fatal", "tls"), id="tls"),
        pytest.param(OFF, "[iam]", ("fatal", "tls"), id="iam"),
        pytest.param(OFF, f"[accesspoint={ACCESS_POINT}]", ("fatal", "tls"), id="access point among the options"),
        pytest.param(efs_csi(), "[notls]", ("fatal", "tls"), id="notls"),
        pytest.param(OFF, "[notls]", ("effective", None), id="notls without TLS"),
        pytest.param(OFF, "[port=2049]", ("undone", None), id="port without TLS"),
        pytest.param(efs_csi(), "[resvport]", ("undone", None), id="undone"),
        pytest.param(efs_csi(), f"[accesspoint={ACCESS_POINT}]", ("effective", None), id="access point"),
    ],
)
def test_state_and_cause_of_the_first_option(source: str, options: str, expected: tuple[str, str | None]) -> None:
    assert part(told(source, options), "state", "cause")[0] == expected


@pytest.mark.parametrize(
    ("handle", "options", "state"),
    [
        pytest.param(f"fs-0a1b2c3d::{ACCESS_POINT}", "[iam]", "effective", id="iam"),
        pytest.param(f"fs-0a1b2c3d::{ACCESS_POINT}", "[tls]", "fatal", id="the driver refuses tls all the same"),
        pytest.param(f"fs-0a1b2c3d::{ACCESS_POINT}", "[port=2049]", "fatal", id="port"),
        pytest.param("fs-0a1b2c3d", "[iam]", "fatal", id="no access point"),
        pytest.param("s3files:fs-0a1b2c3d", "[iam]", "effective", id="S3 Files is never without TLS"),
    ],
)
def test_an_access_point_in_the_handle_brings_tls_along(handle: str, options: str, state: str) -> None:
    assert part(told(efs_csi("encryptInTransit: 'false'", handle), options), "state") == [(state,)]


def test_a_class_makes_access_points_of_its_own() -> None:
    text = storage_class("a", "efs.csi.aws.com", f"mountOptions: [accesspoint={ACCESS_POINT}, tls]")
    assert part(facts(text, "option"), "state", "cause") == [("fatal", "refused"), ("effective", None)]


def test_a_failure_is_told_once_with_all_who_take_part() -> None:
    found = told(NFS, "[nfsvers=4.1, hard, vers=4.1, v4.1]")
    # The last in sorted order is the one that is told of the others.
    assert part(found, "text", "others") == [
        ("nfsvers=4.1", None),
        ("hard", None),
        ("vers=4.1", "nfsvers=4.1 and v4.1"),
        ("v4.1", None),
    ]
    last = next(each for each in found if "others" in each.value)
    assert {"nfsvers=4.1 is written here", "v4.1 is written here"} <= {step.message for step in last.chain}


@pytest.mark.parametrize(
    ("source", "options", "state", "by", "words"),
    [
        pytest.param(NFS, "[soft, hard]", "overridden", "soft", "kubelet sorts", id="sorted"),
        pytest.param(CSI_NFS % "", "[hard, soft]", "overridden", "soft", "keeps the written order", id="ordered"),
        pytest.param(NFS, "[hard, hard]", "repeated", "hard", "stands there already", id="repeated"),
        pytest.param(NFS, "[proto=tcp, tcp]", "repeated", "tcp", "stands there already", id="two spellings"),
        pytest.param(NFS, "[proto=tcp, udp]", "overridden", "udp", "udp wins", id="two transports"),
        pytest.param(
            NFS, "['nolock,local_lock=posix']", "overridden", "nolock", "nolock stands above local_lock", id="rank"
        ),
        pytest.param(NFS, "[local_lock=all, local_lock=none]", "overridden", "local_lock=none", "sorts", id="no rank"),
        pytest.param(CSI_NFS % ", mountOptions: soft", "[hard]", "overridden", "soft", "last one wins", id="attribute"),
    ],
)
def test_who_wins(source: str, options: str, state: str, by: str, words: str) -> None:
    loser = next(each for each in told(source, options) if each.value["state"] in ("overridden", "repeated"))
    assert (loser.value["state"], loser.value["by"]) == (state, by)
    assert words in loser.value["why"]
    assert f"{by} is written here" in [step.message for step in loser.chain]


def test_what_was_meant_is_told() -> None:
    assert part(told(NFS, "[noresvpor, 'timeo =600', ' hard']"), "suggestion") == [
        ("noresvport",),
        ("timeo=600",),
        ("hard",),
    ]


def test_no_quarrel_about_tls_is_told_before_it_is_filled_in() -> None:
    assert part(told(efs_csi("encryptInTransit: '${X}'"), "[notls, port=2049, iam]"), "text") == [("iam",)]


def test_a_quarrel_about_tls_leads_to_the_attribute() -> None:
    (found,) = told(OFF, "[tls]")
    assert "'false'" in [step.span.text for step in found.chain]


# --- what the mount says of TLS and of writing ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "options", "tls"),
    [
        pytest.param(efs_csi(), "[]", True, id="default"),
        pytest.param(OFF, "[]", False, id="off"),
        pytest.param(efs_csi("ENCRYPTINTRANSIT: 'F'"), "[]", False, id="another spelling"),
        pytest.param(efs_csi("encryptInTransit: 'true'"), "[]", True, id="on"),
        pytest.param(efs_csi("encryptInTransit: '${X}'"), "[]", None, id="filled in later"),
        pytest.param(
            efs_csi("encryptInTransit: 'false'", f"fs-0a1b2c3d::{ACCESS_POINT}"), "[]", True, id="access point"
        ),
        pytest.param(efs_csi("encryptInTransit: 'false'", "s3files:fs-0a1b2c3d"), "[]", True, id="S3 Files"),
        pytest.param(OFF, "[tls]", None, id="the mount fails"),
        pytest.param(NFS, "[]", None, id="the kernel's client"),
    ],
)
def test_tls(source: str, options: str, tls: bool | None) -> None:
    assert fact(pv(source, options), "mount").value.get("tls") == tls


def test_tls_points_at_the_attribute() -> None:
    span = fact(pv(OFF), "mount").origins["/tls"].span
    assert span is not None
    assert span.text == "'false'"


@pytest.mark.parametrize(
    ("source", "options", "read_only"),
    [
        pytest.param(NFS, "[ro]", True, id="ro"),
        pytest.param(efs_csi(), "[RO]", True, id="lowered"),
        pytest.param(NFS, "[ro, rw]", None, id="rw wins"),
        pytest.param(NFS, "[hard]", None, id="nobody known"),
        pytest.param("nfs: {server: 192.0.2.7, path: /, readOnly: true}", "[]", True, id="the volume"),
    ],
)
def test_a_mount_that_nobody_can_write_to(source: str, options: str, read_only: bool | None) -> None:
    assert fact(pv(source, options), "mount").value.get("read_only") == read_only


def test_no_database_writes_to_a_read_only_mount() -> None:
    text = stream(
        pv(NFS, "[ro, soft]"),
        claim("data", "{storageClassName: '', volumeName: pv}"),
        pod("persistentVolumeClaim: {claimName: data}", image="postgres:16"),
    )
    assert "database" not in fact(text, "mount").value
    assert "database" in fact(text.replace("ro, soft", "soft"), "mount").value
