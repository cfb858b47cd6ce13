"""Reads and parses files, in several processes where that pays.

Knows how work is dealt out and what is worth sending back. The results are the same, in the same order, as those of
one process; what is wrong with a file is in its result, and a fault of efslint is raised as in one process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from efslint.inputs.files import File, read_found
from efslint.inputs.reading import Read
from efslint.kube.manifests import Manifests, read_manifests
from efslint.text.source import Source

Parsed: TypeAlias = Manifests | Read
"""The manifests of a file, or what was found in the place of one."""

ENOUGH_BYTES = 8_000_000
"""From here on several processes are worth their start: 8 MB take 0.3 s in one, and two take 0.05 s to begin."""

_BATCH_BYTES = 500_000
_BATCH_FILES = 100
_WORDS_OF_USE = ("efslint", "# Source: ")  # suppressions, and the templates that Helm names


def parse_all(found: Iterable[Read | File], jobs: int | None = None) -> Iterator[Parsed]:
    """Read and parse what was found; ``jobs`` is the number of processes, ``None`` for what pays.

    Everything is found before anything is read.
    """
    everything = tuple(found)
    files = [each for each in everything if isinstance(each, File)]
    processes = _processes(files) if jobs is None else min(jobs, len(files))
    parsed = map(_parse, files) if processes < 2 else _in_processes(files, processes)
    for each in everything:
        yield next(parsed) if isinstance(each, File) else _parse(each)


def _parse(found: Read | File) -> Parsed:
    read = read_found(found)
    return _without_text(read_manifests(read)) if isinstance(read, Source) else read


def _without_text(manifests: Manifests) -> Manifests:
    """Let go of a text of which nothing will be reported: most texts are of that kind, and would fill the memory."""
    source = manifests.source
    if manifests.resources or manifests.problems or manifests.unrendered:
        return manifests
    if any(word in source.text for word in _WORDS_OF_USE):
        return manifests
    return manifests._replace(source=Source(source.path, ""))


def _processes(files: Sequence[File]) -> int:
    """Return how many processes pay."""
    if sum(file.size for file in files) < ENOUGH_BYTES:
        return 1
    import os

    # What this process may use, which in a container is less than the machine has.
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, len(files))


def _in_processes(files: Sequence[File], processes: int) -> Iterator[Parsed]:
    from concurrent.futures import ProcessPoolExecutor  # with what it needs, 30 ms
    from signal import SIG_IGN, SIGINT, signal

    # Ctrl-C is for the process that started the others; they would print tracebacks.
    with ProcessPoolExecutor(processes, initializer=signal, initargs=(SIGINT, SIG_IGN)) as pool:
        try:
            yield from chain.from_iterable(pool.map(_parse_batch, _batches(files)))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _parse_batch(batch: Sequence[File]) -> list[Parsed]:
    return list(map(_parse, batch))


def _batches(files: Sequence[File]) -> Iterator[list[File]]:
    """Cut the files into pieces of work that are worth sending, and small enough to be dealt out evenly."""
    batch: list[File] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.size
        if size >= _BATCH_BYTES or len(batch) == _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
