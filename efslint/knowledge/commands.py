"""Commands: which programs a container's command and arguments run, and what values their options have.

Knows argument vectors, the usual wrappers and enough of the shell to find its simple commands; nothing is run, and what
cannot be read is left out. Which programs are servers is left to the engines.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice, pairwise

Line = tuple[str, ...]
"""One simple command: the name of the program without its directory, then its arguments."""

_LONGEST_SCRIPT = 20_000
_MOST_LINES = 500
_LONGEST_VALUE = 4096  # PATH_MAX of Linux
_MOST_PATHS = 64
_DEEPEST = 4

_SHELLS = frozenset(("sh", "bash", "ash", "dash", "ksh", "zsh"))
# Programs that run another one, with the letters of their options that take a value.
_WRAPPERS = {
    **dict.fromkeys("exec command nohup setsid tini dumb-init catatonit time gosu su-exec -- !".split(), ""),
    "sudo": "ugC",
    "nice": "n",
    "ionice": "cnp",
    "env": "uC",
    "timeout": "sk",
    "runuser": "ug",
}
_WITH_OPERAND = frozenset(("gosu", "su-exec", "timeout"))
_USER_SHELLS = frozenset(("su", "runuser"))
_KEYWORDS = frozenset(("if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}"))
_HEADERS = frozenset(("for", "case", "esac", "select", "function", "in"))
_SEPARATORS = "();|&\n"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:(?://[^/]*)?")
_HERE_DOCUMENT = re.compile(
    r"<<-?[ \t]*(['\"]?)(\w{1,40})\1([^\n]*)\n.{0,4000}?^[ \t]*\2[ \t]*$", re.DOTALL | re.MULTILINE
)
_REFERENCE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)(?::?-([^{}$]*))?\}|(\w+))")

# What images of databases are often started for besides their server: none of these keeps a database open.
_TOOLS = frozenset(
    ". : [ [[ alias apk apt-get awk aws az azcopy base64 basename break bzip2 cat cd chgrp chmod chown continue cp "
    "curl cut date declare df diff dig dirname dnf du echo egrep eval exit export expr false fgrep find gcloud "
    "getent getopts gpg grep gsutil gunzip gzip head hostname id install jq kill kubectl let ln local ls lz4 mc "
    "md5sum microdnf mkdir mktemp mv nc nslookup openssl pgrep ping pip pip3 pkill printenv printf ps pwd python "
    "python3 rclone read readonly restic return rm rmdir rsync s3cmd s5cmd scp sed seq set sha256sum shift shopt "
    "sleep sort source ssh stat su sync tail tar tee test touch tr trap true type ulimit umask uname uniq unset "
    "unzip wait wc wget which whoami xargs xz yq yum zip zstd".split()
)


class Runs(StrEnum):
    """What a container runs."""

    SERVER = "server"
    CLIENT = "client"
    UNKNOWN = "unknown"


def simple_commands(command: Iterable[str], args: Iterable[str], entrypoint: str = "") -> tuple[Line, ...]:
    """Return the simple commands that ``command`` and ``args`` of a container run, shell strings taken apart.

    ``entrypoint`` is the program that the image starts when no ``command`` is given, so that ``args`` are its
    arguments; an image without one is taken to start what ``args`` names, as entry point scripts do.
    """
    words, arguments = tuple(command), tuple(args)
    if not words:
        own = arguments and (_base(arguments[0]) in _SHELLS or _base(arguments[0]) == entrypoint)
        if (arguments and arguments[0].startswith("-")) or (entrypoint and not own):
            words = (entrypoint,)
    return tuple(islice(_lines((*words, *arguments), 0), _MOST_LINES))


def runs(lines: Iterable[Line], servers: Iterable[str], clients: Iterable[str]) -> Runs:
    """Judge simple commands by the longest name that fits: ``consul agent`` is a server where ``consul`` is a client.

    One server is enough for a server, and nothing but tools (``sleep``, ``tar``) counts as a client. Otherwise the last
    program that is no tool decides: a script that waits for a peer with a client goes on to something unknown.
    """
    names = {tuple(name.split()): Runs.CLIENT for name in clients}
    names.update((tuple(name.split()), Runs.SERVER) for name in servers)
    kinds = [_kind(line, names) for line in lines]
    if Runs.SERVER in kinds:
        return Runs.SERVER
    told = [kind for kind in kinds if kind is not None]
    if told:
        return told[-1]
    return Runs.CLIENT if kinds else Runs.UNKNOWN


def option_values(lines: Iterable[Line], option: str) -> tuple[str, ...]:
    """Return the values an option is given, in order: ``--opt value``, ``--opt=value``, for short ones ``-Dvalue``.

    A long option is also found with one dash, as Go's flag package takes it. An option of two words, such as
    ``-c data_directory``, is an assignment given to the first: ``-c data_directory=value``.
    """
    flag, _, setting = option.partition(" ")
    spellings = (flag, flag[1:]) if flag.startswith("--") else (flag, f"-{flag}") if len(flag) > 2 else (flag,)
    return tuple(value for line in lines for value in _values(line, spellings, setting))


def operands(lines: Iterable[Line], after: str) -> tuple[str, ...]:
    """Return the absolute paths among the arguments after a word, the paths of URLs and ``{1...4}`` ranges included.

    A path that follows an option is that option's value.
    """
    found: list[str] = []
    for line in lines:
        if after not in line:
            continue
        rest = line[line.index(after) :]
        for before, word in pairwise(rest):
            path = _SCHEME.sub("", word)
            if path.startswith("/") and not (before.startswith("-") and "=" not in before):
                found.extend(islice(_ranges(path), _MOST_PATHS))
    return tuple(found)


def expand(text: str, env: Mapping[str, str | None]) -> str | None:
    """Replace ``$(NAME)``, ``${NAME}``, ``${NAME:-default}`` and ``$NAME``; ``None`` where a value is not known."""
    for _ in range(_DEEPEST):
        missing = False

        def value(match: re.Match[str]) -> str:
            nonlocal missing
            name = match[1] or match[2] or match[4]
            known = env.get(name, match[3])
            missing = missing or known is None or len(known) > _LONGEST_VALUE
            return "" if missing else known or ""

        text, count = _REFERENCE.subn(value, text)
        if missing or len(text) > _LONGEST_VALUE:
            return None
        if not count:
            break
    return None if "$" in text else text


def _kind(line: Line, names: Mapping[Line, Runs]) -> Runs | None:
    """Judge one simple command; ``None`` for a tool, which says nothing."""
    for length in (3, 2, 1):
        if line[:length] in names:
            return names[line[:length]]
    return None if line[0] in _TOOLS else Runs.UNKNOWN


def _lines(words: Line, depth: int) -> Iterator[Line]:
    """Yield the simple commands of an argument vector: wrappers are taken off, shell strings are taken apart."""
    rest = words
    while rest:
        name = _base(rest[0])
        if name in _SHELLS and depth < _DEEPEST:
            yield from _shell(rest, depth)
            return
        if name in _USER_SHELLS and "-c" in rest[:-1] and depth < _DEEPEST:
            yield from _script(rest[rest.index("-c") + 1], depth + 1)
            return
        step = _wrapper(name, rest)
        if not step:
            yield (name, *rest[1:])
            return
        rest = rest[step:]


def _wrapper(name: str, words: Line) -> int:
    """Return how many words stand before what a wrapper runs; 0 where the first word is the program itself."""
    if _ASSIGNMENT.match(words[0]) or name in _KEYWORDS:
        return 1
    if name in _WRAPPERS:
        step = 1
        while step < len(words) and words[step].startswith("-"):
            step += 2 if words[step][1:] in tuple(_WRAPPERS[name]) else 1
        return step + (name in _WITH_OPERAND)
    script = "entrypoint" in name and len(words) > 1 and not words[1].startswith("-")
    return 1 if script else 0


def _shell(words: Line, depth: int) -> Iterator[Line]:
    """Yield what a shell runs: a string after ``-c`` (or ``-ec``, ``-lc``, …), else the script it is given."""
    place = 1
    while place < len(words):
        word, rest = words[place], words[place + 1 :]
        if not word.startswith("-"):
            yield (_base(word), *rest)
            return
        if "c" in word and not word.startswith("--"):
            yield from _script(next((each for each in rest if not each.startswith("-")), ""), depth + 1)
            return
        # -o and -euo take the name of an option
        place += 2 if word.endswith("o") else 1


def _script(script: str, depth: int) -> Iterator[Line]:
    """Yield the simple commands of a shell string."""
    line: list[str] = []
    skip = False
    for token in _tokens(script[:_LONGEST_SCRIPT]):
        operator = bool(token) and not token.strip(_SEPARATORS + "<>")
        if operator and token.strip(_SEPARATORS):
            skip = True
        elif skip and not operator:
            skip = False
        elif operator:
            yield from _simple(tuple(line), depth)
            line, skip = [], False
        else:
            line.append(token)
    yield from _simple(tuple(line), depth)


def _simple(line: Line, depth: int) -> Iterator[Line]:
    comment = next((place for place, word in enumerate(line) if word.startswith("#")), None)
    line = line[:comment]
    if line and line[0] not in _HEADERS:
        yield from _lines(line, depth)


def _tokens(script: str) -> list[str]:
    """Split a shell string into words, operators and line ends; without regard to quotes where these do not match."""
    text = _HERE_DOCUMENT.sub(r"\3\n", script.replace("\\\n", " "))
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_SEPARATORS + "<>")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        return list(lexer)
    except ValueError:
        return re.findall(rf"[{_SEPARATORS}]+|[<>]+|[^\s{_SEPARATORS}<>]+", text)


def _values(line: Line, spellings: Iterable[str], setting: str) -> Iterator[str]:
    for place, word in enumerate(line):
        for flag in spellings:
            value = None
            if word == flag:
                value = line[place + 1] if place + 1 < len(line) else None
            elif word.startswith(f"{flag}="):
                value = word[len(flag) + 1 :]
            elif len(flag) == 2 and word.startswith(flag) and (setting or word[2:3] == "/"):
                value = word[2:]
            if value is not None and setting:
                value = value.removeprefix(f"{setting}=") if value.startswith(f"{setting}=") else None
            if value is not None:
                yield value


def _ranges(path: str) -> Iterator[str]:
    """Expand ``/disk{1...4}``."""
    found = re.search(r"\{(\d{1,6})\.\.\.(\d{1,6})\}", path)
    if found is None:
        yield path
        return
    first, last = int(found[1]), int(found[2])
    for number in range(first, min(last, first + _MOST_PATHS) + 1):
        yield from _ranges(f"{path[: found.start()]}{number}{path[found.end() :]}")


def _base(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2]
