"""Quantities, as Kubernetes writes sizes.

https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
"""

from __future__ import annotations

import re
from math import ceil

_FORM = r"[+]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:([KMGTPE])i|([numkMGTPE])|[eE]([+-]?[0-9]{1,2}))?"
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def quantity(text: str) -> int | None:
    """Return a size in bytes, rounded up; ``None`` where the text is no quantity."""
    found = re.fullmatch(_FORM, text)
    if found is None:
        return None
    number, binary, decimal, exponent = found.groups()
    if binary is not None:
        return ceil(float(number) * 1024.0 ** ("KMGTPE".index(binary) + 1))
    power = int(exponent) if exponent is not None else _DECIMAL.get(decimal, 0)
    return ceil(float(number) * 10.0**power)
