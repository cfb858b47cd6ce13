"""Times a process, as people start it.

Knows the clock, the processor time and the memory that the kernel counted for a finished process and its children;
leaves what is run, and what it should cost, to ``bench``.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took: ``wall`` and ``cpu`` in seconds, and its peak resident memory in bytes."""

    wall: float
    cpu: float
    memory: int


class Failed(Exception):
    """A command ended otherwise than it should."""


def environment() -> dict[str, str]:
    """Return the environment without what changes Python: one that keeps no bytecode would compile at every start."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def typical(command: Sequence[str], code: int | None, runs: int) -> Cost:
    """Run a command several times: the median of the times, the most of the memory."""
    return middle([run(command, code) for _ in range(runs)])


def middle(costs: Iterable[Cost]) -> Cost:
    """Put costs together: the median of the times, the most of the memory."""
    each = tuple(costs)
    wall, cpu = (statistics.median(times) for times in zip(*((cost.wall, cost.cpu) for cost in each), strict=True))
    return Cost(wall, cpu, max(cost.memory for cost in each))


def run(command: Sequence[str], code: int | None) -> Cost:
    """Run a command with its output thrown away; stop everything when it ends otherwise than expected.

    ``code`` is the exit code to expect; None takes 0 and 1, clean or with findings.
    """
    null = subprocess.DEVNULL
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, env=environment())
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((0, 1) if code is None else (code,)):
        raise Failed(f"exit {process.returncode}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)
