"""What the resolver works with: the objects of the run and what configuration adds to them."""

from __future__ import annotations

from typing import NamedTuple

from efslint.kube.index import Index
from efslint.storage.configured import StorageSettings
from efslint.storage.offers import Offers
from efslint.storage.provisioners import Provisioners
from efslint.yaml.node import Scalar


class Default(NamedTuple):
    """The default class: the marks that make it so, of which there is at least one. ``name`` is ``None`` where several
    classes are marked and it is not known which is the newest.
    """

    name: str | None
    marks: tuple[Scalar, ...]


class Context(NamedTuple):
    """Everything a resolving function may look at. ``default`` is ``None`` where no class is marked as the default."""

    index: Index  # type: ignore[assignment]  # hides the method of tuples, which nobody wants here
    settings: StorageSettings
    provisioners: Provisioners
    offers: Offers
    default: Default | None
