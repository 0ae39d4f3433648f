"""Of a mail's versions and its quotes, the one that loses least is read."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from sheet_makers import make_eml

from pipelines.parsers import eml, ics
from pipelines.parsers.mail_versions import Versions
from pipelines.records import Limits, Parsed

SENT = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


def mail(text: str, html: str | None = None, subject: str = "보고") -> Parsed:
    data = make_eml(subject, "김담당 <kim@example.com>", "lee@example.com", SENT, text, html=html)
    return eml.parse(io.BytesIO(data), "메일.eml", Limits())


def body(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks if block.in_body]


def aside(parsed: Parsed) -> str:
    return "\n".join(block.text for block in parsed.blocks if not block.in_body)


# --- versions ---


@pytest.mark.parametrize(
    "stub",
    [
        "HTML 메일입니다.",
        "이 메일은 HTML 형식으로 작성되었습니다. 내용을 보려면 HTML을 지원하는 메일 프로그램으로 열어 주십시오.",
        "This message is in HTML. See https://example.com/view?a=very&long=address&with=many&words=in&it=1",
    ],
)
def test_a_stub_beside_a_page_is_not_the_mail(stub: str) -> None:
    parsed = mail(stub, "<table border=1><tr><th>품목<th>금액<tr><td>단말기<td>3,200,000</table>")
    assert [block.kind for block in parsed.blocks if block.in_body] == ["table"]


def test_plain_text_with_the_words_of_the_page_is_the_mail() -> None:
    page = "<style>p{}</style><p>단말기 <b>세 대</b>를 삼월에 바꾼다.</p><div hidden>추적 추적 추적</div><p>김담당</p>"
    assert body(mail("단말기 세 대를\n삼월에 바꾼다.\n\n김담당", page)) == ["단말기 세 대를\n삼월에 바꾼다.", "김담당"]


def test_a_page_that_points_to_the_long_plain_text_is_the_stub() -> None:
    text = "회의 결과를 아래와 같이 알립니다. " * 10
    assert body(mail(text, "<p>본문은 텍스트로 보십시오</p>")) == [text.strip()]


def test_a_page_of_pictures_leaves_the_plain_text() -> None:
    assert body(mail("내일 회의합니다.", "<p><img src='cid:a'></p>")) == ["내일 회의합니다."]


def test_without_any_words_the_last_version_stands() -> None:
    assert Versions().preferred([[("plain", " ")], [("html", "<!-- -->")]]) == [("html", "<!-- -->")]


# --- quotes ---

HEAD = "2026년 3월 1일 (일) 오후 3:00, 이담당 <lee@example.com>님이 작성:"


@pytest.mark.parametrize(
    "head",
    [
        HEAD,
        "2026년 3월 1일 (일) 오후 3:00, 이담당\n<lee@example.com>님이 작성:",
        "On Sun, Mar 1, 2026 at 3:00 PM Lee <lee@example.com>\nwrote:\n",
        "-----Original Message-----\nFrom: Lee\nSent: Sunday\nTo: Kim\n",
        "________________________________\nFrom: Lee\nSent: Sunday\nTo: Kim\n",
    ],
)
def test_an_answer_below_marked_lines_is_new(head: str) -> None:
    parsed = mail(f"답변\n\n{head}\n> 원문\n>\n> 둘째\n\n인용 아래 답변", subject="RE: 요청")
    assert body(parsed) == ["답변", "인용 아래 답변"]
    assert "원문" in aside(parsed)
    below = mail(f"{head}\n> 원문\n\n아래에만 쓴 답변", subject="RE: 요청")
    assert (body(below), "원문" in aside(below)) == (["아래에만 쓴 답변"], True)


def test_below_a_head_without_marks_all_is_history() -> None:
    parsed = mail(f"{HEAD}\n> 첫 인용\n\n새 글\n\n{HEAD}\n\n지난 글\n> 더 지난 글\n끝")
    assert body(parsed) == ["새 글"]
    assert "끝" in aside(parsed)


@pytest.mark.parametrize(
    "quote",
    [
        f"<div class=moz-cite-prefix>{HEAD.replace('<', '&lt;')}</div><blockquote type=cite><p>원문</p></blockquote>",
        f"<div class=gmail_quote>{HEAD.replace('<', '&lt;')}<blockquote><p>원문</p></blockquote></div>",
    ],
)
def test_an_answer_below_a_marked_quote_of_a_page_is_new(quote: str) -> None:
    parsed = mail("", f"<p>답변</p>{quote}<p>인용 아래 답변</p>", subject="RE: 요청")
    assert body(parsed) == ["답변", "인용 아래 답변"]
    assert "원문" in aside(parsed)


def test_all_below_the_head_that_outlook_marks_is_history_in_any_language() -> None:
    page = "<p>Zugesagt.</p><div id=divRplyFwdMsg><b>Von:</b> Lee</div><div>Alt</div><table><tr><td>a<td>b</table>"
    assert body(mail("", page)) == ["Zugesagt."]


# --- invitations ---


def entry(*lines: str) -> list[str]:
    text = "\n".join(("BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"))
    return [block.text for block in ics.parse(io.BytesIO(text.encode()), "일정.ics", Limits()).blocks]


def test_an_invitation_says_who_is_invited_by_whom() -> None:
    people = (
        "ORGANIZER;CN=김담당:mailto:kim@example.com",
        'ATTENDEE;ROLE=REQ-PARTICIPANT;CN="이담당, 팀장":MAILTO:lee@example.com',
        "ATTENDEE:mailto:park@example.com",
        "ATTENDEE:mailto:park@example.com",
    )
    assert entry("SUMMARY:주간 회의", *people) == [
        "주간 회의\nOrganizer: 김담당 <kim@example.com>\nAttendees: 이담당, 팀장 <lee@example.com>, park@example.com"
    ]


@pytest.mark.parametrize(
    ("start", "length", "shown"),
    [
        ("DTSTART:20260302T233000Z", "PT1H30M", "2026-03-02 23:30 UTC ~ 2026-03-03 01:00 UTC"),
        (
            "DTSTART;TZID=Asia/Seoul:20260302T100000",
            "PT45M",
            "2026-03-02 10:00 Asia/Seoul ~ 2026-03-02 10:45 Asia/Seoul",
        ),
        ("DTSTART;VALUE=DATE:20260302", "P2D", "2026-03-02 ~ 2026-03-04"),
        ("DTSTART:20269999T100000", "PT45M", "2026-99-99 10:00 ~ PT45M"),
        ("DTSTART:20260302T100000", "길게", "2026-03-02 10:00 ~ 길게"),
    ],
)
def test_an_entry_that_says_how_long_it_takes_has_an_end(start: str, length: str, shown: str) -> None:
    assert entry(start, f"DURATION:{length}") == [shown]


def test_an_entry_that_comes_again_says_how() -> None:
    assert entry("SUMMARY:회의", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T000000Z") == [
        "회의\nRRULE: FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=2026-12-31 00:00 UTC"
    ]
