"""A repository of 400 old findings: accepted once, it stays quiet until something is new, and says what was fixed."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from commands import CLASS, CLEAN, DATABASE, SHORT, Ran, efslint

FILES, EACH = 40, 10
OLD = FILES * EACH


def volume(number: int) -> str:
    return SHORT.replace("short", f"volume-{number}")


def write(name: str, documents: list[str]) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("---\n".join(documents))


def documents_of(file: int) -> list[str]:
    return [volume(file * EACH + number) for number in range(EACH)]


def ran(*arguments: str, stdin: str = "") -> Ran:
    return efslint("-f", "json", *arguments, stdin=stdin.encode())


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the manifests, and a baseline that the configuration names."""
    folder = tmp_path_factory.mktemp("old")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for file in range(FILES):
            write(f"apps/{file:02}.yaml", documents_of(file))
        Path(".efslint.yaml").write_text("baseline: known.json\n")
        before = efslint("--no-config", "--statistics", "apps")
        assert (before.status, before.out.splitlines()[0]) == (1, f"{OLD}  EFS101  warning  timeo-too-short")
        assert efslint("--update-baseline", "apps").err == f"efslint: known.json: {OLD} findings written\n"
    return folder


@pytest.fixture(autouse=True)
def folder(accepted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that directory, to work in."""
    monkeypatch.chdir(shutil.copytree(accepted, tmp_path / "copy"))
    return tmp_path


def all_known(*arguments: str, stdin: str = "", number: int = OLD) -> None:
    """Check that everything is known, that nothing is missed, and that the baseline would stay as it is."""
    known = ran(*arguments, stdin=stdin)
    assert (known.status, known.report["findings"], known.err) == (0, [], "")
    assert known.report["summary"]["baselined"] == number


def test_the_first_run_is_quiet_and_says_how_much_it_does_not_say() -> None:
    all_known("apps")
    assert f"{OLD} baselined" in efslint("apps").out


def test_one_new_finding_fails_the_run_and_is_all_that_is_shown() -> None:
    write("apps/00.yaml", [*documents_of(0), volume(OLD)])
    new = ran("apps")
    assert new.status == 1
    assert [each["object"]["name"] for each in new.report["findings"]] == [f"volume-{OLD}"]
    assert new.report["summary"]["baselined"] == OLD


def test_a_second_fault_of_a_known_object_is_new() -> None:
    write("apps/00.yaml", [volume(0).replace("- hard", "- soft"), *documents_of(0)[1:]])
    new = ran("apps")
    assert [(each["rule"], each["object"]["name"]) for each in new.report["findings"]] == [("EFS103", "volume-0")]


def test_what_was_fixed_is_stale_and_can_be_taken_out() -> None:
    write("apps/00.yaml", [CLEAN.replace("short", "volume-0"), *documents_of(0)[1:]])
    fixed = ran("apps")
    assert fixed.status == 0
    assert fixed.err == "efslint: known.json: stale entry: EFS101 of PersistentVolume/volume-0 is no longer found\n"
    efslint("--update-baseline", "apps")
    all_known("apps", number=OLD - 1)
    write("apps/00.yaml", documents_of(0))
    assert ran("apps").status == 1, "what came back is new"


def test_moved_lines_change_nothing() -> None:
    for path in Path("apps").iterdir():
        path.write_text("# a comment\n\n" + path.read_text().replace("metadata:\n", "metadata:\n  labels: {a: b}\n"))
    all_known("apps")


def test_the_order_of_documents_and_options_changes_nothing() -> None:
    shuffle = random.Random(7).shuffle
    for file in range(FILES):
        documents = [
            text.replace("    - hard\n    - timeo=30\n", "    - timeo=30\n    - hard\n") for text in documents_of(file)
        ]
        shuffle(documents)
        write(f"apps/{file:02}.yaml", documents)
    all_known("apps")


def test_renamed_and_divided_files_change_nothing() -> None:
    for file in range(FILES):
        for number, text in enumerate(documents_of(file)):
            write(f"clusters/main/{file}/{number}.yaml", [text])
        Path(f"apps/{file:02}.yaml").unlink()
    all_known(".")


def rendered(version: str, numbers: Iterable[int]) -> str:
    """Return what Helm prints for a version of a chart."""
    labels = f"metadata:\n  labels: {{helm.sh/chart: storage-{version}}}\n"
    texts = (volume(number).replace("metadata:\n", labels) for number in numbers)
    return "".join(f"---\n# Source: storage/templates/volumes.yaml\n{text}" for text in texts)


def test_a_chart_that_is_rendered_again_changes_nothing() -> None:
    efslint("--update-baseline", "--baseline", "chart.json", "-", stdin=rendered("1.0.0", range(EACH)).encode())
    all_known("--baseline", "chart.json", "-", stdin=rendered("1.1.0", reversed(range(EACH))), number=EACH)


def test_a_part_of_the_files_says_nothing_of_the_others() -> None:
    """As a hook does, which passes the files of the commit."""
    all_known("--context", ".", "apps/03.yaml", "apps/04.yaml", number=2 * EACH)
    before = Path("known.json").read_text()
    efslint("--update-baseline", "apps/03.yaml")
    assert json.loads(Path("known.json").read_text()) == json.loads(before)


def test_what_is_new_across_files_fails_though_its_files_are_known() -> None:
    write("storage/class.yaml", [CLASS])
    write("apps/db.yaml", [DATABASE.replace("storageClassName: files", "storageClassName: other")])
    efslint("--update-baseline", ".")
    write("apps/db.yaml", [DATABASE])
    new = ran("--context", ".", "apps/db.yaml")
    assert new.status == 1
    assert "EFS201" in new.rules


def test_calls_for_parts_of_a_commit_find_what_one_call_finds() -> None:
    """pre-commit cuts a long list of files; a chain that lies in two parts is told twice, and nothing is lost."""
    Path(".efslint.yaml").unlink()
    for path in sorted(Path("apps").iterdir())[3:]:
        path.unlink()
    for number in range(3):
        write(f"storage/{number}.yaml", [CLASS.replace("files", f"files-{number}")])
        text = DATABASE.replace("name: db", f"name: db-{number}").replace(
            "storageClassName: files", f"storageClassName: files-{number}"
        )
        write(f"db/{number}.yaml", [text])
    paths = sorted(str(path) for name in ("apps", "db", "storage") for path in Path(name).iterdir())
    random.Random(3).shuffle(paths)
    parts = [paths[start : start + 2] for start in range(0, len(paths), 2)]
    assert len(parts) > 3

    def found(*files: str) -> set[tuple[str, str, int, int]]:
        return set(ran("--context", ".", *files).places)

    whole = found(*paths)
    assert {rule for rule, *_ in whole} >= {"EFS101", "EFS201"}
    assert set().union(*(found(*part) for part in parts)) == whole
