"""Facts about use: whose files lie on a volume, which references decide that, and which probes watch it."""

from __future__ import annotations

import pytest
from storage_support import CLASSES, EFS_HOST, chain, claim, fact, facts, pod, resolved, stateful, stream, told

from efslint.storage.fact import OriginKind

NFS = "nfs: {server: 192.0.2.7, path: /}"
EFS = CLASSES["efs"]


def probed(probes: str, source: str = NFS, kind: str = "containers", more: str = "") -> str:
    """Write a Pod with one container ``c`` that has probes, in flow style."""
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: app}}\nspec:\n  {kind}:\n    - name: c\n      image: x\n"
        f"      volumeMounts: [{{name: v, mountPath: /v}}]\n      {probes}\n{more}  volumes: [{{name: v, {source}}}]\n"
    )


# --- use --------------------------------------------------------------------------------------------------------------


def test_the_use_of_a_volume() -> None:
    found = fact(pod(NFS, mount=", subPath: x, readOnly: true"), "use")
    assert found.value["workload"] == {"kind": "Pod", "name": "app", "label": "Pod/app"}
    assert found.value["container"] == {"name": "c", "image": "nginx:1.27", "sidecar": False}
    assert found.value["mount"] == {
        "path": "/var/lib/postgresql/data",
        "read_only": True,
        "volume": "v",
        "sub_path": "x",
    }
    assert found.value["storage"] == {
        "kind": "nfs",
        "driver": "nfs",
        "mounter": "inline-nfs",
        "how": "volume v is an NFS mount of 192.0.2.7",
        "provisioning": "inline",
        "assumed": False,
        "server": "192.0.2.7",
    }
    assert "engine" not in found.value
    assert "replicas" not in found.value
    assert (found.container, found.object and found.object.label) == ("c", "Pod/app")
    assert told(found, "/mount/path") == "/var/lib/postgresql/data"
    assert told(found, "/storage/server") == "192.0.2.7"
    assert chain(found) == ["container c mounts volume v here", "volume v is an NFS mount of 192.0.2.7"]


def test_the_engine_of_a_container_is_told_where_its_files_lie() -> None:
    found = fact(stream(stateful(more="  replicas: 3\n"), EFS), "use")
    engine = found.value["engine"]
    assert (engine["id"], engine["category"], engine["role"]) == ("postgresql", "database", "data")
    assert engine["directory"] == "/var/lib/postgresql/data"
    assert engine["statement"]
    assert engine["source"].startswith("https://")
    assert found.value["replicas"] == 3
    assert chain(found)[0] == f"container c keeps {engine['product']} files here"
    assert told(found, "") == "/var/lib/postgresql/data"


def test_an_engine_of_somebody_s_own_may_have_no_source() -> None:
    from storage_support import resources

    from efslint.knowledge.engines import load_engines
    from efslint.storage.resolve import resolve
    from efslint.storage.survey import Knowledge
    from efslint.text.source import Source
    from efslint.yaml.parser import parse_node

    source = Source("e.yaml", "{id: own, product: Own, images: [{match: own, data: /var/lib/postgresql/data}]}")
    node = parse_node(source, 0, len(source.text))
    assert node is not None
    found = resolve(resources(pod(NFS, image="own:1")), Knowledge(lambda: load_engines((node,)), tuple)).facts[0]
    assert found.value["engine"]["id"] == "own"
    assert "source" not in found.value["engine"]


def test_a_mount_without_the_engine_s_files_has_no_engine() -> None:
    more = "      volumes: [{name: v, emptyDir: {}}, {name: w, nfs: {server: 192.0.2.7}}]\n"
    text = stateful("null", pod_more=more).replace("volumeMounts: [", "volumeMounts: [{name: w, mountPath: /backup}, ")
    found = fact(text, "use")
    assert found.value["mount"]["path"] == "/backup"
    assert "engine" not in found.value


def test_a_write_ahead_log_of_its_own_has_its_role() -> None:
    text = stateful("null", pod_more="      volumes: [{name: v, emptyDir: {}}, {name: w, nfs: {server: a}}]\n")
    text = text.replace(
        "volumeMounts: [",
        "env: [{name: POSTGRES_INITDB_WALDIR, value: /wal}]\n          volumeMounts: [{name: w, mountPath: /wal}, ",
    )
    assert fact(text, "use").value["engine"]["role"] == "log"


@pytest.mark.parametrize(("restart", "engines"), [("", 0), (", restartPolicy: Always", 1)])
def test_an_init_container_keeps_no_files_unless_it_is_a_sidecar(restart: str, engines: int) -> None:
    text = (
        f"apiVersion: v1\nkind: Pod\nspec:\n  initContainers: [{{name: c, image: 'postgres:16'{restart},"
        f" volumeMounts: [{{name: v, mountPath: /var/lib/postgresql/data}}]}}]\n  volumes: [{{name: v, {NFS}}}]\n"
    )
    found = fact(text, "use")
    assert ("engine" in found.value) == bool(engines)
    assert found.value["container"]["sidecar"] == bool(engines)


def test_settings_that_were_not_read_may_name_an_external_database() -> None:
    """Grafana keeps SQLite only where no other database is set; with ``envFrom`` that is not known."""
    text = pod(NFS, image="grafana/grafana:12.3.0").replace("/var/lib/postgresql/data", "/var/lib/grafana")
    assert fact(text, "use").value["engine"]["category"] == "embedded"
    more = text.replace("      volumeMounts", "      envFrom: [{secretRef: {name: s}}]\n      volumeMounts")
    assert "engine" not in fact(more, "use").value


def test_a_container_without_name_and_image() -> None:
    containers = "[{volumeMounts: [{name: v, mountPath: /v}]}]"
    text = f"{{apiVersion: v1, kind: Pod, spec: {{containers: {containers}, volumes: [{{name: v, {NFS}}}]}}}}"
    assert fact(text, "use").value["container"] == {"name": "", "sidecar": False}


@pytest.mark.parametrize(
    "source", ["emptyDir: {}", "csi: {driver: ebs.csi.aws.com}", "persistentVolumeClaim: {claimName: x}"]
)
def test_no_use_of_what_is_neither_efs_nor_nfs(source: str) -> None:
    text = stream(pod(source, image="postgres:16"), claim("x", "{storageClassName: disk}"), CLASSES["disk"])
    assert {each.target for each in resolved(text).facts} <= {"inline"}


def test_engines_are_not_read_for_other_storage() -> None:
    from storage_support import resources

    from efslint.storage.resolve import resolve
    from efslint.storage.survey import Knowledge

    def unexpected() -> tuple[()]:
        raise AssertionError("knowledge was read")

    text = stream(pod("csi: {driver: ebs.csi.aws.com}"), pod("emptyDir: {}"), CLASSES["disk"], EFS)
    assert resolve(resources(text), Knowledge(unexpected, unexpected)).unresolved == 0


# --- references -------------------------------------------------------------------------------------------------------


def test_a_reference_that_decides_a_verdict() -> None:
    found = fact(stateful("{metadata: {name: v}, spec: {storageClassName: gone}}"), "reference")
    engine = found.value.pop("engine") if isinstance(found.value, dict) else None
    assert engine is not None
    assert engine["id"] == "postgresql"
    assert found.value == {
        "kind": "StorageClass",
        "name": "gone",
        "reason": "missing",
        "decides": f"whether {engine['product']} files lie on EFS or NFS",
    }
    assert told(found, "") == "gone"
    assert chain(found) == ["container c mounts volume v here", "claim template v asks for class gone"]
    assert (found.container, found.object and found.object.label) == ("c", "StatefulSet/db")


def test_a_reference_that_decides_nothing_is_only_counted() -> None:
    found = resolved(pod("persistentVolumeClaim: {claimName: gone}"))
    assert (found.facts, found.unresolved) == ((), 1)


# --- probes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # periodSeconds × (failureThreshold − 1) + timeoutSeconds
        ("", (1, 10, 3, False, 21)),
        (", timeoutSeconds: 5, periodSeconds: 30, failureThreshold: 6", (5, 30, 6, True, 155)),
        (", timeoutSeconds: 0, periodSeconds: 0, failureThreshold: 0", (1, 10, 3, True, 21)),
        (", timeoutSeconds: '5', periodSeconds: null, failureThreshold: []", (1, 10, 3, False, 21)),
        (", failureThreshold: 1", (1, 10, 1, False, 1)),
    ],
)
def test_the_numbers_of_a_probe(written: str, expected: tuple[int, int, int, bool, int]) -> None:
    found = fact(probed(f"livenessProbe: {{exec: {{command: [a]}}{written}}}"), "probe")
    keys = ("timeout_seconds", "period_seconds", "failure_threshold", "timeout_written", "seconds_to_restart")
    assert tuple(found.value[key] for key in keys) == expected


def test_where_a_probe_is_written() -> None:
    found = fact(
        probed("livenessProbe: {exec: {command: [a]}, timeoutSeconds: 2}", f"nfs: {{server: {EFS_HOST}}}"), "probe"
    )
    assert (found.value["kind"], found.value["handler"], found.value["mount_path"]) == ("livenessProbe", "exec", "/v")
    assert found.value["storage"]["kind"] == "efs"
    assert (told(found, ""), told(found, "/kind"), told(found, "/timeout_seconds")) == (
        "livenessProbe",
        "livenessProbe",
        "2",
    )
    assert told(found, "/storage/server") == EFS_HOST
    default = found.origins["/period_seconds"]
    assert (default.span, default.kind) == (None, OriginKind.KUBERNETES)
    assert default.reason == "periodSeconds is 10 when not given"
    assert chain(found)[:2] == ["livenessProbe of container c", "container c mounts volume v here"]


@pytest.mark.parametrize(
    ("probes", "expected"),
    [
        ("livenessProbe: {exec: {}}", ["livenessProbe exec"]),
        ("livenessProbe: {httpGet: {path: /}}", ["livenessProbe httpGet"]),
        ("livenessProbe: {grpc: {port: 1}}", ["livenessProbe grpc"]),
        ("livenessProbe: {tcpSocket: {port: 1}}", ["livenessProbe tcpSocket"]),
        ("livenessProbe: {exec: null, tcpSocket: {port: 1}}", ["livenessProbe tcpSocket"]),
        ("{startupProbe: {exec: {}}, livenessProbe: {grpc: {}}}", ["livenessProbe grpc", "startupProbe exec"]),
        ("readinessProbe: {exec: {}}", []),
        ("livenessProbe: {}", []),
        ("livenessProbe: {timeoutSeconds: 1}", []),
        ("livenessProbe: null", []),
        ("livenessProbe: [exec]", []),
        ("name: c", []),
    ],
)
def test_which_probes_there_are(probes: str, expected: list[str]) -> None:
    if probes.startswith("{"):
        probes = probes[1:-1].replace("}, live", "}\n      live")
    found = facts(probed(probes), "probe")
    assert [f"{each.value['kind']} {each.value['handler']}" for each in found] == expected


PROBE = "livenessProbe: {exec: {}}"


@pytest.mark.parametrize(
    ("text", "containers"),
    [
        pytest.param(probed(PROBE), ["c"], id="container"),
        pytest.param(probed(PROBE, kind="initContainers"), [], id="init container"),
        pytest.param(probed(f"{PROBE}\n      restartPolicy: Always", kind="initContainers"), ["c"], id="sidecar"),
        pytest.param(probed(PROBE, "csi: {driver: ebs.csi.aws.com}"), [], id="other storage"),
        pytest.param(probed(PROBE, "persistentVolumeClaim: {claimName: gone}"), [], id="not known"),
        pytest.param(
            probed(PROBE, more="    - {name: d, image: x, livenessProbe: {exec: {}}}\n"), ["c"], id="other container"
        ),
    ],
)
def test_only_probes_that_can_restart_a_container_with_the_mount(text: str, containers: list[str]) -> None:
    assert [each.container for each in facts(text, "probe")] == containers


def test_a_probe_is_told_once_however_many_mounts_there_are() -> None:
    text = probed(PROBE).replace("volumeMounts: [", "volumeMounts: [{name: v, mountPath: /w}, ")
    assert len(facts(text, "use")) == 2
    assert fact(text, "probe").value["mount_path"] == "/w"


def test_what_is_assumed_is_said_of_a_probe_too() -> None:
    text = stream(probed(PROBE, "persistentVolumeClaim: {claimName: x}"), claim("x", "{storageClassName: efs-sc}"))
    assert fact(text, "probe").confidence == "assumed"
