"""Start-up time is a feature: what a run does not need is not even imported."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
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


def test_a_manifest_without_storage_needs_no_rules(tmp_path: Path) -> None:
    manifest = tmp_path / "web.yaml"
    manifest.write_text(WITHOUT_STORAGE, encoding="utf-8")
    modules = loaded("--no-config", str(manifest))
    assert top(modules) & {"attr", "attrs", "jsonschema", "pathspec", "referencing", "rpds"} == set()
    assert modules & SLOW == set()


def test_a_manifest_with_findings_loads_nothing_slow() -> None:
    modules = loaded("--no-config", FIXTURE)
    assert "efslint.rules.check" in modules
    assert modules & SLOW == set()


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
