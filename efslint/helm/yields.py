"""From what an action yields to the places that can have made a text of it: values, literals, lines of helpers.

Leaves which action it was to ``trace``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from efslint.helm import expressions as ex
from efslint.helm.charts import Found, Layer, Path
from efslint.helm.go_template import Body
from efslint.helm.outline import outline, value_actions
from efslint.helm.scopes import environments
from efslint.helm.views import Candidate, Target, View, pattern, same
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Scalar, child


def sources_of(view: View, result: ex.Result, wanted: str, line: Span) -> Iterator[Candidate]:
    """Yield where a text can come from."""
    if not view.may_go_on():
        return
    if isinstance(result, ex.Value | ex.Key):
        yield from _from_value(result, wanted, line)
    elif isinstance(result, ex.Text):
        if result.text == wanted:
            yield Candidate(result.span, result.span)
    elif isinstance(result, ex.Either):
        for option in result.options:
            found = [*sources_of(view, option, wanted, line)]
            yield from found
            if found and result.ordered:
                return
    elif isinstance(result, ex.Included):
        yield from _from_named(view, result, wanted)
    elif isinstance(result, ex.Evaluated):
        yield from from_evaluated(view, result, wanted, line)
    elif isinstance(result, ex.Printed):
        yield from _from_printed(view, result, wanted, line)
    elif isinstance(result, ex.Made):
        for part in result.parts:
            yield from _from_part(part, wanted, line)


def _from_value(result: ex.Value | ex.Key, wanted: str, line: Span) -> Iterator[Candidate]:
    found = result.chart.lookup(result.path)
    if found is None:
        return
    if isinstance(result, ex.Key):
        key = key_of(found.layer, result.path)
        if key is not None and key.text == wanted:
            yield candidate_at(found, key, line, result.path)
    elif type(found.node) is Scalar and same(found.node, wanted):
        yield candidate_at(found, found.node, line, result.path)


def key_of(layer: Layer, path: Path) -> Scalar | None:
    """Return the key of a value in the layer that gives it."""
    parent, name = child(layer.root, *layer.below, *path[:-1]), path[-1]
    return parent.key(name) if type(parent) is Mapping and isinstance(name, str) else None


def candidate_at(found: Found, node: Scalar, line: Span, path: Path, sure: bool = True) -> Candidate:
    return Candidate(node.span.one_line(), line, sure, found.layer.label, path)


def _from_printed(view: View, result: ex.Printed, wanted: str, line: Span) -> Iterator[Candidate]:
    """Yield what stands for a verb of ``printf``; if that is not known, the format, which makes the rest."""
    matched = _format(result.format.text).fullmatch(wanted)
    if matched is None or len(matched.groups()) != len(result.parts):
        return
    pairs = zip(result.parts, matched.groups(), strict=True)
    found = [each for part, text in pairs for each in sources_of(view, part, text, line)]
    if found:
        yield from (each._replace(sure=each.sure and len(result.parts) == 1) for each in found)
    else:
        yield Candidate(result.format.span, line, sure=not any(map(is_value, result.parts)))


def _format(text: str) -> re.Pattern[str]:
    parts = re.split(r"(%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z])", text)
    return re.compile("".join("(.*)" if part[:1] == "%" else re.escape(part) for part in parts), re.DOTALL)


def printed_value(result: ex.Printed, key: str) -> ex.Result | None:
    """Return what ``printf`` writes behind a key; ``None`` if it writes no such line."""
    match = re.fullmatch(r"([^\s:]+):[ \t]+([\"']?)(.*?)\2", result.format.text)
    if match is None or match[1] != key:
        return None
    start = result.format.span.start + match.start(3)
    span = Span(result.format.span.source, start, start + len(match[3]))
    return ex.Printed(ex.Text(match[3], span), result.parts)


def _from_part(part: ex.Result, wanted: str, line: Span) -> Iterator[Candidate]:
    """Yield what is a part of a text that was put together; that something else did it is possible."""
    if isinstance(part, ex.Value):
        found = part.chart.lookup(part.path)
        if found is not None and type(found.node) is Scalar and found.node.text and found.node.text in wanted:
            yield candidate_at(found, found.node, line, part.path, sure=False)
    elif isinstance(part, ex.Made | ex.Either | ex.Printed):
        for inner in part.options if isinstance(part, ex.Either) else part.parts:
            yield from _from_part(inner, wanted, line)


def _from_named(view: View, result: ex.Included, wanted: str) -> Iterator[Candidate]:
    body = ex.named_template(result)
    if body is not None:
        yield from _from_text(view, body, result.dot, wanted)


def from_evaluated(view: View, result: ex.Evaluated, wanted: str, line: Span) -> Iterator[Candidate]:
    yield from sources_of(view, result.text, wanted, line)
    body = text_body(result.text)
    if body is not None and "{{" in body.source.text[body.start : body.end]:
        yield from _from_text(view, body, result.dot, wanted)


def text_body(result: ex.Result) -> Body | None:
    """Return the text of a value that is used as a template, without its quotes or the header of its block."""
    found = result.chart.lookup(result.path) if isinstance(result, ex.Value) else None
    if found is None or type(found.node) is not Scalar or found.layer.label:
        return None
    node = found.node
    if node.style in ("|", ">"):
        return Body(node.source, node.span.one_line().end, node.end)
    return Body(node.source, node.start + len(node.style), node.end - len(node.style))


def _from_text(view: View, body: Body, dot: ex.Result, wanted: str) -> Iterator[Candidate]:
    """Yield which line of a text can have made a scalar; conditions choose among its lines."""
    found = outline(body)
    scope = ex.Scope(body.source, dot, dot, {})
    inner = View(found, scope, view.target, view.steps, view.depth + 1)
    for match in re.compile(r"[^\r\n]+").finditer(found.text, body.start, body.end):
        blotted = match[0].strip(" \t\ue001").strip("\"'")
        matched = pattern(blotted).fullmatch(wanted) if blotted and blotted[0] != "#" else None
        if matched is None:
            continue
        start = match.start() + match[0].index(blotted)
        place = Span(body.source, start, start + len(blotted))
        yields = value_actions(found, start, start + len(blotted))
        if not yields:
            yield Candidate(place, place)
        elif len(yields) == 1:
            openers = yields[0].scope
            for each in environments(inner, openers, yields[0].start):
                value = ex.evaluate_text(yields[0].body, yields[0].offset, each)
                yield from sources_of(inner, value, matched[1], place)
        else:
            yield Candidate(place, place)


def is_value(result: ex.Result) -> bool:
    """Say whether something comes from values, or from nowhere else but literals."""
    if isinstance(result, ex.Either):
        return any(map(is_value, result.options))
    return isinstance(result, ex.Value)


def focused(place: Span, target: Target) -> Span:
    """Return the part of a literal that is meant, if it can be told."""
    part = target.text[slice(*target.focus)]
    if part == target.text or place.text.count(part) != 1:
        return place
    at = place.start + place.text.index(part)
    return Span(place.source, at, at + len(part))
