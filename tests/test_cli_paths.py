"""Paths as people give them: what is read, what is left out, and what cannot be read while the rest still is."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from commands import CLASS, CLEAN, DATABASE, SHORT, efslint

from efslint.inputs import walk


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str | bytes = SHORT) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def paths(*arguments: str, stdin: bytes = b"") -> list[str]:
    """Lint and return the paths of the findings; every file that the tests write holds one."""
    return [path for _, path, _, _ in efslint("-f", "json", *arguments, stdin=stdin).places]


def skipped(*arguments: str) -> list[tuple[str, str]]:
    return [(each["path"], each["reason"]) for each in efslint("-f", "json", *arguments).report["skipped"]]


NAMES = ["a b.yaml", "a\nb.yaml", "é×.yaml", "-x.yaml", ".hidden.yaml", "#1.yaml", "::error::.yaml", "a\x1b[1m.yaml"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_will_do(name: str) -> None:
    write(name)
    assert paths(f"./{name}") == [name]
    assert paths(".") == [name]
    told = efslint("-f", "concise", ".").out
    assert told.count("\n") == 2, "the finding is one line, the summary another"
    assert "\x1b" not in told


def test_a_name_that_is_no_text() -> None:
    name = os.fsdecode(b"\xff.yaml")
    try:
        write(name)
    except OSError:
        pytest.skip("names of files have to be text here")
    ran = efslint("-f", "concise", ".")
    assert ran.status == 1
    assert ran.out.startswith("\\udcff.yaml:10:7: ")
    assert efslint("--list-files", ".").out == "\\udcff.yaml\n"


def test_a_directory_is_walked_in_order_for_its_manifests() -> None:
    for name in ("b/2.yml", "b/1.yaml", "a.json", "c.txt", "d.yaml.bak", "x.yaml/e.yaml", ".github/f.yaml"):
        write(name, SHORT if not name.endswith(".json") else b'{"kind": "List", "apiVersion": "v1", "items": []}')
    expected = [".github/f.yaml", "a.json", "b/1.yaml", "b/2.yml", "x.yaml/e.yaml"]
    assert efslint("--list-files", ".").out.splitlines() == expected
    assert paths(".") == [name for name in expected if name != "a.json"]


@pytest.mark.parametrize("name", sorted(walk.TOOL_DIRECTORIES))
def test_directories_of_tools_are_left_out_of_a_walk_only(name: str) -> None:
    write(f"{name}/a.yaml")
    write(f"below/{name}/a.yaml")
    assert paths(".") == []
    assert paths(name) == [f"{name}/a.yaml"]


def test_the_lock_of_an_editor_is_no_file(folder: Path) -> None:
    write("a.yaml")
    (folder / ".#a.yaml").symlink_to("somebody@host.123")
    ran = efslint("-f", "json", ".")
    assert (ran.status, ran.err) == (1, "")


def test_what_is_given_twice_is_read_once(folder: Path) -> None:
    write("d/a.yaml")
    (folder / "link.yaml").symlink_to("d/a.yaml")
    (folder / "e").symlink_to("d")
    assert paths("d", "d/a.yaml", "./d/../d/a.yaml", str(folder / "d"), "link.yaml", "e") == ["d/a.yaml"]
    assert efslint("--list-files", "link.yaml", "d").out == "link.yaml\n"
    assert efslint("-f", "json", "link.yaml", "d").report["summary"]["files"] == 1
    assert paths("-", "-", stdin=SHORT.encode()) == ["<stdin>"]
    ran = efslint("missing.yaml", "./missing.yaml")
    assert ran.err.count("missing.yaml") == 1


def test_two_hard_links_are_two_files(folder: Path) -> None:
    write("a.yaml")
    (folder / "b.yaml").hardlink_to("a.yaml")
    assert efslint("--list-files", "a.yaml", ".").out == "a.yaml\nb.yaml\n"


def test_links_in_a_circle_end(folder: Path) -> None:
    write("d/a.yaml")
    (folder / "d/up").symlink_to("..")
    (folder / "d/here").symlink_to(".")
    assert paths(".") == ["d/a.yaml"]
    assert skipped(".") == []
    (folder / "loop").symlink_to("loop")
    assert efslint(".").status == 1, "nothing says that it is a manifest"
    (folder / "loop.yaml").symlink_to("loop.yaml")
    ran = efslint("-f", "json", ".")
    assert ran.status == 2
    assert ran.err.startswith("efslint: loop.yaml: too many levels of symbolic links")
    assert len(ran.places) == 1


def test_a_link_out_of_the_walk_is_named(folder: Path) -> None:
    write("base/a.yaml")
    write("over/b.yaml")
    (folder / "over/base").symlink_to("../base")
    (folder / "over/.git").symlink_to("../base")
    assert skipped("over") == [("over/base", "link-to-directory")]
    assert efslint("--strict", "--fail-on", "never", "over").status == 1
    assert "over/base: skipped: link-to-directory" in efslint("--list-files", "over").err
    assert skipped("over", "base") == skipped("over", "-", "base") == skipped("--exclude", "over/base", "over") == []


def test_a_missing_path_costs_only_itself() -> None:
    write("a.yaml")
    ran = efslint("-f", "json", "missing.yaml", "a.yaml", "none/")
    assert ran.status == 2
    assert [path for _, path, _, _ in ran.places] == ["a.yaml"]
    assert ran.err == ("efslint: missing.yaml: no such file or directory\nefslint: none: no such file or directory\n")
    ran = efslint("--list-files", "missing.yaml", "a.yaml")
    assert (ran.status, ran.out, ran.err) == (2, "a.yaml\n", "efslint: missing.yaml: no such file or directory\n")


def test_quiet_does_not_hide_a_failure() -> None:
    write("a.yaml", CLEAN)
    assert efslint("-q", "a.yaml", "missing.yaml") == (2, "", "efslint: missing.yaml: no such file or directory\n")


def test_a_link_to_nothing_costs_only_itself(folder: Path) -> None:
    write("a.yaml")
    (folder / "b.yaml").symlink_to("nothing")
    ran = efslint("-f", "json", ".")
    assert ran.status == 2
    assert [path for _, path, _, _ in ran.places] == ["a.yaml"]
    assert ran.err == "efslint: b.yaml: no such file or directory\n"


def test_a_file_that_may_not_be_read_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.yaml", "b.yaml", "d/e.yaml"):
        write(name)
    opened, scanned = os.open, os.scandir

    def open_(path: str, flags: int) -> int:
        if path.endswith("b.yaml"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    def scan(path: str) -> object:
        if path.endswith("d"):
            raise PermissionError(13, "Permission denied")
        return scanned(path)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "scandir", scan)
    ran = efslint("-f", "json", ".")
    assert ran.status == 2
    assert [path for _, path, _, _ in ran.places] == ["a.yaml"]
    assert ran.err == "efslint: b.yaml: permission denied\nefslint: d: permission denied\n"


def test_a_pipe_that_is_given_is_read() -> None:
    out, into = os.pipe()
    os.write(into, SHORT.encode())
    os.close(into)
    try:
        assert paths(f"/dev/fd/{out}") == [os.path.relpath(f"/dev/fd/{out}").replace(os.sep, "/")]
    finally:
        os.close(out)


def test_what_is_no_file_in_a_walk_is_named(folder: Path) -> None:
    write("d/a.yaml")
    os.mkfifo(folder / "d/fifo.yaml")
    os.mkfifo(folder / "d/fifo")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("d/socket.yaml")
        ran = efslint("-f", "json", "d")
    assert ran.status == 1
    assert [path for _, path, _, _ in ran.places] == ["d/a.yaml"]
    assert [(each["path"], each["reason"]) for each in ran.report["skipped"]] == [
        ("d/fifo.yaml", "not-a-regular-file"),
        ("d/socket.yaml", "not-a-regular-file"),
    ]
    assert efslint("--list-files", "d").out == "d/a.yaml\n"


def test_standard_input() -> None:
    assert paths("-", stdin=SHORT.encode()) == ["<stdin>"]
    assert paths("--stdin-filename", "chart/x.yaml", "-", stdin=SHORT.encode()) == ["chart/x.yaml"]
    assert efslint("--list-files", "-").out == "-\n"
    assert efslint("-", stdin=None) == (
        2,
        efslint("-").out.replace("1 file,", "0 files,"),
        "efslint: <stdin>: standard input is closed\n",
    )


def test_standard_input_joins_files() -> None:
    write("class.yaml", CLASS)
    ran = efslint("-f", "json", "class.yaml", "-", stdin=DATABASE.encode())
    assert "EFS201" in ran.rules


def test_a_file_with_nothing_in_it() -> None:
    for name, text in (
        ("empty.yaml", b""),
        ("blank.yaml", b"\n \n"),
        ("mark.yaml", b"\xef\xbb\xbf"),
        ("c.yaml", b"#\n"),
    ):
        write(name, text)
    ran = efslint("-f", "json", ".")
    assert (ran.status, ran.err) == (0, "")
    assert ran.report["summary"]["files"] == 4
    assert ran.report["findings"] == []
    assert efslint(".").out == "no findings; 4 files, 0 documents read; no Kubernetes object found\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_with_a_mark(encoding: str) -> None:
    write("a.yaml", SHORT.encode(encoding))
    assert efslint("-f", "json", "a.yaml").places == [("EFS101", "a.yaml", 10, 7)]


UTF_16 = b"\xff\xfe" + "kind: Pod\nx: é".encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (SHORT.encode("utf-16-le"), 1, 1),
        (SHORT.encode("utf-32-be"), 1, 1),
        (UTF_16[:-1], 2, 4),  # half of the é, the fourth character of its line
        (b"kind: Pod\nname: a\0b\n", 2, 8),
        (b"kind: Pod\nname: \xff\n", 2, 7),
    ],
)
def test_what_is_no_text_is_reported_at_its_place_and_costs_only_itself(data: bytes, line: int, column: int) -> None:
    write("a.yaml")
    write("b.yaml", data)
    ran = efslint("-f", "json", "b.yaml", "a.yaml")
    assert ran.status == 1
    assert ran.err == ""
    assert ran.places == [("EFS101", "a.yaml", 10, 7), ("EFS000", "b.yaml", line, column)]
    assert [(each["path"], each["line"]) for each in ran.report["skipped"]] == [("b.yaml", line)]
    assert ran.report["summary"]["files"] == 2


def test_a_byte_that_is_no_text_costs_only_its_document() -> None:
    write("a.yaml", b"kind: Pod\nname: \xff\n---\n" + SHORT.encode())
    assert efslint("-f", "json", "a.yaml").places == [("EFS000", "a.yaml", 2, 7), ("EFS101", "a.yaml", 13, 7)]


def test_paths_are_told_from_where_one_stands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("d/e/a.yaml")
    assert paths("d") == paths(str(folder / "d")) == ["d/e/a.yaml"]
    monkeypatch.chdir("d/e")
    assert paths(".") == paths("../../d") == ["a.yaml"]
    (folder / "f").mkdir()
    monkeypatch.chdir(folder / "f")
    assert paths(str(folder / "d")) == ["../d/e/a.yaml"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["*.yml"], ["a.yaml", "d/b.yaml", "d/e/c.yaml"]),
        (["d/"], ["a.yaml", "x.yml"]),
        (["d/*", "!d/b.yaml"], ["a.yaml", "d/b.yaml", "x.yml"]),
        (["/a.yaml", "c.yaml"], ["d/b.yaml", "x.yml"]),
        (["*"], []),
    ],
)
def test_patterns_leave_files_out(patterns: list[str], left: list[str]) -> None:
    for name in ("a.yaml", "x.yml", "d/b.yaml", "d/e/c.yaml"):
        write(name)
    given = [word for pattern in patterns for word in ("--exclude", pattern)]
    assert efslint("--list-files", *given, ".").out.splitlines() == left
    assert efslint("--list-files", *given, "a.yaml", "d/b.yaml", "d/e", "x.yml").out.splitlines() == left
    assert paths(*given, ".") == left


def test_the_configuration_leaves_files_out_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    write(".efslint.yaml", "exclude: [/d/e]\n")
    write("d/e/a.yaml")
    write("d/b.yaml")
    assert paths(".") == ["d/b.yaml"]
    monkeypatch.chdir("d")
    assert paths(".", "e", "e/a.yaml") == ["b.yaml"]
    assert paths("--no-config", ".") == ["b.yaml", "e/a.yaml"]
