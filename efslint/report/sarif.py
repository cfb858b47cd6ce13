"""SARIF 2.1.0, as plain dicts, in the shape that GitHub and GitLab take.

Knows the format and the platforms' limits; what is said of the rules is in ``sarif_rules``. Sources: the OASIS
standard; github/docs, "SARIF support for code scanning"; gitlabhq/gitlabhq,
``doc/user/application_security/detect/sarif.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from efslint.report.escape import json_text, limited, visible
from efslint.report.model import Report
from efslint.report.sarif_rules import descriptor
from efslint.report.summary import amount, counts, few_steps, fingerprints, same_place, steps, worst_first
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Step
from efslint.text.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_MOST_RESULTS = 5000  # both platforms show no more, and which ones they keep is up to them
_MOST_PLACES = 100  # GitHub keeps no more locations of a result
_MOST_LINKS = 8
_MOST_TEXT = 2000  # GitLab drops a result whose message is longer than 2,048
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
_BRACKET = re.compile(r"[\[\]\\]")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/")


def sarif(report: Report, *, category: str = "", suppressed: bool = False) -> str:
    """Write a log with one run.

    ``category`` tells apart the uploads of several jobs. ``suppressed`` adds the suppressed results, which GitHub
    would show as open alerts.
    """
    indexes = {rule.id: index for index, rule in enumerate(report.rules)}
    hidden = {id(item.finding): item.justification for item in report.suppressed} if suppressed else {}
    every = [*report.findings, *(item.finding for item in report.suppressed if suppressed)]
    kept = {id(finding) for finding in worst_first(every)[:_MOST_RESULTS]}
    results = []
    for finding, fingerprint in fingerprints(every):
        if id(finding) in kept:
            result = _result(finding, indexes, fingerprint)
            if suppressed:  # the standard wants the property on all results of a run or on none
                result["suppressions"] = _suppressions(hidden.get(id(finding)))
            results.append(result)
    run: dict[str, Any] = {"tool": {"driver": _driver(report)}}
    if category:
        run["automationDetails"] = {"id": category.rstrip("/") + "/"}
    run["invocations"] = [_invocation(report, len(every) - len(results))]
    run |= {"columnKind": "unicodeCodePoints", "results": results, "properties": {"summary": counts(report)}}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def uri(path: str) -> str:
    """Turn a path into a URI reference: relative ones stay so, without ``./``; absolute ones get a scheme."""
    address = quote(path.removeprefix("./"), safe="/", errors="surrogateescape")
    if not _ABSOLUTE.match(path):
        return address
    return "file:///" + quote(path.lstrip("/"), safe="/:", errors="surrogateescape")


def _driver(report: Report) -> dict[str, Any]:
    return {
        "name": "efslint",
        "semanticVersion": report.version,
        "rules": [descriptor(rule) for rule in report.rules],
    }


def _result(finding: Finding, indexes: dict[str, int], fingerprint: str) -> dict[str, Any]:
    location: dict[str, Any] = _location(finding.span)
    if finding.object is not None:
        ref = finding.object
        route = "/".join(visible(part) for part in (ref.namespace, ref.kind, ref.name) if part)
        location["logicalLocations"] = [
            {"name": visible(ref.name), "fullyQualifiedName": limited(route, 1000), "kind": "resource"}
        ]
    related = [step for step in few_steps(finding, _MOST_PLACES) if not same_place(step.span, finding.span)]
    result: dict[str, Any] = {"ruleId": finding.rule}
    if finding.rule in indexes:
        result["ruleIndex"] = indexes[finding.rule]
    result |= {
        "level": finding.severity.value,
        "message": {"text": _message(finding, related)},
        "locations": [location],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
    }
    if related:
        result["relatedLocations"] = [{"id": number, **_step(step)} for number, step in enumerate(related, start=1)]
        chain = [{"location": _step(step, finding)} for step in few_steps(finding, _MOST_PLACES)]
        result["codeFlows"] = [{"threadFlows": [{"locations": chain}]}]
    result["properties"] = {"confidence": finding.confidence.value}
    if finding.container is not None:
        result["properties"]["container"] = visible(finding.container)
    return result


def _message(finding: Finding, related: list[Step]) -> str:
    """Say what is wrong, what to do, and link the evidence, within what the platforms take."""
    text = limited(
        _plain(finding.message) + (f" Help: {_plain(finding.help)}" if finding.help else ""), _MOST_TEXT // 2
    )
    links: list[str] = []
    room = _MOST_TEXT - len(text) - 40
    for number, step in enumerate(related[:_MOST_LINKS], start=1):
        link = f"[{_BRACKET.sub(_backslashed, limited(_label(step), 150))}]({number})"
        room -= len(link) + 2
        if room < 0:
            break
        links.append(link)
    if not links:
        return text
    rest = len(steps(finding)) - 1 - len(links)
    more = f" and {amount(rest, 'more place')}" if rest else ""
    return f"{text} Evidence: {', '.join(links)}{more}."


def _plain(words: str) -> str:
    """Make a sentence of a message, in which nothing from the input can pass for a link."""
    return _LINK.sub(r"\\[", limited(visible(words), _MOST_TEXT)).rstrip(".") + "."


def _backslashed(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def _label(step: Step) -> str:
    return visible(step.message) or f"{visible(step.span.source.path)}:{step.span.first.line}"


def _step(step: Step, finding: Finding | None = None) -> dict[str, Any]:
    words = _label(step) if step.message or finding is None else visible(finding.message)
    return {**_location(step.span), "message": {"text": _plain(words)}}


def _location(span: Span) -> dict[str, Any]:
    span = span.one_line()
    region = {
        "startLine": span.first.line,
        "startColumn": span.first.column,
        "endLine": span.last.line,
        "endColumn": span.last.column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": uri(span.source.path)}, "region": region}}


def _suppressions(justification: str | None) -> list[dict[str, str]]:
    if justification is None:
        return []
    said = {"justification": limited(visible(justification), _MOST_TEXT)} if justification else {}
    return [{"kind": "inSource", "status": "accepted", **said}]


def _invocation(report: Report, left_out: int) -> dict[str, Any]:
    """Say that the run came to its end, and what it could not look at."""
    return {"executionSuccessful": True, "toolExecutionNotifications": list(_notifications(report, left_out))}


def _notifications(report: Report, left_out: int) -> Iterator[dict[str, Any]]:
    for skip in report.skipped:
        place = {"artifactLocation": {"uri": uri(skip.path)}, "region": {"startLine": skip.line}}
        yield {
            **_notification("skipped", Severity.WARNING, f"not looked into: {visible(skip.reason)}."),
            "locations": [{"physicalLocation": place}],
        }
    if report.unresolved:
        said = f"{amount(report.unresolved, 'reference')} could not be resolved."
        yield _notification("unresolved", Severity.NOTE, said)
    if not report.objects:
        yield _notification("no-objects", Severity.WARNING, "no Kubernetes object found.")
    if left_out:
        said = f"{amount(left_out, 'result')} left out: the {_MOST_RESULTS} worst are listed."
        yield _notification("too-many-results", Severity.WARNING, said)


def _notification(name: str, level: Severity, words: str) -> dict[str, Any]:
    return {
        "level": level.value,
        "message": {"text": words[0].upper() + words[1:]},
        "descriptor": {"id": name},
    }
