"""Makes text from the input harmless to show: whatever a manifest or a file name holds, no report is steered by it.

Knows characters; leaves the grammar of XML, Markdown and workflow commands to the formats that write them.
"""

from __future__ import annotations

import re

# Control characters, and the characters that reorder or hide text in a terminal or a browser (Unicode's
# bidirectional controls, zero-width marks, tags), lone surrogates of undecodable file names, and the two
# noncharacters that XML forbids. Written out rather than asked of unicodedata, whose answer depends on the
# Python version. Zero-width joiners stay: scripts and emoji need them.
_UNSAFE = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
)
_HIDDEN = f"[{_UNSAFE}\U000e0000-\U000e007f]"
_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str) -> str:
    """Return the text with every control, reordering or invisible character written as an escape such as ``\\x1b``."""
    return text if text.isprintable() else re.sub(_HIDDEN, _escape, text)


def json_text(value: object) -> str:
    """Return a JSON document: two spaces, characters as they are, one line end at the end.

    What is unsafe in a terminal, or cannot be encoded, is written as a JSON escape, which means the same.
    """
    import json  # the reports for people do without

    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return "\n".join(re.sub(f"[{_UNSAFE}]", lambda match: f"\\u{ord(match[0]):04x}", line) for line in lines) + "\n"


def limited(text: str, length: int) -> str:
    """Cut a text to a number of characters; the last one says that it was cut."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
