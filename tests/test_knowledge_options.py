"""The grammar of one mount option. Ranges and names: nfs(5), fs/nfs/fs_context.c, efs-utils, mount(8)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efslint.knowledge.mount_options import Reader, mount_options
from efslint.knowledge.options import Fault, kernel_integer, parse_option, split_options

LEGITIMATE = """
noatime nodiratime relatime noexec nosuid nodev ro rw defaults sync async context=system_u:object_r:svirt_t:s0 fsc
fsc=cache nofsc nconnect=4 max_connect=16 trunkdiscovery notrunkdiscovery xprtsec=mtls proto=tcp6 tcp udp rdma port=2049
mountport=20048 mountproto=tcp mounthost=a mountaddr=10.0.0.1 mountvers=3 namlen=255 bsize=4096 acregmin=3 acregmax=60
acdirmin=30 acdirmax=60 actimeo=0 ac noac cto nocto lookupcache=none lookupcache=positive rdirplus nordirplus
rdirplus=none rdirplus=force sharecache nosharecache migration nomigration resvport noresvport sec=sys sec=krb5:krb5i
retry=5 sloppy bg fg intr nointr lock nolock local_lock=all posix noposix clientaddr=10.0.0.1 addr=10.0.0.2 softreval
nosoftreval soft softerr hard acl noacl xattr noxattr write=eager fatal_neterrors=none alignwrite noalignwrite
fatal_neterrors=ENETDOWN:ENETUNREACH _netdev nofail auto noauto user user=me nouser users owner group
x-systemd.automount X-mount.mkdir comment=mine comment timeo=1 timeo=600 timeo=0x10 retrans=0 rsize=1048576
wsize=1048576 nfsvers=4.1 nfsvers=4 vers=3 vers=4.2 v3 v4 v4.1 minorversion=1 tls notls tlsport=20100
accesspoint=fsap-0123456789abcdef0 iam awsprofile=p awscredsuri=/x az=us-east-1a azid=use1-az1 cafile=/c capath=/c
crossaccount mounttargetip=10.0.0.3 netns=/n ocsp noocsp region=us-east-1 rolearn=arn jwtpath=/j stunnel verify=2
nodirects3read nos3readcache
""".split()


@pytest.mark.parametrize("text", LEGITIMATE)
def test_legitimate_option(text: str) -> None:
    parsed = parse_option(text)
    assert parsed.problem is None
    assert parsed.spec is not None
    assert parsed.usable


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("noresvpor", "noresvport"),
        ("noresvprot", "noresvport"),
        ("hrd", "hard"),
        ("timeout=600", "timeo"),
        ("sotf", "soft"),
        ("HARD", "hard"),
        ("NfsVers=4.1", "nfsvers"),
        ("rsize:1048576", "rsize=1048576"),
        ("frobnicate", None),
        ("x" * 5000, None),
    ],
)
def test_unknown_option(text: str, suggestion: str | None) -> None:
    problem = parse_option(text).problem
    assert problem is not None
    assert (problem.fault, problem.suggestion) == (Fault.UNKNOWN, suggestion)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("timeo=600s", "whole number"),
        ("timeo=60.0", "whole number"),
        ("timeo=-1", "whole number"),
        ("timeo=0", "from 1 to"),
        ("timeo=2147483648", "from 1 to"),
        ("timeo", "needs a value"),
        ("timeo=", "needs a value"),
        ("timeo=6=0", "whole number"),
        ("timeo=09", "whole number"),
        ("timeo=\u0666", "whole number"),
        ("nconnect=17", "from 1 to 16"),
        ("nconnect=0", "from 1 to 16"),
        ("nfsvers=5", "2, 3, 4, 4.0, 4.1 or 4.2"),
        ("vers=3.0", "2, 3, 4"),
        ("hard=1", "takes no value"),
        ("noresvport=true", "takes no value"),
        ("sec=krb6", "sys"),
        ("local_lock=yes", "all, flock, posix or none"),
        ("rdirplus=some", "none or force or no value"),
        ("context=", "needs a value"),
        ("timeo = 600", "blank stands inside"),
        ("hard timeo=600", "blank stands inside"),
        ("=600", "no name"),
        ("", "empty"),
    ],
)
def test_malformed_option(text: str, words: str) -> None:
    problem = parse_option(text).problem
    assert problem is not None
    assert problem.fault is Fault.MALFORMED
    assert words in problem.why


def test_name_and_value_survive_inner_blanks() -> None:
    parsed = parse_option(" timeo = 600 ")
    assert (parsed.name, parsed.value) == ("timeo", "600")
    assert not parsed.usable


def test_outer_blanks_are_trimmed_with_a_note() -> None:
    parsed = parse_option(" timeo=600\n")
    assert (parsed.text, parsed.number, parsed.usable) == ("timeo=600", 600, True)
    assert parsed.problem is not None
    assert parsed.problem.fault is Fault.BLANKS


@pytest.mark.parametrize(
    ("text", "words", "suggestion"),
    [
        ("hard\uff0ctimeo=600", "full-width comma (U+FF0C)", None),
        ("timeo\uff1d600", "full-width equals sign (U+FF1D)", "timeo=600"),
        ("\u201chard\u201d", "curly quotation mark (U+201C)", None),
        ("hard\u00a0", "non-breaking space (U+00A0)", "hard"),
    ],
)
def test_lookalike_characters_get_a_hint(text: str, words: str, suggestion: str | None) -> None:
    problem = parse_option(text).problem
    assert problem is not None
    assert words in problem.why
    if suggestion:
        assert problem.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("600", 600),
        ("0", 0),
        ("+5", 5),
        ("0x10", 16),
        ("010", 8),
        ("", None),
        ("1_0", None),
        ("0x", None),
        ("1" * 99, None),
    ],
)
def test_integers_are_read_as_the_kernel_does(text: str, expected: int | None) -> None:
    assert kernel_integer(text) == expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("hard,timeo=600", ((0, "hard"), (5, "timeo=600"))),
        ("hard,,timeo=600,", ((0, "hard"), (6, "timeo=600"))),
        ("hard, timeo=600", ((0, "hard"), (5, " timeo=600"))),
        ('context="a:b:s0:c1,c2",hard', ((0, 'context="a:b:s0:c1,c2"'), (23, "hard"))),
        (",", ()),
    ],
)
def test_split(text: str, pieces: tuple[tuple[int, str], ...]) -> None:
    assert split_options(text) == pieces


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    parsed = parse_option(text)
    assert parsed.problem is not None or parsed.spec is not None
    for offset, piece in split_options(text):
        assert text[offset : offset + len(piece)] == piece


def test_helper_only_options_are_those_of_the_helper() -> None:
    # aws/efs-utils:src/efs_utils_common/constants.py, NON_NFS_OPTIONS and UNSUPPORTED_OPTIONS
    stripped = """accesspoint awscredsuri awsprofile az azid cafile crossaccount iam jwtpath mounttargetip netns
        nodirects3read nos3readcache noocsp notls ocsp region rolearn stunnel tls tlsport verify capath"""
    helper = {option.name for option in mount_options().values() if option.reader is Reader.HELPER}
    assert helper == set(stripped.split())
