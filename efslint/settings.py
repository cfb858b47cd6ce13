"""How a run is to be done: everything that the pipeline needs besides the input.

Knows no option and no file; leaves where the values come from to ``builtin`` and ``plan``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from efslint.config.model import Config
from efslint.helm.options import HelmOptions
from efslint.rules.settings import RuleSettings
from efslint.storage.configured import StorageSettings

if TYPE_CHECKING:  # a run without storage loads none of it
    from datetime import date

    from efslint.adoption.baseline import Entry
    from efslint.adoption.rule_names import RuleName
    from efslint.rules.rule import Rule
    from efslint.storage.survey import Knowledge


class Adoption(NamedTuple):
    """How a team lives with findings.

    ``known`` are all rules, whether selected or not. ``today`` is the day against which dates are judged. ``baseline``
    holds the known findings, ``None`` where there is no baseline. ``gone`` says of a path that is not part of the run
    whether its file no longer exists.
    """

    known: tuple[RuleName, ...]
    today: date
    config: Config
    baseline: tuple[Entry, ...] | None = None
    gone: Callable[[str], bool] = lambda path: False  # noqa: ARG005


class Settings(NamedTuple):
    """How a run is to be done.

    ``rules`` is called when the first fact is there, ``knowledge`` when the first object is: most files hold nothing
    that concerns a rule, and a run over them reads none. ``list_rules`` is for reports that name every rule. ``helm``
    is called when a chart, or what Helm rendered, is there.
    """

    rules: Callable[[], tuple[Rule, ...]]
    knowledge: Callable[[], Knowledge]
    adoption: Adoption
    rule_settings: RuleSettings = RuleSettings()
    storage: StorageSettings = StorageSettings()
    list_rules: bool = False
    helm: Callable[[], HelmOptions] = HelmOptions
