"""The command line: which options there are and what their words mean."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date

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


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise instead of printing and exiting, which is left to ``cli``."""
        raise UsageError(message)


class UsageError(Exception):
    """The command line cannot be understood."""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line.

    Raises:
        UsageError: an option is unknown, lacks its value, or has one that it does not take.
    """
    return parser().parse_args(argv)


def parser() -> argparse.ArgumentParser:
    """Build the parser."""
    made = _Parser(
        prog="efslint",
        usage="%(prog)s [OPTIONS] [PATH ...]",
        description="Find dangerous EFS and NFS storage in Kubernetes manifests, before they are deployed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("paths", nargs="*", metavar="PATH", help="file, directory, or - for standard input")
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
        help=f"report as {', '.join(FORMAT_NAMES)}; may be given several times, one of them without a file (default: text)",
    )
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colour in text reports (default: auto)"
    )
    group.add_argument("--statistics", action="store_true", help="count findings by rule instead of showing each")
    group.add_argument("--sarif-category", metavar="NAME", help="tell apart several SARIF uploads of one workflow")
    group.add_argument(
        "--sarif-suppressed", action="store_true", help="put suppressed findings into SARIF, marked as such"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no report when there is no finding, no notices")
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
        default=None,
        help="exit status 1 too when anything was skipped or not resolved",
    )
    group.add_argument("--rules", action="append", metavar="DIR", help="add the rule files of a folder")


def _add_input(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--context",
        action="append",
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
    group.add_argument("--stdin-filename", metavar="NAME", help="what standard input is called in reports")
    group.add_argument(
        "--config",
        metavar="FILE",
        help="configuration (default: the nearest .efslint.yaml, or [tool.efslint] in pyproject.toml)",
    )
    group.add_argument("--no-config", action="store_true", help="no configuration file")


def _add_adoption(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="do not report the findings listed in a file; report entries that are no longer found",
    )
    group.add_argument("--update-baseline", action="store_true", help="write the findings of this run to the baseline")
    group.add_argument(
        "--today", type=_day, metavar="YYYY-MM-DD", help="the day against which until= is judged (default: today)"
    )


def _add_information(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--explain", metavar="RULE", help="what a rule is about, why, and what to do")
    group.add_argument("--list-rules", action="store_true", help="all rules, one a line")
    group.add_argument("--list-files", action="store_true", help="the files that would be read")
    group.add_argument("--show-config", action="store_true", help="all settings, and where each comes from")
    group.add_argument("--version", action="store_true", help="the version")


def _format(word: str) -> tuple[str, str | None]:
    name, equals, file = word.partition("=")
    if name not in FORMAT_NAMES:
        raise argparse.ArgumentTypeError(f"unknown format {name!r}; there are {', '.join(FORMAT_NAMES)}")
    if equals and not file:
        raise argparse.ArgumentTypeError(f"no file after {word!r}")
    return name, file or None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-01-31") from None
