"""Probes that give up sooner than storage over the network can be expected to answer.

Knows how long a probe waits and when its failures restart a container; leaves what the probe runs to people,
since a manifest does not show which files a command or a request touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from efslint.rules.predicates.problem import Problem
from efslint.storage.fact import Fact


def probe_patience(fact: Fact, params: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield one problem for a probe that waits, or holds out, for less than its parameters ask.

    ``efs_latency_seconds`` is the least timeout of one attempt, ``stall_seconds`` the least time from the first
    failure to the restart. A timeout that is too short is reported alone: raising it comes first.
    """
    probe = fact.value
    names = {"efs": "EFS", "nfs": "NFS"}
    values = {
        "file_system": names.get(probe["storage"]["kind"], "network storage"),
        "efs_latency_seconds": params["efs_latency_seconds"],
        "stall_seconds": params["stall_seconds"],
    }
    if probe["timeout_seconds"] < params["efs_latency_seconds"]:
        yield Problem("/timeout_seconds", {**values, "reason": "timeout"})
    elif probe["seconds_to_restart"] < params["stall_seconds"]:
        yield Problem("/failure_threshold", {**values, "reason": "restart"})
