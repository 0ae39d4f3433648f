"""Writers of the formats that no library here writes: HTML pages, mail folders, HWPML, old Excel, a scan."""

from __future__ import annotations

import io
import random
import re
import struct
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from email import message_from_bytes
from email.utils import format_datetime, parsedate_to_datetime
from html import escape
from quopri import encodestring

from markup import Value
from ole_writer import write_ole

from pipelines.records import Block

# Days are counted from here in every version of Excel for Windows.
_EXCEL_EPOCH = date(1899, 12, 30)


def write_html(blocks: Sequence[Block], *, title: str, site: str) -> bytes:
    """Return a page as a wiki exports it: navigation and footer stand around the article."""
    parts: list[str] = []
    items: list[str] = []
    ordered = False
    for block in [*blocks, Block("paragraph")]:
        if block.kind == "item":
            ordered = bool(block.number)
            items.append(f"<li>{escape(block.text)}</li>")
            continue
        if items:
            word = "ol" if ordered else "ul"
            parts.append(f"<{word}>\n" + "\n".join(items) + f"\n</{word}>")
            items = []
        parts.append(_html_block(block))
    article = "\n".join(part for part in parts if part)
    return (
        f'<!DOCTYPE html>\n<html lang="ko">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)} - {site}</title>\n'
        "<style>body { font-family: sans-serif } table { border-collapse: collapse }</style>\n"
        "<script>document.documentElement.className = 'js';</script>\n</head>\n<body>\n"
        f'<nav><a href="/">{site}</a> <a href="/recent">Recent changes</a></nav>\n'
        f"<article>\n{article}\n</article>\n<footer>{site}, internal use only</footer>\n</body>\n</html>\n"
    ).encode()


def _html_block(block: Block) -> str:
    if block.kind == "heading":
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if block.kind == "table":
        rows: dict[int, list[str]] = {}
        for cell in block.cells:
            word = "th" if cell.row < block.header_rows else "td"
            rows.setdefault(cell.row, []).append(f"<{word}>{escape(cell.blocks[0].text)}</{word}>")
        return "<table>\n" + "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows.values()) + "\n</table>"
    return f"<p>{escape(block.text)}</p>" if block.text else ""


def write_mhtml(page: bytes, saved: datetime) -> bytes:
    """Return a page as a browser saves it in one file (MHTML, RFC 2557)."""
    head = (
        f"From: <Saved by a browser>\r\nSubject: wiki\r\nDate: {format_datetime(saved)}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="saved-page"\r\n\r\n'
        "--saved-page\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n"
        "Content-Location: https://wiki.example.com/alerts\r\n\r\n"
    )
    return head.encode() + encodestring(page).replace(b"\n", b"\r\n") + b"\r\n--saved-page--\r\n"


def write_mbox(mails: Sequence[bytes]) -> bytes:
    """Return mails as one exported folder (mboxrd: a body line that begins like a separator is quoted)."""
    parts = []
    for mail in mails:
        sent = parsedate_to_datetime(message_from_bytes(mail)["Date"])
        quoted = re.sub(rb"^(>*From )", rb">\1", mail.replace(b"\r\n", b"\n"), flags=re.MULTILINE)
        parts.append(b"From MAILER-DAEMON " + sent.ctime().encode() + b"\n" + quoted.rstrip(b"\n") + b"\n\n")
    return b"".join(parts)


def write_ics(fields: Mapping[str, str], text: str) -> bytes:
    """Return an invitation (iCalendar, RFC 5545)."""
    times = {name: re.sub(r"[- :]", "", fields[name]) for name in ("Start", "End")}
    described = text.strip().replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\n", "\\n")
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//example//calendar//KO",
        "BEGIN:VEVENT",
        "UID:month-end@example.com",
        *(f"DT{name.upper()};TZID=Asia/Seoul:{moment[:8]}T{moment[8:]}00" for name, moment in times.items()),
        f"SUMMARY:{fields['Subject']}",
        f"LOCATION:{fields['Place']}",
        f"DESCRIPTION:{described}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{line}\r\n" for line in lines).encode()


def write_hml(blocks: Sequence[Block], *, title: str, author: str, day: str) -> bytes:
    """Return an HWPML 2.x file (한글문서파일형식 3.0 / HWPML, Hancom) of paragraphs."""
    lines = "".join(
        f'<P ParaShape="0" Style="0"><TEXT CharShape="0"><CHAR>{escape(line)}</CHAR></TEXT></P>'
        for line in (f"{block.number} {block.text}".strip() for block in blocks)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n'
        '<HWPML Style="embed" SubVersion="8.0.0.0" Version="2.8"><HEAD SecCnt="1"><DOCSUMMARY>'
        f"<TITLE>{escape(title)}</TITLE><AUTHOR>{escape(author)}</AUTHOR><DATE>{day}</DATE></DOCSUMMARY></HEAD>"
        f'<BODY><SECTION Id="0">{lines}</SECTION></BODY><TAIL/></HWPML>\n'
    ).encode()


def write_xls(sheets: dict[str, list[list[Value]]]) -> bytes:
    """Return an Excel 97-2003 workbook of LABEL and NUMBER records ([MS-XLS] 2.4.148, 2.4.180)."""
    bodies = [_sheet(rows) for rows in sheets.values()]
    names = [struct.pack("<BB", len(name), 1) + name.encode("utf-16-le") for name in sheets]
    head = _bof(0x0005) + _record(0x0042, struct.pack("<H", 1200)) + _formats()
    offset = len(head) + sum(4 + 6 + len(name) for name in names) + 4
    bound = b""
    for name, content in zip(names, bodies, strict=True):
        bound += _record(0x0085, struct.pack("<IH", offset, 0) + name)
        offset += len(content)
    return write_ole({"Workbook": head + bound + _record(0x000A, b"") + b"".join(bodies)})


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _bof(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _formats() -> bytes:
    """Return two XF records: 0 general, 1 the built-in date format 14."""
    return b"".join(_record(0x00E0, struct.pack("<HHH", 0, number, 0) + bytes(14)) for number in (0, 14))


def _sheet(rows: list[list[Value]]) -> bytes:
    width = max(len(row) for row in rows)
    cells = _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
                cells += _record(0x0204, struct.pack("<HHH", row, column, 0) + text)
            elif value is not None:
                day = isinstance(value, date)
                number = float((value - _EXCEL_EPOCH).days if isinstance(value, date) else value)
                cells += _record(0x0203, struct.pack("<HHHd", row, column, int(day), number))
    return _bof(0x0010) + cells + _record(0x000A, b"")


def write_scan(lines: Sequence[str]) -> bytes:
    """Return a PDF of one grey picture of `lines` (Latin letters: the font comes with Pillow), slightly turned."""
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    picture = Image.new("L", (827, 1170), 250)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(20)
    for number, line in enumerate(lines):
        draw.text((90, 110 + 34 * number), line, fill=40, font=font)
    picture = picture.rotate(0.8, fillcolor=250, resample=Image.Resampling.BICUBIC)
    chance = random.Random(1130)
    for _ in range(400):
        picture.putpixel((chance.randrange(827), chance.randrange(1170)), 120)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.showPage()
    canvas.save()
    return out.getvalue()
