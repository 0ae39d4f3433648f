"""Vectors of mails: what must and must not stand in the text version of a made mail."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone

from sheet_makers import make_eml
from vector import Vector

SENT = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=9)))


def _mail(body: str, subject: str = "결제 장애 보고", **more: object) -> bytes:
    return make_eml(subject, "김담당 <kim@example.com>", "lee@example.com", SENT, body, **more)  # type: ignore[arg-type]


def _raw(*lines: str, encoding: str = "utf-8") -> bytes:
    return "\r\n".join(lines).encode(encoding)


def _labelled(label: str) -> bytes:
    text = base64.b64encode("똠방각하 펲시콜라 계약서".encode("cp949")).decode()
    return _raw(
        f"Subject: =?{label}?B?{text}?=",
        "From: kim@example.com",
        f'Content-Type: text/plain; charset="{label}"',
        "Content-Transfer-Encoding: base64",
        "",
        text,
    )


def _split_words() -> bytes:
    data = "분기 실적 보고".encode()
    words = " ".join(f"=?utf-8?B?{base64.b64encode(part).decode()}?=" for part in (data[:5], data[5:11], data[11:]))
    return _raw(f"Subject: {words}", "From: kim@example.com", "", "본문")


def _parts(kind: str, *parts: str) -> bytes:
    divided = [line for part in parts for line in ("--B", part)]
    return _raw("Subject: x", "From: a@example.com", f"Content-Type: {kind}; boundary=B", "", *divided, "--B--")


def _flowed() -> bytes:
    kind = "Content-Type: text/plain; charset=utf-8; format=flowed"
    return _raw("Subject: x", "From: a@example.com", kind, "", "단말기 교체는 ", "삼월에 끝난다.")


_CALENDAR = "\r\n".join((
    "Content-Type: text/calendar; charset=utf-8; method=REQUEST", "", "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:0400",
    "SUMMARY:주간 회의", "DTSTART:20260302T010000Z", "LOCATION:3층 대회의실", "BEGIN:VALARM", "DESCRIPTION:REMINDER",
    "END:VALARM", "END:VEVENT", "END:VCALENDAR",
))  # fmt: skip
_QUOTED = "네, 승인합니다.\n\n-----Original Message-----\nFrom: lee\nSent: 월\nSubject: 요청\n\n예산은 3억원입니다."
_PAGE = (
    "<html><style>.gone{display:none}</style><p>새 글입니다</p><p class=gone>클래스로 숨김</p>"
    "<div style='display:none'>줄에서 숨김</div></html>"
)
_TABLE = (
    "<table border=1><tr><th>품목<th>금액</tr><tr style='display:none'><td>숨긴 행<td>0</tr>"
    "<tr><td>단말기<td>3,200,000</tr></table>"
)

VECTORS: tuple[Vector, ...] = (
    *(
        Vector(
            f"a mail labelled {label} is CP949",
            "계약.eml",
            lambda label=label: _labelled(label),
            ("똠방각하 펲시콜라",),
        )
        for label in ("euc-kr", "ks_c_5601-1987", "ms949")
    ),
    Vector(
        "raw 8-bit fields of a mail are read",
        "계약.eml",
        lambda: _raw("Subject: 계약서 송부", "From: 홍길동 <h@example.kr>", "", "안녕하세요", encoding="cp949"),
        ("계약서 송부", "홍길동", "안녕하세요"),
    ),
    Vector(
        "encoded words cut inside a character are joined", "실적.eml", _split_words, ("분기 실적 보고",), ("\ufffd",)
    ),
    Vector("quoted history stays readable below the mail", "회신.eml", lambda: _mail(_QUOTED), ("승인합니다", "3억원")),
    Vector(
        "a mail in HTML alone shows no hidden text",
        "소식.eml",
        lambda: _mail("", html=_PAGE),
        ("새 글입니다",),
        ("클래스로 숨김", "줄에서 숨김", "display"),
    ),
    Vector(
        "a table beside a plain text that only speaks of HTML is read",
        "견적.eml",
        lambda: _mail("이 메일은 HTML 형식으로 작성되었습니다. HTML로 여십시오.", html=_TABLE),
        ("품목", "단말기", "3,200,000"),
        ("HTML 형식으로", "숨긴 행"),
    ),
    Vector(
        "an answer below a quote is read before the quote",
        "회신.eml",
        lambda: _mail("2026-03-01 15:00 이담당 작성:\n> 언제 되나요?\n\n내일 됩니다."),
        ("내일 됩니다",),
    ),
    Vector("lines broken on the way are joined", "교체.eml", _flowed, ("교체는 삼월에",)),
    Vector(
        "an invitation says when and where",
        "초대.eml",
        lambda: _parts("multipart/alternative", _CALENDAR),
        ("주간 회의", "2026-03-02 01:00", "3층 대회의실"),
        ("BEGIN", "REMINDER", "0400"),
    ),
    Vector(
        "a text that a server cut in pieces is whole",
        "조각.eml",
        lambda: _parts(
            "multipart/mixed",
            "Content-Type: text/plain; charset=utf-8\r\n\r\n앞부분",
            "Content-Type: text/plain; name=ATT00001.txt\r\nContent-Disposition: attachment\r\n\r\n뒷부분",
        ),
        ("앞부분", "뒷부분"),
    ),
    Vector(
        "a mail labelled Latin-1 keeps its accents",
        "lettre.eml",
        lambda: _raw(
            "Subject: x",
            "From: a@example.com",
            "Content-Type: text/plain; charset=iso-8859-1",
            "",
            "Größe und café",
            encoding="latin-1",
        ),
        ("Größe und café",),
    ),
    Vector(
        "an encrypted mail needs its key",
        "비밀.eml",
        lambda: _raw("Subject: x", "From: a@example.com", "Content-Type: multipart/encrypted; boundary=B", "", "--B--"),
        category="encrypted",
        reason="S/MIME or PGP",
    ),
    Vector(
        "a mail that is one PGP message needs its key",
        "비밀.eml",
        lambda: _mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"),
        category="encrypted",
        reason="encrypted (PGP)",
    ),
)
