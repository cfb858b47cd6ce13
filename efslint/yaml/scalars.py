"""The values of scalars, as Kubernetes' YAML library types them.

Knows the rules by which ``sigs.k8s.io/yaml`` turns YAML scalars into JSON values; knows nothing of nodes or places.
The rules are those of ``resolve`` in ``kubernetes-sigs/yaml:goyaml.v2/resolve.go``: YAML 1.1 booleans and
octal numbers, no base 60, and timestamps that stay text.
"""

from __future__ import annotations

import math
import re
from typing import TypeAlias

Plain: TypeAlias = str | int | float | bool | None

_CONSTANTS: dict[str, Plain] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_CONSTANT_FIRST = frozenset("yYnNtTfFoO~.+-")
_NUMBER_FIRST = frozenset("+-0123456789")

_INTEGER = r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))"
_SIGNED_BINARY = r"0b([+-][01]{1,63})"  # a quirk of the reference: the sign may stand behind the prefix
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_POINT_FLOAT = r"\.[0-9]+(?:[eE][-+]?[0-9]+)?"

_MOST_DIGITS = 1000  # what fits in 64 bits is far shorter; int(), str() and json fail beyond 4300 decimal digits

_CORE = "tag:yaml.org,2002:"


def typed(text: str, style: str, tag: str | None) -> Plain:
    """Return the value of a scalar.

    ``text`` is its content, ``style`` as in ``Scalar`` (only plain scalars, ``""``, are typed without a tag), ``tag``
    the explicit tag in its long (``tag:yaml.org,2002:int``) or short (``!!int``) form. The tags ``!!bool``, ``!!int``,
    ``!!float`` and ``!!null`` are honoured where the content fits them, whatever the style; with any other tag, and
    where the content does not fit (which the reference refuses), the value is the text. Never raises.
    """
    if tag is None:
        return text if style else _plain(text)
    return _tagged(text, tag.removeprefix("!!").removeprefix(_CORE))


def _tagged(text: str, core: str) -> Plain:
    if core not in ("bool", "int", "float", "null"):
        return text
    value = _plain(text)
    if core == "null":
        return None if value is None else text
    if core == "bool":
        return value if isinstance(value, bool) else text
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return text
    if core == "int":
        return value if isinstance(value, int) else text
    return float(value)


def _plain(text: str) -> Plain:
    first = text[:1]
    if (not first or first in _CONSTANT_FIRST) and text in _CONSTANTS:
        return _CONSTANTS[text]
    if first in _NUMBER_FIRST:
        return _number(text)
    if first == "." and re.fullmatch(_POINT_FLOAT, text):
        return _finite(text, text)
    return text


def _number(text: str) -> Plain:
    digits = text.replace("_", "")
    signed = digits[0] in "+-"
    whole = re.fullmatch(_INTEGER, digits) if len(digits) <= _MOST_DIGITS else None
    integer = None if whole is None else _integer(whole)
    # The reference reads signed numbers as int64 and others as uint64, then tries floats.
    if integer is not None and -(2**63) <= integer < (2**63 if signed else 2**64):
        return integer
    value: Plain = _finite(digits, text) if re.fullmatch(_FLOAT, digits) else text
    if isinstance(value, float):
        return value
    binary = re.fullmatch(_SIGNED_BINARY, digits)
    return text if binary is None else int(binary[1], 2)


def _integer(whole: re.Match[str]) -> int:
    sign, sixteen, two, eight, ten = whole.groups()
    if sixteen is not None:
        return int(sign + sixteen, 16)
    if two is not None:
        return int(sign + two, 2)
    return int(sign + ten) if eight is None else int(sign + eight, 8)


def _finite(digits: str, text: str) -> Plain:
    # Go's ParseFloat reports a number that is too large as an error, and the scalar stays text.
    number = float(digits)
    return text if math.isinf(number) else number
