"""Finds, opens and writes the files that say how to run: configuration and baseline.

Knows their names and where they are looked for; leaves what stands in them to ``config`` and ``adoption``.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from efslint.inputs.reading import Read, Unreadable, read_file, shown
from efslint.text.source import Source

CONFIG_NAMES = (".efslint.yaml", ".efslint.yml")
PYPROJECT = "pyproject.toml"
# Without one of these there is no table tool.efslint, and no need of a parser.
_TABLE = r"tool[\"']?[ \t]*\.[ \t]*[\"']?efslint|^[ \t]*\[[ \t]*[\"']?tool[\"']?[ \t]*\]|^[ \t]*[\"']?tool[\"']?[ \t]*="


class ConfigFile(NamedTuple):
    """A configuration file that was opened.

    ``directory`` leads from the working directory to the file's, ``within`` the other way round; both have forward
    slashes, and are empty where the two are the same.
    """

    read: Read
    directory: str
    within: str


def find_config() -> ConfigFile | None:
    """Open the nearest configuration, from the working directory upwards; ``None`` if there is none.

    In one directory ``.efslint.yaml`` (or ``.efslint.yml``, but not both) goes before ``pyproject.toml``, which counts
    only with a table ``tool.efslint``.
    """
    directory, below = os.getcwd(), ""
    while directory != below:
        own = [path for name in CONFIG_NAMES if os.path.isfile(path := os.path.join(directory, name))]
        if len(own) > 1:
            return ConfigFile(
                Unreadable(shown(own[1]), f"{CONFIG_NAMES[0]} stands beside it; keep one of them"), "", ""
            )
        if own:
            return open_config(own[0])
        if os.path.isfile(os.path.join(directory, PYPROJECT)):
            found = open_config(os.path.join(directory, PYPROJECT))
            if not isinstance(found.read, Source) or _has_table(found.read.text):
                return found
        directory, below = os.path.dirname(directory), directory
    return None


def open_config(path: str) -> ConfigFile:
    """Open a configuration file by its path."""
    parent = os.path.dirname(path) or "."
    directory = shown(parent)
    within = os.path.relpath(os.getcwd(), parent).replace(os.sep, "/")
    return ConfigFile(read_file(path), "" if directory == "." else directory, "" if within == "." else within)


def read_baseline(path: str) -> Read:
    """Open a baseline by its path."""
    return read_file(path)


def write_baseline(path: str, text: str) -> Unreadable | None:
    """Write a baseline, with LF line ends on every system; return why, if that is not possible."""
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        return Unreadable(shown(path), (error.strerror or str(error)).lower())
    return None


def _has_table(text: str) -> bool:
    """Say whether a ``pyproject.toml`` configures efslint; one that is broken may, and is to be complained about."""
    if "efslint" not in text or re.search(_TABLE, text, re.MULTILINE) is None:
        return False
    import tomllib  # most runs meet no such file

    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return True
    return isinstance(tool, dict) and "efslint" in tool
