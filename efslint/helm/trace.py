"""From a scalar of a rendered manifest back to the line of the chart that it was written on.

Walks down the keys of the object and, side by side, the outline of its template; where an action stands in the place
of lines, into the named template or the values that it yields. Every candidate must be able to make exactly the text
that was rendered. Leaves proving by rendering again to ``prove``, and findings to ``places``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from efslint.helm import expressions as ex
from efslint.helm.charts import Chart, Found, Path
from efslint.helm.go_template import Action, Body, Opener, actions
from efslint.helm.outline import YIELD, Line, Outline, outline, value_actions
from efslint.text.source import Source, Span
from efslint.yaml.node import Mapping, Node, Scalar, child
from efslint.yaml.parser import YamlSyntaxError, parse_node

_DEEPEST = 12
_MOST_ELEMENTS = 64
_MOST_CANDIDATES = 32


class Target(NamedTuple):
    """What is looked for: a scalar of an object, by its path, or the key that leads there.

    ``text`` is its content, of which ``focus`` (start and end) is meant.
    """

    root: Mapping
    path: Path
    on_key: bool
    text: str
    focus: tuple[int, int]


class Candidate(NamedTuple):
    """A place that can have made the text.

    ``line`` is the place in the template where that text is put in, which differs from ``span`` for values. ``sure``
    tells that nothing else was done to the text. ``given`` names the option when the value is in no file, ``path`` is
    that of the value.
    """

    span: Span
    line: Span
    sure: bool = True
    given: str = ""
    path: Path | None = None


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


class _View(NamedTuple):
    """The outline that is walked, what names mean in it, and the chain of lines and nodes that led to a place."""

    outline: Outline
    scope: ex.Scope
    target: Target
    depth: int
    chain: tuple[tuple[tuple[Line, ...], Node], ...] = ()


class _Miss(NamedTuple):
    """A line that makes the field from something unknown, or (``overridden``) from other values than were rendered.

    A ``vague`` one makes several fields, this one perhaps among them.
    """

    line: Span
    overridden: bool
    vague: bool = False


_Found = Iterator[Candidate | _Miss]


def trace(chart: Chart, template: Source, target: Target) -> Trace:
    """Find the lines of a chart that can have made a scalar which its template is said to have made."""
    body = Body(template, 0, len(template.text))
    context = ex.Context(chart)
    view = _View(outline(body), ex.Scope(template, context, context, {}), target, 0)
    found: dict[tuple[str, int, int], Candidate] = {}
    misses: dict[tuple[str, int, int], _Miss] = {}
    for each in _documents(view, target.root, target.path):
        if isinstance(each, _Miss):
            misses.setdefault(each.line.sort_key, each)
        elif len(found) < _MOST_CANDIDATES:
            known = found.get(each.span.sort_key)
            if known is None or (each.sure and not known.sure):
                found[each.span.sort_key] = each
    ranked = sorted(found.values(), key=lambda each: not each.sure)
    vague = all(each.vague for each in misses.values())
    left = [each for each in misses.values() if vague or not each.vague]
    return Trace(tuple(ranked), tuple(each.line for each in left), any(each.overridden for each in left), vague)


def _documents(view: _View, node: Node, path: Path) -> _Found:
    for document in view.outline.documents:
        if not path or _fits(view, document.children, node, document.scope, 0):
            yield from _search(view, document.children, node, path)


def _search(view: _View, lines: Iterable[Line], node: Node, path: Path) -> _Found:
    """Walk on from neighbouring lines and the node that they made."""
    lines = tuple(lines)
    step = path[0]
    inner = child(node, step)
    if inner is None or view.depth > _DEEPEST:
        return
    view = view._replace(chain=(*view.chain, (lines, node)))
    for line in lines:
        if line.kind == "action":
            yield from _through(view, line, node, path)
        elif _leads_to(view, line, node, step, inner):
            yield from _enter(view, line, inner, path[1:])


def _leads_to(view: _View, line: Line, node: Node, step: str | int, inner: Node) -> bool:
    """Say whether a line can be that of a key or of an item."""
    if isinstance(step, str):
        return line.kind == "key" and _key_fits(view, line, step)
    return line.kind == "item" and _fits(view, (line,), node, line.scope, 0, item=inner)


def _enter(view: _View, line: Line, node: Node, path: Path) -> _Found:
    if not path:
        yield from _leaf(view, line)
        return
    yield from _search(view, line.children, node, path)
    start, end = line.value
    if start == end or _holds_key(line):
        return
    if _is_action(view, line):
        yield from _through(view, line, node, path)
    elif view.outline.text[start] in "[{":
        yield from _flow(view, line, path)


def _holds_key(line: Line) -> bool:
    """Say whether an item has its first key on its own line."""
    return line.kind == "item" and any(line.value[0] <= each.key[0] < line.value[1] for each in line.children)


def _is_action(view: _View, line: Line) -> bool:
    return set(view.outline.text[line.value[0] : line.value[1]]) == {YIELD}


def _flow(view: _View, line: Line, path: Path) -> _Found:
    """Walk on within a flow collection, which is YAML but for the actions in it."""
    node: Node | None = _fragment(view, *line.value)
    for step in path[:-1]:
        node = child(node, step)
    last = path[-1]
    key = node.key(last) if type(node) is Mapping and isinstance(last, str) else None
    inner = child(node, last)
    if type(inner) is Scalar:
        place = (key.start, key.end) if key is not None else (inner.start, inner.start)
        yield from _leaf(view, Line("key", 0, place, (inner.start, inner.end), line.scope))


def _fragment(view: _View, start: int, end: int) -> Node | None:
    try:
        return parse_node(_blotted(view.outline), start, end)
    except YamlSyntaxError:
        return None


def _blotted(found: Outline) -> Source:
    return Source(found.body.source.path, found.text)


# What lines can have made.


def _key_fits(view: _View, line: Line, key: str) -> bool:
    text = view.outline.text[line.key[0] : line.key[1]]
    if YIELD not in text:
        return text.strip("\"'") == key
    return _pattern(text).fullmatch(key) is not None


def _fits(
    view: _View, lines: Iterable[Line], node: Node, scope: tuple[Opener, ...], depth: int, item: Node | None = None
) -> bool:
    """Say whether lines can have made a node: what they always make must be there, with the same literal text.

    Lines in conditions of their own need not be there. With ``item``, the one line is that of an item.
    """
    if depth > 4:
        return True
    for line in lines:
        if line.kind == "action" or line.scope != scope:
            continue
        inner = item
        if line.kind == "key":
            key = view.outline.text[line.key[0] : line.key[1]]
            if YIELD in key:
                continue
            inner = child(node, key.strip("\"'"))
        if inner is None:
            if line.kind == "key" and type(node) is Mapping:
                return False
            continue
        if not _line_fits(view, line, inner, depth):
            return False
    return True


def _line_fits(view: _View, line: Line, node: Node, depth: int) -> bool:
    start, end = line.value
    text = view.outline.text[start:end]
    if text and not _holds_key(line):
        if type(node) is not Scalar:
            return text[0] in "[{" or YIELD in text or text[0] in "&!"
        if text[0] in "|>[{&*!":
            return True
        written = _fragment(view, start, end)
        return type(written) is not Scalar or _pattern(written.text).fullmatch(node.text) is not None
    if line.kind == "item" and type(node) is Scalar and _holds_key(line):
        return False
    return type(node) is Scalar or _fits(view, line.children, node, line.scope, depth + 1)


def _pattern(text: str) -> re.Pattern[str]:
    """Return what a text with blotted actions matches, a group for each action."""
    parts = re.split(f"({YIELD}+)", text)
    return re.compile("".join("(.*)" if part[:1] == YIELD else re.escape(part) for part in parts), re.DOTALL)


# What scalars were made from.


def _leaf(view: _View, line: Line) -> _Found:
    """Say what can have made the scalar (or the key) of a line."""
    source = view.outline.body.source
    start, end = line.key if view.target.on_key else line.value
    place = Span(source, start, max(start, end)).one_line()
    if start == end or _holds_key(line):
        for inner in line.children:
            if inner.kind == "action" and not view.target.on_key:
                yield from _through(view, inner, view.target.root, ())
        return
    text = view.outline.text[start:end]
    if text[0] in "|>":
        yield Candidate(place, place)  # the first line of a block, which is all that is shown of it
        return
    written = _fragment(view, start, end)
    if type(written) is not Scalar:
        return
    matched = _pattern(written.text).fullmatch(view.target.text)
    if matched is None:
        return
    if YIELD not in text:
        yield Candidate(_focused(place, view.target), place)
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
    yield from _yielded(view, line, found[inside[0] - 1], place, wanted)


def _covers(group: tuple[int, int], focus: tuple[int, int]) -> bool:
    return group[0] <= focus[0] and focus[1] <= group[1]


def _focused(place: Span, target: Target) -> Span:
    """Return the part of a literal that is meant, if it can be told."""
    part = target.text[slice(*target.focus)]
    if part == target.text or place.text.count(part) != 1:
        return place
    at = place.start + place.text.index(part)
    return Span(place.source, at, at + len(part))


def _yielded(view: _View, line: Line, action: Action, place: Span, wanted: str) -> _Found:
    found: list[Candidate | _Miss] = []
    for scope in _agreeing(view, line, action.start):
        result = ex.evaluate_text(action.body, action.offset, scope)
        mine = [*_sources(view, result, wanted, place, view.depth)]
        found += mine or [_Miss(place, _is_value(result))]
    yield from [each for each in found if isinstance(each, Candidate)] or found


def _is_value(result: ex.Result) -> bool:
    """Say whether something comes from values, or from nowhere else but literals."""
    if isinstance(result, ex.Either):
        return any(map(_is_value, result.options))
    return isinstance(result, ex.Value)


def _sources(view: _View, result: ex.Result, wanted: str, line: Span, depth: int) -> Iterator[Candidate]:
    """Yield where a text can come from."""
    if depth > _DEEPEST:
        return
    if isinstance(result, ex.Value | ex.Key):
        yield from _from_value(result, wanted, line)
    elif isinstance(result, ex.Text):
        if result.text == wanted:
            yield Candidate(result.span, result.span)
    elif isinstance(result, ex.Either):
        for option in result.options:
            found = [*_sources(view, option, wanted, line, depth + 1)]
            yield from found
            if found and result.ordered:
                return
    elif isinstance(result, ex.Included):
        yield from _from_named(view, result, wanted, depth)
    elif isinstance(result, ex.Evaluated):
        yield from _from_evaluated(view, result, wanted, line, depth)
    elif isinstance(result, ex.Made):
        for part in result.parts:
            yield from _from_part(part, wanted, line)


def _from_value(result: ex.Value | ex.Key, wanted: str, line: Span) -> Iterator[Candidate]:
    found = result.chart.lookup(result.path)
    if found is None:
        return
    if isinstance(result, ex.Key):
        key = _key_of(result.chart, result.path)
        if key is not None and key.text == wanted:
            yield _candidate(found, key, line, result.path)
    elif type(found.node) is Scalar and same(found.node, wanted):
        yield _candidate(found, found.node, line, result.path)


def _key_of(chart: Chart, path: Path) -> Scalar | None:
    found = chart.lookup(path[:-1])
    name = path[-1]
    return found.node.key(name) if found and type(found.node) is Mapping and isinstance(name, str) else None


def _candidate(found: Found, node: Scalar, line: Span, path: Path, sure: bool = True) -> Candidate:
    return Candidate(node.span.one_line(), line, sure, found.layer.label, path)


def same(node: Scalar, text: str) -> bool:
    """Say whether a value, put into a template, can have become a text; Go writes numbers in its own way."""
    if node.text == text:
        return True
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return float(text) == value
    except ValueError:
        return False


def _from_part(part: ex.Result, wanted: str, line: Span) -> Iterator[Candidate]:
    """Yield what is a part of a text that was put together; that something else did it is possible."""
    if isinstance(part, ex.Value):
        found = part.chart.lookup(part.path)
        if found is not None and type(found.node) is Scalar and found.node.text and found.node.text in wanted:
            yield _candidate(found, found.node, line, part.path, sure=False)
    elif isinstance(part, ex.Made | ex.Either):
        for inner in part.parts if isinstance(part, ex.Made) else part.options:
            yield from _from_part(inner, wanted, line)


def _from_named(view: _View, result: ex.Included, wanted: str, depth: int) -> Iterator[Candidate]:
    body = ex.named_template(result)
    if body is not None:
        yield from _from_text(view, body, result.dot, wanted, depth)


def _from_evaluated(view: _View, result: ex.Evaluated, wanted: str, line: Span, depth: int) -> Iterator[Candidate]:
    yield from _sources(view, result.text, wanted, line, depth + 1)
    body = _text_body(result.text)
    if body is not None and "{{" in body.source.text[body.start : body.end]:
        yield from _from_text(view, body, result.dot, wanted, depth)


def _text_body(result: ex.Result) -> Body | None:
    """Return the text of a value that is used as a template, without its quotes or the header of its block."""
    found = result.chart.lookup(result.path) if isinstance(result, ex.Value) else None
    if found is None or type(found.node) is not Scalar or found.layer.label:
        return None
    node = found.node
    if node.style in ("|", ">"):
        return Body(node.source, node.span.one_line().end, node.end)
    return Body(node.source, node.start + len(node.style), node.end - len(node.style))


def _from_text(view: _View, body: Body, dot: ex.Result, wanted: str, depth: int) -> Iterator[Candidate]:
    """Yield which line of a text can have made a scalar; conditions choose among its lines."""
    found = outline(body)
    scope = ex.Scope(body.source, dot, dot, {})
    inner = _View(found, scope, view.target, depth + 1)
    for match in re.compile(r"[^\r\n]+").finditer(found.text, body.start, body.end):
        blotted = match[0].strip(" \t\ue001").strip("\"'")
        matched = _pattern(blotted).fullmatch(wanted) if blotted and blotted[0] != "#" else None
        if matched is None:
            continue
        start = match.start() + match[0].index(blotted)
        place = Span(body.source, start, start + len(blotted))
        yields = value_actions(found, start, start + len(blotted))
        if not yields:
            yield Candidate(place, place)
        elif len(yields) == 1:
            openers = yields[0].scope
            for each in _environments(inner, openers, yields[0].start):
                value = ex.evaluate_text(yields[0].body, yields[0].offset, each)
                yield from _sources(inner, value, matched[1], place, depth + 1)
        else:
            yield Candidate(place, place)


# What stands in the place of lines.


def _through(view: _View, line: Line, node: Node, path: Path) -> _Found:
    """Walk on into what an action yields: several lines, of which one leads on."""
    for action in value_actions(view.outline, *line.value):
        place = Span(view.outline.body.source, action.start, action.end).one_line()
        for scope in _agreeing(view, line, action.start):
            result = ex.evaluate_text(action.body, action.offset, scope)
            if path:
                yield from _result(view, result, node, path, place)
            else:
                yield from _sources(view, result, view.target.text, place, view.depth)


def _result(view: _View, result: ex.Result, node: Node, path: Path, line: Span) -> _Found:
    if view.depth > _DEEPEST:
        return
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
            yield _Miss(line, overridden=False, vague=True)
    elif isinstance(result, ex.Evaluated):
        yield from _result(view, result.text, node, path, line)
        body = _text_body(result.text)
        if body is not None:
            yield from _body(view, body, result.dot, node, path)
    elif isinstance(result, ex.Value):
        yield from _below_value(view, result, path, line)
    elif isinstance(result, ex.Table):
        inner = ex.below(result, path)
        yield from _sources(view, inner, view.target.text, line, view.depth + 1)
    elif not isinstance(result, ex.Text):
        yield _Miss(line, overridden=False, vague=True)


def _body(view: _View, body: Body, dot: ex.Result, node: Node, path: Path) -> _Found:
    scope = ex.Scope(body.source, dot, dot, {})
    inner = _View(outline(body), scope, view.target, view.depth + 1)
    for document in inner.outline.documents:
        yield from _search(inner, document.children, node, path)


def _below_value(view: _View, result: ex.Value, path: Path, line: Span) -> _Found:
    whole = (*result.path, *path)
    found = result.chart.lookup(whole)
    if found is None:
        first = result.chart.lookup(result.path)
        if first is not None and type(first.node) is not Scalar:
            yield _Miss(line, overridden=True)
        return
    if view.target.on_key:
        key = _key_of(result.chart, whole)
        if key is not None:
            yield _candidate(found, key, line, whole)
    elif type(found.node) is Scalar:
        if same(found.node, view.target.text):
            candidate = _candidate(found, found.node, line, whole)
            yield candidate._replace(span=_focused(candidate.span, view.target))
        elif "{{" in found.node.text:
            yield from _from_value_template(view, result, whole, line)
        else:
            yield _Miss(line, overridden=True)


def _from_value_template(view: _View, result: ex.Value, path: Path, line: Span) -> _Found:
    """Yield what a value with actions in it made, which ``tpl`` was given as a part of something larger."""
    dot = ex.Context(result.chart)
    evaluated = ex.Evaluated(ex.Value(result.chart, path), dot)
    yield from _from_evaluated(view, evaluated, view.target.text, line, view.depth)


# What names mean.


def _agreeing(view: _View, line: Line, offset: int) -> list[ex.Scope]:
    """Return what names can mean at a line; if a ``range`` leaves a choice, the elements whose fields were rendered."""
    scopes = _environments(view, line.scope, offset)
    if len(scopes) < 2:
        return scopes
    agreeing = [scope for scope in scopes if all(_agrees(view, lines, node, scope, 0) for lines, node in view.chain)]
    return agreeing or scopes


def _agrees(view: _View, lines: Iterable[Line], node: Node, scope: ex.Scope, depth: int) -> bool:
    for line in lines:
        inner = child(node, view.outline.text[slice(*line.key)]) if line.kind == "key" else None
        if inner is None or depth > 4:
            continue
        if type(inner) is not Scalar:
            if not _agrees(view, line.children, inner, scope, depth + 1):
                return False
            continue
        found = value_actions(view.outline, *line.value)
        matched = _pattern(view.outline.text[slice(*line.value)].strip("\"'")).fullmatch(inner.text)
        if len(found) == 1 and matched is not None:
            result = ex.evaluate_text(found[0].body, found[0].offset, scope)
            if isinstance(result, ex.Value | ex.Key) and not _says(result, matched[1]):
                return False
    return True


def _says(result: ex.Value | ex.Key, text: str) -> bool:
    if isinstance(result, ex.Key):
        return str(result.path[-1]) == text
    found = result.chart.lookup(result.path)
    return found is None or type(found.node) is not Scalar or same(found.node, text)


def _environments(view: _View, openers: tuple[Opener, ...], offset: int) -> list[ex.Scope]:
    """Return what names can mean at an offset: one scope for each element of the ranges around it."""
    events: list[tuple[int, Opener | Action]] = [(each.offset, each) for each in openers]
    for action in actions(view.outline.body):
        if action.start >= offset:
            break
        if action.keyword == ":=" and action.scope == openers[: len(action.scope)]:
            events.append((action.start, action))
    scopes = [view.scope]
    for _, event in sorted(events, key=lambda each: each[0]):
        scopes = [new for scope in scopes for new in _after(event, scope)][:_MOST_ELEMENTS]
    return scopes


def _after(event: Opener | Action, scope: ex.Scope) -> Iterator[ex.Scope]:
    if isinstance(event, Action):
        name, _, text = event.body.partition("=")
        variable = name.strip().rstrip(":").strip()
        result = ex.evaluate_text(text, event.offset + len(event.body) - len(text), scope)
        yield scope._replace(variables={**scope.variables, variable: result})
    elif event.keyword == "range" and not event.branch:
        elements = ex.elements(event, scope)
        for element in elements or ((),):
            yield ex.enter(event, scope, element)
    else:
        yield ex.enter(event, scope, ())
