"""Other tools that look at the same manifests: what a user would run instead, or as well.

Knows how each is got and called. Those of PyPI are installed into environments of their own, the others are used where
they are on the path. They do other work than efslint, so their times say what is usual, not who is better.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from cost import environment

_INSTALL_SECONDS = 600

# What turns off the network and everything that is no check.
_OF_PYPI = {
    "yamllint": ("yamllint", "--no-warnings", "-d", "relaxed"),
    "checkov": ("checkov", "--framework", "kubernetes", "--compact", "--quiet", "--skip-download", "--directory"),
}
_OF_THE_PATH = {
    "kube-linter": ("kube-linter", "lint"),
    "kubeconform": ("kubeconform", "-ignore-missing-schemas", "-summary"),
    "kube-score": ("kube-score", "score"),
}


def commands(cache: Path) -> Iterator[tuple[str, Sequence[str] | None, str]]:
    """Yield the name of each tool, its command (the paths follow), ``None`` where there is none, and its version."""
    for name, words in _OF_PYPI.items():
        program = _installed(cache / name, name)
        yield name, program and (program, *words[1:]), (program and _version(program)) or "could not be installed"
    for name, words in _OF_THE_PATH.items():
        found = shutil.which(name)
        yield name, found and (found, *words[1:]), "" if found else "not on the path"


def _installed(folder: Path, name: str) -> str | None:
    program = folder / "bin" / name
    if not program.exists():
        pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install", name)
        try:
            for command in ((sys.executable, "-m", "venv", folder), pip):
                subprocess.run(command, env=environment(), check=True, timeout=_INSTALL_SECONDS, capture_output=True)
        except (subprocess.SubprocessError, OSError):
            return None
    return str(program) if program.exists() else None


def _version(program: str) -> str:
    answer = subprocess.run((program, "--version"), env=environment(), capture_output=True, text=True, check=False)
    return answer.stdout.split()[-1] if answer.stdout.split() else ""
