"""Configuration files: what is accepted, what is refused, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from efslint.config.load import KEYS, load
from efslint.config.model import Config, ConfigError
from efslint.rules.finding import Severity
from efslint.storage.configured import ConfiguredClass
from efslint.text.source import Source
from efslint.yaml.node import plain
from efslint.yaml.parser import parse_node

SCHEMA = json.loads((Path(__file__).parents[1] / "efslint" / "schemas" / "config.json").read_text(encoding="utf-8"))


def read(text: str, path: str = ".efslint.yaml", directory: str = "", within: str = "") -> Config:
    return load(Source(path, text), directory, within)


def refusal(text: str, path: str = ".efslint.yaml") -> str:
    with pytest.raises(ConfigError) as caught:
        read(text, path)
    return str(caught.value)


WHOLE = """\
select: [EFS1, EFS201]
ignore:
  - caching-disabled
severity:
  EFS101: error
  soft-mount: note
fail-on: never
exclude: [vendor/]
per-path-ignores:
  dev/: [EFS201]
rules: [lint/rules]
parameters:
  probe-timeout-too-short: {efs_latency_seconds: 5, words: [a, 1]}
storage-classes:
  shared: efs
  archive: {driver: nfs.csi.k8s.io, server: nfs.example.com}
engines:
  - {id: acme}
context: [cluster, /etc/classes]
baseline: base.json
strict: true
require-suppression-reason: yes
sarif-category: prod
max-file-size: 64MiB
"""


def test_every_key_is_read() -> None:
    config = read(WHOLE)
    assert config.select == ("EFS1", "EFS201")
    assert config.ignore == ("caching-disabled",)
    assert config.severity == {"EFS101": Severity.ERROR, "soft-mount": Severity.NOTE}
    assert config.fail_on is None
    assert config.exclude == ("vendor/",)
    assert config.per_path_ignores == {"dev/": ("EFS201",)}
    assert config.rules == ("lint/rules",)
    assert config.parameters == {"probe-timeout-too-short": {"efs_latency_seconds": 5, "words": ["a", 1]}}
    assert config.storage_classes == {
        "shared": ConfiguredClass("efs"),
        "archive": ConfiguredClass("nfs.csi.k8s.io", "nfs.example.com"),
    }
    assert [plain(node) for node in config.engines] == [{"id": "acme"}]
    assert config.context == ("cluster", "/etc/classes")
    assert config.baseline == "base.json"
    assert (config.strict, config.require_suppression_reason, config.sarif_category) == (True, True, "prod")
    assert config.max_file_size == 64 * 1024 * 1024


@pytest.mark.parametrize(
    ("route", "label"),
    [
        (("select",), ".efslint.yaml:1"),
        (("ignore", 0), ".efslint.yaml:3"),
        (("severity", "soft-mount"), ".efslint.yaml:6"),
        (("per-path-ignores", "dev/"), ".efslint.yaml:10"),
        (("parameters", "probe-timeout-too-short", "words"), ".efslint.yaml:13"),
        (("storage-classes", "archive", "server"), ".efslint.yaml:16"),
        (("nothing",), "default"),
    ],
)
def test_every_value_says_where_it_is_written(route: tuple[str | int, ...], label: str) -> None:
    assert read(WHOLE).origin(*route).label == label


def test_an_empty_file_is_the_default() -> None:
    default = Config(path=".efslint.yaml")
    assert read("") == read("# nothing\n") == read("---\nnull\n") == default
    assert read("{}") == default
    assert default.fail_on is Severity.WARNING


def test_paths_are_reached_from_the_working_directory() -> None:
    config = read(WHOLE, "../.efslint.yaml", "..", "charts")
    assert config.rules == ("../lint/rules",)
    assert config.context == ("../cluster", "/etc/classes")
    assert config.baseline == "../base.json"
    assert config.exclude == ("vendor/",)
    assert (config.path, config.within) == ("../.efslint.yaml", "charts")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strict: true\nexlcude: []\n", '2:1: unknown key "exlcude" (did you mean "exclude"?)'),
        ("fail_on: note\n", '1:1: unknown key "fail_on" (did you mean "fail-on"?)'),
        ("colour: red\n", '1:1: unknown key "colour"'),
        ("- strict\n", "1:1: the configuration must be a mapping, not a list"),
        ("strict\n", '1:1: the configuration must be a mapping, not "strict"'),
        ("select: EFS101\n", '1:9: select must be a list, not "EFS101"'),
        ("select: []\n", "1:9: select is empty, so nothing would be looked for; leave it out to select every rule"),
        ("ignore:\n", "1:8: ignore must be a list, not null"),
        ("ignore: [EFS101, 5]\n", "1:18: an entry of ignore must be text, not 5; put it in quotes"),
        ('ignore: [""]\n', "1:10: an entry of ignore must be text, not empty text"),
        ("ignore: [[a]]\n", "1:10: an entry of ignore must be text, not a list"),
        ("baseline: 2026\n", "1:11: baseline must be text, not 2026; put it in quotes"),
        ("baseline: {a: b}\n", "1:11: baseline must be text, not a mapping"),
        (
            "fail-on: warn\n",
            '1:10: fail-on must be error, warning, note or never, not "warn" (did you mean "warning"?)',
        ),
        ("fail-on: []\n", "1:10: fail-on must be error, warning, note or never, not a list"),
        (
            "severity: {EFS101: off}\n",
            "1:20: the severity of EFS101 must be error, warning or note, not off; "
            'to switch a rule off, put it under "ignore"',
        ),
        ("severity: [EFS101]\n", "1:11: severity must be a mapping, not a list"),
        ("strict: 'true'\n", '1:9: strict must be true or false, not "true"'),
        ("strict: 1\n", "1:9: strict must be true or false, not 1"),
        ("storage-classes: {a: {server: b}}\n", "1:22: class a has no driver"),
        (
            "storage-classes: {a: {drvier: b}}\n",
            '1:23: unknown key "drvier" for class a (did you mean "driver"?)',
        ),
        ("storage-classes: {a: []}\n", "1:22: the driver of class a must be text, not a list"),
        ("storage-classes: {a: {driver: 1}}\n", "1:31: the driver of class a must be text, not 1; put it in quotes"),
        ("parameters: {EFS301: 5}\n", "1:22: the parameters of EFS301 must be a mapping, not 5"),
        ("per-path-ignores: {a/: EFS1}\n", '1:24: per-path-ignores for a/ must be a list, not "EFS1"'),
        ("engines: [acme]\n", '1:11: an entry of engines must be a mapping, not "acme"'),
        ('severity: {"": note}\n', "1:12: a key of severity must be text"),
        ("? [a]\n: 1\n", "1:3: a key of the configuration must be text"),
        ("strict: true\nignore: []\nstrict: false\n", '3:1: "strict" is set twice, first on line 1'),
        ("engines: [{a: 1, b: 2, a: 3}]\n", '1:24: "a" is set twice, first on line 1'),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, message: str) -> None:
    assert refusal(text) == f".efslint.yaml:{message}"


def test_what_is_not_yaml_is_told_with_its_place() -> None:
    assert refusal("strict: true\nignore: [\n").startswith(".efslint.yaml:")


EXAMPLES = (
    *("", "{}", "null", "[]", "5", "text", "{unknown: 1}", WHOLE),
    *("select: [a]", "select: [a, a]", "select: []", "select: a", "select: [1]", "select: ['']", "select:"),
    *("ignore: []", "ignore: [a]", "ignore: {a: b}", "ignore: [null]", "ignore: [true]", "ignore: [1e3]"),
    *("severity: {}", "severity: {a: note}", "severity: {a: off}", "severity: {a: ''}", "severity: [a]"),
    *("severity: {'': note}", "severity: {a: [note]}", "severity: {1: note}", "severity: {a: Error}"),
    *("fail-on: error", "fail-on: never", "fail-on: none", "fail-on: no", "fail-on: [error]"),
    *("exclude: [a]", "exclude: a", "exclude: ['']", "exclude: [[a]]"),
    *("per-path-ignores: {a: [b]}", "per-path-ignores: {a: []}", "per-path-ignores: {a: b}", "per-path-ignores: []"),
    *("per-path-ignores: {'': [b]}", "per-path-ignores: {a: ['']}", "per-path-ignores: {a: {b: c}}"),
    *("rules: [a]", "rules: a", "rules: [1]", "context: [a]", "context: {}", "context: [~]"),
    *("parameters: {a: {b: 1}}", "parameters: {a: {}}", "parameters: {a: 1}", "parameters: {a: {'': 1}}"),
    *("parameters: {'': {}}", "parameters: []", "parameters: {a: {b: [1, {c: null}]}}", "parameters: {a: [b]}"),
    *("storage-classes: {a: b}", "storage-classes: {a: {driver: b}}", "storage-classes: {a: {driver: b, server: c}}"),
    *("storage-classes: {a: {server: c}}", "storage-classes: {a: {driver: b, more: c}}", "storage-classes: {a: ''}"),
    *("storage-classes: {a: 1}", "storage-classes: {a: [b]}", "storage-classes: {'': b}", "storage-classes: [a]"),
    *("storage-classes: {a: {driver: ''}}", "storage-classes: {a: {driver: b, server: 1}}", "storage-classes: {a: }"),
    *("engines: []", "engines: [{}]", "engines: [{a: [1]}]", "engines: [a]", "engines: {a: b}", "engines: [{'': 1}]"),
    *("baseline: a", "baseline: ''", "baseline: 1", "baseline: [a]", "baseline:", "baseline: 2026-01-01"),
    *("strict: true", "strict: yes", "strict: 'yes'", "strict: 1", "strict: [true]", "strict:"),
    *("require-suppression-reason: off", "require-suppression-reason: never", "require-suppression-reason: 0"),
    *("sarif-category: a", "sarif-category: ''", "sarif-category: {a: b}", "sarif-category: true"),
    *("max-file-size: 1", "max-file-size: 0", "max-file-size: -1", "max-file-size: true", "max-file-size: [1]"),
    *("max-file-size: 1KiB", "max-file-size: 2GiB", "max-file-size: 1 MiB", "max-file-size: 0MiB"),
    *("max-file-size: '1'", "max-file-size: 0x10", "max-file-size:"),
)


def accepted(text: str) -> bool:
    try:
        read(text)
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_loader_accepts_what_the_schema_accepts(text: str) -> None:
    node = parse_node(Source("a.yaml", text), 0, len(text))
    value = None if node is None else plain(node)
    assert accepted(text) is jsonschema.Draft202012Validator(SCHEMA).is_valid(value)


def test_the_examples_hold_both_kinds_for_every_key() -> None:
    for key in KEYS:
        verdicts = {accepted(text) for text in EXAMPLES if text.startswith(f"{key}:") or text == WHOLE}
        assert verdicts == {True, False}, key


def test_the_schema_is_one_and_describes_every_key() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert list(SCHEMA["properties"]) == list(KEYS)
    for key, part in SCHEMA["properties"].items():
        assert part["title"], key
        assert part["description"].endswith("."), key


@pytest.mark.parametrize("key", KEYS)
def test_the_examples_and_defaults_of_the_schema_hold(key: str) -> None:
    part: dict[str, Any] = SCHEMA["properties"][key]
    for example in part.get("examples", ()):
        read(json.dumps({key: example}))
    default = getattr(Config(), key.replace("-", "_"))
    assert part.get("default", "none") == ("none" if default in (None, (), {}) and default is not False else default)


TOML = """\
[project]
name = "x" # efslint

[tool.efslint]
select = ["EFS1", "EFS201"]
"fail-on" = "note"
strict = true
severity = { EFS101 = "error", "soft-mount" = 'note' }
storage-classes.shared = "efs"
exclude = [
  "a/",
  'b/',
]
baseline = 2026-01-01

[tool.efslint.parameters.probe-timeout-too-short]
efs_latency_seconds = 5
share = 0.5

[[tool.efslint.engines]]
id = "one"
[[tool.efslint.engines]]
id = "two"
[tool.efslint.engines.image]
names = ["two"]

[tool.other]
select = 5
"""


def test_toml_gives_the_same_configuration() -> None:
    config = read(TOML, "pyproject.toml")
    assert config.select == ("EFS1", "EFS201")
    assert config.fail_on is Severity.NOTE
    assert config.strict is True
    assert config.severity == {"EFS101": Severity.ERROR, "soft-mount": Severity.NOTE}
    assert config.storage_classes == {"shared": ConfiguredClass("efs")}
    assert config.exclude == ("a/", "b/")
    assert config.baseline == "2026-01-01"
    assert config.parameters == {"probe-timeout-too-short": {"efs_latency_seconds": 5, "share": 0.5}}
    assert [plain(node) for node in config.engines] == [{"id": "one"}, {"id": "two", "image": {"names": ["two"]}}]


@pytest.mark.parametrize(
    ("route", "place", "text"),
    [
        (("select",), (5, 1), "select"),
        (("select", 1), (5, 20), "EFS201"),
        (("fail-on",), (6, 1), '"fail-on"'),
        (("severity", "soft-mount"), (8, 33), "soft-mount"),
        (("storage-classes", "shared"), (9, 17), "shared"),
        (("exclude", 1), (12, 4), "b/"),
        (("parameters", "probe-timeout-too-short", "share"), (18, 1), "share"),
        (("engines", 1), (22, 3), "tool.efslint.engines"),
        (("engines", 1, "id"), (23, 1), "id"),
    ],
)
def test_toml_values_have_places(route: tuple[str | int, ...], place: tuple[int, int], text: str) -> None:
    span = read(TOML, "pyproject.toml").origin(*route).span
    assert span is not None
    assert (span.first, span.text) == (place, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.efslint]\nselekt = []\n", '2:1: unknown key "selekt" (did you mean "select"?)'),
        ("[tool.efslint]\nstrict = 'no'\n", '2:11: strict must be true or false, not "no"'),
        ("[tool.efslint]\nignore = ['']\n", "2:1: an entry of ignore must be text, not empty text"),
        ("[tool.efslint]\nignore = ['\\a', 1]\n", "2:17: an entry of ignore must be text, not 1; put it in quotes"),
        ('[tool.efslint]\nbaseline = "\\u0041"\nstrict = 5\n', "3:10: strict must be true or false, not 5"),
        (
            "[tool.efslint.severity]\nEFS101 = 'bad'\n",
            '2:11: the severity of EFS101 must be error, warning or note, not "bad"',
        ),
        ("tool = {efslint = {strict = 3}}\n", "1:29: strict must be true or false, not 3"),
        ("[tool.efslint]\nstrict = \n", "2:10: not TOML: invalid value"),
        ("[tool.efslint]\r\nstrict = true\r\nstrict = true\r\n", "3:14: not TOML: cannot overwrite a value"),
        ("[tool.efslint", "1:14: not TOML: expected ']' at the end of a table declaration"),
        ("[project]\nname = 'efslint'\n", "1:1: there is no table [tool.efslint]"),
        ("tool = 5\n", "1:1: there is no table [tool.efslint]"),
    ],
)
def test_wrong_toml_is_told_with_its_place(text: str, message: str) -> None:
    assert refusal(text, "pyproject.toml") == f"pyproject.toml:{message}"


def test_an_escaped_value_is_placed_at_its_key() -> None:
    message = refusal('[tool.efslint]\nfail-on = "\\u0041A"\n', "pyproject.toml")
    assert message.startswith('pyproject.toml:2:1: fail-on must be error, warning, note or never, not "AA"')
