"""What is met in real manifests and makes a loader stumble, through the whole tool.

The parser has tests of its own; here each trap is judged by what the tool says in the end. The reference is what
``kubectl apply`` makes of the same text.
"""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path

import pytest
from commands import DATABASE

from efslint.pipeline import lint_paths, lint_text
from efslint.report.model import Report
from efslint.rules.finding import Finding

SHORT = """\
apiVersion: v1
kind: PersistentVolume
metadata:
  name: short
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteMany]
  mountOptions:
    - hard
    - timeo=30
  nfs:
    server: 192.0.2.5
    path: /short
"""
"""A volume with exactly one fault: EFS101, in line 10."""

SHORT_LINE = 10

CLASS = """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: files
provisioner: efs.csi.aws.com
parameters: {provisioningMode: efs-ap, fileSystemId: fs-0a1b2c3d4e5f60718, directoryPerms: "700"}
"""


def volume(options: str, *, source: str = "nfs: {server: 192.0.2.5, path: /v}", head: str = "") -> str:
    """Write a volume whose ``spec`` holds the given YAML, indented by two blanks."""
    body = "".join(f"  {line}\n" for line in options.splitlines())
    return (
        f"apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: v}}\n{head}"
        f"spec:\n  capacity: {{storage: 1Gi}}\n  accessModes: [ReadWriteMany]\n{body}  {source}\n"
    )


OPTIONS_LINE = 7
"""The first line of the given YAML in such a volume."""

EFS_CSI = "csi: {driver: efs.csi.aws.com, volumeHandle: fs-0a1b2c3d4e5f60718}"
EFS_HOST = "nfs: {server: fs-0a1b2c3d4e5f60718.efs.eu-west-1.amazonaws.com, path: /v}"


def rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


def lines(findings: tuple[Finding, ...], rule: str) -> list[int]:
    return sorted(finding.span.first.line for finding in findings if finding.rule == rule)


def line_with(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def loud(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings if finding.severity != "note"}


def lint_bytes(directory: Path, content: bytes, name: str = "input.yaml") -> Report:
    (directory / name).write_bytes(content)
    return lint_paths([directory / name])


def test_the_sample_volume_has_one_fault() -> None:
    findings = lint_text(SHORT)
    assert loud(findings) == {"EFS101"}
    assert lines(findings, "EFS101") == [SHORT_LINE]


def test_the_sample_database_has_one_fault() -> None:
    assert loud(lint_text(f"{DATABASE}---\n{CLASS}")) - {"EFS206"} == {"EFS201"}


# anchors, merge keys, repeated keys


def test_anchor_of_a_name_defined_twice_is_the_later_one() -> None:
    text = volume("mountOptions: *options", head="x-a: &options [hard]\nx-b: &options [hard, timeo=30]\n")
    assert loud(lint_text(text)) == {"EFS101"}


def test_options_reached_through_two_aliases_are_one_line_to_change() -> None:
    text = """\
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: &spec {accessModes: [ReadWriteMany],
     mountOptions: [timeo=30],
     nfs: {server: 192.0.2.5, path: /v}}}
  - {apiVersion: v1, kind: PersistentVolume, metadata: {name: b}, spec: *spec}
"""
    found = [finding for finding in lint_text(text) if finding.rule == "EFS101"]
    assert {ref.name for finding in found for ref in finding.objects} == {"a", "b"}
    assert line_with(text, "timeo=30") in {finding.span.first.line for finding in found}


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        pytest.param("<<: *soft", {"EFS103"}, id="merged"),
        pytest.param("<<: *soft\nmountOptions: [nfsvers=4.1]", set(), id="own key after the merge"),
        pytest.param("mountOptions: [nfsvers=4.1]\n<<: *soft", {"EFS103"}, id="own key before the merge, as kubectl"),
        pytest.param("<<: [*hard, *soft]", set(), id="earlier of a list"),
        pytest.param("<<: [*soft, *hard]", {"EFS103"}, id="earlier of a list, reversed"),
    ],
)
def test_merge_keys(merge: str, expected: set[str]) -> None:
    head = "x-soft: &soft {mountOptions: [soft]}\nx-hard: &hard {mountOptions: [hard]}\n"
    findings = lint_text(volume(merge, head=head))
    assert loud(findings) == expected


@pytest.mark.parametrize(
    ("first", "second", "also"), [("soft", "hard", set()), ("hard", "soft", {"EFS103"})], ids=["hard last", "soft last"]
)
def test_repeated_key_is_reported_and_the_last_counts(first: str, second: str, also: set[str]) -> None:
    text = volume(f"mountOptions: [{first}]\nmountOptions: [{second}]")
    findings = lint_text(text)
    assert loud(findings) == {"EFS002"} | also
    assert set(lines(findings, "EFS002")) <= {OPTIONS_LINE, OPTIONS_LINE + 1}


def test_documents_without_a_separator_are_told_from_the_repeated_keys() -> None:
    findings = lint_text(f"{CLASS}{SHORT}")
    repeated = [finding for finding in findings if finding.rule == "EFS002"]
    assert repeated
    assert any("---" in f"{finding.message} {finding.help}" for finding in repeated)


# text inside text, encodings


def test_manifest_inside_a_config_map_is_text() -> None:
    inner = "".join(f"    {line}\n" for line in SHORT.splitlines())
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  volume.yaml: |\n{inner}"
    assert lint_text(text) == ()


def test_manifest_inside_an_annotation_is_text() -> None:
    applied = json.dumps({"kind": "PersistentVolume", "spec": {"mountOptions": ["soft", "timeo=5"]}})
    text = volume("mountOptions: [hard]").replace(
        "{name: v}", f"\n  name: v\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{applied}'"
    )
    assert loud(lint_text(text)) == set()


@pytest.mark.parametrize(
    "encoded",
    [
        pytest.param(codecs.BOM_UTF8 + SHORT.encode(), id="utf-8 with a mark"),
        pytest.param(codecs.BOM_UTF16_LE + SHORT.encode("utf-16-le"), id="utf-16 little endian"),
        pytest.param(codecs.BOM_UTF16_BE + SHORT.encode("utf-16-be"), id="utf-16 big endian"),
        pytest.param(SHORT.replace("\n", "\r\n").encode(), id="crlf"),
        pytest.param(SHORT.replace("\n", "\r").encode(), id="lone cr"),
        pytest.param(SHORT.replace("\n", "\r\n", 4).encode(), id="mixed line ends"),
        pytest.param(codecs.BOM_UTF16_LE + SHORT.replace("\n", "\r\n").encode("utf-16-le"), id="powershell"),
    ],
)
def test_encodings_and_line_ends_change_nothing(encoded: bytes, tmp_path: Path) -> None:
    report = lint_bytes(tmp_path, encoded)
    assert loud(report.findings) == {"EFS101"}
    assert lines(report.findings, "EFS101") == [SHORT_LINE]
    assert report.skipped == ()


@pytest.mark.parametrize(
    "content",
    [SHORT.encode("utf-16-le"), b"kind: \xff\xfe\xfa\x00", "# Größe\n".encode("latin-1") + SHORT.encode()],
    ids=["utf-16 without a mark", "binary", "latin-1 comment"],
)
def test_what_cannot_be_decoded_is_named(content: bytes, tmp_path: Path) -> None:
    report = lint_bytes(tmp_path, content)
    assert "EFS000" in rules(report.findings) or report.skipped


# option lists


@pytest.mark.parametrize(
    "options",
    [
        pytest.param("mountOptions:\n- hard\n- timeo=30", id="block list without indent"),
        pytest.param("mountOptions: [hard, timeo=30]", id="flow list"),
        pytest.param("mountOptions: ['hard', \"timeo=30\"]", id="quoted"),
        pytest.param("mountOptions: ['hard,timeo=30']", id="joined by a comma"),
        pytest.param("mountOptions: ['hard,timeo=30,']", id="trailing comma"),
        pytest.param("mountOptions:\n  - hard\n  - >-\n    nosuid,timeo=30", id="folded"),
        pytest.param("mountOptions: [\n  hard,  # safe\n  timeo=30,\n]", id="comments and a trailing comma"),
    ],
)
def test_spellings_of_one_list(options: str) -> None:
    assert loud(lint_text(volume(options))) == {"EFS101"}


def test_folded_annotation_is_folded_then_split() -> None:
    text = volume("persistentVolumeReclaimPolicy: Retain").replace(
        "{name: v}", "\n  name: v\n  annotations:\n    volume.beta.kubernetes.io/mount-options: >-\n      hard,timeo=30"
    )
    assert loud(lint_text(text)) == {"EFS101"}


@pytest.mark.parametrize(
    "options",
    [
        "mountOptions: hard,timeo=600",
        "mountOptions: {timeo: 600}",
        "mountOptions: [4.1]",
        "mountOptions: [hard, null]",
        "mountOptions: [{timeo: 600}]",
        "mountOptions: [[hard]]",
        "mountOptions: ['timeo = 600']",
        "mountOptions: ['timeo=600s']",
        "mountOptions: ['timeo=60.0']",
        "mountOptions: ['timeo=-1']",
        "mountOptions: 7",
        "mountOptions: true",
    ],
)
def test_malformed_option_lists(options: str) -> None:
    findings = lint_text(volume(options))
    assert "EFS111" in rules(findings)
    assert lines(findings, "EFS111") == [OPTIONS_LINE] * len(lines(findings, "EFS111"))


@pytest.mark.parametrize("options", ["mountOptions: null", "mountOptions:", "mountOptions: []", "mountOptions: ~"])
def test_no_options_are_no_fault(options: str) -> None:
    assert loud(lint_text(volume(options))) == set()


def test_multi_line_string_as_an_item_does_not_crash() -> None:
    findings = lint_text(volume('mountOptions:\n  - |\n    hard\n    soft\n  - ""'))
    assert rules(findings) & {"EFS109", "EFS111"}


def test_commented_out_option_is_not_there() -> None:
    assert (
        loud(lint_text(volume("mountOptions:\n  - hard\n  # - soft\n  #- timeo=5\n  - nfsvers=4.1  # , soft"))) == set()
    )


@pytest.mark.parametrize("spelling", ["nfsvers=3", "vers=3", "v3"])
def test_spellings_of_a_version(spelling: str) -> None:
    assert "EFS107" in rules(lint_text(volume(f"mountOptions: [{spelling}, noresvport]", source=EFS_HOST)))


def test_upper_case_options_are_lowered_by_the_efs_driver_only() -> None:
    assert "EFS101" in rules(lint_text(volume("mountOptions: [TIMEO=30]", source=EFS_CSI)))
    in_tree = rules(lint_text(volume("mountOptions: [TIMEO=30]")))
    assert "EFS109" in in_tree
    assert "EFS101" not in in_tree


@pytest.mark.parametrize(
    "options", ["mountOptions: ['hard，timeo=600']", "mountOptions: [“hard”]", "mountOptions: [hard\u00a0]"]
)
def test_look_alike_characters_are_reported_where_they_stand(options: str) -> None:
    findings = lint_text(volume(options))
    wrong = [finding for finding in findings if finding.rule in {"EFS109", "EFS111"}]
    assert [finding.span.first.line for finding in wrong] == [OPTIONS_LINE]


def test_no_break_spaces_as_indentation_do_not_hide_the_next_document() -> None:
    broken = "apiVersion: v1\nkind: PersistentVolume\nspec:\n\u00a0\u00a0mountOptions: [soft]\n"
    findings = lint_text(f"{broken}---\n{SHORT}")
    assert lines(findings, "EFS101") == [SHORT_LINE + 5]
    assert "EFS103" not in rules(findings)


def test_full_width_colon_is_no_colon() -> None:
    assert "EFS103" not in rules(lint_text(volume("mountOptions： [soft]")))


def test_non_ascii_text_shifts_no_line_or_column() -> None:
    text = SHORT.replace("  name: short", "  name: short  # 名前 🗄").replace("- timeo", "- !!str timeo")
    assert lines(lint_text(text), "EFS101") == [SHORT_LINE]


# templates and tags


@pytest.mark.parametrize(
    "template",
    [
        pytest.param("mountOptions: {{ toYaml .Values.mountOptions | nindent 2 }}", id="go"),
        pytest.param("{{- if .Values.nfs }}\nmountOptions: [soft]\n{{- end }}", id="block"),
        pytest.param("mountOptions: [soft]\n{% if nfs %}\nx: 1\n{% endif %}", id="jinja"),
    ],
)
def test_unrendered_template_is_one_note_and_no_half_read_finding(template: str) -> None:
    findings = lint_text(volume(template))
    assert [finding.rule for finding in findings] == ["EFS001"]
    assert findings[0].severity == "note"


@pytest.mark.parametrize("name", ["{{ name }}", "{{name}}-{{ns}}"])
def test_double_braces_as_a_value_do_not_crash(name: str) -> None:
    assert rules(lint_text(f"apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {name}}}\n")) <= {
        "EFS000",
        "EFS001",
    }


def test_complex_key_does_not_crash() -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  ? [a, b]\n  : c\n---\n{SHORT}"
    assert "EFS101" in rules(lint_text(text))


@pytest.mark.parametrize(
    "value",
    ["!Ref Options", "!vault |\n    616263", "!!python/object/apply:os.getcwd []", "!!set {soft}", "!reference [a, b]"],
)
def test_tags_build_nothing_and_hide_nothing(value: str) -> None:
    findings = lint_text(f"{volume(f'mountOptions: {value}')}---\n{SHORT}")
    assert "EFS101" in rules(findings)
    assert "EFS103" not in rules(findings)


def test_placeholders_in_a_host_still_look_like_efs() -> None:
    host = "nfs: {server: '${FS_ID}.efs.${REGION}.amazonaws.com', path: /v}"
    assert loud(lint_text(volume("mountOptions: [hard]", source=host))) == {"EFS104"}


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(
            "NAME: demo\nLAST DEPLOYED: Mon Mar  3 10:15:00 2025\nNAMESPACE: default\nSTATUS: pending-install\n"
            "HOOKS:\nMANIFEST:\n---\n# Source: demo/templates/pv.yaml\n",
            id="dry run",
        ),
        pytest.param("walk.go:75: found symbolic link in path: charts/x resolves to y\n---\n", id="helm warning"),
        pytest.param(
            "W0303 10:15:00.000000  1 warnings.go:70] policy/v1beta1 is deprecated\n---\n", id="kubectl warning"
        ),
        pytest.param("$ helm template demo .\n---\n", id="shell prompt"),
    ],
)
def test_output_of_other_tools_before_the_manifest_hides_nothing(noise: str) -> None:
    findings = lint_text(f"{noise}{SHORT}")
    assert lines(findings, "EFS101") == [SHORT_LINE + noise.count("\n")]


def test_kubectl_describe_is_no_manifest() -> None:
    text = (
        "Name:          v\nStorageClass:  files\nStatus:        Bound\nMount Options: soft\nSource:\n    Type:  NFS\n"
    )
    assert loud(lint_text(text)) <= {"EFS000"}


# lists, JSON, other kinds


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(
            "apiVersion: v1\nkind: List\nitems:\n- {kind: List, items: [null, VOLUME]}\n", id="list in a list"
        ),
        pytest.param("apiVersion: v1\nkind: PersistentVolumeList\nitems:\n- BARE\n", id="typed list"),
        pytest.param("apiVersion: v1\nkind: List\nitems: null\n---\nVOLUME\n", id="list without items"),
    ],
)
def test_lists(wrap: str) -> None:
    bare = "{metadata: {name: v}, spec: {mountOptions: [timeo=30], nfs: {server: 192.0.2.5, path: /v}}}"
    text = wrap.replace("VOLUME", f"{{apiVersion: v1, kind: PersistentVolume, {bare[1:]}").replace("BARE", bare)
    findings = lint_text(text)
    assert loud(findings) == {"EFS101"}
    assert [ref.label for finding in findings if finding.rule == "EFS101" for ref in finding.objects] == [
        "PersistentVolume/v"
    ]


def test_top_level_sequences_are_patches_and_policies() -> None:
    assert lint_text("- op: add\n  path: /spec/mountOptions\n  value: [soft, timeo=5]\n- soft\n") == ()


@pytest.mark.parametrize("separator", ["\n", "", "\n\n"], ids=["one a line", "concatenated", "blank line"])
def test_json_streams(separator: str, tmp_path: Path) -> None:
    one = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "one"},
        "spec": {"mountOptions": ["timeo=30"], "nfs": {"server": "192.0.2.5", "path": "/v"}},
    }
    two = one | {"metadata": {"name": "two"}}
    report = lint_bytes(tmp_path, f"{json.dumps(one)}{separator}{json.dumps(two)}\n".encode(), "dump.json")
    named = {ref.name for finding in report.findings if finding.rule == "EFS101" for ref in finding.objects}
    assert named == {"one", "two"}


def test_json_pretty_printed_has_true_lines(tmp_path: Path) -> None:
    text = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": "one"},
            "spec": {"mountOptions": ["hard", "timeo=30"], "nfs": {"server": "192.0.2.5", "path": "/v"}},
        },
        indent=4,
    )
    report = lint_bytes(tmp_path, text.encode(), "one.json")
    assert lines(report.findings, "EFS101") == [line_with(text, "timeo=30")]


POD_SPEC = (
    "{containers: [{name: c, image: nginx, volumeMounts: [{name: v, mountPath: /v}]}], "
    "volumes: [{name: v, nfs: {server: fs-0a1b2c3d4e5f60718.efs.eu-west-1.amazonaws.com, path: /v}}]}"
)


@pytest.mark.parametrize(
    ("api_version", "kind", "spec"),
    [
        ("v1", "Pod", POD_SPEC),
        ("v1", "ReplicationController", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("extensions/v1beta1", "Deployment", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("apps/v1beta1", "StatefulSet", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("apps/v1", "ReplicaSet", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("apps/v1", "DaemonSet", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("batch/v1", "Job", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("batch/v1beta1", "CronJob", f"{{jobTemplate: {{spec: {{template: {{spec: {POD_SPEC}}}}}}}}}"),
        ("apps.openshift.io/v1", "DeploymentConfig", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("argoproj.io/v1alpha1", "Rollout", f"{{template: {{spec: {POD_SPEC}}}}}"),
        ("serving.knative.dev/v1", "Service", f"{{template: {{spec: {POD_SPEC}}}}}"),
    ],
)
def test_pod_specs_are_found_in_every_workload(api_version: str, kind: str, spec: str) -> None:
    findings = lint_text(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: w}}\nspec: {spec}\n")
    assert "EFS404" in rules(findings)


def test_objects_of_an_openshift_template() -> None:
    body = "".join(f"    {line}\n" for line in SHORT.splitlines()).replace("    apiVersion", "  - apiVersion", 1)
    findings = lint_text(
        f"apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {{name: t}}\nobjects:\n{body}"
    )
    assert lines(findings, "EFS101") == [SHORT_LINE + 4]


def test_beta_storage_class_is_a_storage_class() -> None:
    text = CLASS.replace("storage.k8s.io/v1", "storage.k8s.io/v1beta1")
    assert "EFS201" in rules(lint_text(f"{DATABASE}---\n{text}"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("spec:\n  mountOptions: [soft]\n$patch: delete\n", id="patch"),
        pytest.param("kind: PersistentVolume\n$patch: delete\nmetadata: {name: v}\n", id="deletion"),
        pytest.param(
            "services: {db: {image: 'postgres:16', volumes: ['efs:/var/lib/postgresql/data']}}\n", id="compose"
        ),
        pytest.param("on: [push]\njobs: {a: {steps: [{run: 'mount -o soft'}]}}\n", id="workflow"),
        pytest.param("openapi: 3.1.0\ninfo: {title: nfs, version: '1'}\npaths: {}\n", id="openapi"),
        pytest.param(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
            "spec: {source: {helm: {valuesObject: {mountOptions: [soft], storageClass: efs-sc}}}}\n",
            id="application",
        ),
        pytest.param(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n"
            "spec: {names: {kind: PersistentVolume}, mountOptions: [soft], nfs: {server: x}}\n",
            id="definition",
        ),
    ],
)
def test_what_is_no_object_of_a_cluster_is_silent(text: str) -> None:
    assert lint_text(text) == ()


@pytest.mark.parametrize(
    ("part", "broken"),
    [
        ("containers:\n", "containers: null\n      x:\n"),
        ("      containers:\n", "      volumes: {}\n      containers:\n"),
        ("          volumeMounts:\n", "          volumeMounts: x\n          y:\n"),
        ("  volumeClaimTemplates:\n", "  volumeClaimTemplates: {a: b}\n  z:\n"),
        ("metadata:\n  name: db\n", "metadata: null\n"),
        ("  name: db\n", "  name: 123\n"),
        ("  name: db\n", "  name: [a]\n"),
        ("  template:\n", "  template: []\n  w:\n"),
        ("image: postgres:16", "image: {a: b}"),
        ("image: postgres:16", "image: null"),
        ("storageClassName: files", "storageClassName: [files]"),
        ("{name: data, mountPath: /var/lib/postgresql/data}", "null"),
        ("mountPath: /var/lib/postgresql/data", "mountPath: 7"),
        ("kind: StatefulSet", "kind: [StatefulSet]"),
        ("apiVersion: apps/v1", "apiVersion: null"),
    ],
)
def test_broken_structure_costs_only_its_own_node(part: str, broken: str) -> None:
    assert part in DATABASE
    findings = lint_text(f"{DATABASE.replace(part, broken, 1)}---\n{SHORT}")
    assert "EFS101" in rules(findings)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("storageClassName: files   ", {"EFS201"}, id="plain, trimmed by YAML"),
        pytest.param('storageClassName: "files"', {"EFS201"}, id="quoted"),
        pytest.param('storageClassName: "  files"', set(), id="quoted with blanks, another name"),
    ],
)
def test_blanks_around_names(written: str, expected: set[str]) -> None:
    findings = lint_text(f"{DATABASE.replace('storageClassName: files', written)}---\n{CLASS}")
    assert rules(findings) & {"EFS201"} == expected
    assert ("EFS003" in rules(findings)) == (not expected)


@pytest.mark.parametrize("name", ["1e3", "on", "0755", "12:30:45", "2024-01-01", "~x", "12e5678"])
def test_names_are_the_text_as_written(name: str) -> None:
    text = f"{DATABASE}---\n{CLASS}".replace(": files", f": {name}")
    assert "EFS201" in rules(lint_text(text))


# files


def test_the_same_object_in_two_files_is_resolved_in_each(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(f"{DATABASE}---\n{CLASS}", encoding="utf-8")
    report = lint_paths([tmp_path])
    assert "EFS201" in rules(report.findings)
    assert "EFS003" not in rules(report.findings)


def test_odd_file_names(tmp_path: Path) -> None:
    for name in ("with blank.yaml", "größe-名.yml", "-dash.yaml", "UPPER.yaml"):
        (tmp_path / name).write_text(SHORT, encoding="utf-8")
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    (tmp_path / "directory.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "directory.yaml" / "up").symlink_to(tmp_path, target_is_directory=True)
    report = lint_paths([tmp_path])
    found = {Path(finding.span.source.path).name for finding in report.findings if finding.rule == "EFS101"}
    assert found == {"with blank.yaml", "größe-名.yml", "-dash.yaml", "UPPER.yaml"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_named_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "short.yaml").write_text(SHORT, encoding="utf-8")
    assert rules(lint_paths([tmp_path]).findings) >= {"EFS101"}


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n---\n", "---\n# a\n---\n...\n", "null\n"])
def test_nothing_is_nothing(text: str) -> None:
    assert lint_text(text) == ()


def test_broken_document_does_not_hide_its_neighbours() -> None:
    findings = lint_text(f"{CLASS}---\na: [\n---\n{SHORT}")
    assert {"EFS000", "EFS101"} <= rules(findings)
    assert lines(findings, "EFS101") == [SHORT_LINE + CLASS.count("\n") + 3]
