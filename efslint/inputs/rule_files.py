"""Finds and reads rule files: those that ship with efslint and those of rule packs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from efslint.inputs.files import Read, read_file


class RulesMissingError(Exception):
    """The rules that ship with efslint are not there: the installation is broken."""


def built_in_directory() -> Path:
    """Return the folder of the rules that ship with efslint.

    In a wheel it is ``efslint/_rules``; in a checkout, ``rules`` beside the package.
    """
    package = Path(__file__).parents[1]
    for candidate in (package / "_rules", package.parent / "rules"):
        if candidate.is_dir():
            return candidate
    raise RulesMissingError(f"no rules found beside {package.name}; reinstall efslint")


def rule_file_names(directory: Path) -> tuple[str, ...]:
    """Return the names of the rule files of a folder, sorted."""
    return tuple(sorted(path.name for path in directory.iterdir() if path.suffix in (".yaml", ".yml")))


def read_rule_files(directory: Path, names: tuple[str, ...]) -> Iterator[Read]:
    """Read rule files by name."""
    for name in names:
        yield read_file(str(directory / name))
