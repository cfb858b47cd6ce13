"""Findings of charts: suppressed, known, recognised and reported at the chart's own lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import efslint
from helm_support import CHARTS, VOLUME, at_root, direct, needs_engine, pipe, printed, told, without_engine, write

from efslint.builtin import default_settings
from efslint.helm.options import HelmOptions
from efslint.pipeline import lint
from efslint.text.source import Source

__all__ = ["at_root", "without_engine"]

META = "apiVersion: v2\nname: c\nversion: 0.1.0\n"
TEMPLATE = VOLUME % (
    "{{ .Release.Name }}-files",
    "  mountOptions:\n    - soft\n    - timeo={{ .Values.timeo }}",
)


def rendered(release: str = "shop", *, options: str = "    - soft\n    - timeo=50", labels: bool = True) -> str:
    text = VOLUME % (f"{release}-files", f"  mountOptions:\n{options}")
    label = f"  labels:\n    app.kubernetes.io/instance: {release}\nspec:" if labels else "spec:"
    return "---\n# Source: c/templates/volume.yaml\n" + text.replace("spec:", label, 1)


@pytest.fixture
def chart(tmp_path: Path) -> str:
    return write(
        tmp_path / "c",
        {"Chart.yaml": META, "values.yaml": "timeo: 50\n", "templates/volume.yaml": TEMPLATE},
    )


def found(text: str, *roots: str) -> list[tuple[str, str, int]]:
    report = pipe(text, HelmOptions(roots=roots)).report
    return [(each.rule, Path(each.span.source.path).name, each.span.first.line) for each in report.findings]


# Suppressions.


@pytest.mark.usefixtures("without_engine")
def test_a_comment_in_values(chart: str) -> None:
    assert found(rendered(), chart) == [("EFS103", "volume.yaml", 9), ("EFS101", "values.yaml", 1)]
    Path(chart, "values.yaml").write_text("timeo: 50 # efslint: ignore[EFS101] known\n", encoding="utf-8")
    assert found(rendered(), chart) == [("EFS103", "volume.yaml", 9)]


@pytest.mark.usefixtures("without_engine")
@pytest.mark.parametrize(
    "engine_comment", ["{{- /* efslint: ignore[EFS103] known */}}", "# efslint: ignore[EFS103] known"]
)
def test_a_comment_in_a_template(chart: str, engine_comment: str) -> None:
    """Comments of YAML count; those of templates are text to efslint, and are told apart from them."""
    text = TEMPLATE.replace("    - soft\n", f"    {engine_comment}\n    - soft\n")
    Path(chart, "templates", "volume.yaml").write_text(text, encoding="utf-8")
    rules = [rule for rule, _, _ in found(rendered(), chart)]
    assert ("EFS103" in rules) == engine_comment.startswith("{")


@pytest.mark.usefixtures("without_engine")
def test_a_comment_that_is_in_the_rendered_text_too_is_judged_once(chart: str) -> None:
    comment = "    # efslint: ignore[EFS110] nothing of the kind\n"
    text = TEMPLATE.replace("    - soft\n", f"{comment}    - soft\n")
    Path(chart, "templates", "volume.yaml").write_text(text, encoding="utf-8")
    options = f"{comment}    - soft\n    - timeo=50"
    assert [each for each in found(rendered(options=options), chart) if each[0] == "EFS004"] == [
        ("EFS004", "volume.yaml", 9)
    ]


@pytest.mark.usefixtures("without_engine")
def test_a_comment_that_is_of_use_where_it_was_rendered_is_not_called_unused(chart: str) -> None:
    comment = "    # efslint: ignore[EFS103] known\n"
    text = TEMPLATE.replace("    - soft\n", f"{comment}    - soft\n")
    Path(chart, "templates", "volume.yaml").write_text(text, encoding="utf-8")
    options = f"{comment}    - soft\n    - timeo=50"
    assert found(rendered(options=options), chart) == [("EFS101", "values.yaml", 1)]


@pytest.mark.usefixtures("without_engine")
def test_a_comment_of_a_branch_that_was_not_rendered_is_not_judged(chart: str) -> None:
    text = TEMPLATE + "{{- if .Values.more }}\n# efslint: ignore[EFS101] later\nx: y\n{{- end }}\n"
    Path(chart, "templates", "volume.yaml").write_text(text, encoding="utf-8")
    assert "EFS004" not in [rule for rule, _, _ in found(rendered(), chart)]


@pytest.mark.usefixtures("without_engine")
def test_what_is_wrong_with_a_comment_is_said_of_the_chart(chart: str) -> None:
    comment = "    # efslint: ignore[EFS999] no such rule\n"
    text = TEMPLATE.replace("    - soft\n", f"{comment}    - soft\n")
    Path(chart, "templates", "volume.yaml").write_text(text, encoding="utf-8")
    options = f"{comment}    - soft\n    - timeo=50"
    told_of = [each for each in found(rendered(options=options), chart) if each[0] == "EFS004"]
    assert told_of == [("EFS004", "volume.yaml", 9)]
    # The rendered text of an older chart has a comment that is no longer in the chart.
    old = rendered(options=options.replace("EFS999", "EFS998"))
    assert ("EFS004", "<stdin>", 13) in found(old, chart)


@pytest.mark.usefixtures("without_engine")
def test_an_annotation_counts(chart: str) -> None:
    text = rendered().replace("  labels:", '  annotations: {efslint.dev/ignore: "EFS101: known"}\n  labels:')
    assert found(text, chart) == [("EFS103", "volume.yaml", 9)]


# Recognising.


def marks(text: str, *roots: str) -> list[str]:
    return [each.fingerprint for each in pipe(text, HelmOptions(roots=roots)).report.findings]


@pytest.mark.usefixtures("without_engine")
def test_the_name_of_the_release_changes_no_fingerprint(chart: str) -> None:
    assert marks(rendered("shop"), chart) == marks(rendered("orders"), chart)
    assert len(set(marks(rendered(), chart))) == 2
    assert sorted(marks(rendered())) == sorted(marks(rendered(), chart))


@pytest.mark.usefixtures("without_engine")
def test_a_release_that_is_named_on_the_command_line(chart: str) -> None:
    def named(release: str) -> list[str]:
        options = HelmOptions(roots=(chart,), release=release)
        text = rendered(release, labels=False)
        return [each.fingerprint for each in pipe(text, options).report.findings]

    assert named("shop") == named("orders")


@needs_engine
def test_piped_and_direct_findings_are_the_same(chart: str) -> None:
    direct_marks = [each.fingerprint for each in direct(chart).report.findings]
    assert direct_marks == marks(rendered("release-name"), chart)


@pytest.mark.usefixtures("without_engine")
def test_objects_of_one_line_are_one_finding(chart: str) -> None:
    """A template that is rendered for several objects has one line to change."""
    text = rendered("shop") + rendered("orders")
    report = pipe(text, HelmOptions(roots=(chart,))).report
    assert [told(each).text for each in report.findings] == ["soft", "50"]
    assert {ref.name for ref in report.findings[0].objects} == {"shop-files", "orders-files"}


@pytest.mark.usefixtures("without_engine")
def test_what_has_no_line_stays_apart(chart: str) -> None:
    one, two = (rendered(name, options="    - softerr") for name in ("shop", "orders"))
    report = pipe(one + two, HelmOptions(roots=(chart,))).report
    assert [told(each).sureness for each in report.findings if each.rule == "EFS103"] == ["file only"] * 2


@pytest.mark.usefixtures("without_engine")
def test_a_document_that_does_not_parse_belongs_to_its_template(chart: str) -> None:
    text = "---\n# Source: c/templates/volume.yaml\na: [\n---\n# Source: c/templates/no.yaml\na: [\n"
    findings = pipe(text, HelmOptions(roots=(chart,))).report.findings
    places = {(Path(each.span.source.path).name, each.span.first.line) for each in findings}
    assert places == {("<stdin>", 6), ("volume.yaml", 1)}


@pytest.mark.usefixtures("without_engine")
def test_what_is_between_objects_and_charts(chart: str) -> None:
    """The class is a plain file, the claim of the chart uses it: the class is what is to be changed, where it is."""
    claim = (
        "---\n# Source: c/templates/volume.yaml\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: d\n"
        "spec:\n  storageClassName: files\n  accessModes: [ReadWriteMany]\n  resources: {requests: {storage: 1Gi}}\n"
        "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: files}\nprovisioner: nfs.csi.k8s.io\n"
        "parameters: {server: 192.0.2.5, share: /}\nmountOptions: [soft]\n"
    )
    findings = pipe(claim, HelmOptions(roots=(chart,))).report.findings
    assert [(each.span.source.path, each.span.first.line) for each in findings if each.rule == "EFS103"] == [
        ("<stdin>", 17)
    ]


# Through the command.


@pytest.mark.usefixtures("at_root", "without_engine")
def test_sarif_has_the_paths_of_the_repository() -> None:
    ran = efslint("-f", "sarif", "--chart-root", CHARTS, "-", stdin=printed("value", 4).encode())
    results = ran.report["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"] for each in results]
    assert [(each["artifactLocation"]["uri"], each["region"]["startLine"]) for each in places] == [
        ("fixtures/charts/value/templates/volume.yaml", 10),
        ("fixtures/charts/value/values.yaml", 4),
    ]


@pytest.mark.usefixtures("without_engine")
def test_a_baseline_knows_findings_of_another_release(
    chart: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base = ("--no-config", "--baseline", "known.json", "--chart-root", chart)
    assert efslint(*base, "--update-baseline", "-", stdin=rendered("shop").encode()).status == 0
    assert [each["path"] for each in json.loads(Path("known.json").read_text(encoding="utf-8"))["findings"]] == [
        "c/templates/volume.yaml",
        "c/values.yaml",
    ]
    again = efslint(*base, "-", stdin=rendered("orders").encode())
    assert (again.status, again.err) == (0, "")
    Path(chart, "templates", "volume.yaml").write_text(TEMPLATE.replace("soft", "hard"), encoding="utf-8")
    better = efslint(*base, "-", stdin=rendered("orders", options="    - hard\n    - timeo=50").encode())
    assert "EFS103 of PersistentVolume/shop-files is no longer found" in better.err


@pytest.mark.usefixtures("at_root")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--chart-root", "missing"), "--chart-root: missing is not a directory"),
        (("--values", "missing.yaml"), "missing.yaml: no such file or directory"),
        (("--set", "a"), '--set: "a" is not key=value'),
    ],
)
def test_what_cannot_be_done_as_asked(arguments: tuple[str, ...], error: str) -> None:
    ran = efslint("--no-config", *arguments, "-")
    assert (ran.status, ran.err) == (2, f"efslint: {error}\n")


@pytest.mark.usefixtures("at_root")
def test_options_reach_the_chart(tmp_path: Path) -> None:
    values = tmp_path / "v.yaml"
    values.write_text("nfs: {timeo: 70}\n", encoding="utf-8")
    given = ("--values", str(values), "--set", "x=y", "--release", "shop", "--namespace", "n")
    ran = efslint("--no-config", "-f", "json", *given, CHARTS, "-", stdin=printed("set", 4).encode())
    assert any(path.endswith("v.yaml") for rule, path, _, _ in ran.places if rule == "EFS101")


@pytest.mark.usefixtures("without_engine")
def test_several_files_of_rendered_text(chart: str) -> None:
    """Charts are looked for once, whatever the number of files that name them."""
    settings = default_settings()._replace(helm=lambda: HelmOptions(roots=(chart,)))
    report = lint([Source("a.yaml", rendered("shop")), Source("b.yaml", rendered("orders"))], settings).report
    assert [(told(each).text, len(each.objects)) for each in report.findings] == [("soft", 2), ("50", 2)]
