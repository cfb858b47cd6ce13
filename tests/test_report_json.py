"""The JSON report against the contract in its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from changing import replace
from jsonschema import Draft202012Validator
from report_samples import BROKEN, FINDINGS, HOSTILE, HOSTILE_TEXT, NONE, REPORTS

import efslint
from efslint.report.json_report import json_report
from efslint.report.model import Report

SCHEMA = json.loads((Path(efslint.__file__).parent / "schemas" / "report.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_report_keeps_the_contract(report: Report) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(json.loads(json_report(report)))


def _objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for item in schema for found in _objects(item)]
    if isinstance(schema, dict):
        own = [schema] if schema.get("type") == "object" else []
        return own + [found for item in schema.values() for found in _objects(item)]
    return []


def test_the_schema_is_closed_and_asks_for_every_property() -> None:
    for schema in _objects(SCHEMA):
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) == set(schema["properties"])


def test_findings_are_written_as_the_contract_says() -> None:
    assert json.loads(json_report(FINDINGS)) == {
        "version": 1,
        "tool": {"name": "efslint", "version": "0.1.0"},
        "summary": {
            "errors": 1,
            "warnings": 1,
            "notes": 0,
            "suppressed": 1,
            "baselined": 1,
            "files": 3,
            "documents": 4,
            "skipped": 1,
            "unresolved": 2,
        },
        "findings": [
            {
                "rule": "EFS201",
                "name": "database-on-efs",
                "severity": "error",
                "confidence": "certain",
                "message": "StatefulSet/ledger keeps PostgreSQL's data directory /data/pg on EFS",
                "help": "give the claim a class of block storage, such as one of ebs.csi.aws.com",
                "path": "apps/db.yaml",
                "line": 18,
                "column": 27,
                "end_line": 18,
                "end_column": 33,
                "object": {"apiVersion": "apps/v1", "kind": "StatefulSet", "namespace": "prod", "name": "ledger"},
                "objects": [
                    {"apiVersion": "apps/v1", "kind": "StatefulSet", "namespace": "prod", "name": "ledger"},
                    {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "namespace": None, "name": "shared"},
                ],
                "container": "postgres",
                "fingerprint": "3a7c",
                "evidence": [
                    {"path": "apps/db.yaml", "line": 10, "column": 18, "message": "container postgres runs PostgreSQL"},
                    {"path": "apps/db.yaml", "line": 11, "column": 39, "message": "which keeps its data in /data/pg"},
                    {"path": "apps/db.yaml", "line": 13, "column": 39, "message": "where volume data is mounted"},
                    {"path": "apps/db.yaml", "line": 18, "column": 27, "message": "its claim asks for class shared"},
                    {
                        "path": "storage/class.yaml",
                        "line": 5,
                        "column": 14,
                        "message": "whose provisioner is the EFS CSI driver",
                    },
                ],
            },
            {
                "rule": "EFS101",
                "name": "timeo-too-short",
                "severity": "warning",
                "confidence": "assumed",
                "message": "StorageClass/shared sets timeo=60, which is 6 seconds",
                "help": "timeo counts tenths of a second: write timeo=600",
                "path": "storage/class.yaml",
                "line": 7,
                "column": 5,
                "end_line": 7,
                "end_column": 13,
                "object": {
                    "apiVersion": "storage.k8s.io/v1",
                    "kind": "StorageClass",
                    "namespace": None,
                    "name": "shared",
                },
                "objects": [
                    {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "namespace": None, "name": "shared"}
                ],
                "container": None,
                "fingerprint": "91bd",
                "evidence": [
                    {"path": "storage/class.yaml", "line": 7, "column": 5, "message": "60 tenths of a second"}
                ],
            },
        ],
        "skipped": [{"path": "chart/templates/pv.yaml", "line": 1, "reason": "unrendered-template"}],
    }


def test_a_place_over_two_lines_ends_with_the_first() -> None:
    found = json.loads(json_report(BROKEN))["findings"][0]
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (3, 7, 3, 11)
    assert found["object"] is None


def test_values_are_those_of_the_input() -> None:
    found = json.loads(json_report(HOSTILE))["findings"][0]
    assert found["path"] == HOSTILE_TEXT.path
    assert found["message"] == HOSTILE.findings[0].message


def test_the_bytes_are_readable_and_end_with_a_line_end() -> None:
    text = json_report(replace(NONE, version="0.1.0+名"))
    assert text.startswith('{\n  "version": 1,\n  "tool": {\n')
    assert "名" in text
    assert text.endswith('"skipped": []\n}\n')
