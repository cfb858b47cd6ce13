"""Findings of rendered manifests, moved to the charts that people edit.

Knows what a finding says of the two places, when findings become one, and how a finding of a chart is recognised
whatever the release is called. Leaves finding the place to ``places``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from efslint.adoption.suppress import SuppressionProblem
from efslint.helm.charts import locate
from efslint.helm.find import NOT_FOUND, Charts
from efslint.helm.places import NotMade, Place, Sureness, place
from efslint.helm.suppressions import told_once
from efslint.helm.targets import target_of
from efslint.helm.views import Target
from efslint.kube.helm_output import FAILED, Piece, piece_at, pieces
from efslint.kube.manifests import Manifests
from efslint.kube.resources import Resource
from efslint.rules.finding import Finding
from efslint.rules.locate import fingerprint
from efslint.storage.fact import Step
from efslint.text.source import Source, Span
from efslint.yaml.node import text


@dataclass(frozen=True, slots=True)
class Mapped:
    """Findings at their places in charts, and the files of charts that had a part in it, by path."""

    findings: tuple[Finding, ...]
    sources: tuple[Source, ...]
    rendered: frozenset[str] = frozenset()

    def told_once(self, problems: Sequence[SuppressionProblem]) -> tuple[SuppressionProblem, ...]:
        """Leave out what is said twice of a comment that stands in a template and in what it rendered."""
        return told_once(problems, self.sources, self.rendered)


class _Spot(NamedTuple):
    """A place in a rendered manifest, what it is there, and where in a chart it comes from."""

    piece: Piece
    resource: Resource | None
    target: Target | None
    place: Place | NotMade


@dataclass(slots=True)
class _Run:
    charts: Charts
    manifests: dict[str, Manifests]
    spots: dict[tuple[str, int, int], _Spot | None] = field(default_factory=dict)

    def spot(self, span: Span, *, prove: bool = False) -> _Spot | None:
        """Return what a place is; the places of findings are asked for first, and proven."""
        if span.sort_key not in self.spots:
            self.spots[span.sort_key] = self._find(span, prove=prove)
        return self.spots[span.sort_key]

    def _find(self, span: Span, *, prove: bool) -> _Spot | None:
        manifests = self.manifests.get(span.source.path)
        piece = piece_at(manifests.source, span.start) if manifests is not None else None
        if manifests is None or piece is None or span.text.startswith(FAILED):
            return None
        found = target_of(span, manifests.resources)
        release = self.charts.release(manifests, piece.template)
        if isinstance(release, NotMade):
            placed: Place | NotMade = release
        elif found is None:
            at = locate(release.root, piece.template)
            placed = NotMade("no object") if at is None else _whole_file(at[0].files.files[at[1]])
        else:
            placed = place(release, piece.template, found[1], prove=prove)
        resource, target = found if found is not None else (None, None)
        return _Spot(piece, resource, target, placed)


def _whole_file(source: Source) -> Place:
    return Place(Span(source, 0, 0), Sureness.FILE_ONLY, "which of its lines is not known")


def to_charts(
    findings: Iterable[Finding], manifests: Iterable[Manifests], charts: Charts, context: Collection[str] = ()
) -> Mapped:
    """Move the findings of manifests that name their templates to the files of the charts.

    What was read for ``context`` only stays where it is.
    """
    named = {each.source.path: each for each in manifests if each.source.path not in context and pieces(each.source)}
    run = _Run(charts, named)
    moved: dict[tuple[object, ...], list[tuple[Finding, _Spot | None]]] = {}
    found = tuple(findings)
    spots = [run.spot(finding.span, prove=True) for finding in found]
    for finding, spot in zip(found, spots, strict=True):
        new = finding if spot is None else _moved(finding, spot, run)
        moved.setdefault(_key(new, spot), []).append((new, spot))
    groups = [sorted(group, key=lambda pair: pair[0].severity.rank) for group in moved.values()]
    groups.sort(key=lambda group: _order(group[0][0]))
    seen: Counter[tuple[str, ...]] = Counter()
    result = tuple(_recognised(_merged([finding for finding, _ in group]), group[0][1], run, seen) for group in groups)
    return Mapped(result, tuple(_sources(run)), frozenset(named))


def _order(finding: Finding) -> tuple[str, int, str, int]:
    """Order findings as ``rules.check`` does."""
    path, start, end = finding.span.sort_key
    return (path, start, finding.rule, end)


def _key(finding: Finding, spot: _Spot | None) -> tuple[object, ...]:
    """Return what makes findings one: the line to change or, where that is not known, the object."""
    if spot is None or isinstance(spot.place, NotMade) or finding.span.source.path != spot.place.span.source.path:
        return (finding.rule, finding.span.sort_key)
    if spot.place.sureness is not Sureness.FILE_ONLY:
        return (finding.rule, finding.span.sort_key)
    return (finding.rule, finding.span.sort_key, finding.object, finding.container, finding.message)


def _moved(finding: Finding, spot: _Spot, run: _Run) -> Finding:
    placed = spot.place
    if spot.piece.assumed and (isinstance(placed, NotMade) or placed.sureness is Sureness.FILE_ONLY):
        return finding  # that the document is from this template is no more than likely
    made = f"rendered from {spot.piece.template}{_hook(spot.resource)}"
    if placed == NOT_FOUND:
        # Said beside the line and not in the message: it is the same for every finding of a chart that is not there.
        return finding._replace(evidence=tuple(_noted(finding, f" ({made}; {NOT_FOUND.reason})")))
    if isinstance(placed, NotMade):
        return finding._replace(message=f"{finding.message} ({made}; {placed.reason})")
    message = finding.message
    if placed.sureness is not Sureness.EXACT or placed.note:
        said = "" if placed.sureness is Sureness.EXACT else f"place in the chart: {placed.sureness}"
        message = f"{message} ({'; '.join(filter(None, (said, placed.note)))})"
    return finding._replace(message=message, span=placed.span, evidence=tuple(_steps(finding, placed, made, run)))


def _noted(finding: Finding, note: str) -> Iterator[Step]:
    for step in finding.evidence:
        here = step.span.sort_key == finding.span.sort_key
        yield step._replace(message=step.message + note) if here else step


def _steps(finding: Finding, placed: Place, made: str, run: _Run) -> Iterator[Step]:
    for step in finding.evidence:
        if step.span.sort_key == finding.span.sort_key:
            yield Step(placed.span, step.message)
            if placed.line is not None:
                yield Step(placed.line.one_line(), "put into the manifest here")
            yield Step(step.span, made)
            continue
        spot = run.spot(step.span)
        where = spot.place if spot is not None else None
        sure = isinstance(where, Place) and where.sureness is not Sureness.FILE_ONLY
        yield Step(where.span, step.message) if isinstance(where, Place) and sure else step


def _hook(resource: Resource | None) -> str:
    """Say whether an object is one of Helm's hooks or tests (helm/helm-www, ``docs/topics/charts_hooks``)."""
    hook = None if resource is None else text(resource.node, "metadata", "annotations", "helm.sh/hook")
    if not hook:
        return ""
    return ", a Helm test" if hook.startswith("test") else f", a Helm hook ({hook})"


def _merged(group: Sequence[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    objects = dict.fromkeys(ref for each in group for ref in each.objects)
    steps = dict.fromkeys(step for each in group for step in each.evidence)
    return first._replace(objects=tuple(objects), evidence=tuple(steps))


def _recognised(finding: Finding, spot: _Spot | None, run: _Run, seen: Counter[tuple[str, ...]]) -> Finding:
    """Give a finding a fingerprint that depends on the chart and the object's fields, not on the release."""
    if spot is None or spot.target is None or finding.object is None:
        return finding
    name = run.charts.name(spot.target.root.source)
    ref, keys = finding.object, "/".join(each for each in spot.target.path if isinstance(each, str))
    focus = spot.target.text[slice(*spot.target.focus)]
    same = (
        *("helm", finding.rule, spot.piece.template, ref.api_version.rpartition("/")[0], ref.kind),
        *(_anonymous(ref.name, name), finding.container or "", keys, _anonymous(focus, name)),
    )
    mark = fingerprint(same, seen[same])
    seen[same] += 1
    return finding._replace(fingerprint=mark)


def _anonymous(words: str, release: str | None) -> str:
    """Put a word that no name can have in the place of the release's name."""
    return words if not release else re.sub(rf"(?<![a-z0-9]){re.escape(release)}(?![a-z0-9])", "RELEASE", words)


def _sources(run: _Run) -> Iterator[Source]:
    """Yield the files of charts that made a document or hold a finding, each once, by path."""
    found: dict[str, Source] = {}
    for manifests in run.manifests.values():
        for piece in pieces(manifests.source):
            release = run.charts.release(manifests, piece.template)
            at = None if isinstance(release, NotMade) else locate(release.root, piece.template)
            if at is not None:
                source = at[0].files.files[at[1]]
                found[source.path] = source
    for spot in run.spots.values():
        if spot is not None and isinstance(spot.place, Place):
            for span in (spot.place.span, spot.place.line):
                if span is not None:
                    found[span.source.path] = span.source
    yield from (found[path] for path in sorted(found))
