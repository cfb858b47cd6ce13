"""When two pods of one workload run at the same time: replicas, update strategies, kinds."""

from __future__ import annotations

import pytest

from efslint.kube.manifests import read_manifests
from efslint.kube.overlap import Overlap, overlap
from efslint.kube.pods import pod_templates
from efslint.text.source import Source

POD = "template: {spec: {containers: [{name: c, image: i}]}}"


def judge(kind: str, spec: str, api_version: str = "apps/v1") -> tuple[Overlap | None, str]:
    """Return the verdict on a workload and the text that it points at."""
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: it}}\n# persistentVolumeClaim\nspec:\n"
    text += "".join(f"  {line}\n" for line in spec.splitlines())
    manifests = read_manifests(Source("it.yaml", text))
    template = next(iter(pod_templates(manifests.resources[0])))
    found = overlap(template)
    return found, "" if found is None else found.span.text


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet"])
def test_replicas(kind: str) -> None:
    found, shown = judge(kind, f"replicas: 3\n{POD}")
    assert found is not None
    assert (found.cause, found.pods, shown) == ("replicas", 3, "3")


def test_replicas_of_a_template_deep_in_a_custom_resource_are_shown_at_the_name() -> None:
    found, shown = judge("Fleet", f"inner:\n  replicas: 3\n  {POD}", "example.com/v1")
    assert found is not None
    assert (found.cause, found.pods, shown) == ("replicas", 3, "it")


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        (POD, "it"),
        (f"replicas: 1\n{POD}", "it"),
        (f"strategy: {{}}\n{POD}", "strategy"),
        (f"strategy: {{type: RollingUpdate}}\n{POD}", "RollingUpdate"),
        (f"strategy: {{rollingUpdate: {{maxSurge: 1}}}}\n{POD}", "strategy"),
    ],
)
def test_a_deployment_starts_the_new_pod_first(spec: str, shown: str) -> None:
    found, where = judge("Deployment", spec)
    assert found is not None
    assert (found.cause, found.pods, where) == ("rolling-update", None, shown)


@pytest.mark.parametrize(
    ("kind", "spec", "api_version"),
    [
        ("Deployment", f"strategy: {{type: Recreate}}\n{POD}", "apps/v1"),
        ("Deployment", f"strategy: {{rollingUpdate: {{maxSurge: 0}}}}\n{POD}", "apps/v1"),
        ("Deployment", f"strategy: {{rollingUpdate: {{maxSurge: 0%}}}}\n{POD}", "extensions/v1beta1"),
        ("Deployment", f"replicas: 0\n{POD}", "apps/v1"),
        ("StatefulSet", f"replicas: 1\n{POD}", "apps/v1"),
        ("ReplicaSet", POD, "apps/v1"),
        ("Service", POD, "serving.knative.dev/v1"),
        ("DeploymentConfig", f"strategy: {{type: Recreate}}\n{POD}", "apps.openshift.io/v1"),
        ("DeploymentConfig", f"strategy: {{rollingParams: {{maxUnavailable: 1}}}}\n{POD}", "apps.openshift.io/v1"),
        ("DeploymentConfig", f"strategy: {{rollingParams: {{maxSurge: 0}}}}\n{POD}", "apps.openshift.io/v1"),
        ("Rollout", f"strategy: {{canary: {{maxSurge: 0}}}}\n{POD}", "argoproj.io/v1alpha1"),
        ("Rollout", POD, "argoproj.io/v1alpha1"),
    ],
)
def test_one_pod_at_a_time(kind: str, spec: str, api_version: str) -> None:
    assert judge(kind, spec, api_version) == (None, "")


@pytest.mark.parametrize(
    ("kind", "spec", "api_version"),
    [
        ("DeploymentConfig", POD, "apps.openshift.io/v1"),
        ("DeploymentConfig", f"strategy: {{rollingParams: {{maxSurge: 1}}}}\n{POD}", "apps.openshift.io/v1"),
        ("Rollout", f"strategy: {{canary: {{}}}}\n{POD}", "argoproj.io/v1alpha1"),
        ("Rollout", f"strategy: {{blueGreen: {{activeService: a}}}}\n{POD}", "argoproj.io/v1alpha1"),
    ],
)
def test_other_apis_start_the_new_pod_first_too(kind: str, spec: str, api_version: str) -> None:
    found, _ = judge(kind, spec, api_version)
    assert found is not None
    assert found.cause == "rolling-update"


def test_a_daemon_set_has_a_pod_on_every_node() -> None:
    found, shown = judge("DaemonSet", POD)
    assert found is not None
    assert (found.cause, found.pods, shown) == ("every-node", None, "it")


@pytest.mark.parametrize("choice", ["nodeSelector: {disk: a}", "affinity: {nodeAffinity: {}}", "nodeName: n"])
def test_a_daemon_set_for_certain_nodes_may_be_one_pod(choice: str) -> None:
    spec = f"template: {{spec: {{containers: [{{name: c, image: i}}], {choice}}}}}"
    assert judge("DaemonSet", spec) == (None, "")


@pytest.mark.parametrize(
    ("written", "pods"),
    [
        ("parallelism: 3\ncompletions: 5\n", 3),
        ("parallelism: 3\ncompletions: 2\n", 2),
        ("parallelism: 3\n", 3),
        ("parallelism: 3\ncompletions: 1\n", None),
        ("parallelism: 1\n", None),
        ("", None),
    ],
)
def test_jobs_run_as_many_pods_as_they_have_to_do(written: str, pods: int | None) -> None:
    found, _ = judge("Job", written + POD, "batch/v1")
    assert (found.pods if found else None) == pods
    assert found is None or found.cause == "parallelism"


def test_a_cron_job_keeps_its_job_below_a_template() -> None:
    found, shown = judge("CronJob", f"jobTemplate:\n  spec:\n    parallelism: 2\n    {POD}", "batch/v1")
    assert found is not None
    assert (found.cause, shown) == ("parallelism", "2")
