"""Files to sources, below the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from efslint.inputs import files, read_bytes, walk
from efslint.inputs.files import Seen, list_files, read_sources
from efslint.inputs.reading import NotRegular, NotText, Unreadable, read_file, shown
from efslint.inputs.report_files import write_report
from efslint.inputs.rule_files import (
    RulesMissingError,
    built_in_directory,
    read_rule_files,
    read_rule_pack,
    rule_file_names,
)
from efslint.text.decode import DecodeError, decode
from efslint.text.source import Source


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_its_text_under_the_path_from_here(folder: Path) -> None:
    (folder / "d").mkdir()
    (folder / "d/a.yaml").write_bytes("\ufeffa: é\r\n".encode())
    assert read_file(str(folder / "d/a.yaml")) == Source("d/a.yaml", "a: é\r\n")


@pytest.mark.parametrize(
    ("path", "reason"), [("none", "no such file or directory"), (".", "is a directory"), ("a\0b", "embedded null byte")]
)
def test_what_cannot_be_read_is_a_value(path: str, reason: str) -> None:
    assert read_file(path) == Unreadable(path, reason)


def test_a_path_that_is_none_is_a_value() -> None:
    assert list(read_sources(["a\0b"])) == [Unreadable("a\0b", "embedded null byte")]


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 25])
def test_a_file_is_read_to_its_end_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(read_bytes, "_CHUNK", 4)
    (folder / "a.yaml").write_bytes(b"x" * size)
    too_large = Unreadable("a.yaml", "larger than 10 bytes, the max-file-size of the configuration")
    assert read_file("a.yaml", 10) == (Source("a.yaml", "x" * size) if size <= 10 else too_large)


def test_an_endless_file_ends() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no endless device")
    too_large = Unreadable(shown("/dev/zero"), "larger than 3 MiB, the max-file-size of the configuration")
    assert read_file("/dev/zero", 3 * 1024 * 1024) == too_large


DAMAGED = b"\xff\xfe" + "a: 1\r\nbé: 2".encode("utf-16-le")


@pytest.mark.parametrize(
    "data",
    [
        "a: 1\nb: 2\n".encode("utf-16-le"),
        "a: 1\nb: 2\n".encode("utf-16-be"),
        "a: 1\nb: 2\n".encode("utf-32-le"),
        *(DAMAGED[: len(DAMAGED) - cut] for cut in (1, 3, 11, 21)),
        b"\xff\xfe\x00\xd8a",
        b"\xff\xfe\x00\x00" + "ab\nc".encode("utf-32-le")[:-2],
    ],
)
def test_what_is_no_text_ends_where_decoding_did(folder: Path, data: bytes) -> None:
    (folder / "a.yaml").write_bytes(data)
    read = read_file("a.yaml")
    with pytest.raises(DecodeError) as error:
        decode(data)
    assert isinstance(read, NotText)
    assert read.source.path == "a.yaml"
    assert read.source.position(read.offset) == (error.value.line, error.value.column)
    assert read.reason == error.value.message


def test_standard_input_fails_as_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read(self, _: int | None = -1) -> NoReturn:
            raise OSError(5, "Input/output error")

    stdin: Any = io.TextIOWrapper(Failing())
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(read_sources(["-"], "piped")) == [Unreadable("piped", "input/output error")]


def test_calls_of_one_run_read_nothing_twice(folder: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text("")
    (folder / "c.yaml").symlink_to("a.yaml")
    os.mkfifo(folder / "f.yaml")
    seen = Seen()
    first = list(read_sources(["c.yaml", "none"], seen=seen))
    assert [each.path for each in first if not isinstance(each, NotText)] == ["c.yaml", "none"]
    second = list(read_sources([".", "none", "-"], seen=seen))
    assert second[:2] == [Source("b.yaml", ""), NotRegular("f.yaml")]
    assert len(second) == 3, "and standard input"
    assert list(read_sources([".", "-"], seen=seen)) == []
    assert len(list(read_sources([".", "none"]))) == 4, "another run knows nothing of this one"


def test_a_file_that_vanishes_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.yaml").write_text("")
    found = walk.expand("a.yaml", files.nothing, ("a.yaml",))

    def expand(*_: object) -> Any:
        for each in found:
            (folder / "a.yaml").unlink()
            yield each

    monkeypatch.setattr(files, "expand", expand)
    assert list(read_sources(["a.yaml"])) == [Unreadable("a.yaml", "no such file or directory")]


def test_names_without_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.yaml").write_text("")
    monkeypatch.setattr(Path, "open", None)
    assert list(list_files([".", "-", "none"])) == ["a.yaml", "-", Unreadable("none", "no such file or directory")]


def test_directories_that_are_left_out_are_not_entered(folder: Path) -> None:
    (folder / "d/e").mkdir(parents=True)
    (folder / "d/a.yaml").write_text("")
    (folder / "d/e/b.yaml").write_text("")
    asked: list[str] = []

    def excluded(path: str) -> bool:
        asked.append(path)
        return path == "d/e/"

    assert list(list_files(["d"], excluded)) == ["d/a.yaml"]
    assert asked == ["d/a.yaml", "d/e/"]


def test_rules_of_a_wheel_of_a_checkout_and_of_neither(folder: Path) -> None:
    package = folder / "efslint"
    package.mkdir()
    with pytest.raises(RulesMissingError, match="the rules that belong to efslint are missing"):
        built_in_directory(str(package))
    (folder / "rules").mkdir()
    assert built_in_directory(str(package)) == str(folder / "rules")
    (package / "_rules").mkdir()
    assert built_in_directory(str(package)) == str(package / "_rules")
    assert "EFS101-timeo-too-short.yaml" in rule_file_names(built_in_directory())


def test_rule_files_are_found_in_order(folder: Path) -> None:
    for name in ("b.yml", "a.yaml", "c.txt", "d.json"):
        (folder / name).write_text(name)
    assert rule_file_names(".") == ("a.yaml", "b.yml")
    expected = [Source("a.yaml", "a.yaml"), Source("b.yml", "b.yml")]
    assert list(read_rule_files(".", ("a.yaml", "b.yml"))) == list(read_rule_pack(".")) == expected


@pytest.mark.parametrize(
    ("path", "reason"), [("none", "no such file or directory"), ("a\0b", "embedded null byte"), (".", "there are no")]
)
def test_a_rule_pack_that_is_none_is_a_value(path: str, reason: str) -> None:
    (read,) = read_rule_pack(path)
    assert isinstance(read, Unreadable)
    assert read.path == path
    assert read.reason.startswith(reason)


def test_a_report_file(folder: Path) -> None:
    assert write_report("a.txt", "é\n\udcff") is None
    assert (folder / "a.txt").read_bytes() == b"\xc3\xa9\n\\udcff"
    assert write_report(".", "") == Unreadable(".", "is a directory")
    assert write_report("none/a.txt", "") == Unreadable("none/a.txt", "no such file or directory")
    assert write_report("a\0b", "") == Unreadable("a\0b", "embedded null byte")


@pytest.mark.parametrize("directory", ["", "./", "../", "../w/", "../../", "a/../", "a//", "/", "/w/", "a/w/", "x/"])
@pytest.mark.parametrize("name", ["a", "w", "..", ".", "", "a.yaml", "w/..", "a/w/"])
def test_a_path_is_shown_as_it_leads_from_here(
    directory: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "w" / "a").mkdir(parents=True)
    monkeypatch.chdir(folder / "w")
    for place in (f"{directory}{name}", f"{folder}/{directory}{name}"):
        assert shown(place) == os.path.relpath(place) if place else True


def test_a_pipe_whose_writer_was_faster_keeps_what_it_wrote() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        assert read_bytes._awaited(reading) == b"", "a writer is there, with nothing to say yet"
        os.write(writing, b"kind: Pod")
        assert read_bytes._awaited(reading) == b"kind: Pod"
    finally:
        os.close(reading)
        os.close(writing)
