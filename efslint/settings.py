"""How a run is to be done: everything that the pipeline needs besides the input.

Knows no option and no file; leaves where the values come from to ``builtin`` and ``run``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from efslint.adopt import Adoption
from efslint.rules.rule import Rule
from efslint.rules.settings import RuleSettings
from efslint.storage.context import StorageSettings
from efslint.storage.survey import Knowledge


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is to be done.

    ``rules`` is called when the first fact is there: most files hold nothing that concerns a rule, and a run over
    them reads none. ``list_rules`` is for reports that name every rule.
    """

    rules: Callable[[], tuple[Rule, ...]]
    knowledge: Knowledge
    adoption: Adoption
    rule_settings: RuleSettings = field(default_factory=RuleSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    list_rules: bool = False
