"""How a report for people may look: the one thing a text report has to be told besides the findings."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """The terminal a text is for.

    ``width`` is in columns; ``wrap`` keeps sentences within it, which would make them hard to search in a file.
    ``hyperlinks`` makes rule ids clickable (OSC 8), for terminals that are known to do that.
    """

    color: bool = False
    width: int = 100
    hyperlinks: bool = False
    wrap: bool = False


PLAIN = Style()
"""A file or a pipe."""
