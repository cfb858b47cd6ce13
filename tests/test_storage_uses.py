"""Which container keeps files on which volume."""

from __future__ import annotations

import pytest
from storage_support import (
    CLASSES,
    Files,
    answer,
    answers,
    chain,
    claim,
    claiming,
    context_of,
    fact,
    facts,
    pod,
    stateful,
    storage_class,
    stream,
    volume,
)

from efslint.kube.pods import pod_templates
from efslint.storage.uses import Mount, mounts

EFS, DISK = CLASSES["efs"], CLASSES["disk"]
EFS_CLAIM, DISK_CLAIM, NFS_CLAIM = (f"{{storageClassName: {each}}}" for each in ("efs", "disk", "nfs"))
NFS = storage_class("nfs", "nfs.csi.k8s.io")
ON_EFS, ON_DISK, ON_NFS = "efs efs-csi dynamic", "other - dynamic", "nfs csi-driver-nfs dynamic"


def mounts_of(files: Files) -> list[Mount]:
    context = context_of(files)
    return [
        mount
        for resource in context.index.all
        for template in pod_templates(resource)
        for mount in mounts(context, template)
    ]


# --- claims by name ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pod_namespace", "claims", "expected"),
    [
        pytest.param("", [("", EFS_CLAIM)], ON_EFS, id="no namespaces"),
        pytest.param("prod", [("prod", EFS_CLAIM), ("test", DISK_CLAIM)], ON_EFS, id="exact"),
        pytest.param("prod", [("", EFS_CLAIM)], ON_EFS, id="claim without a namespace"),
        pytest.param("", [("prod", EFS_CLAIM)], ON_EFS, id="pod without a namespace"),
        pytest.param("prod", [("test", EFS_CLAIM)], "unresolved missing PersistentVolumeClaim data", id="other"),
        pytest.param("", [("a", EFS_CLAIM), ("b", EFS_CLAIM)], ON_EFS, id="several that agree"),
        pytest.param(
            "",
            [("a", EFS_CLAIM), ("b", DISK_CLAIM)],
            "unresolved ambiguous PersistentVolumeClaim data",
            id="that differ",
        ),
        pytest.param(
            "",
            [("a", EFS_CLAIM), ("b", "{storageClassName: legacy}")],
            "unresolved ambiguous PersistentVolumeClaim data",
            id="that differ in who mounts",
        ),
    ],
)
def test_a_claim_is_looked_up_in_its_namespace(
    pod_namespace: str, claims: list[tuple[str, str]], expected: str
) -> None:
    documents = [claim("data", spec, f"namespace: {place}" if place else "") for place, spec in claims]
    place = f"namespace: {pod_namespace}" if pod_namespace else ""
    legacy = storage_class("legacy", "example.com/aws-efs")
    user = pod("persistentVolumeClaim: {claimName: data}", metadata=place)
    assert answer(stream(user, *documents, EFS, DISK, legacy)) == expected


def test_a_claim_in_another_file() -> None:
    user = pod("persistentVolumeClaim: {claimName: data}")
    files = {
        "x/a.yaml": user,
        "x/b.yaml": claim("data", EFS_CLAIM),
        "y/b.yaml": claim("data", DISK_CLAIM),
        "c.yaml": EFS,
    }
    assert answer(files) == ON_EFS
    assert [step.span.source.path for step in fact(files, "use").chain] == [
        *("x/a.yaml", "x/a.yaml", "x/b.yaml", "c.yaml"),
    ]


# --- claim templates --------------------------------------------------------------------------------------------------

TEMPLATE = "{metadata: {name: v}, spec: {storageClassName: efs}}"


@pytest.mark.parametrize(
    ("more", "claims", "expected"),
    [
        pytest.param("", {}, [ON_EFS], id="template"),
        pytest.param("", {"v-db-0": DISK_CLAIM}, [ON_DISK], id="claim of the name"),
        pytest.param("", {"v-db-1": DISK_CLAIM}, [ON_EFS], id="of an ordinal beyond"),
        pytest.param("  replicas: 2\n", {"v-db-1": DISK_CLAIM}, [ON_DISK, ON_EFS], id="some"),
        pytest.param("  replicas: 2\n", {"v-db-0": DISK_CLAIM, "v-db-1": NFS_CLAIM}, [ON_DISK, ON_NFS], id="all"),
        pytest.param("  replicas: 0\n", {"v-db-0": DISK_CLAIM}, [ON_DISK], id="scaled to nothing"),
        pytest.param("  replicas: -1\n", {}, [ON_EFS], id="nonsense"),
        pytest.param("  ordinals: {start: 5}\n", {"v-db-0": DISK_CLAIM}, [ON_EFS], id="start: first not used"),
        pytest.param("  ordinals: {start: 5}\n", {"v-db-5": DISK_CLAIM}, [ON_DISK], id="start"),
        pytest.param(
            "  ordinals: {start: 5}\n  replicas: 2\n", {"v-db-6": DISK_CLAIM}, [ON_DISK, ON_EFS], id="start, second"
        ),
        pytest.param("  ordinals: null\n  replicas: 100000\n", {"v-db-199": DISK_CLAIM}, [ON_DISK, ON_EFS], id="many"),
    ],
)
def test_a_claim_made_in_advance_wins_over_the_template(more: str, claims: dict[str, str], expected: list[str]) -> None:
    documents = (claim(name, spec) for name, spec in claims.items())
    assert answers(stream(stateful(TEMPLATE, more), *documents, EFS, DISK, NFS)) == expected


def test_a_claim_made_in_advance_is_told() -> None:
    found = fact(stream(stateful(TEMPLATE), claim("v-db-0", NFS_CLAIM), NFS), "use")
    assert chain(found)[1:3] == [
        "claim v-db-0 is there already, which claim template v would make",
        "claim v-db-0 asks for class nfs",
    ]
    assert found.value["storage"]["claim"] == "v-db-0"


def test_claims_made_in_advance_that_differ_are_ambiguous() -> None:
    documents = (claim("v-db-0", spec, f"namespace: {place}") for place, spec in (("a", EFS_CLAIM), ("b", DISK_CLAIM)))
    assert answer(stream(stateful(TEMPLATE), *documents, EFS, DISK)) == (
        "unresolved ambiguous PersistentVolumeClaim v-db-0"
    )


def test_a_volume_can_be_reserved_for_the_claim_of_a_template() -> None:
    reserved = volume("pv", "{claimRef: {name: v-db-0, namespace: prod}, nfs: {server: 192.0.2.7}}")
    text = stream(stateful(TEMPLATE, metadata="namespace: prod"), reserved, EFS)
    assert answer(text) == "nfs in-tree-nfs static"


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        pytest.param("v-db-0", "", ON_EFS, id="first"),
        pytest.param("v-db-2", "  replicas: 3\n", ON_EFS, id="last"),
        pytest.param("v-db-3", "  replicas: 3\n", None, id="one too many"),
        pytest.param("v-db-4", "  ordinals: {start: 4}\n", ON_EFS, id="other start"),
        pytest.param("v-db-0", "  ordinals: {start: 4}\n", None, id="before the start"),
        pytest.param("w-db-0", "", None, id="other template"),
        pytest.param("v-other-0", "", None, id="other set"),
        pytest.param("v-db-x", "", None, id="no ordinal"),
        pytest.param("v-db-\u0663", "", None, id="no ASCII digit"),
        pytest.param("0", "", None, id="ordinal only"),
    ],
)
def test_a_pod_can_name_a_claim_that_a_set_makes(name: str, more: str, expected: str | None) -> None:
    """Names: kubernetes/kubernetes ``pkg/controller/statefulset/stateful_set_utils.go``."""
    missing = f"unresolved missing PersistentVolumeClaim {name}"
    of_set, of_pod = answers(stream(stateful(TEMPLATE, more), claiming(name), EFS))
    assert (of_set, of_pod) == (ON_EFS, expected or missing)


def test_names_with_hyphens_of_claims_that_sets_make() -> None:
    longer = TEMPLATE.replace("name: v", "name: v-w")
    used = [answers(stream(claiming("v-w-a-b-0"), stateful(each, name="a-b"), EFS))[0] for each in (TEMPLATE, longer)]
    assert used == ["unresolved missing PersistentVolumeClaim v-w-a-b-0", ON_EFS]


def test_a_claim_that_two_sets_could_make_is_not_known() -> None:
    sets = [
        stateful("{metadata: {name: v}, spec: {storageClassName: efs}}", name="w-x"),
        stateful("{metadata: {name: v-w}, spec: {storageClassName: disk}}", name="x"),
    ]
    found = answers(stream(claiming("v-w-x-0"), *sets, EFS, DISK))
    assert found[0] == "unresolved missing PersistentVolumeClaim v-w-x-0"


def test_a_claim_template_wins_over_a_volume_of_its_name() -> None:
    volumes = "      volumes: [{name: v, nfs: {server: 192.0.2.7}}, {name: w, nfs: {server: 192.0.2.7}}]\n"
    assert answer(stream(stateful(TEMPLATE, pod_more=volumes), EFS)) == ON_EFS


@pytest.mark.parametrize(
    "template", ["{spec: {storageClassName: efs}}", "{metadata: {name: null}}", "null", "{metadata: 1}"]
)
def test_a_template_without_a_name_makes_no_volume(template: str) -> None:
    assert answers(stream(stateful(template), EFS)) == []


def test_a_template_is_placed_at_its_name_and_named_without_one() -> None:
    (found,) = facts(stateful("{metadata: {name: v}}"), "reference")
    assert [step.span.text for step in found.chain] == ["/var/lib/postgresql/data", "v"]
    assert chain(found)[1] == "claim template v names no class"


# --- volumes of a pod -------------------------------------------------------------------------------------------------


def ephemeral(spec: str = "{storageClassName: efs}", metadata: str = "") -> str:
    return f"ephemeral: {{volumeClaimTemplate: {{metadata: {{{metadata}}}, spec: {spec}}}}}"


def test_generic_ephemeral_volumes_are_claims() -> None:
    assert answer(stream(pod(ephemeral()), EFS)) == ON_EFS
    assert answer(stream(pod(ephemeral("{}")), EFS)) == "unresolved no-default StorageClass"
    found = fact(stream(pod(ephemeral()), EFS), "use")
    assert "ephemeral volume v asks for class efs" in chain(found)


def test_a_volume_can_be_reserved_for_an_ephemeral_claim_of_a_pod_whose_name_is_known() -> None:
    reserved = volume("pv", "{claimRef: {name: app-v}, nfs: {server: 192.0.2.7}}")
    assert answer(stream(pod(ephemeral()), reserved, EFS)) == "nfs in-tree-nfs static"
    deployment = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {template: {spec: {containers: [{name: c,"
        f" volumeMounts: [{{name: v, mountPath: /x}}]}}], volumes: [{{name: v, {ephemeral()}}}]}}}}}}"
    )
    assert answer(stream(deployment, reserved, EFS)) == ON_EFS


@pytest.mark.parametrize(
    ("source", "mount", "expected"),
    [
        ("persistentVolumeClaim: {claimName: data}", "", False),
        ("persistentVolumeClaim: {claimName: data}", ", readOnly: true", True),
        ("persistentVolumeClaim: {claimName: data}", ", readOnly: 'true'", False),
        ("persistentVolumeClaim: {claimName: data, readOnly: true}", "", True),
        ("persistentVolumeClaim: {claimName: data, readOnly: false}", ", readOnly: true", True),
        ("nfs: {server: a, readOnly: true}", "", True),
        ("nfs: {server: a}", "", False),
        ("csi: {driver: nfs.csi.k8s.io, readOnly: true}", "", True),
        (ephemeral(), "", False),
    ],
)
def test_read_only_by_the_mount_or_by_the_volume(source: str, mount: str, expected: bool) -> None:
    (only,) = mounts_of(stream(pod(source, mount=mount), claim("data", EFS_CLAIM), EFS))
    assert only.read_only is expected


@pytest.mark.parametrize(
    ("mount", "expected"),
    [
        ("", None),
        (", subPath: pg", "pg"),
        (", subPathExpr: $(NAME)", "$(NAME)"),
        (", subPath: '', subPathExpr: x", "x"),
    ],
)
def test_sub_path(mount: str, expected: str | None) -> None:
    (only,) = mounts_of(pod("nfs: {server: a}", mount=mount))
    assert only.sub_path == expected


def test_every_container_that_mounts_the_volume_uses_it() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n"
        "  initContainers: [{name: i, volumeMounts: [{name: v, mountPath: /i}]}]\n"
        "  containers:\n"
        "    - {name: a, volumeMounts: [{name: v, mountPath: /a}, {name: v, mountPath: /b},"
        " {name: w, mountPath: /c}]}\n"
        "    - {name: b, volumeMounts: [{name: gone, mountPath: /d}]}\n"
        "  volumes: [{name: v, nfs: {server: a}}, {name: w, emptyDir: {}}]\n"
    )
    found = mounts_of(text)
    assert [(each.container.name, each.path.text, each.volume) for each in found] == [
        *(("i", "/i", "v"), ("a", "/a", "v"), ("a", "/b", "v")),
    ]
    assert found[0].step.message == "container i mounts volume v here"
    assert found[0].step.span.text == "/i"


@pytest.mark.parametrize(
    "mount",
    [
        "volumeMounts: null",
        "volumeMounts: x",
        "volumeMounts: {}",
        "volumeMounts: [null, {}, {name: v}, {mountPath: /x}]",
        "volumeMounts: [{name: v, mountPath: null}]",
        "volumeMounts: [{name: null, mountPath: /x}]",
        "name: v",
    ],
)
def test_mounts_that_are_none(mount: str) -> None:
    pod_spec = f"{{containers: [{{{mount}}}], volumes: [{{name: v, nfs: {{server: a}}}}]}}"
    text = f"{{apiVersion: v1, kind: Pod, spec: {pod_spec}}}"
    assert mounts_of(text) == []
