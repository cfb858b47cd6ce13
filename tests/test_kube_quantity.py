"""Sizes. Grammar: kubernetes.io, Quantity."""

from __future__ import annotations

import pytest

from efslint.kube.quantity import quantity


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("5", 5),
        ("1Ki", 1024),
        ("1.5Gi", 1610612736),
        ("1Ei", 2**60),
        ("1k", 1000),
        ("10G", 10**10),
        ("1E", 10**18),
        ("12e6", 12_000_000),
        ("1E3", 1000),
        ("100m", 1),
        (".5Mi", 524288),
        ("+2Ti", 2 * 2**40),
    ],
)
def test_a_size(text: str, size: int) -> None:
    assert quantity(text) == size


def test_equal_sizes_in_different_units_are_equal() -> None:
    assert quantity("0.1Gi") == quantity("102.4Mi")


@pytest.mark.parametrize("text", ["", "Gi", "10GB", "10 Gi", "${SIZE}", "-1Gi", "1Gi\n", "ten", "1e1000"])
def test_no_size(text: str) -> None:
    assert quantity(text) is None
