"""The wheel: what was built is what is in the repository, and works away from it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import efslint

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, code: int = 0) -> str:
    answer = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert answer.returncode == code, answer.stdout + answer.stderr
    return answer.stdout


@pytest.fixture
def wheel(checkout: Path, tmp_path: Path) -> Path:
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", checkout)
    run(*build, cwd=tmp_path)
    (path,) = (tmp_path / "dist").glob("*.whl")
    return path


def test_the_wheel_holds_the_package_and_the_rules(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = (*("efslint/**/*.py", "efslint/**/*.json", "efslint/**/*.yaml"), "efslint/**/py.typed")
    package = {path.relative_to(ROOT).as_posix() for pattern in shipped for path in ROOT.glob(pattern)}
    rules = {f"efslint/_rules/{path.name}" for path in (ROOT / "rules").iterdir()}
    data = f"efslint-{efslint.__version__}.data/data"
    shells = {f"{data}/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "share").rglob("*") if path.is_file()}
    assert rules
    assert shells
    assert {name for name in names if ".dist-info/" not in name} == package | rules | shells | {"efslint/_compiled.py"}
    assert f"efslint-{efslint.__version__}.dist-info/licenses/LICENSE" in names


@pytest.mark.usefixtures("package_index")
def test_the_installed_wheel_lists_every_rule_and_lints(wheel: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=elsewhere)
    python = next(path for path in (tmp_path / "venv").glob("*/python*") if path.stem == "python")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=elsewhere)
    command = python.with_name("efslint")
    assert run(command, "--version", cwd=elsewhere) == f"efslint {efslint.__version__}\n"
    listed = [line.split() for line in run(command, "--list-rules", cwd=elsewhere).splitlines()]
    files = [path.stem.partition("-") for path in sorted((ROOT / "rules").glob("*.yaml"))]
    assert [words[0] for words in listed] == [identity for identity, _, _ in files]
    assert [name for words, (_, _, name) in zip(listed, files, strict=True) if name not in words] == []
    assert "EFS201" in run(command, ROOT / "fixtures" / "postgres-on-efs", cwd=elsewhere, code=1)
