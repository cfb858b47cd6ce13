"""Image references: what registry, repository, tag and digest an image name says.

Knows the grammar of image names (https://github.com/distribution/reference); leaves what is inside an image to others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A tag says the major version with its first number (16.3.0, v18, 18beta1), or, where an extension's version comes
# first or last, the version of PostgreSQL with a word of its own (pg16, 2.17.0-pg15).
_POSTGRES = re.compile(r"(?:^|[-_.])pg(\d{1,3})(?!\d)")
_LEADING = re.compile(r"v?(\d{1,9})(?!\d)")
_LONGEST = 255  # ``RepositoryNameTotalLengthMax`` in distribution/reference, ``reference.go``


class Image(NamedTuple):
    """An image reference. ``segments`` are the parts of the repository without the registry, in lower case.

    ``major`` is the first number of the tag, ``None`` where the tag begins with none (``latest``) or is absent.
    """

    registry: str | None
    segments: tuple[str, ...]
    tag: str | None
    digest: str | None
    major: int | None


def parse_image(text: str) -> Image | None:
    """Take an image reference apart; ``None`` where no repository is in it. Placeholders are kept as they are.

    Names longer than a registry takes are none either.
    """
    name, _, digest = text.strip().partition("@")
    head, slash, last = name.rpartition("/")
    last, _, tag = last.partition(":")
    parts = [*head.split("/"), last] if slash else [last]
    registry = parts.pop(0) if len(parts) > 1 and _is_registry(parts[0]) else None
    segments = tuple(part.lower() for part in parts if part)
    if not segments or not last or len(head) + len(last) > _LONGEST:
        return None
    return Image(registry, segments, tag or None, digest or None, _major(tag))


def _is_registry(first: str) -> bool:
    """Tell a host from the first part of a repository: it has a dot, a port or a capital, or is ``localhost``."""
    placeholder = first.startswith(("$", "{", "<", "%"))
    return placeholder or "." in first or ":" in first or first == "localhost" or first != first.lower()


def _major(tag: str) -> int | None:
    found = _POSTGRES.search(tag) or _LEADING.match(tag)
    return None if found is None else int(found[1])
