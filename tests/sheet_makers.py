"""Workbooks and mails made in code, for tests and for the example corpus."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from ole_writer import write_ole

Value = str | int | float | bool | date | datetime | None
Rows = Iterable[Sequence[Value]]


def make_xlsx(sheets: Mapping[str, Rows], *, title: str = "", modified: datetime | None = None) -> bytes:
    """Return a workbook with one sheet per entry; None leaves a cell empty, text that begins with "=" is a formula."""
    import xlsxwriter

    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True, "remove_timezone": True}) as book:
        properties: dict[str, Any] = {"title": title} if title else {}
        if modified is not None:
            properties["created"] = _utc(modified).replace(tzinfo=None)
        book.set_properties(properties)
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        thousands = book.add_format({"num_format": "#,##0"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for column, value in enumerate(row):
                    if isinstance(value, date):
                        sheet.write_datetime(number, column, value, day)
                    elif isinstance(value, int) and not isinstance(value, bool):
                        sheet.write_number(number, column, value, thousands)
                    elif value is not None:
                        sheet.write(number, column, value)
    return buffer.getvalue()


def edited(
    package: bytes,
    changes: Mapping[str, Sequence[tuple[str, str]]],
    added: Mapping[str, str] | None = None,
    *,
    missing_ok: bool = False,
) -> bytes:
    """Return an office package with texts replaced in some parts and parts added; the same input gives the same bytes.

    A text that isn't there is an error, so that a test can't pass by testing nothing; `missing_ok` allows it.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            for old, new in changes.get(name, ()):
                assert missing_ok or old.encode() in data, f"{name} holds no {old}"
                data = data.replace(old.encode(), new.encode())
            target.writestr(_member(name), data)
        for name, text in (added or {}).items():
            target.writestr(_member(name), text)
    return out.getvalue()


def make_xls(
    cells: Sequence[tuple[int, int, str | float, str]],
    *,
    hidden_rows: Sequence[int] = (),
    hidden_columns: Sequence[int] = (),
    from_1904: bool = False,
) -> bytes:
    """Return an .xls workbook of one sheet called 자료; a cell is row and column from 0, value, number format."""
    codes = ["General", *dict.fromkeys(code for *_, code in cells if code != "General")]
    begin, end = _biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)), _biff(0x0A, b"")
    formats = [_biff(0x41E, struct.pack("<H", 164 + n) + _wide(code, "<H")) for n, code in enumerate(codes) if n]
    styles = [_biff(0xE0, struct.pack("<HH16x", 0, 164 + n if n else 0)) for n in range(len(codes))]
    head = [begin, _biff(0x22, struct.pack("<H", from_1904)), *formats, *styles]
    name = _wide("자료", "<B")
    place = sum(map(len, head)) + 4 + 6 + len(name) + len(end)
    body = [_biff(0x200, struct.pack("<IIHHH", 0, 1 + max(row for row, *_ in cells), 0, 256, 0))]
    body += [_biff(0x7D, struct.pack("<HHHHH", column, column, 0, 0, 1)) for column in hidden_columns]
    body += [_biff(0x208, struct.pack("<HHHHHHI", row, 0, 256, 0, 0, 0, 0x20)) for row in hidden_rows]
    for row, column, value, code in cells:
        at = struct.pack("<HHH", row, column, codes.index(code))
        number = isinstance(value, float)
        body.append(_biff(0x203, at + struct.pack("<d", value)) if number else _biff(0x204, at + _wide(value, "<H")))
    sheet = _biff(0x85, struct.pack("<IBB", place, 0, 0) + name)
    return write_ole({"Workbook": b"".join([*head, sheet, end, begin, *body, end])})


def _biff(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _wide(text: str | float, size: str) -> bytes:
    """Return text as .xls stores it: its length, a mark for two bytes a character, the characters."""
    return struct.pack(size, len(str(text))) + b"\1" + str(text).encode("utf-16-le")


def _member(name: str) -> zipfile.ZipInfo:
    """Return a directory entry dated to the zip epoch."""
    member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def make_eml(
    subject: str,
    sender: str,
    to: str,
    date: datetime | str,
    body: str,
    *,
    html: str | None = None,
    attachments: Iterable[tuple[str, bytes]] = (),
    charset: str = "utf-8",
) -> bytes:
    """Return a mail as bytes with CRLF line ends; the same arguments give the same bytes."""
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = sender
    message["To"] = to
    message["Date"] = date if isinstance(date, str) else format_datetime(_utc(date))
    message.set_content(body, charset=charset)
    if html is not None:
        message.add_alternative(html, subtype="html", charset=charset)
    for name, data in attachments:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    if message.is_multipart():
        for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
            part.set_boundary(f"=====saero-{number}=====")
    return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
