"""The pre-commit hooks, run by pre-commit itself in a real repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CLASS = """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: shared}
provisioner: efs.csi.aws.com
parameters: {provisioningMode: efs-ap, fileSystemId: fs-0a1b2c3d4e5f67890, directoryPerms: "700"}
"""
GOOD = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80}]
"""
# Nothing in this file alone tells that the class is on EFS: the hook has to read the class as well.
BAD = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: postgres}
spec:
  serviceName: postgres
  selector: {matchLabels: {app: postgres}}
  template:
    metadata: {labels: {app: postgres}}
    spec:
      containers:
        - name: postgres
          image: postgres:16.4
          volumeMounts: [{name: data, mountPath: /var/lib/postgresql/data}]
  volumeClaimTemplates:
    - metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: shared
        resources: {requests: {storage: 20Gi}}
"""


class Repository:
    """A repository of a user, in which hooks of a commit of efslint are tried."""

    def __init__(self, folder: Path, hooks: Path) -> None:
        self.folder, self.hooks = folder, hooks
        identity = {
            f"GIT_{who}_{what}": "test@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COV", "PRE_COMMIT"))}
        nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment = kept | identity | nothing | {"PRE_COMMIT_HOME": str(folder.parent / "cache")}

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=cwd, env=self.environment, capture_output=True, text=True, check=False)

    def commit(self, folder: Path) -> None:
        for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "all")):
            answer = self.run("git", *command, cwd=folder)
            assert answer.returncode == 0, answer.stderr

    def hook(self, name: str, *files: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", "pre_commit", "try-repo", str(self.hooks), name, "--verbose")
        return self.run(*command, "--files", *files, cwd=self.folder)


@pytest.fixture
def repository(checkout: Path, tmp_path: Path) -> Repository:
    """A repository with a class, a manifest that is fine and one that is not, and efslint as one commit beside it."""
    folder = tmp_path / "repository"
    folder.mkdir()
    for name, text in (
        ("class.yaml", CLASS),
        ("good.yaml", GOOD),
        ("bad.yaml", BAD),
        ("notes.txt", "not a manifest\n"),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    repository = Repository(folder, checkout)
    repository.commit(checkout)
    repository.commit(folder)
    return repository


@pytest.mark.usefixtures("package_index")
def test_the_hooks(repository: Repository) -> None:
    good = repository.hook("efslint", "good.yaml")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "Passed" in good.stdout

    bad = repository.hook("efslint", "bad.yaml")
    assert bad.returncode == 1, bad.stdout + bad.stderr
    assert "EFS201" in bad.stdout

    other = repository.hook("efslint", "notes.txt")
    assert other.returncode == 0
    assert "Skipped" in other.stdout

    everything = repository.hook("efslint-all", "good.yaml")
    assert everything.returncode == 1, everything.stdout + everything.stderr
    assert "EFS201" in everything.stdout
