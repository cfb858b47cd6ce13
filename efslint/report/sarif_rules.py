"""What a SARIF log says about a rule. The words are those of ``--explain``."""

from __future__ import annotations

from typing import Any

from efslint.report.escape import limited
from efslint.rules.finding import Severity
from efslint.rules.rule import Rule

_MOST_DESCRIPTION = 1000  # GitHub and GitLab take 1,024
_MOST_NAME = 255
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}

# By the hundred of the id. Never a CWE: GitLab files a rule tagged CWE-319 and the like under secret detection.
_GROUPS = {
    "EFS0": "input",
    "EFS1": "mount-options",
    "EFS2": "databases",
    "EFS3": "probes",
    "EFS4": "topology",
    "EFS5": "efs-csi",
}


def descriptor(rule: Rule) -> dict[str, Any]:
    """Describe one rule."""
    from efslint.rules.explain import markdown, plain_text

    described: dict[str, Any] = {
        "id": rule.id,
        "name": limited(rule.name, _MOST_NAME),
        "shortDescription": {"text": limited(_sentence(rule.summary), _MOST_DESCRIPTION)},
        "fullDescription": {"text": limited(_paragraph(rule.rationale or rule.summary), _MOST_DESCRIPTION)},
        "help": {"text": plain_text(rule), "markdown": markdown(rule)},
    }
    if rule.references:
        described["helpUri"] = rule.references[0].url
    described["defaultConfiguration"] = {"level": rule.default_severity.value}
    group = _GROUPS.get(rule.id[:4])
    described["properties"] = {
        "tags": ["kubernetes", "storage", "nfs", *([group] if group else [])],
        "precision": "high",
        "problem.severity": _PROBLEM[rule.default_severity],
    }
    return described


def _sentence(words: str) -> str:
    words = " ".join(words.split()).rstrip(".")
    return words[:1].upper() + words[1:] + "."


def _paragraph(words: str) -> str:
    return _sentence(words.strip().split("\n\n")[0])
