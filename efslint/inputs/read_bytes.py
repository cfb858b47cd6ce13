"""The bytes of a file or a pipe: not more than allowed, and without waiting for ever.

Opening a named pipe waits until somebody opens its other end, so a forgotten one would hold up a run for good. All
else is read as usual, the pipes of a shell's ``<(command)`` among it.
"""

from __future__ import annotations

import os
import stat
import time
from typing import BinaryIO

MOST_BYTES = 512 * 1024 * 1024
"""More than any manifest; what goes beyond this limit is an endless file such as a device."""

PATIENCE = 5.0
"""How many seconds a named pipe may be without a writer."""

_PAUSE = 0.02
_CHUNK = 1024 * 1024


def read_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """Read a path to its end, or a little further than is allowed.

    Raises ``OSError``, and ``ValueError`` for a path that holds a NUL.
    """
    # Regular files do not care; a file that became a pipe since it was found does not hold up the run.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        head = _awaited(descriptor) if stat.S_ISFIFO(mode) and os.path.exists(os.path.realpath(path)) else b""
        if not stat.S_ISREG(mode):
            os.set_blocking(descriptor, True)
        with open(descriptor, "rb", buffering=0, closefd=False) as file:
            return head + read_stream(file, most - len(head))
    finally:
        os.close(descriptor)


def read_stream(file: BinaryIO, most: int = MOST_BYTES) -> bytes:
    """Read up to the end, or a little further than is allowed; a pipe does not tell its size beforehand."""
    chunks: list[bytes] = []
    size = 0
    while size <= most and (chunk := file.read(_CHUNK)):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _awaited(descriptor: int) -> bytes:
    """Wait until a named pipe has a writer, and return the first of what it writes, if it has done so already."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            head = os.read(descriptor, _CHUNK)
        except BlockingIOError:  # there is a writer, with nothing to say yet
            return b""
        if head:
            return head
        time.sleep(_PAUSE)
    raise TimeoutError(f"nobody has opened this pipe for writing in {PATIENCE:g} seconds")
