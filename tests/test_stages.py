"""Nights: what the stages make of folders that change, and what they leave alone."""

from __future__ import annotations

import itertools
import pkgutil
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hwpx_writer import write_hwpx
from office_makers import make_docx
from sheet_makers import make_eml
from team import Team, markdown, prose

from pipelines.records import Block
from resources.build import Options
from resources.ledger import decisions

DAY = timedelta(days=1)
WHEN = datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def mail(text: str, *attachments: tuple[str, bytes]) -> bytes:
    return make_eml("견적", "lee@example.com", "kim@example.com", WHEN, text, attachments=attachments)


def text_of(paragraphs: list[str]) -> bytes:
    return "\n\n".join(paragraphs).encode("utf-8")


# A quiet night, edits, renames


def test_the_first_night_serves_every_document_and_the_second_does_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    first = team.night()
    assert first.published and first.embedded == len(team.rows()) > 2
    assert set(team.served()) == {"개발/API.md", "정책/보안.md"} == team.mirrored()
    version = team.saero().reader().record.version
    second = team.night()
    assert second.published and (second.embedded, second.opened_files) == (0, 0)
    assert second.counts["chunks"] == {"added": 0, "removed": 0, "kept": first.embedded}
    assert team.saero().reader().record.version == version


def test_an_empty_folder_is_no_failure(team: Team) -> None:
    run = team.night()
    assert run.held is None and not run.failures and team.night().failed_stage is None


def test_one_edited_paragraph_embeds_two_passages_at_most(team: Team) -> None:
    paragraphs = prose("plan", 20)
    team.write("개발/계획.md", paragraphs)
    team.night()
    paragraphs[9] = paragraphs[9].replace(".", " 그리고 바뀐 값 30초.")
    team.write("개발/계획.md", paragraphs)
    assert 1 <= team.night().embedded <= 2
    assert "바뀐 값 30초" in team.words() and len(team.rows()) >= 15


def test_rename_move_and_copy_embed_nothing_and_a_deletion_leaves_the_same_night(team: Team) -> None:
    for name in ("a", "b", "c", "d"):
        team.write(f"개발/{name}.md", prose(name))
    team.night()
    team.file("개발/a.md").rename(team.file("개발/새 이름.md"))
    team.file("개발/b.md").rename(team.file("정책/b.md"))
    shutil.copy2(team.file("개발/c.md"), team.file("정책/c.md"))
    team.file("개발/d.md").unlink()
    run = team.night()
    assert run.embedded == 0 and run.counts["documents"]["renamed"] == 2
    assert set(team.served()) == {"개발/새 이름.md", "정책/b.md", "개발/c.md"}
    assert team.also_in("개발/c.md") == ["정책/c.md"]
    assert team.mirrored() == {"개발/새 이름.md", "정책/b.md", "개발/c.md", "정책/c.md"}


def test_a_moved_document_keeps_the_date_it_was_first_seen(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    team.write("개발/b.md", prose("b"))
    team.night()
    before = team.ask("select first_run, first_seen from documents where path = 'a.md'")
    team.file("개발/a.md").rename(team.file("정책/z.md"))
    team.night()
    assert team.ask("select first_run, first_seen from documents where path = 'z.md'") == before


def test_decomposed_names_are_the_same_documents(team: Team) -> None:
    path = team.write("개발/회의록.md", prose("minutes"))
    team.night()
    path.rename(path.with_name(unicodedata.normalize("NFD", path.name)))
    assert team.night().embedded == 0
    assert set(team.served()) == {"개발/회의록.md"} == set(team.states())


# Equal bodies


def test_one_text_in_three_formats_is_one_body(team: Team) -> None:
    paragraphs = prose("rules")
    blocks = [Block("heading", "휴가 규정", level=1), *(Block("paragraph", text) for text in paragraphs)]
    team.write("정책/휴가.md", markdown(paragraphs, "휴가 규정"))
    team.night()
    team.write("개발/휴가.docx", make_docx(blocks))
    team.write("정책/휴가.hwpx", write_hwpx(blocks, title="휴가", author="김", modified=WHEN))
    run = team.night()
    assert run.embedded == 0 and run.counts["documents"]["duplicate"] == 2
    assert set(team.served()) == {"정책/휴가.md"}
    assert sorted(team.also_in("정책/휴가.md")) == ["개발/휴가.docx", "정책/휴가.hwpx"]


def test_when_the_representative_goes_the_next_serves_and_nothing_is_embedded(team: Team) -> None:
    first = team.write("개발/원본.md", prose("same"))
    team.write("개발/other.md", prose("other"))
    team.night()
    shutil.copy2(first, team.file("정책/사본.md"))
    team.night()
    assert team.states()["정책/사본.md"] == "duplicate"
    texts = team.served()["개발/원본.md"]
    first.unlink()
    assert team.night().embedded == 0
    assert team.served()["정책/사본.md"] == texts and team.also_in("정책/사본.md") == []
    assert set(team.served()) == {"정책/사본.md", "개발/other.md"}


# Versions


def versions(team: Team) -> None:
    old = prose("proposal", 8)
    team.write("개발/기획서_v1.md", old)
    team.write("개발/기획서_v2.md", [*old[:-1], *prose("second", 1)])
    team.night()


def test_a_newer_version_replaces_the_older_until_it_is_gone(team: Team) -> None:
    versions(team)
    assert set(team.served()) == {"개발/기획서_v2.md"}
    assert {row["path"] for row in team.rows("retired")} == {"기획서_v1.md"}
    team.file("개발/기획서_v2.md").unlink()
    run = team.night()
    assert run.embedded == 0 and set(team.served()) == {"개발/기획서_v1.md"} and not team.rows("retired")
    assert ("version_returned", "개발/기획서_v1.md") in team.findings()


def test_versions_are_only_listed_where_the_source_says_so(team: Team) -> None:
    team.settings({"개발": 'versions = "list"', "정책": ""})
    versions(team)
    assert set(team.served()) == {"개발/기획서_v1.md", "개발/기획서_v2.md"}
    assert ("version_doubt", "개발/기획서_v1.md") in team.findings()


def test_a_demoted_version_stays_searchable_and_names_its_successor(team: Team) -> None:
    team.settings({"개발": 'versions = "demote"', "정책": ""})
    versions(team)
    assert set(team.served()) == {"개발/기획서_v1.md", "개발/기획서_v2.md"}
    flags = {row["path"]: row["flags"] for row in team.rows()}
    assert "demoted" in flags["기획서_v1.md"] and "기획서_v2.md" in flags["기획서_v1.md"]
    assert flags["기획서_v2.md"] == "[]"


# Time


def test_a_document_leaves_when_its_time_is_up_and_returns_when_it_is_renewed(team: Team) -> None:
    team.write("개발/공지.md", "---\nexpires_at: 2027-01-31\n---\n\n" + markdown(prose("notice")))
    team.write("개발/API.md", prose("api"))
    team.night(now=datetime(2027, 1, 31, 12, tzinfo=UTC))
    assert "개발/공지.md" in team.served()
    team.night(now=datetime(2027, 2, 1, 12, tzinfo=UTC))
    assert set(team.served()) == {"개발/API.md"} and team.states()["개발/공지.md"] == "expired"
    body = team.ask("select body_hash from documents where path = '공지.md'")[0]["body_hash"]
    with team.saero().ledger.transaction("renew") as con:
        until = {"until": "2027-06-01T00:00:00+00:00"}
        decisions.add(con, decision_id="1", kind="renew", subject=body, value=until, now=WHEN)
    run = team.night(now=datetime(2027, 2, 2, 12, tzinfo=UTC))
    assert run.embedded == 0 and "개발/공지.md" in team.served()


def test_a_rule_of_the_source_ends_duty_rosters_after_two_weeks(team: Team) -> None:
    team.settings({"개발": 'ttl = [{ match = "당번/**", after = "P14D" }]', "정책": ""})
    team.write("개발/당번/11월.md", "---\ndate: 2026-11-02\n---\n\n" + markdown(prose("roster")))
    team.write("개발/API.md", prose("api"))
    team.night(now=datetime(2026, 11, 15, tzinfo=UTC))
    assert len(team.served()) == 2
    team.night(now=datetime(2026, 11, 18, tzinfo=UTC))
    assert set(team.served()) == {"개발/API.md"}


# What must not be lost


@pytest.mark.parametrize("size", [0, 900])
def test_a_damaged_file_keeps_its_last_good_version_flagged(team: Team, size: int) -> None:
    paragraphs = prose("word")
    whole = make_docx([Block("paragraph", text) for text in paragraphs])
    path = team.write("개발/보고.docx", whole)
    team.night()
    path.write_bytes(whole[:size])
    run = team.night()
    assert [failure["path"] for failure in run.failures] == ["보고.docx"] and run.embedded == 0
    assert team.states() == {"개발/보고.docx": "failed"} and "stale_parse" in team.rows()[0]["flags"]
    assert ("stale_parse", "개발/보고.docx") in team.findings() and paragraphs[0][:20] in team.words()
    assert paragraphs[0][:20] in (team.saero().mirror.read("개발", "보고.docx") or "")
    path.write_bytes(whole)
    run = team.night()
    assert not run.failures and team.rows()[0]["flags"] == "[]" and team.states() == {"개발/보고.docx": "live"}


def test_an_unreachable_folder_is_held_and_still_served(team: Team) -> None:
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    team.night()
    folder = team.file("정책")
    folder.rename(folder.with_name("away"))
    run = team.night()
    assert run.memory["unreachable"] == ["정책"] and team.states()["정책/보안.md"] == "held"
    assert "정책/보안.md" in team.served() and ("source_unreachable", "정책") in team.findings()
    assert "urgent" in team.mails()
    folder.with_name("away").rename(folder)
    run = team.night()
    assert run.embedded == 0 and set(team.states().values()) == {"live"}
    assert ("source_unreachable", "정책") not in team.findings()


def test_a_mass_deletion_waits_until_a_person_accepts_it(team: Team) -> None:
    for number in range(30):
        team.write(f"개발/{number}.md", prose(str(number), 1))
    team.night()
    for number in range(25):
        team.file(f"개발/{number}.md").unlink()
    team.night()
    assert len(team.served()) == 30 and list(team.states().values()).count("held") == 25
    assert ("deletions_held", "개발") in team.findings()
    run = team.night(Options(accept_deletions=("개발",)))
    assert run.embedded == 0 and len(team.served()) == 5 == len(team.mirrored())
    assert ("deletions_held", "개발") not in team.findings()


def test_a_source_that_left_the_settings_is_held_until_it_is_forgotten(team: Team) -> None:
    team.write("개발/API.md", prose("api"))
    team.write("정책/보안.md", prose("security"))
    team.night()
    team.settings({"개발": ""})
    team.night()
    assert team.states()["정책/보안.md"] == "held" and "정책/보안.md" in team.served()
    assert ("source_unconfigured", "정책") in team.findings()
    team.night(Options(forget=("정책",)))
    assert set(team.served()) == {"개발/API.md"} == set(team.states()) == team.mirrored()
    assert ("source_unconfigured", "정책") not in team.findings()


def test_a_renamed_source_keeps_its_documents(team: Team) -> None:
    team.write("정책/보안.md", prose("security"))
    team.night()
    team.settings({"개발": "", "규정": 'path = "docs/정책"\nwas = ["정책"]'})
    run = team.night()
    assert run.embedded == 0 and run.counts["documents"]["new"] == 0
    assert set(team.served()) == {"규정/보안.md"} == team.mirrored()


# Mails


def test_attachments_follow_their_mail(team: Team) -> None:
    offer, terms = prose("offer"), prose("terms")
    path = team.write(
        "개발/주문.eml", mail("견적을 보냅니다 " * 10, ("견적.txt", text_of(offer)), ("약관.txt", text_of(terms)))
    )
    team.write("개발/API.md", prose("api"))
    team.night()
    assert {"개발/주문.eml", "개발/주문.eml!/견적.txt", "개발/주문.eml!/약관.txt"} < set(team.served())
    path.write_bytes(mail("견적을 고쳤습니다 " * 10, ("견적.txt", text_of([*offer, "값은 90만원"]))))
    team.night()
    assert "개발/주문.eml!/약관.txt" not in team.states() and terms[0] not in team.words()
    assert "값은 90만원" in team.words() and team.mirrored() == set(team.served())
    path.rename(team.file("정책/주문.eml"))
    assert team.night().embedded == 0
    moved = {"정책/주문.eml", "정책/주문.eml!/견적.txt"}
    assert set(team.served()) == {"개발/API.md", *moved} == team.mirrored()
    team.write("정책/보안.md", prose("security"))
    team.file("정책/주문.eml").unlink()
    team.night()
    assert set(team.served()) == {"개발/API.md", "정책/보안.md"} == team.mirrored()


# The index


@pytest.mark.parametrize("gone", ["everything", "the tables", "the live table", "the publication"])
def test_a_wiped_index_refills_and_embeds_nothing(team: Team, gone: str) -> None:
    versions(team)
    team.write("정책/보안.md", prose("security"))
    team.night()
    before = team.served()
    folder = team.home / "state" / "index"
    if gone == "everything":
        shutil.rmtree(folder)
    elif gone == "the publication":
        (folder / "published.json").write_text("{", encoding="utf-8")
    else:
        for table in folder.glob("*.lance" if gone == "the tables" else "chunks-*.lance"):
            shutil.rmtree(table)
    run = team.night()
    assert run.published and run.embedded == 0 and team.served() == before
    assert {row["path"] for row in team.rows("retired")} == {"기획서_v1.md"}
    team.write("정책/보안.md", prose("changed"))
    team.night()
    team.saero().index.rollback()
    assert team.served() == before


def test_rollback_serves_the_version_before_and_the_next_night_the_new_one(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    team.night()
    team.write("개발/b.md", prose("b"))
    team.night()
    team.saero().index.rollback()
    assert set(team.served()) == {"개발/a.md"}
    run = team.night()
    assert run.embedded == 0 and set(team.served()) == {"개발/a.md", "개발/b.md"}


def test_another_encoder_embeds_everything_into_a_table_of_its_own(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    first = team.night()
    team.encoder.encoder_id = "words@2"
    run = team.night()
    assert run.embedded == first.embedded and {row["encoder_id"] for row in team.rows()} == {"words@2"}
    team.encoder.encoder_id = "words@1"
    assert team.night().embedded == 0


# Killed runs

KILLS = [
    ("parse: a text version", "resources.mirror.Mirror.write", 1),
    ("parse: the contents", "resources.ledger.documents.add_contents", 0),
    ("parse: the documents", "resources.ledger.documents.change", 0),
    ("parse: after its commit", "resources.mirror.Mirror.remove", 0),
    ("dedup: before its commit", "resources.ledger.replacements.sync", 0),
    ("chunk: the bodies", "resources.ledger.passages.replace_bodies", 0),
    ("chunk: morphemes", "resources.ledger.passages.add_tokens", 0),
    ("chunk: places", "resources.ledger.passages.add_places", 0),
    ("embed: the second batch", "resources.ledger.passages.add_vectors", 1),
    ("index: rows", "resources.ledger.index_rows.index_row", 3),
    ("index: before the retired rows", "resources.table.RowTable.apply", 1),
    ("index: optimize", "resources.index.Index.optimize", 0),
    ("index: the canaries", "assets.stages.index.ask_all", 0),
    ("index: the switch", "resources.index.write_published", 0),
    ("index: after the switch", "resources.ledger.runs.add_publication", 0),
    ("gap: findings", "resources.ledger.findings.sync", 1),
    ("gap: mail", "assets.stages.mail.send_queued", 0),
]  # fmt: skip


def base(team: Team) -> None:
    for name in ("stays", "edited", "deleted", "renamed"):
        team.write(f"개발/{name}.md", prose(name))
    team.write("개발/표준_v1.md", prose("standard", 8))


def changed(team: Team) -> None:
    team.write("개발/edited.md", [*prose("edited"), *prose("more", 3)])
    team.file("개발/deleted.md").unlink()
    team.file("개발/renamed.md").rename(team.file("정책/renamed.md"))
    team.write("정책/new.md", prose("new"))
    team.write("개발/표준_v2.md", [*prose("standard", 8), *prose("v2", 1)])


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A team after its first night."""
    team = Team(tmp_path_factory.mktemp("before"))
    base(team)
    team.night()
    return team


@pytest.fixture(scope="module")
def unharmed(before: Team, tmp_path_factory: pytest.TempPathFactory) -> Team:
    """The same team after changes and a second night that went well."""
    team = before.twin(tmp_path_factory.mktemp("unharmed"))
    changed(team)
    team.night()
    return team


@pytest.mark.parametrize(("place", "calls"), [kill[1:] for kill in KILLS], ids=[kill[0] for kill in KILLS])
def test_a_killed_run_converges_the_next_night(
    before: Team, unharmed: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, calls: int
) -> None:
    monkeypatch.setattr("assets.stages.embed.BATCH", 3)
    team = before.twin(tmp_path)
    changed(team)
    with pytest.raises(Killed), killed(place, calls):
        team.night()
    team.night()
    assert team.served() == unharmed.served() and team.states() == unharmed.states()
    assert team.mirrored() == unharmed.mirrored()
    lost = 3 if "add_vectors" in place else 0  # the batch that was under way
    assert len(team.encoder.embedded) == len(unharmed.encoder.embedded) + lost


class Killed(BaseException):
    """The machine went away."""


@contextmanager
def killed(place: str, calls: int) -> Iterator[None]:
    """Let a function raise after `calls` calls, inside the block."""
    original, left = pkgutil.resolve_name(place), itertools.count()

    def dying(*args: Any, **keywords: Any) -> Any:
        if next(left) >= calls:
            raise Killed
        return original(*args, **keywords)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, dying)
        yield


def test_text_versions_that_somebody_deleted_are_written_again(team: Team) -> None:
    team.write("개발/a.md", prose("a"))
    team.night()
    shutil.rmtree(team.home / "state" / "parsed")
    assert team.night().opened_files <= 1 and team.mirrored() == {"개발/a.md"}


# Canaries

QUESTIONS = """
[[canaries]]
query = "결제 타임아웃 설정값"
owner = "dev@example.com"

[[canaries]]
query = "연차 이월 한도"
owner = "hr@example.com"
"""


@pytest.fixture(scope="module")
def pinned(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A team that asks two questions, after the night that pinned their answers and one that found them again."""
    team = Team(tmp_path_factory.mktemp("pinned"), rest=QUESTIONS)
    team.write("개발/결제.md", ["설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다."])
    team.write("정책/연차.md", ["한도 안내: 연차 이월은 다음 해로 5일까지 된다."])
    for number in range(3):
        team.write(f"개발/{number}.md", prose(str(number), 2))
    team.night()
    assert set(canaries(team).values()) == {"new"}
    team.night()
    return team


@pytest.fixture
def asked(pinned: Team, tmp_path: Path) -> Team:
    return pinned.twin(tmp_path)


def canaries(team: Team) -> dict[str, Any]:
    return {
        row["query"]: row["state"] for row in team.ask("select query, state from canaries where removed_at is null")
    }


def test_a_canary_is_pinned_at_its_first_good_night(asked: Team) -> None:
    rows = asked.ask("select pinned_path, pinned_content is not null as known from canaries order by pinned_path")
    assert rows == [{"pinned_path": "결제.md", "known": True}, {"pinned_path": "연차.md", "known": True}]
    assert set(canaries(asked).values()) == {"ok"}


def test_a_lost_passage_is_told_at_once(asked: Team) -> None:
    asked.file("정책/연차.md").unlink()
    asked.write("정책/다른.md", prose("other"))
    before = asked.mails()
    run = asked.night()
    assert run.held is None and canaries(asked)["연차 이월 한도"] == "lost"
    assert asked.mails() == [*before, "urgent"] and list((asked.home / "state" / "outbox").glob("*.eml"))
    asked.night()
    assert asked.mails() == [*before, "urgent"]


def displace(team: Team) -> None:
    """Documents that hold each question word for word push the pinned passages out of the first five."""
    for number in range(8):
        team.write(f"개발/밀어냄{number}.md", [f"결제 타임아웃 설정값, 연차 이월 한도, 목록 {number}"])


def test_two_displaced_passages_hold_the_new_version_for_one_night(asked: Team) -> None:
    before = asked.served()
    displace(asked)
    run = asked.night()
    assert run.held and not run.published and asked.served() == before
    assert ("publish_held", "") in asked.findings() and asked.mails()[-1] == "urgent"
    status = asked.saero().status_path.read_text(encoding="utf-8")
    assert '"last_failed": false' in status
    run = asked.night(now=datetime.now(UTC) + DAY)
    assert run.published and run.held is None and run.embedded == 0 and len(asked.served()) == len(before) + 8


def test_a_failed_night_does_not_hold_the_version_for_another(asked: Team) -> None:
    displace(asked)
    assert asked.night().held
    with pytest.raises(Killed), killed("resources.ledger.documents.add_contents", 0):
        asked.night()
    assert asked.night(now=datetime.now(UTC) + DAY).published and "개발/밀어냄0.md" in asked.served()


def test_a_held_night_still_lets_deleted_documents_leave(asked: Team) -> None:
    displace(asked)
    asked.file("개발/0.md").unlink()
    asked.write("개발/1.md", prose("rewritten", 2))
    run = asked.night()
    assert run.held and "개발/0.md" not in asked.served() and "개발/밀어냄0.md" not in asked.served()
    assert prose("1", 1)[0] not in asked.words()
    asked.night(now=datetime.now(UTC) + DAY)
    assert "개발/밀어냄0.md" in asked.served()


def test_a_person_can_publish_a_held_version(asked: Team) -> None:
    displace(asked)
    run = asked.night(Options(publish=True))
    assert run.published and run.held is None


def test_the_settings_file_among_the_documents_is_no_document(tmp_path: Path) -> None:
    team = Team(tmp_path)
    team.write("개발/a.md", prose("a"))
    text = 'state = ".saero"\n[sources."모두"]\npath = "."\n'
    (tmp_path / "saero.toml").write_text(text, encoding="utf-8")
    team.night()
    assert set(team.states()) == {"모두/docs/개발/a.md"}
