"""The fixtures under ``fixtures/cases``: manifests with a trick in them, and what a truthful linter says about each.

Every directory is linted as one run. Its ``expected.yaml`` holds the verdict, and why it is one:

``must``
    findings that have to appear. A rule (or several, any of which will do) and, where it matters, the kind and name of
    the object, container, severity, confidence, file, count; ``line`` is a text that the line of the finding holds,
    ``says`` are texts of the message, ``evidence`` texts of lines of the chain.
``must-not``
    findings that may not appear: a rule or the beginning of its id, or a mapping as above with ``at-or-above`` for the
    severity; ``words`` are words that no message may hold.
``nothing-at-or-above``
    a severity from which on every finding that ``must`` does not name is a false alarm.
``only``, ``may``
    no finding of severity warning or above but those of ``must`` and the rules of ``may``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from efslint.kube.identity import ObjectRef
from efslint.pipeline import lint_paths
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Confidence, Step
from efslint.text.source import Source, Span

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
VERDICTS = ("must", "must-not", "nothing-at-or-above", "only")
KEYS = {*VERDICTS, "may"}
PATTERN_KEYS = {
    *("rule", "kind", "name", "container", "severity", "confidence"),
    *("file", "line", "says", "evidence", "count"),
}
FORBIDDEN_KEYS = (PATTERN_KEYS - {"count"}) | {"at-or-above"}


def directories() -> list[Path]:
    return sorted(path for path in CASES.iterdir() if path.is_dir())


def expectation(directory: Path) -> dict[str, Any]:
    expected = YAML(typ="safe", pure=True).load((directory / "expected.yaml").read_text(encoding="utf-8"))
    assert isinstance(expected, dict), f"{directory.name}/expected.yaml is not a mapping"
    return expected


def manifests(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file() and path.name != "expected.yaml")


def texts(value: Any) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def line_of(finding: Finding) -> str:
    return finding.span.source.line_text(finding.span.first.line)


def evidence_of(finding: Finding) -> list[str]:
    return [step.span.source.line_text(step.span.first.line) for step in finding.evidence]


def fits(pattern: Mapping[str, Any], finding: Finding) -> bool:
    """Say whether a finding is one that the pattern speaks of; keys that are absent do not matter."""
    rules = texts(pattern.get("rule", ""))
    lines = evidence_of(finding)
    return all(
        (
            any(finding.rule.startswith(rule) for rule in rules),
            any(
                pattern.get("kind", ref.kind) == ref.kind and pattern.get("name", ref.name) == ref.name
                for ref in finding.objects
            )
            or not ("kind" in pattern or "name" in pattern),
            pattern.get("container", finding.container) == finding.container,
            pattern.get("severity", finding.severity) == finding.severity,
            pattern.get("confidence", finding.confidence) == finding.confidence,
            "at-or-above" not in pattern or finding.severity.rank <= Severity(pattern["at-or-above"]).rank,
            finding.span.source.path.endswith(pattern.get("file", "")),
            pattern.get("line", "") in line_of(finding),
            all(text in finding.message for text in texts(pattern.get("says", ()))),
            all(any(text in line for line in lines) for text in texts(pattern.get("evidence", ()))),
        )
    )


def shown(finding: Finding) -> str:
    """Write a finding down for a failing test: what, where, about whom, and the chain."""
    place = f"{Path(finding.span.source.path).name}:{finding.span.first.line}"
    objects = ", ".join(ref.label for ref in finding.objects) or "no object"
    head = f"{finding.rule} {finding.severity} ({finding.confidence}) {place} [{objects}] container={finding.container}"
    chain = "".join(f"\n        | {line.strip()}" for line in evidence_of(finding))
    return f"{head}\n      {finding.message}\n      > {line_of(finding).strip()}{chain}"


def complaints(expected: Mapping[str, Any], findings: Sequence[Finding]) -> Iterator[str]:
    """Compare a verdict with what was found; yield one sentence per disagreement."""
    must: Sequence[Mapping[str, Any]] = expected.get("must", ())
    named = [finding for finding in findings if any(fits(pattern, finding) for pattern in must)]
    for pattern in must:
        found = sum(fits(pattern, finding) for finding in findings)
        wanted = pattern.get("count")
        if not found or wanted not in (None, found):
            yield f"must: {dict(pattern)} was found {found} times"
    for entry in expected.get("must-not", ()):
        pattern = {"rule": entry} if isinstance(entry, str) else entry
        for word in pattern.get("words", ()):
            if any(re.search(rf"\b{re.escape(word)}\b", finding.message) for finding in findings):
                yield f"must-not: a message says {word!r}"
        if "words" not in pattern and any(fits(pattern, finding) for finding in findings):
            yield f"must-not: {pattern} was found"
    if threshold := expected.get("nothing-at-or-above"):
        for finding in findings:
            if finding not in named and finding.severity.rank <= Severity(threshold).rank:
                yield f"nothing-at-or-above {threshold}: {finding.rule} was found"
    if expected.get("only"):
        for finding in findings:
            tolerated = finding in named or finding.rule in expected.get("may", ())
            if not tolerated and finding.severity.rank <= Severity.WARNING.rank:
                yield f"only: {finding.rule} was found as well"


@pytest.mark.parametrize("directory", directories(), ids=lambda path: path.name)
def test_case(directory: Path) -> None:
    findings = lint_paths(manifests(directory)).findings
    wrong = list(complaints(expectation(directory), findings))
    assert not wrong, "\n".join((*wrong, "found:", *(f"  - {shown(finding)}" for finding in findings or ())))


@pytest.mark.parametrize("directory", directories(), ids=lambda path: path.name)
def test_verdict_is_well_formed_and_can_fail(directory: Path) -> None:
    expected = expectation(directory)
    assert manifests(directory), "a case needs manifests"
    assert set(expected) <= KEYS
    assert any(expected.get(verdict) for verdict in VERDICTS), "a case needs a verdict that can fail"
    for pattern in expected.get("must", ()):
        assert "rule" in pattern
        assert set(pattern) <= PATTERN_KEYS, pattern
        assert all(re.fullmatch(r"EFS\d{3}", rule) for rule in texts(pattern["rule"]))
    for entry in expected.get("must-not", ()):
        pattern = {"rule": entry} if isinstance(entry, str) else entry
        assert set(pattern) == {"words"} or ("rule" in pattern and set(pattern) <= FORBIDDEN_KEYS), pattern
        assert all(re.fullmatch(r"EFS\d{0,3}", rule) for rule in texts(pattern.get("rule", ())))
    assert expected.get("nothing-at-or-above", "note") in list(Severity)


def test_reason_is_given_first() -> None:
    texts_ = {path.name: (path / "expected.yaml").read_text(encoding="utf-8") for path in directories()}
    assert [name for name, text in texts_.items() if not text.startswith("# ")] == []


def test_cases_are_many_and_none_is_empty() -> None:
    assert len(directories()) >= 120


def sample(rule: str, severity: Severity = Severity.WARNING) -> Finding:
    """Make a finding about the second line of a text, to try the comparison on."""
    span = Span(Source("dir/a.yaml", "kind: Pod\nsoft\n"), 10, 14)
    ref = ObjectRef("v1", "Pod", None, "p")
    step = Step(span, "written here")
    words = ("a soft mount", "write hard", "https://example.com")
    return Finding(rule, "x", severity, Confidence.CERTAIN, *words, span, ref, (ref,), "c", (step,), "0")


@pytest.mark.parametrize(
    "expected",
    [
        {
            "must": [
                {"rule": "EFS103", "kind": "Pod", "name": "p", "line": "soft", "says": ["soft"], "evidence": ["soft"]}
            ]
        },
        {"must": [{"rule": ["EFS101", "EFS103"], "container": "c", "file": "a.yaml", "count": 1}], "only": True},
        {"must-not": ["EFS2", {"rule": "EFS1", "at-or-above": "error"}, {"words": ["sof", "EFS"]}]},
        {"nothing-at-or-above": "error", "only": True, "may": ["EFS103"]},
    ],
)
def test_comparison_accepts(expected: dict[str, Any]) -> None:
    assert list(complaints(expected, [sample("EFS103")])) == []


@pytest.mark.parametrize(
    "expected",
    [
        {"must": [{"rule": "EFS101"}]},
        {"must": [{"rule": "EFS103", "kind": "Pod", "name": "q"}]},
        {"must": [{"rule": "EFS103", "line": "hard"}]},
        {"must": [{"rule": "EFS103", "says": ["hard"]}]},
        {"must": [{"rule": "EFS103", "evidence": ["hard"]}]},
        {"must": [{"rule": "EFS103", "severity": "error"}]},
        {"must": [{"rule": "EFS103", "count": 2}]},
        {"must-not": ["EFS1"]},
        {"must-not": [{"rule": "EFS103", "kind": "Pod"}]},
        {"must-not": [{"words": ["soft"]}]},
        {"nothing-at-or-above": "warning"},
        {"only": True, "may": ["EFS101"]},
    ],
)
def test_comparison_complains(expected: dict[str, Any]) -> None:
    assert len(list(complaints(expected, [sample("EFS103")]))) == 1
