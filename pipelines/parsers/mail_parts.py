"""A mail's parts (RFC 2046): which are its text, which are attached."""

from __future__ import annotations

import email
import re
from dataclasses import dataclass, field
from email.message import Message

from pipelines.errors import Encrypted, Unsupported
from pipelines.parsers.charset import decode_labelled
from pipelines.parsers.html import decode_html
from pipelines.parsers.mail_attached import (
    attached_mail,
    attachment,
    is_picture,
    is_text_piece,
    payload,
    with_distinct_names,
)
from pipelines.parsers.mail_flowed import unarmoured, unflow
from pipelines.parsers.mail_headers import file_name, repair_fields
from pipelines.parsers.mail_versions import Versions
from pipelines.parsers.text import clean
from pipelines.records import Attachment

# multipart/* inside multipart/*; real mails have 3 or 4.
_MAX_PART_DEPTH = 50
# People attach some dozen files; each becomes a document.
_MAX_ATTACHMENTS = 1_000
_ENVELOPES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
# kind of part -> the kind of aside it is counted as: nothing in them is for people who read the mail
_ASIDES = {
    "application/pgp-signature": "signature",
    "application/pkcs7-signature": "signature",
    "application/x-pkcs7-signature": "signature",
    "application/pgp-keys": "part",
    "message/delivery-status": "report",
    "message/disposition-notification": "report",
    "message/feedback-report": "report",
    "text/rfc822-headers": "report",
    "message/partial": "part",
    "message/external-body": "part",
}
# Gateways make an unnamed kind of a signature that they don't know.
_SIGNATURE = ".p7s"
_CALENDARS = ("text/calendar", "application/ics")


@dataclass(slots=True)
class MailParts:
    """Texts in order ("plain", "html" or "calendar", text), attachments, and what was left out, by kind."""

    texts: list[tuple[str, str]] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    asides: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    versions: Versions = field(default_factory=Versions)

    def put_aside(self, kind: str, count: int = 1) -> None:
        """Count what was left out."""
        if count:
            self.asides[kind] = self.asides.get(kind, 0) + count


def read_parts(message: Message) -> MailParts:
    """Sort a mail's parts; raises Encrypted for S/MIME and PGP envelopes, Unsupported for packed signed mails."""
    found = MailParts()
    _collect(message, found, 0)
    if len(found.attachments) > _MAX_ATTACHMENTS:
        found.warnings.append(f"attachments beyond the first {_MAX_ATTACHMENTS} were left out")
    found.attachments = with_distinct_names(found.attachments[:_MAX_ATTACHMENTS])
    if not found.texts and not found.attachments and "sealed" in found.asides:
        raise Unsupported("a mail whose text is packed into its signature (S/MIME); save it as plain text")
    return found


def _collect(part: Message, found: MailParts, depth: int) -> None:
    repair_fields(part)
    kind = part.get_content_type()
    if kind == "multipart/encrypted":
        raise Encrypted("the mail is encrypted (S/MIME or PGP)")
    if kind in _ENVELOPES:
        if str(part.get_param("smime-type", "enveloped-data")).lower() != "signed-data":
            raise Encrypted("the mail is encrypted (S/MIME)")
        found.put_aside("sealed")
        found.put_aside("signature")
    elif kind in _ASIDES:
        found.put_aside(_ASIDES[kind])
    elif kind == "message/rfc822":
        inside = attached_mail(part)
        if isinstance(inside, Attachment):
            found.attachments.append(inside)
        elif inside:
            found.warnings.append(inside)
    elif part.is_multipart():
        _collect_multipart(part, found, depth)
    elif kind.startswith("multipart/"):
        found.warnings.append("the mail's parts are divided otherwise than its header says")
        if depth < _MAX_PART_DEPTH and (divided := _divided_again(part)) is not None:
            _collect_multipart(divided, found, depth + 1)
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
        version = MailParts(versions=found.versions)
        _collect(child, version, depth + 1)
        versions.append(version)
        found.attachments += version.attachments
        found.warnings += version.warnings
        for name, count in version.asides.items():
            found.put_aside(name, count)
    texts = [version.texts for version in versions if version.texts]
    # An invitation's calendar says when and where; the other versions often leave that out.
    calendars = [text for version in texts for text in version if text[0] == "calendar"]
    found.texts += found.versions.preferred([version for version in texts if version[0][0] != "calendar"]) + calendars


def _divided_again(part: Message) -> Message | None:
    """Return a multipart whose header names a boundary that isn't in it, divided at the one that is."""
    body = payload(part)
    first = re.match(rb"\s*--([^\s\"]{1,70})[ \t]*\r?\n", body)
    if first is None:
        return None
    head = b'Content-Type: %b; boundary="%b"\n\n' % (part.get_content_type().encode("ascii", "replace"), first[1])
    divided = email.message_from_bytes(head + body)
    return divided if divided.is_multipart() else None


def _leaf(part: Message, kind: str, found: MailParts) -> None:
    name = file_name(part)
    attached = part.get_content_disposition() == "attachment"
    if kind in ("text/plain", "text/html") and (is_text_piece(kind, name) or not (attached or name)):
        _text(part, kind, found)
    elif kind in _CALENDARS and not any(text[0] == "calendar" for text in found.texts):
        found.texts.append(("calendar", decode_labelled(payload(part), _charset(part))[0]))
    elif kind in _CALENDARS:
        found.put_aside("calendar")
    elif name.lower().endswith(_SIGNATURE):
        found.put_aside("signature")
    elif is_picture(kind, name) and (part.get("content-id") or not attached):
        found.put_aside("image")
    elif not (name or attached):
        found.put_aside("part")
    elif carried := attachment(part, name):
        found.attachments.append(carried)
    else:
        found.put_aside("empty_attachment")


def _text(part: Message, kind: str, found: MailParts) -> None:
    data = payload(part)
    if kind == "text/html":
        found.texts.append(("html", decode_html(data, _charset(part))))
        return
    text, complete = decode_labelled(data, _charset(part))
    if not complete:
        found.warnings.append("a text part doesn't follow the encoding it names")
    armoured = clean(text)
    text = unarmoured(armoured)
    found.put_aside("signature", text != armoured)
    if str(part.get_param("format", "")).lower() == "flowed":
        text = unflow(text, delsp=str(part.get_param("delsp", "")).lower() == "yes")
    found.texts.append(("plain", text))


def _charset(part: Message) -> str:
    return str(part.get_param("charset", "") or "")
