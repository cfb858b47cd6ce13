"""From a claim to a class or a volume. Order and conditions: kubernetes.io, Persistent Volumes, Binding."""

from __future__ import annotations

import pytest
from storage_support import (
    CLASSES,
    EFS_HOST,
    answer,
    chain,
    claim,
    claiming,
    ends,
    fact,
    resolved,
    stateful,
    storage_class,
    stream,
    volume,
)

from efslint.storage.backing import Unresolved

BETA = "annotations: {volume.beta.kubernetes.io/storage-class: %s}"
EFS, DISK = CLASSES["efs"], CLASSES["disk"]
NFS_PV = "nfs: {server: 192.0.2.7, path: /}"
EFS_PV = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d}"
LOCAL_PV = "hostPath: {path: /x}"
REQUEST = "resources: {requests: {storage: %s}}"
SMALL_EFS_CLASS = "capacity: {storage: 1Gi}, storageClassName: efs"

DYNAMIC_EFS = "efs efs-csi dynamic"
STATIC_EFS = "efs efs-csi static"
STATIC_NFS = "nfs in-tree-nfs static"
NO_VOLUME = "unresolved missing PersistentVolume"
AMBIGUOUS = "unresolved ambiguous PersistentVolume"


def using(spec: str, *documents: str, metadata: str = "") -> str:
    return stream(claiming(), claim("data", spec, metadata), *documents)


# --- the class --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "metadata", "expected"),
    [
        ("{storageClassName: efs}", "", DYNAMIC_EFS),
        ("{storageClassName: disk}", BETA % "efs", DYNAMIC_EFS),
        ("{storageClassName: efs}", BETA % "disk", "other - dynamic"),
        ("{}", BETA % "efs", DYNAMIC_EFS),
        ("{storageClassName: efs}", BETA % "''", NO_VOLUME),
        ("{storageClassName: efs}", BETA % "[a]", DYNAMIC_EFS),
        ("{storageClassName: ''}", "", NO_VOLUME),
        ("{storageClassName: null}", "", "unresolved no-default StorageClass"),
        ("{storageClassName: [efs]}", "", "unresolved no-default StorageClass"),
        ("null", "", "unresolved no-default StorageClass"),
        ("[]", "", "unresolved no-default StorageClass"),
    ],
)
def test_what_names_the_class(spec: str, metadata: str, expected: str) -> None:
    assert answer(using(spec, EFS, DISK, metadata=metadata)) == expected


# --- a volume that the claim names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "volumes", "expected"),
    [
        ("{volumeName: pv}", [volume("pv", f"{{{NFS_PV}}}")], STATIC_NFS),
        ("{volumeName: pv, storageClassName: efs}", [volume("pv", f"{{storageClassName: efs, {NFS_PV}}}")], STATIC_NFS),
        ("{volumeName: pv, storageClassName: ''}", [volume("pv", f"{{{EFS_PV}}}")], STATIC_EFS),
        (
            "{volumeName: pv}",
            [volume("pv", "{csi: {driver: x.example.org}}")],
            "unresolved unknown-provisioner provisioner x.example.org",
        ),
        # a volume that is not in the input
        ("{volumeName: pv}", [], f"{NO_VOLUME} pv"),
        ("{volumeName: pv, storageClassName: ''}", [], f"{NO_VOLUME} pv"),
        ("{volumeName: pv, storageClassName: efs}", [], DYNAMIC_EFS),
        (
            "{volumeName: pv, storageClassName: efs}",
            [volume("other", f"{{storageClassName: efs, {NFS_PV}}}")],
            DYNAMIC_EFS,
        ),
        ("{volumeName: pv, storageClassName: gp3}", [], "unresolved missing StorageClass gp3"),
        # several of one name
        ("{volumeName: pv}", [volume("pv", f"{{{NFS_PV}}}"), volume("pv", f"{{{EFS_PV}}}")], f"{AMBIGUOUS} pv"),
        (
            "{volumeName: pv}",
            [volume("pv", f"{{{EFS_PV}}}"), volume("pv", f"{{{EFS_PV}, capacity: {{}}}}")],
            STATIC_EFS,
        ),
        # no name at all
        ("{volumeName: null, storageClassName: efs}", [], DYNAMIC_EFS),
        ("{volumeName: '', storageClassName: efs}", [], DYNAMIC_EFS),
        ("{volumeName: {}, storageClassName: efs}", [], DYNAMIC_EFS),
    ],
)
def test_volume_name(spec: str, volumes: list[str], expected: str) -> None:
    assert answer(using(spec, EFS, *volumes)) == expected


def test_the_chain_over_a_named_volume() -> None:
    found = fact(using("{volumeName: pv, storageClassName: slow}", volume("pv", f"{{{NFS_PV}}}")), "use")
    assert chain(found) == [
        "container c mounts volume v here",
        "volume v is claim data",
        "claim data is bound to volume pv",
        "volume pv is an NFS mount of 192.0.2.7",
    ]
    storage = found.value["storage"]
    assert (storage["claim"], storage["volume"], storage["class"]) == ("data", "pv", "slow")
    assert storage["server"] == "192.0.2.7"
    for part in ("claim", "volume", "class", "server"):
        span = found.origins[f"/storage/{part}"].span
        assert span is not None
        assert span.text == storage[part]


# --- a volume that names the claim ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "namespace", "expected"),
    [
        ("{name: data}", "", STATIC_NFS),
        ("{name: data, namespace: prod}", "prod", STATIC_NFS),
        ("{name: data, namespace: prod}", "", STATIC_NFS),
        ("{name: data}", "prod", STATIC_NFS),
        ("{name: data, namespace: test}", "prod", DYNAMIC_EFS),
        ("{name: other}", "", DYNAMIC_EFS),
        ("{}", "", DYNAMIC_EFS),
        ("{name: null}", "", DYNAMIC_EFS),
    ],
)
def test_claim_reference(reference: str, namespace: str, expected: str) -> None:
    place = f"namespace: {namespace}" if namespace else ""
    pv = volume("pv", f"{{storageClassName: efs, claimRef: {reference}, {NFS_PV}}}")
    text = stream(claiming(metadata=place), claim("data", "{storageClassName: efs}", place), pv, EFS)
    assert answer(text) == expected


def test_a_claim_without_a_name_is_not_the_one_that_a_reference_without_a_name_means() -> None:
    for reference in ("{namespace: x}", "{name: ''}", "{name: {}}"):
        pv = volume("pv", f"{{storageClassName: slow, claimRef: {reference}, {NFS_PV}}}")
        assert answer(stream(claiming("''"), claim("''", "{storageClassName: slow}"), pv)) == (
            "unresolved missing StorageClass slow"
        )


def test_a_reserved_volume_is_told() -> None:
    found = fact(using("{storageClassName: ''}", volume("pv", f"{{claimRef: {{name: data}}, {EFS_PV}}}")), "use")
    assert chain(found)[-2:] == ["volume pv is reserved for claim data", "volume pv is mounted by efs.csi.aws.com"]
    assert found.value["storage"]["volume"] == "pv"


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param({"x/b.yaml": NFS_PV, "y/b.yaml": EFS_PV}, STATIC_NFS, id="the nearest"),
        pytest.param({"x/b.yaml": NFS_PV, "x/c.yaml": EFS_PV}, AMBIGUOUS, id="two that differ"),
        pytest.param({"x/b.yaml": NFS_PV, "x/c.yaml": NFS_PV}, STATIC_NFS, id="two that agree"),
    ],
)
def test_several_volumes_reserved_for_one_claim(others: dict[str, str], expected: str) -> None:
    volumes = {path: volume(path[0], f"{{claimRef: {{name: data}}, {source}}}") for path, source in others.items()}
    assert answer({"x/a.yaml": using("{storageClassName: ''}"), **volumes}) == expected


def test_of_reserved_volumes_that_with_the_namespace_of_the_claim_counts() -> None:
    text = stream(
        claiming(metadata="namespace: prod"),
        claim("data", "{}", "namespace: prod"),
        volume("a", f"{{claimRef: {{name: data}}, {NFS_PV}}}"),
        volume("b", f"{{claimRef: {{name: data, namespace: prod}}, {EFS_PV}}}"),
    )
    assert answer(text) == STATIC_EFS


def test_a_volume_can_name_a_claim_that_is_not_in_the_input() -> None:
    text = stream(claiming(), volume("pv", f"{{claimRef: {{name: data}}, {NFS_PV}}}"))
    assert answer(text) == STATIC_NFS
    assert fact(text, "use").value["storage"]["claim"] == "data"
    assert answer(claiming()) == "unresolved missing PersistentVolumeClaim data"


# --- free volumes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "offered", "expected"),
    [
        pytest.param("storageClassName: ''", "capacity: {}", STATIC_NFS, id="no class"),
        pytest.param("storageClassName: ''", "storageClassName: ''", STATIC_NFS, id="empty class"),
        pytest.param("storageClassName: ''", "claimRef: null", STATIC_NFS, id="null reference"),
        pytest.param("storageClassName: ''", "claimRef: {name: x}", NO_VOLUME, id="taken"),
        pytest.param("storageClassName: ''", "storageClassName: slow", NO_VOLUME, id="other class"),
        pytest.param("storageClassName: slow", "storageClassName: slow", STATIC_NFS, id="class without an object"),
        pytest.param("storageClassName: efs", "storageClassName: efs", STATIC_NFS, id="volume before class"),
        pytest.param("storageClassName: efs", "storageClassName: slow", DYNAMIC_EFS, id="class"),
        pytest.param(
            "storageClassName: slow", "storageClassName: fast", "unresolved missing StorageClass slow", id="neither"
        ),
        pytest.param("storageClassName: '', accessModes: [A]", "accessModes: [A, B]", STATIC_NFS, id="modes"),
        pytest.param("storageClassName: '', accessModes: [A, C]", "accessModes: [A, B]", NO_VOLUME, id="too few modes"),
        pytest.param("storageClassName: '', accessModes: [A]", "accessModes: null", STATIC_NFS, id="modes not known"),
        pytest.param("storageClassName: ''", "accessModes: [A]", STATIC_NFS, id="any mode"),
        pytest.param(f"storageClassName: '', {REQUEST % '2Gi'}", "capacity: {storage: 2048Mi}", STATIC_NFS, id="size"),
        pytest.param(
            f"storageClassName: '', {REQUEST % '100Gi'}", "capacity: {storage: 1Gi}", NO_VOLUME, id="too small"
        ),
        pytest.param(f"storageClassName: efs, {REQUEST % '2Gi'}", SMALL_EFS_CLASS, DYNAMIC_EFS, id="class makes one"),
        pytest.param(
            f"storageClassName: '', {REQUEST % 'SIZE'}", "capacity: {storage: 1Gi}", STATIC_NFS, id="any size"
        ),
        pytest.param(f"storageClassName: '', {REQUEST % '9Gi'}", "capacity: {}", STATIC_NFS, id="capacity not known"),
        pytest.param("storageClassName: ''", "volumeMode: Block", NO_VOLUME, id="volume mode"),
        pytest.param("storageClassName: '', volumeMode: Block", "volumeMode: Block", STATIC_NFS, id="block"),
        pytest.param("storageClassName: '', volumeMode: Filesystem", "capacity: {}", STATIC_NFS, id="default mode"),
    ],
)
def test_what_fits(claimed: str, offered: str, expected: str) -> None:
    assert answer(using(f"{{{claimed}}}", EFS, volume("pv", f"{{{offered}, {NFS_PV}}}"))) == expected


def test_the_class_of_a_volume_may_be_an_annotation() -> None:
    pv = volume("pv", f"{{storageClassName: fast, {NFS_PV}}}", BETA % "slow")
    assert answer(using("{storageClassName: slow}", pv)) == STATIC_NFS
    assert answer(using("{storageClassName: fast}", pv)) == "unresolved missing StorageClass fast"


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("{matchLabels: {a: x}}", True),
        ("{matchLabels: {a: y}}", False),
        ("{matchLabels: {a: x, c: z}}", False),
        ("{matchExpressions: [{key: a, operator: In, values: [x, y]}]}", True),
        ("{matchExpressions: [{key: a, operator: In, values: [y]}]}", False),
        ("{matchExpressions: [{key: c, operator: In, values: [y]}]}", False),
        ("{matchExpressions: [{key: a, operator: NotIn, values: [y]}]}", True),
        ("{matchExpressions: [{key: c, operator: NotIn, values: [y]}]}", True),
        ("{matchExpressions: [{key: a, operator: NotIn, values: [x]}]}", False),
        ("{matchExpressions: [{key: a, operator: Exists}]}", True),
        ("{matchExpressions: [{key: c, operator: Exists}]}", False),
        ("{matchExpressions: [{key: c, operator: DoesNotExist}]}", True),
        ("{matchExpressions: [{key: a, operator: DoesNotExist}]}", False),
        ("{matchLabels: {a: x}, matchExpressions: [{key: b, operator: Exists}]}", True),
        ("{matchExpressions: [null, {operator: In}]}", True),
    ],
)
def test_selectors(selector: str, fits: bool) -> None:
    pv = volume("pv", f"{{{NFS_PV}}}", "labels: {a: x, b: y}")
    assert answer(using(f"{{storageClassName: '', selector: {selector}}}", pv)) == (STATIC_NFS if fits else NO_VOLUME)


@pytest.mark.parametrize("class_name", ["storageClassName: efs, ", ""])
def test_a_class_makes_no_volume_for_a_claim_with_a_selector(class_name: str) -> None:
    default = storage_class(
        "d", "efs.csi.aws.com", "", "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
    )
    assert answer(using(f"{{{class_name}selector: {{matchLabels: {{a: b}}}}}}", EFS, default)) == NO_VOLUME


def test_a_claim_without_a_class_may_fit_a_volume_without_one() -> None:
    """Whether the cluster has a default class, which would be used instead, the input does not say."""
    text = using("{}", volume("pv", f"{{{NFS_PV}}}"))
    assert answer(text) == f"{STATIC_NFS} assumed"
    assert chain(fact(text, "use"))[-2] == "claim data fits volume pv"
    default = storage_class(
        "d", "efs.csi.aws.com", "", "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
    )
    assert answer(using("{}", volume("pv", f"{{{NFS_PV}}}"), default)) == DYNAMIC_EFS
    unknown = volume("pv", "{csi: {driver: x.example.org}}")
    assert answer(using("{}", unknown)) == "unresolved no-default StorageClass"


def test_a_claim_without_a_class_gets_the_default_one_before_a_volume_is_looked_for() -> None:
    default = storage_class(
        "d", "ebs.csi.aws.com", "", "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
    )
    text = using("{}", volume("pv", f"{{storageClassName: d, {NFS_PV}}}"), default)
    assert answer(text) == STATIC_NFS
    assert chain(fact(text, "use"))[2:4] == ["d is the default class", "claim data fits volume pv"]
    assert answer(using("{}", volume("pv", f"{{storageClassName: other, {NFS_PV}}}"), default)) == "other - dynamic"
    two = [volume(name, f"{{storageClassName: d, {source}}}") for name, source in (("a", NFS_PV), ("b", LOCAL_PV))]
    assert answer(using("{}", *two, default)) == AMBIGUOUS


@pytest.mark.parametrize(
    ("volumes", "expected"),
    [
        pytest.param({"x/a.yaml": [NFS_PV, NFS_PV]}, STATIC_NFS, id="agree"),
        pytest.param({"x/a.yaml": [NFS_PV, LOCAL_PV]}, AMBIGUOUS, id="differ"),
        pytest.param({"x/a.yaml": [NFS_PV], "x/b.yaml": [LOCAL_PV]}, STATIC_NFS, id="same file"),
        pytest.param({"x/b.yaml": [NFS_PV], "y/b.yaml": [LOCAL_PV]}, STATIC_NFS, id="same directory"),
        pytest.param({"x/y/b.yaml": [NFS_PV], "z/b.yaml": [LOCAL_PV]}, STATIC_NFS, id="common ancestor"),
        pytest.param({"y/b.yaml": [NFS_PV], "z/b.yaml": [LOCAL_PV]}, AMBIGUOUS, id="equally far"),
    ],
)
def test_of_several_that_fit_the_nearest_counts(volumes: dict[str, list[str]], expected: str) -> None:
    files = {"x/a.yaml": using("{storageClassName: slow}")}
    for path, sources in volumes.items():
        more = [volume(f"{path[0]}{at}", f"{{storageClassName: slow, {each}}}") for at, each in enumerate(sources)]
        files[path] = stream(files.get(path, ""), *more)
    assert answer(files) == expected


def test_one_that_does_not_fit_is_passed_over_for_one_farther_away() -> None:
    near = volume("a", f"{{storageClassName: slow, accessModes: [B], {LOCAL_PV}}}")
    far = volume("b", f"{{storageClassName: slow, accessModes: [A], {NFS_PV}}}")
    text = using("{storageClassName: slow, accessModes: [A]}", near)
    assert answer({"x/a.yaml": text, "y/b.yaml": far}) == STATIC_NFS


def test_a_fitting_volume_of_an_unknown_driver_is_not_ambiguous() -> None:
    text = using("{storageClassName: slow}", volume("pv", "{storageClassName: slow, csi: {driver: x.example.org}}"))
    assert answer(text) == "unresolved unknown-provisioner provisioner x.example.org"


def test_the_class_that_leads_to_a_volume_is_told() -> None:
    found = fact(using("{storageClassName: slow}", volume("pv", f"{{storageClassName: slow, {EFS_PV}}}")), "use")
    assert "claim data asks for class slow, which volume pv has" in chain(found)
    assert (found.value["storage"]["class"], found.value["storage"]["volume"]) == ("slow", "pv")


# --- what is counted --------------------------------------------------------------------------------------------------


def test_references_that_cannot_be_followed_are_counted_once_each() -> None:
    gone = "{storageClassName: gone}"
    assert resolved(stream(claiming("a"), claim("a", gone), claiming("b"), claim("b", gone))).unresolved == 1
    assert resolved(stream(claiming("a"), claiming("a"), claiming("b"))).unresolved == 2
    assert resolved(stream(claiming("a", "namespace: x"), claiming("a", "namespace: y"))).unresolved == 2
    assert resolved(stream(claiming("a"), claim("a"), claiming("b"), claim("b"))).unresolved == 1
    static = "{storageClassName: ''}"
    assert resolved(stream(claiming("a"), claim("a", static), claiming("b"), claim("b", static))).unresolved == 2
    assert resolved(stream(claim("a", gone), volume("v", "{}"))).unresolved == 0


def test_where_a_reference_stands() -> None:
    (end,) = ends(stream(claiming(), claim("data")))
    assert isinstance(end, Unresolved)
    assert end.span.text == "data"
    assert end.span.first.line > 9
    found = fact(stateful("{metadata: {name: v}, spec: {}}"), "reference")
    assert found.origins[""].span is not None
    assert found.origins[""].span.text == "v"
    assert EFS_HOST not in str(found.value)
