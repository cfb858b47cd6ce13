"""Finds, opens and writes the files that say how to run: configuration and baseline.

Knows their names and where they are looked for; leaves what stands in them to ``config`` and ``adoption``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from efslint.inputs.files import Read, Unreadable, read_file, shown
from efslint.text.source import Source

CONFIG_NAME = ".efslint.yaml"
PYPROJECT = "pyproject.toml"


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

    In one directory ``.efslint.yaml`` goes before ``pyproject.toml``, which counts only with a table ``tool.efslint``.
    """
    here = Path.cwd()
    for directory in (here, *here.parents):
        if (directory / CONFIG_NAME).is_file():
            return open_config(str(directory / CONFIG_NAME))
        if (directory / PYPROJECT).is_file():
            found = open_config(str(directory / PYPROJECT))
            if not isinstance(found.read, Source) or _has_table(found.read.text):
                return found
    return None


def open_config(path: str) -> ConfigFile:
    """Open a configuration file by its path."""
    directory = shown(str(Path(path).parent))
    within = os.path.relpath(Path.cwd(), Path(path).parent).replace(os.sep, "/")
    return ConfigFile(read_file(path), "" if directory == "." else directory, "" if within == "." else within)


def read_baseline(path: str) -> Read:
    """Open a baseline by its path."""
    return read_file(path)


def write_baseline(path: str, text: str) -> Unreadable | None:
    """Write a baseline, with LF line ends on every system; return why, if that is not possible."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        return Unreadable(shown(path), (error.strerror or str(error)).lower())
    return None


def _has_table(text: str) -> bool:
    """Say whether a ``pyproject.toml`` configures efslint; one that is broken may, and is to be complained about."""
    if "efslint" not in text:
        return False
    import tomllib  # most runs meet no such file

    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return True
    return isinstance(tool, dict) and "efslint" in tool
