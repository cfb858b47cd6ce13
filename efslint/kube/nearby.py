"""Which of several things is meant: the nearest to the file that refers to it.

Knows paths and namespaces, not what the things are. A look-up in the same file or directory takes constant time,
however many things of one name the input holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from efslint.text.source import Source

_T = TypeVar("_T")


class Nearby(Generic[_T]):
    """Things that stand in files. Filled once, then only read."""

    def __init__(self) -> None:
        self._all: list[tuple[str, _T]] = []
        self._in_file: dict[str, list[_T]] = {}
        self._in_directory: dict[tuple[str, ...], list[_T]] = {}

    def add(self, source: Source, thing: _T) -> None:
        """Add a thing that stands in a file."""
        self._add(source.path, thing)

    def _add(self, path: str, thing: _T) -> None:
        self._all.append((path, thing))
        self._in_file.setdefault(path, []).append(thing)
        self._in_directory.setdefault(_directory(path), []).append(thing)

    def add_all(self, others: Nearby[_T]) -> None:
        """Add the things of another collection."""
        for path, thing in others._all:
            self._add(path, thing)

    def tiers(self, near: Source) -> Iterator[list[_T]]:
        """Yield what is equally near, the nearest first: same file, same directory, then by the common ancestor."""
        here = self._in_file.get(near.path)
        if here is not None:
            yield here
        mine = _directory(near.path)
        beside = self._in_directory.get(mine, ())
        if len(beside) > len(here or ()):
            yield list(beside)
        ranked: dict[tuple[int, int], list[_T]] = {}
        for path, thing in self._all:
            theirs = _directory(path)
            if theirs != mine:
                ranked.setdefault((_common(mine, theirs), -len(theirs)), []).append(thing)
        for rank in sorted(ranked, reverse=True):
            yield ranked[rank]

    def nearest(self, near: Source) -> list[_T]:
        """Return what is nearest to a file; several things where they are equally near."""
        return next(self.tiers(near), [])


class Namespaced(Generic[_T]):
    """Things of one name in namespaces.

    ``kubectl apply -n`` puts an object that names no namespace into any. So one without a namespace can be meant by a
    reference from every namespace, and the other way round; an equal namespace is preferred.
    """

    def __init__(self) -> None:
        self._spaces: dict[str | None, Nearby[_T]] = {}

    def add(self, namespace: str | None, source: Source, thing: _T) -> None:
        """Add a thing that stands in a file."""
        self._spaces.setdefault(namespace, Nearby()).add(source, thing)

    def nearest(self, namespace: str | None, near: Source) -> list[_T]:
        """Return what a reference from a namespace can mean, as seen from a file."""
        if namespace in self._spaces:
            return self._spaces[namespace].nearest(near)
        if namespace is None:
            return self.anywhere(near)
        return self._spaces[None].nearest(near) if None in self._spaces else []

    def anywhere(self, near: Source) -> list[_T]:
        """Return what is nearest in whatever namespace."""
        spaces = list(self._spaces.values())
        if len(spaces) == 1:
            return spaces[0].nearest(near)
        every: Nearby[_T] = Nearby()
        for space in spaces:
            every.add_all(space)
        return every.nearest(near)


def _directory(path: str) -> tuple[str, ...]:
    return tuple(path.split("/")[:-1])


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the directories that two paths begin with alike."""
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return common
