"""Proving where a rendered text comes from: change that one place, render again, and see what moves.

Knows how a chart is changed in memory and what counts as proof; leaves the engine to ``engine``.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from efslint.helm.charts import Chart
from efslint.helm.views import Candidate, Target, same
from efslint.text.source import Source, Span
from efslint.yaml.documents import Document, read_documents
from efslint.yaml.node import Mapping as Map
from efslint.yaml.node import Node, Scalar, child, text
from efslint.yaml.node import Sequence as List

Templates: TypeAlias = Mapping[str, str]
Renderer: TypeAlias = Callable[[bytes, Sequence[Source]], Templates | None]
"""Render a chart from the bytes of its archive, with files of values; ``None`` when that fails."""

_MOST_GUESSES = 12
_NUMBER, _WORD = "9741", "efslintprobe"


class Verdict(NamedTuple):
    """What the trials showed: the candidates that move the field. ``tried`` is false where nothing could be tried."""

    moving: tuple[Candidate, ...]
    tried: bool


@dataclass(slots=True)
class Proof:
    """A chart that can be rendered again.

    ``directory`` is its path as reports print it, ``files`` are all of its files by their path within it, ``given``
    the files of values with which it was rendered. ``tries`` is how often it may be rendered.
    """

    directory: str
    files: Mapping[str, bytes]
    given: tuple[Source, ...]
    render: Renderer
    tries: int = 200
    known: dict[tuple[str, int, int], Templates | None] = field(default_factory=dict)
    objects: dict[str, tuple[Map, ...]] = field(default_factory=dict)

    def judge(self, template: str, target: Target, candidates: Sequence[Candidate]) -> Verdict:
        """Try each candidate whose place can be changed."""
        if not any(_is_like(each, target) for each in self._objects(template, None)):
            return Verdict((), tried=False)
        moves = [(each, self._moves(template, target, each)) for each in candidates]
        moving = tuple(each for each, moved in moves if moved)
        return Verdict(moving, tried=bool(moving) or all(moved is not None for _, moved in moves))

    def _can_change(self, source: Source) -> bool:
        """Say whether a file can be changed; those within archives cannot."""
        return source.path in (each.path for each in self.given) or self._name(source.path) in self.files

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.directory}/")

    def guess(self, chart: Chart, template: str, target: Target) -> tuple[Candidate, ...]:
        """Return places with the same text that turn out to make the field, though no way to them was found."""
        spans = [*dict.fromkeys(_guesses(chart, target))][:_MOST_GUESSES]
        return self.judge(template, target, [Candidate(span, span) for span in spans]).moving

    def _moves(self, template: str, target: Target, candidate: Candidate) -> bool | None:
        """Say whether a field that was there is there no more, or no more the same, after a change.

        ``None`` where the place cannot be changed, or only so that nothing renders any more.
        """
        span = candidate.span
        if candidate.given or not self._can_change(span.source) or self._rendered(span) is None:
            return None
        before = sum(_is_like(each, target) for each in self._objects(template, None))
        return sum(_is_like(each, target) for each in self._objects(template, span)) < before

    def _objects(self, template: str, span: Span | None) -> tuple[Map, ...]:
        rendered = self._rendered(span) or {}
        content = rendered.get(template, "")
        if content not in self.objects:
            found = read_documents(Source(template, content), lambda _: True)
            roots = [each.root for each in found if isinstance(each, Document)]
            self.objects[content] = tuple(root for root in roots if type(root) is Map)
        return self.objects[content]

    def _rendered(self, span: Span | None) -> Templates | None:
        key = ("", 0, 0) if span is None else span.sort_key
        if key not in self.known:
            self.tries -= 1
            self.known[key] = self._changed(span) if self.tries > 0 else None
        return self.known[key]

    def _changed(self, span: Span | None) -> Templates | None:
        if span is None:
            return self.render(archive(self.files), self.given)
        text_ = span.source.text
        changed = text_[: span.start] + _like(span.text) + text_[span.end :]
        path = span.source.path
        given = tuple(Source(path, changed) if each.path == path else each for each in self.given)
        name = self._name(path)
        files = {**self.files, name: changed.encode()} if name in self.files else self.files
        return self.render(archive(files), given)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of a chart."""
    buffer = io.BytesIO()
    with tarfile.TarFile(fileobj=buffer, mode="w") as packed:
        for name, data in files.items():
            member = tarfile.TarInfo(f"chart/{name}")
            member.size = len(data)
            packed.addfile(member, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), 0, mtime=0)


def _like(written: str) -> str:
    """Write a probe in the way of what it replaces: in its quotes, as a number where there was one."""
    quote = written[:1] if written[:1] in ("'", '"') else ""
    inner = written.strip("\"'")
    return f"{quote}{_NUMBER if inner.isdigit() else _WORD}{quote}"


def _is_like(root: Map, target: Target) -> bool:
    """Say whether an object has the same text in the same place; lists may be longer or shorter than they were."""
    return text(root, "kind") == text(target.root, "kind") and _value(root, target) == _value(target.root, target)


def _value(root: Map, target: Target) -> str | None:
    if target.on_key:
        parent = child(root, *target.path[:-1])
        key = parent.key(str(target.path[-1])) if type(parent) is Map else None
        return None if key is None else key.text
    node = child(root, *target.path)
    return node.text if type(node) is Scalar else None


def _guesses(chart: Chart, target: Target) -> Iterator[Span]:
    if target.on_key:
        return
    for layer in chart.layers:
        if not layer.label:
            yield from (node.span for node in _leaves(layer.root) if same(node, target.text))
    for files in chart.trail:
        for name, source in files.files.items():
            if name.startswith("templates/") and target.text:
                yield from _occurrences(source, target.text)


def _leaves(root: Node | None) -> Iterator[Scalar]:
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        if type(node) is Scalar:
            yield node
        elif type(node) is Map:
            waiting.extend(value for _, value in node.pairs)
        elif type(node) is List:
            waiting.extend(node.items)


def _occurrences(source: Source, text_: str) -> Iterator[Span]:
    at = source.text.find(text_)
    while at >= 0:
        yield Span(source, at, at + len(text_))
        at = source.text.find(text_, at + len(text_))
