"""Files read and parsed in one process and in several."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_start_method
from pathlib import Path

import pytest
from commands import CLASS, DATABASE, SHORT, efslint

from efslint import workers
from efslint.inputs.files import File, find_sources
from efslint.inputs.reading import ChartDirectory, NotText, Read, Unreadable
from efslint.kube.manifests import Manifests
from efslint.text.source import Source
from efslint.workers import parse_all

# Pytest itself may have threads, of which Python 3.12 warns when it forks; the command has none.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(30):
        (tmp_path / f"{number:02}.yaml").write_text((SERVICE, CLASS, DATABASE, SHORT, "[", "a: {{ x }}")[number % 6])
    (tmp_path / "30.yaml").write_bytes("kind: é".encode("utf-16-le"))
    (tmp_path / "31.yaml").symlink_to("nowhere")
    (tmp_path / "32.yaml").write_bytes(b"a: \xff\n---\n" + SHORT.encode())
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_report_does_not_depend_on_the_number_of_processes(form: str) -> None:
    one = efslint("-f", form, "--jobs", "1", ".")
    assert "EFS201" in one.out
    assert efslint("-f", form, "--jobs", "3", ".") == one
    assert efslint("-f", form, ".") == one


@pytest.mark.usefixtures("folder")
def test_results_keep_their_order_and_their_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_BATCH_FILES", 4)
    found: list[Read | File] = [*find_sources(["."])]
    found.insert(5, Source("given.yaml", SHORT))
    one = list(parse_all(found, 1))
    several = list(parse_all(found, 2))
    assert several == one
    assert type(one[5]) is Manifests
    assert one[5].source == Source("given.yaml", SHORT)
    assert [type(each) for each in one[-3:]] == [NotText, Unreadable, Manifests]


def test_what_is_no_file_is_handed_on() -> None:
    found = (ChartDirectory("c"), Unreadable("x", "is odd"))
    assert tuple(parse_all(found)) == found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (SERVICE, False),
        ("a: 1\n", False),
        (CLASS, True),
        ("[\n", True),
        (f"{SERVICE}# efslint: ignore[EFS101]\n", True),
        (f"# Source: c/templates/x.yaml\n{SERVICE}", True),
        ("apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: a}\nspec: {chart: b}\n", True),
    ],
)
def test_a_text_is_kept_only_if_something_can_be_said_of_it(text: str, kept: bool, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)
    (parsed,) = parse_all([File(str(tmp_path / "a.yaml"), len(text))], 1)
    assert isinstance(parsed, Manifests)
    assert parsed.source.text == (text if kept else "")


def test_several_processes_are_used_when_there_is_enough_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Pool(ProcessPoolExecutor):
        def __init__(self, processes: int, **options: object) -> None:
            asked.append(processes)
            super().__init__(1, **options)  # type: ignore[arg-type]

    def parsed(jobs: int | None, *sizes: int) -> Iterator[object]:
        return parse_all([File("missing", size) for size in sizes], jobs)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert len(list(parsed(None, 10, 10, 10))) == 3
    assert len(list(parsed(1, workers.ENOUGH_BYTES, 10))) == 2
    assert asked == []
    assert len(list(parsed(None, workers.ENOUGH_BYTES, 10))) == 2
    assert len(list(parsed(8, 10, 10, 10, 10))) == 4
    assert len(list(parsed(None, *[workers.ENOUGH_BYTES] * 5))) == 5
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert len(list(parsed(None, *[workers.ENOUGH_BYTES] * 5))) == 5
    assert asked == [2, 4, 3, 2]


def test_batches_hold_what_is_worth_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_BATCH_BYTES", 100)
    monkeypatch.setattr(workers, "_BATCH_FILES", 3)
    files = [File(f"missing-{size}", size) for size in (10, 10, 10, 10, 95, 200, 1)]
    batches = list(workers._batches(files))
    assert [[file.size for file in batch] for batch in batches] == [[10, 10, 10], [10, 95], [200], [1]]
    assert workers._parse_batch(batches[1]) == [
        Unreadable(f"missing-{size}", "no such file or directory") for size in (10, 95)
    ]


@pytest.mark.skipif(get_start_method() != "fork", reason="other processes do not inherit the fault")
def test_a_fault_in_another_process_is_a_fault_of_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: File) -> Read:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(workers, "read_found", broken)
    ran = efslint("--jobs", "2", str(folder))
    assert (ran.status, ran.out) == (2, "")
    assert "internal error: ZeroDivisionError: oops" in ran.err


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "1000", "²"])
def test_a_number_of_processes_that_is_none(number: str) -> None:
    ran = efslint("--jobs", number, ".")
    assert ran.status == 2
    assert "neither auto nor a number from 1 to 999" in ran.err


@pytest.mark.parametrize("method", get_all_start_methods())
def test_processes_can_be_started_in_every_way(method: str, folder: Path) -> None:
    script = folder / "run.py"
    script.write_text(
        "import multiprocessing, sys\nfrom efslint.cli import main\n"
        f"if __name__ == '__main__':\n    multiprocessing.set_start_method('{method}')\n    sys.exit(main())\n"
    )
    answers = [
        subprocess.run((sys.executable, script, "--jobs", jobs, "."), capture_output=True, text=True, check=False)
        for jobs in ("1", "2")
    ]
    one, several = ((answer.returncode, answer.stdout, answer.stderr) for answer in answers)
    assert "EFS201" in one[1]
    assert several == one


@pytest.mark.usefixtures("folder")
def test_auto_is_what_is_done_anyway() -> None:
    assert efslint("--jobs", "auto", ".") == efslint(".")
