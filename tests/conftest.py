"""What several test modules need: a clean copy of the checkout, and whether a package index can be reached."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_MADE = (
    *(".git", ".venv", ".cache", "__pycache__", ".*_cache", ".hypothesis", ".coverage*"),
    *("build", "dist", "*.egg-info"),
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy the checkout as a clone would have it: without history, environments and caches."""
    return Path(shutil.copytree(ROOT, tmp_path / "checkout", ignore=shutil.ignore_patterns(*_MADE)))


@pytest.fixture(scope="session")
def package_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip the test where packages cannot be installed."""
    command = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest")
    answer = subprocess.run((*command, tmp_path_factory.mktemp("index"), "pathspec"), capture_output=True, check=False)
    if answer.returncode:
        pytest.skip("no package index can be reached")
