"""Facts about custom resources whose operator makes claims for an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from efslint.knowledge.engines import Engine
from efslint.knowledge.operators import Operator, OperatorClaim, claims
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.claims import Claim, claim_end
from efslint.storage.context import Context
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.use_facts import engine_statement, reference_fact, workload_value


def operator_facts(
    context: Context, resource: Resource, operator: Operator, engines: Mapping[str, Engine]
) -> Iterator[tuple[Fact | None, End]]:
    """Yield an end, and the fact that speaks of it, for every claim that a custom resource asks for."""
    for found in claims(operator, resource.node):
        yield _claim_fact(context, resource, found, engines[found.engine])


def _claim_fact(
    context: Context, resource: Resource, found: OperatorClaim, engine: Engine
) -> tuple[Fact | None, End]:
    named = found.storage_class if found.storage_class is not None and found.storage_class.value is not None else None
    claim = Claim(
        None,
        resource.ref.namespace,
        named,
        found.node.span.one_line(),
        found.node if found.claim_spec else None,
        f"{resource.ref.label} ({found.route})",
        found.claim_name,
    )
    end = claim_end(context, claim)
    value = {**engine_statement(engine), "role": found.role}
    first = Step(resource.name_span, f"{resource.ref.label} keeps {engine.product} files on volumes that its operator claims")
    if isinstance(end, Unresolved):
        decides = f"whether {engine.product} files lie on EFS or NFS"
        return reference_fact(end, decides, value, (first,), resource, None), end
    return (None if end.kind == "other" else _use(resource, end, value, first)), end


def _use(resource: Resource, end: Backing, engine: dict[str, Any], first: Step) -> Fact:
    value = {"workload": workload_value(resource), "storage": end.value, "engine": engine}
    origins = {"": Origin(resource.name_span), **end.origins}
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = resource.ref
    return Fact("use", value, origins, (first, *end.steps), ref, (ref,), None, confidence)
