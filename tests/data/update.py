"""Ask Go's YAML library again what it makes of the texts in this directory, and write the answers down.

``python tests/data/update.py`` needs Go and the module proxy, or a filled module cache; the tests need neither.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
_MODULE = HERE / "goyaml"


def answers(texts: list[str]) -> list[str | None]:
    """Return the JSON that ``sigs.k8s.io/yaml`` makes of each text, ``None`` where it refuses."""
    asked = json.dumps(texts).encode()
    told = subprocess.run(("go", "run", "."), cwd=_MODULE, input=asked, capture_output=True, check=True).stdout
    found: list[str | None] = json.loads(told)
    return found


def main() -> None:
    """Rewrite ``go-values.json`` and the answers in ``yaml-test-suite.json``."""
    path = HERE / "go-values.json"
    texts = [text for text, _ in json.loads(path.read_text(encoding="utf-8"))]
    write(path, [list(pair) for pair in zip(texts, answers(texts), strict=True)])
    path = HERE / "yaml-test-suite.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    told = answers([text for case in cases for text in case["documents"]])
    for case in cases:
        case["go"] = [told.pop(0) for _ in case["documents"]]
    write(path, cases)


def write(path: Path, values: list[object]) -> None:
    """Write a list, an item a line."""
    lines = ",\n".join(json.dumps(value, ensure_ascii=True) for value in values)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
