"""The book of one mount: what became of each written option, and why the mount fails if it does.

Filled while the options are worked out; the first verdict on an option stands, unless the mount fails because of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from efslint.knowledge.drivers import Mounter
from efslint.storage.option_order import ORDER, Cause, Placed, State, Verdict
from efslint.storage.written_options import WrittenOption


class Fatal(NamedTuple):
    """Why the mount fails, and the options to blame."""

    options: tuple[WrittenOption, ...]
    why: str
    cause: Cause


# proto=tcp and tcp are two spellings of one option (nfs(5), proto).
_SAME = "proto="


class Ledger:
    """Collects verdicts by the index of the written option, and fatal problems in the order in which they show."""

    def __init__(self, mounter: Mounter, verdicts: dict[int, Verdict]) -> None:
        self.mounter = mounter
        self.verdicts = verdicts
        self.fatal: list[Fatal] = []

    def judge(
        self, one: Placed, state: State, why: str = "", by: Placed | None = None, cause: Cause | None = None
    ) -> None:
        """Enter a verdict, unless there is one or nobody wrote the option."""
        if one.option is not None and one.at not in self.verdicts:
            problem = one.parsed.problem
            suggestion = problem.suggestion if problem is not None else None
            winner = by.option if by is not None else None
            self.verdicts[one.at] = Verdict(one.option, state, why, winner, cause, suggestion)

    def fail(self, blamed: Sequence[Placed], why: str, cause: Cause) -> None:
        """Enter that the mount fails because of these options."""
        written = [one for one in blamed if one.option is not None]
        self.fatal.append(Fatal(tuple(one.written for one in written), why, cause))
        for one in written:
            self.verdicts[one.at] = Verdict(one.written, State.FATAL, why, None, cause)

    def lose(self, one: Placed, winner: Placed, reason: str = "") -> None:
        """Enter that another option is in force instead, by its place in the order unless another reason is given."""
        if winner.option is None:
            self.judge(one, State.UNDONE, f"the EFS mount helper appends {winner.text}, which wins")
        elif one.text.removeprefix(_SAME) == winner.text.removeprefix(_SAME):
            self.judge(one, State.REPEATED, "the same option stands there already", winner)
        else:
            why = reason or self._order(one, winner)
            self.judge(one, State.OVERRIDDEN, f"{winner.text} wins: {why}", winner)

    def _order(self, one: Placed, winner: Placed) -> str:
        """Say why the winner comes later; kubelet sorts the items of a list, not what commas join within one."""
        written, other = one.option, winner.option
        together = written is not None and other is not None and written.item == other.item
        if together and self.mounter is Mounter.IN_TREE_NFS:
            return "both stand in one item of the list, which kubelet leaves as it is, and the last one wins"
        return ORDER[self.mounter]

    def state(self, one: Placed) -> State | None:
        """Return the verdict on an option, ``None`` before there is one."""
        verdict = self.verdicts.get(one.at)
        return verdict.state if verdict is not None else None
