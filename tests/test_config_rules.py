"""Which rules are active, how severe, and with which parameters; and what the command line changes."""

from __future__ import annotations

import pytest

from efslint.adoption.rule_names import RuleName
from efslint.config.load import load
from efslint.config.merge import CommandLine, merge
from efslint.config.model import Config, ConfigError
from efslint.config.select import check_names, parameters, select_rules, severities
from efslint.config.show import show
from efslint.rules.finding import Severity
from efslint.storage.configured import ConfiguredClass
from efslint.text.source import Source

KNOWN = (
    RuleName("EFS101", "timeo-too-short"),
    RuleName("EFS102", "timeo-below-recommended"),
    RuleName("EFS117", "mount-options-implicit"),
    RuleName("EFS201", "database-on-efs"),
    RuleName("EFS301", "probe-timeout-too-short"),
)


def read(text: str) -> Config:
    return load(Source(".efslint.yaml", text))


@pytest.mark.parametrize(
    ("text", "select", "ignore", "ids"),
    [
        ("", (), (), "101 102 117 201 301"),
        ("select: [EFS1]", (), (), "101 102 117"),
        ("ignore: [EFS1]", (), (), "201 301"),
        ("ignore: [database-on-efs, EFS117]", (), (), "101 102 301"),
        ("select: [EFS1, EFS201]\nignore: [EFS10]", (), (), "117 201"),
        ("select: [EFS, EFS101]\nignore: [EFS1]", (), (), "101 201 301"),
        ("select: [EFS101]\nignore: [timeo-too-short]", (), (), ""),
        ("select: [EFS201]", ("EFS1",), (), "101 102 117"),
        ("ignore: [EFS117]", ("EFS117,database-on-efs", "EFS301"), (), "117 201 301"),
        ("ignore: [EFS117]", (), ("EFS1",), "201 301"),
        ("select: [EFS101, EFS201]", (), ("EFS1",), "201"),
        ("ignore: [EFS201]", (), ("EFS3",), "101 102 117"),
        ("", ("EFS1",), ("EFS101", "EFS117"), "102"),
        ("", ("EFS101",), ("EFS1",), "101"),
    ],
)
def test_rules_are_selected(text: str, select: tuple[str, ...], ignore: tuple[str, ...], ids: str) -> None:
    config = merge(read(text), CommandLine(select=select, ignore=ignore))
    assert select_rules(KNOWN, config) == tuple(f"EFS{number}" for number in ids.split())


def test_the_most_exact_word_sets_the_severity_and_the_command_line_goes_first() -> None:
    config = read("severity: {EFS1: note, timeo-too-short: error, EFS2: note}")
    levels = severities(KNOWN, config)
    assert levels == {
        "EFS101": Severity.ERROR,
        "EFS102": Severity.NOTE,
        "EFS117": Severity.NOTE,
        "EFS201": Severity.NOTE,
    }
    over = merge(config, CommandLine(severity=("EFS1=warning", "EFS2 = error")))
    assert severities(KNOWN, over) == {
        "EFS101": Severity.WARNING,
        "EFS102": Severity.WARNING,
        "EFS117": Severity.WARNING,
        "EFS201": Severity.ERROR,
    }


def test_parameters_are_given_by_id_or_name() -> None:
    config = read("parameters: {EFS301: {stall_seconds: 20}, probe-timeout-too-short: {efs_latency_seconds: 5}}")
    assert parameters(KNOWN, config) == {"EFS301": {"stall_seconds": 20, "efs_latency_seconds": 5}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select: [EFS1, EFS210]", '1:16: there is no rule "EFS210" (did you mean "EFS201"?)'),
        ("ignore: [databse-on-efs]", '1:10: there is no rule "databse-on-efs" (did you mean "database-on-efs"?)'),
        ("severity: {EFS9: note}", '1:12: there is no rule "EFS9"'),
        ("parameters: {EFS3: {a: 1}}", '1:14: there is no rule "EFS3"'),
        ("per-path-ignores: {dev/: [EFS1, EFS999]}", '1:33: there is no rule "EFS999"'),
    ],
)
def test_unknown_rules_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_names(read(text), KNOWN)
    assert str(caught.value).startswith(f".efslint.yaml:{message}")


def test_unknown_rules_on_the_command_line_are_refused_with_the_option() -> None:
    for options, option in (
        (CommandLine(select=("EFS999",)), "--select"),
        (CommandLine(ignore=("EFS999",)), "--ignore"),
        (CommandLine(severity=("EFS999=note",)), "--severity"),
    ):
        with pytest.raises(ConfigError) as caught:
            check_names(merge(Config(), options), KNOWN)
        assert str(caught.value).startswith(f'{option}: there is no rule "EFS999"')


def test_known_rules_pass() -> None:
    text = (
        "select: [EFS]\nignore: [EFS1]\nseverity: {EFS2: note}\nparameters: {EFS301: {}}\nper-path-ignores: {a: [EFS]}"
    )
    check_names(read(text), KNOWN)


FILE = """\
ignore: [EFS117]
severity: {EFS101: note}
exclude: [a/]
rules: [r]
storage-classes: {shared: nfs, other: {driver: d, server: s}}
context: [c]
fail-on: note
baseline: b.json
"""

OPTIONS = CommandLine(
    ignore=("EFS102",),
    severity=("EFS201=warning",),
    fail_on="never",
    exclude=("x/",),
    rules=("more",),
    storage_class=("shared=efs", "new=efs.csi.aws.com"),
    context=("d",),
    baseline="other.json",
    strict=True,
    sarif_category="nightly",
)


def test_options_replace_single_values_and_add_to_lists() -> None:
    config = merge(read(FILE), OPTIONS)
    assert config.ignore == ("EFS117", "EFS102")
    assert config.severity == {"EFS101": Severity.NOTE, "EFS201": Severity.WARNING}
    assert config.fail_on is None
    assert config.exclude == ("a/", "x/")
    assert config.rules == ("r", "more")
    assert config.storage_classes == {
        "shared": ConfiguredClass("efs"),
        "other": ConfiguredClass("d", "s"),
        "new": ConfiguredClass("efs.csi.aws.com"),
    }
    assert config.context == ("c", "d")
    assert config.baseline == "other.json"
    assert config.strict is True
    assert config.sarif_category == "nightly"


def test_without_options_nothing_changes() -> None:
    config = read(FILE)
    assert merge(config, CommandLine()) == config


def test_selecting_on_the_command_line_sets_the_lists_of_the_file_aside() -> None:
    config = merge(read("select: [EFS2]\nignore: [EFS117]\nstrict: true"), CommandLine(select=("EFS1",)))
    assert (config.select, config.ignore) == (("EFS1",), ())
    assert config.origin("select", 0).label == config.origin("select").label == "--select"
    assert config.origin("ignore", 0).label == "default"
    assert config.origin("strict").label == ".efslint.yaml:3"


def test_a_threshold_can_be_given() -> None:
    assert merge(Config(), CommandLine(fail_on="error")).fail_on is Severity.ERROR


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (CommandLine(select=("EFS1,",)), "--select: expected RULE[,RULE…]"),
        (CommandLine(ignore=("",)), "--ignore: expected RULE[,RULE…]"),
        (CommandLine(severity=("EFS101",)), '--severity: expected RULE=LEVEL, not "EFS101"'),
        (CommandLine(severity=("=note",)), '--severity: expected RULE=LEVEL, not "=note"'),
        (
            CommandLine(severity=("EFS101=warn",)),
            '--severity: expected error, warning or note, not "warn" (did you mean "warning"?)',
        ),
        (CommandLine(severity=("EFS101=never",)), '--severity: expected error, warning or note, not "never"'),
        (CommandLine(storage_class=("shared",)), '--storage-class: expected NAME=DRIVER, not "shared"'),
        (CommandLine(fail_on="zzz"), '--fail-on: expected error, warning, note or never, not "zzz"'),
    ],
)
def test_wrong_options_are_refused(options: CommandLine, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        merge(Config(), options)
    assert str(caught.value) == message


def test_the_configuration_is_shown_with_its_origins() -> None:
    text = show(merge(read(FILE + "engines: [{id: a}]\nparameters: {EFS301: {x: [1]}}\n"), OPTIONS))
    assert text == (
        "# configuration file: .efslint.yaml\n"
        "# select: not set\n"
        "ignore:\n"
        '  - "EFS117"  # .efslint.yaml:1\n'
        '  - "EFS102"  # --ignore\n'
        "severity:\n"
        '  "EFS101": "note"  # .efslint.yaml:2\n'
        '  "EFS201": "warning"  # --severity\n'
        'fail-on: "never"  # --fail-on\n'
        "exclude:\n"
        '  - "a/"  # .efslint.yaml:3\n'
        '  - "x/"  # --exclude\n'
        "# per-path-ignores: not set\n"
        "rules:\n"
        '  - "r"  # .efslint.yaml:4\n'
        '  - "more"  # --rules\n'
        "parameters:\n"
        '  "EFS301": {"x": [1]}  # .efslint.yaml:10\n'
        "storage-classes:\n"
        '  "shared": "efs"  # --storage-class\n'
        '  "other": {"driver": "d", "server": "s"}  # .efslint.yaml:5\n'
        '  "new": "efs.csi.aws.com"  # --storage-class\n'
        "engines:\n"
        '  - {"id": "a"}  # .efslint.yaml:9\n'
        "context:\n"
        '  - "c"  # .efslint.yaml:6\n'
        '  - "d"  # --context\n'
        'baseline: "other.json"  # --baseline\n'
        "strict: true  # --strict\n"
        "require-suppression-reason: false  # default\n"
        'sarif-category: "nightly"  # --sarif-category\n'
        "max-file-size: 536870912  # default\n"
    )


def test_without_anything_the_defaults_are_shown() -> None:
    text = show(Config())
    assert text.startswith("# configuration file: none\n")
    assert 'fail-on: "warning"  # default\n' in text
    assert "# sarif-category: not set\n" in text


def test_what_is_shown_is_a_configuration_file() -> None:
    config = merge(read(FILE + "select: ['on', '1e3']\nper-path-ignores: {'a: b': [x]}\n"), OPTIONS)
    again = read(show(config))
    for name in ("select", "ignore", "severity", "fail_on", "exclude", "per_path_ignores", "rules", "parameters"):
        assert getattr(again, name) == getattr(config, name)
    for name in ("storage_classes", "context", "baseline", "strict", "require_suppression_reason", "sarif_category"):
        assert getattr(again, name) == getattr(config, name)
