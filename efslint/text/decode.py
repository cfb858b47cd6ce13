"""Bytes to text.

Knows encodings and byte order marks. Whether the characters are allowed in YAML is left to the parser, so that
a stray byte costs only the document in which it stands.
"""

from __future__ import annotations

import codecs
import re

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {
    "utf-32-le": "UTF-32 (little endian)",
    "utf-32-be": "UTF-32 (big endian)",
    "utf-16-le": "UTF-16 (little endian)",
    "utf-16-be": "UTF-16 (big endian)",
}
_LINE_END = re.compile(r"\r\n|\n|\r")
_SAMPLE = 4096


class DecodeError(Exception):
    """Bytes that are no text at all.

    ``message`` is for people. ``line`` and ``column`` (from 1, in characters) are the place in the text that could
    be decoded so far, ``offset`` (from 0) is the place in the bytes.
    """

    def __init__(self, message: str, line: int, column: int, offset: int) -> None:
        """Keep the message and the place."""
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset


def decode(data: bytes) -> str:
    """Return the text of a file, without its byte order mark and with its line ends.

    UTF-8 is read with or without a mark, UTF-16 and UTF-32 need one. A byte that is not valid UTF-8 becomes a lone
    surrogate, U+DC80 to U+DCFF (Python's ``surrogateescape``), and so does half of a surrogate pair in UTF-16:
    YAML allows neither, so the parser reports the document that holds it, at the exact place, and no other. Text with
    such characters is written out with ``errors="surrogateescape"`` to get the same bytes back, or with
    ``errors="backslashreplace"`` to show it. Control characters are kept in the same way.

    Raises ``DecodeError`` when the bytes are cut off within a character or are UTF-16 or UTF-32 without a mark.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _wide(data, encoding, len(mark))
    unmarked = _unmarked(data[:_SAMPLE]) if b"\0" in data[:_SAMPLE] else None
    if unmarked is not None:
        message = f"the text is {_NAMES[unmarked]} without a byte order mark; save it as UTF-8"
        raise DecodeError(message, 1, 1, 0)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode(errors="surrogateescape")
    return text.removeprefix("\ufeff")


def _wide(data: bytes, encoding: str, start: int) -> str:
    body = data[start:]
    try:
        return body.decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, "surrogatepass")
        ends = [match.end() for match in _LINE_END.finditer(before)]
        column = len(before) - (ends[-1] if ends else 0) + 1
        message = f"the text is cut off or damaged: not valid {_NAMES[encoding]}"
        raise DecodeError(message, len(ends) + 1, column, start + error.start) from None


def _unmarked(sample: bytes) -> str | None:
    """Tell UTF-16 or UTF-32 by where the zero bytes stand: in Latin text, in the same places of every character."""
    share = [sample[place::4].count(0) / max(len(sample[place::4]), 1) for place in range(4)]
    for encoding, zeros in (("utf-32-le", (2, 3)), ("utf-32-be", (0, 1)), ("utf-16-le", (1, 3)), ("utf-16-be", (0, 2))):
        most = 0.9 if encoding.startswith("utf-32") else 0.3
        others = [share[place] for place in range(4) if place not in zeros]
        if all(share[place] >= most for place in zeros) and min(others) < 0.05:
            return encoding
    return None
