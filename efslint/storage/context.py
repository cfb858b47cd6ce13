"""What the resolver works with: the objects of the run and what configuration adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from efslint.kube.index import Index
from efslint.storage.provisioners import Provisioner


@dataclass(frozen=True, slots=True)
class ConfiguredClass:
    """What configuration says of a class: its driver, and the NFS server where that decides."""

    driver: str
    server: str | None = None


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Configuration for the resolver. ``classes`` maps class names to what they are; configuration wins over a name."""

    classes: Mapping[str, ConfiguredClass] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a resolving function may look at."""

    index: Index
    settings: StorageSettings
    provisioners: Mapping[str, Provisioner]
