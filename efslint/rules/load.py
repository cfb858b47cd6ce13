"""The text of a rule file to a ``Rule``.

Knows the keys of a rule file and the order its documentation stands in; leaves what may be said with them to
``dialect`` and ``schemas/rule.json``, and opening files to ``inputs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from efslint.rules.example import EXAMPLE_KINDS
from efslint.rules.rule import Case, Example, Reference, Rule
from efslint.text.source import Source, Span
from efslint.yaml.node import Node, plain
from efslint.yaml.parser import YamlSyntaxError, parse_node

_FILE_NAME = re.compile(r"(?P<id>[A-Z]+[0-9]+)-(?P<name>[a-z0-9-]+)\.ya?ml$")
_DOCUMENTATION = re.compile(r"^rationale:", re.MULTILINE)


class RuleError(Exception):
    """A rule file that cannot be used. ``span`` is the place at fault, in the file that has it."""

    def __init__(self, message: str, span: Span) -> None:
        first = span.first
        super().__init__(f"{span.source.path}:{first.line}:{first.column}: {message}")
        self.message = message
        self.span = span


def rule_ids(file_names: Iterable[str]) -> dict[str, str]:
    """Return rule id → name as the file names say, without reading a file. Other files are left out."""
    found = (_FILE_NAME.search(name) for name in file_names)
    return {match["id"]: match["name"] for match in found if match is not None}


def load_rule(source: Source, *, validate: bool = False, documentation: bool = True) -> Rule:
    """Read one rule file. ``RuleError`` if it is not a rule file.

    ``validate`` checks everything that can be wrong with it; the rules that ship with efslint are checked by its
    tests instead, because start-up time matters. Without ``documentation`` the last three keys of the file
    (rationale, remediation, examples) are not read and left empty.
    """
    cut = None if documentation or validate else _DOCUMENTATION.search(source.text)
    root = _parse(source, cut.start() if cut else len(source.text))
    if validate:
        from efslint.rules.validate import complaint

        wrong = complaint(root, source.path)
        if wrong is not None:
            raise RuleError(wrong[0], wrong[1])
    value = plain(root)
    try:
        return _rule(value)  # type: ignore[arg-type]  # a file of another shape ends below
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RuleError(f"not a rule file: {error}", root.span) from error


def load_pack(sources: Sequence[Source], taken: Mapping[str, str]) -> tuple[Rule, ...]:
    """Read and validate the rules of somebody's pack. ``taken`` maps the ids in use to the files that have them."""
    files = dict(taken)
    rules = []
    for source in sources:
        rule = load_rule(source, validate=True)
        if rule.id in files:
            at = source.text.find(rule.id)
            raise RuleError(f"rule id {rule.id} is used by {files[rule.id]} too", Span(source, at, at + len(rule.id)))
        files[rule.id] = source.path
        rules.append(rule)
    return tuple(rules)


def _parse(source: Source, end: int) -> Node:
    try:
        root = parse_node(source, 0, end)
    except YamlSyntaxError as error:
        raise RuleError(error.message, Span(source, error.offset, error.offset)) from error
    if root is None:
        raise RuleError("not a rule file: there is nothing in it", Span(source, 0, 0))
    return root


def _rule(value: Mapping[str, Any]) -> Rule:
    return Rule(
        id=value["id"],
        name=value["name"],
        severity=_cases(value["severity"]),
        since=value["since"],
        target=value["target"],
        summary=value["summary"],
        message=_cases(value["message"]),
        help=_cases(value["help"]),
        rationale=value.get("rationale", ""),
        remediation=value.get("remediation", ""),
        references=tuple(Reference(page["title"], page["url"]) for page in value["references"]),
        when=value.get("when"),
        assertion=value.get("assert"),
        check=value.get("check"),
        params=value.get("params", {}),
        params_schema=value.get("params-schema"),
        at=tuple(value.get("at", ())),
        docs=_cases(value["docs"]) if "docs" in value else (),
        examples=tuple(_example(example) for example in value.get("examples", ())),
    )


def _cases(value: str | Sequence[Mapping[str, Any]]) -> tuple[Case, ...]:
    if isinstance(value, str):
        return (Case(None, value),)
    return tuple(Case(case.get("when"), case["then"]) for case in value)


def _example(value: Mapping[str, str]) -> Example:
    kind = next((kind for kind in EXAMPLE_KINDS if kind in value), "")
    return Example(kind, value[kind], value["manifest"])
