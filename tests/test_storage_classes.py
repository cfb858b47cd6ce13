"""From a class name to what stands behind it."""

from __future__ import annotations

import pytest
from storage_support import EFS_HOST, answer, answers, chain, claim, claiming, ends, fact, facts, storage_class, stream

from efslint.storage.backing import Backing, Unresolved
from efslint.storage.configured import ConfiguredClass

BETA = "storageclass.beta.kubernetes.io/is-default-class"
STABLE = "storageclass.kubernetes.io/is-default-class"


def marked(*marks: str, age: str = "") -> str:
    """Write the metadata of a class that is, or is not, the default."""
    when = f", creationTimestamp: '{age}'" if age else ""
    return f"annotations: {{{', '.join(marks)}}}{when}"


def using(class_name: str, *documents: str) -> str:
    spec = f"{{storageClassName: {class_name}}}"
    return stream(claiming(), claim("data", spec), *documents)


# --- classes of the input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provisioner", "more", "expected"),
    [
        ("efs.csi.aws.com", "", "efs efs-csi dynamic"),
        ("efs.csi.aws.com", "parameters: {provisioningMode: efs-ap}", "efs efs-csi dynamic"),
        ("efs.csi.aws.com", "parameters: {provisioningMode: s3files-ap}", "s3files efs-csi dynamic"),
        ("efs.csi.aws.com", "parameters: [a]", "efs efs-csi dynamic"),
        ("nfs.csi.k8s.io", f"parameters: {{server: {EFS_HOST}, share: /}}", "efs csi-driver-nfs dynamic"),
        ("nfs.csi.k8s.io", f"parameters: {{Server: {EFS_HOST}, share: /}}", "efs csi-driver-nfs dynamic"),
        ("nfs.csi.k8s.io", "parameters: {server: '${FS}.efs.${R}.amazonaws.com'}", "efs csi-driver-nfs dynamic"),
        ("nfs.csi.k8s.io", "parameters: {server: 192.0.2.7}", "nfs csi-driver-nfs dynamic"),
        ("nfs.csi.k8s.io", "parameters: {server: null}", "nfs csi-driver-nfs dynamic"),
        ("nfs.csi.k8s.io", "", "nfs csi-driver-nfs dynamic"),
        ("k8s-sigs.io/nfs-subdir-external-provisioner", "", "nfs in-tree-nfs dynamic"),
        (
            "cluster.local/x-nfs-subdir-external-provisioner",
            f"parameters: {{server: {EFS_HOST}}}",
            "nfs in-tree-nfs dynamic",
        ),
        ("example.com/aws-efs", "", "efs in-tree-nfs dynamic"),
        ("filestore.csi.storage.gke.io", "", "nfs other-csi-nfs dynamic"),
        ("file.csi.azure.com", "parameters: {protocol: nfs}", "nfs other-csi-nfs dynamic"),
        ("ebs.csi.aws.com", "", "other - dynamic"),
        ("example.org/unheard-of", "", "unresolved unknown-provisioner provisioner example.org/unheard-of"),
        ("kubernetes.io/no-provisioner", "", "unresolved unknown-provisioner provisioner kubernetes.io/no-provisioner"),
        ("null", "", "unresolved unknown-provisioner StorageClass efs"),
        ("''", "", "unresolved unknown-provisioner StorageClass efs"),
        ("[a]", "", "unresolved unknown-provisioner StorageClass efs"),
    ],
)
def test_a_class_is_judged_by_its_provisioner_never_by_its_name(provisioner: str, more: str, expected: str) -> None:
    assert answer(using("efs", storage_class("efs", provisioner, more))) == expected


def test_the_chain_leads_over_the_provisioner_to_the_server() -> None:
    text = using("x", storage_class("x", "nfs.csi.k8s.io", f"parameters: {{server: {EFS_HOST}}}"))
    found = fact(text, "use")
    assert chain(found)[-3:] == [
        "claim data asks for class x",
        "class x is provisioned by nfs.csi.k8s.io",
        "the server is an EFS file system",
    ]
    assert [step.span.text for step in found.chain[-3:]] == ["x", "nfs.csi.k8s.io", EFS_HOST]
    assert (found.value["storage"]["class"], found.value["storage"]["server"]) == ("x", EFS_HOST)
    assert found.origins["/storage/server"].span == found.chain[-1].span
    assert found.confidence == "certain"


# --- several classes of one name --------------------------------------------------------------------------------------

EFS, NFS, DISK = (storage_class("x", each) for each in ("efs.csi.aws.com", "nfs.csi.k8s.io", "ebs.csi.aws.com"))
PART = using("x")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"d/a.yaml": using("x", EFS), "d/b.yaml": DISK}, "efs efs-csi dynamic"),
        ({"d/a.yaml": PART, "d/b.yaml": EFS, "e/b.yaml": DISK}, "efs efs-csi dynamic"),
        ({"d/e/a.yaml": PART, "d/b.yaml": EFS, "b.yaml": DISK}, "efs efs-csi dynamic"),
        ({"d/a.yaml": PART, "d/b.yaml": EFS, "d/c.yaml": EFS}, "efs efs-csi dynamic"),
        ({"d/a.yaml": PART, "d/b.yaml": EFS, "d/c.yaml": EFS + "mountOptions: [soft]"}, "efs efs-csi dynamic"),
        ({"d/a.yaml": PART, "d/b.yaml": EFS, "d/c.yaml": DISK}, "unresolved ambiguous StorageClass x"),
        (
            {"d/a.yaml": PART, "d/b.yaml": NFS, "d/c.yaml": storage_class("x", "fuseim.pri/ifs")},
            "unresolved ambiguous StorageClass x",
        ),
        (
            {"d/a.yaml": PART, "d/b.yaml": storage_class("x", "a.example.org"), "d/c.yaml": EFS},
            "unresolved ambiguous StorageClass x",
        ),
    ],
)
def test_the_nearest_class_counts_and_differing_ones_are_ambiguous(files: dict[str, str], expected: str) -> None:
    assert answer(files) == expected


# --- the default class ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        pytest.param([], "unresolved no-default StorageClass", id="none"),
        pytest.param([("a", "efs.csi.aws.com", "")], "unresolved no-default StorageClass", id="not marked"),
        pytest.param([("a", "efs.csi.aws.com", marked(f"{STABLE}: 'true'"))], "efs efs-csi dynamic", id="stable mark"),
        pytest.param([("a", "efs.csi.aws.com", marked(f"{BETA}: 'true'"))], "efs efs-csi dynamic", id="beta mark"),
        pytest.param(
            [("a", "efs.csi.aws.com", marked(f"{STABLE}: 'false'", f"{BETA}: 'true'"))],
            "efs efs-csi dynamic",
            id="either",
        ),
        pytest.param(
            [("a", "efs.csi.aws.com", marked(f"{STABLE}: 'false'"))], "unresolved no-default StorageClass", id="false"
        ),
        pytest.param(
            [
                ("a", "ebs.csi.aws.com", marked(f"{STABLE}: 'true'", age="2024-01-01T00:00:00Z")),
                ("b", "efs.csi.aws.com", marked(f"{STABLE}: 'true'", age="2025-01-01T00:00:00Z")),
                ("c", "ebs.csi.aws.com", marked(f"{BETA}: 'true'", age="2023-01-01T00:00:00Z")),
            ],
            "efs efs-csi dynamic",
            id="the newest",
        ),
        pytest.param(
            [
                ("b", "ebs.csi.aws.com", marked(f"{STABLE}: 'true'", age="2024-01-01T00:00:00Z")),
                ("a", "efs.csi.aws.com", marked(f"{STABLE}: 'true'", age="2024-01-01T00:00:00Z")),
            ],
            "efs efs-csi dynamic",
            id="of one age the first by name",
        ),
        pytest.param(
            [
                ("a", "efs.csi.aws.com", marked(f"{STABLE}: 'true'", age="2024-01-01T00:00:00Z")),
                ("b", "ebs.csi.aws.com", marked(f"{STABLE}: 'true'") + ", creationTimestamp: null"),
            ],
            "unresolved ambiguous StorageClass",
            id="age not written",
        ),
        pytest.param(
            [("a", "example.org/x", marked(f"{STABLE}: 'true'"))],
            "unresolved unknown-provisioner provisioner example.org/x",
            id="unknown provisioner",
        ),
    ],
)
def test_a_claim_without_a_class_gets_the_default(classes: list[tuple[str, str, str]], expected: str) -> None:
    documents = (storage_class(name, provisioner, metadata=metadata) for name, provisioner, metadata in classes)
    assert answer(stream(claiming(), claim("data"), *documents)) == expected


def test_the_chain_says_why_a_class_is_used() -> None:
    text = stream(
        claiming(), claim("data"), storage_class("a", "efs.csi.aws.com", metadata=marked(f"{STABLE}: 'true'"))
    )
    found = fact(text, "use")
    assert chain(found)[-3:] == [
        "claim data names no class",
        "a is the default class",
        "class a is provisioned by efs.csi.aws.com",
    ]
    assert found.chain[-2].span.text == "'true'"
    assert found.value["storage"]["class"] == "a"


def test_copies_of_the_default_class_are_one() -> None:
    default = storage_class("a", "efs.csi.aws.com", metadata=marked(f"{STABLE}: 'true'"))
    files = {"x/a.yaml": stream(claiming(), claim("data")), "y/b.yaml": default, "x/c.yaml": default}
    assert answer(files) == "efs efs-csi dynamic"
    found = fact(files, "use")
    assert {step.span.source.path for step in found.chain} == {"x/a.yaml", "x/c.yaml"}


# --- classes that are not in the input --------------------------------------------------------------------------------

ASSUMED = "efs - dynamic assumed"
MISSING = "unresolved missing StorageClass"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("efs", ASSUMED),
        ("efs-rwx", ASSUMED),
        ("my-efs-sc", ASSUMED),
        ("prefs", f"{MISSING} prefs"),
        ("non-efs", f"{MISSING} non-efs"),
        ("gp3", f"{MISSING} gp3"),
        ("EFS", f"{MISSING} EFS"),
        ("'{{ class }}'", f"{MISSING} {{{{ class }}}}"),
        ("efs-sc   ", ASSUMED),
    ],
)
def test_a_name_that_says_efs_is_assumed(name: str, expected: str) -> None:
    assert answer(using(name)) == expected


def test_what_is_assumed_says_so() -> None:
    found = fact(using("efs-sc"), "use")
    assert found.confidence == "assumed"
    assert found.value["storage"]["assumed"] is True
    assert "because of its name" in found.value["storage"]["how"]


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        (ConfiguredClass("efs"), ASSUMED),
        (ConfiguredClass("nfs"), "nfs - dynamic assumed"),
        (ConfiguredClass("other"), "other - dynamic assumed"),
        (ConfiguredClass("efs.csi.aws.com"), "efs efs-csi dynamic assumed"),
        (ConfiguredClass("nfs.csi.k8s.io"), "nfs csi-driver-nfs dynamic assumed"),
        (ConfiguredClass("nfs.csi.k8s.io", EFS_HOST), "efs csi-driver-nfs dynamic assumed"),
        (ConfiguredClass("nfs.csi.k8s.io", "192.0.2.7"), "nfs csi-driver-nfs dynamic assumed"),
        (ConfiguredClass("nfs", EFS_HOST), ASSUMED),
        (ConfiguredClass("ebs.csi.aws.com", EFS_HOST), "other - dynamic assumed"),
        (ConfiguredClass("example.org/x"), "unresolved unknown-provisioner provisioner example.org/x"),
    ],
)
def test_configuration_settles_it_either_way(configured: ConfiguredClass, expected: str) -> None:
    assert answer(using("efs"), {"efs": configured}) == expected
    assert answer(using("shared"), {"shared": configured}) == expected


def test_a_class_of_the_input_wins_over_configuration() -> None:
    text = using("x", storage_class("x", "ebs.csi.aws.com"))
    assert answer(text, {"x": ConfiguredClass("efs")}) == "other - dynamic"


@pytest.mark.parametrize(
    ("classes", "hint"),
    [
        ([storage_class("efs-sc", "efs.csi.aws.com")], "; a class efs-sc is in the input"),
        (
            [storage_class("efs-sc", "efs.csi.aws.com"), storage_class("efs-sc", "ebs.csi.aws.com")],
            "; a class efs-sc is",
        ),
        ([], "the name is written with blanks around it"),
    ],
)
def test_a_name_with_blanks_is_another_name(classes: list[str], hint: str) -> None:
    text = using('"  efs-sc"', *classes)
    assert answer(text) == "unresolved not-a-name StorageClass   efs-sc"
    (end,) = ends(text)
    assert isinstance(end, Unresolved)
    assert hint in (end.hint or "")


def test_the_hint_reaches_the_fact() -> None:
    from storage_support import stateful

    found = fact(stateful("{metadata: {name: v}, spec: {storageClassName: ' efs'}}"), "reference")
    assert found.value["hint"] == "the name is written with blanks around it"
    assert found.value["reason"] == "not-a-name"


def test_a_class_that_nobody_uses_is_a_carrier_only() -> None:
    text = storage_class("x", "efs.csi.aws.com")
    assert answers(text) == []
    assert [each.value["carrier"]["name"] for each in facts(text, "mount")] == ["x"]


def test_a_backing_behind_a_hop_keeps_what_it_knew() -> None:
    (end,) = ends(using("x", EFS))
    assert isinstance(end, Backing)
    assert {key: name for key, (name, _) in end.names.items()} == {"class": "x", "claim": "data"}
    assert set(end.origins) == {"/storage/class", "/storage/claim"}
