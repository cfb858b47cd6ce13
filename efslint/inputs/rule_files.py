"""Finds and reads rule files: those that ship with efslint and those of rule packs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from efslint.inputs.files import Read, Unreadable, read_file, shown, why


class RulesMissingError(Exception):
    """The rules that ship with efslint are not there: the installation is broken."""


def built_in_directory(package: Path | None = None) -> Path:
    """Return the folder of the rules that ship with efslint (``package`` is its own folder).

    In a wheel it is ``efslint/_rules``; in a checkout, ``rules`` beside the package.
    """
    home = Path(__file__).parents[1] if package is None else package
    for candidate in (home / "_rules", home.parent / "rules"):
        if candidate.is_dir():
            return candidate
    raise RulesMissingError(f"the rules that belong to {home.name} are missing; reinstall it")


def rule_file_names(directory: Path) -> tuple[str, ...]:
    """Return the names of the rule files of a folder, sorted. Raises ``OSError`` if it cannot be listed."""
    return tuple(sorted(path.name for path in directory.iterdir() if path.suffix in (".yaml", ".yml")))


def read_rule_files(directory: Path, names: tuple[str, ...]) -> Iterator[Read]:
    """Read rule files by name."""
    for name in names:
        yield read_file(str(directory / name))


def read_rule_pack(directory: str) -> Iterator[Read]:
    """Read the rule files of a folder that somebody named."""
    folder = Path(directory)
    try:
        names = rule_file_names(folder)
    except (OSError, ValueError) as error:
        yield Unreadable(shown(directory), why(error))
        return
    if not names:
        yield Unreadable(shown(directory), "there are no rule files (*.yaml) in this folder")
    yield from read_rule_files(folder, names)
