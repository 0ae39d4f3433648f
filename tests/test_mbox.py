"""Mail folders (mbox): each message is a document of its own, under a name that its neighbours don't change."""

from __future__ import annotations

import io
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from sheet_makers import make_eml, make_xlsx
from team import Team, prose

from pipelines import parsers
from pipelines.errors import Empty, TooLarge
from pipelines.parsers import mbox
from pipelines.records import Limits, Parsed

SENT = datetime(2026, 3, 2, 9, 15, tzinfo=timezone(timedelta(hours=9)))
DIVIDER = b"From kim@example.com Mon Mar  2 09:15:00 2026\r\n"


def folder(*mails: bytes, divider: bytes = DIVIDER) -> bytes:
    return b"".join(divider + mail + b"\r\n\r\n" for mail in mails)


def mail(subject: str, text: str = "본문", *, minute: int = 0, **more: object) -> bytes:
    return make_eml(subject, "kim@example.com", "lee@example.com", SENT + timedelta(minutes=minute), text, **more)  # type: ignore[arg-type]


def numbered(subject: str, identity: str) -> bytes:
    return f"Message-ID: <{identity}>\r\n".encode() + mail(subject)


def read(data: bytes, limits: Limits | None = None) -> Parsed:
    return parsers.parse(io.BytesIO(data), "보관.mbox", limits or Limits())


def names(data: bytes) -> list[str]:
    return [attachment.name for attachment in read(data).attachments]


def messages(data: bytes) -> list[bytes]:
    return [attachment.data for attachment in read(data).attachments]


def test_each_message_is_named_by_its_own_date_and_subject() -> None:
    data = folder(
        mail("결제 장애 보고"), mail("회의록: 1/4분기", minute=5), b"Subject: Date\r\n\r\nx", b"To: a\r\n\r\nx"
    )
    assert names(data) == [
        "2026-03-02 0015 결제 장애 보고.eml",
        "2026-03-02 0020 회의록_ 1_4분기.eml",
        "Date.eml",
        "제목 없음.eml",
    ]


def test_the_date_is_read_as_its_sender_s_clock_showed_it() -> None:
    assert names(folder(b"Date: Mon, 02 Mar 2026 09:15:00 +0900\r\nSubject: a\r\n\r\nx")) == ["2026-03-02 0915 a.eml"]


def test_added_and_deleted_messages_rename_no_other() -> None:
    one, two, three = numbered("알림", "1@x"), numbered("알림", "2@x"), numbered("다른 일", "3@x")
    before = names(folder(one, two, three))
    assert len(set(before)) == 3
    assert names(folder(one, two, three, mail("새 글")))[:3] == before
    assert names(folder(one, two)) == before[:2]
    assert names(folder(one, three, two)) == [before[0], before[2], before[1]]
    alike = [mail("알림", f"본문 {number}") for number in range(3)]
    assert names(folder(*alike))[::2] == names(folder(alike[0], alike[2]))


@pytest.mark.parametrize(
    "divider",
    [
        b"From - Mon Mar 02 09:15:00 2026\n",
        b"From 1790000000000000000@xxx Mon Mar 02 00:15:00 +0000 2026\n",
        b"From kim@example.com Mon Mar  2 09:15:00 KST 2026\n",
        b'From "Kim Damdang" Mon Mar  2 09:15 2026\r\n',
        b"From MAILER-DAEMON Mon, 02 Mar 2026 09:15:00 +0900\n",
    ],
)
def test_every_usual_divider_is_known(divider: bytes) -> None:
    data = folder(mail("하나"), mail("둘"), divider=divider)
    assert len(messages(data)) == 2


def test_names_fit_a_file_system_with_their_marks() -> None:
    long = [numbered("가" * 200, f"{number}@x") for number in range(2)]
    assert max(len(f"{name}.md".encode()) for name in names(folder(*long))) <= 255


def test_a_line_of_the_text_is_no_divider() -> None:
    text = "이어서\r\nFrom kim@example.com Mon Mar  2 09:15:00 2026\r\nSubject: x\r\n\r\nFrom here on we go.\r\n\r\n"
    quoted = text + "From kim@example.com Mon Mar  2 09:15:00 2026\r\n앞에서 인용한 줄"
    assert len(messages(folder(b"Subject: a\r\n\r\n" + quoted.encode()))) == 1


def test_quoted_from_lines_lose_their_mark_once() -> None:
    data = folder(b"Subject: a\r\nContent-Length: 3\r\n\r\n>From here\r\n>>From there\r\n> From: kim")
    assert messages(data) == [b"Subject: a\r\nContent-Length: 3\r\n\r\nFrom here\r\n>From there\r\n> From: kim\r\n"]


def test_line_ends_of_either_kind_and_a_cut_end_are_read() -> None:
    data = folder(mail("하나"), mail("둘"))
    assert names(data.replace(b"\r\n", b"\n")) == names(data)
    assert names(data[:-40]) == names(data)


def test_a_message_over_the_stream_limit_is_left_out_and_said() -> None:
    parsed = read(folder(mail("큰 글", "가" * 500_000), mail("작은 글")), Limits(stream_mb=1))
    assert [attachment.name for attachment in parsed.attachments] == ["2026-03-02 0015 작은 글.eml"]
    assert parsed.warnings == ("messages over the limit for one stream: 1",)
    with pytest.raises(TooLarge):
        read(folder(mail("큰 글", "가" * 500_000)), Limits(file_mb=0))


def test_deleted_and_repeated_messages_are_left_out_and_said() -> None:
    deleted = b"X-Mozilla-Status: 0009\r\n" + mail("지운 글")
    binned = b"X-Gmail-Labels: =?UTF-8?Q?=ED=9C=B4=EC=A7=80=ED=86=B5?=,Opened\r\n" + mail("버린 글")
    parsed = read(folder(deleted, binned, mail("남은 글"), mail("남은 글")))
    assert [attachment.name for attachment in parsed.attachments] == ["2026-03-02 0015 남은 글.eml"]
    assert parsed.warnings == (
        "messages that were deleted or are spam: 2",
        "messages that stand in the folder twice: 1",
    )
    with pytest.raises(Empty):
        read(folder(deleted))


def test_a_folder_is_known_by_its_bytes_and_a_single_mail_by_its_name() -> None:
    data = folder("Subject: 결제".encode("cp949") + b"\r\n\r\n" + "승인".encode())
    assert parsers.detect(io.BytesIO(data), "보낸편지함") == "mbox"
    assert parsers.detect(io.BytesIO(data.replace("결제".encode("cp949"), b"x")), "메일.eml") == "eml"
    assert parsers.detect(io.BytesIO("From 3월 on we go".encode()), "글.txt") == "txt"


def test_dividing_takes_no_more_than_one_pass() -> None:
    assert list(mbox.divide(io.BytesIO(DIVIDER + b"\r\n" * 300_000), 1 << 20)) == []
    [data] = mbox.divide(io.BytesIO(DIVIDER + b"Subject: a\n" + b"From " * 3_000_000), 1 << 30)
    assert data is not None and len(data) > 15_000_000


# A folder through whole nights

FOLDER = "메일/보관.mbox"
ORDER = f"{FOLDER}!/2026-03-02 0015 발주.eml"
TERMS = f"{FOLDER}!/2026-03-02 0020 약관.eml"
SHEET = f"{ORDER}!/견적서.xlsx"


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    return Team(tmp_path, {"메일": ""})


def letters() -> list[bytes]:
    sheet = make_xlsx({"견적": [["품목", "금액"], ["단말기", 1250000]]})
    order = make_eml(
        "발주",
        "kim@example.com",
        "lee@example.com",
        SENT,
        "\n\n".join(prose("order")),
        attachments=[("견적서.xlsx", sheet)],
    )
    return [order, mail("약관", "\n\n".join(prose("terms")), minute=5)]


def test_search_finds_the_words_of_each_mail_and_of_what_it_carried(team: Team) -> None:
    team.write(FOLDER, folder(*letters()))
    run = team.night()
    served = team.served()
    assert set(served) == {ORDER, TERMS, SHEET} and not run.failures
    assert prose("terms")[0][:40] in " ".join(served[TERMS]) and "단말기" in served[SHEET][0]
    assert team.states() == dict.fromkeys((FOLDER, ORDER, SHEET, TERMS), "live")
    assert team.night().opened_files == 0


def test_an_added_mail_costs_itself(team: Team) -> None:
    team.write(FOLDER, folder(*letters()))
    team.night()
    before = team.served()
    team.encoder.embedded.clear()
    team.write(FOLDER, folder(*letters(), mail("정산", "\n\n".join(prose("new")), minute=9)))
    run = team.night()
    added = f"{FOLDER}!/2026-03-02 0024 정산.eml"
    assert team.served() == {**before, added: team.served()[added]}
    assert run.opened_files == 1 and len(team.encoder.embedded) == len(team.served()[added])


def test_a_deleted_mail_takes_along_only_what_it_carried(team: Team) -> None:
    team.write(FOLDER, folder(*letters()))
    team.night()
    team.write(FOLDER, folder(letters()[1]))
    run = team.night()
    assert set(team.served()) == {TERMS} == set(team.mirrored()) - {FOLDER} and run.embedded == 0


def test_a_damaged_mail_is_named_and_holds_up_no_other(team: Team) -> None:
    bomb = b"Subject: bomb\r\n" + b"Content-Type: message/rfc822\n\n" * 3000
    team.write(FOLDER, folder(bomb, *letters()))
    run = team.night()
    assert [(failure["path"], failure["category"]) for failure in run.failures] == [("보관.mbox!/bomb.eml", "damaged")]
    assert set(team.served()) == {ORDER, TERMS, SHEET}
