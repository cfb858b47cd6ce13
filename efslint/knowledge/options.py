"""Reading one mount option: its name, its value, and what is wrong with it as a word.

Knows the grammar; what an option does on a given mount is decided in ``storage``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from efslint.knowledge.mount_options import MountOption, Reader, Takes, mount_options


class Fault(StrEnum):
    """What is wrong with an option.

    ``blanks`` around it are wrong as well (nothing on the way to the kernel trims them), but leave no doubt what was
    meant.
    """

    UNKNOWN = "unknown"
    MALFORMED = "malformed"
    BLANKS = "blanks"


class OptionProblem(NamedTuple):
    """A fault and, in plain words, why. ``suggestion`` is what was probably meant, if that can be told."""

    fault: Fault
    why: str
    suggestion: str | None = None


class ParsedOption(NamedTuple):
    """An option, trimmed. ``spec`` is ``None`` for a name nobody knows; ``number`` is an integer option's value."""

    text: str
    name: str
    value: str | None
    spec: MountOption | None
    number: int | None = None
    problem: OptionProblem | None = None

    @property
    def usable(self) -> bool:
        """Whether it can be told what the option asks for."""
        return self.problem is None or self.problem.fault is Fault.BLANKS


# Characters that word processors, blogs and East Asian keyboards put in place of the ASCII ones.
_LOOKALIKES = {
    "\uff0c": ("full-width comma", ","),
    "\u3001": ("ideographic comma", ","),
    "\uff1d": ("full-width equals sign", "="),
    "\uff1a": ("full-width colon", ":"),
    "\u201c": ("curly quotation mark", ""),
    "\u201d": ("curly quotation mark", ""),
    "\u2018": ("curly quotation mark", ""),
    "\u2019": ("curly quotation mark", ""),
    "\u00a0": ("non-breaking space", ""),
    "\u3000": ("ideographic space", ""),
    "\u200b": ("zero-width space", ""),
    "\u2013": ("en dash", "-"),
    "\u2014": ("em dash", "-"),
}
_ASCII_SPACE = " \t\r\n"
_LONGEST_NAME = 64


def split_options(text: str) -> tuple[tuple[int, str], ...]:
    """Split at commas as mount(8) does, not inside double quotes; yields offsets and texts, empty pieces left out."""
    pieces: list[tuple[int, str]] = []
    start, quoted = 0, False
    for offset, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            pieces.append((start, text[start:offset]))
            start = offset + 1
    pieces.append((start, text[start:]))
    return tuple((offset, piece) for offset, piece in pieces if piece.strip(_ASCII_SPACE))


def kernel_integer(text: str) -> int | None:
    """Read an unsigned integer as the kernel does: a leading ``0x`` is base 16, a leading ``0`` base 8."""
    digits = text.removeprefix("+")
    if not (digits.isascii() and digits.isalnum()) or len(digits) > _LONGEST_NAME:
        return None
    base = 16 if digits[:2].lower() == "0x" else 8 if len(digits) > 1 and digits[0] == "0" else 10
    try:
        return int(digits, base)
    except ValueError:
        return None


def parse_option(text: str) -> ParsedOption:
    """Read one option (one piece between commas). Names are compared as the kernel does, case and all."""
    trimmed = text.strip(_ASCII_SPACE)
    name, equals, rest = trimmed.partition("=")
    name, value = name.rstrip(_ASCII_SPACE), rest.lstrip(_ASCII_SPACE) if equals else None
    spec = _spec(name)
    problem = _spelling_problem(trimmed, name) or (_unknown(name) if spec is None else None)
    number = None
    if problem is None and spec is not None:
        problem, number = _value_problem(spec, value)
    if problem is None and trimmed != text:
        problem = OptionProblem(Fault.BLANKS, f"blanks stand around {trimmed!r}, and nothing trims them", trimmed)
    return ParsedOption(trimmed, name, value, spec, number, problem)


def _spec(name: str) -> MountOption | None:
    if name.startswith(("x-", "X-")):
        return MountOption(name, name, Reader.FSTAB, Takes.EITHER, note="it is for user-space tools and not passed on")
    return mount_options().get(name)


def _spelling_problem(text: str, name: str) -> OptionProblem | None:
    for character, (what, instead) in _LOOKALIKES.items():
        if character in text:
            meant = text.replace(character, instead)
            why = f"it holds a {what} (U+{ord(character):04X})"
            return OptionProblem(Fault.UNKNOWN, why, None if instead == "," else meant)
    if any(blank in text for blank in _ASCII_SPACE) and '"' not in text:
        return OptionProblem(Fault.MALFORMED, "a blank stands inside the option", "".join(text.split()))
    if not name:
        return OptionProblem(Fault.MALFORMED, "there is no name" if text else "it is empty")
    return None


def _unknown(name: str) -> OptionProblem:
    why = "no NFS, EFS mount helper or generic mount option has this name"
    lower = name.lower()
    known = mount_options()
    if lower in known:
        return OptionProblem(Fault.UNKNOWN, "option names are case-sensitive", lower)
    head, colon, tail = name.partition(":")
    if colon and head in known:
        return OptionProblem(Fault.UNKNOWN, why, f"{head}={tail.strip()}")
    if len(name) > _LONGEST_NAME:
        return OptionProblem(Fault.UNKNOWN, why)
    from difflib import get_close_matches

    close = get_close_matches(lower, known, 1, 0.75)
    return OptionProblem(Fault.UNKNOWN, why, close[0] if close else None)


def _value_problem(spec: MountOption, value: str | None) -> tuple[OptionProblem | None, int | None]:
    """Compare a value with what the option takes; returns the problem and an integer option's value."""
    if spec.takes is Takes.NOTHING:
        return (None if value is None else _malformed(f"{spec.name} takes no value")), None
    if spec.takes is Takes.EITHER:
        wrong = value is not None and spec.choices and value not in spec.choices
        return (_malformed(f"{spec.name} takes {_listed(spec.choices)} or no value") if wrong else None), None
    if not value:
        return _malformed(f"{spec.name} needs a value"), None
    if spec.takes is Takes.INTEGER:
        return _integer_problem(spec, value)
    given = [part for part in value.split(":") if part] if spec.takes is Takes.CHOICES else [value]
    if spec.choices and not set(given) <= set(spec.choices):
        return _malformed(f"{spec.name} takes {_listed(spec.choices)}, not {value!r}"), None
    return None, None


def _integer_problem(spec: MountOption, value: str) -> tuple[OptionProblem | None, int | None]:
    number = kernel_integer(value)
    if number is None:
        return _malformed(f"{spec.name} takes a whole number without a unit, not {value!r}"), None
    if not spec.minimum <= number <= spec.maximum:
        return _malformed(f"{spec.name} takes a number from {spec.minimum} to {spec.maximum}, not {value}"), None
    return None, number


def _malformed(why: str) -> OptionProblem:
    return OptionProblem(Fault.MALFORMED, why)


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(choices[:-1]) + " or " + choices[-1]
