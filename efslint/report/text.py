"""The report for people: a block per finding with the chain of evidence, then what was skipped, then one summary line.

Knows the layout and its colours; how a line of source is shown is in ``frames``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from efslint.report.escape import visible
from efslint.report.frames import Frame, frame, secret_parts, text_width, wrapped
from efslint.report.model import Report, Skip
from efslint.report.style import PLAIN, Style
from efslint.report.summary import few_steps, same_place, sentence, steps
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Step
from efslint.text.source import Source

_MOST_SKIPS = 10  # of one reason
_MOST_STEPS = 8
_LABEL_ROOM = 40  # a label gets at least so many columns of its own when it does not fit behind the carets
_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_BOLD, _FAINT = "1", "2"


def text(report: Report, style: Style = PLAIN) -> str:
    """Write the report for a terminal of the given style."""
    secrets = _secrets(report.findings)
    blocks = ["\n".join(_block(finding, style, secrets)) + "\n" for finding in report.findings]
    if report.skipped:
        blocks.append("".join(f"{line}\n" for line in skip_lines(report.skipped)))
    return "\n".join([*blocks, sentence(report) + "\n"])


def skip_lines(skipped: Iterable[Skip]) -> Iterator[str]:
    """Name what was not looked into; of many with one reason the first ones, and how many more there are."""
    left: dict[str, int] = {}
    for skip in skipped:
        left[skip.reason] = left.get(skip.reason, 0) + 1
        if left[skip.reason] <= _MOST_SKIPS:
            yield skip_line(skip)
    for reason, number in left.items():
        if number > _MOST_SKIPS:
            yield f"… and {number - _MOST_SKIPS} more skipped: {visible(reason)} (-f json names all)"


def skip_line(skip: Skip) -> str:
    """Say what was not looked into, where it begins, and why."""
    return f"{shown_path(skip.path)}:{skip.line}: skipped: {visible(skip.reason)}"


def shown_path(path: str) -> str:
    """Make a path harmless. One that could be taken for a command of a CI runner (``::error::``) gets a ``./``."""
    path = visible(path)
    return f"./{path}" if path.lstrip().startswith(("::", "##")) else path


def _secrets(findings: Iterable[Finding]) -> dict[Source, tuple[int, ...]]:
    sources = {step.span.source for finding in findings for step in steps(finding)}
    return {source: secret_parts(source) for source in sources}


def _block(finding: Finding, style: Style, secrets: dict[Source, tuple[int, ...]]) -> Iterator[str]:
    shown = few_steps(finding, _MOST_STEPS)
    digits = len(str(max(step.span.first.line for step in shown)))
    yield _headline(finding, style)
    yield from _frames(finding, shown, digits, style, secrets)
    folded = len(steps(finding)) - len(shown)
    if folded:
        yield f"{' ' * digits}  … and {folded} more {'place' if folded == 1 else 'places'}"
    for name, words in (("help", finding.help), ("docs", finding.docs)):
        if words:
            yield f"{' ' * digits}  {_paint(f'= {name}:', _BOLD, style)} {visible(words)}"


def _headline(finding: Finding, style: Style) -> str:
    rule = f"[{visible(finding.rule)}]"
    if style.hyperlinks and finding.docs.startswith(("https://", "http://")):
        rule = f"\x1b]8;;{visible(finding.docs)}\x1b\\{rule}\x1b]8;;\x1b\\"
    label = _paint(f"{finding.severity}{rule}", _COLORS[finding.severity], style)
    return f"{label} {_paint(f'{visible(finding.name)}: {visible(finding.message)}', _BOLD, style)}"


def _frames(
    finding: Finding, shown: Iterable[Step], digits: int, style: Style, secrets: dict[Source, tuple[int, ...]]
) -> Iterator[str]:
    """Show the steps; those of one file in a row share a header, and the line to change is marked ``>``."""
    several = len(steps(finding)) > 1
    path = line = None
    empty = _paint(f" {' ' * digits} |", _FAINT, style)
    for step in shown:
        source, place = step.span.source, step.span.first
        if source.path != path:
            arrow = _paint(f"{' ' * digits} -->", _FAINT, style)
            yield f"{arrow} {shown_path(source.path)}:{place.line}:{place.column}"
            yield empty
            path, line = source.path, None
        own = same_place(step.span, finding.span)
        view = frame(step.span, style.width - digits - 4, secrets[source])
        row = f"{'>' if own and several else ' '}{place.line:>{digits}} |"
        if (place.line, view.shown) != line:
            yield f"{_paint(row, _FAINT, style)} {view.shown}".rstrip()
        line = (place.line, view.shown)
        color = _COLORS[finding.severity] if own else _BOLD
        for under in _carets(view, visible(step.message), style.width - digits - 4, color, style):
            yield f"{empty} {under}"


def _carets(view: Frame, label: str, width: int, color: str, style: Style) -> Iterator[str]:
    """Underline the text of a step and say what it is, beside the carets or, where it is too long, below them."""
    run = " " * view.before + _paint("^" * view.marked, color, style)
    if not label:
        yield run
    elif view.before + view.marked + 1 + text_width(label) <= width:
        yield f"{run} {label}"
    else:
        yield run
        needed = text_width(label)
        indent = max(0, min(view.before, width - (needed if needed <= width else _LABEL_ROOM)))
        for part in wrapped(label, width - indent):
            yield " " * indent + part


def _paint(words: str, code: str, style: Style) -> str:
    return f"\x1b[{code}m{words}\x1b[0m" if style.color else words
