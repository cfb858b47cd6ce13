"""How charts are rendered and where their sources are, as somebody asked for it."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_RELEASE = "release-name"
"""What ``helm template`` calls a release without a name."""


class HelmOptions(NamedTuple):
    """Options about Helm.

    ``roots`` are the directories below which charts are looked for by their names, ``chart_roots`` those that take
    their place. ``values`` are files, ``sets`` what stands behind ``--set``.
    """

    roots: tuple[str, ...] = (".",)
    chart_roots: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    release: str | None = None
    namespace: str | None = None
