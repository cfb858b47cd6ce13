"""From a scalar of a rendered manifest back to the line of the chart that it was written on.

Walks down the keys of the object and, side by side, the outline of its template; where an action stands in the place
of lines, into the named template or the values that it yields. Every candidate must be able to make exactly the text
that was rendered. Leaves proving by rendering again to ``prove``, and findings to ``places``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from efslint.helm import expressions as ex
from efslint.helm.charts import Chart, Path
from efslint.helm.fits import fits, fragment, holds_key, key_fits
from efslint.helm.go_template import Action, Body
from efslint.helm.outline import CONTROL, YIELD, Line, outline, value_actions
from efslint.helm.scopes import agreeing
from efslint.helm.views import MOST_STEPS, Candidate, Found, Miss, Target, View, pattern, same
from efslint.helm.yields import (
    candidate_at,
    focused,
    from_evaluated,
    is_value,
    key_of,
    printed_value,
    sources_of,
    text_body,
)
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, Sequence, child

_MOST_CANDIDATES = 32


@dataclass(frozen=True, slots=True)
class Trace:
    """What was found: candidates, best first, and the lines of the template that make the field at all.

    ``overridden`` tells that the values of the chart say something else than what was rendered, ``vague`` that the
    lines make more than the field.
    """

    candidates: tuple[Candidate, ...]
    lines: tuple[Span, ...]
    overridden: bool
    vague: bool


def trace(chart: Chart, template: Source, target: Target) -> Trace:
    """Find the lines of a chart that can have made a scalar which its template is said to have made."""
    body = Body(template, 0, len(template.text))
    context = ex.Context(chart)
    view = View(outline(body), ex.Scope(template, context, context, {}), target, iter(range(MOST_STEPS)))
    found: dict[tuple[str, int, int], Candidate] = {}
    misses: dict[tuple[str, int, int], Miss] = {}
    for each in _documents(view, target.root, target.path):
        if isinstance(each, Miss):
            misses.setdefault(each.line.sort_key, each)
        elif len(found) < _MOST_CANDIDATES:
            known = found.get(each.span.sort_key)
            if known is None or (each.sure and not known.sure):
                found[each.span.sort_key] = each
    ranked = sorted(found.values(), key=lambda each: not each.sure)
    vague = all(each.vague for each in misses.values())
    left = [each for each in misses.values() if vague or not each.vague]
    return Trace(tuple(ranked), tuple(each.line for each in left), any(each.overridden for each in left), vague)


def _documents(view: View, node: Node, path: Path) -> Found:
    for document in view.outline.documents:
        if not path or fits(view, document.children, node, document.scope, 0):
            yield from _search(view, document.children, node, path)


def _search(view: View, lines: Iterable[Line], node: Node, path: Path) -> Found:
    """Walk on from neighbouring lines and the node that they made."""
    lines = tuple(lines)
    step = path[0]
    inner = child(node, step)
    if not view.may_go_on():
        return
    assert inner is not None  # paths are those of what was rendered
    view = view._replace(chain=(*view.chain, (lines, node)))
    for number, line in enumerate(lines):
        if line.kind == "action":
            for shift in range(step + 1 if isinstance(step, int) and number else 1):
                yield from _through(view, line, *_shifted(node, path, shift))
        elif _leads_to(view, line, node, step, inner):
            yield from _enter(view, line, inner, path[1:])


def _shifted(node: Node, path: Path, shift: int) -> tuple[Node, Path]:
    """Count the items of a list from a later one on: those before are from other lines."""
    if not shift or type(node) is not Sequence or not isinstance(path[0], int):
        return node, path
    return node._replace(items=node.items[shift:]), (path[0] - shift, *path[1:])


def _leads_to(view: View, line: Line, node: Node, step: str | int, inner: Node) -> bool:
    """Say whether a line can be that of a key or of an item."""
    if isinstance(step, str):
        return line.kind == "key" and key_fits(view, line, step)
    return line.kind == "item" and fits(view, (line,), node, line.scope, 0, item=inner)


def _enter(view: View, line: Line, node: Node, path: Path) -> Found:
    if not path:
        yield from _leaf(view, line)
        return
    yield from _search(view, line.children, node, path)
    start, end = line.value
    if start == end or holds_key(line):
        return
    if _is_action(view, line):
        yield from _through(view, line, node, path)
    elif view.outline.text[start] in "[{":
        yield from _flow(view, line, path)


def _is_action(view: View, line: Line) -> bool:
    return set(view.outline.text[line.value[0] : line.value[1]]) == {YIELD}


def _flow(view: View, line: Line, path: Path) -> Found:
    """Walk on within a flow collection, which is YAML but for the actions in it."""
    node: Node | None = fragment(view, *line.value)
    for step in path[:-1]:
        node = child(node, step)
    last = path[-1]
    key = node.key(last) if type(node) is Mapping and isinstance(last, str) else None
    inner = child(node, last)
    if inner is not None:
        place = (key.start, key.end) if key is not None else (inner.start, inner.start)
        yield from _leaf(view, Line("key", 0, place, (inner.start, inner.end), line.scope))


def _leaf(view: View, line: Line) -> Found:
    """Say what can have made the scalar (or the key) of a line."""
    source = view.outline.body.source
    start, end = line.key if view.target.on_key else line.value
    place = Span(source, start, max(start, end)).one_line()
    if start == end or holds_key(line):
        for inner in line.children:
            if inner.kind == "action":
                yield from _through(view, inner, view.target.root, ())
        return
    text = view.outline.text[start:end]
    if text[0] in "|>":
        yield Candidate(place, place)  # the first line of a block, which is all that is shown of it
        return
    if CONTROL in text:
        yield from _alternatives(view, line, place)
        return
    written = fragment(view, start, end)
    if type(written) is not Scalar:
        return
    matched = pattern(written.text).fullmatch(view.target.text)
    if matched is None:
        return
    if YIELD not in text:
        yield Candidate(focused(place, view.target), place)
        return
    focus = view.target.focus
    inside = [at for at in range(1, len(matched.groups()) + 1) if _covers(matched.span(at), focus)]
    if len(matched.groups()) == 1:
        inside = [1]
    found = value_actions(view.outline, start, end)
    if len(inside) != 1 or len(found) != len(matched.groups()):
        yield Candidate(place, place)  # the line puts several things together
        return
    wanted = matched[inside[0]]
    yield from _yielded(view, found[inside[0] - 1], place, wanted)


def _alternatives(view: View, line: Line, place: Span) -> Found:
    """Say what of a line with conditions in it can have made the whole scalar; if nothing, several parts did."""
    found: list[Candidate | Miss] = []
    for part in re.compile(f"[^{CONTROL}]+").finditer(view.outline.text, place.start, place.end):
        words = part[0].strip("\"' ")
        if words:
            start = part.start() + part[0].index(words)
            value = (start, start + len(words))
            found.extend(_leaf(view, Line("item", 0, value, value, line.scope)))
    yield from found or [Miss(place, overridden=False)]


def _covers(group: tuple[int, int], focus: tuple[int, int]) -> bool:
    return group[0] <= focus[0] and focus[1] <= group[1]


def _yielded(view: View, action: Action, place: Span, wanted: str) -> Found:
    found: list[Candidate | Miss] = []
    for scope in agreeing(view, action.scope, action.start):
        result = ex.evaluate_text(action.body, action.offset, scope)
        mine = [*sources_of(view, result, wanted, place)]
        found += mine or [Miss(place, is_value(result))]
    yield from [each for each in found if isinstance(each, Candidate)] or found


def _through(view: View, line: Line, node: Node, path: Path) -> Found:
    """Walk on into what an action yields: several lines, of which one leads on."""
    for action in value_actions(view.outline, *line.value):
        place = Span(view.outline.body.source, action.start, action.end).one_line()
        for scope in agreeing(view, action.scope, action.start):
            result = ex.evaluate_text(action.body, action.offset, scope)
            if path:
                yield from _result(view, result, node, path, place)
            else:
                yield from sources_of(view, result, view.target.text, place)


def _result(view: View, result: ex.Result, node: Node, path: Path, line: Span) -> Found:
    if isinstance(result, ex.Either):
        for option in result.options:
            found = [*_result(view, option, node, path, line)]
            yield from found
            if result.ordered and any(isinstance(each, Candidate) for each in found):
                return
    elif isinstance(result, ex.Included):
        body = ex.named_template(result)
        if body is not None:
            yield from _body(view, body, result.dot, node, path)
        else:
            yield Miss(line, overridden=False, vague=True)
    elif isinstance(result, ex.Evaluated):
        yield from _result(view, result.text, node, path, line)
        body = text_body(result.text)
        if body is not None:
            yield from _body(view, body, result.dot, node, path)
    elif isinstance(result, ex.Value):
        yield from _below_value(view, result, path, line)
    elif isinstance(result, ex.Table):
        inner = ex.below(result, path)
        yield from sources_of(view, inner, view.target.text, line)
    elif isinstance(result, ex.Printed) and len(path) == 1:
        value = printed_value(result, str(path[0]))
        if value is not None:
            yield from sources_of(view, value, view.target.text, line)
    elif not isinstance(result, ex.Text):
        yield Miss(line, overridden=False, vague=True)


def _body(view: View, body: Body, dot: ex.Result, node: Node, path: Path) -> Found:
    scope = ex.Scope(body.source, dot, dot, {})
    inner = View(outline(body), scope, view.target, view.steps, view.depth + 1)
    for document in inner.outline.documents:
        yield from _search(inner, document.children, node, path)


def _below_value(view: View, result: ex.Value, path: Path, line: Span) -> Found:
    whole = (*result.path, *path)
    found = result.chart.lookup(whole)
    if found is None:
        first = result.chart.lookup(result.path)
        if first is not None and type(first.node) is not Scalar:
            yield Miss(line, overridden=True)
        return
    if view.target.on_key:
        key = key_of(found.layer, whole)
        assert key is not None  # it leads to what was found
        yield candidate_at(found, key, line, whole)
    elif type(found.node) is Scalar:
        if same(found.node, view.target.text):
            candidate = candidate_at(found, found.node, line, whole)
            yield candidate._replace(span=focused(candidate.span, view.target))
        elif "{{" in found.node.text:
            yield from _from_value_template(view, result, whole, line)
        else:
            yield Miss(line, overridden=True)


def _from_value_template(view: View, result: ex.Value, path: Path, line: Span) -> Found:
    """Yield what a value with actions in it made, which ``tpl`` was given as a part of something larger."""
    dot = ex.Context(result.chart)
    evaluated = ex.Evaluated(ex.Value(result.chart, path), dot)
    yield from from_evaluated(view, evaluated, view.target.text, line)
