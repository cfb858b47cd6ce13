"""What a wheel carries ready-made says the same as the files it was made from."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import efslint
from efslint import builtin
from efslint.compiled import source_text


def shipped() -> tuple[Any, Any, Any]:
    known = builtin.knowledge()
    return builtin.built_in_rules(), known.engines(), known.operators()


@pytest.fixture
def module() -> ModuleType:
    made = ModuleType("efslint._compiled")
    exec(source_text(*shipped()), made.__dict__)
    return made


def engines(values: Any) -> list[tuple[Any, ...]]:
    """Engines are told apart by identity, so their fields are compared."""
    return [tuple(getattr(engine, name) for name in type(engine).__slots__) for engine in values]


def test_the_values_are_those_of_the_files(module: ModuleType) -> None:
    rules, known, operators = shipped()
    assert rules
    assert rules == module.RULES
    assert engines(module.ENGINES) == engines(known)
    assert operators == module.OPERATORS


def test_it_is_used_where_it_is(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "efslint._compiled", module)
    monkeypatch.setattr(efslint, "_compiled", module, raising=False)
    builtin.built_in_rules.cache_clear()
    builtin.knowledge.cache_clear()
    try:
        assert builtin.built_in_rules() is module.RULES
        assert builtin.knowledge().engines() is module.ENGINES
        assert builtin.knowledge().operators() is module.OPERATORS
    finally:
        builtin.built_in_rules.cache_clear()
        builtin.knowledge.cache_clear()


def test_the_text_is_the_same_whatever_the_order_of_sets() -> None:
    script = (
        "from efslint.builtin import built_in_rules, knowledge\n"
        "from efslint.compiled import source_text\n"
        "import hashlib\n"
        "known = knowledge()\n"
        "text = source_text(built_in_rules(), known.engines(), known.operators())\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    sums = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(sums) == 1
