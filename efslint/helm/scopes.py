"""What names mean at a place of a template: the dot and the variables, one scope for each element of a ``range``.

Knows which elements can have made what was rendered. Leaves expressions to ``expressions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from efslint.helm import expressions as ex
from efslint.helm.go_template import Action, Opener, actions
from efslint.helm.outline import Line, value_actions
from efslint.helm.views import View, pattern, same
from efslint.yaml.node import Node, Scalar, child

_MOST_ELEMENTS = 64


def agreeing(view: View, openers: tuple[Opener, ...], offset: int) -> list[ex.Scope]:
    """Return what names can mean at a line; if a ``range`` leaves a choice, the elements whose fields were rendered."""
    scopes = environments(view, openers, offset)
    if len(scopes) < 2:
        return scopes
    agreeing = [scope for scope in scopes if all(_agrees(view, lines, node, scope, 0) for lines, node in view.chain)]
    return agreeing or scopes


def _agrees(view: View, lines: Iterable[Line], node: Node, scope: ex.Scope, depth: int) -> bool:
    for line in lines:
        inner = child(node, view.outline.text[slice(*line.key)]) if line.kind == "key" else None
        if inner is None or depth > 4:
            continue
        if type(inner) is not Scalar:
            if not _agrees(view, line.children, inner, scope, depth + 1):
                return False
            continue
        found = value_actions(view.outline, *line.value)
        matched = pattern(view.outline.text[slice(*line.value)].strip("\"'")).fullmatch(inner.text)
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


def environments(view: View, openers: tuple[Opener, ...], offset: int) -> list[ex.Scope]:
    """Return what names can mean at an offset: one scope for each element of the ranges around it."""
    events: list[tuple[int, Opener | Action]] = [(each.offset, each) for each in openers]
    for action in actions(view.outline.body):
        if action.start < offset and action.keyword == ":=" and action.scope == openers[: len(action.scope)]:
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
