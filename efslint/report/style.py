"""How a report for people may look: the one thing a text report has to be told besides the findings."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """The terminal a text is for.

    ``width`` is in columns. ``hyperlinks`` makes rule ids clickable (OSC 8) where the terminal is known to do that.
    """

    color: bool = False
    width: int = 100
    hyperlinks: bool = False


PLAIN = Style()
"""A file or a pipe."""
