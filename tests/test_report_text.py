"""The reports for people: frames, masks, folding, the summary line."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from changing import replace
from hypothesis import given
from hypothesis import strategies as st
from report_samples import (
    BROKEN,
    CLASS,
    FINDINGS,
    HOSTILE,
    NONE,
    NOTHING_READ,
    ON_EFS,
    REPORTS,
    SHARED,
    STDIN,
    at,
    finding,
)

from efslint.report.concise import concise
from efslint.report.escape import json_text, limited, visible
from efslint.report.formats import FORMATS, render
from efslint.report.frames import frame, secret_parts, text_width, wrapped
from efslint.report.model import Skip
from efslint.report.style import Style
from efslint.report.summary import few_steps, fingerprints, steps
from efslint.report.text import text
from efslint.rules.finding import Severity
from efslint.storage.fact import Step
from efslint.text.source import Source, Span

GOLDEN = Path(__file__).parent / "golden" / "reports"


@pytest.mark.parametrize(
    ("name", "report", "file", "width"),
    [
        ("text", FINDINGS, "text-wide.txt", 100),
        ("text", FINDINGS, "text-narrow.txt", 50),
        ("text", HOSTILE, "text-hostile.txt", 100),
        ("concise", FINDINGS, "concise.txt", 100),
        ("github", FINDINGS, "github.txt", 100),
        ("junit", FINDINGS, "junit.xml", 100),
        ("markdown", FINDINGS, "markdown.md", 100),
    ],
)
def test_looks_as_it_did_when_a_person_read_it(name: str, report: object, file: str, width: int) -> None:
    shown = render(name, report, Style(width=width))  # type: ignore[arg-type]
    path = GOLDEN / file
    if "EFSLINT_UPDATE_GOLDEN" in os.environ:  # pragma: no cover - read the difference before keeping it
        path.write_text(shown, encoding="utf-8", newline="")
    assert shown == path.read_bytes().decode("utf-8")


# Columns of a terminal: CJK characters take two, combining ones none, a tab goes on to the next multiple of four.
@pytest.mark.parametrize(
    ("line", "marked", "before", "carets", "shown"),
    [
        ("  - timeo=60", "timeo=60", 4, 8, "  - timeo=60"),
        ("名前: timeo", "timeo", 6, 5, "名前: timeo"),
        ("名前: timeo", "名前", 0, 4, "名前: timeo"),
        ("cafe\u0301: x", "x", 6, 1, "cafe\u0301: x"),
        ("\tkey:\tvalue", "value", 12, 5, "    key:    value"),
        ("ab\t\tvalue", "value", 8, 5, "ab      value"),
        ("a\x1b[1mb: c", "c", 11, 1, "a\\x1b[1mb: c"),
        ("a\u202eb: c", "b", 7, 1, "a\\u202eb: c"),
        ("x: \x1b", "\x1b", 3, 4, "x: \\x1b"),
        ("x: 👩\u200d💻 y", "y", 8, 1, "x: 👩\u200d💻 y"),
    ],
)
def test_carets_stand_under_the_text(line: str, marked: str, before: int, carets: int, shown: str) -> None:
    source = Source("a.yaml", f"first: line\r\n{line}\r\nlast: line\r\n")
    assert frame(at(source, marked), 80) == (shown, before, carets)


@pytest.mark.parametrize(
    ("line", "marked", "shown"),
    [
        ("0123456789" * 3 + "<here>" + "abcdefghij" * 3, "<here>", "…23456789<here>abcdefgh…"),
        ("<here>" + "abcdefghij" * 3, "<here>", "<here>abcdefghijabcdefg…"),
        ("0123456789" * 3 + "<here>", "<here>", "…34567890123456789<here>"),
        ("x: " + "0123456789" * 3, "0123456789" * 3, "…0123456789012345678901…"),
        ("名" * 20 + "<here>", "<here>", "…名名名名名名名名<here>"),
    ],
)
def test_a_long_line_is_cut_around_the_text(line: str, marked: str, shown: str) -> None:
    view = frame(at(Source("a.yaml", line), marked), 24)
    assert view.shown == shown
    assert text_width(view.shown) <= 24
    assert view.before == text_width(shown[: shown.index(marked[:6])])


def test_of_a_very_long_line_only_the_text_is_shown() -> None:
    line = '{"name": "' + "a" * 2000 + '", "b": <here>, "value": "hunter2"' + "c" * 2000 + "}"
    assert frame(at(Source("a.json", line), "<here>"), 80) == ("…<here>…", 1, 6)
    whole = Span(Source("a.json", line), 0, len(line))
    assert frame(whole, 30).shown == '{"name": "aaaaaaaaaaaaaaaaaaa…'
    assert frame(Span(Source("a.json", line), 1500, len(line)), 30).shown == "…" + "a" * 28 + "…"
    assert frame(at(Source("a.json", f"x: 1\n{line}\ny: 2\n"), "<here>"), 80) == ("…<here>…", 1, 6)


@pytest.mark.parametrize(
    ("line", "marked", "shown"),
    [
        ("env: [{name: A, value: hunter2}, {name: B}]", "A", "env: [{name: A, value: ***}, {name: B}]"),
        ("env: [{name: A,value: hunter2}]", "A", "env: [{name: A,value: ***}]"),
        ("env: [{value: hunter2, name: A}]", "A", "env: [{value: ***, name: A}]"),
        ("env: [{value: 'it''s, }', name: A}]", "A", "env: [{value: ***, name: A}]"),
        ('{"name":"A","value":"say \\"x\\", no"}', '"A"', '{"name":"A","value":***}'),
        ("env: [{name: A, value: hunter2", "A", "env: [{name: A, value: ***"),
        ("  value: hunter2, or } so", "value", "  value: ***"),
        ("- value: hunter2", "-", "- value: ***"),
        ("value: hunter2 # why", "# why", "value: *** # why"),
        # The text itself, or a part of it, is what the step is about.
        ("  value: /data/pg", "/data/pg", "  value: /data/pg"),
        ("  value: user:pass@host:1", "host", "  value: ***host***"),
        ("env: [{name: A, value: a}, {name: B, value: b}]", "a", "env: [{name: A, value: a}, {name: B, value: ***}]"),
        # More than the value is not the value.
        ("env: [{name: A, value: hunter2}]", "{name: A, value: hunter2}", "env: [{name: A, value: ***}]"),
        ("valueFrom: {secretKeyRef: {name: a}}", "a", "valueFrom: {secretKeyRef: {name: a}}"),
        ("value:", "value", "value:"),
        ("some value: x", "some", "some value: ***"),
        ("myvalue: x", "myvalue", "myvalue: x"),
    ],
)
def test_a_value_is_shown_only_where_the_step_is_about_it(line: str, marked: str, shown: str) -> None:
    start = line.rindex(marked) if marked in ("a", "# why") else line.index(marked)
    if marked == "a":
        start = line.index(": a}") + 2
    view = frame(Span(Source("a.yaml", line), start, start + len(marked)), 100)
    assert view.shown == shown


SECRET = """\
kind: Pod
image: postgres:16
---
apiVersion: v1
kind: Secret
data:
  password: aHVudGVyMg==
  "mountOptions": bm9sb2Nr
  note: |
    hunter2
    postgres://user:pass@host # hunter2
--- # next
kind: SecretStore
image: redis:7
"""


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("image: postgres", "image: postgres:16"),
        ("password", "  password: ***"),
        ('"mountOptions"', '  "mountOptions": ***'),
        ("bm9sb2Nr", '  "mountOptions": bm9sb2Nr'),
        ("hunter2", "    hunter2"),
        ("host", "    ***host ***"),
        ("redis", "image: redis:7"),
    ],
)
def test_a_secret_is_shown_only_where_the_step_is_about_it(marked: str, shown: str) -> None:
    source = Source("a.yaml", SECRET)
    assert frame(at(source, marked), 80, secret_parts(source)).shown == shown


@pytest.mark.parametrize(
    "text",
    [
        'items:\n- kind: "Secret"\n  data: {a: hunter2}\n',
        '{"kind":"Secret","data":{"a":"hunter2"}}',
        "kind: Secret\r\ndata: {a: hunter2}",
        "items:\n- kind: Secret\n- kind: Secret\n  data: {a: hunter2}\n",
        "data: {a: hunter2}\nkind: Secret # so\n---\nkind: Secret\n",
    ],
)
def test_every_way_to_write_a_secret_is_noticed(text: str) -> None:
    source = Source("a.yaml", text)
    assert "hunter2" not in frame(at(source, "a"), 80, secret_parts(source)).shown
    assert "hunter2" not in frame(at(source, "data"), 80, secret_parts(source)).shown


def test_a_report_keeps_secrets() -> None:
    source = Source("a.yaml", SECRET)
    report = replace(NONE, findings=(finding(at(source, "password")),))
    shown = text(report)
    assert "password: ***\n" in shown
    assert "aHVudGVyMg" not in shown
    assert "correct horse" not in text(FINDINGS)


@given(st.text(max_size=60), st.data(), st.integers(0, 70))
def test_whatever_the_line_the_frame_is_harmless_and_fits(line: str, data: st.DataObject, width: int) -> None:
    source = Source("a.yaml", line)
    start = data.draw(st.integers(0, len(line)))
    span = Span(source, start, data.draw(st.integers(start, len(line))))
    view = frame(span, width, secret_parts(source))
    assert view.shown == visible(view.shown)
    assert text_width(view.shown) <= max(width, 24)
    assert view.marked >= 1
    if line.isascii() and line.isprintable() and len(line) <= 24 and "value" not in line and span.text.strip():
        assert view.shown[view.before :][: view.marked] == span.text.rstrip() or span.text != span.text.rstrip()


def test_steps_in_one_file_share_a_header_and_the_line_to_change_is_marked() -> None:
    shown = text(replace(NONE, findings=(ON_EFS,)))
    assert re.findall(r"--> (.*)", shown) == ["apps/db.yaml:10:18", "storage/class.yaml:5:14"]
    assert re.findall(r"^>.*", shown, re.MULTILINE) == [">18 |         storageClassName: shared"]


def test_two_steps_on_one_line_show_it_once() -> None:
    span, other = at(CLASS, "provisioner"), at(CLASS, "efs.csi.aws.com")
    shown = text(replace(NONE, findings=(finding(span, Step(span, "this"), Step(other, "is that")),)))
    assert shown.count("provisioner: efs.csi.aws.com") == 1
    assert "   | ^^^^^^^^^^^ this\n   |              ^^^^^^^^^^^^^^^ is that\n" in shown


def test_a_finding_without_evidence_shows_its_own_place() -> None:
    assert "  --> <stdin>:7:5\n   |\n 7 |   - timeo=60\n   |     ^^^^^^^^\n" in text(STDIN)
    lacking = finding(at(CLASS, "shared"), Step(at(CLASS, "timeo=60"), "so"))
    assert [step.span.text for step in steps(lacking)] == ["shared", "timeo=60"]


def test_only_the_first_line_of_a_place_is_shown() -> None:
    assert " 3 | kind: [Pod\n   |       ^^^^ the sequence begins here\n" in text(BROKEN)


def _many(number: int, own: int) -> tuple[Span, tuple[Step, ...]]:
    source = Source("many.yaml", "".join(f"line{n}: x\n" for n in range(1, number + 1)))
    spans = [at(source, f"line{n}:") for n in range(1, number + 1)]
    return spans[own - 1], tuple(Step(span, span.text) for span in spans)


@pytest.mark.parametrize(
    ("number", "own", "last", "folded"),
    [
        (8, 1, "line8:", None),
        (9, 1, "line8:", "… and 1 more place\n"),
        (20, 1, "line8:", "… and 12 more places\n"),
        (20, 19, "line19:", "… and 12 more places\n"),
    ],
)
def test_more_than_eight_places_are_folded(number: int, own: int, last: str, folded: str | None) -> None:
    span, evidence = _many(number, own)
    many = finding(span, *evidence)
    shown = text(replace(NONE, findings=(many,)))
    assert len(re.findall(r"\^", shown)) == sum(len(step.message) for step in few_steps(many, 8))
    assert few_steps(many, 8)[-1].message == last
    assert len(few_steps(many, 8)) == 8
    assert (folded in shown) if folded else "…" not in shown


def test_a_label_that_does_not_fit_stands_below() -> None:
    span = at(CLASS, "efs.csi.aws.com")
    label = "the driver of EFS, by which every volume of this class is made and mounted on the node"
    narrow = replace(NONE, findings=(finding(span, Step(span, label)),))
    assert text(narrow, Style(width=60)).splitlines()[4:7] == [
        "   |              ^^^^^^^^^^^^^^^",
        "   |              the driver of EFS, by which every volume",
        "   |              of this class is made and mounted on the",
    ]
    short = replace(NONE, findings=(finding(span, Step(span, "the driver of EFS, surely")),))
    assert text(short, Style(width=40)).splitlines()[4:6] == [
        "   |              ^^^^^^^^^^^^^^^",
        "   |           the driver of EFS, surely",
    ]


def test_words_wider_than_the_room_stay_whole() -> None:
    assert wrapped("a 名名名 bcdefgh i", 5) == ["a", "名名名", "bcdefgh", "i"]
    assert wrapped("", 5) == [""]


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (
            FINDINGS,
            "1 error, 1 warning; 3 files, 4 documents read; 1 suppressed, 1 baselined; "
            "1 skipped, 2 references not resolved",
        ),
        (NONE, "no findings; 1 file, 1 document read"),
        (NOTHING_READ, "no findings; 1 file, 0 documents read; no Kubernetes object found"),
        (replace(NONE, unresolved=1), "no findings; 1 file, 1 document read; 1 reference not resolved"),
        (
            replace(NONE, findings=(finding(at(CLASS, "shared"), severity=Severity.NOTE),)),
            "1 note; 1 file, 1 document read",
        ),
    ],
)
def test_the_last_line_counts_everything(report: object, line: str) -> None:
    for name in ("text", "concise"):
        assert render(name, report).splitlines()[-1] == line  # type: ignore[arg-type]


def test_skipped_files_are_listed_before_the_summary() -> None:
    assert text(FINDINGS).splitlines()[-3] == "chart/templates/pv.yaml:1: skipped: unrendered-template"
    assert concise(FINDINGS).splitlines()[-2] == "chart/templates/pv.yaml:1: skipped: unrendered-template"


def test_concise_is_one_line_per_finding() -> None:
    assert concise(replace(NONE, findings=(ON_EFS,))).splitlines()[0] == (
        "apps/db.yaml:18:27: error[EFS201] database-on-efs: "
        "StatefulSet/ledger keeps PostgreSQL's data directory /data/pg on EFS"
    )


def test_color_and_links_change_nothing_but_the_looks() -> None:
    styled = text(FINDINGS, Style(color=True, hyperlinks=True))
    assert re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", styled) == text(FINDINGS)
    assert "\x1b[1;31merror\x1b]8;;https://docs.aws.amazon.com/efs/latest/ug/performance.html\x1b\\[EFS201]" in styled
    assert "\x1b[1;31m^^^^^^\x1b[0m its claim" in styled
    assert "\x1b" not in text(FINDINGS)


def test_on_a_terminal_sentences_are_broken_between_words() -> None:
    lines = text(FINDINGS, Style(width=60, wrap=True)).splitlines()
    assert lines[:2] == [
        "error[EFS201] database-on-efs: StatefulSet/ledger keeps",
        "    PostgreSQL's data directory /data/pg on EFS",
    ]
    at_help = lines.index("    = help: give the claim a class of block storage, such as")
    assert lines[at_help + 1 : at_help + 3] == [
        "            one of ebs.csi.aws.com",
        "    = docs: https://docs.aws.amazon.com/efs/latest/ug/performance.html",
    ]
    assert lines[-2:] == [
        "1 error, 1 warning; 3 files, 4 documents read; 1 suppressed,",
        "1 baselined; 1 skipped, 2 references not resolved",
    ]


def test_findings_that_say_the_same_share_a_block() -> None:
    source = Source("a.yaml", "x\n" * 12)
    same = tuple(finding(Span(source, 2 * n, 2 * n + 1), message="so it is") for n in range(12))
    other = finding(Span(source, 2, 3), message="not so")
    lines = text(replace(NONE, findings=(*same[:6], other, *same[6:]))).splitlines()
    assert sum("so it is" in line for line in lines) == 1
    first = lines.index("   the same at 11 more places:")
    assert lines[first + 1] == "     a.yaml:2:1"
    assert lines[first + 8 : first + 10] == ["     a.yaml:9:1", "     … and 3 more (-f concise names all)"]
    assert "warning[EFS102] timeo-below-recommended: not so" in lines
    named = tuple(replace(each, object=SHARED) for each in same[:2])
    assert "     a.yaml:2:1 StorageClass/shared" in text(replace(NONE, findings=named)).splitlines()
    assert "   the same at 1 more place:" in text(replace(NONE, findings=named)).splitlines()


def test_a_rule_that_fires_often_gets_a_line_for_each_further_finding() -> None:
    source = Source("a.yaml", "x\n" * 13)
    often = tuple(finding(Span(source, 2 * n, 2 * n + 1), message=f"number {n}") for n in range(13))
    lines = text(replace(NONE, findings=(*often[:12], replace(ON_EFS, message="other"), often[12]))).splitlines()
    assert [line for line in lines if "-->" in line][8:11] == [
        "  --> a.yaml:9:1",
        "   --> a.yaml:10:1",
        "   --> apps/db.yaml:10:18",
    ]
    at_line = lines.index("a.yaml:11:1: warning[EFS102] timeo-below-recommended: number 10")
    assert lines[at_line - 1] == ""
    assert lines[at_line + 1 : at_line + 4] == [
        "a.yaml:12:1: warning[EFS102] timeo-below-recommended: number 11",
        "",
        "error[EFS201] database-on-efs: other",
    ]
    assert "a.yaml:13:1: warning[EFS102] timeo-below-recommended: number 12" in lines


def test_a_long_word_gets_the_room_it_needs() -> None:
    word = "w" * 46
    source = Source("a.yaml", " " * 12 + "key: x\n")
    where = at(source, "x")
    lines = text(replace(NONE, findings=(finding(where, Step(where, f"it is {word} and so")),)), Style(width=60))
    room = 60 - len("   | ")
    assert f"   | {' ' * (room - 46)}{word}" in lines.splitlines()


def test_an_address_that_is_none_is_no_link() -> None:
    odd = replace(NONE, findings=(replace(ON_EFS, docs="javascript:x"),))
    assert "\x1b" not in text(odd, Style(hyperlinks=True))


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"sarif"}))
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_nothing_from_the_input_reaches_a_terminal_raw(name: str, report: object) -> None:
    shown = render(name, report)  # type: ignore[arg-type]
    assert not set(visible(shown.replace("\n", ""))) ^ set(shown.replace("\n", ""))
    assert shown.encode("utf-8")
    assert shown.endswith("\n")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain — ünïcode 名 👩\u200d💻", "plain — ünïcode 名 👩\u200d💻"),
        ("\x00\x1b\x7f\x85\x9b", "\\x00\\x1b\\x7f\\x85\\x9b"),
        ("\t\r\n", "\\t\\r\\n"),
        ("\u2028\u202e\u2066\u200b\ufeff\ufffe", "\\u2028\\u202e\\u2066\\u200b\\ufeff\\ufffe"),
        ("\udce9", "\\udce9"),
        ("\U000e0041", "\\U000e0041"),
        ("\xa0", "\xa0"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_json_text_means_the_same_and_can_be_printed() -> None:
    assert json_text({"a": "é\x9b\udce9\n"}) == '{\n  "a": "é\\u009b\\udce9\\n"\n}\n'


def test_a_limited_text_says_that_it_is_cut() -> None:
    assert limited("four", 4) == "four"
    assert limited("a long one", 8) == "a long…"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("::error::x", "./::error::x:1: skipped: odd"),
        (" ::error::x", "./ ::error::x:1: skipped: odd"),
        ("##[x]", "./##[x]:1: skipped: odd"),
        ("a::b", "a::b:1: skipped: odd"),
    ],
)
def test_a_line_never_starts_like_a_command_of_a_runner(path: str, shown: str) -> None:
    assert concise(replace(NONE, skipped=(Skip(path, 1, "odd"),))).splitlines()[0] == shown


def test_fingerprints_are_told_apart() -> None:
    same = finding(at(CLASS, "shared"))
    other = replace(same, fingerprint="f1")
    assert [print_ for _, print_ in fingerprints([same, other, same])] == ["f0:1", "f1:1", "f0:2"]


def test_every_format_has_a_function_and_an_unknown_one_is_refused() -> None:
    assert set(FORMATS) == {"text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown"}
    with pytest.raises(KeyError):
        render("yaml", NONE)


def test_many_skips_of_one_reason_are_folded() -> None:
    skips = tuple(Skip(f"{number:02}.yaml", 1, "not-rendered") for number in range(12))
    lines = concise(replace(NONE, skipped=(*skips, Skip("z.yaml", 3, "odd")))).splitlines()
    assert lines[0] == "00.yaml:1: skipped: not-rendered"
    assert lines[9:12] == [
        "09.yaml:1: skipped: not-rendered",
        "z.yaml:3: skipped: odd",
        "… and 2 more skipped: not-rendered (-f json names all)",
    ]
    assert lines[-1].endswith("13 skipped")
