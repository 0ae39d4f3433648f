"""A mail's parts (RFC 2046): which are its text, which are attached."""

from __future__ import annotations

import base64
import binascii
import email
import quopri
import re
from dataclasses import dataclass, field
from email.message import Message

from pipelines.errors import Encrypted
from pipelines.parsers.charset import decode_labelled
from pipelines.parsers.html import decode_html
from pipelines.parsers.mail_headers import file_name, header, repair_fields, safe_name
from pipelines.parsers.text import clean
from pipelines.records import Attachment

# Mails in mails beyond this are loops of bounces, not correspondence.
MAX_MAIL_DEPTH = 10
# multipart/* inside multipart/*; real mails have 3 or 4.
_MAX_PART_DEPTH = 50
_SIGNATURES = frozenset(("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"))
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".tif", ".tiff", ".emf", ".wmf")
# A text part this short beside an HTML part only says that the mail is in HTML.
_STUB_CHARS = 20


@dataclass(slots=True)
class MailParts:
    """Texts in order ("plain" or "html", text), attachments, and what was left out, by kind."""

    texts: list[tuple[str, str]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    asides: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_parts(message: Message) -> MailParts:
    """Sort a mail's parts; raises Encrypted for S/MIME and PGP envelopes."""
    found = MailParts()
    _collect(message, found, 0)
    found.attachments = _with_distinct_names(found.attachments)
    return found


def _collect(part: Message, found: MailParts, depth: int) -> None:
    repair_fields(part)
    kind = part.get_content_type()
    if kind == "multipart/encrypted" or (
        kind in ("application/pkcs7-mime", "application/x-pkcs7-mime")
        and str(part.get_param("smime-type", "enveloped-data")) == "enveloped-data"
    ):
        raise Encrypted("the mail is encrypted (S/MIME or PGP)")
    if kind == "message/rfc822":
        _nested_mail(part, found)
    elif part.is_multipart():
        _collect_multipart(part, found, depth)
    elif kind.startswith("multipart/"):
        found.warnings.append("the mail's parts are divided otherwise than its header says")
        if depth < _MAX_PART_DEPTH and (divided := _divided_again(part)) is not None:
            _collect_multipart(divided, found, depth + 1)
    elif kind in _SIGNATURES:
        found.asides["signature"] = found.asides.get("signature", 0) + 1
    else:
        _leaf(part, kind, found)


def _collect_multipart(part: Message, found: MailParts, depth: int) -> None:
    children = [child for child in part.get_payload() if isinstance(child, Message)]
    if depth >= _MAX_PART_DEPTH:
        found.warnings.append("parts nested too deep were left out")
        return
    if part.get_content_type() != "multipart/alternative":
        for child in children:
            _collect(child, found, depth + 1)
        return
    versions = []
    for child in children:
        version = MailParts()
        _collect(child, version, depth + 1)
        versions.append(version)
        found.attachments += version.attachments
        found.warnings += version.warnings
        for name, count in version.asides.items():
            found.asides[name] = found.asides.get(name, 0) + count
    found.texts += _preferred([version.texts for version in versions if version.texts])


def _divided_again(part: Message) -> Message | None:
    """Return a multipart whose header names a boundary that isn't in it, divided at the one that is."""
    body = _payload(part)
    first = re.match(rb"\s*--([^\s\"]{1,70})[ \t]*\r?\n", body)
    if first is None:
        return None
    head = b'Content-Type: %b; boundary="%b"\n\n' % (part.get_content_type().encode("ascii", "replace"), first[1])
    divided = email.message_from_bytes(head + body)
    return divided if divided.is_multipart() else None


def _preferred(versions: list[list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return the plain version, unless it is empty or a stub beside a longer one."""
    sizes = [sum(len(re.sub(r"<[^<>]*>|\s", "", text)) for _, text in texts) for texts in versions]
    for texts, size in zip(versions, sizes, strict=True):
        if texts[0][0] == "plain" and size > 0 and (size > _STUB_CHARS or size * 4 > max(sizes)):
            return texts
    return versions[-1] if versions else []


def _leaf(part: Message, kind: str, found: MailParts) -> None:
    name = file_name(part)
    attached = part.get_content_disposition() == "attachment"
    if kind in ("text/plain", "text/html") and not attached and not name:
        data = _payload(part)
        label = str(part.get_param("charset", "") or "")
        if kind == "text/html":
            found.texts.append(("html", decode_html(data, label)))
            return
        text, complete = decode_labelled(data, label)
        if not complete:
            found.warnings.append("a text part doesn't follow the encoding it names")
        found.texts.append(("plain", clean(text)))
        return
    if _is_picture(kind, name) and (part.get("content-id") or not attached):
        found.asides["picture"] = found.asides.get("picture", 0) + 1
    elif name or attached:
        found.attachments.append(Attachment(name or f"attachment.{part.get_content_subtype()}", _payload(part)))
    else:
        found.asides["part"] = found.asides.get("part", 0) + 1


def _is_picture(kind: str, name: str) -> bool:
    """Tell a picture also where the mail program gave it no kind but a name ("image001.png")."""
    return kind.startswith("image/") or (kind == "application/octet-stream" and name.lower().endswith(_PICTURES))


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _nested_mail(part: Message, found: MailParts) -> None:
    payload = part.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else None
    if not isinstance(inner, Message):
        return
    if _depth(inner) >= MAX_MAIL_DEPTH:
        found.warnings.append(f"mails nested more than {MAX_MAIL_DEPTH} deep were left out")
        return
    data = _encoded(part, inner)
    if data is None:
        try:
            data = inner.as_bytes()
        except (UnicodeError, LookupError, ValueError, TypeError, AttributeError):
            found.warnings.append("a mail inside the mail couldn't be taken out")
            return
    name = file_name(part) or safe_name(header(inner, "Subject")) or "mail"
    found.attachments.append(Attachment(name if name.lower().endswith(".eml") else f"{name}.eml", data))


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


def _with_distinct_names(attachments: list[Attachment]) -> list[Attachment]:
    """Number equal names: "견적.xlsx", "견적 (2).xlsx"."""
    used: set[str] = set()
    out = []
    for attachment in attachments:
        name, count = attachment.name, 1
        while name in used:
            count += 1
            stem, dot, extension = attachment.name.rpartition(".")
            name = f"{stem} ({count}).{extension}" if dot else f"{attachment.name} ({count})"
        used.add(name)
        out.append(Attachment(name, attachment.data))
    return out
