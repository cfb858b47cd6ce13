"""The command: arguments in, exit status out. The only place that prints.

Knows the order in which a run goes and what makes it fail; every stage is imported when it is reached, because a
commit hook pays for start-up each time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from efslint import __version__

TYPE_CHECKING = False  # the one of typing takes 8 ms to import, half of a bare start of Python
if TYPE_CHECKING:
    from argparse import Namespace

OK, FINDINGS, FAILED = 0, 1, 2
_INTERRUPTED = 130  # 128 + SIGINT, as shells count


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["--version"], ["-V"]):
        print(f"efslint {__version__}")
        return OK
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return _closed_pipe()
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _closed_pipe() -> int:
    """End quietly when nobody reads any more; Python would complain once more at exit when it flushes."""
    import os

    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return OK


def _run(argv: list[str]) -> int:
    from efslint.cli_arguments import UsageError, parse_arguments

    try:
        arguments = parse_arguments(argv)
    except UsageError as error:
        return _fail(f"{error} (see efslint --help)")
    from efslint.run import RunError

    try:
        return _act(arguments)
    except RunError as error:
        return _fail(str(error))
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if arguments.verbose:
            raise
        return _fail(
            f"internal error: {type(error).__name__}: {_one_line(str(error))} (run again with -v and report the traceback)"
        )


def _act(arguments: Namespace) -> int:
    from efslint import run

    if arguments.version:
        print(f"efslint {__version__}")
    elif arguments.explain is not None:
        print(run.explain(arguments.explain), end="")
    elif arguments.list_rules:
        print(run.rule_list(arguments), end="")
    elif arguments.show_config:
        print(run.configuration(arguments), end="")
    elif arguments.list_files:
        print(run.file_list(arguments), end="")
    elif not arguments.paths:
        from efslint.cli_arguments import parser

        print(parser().format_help(), end="")
        return FAILED
    else:
        return _lint(arguments)
    return OK


def _lint(arguments: Namespace) -> int:
    from efslint import run

    finished = run.lint(arguments)
    for name, text in finished.reports:
        if name is None:
            _write(text)
    for notice in finished.notices:
        if not arguments.quiet or notice.failure:
            _say(notice.text)
    return finished.status


def _write(text: str) -> None:
    """Write a report to standard output as UTF-8, whatever the terminal's encoding; nothing else goes there."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
    else:
        buffer.write(text.encode("utf-8", "backslashreplace"))


def _say(message: str) -> None:
    from efslint.report.escape import visible

    sys.stdout.flush()
    print(f"efslint: {visible(message)}", file=sys.stderr)


def _fail(message: str) -> int:
    _say(message)
    return FAILED


def _one_line(text: str) -> str:
    return " ".join(text.split())
