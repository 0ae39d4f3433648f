"""Header fields of mails as people read them: encoded words (RFC 2047), raw 8-bit bytes, RFC 2231 names, dates."""

from __future__ import annotations

import binascii
import quopri
import re
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

from pipelines.parsers.charset import codec_name, decode_labelled
from pipelines.parsers.text import clean

_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?]*)?\?([bBqQ])\?([^?]*)\?=")
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]')
# Marks that turn the reading direction hide an extension ("gpj.exe"); zero-width ones make two names look alike.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
# File systems take 255 bytes of a name; Korean syllables are 3 bytes each.
_MAX_NAME_CHARS = 80


def header(message: Message, name: str) -> str:
    """Return the first field of that name, decoded and unfolded; "" when there is none."""
    for found, value in message.raw_items():
        if found.lower() == name.lower():
            return decode_header(str(value))
    return ""


def decode_header(raw: str) -> str:
    """Decode a field's value; neighbouring encoded words of one charset are joined before they are decoded.

    Mail programs cut encoded words inside a character, and older Korean ones write CP949 bytes without any encoding.
    """
    text = re.sub(r"[\r\n]+(?=[ \t])|[\r\n]+$", "", raw)
    pieces: list[tuple[str, bytes]] = []
    end = 0
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        data = _word_bytes(match[2], match[3])
        label = codec_name(match[1])
        if not between.strip() and pieces and pieces[-1][0] == label:
            pieces[-1] = (label, pieces[-1][1] + data)
        else:
            if between.strip() or not (pieces and pieces[-1][0]):
                pieces.append(("", _raw_bytes(between)))
            pieces.append((label, data))
        end = match.end()
    pieces.append(("", _raw_bytes(text[end:])))
    decoded = "".join(decode_labelled(data, label)[0] for label, data in pieces if data)
    return " ".join(clean(decoded).split())


def _word_bytes(encoding: str, text: str) -> bytes:
    if encoding in "qQ":
        return quopri.decodestring(_raw_bytes(text.replace("_", " ")))
    try:
        return binascii.a2b_base64(_raw_bytes(text) + b"=" * (-len(text) % 4))
    except binascii.Error:
        return _raw_bytes(text)


def _raw_bytes(text: str) -> bytes:
    try:
        return text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def repair_fields(message: Message) -> None:
    """Decode raw 8-bit fields in place; the standard library takes their parameters for damaged."""
    for name in ("Content-Type", "Content-Disposition"):
        value = next((str(value) for found, value in message.raw_items() if found.lower() == name.lower()), "")
        if re.search("[\udc80-\udcff]", value):
            message.replace_header(name, decode_labelled(_raw_bytes(value), "")[0])


def file_name(part: Message) -> str:
    """Return a part's file name, safe for a path and in NFC; "" when it has none."""
    for field, key in (("content-disposition", "filename"), ("content-type", "name")):
        value = part.get_param(key, None, field)
        if isinstance(value, tuple):
            charset, _, text = value
            name = decode_labelled(text.encode("latin-1", "replace"), charset or "")[0]
        else:
            name = decode_header(value) if value else ""
        name = safe_name(name)
        if name:
            return name
    return ""


def safe_name(name: str) -> str:
    """Return `name` without separators and control characters, its extension kept when it is cut."""
    name = _UNSAFE.sub("_", _UNSEEN.sub("", clean(name)).replace("\n", " ").replace("\t", " ")).strip(" .")
    if len(name) <= _MAX_NAME_CHARS:
        return name
    stem, dot, extension = name.rpartition(".")
    if not dot or len(extension) > 10:
        return name[:_MAX_NAME_CHARS]
    return stem[: _MAX_NAME_CHARS - len(extension) - 1] + dot + extension


def sent_at(message: Message) -> tuple[datetime | None, str | None]:
    """Return (time in UTC, clock): the Date field, else the newest Received field."""
    for name in ("Date", "Received"):
        when = _moment(header(message, name).rpartition(";")[2])
        if when is not None:
            return when, f"eml:{name}"
    return None, None


def _moment(text: str) -> datetime | None:
    try:
        when = parsedate_to_datetime(text.strip())
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
