"""Charts to manifests, in-process, as ``helm template`` prints them.

Knows with which values a chart is tried, what Helm says when it fails and where that points. Leaves the engine to
``engine``, reading files to ``inputs``, and the way back from the manifests to ``findings``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from efslint.helm import engine
from efslint.helm.charts import chart_file, chart_name, locate, parsed
from efslint.helm.given import given_layers, given_values
from efslint.helm.options import DEFAULT_RELEASE, HelmOptions
from efslint.helm.places import Release
from efslint.helm.prove import Proof, archive
from efslint.inputs.chart_files import (
    ChartFiles,
    chart_bytes,
    ci_values,
    read_chart,
    read_values_file,
)
from efslint.text.source import Source, Span
from efslint.yaml.node import Scalar, child, items, text
from efslint.yaml.split import is_blank, split

_PLACE = r"\b(?P<file>[\w.-]+/(?:[\w.-]+/)*[\w.-]+):(?P<line>\d+)(?::(?P<column>\d+))?"
_AT = r"at '(?P<pointer>/[^']*)'"


class ChartProblem(NamedTuple):
    """Why a chart, or a part of it, could not be rendered, and the place in its files that says so."""

    span: Span
    message: str


class Rendered(NamedTuple):
    """What came out of one chart: manifests, each with the release that made them, problems, and what was skipped.

    ``skipped`` are places with the reasons why what they stand for was not looked into.
    """

    outputs: tuple[tuple[Source, Release], ...]
    problems: tuple[ChartProblem, ...] = ()
    skipped: tuple[tuple[Span, str], ...] = ()


def render_chart(directory: str, options: HelmOptions) -> Rendered:
    """Render a chart with the values that were given or, without any, with its own and with each ``ci/`` file."""
    files = read_chart(directory)
    if text(chart_file(files), "type") == "library":
        return Rendered((), (), ((chart_line(files), "library-chart"),))
    data = chart_bytes(directory)
    missing = tuple(_missing(files))
    if options.values or options.sets:
        tries: tuple[tuple[str, ...], ...] = (options.values,)
    else:
        tries = ((), *((path,) for path in ci_values(directory)))
    outputs: list[tuple[Source, Release]] = []
    failed: list[tuple[ChartProblem, bool]] = []
    for values in tries:
        done = _render(files, data, values, options)
        if isinstance(done, ChartProblem):
            failed.append((done, not values and len(tries) > 1))
        else:
            outputs.append(done)
    # Charts that demand values bring them in ci/, as chart-testing wants it.
    problems = [problem for problem, own in failed if not (own and outputs)]
    excused = ((chart_line(files), "defaults-not-rendered"),) if len(problems) < len(failed) else ()
    return Rendered(tuple(outputs), (*missing, *problems), excused)


def _render(
    files: ChartFiles, data: dict[str, bytes], values: Sequence[str], options: HelmOptions
) -> tuple[Source, Release] | ChartProblem:
    sources = [source for source in map(read_values_file, values) if source is not None]
    release, namespace = options.release or DEFAULT_RELEASE, options.namespace or "default"

    def again(changed: bytes, given: Sequence[Source]) -> dict[str, str] | None:
        done = engine.render(changed, given_values(options.sets, given), release, namespace)
        return None if isinstance(done, engine.Failure) else done

    rendered = engine.render(archive(data), given_values(options.sets, sources), release, namespace)
    layers = given_layers(options.sets, sources)
    made = Release(files, layers, Proof(files.path, data, tuple(sources), again), release)
    if isinstance(rendered, engine.Failure):
        return _problem(rendered, made)
    label = f" with {', '.join(source.path.removeprefix(f'{files.path}/') for source in sources)}" if sources else ""
    return Source(f"{files.path} (rendered{label})", as_helm_prints(rendered)), made


def as_helm_prints(rendered: dict[str, str]) -> str:
    """Put rendered templates together: one document each, with the name of its template, as ``helm template`` does."""
    pieces: list[str] = []
    for name, content in sorted(rendered.items()):
        last = name.rpartition("/")[2]
        if last.startswith("_") or last == "NOTES.txt":
            continue
        for start, end, _ in split(content):
            if not is_blank(content, start, end):
                document = re.sub(r"\A(?:[ \t]*(?:#[^\n]*)?\n)*---[ \t]*(?=\n)", "", content[start:end]).strip("\n")
                pieces.append(f"---\n# Source: {name}\n{document}\n")
    return "".join(pieces)


def _missing(files: ChartFiles) -> Iterator[ChartProblem]:
    """Name the dependencies that are not in ``charts/``; Helm itself would refuse the chart."""
    there = {chart_name(each) for each in files.subcharts}
    for dependency in items(chart_file(files), "dependencies"):
        name = child(dependency, "name")
        if type(name) is Scalar and name.text not in there:
            message = f"its dependency {name.text} is not in charts/, so it was left out (run helm dependency build)"
            yield ChartProblem(name.span, message)


def _problem(failure: engine.Failure, release: Release) -> ChartProblem:
    words = " ".join(failure.message.split())
    if failure.kind == "schema":
        span = _schema_place(failure.message, release)
    elif failure.kind == "load":
        span = _load_place(failure.message, release.root)
    else:
        span = _template_place(failure.message, release)
    return ChartProblem(span, f"helm says: {words}")


def _template_place(message: str, release: Release) -> Span:
    """Return the place in a template that a message of Go's template engine names."""
    for match in re.finditer(_PLACE, message):
        found = locate(release.root, match["file"], release.given)
        if found is not None:
            source = found[0].files.files[found[1]]
            return _line(source, int(match["line"]), int(match["column"] or 0))
    return chart_line(release.root)


def _line(source: Source, line: int, column: int) -> Span:
    text_ = source.line_text(line)
    start = source.line_starts[min(line, len(source.line_starts)) - 1]
    begin = min(column, len(text_)) if column else len(text_) - len(text_.lstrip())
    return Span(source, start + begin, start + len(text_))


def _schema_place(message: str, release: Release) -> Span:
    """Return the value that does not meet the schema."""
    match = re.search(_AT, message)
    if match is not None:
        route: list[Any] = [int(part) if part.isdigit() else part for part in match["pointer"].split("/")[1:] if part]
        roots = [layer.root for layer in release.given if not layer.label]
        roots.append(parsed(release.root.files.get("values.yaml")))
        for root in roots:
            found = child(root, *route)
            if found is not None and route:
                return found.span.one_line()
    return chart_line(release.root)


def _load_place(message: str, files: ChartFiles) -> Span:
    name = re.search(r"(?:values|Chart)\.yaml", message)
    source = files.files.get(name[0]) if name is not None else None
    line = re.search(r"line (\d+)", message)
    return chart_line(files) if source is None else _line(source, int(line[1]) if line is not None else 1, 0)


def chart_line(files: ChartFiles) -> Span:
    """Return the line of ``Chart.yaml`` with the name of the chart."""
    name = child(chart_file(files), "name")
    if name is not None:
        return name.span
    source = files.files.get("Chart.yaml") or Source(f"{files.path}/Chart.yaml", "")
    return Span(source, 0, 0)
