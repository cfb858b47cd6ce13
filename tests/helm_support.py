"""Charts of the tests, and what efslint says of them: from what Helm printed, or from the chart itself."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from efslint.builtin import default_settings
from efslint.helm import engine
from efslint.helm.options import HelmOptions
from efslint.inputs.reading import ChartDirectory
from efslint.pipeline import Outcome, lint
from efslint.rules.finding import Finding
from efslint.text.source import Source

ROOT = Path(__file__).parents[1]
CHARTS = "fixtures/charts"
needs_engine = pytest.mark.skipif(find_spec("helm_python") is None, reason="the extra efslint[helm] is not installed")


class Told(NamedTuple):
    """What a finding says of its place: a path below the charts, a line, its text there, and how sure that is."""

    rule: str
    path: str
    line: int
    text: str
    sureness: str


def told(finding: Finding) -> Told:
    """Read a finding as people do: what is not said to be otherwise is exact."""
    said = re.search(r"place in the chart: ([a-z ]+)", finding.message)
    path = finding.span.source.path.removeprefix(f"{CHARTS}/")
    sureness = said[1] if said is not None else "exact"
    return Told(finding.rule, path, finding.span.first.line, finding.span.text, sureness)


def printed(chart: str, helm: int) -> str:
    """Return what a version of Helm printed for a chart."""
    return (ROOT / "fixtures" / "helm-output" / f"{chart}.helm{helm}.yaml").read_text(encoding="utf-8")


def pipe(text: str, options: HelmOptions | None = None) -> Outcome:
    """Lint a text from standard input; charts are looked for among those of the tests."""
    used = HelmOptions(roots=(CHARTS,)) if options is None else options
    return lint([Source("<stdin>", text)], default_settings()._replace(helm=lambda: used))


def direct(chart: str, options: HelmOptions | None = None) -> Outcome:
    """Lint the directory of a chart."""
    used = HelmOptions() if options is None else options
    return lint([ChartDirectory(chart)], default_settings()._replace(helm=lambda: used))


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a machine on which the extra is not installed."""
    monkeypatch.setattr(engine, "is_available", lambda: False)


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where the charts of the tests have short paths."""
    monkeypatch.chdir(ROOT)


def write(root: Path, files: dict[str, str]) -> str:
    """Write the files of a chart and return its directory."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return str(root)


VOLUME = """\
apiVersion: v1
kind: PersistentVolume
metadata:
  name: %s
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteMany]
%s
  nfs: {server: 192.0.2.5, path: /}
"""
"""A volume on an NFS server; what is put in last are its mount options."""
