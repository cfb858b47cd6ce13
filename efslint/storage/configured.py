"""What configuration adds to the objects of the input. Apart from the rest of the room, as configuration is read
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ConfiguredClass(NamedTuple):
    """What configuration says of a class: its driver, and the NFS server where that decides."""

    driver: str
    server: str | None = None


class StorageSettings(NamedTuple):
    """Configuration for the resolver. ``classes`` maps class names to what they are; configuration wins over a name."""

    classes: Mapping[str, ConfiguredClass] = {}
