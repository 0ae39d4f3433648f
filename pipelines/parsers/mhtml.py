"""Web pages saved in one file (MHTML, RFC 2557), as browsers, Word and wikis write them: a mail around a page."""

from __future__ import annotations

import dataclasses
import email
import re
from email.message import Message
from typing import BinaryIO

from pipelines.errors import Corrupt, Empty
from pipelines.parsers.html import decode_html, read_page
from pipelines.parsers.mail_attached import payload
from pipelines.parsers.mail_headers import header
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Limits, Parsed

_HEAD_CHARS = 16384
# Browsers say who saved the page where a mail says who wrote it; wikis that export ".doc" say nothing.
_SENDER = re.compile(r"^from:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_OF_MAILS = re.compile(r"^(?:to|cc|received|return-path|delivered-to):", re.IGNORECASE | re.MULTILINE)
_RELATED = re.compile(r"^content-type:\s*multipart/related\b", re.IGNORECASE | re.MULTILINE)
_PAGE = re.compile(r"^content-type:\s*(?:multipart/(?:related|alternative)|text/html)\b", re.IGNORECASE | re.MULTILINE)


def is_mhtml(text: str, extension: str) -> bool:
    """Tell a saved page from a mail by its header block."""
    head = re.split(r"\r?\n\r?\n", text[:_HEAD_CHARS], maxsplit=1)[0]
    wanted = _PAGE if extension in ("mht", "mhtml") else _RELATED
    if "mime-version:" not in head.lower() or not wanted.search(head) or _OF_MAILS.search(head):
        return False
    sender = _SENDER.search(head)
    return sender is None or "@" not in sender[1]


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read the page; raises Empty, Corrupt or TooLarge."""
    data = read_whole(file, limits).lstrip(b"\xef\xbb\xbf\r\n")
    try:
        message = email.message_from_bytes(data)
        page = _page(message)
        html = payload(page) if page is not None else b""
        charset = str(page.get_param("charset", "") or "") if page is not None else ""
        title = header(message, "Subject")
    except (RecursionError, UnicodeError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise Corrupt(f"the parts of the saved page are malformed ({type(error).__name__})") from error
    if not html.strip():
        raise Empty("the saved page holds no HTML part")
    parsed = read_page(decode_html(html, charset))
    return dataclasses.replace(parsed, format="mhtml", title=parsed.title or title or None)


def _page(message: Message) -> Message | None:
    """Return the part that is the page: the one named as the start, else the first HTML part."""
    start = str(message.get_param("start", "") or "").strip()
    pages = [part for part in message.walk() if part.get_content_type() == "text/html"]
    named = [part for part in pages if start and str(part.get("content-id", "")).strip() == start]
    return next(iter(named or pages), None)
