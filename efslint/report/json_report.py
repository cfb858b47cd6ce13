"""The report for programs: version 1 of the JSON contract, described by ``schemas/report.json``.

Knows the contract's names; values are given as they are, nothing is escaped but what JSON needs.
"""

from __future__ import annotations

from typing import Any

from efslint.kube.identity import ObjectRef
from efslint.report.escape import json_text
from efslint.report.model import Report
from efslint.report.summary import counts
from efslint.rules.finding import Finding

VERSION = 1


def json_report(report: Report) -> str:
    """Write the report as one JSON object."""
    return json_text(
        {
            "version": VERSION,
            "tool": {"name": "efslint", "version": report.version},
            "summary": counts(report),
            "findings": [_finding(finding) for finding in report.findings],
            "skipped": [{"path": skip.path, "line": skip.line, "reason": skip.reason} for skip in report.skipped],
        }
    )


def _finding(finding: Finding) -> dict[str, Any]:
    span = finding.span.one_line()
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "message": finding.message,
        "help": finding.help,
        "path": span.source.path,
        "line": span.first.line,
        "column": span.first.column,
        "end_line": span.last.line,
        "end_column": span.last.column,
        "object": _object(finding.object) if finding.object else None,
        "objects": [_object(ref) for ref in finding.objects],
        "container": finding.container,
        "fingerprint": finding.fingerprint,
        "evidence": [
            {
                "path": step.span.source.path,
                "line": step.span.first.line,
                "column": step.span.first.column,
                "message": step.message,
            }
            for step in finding.evidence
        ],
    }


def _object(ref: ObjectRef) -> dict[str, str | None]:
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
