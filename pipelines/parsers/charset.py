"""Names of Korean encodings as mails and pages write them, and bytes decoded by them."""

from __future__ import annotations

import codecs

from pipelines.parsers.text import REPLACED_SHARE, decode_cp949, is_iso2022_kr, is_western

# All of these mean Windows' UHC in practice: mails labelled euc-kr hold syllables (똠, 펲) that only CP949 has.
_CP949 = frozenset((
    "euc-kr", "euckr", "ks-c-5601-1987", "ks-c-5601-1989", "ks-c-5601", "ksc5601", "ksc-5601", "ks-c5601-1987",
    "korean", "iso-ir-149", "uhc", "ms949", "windows-949", "x-windows-949", "cp949", "cp-949", "949",
))  # fmt: skip
# Mail programs put these on anything; the bytes are asked first.
LATIN = frozenset(("iso8859-1", "cp1252"))
_CARELESS = frozenset(("", "ascii", "unknown-8bit")) | LATIN
# No mail or page that people write is in these; "punycode" takes quadratic time, UTF-7 hides text from filters.
_REFUSED = frozenset(("punycode", "idna", "utf-7", "unicode-escape", "raw-unicode-escape", "undefined"))


def codec_name(label: str) -> str:
    """Return the codec that reads what is labelled `label`; the label itself when nothing better is known."""
    name = label.strip().strip("\"'").lower().replace("_", "-")
    return "cp949" if name in _CP949 else name


def known_codec(label: str) -> str:
    """Return Python's name for the encoding labelled `label`; "" for none, an unknown and a refused one."""
    try:
        info = codecs.lookup(codec_name(label)) if label.isascii() and label.isprintable() else None
    except (LookupError, ValueError):
        return ""
    # `_is_text_encoding` is what bytes.decode itself asks; zlib and the like are codecs too.
    usable = info is not None and info._is_text_encoding and info.name not in _REFUSED
    return info.name if info is not None and usable else ""


def decode_labelled(data: bytes, label: str) -> tuple[str, bool]:
    """Return (text, whether every byte was read): by the label, else UTF-8, else CP949, else with U+FFFD."""
    codec = known_codec(label)
    if is_iso2022_kr(data):
        codec = "iso2022_kr"
    guesses = ["utf-8", "cp1252" if is_western(data) else "cp949"]
    order = [*guesses, codec] if codec in _CARELESS else [codec, *guesses]
    if codec in LATIN and not _reads_korean(data):
        order = ["utf-8", "cp1252", codec]
    for name in filter(None, order):
        try:
            return data.decode(name), True
        except (UnicodeDecodeError, LookupError):
            continue
    korean = codec == "cp949" or codec in _CARELESS
    text = decode_cp949(data) if korean else data.decode(codec, "replace")
    return text, text.count("\ufffd") <= len(text) * REPLACED_SHARE


def _reads_korean(data: bytes) -> bool:
    """Tell whether bytes labelled Latin-1 are Korean: CP949 reads them all and most of what isn't ASCII is Hangul."""
    try:
        text = data.decode("cp949")
    except UnicodeDecodeError:
        return False
    wide = [c for c in text if c > "\x7f"]
    return bool(wide) and sum("가" <= c <= "힣" for c in wide) > 0.7 * len(wide)
