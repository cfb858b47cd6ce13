"""GitLab's Code Quality report (gitlabhq/gitlabhq, ``doc/ci/testing/code_quality.md``).

Knows its few fields. The format has no place for a summary, so what was not looked at becomes an entry of its own.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from efslint.report.escape import json_text, visible
from efslint.report.model import Report, Skip
from efslint.report.summary import fingerprints, gaps, sentence
from efslint.rules.finding import Finding, Severity

# GitLab has five levels; "blocker" and "critical" are left to those who can judge what the data is worth.
_LEVELS = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def gitlab(report: Report) -> str:
    """Write the report as a JSON array."""
    entries = [_finding(finding, fingerprint) for finding, fingerprint in fingerprints(report.findings)]
    entries += [_skip(skip) for skip in report.skipped]
    if gaps(report):
        path = next((entry["location"]["path"] for entry in entries), ".")
        entries.append(_entry(sentence(report), "incomplete", _hash("incomplete"), "info", path, 1))
    return json_text(entries)


def _finding(finding: Finding, fingerprint: str) -> dict[str, Any]:
    words = f"{visible(finding.rule)} {visible(finding.name)}: {visible(finding.message)}"
    span = finding.span
    level = _LEVELS[finding.severity]
    return _entry(words, finding.rule, fingerprint, level, _path(span.source.path), span.first.line)


def _skip(skip: Skip) -> dict[str, Any]:
    words = f"not looked into: {visible(skip.reason)}"
    fingerprint = _hash("skipped", skip.path, str(skip.line), skip.reason)
    return _entry(words, "skipped", fingerprint, "info", _path(skip.path), skip.line)


def _entry(words: str, check: str, fingerprint: str, level: str, path: str, line: int) -> dict[str, Any]:
    return {
        "description": words,
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": level,
        "location": {"path": path, "lines": {"begin": line}},
    }


def _path(path: str) -> str:
    return visible(path.removeprefix("./"))


def _hash(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
