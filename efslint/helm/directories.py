"""A directory with a chart, as manifests: rendered or, where that is not possible, as the one thing that is wrong.

Knows what is said of a chart that was not rendered; leaves rendering to ``render``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from efslint.helm import engine
from efslint.helm.options import HelmOptions
from efslint.helm.places import Release
from efslint.helm.render import ChartProblem, chart_line, render_chart
from efslint.inputs.chart_files import read_chart
from efslint.kube.manifests import Manifests, TextProblem, read_manifests
from efslint.text.source import Source


class ChartManifests(NamedTuple):
    """What a chart gives: manifests, the releases of those that were rendered by their path, and what was skipped, each
    with path, line and reason.
    """

    manifests: tuple[Manifests, ...]
    releases: Mapping[str, Release]
    skipped: tuple[tuple[str, int, str], ...] = ()


def chart_manifests(directory: str, options: HelmOptions) -> ChartManifests:
    """Render a chart, or say that it was not rendered, in a note that names the ways out."""
    if not engine.is_available():
        place = chart_line(read_chart(directory))
        problem = TextProblem("template", place, "chart")
        return ChartManifests((Manifests(place.source, (), 0, 0, (problem,), template=True),), {})
    rendered = render_chart(directory, options)
    manifests = [read_manifests(source) for source, _ in rendered.outputs]
    releases = {source.path: release for source, release in rendered.outputs}
    by_file: dict[Source, list[ChartProblem]] = {}
    for each in rendered.problems:
        by_file.setdefault(each.span.source, []).append(each)
    for source, problems in by_file.items():
        found = tuple(TextProblem("chart", each.span, each.message) for each in problems)
        manifests.append(Manifests(source, (), 0, 0, found, template=False))
    skipped = tuple((each.source.path, each.first.line, reason) for each, reason in rendered.skipped)
    return ChartManifests(tuple(manifests), releases, skipped)
