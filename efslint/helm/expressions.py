"""What an expression of a template may yield, and where that is written.

Knows what the functions of Go, Sprig and Helm do with a text as far as it matters here: whether it stays what it was
(``quote``), is one of several (``default``) or becomes something else (``trunc``). Sources: Masterminds/sprig,
``docs``; helm/helm, ``pkg/engine/funcs.go``. Leaves searching the text of a template to ``trace``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from efslint.helm.charts import Chart, Path
from efslint.helm.go_template import Body, Call, Expression, Field, Literal, Opener, defines, parse_expression
from efslint.text.source import Source, Span


class Context(NamedTuple):
    """The dot that Helm gives to a template: ``.Values``, ``.Release`` and so on of a chart."""

    chart: Chart


class Value(NamedTuple):
    """Something below ``.Values``."""

    chart: Chart
    path: Path


class Key(NamedTuple):
    """The key or the index of something below ``.Values``, in a ``range``."""

    chart: Chart
    path: Path


class Text(NamedTuple):
    """A literal of a template."""

    text: str
    span: Span


class Table(NamedTuple):
    """A ``dict`` or a ``list`` that the template makes."""

    items: Mapping[str | int, Result]


class Either(NamedTuple):
    """One of several; if ``ordered``, the first that is not empty."""

    options: tuple[Result, ...]
    ordered: bool


class Made(NamedTuple):
    """Something new that is made from others, such as ``printf``."""

    parts: tuple[Result, ...]


class Printed(NamedTuple):
    """What ``printf`` writes: a format and what stands for each of its verbs."""

    format: Text
    parts: tuple[Result, ...]


class Included(NamedTuple):
    """The text of a named template, with its dot."""

    name: str
    dot: Result
    chart: Chart | None


class Evaluated(NamedTuple):
    """A text that is itself a template (``tpl``), and its dot."""

    text: Result
    dot: Result


class Unknown(NamedTuple):
    """What does not come from the chart, such as the name of the release."""


Result: TypeAlias = Context | Value | Key | Text | Table | Either | Made | Printed | Included | Evaluated | Unknown
UNKNOWN = Unknown()


class Scope(NamedTuple):
    """What names mean at a place. ``dollar`` is the dot of the whole template."""

    source: Source
    dot: Result
    dollar: Result
    variables: Mapping[str, Result]


# The last argument comes out as it was, perhaps quoted, indented or written differently.
_KEEPS = frozenset(
    "quote squote toString toYaml toYamlPretty toJson toPrettyJson toRawJson fromYaml fromYamlArray fromJson "
    "fromJsonArray nindent indent trim int int64 float64 toDecimal atoi required deepCopy mustDeepCopy mustToJson uniq "
    "compact sortAlpha toStrings print".split()
)
_TO_TEXT = frozenset("tpl include template".split())


def evaluate(expression: Expression | None, scope: Scope) -> Result:
    """Say what an expression yields."""
    if expression is None:
        return UNKNOWN
    if isinstance(expression, Literal):
        return Text(expression.text, expression.span)
    if isinstance(expression, Field):
        return below(_base(expression, scope), expression.names)
    return _call(expression, tuple(evaluate(argument, scope) for argument in expression.arguments), scope)


def evaluate_text(text: str, offset: int, scope: Scope) -> Result:
    """Say what the expression that stands at an offset yields."""
    return evaluate(parse_expression(scope.source, text, offset), scope)


def _base(field: Field, scope: Scope) -> Result:
    if isinstance(field.base, str):
        return {".": scope.dot, "$": scope.dollar}.get(field.base) or scope.variables.get(field.base, UNKNOWN)
    return evaluate(field.base, scope)


def below(result: Result, path: Path) -> Result:
    """Return what is below something."""
    if not path:
        return result
    first, *rest = path
    if isinstance(result, Context):
        if first == "Values":
            return Value(result.chart, tuple(rest))
        return UNKNOWN
    if isinstance(result, Value):
        return Value(result.chart, (*result.path, *path))
    if isinstance(result, Table):
        return below(result.items[first], tuple(rest)) if first in result.items else UNKNOWN
    if isinstance(result, Either):
        return Either(tuple(below(each, path) for each in result.options), result.ordered)
    return UNKNOWN


def _call(call: Call, arguments: tuple[Result, ...], scope: Scope) -> Result:
    name = call.name
    if name in _KEEPS and arguments:
        return arguments[-1]
    if name in _TO_TEXT and arguments:
        return _text_of(name, arguments, scope)
    made = _FUNCTIONS.get(name)
    return made(arguments) if made is not None and arguments else Made(arguments)


def _text_of(name: str, arguments: tuple[Result, ...], scope: Scope) -> Result:
    dot = arguments[1] if len(arguments) > 1 else UNKNOWN
    if name == "tpl":
        return Evaluated(arguments[0], dot)
    named = arguments[0]
    chart = chart_of(dot) or chart_of(scope.dot) or chart_of(scope.dollar)
    return Included(named.text, dot, chart) if isinstance(named, Text) else UNKNOWN


def chart_of(result: Result) -> Chart | None:
    """Return the chart that something belongs to."""
    if isinstance(result, Context | Value):
        return result.chart
    if isinstance(result, Table):
        return next(filter(None, map(chart_of, result.items.values())), None)
    return None


def _default(arguments: tuple[Result, ...]) -> Result:
    return Either(tuple(reversed(arguments)), ordered=True)


def _first_of(arguments: tuple[Result, ...]) -> Result:
    return Either(arguments, ordered=True)


def _ternary(arguments: tuple[Result, ...]) -> Result:
    return Either(arguments[:2], ordered=False)


def _dict(arguments: tuple[Result, ...]) -> Result:
    pairs = zip(arguments[::2], arguments[1::2], strict=False)
    return Table({key.text: value for key, value in pairs if isinstance(key, Text)})


def _list(arguments: tuple[Result, ...]) -> Result:
    return Table(dict(enumerate(arguments)))


def _get(arguments: tuple[Result, ...]) -> Result:
    path: list[str | int] = []
    for key in arguments[1:]:
        if not isinstance(key, Text):
            return Made(arguments)
        path.append(int(key.text) if key.text.isdigit() and key.span.text.isdigit() else key.text)
    return below(arguments[0], tuple(path))


def _dig(arguments: tuple[Result, ...]) -> Result:
    *keys, otherwise, table = arguments
    names = tuple(key.text for key in keys if isinstance(key, Text))
    return Either((below(table, names), otherwise), ordered=True) if len(names) == len(keys) else Made(arguments)


def _printf(arguments: tuple[Result, ...]) -> Result:
    form = arguments[0]
    return Printed(form, arguments[1:]) if isinstance(form, Text) else Made(arguments)


def _first(arguments: tuple[Result, ...]) -> Result:
    return below(arguments[0], (0,))


def _last(arguments: tuple[Result, ...]) -> Result:
    table = arguments[0]
    return table.items[len(table.items) - 1] if isinstance(table, Table) and table.items else Made(arguments)


def _append(arguments: tuple[Result, ...]) -> Result:
    table = arguments[0]
    return Table({**table.items, len(table.items): arguments[-1]}) if isinstance(table, Table) else Made(arguments)


def _head(arguments: tuple[Result, ...]) -> Result:
    return arguments[0]


_FUNCTIONS: Mapping[str, Callable[[tuple[Result, ...]], Result]] = {
    "printf": _printf,
    "default": _default,
    "coalesce": _first_of,
    "or": _first_of,
    "ternary": _ternary,
    "dict": _dict,
    "list": _list,
    "tuple": _list,
    "get": _get,
    "index": _get,
    "dig": lambda arguments: _dig(arguments) if len(arguments) > 2 else Made(arguments),
    "merge": _first_of,
    "mustMerge": _first_of,
    "mergeOverwrite": _default,
    "mustMergeOverwrite": _default,
    "first": _first,
    "last": _last,
    "append": _append,
    "omit": _head,
    "pick": _head,
    "concat": lambda arguments: Either(arguments, ordered=False),
    "and": lambda arguments: arguments[-1],
    "lookup": lambda _: UNKNOWN,
}


def enter(opener: Opener, scope: Scope, element: Path) -> Scope:
    """Return the scope within an opener; ``element`` is the key or index of the one that a ``range`` is at."""
    if opener.branch or opener.keyword not in ("with", "range"):
        return scope
    names, assigned, text = _variables(opener.expression)
    result = evaluate_text(text, opener.at + len(opener.expression) - len(text), scope)
    if opener.keyword == "range":
        result = below(result, element) if element else UNKNOWN
    variables = dict(scope.variables)
    if assigned:
        variables[names[-1]] = result
        if len(names) > 1:
            variables[names[0]] = Key(result.chart, result.path) if isinstance(result, Value) else UNKNOWN
    return scope._replace(dot=result, variables=variables)


def elements(opener: Opener, scope: Scope) -> tuple[Path, ...]:
    """Return the keys or indexes of what a ``range`` goes over; none where that is not known."""
    _, _, text = _variables(opener.expression)
    return _elements(evaluate_text(text, opener.at + len(opener.expression) - len(text), scope))


def _elements(result: Result) -> tuple[Path, ...]:
    if isinstance(result, Either):
        return next(filter(None, map(_elements, result.options)), ())
    if isinstance(result, Value):
        return tuple((key,) for key in result.chart.keys(result.path))
    return tuple((key,) for key in result.items) if isinstance(result, Table) else ()


def _variables(text: str) -> tuple[tuple[str, ...], bool, str]:
    """Split ``$i, $v := expression``."""
    names, assign, rest = text.partition(":=")
    words = tuple(word.strip() for word in names.split(","))
    if assign and all(word.startswith("$") and word[1:].isidentifier() for word in words):
        return words, True, rest
    return (), False, text


def named_template(result: Included) -> Body | None:
    """Return the text of a named template: of all charts in one tree the outermost that defines it wins."""
    if result.chart is None:
        return None
    waiting = [result.chart.trail[0]]
    for files in waiting:
        for source in files.files.values():
            found = defines(source).get(result.name)
            if found is not None:
                return found
        waiting.extend(files.subcharts)
    return None
