"""Regular expressions that cost no more than the length of the text times their own.

The ``pattern`` of a rule pack is somebody's, and so is the text it meets; with ``re`` the two can keep a run busy for
years. Here all ways through a text are followed at once (Ken Thompson, "Regular Expression Search Algorithm", CACM 11,
1968), and what cannot be done that way is refused: look-around, back references, flags, lazy and possessive repeats.
That leaves what JSON Schema recommends (draft 2020-12, core, section 6.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

MOST_CHARACTERS = 400
MOST_STATES = 2000

# A class, an escape, or a character that means itself: what one character of a text is held against.
_ATOM = (
    r"\[\^?\]?(?:\\[^\n]|(?!--|&&|\|\||~~)[^\]\[\\\n])*\]"
    r"|\\[dDwWsSnrt]|\\[^\w\s]|\.|[^\\\[\](){}|*+?^$]"
)
_REPEAT = r"[*+?]|\{(?P<least>\d{1,3})(?P<more>,?)(?P<most>\d{0,3})\}"
_BOUNDS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class RegexError(ValueError):
    """Not one of the regular expressions that are understood here."""


class _Part(NamedTuple):
    """A piece and how often it may stand there; a piece is the test of a character, ``^`` or ``$``, or a group."""

    piece: re.Pattern[str] | str | _Group
    least: int
    most: int | None


_Group: TypeAlias = "tuple[tuple[_Part, ...], ...]"


class _State(NamedTuple):
    """Where a match may be: what has to come (a character, ``^``, ``$``, or nothing) and where that leads."""

    piece: re.Pattern[str] | str
    next: tuple[int, ...]


class Regex(NamedTuple):
    """A compiled expression. The first state is the end."""

    states: tuple[_State, ...]
    start: int

    def found_in(self, text: str) -> bool:
        """Say whether any part of a text matches."""
        waiting: set[int] = set()
        for place in range(len(text) + 1):
            reached = self._reached((*waiting, self.start), place == 0, place == len(text))
            if 0 in reached:
                return True
            states = (self.states[number] for number in reached)
            waiting = {
                state.next[0]
                for state in states
                if not isinstance(state.piece, str) and state.piece.match(text, place, place + 1)
            }
        return False

    def _reached(self, begin: Iterable[int], first: bool, last: bool) -> set[int]:
        """Follow everything that takes no character."""
        open_ = {"": True, "^": first, "$": last}
        waiting, reached = list(begin), set[int]()
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                piece, following = self.states[number]
                if isinstance(piece, str) and open_[piece]:
                    waiting.extend(following)
        return reached


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Regex:
    """Compile an expression. Raises ``RegexError``."""
    if len(pattern) > MOST_CHARACTERS:
        raise RegexError(f"longer than {MOST_CHARACTERS} characters")
    group, end = _group(pattern, 0)
    if end < len(pattern):
        raise _refused(pattern, end)
    states = [_State("", ())]
    start = _add_group(states, group, 0)
    return Regex(tuple(states), start)


def _group(pattern: str, at: int) -> tuple[_Group, int]:
    """Read alternatives, up to their end or the bracket that closes them."""
    alternatives: list[list[_Part]] = [[]]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            alternatives.append([])
            at += 1
            continue
        piece, at = _piece(pattern, at)
        repeat = re.compile(_REPEAT).match(pattern, at)
        least, most = (1, 1) if repeat is None else _bounds(repeat)
        alternatives[-1].append(_Part(piece, least, most))
        at = at if repeat is None else repeat.end()
    return tuple(map(tuple, alternatives)), at


def _piece(pattern: str, at: int) -> tuple[re.Pattern[str] | str | _Group, int]:
    if pattern[at] in "^$":
        return pattern[at], at + 1
    if pattern[at] == "(":
        inner, end = _group(pattern, at + 3 if pattern.startswith("(?:", at) else at + 1)
        if end == len(pattern):
            raise RegexError("a bracket is not closed")
        return inner, end + 1
    atom = re.compile(_ATOM).match(pattern, at)
    if atom is None:
        raise _refused(pattern, at)
    try:
        return re.compile(atom[0]), atom.end()
    except re.error as error:
        raise RegexError(f"{atom[0]}: {error.msg}") from None


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    if repeat["least"] is None:
        return _BOUNDS[repeat[0]]
    least = int(repeat["least"])
    if not repeat["more"]:
        return least, least
    return least, int(repeat["most"]) if repeat["most"] else None


def _refused(pattern: str, at: int) -> RegexError:
    return RegexError(f"{pattern[at : at + 3]!r} is not understood in a regular expression here")


def _add_group(states: list[_State], group: _Group, following: int) -> int:
    """Add the states of a group that leads to a state; return where it begins."""
    starts = []
    for alternative in group:
        start = following
        for part in reversed(alternative):
            start = _add_part(states, part, start)
        starts.append(start)
    return starts[0] if len(starts) == 1 else _add(states, _State("", tuple(starts)))


def _add_part(states: list[_State], part: _Part, following: int) -> int:
    start = following
    if part.most is None:
        start = _add(states, _State("", (following,)))
        again = _add_piece(states, part.piece, start)
        states[start] = _State("", (again, following))
    for _ in range((part.most or 0) - part.least):
        start = _add(states, _State("", (_add_piece(states, part.piece, start), following)))
    for _ in range(part.least):
        start = _add_piece(states, part.piece, start)
    return start


def _add_piece(states: list[_State], piece: re.Pattern[str] | str | _Group, following: int) -> int:
    if isinstance(piece, tuple):
        return _add_group(states, piece, following)
    return _add(states, _State(piece, (following,)))


def _add(states: list[_State], state: _State) -> int:
    if len(states) == MOST_STATES:
        raise RegexError(f"too large: repeats make more than {MOST_STATES} steps of it")
    states.append(state)
    return len(states) - 1
