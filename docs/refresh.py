"""Run the commands that the documentation shows, and put what they print where it is shown.

    python docs/refresh.py           rewrite README.md, the pages, and share/
    python docs/refresh.py --check   only say what is out of date; 1 when something is

Markers in README.md and in docs/pages, each on a line of its own:

    <!-- output: COMMAND -->         the command and what it prints, up to <!-- /output -->
    <!-- output: COMMAND => SHOWN -->  the same, shown as another command, for one that cannot be run here
    <!-- output with MODULE: COMMAND -->  the same, left as it is where an optional module is missing
    <!-- rules -->                   the table of rules, up to <!-- /rules -->
    <!-- bench -->                   the table of measurements of bench/results.json, up to <!-- /bench -->
    <!-- file: NAME -->              the fence that follows is written to a file
    <!-- run: COMMAND -->            run without showing anything
    <!-- failure: COMMAND -->        as output, for a command that cannot do its job and exits with 2, up to
                                     <!-- /failure -->

The commands of a page run in its order in a folder of its own, which holds ``fixtures/postgres-on-efs``, a copy of it
as ``deploy``, and ``docs/examples`` as ``examples``; its state lasts from command to command. No command sees a
terminal or the configuration of whoever runs it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import licences
import plot
import shells

from efslint.builtin import built_in_rules

ROOT = Path(__file__).resolve().parents[1]
MARKER = re.compile(
    r"<!-- (?P<what>output|failure|file|run|rules|bench)(?: with (?P<module>\w+))?(?:: (?P<text>.*?))? -->"
)
_SHARE = "share"


class StaleError(Exception):
    """The documentation cannot be refreshed: a marker is not as it must be, or a command failed."""


def pages() -> tuple[str, ...]:
    """Return the documents that may hold markers, relative to the repository."""
    found = sorted((ROOT / "docs" / "pages").rglob("*.md"))
    return ("README.md", *(path.relative_to(ROOT).as_posix() for path in found))


def refreshed(text: str) -> str:
    """Return a document with everything between its markers as it is today."""
    if not MARKER.search(text):
        return text
    with TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        shutil.copytree(ROOT / "fixtures" / "postgres-on-efs", folder / "fixtures" / "postgres-on-efs")
        shutil.copytree(ROOT / "fixtures" / "postgres-on-efs", folder / "deploy")
        shutil.copytree(ROOT / "docs" / "examples", folder / "examples")
        return "\n".join(_lines(text.splitlines(), folder)) + "\n"


def _lines(lines: list[str], folder: Path) -> Iterator[str]:
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        yield line
        marker = MARKER.fullmatch(line)
        if marker is None:
            continue
        what, text = marker["what"], marker["text"] or ""
        if what == "run":
            _run(text, folder, 0)
        elif what == "file":
            _write_file(folder / text, lines, index)
        else:
            end = _end(lines, index, f"<!-- /{what} -->")
            missing = marker["module"] and find_spec(marker["module"]) is None
            yield from lines[index:end] if missing else _content(what, text, folder, lines[index:end])
            index = end


def _content(what: str, text: str, folder: Path, old: list[str]) -> list[str]:
    if what == "rules":
        return rule_table()
    if what == "bench":
        return measurements() or old
    command, _, shown = text.partition(" => ")
    output = _run(command, folder, *((2,) if what == "failure" else (0, 1)))
    return ["```console", f"$ {shown or command}", *output.splitlines(), "```"]


def _end(lines: list[str], start: int, marker: str) -> int:
    if marker not in lines[start:]:
        raise StaleError(f"no {marker} after line {start}")
    return lines.index(marker, start)


def _write_file(path: Path, lines: list[str], start: int) -> None:
    """Write the fence that follows a marker to a file."""
    opening = next((index for index in range(start, len(lines)) if lines[index].startswith("```")), None)
    if opening is None:
        raise StaleError(f"no fence after line {start}")
    closing = lines.index("```", opening + 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines[opening + 1 : closing]) + "\n", encoding="utf-8")


def _run(command: str, folder: Path, *statuses: int) -> str:
    """Run a command as a shell would, and return what it prints to either stream; it must exit as expected."""
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "efslint"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m efslint "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder.parent),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    answer = subprocess.run(
        ("bash", "-o", "pipefail", "-c", command),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    output = answer.stdout.decode()
    if answer.returncode not in statuses:
        raise StaleError(f"exit {answer.returncode} from {command}\n{output}")
    return output


def rule_table() -> list[str]:
    """Return what ``--list-rules`` says as a table, with links to the rule files."""
    lines = ["| rule | name | severity | what it reports |", "|---|---|---|---|"]
    for rule in built_in_rules():
        link = f"[{rule.id}](rules/{rule.id}-{rule.name}.yaml)"
        lines.append(f"| {link} | `{rule.name}` | {rule.default_severity} | {rule.summary} |")
    return lines


def measurements() -> list[str]:
    """Return the table of the last ``make bench``, or nothing where none was kept."""
    path = ROOT / "bench" / "results.json"
    if not path.exists():
        return []
    results = json.loads(path.read_text(encoding="utf-8"))
    lines = ["| work | measured | processor time | budget | |", "|---|---|---|---|---|"]
    for row in results["rows"]:
        if row["measured"] is None and row["budget"] is None:  # a tool that is not here
            continue
        measured = "–" if row["measured"] is None else f"{row['measured']:.2f} {row['unit']}"
        cpu, budget = (f"{each:.3g}" if each is not None else "" for each in (row["cpu"], row["budget"]))
        lines.append(f"| {row['work']} | {measured} | {cpu} | {budget} | {row['detail']} |")
    return [*lines, "", f"Python {results['python']}, {results['machine']}."]


def stale() -> Iterator[tuple[Path, str]]:
    """Yield the files that are not as they would be made today, and what they should hold."""
    for name in pages():
        text = (ROOT / name).read_text(encoding="utf-8")
        try:
            new = refreshed(text)
        except StaleError as error:
            raise StaleError(f"{name}: {error}") from error
        if new != text:
            yield ROOT / name, new
    for name, text in (("THIRD_PARTY.md", licences.text()), ("docs/pages/speed.svg", plot.svg())):
        if text and (not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != text):
            yield ROOT / name, text
    for name, text in shells.files().items():
        path = ROOT / _SHARE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, text


def main(arguments: list[str]) -> int:
    """Rewrite what is out of date, or with ``--check`` only say so; 2 when a command did not do what it should."""
    check = arguments == ["--check"]
    try:
        found = list(stale())
    except StaleError as error:
        print(error, file=sys.stderr)
        return 2
    for path, text in found:
        print(f"{'out of date' if check else 'rewritten'}: {path.relative_to(ROOT)}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(check and bool(found))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
