"""SARIF: the demands of GitHub and GitLab, and what Microsoft's validator says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from changing import replace
from report_samples import (
    BROKEN,
    CLASS,
    FINDINGS,
    HOSTILE,
    NONE,
    NOTHING_READ,
    REPORTS,
    RULES,
    STDIN,
    at,
    finding,
    rule,
)

from efslint.report.escape import visible
from efslint.report.formats import render
from efslint.report.model import Report
from efslint.report.sarif import sarif, uri
from efslint.rules.finding import Severity
from efslint.rules.rule import Rule
from efslint.storage.fact import Step
from efslint.text.source import Source, Span

INSTALL = Path(__file__).parent / "sarif" / "install.sh"


@pytest.fixture(autouse=True)
def _explanations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put known words in the place of the explanations."""

    def plain_text(rule: Rule) -> str:
        return f"all about {rule.id}"

    def markdown(rule: Rule) -> str:
        return f"**all** about {rule.id}"

    module = ModuleType("efslint.rules.explain")
    module.__dict__.update(plain_text=plain_text, markdown=markdown)
    monkeypatch.setitem(sys.modules, module.__name__, module)


def run(report: Report, **options: Any) -> dict[str, Any]:
    log = json.loads(sarif(report, **options))
    assert list(log) == ["$schema", "version", "runs"]
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


def results(report: Report, **options: Any) -> list[dict[str, Any]]:
    found = run(report, **options)["results"]
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="session")
def multitool() -> str:
    done = subprocess.run(["sh", str(INSTALL)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no SARIF Multitool, npm or the network is missing: {' '.join(done.stderr.split())[:200]}")
    return done.stdout.strip()


# What the validator recommends and we leave: message ids in place of texts (2002), the version control of the checkout
# (2003, 2013), snippets and their context (2010, 2011: a log must not carry what stands in a manifest), names in Pascal
# case (2012: ours are what people type), and asking the network whether addresses exist (2006). 2005 wants a home page.
LEFT = {"SARIF2002", "SARIF2003", "SARIF2005", "SARIF2006", "SARIF2010", "SARIF2011", "SARIF2012", "SARIF2013"}


def test_the_validator_finds_no_fault(multitool: str, tmp_path: Path) -> None:
    logs = {name: sarif(report) for name, report in REPORTS.items()}
    logs["suppressed"] = sarif(FINDINGS, suppressed=True, category="nightly")
    logs["wrong"] = sarif(NONE).replace('"ruleId"', '"ruleID"').replace('"results": []', '"results": [{}]')
    for name, log in logs.items():
        (tmp_path / f"{name}.sarif").write_text(log, encoding="utf-8", newline="")
    output = tmp_path / "output.json"
    command = [multitool, "validate", *(str(tmp_path / f"{name}.sarif") for name in logs)]
    command += ["--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note", "--output", str(output), "--quiet"]
    environment = os.environ | {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    subprocess.run(command, check=False, capture_output=True, env=environment, timeout=300)
    said = {
        (
            Path(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).stem,
            result["ruleId"].split("/")[0],
        )
        for result in json.loads(output.read_text(encoding="utf-8-sig"))["runs"][0]["results"]
    }
    assert any(name == "wrong" for name, _ in said), "the validator must be able to find fault"
    assert {(name, rule) for name, rule in said if name != "wrong" and rule not in LEFT} == set()


def test_a_clean_run_has_results_and_all_rules() -> None:
    clean = run(NONE)
    assert clean["results"] == []
    assert [rule["id"] for rule in clean["tool"]["driver"]["rules"]] == ["EFS000", "EFS101", "EFS102", "EFS201"]
    assert clean["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    assert clean["columnKind"] == "unicodeCodePoints"
    assert clean["tool"]["driver"] | {"rules": []} == {"name": "efslint", "semanticVersion": "0.1.0", "rules": []}


def test_a_rule_is_described() -> None:
    assert run(NONE)["tool"]["driver"]["rules"][1] == {
        "id": "EFS101",
        "name": "timeo-too-short",
        "shortDescription": {"text": "The client gives up after a moment."},
        "fullDescription": {"text": "A pause of the file system looks like an outage."},
        "help": {"text": "all about EFS101", "markdown": "**all** about EFS101"},
        "helpUri": "https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-nfs-mount-settings.html",
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "tags": ["kubernetes", "storage", "nfs", "mount-options"],
            "precision": "high",
            "problem.severity": "warning",
        },
    }


def test_a_rule_of_a_pack_stays_within_the_limits() -> None:
    (described,) = run(replace(NONE, rules=(rule("ACME1", "n" * 300, "note", "s" * 2000, "r" * 2000),)))["tool"][
        "driver"
    ]["rules"]
    assert len(described["name"]) == 255
    assert len(described["shortDescription"]["text"]) <= 1024
    assert len(described["fullDescription"]["text"]) <= 1024
    assert described["properties"]["tags"] == ["kubernetes", "storage", "nfs"]
    assert described["properties"]["problem.severity"] == "recommendation"
    assert "helpUri" not in described


def test_the_rule_of_a_result_is_the_one_at_its_index() -> None:
    for result in results(FINDINGS):
        assert RULES[result["ruleIndex"]].id == result["ruleId"]
    assert "ruleIndex" not in results(replace(FINDINGS, rules=()))[0]


def _region(place: dict[str, Any]) -> tuple[str, int, int, int, int]:
    physical = place["physicalLocation"]
    region = physical["region"]
    return (
        physical["artifactLocation"]["uri"],
        region["startLine"],
        region["startColumn"],
        region["endLine"],
        region["endColumn"],
    )


def test_a_result_leads_to_one_line_and_along_the_chain() -> None:
    on_efs, too_short = results(FINDINGS)
    assert [_region(place) for place in on_efs["locations"]] == [("apps/db.yaml", 18, 27, 18, 33)]
    assert on_efs["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "prod/StatefulSet/ledger"
    assert on_efs["message"]["text"] == (
        "StatefulSet/ledger keeps PostgreSQL's data directory /data/pg on EFS. "
        "Help: give the claim a class of block storage, such as one of ebs.csi.aws.com. "
        "Evidence: [container postgres runs PostgreSQL](1), [which keeps its data in /data/pg](2), "
        "[where volume data is mounted](3), [whose provisioner is the EFS CSI driver](4)."
    )
    assert [(place["id"], *_region(place)) for place in on_efs["relatedLocations"]] == [
        (1, "apps/db.yaml", 10, 18, 10, 31),
        (2, "apps/db.yaml", 11, 39, 11, 47),
        (3, "apps/db.yaml", 13, 39, 13, 44),
        (4, "storage/class.yaml", 5, 14, 5, 29),
    ]
    (flow,) = on_efs["codeFlows"]
    assert [_region(step["location"])[1] for step in flow["threadFlows"][0]["locations"]] == [10, 11, 13, 18, 5]
    assert on_efs["partialFingerprints"] == {"primaryLocationLineHash": "3a7c:1"}
    assert on_efs["properties"] == {"confidence": "certain", "container": "postgres"}
    assert too_short["level"] == "warning"
    assert "codeFlows" not in too_short
    assert "Evidence" not in too_short["message"]["text"]


def test_a_place_over_two_lines_ends_with_the_first() -> None:
    (broken,) = results(BROKEN)
    assert _region(broken["locations"][0]) == ("broken.yaml", 3, 7, 3, 11)
    assert "logicalLocations" not in broken["locations"][0]


def test_a_result_without_evidence_still_has_a_place() -> None:
    assert _region(results(STDIN)[0]["locations"][0]) == ("%3Cstdin%3E", 7, 5, 7, 13)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("apps/db.yaml", "apps/db.yaml"),
        ("./apps/db.yaml", "apps/db.yaml"),
        ("a b/ü#?%.yaml", "a%20b/%C3%BC%23%3F%25.yaml"),
        ("a:b.yaml", "a%3Ab.yaml"),
        ("a\\b.yaml", "a%5Cb.yaml"),
        ("\udce9.yaml", "%E9.yaml"),
        ("/etc/a b.yaml", "file:///etc/a%20b.yaml"),
        ("C:/a b.yaml", "file:///C:/a%20b.yaml"),
    ],
)
def test_a_path_becomes_an_address(path: str, address: str) -> None:
    assert uri(path) == address


def _numbered(number: int) -> tuple[Step, ...]:
    source = Source("many.yaml", "".join(f"line{n}: x\n" for n in range(1, number + 1)))
    spans = [at(source, f"line{n}:") for n in range(1, number + 1)]
    return tuple(Step(span, f"see [{n}] {'x' * 200}") for n, span in enumerate(spans))


def test_long_chains_and_messages_stay_within_the_limits() -> None:
    steps = _numbered(300)
    long = finding(steps[299].span, *steps, message="[" * 5000)
    (result,) = results(replace(NONE, findings=(long,)))
    assert len(result["message"]["text"]) <= 2048
    assert len(result["relatedLocations"]) == 99
    chain = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(chain) == 100
    assert _region(chain[-1]["location"])[1] == 300
    links = result["message"]["text"].count("](")
    assert 0 < links < 8
    assert result["message"]["text"].endswith(f" and {299 - links} more places.")
    assert "[see \\[0\\] xxx" in result["message"]["text"]
    few = results(replace(NONE, findings=(finding(steps[0].span, *steps[:3]),)))[0]["message"]["text"]
    assert few.startswith("it is so. Evidence: [see \\[1\\] x")
    assert few.count("](") == 2


def test_a_step_without_words_is_called_by_its_place() -> None:
    span = at(CLASS, "shared")
    (result,) = results(replace(NONE, findings=(finding(span, Step(at(CLASS, "timeo=60"), ""), Step(span, "")),)))
    assert result["message"]["text"] == "it is so. Evidence: [storage/class.yaml:7](1)."
    said = [step["location"]["message"]["text"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert said == ["it is so.", "it is so."]


def test_nothing_from_the_input_passes_for_a_link_or_reaches_a_terminal() -> None:
    (result,) = results(HOSTILE)
    assert "\\[a](http://b.example)" in result["message"]["text"]
    assert result["message"]["text"].count("](1)") == 1
    text = sarif(HOSTILE).replace("\n", "")
    assert visible(text) == text
    assert text.encode("utf-8")


def test_what_was_not_looked_at_is_said() -> None:
    skipped, unresolved = run(FINDINGS)["invocations"][0]["toolExecutionNotifications"]
    assert skipped == {
        "level": "warning",
        "message": {"text": "Not looked into: unrendered-template."},
        "descriptor": {"id": "skipped"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "chart/templates/pv.yaml"},
                    "region": {"startLine": 1},
                }
            }
        ],
    }
    assert unresolved["message"]["text"] == "2 references could not be resolved."
    (nothing,) = run(NOTHING_READ)["invocations"][0]["toolExecutionNotifications"]
    assert nothing["message"]["text"] == "No Kubernetes object found."
    assert run(FINDINGS)["properties"]["summary"]["unresolved"] == 2


def test_suppressed_results_are_left_out_unless_asked_for() -> None:
    assert all("suppressions" not in result for result in results(FINDINGS))
    assert [result["suppressions"] for result in results(FINDINGS, suppressed=True)] == [
        [],
        [],
        [{"kind": "inSource", "status": "accepted", "justification": "tested under load"}],
    ]
    silent = replace(FINDINGS, suppressed=(replace(FINDINGS.suppressed[0], justification=""),))
    assert results(silent, suppressed=True)[2]["suppressions"] == [{"kind": "inSource", "status": "accepted"}]
    assert json.loads(render("sarif", FINDINGS, sarif_suppressed=True))["runs"][0]["results"][2]["suppressions"]


@pytest.mark.parametrize(("category", "id_"), [("nightly", "nightly/"), ("a/b/", "a/b/")])
def test_a_category_ends_with_a_slash(category: str, id_: str) -> None:
    assert run(NONE, category=category)["automationDetails"] == {"id": id_}
    assert json.loads(render("sarif", NONE, sarif_category=category))["runs"][0]["automationDetails"] == {"id": id_}
    assert "automationDetails" not in run(NONE)


def test_of_too_many_results_the_worst_are_kept_in_their_order() -> None:
    source = Source("a.yaml", "x" * 5002)
    spans = [Span(source, n, n + 1) for n in range(5002)]
    levels = [Severity.NOTE, Severity.WARNING, *[Severity.NOTE] * 4999, Severity.ERROR]
    many = tuple(finding(span, severity=level) for span, level in zip(spans, levels, strict=True))
    cut = run(replace(NONE, findings=many))
    assert len(cut["results"]) == 5000
    assert [result["level"] for result in cut["results"][:2]] == ["note", "warning"]
    assert cut["results"][-1]["level"] == "error"
    (notice,) = cut["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"] == "2 results left out: the 5000 worst are listed."


def test_the_help_is_what_explain_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "efslint.rules.explain")
    explain = pytest.importorskip("efslint.rules.explain")
    described = run(NONE)["tool"]["driver"]["rules"][1]
    assert described["help"] == {"text": explain.plain_text(RULES[1]), "markdown": explain.markdown(RULES[1])}
