"""Charts that are given or met as directories, and what is said of those that cannot be rendered."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import SHORT, efslint
from helm_support import CHARTS, ROOT, VOLUME, at_root, direct, needs_engine, pipe, printed, without_engine, write

from efslint.helm import engine
from efslint.helm.engine import Failure
from efslint.helm.options import HelmOptions
from efslint.helm.render import as_helm_prints, render_chart
from efslint.inputs.files import list_files, read_sources
from efslint.inputs.reading import ChartDirectory, NotRegular, Read
from efslint.kube.helm_output import is_helm_output, pieces, release_name
from efslint.kube.manifests import read_manifests
from efslint.text.source import Source

__all__ = ["at_root", "without_engine"]

META = "apiVersion: v2\nname: c\nversion: 0.1.0\n"
VALUES = "timeo: 50\n"
TEMPLATE = VOLUME % ("x", "  mountOptions: [timeo={{ .Values.timeo }}]")


@pytest.fixture
def chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "c", {"Chart.yaml": META, "values.yaml": VALUES, "templates/volume.yaml": TEMPLATE})
    return "c"


def add(files: dict[str, str]) -> None:
    write(Path("c"), files)


def said(chart: str, options: HelmOptions | None = None) -> list[tuple[str, str, int]]:
    report = direct(chart, options).report
    return [(each.rule, each.span.source.path, each.span.first.line) for each in report.findings]


# Directories.


def test_without_the_extra_a_chart_is_named_once(chart: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "is_available", lambda: False)
    add({"ci/a-values.yaml": "a: 1\n", "extra.yaml": SHORT, "charts/d/Chart.yaml": META})
    ran = efslint("--no-config", "-f", "json", ".")
    assert [(rule, path, line) for rule, path, line, _ in ran.places] == [
        ("EFS001", "c/Chart.yaml", 2),
        ("EFS101", "c/extra.yaml", 10),
    ]
    note = ran.report["findings"][0]
    assert "helm template CHART | efslint -" in note["help"]
    assert "efslint[helm]" in note["help"]
    assert ran.report["skipped"] == [{"path": "c/Chart.yaml", "line": 2, "reason": "chart-not-rendered"}]
    assert ran.report["summary"]["skipped"] == 1
    assert chart == "c"


@needs_engine
def test_a_chart_that_is_met_is_rendered(chart: str) -> None:
    add({"extra.yaml": SHORT, "values-prod.yaml": VALUES})
    ran = efslint("--no-config", "-f", "json", ".")
    assert [(rule, path, line) for rule, path, line, _ in ran.places] == [
        ("EFS101", "c/extra.yaml", 10),
        ("EFS101", "c/values.yaml", 1),
    ]
    assert chart == "c"


@pytest.mark.usefixtures("chart")
def test_files_of_charts_are_not_read_by_themselves() -> None:
    assert [*list_files(["."])] == ["c/Chart.yaml"]
    assert [*read_sources(["c"])] == [ChartDirectory("c")]
    assert [*read_sources(["."], excluded=lambda path: path == "c/templates/")] == [
        *(read for read in read_sources(["c/Chart.yaml", "c/values.yaml"])),
    ]


@needs_engine
def test_every_file_of_values_for_ci_is_tried(chart: str) -> None:
    add({"ci/b-values.yaml": "timeo: 40\n", "ci/a-values.yaml": "timeo: 600\n"})
    assert said(chart) == [("EFS101", "c/ci/b-values.yaml", 1), ("EFS101", "c/values.yaml", 1)]
    assert said(chart, HelmOptions(values=("c/ci/b-values.yaml",))) == [("EFS101", "c/ci/b-values.yaml", 1)]
    assert said(chart, HelmOptions(sets=("timeo=600",))) == []


@needs_engine
def test_values_that_a_chart_demands_may_be_those_for_ci(chart: str) -> None:
    demanding = TEMPLATE.replace(".Values.timeo", 'required "no" .Values.t')
    add({"templates/volume.yaml": demanding, "ci/a-values.yaml": "t: 40"})
    report = direct(chart).report
    assert [(each.rule, each.span.source.path) for each in report.findings] == [("EFS101", "c/ci/a-values.yaml")]
    assert [(each.path, each.reason) for each in report.skipped] == [("c/Chart.yaml", "defaults-not-rendered")]


@needs_engine
def test_a_library_has_nothing_to_render(chart: str) -> None:
    add({"Chart.yaml": META + "type: library\n"})
    report = direct(chart).report
    assert report.findings == ()
    assert [(each.path, each.reason) for each in report.skipped] == [("c/Chart.yaml", "library-chart")]


@needs_engine
@pytest.mark.parametrize(
    ("files", "place", "words"),
    [
        ({"templates/bad.yaml": 'x: 1\na: {{ fail "not so" }}\n'}, ("c/templates/bad.yaml", 2), "not so"),
        ({"templates/bad.yaml": "x: 1\na: {{ if }}\n"}, ("c/templates/bad.yaml", 2), "missing value for if"),
        ({"templates/bad.yaml": "a: {{ .Values.timeo.x.y }}\n"}, ("c/templates/bad.yaml", 1), "can't evaluate field"),
        ({"values.yaml": "a: 1\nb: [\n"}, ("c/values.yaml", 2), "cannot load values.yaml"),
        ({"Chart.yaml": "name: c\nb: [\n"}, ("c/Chart.yaml", 2), "cannot load Chart.yaml"),
        ({"values.schema.json": '{"properties": {"timeo": {"type": "string"}}}'}, ("c/values.yaml", 1), "want string"),
        ({"values.schema.json": '{"required": ["nfs"]}'}, ("c/Chart.yaml", 2), "missing property 'nfs'"),
    ],
)
def test_what_does_not_render_is_shown_in_the_chart(
    chart: str, files: dict[str, str], place: tuple[str, int], words: str
) -> None:
    add(files)
    finding = next(each for each in direct(chart).report.findings if each.rule == "EFS000")
    assert (finding.span.source.path, finding.span.first.line) == place
    assert words in finding.message


@needs_engine
def test_given_values_that_do_not_meet_the_schema(chart: str) -> None:
    add({"values.schema.json": '{"properties": {"a": {"items": {"type": "string"}}}}', "v.yaml": "b: 1\na: [x, 1]\n"})
    assert said(chart, HelmOptions(values=("c/v.yaml",))) == [("EFS000", "c/v.yaml", 2)]
    assert said(chart, HelmOptions(sets=("a[0]=1",))) == [("EFS000", "c/Chart.yaml", 2)]


@needs_engine
def test_a_missing_dependency_is_named_and_the_rest_is_checked(chart: str) -> None:
    add({"Chart.yaml": META + "dependencies:\n  - name: db\n    version: 1.x\n    repository: https://example.com\n"})
    report = direct(chart).report
    assert [(each.rule, each.span.source.path, each.span.first.line) for each in report.findings] == [
        ("EFS000", "c/Chart.yaml", 5),
        ("EFS101", "c/values.yaml", 1),
    ]
    assert "its dependency db is not in charts/" in report.findings[0].message


@needs_engine
def test_other_inputs_are_checked_beside_a_broken_chart(chart: str) -> None:
    add({"templates/bad.yaml": "{{ if }}"})
    Path("plain.yaml").write_text(SHORT, encoding="utf-8")
    ran = efslint("--no-config", "-f", "json", ".")
    assert [(rule, path) for rule, path, _, _ in ran.places] == [
        ("EFS000", "c/templates/bad.yaml"),
        ("EFS101", "plain.yaml"),
    ]
    assert chart == "c"


@needs_engine
def test_an_empty_chart(tmp_path: Path) -> None:
    directory = write(tmp_path, {"Chart.yaml": ""})
    finding = direct(directory).report.findings[0]
    assert (finding.rule, Path(finding.span.source.path).name, finding.span.first.line) == ("EFS000", "Chart.yaml", 1)
    (tmp_path / "Chart.yaml").write_bytes(b"\xff\xfe\x00")
    assert render_chart(directory, HelmOptions()).problems[0].span.source.path.endswith("Chart.yaml")


@needs_engine
def test_the_names_of_release_and_namespace(chart: str) -> None:
    add({"templates/volume.yaml": "kind: X\na: {{ .Release.Name }}/{{ .Release.Namespace }}\n"})
    for options, text in ((HelmOptions(), "release-name/default"), (HelmOptions(release="r", namespace="n"), "r/n")):
        assert f"a: {text}\n" in render_chart(chart, options).outputs[0][0].text


@pytest.mark.parametrize("message", ["boom", "boom at other/templates/x.yaml:1"])
def test_a_failure_without_a_place_in_the_chart(chart: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "render", lambda *_: Failure("template", message))
    problem = render_chart(chart, HelmOptions()).problems[0]
    assert (problem.span.source.path, problem.span.first.line) == ("c/Chart.yaml", 2)
    assert problem.message == f"helm says: {message}"


def test_templates_are_put_together_as_helm_does() -> None:
    rendered = {
        "c/templates/b.yaml": "# first\n---\nkind: A\n---\n# only a comment\n---\n\nkind: B\n",
        "c/templates/NOTES.txt": "Thank you",
        "c/templates/_h.yaml": "kind: C",
        "c/templates/a.yaml": "\n",
    }
    assert as_helm_prints(rendered) == (
        "---\n# Source: c/templates/b.yaml\nkind: A\n---\n# Source: c/templates/b.yaml\n\nkind: B\n"
    ).replace("\n\nkind", "\nkind")


# Values of GitOps controllers.

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: db}
spec:
  values:
    persistence: {storageClass: efs}
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: db}
spec:
  source:
    %s
"""


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (RELEASE, ["not-rendered"]),
        (RELEASE.replace("helm.toolkit.fluxcd.io", "example.com"), []),
        (APPLICATION % "chart: postgresql", ["not-rendered"]),
        (APPLICATION % "helm: {valuesObject: {storage: {class: efs}}}", ["not-rendered"]),
        (APPLICATION % "path: manifests", []),
        (
            RELEASE.replace("helm.toolkit.fluxcd.io/v2", "helm.cattle.io/v1").replace("Release", "Chart"),
            ["not-rendered"],
        ),
    ],
)
def test_values_of_a_controller_are_said_not_to_be_rendered(text: str, reasons: list[str]) -> None:
    report = pipe(f"a: 1\n---\n{text}").report
    assert [(each.line, each.reason) for each in report.skipped] == [(4, reason) for reason in reasons]
    assert report.findings == ()


# Directories of kustomize.


def names(reads: list[Read]) -> list[str]:
    return [each.path for each in reads if isinstance(each, Source)]


def test_patches_are_no_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {
            "overlay/kustomization.yaml": "patches:\n- path: p/options.yaml\n- patch: |\n    a: 1\n"
            "patchesStrategicMerge:\n- merge.yaml\n- |\n  a: 1\npatchesJson6902:\n- {path: six.json}\n",
            "overlay/pv.yaml": SHORT,
            "overlay/p/options.yaml": SHORT,
            "overlay/merge.yaml": SHORT,
            "overlay/six.json": "[]",
            "other/kustomization.yml": "patches: [",
            "other/pv.yaml": SHORT,
            "third/Kustomization": "",
            "third/kustomization.yaml/x.yaml": "",
        },
    )
    reads = [*read_sources(["."])]
    assert names(reads) == [
        *("other/kustomization.yml", "other/pv.yaml", "overlay/kustomization.yaml", "overlay/pv.yaml"),
        "third/kustomization.yaml/x.yaml",
    ]
    assert [each for each in reads if isinstance(each, NotRegular)] == [
        NotRegular("overlay/merge.yaml", "kustomize-patch"),
        NotRegular("overlay/p/options.yaml", "kustomize-patch"),
        NotRegular("overlay/six.json", "kustomize-patch"),
    ]


# What Helm prints.


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("# Source: c/templates/x.yaml\n", True),
        ("Error: no chart\n", True),
        ("walk.go:75: found symbolic link\nError: no chart\n", True),
        ("log: |\n  x\nError: what\n", False),
        ("message: 'Error: what'\n", False),
        ("kind: Service\n", False),
    ],
)
def test_what_helm_printed(text: str, is_one: bool) -> None:
    assert is_helm_output(text) == is_one
    assert bool([each for each in read_manifests(Source("x", text)).problems if each.kind == "chart"]) == (
        is_one and "Error" in text
    )


def test_manifests_without_notes() -> None:
    manifests = read_manifests(Source("x", f"NAME: shop\nLAST DEPLOYED: x\nMANIFEST:\n---\n{SHORT}"))
    assert (manifests.documents, len(manifests.resources), manifests.problems) == (1, 1, ())


def test_a_status_without_manifests_is_no_document() -> None:
    text = "NAME: shop\nNAMESPACE: prod\nSTATUS: deployed\nNOTES:\na: [\n# Source: c/templates/x.yaml\n"
    manifests = read_manifests(Source("x", text))
    assert (manifests.documents, manifests.problems) == (0, ())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NAME: shop\nLAST DEPLOYED: x\nMANIFEST:\n", "shop"),
        ("  app.kubernetes.io/instance: shop\n  release: shop\n  release: other\n", "shop"),
        ("  release: shop\n  release: other\n", None),
        ("kind: Service\n", None),
    ],
)
def test_the_name_of_a_release(text: str, name: str | None) -> None:
    assert release_name(Source("x", text)) == name


@pytest.mark.usefixtures("at_root")
def test_documents_and_their_templates() -> None:
    for helm in (3, 4):
        source = Source("x", printed("parent", helm))
        assert sorted(each.template for each in pieces(source)) == [
            "parent/charts/archive/templates/volume.yaml",
            "parent/charts/storage/charts/inner/templates/volume.yaml",
            "parent/charts/storage/templates/volume.yaml",
        ]
    assert (ROOT / CHARTS).is_dir()


# Archives.


@needs_engine
def test_a_subchart_in_an_archive_is_said_to_be_one(chart: str, tmp_path: Path) -> None:
    from test_helm_charts import packed

    sub = {"sub/Chart.yaml": META.replace("name: c", "name: sub"), "sub/values.yaml": VALUES}
    sub["sub/templates/volume.yaml"] = TEMPLATE.replace("[", "[soft, ")
    (tmp_path / "c" / "charts").mkdir()
    (tmp_path / "c" / "charts" / "sub-0.1.0.tgz").write_bytes(packed(sub))  # type: ignore[arg-type]
    add({"values.yaml": "timeo: 600\nsub:\n  timeo: 70\n"})
    report = direct(chart).report
    told = {each.rule: (each.span.source.path, each.span.first.line) for each in report.findings}
    assert told["EFS101"] == ("c/values.yaml", 3)
    assert told["EFS103"] == ("c/charts/sub-0.1.0.tgz", 1)
    message = next(each.message for each in report.findings if each.rule == "EFS103")
    assert message.endswith("(place in the chart: file only; in an archive, sub/templates/volume.yaml line 8)")
