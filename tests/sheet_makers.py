"""Workbooks and mails made in code, for tests and for the example corpus."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

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
