"""What a rule file may say: the part of JSON Schema it is written in, and which paths exist.

Knows the hazards of writing conditions over facts in which the unknown is absent, and refuses them. Each
complaint has the path of the key or value at fault; turning that into a line is left to ``load``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from efslint.rules.regex import RegexError, compiled
from efslint.rules.rule import Schema
from efslint.rules.wording import PLACEHOLDER, placeholders

Path = tuple[str | int, ...]

PROBLEM = "problem"
"""Under this name conditions and words see what a predicate found; its parts are the predicate's own."""


_KINDS = {"string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float)}


class Complaint(NamedTuple):
    """Something a rule file must not say: a path into the file, and what is wrong there."""

    path: Path
    message: str


class Facts(NamedTuple):
    """``schemas/fact.json`` seen from one target; ``free`` if anything may stand under ``problem``."""

    definitions: Schema
    target: str
    free: bool

    @property
    def root(self) -> Schema | None:
        """The schema of the whole fact."""
        root: Schema = self.definitions[self.target]
        return root

    def below(self, schema: Schema | None, step: str) -> Schema | None:
        """Return the schema of a property (or, for a number, an item); ``None`` where anything may stand."""
        if schema is None or (self.free and step == PROBLEM and schema is self.root):
            return None
        inner = schema["items"] if step.isdigit() and "items" in schema else schema.get("properties", {})[step]
        return self.resolved(inner)

    def resolved(self, schema: Schema) -> Schema:
        """Follow a reference to a definition."""
        reference = schema.get("$ref")
        if reference is None:
            return schema
        definition: Schema = self.definitions[reference.rpartition("/")[2]]
        return self.resolved(definition)


def condition(schema: Schema, facts: Facts, path: Path, given: Sequence[Schema] = ()) -> Iterator[Complaint]:
    """Check a schema that selects facts, of which ``given`` holds already.

    Every property it mentions must be required, or a fact in which it is unknown would be selected. The same goes
    for what stands inside ``not`` and ``contains``.
    """
    return _walk(schema, facts.root, facts, path, tuple(_flat(given)), selecting=True)


def assertion(schema: Schema, facts: Facts, path: Path) -> Iterator[Complaint]:
    """Check a schema that must hold; about a property that is unknown it may be silent."""
    return _walk(schema, facts.root, facts, path, (), selecting=False)


def _walk(
    schema: Schema, fact: Schema | None, facts: Facts, path: Path, given: tuple[Schema, ...], selecting: bool
) -> Iterator[Complaint]:
    yield from _values(schema, fact, path)
    yield from _own_pattern(schema, path)
    for index, name in enumerate(schema.get("required", ())):
        yield from _known(name, fact, facts, (*path, "required", index))
    for name, inner in schema.get("properties", {}).items():
        here = (*path, "properties", name)
        unknown = tuple(_known(name, fact, facts, here))
        yield from unknown
        if unknown:
            continue
        if selecting and inner != {"not": {}} and not _required(name, (schema, fact or {}, *given)):
            yield Complaint(here, f"a condition mentions {name!r} without requiring it, so an unknown one would match")
        yield from _walk(inner, facts.below(fact, name), facts, here, _below(given, name), selecting)
    for keyword, is_selecting in (("items", selecting), ("contains", True)):
        if keyword in schema:
            yield from _walk(schema[keyword], _item(fact, facts), facts, (*path, keyword), (), is_selecting)
    if "not" in schema:
        yield from _walk(schema["not"], fact, facts, (*path, "not"), given, True)
    for keyword in ("allOf", "anyOf"):
        for index, inner in enumerate(schema.get(keyword, ())):
            yield from _walk(inner, fact, facts, (*path, keyword, index), given, selecting)


def _required(name: str, schemas: Sequence[Schema]) -> bool:
    return any(name in schema.get("required", ()) for schema in schemas)


def _below(schemas: Sequence[Schema], name: str) -> tuple[Schema, ...]:
    return tuple(_flat(schema["properties"][name] for schema in schemas if name in schema.get("properties", {})))


def _known(name: str, fact: Schema | None, facts: Facts, path: Path) -> Iterator[Complaint]:
    try:
        facts.below(fact, name)
    except KeyError:
        yield Complaint(path, _no_such(name, fact, facts))


def _no_such(name: str, fact: Schema | None, facts: Facts) -> str:
    close = get_close_matches(name, (fact or {}).get("properties", ()), n=1)
    return f"a {facts.target} fact has no {name!r} here" + (f"; did you mean {close[0]!r}?" if close else "")


def _item(fact: Schema | None, facts: Facts) -> Schema | None:
    return facts.resolved(fact["items"]) if fact is not None and "items" in fact else None


def _values(schema: Schema, fact: Schema | None, path: Path) -> Iterator[Complaint]:
    """A value that a fact can never have makes a rule that never fires, or one that always does."""
    written: list[tuple[Path, object]] = [(("const",), schema["const"])] if "const" in schema else []
    written += [(("enum", index), value) for index, value in enumerate(schema.get("enum", ()))]
    allowed, kinds = (fact or {}).get("enum"), _KINDS.get((fact or {}).get("type", ""))
    for keyword, value in written:
        if allowed is not None and value not in allowed:
            yield Complaint((*path, *keyword), f"this is never {value!r}; it is one of {', '.join(map(str, allowed))}")
        elif kinds is not None and type(value) not in kinds:
            yield Complaint((*path, *keyword), f"this is never {value!r}; it is of the type {(fact or {})['type']}")


def patterns(schema: Schema, path: Path) -> Iterator[Complaint]:
    """Complain about the regular expressions in a schema that is not about a fact."""
    yield from _own_pattern(schema, path)
    for name, inner in schema.get("properties", {}).items():
        yield from patterns(inner, (*path, "properties", name))
    for keyword in ("items", "contains", "not"):
        if keyword in schema:
            yield from patterns(schema[keyword], (*path, keyword))
    for keyword in ("allOf", "anyOf"):
        for index, inner in enumerate(schema.get(keyword, ())):
            yield from patterns(inner, (*path, keyword, index))


def _own_pattern(schema: Schema, path: Path) -> Iterator[Complaint]:
    try:
        compiled(schema.get("pattern", ""))
    except RegexError as error:
        yield Complaint((*path, "pattern"), str(error))


def pointer(text: str, facts: Facts, path: Path) -> Iterator[Complaint]:
    """Check that a JSON pointer leads somewhere in the fact."""
    schema = facts.root
    for step in text.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        complaints = tuple(_known(name, schema, facts, path))
        yield from complaints
        if complaints:
            return
        schema = facts.below(schema, name)


def template(text: str, given: Sequence[Schema], facts: Facts, path: Path) -> Iterator[Complaint]:
    """Check that every placeholder of a text exists, and is there whenever ``given`` holds."""
    if any(brace in PLACEHOLDER.sub("", text) for brace in "{}"):
        yield Complaint(path, "a brace that is not part of a placeholder such as {carrier.name}")
    for steps in placeholders(text):
        yield from _placeholder(steps, tuple(_flat(given)), facts, path)


def _placeholder(steps: Sequence[str], given: tuple[Schema, ...], facts: Facts, path: Path) -> Iterator[Complaint]:
    fact: Schema | None = facts.root
    for step in steps:
        unknown = tuple(_known(step, fact, facts, path))
        if unknown:
            yield from unknown
            return
        inner = facts.below(fact, step)
        if fact is None or inner is None:
            return  # a predicate's own value
        if not _required(step, (fact, *given)):
            yield Complaint(path, f"{{{'.'.join(steps)}}} may be unknown here; require {step!r} in a condition")
            return
        fact, given = inner, _below(given, step)


def _flat(schemas: Iterable[Schema]) -> Iterator[Schema]:
    """Yield schemas and what they have to hold as well."""
    for schema in schemas:
        yield schema
        yield from _flat(schema.get("allOf", ()))
