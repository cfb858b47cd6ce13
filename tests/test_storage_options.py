"""Written and effective mount options. Expected values: FACTS sections 0, 1 and 3, cited in the test ids."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efslint.knowledge.drivers import Mounter
from efslint.knowledge.options import Fault
from efslint.storage.effective_options import EffectiveOptions, effective
from efslint.storage.fact import OriginKind
from efslint.storage.option_order import State
from efslint.storage.written_options import WrittenList, comma_string, mount_option_items
from efslint.text.source import Source
from efslint.yaml.node import Scalar, child
from efslint.yaml.parser import parse_node

A, B, C = Mounter.EFS_CSI, Mounter.IN_TREE_NFS, Mounter.CSI_DRIVER_NFS
MEBIBYTE = 1048576
FACT_SCHEMA = json.loads((Path(__file__).parents[1] / "efslint/schemas/fact.json").read_text(encoding="utf-8"))


def read(yaml: str) -> WrittenList:
    source = Source("a.yaml", yaml)
    return mount_option_items(child(parse_node(source, 0, len(yaml)), "mountOptions"))


def read_string(yaml: str) -> WrittenList:
    source = Source("a.yaml", yaml)
    return comma_string(child(parse_node(source, 0, len(yaml)), "mountOptions"))


def written(*items: str) -> WrittenList:
    return read("mountOptions: " + json.dumps(list(items)))


def on(mounter: Mounter, *items: str, file_system: str | None = None, tls: bool = True) -> EffectiveOptions:
    return effective(written(*items).options, mounter, file_system, (), tls)


def states(result: EffectiveOptions) -> list[str]:
    return [verdict.state.value for verdict in result.listed]


# --- what is in force -------------------------------------------------------------------------------------------------

HELPER = {
    "version": "4.1",
    "rsize": MEBIBYTE,
    "wsize": MEBIBYTE,
    "mode": "hard",
    "timeo": 600,
    "retrans": 2,
    "resvport": False,
    "background": False,
}
KERNEL = {"mode": "hard", "timeo": 600, "retrans": 2, "resvport": True, "background": False}


@pytest.mark.parametrize(
    ("items", "mounter", "expected"),
    [
        pytest.param([], A, HELPER, id="§0-none-A"),
        pytest.param([], B, KERNEL, id="§0-none-B"),
        pytest.param([], C, KERNEL, id="§0-none-C"),
        pytest.param(["soft"], A, {**HELPER, "mode": "soft"}, id="§0-soft-A"),
        pytest.param(["soft"], B, {**KERNEL, "mode": "soft"}, id="§0-soft-B"),
        pytest.param(["soft"], C, {**KERNEL, "mode": "soft"}, id="§0-soft-C"),
        pytest.param(["hard", "soft"], A, {**HELPER, "mode": "soft"}, id="§0-hard-soft-A"),
        pytest.param(["soft", "hard"], A, HELPER, id="§0-soft-hard-A"),
        pytest.param(["hard", "soft"], B, {**KERNEL, "mode": "soft"}, id="§0-hard-soft-B"),
        pytest.param(["soft", "hard"], B, {**KERNEL, "mode": "soft"}, id="§0-soft-hard-B"),
        pytest.param(["hard", "soft"], C, {**KERNEL, "mode": "soft"}, id="§0-hard-soft-C"),
        pytest.param(["soft", "hard"], C, KERNEL, id="§0-soft-hard-C"),
        pytest.param(["softerr"], A, HELPER, id="§0-softerr-A"),
        pytest.param(["softerr"], B, {**KERNEL, "mode": "softerr"}, id="§0-softerr-B"),
        pytest.param(["softerr"], C, {**KERNEL, "mode": "softerr"}, id="§0-softerr-C"),
        pytest.param(["hard", "softerr"], A, {**HELPER, "mode": "softerr"}, id="§0-note3-hard-softerr-A"),
        pytest.param(["softerr", "hard"], A, HELPER, id="§0-note3-softerr-hard-A"),
        pytest.param(["resvport"], A, HELPER, id="§0-resvport-A"),
        pytest.param(["resvport"], B, KERNEL, id="§0-resvport-B"),
        pytest.param(["resvport"], C, KERNEL, id="§0-resvport-C"),
        pytest.param(["noresvport", "resvport"], A, {**HELPER, "resvport": True}, id="§0-both-ports-A"),
        pytest.param(["resvport", "noresvport"], A, HELPER, id="§0-both-ports-reversed-A"),
        pytest.param(["noresvport", "resvport"], B, KERNEL, id="§0-both-ports-B"),
        pytest.param(["resvport", "noresvport"], B, KERNEL, id="§0-both-ports-reversed-B"),
        pytest.param(["noresvport", "resvport"], C, KERNEL, id="§0-both-ports-C"),
        pytest.param(["resvport", "noresvport"], C, {**KERNEL, "resvport": False}, id="§0-both-ports-reversed-C"),
        pytest.param(["timeo=60", "timeo=600"], A, HELPER, id="§0-timeo-A"),
        pytest.param(["timeo=600", "timeo=60"], A, {**HELPER, "timeo": 60}, id="§0-timeo-reversed-A"),
        pytest.param(["timeo=60", "timeo=600"], B, KERNEL, id="§0-timeo-B"),
        pytest.param(["timeo=600", "timeo=60"], B, KERNEL, id="§0-timeo-reversed-B"),
        pytest.param(["timeo=60", "timeo=600"], C, KERNEL, id="§0-timeo-C"),
        pytest.param(["timeo=600", "timeo=60"], C, {**KERNEL, "timeo": 60}, id="§0-timeo-reversed-C"),
        pytest.param(["vers=4.1"], A, HELPER, id="§0-vers-A"),
        pytest.param(["vers=4.1"], B, {**KERNEL, "version": "4.1"}, id="§0-vers-B"),
        pytest.param(["vers=4.1"], C, {**KERNEL, "version": "4.1"}, id="§0-vers-C"),
        pytest.param(["v4.1"], B, {**KERNEL, "version": "4.1"}, id="§0-v4.1-B"),
        pytest.param(["v4.1"], C, {**KERNEL, "version": "4.1"}, id="§0-v4.1-C"),
        pytest.param(["hard", "soft", "hard"], A, {**HELPER, "mode": "soft"}, id="§1.1-hard-soft-hard-A"),
        pytest.param(["hard,soft,hard"], A, {**HELPER, "mode": "soft"}, id="§1.1-hard-soft-hard-one-item-A"),
        pytest.param(["timeo=600", "timeo=60", "timeo=600"], A, {**HELPER, "timeo": 60}, id="§2.1-duplicate-dropped-A"),
        pytest.param(["timeo=600,timeo=60,timeo=600"], A, HELPER, id="§1.1-last-value-one-item-A"),
        pytest.param(["NoResvPort", "TIMEO=300"], A, {**HELPER, "timeo": 300}, id="§2.1-lower-case-A"),
        pytest.param(["nfsvers=3"], A, {**HELPER, "version": "3"}, id="§1.2-nfsvers=3-A"),
        pytest.param(["nfsvers=4.1", "nfsvers=4.0"], A, {**HELPER, "version": "4.0"}, id="§0-note2-same-key-A"),
        pytest.param(["bg"], A, {**HELPER, "background": True}, id="§1.2-bg-A"),
        pytest.param(["bg", "fg"], B, KERNEL, id="§4.1-bg-fg-sorted-B"),
        pytest.param(["soft,timeo=60", "hard"], B, {**KERNEL, "mode": "soft", "timeo": 60}, id="§0-item-is-sorted-B"),
        pytest.param(["hard,timeo=60", "a"], B, {**KERNEL, "timeo": 60}, id="§0-comma-item-B"),
        pytest.param(["zz", "hard,timeo=700", "timeo=60"], B, {**KERNEL, "timeo": 60}, id="§0-item-order-B"),
        pytest.param(["vers=4", "minorversion=1"], C, {**KERNEL, "version": "4.1"}, id="nfs(5)-minorversion-C"),
        pytest.param(["minorversion=1"], A, HELPER, id="§1.1-minorversion-A"),
        pytest.param(["minorversion=1"], C, KERNEL, id="nfs(5)-minorversion-alone-C"),
        pytest.param(["minorversion=0", "vers=4.1"], C, {**KERNEL, "version": "4.1"}, id="minorversion-first-C"),
        pytest.param(["vers=4.1", "minorversion=0"], C, {**KERNEL, "version": "4.0"}, id="minorversion-last-C"),
        pytest.param(["vers=3", "minorversion=1"], C, {**KERNEL, "version": "3"}, id="minorversion-v3-C"),
        pytest.param(["softreval"], C, KERNEL, id="§3.2-softreval-is-not-soft-C"),
        pytest.param(["rsize=65536"], C, {**KERNEL, "rsize": 65536}, id="§3.3-rsize-C"),
        pytest.param(["timeo=600s"], C, {k: v for k, v in KERNEL.items() if k != "timeo"}, id="malformed-timeo-C"),
        pytest.param(["timeo=0"], A, {k: v for k, v in HELPER.items() if k != "timeo"}, id="§3.1-timeo=0-A"),
        pytest.param([" timeo=60"], C, {**KERNEL, "timeo": 60}, id="blanks-C"),
        pytest.param(["udp"], C, {k: v for k, v in KERNEL.items() if k not in ("timeo", "retrans")}, id="§3.1-udp-C"),
    ],
)
def test_options_in_force(items: list[str], mounter: Mounter, expected: dict[str, object]) -> None:
    result = on(mounter, *items)
    assert result.options == expected
    assert set(result.origins) == set(expected)
    assert set(result.written) == set(expected)


def test_options_of_other_csi_drivers_keep_their_order() -> None:
    assert on(Mounter.OTHER_CSI_NFS, "soft", "hard").options["mode"] == "hard"


def test_volume_attributes_come_last_with_csi_driver_nfs() -> None:
    attributes = read_string('mountOptions: "soft,timeo=50"')
    result = effective(written("hard").options, C, "not-efs", attributes.options)
    assert (result.options["mode"], result.options["timeo"]) == ("soft", 50)
    assert states(result) == ["overridden", "effective", "effective"]


def test_an_inline_volume_has_no_options() -> None:
    result = on(Mounter.INLINE_NFS, "noresvport", "frob")
    assert result.options == KERNEL
    assert states(result) == ["ignored", "ignored"]


def test_s3_files_defaults_to_4_2() -> None:
    assert on(A, file_system="s3files").options["version"] == "4.2"


# --- who decides ------------------------------------------------------------------------------------------------------


def test_origin_of_defaults() -> None:
    helper, kernel = on(A), on(B)
    assert helper.origins["timeo"].kind is OriginKind.DRIVER
    assert "timeo=600" in helper.origins["timeo"].reason
    assert kernel.origins["resvport"].kind is OriginKind.KERNEL
    assert not any(helper.written.values())


def test_origin_of_a_written_option_is_its_place() -> None:
    result = on(B, "hard,timeo=60")
    span = result.origins["timeo"].span
    assert span is not None
    assert span.text == "timeo=60"
    assert result.deciders["timeo"].text == "timeo=60"
    assert result.written == {**dict.fromkeys(KERNEL, False), "mode": True, "timeo": True}


# --- what became of each option ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "mounter", "expected"),
    [
        pytest.param(["softerr"], A, ["undone"], id="§0-softerr-A"),
        pytest.param(["resvport"], A, ["undone"], id="§0-resvport-A"),
        pytest.param(["softreval"], A, ["undone"], id="§1.1-softreval-A"),
        pytest.param(["softreval", "soft"], A, ["effective", "effective"], id="§1.1-softreval-soft-A"),
        pytest.param(["hard", "softreval"], C, ["effective", "effective"], id="§3.2-softreval-last-C"),
        pytest.param(["softreval", "hard"], C, ["overridden", "effective"], id="§3.2-softreval-first-C"),
        pytest.param(["nosoftreval", "hard"], C, ["effective", "effective"], id="§3.2-nosoftreval-C"),
        pytest.param(["hard", "soft"], B, ["overridden", "effective"], id="§0-hard-soft-B"),
        pytest.param(["soft", "hard"], B, ["effective", "overridden"], id="§0-soft-hard-B"),
        pytest.param(["hard", "hard"], A, ["effective", "repeated"], id="§2.1-duplicate-A"),
        pytest.param(["Hard", "hard"], A, ["effective", "repeated"], id="§2.1-duplicate-by-case-A"),
        pytest.param(["Hard", "hard"], B, ["unknown", "effective"], id="case-sensitive-B"),
        pytest.param(["hard", "hard"], B, ["effective", "repeated"], id="§4.1-duplicate-B"),
        pytest.param(["hard", "hard"], C, ["repeated", "effective"], id="duplicate-C"),
        pytest.param(["a=1,hard", "a=1,hard"], B, ["unknown", "effective", "repeated", "repeated"], id="item-twice-B"),
        pytest.param(["timeo=60", "timeo=600"], A, ["overridden", "effective"], id="§0-timeo-A"),
        pytest.param(["hard,hard"], A, ["effective", "repeated"], id="§1.1-same-key-A"),
        pytest.param(["v4.1"], A, ["fatal"], id="§0-v4.1-A"),
        pytest.param(["nfsvers=4.1", "vers=4.1"], A, ["fatal", "fatal"], id="§0-two-versions-A"),
        pytest.param(["nfsvers=4.1", "vers=4.1"], B, ["fatal", "fatal"], id="§0-two-versions-B"),
        pytest.param(["nfsvers=4.1", "vers=4.1"], C, ["fatal", "fatal"], id="§0-two-versions-C"),
        pytest.param(["nfsvers=4.1", "nfsvers=4.1"], A, ["effective", "repeated"], id="§0-note2-version-twice-A"),
        pytest.param(["nfsvers=4.1", "nfsvers=4.1"], B, ["effective", "repeated"], id="version-twice-B"),
        pytest.param(["nfsvers=4.1", "nfsvers=4.1"], C, ["fatal", "fatal"], id="§3.4-version-twice-C"),
        pytest.param(["vers=4.1", "minorversion=0"], C, ["overridden", "effective"], id="minorversion-last-C"),
        pytest.param(["minorversion=0", "vers=4.1"], C, ["overridden", "effective"], id="minorversion-first-C"),
        pytest.param(["minorversion=1"], C, ["ignored"], id="minorversion-alone-C"),
        pytest.param(["vers=3", "minorversion=1"], C, ["effective", "ignored"], id="minorversion-v3-C"),
        pytest.param(["minorversion=1"], A, ["undone"], id="minorversion-A"),
        pytest.param(["_netdev", "nofail", "nointr", "noauto"], B, ["ignored"] * 4, id="§1.2-without-effect-B"),
        pytest.param(["x-systemd.automount", "defaults"], A, ["ignored"] * 2, id="§1.2-dropped-by-libmount-A"),
        pytest.param(["nconnect=4", "noatime", "fsc"], A, ["effective"] * 3, id="§1.2-passed-A"),
        pytest.param(["noresvpor"], A, ["unknown"], id="unknown-A"),
        pytest.param(["timeo=600s"], B, ["malformed"], id="malformed-B"),
        pytest.param([" hard "], B, ["malformed"], id="blanks-B"),
        pytest.param([" hard "], A, ["malformed"], id="blanks-A"),
        pytest.param(["tls"], B, ["fatal"], id="helper-only-B"),
        pytest.param(["sloppy", "frobnicate"], C, ["effective", "ignored"], id="sloppy-first-C"),
        pytest.param(["frobnicate", "sloppy"], C, ["ignored", "effective"], id="sloppy-is-put-first-C"),
        pytest.param(["tls", "sloppy"], C, ["ignored", "effective"], id="sloppy-helper-only-C"),
        pytest.param(["iam", "awsprofile=Prod"], A, ["effective", "undone"], id="§2.1-lower-cased-value-A"),
        pytest.param(["iam", "awsprofile=prod"], A, ["effective", "effective"], id="§2.1-lower-case-value-A"),
        pytest.param(["awscredsuri=/x", "iam"], A, ["undone", "effective"], id="§2.1-awscredsuri-A"),
        pytest.param(["fatal_neterrors=ENETDOWN:ENETUNREACH"], A, ["malformed"], id="§2.1-lower-cased-choice-A"),
        pytest.param(["proto=udp", "vers=4"], C, ["fatal", "effective"], id="§3.4-udp-C"),
        pytest.param(["proto=udp", "vers=3"], C, ["effective", "effective"], id="§3.4-udp-v3-C"),
        pytest.param(["ro", "rw"], C, ["overridden", "effective"], id="access-C"),
    ],
)
def test_state_of_each_option(items: list[str], mounter: Mounter, expected: list[str]) -> None:
    result = on(mounter, *items)
    assert states(result) == expected
    for verdict in result.listed:
        assert (verdict.why == "") == (verdict.state is State.EFFECTIVE)
    assert bool(result.fatal) == ("fatal" in expected)
    assert (result.in_force == "") == bool(result.fatal)


@pytest.mark.parametrize(
    ("items", "mounter", "words"),
    [
        (["hard", "soft"], A, "the last one wins"),
        (["hard", "soft"], B, "sorts"),
        (["hard", "soft"], C, "the last one wins"),
        (["timeo=60", "timeo=600"], A, "timeo=600 wins"),
    ],
)
def test_who_wins_and_why(items: list[str], mounter: Mounter, words: str) -> None:
    loser = on(mounter, *items).listed[0]
    assert loser.by is not None
    assert loser.by.text == items[1]
    assert words in loser.why


def test_a_misspelt_option_says_what_was_meant() -> None:
    assert on(B, "noresvpor").listed[0].suggestion == "noresvport"
    assert on(B, "frobnicate").listed[0].suggestion is None


def test_the_helper_is_named_where_it_undoes_an_option() -> None:
    assert "appends noresvport" in on(A, "resvport").listed[0].why


@pytest.mark.parametrize(
    ("items", "tls", "file_system", "words"),
    [
        pytest.param(["port=2049"], True, "efs", "port and tls", id="§1.2-port-tls"),
        pytest.param(["notls"], True, "efs", "notls and tls", id="§1.2-notls"),
        pytest.param(["tls"], False, "efs", "encryptInTransit is false", id="§2.1-tls-off"),
        pytest.param(["ocsp", "noocsp"], True, "efs", "exclude each other", id="§1.2-ocsp"),
        pytest.param(["accesspoint=fsap-0123456789abcdef0"], False, "efs", "needs tls", id="§1.2-accesspoint-tls"),
        pytest.param(["accesspoint=fsap-01234567"], True, "efs", "17 hexadecimal", id="§1.2-accesspoint-form"),
        pytest.param(["accesspoint=0123456789abcdef0"], True, "efs", "17 hexadecimal", id="§1.2-accesspoint-prefix"),
        pytest.param(["iam"], False, "efs", "iam needs tls", id="§1.2-iam"),
        pytest.param(["awsprofile=p"], True, "efs", "awsprofile needs iam", id="§1.2-awsprofile"),
        pytest.param(["crossaccount"], True, "efs", "since 3.0", id="§2.1-crossaccount"),
        pytest.param(["capath=/c"], True, "efs", "does not support capath", id="§1.2-capath"),
        pytest.param(["azid=use1-az1"], True, "efs", "does not support azid", id="§1.2-azid"),
        pytest.param(["context=a=b"], True, "efs", "two equals signs", id="§1.1-two-equals"),
        pytest.param(["nfsvers=4.0"], True, "s3files", "does not support NFSv4.0", id="s3files-4.0"),
        pytest.param(["v4.1"], True, "efs", "adds its own", id="§0-v4.1"),
    ],
)
def test_mount_that_fails_with_the_efs_csi_driver(items: list[str], tls: bool, file_system: str, words: str) -> None:
    result = on(A, *items, tls=tls, file_system=file_system)
    assert words in " ".join(problem.why for problem in result.fatal)
    assert State.FATAL in {verdict.state for verdict in result.listed}


@pytest.mark.parametrize(
    ("items", "tls", "file_system"),
    [
        pytest.param(["accesspoint=fsap-0123456789abcdef0", "tls"], True, "efs", id="§2.1-accesspoint"),
        pytest.param(["port=2049"], False, "efs", id="§1.2-port-replaced"),
        pytest.param(["ocsp", "noocsp"], False, "efs", id="§1.2-ocsp-without-tls"),
        pytest.param(["azid=use1-az1", "awsprofile=p"], True, "s3files", id="s3files-azid"),
        pytest.param(["nfsvers=4.1"], True, "s3files", id="s3files-4.1"),
        pytest.param(["timeo=6=0"], True, "efs", id="malformed-is-reported-as-such"),
    ],
)
def test_mount_that_does_not_fail(items: list[str], tls: bool, file_system: str) -> None:
    assert on(A, *items, tls=tls, file_system=file_system).fatal == ()


def test_port_is_replaced_where_tls_is_off() -> None:
    assert states(on(A, "port=2049", tls=False)) == ["undone"]


# --- locks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "mounter", "file_system", "expected"),
    [
        pytest.param(["nfsvers=3", "nolock"], C, "not-efs", "local", id="EFS105-v3"),
        pytest.param(["v3", "local_lock=all"], B, None, "local", id="EFS105-v3-local_lock"),
        pytest.param(["nolock"], B, None, "negotiable", id="EFS105-not-pinned"),
        pytest.param(["local_lock=flock"], C, "not-efs", "negotiable", id="EFS105-not-pinned-local_lock"),
        pytest.param(["vers=4.1", "nolock"], B, None, "none", id="EFS106-pinned-4"),
        pytest.param(["vers=4.2", "nolock"], C, "not-efs", "none", id="EFS106-pinned-4.2"),
        pytest.param(["nolock"], B, "efs", "none", id="EFS106-efs-B"),
        pytest.param(["nolock"], C, "efs", "none", id="EFS106-efs-C"),
        pytest.param(["nolock"], A, None, "none", id="EFS106-efs-A"),
        pytest.param(["nolock"], A, "s3files", "none", id="EFS106-s3files"),
        pytest.param(["nolock", "vers=4", "vers=4.1"], C, None, "none", id="two-versions-4"),
        pytest.param(["nolock", "vers=3", "v3"], C, None, "local", id="two-versions-3"),
        pytest.param(["nolock", "vers=3", "vers=4"], C, None, "negotiable", id="two-versions-mixed"),
        pytest.param(["nolock", "nfsvers=3"], B, "efs", None, id="EFS-refuses-v3"),
        pytest.param(["lock"], B, None, None, id="lock"),
        pytest.param(["local_lock=none", "vers=3"], B, None, None, id="local_lock=none"),
        pytest.param(["nolock", "local_lock=none", "vers=3"], C, None, "local", id="nfs(5)-nolock-over-local_lock"),
        pytest.param(["local_lock=all", "lock", "vers=3"], C, None, None, id="nfs(5)-lock-over-local_lock"),
        pytest.param([], B, None, None, id="nothing-written"),
    ],
)
def test_effect_on_locks(items: list[str], mounter: Mounter, file_system: str | None, expected: str | None) -> None:
    assert on(mounter, *items, file_system=file_system).lock_effect == expected


def test_locking_is_the_option_as_written() -> None:
    assert on(C, "local_lock=all", "vers=3").options["locking"] == "local_lock=all"
    result = on(B, "nolock", file_system="efs")
    assert (result.options["locking"], states(result)) == ("nolock", ["ignored"])


# --- numbers and words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "seconds", "meant"),
    [
        (["timeo=60"], 6.0, 600),
        (["timeo=30"], 3.0, 300),
        (["timeo=15"], 1.5, 150),
        (["timeo=50"], 5.0, None),
        (["timeo=5"], 0.5, None),
        (["timeo=180"], 18.0, None),
        ([], 60.0, None),
        (["timeo=600s"], None, None),
    ],
)
def test_timeo_in_seconds_and_what_was_meant(items: list[str], seconds: float | None, meant: int | None) -> None:
    result = on(B, *items)
    assert (result.timeo_seconds, result.timeo_meant) == (seconds, meant)


@pytest.mark.parametrize(
    ("items", "mounter", "expected"),
    [
        ([], A, "nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport"),
        ([], B, "hard,timeo=600,retrans=2,resvport"),
        (["noatime", "noresvport", "v4.1"], B, "nfsvers=4.1,hard,timeo=600,retrans=2,noresvport,noatime"),
        (["timeo=600s", "hard=1", "noresvport=1"], C, "retrans=2"),
        (
            ["iam", "awsprofile=P", "softreval"],
            A,
            f"{'nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600'},retrans=2,noresvport,iam,awsprofile=p",
        ),
        (["_netdev", " noac"], C, "hard,timeo=600,retrans=2,resvport,noac"),
    ],
)
def test_what_is_in_force_in_words(items: list[str], mounter: Mounter, expected: str) -> None:
    assert on(mounter, *items).in_force == expected


TEXTS = st.sampled_from(
    """hard soft softerr softreval timeo=60 timeo=600 timeo=0 resvport noresvport vers=4.1 nfsvers=3 v4 bg fg nolock
    lock minorversion=1 local_lock=all local_lock=none rsize=4096 tls iam port=1 udp sloppy frob HARD _netdev x-a ro
    rw""".split()
)


@settings(deadline=None)
@given(
    st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=6),
    st.sampled_from(list(Mounter)),
    st.sampled_from(["efs", "s3files", "not-efs", None]),
    st.booleans(),
)
def test_every_option_gets_one_verdict_and_the_result_fits_the_schema(
    items: list[list[str]], mounter: Mounter, file_system: str | None, tls: bool
) -> None:
    options = written(*(",".join(item) for item in items)).options
    result = effective(options, mounter, file_system, (), tls)
    assert [verdict.option for verdict in result.listed] == list(options)
    schema = {**FACT_SCHEMA["$defs"]["mount"]["properties"]["options"], "$defs": FACT_SCHEMA["$defs"]}
    jsonschema.validate(dict(result.options), schema)


# --- how options are written ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("mountOptions: [hard, 'timeo=600']", [("hard", 0), ("timeo=600", 1)]),
        ('mountOptions:\n- "hard,timeo=600"\n- soft', [("hard", 0), ("timeo=600", 0), ("soft", 1)]),
        ("mountOptions:\n  - hard, timeo=600,", [("hard", 0), (" timeo=600", 0)]),
        ("mountOptions: [' hard']", [("hard", 0)]),
        ('mountOptions: ["a\\tb"]', [('"a\\tb"', 0)]),
        ("mountOptions:\n- >-\n  hard,timeo=600", [(">-\n  hard,timeo=600", 0)] * 2),
    ],
)
def test_place_of_each_option(yaml: str, expected: list[tuple[str, int]]) -> None:
    found = read(yaml)
    assert found.present
    assert [(option.span.text.rstrip(), option.item) for option in found.options] == expected


def test_an_option_keeps_its_item_and_parts() -> None:
    second = written("hard,timeo=600").options[1]
    assert (second.text, second.name, second.value, second.item_text) == ("timeo=600", "timeo", "600", "hard,timeo=600")
    assert second.problem is None


@pytest.mark.parametrize("yaml", ["a: 1", "mountOptions:", "mountOptions: null", "mountOptions: ~"])
def test_no_list_is_no_list(yaml: str) -> None:
    assert read(yaml) == WrittenList()
    assert read_string(yaml) == WrittenList()


def test_an_empty_list_is_there() -> None:
    assert read("mountOptions: []") == WrittenList((), (), True)
    assert read_string('mountOptions: ""') == WrittenList((), (), True)


@pytest.mark.parametrize(
    ("yaml", "text", "words"),
    [
        ('mountOptions: "hard,timeo=600"', '"hard,timeo=600"', "single value"),
        ("mountOptions: {timeo: 600}", "{timeo: 600}", "is a mapping"),
        ("mountOptions: [hard, 4.1]", "4.1", "number or a boolean"),
        ("mountOptions: [hard, yes]", "yes", "number or a boolean"),
        ("mountOptions: [hard, null]", "null", "is null"),
        ("mountOptions: [hard, [soft]]", "[soft]", "list inside the list"),
        ("mountOptions: [hard, {timeo: 60}]", "{timeo: 60}", "write name=value"),
        ('mountOptions: [hard, ""]', '""', "is empty"),
        ('mountOptions: [hard, " , "]', '" , "', "is empty"),
    ],
)
def test_malformed_shape(yaml: str, text: str, words: str) -> None:
    found = read(yaml)
    assert len(found.malformed) == 1
    assert found.malformed[0].text == text
    assert found.malformed[0].span.text == text
    assert words in found.malformed[0].why
    assert [option.text for option in found.options] == (["hard"] if "[" in yaml else [])


def test_a_string_of_options_has_one_item_per_piece() -> None:
    found = read_string('mountOptions: "nfsvers=3, nolock"')
    assert [(option.text, option.item, option.item_text) for option in found.options] == [
        ("nfsvers=3", 0, "nfsvers=3"),
        ("nolock", 1, "nolock"),
    ]
    assert found.options[0].span.text == "nfsvers=3"
    problem = found.options[1].problem
    assert problem is not None
    assert problem.fault is Fault.BLANKS


@pytest.mark.parametrize(
    "yaml", ["mountOptions: 4.1", "mountOptions: [hard]", "mountOptions: {a: b}", "mountOptions: true"]
)
def test_a_string_of_options_must_be_a_string(yaml: str) -> None:
    found = read_string(yaml)
    assert [item.why for item in found.malformed] == ["is not a string"]


def test_an_alias_is_shown_where_it_stands() -> None:
    option = read("mountOptions: [&a hard, *a]").options[1]
    assert (option.text, option.span.text) == ("hard", "*a")


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from(["", "'", '"']))
def test_a_span_is_the_option_or_the_whole_scalar(text: str, quote: str) -> None:
    raw = f"{quote}{text}{quote}"
    scalar = Scalar(Source("a", raw), 0, len(raw), text, quote)
    for option in comma_string(scalar).options:
        assert option.span.text.strip(" \t\r\n") == option.text or option.span.text == raw


def test_kubelet_sorts_items_and_not_what_commas_join_within_one() -> None:
    """JoinMountOptions (kubernetes/kubernetes:pkg/volume/util/util.go): the set is one of whole items."""
    text = "mountOptions: ['soft,hard']\n"
    root = parse_node(Source("a.yaml", text), 0, len(text))
    written = mount_option_items(child(root, "mountOptions"))
    outcome = effective(written.options, Mounter.IN_TREE_NFS)
    assert outcome.options["mode"] == "hard"
    (verdict,) = (each for each in outcome.listed if each.option.text == "soft")
    assert verdict.why == (
        "hard wins: both stand in one item of the list, which kubelet leaves as it is, and the last one wins"
    )
