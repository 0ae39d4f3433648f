"""Bytes to text, and text to clean text."""

from __future__ import annotations

import codecs
import re
import unicodedata

from pipelines.errors import Corrupt

# C0 without \t and \n, DEL, C1, lone surrogates, non-characters: none of them is a word of a document.
_DROPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Putting marks in order takes quadratic time: 80,000 over one letter take 27 s. Runs without the letters of Latin,
# Korean, Chinese and Japanese, where such piles can be, are looked into.
_MAX_MARKS = 30
_PILES = re.compile(
    "[^\x00-\u02ff\u1100-\u11ff\u2000-\u20cf\u2100-\u2cee\u2f00-\u3029\u3030-\u3098\u309b-\ua66e\uac00-\ud7ff\ue000-\ufb1d"
    "\ufb1f-\ufe1f\ufe30-\uffff]{31,}"
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Above this share of NUL bytes a text is UTF-16 without a mark (30 of 30 samples at 20 to 2,000 characters).
NUL_SHARE = 0.02
# A text with single damaged bytes stays readable; more than this is another encoding or no text.
REPLACED_SHARE = 0.02
_SHORT_SHARE = 0.2
# KS X 1001 has 2,350 of the 11,172 syllables and nearly all that prose uses. Below 8 of them nothing can be told.
_USUAL_SHARE = 0.5
_FEW_SYLLABLES = 8
_SAMPLE = 65536
# Accented letters are under a tenth of French and Czech text; Korean, Greek and Russian are written in high bytes.
_WESTERN_SHARE = 0.4
_ASCII = bytes(range(128))
# No second byte of a CP949 pair; a word is searched this far.
_PAIRS_END = re.compile(rb"[\x00-\x40]")
_WORD_BYTES = 64
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
# One high byte that doesn't begin or follow a CP949 syllable whose second byte is a letter, or a pair that would be a
# Chinese character between two Latin letters.
_LONELY = re.compile(
    rb"(?<![\x80-\xff])(?<![\x81-\xc6][A-Za-z])"
    rb"(?:(?![\x81-\xc6][A-Za-z][\x80-\xff])[\x80-\xff](?![\x80-\xff])|(?<=[A-Za-z])[\xca-\xfd][\xa1-\xfe](?=[A-Za-z]))"
)


def clean(text: str) -> str:
    """Return `text` in NFC with "\\n" line ends and without control characters or lone surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").replace("\x85", "\n")
    text = text.replace("\u2028", "\n").replace("\u2029", "\n")
    text = _DROPPED.sub("", text)
    return text if text.isascii() else unicodedata.normalize("NFC", _PILES.sub(_flattened, text))


def _flattened(match: re.Match[str]) -> str:
    """Drop the combining marks of one letter beyond the 30 of the Stream-Safe Text Format (UAX #15, 13)."""
    kept: list[str] = []
    marks = 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MAX_MARKS:
            kept.append(character)
    return "".join(kept)


def decode(data: bytes) -> tuple[str, str]:
    """Return (text, encoding name); raises Corrupt when no rule reads the bytes.

    Order: byte order mark, NUL share (UTF-16), the announcement of ISO-2022-KR, strict UTF-8, Windows-1252 where CP949
    would make salad of it, strict CP949, then whichever of UTF-8 and CP949 loses fewer characters, when they are few
    (the name ends in "-replace": a log cut inside a character, a file joined from two). On Korean texts of 20 to 2,000
    characters this is right 30 of 30 times (tests/test_encodings.py), where general detectors miss up to half.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            try:
                return data.decode(name), name
            except UnicodeDecodeError:
                break
    many_nuls = data.count(0) > len(data) * NUL_SHARE
    orders = ["iso2022_kr"] if is_iso2022_kr(data) else []
    for name in [*(_utf16_orders(data) if many_nuls else ()), *orders, "utf-8"]:
        text = _try(data, name)
        if text is not None and (not name.startswith("utf-16") or _printable_share(text) > 0.95):
            return text, name
    for name in ("cp1252",) if is_western(data) else ("cp949",):
        text = _try(data, name)
        if text is not None and (name == "cp1252" or is_usual_hangul(text)):
            return text, name
    text, name = min(
        ((data.decode("utf-8", "replace"), "utf-8"), (decode_cp949(data), "cp949")),
        key=lambda read: read[0].count("\ufffd"),
    )
    if not many_nuls and is_nearly_whole(text) and is_usual_hangul(text):
        return text, f"{name}-replace"
    raise Corrupt("no known text encoding reads these bytes; save the file as UTF-8")


def is_nearly_whole(text: str) -> bool:
    """Tell whether few enough characters of a decoded text are U+FFFD.

    One damaged byte can cost three of them (UTF-8), whose share in a line of 20 characters is over any bound of a file.
    """
    replaced = text.count("\ufffd")
    return replaced <= max(len(text) * REPLACED_SHARE, min(3.0, len(text) * _SHORT_SHARE))


def is_usual_hangul(text: str) -> bool:
    """Tell whether the syllables are those that Korean uses; Johab read as CP949 gives others, mostly."""
    hangul = [c.encode("cp949") for c in text[:_SAMPLE] if "가" <= c <= "힣"]
    usual = sum(pair[0] >= 0xB0 and pair[1] >= 0xA1 for pair in hangul)
    return len(hangul) < _FEW_SYLLABLES or usual > len(hangul) * _USUAL_SHARE


def decode_cp949(data: bytes) -> str:
    """Decode CP949 with U+FFFD for damaged bytes, in step with the pairs after each unless it is all damage."""
    text = data.decode("cp949", "replace")
    return data.decode("cp949", _IN_STEP) if text.count("\ufffd") < max(9.0, len(text) * _SHORT_SHARE) else text


def _skip_damaged(error: UnicodeError) -> tuple[str, int]:
    """Step over one damaged byte, or two where the bytes up to the next space or sign then pair up."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    rest = error.object[error.start : error.start + _WORD_BYTES]
    end = _PAIRS_END.search(rest)
    word = rest[: end.start()] if end else rest
    return "\ufffd", error.start + (2 if len(word) > 1 and _try(word[2:], "cp949") is not None else 1)


# The standard handler "replace" takes one byte, after which each pair up to the next space is read across its middle.
_IN_STEP = "saero-cp949"
codecs.register_error(_IN_STEP, _skip_damaged)


def is_iso2022_kr(data: bytes) -> bool:
    """Tell whether ASCII bytes announce KS X 1001 and shift into it (RFC 1557)."""
    return b"\x1b$)C" in data and b"\x0e" in data and data.isascii()


def is_western(data: bytes) -> bool:
    """Tell bytes of a West European text (Windows-1252) from those of CP949.

    There accented letters and quotes stand alone among ASCII characters. CP949 reads such a byte as damage, or together
    with its neighbour as a Chinese character or a rare syllable within a Latin word ("compañía" -> "compa卽a").
    """
    high = len(data.translate(None, _ASCII))
    if not high or high > len(data) * _WESTERN_SHARE or _try(data, "cp1252") is None:
        return False
    return len(_LONELY.findall(data)) * 2 > len(_HIGH_RUN.findall(data))


def _utf16_orders(data: bytes) -> list[str]:
    """Name the byte orders, the likelier first: the high bytes are NUL in ASCII letters and AC to D7 in syllables."""
    high, low = data[1:_SAMPLE:2], data[:_SAMPLE:2]
    little, big = ((part.count(0), sum(0xAC <= byte <= 0xD7 for byte in part)) for part in (high, low))
    return ["utf-16-le", "utf-16-be"] if little >= big else ["utf-16-be", "utf-16-le"]


def _try(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _printable_share(text: str) -> float:
    sample = text[:4096]
    return sum(c.isprintable() or c in "\r\n\t" for c in sample) / max(1, len(sample))
