"""The GitHub action: its script passes on what it is given, word for word, and never reads it as code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")


def step(identity: str) -> dict[str, Any]:
    (found,) = (each for each in ACTION["runs"]["steps"] if each.get("id") == identity)
    return dict(found)


def lint(folder: Path, code: int, **inputs: str) -> tuple[list[str], dict[str, str]]:
    """Run the step with a command that writes down its arguments; return them and the step's outputs."""
    command, output = folder / "command", folder / "output"
    command.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >arguments\nexit {code}\n', encoding="utf-8")
    command.chmod(0o755)
    given = {"PATHS": ".", "ARGS": "", "SARIF_FILE": "efslint.sarif", "FAIL_ON": "warning"} | inputs
    runner = {"COMMAND": str(command), "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": "summary.md"}
    shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("lint")["run"])
    subprocess.run(shell, cwd=folder, env={"PATH": os.environ["PATH"]} | runner | given, check=True)
    outputs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    return (folder / "arguments").read_text(encoding="utf-8").splitlines(), outputs


def test_inputs_become_arguments(tmp_path: Path) -> None:
    arguments, _ = lint(tmp_path, 0, PATHS="deploy\nmy charts\n", ARGS="--strict  --exclude **/x\n", FAIL_ON="error")
    reports = ["-f", "github", "-f", "markdown=summary.md"]
    options = ["--fail-on", "error", "--strict", "--exclude", "**/x", "-f", "sarif=efslint.sarif"]
    assert arguments == [*reports, *options, "--", "deploy", "my charts"]


def test_inputs_are_never_code(tmp_path: Path) -> None:
    attack = '$(touch pwned);`touch pwned`;"; touch pwned; #'
    arguments, _ = lint(tmp_path, 0, PATHS=attack, ARGS=attack, SARIF_FILE=attack, FAIL_ON=attack)
    assert arguments[-2:] == ["--", attack]
    assert f"sarif={attack}" in arguments
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("code", "sarif", "outputs"),
    [
        (0, "a.sarif", {"exit-code": "0", "sarif-file": "a.sarif"}),
        (1, "a.sarif", {"exit-code": "1", "sarif-file": "a.sarif"}),  # findings: uploaded, and the job fails later
        (2, "a.sarif", {"exit-code": "2"}),  # nothing was linted, so there is no report
        (1, "", {"exit-code": "1"}),
    ],
)
def test_the_report_is_uploaded_unless_there_is_none(
    tmp_path: Path, code: int, sarif: str, outputs: dict[str, str]
) -> None:
    assert lint(tmp_path, code, SARIF_FILE=sarif)[1] == outputs


def test_expressions_stand_only_where_no_shell_reads_them() -> None:
    assert [each["name"] for each in ACTION["runs"]["steps"] if "${{" in each.get("run", "")] == []


def test_other_actions_are_pinned_to_commits() -> None:
    used = [each["uses"].partition("@")[2] for each in ACTION["runs"]["steps"] if "uses" in each]
    assert used
    assert all(len(commit) == 40 and set(commit) <= set("0123456789abcdef") for commit in used)


EXAMPLES = ROOT / "docs" / "examples"


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-actions", [ROOT / "action.yml"]),
        ("vendor.github-workflows", sorted(EXAMPLES.glob("github-workflow*.yml"))),
        ("vendor.gitlab-ci", [EXAMPLES / "gitlab-ci.yml"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_examples_are_what_the_platforms_take(schema: str, files: list[Path]) -> None:
    """With the schemas of SchemaStore, which check-jsonschema carries along."""
    pytest.importorskip("check_jsonschema")
    assert files
    command = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema)
    answer = subprocess.run((*command, *files), capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_actionlint_finds_no_fault_with_the_workflows() -> None:
    program = shutil.which("actionlint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("actionlint is not installed")
    files = sorted(EXAMPLES.glob("github-workflow*.yml"))
    answer = subprocess.run((program, "-no-color", *files), capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_workflow_gives_the_action_only_inputs_that_it_has() -> None:
    workflow = YAML(typ="safe").load((EXAMPLES / "github-workflow.yml").read_text(encoding="utf-8"))
    steps = [each for job in workflow["jobs"].values() for each in job["steps"]]
    (ours,) = (each for each in steps if each.get("uses", "").partition("@")[0].endswith("/efslint"))
    assert ours["with"].keys() <= ACTION["inputs"].keys()
