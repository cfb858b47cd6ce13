"""Finds and reads rule files: those that ship with efslint and those of rule packs."""

from __future__ import annotations

import os
from collections.abc import Iterator

from efslint.inputs.reading import Read, Unreadable, read_file, shown, why


class RulesMissingError(Exception):
    """The rules that ship with efslint are not there: the installation is broken."""


def built_in_directory(package: str | None = None) -> str:
    """Return the folder of the rules that ship with efslint (``package`` is its own folder).

    In a wheel it is ``efslint/_rules``; in a checkout, ``rules`` beside the package.
    """
    home = os.path.dirname(os.path.dirname(__file__)) if package is None else package
    for candidate in (os.path.join(home, "_rules"), os.path.join(os.path.dirname(home), "rules")):
        if os.path.isdir(candidate):
            return candidate
    raise RulesMissingError(f"the rules that belong to {os.path.basename(home)} are missing; reinstall it")


def rule_file_names(directory: str) -> tuple[str, ...]:
    """Return the names of the rule files of a folder, sorted. Raises ``OSError`` if it cannot be listed."""
    return tuple(sorted(name for name in os.listdir(directory) if name.endswith((".yaml", ".yml"))))


def read_rule_files(directory: str, names: tuple[str, ...]) -> Iterator[Read]:
    """Read rule files by name."""
    for name in names:
        yield read_file(os.path.join(directory, name))


def read_rule_pack(directory: str) -> Iterator[Read]:
    """Read the rule files of a folder that somebody named."""
    try:
        names = rule_file_names(directory)
    except (OSError, ValueError) as error:
        yield Unreadable(shown(directory), why(error))
        return
    if not names:
        yield Unreadable(shown(directory), "there are no rule files (*.yaml) in this folder")
    yield from read_rule_files(directory, names)
