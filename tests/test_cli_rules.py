"""Which rules run, how bad they are, and configuration that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import CLASS, CLEAN, DATABASE, SHORT, efslint

RULES = Path(__file__).parents[1] / "rules"

RULE = """\
id: TEAM100
name: team-rule
severity: note
since: "0.1"
target: mount
summary: A volume of the team's own server
when: {required: [server]}
assert: {properties: {server: {not: {const: 192.0.2.5}}}}
message: "server {server} is switched off soon"
help: move it
references: [{title: Servers, url: "https://example.com/servers"}]
rationale: The server is old.
remediation: Use another one.
examples:
  - firing: the server
    manifest: |
      server: 192.0.2.5  # expect: TEAM100
  - near-miss: another server
    manifest: |
      server: 192.0.2.6
  - unknown: no server
    manifest: |
      kind: Pod
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.yaml").write_text(SHORT)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def found(*arguments: str) -> set[str]:
    return efslint("-f", "json", *arguments, "short.yaml").rules


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ([], {"EFS101"}),
        (["--select", "EFS101"], {"EFS101"}),
        (["--select", "EFS1"], {"EFS101"}),
        (["--select", "timeo-too-short"], {"EFS101"}),
        (["--select", "EFS2,EFS101"], {"EFS101"}),
        (["--select", "EFS2", "--select", "EFS101"], {"EFS101"}),
        (["--select", "EFS2"], set()),
        (["--ignore", "EFS101"], set()),
        (["--ignore", "EFS1"], set()),
        (["--ignore", "EFS1", "--select", "EFS101"], {"EFS101"}),
        (["--ignore", "EFS101", "--select", "EFS1"], set()),
    ],
)
def test_rules_are_chosen(arguments: list[str], rules: set[str]) -> None:
    assert found(*arguments) == rules


def test_options_go_before_the_configuration() -> None:
    write(".efslint.yaml", "ignore: [EFS1]\nfail-on: error\nseverity: {EFS101: note}\n")
    assert found() == set()
    assert found("--select", "EFS101") == {"EFS101"}
    assert found("--no-config") == {"EFS101"}
    assert efslint("--select", "EFS101", "short.yaml").status == 0
    assert efslint("--select", "EFS101", "--fail-on", "note", "short.yaml").status == 1
    ran = efslint("-f", "json", "--select", "EFS1", "--severity", "timeo-too-short=error", "short.yaml")
    assert [each["severity"] for each in ran.report["findings"]] == ["error"]
    assert ran.status == 1


def test_the_nearest_configuration_upwards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(".efslint.yaml", "ignore: [EFS101]\n")
    write("d/e/short.yaml", SHORT)
    monkeypatch.chdir("d/e")
    assert found() == set()
    write("../pyproject.toml", "[tool.efslint]\nselect = ['EFS1']\n")
    assert found() == {"EFS101"}
    assert found("--config", str(folder / ".efslint.yaml")) == set()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("selekt: [EFS1]\n", '1:1: unknown key "selekt" (did you mean "select"?)'),
        ("fail-on: error\nignore:\n  - EFS1\n  - EFS999\n", '4:5: there is no rule "EFS999"'),
        (
            "severity: {timeo-to-short: note}\n",
            '1:12: there is no rule "timeo-to-short" (did you mean "timeo-too-short"?)',
        ),
        ("per-path-ignores:\n  'a/*': [EFS1, nothing]\n", '2:17: there is no rule "nothing"'),
        ("per-path-ignores:\n  '!': [EFS1]\n", "2:3: "),
        ("exclude: ['!']\n", "1:11: "),
        ("strict: maybe\n", '1:9: strict must be true or false, not "maybe"'),
        ("select: [EFS1\n", "2:1: "),
        ("rules: [nowhere]\n", "1:9: nowhere: no such file or directory"),
        ("baseline: nowhere.json\n", "1:1: nowhere.json: no such file or directory"),
        ("parameters:\n  probe-timeout-too-short:\n    nothing: 1\n", "3:5: "),
        ("parameters:\n  probe-timeout-too-short:\n    efs_latency_seconds: soon\n", "3:5: "),
        ("parameters:\n  timeo-too-short:\n    x: 1\n", "3:5: "),
        ("engines:\n  - nothing: 1\n", "2:5: "),
        ("engines:\n  - id: ledger\n    images: [{match: ledger}]\n", "2:5: product is missing"),
    ],
)
def test_configuration_that_cannot_be_used(text: str, complaint: str) -> None:
    write(".efslint.yaml", text)
    write("d/short.yaml", CLEAN)
    ran = efslint("d")
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith(f"efslint: .efslint.yaml:{complaint}")
    assert ran.err.count("\n") == 1


def test_a_broken_configuration_found_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    write(".efslint.yaml", "\nselekt: []\n")
    write("d/short.yaml", CLEAN)
    monkeypatch.chdir("d")
    assert efslint(".").err.startswith("efslint: ../.efslint.yaml:2:1: unknown key")
    assert efslint("--list-rules").status == efslint("--show-config").status == efslint("--list-files", ".").status == 2
    assert efslint("--version").status == efslint("--help").status == 0


def test_a_configuration_that_is_no_text() -> None:
    Path(".efslint.yaml").write_bytes("select: [EFS1]\n".encode("utf-16-le"))
    ran = efslint("short.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("efslint: .efslint.yaml:1:1: the text is UTF-16")


def test_parameters_of_a_rule_are_used_even_where_it_is_named_by_id() -> None:
    write(".efslint.yaml", "parameters: {EFS301: {efs_latency_seconds: 1}}\n")
    assert efslint("short.yaml").status == 1
    assert efslint("--show-config").out.count("efs_latency_seconds") == 1


def test_engines_of_ones_own() -> None:
    write("class.yaml", CLASS)
    write(
        "db.yaml",
        DATABASE.replace("postgres:16", "registry.example.com/team/ledger:2").replace("postgresql/data", "ledger"),
    )
    assert "EFS201" not in efslint("-f", "json", "class.yaml", "db.yaml").rules
    engine = "{id: ledger, product: Ledger, category: database, images: [{match: ledger, data: /var/lib/ledger}]}"
    write(".efslint.yaml", f"engines:\n  - {engine}\n")
    ran = efslint("-f", "json", "class.yaml", "db.yaml")
    (finding,) = [each for each in ran.report["findings"] if each["rule"] == "EFS201"]
    assert "Ledger" in finding["message"]


def test_a_rule_pack() -> None:
    write("pack/TEAM100-team-rule.yaml", RULE)
    write("pack/README.md", "no rule")
    assert found("--rules", "pack") == {"EFS101", "TEAM100"}
    assert found("--rules", "pack", "--select", "TEAM") == {"TEAM100"}
    assert found("--rules", "pack", "--ignore", "team-rule") == {"EFS101"}
    assert efslint("--rules", "pack", "--explain", "TEAM100").out.startswith("TEAM100 team-rule\n")
    assert "\nTEAM100  note     team-rule" in efslint("--rules", "pack", "--list-rules").out
    write(".efslint.yaml", "rules: [pack]\nselect: [TEAM100]\n")
    assert found() == {"TEAM100"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RULE.replace("severity: note", "severity: bad"), "TEAM100-team-rule.yaml:3:1: "),
        (RULE.replace("help:", "hlep:"), "TEAM100-team-rule.yaml:10:1: unknown key 'hlep'; did you mean 'help'?"),
        (RULE.replace("server}", "servr}"), "TEAM100-team-rule.yaml:9:1: "),
        (RULE.replace("[server]", "[server"), "TEAM100-team-rule.yaml:7:25: "),
        ("", "TEAM100-team-rule.yaml:1:1: not a rule file: there is nothing in it"),
    ],
)
def test_a_rule_file_that_is_wrong(text: str, complaint: str) -> None:
    write("pack/TEAM100-team-rule.yaml", text)
    ran = efslint("--rules", "pack", "short.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"efslint: pack/{complaint}")
    assert ran.err.count("\n") == 1


def test_rule_ids_are_unique_over_all_packs() -> None:
    write("one/TEAM100-team-rule.yaml", RULE)
    write("two/TEAM100-team-rule.yaml", RULE)
    ran = efslint("--rules", "one", "--rules", "two", "short.yaml")
    assert ran.err == "efslint: two/TEAM100-team-rule.yaml:1:5: rule id TEAM100 is used by a rule of one too\n"
    write("three/EFS101-team-rule.yaml", RULE.replace("TEAM100", "EFS101"))
    ran = efslint("--rules", "three", "short.yaml")
    assert ran.err == "efslint: three/EFS101-team-rule.yaml:1:5: rule id EFS101 is used by a rule of efslint too\n"


def test_a_rule_pack_that_cannot_be_read() -> None:
    write("empty/README.md", "")
    ran = efslint("--rules", "empty", "short.yaml")
    assert (ran.status, ran.err) == (2, "efslint: empty: there are no rule files (*.yaml) in this folder\n")
    Path("pack").mkdir()
    Path("pack/TEAM100-team-rule.yaml").symlink_to("nothing")
    ran = efslint("--rules", "pack", "short.yaml")
    assert (ran.status, ran.err) == (2, "efslint: pack/TEAM100-team-rule.yaml: no such file or directory\n")
    Path("pack/TEAM100-team-rule.yaml").unlink()
    Path("pack/TEAM100-team-rule.yaml").write_bytes(RULE.encode("utf-16-be"))
    ran = efslint("--rules", "pack", "short.yaml")
    assert ran.status == 2
    assert ran.err.startswith("efslint: pack/TEAM100-team-rule.yaml:1:1: the text is UTF-16")


def test_every_rule_is_listed_once() -> None:
    listed = [line.split()[0] for line in efslint("--list-rules").out.splitlines()]
    assert listed == sorted(path.name.split("-")[0] for path in RULES.glob("*.yaml"))


def test_the_list_of_rules_is_a_table() -> None:
    lines = efslint("--list-rules").out.splitlines()
    assert len({line.index(line.split(maxsplit=3)[3]) for line in lines}) == 1


def test_an_explanation() -> None:
    text = efslint("--explain", "timeo-too-short").out
    assert text == efslint("--explain", "EFS101").out
    assert text.startswith("EFS101 timeo-too-short\n")
    several = efslint("--explain", "EFS10").out
    assert text in several
    assert "\n\nEFS102 " in several


def test_the_configuration_in_force_is_shown_with_who_gave_it() -> None:
    write(".efslint.yaml", "select: [EFS1]\n")
    text = efslint("--show-config", "--ignore", "EFS102", "--strict").out
    assert '\n  - "EFS1"  # .efslint.yaml:1\n' in text
    assert '\n  - "EFS102"  # --ignore\n' in text
    assert "\nstrict: true  # --strict\n" in text
    write("again/.efslint.yaml", text)
    assert '\n  - "EFS102"  # again/.efslint.yaml' in efslint("--show-config", "--config", "again/.efslint.yaml").out


def test_what_a_class_is_that_is_not_in_the_input() -> None:
    write("db.yaml", DATABASE)
    alone = efslint("-f", "json", "--fail-on", "warning", "db.yaml")
    assert alone.rules == {"EFS003"}
    assert alone.report["summary"]["unresolved"] == 1
    told = efslint("-f", "json", "--storage-class", "files=efs.csi.aws.com", "db.yaml")
    assert "EFS201" in told.rules
    assert {each["confidence"] for each in told.report["findings"] if each["rule"] == "EFS201"} == {"assumed"}
    assert told.report["summary"]["unresolved"] == 0
    assert efslint("-f", "json", "--storage-class", "files=ebs.csi.aws.com", "db.yaml").report["findings"] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("db.yaml", DATABASE),
        ("bad.yaml", "kind: [\n"),
        ("template.yaml", "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Release.Name }}-data\n"),
    ],
)
def test_strict_fails_for_everything_that_was_not_looked_at(name: str, text: str) -> None:
    write(name, text)
    assert efslint("--fail-on", "never", name).status == 0
    assert efslint("--fail-on", "never", "--strict", name).status == 1
    write("class.yaml", CLASS)
    assert efslint("--fail-on", "never", "--strict", "class.yaml").status == 0
