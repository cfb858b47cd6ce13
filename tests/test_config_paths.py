"""Patterns for paths, and finding and opening configuration and baseline files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from efslint.adoption.rule_names import RuleName
from efslint.config.load import load
from efslint.config.merge import CommandLine, merge
from efslint.config.model import Config, ConfigError
from efslint.config.paths import excluder, ignore_by_path
from efslint.inputs.config_files import find_config, open_config, read_baseline, write_baseline
from efslint.inputs.reading import NotText, Unreadable
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Confidence
from efslint.text.source import Source, Span

KNOWN = (RuleName("EFS101", "timeo-too-short"), RuleName("EFS201", "database-on-efs"))


def config(patterns: str, within: str = "", *options: str) -> Config:
    return merge(load(Source(".efslint.yaml", f"exclude: {patterns}"), within=within), CommandLine(exclude=options))


@pytest.mark.parametrize(
    ("patterns", "within", "options", "path", "excluded"),
    [
        ("[]", "", (), "a.yaml", False),
        ("[vendor/]", "", (), "vendor/", True),
        ("[vendor/]", "", (), "vendor/a.yaml", True),
        ("[vendor/]", "", (), "sub/vendor/a.yaml", True),
        ("[vendor/]", "", (), "vendor", False),  # a file of that name
        ("[/vendor]", "", (), "sub/vendor/a.yaml", False),
        ("['*.json']", "", (), "./a.json", True),
        ("['*.yaml', '!a.yaml']", "", (), "a.yaml", False),
        ("['*.yaml', '!a.yaml']", "", (), "b.yaml", True),
        # the working directory is charts/, the file one above
        ("[/charts/vendor]", "charts", (), "vendor/a.yaml", True),
        ("[/vendor]", "charts", (), "vendor/a.yaml", False),
        ("[/vendor]", "charts", (), "../vendor/a.yaml", True),
        # outside of the file's directory: from the working directory
        ("[/vendor]", "", (), "../vendor/a.yaml", True),
        ("[/vendor]", "..", (), "vendor/a.yaml", True),  # --config .ci/efslint.yaml
        ("[/srv]", "", (), "/srv/a.yaml", True),
        ("[]", "charts", ("/vendor",), "vendor/", True),
        ("[a.yaml]", "charts", ("b.yaml",), "b.yaml", True),
        ("[a.yaml]", "charts", ("b.yaml",), "a.yaml", True),
        ("[a.yaml]", "charts", ("b.yaml",), "c.yaml", False),
    ],
)
def test_paths_are_excluded(patterns: str, within: str, options: tuple[str, ...], path: str, excluded: bool) -> None:
    assert excluder(config(patterns, within, *options))(path) is excluded


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        excluder(config("[a, '!']"))
    assert str(caught.value) == '.efslint.yaml:1:14: "!" is not a gitignore pattern'
    with pytest.raises(ConfigError) as caught:
        excluder(config("[]", "", "!"))
    assert str(caught.value) == '--exclude: "!" is not a gitignore pattern'


def finding(rule: str, path: str) -> Finding:
    span = Span(Source(path, "x"), 0, 1)
    level, confidence = Severity.ERROR, Confidence.CERTAIN
    return Finding(rule, dict(KNOWN)[rule], level, confidence, "m", "h", "", span, None, (), None, (), rule)


def test_rules_are_ignored_by_path() -> None:
    text = "per-path-ignores:\n  /dev/: [database-on-efs]\n  '*.json': [EFS]\n"
    here = load(Source("../.efslint.yaml", text), "..", "charts")
    findings = [
        finding("EFS201", "../dev/a.yaml"),
        finding("EFS101", "../dev/a.yaml"),
        finding("EFS201", "dev/a.yaml"),
        finding("EFS101", "dev/a.json"),
    ]
    kept, hidden = ignore_by_path(findings, here, KNOWN)
    assert kept == (findings[1], findings[2])
    assert hidden == ((findings[0], "per-path-ignores: /dev/"), (findings[3], "per-path-ignores: *.json"))


def test_nothing_is_compiled_without_patterns() -> None:
    code = (
        "import sys, efslint.config.paths as p, efslint.config.model as m\n"
        "p.excluder(m.Config())('a'); p.ignore_by_path((), m.Config(), ())\n"
        "assert 'pathspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    return tmp_path


def found() -> tuple[str, str, str]:
    file = find_config()
    assert file is not None
    assert isinstance(file.read, Source | NotText)
    source = file.read.source if isinstance(file.read, NotText) else file.read
    return source.path, file.directory, file.within


def test_the_nearest_configuration_is_found(tree: Path) -> None:
    (tree / ".efslint.yaml").write_text("strict: true\n")
    assert found() == ("../../.efslint.yaml", "../..", "a/b")
    (tree / "a" / "pyproject.toml").write_text("[tool.efslint]\n")
    assert found() == ("../pyproject.toml", "..", "b")
    (tree / "a" / ".efslint.yaml").write_text("")
    assert found() == ("../.efslint.yaml", "..", "b")
    (tree / "a" / "b" / ".efslint.yaml").write_text("")
    assert found() == (".efslint.yaml", "", "")


def test_the_other_spelling_is_found_too_but_not_both(tree: Path) -> None:
    (tree / ".efslint.yaml").write_text("strict: true\n")
    (tree / "a" / ".efslint.yml").write_text("")
    assert found()[0] == "../.efslint.yml"
    (tree / "a" / ".efslint.yaml").write_text("")
    file = find_config()
    assert file is not None
    assert file.read == Unreadable("../.efslint.yml", ".efslint.yaml stands beside it; keep one of them")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[project]\nname = 'x'\n", False),
        ("[project]\nname = 'efslint'\n", False),
        ("tool = 'efslint'\n", False),
        ("[tool.efslint]\n", True),
        ("[tool]\nefslint = {}\n", True),
        ("[tool.efslint\n", True),  # broken, and to be complained about
        ("[tool.other\n", False),  # broken, but not ours
        (b"\xff\xfe\x00\xd8\x00", True),
    ],
)
def test_a_pyproject_counts_only_with_our_table(tree: Path, text: str | bytes, counts: bool) -> None:
    (tree / ".efslint.yaml").write_text("")
    (tree / "a" / "b" / "pyproject.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert found()[0] == ("pyproject.toml" if counts else "../../.efslint.yaml")


def test_there_may_be_no_configuration(tree: Path) -> None:
    (tree / "a" / "b" / ".efslint.yaml").mkdir()  # a directory is none
    file = find_config()
    # nothing in the directories of this test; what lies above them is not ours to say
    assert file is None or file.directory.startswith("../../..")


def test_a_configuration_is_opened_by_its_path(tree: Path) -> None:
    (tree / "ci").mkdir()
    (tree / "ci" / "lint.yaml").write_text("strict: true\n")
    file = open_config("../../ci/lint.yaml")
    assert (file.read, file.directory, file.within) == (
        Source("../../ci/lint.yaml", "strict: true\n"),
        "../../ci",
        "../a/b",
    )
    assert open_config("lint.yaml").directory == ""
    missing = open_config("nothing.yaml").read
    assert isinstance(missing, Unreadable)
    assert missing.path == "nothing.yaml"


def test_a_baseline_is_written_and_read(tree: Path) -> None:
    text = '{"version": 1}\n'
    assert write_baseline("base.json", text) is None
    assert (tree / "a" / "b" / "base.json").read_bytes() == text.encode()
    assert read_baseline("base.json") == Source("base.json", text)


@pytest.mark.skipif(os.sep == "\\", reason="Windows words this otherwise")
def test_a_baseline_that_cannot_be_written_says_why(tree: Path) -> None:
    assert write_baseline("no/base.json", "") == Unreadable("no/base.json", "no such file or directory")
    assert tree.is_dir()


def test_a_baseline_that_is_no_text_is_not_a_source(tree: Path) -> None:
    (tree / "a" / "b" / "base.json").write_bytes(b"\xff\xfe\x00\xd8\x00")
    assert isinstance(read_baseline("base.json"), NotText)
