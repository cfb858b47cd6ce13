"""The comments in a rule's examples that say on which lines it fires."""

from __future__ import annotations

import re

EXAMPLE_KINDS = ("firing", "near-miss", "unknown")

_EXPECT = re.compile(r"[ \t]*# expect: (?P<ids>[A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*)[ \t]*$", re.MULTILINE)


def bare(manifest: str) -> str:
    """Return the manifest without these comments."""
    return _EXPECT.sub("", manifest)


def expected_lines(manifest: str, rule: str) -> tuple[int, ...]:
    """Return the lines, counted from 1, on which a rule is expected to fire."""
    lines = enumerate(manifest.splitlines(), start=1)
    found = ((number, _EXPECT.search(line)) for number, line in lines)
    return tuple(number for number, match in found if match is not None and rule in match["ids"].split(", "))
