"""Shell completion and the manual page: what is shipped is what the parser says, and shells understand it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import efslint

pytest.importorskip("shtab", reason="shtab, which makes the completions, is not installed")

import shells

ROOT = Path(__file__).parents[1]
SHARE = ROOT / "share"
FILES = shells.files()
PAGE = FILES["man/man1/efslint.1"]
OPTIONS = sorted(set(re.findall(r"(?<=\s)--[\w-]+", efslint("--help").out.partition("exit status:")[0])))


@pytest.mark.parametrize("name", FILES)
def test_what_is_shipped_is_what_the_parser_says(name: str) -> None:
    assert (SHARE / name).read_text(encoding="utf-8") == FILES[name], "run: make refresh"


def test_nothing_else_is_shipped() -> None:
    assert {path.relative_to(SHARE).as_posix() for path in SHARE.rglob("*") if path.is_file()} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_every_option_is_there(name: str) -> None:
    assert len(OPTIONS) > 20
    text = FILES[name].replace("\\-", "-")
    as_fish = {option: f"-l {option.removeprefix('--')}" for option in OPTIONS}
    missing = [option for option in OPTIONS if option not in text and as_fish[option] not in text]
    assert missing == []


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `efslint` is this one."""
    program = tmp_path / "bin" / "efslint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m efslint "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}


CASES = [
    ("--expl", {"--explain"}),
    ("--fail-on ", {"error", "warning", "note", "never"}),
    ("-f sar", {"sarif"}),
    ("--explain EFS20", {rule.id for rule in shells.reference.built_in_rules() if rule.id.startswith("EFS20")}),
    ("--explain timeo-too", {"timeo-too-short"}),
    ("--select EFS101,soft-m", {"EFS101,soft-mount"}),
    ("some.yaml --rules fix", {"fixtures"}),
    ("fixtures fixt", {"fixtures"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(("line", "expected"), CASES)
def test_bash_completes(line: str, expected: set[str], environment: dict[str, str]) -> None:
    words = " ".join(f"'{word}'" for word in ["efslint", *line.split(" ")])
    script = (
        f'source "{SHARE}/bash-completion/completions/efslint"; COMP_WORDS=({words}); '
        'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shtab_efslint; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert set(answer("bash", "--norc", "-c", script, environment=environment)) == expected


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
@pytest.mark.parametrize(("line", "expected"), CASES)
def test_fish_completes(line: str, expected: set[str], environment: dict[str, str]) -> None:
    script = f"source '{SHARE}/fish/vendor_completions.d/efslint.fish'; complete -C 'efslint {line}'"
    lines = answer("fish", "--no-config", "-c", script, environment=environment)
    assert {each.split("\t")[0].rstrip("/") for each in lines} == expected


# zsh completes in a terminal only: a pseudo-terminal of its own module, and what appears in it.
ZSH = """
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; fpath=("{share}/zsh/site-functions" $fpath); autoload -Uz compinit; compinit -u -D; echo rea''dy'
zpty -r -m z out '*ready*'
zpty -w -n z $'efslint {line}\\t'
sleep {seconds}
while zpty -r -t z more; do out=$more; print -r -- $out; done
zpty -d z
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
@pytest.mark.parametrize(("line", "expected"), [case for case in CASES if len(case[1]) == 1])
def test_zsh_completes(line: str, expected: set[str], environment: dict[str, str]) -> None:
    (word,) = expected
    for seconds in (1, 5):  # the second is for a busy machine
        script = ZSH.format(share=SHARE, line=line, seconds=seconds)
        shown = "\n".join(answer("zsh", "-f", "-c", script, environment=environment))
        if word in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x08", "", shown):
            return
    pytest.fail(shown)


def answer(*command: str, environment: dict[str, str]) -> list[str]:
    found = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return [line for line in found.stdout.splitlines() if line]


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc")
def test_the_manual_page_is_well_formed() -> None:
    # A date is left out so that the page depends on nothing but the program; long lines are a matter of taste.
    found = subprocess.run(("mandoc", "-Tlint", "-Wwarning"), input=PAGE, capture_output=True, text=True, check=False)
    problems = [line for line in found.stdout.splitlines() if "missing date" not in line]
    assert problems == []
