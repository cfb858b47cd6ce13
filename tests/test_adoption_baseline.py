"""What a baseline remembers of findings."""

from __future__ import annotations

import json

import pytest
from changing import replace
from hypothesis import given
from hypothesis import strategies as st

from efslint.adoption.baseline import BaselineError, Entry, compare, entries, parse, render, update
from efslint.kube.identity import ObjectRef
from efslint.rules.finding import Finding, Severity
from efslint.storage.fact import Confidence
from efslint.text.source import Source, Span


def finding(fingerprint: str, path: str = "a.yaml", line: int = 1, ref: ObjectRef | None = None) -> Finding:
    source = Source(path, "x\n" * 40)
    span = Span(source, (line - 1) * 2, (line - 1) * 2 + 1)
    return Finding(
        "EFS201",
        "database-on-efs",
        Severity.ERROR,
        Confidence.CERTAIN,
        f"message {fingerprint}",
        "help",
        "https://example.com",
        span,
        ref,
        (),
        None,
        (),
        fingerprint,
    )


def read(text: str) -> tuple[Entry, ...]:
    return parse(Source("base.json", text))


def test_the_text_has_a_stable_form() -> None:
    ref = ObjectRef("apps/v1", "StatefulSet", "prod", "postgres")
    text = update([finding("f2", "b.yaml"), finding("f1", "a.yaml", ref=ref)])
    assert text == (
        '{\n  "version": 1,\n  "findings": [\n'
        '    {\n      "fingerprint": "f1",\n      "rule": "EFS201",\n      "path": "a.yaml",\n'
        '      "object": "StatefulSet/prod/postgres",\n      "message": "message f1"\n    },\n'
        '    {\n      "fingerprint": "f2",\n      "rule": "EFS201",\n      "path": "b.yaml",\n'
        '      "object": null,\n      "message": "message f2"\n    }\n  ]\n}\n'
    )


def test_an_object_without_a_namespace_is_named_without_one() -> None:
    (entry,) = entries([finding("f", ref=ObjectRef("v1", "Pod", None, "db"))])
    assert entry.object == "Pod/db"


def test_text_is_written_as_it_is() -> None:
    assert '"message": "größer ≤"' in update([replace(finding("f"), message="größer ≤")])


def test_known_findings_are_not_new_and_gone_ones_are_stale() -> None:
    known = entries([finding("f1"), finding("f2", "b.yaml")])
    new = finding("f3")
    result = compare([finding("f1", line=30), new], known)
    assert result.new == (new,)
    assert result.known == 1
    assert [(entry.fingerprint, entry.path) for entry in result.stale] == [("f2", "b.yaml")]
    assert result.unseen == ()


def test_a_renamed_file_stays_known_and_an_update_writes_its_new_name() -> None:
    known = entries([finding("f1", "old.yaml")])
    result = compare([finding("f1", "new.yaml")], known)
    assert (result.new, result.known, result.stale) == ((), 1, ())
    assert [entry.path for entry in read(update([finding("f1", "new.yaml")], result))] == ["new.yaml"]


def test_equal_findings_are_counted() -> None:
    known = entries([finding("f"), finding("f")])
    third = finding("f", line=9)
    assert compare([finding("f"), finding("f", line=5), third], known).new == (third,)
    assert len(compare([finding("f")], known).stale) == 1


def test_of_equal_entries_the_one_whose_file_is_clean_is_stale() -> None:
    known = entries([finding("f", "a.yaml"), finding("f", "b.yaml")])
    for path, other in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
        assert [entry.path for entry in compare([finding("f", path)], known).stale] == [other]


def test_entries_of_files_that_were_not_read_are_not_stale_and_are_kept() -> None:
    known = entries([finding("f1", "a.yaml"), finding("f2", "b.yaml"), finding("f3", "c.yaml")])
    result = compare([finding("f1", "a.yaml")], known, judged={"a.yaml", "c.yaml"})
    assert [entry.path for entry in result.stale] == ["c.yaml"]
    assert [entry.path for entry in result.unseen] == ["b.yaml"]
    assert [entry.path for entry in read(update([finding("f1", "a.yaml")], result))] == ["a.yaml", "b.yaml"]


GOOD = json.loads(update([finding("f")]))["findings"][0]
MISSING = object()


def broken(version: object = 1, findings: object = None, **fields: object) -> str:
    entry = {key: value for key, value in {**GOOD, **fields}.items() if value is not MISSING}
    value = {"version": version, "findings": [entry] if findings is None else findings}
    return json.dumps({key: part for key, part in value.items() if part is not MISSING}, indent=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "base.json:1:1: the baseline is not JSON: expecting value"),
        ('{"version": 1,\n "findings": [}', "base.json:2:15: the baseline is not JSON: expecting value"),
        ("[]", "base.json:1:1: a baseline is an object with version and findings"),
        (broken(version=2), "base.json:2:14: the version of the baseline must be 1"),
        (broken(version=True), "base.json:2:14: the version of the baseline must be 1"),
        (broken(version=MISSING), "base.json:1:1: the version of the baseline must be 1"),
        (broken(findings={}), "base.json:3:15: findings must be a list"),
        (broken(findings=[1]), "base.json:4:5: an entry of the baseline is an object"),
        (broken(rule=5), "base.json:6:15: rule must be text"),
        (broken(message=MISSING), "base.json:4:5: message must be text"),
        (broken(object=[]), "base.json:8:17: object must be text"),
        (broken(object=MISSING), "base.json:4:5: object must be text"),
        (broken(findings=MISSING), "base.json:1:1: findings must be a list"),
    ],
)
def test_a_broken_baseline_says_where(text: str, message: str) -> None:
    with pytest.raises(BaselineError) as caught:
        read(text)
    assert str(caught.value) == message


def test_a_place_that_cannot_be_found_is_the_beginning() -> None:
    # DEL is allowed in JSON strings and not in YAML
    with pytest.raises(BaselineError, match=r"^base\.json:1:1: the version"):
        read('\n{"version": 2, "x": "\x7f"}')


found = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(("x.yaml", "y.yaml")), st.integers(1, 40)), max_size=9
)


@given(found, st.randoms(use_true_random=False))
def test_order_and_lines_do_not_matter(drafts: list[tuple[str, str, int]], random: object) -> None:
    findings = [finding(*draft) for draft in drafts]
    moved = [finding(fingerprint, path, 41 - line) for fingerprint, path, line in drafts]
    random.shuffle(moved)  # type: ignore[attr-defined]
    text = update(findings)
    assert update(moved) == text
    assert render(read(text)) == text
    result = compare(moved, read(text))
    assert (result.new, result.known, result.stale, result.unseen) == ((), len(drafts), (), ())


@given(found, found)
def test_every_finding_is_new_or_known_and_every_entry_known_or_stale(
    before: list[tuple[str, str, int]], after: list[tuple[str, str, int]]
) -> None:
    known, findings = entries([finding(*draft) for draft in before]), [finding(*draft) for draft in after]
    result = compare(findings, known)
    assert len(result.new) + result.known == len(findings)
    assert result.known + len(result.stale) == len(known)
    assert update(findings, result) == update(findings)
