"""Where in a chart a finding of a rendered manifest is to be changed, and how surely.

Knows what to make of the candidates that ``trace`` finds. Leaves reading charts to ``inputs``, and what becomes of
findings to ``findings``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from efslint.helm.charts import Chart, Layer, chart_name, locate
from efslint.helm.prove import Proof
from efslint.helm.trace import Trace, trace
from efslint.helm.views import Candidate, Target
from efslint.inputs.chart_files import ChartFiles
from efslint.text.source import Source, Span
from efslint.yaml.node import Scalar, child


class Sureness(StrEnum):
    """How sure it is that a place in a chart made what was rendered."""

    EXACT = "exact"
    PROBABLE = "probable"
    FILE_ONLY = "file only"


class Place(NamedTuple):
    """A place in a chart. ``line`` is where the template puts a value in, if the place is that of the value.

    ``note`` says why the sureness is no better, or what else is to be known.
    """

    span: Span
    sureness: Sureness
    note: str = ""
    line: Span | None = None


class NotMade(NamedTuple):
    """The chart cannot have made what was rendered; ``reason`` says why."""

    reason: str


@dataclass(slots=True)
class Release:
    """What is known of a rendering: the chart, the values that were given, how to try again, the release's name."""

    root: ChartFiles
    given: tuple[Layer, ...] = ()
    proof: Proof | None = None
    name: str | None = None


_OUTSIDE = "the value is in none of the values files that are known, so --set or another file gives it"


def place(release: Release, template: str, target: Target, *, prove: bool = True) -> Place | NotMade:
    """Say where in its chart a scalar was written.

    Without ``prove``, nothing is rendered again for what reading alone makes sure.
    """
    found = locate(release.root, template, release.given)
    if found is None:
        return NotMade(f"the chart {chart_name(release.root)} has no {template.partition('/')[2]}")
    chart, name = found
    source = chart.files.files[name]
    traced = trace(chart, source, target)
    if not prove and len(traced.candidates) == 1 and traced.candidates[0].sure:
        placed: Place | NotMade = _of(traced.candidates[0], Sureness.EXACT, "")
    else:
        placed = _decided(release, chart, source, template, target, traced)
    if chart.files.archived and not isinstance(placed, NotMade):
        return _archived(placed, chart)
    return placed


def _decided(
    release: Release, chart: Chart, source: Source, template: str, target: Target, traced: Trace
) -> Place | NotMade:
    candidates = traced.candidates
    if release.proof is not None:
        verdict = release.proof.judge(template, target, candidates)
        moving = verdict.moving
        if verdict.tried and not moving:
            moving, candidates = release.proof.guess(chart, template, target), ()
        if len(moving) == 1:
            return _of(moving[0], Sureness.EXACT, "")
        candidates = moving or candidates
        if not candidates and len(traced.lines) == 1 and not traced.overridden and not traced.vague:
            line = Candidate(traced.lines[0], traced.lines[0])
            if release.proof.judge(template, target, (line,)).moving:
                return _of(line, Sureness.EXACT, "")
    if len(candidates) == 1 and candidates[0].sure:
        return _of(candidates[0], Sureness.EXACT, "")
    if candidates:
        others = len(candidates) - 1
        note = f"{others} other place{'s' if others > 1 else ''} can have made the same text" if others else ""
        return _of(candidates[0], Sureness.PROBABLE, note or "the text was put together from several parts")
    return _without_candidates(chart, source, template, target, traced)


def _without_candidates(chart: Chart, source: Source, template: str, target: Target, traced: Trace) -> Place | NotMade:
    if len(traced.lines) == 1:
        if traced.overridden:
            return Place(traced.lines[0], Sureness.FILE_ONLY, _OUTSIDE)
        if traced.vague:
            return Place(traced.lines[0], Sureness.FILE_ONLY, "an expression makes this part of the object")
        return Place(traced.lines[0], Sureness.PROBABLE, "an expression makes the text")
    if not makes_kind(chart, source, target):
        return NotMade(f"{template} makes no such object, so its chart has changed or the comment is wrong")
    line = _by_text(source, target)
    if line is not None:
        return Place(line, Sureness.PROBABLE, "the only line with this text")
    return Place(Span(source, 0, 0), Sureness.FILE_ONLY, "which of its lines is not known")


def _of(candidate: Candidate, sureness: Sureness, note: str) -> Place:
    if candidate.given:
        return Place(candidate.line, sureness, f"the value is given by {candidate.given}")
    line = candidate.line if candidate.line.sort_key != candidate.span.sort_key else None
    return Place(candidate.span, sureness, note, line)


def makes_kind(chart: Chart, source: Source, target: Target) -> bool:
    """Say whether a template can make an object of this kind at all."""
    kind = child(target.root, "kind")
    if type(kind) is not Scalar:
        return False
    wanted = Target(target.root, ("kind",), False, kind.text, (0, len(kind.text)))
    found = trace(chart, source, wanted)
    return bool(found.candidates or found.lines)


def _by_text(source: Source, target: Target) -> Span | None:
    """Return the one line of a template that holds the key and the text, or the item."""
    last = target.path[-1]
    text = re.escape(target.text)
    if target.on_key:
        pattern = rf"^[ \t-]*({text}):"
    elif isinstance(last, int):
        pattern = rf"^[ \t]*-[ \t]+[\"']?({text})[\"']?[ \t]*\r?$"
    else:
        pattern = rf"^[ \t-]*{re.escape(last)}:[ \t]+[\"']?({text})[\"']?[ \t]*\r?$"
    found = [*re.finditer(pattern, source.text, re.MULTILINE)]
    return Span(source, *found[0].span(1)) if len(found) == 1 else None


def _archived(placed: Place, chart: Chart) -> Place:
    """Say that a place is in an archive, where there is no line to edit."""
    if "!/" not in placed.span.source.path:
        return placed  # in the values of the parent
    inner = placed.span.source.path.partition("!/")[2]
    archive = Source(chart.files.path, "")
    note = f"in an archive, {inner}" + (
        f" line {placed.span.first.line}" if placed.sureness is not Sureness.FILE_ONLY else ""
    )
    return Place(Span(archive, 0, 0), Sureness.FILE_ONLY, note)
