"""The report formats by name. Each is imported when it is asked for, so a run pays for what it prints."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from efslint.report.model import Report
from efslint.report.style import PLAIN, Style

FORMATS = {
    "text": "efslint.report.text:text",
    "concise": "efslint.report.concise:concise",
    "json": "efslint.report.json_report:json_report",
    "sarif": "efslint.report.sarif:sarif",
    "github": "efslint.report.github:github",
    "gitlab": "efslint.report.gitlab:gitlab",
    "junit": "efslint.report.junit:junit",
    "markdown": "efslint.report.markdown:markdown",
}


def render(
    name: str, report: Report, style: Style = PLAIN, *, sarif_category: str = "", sarif_suppressed: bool = False
) -> str:
    """Write a report in the format of a name of ``FORMATS``; what a format has no use for is ignored.

    Raises:
        KeyError: there is no format of that name.
    """
    module, _, function = FORMATS[name].partition(":")
    write: Callable[..., str] = getattr(import_module(module), function)
    if name == "text":
        return write(report, style)
    if name == "sarif":
        return write(report, category=sarif_category, suppressed=sarif_suppressed)
    return write(report)
