"""What a terminal can show, and how a run that takes its time shows on one how far it is.

Knows the variables by which terminals and people say what they want; leaves printing to ``cli``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic
from typing import TypeVar

from efslint.report.style import Style

_FILE_WIDTH = 100  # columns where there is no terminal to ask
_NARROWEST = 40
_PATIENCE = 1.0  # seconds before anything is said
_PAUSE = 0.1

# Terminals that show links, by the variable that tells them. A terminal within another (tmux, screen) inherits the
# variables of the outer one and is not asked. Source: the list of terminals in egmontkob's "Hyperlinks in terminal
# emulators", https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda.
_LINK_PROGRAMS = frozenset(("iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "rio", "Tabby"))
_LINK_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm")
_LINK_MARKS = ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM")
_FIRST_VTE = 5002  # GNOME Terminal and its kin; 0.50.0 and 0.50.1 crashed

_Item = TypeVar("_Item")


def style(option: str, environment: Mapping[str, str], columns: int | None) -> Style:
    """Say how text may look on standard output; ``columns`` is the width of the terminal, ``None`` if it is none.

    Colour is for terminals, unless the environment or the option (``auto``, ``always``, ``never``) says otherwise.
    https://no-color.org and https://force-color.org: any value that is not empty counts.
    """
    color = columns is not None and environment.get("TERM") != "dumb"
    if environment.get("FORCE_COLOR"):
        color = True
    if environment.get("NO_COLOR"):
        color = False
    if option != "auto":
        color = option == "always"
    if columns is None:
        return Style(color, _FILE_WIDTH)
    return Style(color, max(columns, _NARROWEST), color and shows_links(environment), wrap=True)


def shows_links(environment: Mapping[str, str]) -> bool:
    """Say whether a terminal is known to show links; ``FORCE_HYPERLINK`` (0 for no) goes before what is known."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    term = environment.get("TERM", "")
    if term.startswith(("tmux", "screen", "dumb")) or environment.get("TMUX"):
        return False
    vte = environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM") in _LINK_PROGRAMS
        or term.startswith(_LINK_TERMS)
        or any(mark in environment for mark in _LINK_MARKS)
        or (vte.isascii() and vte.isdigit() and int(vte) >= _FIRST_VTE)
    )


def shows_progress(environment: Mapping[str, str]) -> bool:
    """Say whether a line on a terminal may be written over; the terminals of CI systems are logs."""
    return environment.get("TERM") != "dumb" and not environment.get("CI")


class Progress:
    """Says how many of all files were read, as soon as a run has taken a second.

    ``show`` puts words in the place of those before; none take them away.
    """

    def __init__(self, show: Callable[[str], None], total: int, now: Callable[[], float] = monotonic) -> None:
        self._show, self._total, self._now = show, total, now
        self._next = now() + _PATIENCE
        self._count = 0
        self._shown = False

    def of(self, files: Iterable[_Item]) -> Iterator[_Item]:
        """Count files while they are used, and say so now and then."""
        for file in files:
            self._count += 1
            self._tell(f"reading {self._count:,} of {self._total:,} files")
            yield file
        self._tell(f"checking {self._total:,} files", at_once=self._shown and self._count == self._total)

    def end(self) -> None:
        """Take away what was said."""
        if self._shown:
            self._show("")

    def _tell(self, what: str, *, at_once: bool = False) -> None:
        now = self._now()
        if at_once or now >= self._next:
            self._next = now + _PAUSE
            self._shown = True
            self._show(f"efslint: {what}")
