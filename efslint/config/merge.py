"""The command line's part of the configuration.

Knows how options are spelled and how they meet the file: single values and ``--select`` replace, everything else is
added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from efslint.adoption.rule_names import suggestion
from efslint.config.load import SEVERITIES, THRESHOLDS
from efslint.config.model import NEVER, Config, ConfigError, Origin, pointer
from efslint.config.read import one_of
from efslint.rules.finding import Severity
from efslint.storage.configured import ConfiguredClass


class CommandLine(NamedTuple):
    """Option values as they were given, one per use of a repeatable option; ``None`` or empty where not given.

    ``select`` and ``ignore`` may hold several rules with commas between them; ``severity`` is ``RULE=LEVEL``,
    ``storage_class`` is ``NAME=DRIVER``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()
    fail_on: str | None = None
    exclude: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    storage_class: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    baseline: str | None = None
    strict: bool = False
    sarif_category: str | None = None


def merge(config: Config, options: CommandLine) -> Config:
    """Put the options over the configuration. Raises ``ConfigError`` without a place for an option that is wrong.

    ``--select`` starts afresh: what the file selects and ignores is set aside, so that
    ``--select EFS117`` shows a rule that the file switches off.
    """
    origins = dict(config.origins)
    selected = _listed("--select", options.select)
    if selected:
        for key in [key for key in origins if key.startswith(("/select", "/ignore"))]:
            del origins[key]
        config = config._replace(select=(), ignore=())
    values: dict[str, Any] = {}
    added = (
        ("select", "--select", selected),
        ("ignore", "--ignore", _listed("--ignore", options.ignore)),
        ("exclude", "--exclude", options.exclude),
        ("rules", "--rules", options.rules),
        ("context", "--context", options.context),
    )
    for key, option, more in added:
        before: tuple[str, ...] = getattr(config, key)
        values[key] = (*before, *more)
        origins.update({pointer(key, len(before) + i): Origin(option=option) for i in range(len(more))})
        if more and not before:
            origins[pointer(key)] = Origin(option=option)
    levels = {rule: _level("--severity", level, SEVERITIES) for rule, level in _pairs("--severity", options.severity)}
    values["severity"] = _over(config.severity, levels, "severity", "--severity", origins)
    classes = {name: ConfiguredClass(driver) for name, driver in _pairs("--storage-class", options.storage_class)}
    values["storage_classes"] = _over(config.storage_classes, classes, "storage-classes", "--storage-class", origins)
    values.update(_single(options, origins))
    return config._replace(origins=origins, **values)


def _single(options: CommandLine, origins: dict[str, Origin]) -> dict[str, Any]:
    """Return the single values that are given, and note their origins."""
    values: dict[str, Any] = {}
    if options.fail_on is not None:
        level = _level("--fail-on", options.fail_on, THRESHOLDS)
        values["fail_on"] = None if level == NEVER else level
        origins[pointer("fail-on")] = Origin(option="--fail-on")
    for key, text in (("baseline", options.baseline), ("sarif-category", options.sarif_category)):
        if text is not None:
            values[key.replace("-", "_")] = text
            origins[pointer(key)] = Origin(option=f"--{key}")
    if options.strict:
        values["strict"] = True
        origins[pointer("strict")] = Origin(option="--strict")
    return values


def _listed(option: str, given: Sequence[str]) -> tuple[str, ...]:
    found = tuple(word.strip() for part in given for word in part.split(","))
    if not all(found):
        raise ConfigError(f"{option}: expected RULE[,RULE…]")
    return found


def _pairs(option: str, given: Sequence[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for part in given:
        left, _, right = (side.strip() for side in part.partition("="))
        if not left or not right:
            raise ConfigError(
                f'{option}: expected {"RULE=LEVEL" if option == "--severity" else "NAME=DRIVER"}, not "{part}"'
            )
        found.append((left, right))
    return found


def _level(option: str, text: str, choices: Sequence[str]) -> Severity | str:
    if text not in choices:
        raise ConfigError(f'{option}: expected {one_of(choices)}, not "{text}"{suggestion(text, choices)}')
    return text if text == NEVER else Severity(text)


def _over(
    before: Mapping[str, Any], more: Mapping[str, Any], key: str, option: str, origins: dict[str, Origin]
) -> Mapping[str, Any]:
    origins.update({pointer(key, name): Origin(option=option) for name in more})
    if more and not before:
        origins[pointer(key)] = Origin(option=option)
    return {**before, **more}
