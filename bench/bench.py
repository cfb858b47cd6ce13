"""Measure efslint against its budgets, as ratios within one run on one machine.

Knows what is measured and what each budget is; leaves timing to ``cost``, input to ``generate``, and everything about
linting to the command, which is started as people start it. A ratio is one of clock times, medians over several runs;
the same ratio of processor times stands beside it, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import generate
import others
from cost import Cost, Failed, environment, middle, run, typical

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
CORPUS = HERE.parents[1] / "shared" / "corpus" / "real.tar.xz"
KUBE_PROMETHEUS = "prometheus-operator/kube-prometheus"
BARE = (sys.executable, "-c", "pass")
EFSLINT = (str(Path(sys.executable).with_name("efslint")),)

# One pass of libyaml's event parser over the files named on standard input: what every linter that reads all of them
# has to pay. Prints seconds (clock, processor) and bytes; the start of the interpreter and the imports do not count.
EVENT_PASS = """
import sys, time
from pathlib import Path
from ruamel.yaml import YAML
from ruamel.yaml.cyaml import CParser
from ruamel.yaml.error import YAMLError
paths = [Path(line) for line in sys.stdin.read().splitlines()]
size, begin, cpu = 0, time.perf_counter(), time.process_time()
for path in paths:
    data = path.read_bytes()
    size += len(data)
    parser = CParser(data)
    try:
        while parser.check_event():
            parser.get_event()
    except (YAMLError, UnicodeError):
        continue
print(time.perf_counter() - begin, time.process_time() - cpu, size)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. ``measured`` (None when skipped) and ``budget`` are multiples of ``unit``.

    ``cpu`` is the ratio of processor times. A row without a budget is there for comparison.
    """

    work: str
    budget: float | None
    unit: str
    measured: float | None
    detail: str
    cpu: float | None = None
    failed: bool = False

    @property
    def verdict(self) -> str:
        """``ok``, ``OVER``, ``skipped`` or, when the command did not do what it should, ``FAILED``."""
        if self.measured is None:
            return "FAILED" if self.failed else "skipped"
        return "" if self.budget is None else "ok" if self.measured <= self.budget else "OVER"


def main() -> int:
    """Print the table and write the results; 1 when a budget is broken or a command failed."""
    parser = argparse.ArgumentParser(description="Measure efslint against its budgets.")
    parser.add_argument("--quick", action="store_true", help="few repetitions, and not the whole corpus")
    parser.add_argument("--output", type=Path, default=HERE / "results.json", help="where the results go")
    options = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    packages = sysconfig.get_path("purelib")
    subprocess.run((sys.executable, "-m", "compileall", "-qq", packages), env=environment(), check=False)
    rows = []
    print(line("work", "measured", "cpu", "budget", "unit", "", "detail"))
    for row in measurements(options.quick):
        rows.append(row)
        measured, cpu, budget = ("-" if each is None else f"{each:.2f}" for each in (row.measured, row.cpu, row.budget))
        print(line(row.work, measured, cpu, budget, row.unit, row.verdict, row.detail), flush=True)
    results = {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "rows": [asdict(row) | {"verdict": row.verdict} for row in rows],
        "sizes": [] if options.quick else [asdict(size) for size in sizes()],
    }
    options.output.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(any(row.verdict in ("OVER", "FAILED") for row in rows))


def line(work: str, measured: str, cpu: str, budget: str, unit: str, verdict: str, detail: str) -> str:
    """Lay out one line of the table."""
    return f"{work:<40} {measured:>8} {cpu:>7} {budget:>7}  {unit:<16} {verdict:<8} {detail}".rstrip()


def measurements(quick: bool) -> Iterator[Row]:
    """Yield every row as soon as it is measured."""
    yield from guarded(start_up(5 if quick else 21))
    yield from guarded(linearity(20 if quick else 200, 1 if quick else 3))
    yield from guarded(memory(2 if quick else 20))
    if CORPUS.exists():
        yield from guarded(kube_prometheus(unpacked(), 1 if quick else 5))
        yield from guarded(everything(unpacked(), quick))
    else:
        for row in CORPUS_ROWS:
            yield Row(*row, None, "the corpus is not here")
    if not quick:
        yield from guarded(comparison())


def guarded(rows: Iterator[Row]) -> Iterator[Row]:
    """Put a row of its own in the place of what could not be measured, and go on."""
    try:
        yield from rows
    except Failed as error:
        yield Row("could not be measured", None, "", None, str(error), failed=True)


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
    turns = [[run(BARE, 0), *(run(command, code) for _, _, command, code in jobs)] for _ in range(runs)]
    bare, *costs = map(middle, zip(*turns, strict=True))
    for (work, budget, _, _), cost in zip(jobs, costs, strict=True):
        detail = f"{1000 * cost.wall:.0f} ms against {1000 * bare.wall:.0f} ms"
        yield Row(work, budget, "× bare python", cost.wall / bare.wall, detail, cost.cpu / bare.cpu)


def linearity(count: int, runs: int) -> Iterator[Row]:
    """Measure what ten times the input costs, in one file in which every document has findings."""
    costs = []
    for size in (count, 10 * count):
        path = CACHE / f"generated-{size}.yaml"
        path.write_text("---\n".join(generate.database(number) for number in range(size)), encoding="utf-8")
        costs.append(typical((*EFSLINT, str(path)), 1, runs))
    small, large = costs
    detail = f"{large.wall:.2f} s against {small.wall:.2f} s"
    yield Row("10 × the input", 11.0, "× the time", large.wall / small.wall, detail, large.cpu / small.cpu)


def memory(megabytes: int) -> Iterator[Row]:
    """Measure how much memory ten times the files take, of which none is about storage; one process."""
    costs = [run((*EFSLINT, "--jobs", "1", str(folder(size, every=0))), 0) for size in (megabytes, 10 * megabytes)]
    small, large = (cost.memory for cost in costs)
    detail = f"{large / 1e6:.0f} MB for {10 * megabytes} MB of files, {small / 1e6:.0f} MB for {megabytes} MB"
    yield Row("10 × the files: peak memory", 1.5, "× the memory", large / small, detail)


@dataclass(frozen=True, slots=True)
class Size:
    """What input of a size costs in one process: seconds of clock and processor, and bytes of peak memory."""

    megabytes: int
    wall: float
    cpu: float
    memory: int


def sizes() -> Iterator[Size]:
    """Measure input of many sizes in files of 50 kB, of which every tenth holds a database with findings."""
    for megabytes in SIZES:
        cost = typical((*EFSLINT, "--jobs", "1", str(folder(megabytes, every=10))), 1, 3 if megabytes < 50 else 1)
        print(f"{megabytes:>4} MB {cost.wall:8.2f} s {cost.cpu:8.2f} s {cost.memory / 1e6:8.0f} MB", flush=True)
        yield Size(megabytes, cost.wall, cost.cpu, cost.memory)


def folder(megabytes: int, every: int) -> Path:
    """Make so many megabytes of files; every so manieth has findings."""
    made = CACHE / f"files-{megabytes}-{every}"
    if not made.exists():
        made.mkdir()
        for number in range(20 * megabytes):
            text = generate.file_of(50_000, number, with_database=every > 0 and number % every == 0)
            (made / f"{number:05}.yaml").write_text(text, encoding="utf-8")
    return made


CORPUS_ROWS = (
    ("kube-prometheus: time without start-up", 3.0, "× C event pass"),
    ("kube-prometheus: peak memory", 8.0, "× the input"),
    ("all real manifests", 1.0, "× C event pass"),
)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200)


def kube_prometheus(real: Path, runs: int) -> Iterator[Row]:
    """Measure manifests that hold next to no storage against one pass of the C event parser over the same files."""
    events, size = event_pass(real / KUBE_PROMETHEUS, runs)
    start = typical((*EFSLINT, "--version"), 0, 5)
    lint = typical((*EFSLINT, str(real / KUBE_PROMETHEUS)), None, runs)
    detail = f"{lint.wall:.2f} s, start-up {start.wall:.2f} s, event pass {events.wall:.2f} s"
    cpu = (lint.cpu - start.cpu) / events.cpu
    yield Row(*CORPUS_ROWS[0], (lint.wall - start.wall) / events.wall, detail, cpu)
    yield Row(*CORPUS_ROWS[1], lint.memory / size, f"{lint.memory / 1e6:.0f} MB for {size / 1e6:.1f} MB")


def everything(real: Path, quick: bool) -> Iterator[Row]:
    """Measure all repositories, on all processors, against one single-process event pass over the same files."""
    if quick:
        yield Row(*CORPUS_ROWS[2], None, "left out by --quick")
        return
    turns = [(event_pass(real, 1), run((*EFSLINT, str(real)), None)) for _ in range(3)]
    events, size = middle(events for (events, _), _ in turns), turns[0][0][1]
    lint, alone = middle(lint for _, lint in turns), run((*EFSLINT, "--jobs", "1", str(real)), None)
    detail = (
        f"{lint.wall:.2f} s against {events.wall:.2f} s, {size / 1e6:.0f} MB, {lint.memory / 1e6:.0f} MB of memory; "
        f"{alone.wall:.2f} s in one process"
    )
    yield Row(*CORPUS_ROWS[2], lint.wall / events.wall, detail, lint.cpu / events.cpu)


def comparison() -> Iterator[Row]:
    """Measure what other tools take for input that they all read; their work is another, and no budget is ours."""
    files = folder(1, every=10)
    own = typical((*EFSLINT, str(files)), 1, 3)
    for name, command, version in others.commands(CACHE):
        work = f"{name} {version}".rstrip() if command else name
        if command is None:
            yield Row(work, None, "× efslint", None, version)
            continue
        given = sorted(map(str, files.iterdir())) if name == "kube-score" else [str(files)]
        cost = typical((*command, *given), None, 1)
        detail = f"{cost.wall:.2f} s against {own.wall:.2f} s for 1 MB, {cost.memory / 1e6:.0f} MB of memory"
        yield Row(work, None, "× efslint", cost.wall / own.wall, detail, cost.cpu / own.cpu)


def event_pass(folder: Path, runs: int) -> tuple[Cost, int]:
    """Return the cost of a pass of the C event parser over a folder's manifests, and their size in bytes."""
    names = "\n".join(sorted(str(path) for kind in ("yaml", "yml", "json") for path in folder.rglob(f"*.{kind}")))
    outputs = [
        subprocess.run(
            (sys.executable, "-c", EVENT_PASS),
            input=names,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(runs)
    ]
    return middle(Cost(float(wall), float(cpu), 0) for wall, cpu, _ in outputs), int(outputs[0][2])


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
