"""What building a wheel adds to copying files: the rules and the knowledge as values that load at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKnowledge(BuildHookInterface):  # type: ignore[type-arg]
    """Put ``efslint/_compiled.py`` into wheels. An editable install has none, so that an edited rule counts at once."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the module and name it to the builder."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from efslint.builtin import built_in_rules, knowledge
        from efslint.compiled import source_text

        known = knowledge()
        text = source_text(built_in_rules(), known.engines(), known.operators())
        target = Path(self.root, "build", "compiled", "_compiled.py")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        build_data["force_include"][str(target)] = "efslint/_compiled.py"
