"""Encodings, marks, and bytes that are no text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.decode import DecodeError, decode

TEXT = "kind: Pod # grüße 😀\r\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
)
def test_marks_are_read_and_removed(data: bytes) -> None:
    assert decode(data) == TEXT


def test_empty() -> None:
    assert decode(b"") == ""
    assert decode(codecs.BOM_UTF8) == ""


def test_only_the_first_mark_is_removed() -> None:
    assert decode(codecs.BOM_UTF8 + b"a\n" + codecs.BOM_UTF8 + b"---\n") == "a\n\ufeff---\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [TEXT, "a: 1\n", "name: 存储\nkind: PersistentVolume\n"])
def test_wide_text_without_mark_is_named(encoding: str, text: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(text.encode(encoding))
    bits, order = encoding[4:6], {"le": "little", "be": "big"}[encoding[-2:]]
    assert caught.value.message.startswith(f"the text is UTF-{bits} ({order} endian) without a byte order mark")
    assert (caught.value.line, caught.value.column, caught.value.offset) == (1, 1, 0)
    assert str(caught.value) == caught.value.message


@pytest.mark.parametrize("data", [b"\0", b"a: 1\0\n", b"a\0\0b\n", b"\0" * 40, b"text " * 30 + b"\0"])
def test_zero_bytes_alone_make_no_other_encoding(data: bytes) -> None:
    assert decode(data) == data.decode()


def test_bytes_that_are_not_utf_8_are_kept() -> None:
    data = "a: 1 # café\n".encode("latin-1")
    assert decode(data) == "a: 1 # caf\udce9\n"
    assert decode(data).encode("utf-8", "surrogateescape") == data


@pytest.mark.parametrize(
    ("text", "encoding", "cut", "place"),
    [
        ("a\nbc", "utf-16-le", 1, (2, 2, 8)),
        ("ab", "utf-16-be", 1, (1, 2, 4)),
        ("a\r\nbc", "utf-32-le", 3, (2, 2, 20)),
    ],
)
def test_cut_off_wide_text(text: str, encoding: str, cut: int, place: tuple[int, int, int]) -> None:
    mark = getattr(codecs, "BOM_" + encoding.upper().replace("-", "", 1).replace("-", "_"))
    with pytest.raises(DecodeError) as caught:
        decode(mark + text.encode(encoding)[:-cut])
    assert (caught.value.line, caught.value.column, caught.value.offset) == place
    assert "cut off" in caught.value.message


def test_half_a_surrogate_pair_is_kept() -> None:
    assert decode(codecs.BOM_UTF16_LE + b"a\x00\x00\xd8b\x00") == "a\ud800b"


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    try:
        text = decode(data)
    except DecodeError as error:
        assert 0 <= error.offset <= len(data)  # noqa: PT017 - either outcome is right, so nothing to raise for
    else:
        assert isinstance(text, str)


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",))))
def test_utf_8_round_trip(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")
