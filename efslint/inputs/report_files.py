"""Writes reports to the files that somebody named for them."""

from __future__ import annotations

from efslint.inputs.reading import Unreadable, shown, why


def write_report(path: str, text: str) -> Unreadable | None:
    """Write a report, with LF line ends on every system; return why, if that is not possible."""
    try:
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, ValueError) as error:
        return Unreadable(shown(path), why(error))
    return None
