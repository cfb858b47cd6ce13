"""Facts about single mount options: one for each that somebody wrote, and for whatever stands where one should.

Knows how a verdict is told to the rules; the verdicts come from ``effective_options``, what all options of a mount
share comes from ``mount_facts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from efslint.knowledge.drivers import Mounter
from efslint.knowledge.hosts import has_placeholder
from efslint.knowledge.options import parse_option
from efslint.storage.effective_options import EffectiveOptions
from efslint.storage.fact import Fact, Origin, Step
from efslint.storage.option_order import Cause, State, Verdict
from efslint.storage.written_options import MalformedItem, WrittenOption
from efslint.yaml.node import Scalar

_SHARED = ("carrier", "mounter", "file_system", "server", "read_only", "database", "database_user")


def option_facts(
    mount: Fact, outcome: EffectiveOptions, malformed: Sequence[MalformedItem], encrypted: Scalar | None = None
) -> Iterator[Fact]:
    """Yield the facts about the options of a mount.

    ``malformed`` are the items that are no options at all, ``encrypted`` is the ``encryptInTransit`` that options may
    contradict. An option with a placeholder in it is left out: what it will be is not known. So is a quarrel over
    encryption when that has one.
    """
    shared = {key: mount.value[key] for key in _SHARED if key in mount.value}
    for item in malformed:
        if not is_open(item.text):
            value = {**shared, "text": item.text, "state": str(State.MALFORMED), "why": item.why}
            yield _about(mount, value, Origin(item.span.one_line()), ())
    lower = mount.value["mounter"] == Mounter.EFS_CSI
    for verdict in outcome.listed:
        if not is_open(verdict.option.text) and not _depends(verdict, encrypted):
            others = _others(verdict.option, outcome)
            value = {**shared, **dict(_told(verdict, lower))}
            if others:
                value["others"] = " and ".join(dict.fromkeys(other.text for other in others))
            yield _about(mount, value, Origin(verdict.option.span), tuple(_steps(verdict, others, encrypted)))


def is_open(text: str) -> bool:
    """Say whether a text has a placeholder that envsubst and the like will fill in; no mount option has a dollar."""
    return "$" in text or has_placeholder(text)


def _depends(verdict: Verdict, encrypted: Scalar | None) -> bool:
    """Say whether a verdict may be another one, depending on an ``encryptInTransit`` that will be filled in."""
    return verdict.cause in (Cause.TLS, Cause.REFUSED) and encrypted is not None and is_open(encrypted.text)


def _about(mount: Fact, value: dict[str, Any], origin: Origin, steps: tuple[Step, ...]) -> Fact:
    return mount._replace(target="option", value=value, origins={"": origin}, chain=(*steps, *mount.chain))


def _told(verdict: Verdict, lower: bool) -> Iterator[tuple[str, Any]]:
    """Yield what a fact says of an option. Name and value are those that are passed on: the EFS CSI driver lowers
    them.
    """
    option = verdict.option
    parsed = parse_option(option.text.lower() if lower else option.text)
    optional = (
        ("value", parsed.value),
        ("number", parsed.number),
        ("why", verdict.why or None),
        ("cause", verdict.cause),
        ("by", verdict.by and verdict.by.text),
        ("suggestion", verdict.suggestion),
    )
    yield from (("text", option.text), ("name", parsed.name), ("state", str(verdict.state)))
    yield from ((key, str(told) if key == "cause" else told) for key, told in optional if told is not None)


def _others(option: WrittenOption, outcome: EffectiveOptions) -> tuple[WrittenOption, ...]:
    """Return with which options the mount fails together. Told of the last of them only, as it is one problem."""
    for fatal in outcome.fatal:
        if fatal.options and fatal.options[-1] is option:
            return fatal.options[:-1]
    return ()


def _steps(verdict: Verdict, others: Sequence[WrittenOption], encrypted: Scalar | None) -> Iterator[Step]:
    if verdict.by is not None:
        yield Step(verdict.by.span, f"{verdict.by.text} is written here")
    for other in others:
        yield Step(other.span, f"{other.text} is written here")
    if verdict.cause is Cause.TLS and encrypted is not None:
        yield Step(encrypted.span, "whether the volume is encrypted in transit is said here")
