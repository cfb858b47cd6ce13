"""Start-up time is a feature: what a run does not need is not even imported."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import efslint

ROOT = Path(__file__).parents[1]
FIXTURE = "fixtures/postgres-on-efs"
LOADED = """
import json, sys
from efslint.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
NEW_DEPENDENCIES = pytest.mark.skipif(
    version("jsonschema") == "4.18.0", reason="the oldest versions of what efslint needs load more"
)
WITHOUT_STORAGE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports: [{port: 80}]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: nginx:1.27
"""
THIRD_PARTY = {"_ruamel_yaml", "attr", "attrs", "jsonschema", "pathspec", "referencing", "rpds", "ruamel", "yaml"}
SLOW = {
    "asyncio",
    "email",
    "http",
    "importlib.metadata",
    "logging",
    "multiprocessing",
    "socket",
    "ssl",
    "urllib.request",
}
NOT_BEFORE_A_FACT = r"efslint\.(adopt$|adoption\.(?!rule_names)|knowledge|rules\.check|storage\.resolve)"
UNUSED = {"concurrent.futures", "difflib", "tomllib", "traceback", "efslint.helm.engine"}
"""What only an unusual run needs."""
OTHER_FORMATS = {f"efslint.report.{name}" for name in ("github", "gitlab", "json_report", "junit", "markdown", "sarif")}


def loaded(*arguments: str) -> set[str]:
    """Run the command in a fresh interpreter and return the modules that were loaded at the end."""
    # -X importtime and coverage load modules of their own.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE", "PYTHON"))
    }
    command = (sys.executable, "-c", LOADED, *arguments)
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return set(json.loads(answer.stderr.splitlines()[-1]))


def top(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


def test_the_version_loads_no_other_package() -> None:
    assert top(loaded("--version")) & THIRD_PARTY == set()


def test_the_version_loads_nothing_slow() -> None:
    modules = loaded("--version")
    assert modules & SLOW == set()
    assert {module for module in modules if re.match(r"efslint\.(?!cli(_\w+)?(\.|$))", module)} == set()


@NEW_DEPENDENCIES
def test_a_manifest_without_storage_needs_no_rules(tmp_path: Path) -> None:
    manifest = tmp_path / "web.yaml"
    manifest.write_text(WITHOUT_STORAGE, encoding="utf-8")
    modules = loaded(str(manifest))
    assert "efslint.pipeline" in modules
    assert top(modules) & {"attr", "attrs", "jsonschema", "pathspec", "referencing", "rpds"} == set()
    assert modules & (SLOW | UNUSED | {"dataclasses", "inspect", "pathlib", "shutil"}) == set()
    assert {module for module in modules if re.match(NOT_BEFORE_A_FACT, module)} == set()


@NEW_DEPENDENCIES
def test_a_manifest_with_findings_loads_nothing_slow() -> None:
    modules = loaded(FIXTURE)
    assert "efslint.rules.check" in modules
    assert modules & (SLOW | UNUSED) == set()
    assert {module for module in modules if module.startswith("efslint.adoption.")} == {"efslint.adoption.rule_names"}
    assert {module for module in modules if module.startswith("efslint.helm.")} == {"efslint.helm.options"}
    assert {module for module in modules if module.startswith("efslint.report.")} & OTHER_FORMATS == set()


def test_a_suppression_loads_what_it_takes(tmp_path: Path) -> None:
    manifest = tmp_path / "web.yaml"
    manifest.write_text(f"{WITHOUT_STORAGE}# efslint: ignore[EFS201] no database here\n", encoding="utf-8")
    modules = loaded("--no-config", str(manifest))
    assert {"efslint.adoption.directives", "efslint.adoption.suppress"} <= modules
    assert "efslint.adoption.baseline" not in modules


def test_what_several_processes_need_is_loaded_for_several() -> None:
    assert "concurrent.futures.process" in loaded("--no-config", "--jobs", "2", "fixtures")
    assert "concurrent.futures.process" not in loaded("--no-config", "--jobs", "1", "fixtures")


@pytest.mark.parametrize("option", ["--version"])
def test_the_package_runs_as_a_module(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["efslint", option])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("efslint", run_name="__main__")
    assert ended.value.code in (0, None)
    assert capsys.readouterr().out == f"efslint {efslint.__version__}\n"


def test_importing_the_main_module_runs_nothing() -> None:
    assert "main" in runpy.run_module("efslint.__main__", run_name="other")
