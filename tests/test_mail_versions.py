"""Of a mail's versions and its quotes, the one that loses least is read."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from sheet_makers import make_eml

from pipelines.parsers import eml
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
