"""Helm's own engine, of the optional extra ``efslint[helm]``: charts in, rendered templates out.

The only module that imports helm_python, and only when a chart is rendered: the library is large. Never reaches a
cluster or a network (``helm_python.Chart.render`` "renders the chart's templates offline").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a chart cannot be rendered, in Helm's words. ``kind`` is ``load``, ``schema`` or ``template``."""

    kind: str
    message: str


def is_available() -> bool:
    """Say whether the extra is installed."""
    from importlib.util import find_spec

    return find_spec("helm_python") is not None


def render(archive: bytes, values: Mapping[str, Any], release: str, namespace: str) -> dict[str, str] | Failure:
    """Render a chart from its archive: the text of each template by its name, as in ``# Source:``."""
    import helm_python as helm

    helm.disable_logging()
    kind = "load"
    try:
        with helm.Chart.load_archive(archive) as chart:
            kind = "schema"
            chart.validate_schema(dict(values))
            kind = "template"
            rendered: dict[str, str] = chart.render(dict(values), name=release, namespace=namespace)
            return rendered
    except helm.HelmError as error:
        return Failure(kind, str(error))
