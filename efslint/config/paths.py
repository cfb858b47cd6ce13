"""What configuration says of paths: which are left out, and which rules are ignored where.

Knows gitignore patterns (https://git-scm.com/docs/gitignore) and what they are relative to. Leaves walking to
``inputs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from posixpath import join, normpath

from efslint.adoption.rule_names import RuleName, named
from efslint.config.model import Config, ConfigError, Origin
from efslint.rules.finding import Finding

Matcher = Callable[[str], bool]


def excluder(config: Config) -> Matcher:
    """Return what says of a path whether it is left out; the path of a directory ends in a slash.

    Patterns of the file are relative to its directory, those of ``--exclude`` to the working directory; a path outside
    of the file's directory is matched from the working directory too. Raises ``ConfigError`` for a pattern that is not
    one.
    """
    filed: list[tuple[str, Origin]] = []
    given: list[tuple[str, Origin]] = []
    for index, pattern in enumerate(config.exclude):
        origin = config.origin("exclude", index)
        (given if origin.option else filed).append((pattern, origin))
    if not config.exclude:
        return lambda _: False
    from_file, from_options = _matcher(filed), _matcher(given)
    return lambda path: from_file(_from_file(path, config.within)) or from_options(_from_file(path, ""))


def ignore_by_path(
    findings: Iterable[Finding], config: Config, known: Sequence[RuleName]
) -> tuple[tuple[Finding, ...], tuple[tuple[Finding, str], ...]]:
    """Split findings into those that are left and those that ``per-path-ignores`` hides, with the pattern that does.

    The path is the one where the finding is shown. To be called after suppressions were applied, so that a comment is
    not called unused for what the configuration hides as well.
    """
    ignores = tuple(
        (glob, cache(_matcher([(glob, config.origin("per-path-ignores", glob))])), _ids(words, known))
        for glob, words in config.per_path_ignores.items()
    )
    kept: list[Finding] = []
    hidden: list[tuple[Finding, str]] = []
    for finding in findings:
        path = _from_file(finding.span.source.path, config.within)
        glob = next((glob for glob, matches, ids in ignores if finding.rule in ids and matches(path)), None)
        if glob is None:
            kept.append(finding)
        else:
            hidden.append((finding, f"per-path-ignores: {glob}"))
    return tuple(kept), tuple(hidden)


def _ids(words: Iterable[str], known: Sequence[RuleName]) -> frozenset[str]:
    return frozenset(rule for word in words for rule in named(word, known))


def _matcher(patterns: Sequence[tuple[str, Origin]]) -> Matcher:
    if not patterns:
        return lambda _: False
    from pathspec import GitIgnoreSpec  # most runs have no patterns

    for pattern, origin in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            option = f"{origin.option}: " if origin.option else ""
            raise ConfigError(f'{option}"{pattern}" is not a gitignore pattern', origin.span) from None
    spec = GitIgnoreSpec.from_lines([pattern for pattern, _ in patterns])
    return lambda path: bool(spec.match_file(path))  # before pathspec 1.0 it may return None


def _from_file(path: str, within: str) -> str:
    """Return a path that is relative to the working directory as one relative to the configuration file's directory."""
    located = normpath(join(within, path))
    if located.startswith(("../", "/")):
        located = normpath(path)
        while located.startswith(("../", "/")):
            located = located.removeprefix("../").removeprefix("/")
    return f"{located}/" if path.endswith("/") else located
