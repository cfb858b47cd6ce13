"""Charts on disk: finding and reading them, archives, and the values that reach a chart."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from helm_support import needs_engine, write

from efslint.helm.charts import chart_name, locate
from efslint.helm.given import SetError, given_layers, given_values, parse_set
from efslint.inputs.chart_files import (
    chart_bytes,
    ci_values,
    find_charts,
    is_chart,
    read_archive,
    read_chart,
    read_values_file,
)
from efslint.inputs.chart_files import chart_name as name_on_disk
from efslint.text.source import Source
from efslint.yaml.node import Scalar, plain

META = "apiVersion: v2\nname: {}\nversion: 0.1.0\n"


def packed(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo("sub/templates/link.yaml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return buffer.getvalue()


SUB = {
    "sub/Chart.yaml": META.format("sub"),
    "sub/values.yaml": "a: 1\n",
    "sub/templates/x.yaml": "kind: Service\n",
    "sub/templates/binary.yaml": b"\xff\xfe\x00",
    "sub/charts/inner/Chart.yaml": META.format("inner"),
    "sub/charts/inner/templates/y.yaml": "kind: Service\n",
    "sub/README.md": "no part of it",
}


def test_a_chart_is_read_with_its_subcharts(tmp_path: Path) -> None:
    directory = write(
        tmp_path / "chart",
        {
            "Chart.yaml": META.format("outer"),
            "values.yaml": "b: 2\n",
            "templates/deep/x.yaml": "kind: Service\n",
            "templates/_helpers.tpl": "",
            "README.md": "",
            "notes/x.yaml": "",
            "charts/plain/Chart.yaml": META.format("other"),
            "charts/plain/values.yaml": "",
            "charts/no-chart/values.yaml": "",
        },
    )
    (tmp_path / "chart" / "charts" / "sub-0.1.0.tgz").write_bytes(packed(SUB))
    (tmp_path / "chart" / "charts" / "broken-0.1.0.tgz").write_bytes(b"no archive")
    chart = read_chart(directory)
    assert sorted(chart.files) == ["Chart.yaml", "templates/_helpers.tpl", "templates/deep/x.yaml", "values.yaml"]
    assert [(chart_name(each), each.directory, each.archived) for each in chart.subcharts] == [
        ("other", "plain", False),
        ("sub", "sub", True),
    ]
    archived = chart.subcharts[1]
    assert sorted(archived.files) == ["Chart.yaml", "templates/x.yaml", "values.yaml"]
    assert archived.files["values.yaml"].path.endswith("charts/sub-0.1.0.tgz!/sub/values.yaml")
    assert [chart_name(each) for each in archived.subcharts] == ["inner"]


def test_an_archive_that_is_too_large_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sub-0.1.0.tgz"
    path.write_bytes(packed(SUB))
    monkeypatch.setattr("efslint.inputs.chart_files._MOST_FILES", 3)
    assert list(read_archive(path)) == []


def test_links_out_of_a_chart_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("a: 1\n", encoding="utf-8")
    directory = write(tmp_path / "chart", {"Chart.yaml": META.format("c"), "values.yaml": "", "templates/x.yaml": ""})
    (tmp_path / "chart" / "templates" / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "chart" / "templates" / "in.yaml").symlink_to(tmp_path / "chart" / "values.yaml")
    (tmp_path / "chart" / "templates" / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    assert sorted(read_chart(directory).files) == [
        *("Chart.yaml", "templates/in.yaml", "templates/x.yaml", "values.yaml"),
    ]


def test_charts_within_charts_end_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efslint.inputs.chart_files._DEEPEST", 1)
    names = ["", "charts/a/", "charts/a/charts/b/"]
    directory = write(tmp_path, {f"{name}Chart.yaml": META.format("c") for name in names})
    (tmp_path / "charts" / "sub.tgz").write_bytes(packed(SUB))
    first, second = read_chart(directory).subcharts
    assert first.subcharts == ()
    assert [each.subcharts for each in second.subcharts] == [()]


def test_charts_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        {
            "a/Chart.yaml": META.format("one"),
            "b/c/Chart.yaml": 'name: "one" # again\n',
            "d/Chart.yaml": META.format("two"),
            "a/templates/e/Chart.yaml": META.format("one"),
            ".git/Chart.yaml": META.format("one"),
            "f/Chart.yaml": "version: 1\n",
        },
    )
    root = str(tmp_path)
    found = find_charts((root, root, str(tmp_path / "a"), str(tmp_path / "missing")))
    assert {name: len(paths) for name, paths in found.items()} == {"one": 2, "two": 1, "": 1}
    monkeypatch.setattr("efslint.inputs.chart_files._MOST_DIRECTORIES", 2)
    assert len(find_charts((root,))["one"]) == 1
    assert name_on_disk(str(tmp_path / "missing")) == ""
    assert (is_chart(str(tmp_path / "a")), is_chart(root)) == (True, False)


def test_what_helm_would_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"Chart.yaml": "a", "templates/x.yaml": "b", "templates/x.bak": "c", ".git/config": "d", "big": "e" * 100}
    directory = write(tmp_path, files)
    assert sorted(chart_bytes(directory)) == ["Chart.yaml", "big", "templates/x.bak", "templates/x.yaml"]
    (tmp_path / ".helmignore").write_text("*.bak\n", encoding="utf-8")
    assert sorted(chart_bytes(directory)) == [".helmignore", "Chart.yaml", "big", "templates/x.yaml"]
    (tmp_path / ".helmignore").write_text("!\n", encoding="utf-8")
    assert "templates/x.bak" in chart_bytes(directory)
    monkeypatch.setattr("efslint.inputs.chart_files._MOST_BYTES", 90)
    assert "big" not in chart_bytes(directory)


def test_files_of_values(tmp_path: Path) -> None:
    directory = write(tmp_path, {"ci/b-values.yaml": "", "ci/a-values.yaml": "", "ci/other.yaml": ""})
    assert [Path(path).name for path in ci_values(directory)] == ["a-values.yaml", "b-values.yaml"]
    assert read_values_file(str(tmp_path / "ci" / "a-values.yaml")) is not None
    assert read_values_file(str(tmp_path / "missing.yaml")) is None


# Values.


@pytest.fixture
def parent(tmp_path: Path) -> str:
    return write(
        tmp_path,
        {
            "Chart.yaml": META.format("parent")
            + "dependencies:\n  - name: sub\n  - name: sub\n    alias: again\n  - alias: nameless\n",
            "values.yaml": "own: 1\nsub: {a: 10, gone: null, list: [x]}\nagain: {a: 20}\nglobal: {g: 1, both: p}\n",
            "templates/x.yaml": "",
            "charts/sub/Chart.yaml": META.format("sub"),
            "charts/sub/values.yaml": "a: 1\nb: 2\ngone: 3\nlist: [y, z]\nglobal: {both: s, h: 4}\ntable: {k: v}\n",
            "charts/sub/templates/x.yaml": "",
        },
    )


@pytest.mark.parametrize(
    ("template", "path", "value"),
    [
        ("parent/templates/x.yaml", ("own",), 1),
        ("parent/templates/x.yaml", ("sub", "b"), None),  # the parent does not see what its subcharts default to
        ("parent/charts/sub/templates/x.yaml", ("a",), 10),
        ("parent/charts/again/templates/x.yaml", ("a",), 20),
        ("parent/charts/sub/templates/x.yaml", ("b",), 2),
        ("parent/charts/sub/templates/x.yaml", ("gone",), None),  # null takes a default away
        ("parent/charts/sub/templates/x.yaml", ("list", 0), "x"),
        ("parent/charts/sub/templates/x.yaml", ("list", 1), None),  # lists are replaced as a whole
        ("parent/charts/sub/templates/x.yaml", ("a", "b"), None),
        ("parent/charts/sub/templates/x.yaml", ("global", "g"), 1),
        ("parent/charts/sub/templates/x.yaml", ("global", "both"), "p"),
        ("parent/charts/sub/templates/x.yaml", ("global", "h"), 4),
    ],
)
def test_values_that_reach_a_chart(parent: str, template: str, path: tuple[str | int, ...], value: object) -> None:
    found = locate(read_chart(parent), template)
    assert found is not None
    node = found[0].lookup(path)
    assert (None if node is None else plain(node.node)) == value


def test_keys_of_values(parent: str) -> None:
    found = locate(read_chart(parent), "parent/charts/sub/templates/x.yaml", given_layers(("sub.table.m=1",), ()))
    assert found is not None
    assert found[0].keys(("table",)) == ("k", "m")
    assert found[0].keys(("list",)) == (0,)
    assert found[0].keys(("global",)) == ("both", "g", "h")


@pytest.mark.parametrize(
    "template", ["parent/templates/y.yaml", "parent/charts/nameless/templates/x.yaml", "parent/charts/no/templates/x"]
)
def test_what_is_not_there(parent: str, template: str) -> None:
    assert locate(read_chart(parent), template) is None


def test_a_broken_values_file_has_no_values(tmp_path: Path) -> None:
    directory = write(tmp_path, {"values.yaml": "a: [", "templates/x.yaml": ""})
    files = read_chart(directory)
    found = locate(files, "c/templates/x.yaml")
    assert found is not None
    assert found[0].lookup(("a",)) is None
    assert chart_name(files) == tmp_path.name


# --set, by the grammar of Helm's documentation, "The Format and Limitations of --set".
SETS = [
    (("a=b",), {"a": "b"}),
    (("a=b,c=d",), {"a": "b", "c": "d"}),
    (("outer.inner=value",), {"outer": {"inner": "value"}}),
    (("name={a, b, c}",), {"name": ["a", " b", " c"]}),
    (("name={}",), {"name": [""]}),
    (("servers[0].port=80",), {"servers": [{"port": 80}]}),
    (("servers[0].port=80,servers[0].host=example",), {"servers": [{"port": 80, "host": "example"}]}),
    ((r"name=value1\,value2",), {"name": "value1,value2"}),
    ((r"nodeSelector.kubernetes\.io/role=master",), {"nodeSelector": {"kubernetes.io/role": "master"}}),
    (("a=1", "a=2"), {"a": 2}),
    (("a=true,b=null,c=0,d=007,e=",), {"a": True, "b": None, "c": 0, "d": "007", "e": ""}),
    (("a[1]=x",), {"a": [None, "x"]}),
    (("a=x", "a.b=y"), {"a": {"b": "y"}}),
    (("a[0][1]=x",), {"a": [[None, "x"]]}),
]


@pytest.mark.parametrize(("sets", "values"), SETS)
def test_set(sets: tuple[str, ...], values: object) -> None:
    assert given_values(sets, ()) == values


@needs_engine
@pytest.mark.parametrize("expression", [sets[0] for sets, _ in SETS if len(sets) == 1])
def test_set_is_as_in_helm(expression: str) -> None:
    from helm_python import parse_set_string

    assert given_values((expression,), ()) == parse_set_string(expression)


@pytest.mark.parametrize("expression", ["a", "a.b", "=b", "a..b=c", "a={b", "a={b}c", "a[99999999]=1", "a[x]=1", ""])
def test_set_that_is_none(expression: str) -> None:
    if not expression:
        assert parse_set(expression) == ()
        return
    with pytest.raises(SetError):
        parse_set(expression)


def test_files_and_sets_win_in_their_order() -> None:
    files = (Source("a", "x: {y: 1, z: 1}\n"), Source("b", "x: {y: 2}\nl: [1]\n"), Source("c", "- no mapping\n"))
    assert given_values(("x.z=3",), files) == {"x": {"y": 2, "z": 3}, "l": [1]}
    layers = given_layers(("x.z=3", "x.z=4,l[1]=5"), files)
    assert [layer.label for layer in layers[:3]] == ["--set x.z=4,l[1]=5", "--set x.z=4,l[1]=5", "--set x.z=3"]
    assert [type(layer.root).__name__ for layer in layers[3:]] == ["Sequence", "Mapping", "Mapping"]
    assert isinstance(layers[0].root, object)
    padded = layers[0].root.get("l") if layers[0].root is not None and hasattr(layers[0].root, "get") else None
    assert padded is not None
    assert not isinstance(padded, Scalar)
    assert plain(padded) == [None, 5]
