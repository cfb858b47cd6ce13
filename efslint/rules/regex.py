"""Regular expressions that cost no more than the length of the text times their own.

The ``pattern`` of a rule pack is somebody's, and so is the text it meets; with ``re`` the two can keep a run busy for
years. Here all ways through a text are followed at once (Ken Thompson, "Regular expression search algorithm", CACM 11,
1968), and what cannot be done that way is refused: look-around, back references, flags, lazy and possessive repeats.
That leaves what JSON Schema recommends (draft 2020-12, core, section 6.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

MOST_STATES = 2000

# A class, an escape, or a character that means itself: what one character of the text is held against.
_ATOM = r"\[\^?\]?(?:\\[^\n]|[^\]\\\n])*\]|\\[dDwWsS]|\\[^\w\s]|\.|[^\\\[\](){}|*+?^$]"
_REPEAT = r"([*+?])|\{(\d{1,4})(,?)(\d{0,4})\}"
_SAFE_TEXT = 100_000


class RegexError(ValueError):
    """Not one of the regular expressions that are understood here."""


class _State(NamedTuple):
    """One place in an expression: ``test`` takes a character, ``at`` is ``^`` or ``$``, and ``next`` is where to go."""

    next: tuple[int, ...]
    test: re.Pattern[str] | None = None
    at: str = ""


class Regex(NamedTuple):
    """A compiled expression: its states, of which the last to be reached is ``end``."""

    states: tuple[_State, ...]
    start: int
    end: int

    def found_in(self, text: str) -> bool:
        """Say whether any part of a text matches."""
        waiting: set[int] = set()
        for place in range(len(text) + 1):
            reached = self._reached((*waiting, self.start), place == 0, place == len(text))
            if self.end in reached:
                return True
            if place < len(text):
                waiting = {
                    state.next[0]
                    for state in map(self.states.__getitem__, reached)
                    if state.test is not None and state.test.match(text, place)
                }
        return False

    def _reached(self, begin: Iterable[int], first: bool, last: bool) -> set[int]:
        """Follow everything that takes no character."""
        todo, reached = list(begin), set[int]()
        while todo:
            number = todo.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self.states[number]
            if state.test is None and (not state.at or (first if state.at == "^" else last)):
                todo.extend(state.next)
        return reached


@lru_cache(maxsize=200)
def compiled(pattern: str) -> Regex:
    """Compile an expression. Raises ``RegexError``."""
    builder = _Builder(pattern)
    end = builder.add(_State(()))
    start = builder.alternatives(end, 0)
    if builder.place < len(pattern):
        raise RegexError(builder.complaint())
    return Regex(tuple(builder.states), start, end)
