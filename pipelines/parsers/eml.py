"""Mails (.eml): text, quoted history apart, attachments as documents of their own."""

from __future__ import annotations

import dataclasses
import email
from email.message import Message
from typing import BinaryIO

from pipelines.errors import Corrupt, SkipDocument
from pipelines.parsers.apart import Apart
from pipelines.parsers.html_blocks import HtmlBlocks, parse_html
from pipelines.parsers.ics import calendar_blocks
from pipelines.parsers.mail_headers import header, sent_at
from pipelines.parsers.mail_history import is_forward, mark_history, split_history
from pipelines.parsers.mail_parts import MailParts, read_parts
from pipelines.parsers.txt import plain_paragraphs
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Parsed

_SHOWN_FIELDS = ("Subject", "From", "To", "Cc", "Date")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a mail; raises Corrupt, Encrypted or TooLarge. A mail of nothing but a subject says that."""
    data = read_whole(file, limits)
    try:
        return _parsed(email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n")))
    except SkipDocument:
        raise
    except RecursionError as error:
        raise Corrupt("the mail's parts are nested too deep") from error
    except Exception as error:  # the standard library's mail parser raises many kinds on malformed mails
        raise Corrupt(f"the mail is malformed ({type(error).__name__})") from error


def _parsed(message: Message) -> Parsed:
    parts = read_parts(message)
    subject = header(message, "Subject")
    moment, clock = sent_at(message)
    apart = Apart()
    for kind, count in parts.asides.items():
        apart.count(kind, count)
    body = _body(parts, apart)
    if is_forward(subject) or not any(block.in_body for block in body):
        body = [dataclasses.replace(block, in_body=True) for block in body]
    if not body and not parts.attachments and subject:
        body = [Block("paragraph", subject)]  # all that its sender wrote
    quoted = sum(not block.in_body for block in body)
    if quoted:
        apart.count("quoted", quoted)
    return Parsed(
        format="eml",
        blocks=(*_fields(message), *body),
        title=subject or None,
        author=header(message, "From") or None,
        modified_at=moment,
        clock=clock,
        asides=dict(apart.counts),
        apart=apart.kept,
        warnings=tuple(dict.fromkeys(parts.warnings)),
        attachments=tuple(parts.attachments),
    )


def _fields(message: Message) -> list[Block]:
    lines = [f"{name}: {value}" for name in _SHOWN_FIELDS if (value := header(message, name))]
    return [Block("paragraph", "\n".join(lines), in_body=False)] if lines else []


def _body(parts: MailParts, apart: Apart) -> list[Block]:
    blocks: list[Block] = []
    for kind, text in parts.texts:
        if kind == "plain":
            fresh, quoted = split_history(text)
            blocks += plain_paragraphs(fresh)
            for piece in quoted:
                blocks += [dataclasses.replace(block, in_body=False) for block in plain_paragraphs(piece)]
            continue
        if kind == "calendar":
            blocks += calendar_blocks(text, described=not blocks)
            continue
        root = parse_html(text)
        if root is None:
            continue
        walker = HtmlBlocks(mail=True)
        walker.walk(root)
        blocks += mark_history(walker.finish())
        apart.take(walker.apart)
    return blocks
