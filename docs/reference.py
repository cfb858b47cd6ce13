"""Pages that are made from what efslint knows: rules, configuration, engines and the command line.

Knows how each of them is laid out in Markdown; the words are those of the rule files, the schemas and the parser.
Leaves it to ``assemble`` where the pages go.
"""

from __future__ import annotations

import argparse
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from efslint.builtin import built_in_rules
from efslint.cli_arguments import parser
from efslint.knowledge.engines import Engine, load_engines
from efslint.rules.example import bare
from efslint.rules.explain import markdown
from efslint.rules.rule import Rule

PACKAGE = Path(__file__).parents[1] / "efslint"
SERIES = {
    "0": "Reading the input",
    "1": "Mount options",
    "2": "Databases",
    "3": "Probes",
    "4": "Topology",
    "5": "Objects of the EFS CSI driver",
}
"""What the first digit of a rule's number stands for."""

STANCES = {
    "unsupported": "the vendor says that network file systems are not supported",
    "discouraged": "the vendor advises against them",
    "conditional": "the vendor allows them under conditions",
    "supported": "the vendor supports them",
    "none": "no vendor statement was found",
}

EXAMPLE_ENGINE = {
    "id": "ledger",
    "product": "Ledger",
    "category": "database",
    "stance": "unsupported",
    "statement": "the maintainers of Ledger say that it needs a local disk",
    "source": "docs/storage.md of our repository",
    "images": [{"match": "platform/ledger", "data": "/var/lib/ledger"}],
}
"""An engine of somebody's own, for the reference of the configuration."""

_TYPES = {"string": "text", "array": "list", "object": "mapping", "boolean": "true or false", "integer": "number"}


def generated() -> dict[str, str]:
    """Return all pages, and what they link to, by their path below the folder of pages."""
    rules = built_in_rules()
    return {
        "rules/index.md": rule_index(rules),
        **{rule_path(rule): rule_page(rule) for rule in rules},
        "reference/configuration.md": configuration(),
        "reference/config.json": (PACKAGE / "schemas" / "config.json").read_text(encoding="utf-8"),
        "reference/engines.md": engines(),
        "reference/command-line.md": command_line(),
    }


def rule_path(rule: Rule) -> str:
    return f"rules/{rule.id}.md"


def rule_page(rule: Rule) -> str:
    """Return what ``--explain`` says, and the rest of the examples: what the rule does not report, and why."""
    parts = [markdown(rule).rstrip()]
    firing = [each for each in rule.examples if each.kind == "firing"]
    silent = [each for each in rule.examples if each.kind != "firing"]
    if len(firing) > 1:
        parts.append("## More that is reported")
    for example in firing[1:]:
        parts += [f"*{example.title}*", fence(bare(example.manifest))]
    if silent:
        parts.append("## What is not reported")
    for example in silent:
        parts += [f"*{example.title}*", fence(bare(example.manifest))]
    parts += [
        "## Leaving it out",
        f"For one line, write a comment there or on the line above, `# efslint: ignore[{rule.id}] why`; for good, list "
        f"`{rule.id}` or `{rule.name}` under [`ignore`](../reference/configuration.md#ignore). "
        "[More about both](../guides/adopting.md).",
    ]
    return "\n\n".join(parts) + "\n"


def rule_index(rules: Iterable[Rule]) -> str:
    """Return the table of rules, by series."""
    parts = [
        "# Rules",
        "Each rule is one file; its page says why it is there, what to do, and what it was checked against. "
        "`efslint --explain ID` shows the same in a terminal. The severity is the usual one: some rules are stricter "
        "where a database is concerned, and [`severity`](../reference/configuration.md#severity) changes it.",
    ]
    for series, members in groupby(rules, key=lambda rule: SERIES.get(rule.id[3:4], "More rules")):
        lines = ["| rule | name | severity | what it reports |", "|---|---|---|---|"]
        lines += [
            f"| [{each.id}]({each.id}.md) | `{each.name}` | {each.default_severity} | {cell(each.summary)} |"
            for each in members
        ]
        parts += [f"## {series}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def configuration() -> str:
    """Return the reference of the configuration, from its JSON Schema."""
    schema = json.loads((PACKAGE / "schemas" / "config.json").read_text(encoding="utf-8"))
    parts = [
        "# Configuration",
        f"{schema['description']} An unknown key is an error. `efslint --show-config` prints every value that is in "
        "force and where it comes from.",
        "An editor checks and completes the file with its [JSON Schema](config.json), which the package carries as "
        "`efslint/schemas/config.json`. In editors with the YAML language server the file begins with "
        "`# yaml-language-server: $schema=` and the path or the address of the schema.",
    ]
    for key, value in schema["properties"].items():
        parts += list(_setting(key, value, schema["$defs"]))
        if key == "engines":
            parts += list(_engine_keys())
    return "\n\n".join(parts) + "\n"


def _setting(key: str, value: Mapping[str, Any], shared: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {key} {{ #{key} }}"
    facts = [f"**{value['title']}.**", value["description"]]
    yield " ".join(facts)
    words = f"Type: {type_of(value, shared)}."
    if "default" in value:
        words += f" Default: `{json.dumps(value['default'])}`.".replace('"', "")
    yield words
    for example in value.get("examples", ()):
        yield fence(as_yaml({key: example}))


def _engine_keys() -> Iterator[str]:
    """Yield what an entry under ``engines`` may hold, from the schema of the entries that ship with efslint."""
    schema = json.loads((PACKAGE / "schemas" / "engines.json").read_text(encoding="utf-8"))
    engine = schema["$defs"]["engine"]
    required = ", ".join(f"`{each}`" for each in engine["required"])
    image = engine["properties"]["images"]["items"]
    yield (
        f"An entry has the shape of those that ship with efslint, in `efslint/knowledge/engines.yaml`, and replaces "
        f"the one of the same `id`. Required: {required}; in each item of `images`, "
        f"{', '.join(f'`{each}`' for each in image['required'])}."
    )
    yield fence(as_yaml({"engines": [EXAMPLE_ENGINE]}))
    lines = ["| key | meaning |", "|---|---|"]
    for prefix, properties in (("", engine["properties"]), ("images[].", image["properties"])):
        for key, value in properties.items():
            words = [value.get("title", ""), type_of(value, schema["$defs"]) if "enum" in value else ""]
            lines.append(f"| `{prefix}{key}` | {cell(': '.join(filter(None, words)))} |")
    yield "\n".join(lines)


def type_of(value: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """Say in words which values a schema allows."""
    if "$ref" in value:
        return type_of(shared[value["$ref"].rpartition("/")[2]], shared)
    if "enum" in value:
        return "one of " + ", ".join(f"`{each}`" for each in value["enum"])
    if "anyOf" in value:
        return " or ".join(type_of(each, shared) for each in value["anyOf"])
    if isinstance(value["type"], list):
        return " or ".join(type_of({**value, "type": each}, shared) for each in value["type"])
    if value["type"] == "array":
        return f"list of {plural(type_of(value['items'], shared))}"
    if "properties" in value:
        return "mapping with " + " and ".join(f"`{each}`" for each in value["properties"])
    if value["type"] == "object" and isinstance(value.get("additionalProperties"), dict):
        return f"mapping of names, each to: {type_of(value['additionalProperties'], shared)}"
    return _TYPES.get(str(value["type"]), str(value["type"]))


def plural(word: str) -> str:
    return {"text": "texts", "mapping": "mappings"}.get(word, word)


def engines() -> str:
    """Return what is known of databases and other keepers of files: what their vendors say, and where."""
    known = load_engines()
    parts = [
        "# Databases and other engines",
        "What efslint takes for a database, or for an application with an embedded one, when it looks at the images, "
        "commands and variables of containers; and what the vendor says of NFS, in our words, with the place where it "
        "was read. Exporters, clients, operators and backup tools of the same products are not meant. Your own are "
        "added under [`engines`](configuration.md#engines).",
        "\n".join(f"- **{stance}**: {meaning}" for stance, meaning in STANCES.items()),
    ]
    headings = {"database": "Databases, brokers, stores", "embedded": "Applications with an embedded database"}
    for category, heading in headings.items():
        lines = ["| product | stance | what the vendor says | images |", "|---|---|---|---|"]
        members = sorted((each for each in known if each.category == category), key=lambda each: each.product.lower())
        lines += [f"| {cell(each.product)} | {each.stance} | {statement(each)} | {images(each)} |" for each in members]
        parts += [f"## {heading}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def statement(engine: Engine) -> str:
    """Return the statement with its source: a link where that is a page, else the repository's path as code."""
    if not engine.source:
        return "–"
    source = f"[source](<{engine.source}>)" if re.match("https?://", engine.source) else f"`{cell(engine.source)}`"
    return f"{cell(engine.statement)} ({source})"


def images(engine: Engine) -> str:
    names = dict.fromkeys("/".join(each.segments) for each in engine.images)
    return ", ".join(f"`{cell(name)}`" for name in names)


def command_line() -> str:
    """Return the reference of the command line, from the parser."""
    made = parser()
    parts = ["# Command line", fence("efslint [OPTIONS] [PATH ...]", "text"), str(made.description)]
    for title, actions in option_groups(made):
        parts.append(f"## {title[0].upper()}{title[1:]}")
        parts += [f"{names(action)}\n:   {option_text(action)}" for action in actions]
    for title, body in epilog(made):
        parts += [f"## {title[0].upper()}{title[1:]}", fence(body, "text")]
    return "\n\n".join(parts) + "\n"


def option_groups(made: argparse.ArgumentParser) -> Iterator[tuple[str, list[argparse.Action]]]:
    """Yield the titled groups of options that are not hidden."""
    for group in made._action_groups:
        actions = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        if actions and group.title:
            yield group.title, actions


def names(action: argparse.Action) -> str:
    """Return how an option is written, as code."""
    value = f" {placeholder(action)}" if placeholder(action) else ""
    return ", ".join(f"`{each}{value}`" for each in action.option_strings) or f"`{action.metavar}`"


def placeholder(action: argparse.Action) -> str:
    """Return what stands for the value of an option, or nothing where it takes none."""
    if action.nargs == 0:
        return ""
    return str(action.metavar) if action.metavar else "|".join(action.choices or (action.dest.upper(),))


def option_text(action: argparse.Action) -> str:
    return f"{sentence(str(action.help))}."


def epilog(made: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield the titled parts of what the help ends with."""
    for part in str(made.epilog).strip().split("\n\n"):
        title, _, body = part.partition(":\n")
        yield title, "\n".join(line.removeprefix("  ") for line in body.splitlines())


def fence(text: str, language: str = "yaml") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def sentence(text: str) -> str:
    """Begin with a capital, unless the first word is a name of its own such as ``timeo`` or ``nfsvers=3``."""
    first = text.split(maxsplit=1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() else text


def cell(text: str) -> str:
    """Keep a text within a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def as_yaml(value: Any) -> str:
    out = io.StringIO()
    writer = YAML(typ="safe", pure=True)
    writer.default_flow_style = False
    writer.width = 100
    writer.dump(value, out)
    return out.getvalue()
