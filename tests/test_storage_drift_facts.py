"""Facts about volumes and the options of their classes. Expected values: how options get from a class to a volume."""

from __future__ import annotations

import pytest
from storage_support import chain, fact, facts, storage_class, stream, told, volume

SUBDIR = "k8s-sigs.io/nfs-subdir-external-provisioner"
MADE_BY = "pv.kubernetes.io/provisioned-by"
MARK = "volume.beta.kubernetes.io/mount-options"


def by_class(options: str, provisioner: str = SUBDIR) -> str:
    return storage_class("c", provisioner, f"mountOptions: {options}\n")


def made(
    options: str = "", metadata: str = "", source: str = "nfs: {server: 10.0.0.1, path: /}", name: str = "c"
) -> str:
    written = f"mountOptions: {options}, " if options else ""
    return volume("v", f"{{storageClassName: {name}, {written}{source}}}", metadata)


def difference(files: str) -> tuple[str, str]:
    value = fact(files, "drift").value
    return value.get("lacking", ""), value.get("additional", "")


@pytest.mark.parametrize(
    ("wanted", "written", "lacking", "additional"),
    [
        ("[a=1, b]", "[b, a=1]", "", ""),
        ("[a=1, b]", '["b,a=1"]', "", ""),
        ("[b, b]", "[b]", "", ""),
        ("[vers=4.1]", "[nfsvers=4.1]", "", ""),
        ("[v4.1]", "[vers=4.1]", "", ""),
        ("[vers=4.1]", "[vers=4.0]", "vers=4.1", "vers=4.0"),
        ("[vers=4.1, nosuid, proto=tcp]", "[vers=4.1]", "nosuid, proto=tcp", ""),
        ("[timeo=600]", "[timeo=60, hard]", "timeo=600", "timeo=60, hard"),
        ("[hard]", "", "hard", ""),
        ("[hard]", "[hard, noatime]", "", "noatime"),
    ],
)
def test_options_are_compared_as_sets(wanted: str, written: str, lacking: str, additional: str) -> None:
    assert difference(stream(by_class(wanted), made(written))) == (lacking, additional)


def test_places_and_chain() -> None:
    found = fact(stream(by_class("[hard, noatime]"), made("[hard]", f"annotations: {{{MADE_BY}: {SUBDIR}}}")), "drift")
    assert told(found, "") == "mountOptions"
    assert found.value["provisioned"] is True
    assert chain(found) == ["volume v is of class c", "class c has noatime"]
    assert [ref.label for ref in found.objects] == ["PersistentVolume/v", "StorageClass/c"]
    assert told(fact(stream(by_class("[hard]"), made()), "drift"), "") == "v"


def test_annotation_is_read_in_place_of_the_list() -> None:
    files = stream(by_class("[hard, noatime]"), made("[noatime]", f"annotations: {{{MARK}: 'hard,noatime'}}"))
    assert difference(files) == ("", "")
    assert told(fact(files, "drift"), "") == "'hard,noatime'"


def test_csi_driver_nfs_appends_an_attribute() -> None:
    source = "csi: {driver: nfs.csi.k8s.io, volumeHandle: h, volumeAttributes: {server: s, mountOptions: 'noatime'}}"
    files = stream(by_class("[hard, noatime]", "nfs.csi.k8s.io"), made("[hard]", source=source))
    assert difference(files) == ("", "")


def csi(driver: str) -> str:
    return f"csi: {{driver: {driver}, volumeHandle: fs-0123456789abcdef0}}"


@pytest.mark.parametrize(
    ("files", "count"),
    [
        # one driver on both sides
        (stream(by_class("[iam]", "efs.csi.aws.com"), made(source=csi("efs.csi.aws.com"))), 1),
        (stream(by_class("[iam]", "kubernetes.io/no-provisioner"), made(source=csi("efs.csi.aws.com"))), 1),
        (stream(by_class("[hard]", "kubernetes.io/no-provisioner"), made()), 1),
        # another driver: the name of the class is only a name
        (stream(by_class("[iam]", "efs.csi.aws.com"), made()), 0),
        (stream(by_class("[hard]"), made(source=csi("efs.csi.aws.com"))), 0),
        (stream(by_class("[hard]", "x.example/unknown"), made()), 0),
        (stream(by_class("[hard]"), made(metadata=f"annotations: {{{MADE_BY}: other.example/nfs}}")), 0),
        (stream(by_class("[hard]", '""'), made(metadata=f"annotations: {{{MADE_BY}: other.example/nfs}}")), 0),
        (stream("kind: StorageClass\nmetadata: {name: c}\nmountOptions: [hard]", made()), 0),
        (stream(by_class("[hard]", "ebs.csi.aws.com"), made(source=csi("ebs.csi.aws.com"))), 0),
        # nothing to compare with, or nothing that can be read
        (stream(storage_class("c", SUBDIR), made("[hard]")), 0),
        (stream(by_class("hard"), made()), 0),
        (stream(by_class("[hard, 4.1]"), made()), 0),
        (stream(by_class("[hard]"), made("[4.1]")), 0),
        (made("[hard]"), 0),
        (stream(by_class("[hard]"), volume("v", "{nfs: {server: s, path: /}}")), 0),
        (stream(by_class("[hard]"), volume("v", "[]")), 0),
        # the beta annotation names a class as well
        (
            stream(
                by_class("[hard]"),
                volume(
                    "v",
                    "{nfs: {server: s, path: /}}",
                    "annotations: {volume.beta.kubernetes.io/storage-class: c}",
                ),
            ),
            1,
        ),
    ],
)
def test_which_volumes_are_compared(files: str, count: int) -> None:
    assert len(facts(files, "drift")) == count
