"""What a release is made of: the same bytes each time, versions that are tested, licences that are listed."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import licences
import plot
import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def built(checkout: Path, target: Path, seed: str) -> dict[str, str]:
    """Build both archives and return the digests by file name."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": seed}
    command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", target, checkout)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in target.iterdir()}


@pytest.mark.slow
def test_two_builds_are_the_same_byte_for_byte(checkout: Path, tmp_path: Path) -> None:
    first = built(checkout, tmp_path / "first", "1")
    elsewhere = checkout.rename(tmp_path / "elsewhere")
    for path in elsewhere.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    assert sorted(name.rpartition("-")[2] for name in first) == ["0.1.0.tar.gz", "any.whl"]
    assert built(elsewhere, tmp_path / "second", "2") == first


@pytest.mark.slow
def test_the_archives_are_what_an_index_takes(checkout: Path, tmp_path: Path) -> None:
    pytest.importorskip("twine")
    names = built(checkout, tmp_path / "dist", "0")
    command = (sys.executable, "-m", "twine", "check", "--strict", *(tmp_path / "dist" / name for name in names))
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout


def test_the_lowest_versions_are_the_ones_that_are_tested() -> None:
    lowest = dict(re.findall(r"^([\w.]+)==([\d.]+)$", (ROOT / "tests" / "minimal.txt").read_text(), re.MULTILINE))
    written = [re.match(r"([\w.]+)>=([\d.]+)", each) for each in PROJECT["dependencies"]]
    allowed = dict(match.groups() for match in written if match is not None)
    assert len(allowed) == len(PROJECT["dependencies"])
    assert {name: version.removesuffix(".0") for name, version in lowest.items()} == allowed


def test_every_dependency_is_listed_with_its_licence() -> None:
    listed = dict(re.findall(r"^\| ([\w.-]+) \| ([\w.-]+) \|$", (ROOT / "THIRD_PARTY.md").read_text(), re.MULTILINE))
    found = {name: licences.licence(name) for name in licences.installed("efslint")}
    assert {"jsonschema", "ruamel.yaml", "rpds-py"} <= found.keys()
    assert found.items() <= listed.items()
    assert set(listed.values()) <= {"MIT", "MPL-2.0", "PSF-2.0", "licence"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned_by_hash_and_tokens_are_asked_for_by_job(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    assert "secrets." not in text


def test_only_publishing_may_ask_for_an_identity() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    before, publish = text.split("\n  publish:\n")
    assert "id-token" not in before
    assert "environment: pypi" in publish
    assert "run:" not in publish, "nothing of ours runs where the identity can be had"


def test_the_picture_of_speed(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    assert plot.svg(results) == ""
    results.write_text('{"sizes": []}')
    assert plot.svg(results) == ""
    results.write_text('{"sizes": [{"megabytes": 1, "wall": 0.1}, {"megabytes": 200, "wall": 20}]}')
    picture = plot.svg(results)
    # The corners of the axes: 64 and 616 across, 304 and 24 down.
    assert '<circle cx="64.0" cy="304.0"' in picture
    assert '<circle cx="616.0" cy="24.0"' in picture
    assert "100 ms per megabyte" in picture
