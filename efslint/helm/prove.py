"""Proving where a rendered text comes from: change that one place, render again, and see what moves.

Knows how a chart is changed in memory and what counts as proof; leaves the engine to ``engine``.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from efslint.helm.charts import Chart
from efslint.helm.trace import Candidate, Target
from efslint.text.source import Source
from efslint.yaml.documents import Document, read_documents
from efslint.yaml.node import Mapping as Map
from efslint.yaml.node import Node, Scalar, child, text

Renderer = Callable[[bytes], Mapping[str, str] | None]
"""Render a chart from the bytes of its archive, with the values of the run; ``None`` when that fails."""


@dataclass(slots=True)
class Proof:
    """A chart that can be rendered again. ``files`` are all of its files, by their path within the archive.

    ``directory`` is the path of the chart as reports print it.
    """

    directory: str
    files: Mapping[str, bytes]
    render: Renderer
    tries: int = 64
    known: dict[tuple[str, int, int, str], Mapping[str, str] | None] = field(default_factory=dict)

    def choose(
        self, chart: Chart, template: str, target: Target, candidates: Sequence[Candidate]
    ) -> Candidate | None:
        """Return the one candidate whose change, and no other's, changes the scalar; ``None`` without proof."""
        moving = [each for each in candidates if self._moves(template, target, each)]
        return moving[0] if len(moving) == 1 else None

    def _moves(self, template: str, target: Target, candidate: Candidate) -> bool:
        before, after = self._rendered(None, ""), None
        sentinel = _sentinel(target)
        if before is not None and self.tries:
            after = self._rendered(candidate, sentinel)
        if before is None or after is None:
            return False
        old, new = before.get(template, ""), after.get(template, "")
        return _moved(template, old, new, target)

    def _rendered(self, candidate: Candidate | None, sentinel: str) -> Mapping[str, str] | None:
        key = ("", 0, 0, "") if candidate is None else (*candidate.span.sort_key, sentinel)
        if key not in self.known:
            self.tries -= 1
            data = self._changed(candidate, sentinel)
            self.known[key] = None if data is None else self.render(data)
        return self.known[key]

    def _changed(self, candidate: Candidate | None, sentinel: str) -> bytes | None:
        files = dict(self.files)
        if candidate is not None:
            name = candidate.span.source.path.removeprefix(self.directory).lstrip("/")
            if name not in files:
                return None
            source, start, end = candidate.span.source, candidate.span.start, candidate.span.end
            files[name] = (source.text[:start] + _like(source.text[start:end], sentinel) + source.text[end:]).encode()
        return archive(files)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of a chart."""
    buffer = io.BytesIO()
    with tarfile.TarFile(fileobj=buffer, mode="w") as packed:
        for name, data in files.items():
            member = tarfile.TarInfo(f"chart/{name}")
            member.size = len(data)
            packed.addfile(member, io.BytesIO(data))
    import gzip

    return gzip.compress(buffer.getvalue(), 1, mtime=0)


def _sentinel(target: Target) -> str:
    return "9741" if target.text.isdigit() else "efslintprobe"


def _like(written: str, sentinel: str) -> str:
    """Write a sentinel in the way of what it replaces: in its quotes, as a number where there was one."""
    quote = written[:1] if written[:1] in ("'", '"') else ""
    inner = written.strip("\"'")
    return f"{quote}{'9741' if inner.isdigit() else sentinel}{quote}"


def _moved(template: str, old: str, new: str, target: Target) -> bool:
    """Say whether, of the objects of a template, the scalar at the path of the target was changed and was itself."""
    before = [root for root in _objects(template, old) if _like_target(root, target)]
    after = _objects(template, new)
    changed = [root for root in before if not any(_value(each, target) == _value(root, target) for each in after)]
    return bool(changed)


def _objects(template: str, rendered: str) -> list[Map]:
    found = read_documents(Source(template, rendered), lambda _: True)
    return [each.root for each in found if isinstance(each, Document) and type(each.root) is Map]


def _like_target(root: Map, target: Target) -> bool:
    return text(root, "kind") == text(target.root, "kind") and _value(root, target) == _value(target.root, target)


def _value(root: Map, target: Target) -> str | None:
    node: Node | None = child(root, *target.path[:-1]) if target.on_key else child(root, *target.path)
    if target.on_key:
        key = node.key(str(target.path[-1])) if type(node) is Map else None
        return None if key is None else key.text
    return node.text if type(node) is Scalar else None
