"""The container image, as far as it can be judged without building it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STEPS = [
    shlex.split(line)
    for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]


def copied() -> list[str]:
    """Return what is copied from the checkout."""
    sources: list[str] = []
    for word, *arguments in STEPS:
        if word == "COPY" and not arguments[0].startswith("--from"):
            sources.extend(arguments[:-1])
    return sources


def context(folder: Path) -> Path:
    """Copy what ``.dockerignore`` lets through, whose form here is: nothing but what is named with ``!``."""
    nothing, *rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert nothing == "*"
    for name in (rule[1:] for rule in rules if rule.startswith("!")):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


def test_everything_that_is_copied_is_there_and_not_ignored(tmp_path: Path) -> None:
    folder = context(tmp_path)
    assert copied()
    assert [name for name in copied() if not (folder / name).exists()] == []


def test_the_image_runs_as_nobody_and_lints_what_is_mounted() -> None:
    last = {step[0]: step[1:] for step in STEPS}
    user = last["USER"][0].split(":")
    assert all(part.isdigit() and int(part) > 0 for part in user), "a number, so that a cluster can tell it is not root"
    assert last["WORKDIR"] == ["/src"]
    assert last["ENTRYPOINT"] == ["[efslint]"]


@pytest.mark.slow
@pytest.mark.usefixtures("package_index")
def test_what_the_image_is_built_from_can_be_installed(tmp_path: Path) -> None:
    folder = context(tmp_path)
    environment = tmp_path / "venv"
    subprocess.run((sys.executable, "-m", "venv", environment), check=True)
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run((python, "-m", "pip", "install", "--quiet", "."), cwd=folder, check=True)
    fixture = ROOT / "fixtures" / "postgres-on-efs"
    answer = subprocess.run((python, "-m", "efslint", "-q", fixture), cwd=environment, capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (1, b"")
