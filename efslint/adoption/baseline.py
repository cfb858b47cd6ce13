"""The baseline: findings that are known and not reported again.

Knows the baseline's text and how it is compared with findings. A finding is known by its fingerprint alone, so lines
may move and files may be renamed; the rest of an entry tells people what it is. Leaves files to ``inputs``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from efslint.rules.finding import Finding
from efslint.text.source import Source, Span
from efslint.yaml.node import child
from efslint.yaml.parser import YamlSyntaxError, parse_node

VERSION = 1


class Entry(NamedTuple):
    """One known finding. ``object`` is ``Kind/name`` or ``Kind/namespace/name``, ``None`` where there is no object."""

    fingerprint: str
    rule: str
    path: str
    object: str | None
    message: str

    @property
    def sort_key(self) -> tuple[str, str, str, str, str]:
        """Order by what people look for; the fingerprint only decides between equals."""
        return (self.path, self.rule, self.object or "", self.message, self.fingerprint)


class BaselineError(Exception):
    """The text is not a baseline. ``span`` is where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span

    def __str__(self) -> str:
        line, column = self.span.first
        return f"{self.span.source.path}:{line}:{column}: {self.message}"


class Comparison(NamedTuple):
    """Findings against a baseline.

    ``new`` are the findings to report, in the order given; ``known`` counts the others. ``stale`` are entries that no
    finding has any more; ``unseen`` are those about which the run cannot tell, because their file was not part of it.
    """

    new: tuple[Finding, ...]
    known: int
    stale: tuple[Entry, ...]
    unseen: tuple[Entry, ...]


def parse(source: Source) -> tuple[Entry, ...]:
    """Read a baseline. Raises ``BaselineError`` for what is not JSON or does not have the form of a baseline."""
    try:
        value = json.loads(source.text)
    except json.JSONDecodeError as error:
        message = f"the baseline is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise BaselineError(message, Span(source, error.pos, error.pos)) from None
    fault = _fault(value)
    if fault is not None:
        raise BaselineError(fault[0], _place(source, fault[1:]))
    return tuple(Entry(**{key: entry[key] for key in Entry._fields}) for entry in value["findings"])


def entries(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """Return what a baseline says of findings, sorted."""
    return tuple(sorted((_entry(finding) for finding in findings), key=lambda entry: entry.sort_key))


def render(known: Iterable[Entry]) -> str:
    """Write a baseline; the same entries in any order give the same text."""
    ordered = sorted(known, key=lambda entry: entry.sort_key)
    value = {"version": VERSION, "findings": [entry._asdict() for entry in ordered]}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def compare(findings: Iterable[Finding], known: Iterable[Entry], judged: Collection[str] | None = None) -> Comparison:
    """Tell new findings from known ones.

    An entry stands for one finding; of equal findings those over the number of entries are new. ``judged`` are the
    paths of which the run can say that nothing is found there any more: those it read and those that are gone; ``None``
    means all.
    """
    left: dict[str, dict[str, list[Entry]]] = {}
    for entry in sorted(known, key=lambda entry: entry.sort_key, reverse=True):
        left.setdefault(entry.fingerprint, {}).setdefault(entry.path, []).append(entry)
    new: list[Finding] = []
    count = 0
    for finding in findings:
        by_path = left.get(finding.fingerprint)
        if not by_path:
            new.append(finding)
            continue
        # The entry of the same file goes first, so that what is stale is named with the right path.
        path = finding.span.source.path if finding.span.source.path in by_path else next(iter(by_path))
        by_path[path].pop()
        if not by_path[path]:
            del by_path[path]
        count += 1
    waiting = (entry for by_path in left.values() for same in by_path.values() for entry in same)
    rest = sorted(waiting, key=lambda entry: entry.sort_key)
    stale = tuple(entry for entry in rest if judged is None or entry.path in judged)
    unseen = tuple(entry for entry in rest if judged is not None and entry.path not in judged)
    return Comparison(tuple(new), count, stale, unseen)


def update(findings: Iterable[Finding], comparison: Comparison | None = None) -> str:
    """Write the baseline that knows exactly these findings, and keeps what the run could not judge.

    Without a comparison, a new baseline. Stale entries are gone from it.
    """
    return render((*entries(findings), *(comparison.unseen if comparison is not None else ())))


def _entry(finding: Finding) -> Entry:
    ref = finding.object
    name = None if ref is None else "/".join(filter(None, (ref.kind, ref.namespace, ref.name)))
    return Entry(finding.fingerprint, finding.rule, finding.span.source.path, name, finding.message)


def _fault(value: Any) -> tuple[Any, ...] | None:
    """Return what is wrong with a baseline, then the keys and indexes that lead there; ``None`` if nothing is."""
    if not isinstance(value, dict):
        return ("a baseline is an object with version and findings",)
    version, findings = value.get("version"), value.get("findings")
    if type(version) is not int or version != VERSION:
        return f"the version of the baseline must be {VERSION}", "version"
    if not isinstance(findings, list):
        return "findings must be a list", "findings"
    for index, entry in enumerate(findings):
        if not isinstance(entry, dict):
            return "an entry of the baseline is an object", "findings", index
        for key in Entry._fields:
            if not (isinstance(entry.get(key), str) or (key == "object" and entry.get(key, "") is None)):
                return f"{key} must be text", "findings", index, key
    return None


def _place(source: Source, route: tuple[str | int, ...]) -> Span:
    """Return where a part stands or, if it is missing, what it is missing from."""
    try:
        node = parse_node(source, 0, len(source.text))
    except YamlSyntaxError:  # JSON that YAML does not take, such as tabs for indentation
        node = None
    while route and child(node, *route) is None:
        route = route[:-1]
    found = child(node, *route)
    return found.span.one_line() if found is not None else Span(source, 0, 0)
