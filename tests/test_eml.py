"""Mails: what was written is the body, what was quoted isn't, what was attached becomes a document."""

from __future__ import annotations

import base64
import io
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sheet_makers import make_eml

from pipelines import parsers
from pipelines.errors import Corrupt, Empty, Encrypted, Unsupported
from pipelines.parsers import eml
from pipelines.parsers.mail_headers import decode_header, safe_name
from pipelines.records import Limits, Parsed

KST = timezone(timedelta(hours=9))
SENT = datetime(2026, 3, 2, 9, 30, tzinfo=KST)


def parse(data: bytes) -> Parsed:
    return eml.parse(io.BytesIO(data), "메일.eml", Limits())


def mail(body: str, *, subject: str = "보고", **more: object) -> Parsed:
    return parse(make_eml(subject, "김담당 <kim@example.com>", "lee@example.com", SENT, body, **more))  # type: ignore[arg-type]


def body(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks if block.in_body]


def aside(parsed: Parsed) -> str:
    return "\n".join(block.text for block in parsed.blocks if not block.in_body)


def raw(*lines: str | bytes) -> bytes:
    return b"\r\n".join(line.encode() if isinstance(line, str) else line for line in lines)


def test_subject_sender_and_date_describe_the_mail() -> None:
    parsed = mail("안녕하세요.\n\n본문입니다.")
    assert (parsed.title, parsed.author) == ("보고", "김담당 <kim@example.com>")
    assert (parsed.modified_at, parsed.clock) == (datetime(2026, 3, 2, 0, 30, tzinfo=UTC), "eml:Date")
    assert body(parsed) == ["안녕하세요.", "본문입니다."]
    assert "To: lee@example.com" in aside(parsed)


@pytest.mark.parametrize("label", ["euc-kr", "ks_c_5601-1987", "cp949", "KSC5601", "windows-949"])
def test_korean_labels_all_mean_cp949(label: str) -> None:
    text = base64.b64encode("똠방각하 펲시".encode("cp949")).decode()
    parsed = parse(
        raw(
            f"Subject: =?{label}?B?{text}?=",
            "From: a@example.com",
            f'Content-Type: text/plain; charset="{label}"',
            "Content-Transfer-Encoding: base64",
            "",
            text,
        )
    )
    assert parsed.title == "똠방각하 펲시"
    assert body(parsed) == ["똠방각하 펲시"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_raw_bytes_without_a_label_are_read(encoding: str) -> None:
    parsed = parse(
        raw("Subject: 계약서 송부".encode(encoding), "From: a@example.com", "", "안녕하세요".encode(encoding))
    )
    assert (parsed.title, body(parsed)) == ("계약서 송부", ["안녕하세요"])


def test_encoded_words_cut_inside_a_character_are_joined() -> None:
    data = "분기 실적".encode()
    first, second = (base64.b64encode(part).decode() for part in (data[:4], data[4:]))
    assert decode_header(f"=?utf-8?B?{first}?=\r\n =?utf-8?B?{second}?=") == "분기 실적"


def test_words_around_an_encoded_word_stay() -> None:
    assert decode_header("Re: =?utf-8?Q?=EB=B3=B4=EA=B3=A0_2?= (fwd)") == "Re: 보고 2 (fwd)"


def test_quoted_history_is_kept_apart() -> None:
    text = "네, 진행하겠습니다.\n\n-----Original Message-----\nFrom: lee\nSent: 월\nSubject: 요청\n\n예산은 3억원."
    parsed = mail(text, subject="RE: 요청")
    assert body(parsed) == ["네, 진행하겠습니다."]
    assert "예산은 3억원." in aside(parsed)
    assert parsed.asides == {"quoted": 2}


@pytest.mark.parametrize(
    "head",
    [
        "보낸 사람: 이담당\n보낸 날짜: 2026년 3월 1일\n받는 사람: 김담당\n제목: 요청",
        "2026년 3월 1일 (일) 오후 3:00, 이담당 <lee@example.com>님이 작성:",
        "On Sun, Mar 1, 2026 at 3:00 PM Lee <lee@example.com>\nwrote:",
        "---------- Forwarded message ---------",
    ],
)
def test_korean_and_english_heads_of_quoted_mails_are_known(head: str) -> None:
    assert body(mail(f"확인했습니다.\n\n{head}\n\n지난 글")) == ["확인했습니다."]


OUTLOOK = "<b>보낸 사람:</b> 이담당<br><b>보낸 날짜:</b> 2026년<br><b>받는 사람:</b> 김담당<br><b>제목:</b> 요청"


@pytest.mark.parametrize(
    "quoted",
    [
        f"<div style='border-top:solid'><p>{OUTLOOK}</p></div><p>지난 글</p>",
        f"<div id=appendonsend></div><hr><div id=divRplyFwdMsg>{OUTLOOK}</div><div>지난 글</div>",
        "<div class=gmail_quote>2026년 3월 2일 (월) 오전 9:00, 이담당 &lt;lee@e.com&gt;님이 작성:<p>지난 글</p></div>",
        "<p>-----Original Message-----<br><b>From:</b> 이담당<br><b>To:</b> 김담당</p><p>지난 글</p>",
        "<blockquote><div>--------- 원본 메일 ---------</div><div>보낸이: 이담당</div>지난 글</blockquote>",
        "<table><tr><td>보낸사람 :<td>이담당<tr><td>받는사람 :<td>김담당<tr><td>날짜 :<td>2026</table><p>지난 글</p>",
        "<blockquote type=cite><div>2026. 3. 2. 오전 9:00, 이담당 작성:</div><p>지난 글</p></blockquote>",
    ],
)
def test_history_in_html_is_kept_apart_as_each_program_marks_it(quoted: str) -> None:
    parsed = mail("", subject="RE: 요청", html=f"<p>확인했습니다.</p>{quoted}")
    assert body(parsed) == ["확인했습니다."]
    assert "지난 글" in aside(parsed)
    if "blockquote" not in quoted and "gmail" not in quoted:
        assert body(mail("", subject="RE: 요청", html=f"확인했습니다.<br>{quoted}"))[0] == "확인했습니다."


def test_a_line_right_above_a_quoted_head_stays() -> None:
    head = "2026년 3월 1일 (일) 오후 3:00, 이담당 <lee@example.com>님이 작성:"
    assert body(mail(f"확인했습니다.\n{head}\n\n> 지난 글")) == ["확인했습니다."]
    assert body(mail("", html=f"확인했습니다.<br>{head.replace('<', '&lt;')}<br>지난 글")) == ["확인했습니다."]


def test_quote_marks_are_taken_off() -> None:
    parsed = mail("> 언제 되나요?\n> 급합니다.\n\n내일 됩니다.")
    assert body(parsed) == ["내일 됩니다."]
    assert "언제 되나요?\n급합니다." in aside(parsed)


def test_a_forwarded_mail_is_news_itself() -> None:
    parsed = mail("-----Original Message-----\n공지 내용", subject="FW: 공지")
    assert any("공지 내용" in text for text in body(parsed))


def test_a_sentence_with_from_is_no_history() -> None:
    assert body(mail("From: 서울\n출발합니다."))[0] == "From: 서울\n출발합니다."


def test_html_mails_lose_their_hidden_text_and_quotes() -> None:
    page = '<p>새 글</p><div style="display:none">추적</div><div class="gmail_quote"><p>지난 글</p></div>'
    parsed = mail("", html=page)
    assert body(parsed) == ["새 글"]
    assert "지난 글" in aside(parsed)
    assert parsed.asides["hidden"] == 1


def test_attachments_have_names_in_nfc_and_their_bytes() -> None:
    decomposed = "견적서.xlsx".encode().decode()
    parsed = mail("첨부합니다.", attachments=[(decomposed, b"PK1"), ("견적서.xlsx", b"PK2"), ("../../etc/a.txt", b"x")])
    assert [(a.name, a.data) for a in parsed.attachments] == [
        ("견적서.xlsx", b"PK1"),
        ("견적서#2.xlsx", b"PK2"),
        ("_.._etc_a.txt", b"x"),
    ]


def test_a_continued_rfc2231_name_is_joined() -> None:
    parsed = parse(
        raw(
            "Subject: a",
            "Content-Type: multipart/mixed; boundary=B",
            "",
            "--B",
            "Content-Type: application/octet-stream",
            "Content-Disposition: attachment;",
            " filename*0*=euc-kr''%C8%B8%C0%C7;",
            " filename*1*=%B7%CF.hwp",
            "Content-Transfer-Encoding: base64",
            "",
            "AAAA",
            "--B--",
        )
    )
    assert [a.name for a in parsed.attachments] == ["회의록.hwp"]


def test_a_mail_in_a_mail_is_attached_as_a_mail() -> None:
    inner = make_eml("안쪽 제목", "a@example.com", "b@example.com", SENT, "안쪽 본문").decode("latin-1")
    outer = "Subject: x\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: message/rfc822\r\n\r\n"
    parsed = parse(f"{outer}{inner}\r\n--B--".encode("latin-1"))
    assert [a.name for a in parsed.attachments] == ["안쪽 제목.eml"]
    assert body(parse(parsed.attachments[0].data)) == ["안쪽 본문"]


def test_mails_nested_too_deep_are_left_out_and_said() -> None:
    data = b"Content-Type: message/rfc822\n\n" * 15 + b"Subject: x\n\nbody"
    assert "deep" in parse(data).warnings[0]
    with pytest.raises(Corrupt):
        parse(b"Content-Type: message/rfc822\n\n" * 3000 + b"Subject: x\n\nbody")


def test_a_boundary_that_is_not_in_the_mail_is_found_again() -> None:
    parsed = parse(raw("Subject: x", "Content-Type: multipart/mixed; boundary=OTHER", "", "--B", "", "본문", "--B--"))
    assert body(parsed) == ["본문"]
    assert parsed.warnings


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream"])
def test_pictures_of_a_signature_are_no_documents(kind: str) -> None:
    parsed = parse(
        raw(
            "Subject: x",
            "Content-Type: multipart/related; boundary=B",
            "",
            "--B",
            "Content-Type: text/html; charset=utf-8",
            "",
            "<p>본문</p>",
            "--B",
            f"Content-Type: {kind}; name=logo.png",
            "Content-ID: <1>",
            "",
            "PNG",
            "--B--",
        )
    )
    assert (body(parsed), parsed.attachments, parsed.asides) == (["본문"], (), {"image": 1})


def test_an_encrypted_mail_needs_its_key() -> None:
    with pytest.raises(Encrypted):
        parse(raw("Subject: x", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data", "", "MIIB"))


def test_a_bad_date_falls_back_to_the_newest_received() -> None:
    received = "Received: from a by b; Mon, 02 Mar 2026 09:30:00 +0900"
    parsed = parse(raw(received, "Date: not a date", "Subject: x", "", "본문"))
    assert (parsed.modified_at, parsed.clock) == (datetime(2026, 3, 2, 0, 30, tzinfo=UTC), "eml:Received")


def parts(*bodies: str, kind: str = "multipart/mixed") -> Parsed:
    """Parse a mail of raw parts, each with its own fields."""
    divided = [line for body in bodies for line in ("--B", body)]
    return parse(raw("Subject: x", f"Content-Type: {kind}; boundary=B", "", *divided, "--B--"))


def test_attachments_without_content_are_counted_not_listed() -> None:
    parsed = parts(
        "Content-Type: text/plain\r\n\r\n본문",
        "Content-Type: text/plain; name=ATT00001.txt\r\nContent-Disposition: attachment\r\n\r\n \r\n",
        "Content-Type: application/octet-stream; name=empty.bin\r\n\r\n",
    )
    assert (parsed.attachments, parsed.asides) == ((), {"empty_attachment": 1})


def test_a_text_that_a_server_cut_in_pieces_is_whole_again() -> None:
    piece = "Content-Disposition: attachment; filename=ATT00002.htm\r\nContent-Type: text/html\r\n\r\n<p>뒷부분</p>"
    parsed = parts("Content-Type: text/plain; charset=utf-8\r\n\r\n앞부분", piece)
    assert (body(parsed), parsed.attachments) == (["앞부분", "뒷부분"], ())


def test_attachments_without_a_name_get_the_extension_of_their_kind() -> None:
    kinds = ["application/pdf", "application/haansofthwp", "application/vnd.ms-excel", "text/csv"]
    parsed = parts(*(f"Content-Type: {kind}\r\nContent-Disposition: attachment\r\n\r\nx" for kind in kinds))
    assert [a.name for a in parsed.attachments] == [f"attachment.{e}" for e in ("pdf", "hwp", "xls", "csv")]


def test_names_that_turn_around_or_hide_are_made_plain() -> None:
    assert safe_name("견적\u202egpj.exe") == "견적gpj.exe"
    assert safe_name("..\\..\\a\x00\tb\u200b.txt") == "_.._a b.txt"
    assert safe_name("...") == ""


def test_lines_broken_on_the_way_are_joined() -> None:
    text = "긴 문장이 \r\n여기서 이어진다.\r\n\r\n> 지난 \r\n> 글\r\n-- \r\n김담당 "
    parsed = parse(raw("Subject: x", "Content-Type: text/plain; charset=utf-8; format=flowed", "", text))
    assert body(parsed) == ["긴 문장이 여기서 이어진다.", "--\n김담당"]
    assert "지난 글" in aside(parsed)
    parsed = parse(
        raw("Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes", "Subject: x", "", "가 \r\n나")
    )
    assert body(parsed) == ["가나"]


INVITATION = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
BEGIN:STANDARD
DTSTART:16010101T000000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:040000008200E00074C5B7101A82E008
SUMMARY;LANGUAGE=ko:주간 회의
DTSTART;TZID="Korea Standard Time":20260302T100000
DTEND;TZID="Korea Standard Time":20260302T110000
LOCATION:3층 대회의실
DESCRIPTION:안건:\\n1. 결제 장애\\, 2. 정
 산
BEGIN:VALARM
DESCRIPTION:REMINDER
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def test_an_invitation_says_when_and_where() -> None:
    calendar = f"Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\n{INVITATION}"
    alone = parts(calendar, kind="multipart/alternative")
    when = "주간 회의\n2026-03-02 10:00 Korea Standard Time ~ 2026-03-02 11:00 Korea Standard Time\n3층 대회의실"
    assert body(alone) == [when, "안건:\n1. 결제 장애, 2. 정산"]
    text = "Content-Type: text/plain; charset=utf-8\r\n\r\n안건은 결제 장애와 정산입니다. 참석 바랍니다."
    invited = parts(text, calendar, kind="multipart/alternative")
    assert body(invited) == ["안건은 결제 장애와 정산입니다. 참석 바랍니다.", when]


def test_a_calendar_file_is_read_as_its_entries() -> None:
    parsed = parsers.parse(io.BytesIO(INVITATION.encode()), "일정.ics", Limits())
    assert (parsed.format, parsed.blocks[0].text.split("\n")[0]) == ("ics", "주간 회의")
    with pytest.raises(Empty):
        parsers.parse(io.BytesIO(b"BEGIN:VCALENDAR\nEND:VCALENDAR\n"), "일정.ics", Limits())


def test_a_bounce_is_its_words_and_the_mail_that_came_back() -> None:
    parsed = parts(
        "Content-Type: text/plain; charset=utf-8\r\n\r\n배달하지 못했습니다.",
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; a\r\n\r\nFinal-Recipient: rfc822; b\r\n",
        "Content-Type: message/rfc822\r\n\r\nSubject: back\r\n\r\ntext",
        kind="multipart/report; report-type=delivery-status",
    )
    assert (body(parsed), parsed.asides) == (["배달하지 못했습니다."], {"report": 1})
    assert [a.name for a in parsed.attachments] == ["back.eml"]


def test_a_signed_text_loses_its_armour_and_keeps_its_words() -> None:
    seal = "-----BEGIN PGP SIGNATURE-----\n\nABC\n-----END PGP SIGNATURE-----\n"
    armour = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{{}}\n{seal}"
    assert body(mail(armour.format("계약을 승인합니다.\n- -- \n김담당"))) == ["계약을 승인합니다.\n--\n김담당"]
    with pytest.raises(Encrypted):
        mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n")


def test_a_mail_packed_into_its_signature_is_named() -> None:
    with pytest.raises(Unsupported, match="S/MIME"):
        parse(
            raw(
                "Subject: x", "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "", "MIIB"
            )
        )


def test_a_mail_of_nothing_but_a_subject_says_that() -> None:
    assert body(mail("", subject="오늘 연차입니다")) == ["오늘 연차입니다"]
    assert body(mail("", subject="자료 송부", attachments=[("a.txt", b"x")])) == []


def test_a_mail_of_several_encodings_is_a_mail() -> None:
    data = raw(
        "Subject: 결제 승인".encode("cp949"), "From: a@example.com", "", "정산 안내".encode() + b"\xff\xfe" * 200
    )
    assert parsers.detect(io.BytesIO(data), "메일.eml") == "eml"


@pytest.mark.parametrize(
    "head",
    [
        "보낸사람: 이담당 <lee@example.com>\n보낸날짜: 2026-03-01\n받는사람: 김담당\n참조:\n제목: 요청",
        "________________________________\nFrom: Lee <lee@example.com>\nSent: Sunday, March 1\nTo: Kim\nSubject: 요청",
        "--------- 원본 메일 ---------\n보낸사람 : 이담당\n받는사람 : 김담당\n날짜 : 2026-03-01\n제목 : 요청",
        "-----원본 메시지-----",
        "2026. 3. 1. 오후 3:00, 이담당 <lee@example.com> 작성:",
        "2026년 3월 1일 (일) 오후 3:00, 이담당\n<lee@example.com>님이 작성:",
        "이담당 님이 2026-03-01 15:00에 작성한 글:",
        "> 지난 글의 첫 줄",
        "*From:* Lee\n*Sent:* Sunday\n*To:* Kim",
    ],
)
def test_more_heads_of_quoted_mails_are_known(head: str) -> None:
    assert body(mail(f"확인했습니다.\n\n{head}\n" + ("" if head[0] == ">" else "\n지난 글"))) == ["확인했습니다."]


def test_a_long_name_keeps_its_extension() -> None:
    assert safe_name("가" * 300 + ".hwp").endswith("가.hwp")
    assert len(safe_name("가" * 300 + ".hwp").encode()) < 255


@pytest.mark.cases
@pytest.mark.parametrize(
    ("name", "title", "text"),
    [
        ("syn_ko_cp949", "똠방 계약서 송부", "펲시콜라"),
        ("syn_ko_euc-kr", "똠방 계약서 송부", "펲시콜라"),
        ("syn_ko_ks_c_5601-1987", "똠방 계약서 송부", "펲시콜라"),
        ("syn_ko_iso2022kr", "계약서 송부", "계약서 송부드립니다."),
        ("syn_ko_raw8bit_header", "계약서 송부의 건", "안녕하세요"),
        ("syn_ko_split_encoded_word", "분기 실적 보고", "x"),
        ("syn_ko_html_only", "보고", "진행률 80%"),
        ("mime-html-only", "Example HTML Only MIME Email", "Scott Fahlman"),
        ("mail_malformed_3", "Ahorre Dinero en su Recibo de Luz", "CLICK AQUI"),
        ("fake-email-malformed-encoding", "Test Email", "Roses are red"),
    ],
)
def test_case_mails(cases_dir: Path, name: str, title: str, text: str) -> None:
    parsed = parse((cases_dir / f"formats/eml/{name}.eml").read_bytes())
    assert parsed.title == title
    assert any(text in words for words in body(parsed))
