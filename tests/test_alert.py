"""Mails: only news, short, in the reader's language, and no more of the documents than the settings allow."""

from __future__ import annotations

import shlex
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.message import EmailMessage

import click
import pytest

from pipelines.alert import Alert, alert_of, alert_of_canary, news_of, told_of
from pipelines.alert_commands import COMMANDS, DAY, command_for
from pipelines.alert_mail import Evidence, digest, first_run_summary, urgent
from pipelines.alert_words import CATEGORIES, KINDS
from pipelines.errors import SkipDocument
from pipelines.findings import KINDS as DOCUMENT_KINDS
from pipelines.gap import Canary, Hit, Pin, Verdict
from pipelines.records import Finding
from saero.cli import COMMANDS as CLI_COMMANDS
from saero.cli import saero

SEOUL = timezone(timedelta(hours=9), "KST")
NOW = datetime(2026, 11, 30, 2, 40, tzinfo=SEOUL)
SINCE = datetime(2026, 11, 29, 17, 0, tzinfo=UTC)


def alert(
    path: str = "견적서.docx", *, kind: str = "unsearched", source: str = "제안서", text: str = "", **detail: object
) -> Alert:
    return alert_of(Finding(kind, source, path, dict(detail)), owner="pm@example.com", since=SINCE, text=text)


def canary_alert(state: str = "lost", cause: str = "deleted") -> Alert:
    canary = Canary("c1", "결제 API 타임아웃", owner="dev@example.com", baseline=0.9)
    top = Hit("개발", "다른.md", "b", "k", 0.6, "비밀번호는 1234")
    verdict = Verdict(canary, state, cause, 0.61, None, top, Pin("개발", "결제.md", "b", "k"))  # type: ignore[arg-type]
    made = alert_of_canary(verdict, since=SINCE)
    assert made is not None
    return made


def mail(
    *alerts: Alert,
    language: str = "ko",
    evidence: Evidence = "names",
    now: datetime = NOW,
    owner: str = "pm@example.com",
) -> EmailMessage:
    return digest(alerts, language=language, evidence=evidence, owner=owner, now=now, host_label="files01")


def words(message: EmailMessage, kind: str = "plain") -> str:
    """Read a mail as its receiver's program does."""
    read = message_from_bytes(message.as_bytes(), policy=policy.default)
    assert isinstance(read, EmailMessage)
    part = read.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def subject(message: EmailMessage) -> str:
    return str(message_from_bytes(message.as_bytes(), policy=policy.default)["Subject"])


def test_the_subject_says_how_many_where_and_when() -> None:
    assert subject(mail(alert("a"), alert("b"))) == "[새로] 확인 2건: 제안서 폴더 (11월 30일)"
    several = mail(alert("a"), alert("b", source="개발"), alert("c", source="회의"))
    assert subject(several) == "[새로] 확인 3건: 제안서 외 2개 폴더 (11월 30일)"
    assert subject(mail(alert("a"), language="en")) == "[saero] 1 to check: 제안서 (Nov 30)"


def test_a_line_names_place_and_cause() -> None:
    body = words(
        mail(alert(category="encrypted"), alert("b.hwp", kind="expires_soon", expires_at="2026-12-05T00:00:00+09:00"))
    )
    assert "- 검색에서 빠진 파일: 제안서/견적서.docx (암호가 걸림)\n" in body
    assert "제안서/b.hwp (2026-12-05까지)\n    saero documents renew '제안서/b.hwp' --until YYYY-MM-DD\n" in body
    english = words(mail(alert(category="encrypted"), language="en"))
    assert "- file that search can't find: 제안서/견적서.docx (password needed)\n" in english


def test_html_says_the_same_and_names_cannot_break_out_of_it() -> None:
    page = words(mail(alert("<script>alert(1)</script>&.docx"), alert("b")), "html")
    assert "<li>검색에서 빠진 파일: 제안서/&lt;script&gt;alert(1)&lt;/script&gt;&amp;.docx</li>" in page
    assert "<script>" not in page
    assert page.count("<ul>") == page.count("</ul>") == 1


def test_names_cannot_forge_lines_or_headers() -> None:
    message = mail(alert("a\n- 모두 정상\u202e\ud800.docx", source="제안\r\nBcc: x@y"))
    assert "\n- 모두 정상" not in words(message)
    assert message["Bcc"] is None
    assert subject(message) == "[새로] 확인 1건: 제안 Bcc: x@y 폴더 (11월 30일)"


def test_more_than_ten_are_counted_and_the_command_shows_them() -> None:
    body = words(
        mail(*(alert(f"{n}.docx") for n in range(12)), *(alert(f"{n}.hwp", kind="needs_ocr") for n in range(3)))
    )
    assert body.count("\n- ") == 10
    assert "외 5건: 스캔 문서(글자 인식 필요): 3, 검색에서 빠진 파일: 2" in body
    assert "saero alerts" in body


def test_passages_are_told_only_when_the_settings_say_text() -> None:
    secret = alert(text="주민번호 900101-1234567\n둘째 줄")
    assert "주민번호" not in words(mail(secret)) + words(mail(secret), "html")
    assert "주민번호 900101-1234567 둘째 줄" in words(mail(secret, evidence="text"))


def test_counts_name_no_folder_no_file_and_no_question() -> None:
    message = mail(alert(), canary_alert(), evidence="counts")
    everything = subject(message) + words(message) + words(message, "html")
    assert not any(name in everything for name in ("제안서", "견적서", "개발", "결제", "타임아웃"))
    assert "- 검색에서 빠진 파일: 1" in words(message)


def test_details_cannot_carry_text_into_a_mail() -> None:
    body = words(mail(alert(reason="비밀 문장", stage="아주 긴 문장 하나가 들어 있는 값입니다 정말로", unknown="비밀")))
    assert "비밀" not in body
    assert "문장" not in body


def test_a_canary_is_named_by_its_question() -> None:
    body = words(mail(canary_alert(), canary_alert("drop", "0.61, the baseline is 0.90")))
    assert '- 점검 질문의 답이 검색에서 사라짐: "결제 API 타임아웃", 개발/결제.md (파일이 없어짐, 0.90 → 0.61)' in body
    assert "1234" not in body


def test_a_canary_that_is_ok_is_no_alert() -> None:
    assert alert_of_canary(Verdict(Canary("c", "q"), "ok", ""), since=SINCE) is None


def test_the_same_news_on_the_same_day_is_the_same_mail() -> None:
    first = mail(alert())["Message-ID"]
    assert first == mail(alert(), now=NOW + timedelta(hours=3))["Message-ID"]
    others = [
        mail(alert("b")),
        mail(alert(), now=NOW + timedelta(days=1)),
        mail(alert(), owner="dev@example.com"),
        mail(replace(alert(), state="resolved")),
    ]
    assert first not in [message["Message-ID"] for message in others]
    assert str(first).endswith("@files01>")


def test_a_failed_run_is_one_mail_whoever_tells_it() -> None:
    told = [
        urgent([alert("", kind="run_failed", stage="embed")], language="ko", evidence="names", owner="pm@example.com",
               now=NOW + timedelta(days=n), host_label="files01", key="run-7")
        for n in range(2)
    ]  # fmt: skip
    assert told[0]["Message-ID"] == told[1]["Message-ID"]
    assert subject(told[0]) == "[새로] 긴급: 새로 고침 실패, 제안서 폴더 (11월 30일)"
    assert "단계 embed" in words(told[0])


def test_the_first_run_sends_counts() -> None:
    message = first_run_summary(
        {"live": 90, "failed": 10}, {"encrypted": 7, "drm": 3}, {"unsearched": 10, "expires_soon": 0},
        chunks=1200, language="ko", owner="pm@example.com", now=NOW, host_label="files01",
    )  # fmt: skip
    assert subject(message) == "[새로] 첫 점검: 문서 100개 (11월 30일)"
    body = words(message)
    assert "검색에서 빠진 파일: 암호가 걸림 7, 문서 보안(DRM) 3" in body
    assert "- 검색에서 빠진 파일: 10" in body
    assert "다 되어 감" not in body


def test_only_what_opened_or_was_resolved_is_news() -> None:
    known, gone = told_of(alert()), replace(alert(), state="resolved")
    assert news_of(alert(), None) == "open"
    assert news_of(alert(), known) is None
    assert news_of(gone, known) == "resolved"
    assert news_of(gone, told_of(gone)) is None
    assert news_of(alert(), told_of(gone)) == "open"
    assert news_of(gone, None) is None  # it came and went before anyone was told


@pytest.mark.parametrize(
    ("told", "now", "news"),
    [
        (alert(kind="deletions_held", documents=100), alert(kind="deletions_held", documents=150), None),
        (alert(kind="deletions_held", documents=100), alert(kind="deletions_held", documents=200), "worsened"),
        (alert(kind="deletions_held", nights=4), alert(kind="deletions_held", nights=5), "worsened"),
        (alert(kind="deletions_held", nights=5), alert(kind="deletions_held", nights=6), None),
        (canary_alert("drop"), canary_alert("lost"), "worsened"),
        (canary_alert("displaced"), canary_alert("drop"), None),
        (canary_alert("lost"), canary_alert("lost"), None),
        (canary_alert("lost"), canary_alert("moved"), "open"),
        (canary_alert("gap"), canary_alert("new"), "open"),
        (alert("", kind="run_failed", run_id="1"), alert("", kind="run_failed", run_id="2"), "open"),
    ],
)
def test_what_became_graver_is_told_again(told: Alert, now: Alert, news: str | None) -> None:
    assert news_of(now, told_of(told)) == news


def test_an_alarm_that_eased_and_is_back_is_told_again() -> None:
    known = told_of(canary_alert("lost"))
    assert news_of(canary_alert("lost"), replace(known, eased=True)) == "worsened"
    assert news_of(canary_alert("moved"), replace(known, eased=True)) == "open"


@pytest.mark.parametrize("kind", ["version_returned", "canary_new"])
def test_the_end_of_what_happens_once_is_no_news(kind: str) -> None:
    one = canary_alert("new") if kind == "canary_new" else alert(kind=kind)
    assert news_of(replace(one, state="resolved"), told_of(one)) is None


def test_urgent_news_comes_first_and_resolved_last() -> None:
    body = words(mail(replace(alert("gone"), state="resolved"), alert("a"), alert("", kind="source_unreachable")))
    places = [body.index(word) for word in ("문서 폴더에 접근할 수 없음", "제안서/a", "[해결됨]")]
    assert places == sorted(places)


def test_the_end_of_an_alarm_is_not_called_urgent() -> None:
    told = [replace(alert("", kind="publish_held", source=""), state="resolved")]
    made = urgent(told, language="ko", evidence="names", owner="pm@example.com", now=NOW, host_label="files01")
    assert subject(made) == "[새로] 해결됨: 검색 반영 보류 (11월 30일)"


def test_a_replacement_names_the_newer_version() -> None:
    assert "제안서/v1.docx → 제안서/v2.docx" in words(mail(alert("v1.docx", kind="superseded", by="제안서/v2.docx")))


@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_every_command_of_a_mail_can_be_typed(kind: str) -> None:
    line = command_for(kind, "제안서", "새 폴더/견적's.docx", {"canary_id": "0123456789ab", "id": "ba9876543210"})
    _, *words = shlex.split(line.replace(DAY, "2099-12-31"))
    assert words[0] in CLI_COMMANDS
    group: click.Command = saero
    while isinstance(group, click.Group) and words and not words[0].startswith("-"):
        name, found, words = group.resolve_command(click.Context(group), words)
        assert found is not None, name
        group = found
    group.make_context("saero", words).close()


@pytest.mark.parametrize("kind", ["version_doubt", "contradiction"])
def test_what_waits_for_review_is_shown_and_no_answer_is_proposed(kind: str) -> None:
    assert command_for(kind, "제안서", "초안.docx", {"id": "ba9876543210"}) == "saero review"


def test_a_name_that_no_shell_takes_gets_no_command() -> None:
    assert command_for("expires_soon", "제안서", "a\nb.docx", {}) == ""
    assert command_for("canary_new", "제안서", "a.docx", {}) == ""


def test_every_kind_and_category_has_words() -> None:
    assert set(DOCUMENT_KINDS) | set(COMMANDS) <= set(KINDS)
    assert {kind.category for kind in SkipDocument.__subclasses__()} <= set(CATEGORIES)
