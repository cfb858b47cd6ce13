"""Input that nobody vetted: whatever it is, a run ends soon, with an exit status that is said, and without a traceback.

Sizes are such that anything but linear time would show. The heaviest run where ``EFSLINT_HEAVY`` is set.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import CLASS, DATABASE, SHORT, Ran, efslint

from efslint.builtin import default_settings
from efslint.inputs import read_bytes
from efslint.pipeline import lint
from efslint.report.formats import FORMATS, render
from efslint.text.source import Source

N = 20_000
SECONDS = 20.0
"""What no run here may take; all take less than two, on a machine that has nothing else to do."""

PV = SHORT.encode()
heavy = pytest.mark.skipif(not os.environ.get("EFSLINT_HEAVY"), reason="set EFSLINT_HEAVY to run the heaviest inputs")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, **more: bytes) -> Ran:
    started = time.monotonic()
    ran = efslint("--no-config", "-f", "json", *arguments, **more)
    assert time.monotonic() - started < SECONDS
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err
    return ran


def pod(container: str, name: str = "p") -> str:
    """Write a pod with one container, in flow style, and the claim and the volume that it needs."""
    return (
        f"{SHORT}---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: c}}\nspec: {{volumeName: short, "
        "storageClassName: '', accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}\n"
        f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n"
        "  volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]\n"
        f"  containers:\n  - {{name: c, volumeMounts: [{{name: d, mountPath: /data}}], {container}}}\n"
    )


def bomb(levels: int) -> str:
    """Write a billion laughs: each level is nine times the one before."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "kind: PersistentVolume\n" + "\n".join(lines) + "\n"


def nested_maps(depth: int) -> str:
    return "kind: PersistentVolume\n" + "".join(" " * n + "a:\n" for n in range(depth))


# Name: text or bytes, exit status, rules that are found (all others than those that are named may be, too).
TEXTS: dict[str, tuple[str | bytes, int, set[str]]] = {
    "alias bomb": (bomb(12), 1, {"EFS000"}),
    "alias inside its anchor": ("kind: PersistentVolume\na: &a [*a]\n", 1, {"EFS000"}),
    "merge inside its anchor": ("kind: PersistentVolume\na: &a\n  <<: *a\n", 1, {"EFS000"}),
    "flow nesting": ("kind: PersistentVolume\na: " + "[" * 100_000, 1, {"EFS000"}),
    "flow nesting, closed": ("kind: PersistentVolume\na: " + "[" * 100_000 + "]" * 100_000, 1, {"EFS000"}),
    "flow nesting that concerns nobody": ("kind: Role\na: " + "[" * 100_000 + "]" * 100_000, 1, {"EFS000"}),
    "flow mappings": ("kind: PersistentVolume\na: " + "{a: " * 100_000, 1, {"EFS000"}),
    "block sequences": ("kind: PersistentVolume\na:\n" + "- " * 100_000 + "x\n", 1, {"EFS000"}),
    "block sequences that concern nobody": ("kind: Role\na:\n" + "- " * 100_000 + "x\n", 0, set()),
    "block mappings": (nested_maps(3000), 1, {"EFS000"}),
    "complex keys": ("kind: PersistentVolume\n" + "? " * 100_000 + "x\n", 1, {"EFS000"}),
    "json arrays": ('{"kind": "PersistentVolume", "a": ' + "[" * 100_000 + "]" * 100_000 + "}", 1, {"EFS000"}),
    "json objects": ('{"kind": "PersistentVolume", "a": ' * 100_000, 1, {"EFS000"}),
    "a scalar of a megabyte": (f"{SHORT}  x: {'y' * 1_000_000}\n", 1, {"EFS101"}),
    "a key of a megabyte": (f"{SHORT}  {'y' * 1_000_000}: 1\n", 1, {"EFS000"}),
    "a number of a megabyte": (f"{SHORT}  x: {'9' * 1_000_000}\n", 1, {"EFS101"}),
    "a line of a megabyte": (f"{SHORT}  x: [{'a, ' * 300_000}a]\n", 1, {"EFS101"}),
    "many documents": ("---\na: 1\n" * 100_000 + "---\n" + SHORT, 1, {"EFS101"}),
    "many empty documents": ("---\n" * 100_000 + SHORT, 1, {"EFS101"}),
    "many json values": ('{"kind": "Pod"}\n' * N, 0, set()),
    "NUL": (PV + b"---\na: \0\n", 1, {"EFS000", "EFS101"}),
    "control characters": (PV + b"---\na: \x1b[31m\x07\x08\n", 1, {"EFS000", "EFS101"}),
    "DEL and C1": (PV + b"---\na: \x7f\xc2\x9b\n", 1, {"EFS000", "EFS101"}),
    "invalid UTF-8 in one document": (b"a: \xff\xfe\xc0\n---\n" + PV, 1, {"EFS000", "EFS101"}),
    "an encoded surrogate": (b"a: \xed\xa0\x80\n---\n" + PV, 1, {"EFS000", "EFS101"}),
    "UTF-8 with a mark": (b"\xef\xbb\xbf" + PV, 1, {"EFS101"}),
    "UTF-16": (b"\xff\xfe" + SHORT.encode("utf-16-le"), 1, {"EFS101"}),
    "UTF-16, big endian": (b"\xfe\xff" + SHORT.encode("utf-16-be"), 1, {"EFS101"}),
    "UTF-16 without a mark": (SHORT.encode("utf-16-le"), 1, {"EFS000"}),
    "UTF-16, cut off": (b"\xff\xfe" + SHORT.encode("utf-16-le")[:-1], 1, {"EFS000"}),
    "UTF-32": (b"\xff\xfe\0\0" + SHORT.encode("utf-32-le"), 1, {"EFS101"}),
    "UTF-32, big endian": (b"\0\0\xfe\xff" + SHORT.encode("utf-32-be"), 1, {"EFS101"}),
    "UTF-32 beyond Unicode": (b"\xff\xfe\0\0\xff\xff\xff\x7f", 1, {"EFS000"}),
    "lone CR": (SHORT.replace("\n", "\r"), 1, {"EFS101"}),
    "CRLF and CR and LF": (SHORT.replace("metadata", "# x\r\r\n\rmetadata"), 1, {"EFS101"}),
    "NEL, LS and PS": (SHORT.replace("name: short", 'name: "a\u2028b\u2029c\u0085d"'), 1, {"EFS101"}),
    "tabs": (SHORT.replace("  mountOptions", "\tmountOptions"), 1, {"EFS000"}),
    "nothing but tabs": ("\t" * N, 0, set()),
    "unknown tags": (SHORT.replace("spec:", "spec: !!python/object/apply:os.system"), 1, {"EFS101"}),
    "a tag of junk": (f"{SHORT}---\n!%ff%fe {SHORT}", 1, {"EFS000", "EFS101"}),
    "a tag before many blank lines": (f"{SHORT}  x: !t{chr(10) * 50_000}    a\n", 1, {"EFS101"}),
    "many tags": (f"{SHORT}  x:\n" + "  - !t\n    a\n" * N, 1, {"EFS101"}),
    "blank lines before a directive": ("\n" * 50_000 + "%YAML 1.2\n---\n" + SHORT, 1, {"EFS101"}),
    "many anchors": ("kind: PersistentVolume\n" + "".join(f"a{n}: &a{n} 1\nb{n}: *a{n}\n" for n in range(N)), 0, set()),
    "a chain of merges": (
        "kind: PersistentVolume\na0: &a0 {k: 1}\n"
        + "".join(f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}\n" for n in range(1, N)),
        1,
        {"EFS000"},
    ),
    "one merge, many times": ("kind: PersistentVolume\nx: &x {a: 1}\ny:\n" + "  <<: *x\n" * N, 0, set()),
    "a template with much space": (f"{SHORT}a:{' ' * 50_000}b {{{{ .Values.x }}}}\nb: [\n", 1, {"EFS000"}),
    "a template with many quotes": (f"{SHORT}a: {chr(39) * 50_000} {{{{ .Values.x }}}}\nb: [\n", 1, {"EFS000"}),
    "braces": ("{{" * N, 0, {"EFS001"}),
    "output of Helm with many warnings": ("Error: x\n" * N + "---\n" + SHORT, 1, {"EFS000", "EFS101"}),
    "output of Helm with many sections": (
        "NAME: a\nLAST DEPLOYED: x\n" + "HOOKS:\n" * N + "MANIFEST:\n---\n" + SHORT,
        1,
        {"EFS101"},
    ),
    "the name of a template and much space": (f"# Source: a{' ' * N}b\n{SHORT}", 1, {"EFS101"}),
    "an until without an end": (
        SHORT.replace("timeo=30", f"timeo=30 # efslint: ignore[EFS101] until={'.' * 50_000}x"),
        1,
        {"EFS004"},
    ),
    "many suppressions": (SHORT + "# efslint: ignore[EFS101] x\n" * 2000, 1, {"EFS004", "EFS101"}),
    "a suppression of much": (SHORT.replace("timeo=30", f"timeo=30 # efslint: ignore[{'EFS101,' * N}]"), 0, set()),
    "an image with a long version": (pod(f"image: a{'.1' * N}x"), 1, {"EFS101"}),
    "an image with many dashes": (pod(f"image: a{'-1.1_2' * 40}x"), 1, {"EFS101"}),
    "a command of one word": (pod(f"command: [sh, -c, '{'chown ' * N}']"), 1, {"EFS101"}),
    "a command of shells": (pod(f"command: [{'sh, -c, ' * 2000}x]"), 1, {"EFS101"}),
    "a command of open braces": (pod(f"command: [sh, -c, '{'${a:-' * N}']"), 1, {"EFS101"}),
    "a command of here-documents": (pod(f'command: [sh, -c, "{"cat <<E" + chr(92) + "n" * N}"]'), 1, {"EFS101"}),
    "a command of ranges": (
        pod(f"image: minio/minio, command: [minio, server, '/d{'{0...999999}' * 9}']"),
        1,
        {"EFS101"},
    ),
    "variables that double": (
        pod(
            "args: ['$(A60)'], env: ["
            + ", ".join(f"{{name: A{n}, value: '$(A{n - 1})$(A{n - 1})'}}" for n in range(1, 61))
            + "]"
        ),
        1,
        {"EFS101"},
    ),
    "many mounts": (
        pod("image: 'postgres:16'").replace(
            "volumeMounts: [", "volumeMounts: [" + "".join(f"{{name: d, mountPath: /data{n}}}, " for n in range(2000))
        ),
        1,
        {"EFS101"},
    ),
    "a host of labels": (SHORT.replace("192.0.2.5", "a." * N + "efs.eu-west-1.amazonaws.com"), 1, {"EFS101"}),
    "a path of dots": (SHORT.replace("/short", "/v/.." * N), 1, {"EFS101"}),
    "lists in lists": ('{"kind": "List", "items": [' * 150 + "]}" * 150, 0, set()),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text(name: str) -> None:
    text, status, rules = TEXTS[name]
    Path("a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = run("a.yaml")
    assert ran.err == ""
    assert ran.status == status
    assert rules <= ran.rules
    assert ran.report["summary"]["files"] == 1
    assert "EFS000" in rules or "EFS000" not in ran.rules


def test_a_broken_document_costs_only_itself() -> None:
    Path("a.yaml").write_bytes(b"a: \xff\n---\n" + PV + b"---\nb: [\n---\n" + PV.replace(b"short", b"other"))
    assert [rule for rule, *_ in run("a.yaml").places] == ["EFS000", "EFS101", "EFS000", "EFS101"]


def test_ten_thousand_findings() -> None:
    count = 10_000 if os.environ.get("EFSLINT_HEAVY") else 1000
    text = "---\n".join(SHORT.replace("name: short", f"name: v{number}") for number in range(count))
    started = time.monotonic()
    report = lint([Source("a.yaml", text)], default_settings()).report
    assert sum(finding.rule == "EFS101" for finding in report.findings) == count
    for name in FORMATS:
        assert render(name, report)
    assert time.monotonic() - started < 3 * SECONDS


@heavy
@pytest.mark.parametrize(
    ("make", "status"),
    [
        pytest.param(lambda: SHORT + "  x: " + "y" * 100_000_000 + "\n", 1, id="a scalar of 100 MB"),
        pytest.param(lambda: "kind: Role\nx: " + "y" * 100_000_000 + "\n", 0, id="100 MB that concern nobody"),
        pytest.param(lambda: '{"kind": "PersistentVolume", "x": "' + "y" * 100_000_000 + '"}', 0, id="100 MB of JSON"),
        pytest.param(lambda: "---\na: 1\n" * 1_000_000, 0, id="a million documents"),
        pytest.param(lambda: "---\n" * 1_000_000, 0, id="a million empty documents"),
        pytest.param(lambda: "# x\n" * 5_000_000 + SHORT, 1, id="five million comments"),
    ],
)
def test_the_heaviest(make: Callable[[], str], status: int) -> None:
    Path("a.yaml").write_text(make())
    started = time.monotonic()
    ran = efslint("--no-config", "-f", "concise", "a.yaml")
    assert time.monotonic() - started < 60
    assert (ran.status, ran.err) == (status, "")


# Files.


def test_a_pipe_without_a_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_bytes, "PATIENCE", 0.1)
    os.mkfifo("pipe")
    Path("a.yaml").write_bytes(PV)
    ran = run("pipe", "a.yaml")
    assert ran.status == 2
    assert ran.err == "efslint: pipe: nobody has opened this pipe for writing in 0.1 seconds\n"
    assert "EFS101" in ran.rules


@pytest.mark.parametrize("pause", [0.0, 0.1])
def test_a_pipe_with_a_writer_that_takes_its_time(pause: float) -> None:
    os.mkfifo("pipe")

    def write() -> None:
        time.sleep(pause)
        with Path("pipe").open("wb") as pipe:
            time.sleep(pause)
            pipe.write(PV)

    writer = threading.Thread(target=write)
    writer.start()
    ran = run("pipe")
    writer.join()
    assert (ran.status, ran.err) == (1, "")


def test_pipes_and_sockets_in_a_directory() -> None:
    os.mkfifo("pipe.yaml")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.yaml")
        Path("a.yaml").write_bytes(PV)
        ran = run(".")
        assert [skip["path"] for skip in ran.report["skipped"]] == ["pipe.yaml", "s.yaml"]
        assert (ran.status, ran.err) == (1, "")
        ran = run("s.yaml")
        assert (ran.status, ran.err) == (2, "efslint: s.yaml: no such device or address\n")


def test_files_without_an_end() -> None:
    Path("c.yaml").write_text("max-file-size: 1MiB\n")
    Path("zero.yaml").symlink_to("/dev/zero")
    Path("a.yaml").write_bytes(PV)
    told = "larger than 1 MiB, the max-file-size of the configuration\n"
    for arguments, stdin, name in (
        (["/dev/zero"], b"", os.path.relpath("/dev/zero")),
        (["zero.yaml"], b"", "zero.yaml"),
        (["-"], b"x" * (1024 * 1024 + 1), "<stdin>"),
    ):
        ran = efslint("--config", "c.yaml", "-f", "json", *arguments, "a.yaml", stdin=stdin)
        assert (ran.status, ran.err) == (2, f"efslint: {name}: {told}")
        assert "EFS101" in ran.rules
    assert run(".").report["skipped"] == [{"path": "zero.yaml", "line": 1, "reason": "not-a-regular-file"}]


def test_links_in_circles() -> None:
    Path("d").mkdir()
    Path("d/up").symlink_to("..")
    Path("loop.yaml").symlink_to("loop.yaml")
    Path("gone.yaml").symlink_to("nowhere")
    Path("d/a.yaml").write_bytes(PV)
    ran = run(".")
    assert ran.status == 2
    assert sorted(ran.err.splitlines()) == [
        "efslint: gone.yaml: no such file or directory",
        "efslint: loop.yaml: too many levels of symbolic links",
    ]
    assert [path for rule, path, *_ in ran.places if rule == "EFS101"] == ["d/a.yaml"]


def test_directories_deeper_than_calls() -> None:
    levels = [Path(*["d"] * depth) for depth in range(1, sys.getrecursionlimit() + 200)]
    for level in levels:
        level.mkdir()
    (levels[-1] / "a.yaml").write_bytes(PV)
    try:
        ran = run(".")
    finally:  # pytest would stumble over them
        (levels[-1] / "a.yaml").unlink()
        for level in reversed(levels):
            level.rmdir()
    assert (ran.status, ran.err) == (1, "")
    assert ran.report["summary"]["files"] == 1


@pytest.mark.parametrize("damage", ["vanish", "truncate", "grow", "become a directory"])
def test_files_that_change_while_they_are_read(damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("b.yaml")
    path.write_bytes(PV)
    Path("a.yaml").write_bytes(PV.replace(b"short", b"other"))
    opened = os.open

    def open_(name: str, flags: int) -> int:
        if name.endswith("b.yaml"):
            if damage in ("vanish", "become a directory"):
                path.unlink()
            if damage == "become a directory":
                path.mkdir()
            if damage == "truncate":
                path.write_bytes(PV[:-40])
            if damage == "grow":
                path.write_bytes(PV + b"---\n" + PV.replace(b"short", b"third"))
        return opened(name, flags)

    monkeypatch.setattr(os, "open", open_)
    ran = run(".")
    assert ran.status == (2 if damage in ("vanish", "become a directory") else 1)
    assert "a.yaml" in {path for rule, path, *_ in ran.places if rule == "EFS101"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read() -> None:
    Path("a.yaml").write_bytes(PV)
    Path("a.yaml").chmod(0)
    ran = run(".")
    assert (ran.status, ran.err) == (2, "efslint: a.yaml: permission denied\n")


# Names and messages.

NASTY = (
    "a\nb.yaml",
    "\x1b]0;owned\x07\x1b[2J.yaml",
    "::error::x.yaml",
    "##[error]x.yaml",
    "a\r\u202eb\u2028c.yaml",
    "<script>&\"'`|](http:x)@you.yaml",
    "%0A::error::%1b,:;=?#x.yaml",
    "-f.yaml",
    " .yaml",
)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_names_steer_no_report(name: str) -> None:
    for number, nasty in enumerate(NASTY):
        text = SHORT.replace("name: short", "name: " + json.dumps(nasty.removesuffix(".yaml")))
        Path("d" + str(number)).mkdir()
        Path("d" + str(number), nasty).write_text(text)
    Path("d0", os.fsdecode(b"\xff.yaml")).write_bytes(PV)
    ran = efslint("--no-config", "-f", name, ".")
    assert ran.status == 1
    assert not re.search("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202e]", ran.out)
    lines = ran.out.splitlines()
    if name == "github":
        commands = [line for line in lines if line.lstrip().startswith("::")]
        assert all(line.startswith(("::warning file=", "::error file=", "::notice ")) for line in commands)
    if name not in ("json", "sarif", "gitlab", "junit", "markdown", "github"):
        assert not any(line.lstrip().startswith(("::", "##[")) for line in lines)
    if name == "markdown":
        assert "<script" not in ran.out
        assert "](http:x)" not in ran.out
    if name == "junit":
        from xml.dom.minidom import parseString

        parseString(ran.out)
    if name == "sarif":
        [document] = json.loads(ran.out)["runs"]
        uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in document["results"]]
        assert all(uri.isascii() and not set(uri) & set(' <>"\\^`{|}') and ":" not in uri for uri in uris)


def test_notices_steer_no_terminal() -> None:
    for nasty in NASTY[:6]:
        ran = efslint("--no-config", f"./{nasty}")
        assert ran.status == 2
        assert ran.err.isascii() or "\u202e" not in ran.err
        assert ran.err.count("\n") == 1
        assert not any(char < " " and char != "\n" for char in ran.err)


# What must stay secret.

PASSWORD = "hunter2-and-more"
SECRETS = {
    "data": f"kind: Secret\nmetadata: {{name: s}}\nstringData:\n  password: {PASSWORD}\n  password: {PASSWORD}\n",
    "broken": f"kind: Secret\nstringData:\n  password: {PASSWORD}\n  b: [\n",
    "broken on its line": f"kind: Secret\nstringData:\n  password: {PASSWORD}: x: y\n",
    "an alias": f"kind: Secret\nstringData:\n  password: *{PASSWORD}\n",
    "a tag": f"kind: Secret\nstringData:\n  password: !{PASSWORD}!x 1\n",
    "an anchor": f"kind: Secret\nstringData:\n  password: &{PASSWORD} {{*\n",
    "a tagged kind": f"kind: !!str Secret\nstringData:\n  password: {PASSWORD}: x: y\n",
    "json": f'{{"kind": "Secret", "stringData": {{"password": "{PASSWORD}", }} }}',
    "an env value": pod(f"image: 'postgres:16', env: [{{name: PASSWORD, value: {PASSWORD}}}]"),
    "an env value in a database": CLASS
    + "---\n"
    + DATABASE.replace(
        "          volumeMounts:",
        f"          env:\n            - name: P\n              value: {PASSWORD}\n          volumeMounts:",
    ),
    "an env value by alias": pod(f"image: 'postgres:16', env: [{{name: P, value: *{PASSWORD}}}]"),
    "a repeated env value": pod(f"image: 'postgres:16', env: [{{name: P, value: {PASSWORD}, value: {PASSWORD}}}]"),
    "a list": "kind: List\nitems:\n- kind: Secret\n  stringData: {"
    + f"volume: {PASSWORD}, volume: {PASSWORD}}}\n- "
    + SHORT.replace("\n", "\n  "),
}


@pytest.mark.parametrize("format_", sorted(FORMATS))
@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_not_told(name: str, format_: str) -> None:
    Path("a.yaml").write_text(SECRETS[name])
    ran = efslint("--no-config", "-f", format_, "--sarif-suppressed", "a.yaml")
    assert PASSWORD not in ran.out + ran.err
