"""Mails: what was written is the body, what was quoted isn't, what was attached becomes a document."""

from __future__ import annotations

import base64
import io
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sheet_makers import make_eml

from pipelines.errors import Corrupt, Encrypted
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


def test_quote_marks_are_taken_off() -> None:
    parsed = mail("> 언제 되나요?\n> 급합니다.\n\n내일 됩니다.")
    assert body(parsed) == ["내일 됩니다."]
    assert "언제 되나요?\n급합니다." in aside(parsed)


def test_a_forwarded_mail_is_news_itself() -> None:
    parsed = mail("-----Original Message-----\n공지 내용", subject="FW: 공지")
    assert any("공지 내용" in text for text in body(parsed))


def test_a_sentence_with_from_is_no_history() -> None:
    assert body(mail("From: 서울\n출발합니다."))[0] == "From: 서울\n출발합니다."


def test_plain_text_goes_before_html_unless_it_is_a_stub() -> None:
    assert body(mail("보통 글로 쓴 본문이 여기 있다.", html="<p>HTML 본문</p>")) == ["보통 글로 쓴 본문이 여기 있다."]
    long = "<p>" + "HTML로만 쓴 본문입니다. " * 10 + "</p>"
    assert body(mail("HTML 메일입니다.", html=long))[0].startswith("HTML로만 쓴")


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
        ("견적서 (2).xlsx", b"PK2"),
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
    assert (body(parsed), parsed.attachments, parsed.asides) == (["본문"], (), {"picture": 1})


def test_an_encrypted_mail_needs_its_key() -> None:
    with pytest.raises(Encrypted):
        parse(raw("Subject: x", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data", "", "MIIB"))


def test_a_bad_date_falls_back_to_the_newest_received() -> None:
    received = "Received: from a by b; Mon, 02 Mar 2026 09:30:00 +0900"
    parsed = parse(raw(received, "Date: not a date", "Subject: x", "", "본문"))
    assert (parsed.modified_at, parsed.clock) == (datetime(2026, 3, 2, 0, 30, tzinfo=UTC), "eml:Received")


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
