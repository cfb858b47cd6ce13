"""Recognising engines. The images, directories and variables are those of the images' own documentation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from efslint.knowledge import data
from efslint.knowledge.catalogue import NO_STATEMENT, STANCES, load_engines
from efslint.knowledge.commands import Runs, expand, operands, option_values, runs, simple_commands
from efslint.knowledge.data import KnowledgeError, data_node, data_text
from efslint.knowledge.directories import DataDirectory, at_or_below, normal
from efslint.knowledge.engines import ContainerFacts, Recognised, beside, holds, recognise
from efslint.knowledge.images import parse_image
from efslint.text.source import Source
from efslint.yaml.node import Node, plain
from efslint.yaml.parser import parse_node

ENGINES = load_engines()
SCHEMAS = Path(data.__file__).parents[1] / "schemas"


def find(
    image: str | None,
    *mounts: str,
    command: tuple[str, ...] = (),
    args: tuple[str, ...] = (),
    env: dict[str, str | None] | None = None,
    init: bool = False,
    env_open: bool = False,
) -> Recognised | None:
    return recognise(ContainerFacts(image, command, args, env or {}, mounts, init, env_open), ENGINES)


def kept(found: Recognised | None, *mounts: str) -> tuple[str, set[str]] | None:
    """Say what a container is and which of its mounts hold data."""
    return None if found is None else (found.engine.id, {each.mount for each in holds(found.data, mounts)})


# Images


@pytest.mark.parametrize(
    ("text", "registry", "segments", "tag", "major"),
    [
        ("postgres", None, ("postgres",), None, None),
        ("postgres:16.3-alpine", None, ("postgres",), "16.3-alpine", 16),
        ("docker.io/bitnami/postgresql:16.3.0", "docker.io", ("bitnami", "postgresql"), "16.3.0", 16),
        ("host:5000/a/b:v2", "host:5000", ("a", "b"), "v2", 2),
        ("localhost/a/postgres", "localhost", ("a", "postgres"), None, None),
        ("$(REG)/postgres:16", "$(REG)", ("postgres",), "16", 16),
        ("${ECR}/team/postgres:15", "${ECR}", ("team", "postgres"), "15", 15),
        ("{{ .Values.registry }}/postgres:15", "{{ .Values.registry }}", ("postgres",), "15", 15),
        ("Registry/Postgres:18beta1", "Registry", ("postgres",), "18beta1", 18),
        (
            "timescale/timescaledb-ha:pg15.3-ts2.11.1-all",
            None,
            ("timescale", "timescaledb-ha"),
            "pg15.3-ts2.11.1-all",
            15,
        ),
        ("timescale/timescaledb:2.17.0-pg14", None, ("timescale", "timescaledb"), "2.17.0-pg14", 14),
        ("postgres:latest", None, ("postgres",), "latest", None),
        ("postgres:2024010112345678901", None, ("postgres",), "2024010112345678901", None),
    ],
)
def test_image(text: str, registry: str | None, segments: tuple[str, ...], tag: str | None, major: int | None) -> None:
    image = parse_image(text)
    assert image is not None
    assert (image.registry, image.segments, image.tag, image.major) == (registry, segments, tag, major)


def test_image_digest() -> None:
    image = parse_image("host:5000/a/b:1.2@sha256:0123")
    assert image is not None
    assert (image.segments, image.tag, image.digest) == (("a", "b"), "1.2", "sha256:0123")


@pytest.mark.parametrize("text", ["", " ", "/", ":16", "host/", "@sha256:0"])
def test_no_image(text: str) -> None:
    assert parse_image(text) is None


@given(st.text(max_size=40))
def test_any_text_as_image(text: str) -> None:
    image = parse_image(text)
    assert image is None or all(image.segments)


# Commands


@pytest.mark.parametrize(
    ("command", "args", "lines"),
    [
        ((), (), ()),
        (("/usr/bin/pg_dump", "-h", "db"), (), (("pg_dump", "-h", "db"),)),
        ((), ("redis-server", "--appendonly", "yes"), (("redis-server", "--appendonly", "yes"),)),
        ((), ("--appendonly", "yes"), (("", "--appendonly", "yes"),)),
        (("sh", "-c", "a x; b && c || d | e &\nf"), (), (("a", "x"), ("b",), ("c",), ("d",), ("e",), ("f",))),
        (("bash", "-euo", "pipefail", "-c"), ("exec postgres",), (("postgres",),)),
        (("bash", "-o", "pipefail", "/run.sh"), (), (("run.sh",),)),
        (("/bin/sh", "-ec"), ("if ! pg_isready; then sleep 1; fi",), (("pg_isready",), ("sleep", "1"))),
        (("bash", "/scripts/run.sh", "x"), (), (("run.sh", "x"),)),
        (("bash", "--login"), (), ()),
        (("bash", "-c"), (), ()),
        (("sh", "-c", "for i in a b; do mongod; done"), (), (("mongod",),)),
        (("sh", "-c", "A=1 gosu postgres timeout -s KILL 5 psql >/dev/null 2>&1 # postgres"), (), (("psql", "2"),)),
        (("sh", "-c", "sudo -u postgres pg_dump x > /f"), (), (("pg_dump", "x"),)),
        (("su", "-", "postgres", "-c", "pg_dump y"), (), (("pg_dump", "y"),)),
        (("su", "postgres"), (), (("su", "postgres"),)),
        (("tini", "--", "docker-entrypoint.sh", "mysqld"), (), (("mysqld",),)),
        (("docker-entrypoint.sh",), (), (("docker-entrypoint.sh",),)),
        (("sh", "-c", "cat > c <<EOF\npostgres\nEOF\nmysqld"), (), (("cat",), ("mysqld",))),
        (("sh", "-c", "echo 'a; b' \\\n c"), (), (("echo", "a; b", "c"),)),
        (("sh", "-c", "echo 'open; postgres"), (), (("echo", "'open"), ("postgres",))),
        (("sh", "-c", "sh -c 'sh -c \"sh -c psql\"'"), (), (("psql",),)),
        (("sh", "-c", "# postgres\n  # mysqld\npsql"), (), (("psql",),)),
        (("exec",), (), ()),
        (("sh", "-c", "x ''"), (), (("x", ""),)),
    ],
)
def test_simple_commands(command: tuple[str, ...], args: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> None:
    assert simple_commands(command, args) == lines


def test_shells_are_followed_a_few_levels_only() -> None:
    script = "psql"
    for _ in range(8):
        script = f"sh -c {json.dumps(script)}"
    (line,) = simple_commands(("sh", "-c", script), ())
    assert line[0] == "sh"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("receive", "--x"), ("thanos", "receive", "--x")),
        (("thanos", "receive"), ("thanos", "receive")),
        (("--version",), ("thanos", "--version")),
        (("sh", "-c", "thanos rule"), ("thanos", "rule")),
        ((), ("thanos",)),
    ],
)
def test_arguments_of_an_entry_point(args: tuple[str, ...], line: tuple[str, ...]) -> None:
    assert simple_commands((), args, "thanos") == (line,)


@pytest.mark.parametrize(
    ("script", "verdict"),
    [
        ("pg_dump -U postgres -h postgres postgres | gzip > /b/postgres.gz", Runs.CLIENT),
        ("until pg_isready; do sleep 1; done; exec postgres", Runs.SERVER),
        ("until pg_isready; do sleep 1; done; exec /start.sh", Runs.UNKNOWN),
        ("/prepare.sh && pg_dump x", Runs.CLIENT),
        ("chown -R 999 /var/lib/postgresql", Runs.CLIENT),
        ("sleep infinity", Runs.CLIENT),
        ("/opt/start.sh", Runs.UNKNOWN),
    ],
)
def test_runs(script: str, verdict: Runs) -> None:
    lines = simple_commands(("sh", "-c", script), ())
    assert runs(lines, ("postgres",), ("pg_dump", "pg_isready")) is verdict


def test_runs_judges_by_the_longest_name() -> None:
    servers, clients = ("consul agent",), ("consul", "consul agent info")
    assert runs((("consul", "agent", "-server"),), servers, clients) is Runs.SERVER
    assert runs((("consul", "agent", "info"),), servers, clients) is Runs.CLIENT
    assert runs((("consul", "kv"),), servers, clients) is Runs.CLIENT
    assert runs((), servers, clients) is Runs.UNKNOWN


@pytest.mark.parametrize(
    ("line", "option", "values"),
    [
        (("x", "--data-dir", "/a"), "--data-dir", ("/a",)),
        (("x", "--data-dir=/a"), "--data-dir", ("/a",)),
        (("x", "-data-dir=/a"), "--data-dir", ("/a",)),
        (("x", "--sd", "/a"), "-sd", ("/a",)),
        (("x", "--data-dir"), "--data-dir", ()),
        (("x", "--data-dirs=/a"), "--data-dir", ()),
        (("x", "-D", "/a"), "-D", ("/a",)),
        (("x", "-D/a"), "-D", ("/a",)),
        (("x", "-Dfoo=1"), "-D", ()),
        (("x", "-c", "data_directory=/a", "-c", "fsync=on"), "-c data_directory", ("/a",)),
        (("x", "-cdata_directory=/a"), "-c data_directory", ("/a",)),
        (("x", "--store=path=/a", "--store=/b"), "--store", ("path=/a", "/b")),
        (("x", "--save", ""), "--save", ("",)),
    ],
)
def test_option_values(line: tuple[str, ...], option: str, values: tuple[str, ...]) -> None:
    assert option_values((line,), option) == values


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        (("minio", "server", "/data"), ("/data",)),
        (("minio", "server", "--console-address", ":9001", "--certs-dir", "/certs", "/data"), ("/data",)),
        (("minio", "server", "--address=:9000", "/data"), ("/data",)),
        (("minio", "server", "http://m-{0...1}.m/export{1...2}"), ("/export1", "/export2")),
        (("minio", "server", "/d{1...2}/{3...4}"), ("/d1/3", "/d1/4", "/d2/3", "/d2/4")),
        (("surreal", "start", "rocksdb:///data/x"), ("/data/x",)),
        (("surreal", "start", "file:/data/x"), ("/data/x",)),
        (("surreal", "start", "memory"), ()),
        (("minio", "gateway", "/data"), ()),
    ],
)
def test_operands(line: tuple[str, ...], paths: tuple[str, ...]) -> None:
    assert operands((line,), "start" if line[0] == "surreal" else "server") == paths


def test_operands_are_bounded() -> None:
    assert len(operands((("minio", "server", "/{1...900000}{1...900000}{1...900000}"),), "server")) == 64


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("/a", "/a"),
        ("$(A)/x", "/one/x"),
        ("${A}/$A", "/one//one"),
        ("$(B)", "/one/two"),
        ("$(NONE)", None),
        ("$(SECRET)", None),
        ("${NONE:-/d}", "/d"),
        ("${A:-/d}", "/one"),
        ("$$", None),
        ("$(LOOP)", None),
        ("$(LONG)", None),
        ("$(HALF)$(HALF)$(HALF)", None),
    ],
)
def test_expand(text: str, value: str | None) -> None:
    env = {"A": "/one", "B": "$(A)/two", "SECRET": None, "LOOP": "$(LOOP)", "LONG": "/a" * 3000, "HALF": "/a" * 1000}
    assert expand(text, env) == value


@given(st.lists(st.text(max_size=30), max_size=4), st.lists(st.text(max_size=60), max_size=3))
def test_any_command_is_read(command: list[str], args: list[str]) -> None:
    lines = simple_commands(("sh", "-c", *command), args)
    assert all(lines)
    assert runs(lines, ("postgres",), ("psql",)) in Runs


# Directories


@pytest.mark.parametrize(
    ("path", "result"),
    [("/a//b/./c/", "/a/b/c"), ("/", "/"), ("/a/../b", "/b"), ("/../a", "/a"), ("a/b", None), ("", None)],
)
def test_normal(path: str, result: str | None) -> None:
    assert normal(path) == result


def test_at_or_below() -> None:
    assert at_or_below("/a/b", "/a/b")
    assert at_or_below("/a/b", "/a")
    assert at_or_below("/a", "/")
    assert not at_or_below("/ab", "/a")


def directory(path: str, *, certain: bool = True, divided: bool = True, role: str = "data") -> DataDirectory:
    return DataDirectory(path, role, "image default", certain, frozenset({"backup", "conf"}), divided)


@pytest.mark.parametrize(
    ("path", "mounts", "held"),
    [
        ("/var/lib/mysql", ("/var/lib/mysql/",), {("/var/lib/mysql/", True)}),
        ("/bitnami/mysql/data", ("/bitnami/mysql",), {("/bitnami/mysql", True)}),
        ("/bitnami/mysql/data", ("/bitnami/mysql", "/bitnami/mysql/data"), {("/bitnami/mysql/data", True)}),
        ("/var/lib/mysql", ("/var/lib/mysql-files", "backup"), set()),
        ("/var/lib/mysql", ("/backup",), set()),
        ("/pg/data", ("/pg/data", "/pg/data/pg_wal"), {("/pg/data", True), ("/pg/data/pg_wal", False)}),
        ("/pg/data", ("/pg/data/backup", "/pg/data/x/conf"), set()),
        ("/pg/data", ("/pg/data/postgresql.conf",), set()),
        ("/data", ("/data/import",), set()),
        ("/data", ("/data",), {("/data", True)}),
    ],
)
def test_holds(path: str, mounts: tuple[str, ...], held: set[tuple[str, bool]]) -> None:
    found = holds((directory(path),), mounts)
    assert {(each.mount, each.whole) for each in found} == held
    assert all(each.directory == path and each.role == "data" and each.certain for each in found)


def test_no_part_of_an_undivided_directory_is_held() -> None:
    assert holds((directory("/var/lib/grafana", divided=False),), ("/var/lib/grafana/dashboards",)) == ()


@pytest.mark.parametrize(
    ("path", "mounts", "missed"),
    [
        ("/var/lib/postgresql/18/docker", ("/var/lib/postgresql/data",), ("/var/lib/postgresql/data",)),
        ("/data/db", ("/data/mongo",), ("/data/mongo",)),
        ("/data/db", ("/data/backup",), ()),
        ("/data/db", ("/data/mongo", "/data"), ()),
        ("/var/lib/mysql", ("/var/lib/mysql-files",), ()),
        ("/bitnami/mysql/data", ("/opt/bitnami/mysql",), ()),
        ("/data", ("/backups",), ()),
    ],
)
def test_beside(path: str, mounts: tuple[str, ...], missed: tuple[str, ...]) -> None:
    assert tuple(mount for mount, _ in beside((directory(path),), mounts)) == missed


def test_nothing_is_beside_a_directory_that_is_not_certain_or_a_log() -> None:
    assert beside((directory("/data/db", certain=False),), ("/data/mongo",)) == ()
    assert beside((directory("/data/db", role="log"),), ("/data/mongo",)) == ()


@given(st.text(alphabet="/.ab", max_size=12), st.text(alphabet="/.ab", max_size=12))
def test_the_holding_mount_is_at_or_above(path: str, mount: str) -> None:
    where = normal(path)
    if where is None:
        return
    for each in holds((directory(where),), (mount,)):
        above = normal(each.mount)
        assert above is not None
        assert at_or_below(where, above) if each.whole else at_or_below(above, where)


# Recognising by image


@pytest.mark.parametrize(
    ("image", "mount", "engine"),
    [
        ("postgres:16", "/var/lib/postgresql/data", "postgresql"),
        ("postgres:16", "/var/lib/postgresql", "postgresql"),
        ("postgres:18", "/var/lib/postgresql", "postgresql"),
        ("postgres", "/var/lib/postgresql/data", "postgresql"),
        ("123.dkr.ecr.eu-west-1.amazonaws.com/mirror/postgres:15@sha256:0", "/var/lib/postgresql/data", "postgresql"),
        ("cgr.dev/chainguard/postgres", "/var/lib/postgresql/data", "postgresql"),
        ("supabase/postgres:15.8.1.060", "/var/lib/postgresql/data", "postgresql"),
        ("postgis/postgis:15-3.4", "/var/lib/postgresql/data", "postgresql"),
        ("pgvector/pgvector:pg16", "/var/lib/postgresql/data", "postgresql"),
        ("docker.io/bitnami/postgresql:16.3.0", "/bitnami/postgresql", "postgresql"),
        ("bitnamilegacy/postgresql-repmgr:15", "/bitnami/postgresql", "postgresql"),
        ("registry.local/postgresql:15", "/bitnami/postgresql", "postgresql"),
        ("registry.local/postgresql:15", "/var/lib/postgresql/data", "postgresql"),
        ("timescale/timescaledb:2.11.0-pg15", "/var/lib/postgresql/data", "postgresql"),
        ("ghcr.io/zalando/spilo-15:3.0", "/home/postgres/pgdata", "postgresql"),
        ("registry.developers.crunchydata.com/crunchydata/crunchy-postgres-gis:ubi8-16", "/pgdata", "postgresql"),
        ("quay.io/sclorg/postgresql-15-c9s", "/var/lib/pgsql/data", "postgresql"),
        ("mysql:8", "/var/lib/mysql", "mysql"),
        ("container-registry.oracle.com/mysql/community-server:8.4", "/var/lib/mysql", "mysql"),
        ("percona/percona-server:8", "/var/lib/mysql", "mysql"),
        ("bitnami/mysql:9.4.0", "/bitnami/mysql", "mysql"),
        ("registry.local/mysql:8", "/bitnami/mysql", "mysql"),
        ("mariadb:11", "/var/lib/mysql", "mariadb"),
        ("bitnami/mariadb-galera:11", "/bitnami/mariadb", "mariadb"),
        ("lscr.io/linuxserver/mariadb", "/config", "mariadb"),
        ("mongo:4.0", "/data/db", "mongodb"),
        ("bitnami/mongodb:5.0", "/bitnami/mongodb", "mongodb"),
        ("redis:7-bookworm", "/data", "redis"),
        ("bitnami/redis:7.2", "/data", "redis"),
        ("registry.k8s.io/redis:v1", "/redis-master-data", "redis"),
        ("bitnami/redis-cluster:7.2", "/bitnami/redis/data", "redis"),
        ("valkey/valkey:8", "/data", "valkey"),
        ("bitnami/etcd:3.5.6", "/bitnami/etcd", "etcd"),
        ("bitnami/rabbitmq:3.12.0", "/bitnami/rabbitmq/mnesia", "rabbitmq"),
        ("bitnami/rabbitmq:4", "/opt/bitnami/rabbitmq/.rabbitmq/mnesia", "rabbitmq"),
        ("rabbitmq:3-management", "/var/lib/rabbitmq", "rabbitmq"),
        ("apache/kafka:3.8.0", "/var/lib/kafka/data", "kafka"),
        ("confluentinc/cp-zookeeper:7", "/var/lib/zookeeper/log", "zookeeper"),
        ("bitnami/elasticsearch:8", "/bitnami/elasticsearch/data", "elasticsearch"),
        ("docker.elastic.co/elasticsearch/elasticsearch:7.4.1", "/usr/share/elasticsearch/data", "elasticsearch"),
        ("cassandra:4", "/var/lib/cassandra/data", "cassandra"),
        ("influxdb:1.8-alpine", "/var/lib/influxdb", "influxdb"),
        ("influxdb:2.7", "/var/lib/influxdb2", "influxdb"),
        ("prom/prometheus", "/prometheus", "prometheus"),
        ("grafana/loki:2.9.1", "/var/loki", "loki"),
        ("victoriametrics/victoria-metrics", "/victoria-metrics-data", "victoriametrics"),
        ("quay.io/minio/minio", "/data", "minio"),
        ("grafana/grafana:12.3.0", "/var/lib/grafana", "grafana"),
        ("louislam/uptime-kuma:1", "/app/data", "uptime-kuma"),
        ("linuxserver/sonarr:latest", "/config", "sonarr"),
        ("ghcr.io/home-assistant/home-assistant:2024.1", "/config", "home-assistant"),
        ("vaultwarden/server:1.30", "/data", "vaultwarden"),
        ("sonatype/nexus3", "/nexus-data", "nexus"),
    ],
)
def test_recognised_by_image(image: str, mount: str, engine: str) -> None:
    assert kept(find(image, mount), mount) == (engine, {mount})


@pytest.mark.parametrize(
    "image",
    [
        *("prometheuscommunity/postgres-exporter", "oliver006/redis_exporter", "bitnami/redis-exporter"),
        *("prom/mysqld-exporter", "percona/mongodb_exporter", "danielqsj/kafka-exporter", "bitnami/kafka-exporter"),
        *("dpage/pgadmin4", "phpmyadmin", "mongo-express", "rediscommander/redis-commander", "redis/redisinsight"),
        *("bitnami/pgpool:4.4.2", "bitnami/pgbouncer", "edoburu/pgbouncer", "kibana", "provectuslabs/kafka-ui"),
        *("bitnami/elasticsearch-curator", "prometheus-adapter", "quay.io/prometheus-operator/prometheus-operator"),
        *("percona/percona-xtradb-cluster-operator", "prodrigestivill/postgres-backup-local", "bitnami/os-shell:12"),
        *("bitnami/redis-sentinel", "prom/node-exporter", "grafana/promtail", "grafana/loki-canary", "natsio/nats-box"),
        *("confluentinc/cp-kafka-connect", "hashicorp/consul-k8s-control-plane", "minio/mc", "bitnami/minio-client"),
        *("registry.developers.crunchydata.com/crunchydata/crunchy-postgres-exporter", "dragonflyoss/dragonfly"),
        *("nextcloud:29-apache", "wordpress:6-apache", "jenkins/jenkins:lts", "apache/airflow:2.6.2", "nginx:1.27"),
        *("quay.io/kiwigrid/k8s-sidecar", "busybox", "ubuntu:22.04", "my/server", "my/data", "mysql/mysql-operator"),
        *("notpostgres", "postgresql-foo", "xpostgres", "redis_exporter"),
    ],
)
def test_no_engine(image: str) -> None:
    directories = {path for engine in ENGINES for pattern in engine.images for path in (*pattern.data, *pattern.log)}
    assert find(image, *sorted(directories)) is None


def test_an_image_that_cannot_be_read() -> None:
    assert find(None, "/data") is None
    assert find("", "/data") is None


def test_a_volume_elsewhere_holds_nothing() -> None:
    mounts = ("/backup", "/docker-entrypoint-initdb.d", "/var/lib/postgresql/data/backup", "/wal-archive")
    assert kept(find("postgres:15", *mounts), *mounts) == ("postgresql", set())


def test_postgres_18_mounted_where_17_kept_its_data() -> None:
    # docker-library/postgres 18/bookworm/Dockerfile: PGDATA is /var/lib/postgresql/18/docker
    mount = "/var/lib/postgresql/data"
    found = find("postgres:18.1", mount)
    assert kept(found, mount) == ("postgresql", set())
    assert found is not None
    assert [path for path, _ in beside(found.data, (mount,))] == [mount]


def test_a_tag_without_version_is_not_certain() -> None:
    found = find("postgres:latest", "/var/lib/postgresql/data")
    assert found is not None
    assert {each.path for each in found.data} == {"/var/lib/postgresql/data", "/var/lib/postgresql/18/docker"}
    assert not any(each.certain for each in found.data)


def test_a_version_is_certain() -> None:
    found = find("postgres:15", "/var/lib/postgresql/data")
    assert found is not None
    assert found.data[0][:4] == ("/var/lib/postgresql/data", "data", "image default", True)


# Where data is moved to


@pytest.mark.parametrize(
    ("image", "env", "args", "path", "why"),
    [
        ("postgres:15", {"PGDATA": "/srv/pg/pgdata"}, (), "/srv/pg/pgdata", "PGDATA"),
        ("postgres:15", {"PGDATA": "$(ROOT)/pgdata", "ROOT": "/x/"}, (), "/x/pgdata", "PGDATA"),
        ("postgres:15", {}, ("-c", "data_directory=/x"), "/x", "-c data_directory"),
        ("postgres:15", {"PGDATA": "/y"}, ("postgres", "-D", "/x"), "/x", "-D"),
        ("sorintlab/stolon:v0.16.0-pg12", {"STOLON_DATA": "/stolon-data"}, (), "/stolon-data", "STOLON_DATA"),
        ("bitnami/postgresql:16", {"POSTGRESQL_VOLUME_DIR": "/v"}, (), "/v/data", "POSTGRESQL_VOLUME_DIR"),
        ("mysql:8", {}, ("--datadir=/x/mysql",), "/x/mysql", "--datadir"),
        ("quay.io/coreos/etcd", {"ETCD_DATA_DIR": "/e"}, (), "/e", "ETCD_DATA_DIR"),
        ("quay.io/coreos/etcd", {"ETCD_DATA_DIR": "/e"}, ("etcd", "--data-dir=/f"), "/f", "--data-dir"),
        ("cp-kafka", {"KAFKA_LOG_DIRS": "/k/1,/k/2"}, (), "/k/2", "KAFKA_LOG_DIRS"),
        ("prom/prometheus", {}, ("--storage.tsdb.path=/tsdb",), "/tsdb", "--storage.tsdb.path"),
        ("cockroachdb/cockroach", {}, ("start", "--store=path=/c,size=1GiB"), "/c", "--store"),
        ("victoria-metrics", {}, ("-storageDataPath=/v",), "/v", "--storageDataPath"),
        ("minio/minio", {}, ("server", "/storage"), "/storage", "argument"),
        ("elasticsearch", {}, ("elasticsearch", "-Epath.data=/es"), "/es", "-E path.data"),
        ("quay.io/thanos/thanos:v0.36", {}, ("receive", "--tsdb.path=/t"), "/t", "--tsdb.path"),
    ],
)
def test_moved(image: str, env: dict[str, str | None], args: tuple[str, ...], path: str, why: str) -> None:
    found = find(image, path, args=args, env=env)
    assert found is not None
    assert (path, "data", why, True) in [each[:4] for each in found.data]
    assert path in {each.mount for each in holds(found.data, (path,))}


def test_moved_in_a_shell_string() -> None:
    command = ("/bin/sh", "-ec", "exec consul agent -server -data-dir=/consul/state")
    mount = "/consul/state"
    assert kept(find("hashicorp/consul:1.9.5", mount, command=command), mount) == ("consul", {mount})


def test_bitnami_directories_have_two_names() -> None:
    # bitnami/charts:bitnami/prometheus: alertmanager is told one name and mounts the other
    mount, args = "/bitnami/alertmanager/data", ("--storage.path=/opt/bitnami/alertmanager/data",)
    assert kept(find("bitnami/alertmanager:0.28", mount, args=args), mount) == ("alertmanager", {mount})


def test_data_that_moved_away_is_not_at_the_default() -> None:
    mount = "/var/lib/postgresql/data"
    assert kept(find("postgres:15", mount, env={"PGDATA": "/tmp/pg"}), mount) == ("postgresql", set())


@pytest.mark.parametrize("value", [None, "$(SOMEWHERE)", "relative/path"])
def test_a_value_that_is_not_known_leaves_the_default_uncertain(value: str | None) -> None:
    found = find("postgres:15", "/var/lib/postgresql/data", env={"PGDATA": value})
    assert found is not None
    assert [each[:4] for each in found.data] == [("/var/lib/postgresql/data", "data", "image default", False)]


def test_a_write_ahead_log_of_its_own() -> None:
    mounts = ("/var/lib/postgresql/data", "/wal")
    found = find("postgres:15", *mounts, env={"POSTGRES_INITDB_WALDIR": "/wal/pg"})
    assert found is not None
    assert {(each.mount, each.role) for each in holds(found.data, mounts)} == {
        ("/var/lib/postgresql/data", "data"),
        ("/wal", "log"),
    }


# What does not keep data


@pytest.mark.parametrize(
    ("image", "command", "args"),
    [
        ("postgres:15", ("/bin/sh", "-c", "pg_dump -h db postgres | gzip > /var/lib/postgresql/data/x.gz"), ()),
        ("postgres:15", ("sleep", "infinity"), ()),
        ("postgres:15", (), ("pg_basebackup", "-D", "/var/lib/postgresql/data")),
        ("redis:7", ("redis-cli", "-h", "r"), ()),
        ("redis:7", ("redis-server", "--save", "", "--appendonly", "no"), ()),
        ("redis:7", (), ("--save", "", "--appendonly", "no")),
        ("mongo:6", ("mongos", "--configdb", "c"), ()),
        ("sorintlab/stolon", ("stolon-sentinel",), ()),
        ("hashicorp/vault", (), ("operator", "init")),
        ("quay.io/thanos/thanos", (), ("sidecar", "--tsdb.path=/prometheus")),
        ("apachepulsar/pulsar", ("sh", "-c", "bin/apply-config.py; bin/pulsar broker"), ()),
        ("minio/minio", ("mc", "mirror", "a", "b"), ()),
    ],
)
def test_clients(image: str, command: tuple[str, ...], args: tuple[str, ...]) -> None:
    assert find(image, "/data", "/var/lib/postgresql/data", "/prometheus", command=command, args=args) is None


@pytest.mark.parametrize("args", [("--save", ""), ("--appendonly", "no"), ("--save", "60 1", "--appendonly", "no")])
def test_redis_keeps_data_unless_both_are_off(args: tuple[str, ...]) -> None:
    assert find("redis:7", "/data", args=args) is not None


def test_an_init_container_keeps_nothing() -> None:
    assert find("postgres:15", "/var/lib/postgresql/data", init=True) is None


@pytest.mark.parametrize(
    ("image", "env", "args"),
    [
        ("grafana/grafana", {"GF_DATABASE_TYPE": "postgres"}, ()),
        ("grafana/grafana", {"GF_DATABASE_TYPE": "MySQL"}, ()),
        ("grafana/grafana", {"GF_DATABASE_URL": "mysql://u@h/db"}, ()),
        ("grafana/grafana", {"GF_DATABASE_TYPE": None}, ()),
        ("gitea/gitea", {"GITEA__database__DB_TYPE": "postgres"}, ()),
        ("gitea/gitea", {"GITEA__DATABASE__DB_TYPE": "postgres"}, ()),
        ("n8nio/n8n", {"DB_TYPE": "postgresdb"}, ()),
        ("vaultwarden/server", {"DATABASE_URL": "postgresql://h/d"}, ()),
        ("sonarqube", {"SONAR_JDBC_URL": "jdbc:postgresql://h/d"}, ()),
        ("quay.io/keycloak/keycloak", {"KC_DB": "postgres"}, ("start",)),
        ("quay.io/keycloak/keycloak", {}, ("start", "--db=postgres")),
        ("quay.io/keycloak/keycloak", {}, ("start", "--db", "$(UNKNOWN)")),
    ],
)
def test_an_external_database(image: str, env: dict[str, str | None], args: tuple[str, ...]) -> None:
    assert find(image, "/data", env=env, args=args) is None


@pytest.mark.parametrize(
    ("image", "env"),
    [
        ("grafana/grafana", {"GF_DATABASE_TYPE": "sqlite3"}),
        ("n8nio/n8n", {"DB_TYPE": "sqlite"}),
        ("vaultwarden/server", {"DATABASE_URL": "/data/db.sqlite3"}),
        ("quay.io/keycloak/keycloak", {"KC_DB": "dev-file"}),
        ("sonarqube", {"SONAR_JDBC_URL": ""}),
    ],
)
def test_the_embedded_database_by_name(image: str, env: dict[str, str | None]) -> None:
    assert find(image, "/data", env=env) is not None


def test_variables_that_were_not_read_may_name_an_external_database() -> None:
    assert find("grafana/grafana", "/var/lib/grafana", env_open=True) is None
    assert find("postgres:15", "/var/lib/postgresql/data", env_open=True) is not None


# Recognising by other signs


def test_a_private_image_with_a_variable_of_one_engine() -> None:
    found = find("registry.local/db:1", "/srv", env={"PGDATA": "/srv/pg"})
    assert kept(found, "/srv") == ("postgresql", {"/srv"})
    assert found is not None
    assert found.data[0].certain


@pytest.mark.parametrize(
    ("image", "mount", "env"),
    [
        ("registry.local/db:1", "/other", {"PGDATA": "/srv/pg"}),
        ("registry.local/db:1", "/srv", {"PGDATA": None}),
        ("registry.local/db:1", "/srv", {"PGHOST": "/srv"}),
        ("busybox", "/srv", {"PGDATA": "/srv/pg"}),
        ("registry.local/postgres-backup:1", "/srv", {"PGDATA": "/srv/pg"}),
        ("registry.local/wal-g:1", "/srv", {"PGDATA": "/srv/pg"}),
    ],
)
def test_a_variable_alone_is_not_enough(image: str, mount: str, env: dict[str, str | None]) -> None:
    assert find(image, mount, env=env) is None


def test_a_private_image_that_runs_a_client() -> None:
    assert find("registry.local/db:1", "/srv", env={"PGDATA": "/srv/pg"}, command=("pg_dump",)) is None


@pytest.mark.parametrize(
    ("image", "mount", "engine"),
    [
        ("nacos/nacos-mysql:5.7", "/var/lib/mysql", "mysql"),
        ("team/my-postgres", "/var/lib/postgresql", "postgresql"),
        ("team/company-postgresql-15", "/var/lib/postgresql/data", "postgresql"),
        ("team/company_postgresql-15-alpine", "/bitnami/postgresql", "postgresql"),
        ("yobasystems/alpine-mariadb", "/var/lib/mysql", "mariadb"),
        ("team/shop-mongodb", "/data/db", "mongodb"),
        ("team/logs-elasticsearch:7", "/usr/share/elasticsearch/data", "elasticsearch"),
        ("team/postgresql-custom:16", "/var/lib/postgresql/data", "postgresql"),
        ("team/shop-mongodb-rs", "/data/db", "mongodb"),
        ("team/mysql-server-8.4-debian", "/var/lib/mysql", "mysql"),
    ],
)
def test_a_derived_image(image: str, mount: str, engine: str) -> None:
    assert kept(find(image, mount), mount) == (engine, {mount})


@pytest.mark.parametrize(
    ("image", "mount"),
    [
        ("team/my-postgres", "/data"),
        ("team/flask-redis", "/data"),
        ("team/postgres-backup", "/var/lib/postgresql/data"),
        ("team/backup-postgres", "/var/lib/postgresql/data"),
        ("team/mypostgres", "/var/lib/postgresql/data"),
        ("team/postgres-app", "/var/lib/postgresql/data"),
        ("team/exporter-mysql", "/var/lib/mysql"),
        ("team/postgres-backup-server", "/var/lib/postgresql/data"),
        ("team/redis-server", "/data"),
        ("team/custom-server", "/var/lib/mysql"),
    ],
)
def test_not_a_derived_image(image: str, mount: str) -> None:
    assert find(image, mount) is None


@pytest.mark.parametrize(
    ("image", "command", "args", "mount", "engine"),
    [
        ("debian:12", ("bash", "-ec"), ("exec postgres -D /srv/pg",), "/srv", "postgresql"),
        ("team/base:1", ("mongod", "--dbpath", "/data"), (), "/data", "mongodb"),
        ("team/base:1", (), ("/usr/bin/mongod", "--bind_ip_all"), "/data/db", "mongodb"),
        ("team/base:1", ("etcd", "--data-dir=/state"), (), "/state", "etcd"),
    ],
)
def test_another_image_that_starts_a_server(
    image: str, command: tuple[str, ...], args: tuple[str, ...], mount: str, engine: str
) -> None:
    assert kept(find(image, mount, command=command, args=args), mount) == (engine, {mount})


@pytest.mark.parametrize(
    ("command", "mount"),
    [
        pytest.param(("redis-server",), "/data", id="the directory may be for anything"),
        pytest.param(("mongod", "--dbpath", "/scratch"), "/data/db", id="the data is elsewhere"),
        pytest.param(("mysqld", "--datadir=/d"), "/d", id="MySQL or MariaDB"),
        pytest.param(("mongodump", "--out", "/data/db"), "/data/db", id="client"),
        pytest.param(("consul", "kv", "get"), "/consul/data", id="client of one name with the server"),
        pytest.param(("jupyterhub",), "/srv/jupyterhub", id="an application with an embedded database"),
        pytest.param(("sh", "-c", ""), "/data/db", id="nothing"),
    ],
)
def test_another_image_that_starts_none(command: tuple[str, ...], mount: str) -> None:
    found = find("team/base:1", mount, command=command)
    assert found is None or not holds(found.data, (mount,))


# The data


def test_every_engine_has_what_messages_need() -> None:
    assert len({engine.id for engine in ENGINES}) == len(ENGINES)
    for engine in ENGINES:
        assert engine.category in ("database", "embedded"), engine.id
        assert engine.stance in STANCES, engine.id
        assert not engine.statement.endswith("."), engine.id
        if engine.stance != "none":
            assert engine.statement != NO_STATEMENT, engine.id
            assert engine.source, engine.id


@pytest.mark.parametrize(
    ("engine", "stance"),
    [
        *(
            ("prometheus", "unsupported"),
            ("cockroachdb", "unsupported"),
            ("neo4j", "unsupported"),
            ("qdrant", "unsupported"),
        ),
        *(
            ("mysql", "discouraged"),
            ("kafka", "discouraged"),
            ("elasticsearch", "discouraged"),
            ("minio", "discouraged"),
        ),
        *(("postgresql", "conditional"), ("mongodb", "conditional"), ("rabbitmq", "conditional")),
        *(("victoriametrics", "supported"), ("mariadb", "none"), ("zookeeper", "none"), ("clickhouse", "none")),
        *(("loki", "discouraged"), ("etcd", "unsupported"), ("redis", "discouraged"), ("cassandra", "discouraged")),
    ],
)
def test_stances(engine: str, stance: str) -> None:
    assert next(each.stance for each in ENGINES if each.id == engine) == stance


def test_loki_is_a_database() -> None:
    assert next(each.category for each in ENGINES if each.id == "loki") == "database"


def test_applications_without_a_database_in_their_volume_are_not_listed() -> None:
    assert {"jenkins", "nextcloud", "wordpress", "airflow"}.isdisjoint(engine.id for engine in ENGINES)


def test_signals_belong_to_one_engine() -> None:
    signals = [signal for engine in ENGINES for signal in engine.signals]
    assert len(set(signals)) == len(signals)
    for engine in ENGINES:
        assert {setting.name for setting in engine.environment}.issuperset(engine.signals), engine.id


def test_suffixes_belong_to_one_engine_and_are_one_word() -> None:
    suffixes = [suffix for engine in ENGINES for suffix in engine.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert not any("-" in suffix or "_" in suffix for suffix in suffixes)


def test_no_program_is_a_server_and_a_client() -> None:
    for engine in ENGINES:
        assert not set(engine.servers) & set(engine.clients), engine.id


def test_the_file_fits_its_schema() -> None:
    schema = json.loads((SCHEMAS / "engines.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    errors = list(Draft202012Validator(schema).iter_errors(plain(data_node("engines.yaml"))))
    assert not errors


def test_data_text() -> None:
    assert data_text("engines.yaml").startswith("# Databases")


def test_a_data_file_that_is_no_mapping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "data_text", lambda _name: "- a\n")
    with pytest.raises(KnowledgeError, match="is not a mapping"):
        data.data_node("engines.yaml")


# Engines of one's own


def node(text: str) -> Node:
    source = Source("own.yaml", text)
    parsed = parse_node(source, 0, len(text))
    assert parsed is not None
    return parsed


OWN = """\
id: ours
product: Ours
images:
  - match: [ours, team/*-store]
    data: [/ours, /ours/more]
    log: /ours-log
environment: [{name: OURS_DIR}]
"""


def test_an_engine_of_ones_own() -> None:
    engines = load_engines((node(OWN),))
    found = recognise(ContainerFacts("reg/team/big-store:2", mounts=("/ours-log",)), engines)
    assert found is not None
    assert (found.engine.id, found.engine.category, found.engine.stance) == ("ours", "database", "none")
    assert found.engine.statement == NO_STATEMENT
    assert [(each.mount, each.role) for each in holds(found.data, ("/ours-log",))] == [("/ours-log", "log")]
    assert recognise(ContainerFacts("reg/other/big-store"), engines) is None
    assert recognise(ContainerFacts("team/backup-store"), engines) is None
    assert recognise(ContainerFacts("store"), engines) is None


def test_an_engine_of_ones_own_replaces_the_one_of_its_id() -> None:
    engines = load_engines((node("{id: mysql, product: Mine, images: [{match: mysql, data: /m}]}"),))
    assert len(engines) == len(ENGINES)
    found = recognise(ContainerFacts("mysql:8"), engines)
    assert found is not None
    assert (found.engine.product, found.data[0].path) == ("Mine", "/m")


def test_engines_of_ones_own_come_first() -> None:
    engines = load_engines((node("{id: mine, product: Mine, images: [{match: mysql, data: /m}]}"),))
    found = recognise(ContainerFacts("mysql:8"), engines)
    assert found is not None
    assert found.engine.id == "mine"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("[a]", "an engine must be a mapping", "[a]"),
        ("{id: x, prodct: X}", "unknown key prodct in an engine, did you mean product?", "prodct"),
        ("{id: x, zzzz: X}", "unknown key zzzz in an engine, known are id", "zzzz"),
        ("{id: x, [a]: X}", "unknown key [a] in an engine", "[a]"),
        ("{id: x, product: X}", "images are missing", None),
        ("{product: X, images: [{match: x}]}", "id is missing", None),
        ("{id: [x], product: X, images: [{match: x}]}", "id must be text", "[x]"),
        ("{id: x, product: X, images: {match: x}}", "images must be a list", "{match: x}"),
        ("{id: x, product: X, images: [{data: /x}]}", "match is missing", "data: /x"),
        ("{id: x, product: X, images: [{match: x, data: x}]}", "directory x must be absolute", "match: x, data: x"),
        ("{id: x, product: X, images: [{match: '*'}]}", "* would match any image", "'*'"),
        ("{id: x, product: X, images: [{match: a//b}]}", "a//b would match any image", "a//b"),
        ("{id: x, product: X, images: [{match: x, below: y}]}", "below must be a number", "y"),
        (
            "{id: x, product: X, images: [{match: x}], category: big}",
            "category must be one of database, embedded",
            "big",
        ),
        ("{id: x, product: X, images: [{match: [x, [y]]}]}", "match must be text", "[y]"),
        ("{id: x, product: X, images: [{match: x}], off: [a]}", "off must be a mapping", "[a]"),
        (
            "{id: x, product: X, images: [{match: x}], external: [{values: a}]}",
            "either a name or an option",
            "values: a",
        ),
        ("{id: x, product: X, images: [{match: x}], environment: [{nam: A}]}", "unknown key nam in a variable", "nam"),
    ],
)
def test_a_wrong_engine(text: str, message: str, place: str | None) -> None:
    with pytest.raises(KnowledgeError) as raised:
        load_engines((node(text),))
    assert message in raised.value.message
    assert str(raised.value) == raised.value.message
    if place is not None:
        assert place in raised.value.span.text


def test_an_engine_described_twice() -> None:
    with pytest.raises(KnowledgeError, match="engine ours is described twice"):
        load_engines((node(OWN), node(OWN)))


def test_null_is_like_an_absent_key() -> None:
    engines = load_engines((node("{id: x, product: X, source: null, images: [{match: xyz, log: null}]}"),))
    assert (engines[0].source, engines[0].images[0].log) == ("", ())
