"""A folder of mails in one file (mbox, RFC 4155): each message becomes a document of its own.

The division is our own: the standard library's `mailbox` wants a path instead of an open file, begins a message at
every "From " line whatever follows it, and takes no ">" off.
"""

from __future__ import annotations

import email
import hashlib
import io
import re
from collections.abc import Iterator
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import BinaryIO

from pipelines.errors import Empty, TooLarge
from pipelines.parsers.mail_headers import header, safe_name
from pipelines.records import Attachment, Limits, Parsed

# "From sender Mon Mar  2 09:15:00 2026", zones before or after the year; Thunderbird writes "-" for the sender.
_DAY = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DIVIDER = re.compile(
    rb"From [^\r\n]{0,300}?" + _DAY + rb",? (?:" + _MONTH + rb" {1,2}\d{1,2}|\d{1,2} " + _MONTH + rb"(?: \d{4})?) "
    rb"\d{1,2}:\d{2}[^\r\n]{0,60}\r?\n?"
)
_FIELD = re.compile(rb"[!-9;-~]{1,76}:|>From ")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
# Lines are read in pieces of this size, so that a file without line ends isn't read at once.
_LINE_BYTES = 1 << 20
# Each is a task of a run and a row of the ledger; mail programs' folders hold some ten thousand.
_MAX_MESSAGES = 100_000
# A header block beyond this isn't read for a name.
_HEAD_BYTES = 1 << 16
# Mozilla's mark of a message that was deleted, but is still in the file until the folder is compacted.
_EXPUNGED = 0x0008
# As Takeout names them in English and Korean.
_GMAIL_BINS = frozenset(("trash", "spam", "휴지통", "스팸함"))
# Korean letters take 3 bytes each, a file's name 255 together with a mark and two extensions.
_MAX_NAME_CHARS = 70


def begins_mbox(head: bytes) -> bool:
    """Tell whether a file begins with the divider of a message and a header field after it."""
    first = _DIVIDER.match(head)
    return first is not None and first[0].endswith(b"\n") and _FIELD.match(head, first.end()) is not None


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Return the messages as attachments, named by their own date and subject; raises Empty when none is left.

    Only what a message says itself is in its name, so that an added or a deleted message renames no other. Of those
    that agree in minute and subject the first has the plain name, the others a mark of their own Message-ID.
    """
    if file.seek(0, io.SEEK_END) > limits.file_mb << 20:
        raise TooLarge(f"the mail folder is over {limits.file_mb} MB; divide it by year or by folder")
    folder = _Folder()
    for data in divide(file, limits.stream_mb << 20):
        folder.add(data)
    if not folder.messages:
        raise Empty("the mail folder holds no mail that can be read")
    warnings = tuple(f"{what}: {count}" for what, count in folder.warnings.items())
    return Parsed(format="mbox", blocks=(), attachments=tuple(folder.messages), warnings=warnings)


class _Folder:
    """Messages taken in one after another, and why others were not."""

    def __init__(self) -> None:
        self.messages: list[Attachment] = []
        self.warnings: dict[str, int] = {}
        self._names: set[str] = set()
        self._seen: set[str] = set()

    def add(self, data: bytes | None) -> None:
        """Take in a message; None is one above its limit."""
        if data is None:
            self.left_out("messages over the limit for one stream")
        elif len(self.messages) >= _MAX_MESSAGES:
            self.left_out("messages beyond the limit of one folder")
        elif _is_thrown_away(fields := _fields(data)):
            self.left_out("messages that were deleted or are spam")
        elif (digest := hashlib.sha256(data).hexdigest()) in self._seen:
            self.left_out("messages that stand in the folder twice")
        else:
            self._seen.add(digest)
            self.messages.append(Attachment(f"{self._name(fields, digest)}.eml", data))

    def _name(self, fields: Message, digest: str) -> str:
        plain = message_name(fields)
        identity = header(fields, "Message-ID")
        mark = hashlib.sha256(identity.encode("utf-8")).hexdigest() if identity else digest
        name = next(
            (name for name in (plain, f"{plain} {mark[:6]}") if name not in self._names), f"{plain} {digest[:12]}"
        )
        self._names.add(name)
        return name

    def left_out(self, why: str) -> None:
        self.warnings[why] = self.warnings.get(why, 0) + 1


def divide(file: BinaryIO, limit: int) -> Iterator[bytes | None]:
    """Yield each message without its divider and with ">From " unquoted; None for one over `limit` bytes.

    A divider has the form of one, stands at the beginning or after a blank line, and a header field follows. The
    Content-Length that some programs write is wrong as soon as another one touched the file, and isn't followed.
    """
    file.seek(0)
    message: bytearray | None = None  # of the message being read; None before the first
    size, after_blank, line = 0, True, file.readline(_LINE_BYTES)
    while line:
        following = file.readline(_LINE_BYTES)
        if after_blank and line.startswith(b"From ") and _DIVIDER.fullmatch(line) and _FIELD.match(following):
            if message is not None:
                yield _whole(message, size, limit)
            message, size = bytearray(), 0
        elif message is not None:
            size += len(line)
            if size <= limit:
                message += line
        after_blank = not line.strip(b"\r\n")
        line = following
    if message is not None:
        yield _whole(message, size, limit)


def _whole(message: bytearray, size: int, limit: int) -> bytes | None:
    if size > limit:
        return None
    data = bytes(message)
    # The blank line before a divider belongs to the folder.
    data = data.removesuffix(b"\n").removesuffix(b"\r") if data.endswith((b"\n\n", b"\n\r\n")) else data
    return _QUOTED.sub(rb"\1", data) if b">From " in data else data


def _fields(data: bytes) -> Message:
    end = re.search(rb"\r?\n\r?\n", data[:_HEAD_BYTES])
    return email.message_from_bytes(data[: end.start() if end else _HEAD_BYTES] + b"\n\n")


def message_name(fields: Message) -> str:
    """Name a message as a person would file it: "2026-03-02 0915 제목", in the time that its sender's clock showed."""
    try:
        moment = f"{parsedate_to_datetime(header(fields, 'Date')):%Y-%m-%d %H%M}"
    except (ValueError, TypeError, IndexError, OverflowError):
        moment = ""
    name = safe_name(f"{moment} {header(fields, 'Subject') or '제목 없음'}").removesuffix(".eml")
    return name[:_MAX_NAME_CHARS].strip(" .") or "제목 없음"


def _is_thrown_away(fields: Message) -> bool:
    """Tell a message that is only in the file until the folder is compacted, or that Gmail exports with its trash."""
    status = header(fields, "X-Mozilla-Status")
    if re.fullmatch("[0-9A-Fa-f]{1,8}", status) and int(status, 16) & _EXPUNGED:
        return True
    return not _GMAIL_BINS.isdisjoint(label.strip().lower() for label in header(fields, "X-Gmail-Labels").split(","))
