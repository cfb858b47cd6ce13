"""Put the pages of the site together: those that are written and those that are made, ready for the site builder.

    python docs/assemble.py build/docs && mkdocs build --strict --config-file build/docs/mkdocs.yml

Knows where files go; what is in the made ones is left to ``reference``.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import reference

from efslint.builtin import built_in_rules

HERE = Path(__file__).parent
_RULES = "      - rules/index.md\n"
_INCLUDE = '--8<-- "'
_FILE = re.compile(r"^(<!-- file: (.*) -->\n```\w+)$", re.MULTILINE)


def assemble(folder: Path) -> None:
    """Write the pages to ``folder/pages`` and the configuration of the site builder beside them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "pages", folder / "pages")
    for page in sorted((folder / "pages").rglob("*.md")):
        page.write_text(with_examples(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, text in reference.generated().items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(site_configuration(), encoding="utf-8")


def with_examples(text: str) -> str:
    """Put the files of ``docs/examples`` in the place of lines that name them, and the names of files above them."""
    lines = text.splitlines()
    found = [index for index, line in enumerate(lines) if line.startswith(_INCLUDE)]
    for index in found:
        name = lines[index].removeprefix(_INCLUDE).rstrip('"')
        lines[index] = (HERE / "examples" / name).read_text(encoding="utf-8").rstrip()
    return _FILE.sub(r'\1 title="\2"', "\n".join(lines) + "\n")


def site_configuration() -> str:
    """Return the configuration with every rule in the navigation."""
    text = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    assert _RULES in text
    pages = [f"      - {rule.id} {rule.name}: {reference.rule_path(rule)}\n" for rule in built_in_rules()]
    return text.replace(_RULES, _RULES + "".join(pages))


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
