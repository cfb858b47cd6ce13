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

    def tried(self, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a hook as somebody does who has not decided for it yet: it is installed for this run only."""
        command = (sys.executable, "-m", "pre_commit", "try-repo", str(self.hooks), name, "--verbose")
        return self.run(*command, *options, cwd=self.folder)

    def hook(self, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a hook of the configuration, which is installed once."""
        return self.run(sys.executable, "-m", "pre_commit", "run", name, "--verbose", *options, cwd=self.folder)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        self.run("git", "add", name, cwd=self.folder)


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
    commit = repository.run("git", "rev-parse", "HEAD", cwd=checkout).stdout.strip()
    hooks = "".join(f"      - id: {name}\n" for name in ("efslint", "efslint-all"))
    config = f"repos:\n  - repo: {checkout}\n    rev: {commit}\n    hooks:\n{hooks}"
    (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    repository.commit(folder)
    return repository


def said(answer: subprocess.CompletedProcess[str]) -> str:
    return answer.stdout + answer.stderr


@pytest.mark.usefixtures("package_index")
def test_a_change_of_only_the_class_is_caught_through_a_workload_that_did_not_change(repository: Repository) -> None:
    repository.write("class.yaml", CLASS.replace("efs.csi", "ebs.csi"))
    repository.commit(repository.folder)
    repository.write("class.yaml", CLASS)
    changed = repository.tried("efslint")
    assert changed.returncode == 1, said(changed)
    assert "bad.yaml:" in changed.stdout
    assert "EFS201" in changed.stdout
    assert "1 file, 1 document read" in changed.stdout, "the class was all that was passed"


@pytest.mark.usefixtures("package_index")
def test_the_hooks(repository: Repository) -> None:
    """One test, as installing the hooks takes most of the time."""
    good = repository.hook("efslint", "--files", "good.yaml")
    assert good.returncode == 0, said(good)
    assert "Passed" in good.stdout

    bad = repository.hook("efslint", "--files", "bad.yaml")
    assert bad.returncode == 1, said(bad)
    assert "EFS201" in bad.stdout

    other = repository.hook("efslint", "--files", "notes.txt")
    assert other.returncode == 0
    assert "Skipped" in other.stdout

    everything = repository.hook("efslint-all", "--files", "good.yaml")
    assert everything.returncode == 1, said(everything)
    assert "EFS201" in everything.stdout

    accept_what_there_is(repository)
    repository.write("new.yaml", BAD.replace("name: postgres}", "name: other}", 1))
    new = repository.hook("efslint")
    assert new.returncode == 1, said(new)
    assert "StatefulSet/other" in new.stdout
    assert "StatefulSet/postgres" not in new.stdout

    repository.run("git", "rm", "--quiet", "--force", "new.yaml", cwd=repository.folder)
    repository.write("bad.yaml", BAD.replace("postgres:16.4", "example.com/app:1"))
    fixed = repository.hook("efslint")
    assert fixed.returncode == 0, said(fixed)
    assert "stale entry: EFS201 of StatefulSet/postgres is no longer found" in fixed.stdout


def accept_what_there_is(repository: Repository) -> None:
    """Make a baseline that the configuration names: the hook passes with it."""
    repository.write(".efslint.yaml", "baseline: known.json\n")
    command = (sys.executable, "-m", "efslint", "--update-baseline", "bad.yaml", "class.yaml")
    made = repository.run(*command, cwd=repository.folder)
    assert made.returncode == 0, said(made)
    repository.run("git", "add", "known.json", cwd=repository.folder)
    repository.commit(repository.folder)
    accepted = repository.hook("efslint", "--files", "bad.yaml", "class.yaml")
    assert accepted.returncode == 0, said(accepted)
    assert "baselined" in accepted.stdout
