"""Suppressions that stand in a chart: read there, and not complained about twice.

A comment of a template is often in the rendered text too, and one in a branch that was not rendered cannot be judged.
Leaves reading and obeying suppressions to ``adoption``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from efslint.adoption.suppress import ProblemKind, SuppressionProblem
from efslint.text.source import Source


def told_once(
    problems: Sequence[SuppressionProblem], sources: Sequence[Source], rendered: Collection[str]
) -> tuple[SuppressionProblem, ...]:
    """Leave out problems with comments that somebody was told of at a better place, or that may be no problems.

    ``sources`` are files of charts, ``rendered`` the paths of manifests that were rendered from them. What is wrong
    with a comment that stands in both is said of the chart. A comment that is only in a chart is of use to other
    values, perhaps, so it is not called unused.
    """
    chart_paths = {source.path for source in sources}
    of_charts = {(each.span.text, each.text) for each in problems if each.span.source.path in chart_paths}
    of_rendered = {(each.span.text, each.text) for each in problems if each.span.source.path in rendered}
    kept: list[SuppressionProblem] = []
    for each in problems:
        key, path = (each.span.text, each.text), each.span.source.path
        if path in chart_paths:
            if each.kind is not ProblemKind.UNUSED or key in of_rendered:
                kept.append(each)
        elif path not in rendered or (key not in of_charts and not _stands_in(each.span.text, sources)):
            kept.append(each)
    return tuple(kept)


def _stands_in(comment: str, sources: Sequence[Source]) -> bool:
    return any(comment in source.text for source in sources)
