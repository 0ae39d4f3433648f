"""Nights and their mails: each piece of news is told once to each who should hear it, and nothing else is."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import getaddresses
from pathlib import Path
from typing import Any

import pytest
from team import Team, prose

from assets.stages.mail import tell_failure, tell_missing
from resources.asking import accept_answer
from resources.build import Options
from resources.ledger import canaries, decisions

# The first night of ten, each a day later; all before any weekly digest but the one of the eighth.
FIRST = datetime(2027, 3, 1, 17, tzinfo=UTC)
OWNERS = {"개발": 'owner = "dev@example.com"', "정책": 'owner = "hr@example.com"'}
BROKEN = b"PK\x03\x04 no document"


@dataclass(frozen=True)
class Letter:
    night: int
    kind: str
    to: tuple[str, ...]
    subject: str
    lines: tuple[str, ...]


class Nights:
    """A team whose nights are a day apart."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.next = 0

    def sleep(self, count: int = 1, options: Options | None = None) -> None:
        for _ in range(count):
            self.team.night(options, now=FIRST + timedelta(days=self.next))
            self.next += 1

    def letters(self, *kinds: str) -> list[Letter]:
        rows = self.team.ask("select kind, mime, created_at from mails order by created_at, mail_id")
        found = []
        for row in rows:
            message = email.message_from_bytes(row["mime"], policy=email.policy.default)
            part = message.get_body(("plain",))
            assert part is not None
            said = re.findall(r"(?m)^- (.*(?:\n {4}.*)*)", part.get_content())  # with its commands below
            lines = tuple(" ".join(line.split()) for line in said)
            to = tuple(sorted(address for _, address in getaddresses([str(message["To"] or "")])))
            night = (row["created_at"] - FIRST).days
            found.append(Letter(night, row["kind"], to, str(message["Subject"]), lines))
        return [letter for letter in found if not kinds or letter.kind in kinds]

    def told(self, word: str) -> list[tuple[int, tuple[str, ...]]]:
        """Return (night, addressees) of every mail with a line that holds `word`."""
        return [(letter.night, letter.to) for letter in self.letters() for line in letter.lines if word in line]

    def alert(self, kind: str) -> dict[str, Any]:
        (row,) = self.team.ask(f"select * from alerts where kind = '{kind}'")
        return row


def nights(home: Path, rest: str = "", sources: dict[str, str] | None = None) -> Nights:
    team = Team(home)
    team.settings(sources or {"개발": "", "정책": ""}, rest)
    text = (home / "saero.toml").read_text(encoding="utf-8")
    for name, owner in {"개발": "dev@example.com", "정책": "hr@example.com"}.items():
        head, found, tail = text.partition(f'[sources."{name}"]\nowner = "pm@example.com"')
        text = f'{head}[sources."{name}"]\nowner = "{owner}"{tail}' if found else text
    (home / "saero.toml").write_text(text, encoding="utf-8")
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    return Nights(team)


def test_the_first_night_sends_one_summary_to_everyone(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[mail]\nrecipients = ["lead@example.com"]\n')
    ten.team.write("개발/깨짐.docx", BROKEN)
    ten.sleep(3)
    (first,) = ten.letters()
    assert (first.night, first.kind) == (0, "first")
    assert first.to == ("dev@example.com", "hr@example.com", "lead@example.com")
    assert first.subject == "[새로] 첫 점검: 문서 3개 (3월 2일)"
    assert first.lines == ("검색에서 빠진 파일: 1",)


def test_a_quiet_corpus_sends_nothing_after_the_summary(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.sleep(9)
    assert [letter.kind for letter in ten.letters()] == ["first"]


def busy(ten: Nights) -> None:
    """Ten nights in which files break and are mended, versions come and go, and a folder is away for a night."""
    team = ten.team
    old = prose("proposal", 8)
    ten.sleep()  # 0
    team.write("개발/깨짐.docx", BROKEN)
    team.write("개발/기획서_v1.md", old)
    team.write("개발/기획서_v2.md", [*old[:-1], *prose("second", 1)])
    ten.sleep()  # 1
    team.write("정책/잠깐.docx", BROKEN)
    ten.sleep()  # 2
    team.file("정책/잠깐.docx").unlink()
    team.file("개발/기획서_v2.md").unlink()
    ten.sleep()  # 3
    folder = team.file("정책")
    folder.rename(folder.with_name("away"))
    ten.sleep()  # 4
    folder.with_name("away").rename(folder)
    ten.sleep(4)  # 5 to 8
    team.file("개발/깨짐.docx").unlink()
    ten.sleep(7)  # 9 to 15


@pytest.mark.parametrize("rhythm", ["weekly", "nightly"])
def test_each_piece_of_news_is_told_once(tmp_path: Path, rhythm: str) -> None:
    ten = nights(tmp_path, f'[mail]\ndigest = "{rhythm}"\nrecipients = ["Lead <lead@example.com>"]\n')
    busy(ten)
    weekly = rhythm == "weekly"
    lead, dev, hr = ("lead@example.com",), ("dev@example.com",), ("hr@example.com",)

    def at(night: int, *whom: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
        return [(night, to) for to in sorted(whom)]

    broken = sorted(ten.told("검색에서 빠진 파일: 개발/깨짐.docx"))
    assert broken == at(7 if weekly else 1, lead, dev) + at(14 if weekly else 9, lead, dev)
    assert ten.told("[해결됨] 검색에서 빠진 파일: 개발/깨짐.docx")
    assert sorted(ten.told("잠깐.docx")) == ([] if weekly else at(2, lead, hr) + at(3, lead, hr))
    assert sorted(ten.told("이전 버전이 돌아옴")) == at(7 if weekly else 3, lead, dev)
    assert sorted(ten.told("문서 폴더에 접근할 수 없음: 정책")) == at(4, lead, hr) + at(5, lead, hr)
    assert {letter.kind for letter in ten.letters() if letter.night in (4, 5)} == {"urgent"}
    assert all(letter.lines for letter in ten.letters("urgent", "digest"))
    everything = Counter((letter.to, line) for letter in ten.letters() for line in letter.lines)
    assert set(everything.values()) == {1}


def test_what_was_resolved_between_two_digests_is_told_by_the_next(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.team.write("개발/깨짐.docx", BROKEN)
    ten.sleep(2)
    ten.team.file("개발/깨짐.docx").unlink()
    ten.sleep(8)
    assert ten.told("[해결됨] 검색에서 빠진 파일") == [(7, ("dev@example.com",))]


def mute(ten: Nights, kind: str, until: int) -> None:
    with ten.team.saero().ledger.transaction("mute") as con:
        value = {"until": (FIRST + timedelta(days=until, hours=-1)).isoformat()}
        decisions.add(con, decision_id=kind, kind="mute", subject=kind, value=value, now=FIRST)


def test_what_was_muted_is_told_when_the_silence_ends(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[mail]\ndigest = "nightly"\n')
    ten.team.write("개발/깨짐.docx", BROKEN)
    ten.sleep()
    mute(ten, "unsearched", 5)
    ten.team.write("개발/둘.docx", BROKEN)
    ten.team.file("개발/깨짐.docx").unlink()
    ten.sleep(4)
    assert [letter.kind for letter in ten.letters()] == ["first"]
    ten.sleep(2)
    assert ten.told("둘.docx") == [(5, ("dev@example.com",))] == ten.told("[해결됨] 검색에서 빠진 파일")


def test_a_count_that_creeps_up_is_told_when_it_has_doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ten = nights(tmp_path, sources={"개발": "", "정책": ""})
    ten.sleep()
    rows: list[int] = []
    from pipelines.records import Finding

    def held(run: Any) -> list[Finding]:
        return [
            Finding("deletions_held", "개발", detail={"documents": rows[-1], "reason": "mass_deletion", "nights": 1})
        ]

    monkeypatch.setattr("assets.stages.gap._of_run", held)
    for count in (20, 30, 50, 90, 150):
        rows.append(count)
        ten.sleep()
    said = [line for letter in ten.letters("urgent") for line in letter.lines]
    assert [re.findall(r"문서 (\d+)개", line)[0] for line in said] == ["20", "50", "150"]


# Who hears


def test_an_owner_who_is_a_recipient_hears_once_and_owners_hear_of_their_own_only(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[mail]\ndigest = "nightly"\nrecipients = ["개발팀 <DEV@example.com>"]\n')
    ten.sleep()
    ten.team.write("개발/깨짐.docx", BROKEN)
    ten.team.write("정책/깨짐.docx", BROKEN)
    ten.sleep(2)
    assert ten.told("개발/깨짐.docx") == [(1, ("DEV@example.com",))]
    assert sorted(ten.told("정책/깨짐.docx")) == [(1, ("DEV@example.com",)), (1, ("hr@example.com",))]


def test_an_owner_never_reads_the_names_of_another_s_files(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[mail]\ndigest = "nightly"\n')
    text = (tmp_path / "saero.toml").read_text(encoding="utf-8").replace('owner = "hr@example.com"\n', "")
    (tmp_path / "saero.toml").write_text(text, encoding="utf-8")
    ten.sleep()
    ten.team.write("정책/깨짐.docx", BROKEN)
    ten.sleep()
    assert ten.told("정책/깨짐.docx") == [(1, ())]
    assert len(list((tmp_path / "state" / "outbox").glob("*.eml"))) == 2


# Canaries

QUESTION = """
[[canaries]]
query = "연차 이월 한도"
owner = "hr@example.com"
"""
ANSWER = ["한도 안내: 연차 이월은 다음 해로 5일까지 된다."]


@pytest.fixture
def asked(tmp_path: Path) -> Nights:
    ten = nights(tmp_path, QUESTION)
    ten.sleep()
    ten.team.write("정책/연차.md", ANSWER)
    return ten


def test_a_pin_waits_for_the_digest_and_its_end_is_no_news(asked: Nights) -> None:
    asked.sleep(3)
    row = asked.alert("canary_new")
    assert (row["state"], row["news"]) == ("open", "open")
    asked.sleep(7)
    (letter,) = asked.letters("digest")
    key = canaries.canary_id("연차 이월 한도")
    assert letter.night == 7 and f"saero canaries accept {key}" in letter.lines[0]
    assert [row["state"] for row in asked.team.ask("select state from alerts")] == ["resolved"]
    asked.sleep(8)
    assert len(asked.letters("digest")) == 1


def test_a_pin_that_a_person_accepts_is_told_no_more(asked: Nights) -> None:
    asked.sleep(2)
    accept_answer(asked.team.saero(), canaries.canary_id("연차 이월 한도"), FIRST)
    asked.sleep(8)
    (letter,) = asked.letters("digest")
    assert letter.lines == ('[해결됨] 답이 없는 질문: "연차 이월 한도", 정책/연차.md',)


def test_a_canary_that_is_lost_a_second_time_is_mailed_again(asked: Nights) -> None:
    asked.sleep(2)
    here, there = asked.team.file("정책/연차.md"), asked.team.file("개발/연차.md")
    for step in range(3):
        here.unlink(missing_ok=True)
        asked.team.write("개발/기타.md", prose(f"other {step}"))
        asked.sleep()
        asked.team.write("개발/연차.md", ANSWER)
        asked.sleep()
        there.unlink()
    lost = asked.told("점검 질문의 답이 검색에서 사라짐")
    assert [night for night, _ in lost if night in (3, 5, 7)] == [3, 5, 7]


def test_canaries_that_could_not_be_asked_are_not_resolved(asked: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    asked.sleep(2)
    asked.team.file("정책/연차.md").unlink()
    asked.team.write("정책/다른.md", prose("other"))
    asked.sleep()
    monkeypatch.setattr("assets.stages.gap._answers", lambda run: None)
    asked.sleep()
    assert asked.alert("canary_lost")["state"] != "resolved"
    assert len(asked.letters("urgent")) == 1


# Runs


def test_a_failed_run_is_an_alert_until_a_good_one(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.sleep()
    for run_id in ("a", "a", "b"):
        tell_failure(ten.team.saero(), run_id=run_id, stage="embed")
    row = ten.alert("run_failed")
    assert (row["state"], row["severity"], json.loads(row["evidence"])) == (
        "open", "urgent", {"run_id": "b", "stage": "embed"},
    )  # fmt: skip
    assert len(ten.letters("urgent")) == 2
    ten.sleep()
    assert ten.alert("run_failed")["state"] == "resolved"
    assert ten.letters("urgent")[-1].lines == ("[해결됨] 새로 고침 실패",)


def test_a_muted_failure_leaves_its_row_and_no_mail(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.sleep()
    mute(ten, "run_failed", 999)
    tell_failure(ten.team.saero(), run_id="a", stage="embed")
    assert ten.alert("run_failed")["state"] == "open" and not ten.letters("urgent")
    ten.sleep()
    assert ten.alert("run_failed")["state"] == "resolved" and not ten.letters("urgent")


def scheduled(ten: Nights, ended: datetime, job: str = "nightly") -> None:
    """Let the last run be one that `job` launched and that ended then."""
    with ten.team.saero().ledger.transaction("test") as con:
        con.execute("update runs set job = ?, ended_at = ?", [job, ended])


def hours_after(night: int, hours: int) -> datetime:
    return FIRST + timedelta(days=night, hours=hours)


def test_a_missing_night_is_told_once_by_the_sensor_and_resolved_by_the_next_run(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.sleep()
    scheduled(ten, hours_after(0, 1))
    assert not tell_missing(ten.team.saero(), hours_after(0, 26))
    for hour in range(28, 33):
        assert tell_missing(ten.team.saero(), hours_after(0, hour))
    assert [letter.lines for letter in ten.letters("urgent")] == [
        ("새로 고침이 실행되지 않음 (27시간째) saero status",)
    ]
    ten.next = 2
    ten.sleep()
    assert ten.letters("urgent")[-1].lines == ("[해결됨] 새로 고침이 실행되지 않음",)
    scheduled(ten, hours_after(2, 1))
    assert tell_missing(ten.team.saero(), hours_after(4, 0))
    assert [letter.lines for letter in ten.letters("urgent")[3:]] == [
        ("새로 고침이 실행되지 않음 (47시간째) saero status",)
    ]


def test_a_missing_night_that_no_sensor_saw_is_told_by_the_next_run(tmp_path: Path) -> None:
    ten = nights(tmp_path)
    ten.sleep()
    scheduled(ten, hours_after(0, 1))
    ten.next = 3
    ten.sleep()
    assert {letter.to for letter in ten.letters("urgent")} == {("dev@example.com",), ("hr@example.com",)}
    said = {letter.lines for letter in ten.letters("urgent")}
    assert said == {("새로 고침이 실행되지 않음 (71시간째) saero status",)}
    scheduled(ten, hours_after(3, 1))
    ten.sleep()
    assert ten.alert("run_missing")["state"] == "resolved" and len(ten.letters("urgent")) == 2


@pytest.mark.parametrize("job", ["nightly_refresh", "test"])
def test_whoever_refreshes_by_hand_misses_no_night(tmp_path: Path, job: str) -> None:
    ten = nights(tmp_path)
    ten.sleep()
    scheduled(ten, hours_after(0, 1), job)
    assert not tell_missing(ten.team.saero(), hours_after(9, 0))
    ten.next = 9
    ten.sleep()
    assert not ten.letters("urgent")


def test_a_schedule_that_rests_at_weekends_misses_nothing_there(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[schedule]\ncron = "0 2 * * 2-6"\n')
    ten.sleep()
    friday = datetime(2027, 3, 5, 17, 30, tzinfo=UTC)  # Saturday morning in Seoul, the last call of the week
    scheduled(ten, friday)
    assert not tell_missing(ten.team.saero(), friday + timedelta(days=2))
    assert tell_missing(ten.team.saero(), friday + timedelta(days=3, hours=3))


# Renames


def test_a_renamed_source_is_not_told_anew(tmp_path: Path) -> None:
    ten = nights(tmp_path, '[mail]\ndigest = "nightly"\n')
    ten.team.write("정책/깨짐.docx", BROKEN)
    ten.sleep(2)
    ten.team.settings({"개발": "", "규정": 'path = "docs/정책"\nwas = ["정책"]'}, '[mail]\ndigest = "nightly"\n')
    ten.sleep(2)
    assert [letter.kind for letter in ten.letters()] == ["first"]
    row = ten.alert("unsearched")
    assert (row["source"], row["state"]) == ("규정", "open")


def test_no_text_of_a_document_reaches_a_mail_or_an_alert(tmp_path: Path) -> None:
    ten = nights(tmp_path, QUESTION + '[mail]\ndigest = "nightly"\n')
    secret: Callable[[str], list[str]] = lambda word: [f"{word} 비밀번호는 hunter2 이다. " * 6]  # noqa: E731
    ten.sleep()
    ten.team.write("정책/연차.md", [*ANSWER, *secret("연차 이월 한도")])
    ten.team.write("개발/기획서_v1.md", secret("기획"))
    ten.team.write("개발/기획서_v2.md", [*secret("기획"), "둘째 판"])
    ten.sleep(2)
    ten.team.file("정책/연차.md").write_text("\ufffd" * 50 + " hunter2", encoding="utf-8")
    ten.team.file("개발/기획서_v2.md").unlink()
    ten.sleep(2)
    assert len(ten.letters()) >= 3
    raw = ten.team.ask("select cast(evidence as varchar) as said from alerts")
    assert not any("hunter2" in row["said"] for row in raw)
    assert not any("hunter2" in line for letter in ten.letters() for line in letter.lines)
