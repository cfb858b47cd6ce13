"""The rules about single mount options, through the whole tool.

A row is a volume's source, its options, and the findings at note or above that options alone cause, each with its
severity and text. Expected verdicts: nfs(5), AWS' page of recommended mount settings, efs-utils' ``mount_options.py``.
"""

from __future__ import annotations

import pytest
from storage_support import EFS_HOST, stream, volume

from efslint.pipeline import lint_text
from efslint.rules.finding import Finding

NFS = "nfs: {server: 192.0.2.7, path: /}"
EFS_NFS = f"nfs: {{server: {EFS_HOST}, path: /}}"
EFS_CSI = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d}"
S3_FILES = "csi: {driver: efs.csi.aws.com, volumeHandle: 's3files:fs-0a1b2c3d'}"
OTHER = "csi: {driver: filestore.csi.storage.gke.io, volumeHandle: h}"
OFF = EFS_CSI.replace("}", ", volumeAttributes: {encryptInTransit: 'false'}}")
MINE = "EFS108 EFS109 EFS110 EFS111 EFS112 EFS113 EFS114 EFS115 EFS116 EFS118 EFS504 EFS505 EFS506".split()


def found(source: str, options: str) -> list[Finding]:
    findings = lint_text(volume("pv", f"\n  mountOptions: {options}\n  {source}"))
    return [finding for finding in findings if finding.rule in MINE]


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        pytest.param(EFS_CSI, "[rsize=1048575]", ["EFS108 note rsize=1048575"], id="108 EFS"),
        pytest.param(EFS_CSI, "[rsize=1048576]", [], id="108 EFS, recommended"),
        pytest.param(NFS, "[wsize=65535]", ["EFS108 note wsize=65535"], id="108 NFS"),
        pytest.param(NFS, "[wsize=65536]", [], id="108 NFS, large enough"),
        pytest.param(NFS, "[rsize=0]", [], id="108 zero is negotiated"),
        pytest.param(S3_FILES, "[rsize=65536]", [], id="108 S3 Files is no EFS"),
        pytest.param(NFS, "[noresvpor]", ["EFS109 error noresvpor"], id="109"),
        pytest.param(OTHER, "[noresvpor]", ["EFS109 warning noresvpor"], id="109 another driver, near"),
        pytest.param(OTHER, "[frobnicate, region=a]", [], id="109 another driver may know it"),
        pytest.param(NFS, "[frobnicate, sloppy]", ["EFS118 note frobnicate"], id="109 sloppy"),
        pytest.param(NFS, "[hard, soft]", ["EFS110 warning hard"], id="110 overridden"),
        pytest.param(NFS, "[hard, hard]", ["EFS110 note hard"], id="110 repeated"),
        pytest.param(NFS, "[vers=4.1, v4.2]", ["EFS110 error vers=4.1"], id="110 versions"),
        pytest.param(EFS_CSI, "[ocsp, noocsp]", ["EFS110 error noocsp"], id="110 exclusive"),
        pytest.param(NFS, "[udp, vers=4]", ["EFS110 error udp"], id="110 UDP off EFS"),
        pytest.param(EFS_CSI, "[v4.1]", ["EFS114 warning v4.1"], id="114 not 110"),
        pytest.param(EFS_CSI, "[accesspoint=fsap-1]", ["EFS111 error accesspoint=fsap-1"], id="111 refused value"),
        pytest.param(NFS, "[lookupcache=all, nfsvers=5]", ["EFS111 error nfsvers=5"], id="111 choice"),
        pytest.param(EFS_NFS, "[nconnect=4]", ["EFS113 warning nconnect=4"], id="113 nconnect"),
        pytest.param(EFS_NFS, "['sec=sys:krb5']", ["EFS113 warning sec=sys:krb5"], id="113 Kerberos"),
        pytest.param(EFS_NFS, "[acl]", ["EFS113 warning acl"], id="113 ACL"),
        pytest.param(EFS_NFS, "[xattr]", ["EFS113 warning xattr"], id="113 extended attributes"),
        pytest.param(EFS_NFS, "[mand]", ["EFS113 warning mand"], id="113 mandatory locks"),
        pytest.param(EFS_NFS, "[udp, vers=4.1]", ["EFS113 warning udp"], id="113 not 110"),
        pytest.param(S3_FILES, "[nconnect=4]", [], id="113 S3 Files is no EFS"),
        pytest.param(NFS, "[nconnect=4, acl, sec=krb5]", [], id="113 no EFS"),
        pytest.param(EFS_CSI, "[softreval]", ["EFS114 warning softreval"], id="114 softreval"),
        pytest.param(EFS_CSI, "[iam, awsprofile=Prod]", ["EFS114 warning awsprofile=Prod"], id="114 capitals"),
        pytest.param(NFS, "[resvport, softerr]", [], id="114 nobody undoes it"),
        pytest.param(NFS, "[noac]", ["EFS115 note noac"], id="115"),
        pytest.param(NFS, "[actimeo=0]", ["EFS115 note actimeo=0"], id="115 zero"),
        pytest.param(NFS, "[actimeo=1]", [], id="115 one second"),
        pytest.param(NFS, "[bg]", ["EFS116 warning bg"], id="116"),
        pytest.param(NFS, "[bg, fg]", ["EFS110 warning bg"], id="116 fg wins"),
        pytest.param(NFS, "[_netdev]", ["EFS118 note _netdev"], id="118"),
        pytest.param(NFS, "[defaults]", [], id="118 defaults"),
        pytest.param(NFS, "[nolock, nfsvers=4]", [], id="118 not for locks"),
        pytest.param(OFF, "[tls]", ["EFS504 error tls"], id="504"),
        pytest.param(OFF, "[notls]", ["EFS505 warning 'false'"], id="505"),
        pytest.param(EFS_NFS, "[noresvport]", [], id="505 the kernel's client"),
        pytest.param(EFS_CSI, "[tls]", ["EFS506 note tls"], id="506"),
        pytest.param(S3_FILES, "[tls]", ["EFS506 note tls"], id="506 S3 Files too"),
        pytest.param(EFS_CSI, "['${OPTIONS}', 'timeo=${T}']", [], id="placeholders"),
    ],
)
def test_verdicts(source: str, options: str, expected: list[str]) -> None:
    assert [f"{each.rule} {each.severity} {each.span.text}" for each in found(source, options)] == expected


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (NFS, "[hard, soft]", "because soft wins: kubelet sorts"),
        (EFS_CSI, "[soft, hard]", "because hard wins: the EFS CSI driver keeps the written order"),
        (EFS_CSI, "[timeo=60, timeo=600]", "because timeo=600 wins: the EFS mount helper keeps the last value"),
        (
            NFS,
            "[vers=4.1, nfsvers=4.1]",
            "nfsvers=4.1 and vers=4.1 in PersistentVolume/pv make the mount fail together",
        ),
        (NFS, "[noresvpor]", "noresvport was probably meant"),
        (NFS, "[tls]", "only the EFS mount helper knows tls"),
        (EFS_CSI, "[resvport]", "the EFS mount helper appends noresvport, which wins"),
        (NFS, "[timeo=600s]", "timeo takes a whole number without a unit, not '600s'"),
        (NFS, "hard", "the mount options of PersistentVolume/pv are malformed: hard is a single value"),
    ],
)
def test_the_message_says_why(source: str, options: str, words: str) -> None:
    assert any(words in finding.message for finding in found(source, options))


def test_a_refused_list_is_no_list_without_options() -> None:
    text = volume("pv", f"\n  mountOptions: hard,noresvport\n  {EFS_NFS}")
    assert {finding.rule for finding in lint_text(text)} == {"EFS111"}
    text = volume("pv", f"\n  mountOptions: hard,noresvport\n  {EFS_CSI}")
    assert {finding.rule for finding in lint_text(text)} == {"EFS111"}


def test_a_soft_mount_that_nobody_can_write_to_is_a_note() -> None:
    (finding,) = lint_text(volume("pv", f"\n  mountOptions: [ro, soft]\n  {NFS}"))
    assert (finding.rule, finding.severity) == ("EFS103", "note")


def test_options_in_parameters_are_one_finding() -> None:
    text = stream(
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: nfs.csi.k8s.io\n"
        "parameters:\n  server: a\n  share: /\n  mountOptions: soft"
    )
    assert [(each.rule, each.severity) for each in lint_text(text) if each.span.text == "mountOptions"] == [
        ("EFS112", "error")
    ]
