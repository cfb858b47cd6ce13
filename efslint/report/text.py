"""The report for people: a block per finding with the chain of evidence, then what was skipped, then one summary line.

Knows the layout, its colours, and what is folded: findings that say the same words share a block, and a rule that has
had many blocks gets a line for each further finding. How a line of source is shown is in ``frames``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from efslint.report.escape import visible
from efslint.report.frames import Frame, frame, secret_parts, text_width, wrapped
from efslint.report.lines import finding_line, place, shown_path, skip_lines
from efslint.report.model import Report
from efslint.report.style import PLAIN, Style
from efslint.report.summary import amount, few_steps, same_place, sentence, steps
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Step
from efslint.text.source import Source

_MOST_STEPS = 8
_MOST_BLOCKS = 10  # of one rule
_MOST_REPEATS = 8  # places that are named for findings that say the same
_LABEL_ROOM = 40  # a label gets at least so many columns of its own when it does not fit behind the carets
_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_BOLD, _FAINT = "1", "2"


def text(report: Report, style: Style = PLAIN) -> str:
    """Write the report for a terminal of the given style."""
    secrets = _secrets(report.findings)
    blocks: list[str] = []
    seen: Counter[str] = Counter()
    folded = False
    for finding, repeats in _same_words(report.findings):
        seen[finding.rule] += 1
        if seen[finding.rule] <= _MOST_BLOCKS:
            blocks.append("\n".join(_block(finding, repeats, style, secrets)) + "\n")
            folded = False
            continue
        lines = "".join(f"{finding_line(each)}\n" for each in (finding, *repeats))
        blocks = [*blocks[:-1], blocks[-1] + lines] if folded else [*blocks, lines]
        folded = True
    if report.skipped:
        blocks.append("".join(f"{line}\n" for line in skip_lines(report.skipped)))
    return "\n".join([*blocks, "\n".join(_lines(sentence(report), style)) + "\n"])


def _same_words(findings: Iterable[Finding]) -> Iterable[tuple[Finding, list[Finding]]]:
    """Pair the first of all findings that say the same words about different places with the others."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        words = (finding.rule, finding.severity, finding.message, finding.help, finding.docs)
        groups.setdefault(words, []).append(finding)
    return ((first, others) for first, *others in groups.values())


def _secrets(findings: Iterable[Finding]) -> dict[Source, tuple[int, ...]]:
    sources = {step.span.source for finding in findings for step in steps(finding)}
    return {source: secret_parts(source) for source in sources}


def _block(
    finding: Finding, repeats: Sequence[Finding], style: Style, secrets: dict[Source, tuple[int, ...]]
) -> Iterator[str]:
    shown = few_steps(finding, _MOST_STEPS)
    digits = len(str(max(step.span.first.line for step in shown)))
    margin = " " * digits
    yield from _headline(finding, style)
    yield from _frames(finding, shown, digits, style, secrets)
    folded = len(steps(finding)) - len(shown)
    if folded:
        yield f"{margin}  … and {amount(folded, 'more place')}"
    if repeats:
        yield f"{margin}  the same at {amount(len(repeats), 'more place')}:"
    for repeat in repeats[:_MOST_REPEATS]:
        about = "" if repeat.object is None else f" {visible(repeat.object.label)}"
        yield f"{margin}    {place(repeat)}{about}"
    if len(repeats) > _MOST_REPEATS:
        yield f"{margin}    … and {len(repeats) - _MOST_REPEATS} more (-f concise names all)"
    for name, words in (("help", finding.help), ("docs", finding.docs)):
        if words:
            first, *more = _lines(visible(words), style, digits + 10)
            yield f"{margin}  {_paint(f'= {name}:', _BOLD, style)} {first}"
            yield from (f"{margin}          {line}" for line in more)


def _headline(finding: Finding, style: Style) -> Iterator[str]:
    rule = visible(finding.rule)
    label = f"{finding.severity}[{rule}]"
    first, *more = _lines(f"{label} {visible(finding.name)}: {visible(finding.message)}", style, 4)
    shown = f"[{rule}]"
    if style.hyperlinks and finding.docs.startswith(("https://", "http://")):
        shown = f"\x1b]8;;{visible(finding.docs)}\x1b\\{shown}\x1b]8;;\x1b\\"
    shown = _paint(f"{finding.severity}{shown}", _COLORS[finding.severity], style)
    yield f"{shown} {_paint(first.removeprefix(label)[1:], _BOLD, style)}"
    yield from (f"    {_paint(line, _BOLD, style)}" for line in more)


def _lines(words: str, style: Style, indent: int = 0) -> list[str]:
    """Break words into lines that fit behind an indent, if the style asks for it."""
    return wrapped(words, style.width - indent) if style.wrap else [words]


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
        room = needed if needed <= width else max(_LABEL_ROOM, *map(text_width, label.split()))
        indent = max(0, min(view.before, width - room))
        for part in wrapped(label, width - indent):
            yield " " * indent + part


def _paint(words: str, code: str, style: Style) -> str:
    return f"\x1b[{code}m{words}\x1b[0m" if style.color else words
