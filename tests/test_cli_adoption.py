"""Living with findings: suppressions, baseline and context, from the command line to the report."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from commands import CLASS, CLEAN, DATABASE, SHORT, Ran, efslint


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def json_of(*arguments: str) -> Ran:
    return efslint("-f", "json", *arguments)


def counts(ran: Ran) -> tuple[int, int, int]:
    summary = ran.report["summary"]
    return len(ran.report["findings"]), summary["suppressed"], summary["baselined"]


def ignored(comment: str, text: str = SHORT) -> str:
    return text.replace("timeo=30", f"timeo=30  # efslint: {comment}")


ANNOTATED = SHORT.replace("name: short", 'name: short\n  annotations: {efslint.dev/ignore: "EFS101: measured"}')


@pytest.mark.parametrize(
    "text",
    [
        ignored("ignore[EFS101] measured"),
        ignored("ignore[timeo-too-short]"),
        ignored("ignore[EFS1] until=2026-01-31 measured"),
        SHORT.replace("    - timeo", "    # efslint: ignore[EFS101] measured\n    - timeo"),
        f"# efslint: ignore-file[EFS101] measured\n{SHORT}",
        f"{SHORT}# efslint: ignore-document[EFS101] measured\n",
        ANNOTATED,
    ],
)
def test_a_suppressed_finding(text: str) -> None:
    write("a.yaml", text)
    ran = json_of("--today", "2026-01-31", "a.yaml")
    assert ran.status == 0
    assert counts(ran) == (0, 1, 0)
    assert "1 suppressed" in efslint("--today", "2026-01-31", "a.yaml").out
    assert "a.yaml" in efslint("-f", "sarif", "--sarif-suppressed", "--today", "2026-01-31", "a.yaml").out


def test_a_suppression_on_the_chain_in_another_file() -> None:
    write("db.yaml", DATABASE)
    write("class.yaml", CLASS)
    assert "EFS201" in json_of(".").rules
    write("class.yaml", CLASS.replace("efs.csi.aws.com\n", "efs.csi.aws.com  # efslint: ignore[EFS201] a test bed\n"))
    for arguments in (["."], ["class.yaml", "db.yaml"], ["db.yaml", "--context", "class.yaml"]):
        ran = json_of(*arguments)
        assert "EFS201" not in ran.rules
        assert "EFS004" not in ran.rules
        assert ran.report["summary"]["suppressed"] == 1


def test_a_day_until_which_a_suppression_holds() -> None:
    write("a.yaml", ignored("ignore[EFS101] until=2026-01-31 measured"))
    assert counts(json_of("--today", "2026-01-31", "a.yaml")) == (0, 1, 0)
    ran = json_of("--today", "2026-02-01", "a.yaml")
    assert ran.places == [("EFS101", "a.yaml", 10, 7), ("EFS005", "a.yaml", 10, 17)]
    assert ran.status == 1


def test_without_a_day_it_is_today() -> None:
    write("past.yaml", ignored("ignore[EFS101] until=2020-01-31"))
    write("future.yaml", ignored("ignore[EFS101] until=9999-12-31"))
    ran = json_of(".")
    assert {(rule, path) for rule, path, _, _ in ran.places} == {("EFS101", "past.yaml"), ("EFS005", "past.yaml")}


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        (CLEAN.replace("timeo=600", "timeo=600  # efslint: ignore[EFS101] no"), 10, 18, "EFS101 does not fire here"),
        (f"# efslint: ignore-file[EFS999] no\n{CLEAN}", 1, 1, 'there is no rule "EFS999"'),
        (f"# efslint: ignroe[EFS101]\n{CLEAN}", 1, 1, 'did you mean "ignore"?'),
        (f"# efslint: ignore\n{CLEAN}", 1, 1, "names no rule"),
        (ANNOTATED.replace("timeo=30", "timeo=600"), 5, 38, "EFS101 does not fire here"),
        ("# efslint: ignore-file[EFS101] no\nreplicas: 1\n", 1, 1, "EFS101 does not fire here"),
    ],
)
def test_a_suppression_without_effect(text: str, line: int, column: int, said: str) -> None:
    write("a.yaml", text)
    ran = json_of("a.yaml")
    assert ran.status == 1
    assert ran.places == [("EFS004", "a.yaml", line, column)]
    assert said in ran.report["findings"][0]["message"]
    assert json_of("--ignore", "EFS004", "a.yaml").status == 0


def test_each_word_of_a_suppression_is_told_of_by_itself() -> None:
    write("a.yaml", f"# efslint: ignore-file[EFS999, EFS101, EFS102] no\n{SHORT}")
    ran = json_of("a.yaml")
    assert ran.places == [("EFS004", "a.yaml", 1, 24), ("EFS004", "a.yaml", 1, 40)]
    said = [each["message"] for each in ran.report["findings"]]
    assert 'there is no rule "EFS999"' in said[0]
    assert "EFS102 does not fire here" in said[1]


CLAIM = "    - metadata: {name: data}\n"


def test_an_annotation_on_a_claim_template_is_about_the_findings_that_lead_through_it() -> None:
    write("class.yaml", CLASS)
    note = "    - metadata: {name: data, annotations: {efslint.dev/ignore: 'EFS201: a test bed'}}\n"
    for text, hidden in (
        (DATABASE.replace(CLAIM, note), True),
        (DATABASE.replace(CLAIM, note.replace("name: data", "name: other") + "      spec: {}\n" + CLAIM), False),
    ):
        write("db.yaml", text)
        ran = json_of(".")
        assert ("EFS201" in ran.rules) is not hidden
        assert ("EFS004" in ran.rules) is not hidden


def test_a_suppression_of_a_rule_that_was_not_looked_for_is_left_alone() -> None:
    write("a.yaml", CLEAN.replace("timeo=600", "timeo=600  # efslint: ignore[EFS101] no"))
    assert json_of("--ignore", "EFS101", "a.yaml").places == []


def test_a_reason_may_be_required() -> None:
    write(".efslint.yaml", "require-suppression-reason: true\n")
    write("a.yaml", ignored("ignore[EFS101]"))
    write("b.yaml", ignored("ignore[EFS101] measured"))
    assert {(rule, path) for rule, path, _, _ in json_of(".").places} == {("EFS101", "a.yaml"), ("EFS004", "a.yaml")}


def test_the_configuration_ignores_by_path() -> None:
    write(".efslint.yaml", "per-path-ignores: {/old/: [EFS1]}\n")
    write("old/a.yaml", SHORT)
    write("new/a.yaml", SHORT)
    ran = json_of(".")
    assert ran.places == [("EFS101", "new/a.yaml", 10, 7)]
    assert counts(ran) == (1, 1, 0)


def test_a_baseline_from_first_to_last() -> None:
    write("a.yaml", SHORT)
    made = efslint("--baseline", "known.json", "--update-baseline", "a.yaml")
    assert made.status == 0
    assert made.err == "efslint: known.json: 1 finding written\n"
    assert "no findings; 1 file, 1 document read; 1 baselined" in made.out
    assert [entry["rule"] for entry in json.loads(Path("known.json").read_text())["findings"]] == ["EFS101"]

    known = json_of("--baseline", "known.json", "a.yaml")
    assert (known.status, known.err) == (0, "")
    assert counts(known) == (0, 0, 1)

    write("a.yaml", f"# moved\n\n{SHORT}")
    write("b.yaml", SHORT.replace("short", "other"))
    more = json_of("--baseline", "known.json", ".")
    assert more.places == [("EFS101", "b.yaml", 10, 7)]
    assert more.status == 1
    more = efslint("--baseline", "known.json", "--update-baseline", ".")
    assert more.err == "efslint: known.json: 2 findings written\n"

    write("a.yaml", CLEAN)
    stale = json_of("--baseline", "known.json", ".")
    assert stale.status == 0
    assert stale.err == "efslint: known.json: stale entry: EFS101 of PersistentVolume/short is no longer found\n"
    assert json_of("-q", "--baseline", "known.json", ".").err == ""
    efslint("--baseline", "known.json", "--update-baseline", ".")
    assert json_of("--baseline", "known.json", ".").err == ""


def test_a_baseline_named_by_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    write(".efslint.yaml", "baseline: known.json\n")
    write("d/a.yaml", SHORT)
    assert efslint("--update-baseline", "d").status == 0
    monkeypatch.chdir("d")
    assert counts(json_of(".")) == (0, 0, 1)


def known_entry() -> None:
    write("a.yaml", SHORT)
    assert efslint("--baseline", "known.json", "--update-baseline", "a.yaml").status == 0


@pytest.mark.parametrize("arguments", [["b.yaml"], ["--select", "EFS2", "a.yaml"], ["--ignore", "EFS101", "a.yaml"]])
def test_entries_about_which_a_run_cannot_tell_are_kept(arguments: list[str]) -> None:
    known_entry()
    before = Path("known.json").read_text()
    write("b.yaml", CLEAN)
    assert efslint("--baseline", "known.json", *arguments).err == ""
    efslint("--baseline", "known.json", "--update-baseline", *arguments)
    assert Path("known.json").read_text() == before


def test_entries_of_a_file_that_cannot_be_read_as_a_whole_are_kept() -> None:
    known_entry()
    write("a.yaml", SHORT.replace("spec:", "spec: ["))
    ran = json_of("--baseline", "known.json", "a.yaml")
    assert ran.rules == {"EFS000"}
    assert ran.err == ""


def test_entries_of_a_file_that_is_gone_are_stale() -> None:
    known_entry()
    write("b.yaml", CLEAN)
    Path("a.yaml").unlink()
    assert "stale entry: EFS101" in efslint("--baseline", "known.json", "b.yaml").err


def test_entries_of_a_rule_that_is_no_more_are_stale() -> None:
    known_entry()
    text = Path("known.json").read_text()
    write("known.json", text.replace("EFS101", "OLD101").replace('"fingerprint": "', '"fingerprint": "x'))
    ran = json_of("--baseline", "known.json", "a.yaml")
    assert ran.rules == {"EFS101"}
    assert "stale entry: OLD101" in ran.err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[", "known.json:1:2: the baseline is not JSON: "),
        ('{"version": 1,\n "findings": 3}', "known.json:2:14: findings must be a list"),
        ('{"version": 2}', "known.json:1:13: the version of the baseline must be 1"),
    ],
)
def test_a_baseline_that_is_wrong(text: str, complaint: str) -> None:
    write("known.json", text)
    write("a.yaml", CLEAN)
    for arguments in (["a.yaml"], ["--update-baseline", "a.yaml"]):
        ran = efslint("--baseline", "known.json", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(f"efslint: {complaint}")
    assert Path("known.json").read_text() == text


def test_a_baseline_that_cannot_be_written() -> None:
    write("a.yaml", SHORT)
    ran = json_of("--baseline", "nowhere/known.json", "--update-baseline", "a.yaml")
    assert ran.status == 2
    assert ran.rules == {"EFS101"}, "nothing was accepted"
    assert ran.err == "efslint: nowhere/known.json: no such file or directory\n"


def test_context_is_read_for_its_objects_only() -> None:
    write("db.yaml", DATABASE)
    write("other/class.yaml", CLASS)
    write("other/short.yaml", SHORT)
    write("other/bad.yaml", "a: [\n")
    assert json_of("db.yaml").rules == {"EFS003"}
    ran = json_of("db.yaml", "--context", "other")
    assert "EFS201" in ran.rules
    evidence = [{step["path"] for step in each["evidence"]} for each in ran.report["findings"]]
    assert all("db.yaml" in paths for paths in evidence)
    assert not any({"other/short.yaml", "other/bad.yaml"} & paths for paths in evidence)
    assert [(each["path"], each["reason"]) for each in ran.report["skipped"]] == [("other/bad.yaml", "syntax-error")]
    assert ran.report["summary"]["files"] == 1
    assert ran.report["summary"]["unresolved"] == 0


def test_a_finding_shown_in_the_context_is_reported_when_its_chain_touches_a_path() -> None:
    short = CLASS.replace("timeo=600", "timeo=30")
    write("class.yaml", short)
    write("db.yaml", DATABASE)
    ran = json_of("db.yaml", "--context", "class.yaml")
    places = {(rule, path) for rule, path, _, _ in ran.places}
    assert ("EFS201", "db.yaml") in places
    touching = [each for each in ran.report["findings"] if each["path"] == "class.yaml"]
    assert all("db.yaml" in {step["path"] for step in each["evidence"]} for each in touching)
    assert json_of("class.yaml", "--context", "db.yaml").status == 1


def test_references_within_the_context_are_not_counted() -> None:
    write("a.yaml", CLEAN)
    write("other/db.yaml", DATABASE)
    ran = json_of("--strict", "a.yaml", "--context", "other")
    assert ran.status == 0
    assert ran.report["summary"]["unresolved"] == 0
    ran = json_of("--strict", "other", "--context", "a.yaml")
    assert ran.status == 1
    assert ran.report["summary"]["unresolved"] == 1


def test_a_path_within_the_context_is_a_path(folder: Path) -> None:
    write("d/db.yaml", DATABASE)
    write("d/class.yaml", CLASS)
    (folder / "link.yaml").symlink_to("d/db.yaml")
    for path in ("d/db.yaml", "link.yaml"):
        ran = json_of(path, "--context", "d", "--context", ".")
        assert "EFS201" in ran.rules, "the object stands there once"
        assert ran.report["summary"]["files"] == 1


def test_a_context_that_is_missing_is_a_failure() -> None:
    write("a.yaml", SHORT)
    ran = json_of("a.yaml", "--context", "missing")
    assert ran.status == 2
    assert ran.rules == {"EFS101"}
    assert ran.err == "efslint: missing: no such file or directory\n"


def test_what_cannot_be_read_below_a_context_is_skipped_and_named() -> None:
    """As for a hook: the context is the repository, with whatever else lies in it."""
    write("a.yaml", SHORT)
    write("d/large.yaml", "#" * 2000)
    write("d/class.yaml", CLASS)
    write(".efslint.yaml", "max-file-size: 1KiB\n")
    ran = json_of("a.yaml", "--context", ".")
    assert (ran.status, ran.err) == (1, "")
    assert ran.rules == {"EFS101"}
    assert ran.report["skipped"] == [{"path": "d/large.yaml", "line": 1, "reason": "unreadable"}]
    assert json_of("a.yaml", "d").status == 2, "asked for, and not done"
    assert json_of("a.yaml", "--context", "d/large.yaml").status == 2, "asked for by its name"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be read here")
def test_a_directory_that_must_not_be_read_does_not_stop_a_hook(folder: Path) -> None:
    write("a.yaml", CLEAN)
    (folder / "pgdata").mkdir(mode=0)
    ran = json_of("a.yaml", "--context", ".")
    assert (ran.status, ran.err) == (0, "")
    assert ran.report["skipped"] == [{"path": "pgdata", "line": 1, "reason": "unreadable"}]
    assert json_of(".").status == 2


def test_a_context_that_is_no_text_is_named() -> None:
    write("a.yaml", SHORT)
    Path("b.yaml").write_bytes(SHORT.encode("utf-16-le"))
    ran = json_of("a.yaml", "--context", ".")
    assert ran.rules == {"EFS101"}
    assert ran.report["skipped"] == [{"path": "b.yaml", "line": 1, "reason": "not-text"}]


def test_a_context_named_by_the_configuration() -> None:
    write(".efslint.yaml", "context: [class.yaml]\n")
    write("class.yaml", CLASS)
    write("db.yaml", DATABASE)
    assert "EFS201" in json_of("db.yaml").rules


def test_suppressions_in_the_context_are_not_judged() -> None:
    write("a.yaml", CLEAN)
    write("b.yaml", f"# efslint: ignore-file[EFS101] for others\n{CLEAN}")
    assert json_of("a.yaml", "--context", "b.yaml").places == []
    assert json_of("b.yaml", "--context", "a.yaml").rules == {"EFS004"}
