"""Facts about the text of the input: what could not be read, and keys that stand twice."""

from __future__ import annotations

from efslint.kube.manifests import Manifests, TextProblem
from efslint.kube.resources import Resource
from efslint.storage.fact import Fact, Origin, Step


def file_facts(manifests: Manifests) -> tuple[Fact, ...]:
    """Make one fact for every problem of a source."""
    return tuple(_fact(problem, _owner(manifests, problem)) for problem in manifests.problems)


def _owner(manifests: Manifests, problem: TextProblem) -> Resource | None:
    """Return the object that holds the problem, if it stands in one."""
    for resource in manifests.resources:
        if resource.node.start <= problem.span.start < resource.node.end:
            return resource
    return None


def _fact(problem: TextProblem, owner: Resource | None) -> Fact:
    value = {"problem": problem.kind, "detail": problem.detail}
    if problem.key:
        value["key"] = problem.key
    if problem.kind == "template":
        value["language"] = problem.detail
    steps = [Step(problem.span, problem.detail)]
    if problem.related is not None:
        steps.append(Step(problem.related, "first written here"))
    ref = None if owner is None else owner.ref
    return Fact("file", value, {"": Origin(problem.span)}, tuple(steps), ref, () if ref is None else (ref,))
