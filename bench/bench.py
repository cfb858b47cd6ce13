"""Measure efslint against its budgets, as ratios within one run on one machine.

Knows how to time a process and what each budget is; leaves everything about linting to the command, which is started
as people start it. A time is the median over several runs, from before the start to after the exit. Memory is the
peak resident set of the process, as the kernel counted it for its parent.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import generate

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
CORPUS = HERE.parents[1] / "shared" / "corpus" / "real.tar.xz"
KUBE_PROMETHEUS = "prometheus-operator/kube-prometheus"
BARE = (sys.executable, "-c", "pass")
EFSLINT = (str(Path(sys.executable).with_name("efslint")),)

# One pass of libyaml's event parser over the files named on standard input: what every linter that reads all of them
# has to pay. Prints seconds and bytes; the start of the interpreter and the imports are not part of it.
EVENT_PASS = """
import sys, time
from pathlib import Path
from ruamel.yaml import YAML
from ruamel.yaml.cyaml import CParser
from ruamel.yaml.error import YAMLError
paths = [Path(line) for line in sys.stdin.read().splitlines()]
size, begin = 0, time.perf_counter()
for path in paths:
    data = path.read_bytes()
    size += len(data)
    parser = CParser(data)
    try:
        while parser.check_event():
            parser.get_event()
    except (YAMLError, UnicodeError):
        continue
print(time.perf_counter() - begin, size)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took: seconds, and its peak resident memory in bytes."""

    seconds: float
    memory: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. ``measured`` (None when skipped) and ``budget`` are multiples of ``unit``."""

    work: str
    budget: float
    unit: str
    measured: float | None
    detail: str
    failed: bool = False

    @property
    def verdict(self) -> str:
        """``ok``, ``OVER``, ``skipped`` or, when the command did not do what it should, ``FAILED``."""
        if self.measured is None:
            return "FAILED" if self.failed else "skipped"
        return "ok" if self.measured <= self.budget else "OVER"


class Failed(Exception):
    """A command ended otherwise than it should."""


def main() -> int:
    """Print the table and write the results; 1 when a budget is broken or a command failed."""
    parser = argparse.ArgumentParser(description="Measure efslint against its budgets.")
    parser.add_argument("--quick", action="store_true", help="few repetitions, and not the whole corpus")
    parser.add_argument("--output", type=Path, default=HERE / "results.json", help="where the results go")
    options = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    rows = []
    print(line("work", "measured", "budget", "unit", "", "detail"))
    for row in measurements(options.quick):
        rows.append(row)
        measured = "-" if row.measured is None else f"{row.measured:.2f}"
        print(line(row.work, measured, f"{row.budget:.2f}", row.unit, row.verdict, row.detail), flush=True)
    results = {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "rows": [asdict(row) | {"verdict": row.verdict} for row in rows],
    }
    options.output.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(any(row.verdict in ("OVER", "FAILED") for row in rows))


def line(work: str, measured: str, budget: str, unit: str, verdict: str, detail: str) -> str:
    """Lay out one line of the table."""
    return f"{work:<38} {measured:>8} {budget:>7}  {unit:<22} {verdict:<8} {detail}".rstrip()


def measurements(quick: bool) -> Iterator[Row]:
    """Yield every row as soon as it is measured."""
    yield from guarded(start_up(5 if quick else 21))
    yield from guarded(linearity(20 if quick else 200, 1 if quick else 3))
    if CORPUS.exists():
        yield from guarded(kube_prometheus(unpacked(), 1 if quick else 5))
        yield from guarded(everything(unpacked(), quick))
    else:
        for row in CORPUS_ROWS:
            yield Row(*row, None, "the corpus is not here")


def guarded(rows: Iterator[Row]) -> Iterator[Row]:
    """Put a row of its own in the place of what could not be measured, and go on."""
    try:
        yield from rows
    except Failed as error:
        yield Row("could not be measured", 0.0, "", None, str(error), failed=True)


def start_up(runs: int) -> Iterator[Row]:
    """Measure what a commit hook costs: the version, a manifest without storage, a manifest with findings."""
    plain, database = CACHE / "plain.yaml", CACHE / "database.yaml"
    plain.write_text(generate.without_storage(), encoding="utf-8")
    database.write_text(generate.database(0), encoding="utf-8")
    jobs = (
        ("efslint --version", 2.5, (*EFSLINT, "--version"), 0),
        ("100-line manifest without storage", 6.0, (*EFSLINT, str(plain)), 0),
        ("StatefulSet + class with findings", 14.0, (*EFSLINT, str(database)), 1),
    )
    # In turns, so that a slow moment of the machine falls on all of them.
    costs = [[run(BARE, 0), *(run(command, code) for _, _, command, code in jobs)] for _ in range(runs)]
    bare, *others = (statistics.median(cost.seconds for cost in column) for column in zip(*costs, strict=True))
    for (work, budget, _, _), seconds in zip(jobs, others, strict=True):
        detail = f"{1000 * seconds:.0f} ms against {1000 * bare:.0f} ms"
        yield Row(work, budget, "× bare python", seconds / bare, detail)


def linearity(count: int, runs: int) -> Iterator[Row]:
    """Measure what ten times the input costs, in one file in which every document has findings."""
    seconds = []
    for size in (count, 10 * count):
        path = CACHE / f"generated-{size}.yaml"
        path.write_text("---\n".join(generate.database(number) for number in range(size)), encoding="utf-8")
        seconds.append(typical((*EFSLINT, str(path)), 1, runs).seconds)
    small, large = seconds
    yield Row("10 × the input", 11.0, "× the time", large / small, f"{large:.2f} s against {small:.2f} s")


CORPUS_ROWS = (
    ("kube-prometheus: time without start-up", 3.0, "× C event pass"),
    ("kube-prometheus: peak memory", 8.0, "× the input"),
    ("all real manifests", 1.0, "× C event pass"),
)


def kube_prometheus(real: Path, runs: int) -> Iterator[Row]:
    """Measure manifests that hold next to no storage against one pass of the C event parser over the same files."""
    events, size = event_pass(real / KUBE_PROMETHEUS, runs)
    start = typical((*EFSLINT, "--version"), 0, 5).seconds
    lint = typical((*EFSLINT, str(real / KUBE_PROMETHEUS)), None, runs)
    detail = f"{lint.seconds:.2f} s, start-up {start:.2f} s, event pass {events:.2f} s"
    yield Row(*CORPUS_ROWS[0], (lint.seconds - start) / events, detail)
    yield Row(*CORPUS_ROWS[1], lint.memory / size, f"{lint.memory / 1e6:.0f} MB for {size / 1e6:.1f} MB")


def everything(real: Path, quick: bool) -> Iterator[Row]:
    """Measure all repositories, on all processors, against one single-process event pass over the same files."""
    if quick:
        yield Row(*CORPUS_ROWS[2], None, "left out by --quick")
        return
    events, size = event_pass(real, 2)
    options = subprocess.run((*EFSLINT, "--help"), stdout=subprocess.PIPE, text=True, check=True).stdout
    jobs = ("--jobs", str(os.cpu_count() or 1)) if "--jobs" in options else ()
    lint = typical((*EFSLINT, *jobs, str(real)), None, 3)
    detail = f"{lint.seconds:.2f} s against {events:.2f} s, {size / 1e6:.0f} MB, {lint.memory / 1e6:.0f} MB of memory"
    yield Row(*CORPUS_ROWS[2], lint.seconds / events, detail)


def event_pass(folder: Path, runs: int) -> tuple[float, int]:
    """Return the median seconds of a pass of the C event parser over a folder's manifests, and their size in bytes."""
    names = "\n".join(sorted(str(path) for kind in ("yaml", "yml", "json") for path in folder.rglob(f"*.{kind}")))
    outputs = [
        subprocess.run(
            (sys.executable, "-c", EVENT_PASS), input=names, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(runs)
    ]
    return statistics.median(float(output.split()[0]) for output in outputs), int(outputs[0].split()[1])


def typical(command: Sequence[str], code: int | None, runs: int) -> Cost:
    """Run a command several times: the median of the seconds, the most of the memory."""
    costs = [run(command, code) for _ in range(runs)]
    return Cost(statistics.median(cost.seconds for cost in costs), max(cost.memory for cost in costs))


def run(command: Sequence[str], code: int | None) -> Cost:
    """Run a command with its output thrown away; stop everything when it ends otherwise than expected.

    ``code`` is the exit code to expect; None takes 0 and 1, clean or with findings.
    """
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((0, 1) if code is None else (code,)):
        raise Failed(f"exit {process.returncode}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(seconds, usage.ru_maxrss * unit)


def unpacked() -> Path:
    """Unpack the corpus once; return the folder that holds the repositories."""
    folder = CACHE / "corpus"
    if not folder.exists():
        partial = CACHE / "corpus.partial"
        shutil.rmtree(partial, ignore_errors=True)
        with tarfile.open(CORPUS) as archive:
            archive.extractall(partial, filter="data")
        partial.rename(folder)
    return folder / "real"


if __name__ == "__main__":
    raise SystemExit(main())
