"""Which documents are worth parsing.

Most manifests have nothing to do with storage. A look at their text tells, at a fraction of the cost of a parse.
A wrong yes costs time, a wrong no costs a finding: in doubt the answer is yes.
"""

from __future__ import annotations

import re
from functools import cache

# Kinds that never mount, claim or describe a volume. A CustomResourceDefinition has fields of those names and no
# volume.
_NEVER = frozenset(
    "APIService Binding CertificateSigningRequest ClusterRole ClusterRoleBinding ControllerRevision CSIDriver "
    "CSINode CustomResourceDefinition Endpoints EndpointSlice Event Eviction FlowSchema HelmRelease "
    "HorizontalPodAutoscaler Ingress IngressClass Lease LimitRange MutatingWebhookConfiguration Namespace "
    "NetworkPolicy Node PodDisruptionBudget PodMonitor PodSecurityPolicy PriorityClass PriorityLevelConfiguration "
    "PrometheusRule ResourceQuota Role RoleBinding RuntimeClass Secret ServiceAccount ServiceMonitor "
    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VirtualService "
    "VolumeAttachment".split()
)
# Kinds of which the words below are certain to stand in every document that concerns us.
_BUILT_IN = frozenset(
    "Pod PodTemplate Deployment StatefulSet DaemonSet ReplicaSet ReplicationController Job CronJob Service".split()
)
_ALWAYS = frozenset(("PersistentVolume", "PersistentVolumeClaim", "StorageClass"))
# Kinds whose operators make claims although nothing in the resource speaks of storage, or in words of its own.
_CLAIMING = frozenset(
    "CrdbCluster Elasticsearch InnoDBCluster Kubegres MongoDBCommunity OpenSearchCluster RabbitmqCluster "
    "ZookeeperCluster".split()
)

# What the pattern for them begins with: to look for words first takes an eighth of the time of the pattern alone.
_STORAGE = ("olumeClaim", "torageClass", "ersistentVolume", "mountOptions", "nfs", "csi", "rovisioner", "PROVISIONER")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    kind = re.compile(r"^kind:[ \t]*[\"']?([A-Za-z]+)", re.MULTILINE)
    words = re.compile(
        r"[vV]olumeClaim|torageClass|ersistentVolume|mountOptions|\bnfs\b|\bcsi\b|rovisioner|PROVISIONER"
    )
    custom = re.compile(r"[sS]torage|[vV]olume|[pP]ersist|rovisioner|PROVISIONER|\.efs\.")
    variables = re.compile(r"^[ \t]+[\"']?[A-Z][A-Z0-9_]*[\"']?:|[{,][ \t]*[\"']?[A-Z][A-Z0-9_]+[\"']?:", re.MULTILINE)
    return kind, words, custom, variables


def kind_at_top(text: str) -> str | None:
    """Return the ``kind`` that stands at column 0, which in block style can only be the document's own."""
    found = _patterns()[0].search(text)
    return None if found is None else found[1]


def is_relevant(text: str) -> bool:
    """Say whether a document's text may concern storage."""
    _, words, custom, variables = _patterns()
    kind = kind_at_top(text)
    if kind is None:
        # JSON, flow style, or a list of objects: any kind may be inside.
        return "kind" in text and (custom.search(text) is not None or any(each in text for each in _CLAIMING))
    if text.count("\nkind:") + text.startswith("kind:") > 1:
        # The line between two objects is missing; which of them counts is for a parse to tell.
        return True
    if kind in _NEVER:
        return False
    if kind in _ALWAYS or kind in _CLAIMING:
        return True
    if kind == "ConfigMap":
        # It may hold variables of a container: a provisioner's name and server, or where an application has its
        # database.
        return "rovisioner" in text or ".efs." in text or variables.search(text) is not None
    if kind in _BUILT_IN:
        return any(word in text for word in _STORAGE) and words.search(text) is not None
    return custom.search(text) is not None
