"""The command: arguments in, exit status out. The only place that prints.

Knows what goes to which stream and what is said when a run fails; every stage is imported when it is reached, because a
commit hook pays for start-up each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from efslint import __version__

TYPE_CHECKING = False  # the one of typing takes 8 ms to import, half of a bare start of Python
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import TextIO

    from efslint.run import Finished

OK, FINDINGS, FAILED = 0, 1, 2
_INTERRUPTED = 130  # 128 + SIGINT, as shells count


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments in (["--version"], ["-V"]):
            return _write(_version())
        if argv is None:
            return _run_alone(arguments)
        return _run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _run_alone(argv: list[str]) -> int:
    """Run in a process of its own, which ends with the run: what is made is wanted until then, and has no cycles.

    The collector of cycles would look at it again and again, and once more at the end: a tenth of the time in all.
    """
    import gc

    gc.set_threshold(100_000, 50)
    status = _run(argv)
    gc.freeze()
    return status


def _run(argv: list[str]) -> int:
    from efslint.cli_arguments import UsageError, parse_arguments

    try:
        arguments = parse_arguments(argv)
    except UsageError as error:
        return _fail(f"{error} (see efslint --help)")
    try:
        return _act(arguments)
    except Exception as error:
        return _complain(error, arguments.verbose)


def _act(arguments: Namespace) -> int:
    if arguments.help:
        return _write(_help())
    if arguments.version:
        return _write(_version())
    from efslint import run

    if arguments.explain is not None:
        return _finish(run.explain(arguments), arguments)
    if arguments.list_rules:
        return _finish(run.rule_list(arguments), arguments)
    if arguments.show_config:
        return _finish(run.configuration(arguments), arguments)
    if not arguments.paths and arguments.list_files:
        return _fail("--list-files needs a PATH (see efslint --help)")
    if not arguments.paths:
        _write(_help())
        return FAILED
    if arguments.list_files:
        return _finish(run.file_list(arguments), arguments)
    from datetime import date

    today = arguments.today or date.today()  # the one place where a clock is read
    return _finish(run.lint(arguments, today, _columns(), _progress(arguments)), arguments)


def _finish(finished: Finished, arguments: Namespace) -> int:
    written = [_write(text) for file, text in finished.reports if file is None]
    for notice in finished.notices:
        if not arguments.quiet or notice.failure:
            _say(notice.text)
    return max(finished.status, *written, OK)


def _complain(error: Exception, verbose: bool) -> int:
    """Say in one line why the job could not be done."""
    try:
        from efslint.plan import reason

        known = reason(error)
    except ImportError:  # a package is missing; the error that is complained about says which
        known = None
    if known is not None:
        return _fail(known)
    if verbose and sys.stderr is not None:
        import traceback

        traceback.print_exception(error)
    hint = "report the traceback above" if verbose else "run again with -v and report the traceback"
    return _fail(f"internal error: {type(error).__name__}: {' '.join(str(error).split())} ({hint})")


def _columns() -> int | None:
    """Return the width of standard output, ``None`` if it is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).columns


def _progress(arguments: Namespace) -> Callable[[str], None] | None:
    """Return what shows how far a run is, for a person who watches standard error; ``None`` if there is none."""
    if arguments.quiet or sys.stderr is None or not sys.stderr.isatty():
        return None
    import os

    from efslint.terminal import shows_progress

    return _show if shows_progress(os.environ) else None


def _show(words: str) -> None:
    """Put words on the line of a terminal that the last ones stand on."""
    from contextlib import suppress

    with suppress(OSError):
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()


def _version() -> str:
    return f"efslint {__version__}\n"


def _help() -> str:
    from efslint.cli_arguments import parser

    return parser().format_help()


def _write(text: str) -> int:
    """Write to standard output as UTF-8, whatever the terminal's encoding; nothing else goes there.

    Nobody listening, before or any more, is not an error; a full disk is.
    """
    if sys.stdout is None:
        return OK
    try:
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(text)
        else:
            buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        return _fail(f"standard output: {(error.strerror or str(error)).lower()}")
    return OK


def _discard(stream: TextIO) -> None:
    """Put nothing in the place of a stream that nobody reads: Python would complain once more when it ends."""
    import os

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _say(message: str) -> None:
    from efslint.report.escape import visible

    if sys.stderr is None:  # printing to it would be printing to standard output
        return
    try:
        print(f"efslint: {visible(message)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def _fail(message: str) -> int:
    _say(message)
    return FAILED
