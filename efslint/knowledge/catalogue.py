"""Engines as data: the types of ``engines.yaml`` and of engines written in a configuration, and reading them.

Knows the shape of the entries and checks it; leaves it to ``engines`` to recognise an engine in a container.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from efslint.knowledge.data import Entry, KnowledgeError, data_node, entry
from efslint.yaml.node import Node

CATEGORIES = ("database", "embedded")
STANCES = ("unsupported", "discouraged", "conditional", "supported", "none")
NO_STATEMENT = "no vendor statement found"

_FILE_KEYS = ("bystanders", "aside", "engines")
_KEYS = (
    "id product category stance statement source images environment arguments operands entrypoint servers clients "
    "external off signals suffixes aside"
).split()
_IMAGE_KEYS = ("match", "below", "from", "data", "log")
_SETTING_KEYS = ("name", "role", "append", "separator")
_EXTERNAL_KEYS = ("name", "option", "values")


class ImagePattern(NamedTuple):
    """Images of an engine with one layout of directories.

    ``segments`` are globs over the last segments of the repository. Where the tag has a number, it must be below
    ``below`` and at least ``since``. ``{major}`` in a directory stands for that number.
    """

    segments: tuple[str, ...]
    below: int | None
    since: int | None
    data: tuple[str, ...]
    log: tuple[str, ...]


class Setting(NamedTuple):
    """An environment variable or an option that moves a directory.

    ``append`` is put behind its value; with ``separator`` the value is a list. ``role`` is ``data`` or ``log``.
    """

    name: str
    role: str
    append: str
    separator: str


class External(NamedTuple):
    """What switches the embedded store off: a variable or an option, with one of ``values`` (globs), or any value."""

    name: str
    option: bool
    values: tuple[str, ...]


class Engine(NamedTuple):
    """A product that keeps data in a directory, and how it is recognised.

    ``stance`` is what the vendor says of NFS, ``statement`` the same in a sentence, ``source`` where it was read.
    ``servers`` and ``clients`` are programs, with leading arguments where these decide. ``entrypoint`` is the program
    an image passes its arguments to. ``operands`` names the argument after which directories are listed. ``off`` are
    options that together mean that nothing is kept. ``signals`` are variables that no other product uses, ``suffixes``
    endings of image names. ``aside`` are names of directories that hold no data although they lie below the data.
    ``bystanders`` are globs of image names that are never an engine, whatever else speaks for it.
    """

    id: str
    product: str
    category: str
    stance: str
    statement: str
    source: str
    images: tuple[ImagePattern, ...]
    environment: tuple[Setting, ...]
    arguments: tuple[Setting, ...]
    operands: str
    entrypoint: str
    servers: tuple[str, ...]
    clients: tuple[str, ...]
    external: tuple[External, ...]
    off: tuple[tuple[str, str], ...]
    signals: tuple[str, ...]
    suffixes: tuple[str, ...]
    aside: frozenset[str]
    bystanders: tuple[str, ...]

    def __hash__(self) -> int:
        """Hash the name alone, since what is known of an engine is looked up by it again and again."""
        return hash(self.id)


class _General(NamedTuple):
    """What the file says of all engines."""

    bystanders: tuple[str, ...]
    aside: frozenset[str]


def load_engines(extra: tuple[Node, ...] = ()) -> tuple[Engine, ...]:
    """Return all engines: those of ``extra`` (entries of the same shape) first, then those that ship.

    An entry of ``extra`` replaces the one of the same id. Raises ``KnowledgeError`` with the place of what is wrong.
    """
    general, shipped = _shipped()
    own = tuple(_engine(node, general) for node in extra)
    ids: dict[str, Node] = {}
    for engine, node in zip(own, extra, strict=True):
        if engine.id in ids:
            raise KnowledgeError(f"engine {engine.id} is described twice", node.span)
        ids[engine.id] = node
    return (*own, *(engine for engine in shipped if engine.id not in ids))


@cache
def _shipped() -> tuple[_General, tuple[Engine, ...]]:
    file = entry(data_node("engines.yaml"), _FILE_KEYS, "engines.yaml")
    general = _General(file.words("bystanders"), frozenset(file.words("aside")))
    return general, tuple(_engine(node, general) for node in file.items("engines"))


def _engine(node: Node, general: _General) -> Engine:
    read = entry(node, _KEYS, "an engine")
    images = tuple(pattern for item in read.items("images") for pattern in _image(item))
    suffixes, signals = read.words("suffixes"), read.words("signals")
    if not images:
        raise KnowledgeError("images are missing", node.span)
    return Engine(
        id=read.word("id"),
        product=read.word("product"),
        category=read.choice("category", CATEGORIES, "database"),
        stance=read.choice("stance", STANCES, "none"),
        statement=read.word("statement", NO_STATEMENT),
        source=read.word("source", ""),
        images=images,
        environment=tuple(_setting(item, "a variable") for item in read.items("environment")),
        arguments=tuple(_setting(item, "an option") for item in read.items("arguments")),
        operands=read.word("operands", ""),
        entrypoint=read.word("entrypoint", ""),
        servers=_programs(read, "servers"),
        clients=_programs(read, "clients"),
        external=tuple(_external(item) for item in read.items("external")),
        off=read.pairs("off"),
        signals=signals,
        suffixes=tuple(suffix.lower() for suffix in suffixes),
        aside=general.aside.union(name.lower() for name in read.words("aside")),
        bystanders=general.bystanders,
    )


def _image(node: Node) -> Iterator[ImagePattern]:
    read = entry(node, _IMAGE_KEYS, "an image")
    matches, below, since = read.words("match"), read.number("below"), read.number("from")
    data, log = read.words("data"), read.words("log")
    if not matches:
        raise KnowledgeError("match is missing", node.span)
    for path in (*data, *log):
        if not path.startswith("/"):
            raise KnowledgeError(f"directory {path} must be absolute", node.span)
    for match in matches:
        segments = tuple(match.lower().split("/"))
        if not all(segments) or segments[-1].strip("*?") == "":
            raise KnowledgeError(f"{match} would match any image", read.values["match"].span)
        yield ImagePattern(segments, below, since, data, log)


def _setting(node: Node, what: str) -> Setting:
    read = entry(node, _SETTING_KEYS, what)
    return Setting(
        read.word("name"),
        read.choice("role", ("data", "log"), "data"),
        read.word("append", ""),
        read.word("separator", ""),
    )


def _external(node: Node) -> External:
    read = entry(node, _EXTERNAL_KEYS, "a setting")
    if ("name" in read.values) == ("option" in read.values):
        raise KnowledgeError("a setting needs either a name or an option", node.span)
    option = "option" in read.values
    return External(
        read.word("option" if option else "name"), option, tuple(each.lower() for each in read.words("values"))
    )


def _programs(read: Entry, key: str) -> tuple[str, ...]:
    """Return programs: a text is split at blanks, the items of a list may hold arguments, ``consul agent``."""
    return tuple(" ".join(program.split()) for program in read.words(key))
