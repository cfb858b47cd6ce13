"""The way back from what Helm rendered to the line of the chart, for charts whose lines were counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from helm_support import CHARTS, ROOT, VOLUME, at_root, direct, needs_engine, pipe, printed, told, without_engine, write

from efslint.helm.options import HelmOptions

pytestmark = pytest.mark.usefixtures("at_root")
__all__ = ["at_root", "without_engine"]

NO_RESVPORT = "EFS104"  # shown at the key mountOptions
PLACES: dict[str, list[tuple[str, str, int, str]]] = {
    # A literal in a template.
    "literal": [
        (NO_RESVPORT, "literal/templates/volume.yaml", 12, "mountOptions"),
        ("EFS103", "literal/templates/volume.yaml", 14, "soft"),
    ],
    # A value of values.yaml, put into a larger text.
    "value": [
        (NO_RESVPORT, "value/templates/volume.yaml", 10, "mountOptions"),
        ("EFS101", "value/values.yaml", 4, "50"),
    ],
    # A value that goes through a helper, "with" and toYaml; the key stands in the helper.
    "helper": [
        (NO_RESVPORT, "helper/templates/_helpers.tpl", 4, "mountOptions"),
        ("EFS103", "helper/values.yaml", 4, "soft"),
    ],
    # The second class of a list has the fault; what all have in common is one finding.
    "classes": [
        ("EFS401", "classes/templates/classes.yaml", 12, "fs-0123456789abcdef0.efs.eu-central-1.amazonaws.com"),
        (NO_RESVPORT, "classes/templates/classes.yaml", 14, "mountOptions"),
        ("EFS101", "classes/values.yaml", 7, "timeo=50"),
    ],
    # The default of a value that is not given.
    "default": [
        (NO_RESVPORT, "default/templates/volume.yaml", 10, "mountOptions"),
        ("EFS103", "default/templates/volume.yaml", 12, '"soft"'),
    ],
    # Values of subcharts that the parent overrides: nested, and under an alias.
    "parent": [
        (NO_RESVPORT, "parent/charts/storage/charts/inner/templates/volume.yaml", 10, "mountOptions"),
        (NO_RESVPORT, "parent/charts/storage/templates/volume.yaml", 10, "mountOptions"),
        (NO_RESVPORT, "parent/charts/volume/templates/volume.yaml", 10, "mountOptions"),
        ("EFS103", "parent/values.yaml", 4, "soft"),
        ("EFS101", "parent/values.yaml", 6, "70"),
        ("EFS103", "parent/values.yaml", 8, "softerr"),
    ],
    # A value that is a template: the line in it, and the value that it uses.
    "tpl": [
        ("EFS101", "tpl/values.yaml", 1, "50"),
        (NO_RESVPORT, "tpl/values.yaml", 3, "mountOptions"),
    ],
    # A test of Helm, beside a document of comments.
    "hooks": [
        (NO_RESVPORT, "hooks/templates/tests/volume.yaml", 12, "mountOptions"),
        ("EFS103", "hooks/templates/tests/volume.yaml", 12, "soft"),
    ],
}


def test_the_lines_are_those_of_the_charts() -> None:
    for places in PLACES.values():
        for _, path, line, text in places:
            assert text in (ROOT / CHARTS / path).read_text(encoding="utf-8").splitlines()[line - 1]


def expected(chart: str) -> list[tuple[str, str, int, str, str]]:
    return [(*place, "exact") for place in PLACES[chart]]


@pytest.mark.usefixtures("without_engine")
@pytest.mark.parametrize("helm", [3, 4])
@pytest.mark.parametrize("chart", PLACES)
def test_piped(chart: str, helm: int) -> None:
    assert [told(each) for each in pipe(printed(chart, helm)).report.findings] == expected(chart)


@needs_engine
@pytest.mark.parametrize("chart", PLACES)
def test_piped_and_proven(chart: str) -> None:
    assert [told(each) for each in pipe(printed(chart, 4)).report.findings] == expected(chart)


@needs_engine
@pytest.mark.parametrize("chart", PLACES)
def test_direct(chart: str) -> None:
    report = direct(f"{CHARTS}/{chart}").report
    assert [told(each) for each in report.findings] == expected(chart)
    assert report.skipped == ()


@pytest.mark.usefixtures("without_engine")
def test_the_rendered_line_is_evidence() -> None:
    finding = pipe(printed("value", 3)).report.findings[1]
    steps = [(each.span.source.path, each.span.first.line, each.message) for each in finding.evidence[:3]]
    assert steps[0][:2] == ("fixtures/charts/value/values.yaml", 4)
    assert steps[1] == ("fixtures/charts/value/templates/volume.yaml", 13, "put into the manifest here")
    assert steps[2] == ("<stdin>", 15, "rendered from value/templates/volume.yaml")


@pytest.mark.usefixtures("without_engine")
def test_a_test_of_helm_is_called_one() -> None:
    finding = pipe(printed("hooks", 3)).report.findings[0]
    assert "rendered from hooks/templates/tests/volume.yaml, a Helm test" in [step.message for step in finding.evidence]


@pytest.mark.parametrize("helm", [3, 4])
def test_what_was_set_elsewhere_is_file_only(helm: int) -> None:
    finding = pipe(printed("set", helm)).report.findings[1]
    assert told(finding)[1:] == ("value/templates/volume.yaml", 13, "timeo={{ .Values.nfs.timeo }}", "file only")
    assert "so --set or another file gives it" in finding.message


def test_what_was_set_is_named_when_it_is_known() -> None:
    options = HelmOptions(roots=(CHARTS,), sets=("nfs.timeo=70",))
    finding = pipe(printed("set", 4), options).report.findings[1]
    assert told(finding)[1:3] == ("value/templates/volume.yaml", 13)
    assert finding.message.endswith("(the value is given by --set nfs.timeo=70)")


@needs_engine
def test_what_is_set_for_a_chart_is_named() -> None:
    finding = direct(f"{CHARTS}/value", HelmOptions(sets=("nfs.timeo=70",))).report.findings[1]
    assert told(finding)[1:3] == ("value/templates/volume.yaml", 13)
    assert finding.message.endswith("(the value is given by --set nfs.timeo=70)")


@pytest.mark.parametrize("engine", [pytest.param("with", marks=needs_engine), "without"])
def test_a_file_of_values_is_the_place(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    if engine == "without":
        request.getfixturevalue("without_engine")
    values = tmp_path / "prod.yaml"
    values.write_text("nfs:\n  timeo: 70\n", encoding="utf-8")
    options = HelmOptions(roots=(CHARTS,), values=(str(values),))
    finding = next(each for each in pipe(printed("set", 4), options).report.findings if each.rule == "EFS101")
    assert (finding.span.source.path.endswith("prod.yaml"), finding.span.first.line) == (True, 2)
    assert told(finding).sureness == "exact"


# What must not mislead.


def test_without_the_chart_the_rendered_place_is_told_as_such() -> None:
    finding = pipe(printed("literal", 3), HelmOptions(roots=())).report.findings[1]
    assert (finding.span.source.path, finding.span.first.line) == ("<stdin>", 15)
    (step,) = (each for each in finding.evidence if each.span == finding.span)
    assert step.message.endswith(
        "(rendered from literal/templates/volume.yaml; its chart was not found (see --chart-root))"
    )
    assert "literal/templates" not in finding.message


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        ("literal/templates/other.yaml", "the chart literal has no templates/other.yaml"),
        ("literal/charts/other/templates/volume.yaml", "the chart literal has no charts/other/templates/volume.yaml"),
        ("hooks/templates/service.yaml", "makes no such object"),
    ],
)
def test_a_forged_name_of_a_template_changes_no_place(forged: str, reason: str) -> None:
    text = printed("literal", 3).replace("literal/templates/volume.yaml", forged)
    finding = pipe(text).report.findings[1]
    assert (finding.span.source.path, finding.span.first.line) == ("<stdin>", 15)
    assert reason in finding.message


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/../templates/x.yaml", "no template", "/templates/x.yaml"])
def test_what_is_no_name_of_a_template_is_a_comment(name: str) -> None:
    text = printed("literal", 3).replace("literal/templates/volume.yaml", name)
    finding = pipe(text).report.findings[1]
    assert (finding.span.source.path, "rendered" in finding.message) == ("<stdin>", False)


def test_a_stale_line_is_not_pointed_at() -> None:
    """The template says "soft"; what was rendered from an older one says otherwise."""
    findings = pipe(printed("literal", 3).replace("- soft", "- softerr")).report.findings
    finding = next(each for each in findings if each.rule == "EFS103")
    assert told(finding) == ("EFS103", "literal/templates/volume.yaml", 1, "", "file only")


def test_two_charts_of_one_name_are_not_guessed_at(tmp_path: Path) -> None:
    chart = {
        "Chart.yaml": "apiVersion: v2\nname: literal\nversion: 0.1.0\n",
        "templates/volume.yaml": VOLUME % ("x", "  mountOptions: [soft]"),
    }
    roots = (CHARTS, write(tmp_path, {f"literal/{name}": text for name, text in chart.items()}))
    finding = pipe(printed("literal", 3), HelmOptions(roots=roots)).report.findings[1]
    assert finding.span.source.path == "<stdin>"
    assert "are charts of that name (see --chart-root)" in finding.message
    one = HelmOptions(roots=roots, chart_roots=(f"{CHARTS}/literal",))
    assert told(pipe(printed("literal", 3), one).report.findings[1]).path == "literal/templates/volume.yaml"


def test_of_two_charts_of_one_name_the_one_with_the_template_is_taken(tmp_path: Path) -> None:
    other = write(tmp_path, {"Chart.yaml": "name: literal\n", "templates/other.yaml": "kind: Service\n"})
    findings = pipe(printed("literal", 3), HelmOptions(roots=(CHARTS, other))).report.findings
    assert told(findings[1]).path == "literal/templates/volume.yaml"


# Text around manifests.


DRY_RUN = """\
NAME: shop
LAST DEPLOYED: Mon Nov 30 12:00:00 2026
NAMESPACE: prod
STATUS: pending-install
REVISION: 1
TEST SUITE: None
USER-SUPPLIED VALUES:
a: [
HOOKS:
{hooks}MANIFEST:
{manifest}
NOTES:
Thank you: for [installing
"""


def test_a_dry_run() -> None:
    """The numbers of lines are those of the text that came in."""
    text = DRY_RUN.format(hooks=printed("hooks", 3), manifest=printed("literal", 3))
    report = pipe(text).report
    assert [told(each)[:3] for each in report.findings] == [
        (NO_RESVPORT, "hooks/templates/tests/volume.yaml", 12),
        ("EFS103", "hooks/templates/tests/volume.yaml", 12),
        (NO_RESVPORT, "literal/templates/volume.yaml", 12),
        ("EFS103", "literal/templates/volume.yaml", 14),
    ]
    rendered = [step.span for step in report.findings[3].evidence if step.span.source.path == "<stdin>"]
    assert text.splitlines()[rendered[0].first.line - 1] == "    - soft"


NOISE = (
    "walk.go:75: found symbolic link in path: /a resolves to /b. Contents of linked file included: used\n"
    "coalesce.go:289: warning: cannot overwrite table with non table for a.b (map[])\n"
    'install.go:225: 2026-11-30 22:43:24.179408234 +0000 UTC m=+0.051234240 [debug] Original chart version: ""\n'
    "W1130 12:00:00.000000   12345 warnings.go:70] unknown field: spec.x\n"
    "WARNING: Kubernetes configuration file is group-readable: this is insecure. Location: /k\n"
    'level=WARN msg="found symbolic link in path" path=/a\n'
    "2026/11/30 22:54:52 warning: skipped value for a: Not a table.\n"
)


@pytest.mark.parametrize("place", ["before", "between", "within"])
def test_warnings_of_helm_cost_no_document(place: str) -> None:
    text = printed("literal", 3)
    whole = {
        "before": NOISE + text,
        "between": text + NOISE + printed("value", 3),
        "within": text.replace("spec:\n", f"spec:\n{NOISE}"),
    }[place]
    findings = [told(each)[:3] for each in pipe(whole).report.findings]
    assert findings[:2] == [
        (NO_RESVPORT, "literal/templates/volume.yaml", 12),
        ("EFS103", "literal/templates/volume.yaml", 14),
    ]
    assert {rule for rule, _, _ in findings} <= {NO_RESVPORT, "EFS103", "EFS101"}


@pytest.mark.parametrize("before", ["", NOISE, printed("literal", 3)])
def test_a_failure_of_helm_is_not_silence(before: str) -> None:
    text = f"{before}Error: execution error at (literal/templates/volume.yaml:3:4): no: size\n\nUse --debug flag\n"
    report = pipe(text).report
    finding = next(each for each in report.findings if each.rule == "EFS000")
    assert finding.message.endswith("helm says: execution error at (literal/templates/volume.yaml:3:4): no: size")
    assert finding.span.first.line == before.count("\n") + 1
    assert [each.reason for each in report.skipped] == ["chart-not-rendered"]


def test_line_ends_of_windows() -> None:
    findings = pipe(printed("literal", 3).replace("\n", "\r\n")).report.findings
    assert [told(each)[:3] for each in findings] == [place[:3] for place in PLACES["literal"]]


def test_a_document_without_a_name_is_from_the_template_before_if_that_can_make_it() -> None:
    """Programs other than the helm command name only the first document of a template."""
    text = printed("classes", 3)
    assert text.count("# Source:") == 2
    head, _, tail = text.rpartition("# Source: classes/templates/classes.yaml\n")
    assert [told(each)[:3] for each in pipe(head + tail).report.findings] == [place[:3] for place in PLACES["classes"]]
    # A file that was joined to the output is where it is.
    joined = pipe(f"{text}---\n{VOLUME % ('other', '  mountOptions: [soft]')}").report.findings
    finding = next(each for each in joined if each.rule == "EFS103")
    assert (finding.span.source.path, "rendered" in finding.message) == ("<stdin>", False)
