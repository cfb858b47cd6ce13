"""Facts about custom resources whose operator makes claims for an engine."""

from __future__ import annotations

from collections.abc import Iterator

from efslint.knowledge.operators import Operator, OperatorClaim, claims
from efslint.kube.resources import Resource
from efslint.storage.backing import Backing, End, Unresolved
from efslint.storage.claims import Claim, claim_end
from efslint.storage.context import Context
from efslint.storage.fact import Confidence, Fact, Origin, Step
from efslint.storage.use_facts import engine_statement, reference_fact, workload_value


def operator_facts(context: Context, resource: Resource, operator: Operator) -> Iterator[tuple[Fact, End]]:
    """Yield a fact, and the end that it speaks of, for every claim that a custom resource asks for."""
    for claim in claims(operator, resource.node):
        yield from _claim_facts(context, resource, operator, claim)


def _claim_facts(
    context: Context, resource: Resource, operator: Operator, claim: OperatorClaim
) -> Iterator[tuple[Fact, End]]:
    label = f"{resource.ref.label} {claim.route}"
    class_name = claim.class_name
    span = claim.node.span.one_line()
    spec = claim.node if claim.claim_spec else None
    end = claim_end(context, Claim(None, resource.ref.namespace, class_name, span, spec, label))
    engine = {**engine_statement(operator.engine), "role": claim.role}
    words = f"{resource.ref.label} keeps {operator.engine.product} files on this claim"
    first = Step(resource.name_span, words)
    if isinstance(end, Unresolved):
        decides = f"whether {operator.engine.product} files lie on EFS or NFS"
        yield reference_fact(end, decides, engine, (first,), resource, None), end
    elif end.kind != "other":
        yield _use(resource, end, engine, first), end


def _use(resource: Resource, end: Backing, engine: dict[str, object], first: Step) -> Fact:
    value = {"workload": workload_value(resource), "storage": end.value, "engine": engine}
    origins = {"": Origin(resource.name_span), **end.origins}
    confidence = Confidence.ASSUMED if end.assumed else Confidence.CERTAIN
    ref = resource.ref
    return Fact("use", value, origins, (first, *end.steps), ref, (ref,), None, confidence)
