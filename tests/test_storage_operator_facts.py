"""Custom resources whose operator makes claims: the routes have tests of their own, here it is where they lead."""

from __future__ import annotations

import pytest
from storage_support import CLASSES, answer, answers, chain, fact, facts, resolved, storage_class, stream, told, volume

EFS, DISK = CLASSES["efs"], CLASSES["disk"]


def zalando(spec: str, api: str = "acid.zalan.do/v1", kind: str = "postgresql", metadata: str = "") -> str:
    return f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: acid-pg{metadata}}}\nspec:\n  {spec}\n"


def crunchy(spec: str) -> str:
    return (
        "apiVersion: postgres-operator.crunchydata.com/v1beta1\nkind: PostgresCluster\nmetadata: {name: geo}\n"
        f"spec:\n  instances:\n    - name: main\n      {spec}\n"
    )


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        pytest.param([zalando("volume: {size: 1Gi, storageClass: efs}")], ["efs efs-csi dynamic"], id="class"),
        pytest.param([zalando("volume: {size: 1Gi, storageClass: disk}")], ["other - dynamic"], id="other class"),
        pytest.param(
            [zalando("volume: {size: 1Gi, storageClass: gone}")], ["unresolved missing StorageClass gone"], id="missing"
        ),
        pytest.param([zalando("volume: {storageClass: my-efs}")], ["efs - dynamic assumed"], id="assumed"),
        pytest.param([zalando("volume: {size: 1Gi}")], ["unresolved no-default StorageClass"], id="no default"),
        pytest.param(
            [zalando("volume: {storageClass: null}")], ["unresolved no-default StorageClass"], id="null class"
        ),
        pytest.param(
            [
                zalando("volume: {size: 1Gi}"),
                storage_class(
                    "d", "nfs.csi.k8s.io", "", "annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
                ),
            ],
            ["nfs csi-driver-nfs dynamic"],
            id="default class",
        ),
        pytest.param([zalando("volume: null")], [], id="no volume"),
        pytest.param([zalando("volume: {storageClass: efs}", api="example.org/v1")], [], id="other group"),
        pytest.param([zalando("volume: {storageClass: efs}", api="v1")], [], id="no group"),
        pytest.param([zalando("volume: {storageClass: efs}", kind="OperatorConfiguration")], [], id="other kind"),
        pytest.param(
            [
                crunchy(
                    "dataVolumeClaimSpec: {storageClassName: efs}\n      walVolumeClaimSpec: {storageClassName: disk}"
                )
            ],
            ["efs efs-csi dynamic", "other - dynamic"],
            id="two claims",
        ),
        # a specification of a claim may bind to a volume
        pytest.param(
            [
                crunchy("dataVolumeClaimSpec: {storageClassName: '', selector: {matchLabels: {a: b}}}"),
                volume("x", "{hostPath: {path: /x}}"),
                volume("y", "{nfs: {server: 192.0.2.7}}", "labels: {a: b}"),
            ],
            ["nfs in-tree-nfs static"],
            id="selector",
        ),
        pytest.param(
            [crunchy("dataVolumeClaimSpec: {volumeName: y}"), volume("y", "{nfs: {server: 192.0.2.7}}")],
            ["nfs in-tree-nfs static"],
            id="volume name",
        ),
    ],
)
def test_where_the_claims_of_a_custom_resource_end(documents: list[str], expected: list[str]) -> None:
    assert answers(stream(*documents, EFS, DISK)) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("{name: pgdata-acid-pg-0, namespace: prod}", "nfs in-tree-nfs static"),
        ("{name: pgdata-acid-pg-0, namespace: test}", "efs efs-csi dynamic"),
        ("{name: pgdata-other-0, namespace: prod}", "efs efs-csi dynamic"),
    ],
)
def test_a_volume_can_be_reserved_for_a_claim_that_the_operator_will_name(reference: str, expected: str) -> None:
    cluster = zalando("volume: {storageClass: efs}", metadata=", namespace: prod")
    assert answer(stream(cluster, EFS, volume("pv", f"{{claimRef: {reference}, nfs: {{server: a}}}}"))) == expected


def test_the_use_by_a_custom_resource() -> None:
    found = fact(stream(zalando("volume: {size: 1Gi, storageClass: efs}"), EFS), "use")
    assert found.value["workload"] == {"kind": "postgresql", "name": "acid-pg", "label": "postgresql/acid-pg"}
    engine = found.value["engine"]
    assert (engine["id"], engine["role"]) == ("postgresql", "data")
    assert found.value["storage"]["class"] == "efs"
    assert not {"container", "mount"} & found.value.keys()
    assert (found.container, found.object and found.object.label) == (None, "postgresql/acid-pg")
    assert told(found, "") == "acid-pg"
    assert told(found, "/storage/class") == "efs"
    assert chain(found) == [
        f"postgresql/acid-pg keeps {engine['product']} files on volumes that its operator claims",
        "postgresql/acid-pg (spec.volume) asks for class efs",
        "class efs is provisioned by efs.csi.aws.com",
    ]


def test_what_is_assumed_is_said() -> None:
    assert fact(zalando("volume: {storageClass: my-efs}"), "use").confidence == "assumed"


def test_a_reference_that_leads_nowhere() -> None:
    text = zalando("volume: {storageClass: gone}")
    found = fact(text, "reference")
    assert (found.value["kind"], found.value["name"], found.value["engine"]["id"]) == (
        "StorageClass",
        "gone",
        "postgresql",
    )
    assert found.container is None
    assert resolved(text).unresolved == 1


def test_other_storage_is_silent() -> None:
    text = stream(zalando("volume: {storageClass: disk}"), DISK)
    assert facts(text, "use") == facts(text, "reference") == []
    assert resolved(text).unresolved == 0


def test_the_database_of_a_custom_resource_uses_the_mount() -> None:
    found = fact(stream(zalando("volume: {storageClass: efs}"), EFS), "mount")
    assert (found.value["database"]["id"], found.value["database_user"]) == ("postgresql", "postgresql/acid-pg")
    assert found.value["read_only"] is False
