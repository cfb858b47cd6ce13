"""Custom resources of operators. The shapes are those of the operators' own resource definitions and examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from efslint.knowledge import data
from efslint.knowledge.catalogue import load_engines
from efslint.knowledge.data import data_node
from efslint.knowledge.operators import (
    Operator,
    OperatorClaim,
    claims,
    load_operators,
    operators_of,
)
from efslint.text.source import Source
from efslint.yaml.node import Node, plain, text
from efslint.yaml.parser import parse_node

OPERATORS = load_operators()


def node(written: str) -> Node:
    source = Source("resource.yaml", written)
    parsed = parse_node(source, 0, len(written))
    assert parsed is not None
    return parsed


def asked(written: str) -> list[OperatorClaim]:
    root = node(written)
    operators = operators_of(OPERATORS, text(root, "apiVersion") or "", text(root, "kind") or "")
    assert operators
    return [claim for operator in operators for claim in claims(operator, root)]


def brief(written: str) -> list[tuple[str, str | None, str, str]]:
    """Say where each claim is, its class, its role and its engine."""
    return [
        (each.route, None if each.storage_class is None else each.storage_class.text, each.role, each.engine)
        for each in asked(written)
    ]


def test_zalando() -> None:
    spec = "{volume: {size: 1Gi, storageClass: efs}}"
    (claim,) = asked(f"{{apiVersion: acid.zalan.do/v1, kind: postgresql, metadata: {{name: a}}, spec: {spec}}}")
    assert (claim.route, claim.engine, claim.role) == ("spec.volume", "postgresql", "data")
    assert claim.storage_class is not None
    assert claim.storage_class.span.text == "efs"
    assert (claim.claim_spec, claim.absent, claim.claim_name) == (False, False, "pgdata-a-*")
    assert claim.node.span.text == "{size: 1Gi, storageClass: efs}"


def test_no_class_is_the_default_one() -> None:
    (claim,) = asked("{apiVersion: acid.zalan.do/v1, kind: postgresql, spec: {volume: {size: 1Gi}}}")
    assert (claim.storage_class, claim.absent, claim.claim_name) == (None, False, "")


@pytest.mark.parametrize("spec", ["{}", "{volume: null}", "{volume: 1Gi}", "[]", "null"])
def test_no_volume(spec: str) -> None:
    assert brief(f"{{apiVersion: acid.zalan.do/v1, kind: postgresql, spec: {spec}}}") == []


def test_a_mapping_where_a_list_is_due() -> None:
    api_version = "postgres-operator.crunchydata.com/v1beta1"
    spec = "{instances: {dataVolumeClaimSpec: {storageClassName: efs}}}"
    assert brief(f"{{apiVersion: {api_version}, kind: PostgresCluster, spec: {spec}}}") == []


def test_crunchy_without_its_backups() -> None:
    written = """\
apiVersion: postgres-operator.crunchydata.com/v1beta1
kind: PostgresCluster
spec:
  instances:
    - name: a
      dataVolumeClaimSpec: {storageClassName: efs-a}
      walVolumeClaimSpec: {storageClassName: efs-wal}
    - name: b
      dataVolumeClaimSpec: {volumeName: pv}
      tablespaceVolumes: [{name: t, dataVolumeClaimSpec: {storageClassName: efs-t}}]
  backups:
    pgbackrest: {repos: [{name: repo1, volume: {volumeClaimSpec: {storageClassName: efs-backup}}}]}
"""
    assert brief(written) == [
        ("spec.instances[0].dataVolumeClaimSpec", "efs-a", "data", "postgresql"),
        ("spec.instances[1].dataVolumeClaimSpec", None, "data", "postgresql"),
        ("spec.instances[0].walVolumeClaimSpec", "efs-wal", "log", "postgresql"),
        ("spec.instances[1].tablespaceVolumes[0].dataVolumeClaimSpec", "efs-t", "data", "postgresql"),
    ]
    assert all(claim.claim_spec for claim in asked(written))


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        ("{size: 1Gi, storageClass: a}", [("spec.storage", "a")]),
        ("{size: 1Gi}", [("spec.storage", None)]),
        ("{pvcTemplate: {storageClassName: b}}", [("spec.storage.pvcTemplate", "b")]),
        ("{size: 1Gi, pvcTemplate: {volumeName: pv}}", [("spec.storage.pvcTemplate", None)]),
        ("{storageClass: a, pvcTemplate: {storageClassName: b}}", [("spec.storage", "a")]),
    ],
)
def test_cloudnative_pg(storage: str, expected: list[tuple[str, str | None]]) -> None:
    written = (
        f"{{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, metadata: {{name: c}}, spec: {{storage: {storage}}}}}"
    )
    assert [each[:2] for each in brief(written)] == expected
    assert [claim.claim_name for claim in asked(written)] == ["c-*"]


def test_cloudnative_pg_keeps_its_log_elsewhere() -> None:
    fields: dict[str, object] = {
        "spec.storage.storageClass": "a",
        "spec.walStorage.storageClass": "b",
        "spec.tablespaces[0].storage.storageClass": "c",
    }
    assert brief(resource("postgresql.cnpg.io/v1 Cluster", fields)) == [
        ("spec.storage", "a", "data", "postgresql"),
        ("spec.walStorage", "b", "log", "postgresql"),
        ("spec.tablespaces[0].storage", "c", "data", "postgresql"),
    ]


def test_strimzi_node_pool() -> None:
    written = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
spec:
  storage:
    type: jbod
    volumes:
      - {id: 0, type: persistent-claim, class: nfs-csi}
      - {id: 1, type: ephemeral}
      - {id: 2, type: persistent-claim}
"""
    assert brief(written) == [
        ("spec.storage.volumes[0]", "nfs-csi", "data", "kafka"),
        ("spec.storage.volumes[2]", None, "data", "kafka"),
    ]


def test_strimzi_kafka_and_its_zookeeper() -> None:
    written = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
spec:
  kafka: {storage: {type: persistent-claim, class: a, overrides: [{broker: 0, class: b}, {broker: 1}]}}
  zookeeper: {storage: {type: persistent-claim, class: z}}
"""
    assert brief(written) == [
        ("spec.kafka.storage", "a", "data", "kafka"),
        ("spec.kafka.storage.overrides[0]", "b", "data", "kafka"),
        ("spec.zookeeper.storage", "z", "data", "zookeeper"),
    ]
    assert brief("{apiVersion: kafka.strimzi.io/v1, kind: Kafka, spec: {kafka: {storage: {type: ephemeral}}}}") == []


def test_prometheus_with_a_selector() -> None:
    written = """\
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: k8s}
spec:
  storage: {volumeClaimTemplate: {spec: {storageClassName: "", selector: {matchLabels: {use: p}}}}}
"""
    (claim,) = asked(written)
    assert claim.claim_spec
    assert claim.storage_class is not None
    assert claim.storage_class.text == ""
    assert text(claim.node, "selector", "matchLabels", "use") == "p"
    assert claim.claim_name == "*prometheus-k8s-*"
    assert brief("{apiVersion: monitoring.coreos.com/v1, kind: Prometheus, spec: {storage: {emptyDir: {}}}}") == []


def test_elasticsearch_nodes_with_and_without_templates() -> None:
    written = """\
apiVersion: elasticsearch.k8s.elastic.co/v1
kind: Elasticsearch
metadata: {name: qs}
spec:
  nodeSets:
    - name: a
      volumeClaimTemplates:
        - {metadata: {name: elasticsearch-data}, spec: {storageClassName: nfs-static}}
        - {metadata: {name: snapshots}, spec: {storageClassName: efs}}
    - name: b
    - name: c
      podTemplate: {spec: {volumes: [{name: elasticsearch-data, emptyDir: {}}]}}
"""
    found = asked(written)
    assert sorted((each.route, each.absent, each.claim_spec, each.claim_name) for each in found) == [
        ("spec.nodeSets[0].volumeClaimTemplates[0].spec", False, True, "elasticsearch-data-qs-es-*"),
        ("spec.nodeSets[].volumeClaimTemplates[].spec", True, False, "elasticsearch-data-qs-es-*"),
    ]
    (absent,) = (each for each in found if each.absent)
    assert absent.storage_class is None
    assert text(absent.node, "name") == "b"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("{}", [("spec.persistence", None, True)]),
        ("{persistence: {storageClassName: efs}}", [("spec.persistence", "efs", False)]),
        ("{persistence: {storage: 0}}", []),
        ('{persistence: {storage: "0Gi"}}', []),
        (
            "{override: {statefulSet: {spec: {volumeClaimTemplates: "
            "[{metadata: {name: persistence}, spec: {storageClassName: efs}}]}}}}",
            [("spec.override.statefulSet.spec.volumeClaimTemplates[0].spec", "efs", False)],
        ),
    ],
)
def test_rabbitmq(spec: str, expected: list[tuple[str, str | None, bool]]) -> None:
    found = asked(f"{{apiVersion: rabbitmq.com/v1beta1, kind: RabbitmqCluster, metadata: {{name: r}}, spec: {spec}}}")
    assert [(e.route, e.storage_class and e.storage_class.text, e.absent) for e in found] == expected


def put(root: dict[str, Any], route: str, value: object) -> None:
    """Set a value in nested mappings and lists, ``spec.pools[0].size``."""
    *above, last = route.split(".")
    for step in above:
        key, _, place = step.partition("[")
        if place:
            items = root.setdefault(key, [])
            items.extend({} for _ in range(int(place[:-1]) + 1 - len(items)))
            root = items[int(place[:-1])]
        else:
            root = root.setdefault(key, {})
    root[last] = value


def resource(what: str, fields: dict[str, object]) -> str:
    api_version, kind = what.split()
    root: dict[str, Any] = {"apiVersion": api_version, "kind": kind}
    for route, value in fields.items():
        put(root, route, value)
    return json.dumps(root)


@pytest.mark.parametrize(
    ("what", "route", "engine"),
    [
        ("pgv2.percona.com/v2 PerconaPGCluster", "spec.instances[0].dataVolumeClaimSpec", "postgresql"),
        ("stackgres.io/v1 SGCluster", "spec.pods.persistentVolume", "postgresql"),
        ("stackgres.io/v1 SGDistributedLogs", "spec.persistentVolume", "postgresql"),
        ("kubegres.reactive-tech.io/v1 Kubegres", "spec.database", "postgresql"),
        ("pxc.percona.com/v1 PerconaXtraDBCluster", "spec.pxc.volumeSpec.persistentVolumeClaim", "mysql"),
        ("ps.percona.com/v1 PerconaServerMySQL", "spec.mysql.volumeSpec.persistentVolumeClaim", "mysql"),
        ("mysql.presslabs.org/v1alpha1 MysqlCluster", "spec.volumeSpec.persistentVolumeClaim", "mysql"),
        ("mysql.oracle.com/v2 InnoDBCluster", "spec.datadirVolumeClaimTemplate", "mysql"),
        (
            "planetscale.com/v2 VitessCluster",
            "spec.keyspaces[0].partitionings[0].equal.shardTemplate.tabletPools[1].dataVolumeClaimTemplate",
            "mysql",
        ),
        ("k8s.mariadb.com/v1alpha1 MariaDB", "spec.storage", "mariadb"),
        ("k8s.mariadb.com/v1alpha1 MariaDB", "spec.storage.volumeClaimTemplate", "mariadb"),
        ("psmdb.percona.com/v1 PerconaServerMongoDB", "spec.replsets[0].volumeSpec.persistentVolumeClaim", "mongodb"),
        (
            "psmdb.percona.com/v1 PerconaServerMongoDB",
            "spec.sharding.configsvrReplSet.volumeSpec.persistentVolumeClaim",
            "mongodb",
        ),
        ("mongodb.com/v1 MongoDB", "spec.podSpec.persistence.multiple.data", "mongodb"),
        ("mongodb.com/v1 MongoDB", "spec.configSrvPodSpec.persistence.single", "mongodb"),
        ("mongodb.com/v1 MongoDBOpsManager", "spec.applicationDatabase.podSpec.persistence.single", "mongodb"),
        ("databases.spotahome.com/v1 RedisFailover", "spec.redis.storage.persistentVolumeClaim.spec", "redis"),
        ("redis.redis.opstreelabs.in/v1beta2 RedisCluster", "spec.storage.volumeClaimTemplate.spec", "redis"),
        ("app.redislabs.com/v1 RedisEnterpriseCluster", "spec.persistentSpec", "redis-enterprise"),
        (
            "cassandra.datastax.com/v1beta1 CassandraDatacenter",
            "spec.storageConfig.cassandraDataVolumeClaimSpec",
            "cassandra",
        ),
        (
            "k8ssandra.io/v1alpha1 K8ssandraCluster",
            "spec.cassandra.datacenters[0].storageConfig.cassandraDataVolumeClaimSpec",
            "cassandra",
        ),
        ("scylla.scylladb.com/v1 ScyllaCluster", "spec.datacenter.racks[0].storage", "scylla"),
        ("core.pingcap.com/v1alpha1 TiKVGroup", "spec.template.spec.volumes[0]", "tikv"),
        ("pingcap.com/v1alpha1 TidbCluster", "spec.pd", "pd"),
        ("pingcap.com/v1alpha1 TidbCluster", "spec.tiflash.storageClaims[0]", "tikv"),
        ("crdb.cockroachlabs.com/v1alpha1 CrdbCluster", "spec.dataStore.pvc.spec", "cockroachdb"),
        (
            "kafka.banzaicloud.io/v1beta1 KafkaCluster",
            "spec.brokerConfigGroups.default.storageConfigs[0].pvcSpec",
            "kafka",
        ),
        ("platform.confluent.io/v1beta1 Kafka", "spec.storageClass", "kafka"),
        ("cluster.redpanda.com/v1alpha2 Redpanda", "spec.clusterSpec.storage.persistentVolume", "redpanda"),
        ("zookeeper.pravega.io/v1beta1 ZookeeperCluster", "spec.persistence.spec", "zookeeper"),
        ("opensearch.opster.io/v1 OpenSearchCluster", "spec.nodePools[0].persistence.pvc", "opensearch"),
        ("opensearch.org/v1 OpenSearchCluster", "spec.bootstrap", "opensearch"),
        ("solr.apache.org/v1beta1 SolrCloud", "spec.dataStorage.persistent.pvcTemplate.spec", "solr"),
        ("milvus.io/v1beta1 Milvus", "spec.dependencies.etcd.inCluster.values.persistence", "etcd"),
        ("operator.victoriametrics.com/v1beta1 VMSingle", "spec.storage", "victoriametrics"),
        (
            "operator.victoriametrics.com/v1beta1 VMCluster",
            "spec.vmstorage.storage.volumeClaimTemplate.spec",
            "victoriametrics",
        ),
        (
            "clickhouse.altinity.com/v1 ClickHouseInstallation",
            "spec.templates.volumeClaimTemplates[0].spec",
            "clickhouse",
        ),
        ("clickhouse.com/v1alpha1 KeeperCluster", "spec.dataVolumeClaimSpec", "clickhouse-keeper"),
        ("loki.grafana.com/v1 LokiStack", "spec", "loki"),
        ("grafana.integreatly.org/v1beta1 Grafana", "spec.persistentVolumeClaim.spec", "grafana"),
        ("operator.etcd.io/v1alpha1 EtcdCluster", "spec.storageSpec", "etcd"),
        ("vault.banzaicloud.com/v1alpha1 Vault", "spec.volumeClaimTemplates[0].spec", "vault"),
        ("minio.min.io/v2 Tenant", "spec.pools[0].volumeClaimTemplate.spec", "minio"),
        ("kubedb.com/v1 Postgres", "spec.storage", "postgresql"),
        ("kubedb.com/v1 Elasticsearch", "spec.topology.data.storage", "elasticsearch"),
        ("couchbase.com/v2 CouchbaseCluster", "spec.volumeClaimTemplates[0].spec", "couchbase"),
        ("database.arangodb.com/v1 ArangoDeployment", "spec.dbservers", "arangodb"),
        ("yugabyte.com/v1alpha1 YBCluster", "spec.tserver.storage", "yugabytedb"),
        ("monitoring.coreos.com/v1 Alertmanager", "spec.storage.volumeClaimTemplate.spec", "alertmanager"),
        ("monitoring.coreos.com/v1 ThanosRuler", "spec.storage.ephemeral.volumeClaimTemplate.spec", "thanos"),
    ],
)
def test_where_the_class_is(what: str, route: str, engine: str) -> None:
    # Which key names the class is part of the resource definition; the others are there to be ignored.
    keys = ("storageClassName", "storageClass", "class", "name")
    written = resource(what, {f"{route}.{key}": f"by {key}" for key in keys})
    ((where, storage_class, role, keeper),) = brief(written)
    assert (where, role, keeper) == (route, "data", engine)
    assert storage_class == f"by {CLASS_KEYS.get((what.split()[1], route), 'storageClassName')}"


CLASS_KEYS = {
    ("SGCluster", "spec.pods.persistentVolume"): "storageClass",
    ("SGDistributedLogs", "spec.persistentVolume"): "storageClass",
    ("MongoDB", "spec.podSpec.persistence.multiple.data"): "storageClass",
    ("MongoDB", "spec.configSrvPodSpec.persistence.single"): "storageClass",
    ("MongoDBOpsManager", "spec.applicationDatabase.podSpec.persistence.single"): "storageClass",
    ("Kafka", "spec.storageClass"): "name",
    ("Redpanda", "spec.clusterSpec.storage.persistentVolume"): "storageClass",
    ("OpenSearchCluster", "spec.nodePools[0].persistence.pvc"): "storageClass",
    ("OpenSearchCluster", "spec.bootstrap"): "storageClass",
    ("Milvus", "spec.dependencies.etcd.inCluster.values.persistence"): "storageClass",
    ("YBCluster", "spec.tserver.storage"): "storageClass",
}


@pytest.mark.parametrize(
    ("what", "route", "engine", "fields"),
    [
        (
            "moco.cybozu.com/v1beta2 MySQLCluster",
            "spec.volumeClaimTemplates[0].spec",
            "mysql",
            {"spec.volumeClaimTemplates[0].metadata.name": "mysql-data", "spec.volumeClaimTemplates[1].spec.a": "b"},
        ),
        (
            "mongodbcommunity.mongodb.com/v1 MongoDBCommunity",
            "spec.statefulSet.spec.volumeClaimTemplates[1].spec",
            "mongodb",
            {
                "spec.statefulSet.spec.volumeClaimTemplates[0].metadata.name": "logs-volume",
                "spec.statefulSet.spec.volumeClaimTemplates[0].spec.storageClassName": "efs",
                "spec.statefulSet.spec.volumeClaimTemplates[1].metadata.name": "data-volume",
            },
        ),
        (
            "psmdb.percona.com/v1 PerconaServerMongoDB",
            "spec.replsets[0].volumeSpec.persistentVolumeClaim",
            "mongodb",
            {"spec.backup.storages.s.s3.storageClass": "STANDARD"},
        ),
        (
            "pxc.percona.com/v1 PerconaXtraDBCluster",
            "spec.pxc.volumeSpec.persistentVolumeClaim",
            "mysql",
            {"spec.haproxy.volumeSpec.persistentVolumeClaim.storageClassName": "efs"},
        ),
        (
            "broker.amq.io/v1beta1 ActiveMQArtemis",
            "spec.deploymentPlan.storage",
            "activemq",
            {"spec.deploymentPlan.persistenceEnabled": True},
        ),
        (
            "apps.kubeblocks.io/v1 Cluster",
            "spec.componentSpecs[0].volumeClaimTemplates[0].spec",
            "redis",
            {"spec.componentSpecs[0].componentDef": "redis-7-1.0.0"},
        ),
        (
            "apps.kubeblocks.io/v1 Cluster",
            "spec.componentSpecs[0].volumeClaimTemplates[0].spec",
            "mongodb",
            {"spec.clusterDef": "mongodb", "spec.componentSpecs[0].name": "mongodb"},
        ),
        (
            "apps.kubeblocks.io/v1 Cluster",
            "spec.componentSpecs[0].volumeClaimTemplates[0].spec",
            "postgresql",
            {"spec.clusterDef": "postgresql", "spec.componentSpecs[0].componentDef": "postgresql-16"},
        ),
        (
            "apps.kubeblocks.io/v1 Cluster",
            "spec.shardings[0].template.volumeClaimTemplates[0].spec",
            "redis",
            {"spec.shardings[0].template.componentDef": "redis-cluster-7"},
        ),
        (
            "database.arangodb.com/v1 ArangoDeployment",
            "spec.agents",
            "arangodb",
            {"spec.coordinators.storageClassName": "efs"},
        ),
    ],
)
def test_where_the_class_is_among_others(what: str, route: str, engine: str, fields: dict[str, object]) -> None:
    assert brief(resource(what, {**fields, f"{route}.storageClassName": "efs"})) == [(route, "efs", "data", engine)]


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ("app.redislabs.com/v1 RedisEnterpriseCluster", {"spec.persistentSpec.enabled": False}),
        ("k8s.mariadb.com/v1alpha1 MariaDB", {"spec.storage.ephemeral": True}),
        ("broker.amq.io/v1beta1 ActiveMQArtemis", {"spec.deploymentPlan.storage.storageClassName": "efs"}),
        (
            "zookeeper.pravega.io/v1beta1 ZookeeperCluster",
            {"spec.storageType": "ephemeral", "spec.persistence.spec.storageClassName": "efs"},
        ),
        ("kubedb.com/v1 Postgres", {"spec.storageType": "Ephemeral", "spec.storage.storageClassName": "efs"}),
        ("yugabyte.com/v1alpha1 YBCluster", {"spec.tserver.storage.size": "1Gi"}),
        ("loki.grafana.com/v1 LokiStack", {"spec.size": "1x.demo"}),
        (
            "apps.kubeblocks.io/v1 Cluster",
            {
                "spec.componentSpecs[0].componentDef": "pulsar-proxy",
                "spec.componentSpecs[0].volumeClaimTemplates[0].spec.storageClassName": "efs",
            },
        ),
        ("operator.etcd.io/v1alpha1 EtcdCluster", {"spec.size": 3}),
        ("pxc.percona.com/v1 PerconaXtraDBCluster", {"spec.pxc.volumeSpec.emptyDir": {}}),
        (
            "grafana.integreatly.org/v1beta1 Grafana",
            {"spec.config.database.type": "postgres", "spec.persistentVolumeClaim.spec.storageClassName": "efs"},
        ),
    ],
)
def test_resources_without_a_volume_of_their_data(what: str, fields: dict[str, object]) -> None:
    assert brief(resource(what, fields)) == []


def test_a_confluent_kafka_without_a_class_uses_the_default_one() -> None:
    written = "{apiVersion: platform.confluent.io/v1beta1, kind: Kafka, spec: {dataVolumeCapacity: 1Gi}}"
    assert brief(written) == [("spec", None, "data", "kafka")]


def test_a_class_that_is_no_scalar_is_none() -> None:
    (claim,) = asked("{apiVersion: acid.zalan.do/v1, kind: postgresql, spec: {volume: {storageClass: [efs]}}}")
    assert claim.storage_class is None


def test_the_version_does_not_matter_and_the_kind_does() -> None:
    assert operators_of(OPERATORS, "acid.zalan.do/v9", "postgresql")
    assert not operators_of(OPERATORS, "acid.zalan.do/v1", "Postgresql")
    assert not operators_of(OPERATORS, "v1", "Pod")
    assert not operators_of(OPERATORS, "cluster.x-k8s.io/v1beta1", "Cluster")


def test_a_key_that_is_no_scalar() -> None:
    root = node("{? [a] : b, spec: {? [c] : d, volume: {storageClass: efs}}}")
    operator = operators_of(OPERATORS, "acid.zalan.do/v1", "postgresql")[0]
    assert [each.route for each in claims(operator, root)] == ["spec.volume"]


def test_a_condition_above_the_root_holds_of_nothing() -> None:
    source = operators_of(OPERATORS, "acid.zalan.do/v1", "postgresql")[0]
    condition = operators_of(OPERATORS, "postgresql.cnpg.io/v1", "Cluster")[0].claims[2].unless
    operator = Operator(source.group, source.kind, source.engine, condition, (), source.claims)
    assert list(claims(operator, node("{storageClass: a, spec: {volume: {}}}"))) == []


def test_every_engine_is_known() -> None:
    known = {engine.id for engine in load_engines()}
    used = {operator.engine for operator in OPERATORS}
    used |= {route.engine for operator in OPERATORS for route in operator.claims if route.engine}
    assert used <= known


def test_no_route_leads_into_a_backup() -> None:
    for operator in OPERATORS:
        for route in operator.claims:
            assert not any("backup" in key.lower() for step in route.steps for key in step.keys), operator.kind


def test_the_file_fits_its_schema() -> None:
    path = Path(data.__file__).parents[1] / "schemas" / "operators.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert not list(Draft202012Validator(schema).iter_errors(plain(data_node("operators.yaml"))))
