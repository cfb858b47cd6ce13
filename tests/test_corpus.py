"""Thousands of real manifests and real charts: what is found there was looked at by a person, one by one.

The material lies beside the checkout and not in it; without it the tests are skipped.
"""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from efslint.pipeline import lint_paths
from efslint.report.model import Report
from efslint.rules.finding import Severity

SHARED = Path(__file__).parents[1].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the corpus of real manifests does not lie beside the checkout"
)

# Charts rendered with the class efs-rwx, which no manifest describes. What of each keeps its data there, and what of it
# a probe watches with the second that Kubernetes gives by default.
RENDERED = {
    "airflow": {"EFS201 demo-postgresql": 1, "EFS201 demo-redis-master": 1},
    "clickhouse": {
        "EFS201 demo-clickhouse-keeper": 1,
        "EFS201 demo-clickhouse-shard0": 1,
        "EFS201 demo-clickhouse-shard1": 1,
    },
    "elasticsearch": {"EFS201 demo-elasticsearch-data": 1, "EFS201 demo-elasticsearch-master": 1},
    "etcd": {"EFS201 demo-etcd": 1},
    # SQLite: its settings, in a ConfigMap, name no other database.
    "grafana": {"EFS203 demo-grafana": 1},
    "jenkins": {},
    "kafka": {"EFS201 demo-kafka-controller": 1},
    "keycloak": {"EFS201 demo-postgresql": 1},
    "mariadb": {"EFS201 demo-mariadb": 1, "EFS301 demo-mariadb": 1},
    # One replica on one claim, and a rolling update that starts the new pod before the old one ends.
    "minio": {"EFS201 demo-minio": 1, "EFS204 demo-minio": 1},
    "mongodb": {"EFS201 demo-mongodb": 1, "EFS204 demo-mongodb": 1},
    # livenessProbe and startupProbe, both with timeoutSeconds: 1.
    "mysql": {"EFS201 demo-mysql": 1, "EFS301 demo-mysql": 2},
    "postgresql": {"EFS201 demo-postgresql": 1},
    # Rendered without persistence: no claim, and so nothing on EFS.
    "prometheus": {},
    "rabbitmq": {"EFS201 demo-rabbitmq": 1},
    "redis": {"EFS201 demo-redis-master": 1, "EFS201 demo-redis-replicas": 1},
    "wordpress": {"EFS201 demo-mariadb": 1, "EFS301 demo-mariadb": 1},
    "zookeeper": {"EFS201 demo-zookeeper": 1},
}

# Every warning and error in the real manifests, with what was seen when it was looked at.
REVIEWED = {
    # storageClassName stands in lines 6 and 12 of one spec; kubectl takes the last.
    ("EFS002", "kubernetes/examples/_archived/volumes/scaleio/sc-pvc.yaml", 12),
    # timeo=30, 3 seconds, on a class of the Ganesha provisioner, whose chart has that default.
    ("EFS101", "strimzi/strimzi-kafka-operator/systemtest/src/test/resources/nfs/nfs.yaml", 22),
}


def serious(report: Report) -> list[str]:
    return [
        f"{finding.rule} {finding.object.name if finding.object else finding.span.source.path}"
        for finding in report.findings
        if finding.severity is not Severity.NOTE
    ]


@needs_corpus
def test_every_rendered_chart_is_expected() -> None:
    assert {path.stem for path in (SHARED / "rendered").glob("*.yaml")} == RENDERED.keys()


@needs_corpus
@pytest.mark.parametrize("chart", RENDERED)
def test_rendered_charts_give_exactly_what_they_keep_on_efs(chart: str) -> None:
    report = lint_paths([SHARED / "rendered" / f"{chart}.yaml"])
    assert Counter(serious(report)) == Counter(RENDERED[chart])
    assert not report.skipped


@pytest.mark.slow
@needs_corpus
def test_real_manifests_give_only_what_was_reviewed(tmp_path: Path) -> None:
    with tarfile.open(SHARED / "real.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    report = lint_paths([tmp_path])
    assert report.files > 8_000
    found = set()
    for finding in report.findings:
        if finding.severity is not Severity.NOTE:
            _, _, path = finding.span.source.path.partition("/real/")
            found.add((finding.rule, path, finding.span.first.line))
    assert found == REVIEWED
    # A file that is not read is a template or a patch, never one that efslint stumbled over.
    assert {skip.reason for skip in report.skipped} <= {"unrendered-template", "not-rendered", "kustomize-patch"}
