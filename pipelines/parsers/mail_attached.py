"""What a mail carries: names for what has none, mails inside mails, and what nobody attached."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from email.message import Message

from pipelines.outcome import unique_name
from pipelines.parsers.mail_headers import file_name, header, safe_name
from pipelines.records import Attachment

# Mails in mails beyond this are loops of bounces, not correspondence.
MAX_MAIL_DEPTH = 10
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".tif", ".tiff", ".emf", ".wmf")
# Exchange names the pieces of a text that was divided by its attachments so.
_TEXT_PIECE = re.compile(r"ATT\d{5,6}\.(?:txt|html?)", re.IGNORECASE)
# The name only tells people what it is; the format is chosen by the bytes.
_EXTENSIONS = {
    "msword": "doc",
    "vnd.ms-excel": "xls",
    "vnd.ms-powerpoint": "ppt",
    "vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "x-hwp": "hwp",
    "haansofthwp": "hwp",
    "vnd.hancom.hwp": "hwp",
    "vnd.hancom.hwpx": "hwpx",
    "hwp+zip": "hwpx",
    "plain": "txt",
    "calendar": "ics",
}


def payload(part: Message) -> bytes:
    """Return a part's bytes, its transfer encoding taken off as far as it goes."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def is_picture(kind: str, name: str) -> bool:
    """Tell a picture also where the mail program gave it no kind but a name ("image001.png")."""
    return kind.startswith("image/") or (kind == "application/octet-stream" and name.lower().endswith(_PICTURES))


def is_text_piece(kind: str, name: str) -> bool:
    """Tell a piece of the mail's own text that a server made an attachment of."""
    return kind in ("text/plain", "text/html") and _TEXT_PIECE.fullmatch(name) is not None


def attachment(part: Message, name: str) -> Attachment | None:
    """Return a part as an attachment; None for white space alone, which would be named as a failure every night."""
    data = payload(part)
    subtype = part.get_content_subtype()
    called = name or f"attachment.{_EXTENSIONS.get(subtype, safe_name(subtype))}"
    return Attachment(called, data) if data.strip() else None


def attached_mail(part: Message) -> Attachment | str:
    """Return the mail inside a message/rfc822 part, or why it was left out; "" when nothing is there."""
    inside = part.get_payload()
    inner = inside[0] if isinstance(inside, list) and inside else None
    if not isinstance(inner, Message):
        return ""
    if _depth(inner) >= MAX_MAIL_DEPTH:
        return f"mails nested more than {MAX_MAIL_DEPTH} deep were left out"
    data = _encoded(part, inner)
    if data is None:
        try:
            data = inner.as_bytes()
        except (UnicodeError, LookupError, ValueError, TypeError, AttributeError):
            return "a mail inside the mail couldn't be taken out"
    name = file_name(part) or safe_name(header(inner, "Subject")) or "mail"
    return Attachment(name if name.lower().endswith(".eml") else f"{name}.eml", data)


def _encoded(part: Message, inner: Message) -> bytes | None:
    """Return a mail that was attached in base64 or quoted-printable, which RFC 2046 forbids and programs do."""
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    body = inner.get_payload()
    if encoding not in ("base64", "quoted-printable") or inner.keys() or not isinstance(body, str):
        return None
    raw = body.encode("ascii", "replace")
    try:
        return base64.b64decode(raw) if encoding == "base64" else quopri.decodestring(raw)
    except binascii.Error:
        return None


def _depth(message: Message) -> int:
    """Return how many mails deep the mails inside `message` go, without recursion."""
    deepest, open_parts = 0, [(message, 0)]
    while open_parts:
        part, depth = open_parts.pop()
        deepest = max(deepest, depth)
        if part.is_multipart():
            inside = depth + (part.get_content_type() == "message/rfc822")
            open_parts += [(child, inside) for child in part.get_payload() if isinstance(child, Message)]
    return deepest


def with_distinct_names(attachments: list[Attachment]) -> list[Attachment]:
    """Number equal names as their documents are numbered: "견적.xlsx", "견적#2.xlsx"."""
    taken: set[str] = set()
    return [Attachment(unique_name(attachment.name, taken), attachment.data) for attachment in attachments]
