"""What holds for every manifest, however it is written, and for every text, however it is damaged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from xml.dom.minidom import parseString

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from manifest_strategies import MANIFESTS, PLAIN, SECRET, WRITINGS, Object, Writing, damaged, stream

from efslint.builtin import default_settings
from efslint.pipeline import lint, lint_text
from efslint.report.formats import FORMATS, render
from efslint.report.model import Report
from efslint.report.summary import steps
from efslint.rules.finding import Finding
from efslint.text.source import Source

# ``make fuzz`` asks for many more, and for others each time.
EXAMPLES = int(os.environ.get("EFSLINT_EXAMPLES", "0"))
quick = settings(
    max_examples=EXAMPLES or 40,
    deadline=None,
    derandomize=not EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


def essence(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Return what must not depend on how a manifest is written. Places inside messages are left out."""
    places = re.compile(r"\S+\.(?:yaml|json)(?::\d+)*|line \d+")
    return sorted(
        (
            found.rule,
            "" if found.object is None else found.object.label,
            places.sub("…", found.message),
        )
        for found in findings
    )


def linted(*texts: str) -> list[tuple[str, str, str]]:
    sources = [Source(f"{number}.yaml", text) for number, text in enumerate(texts)]
    return essence(lint(sources, default_settings()).report.findings)


def report_of(text: str) -> Report:
    return lint([Source("a.yaml", text)], default_settings()).report


@quick
@given(MANIFESTS, WRITINGS)
def test_findings_do_not_depend_on_style(objects: list[Object], writing: Writing) -> None:
    assert linted(stream(objects, writing)) == linted(stream(objects))


@quick
@given(MANIFESTS)
def test_findings_do_not_depend_on_json_or_lists(objects: list[Object]) -> None:
    expected = linted(stream(objects))
    as_list = {"apiVersion": "v1", "kind": "List", "items": objects}
    assert linted(json.dumps(as_list)) == expected
    assert linted(json.dumps(as_list, indent=4)) == expected
    assert linted("\n".join(map(json.dumps, objects))) == expected
    assert linted(PLAIN.document(as_list)) == expected


@quick
@given(MANIFESTS, st.randoms(use_true_random=False))
def test_findings_do_not_depend_on_files_and_order(objects: list[Object], random: object) -> None:
    expected = linted(stream(objects))
    assert linted(*(stream([each]) for each in objects)) == expected
    random.shuffle(objects)  # type: ignore[attr-defined]
    assert linted(stream(objects)) == expected


@quick
@given(MANIFESTS, st.sampled_from(("\r\n", "\r")), st.sampled_from(('  # why: "not" \' {', "\t# -", " ")))
def test_findings_do_not_depend_on_line_ends_and_comments(objects: list[Object], end: str, comment: str) -> None:
    text = stream(objects)
    expected = linted(text)
    assert linted(text.replace("\n", end)) == expected
    spaced = "".join(f"# {number}\n\n{line}{comment}\n" for number, line in enumerate(text.splitlines()))
    assert linted(re.sub(r"^---.*$", "---", spaced, flags=re.MULTILINE)) == expected
    assert linted("\ufeff".join(("", text))) == expected


@quick
@given(MANIFESTS, WRITINGS)
def test_places_name_what_they_show(objects: list[Object], writing: Writing) -> None:
    text = stream(objects, writing)
    for finding in lint_text(text):
        for span in (finding.span, *(step.span for step in finding.evidence)):
            check_place(span.source, span.start, span.end)
            assert span.text, finding
            assert not span.one_line().text.startswith((" ", "\n")), finding


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(quick, max_examples=EXAMPLES or 15)
@given(objects=MANIFESTS, writing=WRITINGS)
def test_secrets_stay_secret(name: str, objects: list[Object], writing: Writing) -> None:
    assert SECRET not in render(name, report_of(stream(objects, writing)))


@settings(quick, max_examples=EXAMPLES or 150)
@given(damaged())
def test_no_text_is_too_damaged(text: str) -> None:
    report = report_of(text)
    for finding in report.findings:
        for step in steps(finding):
            check_place(step.span.source, step.span.start, step.span.end)
    for name in FORMATS:
        written = render(name, report)
        written.encode()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", written), name
        if name in ("json", "sarif", "gitlab"):
            json.loads(written)
        elif name == "junit":
            parseString(written)


@settings(quick, max_examples=EXAMPLES or 60)
@given(st.binary(max_size=300), st.sampled_from((b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"kind: List\n")))
def test_no_bytes_are_too_strange(tmp_path_factory: pytest.TempPathFactory, data: bytes, mark: bytes) -> None:
    from efslint.inputs.reading import read_file

    path = Path(tmp_path_factory.getbasetemp()) / "bytes.yaml"
    path.write_bytes(mark + data)
    report = lint([read_file(str(path))], default_settings()).report
    assert report.files == 1


def check_place(source: Source, start: int, end: int) -> None:
    assert 0 <= start <= end <= len(source.text)
    line, column = source.position(start)
    assert source.line_starts[line - 1] + column - 1 == start
