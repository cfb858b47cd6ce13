"""The command line: which options there are and what their words mean."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from functools import partial
from re import fullmatch

SEVERITIES = ("error", "warning", "note")
FORMAT_NAMES = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")

_EPILOG = """\
exit status:
  0  nothing at or over the threshold (--fail-on, by default warning)
  1  findings at or over it, or with --strict anything skipped or not resolved
  2  the job could not be done: wrong usage, configuration or rule file, a path that cannot be read

examples:
  efslint manifests/
  helm template my-release ./chart | efslint -
  efslint -f text -f sarif=efslint.sarif deploy/
  efslint --explain EFS101
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help that is not wider than a page. Given no width, the base class asks the terminal, once for every option."""

    def __init__(self, prog: str, width: int = 98) -> None:
        super().__init__(prog, max_help_position=30, width=width)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    color: bool  # of Python 3.14, which colours help by itself

    def format_help(self) -> str:
        """Lay the help out for the terminal, however wide that is."""
        from shutil import get_terminal_size

        self.formatter_class = partial(_Formatter, width=min(get_terminal_size().columns - 2, 98))
        return super().format_help()

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise instead of printing and exiting, which is left to ``cli``."""
        raise UsageError(message)


class UsageError(Exception):
    """The command line cannot be understood."""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; options may stand before, between and behind paths.

    Raises:
        UsageError: an option is unknown, lacks its value, or has one that it does not take.
    """
    # What follows "--" is cut off here, because argparse loses track of it when options may stand anywhere.
    cut = argv.index("--") if "--" in argv else len(argv)
    arguments = parser().parse_intermixed_args(argv[:cut])
    arguments.paths.extend(argv[cut + 1 :])
    if "" in arguments.paths:
        # What is left of a variable that is not set; it would mean the working directory.
        raise UsageError("argument PATH: an empty name")
    return arguments


def parser() -> argparse.ArgumentParser:
    """Build the parser."""
    made = _Parser(
        prog="efslint",
        usage="%(prog)s [OPTIONS] [PATH ...]",
        description="Find dangerous EFS and NFS storage in Kubernetes manifests, before they are deployed.",
        epilog=_EPILOG,
        formatter_class=_Formatter,
        allow_abbrev=False,
        add_help=False,
    )
    made.color = False
    paths = made.add_argument_group("what to look at")
    paths.add_argument("paths", nargs="*", metavar="PATH", help="file, directory, or - for standard input")
    _add_output(made.add_argument_group("output"))
    _add_rules(made.add_argument_group("rules"))
    _add_input(made.add_argument_group("input"))
    _add_adoption(made.add_argument_group("living with findings"))
    _add_information(made.add_argument_group("information"))
    return made


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-f",
        "--format",
        dest="formats",
        action="append",
        type=_format,
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(FORMAT_NAMES)}; may be given several times, once without a file (default: text)",
    )
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colour in text reports (default: auto)"
    )
    group.add_argument("--statistics", action="store_true", help="count findings by rule instead of showing each")
    group.add_argument("--sarif-category", metavar="NAME", help="tell apart several SARIF uploads of one workflow")
    group.add_argument(
        "--sarif-suppressed", action="store_true", help="put suppressed findings into SARIF, marked as such"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notices, and no report for people when there is nothing to say"
    )
    group.add_argument("-v", "--verbose", action="store_true", help="show the traceback of an internal error")


def _add_rules(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--select", action="append", metavar="RULE[,RULE]", help="use only these rules: ids, prefixes of ids, or names"
    )
    group.add_argument("--ignore", action="append", metavar="RULE[,RULE]", help="leave these rules out")
    group.add_argument("--severity", action="append", metavar="RULE=LEVEL", help="error, warning or note for a rule")
    group.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), help="what makes the exit status 1 (default: warning)"
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="exit status 1 too when anything was skipped or not resolved",
    )
    group.add_argument(
        "--rules", action="append", type=_filled, metavar="DIR", help="add the rule files of a folder (rule pack)"
    )


def _add_input(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--context",
        action="append",
        type=_filled,
        metavar="PATH",
        help="read for resolving references; report only findings whose evidence touches a PATH",
    )
    group.add_argument("--exclude", action="append", metavar="GLOB", help="leave out files, as in .gitignore")
    group.add_argument(
        "--storage-class",
        action="append",
        metavar="NAME=DRIVER",
        help="what a class is that is not in the input: a driver name, or efs, nfs, other",
    )
    group.add_argument(
        "--stdin-filename", type=_filled, metavar="NAME", help="what standard input is called in reports"
    )
    group.add_argument(
        "--chart-root",
        action="append",
        type=_filled,
        metavar="DIR",
        help="where the charts are that piped input was rendered from (default: looked for by name)",
    )
    group.add_argument(
        "--values", action="append", type=_filled, metavar="FILE", help="values with which charts are rendered"
    )
    group.add_argument("--set", action="append", type=_filled, metavar="KEY=VALUE", help="set values of charts")
    group.add_argument("--release", type=_filled, metavar="NAME", help="name of the release (default: release-name)")
    group.add_argument("--namespace", type=_filled, metavar="NAME", help="namespace of the release (default: default)")
    group.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="processes that read files, or auto (the default): one, unless more are faster",
    )
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--config",
        type=_filled,
        metavar="FILE",
        help="configuration (default: the nearest .efslint.yaml or .efslint.yml, or [tool.efslint] in pyproject.toml)",
    )
    either.add_argument("--no-config", action="store_true", help="read no configuration file")


def _add_adoption(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--baseline",
        type=_filled,
        metavar="FILE",
        help="do not report the findings that a file lists; name those of its entries that are no longer found",
    )
    group.add_argument(
        "--update-baseline", action="store_true", help="write the findings of this run to the baseline, and accept them"
    )
    group.add_argument(
        "--today", type=_day, metavar="YYYY-MM-DD", help="the day against which until= is judged (default: today)"
    )


def _add_information(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-h", "--help", action="store_true", help="show this help")
    group.add_argument("--explain", metavar="RULE", help="show what a rule is about, why, and what to do")
    group.add_argument("--list-rules", action="store_true", help="show all rules, one a line")
    group.add_argument("--list-files", action="store_true", help="show the files that would be read, one a line")
    group.add_argument("--show-config", action="store_true", help="show all settings, and where each comes from")
    group.add_argument("-V", "--version", action="store_true", help="show the version")


def _format(word: str) -> tuple[str, str | None]:
    name, equals, file = word.partition("=")
    if name not in FORMAT_NAMES:
        raise argparse.ArgumentTypeError(f"unknown format {name!r}; there are {', '.join(FORMAT_NAMES)}")
    if equals and not file:
        raise argparse.ArgumentTypeError(f"no file after {word!r}")
    return name, None if file in ("", "-") else file


def _jobs(text: str) -> int | None:
    """Read a number of processes; ``None`` is for what pays."""
    if text == "auto":
        return None
    if fullmatch(r"[0-9]{1,3}", text) is None or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is neither auto nor a number from 1 to 999")
    return int(text)


def _filled(text: str) -> str:
    """Refuse what is left of a variable that is not set."""
    if not text:
        raise argparse.ArgumentTypeError("an empty name")
    return text


def _day(text: str) -> date:
    try:
        if fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is None:
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-01-31") from None
