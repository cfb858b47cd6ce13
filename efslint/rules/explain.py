"""A rule in words, for ``--explain``, for the help in SARIF and for the documentation.

Knows the order of the parts and two ways to write them; the words are the rule file's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from efslint.rules.example import bare
from efslint.rules.rule import Reference, Rule


class _Part(NamedTuple):
    """A piece of the page. ``pages`` are the references of a list of them."""

    kind: Literal["title", "heading", "prose", "code", "references"]
    text: str
    pages: tuple[Reference, ...] = ()


def markdown(rule: Rule) -> str:
    """Return the rule as a page of Markdown."""
    return "\n\n".join(_as_markdown(part) for part in _parts(rule)) + "\n"


def plain_text(rule: Rule) -> str:
    """Return the rule as text for a terminal: the same words."""
    return "\n\n".join(_as_text(part) for part in _parts(rule)) + "\n"


def _as_markdown(part: _Part) -> str:
    match part.kind:
        case "title":
            return f"# {part.text}"
        case "heading":
            return f"## {part.text}"
        case "code":
            return f"```yaml\n{part.text}\n```"
        case "references":
            return "\n".join(f"- [{page.title}]({page.url})" for page in part.pages)
        case _:
            return part.text


def _as_text(part: _Part) -> str:
    match part.kind:
        case "heading":
            return f"{part.text}:"
        case "code":
            return "\n".join(f"    {line}".rstrip() for line in part.text.splitlines())
        case "references":
            return "\n".join(f"- {page.title}\n  {page.url}" for page in part.pages)
        case _:
            return part.text


def _parts(rule: Rule) -> Iterator[_Part]:
    yield _Part("title", f"{rule.id} {rule.name}")
    yield _Part("prose", f"{rule.summary}.")
    yield _Part("prose", f"Severity: {_severities(rule)}. Since version {rule.since}.")
    for heading, prose in (("Why", rule.rationale), ("What to do", rule.remediation), ("Parameters", _params(rule))):
        if prose:
            yield _Part("heading", heading)
            yield _Part("prose", prose.strip())
    for example in rule.examples:
        if example.kind == "firing":
            yield _Part("heading", f"Example: {example.title}")
            yield _Part("code", bare(example.manifest).rstrip())
            break
    if rule.references:
        yield _Part("heading", "References")
        yield _Part("references", "", rule.references)


def _severities(rule: Rule) -> str:
    """Name the default first, then what it may become."""
    others = dict.fromkeys(case.then for case in rule.severity[:-1] if case.then != rule.default_severity)
    return f"{rule.default_severity}" + (f", in some cases {' or '.join(others)}" if others else "")


def _params(rule: Rule) -> str:
    return "\n".join(f"- `{name}`: {value} unless configured" for name, value in rule.params.items())
