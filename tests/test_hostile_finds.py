"""What fuzzing found once is not found again. How it is found is told in ``fuzz/README.md``."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from efslint.inputs.reading import read_file
from efslint.pipeline import lint_paths
from efslint.text.source import Source
from efslint.yaml.documents import SyntaxProblem, read_documents

FINDS = sorted((Path(__file__).parent / "data" / "fuzz").iterdir())


@pytest.mark.parametrize("path", FINDS, ids=lambda path: path.name)
def test_a_find(path: Path) -> None:
    started = time.monotonic()
    lint_paths([path])
    source = read_file(str(path))
    assert isinstance(source, Source)
    for document in read_documents(source, lambda _: True):
        assert 0 <= document.start <= document.end <= len(source.text)
        if isinstance(document, SyntaxProblem):
            assert document.start <= document.span.start < document.span.end <= document.end
    assert time.monotonic() - started < 5
