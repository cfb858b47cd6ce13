"""Everything that can be wrong with a rule file, with the place where it is.

Knows ``schemas/rule.json`` and what a schema cannot say about a rule; leaves conditions, paths and placeholders to
``dialect``. Runs for rule packs and in tests, never for the rules that ship with efslint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from efslint.knowledge.data import data_text
from efslint.rules import dialect
from efslint.rules.dialect import Complaint, Facts, Path
from efslint.rules.example import EXAMPLE_KINDS, expected_lines
from efslint.rules.predicates import predicate
from efslint.rules.schema import validator
from efslint.text.source import Span
from efslint.yaml import node as yaml
from efslint.yaml.node import Node, plain

if TYPE_CHECKING:
    from jsonschema import ValidationError

_DOCUMENTATION = ("rationale", "remediation", "examples")


def complaint(root: Node, file_name: str) -> tuple[str, Span] | None:
    """Return the first thing that is wrong with a rule file, in the order of the file, and where it stands.

    What is wrong with the file as a whole comes last: a key that is missing may be one that is misspelt.
    """
    shadowed = next(_repeated(root), None)
    if shadowed is not None:
        return shadowed
    value = plain(root)
    found = list(_shape(value)) or list(_sense(value, file_name))  # type: ignore[arg-type]  # shape passed: a mapping
    placed = [(not one.path, _span(root, one.path), one.message) for one in found]
    first = min(placed, key=lambda one: (one[0], one[1].start), default=None)
    return None if first is None else (first[2], first[1])


@cache
def _schema(name: str) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(data_text(f"../schemas/{name}.json"))
    return schema


def _repeated(node: Node) -> Iterator[tuple[str, Span]]:
    if type(node) is yaml.Mapping:
        for key, _ in node.shadowed:
            yield f"key {plain(key)!r} stands twice", key.span
        for _, value in node.pairs:
            yield from _repeated(value)
    elif type(node) is yaml.Sequence:
        for item in node.items:
            yield from _repeated(item)


def _shape(value: object) -> Iterator[Complaint]:
    from jsonschema import Draft202012Validator

    whole = Draft202012Validator(_schema("rule"))
    for error in whole.iter_errors(value):
        yield from _said(error)


def _said(error: ValidationError) -> Iterator[Complaint]:
    path = tuple(error.absolute_path)
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        allowed = error.schema["properties"] if isinstance(error.schema, Mapping) else {}
        for key in error.instance:
            if key not in allowed:
                close = get_close_matches(str(key), allowed, n=1)
                yield Complaint(
                    (*path, key), f"unknown key {key!r}" + (f"; did you mean {close[0]!r}?" if close else "")
                )
    elif error.validator == "type" and error.validator_value == "object" and isinstance(error.instance, bool):
        yield Complaint(path, "true and false are no schemas here; write 'not: {}' for what must be absent")
    else:
        yield Complaint(path, error.message[:1].lower() + error.message[1:])


def _sense(rule: Mapping[str, Any], file_name: str) -> Iterator[Complaint]:
    stem = file_name.rpartition("/")[2].rpartition(".")[0]
    if stem != f"{rule['id']}-{rule['name']}":
        yield Complaint(("id",), f"the file has to be called {rule['id']}-{rule['name']}.yaml")
    if tuple(rule)[-3:] != _DOCUMENTATION:
        yield Complaint(("rationale",), f"the last keys have to be {', '.join(_DOCUMENTATION)}")
    yield from _judgement(rule)
    facts = Facts(_schema("fact")["$defs"], rule["target"], free="check" in rule)
    if "when" in rule:
        yield from dialect.condition(rule["when"], facts, ("when",))
    if "assert" in rule:
        yield from dialect.assertion(rule["assert"], facts, ("assert",))
    for index, text in enumerate(rule.get("at", ())):
        yield from dialect.pointer(text, facts, ("at", index))
    for keyword in ("severity", "message", "help", *(["docs"] if "docs" in rule else [])):
        yield from _cases(rule, keyword, facts)
    yield from _examples(rule)


def _judgement(rule: Mapping[str, Any]) -> Iterator[Complaint]:
    """A rule either asserts a schema or names a predicate, whose parameters have defaults and a schema."""
    if ("assert" in rule) == ("check" in rule):
        yield Complaint(("assert",) if "assert" in rule else (), "a rule needs 'assert' or 'check', and not both")
    if "check" in rule:
        try:
            predicate(rule["check"])
        except LookupError as error:
            yield Complaint(("check",), str(error.args[0]))
    elif "params" in rule:
        yield Complaint(("params",), "only a rule with 'check' takes parameters")
    params, schema = rule.get("params", {}), rule.get("params-schema", {})
    patterns = tuple(dialect.patterns(schema, ("params-schema",)))
    yield from patterns
    if set(params) != set(schema.get("properties", {})):
        yield Complaint(("params",) if params else (), "'params' and the properties of 'params-schema' differ")
    for wrong in validator(schema).iter_errors(params) if not patterns else ():
        yield Complaint(("params", *wrong.absolute_path), wrong.message)


def _cases(rule: Mapping[str, Any], keyword: str, facts: Facts) -> Iterator[Complaint]:
    given = (rule["when"],) if "when" in rule else ()
    if isinstance(rule[keyword], str):
        yield from dialect.template(rule[keyword], given, facts, (keyword,))
        return
    last = len(rule[keyword]) - 1
    for index, case in enumerate(rule[keyword]):
        path: Path = (keyword, index)
        if ("when" in case) == (index == last):
            yield Complaint(path, "every case but the last has a 'when', and the last has none")
        own = (case["when"],) if "when" in case else ()
        for schema in own:
            yield from dialect.condition(schema, facts, (*path, "when"), given)
        yield from dialect.template(case["then"], (*given, *own), facts, (*path, "then"))


def _examples(rule: Mapping[str, Any]) -> Iterator[Complaint]:
    for kind in EXAMPLE_KINDS:
        if not any(kind in example for example in rule["examples"]):
            yield Complaint(("examples",), f"no example of the kind {kind!r}")
    for index, example in enumerate(rule["examples"]):
        if bool(expected_lines(example["manifest"], rule["id"])) != ("firing" in example):
            wanted = "has to mark" if "firing" in example else "must not mark"
            yield Complaint(("examples", index), f"this example {wanted} a line with '# expect: {rule['id']}'")


def _span(root: Node, path: Path) -> Span:
    """Return the place of a path: the key of a mapping's pair, else the item of a list."""
    span, node = root.span, root
    for step in path:
        inner = yaml.child(node, step)
        assert inner is not None, path
        key = node.key(step) if type(node) is yaml.Mapping and isinstance(step, str) else None
        span, node = (key or inner).span, inner
    return span
