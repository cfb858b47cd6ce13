"""Microsoft's validator finds no fault with the SARIF of any fixture and of any rule's examples."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from test_report_sarif import INSTALL, LEFT

from efslint.builtin import built_in_rules, default_settings
from efslint.inputs.files import read_sources
from efslint.pipeline import lint
from efslint.report.sarif import sarif
from efslint.text.source import Source

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write one log for all fixtures, and one for the firing examples of all rules: the validator is slow to start."""
    folder = tmp_path_factory.mktemp("logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FIXTURES.parent)
        inputs = {"fixtures": list(read_sources(["fixtures/cases", "fixtures/postgres-on-efs"]))}
    inputs["examples"] = [
        Source(f"{rule.id}/{number}.yaml", example.manifest)
        for rule in built_in_rules()
        for number, example in enumerate(rule.examples)
        if example.kind == "firing"
    ]
    for name, reads in inputs.items():
        log = sarif(lint(reads, default_settings()).report, suppressed=True)
        (folder / f"{name}.sarif").write_text(log, encoding="utf-8", newline="")
    return sorted(folder.iterdir())


def test_the_validator_finds_no_fault(logs: list[Path], tmp_path: Path) -> None:
    done = subprocess.run(["sh", str(INSTALL)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no SARIF Multitool, npm or the network is missing: {' '.join(done.stderr.split())[:200]}")
    output = tmp_path / "output.json"
    command = [done.stdout.strip(), "validate", *map(str, logs), "--rule-kind", "Sarif;Ghas"]
    command += ["--level", "Error;Warning;Note", "--output", str(output), "--quiet"]
    environment = os.environ | {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    subprocess.run(command, check=False, capture_output=True, env=environment, timeout=300)
    run = json.loads(output.read_text(encoding="utf-8-sig"))["runs"][0]
    assert {
        (Path(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).stem, result["ruleId"])
        for result in run["results"]
        if result["ruleId"].split("/")[0] not in LEFT
    } == set()


def test_the_logs_hold_results(logs: list[Path]) -> None:
    runs = [json.loads(log.read_text(encoding="utf-8"))["runs"][0] for log in logs]
    assert [len(run["results"]) > 100 for run in runs] == [True, True]
    assert {result["ruleId"] for run in runs for result in run["results"]} > {"EFS101", "EFS201", "EFS301"}
