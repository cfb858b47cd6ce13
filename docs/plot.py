"""The picture of what input of a size costs: from ``bench/results.json`` to ``docs/pages/speed.svg``.

Knows one kind of picture, points on two logarithmic axes with a line of equal cost per megabyte; measures nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import log10
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "bench" / "results.json"
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 360, 64, 24
_RIGHT, _BOTTOM = _WIDTH - 24, _HEIGHT - 56
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200)
_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def svg(path: Path = RESULTS) -> str:
    """Return the picture; the empty string where sizes were not measured."""
    if not path.exists():
        return ""
    points = [(size["megabytes"], size["wall"]) for size in json.loads(path.read_text(encoding="utf-8"))["sizes"]]
    return "\n".join((*_picture(points), "")) if points else ""


def _picture(points: Sequence[tuple[float, float]]) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-size="12"'
    yield '  font-family="sans-serif" fill="#555">'
    yield "<title>Seconds against megabytes of input, both logarithmic; a straight line of slope 1 is linear</title>"
    for size in _SIZES:
        yield f'<path d="M{_x(size):.1f} {_TOP}V{_BOTTOM}" stroke="#8884"/>'
        yield f'<text x="{_x(size):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{size} MB</text>'
    for seconds in _SECONDS:
        yield f'<path d="M{_LEFT} {_y(seconds):.1f}H{_RIGHT}" stroke="#8884"/>'
        yield f'<text x="{_LEFT - 8}" y="{_y(seconds) + 4:.1f}" text-anchor="end">{seconds:g} s</text>'
    # The line leads through the largest input, where start-up no longer counts.
    rate = points[-1][1] / points[-1][0]
    first, last = (max(_SIZES[0], _SECONDS[0] / rate), _SIZES[-1])
    ends = f"M{_x(first):.1f} {_y(first * rate):.1f}L{_x(last):.1f} {_y(last * rate):.1f}"
    yield f'<path d="{ends}" stroke="#d60" stroke-dasharray="5 4"/>'
    yield f'<text x="{_RIGHT}" y="{_BOTTOM + 40}" text-anchor="end">dashed: {1000 * rate:.0f} ms per megabyte</text>'
    yield f'<text x="{_LEFT}" y="{_BOTTOM + 40}">seconds for input of a size, in one process</text>'
    for size, seconds in points:
        yield f'<circle cx="{_x(size):.1f}" cy="{_y(seconds):.1f}" r="4" fill="#06c"/>'
    yield "</svg>"


def _x(size: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * log10(size / _SIZES[0]) / log10(_SIZES[-1] / _SIZES[0])


def _y(seconds: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * log10(seconds / _SECONDS[0]) / log10(_SECONDS[-1] / _SECONDS[0])
