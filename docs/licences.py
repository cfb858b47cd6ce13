"""What efslint is installed with, and under which licences: ``THIRD_PARTY.md``.

Knows how packages state their licence, of which there are three ways; reads what is installed and asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires

_SPDX = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_HEAD = """\
# Third-party software

The package efslint contains no code of others. Installing it installs these packages, each under its own licence;
`make refresh` writes this list from what they state. The optional extra `helm` adds helm-python-sdk (Apache-2.0), which
carries Helm's own engine.

| package | licence |
|---|---|
"""


def text() -> str:
    """Write the list, sorted by name."""
    return _HEAD + "".join(f"| {name} | {licence(name)} |\n" for name in sorted(installed("efslint")))


def licence(package: str) -> str:
    """Return the licence of an installed package as an SPDX expression."""
    stated = metadata(package)
    expression = stated.get("License-Expression")
    if expression:
        return expression
    named = [each.rpartition(" :: ")[2] for each in stated.get_all("Classifier", []) if each.startswith("License ::")]
    (name,) = named or [stated.get("License", "")]
    return _SPDX.get(name, name)


def installed(package: str) -> set[str]:
    """Return the names of what a package needs, directly or not, extras left out, as far as it is installed."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        for name in _needs(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _needs(package: str) -> Iterator[str]:
    for requirement in requires(package) or ():
        name = re.match(r"[\w.-]+", requirement)
        assert name is not None, requirement
        try:
            if "extra ==" not in requirement:
                yield metadata(name[0])["Name"]
        except PackageNotFoundError:  # it is for other systems, or for other versions of Python
            continue
