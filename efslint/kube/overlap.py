"""When two pods of one workload run at the same time.

Knows replicas, update strategies and what kinds of workload do by themselves. What the pods share is left to others.
"""

from __future__ import annotations

from typing import NamedTuple

from efslint.kube.pods import PodTemplate, integer, scalar
from efslint.text.source import Span
from efslint.yaml.node import Mapping, Node, child, text


class Overlap(NamedTuple):
    """Why two pods of a workload run at once.

    ``cause`` is ``replicas``, ``rolling-update``, ``every-node`` or ``parallelism``. ``pods`` is how many there are,
    ``None`` where that is no fixed number. ``span`` is what says so, or the workload's name where nothing is written.
    """

    cause: str
    pods: int | None
    span: Span


def overlap(template: PodTemplate) -> Overlap | None:
    """Say why two pods of a workload run at once; ``None`` where they do not, or where that is not known.

    An absent number of replicas is one; an autoscaler is not looked for.
    """
    resource = template.resource
    kind, spec = resource.ref.kind, child(resource.node, "spec")
    if kind == "DaemonSet":
        return None if _picks_nodes(template.spec) else Overlap("every-node", None, resource.name_span)
    if kind in ("Job", "CronJob"):
        return _parallel(template)
    replicas = 1 if template.replicas is None else template.replicas
    if replicas > 1:
        written = scalar(spec, "replicas")
        return Overlap("replicas", replicas, resource.name_span if written is None else written.span)
    surges = _SURGES.get((resource.group, kind))
    if replicas == 1 and surges is not None and surges(spec):
        strategy = child(spec, "strategy")
        written = scalar(strategy, "type")
        key = spec.key("strategy") if type(spec) is Mapping else None
        place = resource.name_span if key is None else key.span
        return Overlap("rolling-update", None, place if written is None else written.span)
    return None


def _picks_nodes(pod: Mapping) -> bool:
    """Say whether a pod asks for certain nodes, which may be a single one."""
    chosen = (("nodeSelector",), ("nodeName",), ("affinity", "nodeAffinity"))
    return any(child(pod, *route) is not None for route in chosen)


def _parallel(template: PodTemplate) -> Overlap | None:
    """Judge a job: ``completions`` limits how many of its pods run at once.

    https://kubernetes.io/docs/concepts/workloads/controllers/job/#controlling-parallelism
    """
    node = template.resource.node
    spec = (
        child(node, "spec", "jobTemplate", "spec") if template.resource.ref.kind == "CronJob" else child(node, "spec")
    )
    parallelism, completions = integer(spec, "parallelism"), integer(spec, "completions")
    written = scalar(spec, "parallelism")
    if parallelism is None or written is None or parallelism < 2 or (completions is not None and completions < 2):
        return None
    pods = parallelism if completions is None else min(parallelism, completions)
    return Overlap("parallelism", pods, written.span)


def _deployment_surges(spec: Node | None) -> bool:
    """A rolling update is the default, and the default ``maxSurge`` of 25 % of one pod is rounded up to one pod.

    kubernetes/kubernetes ``pkg/apis/apps/v1/defaults.go``
    """
    strategy = child(spec, "strategy")
    rolling = text(strategy, "type") in (None, "RollingUpdate")
    return rolling and not _is_zero(text(strategy, "rollingUpdate", "maxSurge"))


def _deployment_config_surges(spec: Node | None) -> bool:
    """Rolling is the default here too; of the two limits, one that is written changes the default of the other.

    openshift/openshift-apiserver ``pkg/apps/apis/apps/v1/defaults.go``
    """
    strategy = child(spec, "strategy")
    limits = child(strategy, "rollingParams")
    surge = text(limits, "maxSurge")
    known = surge is not None or text(limits, "maxUnavailable") is None
    return text(strategy, "type") in (None, "Rolling") and known and not _is_zero(surge)


def _rollout_surges(spec: Node | None) -> bool:
    """Blue and green run side by side; a canary runs beside the stable pod unless ``maxSurge`` is 0.

    https://argo-rollouts.readthedocs.io/en/stable/features/specification/
    """
    strategy = child(spec, "strategy")
    if child(strategy, "blueGreen") is not None:
        return True
    return child(strategy, "canary") is not None and not _is_zero(text(strategy, "canary", "maxSurge"))


def _is_zero(limit: str | None) -> bool:
    return limit in ("0", "0%")


_SURGES = {
    ("apps", "Deployment"): _deployment_surges,
    ("extensions", "Deployment"): _deployment_surges,
    ("apps.openshift.io", "DeploymentConfig"): _deployment_config_surges,
    ("argoproj.io", "Rollout"): _rollout_surges,
}
