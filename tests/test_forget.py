"""What was forgotten stands nowhere in the state, isn't found, and doesn't return."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import duckdb
import lance
import pytest
import zstandard
from click.testing import CliRunner, Result
from team import Team, prose

from pipelines.errors import TryAgain
from pipelines.forgetting import Target, mail_text
from pipelines.forgotten import Bans, place_hash
from pipelines.inbox import feedback_line, search_line
from resources import forgetting
from resources.build import Saero, build
from resources.ledger import outbox
from resources.ledger.forget import TREATED
from resources.ledger.rewrite import rewrite
from resources.ledger.rows import fetch
from resources.locks import hold
from resources.run_records import without_names
from saero.cli import saero as cli

# Words that stand in one document alone; the first is in its text, the second in its name.
MARK, NAME = "홍길동주민번호", "인사기록"
PATH = f"인사/{NAME}.md"
PLACE = f"개발/{PATH}"
NOW = datetime(2026, 12, 1, 3, tzinfo=UTC)


def secret() -> list[str]:
    return [f"{MARK} {MARK} 900101 이 문단은 다른 문서에 없습니다.", *prose("secret", 3)]


@pytest.fixture(scope="module")
def two_nights(tmp_path_factory: pytest.TempPathFactory) -> Team:
    rest = '\n[[canaries]]\nquery = "900101 이 문단은 다른 문서에"\nmin_score = 0.1\n'
    made = Team(tmp_path_factory.mktemp("forget"), rest=rest)
    made.write(PLACE, secret())
    made.write("개발/b.md", prose("b"))
    made.write("정책/c.md", prose("c"))
    made.night()
    made.night()
    return made


@pytest.fixture
def team(two_nights: Team, tmp_path: Path) -> Team:
    return two_nights.twin(tmp_path)


@pytest.fixture
def call(team: Team, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Call the command line on the team's state."""
    monkeypatch.setattr("resources.model.encoder_identity", lambda model, models: team.encoder.encoder_id)

    def run(*args: str, answer: str = "") -> Result:
        monkeypatch.setattr("resources.build.build", lambda config: team.saero())
        return CliRunner().invoke(cli, args, input=answer)

    return run


def forgotten(call: Callable[..., Result], *args: str) -> dict[str, Any]:
    done = call("forget", *args, "--yes", "--json")
    assert done.exit_code == 0, done.output + repr(done.exception)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def removed(report: dict[str, Any]) -> dict[str, int]:
    """Return place -> how much left it, of the places where anything did."""
    return {one["where"]: one["removed"] for one in report["looked"] if one["removed"]}


def spellings(words: str) -> set[bytes]:
    """Return words as a file may hold them."""
    found = set()
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, words)
        escaped = json.dumps(text)[1:-1]
        found |= {text.encode(), text.encode("utf-16-le"), escaped.encode(), json.dumps(escaped)[1:-1].encode()}
    return found


def traces(state: Path, *words: str) -> list[str]:
    """Return where below the state folder any of `words` stands: bytes of files, packed ones too, and names."""
    wanted = set().union(*map(spellings, words))
    found = []
    for path in sorted(state.rglob("*")):
        shown = str(path.relative_to(state))
        if any(word in unicodedata.normalize("NFC", shown) for word in words):
            found.append(f"name {shown}")
        if path.is_file() and any(one in data for data in contents(path) for one in wanted):
            found.append(shown)
    return (
        found
        + [f"ledger {place}" for place in in_ledger(state, words)]
        + [f"index {n}" for n in in_index(state, words)]
    )


def contents(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    yield data
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompress(data)
        yield data
        for line in data.splitlines():
            row = json.loads(line).get("row", {}) if path.name.endswith(".jsonl.zst") else {}
            if row.get("mime"):
                yield mail_text(base64.b64decode(row["mime"])).encode()
    if path.suffix == ".eml":
        yield mail_text(data).encode()


def in_ledger(state: Path, words: Iterable[str]) -> list[str]:
    """Return table.column of every column of words, JSON or bytes that holds any of `words`."""
    saero = build(str(state.parent / "saero.toml"))
    found = []
    with saero.ledger.transaction("test") as con:
        columns = fetch(con, "select table_name, column_name, data_type from information_schema.columns")
        assert {"documents", "texts", "mails", "judged"} <= {one["table_name"] for one in columns}
        for one in columns:
            if one["data_type"] not in ("VARCHAR", "JSON", "BLOB"):
                continue
            for row in fetch(con, f'select "{one["column_name"]}" as value from {one["table_name"]}'):
                value = row["value"]
                text = mail_text(value) + value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
                if any(word in text or json.dumps(word)[1:-1] in text for word in words):
                    found.append(f"{one['table_name']}.{one['column_name']}")
    return sorted(set(found))


def in_index(state: Path, words: Iterable[str]) -> list[str]:
    """Return the versions of tables that hold any of `words`."""
    found = []
    for table in sorted((state / "index").glob("*.lance")):
        for version in lance.dataset(str(table)).versions():
            dataset = lance.dataset(str(table), version=version["version"])
            if any(word in str(dataset.to_table().drop_columns(["vector"]).to_pylist()) for word in words):
                found.append(f"{table.name} {version['version']}")
    return found


def kept_in_vain(state: Path) -> list[str]:
    """Return what tables keep of rows that they don't have: deleted rows, files and indices that nothing names."""
    found = []
    for table in sorted((state / "index").glob("*.lance")):
        dataset = lance.dataset(str(table))
        fragments = dataset.get_fragments()
        found += [f"{table.name}: deleted rows" for fragment in fragments if fragment.num_deletions]
        named = {Path(file.path).name for fragment in fragments for file in fragment.data_files()}
        named |= {str(one.uuid) for index in dataset.describe_indices() for one in index.segments}
        for folder in ("data", "_indices", "_deletions"):
            found += [f"{table.name}/{path.name}" for path in (table / folder).glob("*") if path.name not in named]
        found += [f"{table.name}: {len(dataset.versions())} versions"] if len(dataset.versions()) > 1 else []
    return found


def nowhere(team: Team) -> bool:
    return traces(team.home / "state", MARK, NAME) == []


def test_before_it_the_words_stand_in_many_places(team: Team) -> None:
    found = " ".join(traces(team.home / "state", MARK, NAME))
    for place in ("name parsed", "ledger texts.text", "ledger documents.path", "index chunks-", "backup/"):
        assert place in found


def test_a_forgotten_document_stands_nowhere_and_does_not_return(team: Team, call: Callable[..., Result]) -> None:
    report = forgotten(call, PLACE)
    assert report["forgotten"] == [{"source": "개발", "path": PATH}]
    looked = {one["where"].removeprefix("ledger ") for one in report["looked"]}
    beside = {"inbox", "outbox", "backup", "parsed", "bodies", "index", "status.json", "dagster", "leftovers"}
    assert looked == {*TREATED, *beside, "file"} - {"idle", "schema_migrations", "settled"}
    left = removed(report)
    assert {"parsed": 1, "bodies": 1, "ledger documents": 1, "ledger contents": 1}.items() <= left.items()
    assert left["ledger texts"] == left["ledger vectors"] == left["index"] > 0
    assert nowhere(team) and set(team.served()) == {"개발/b.md", "정책/c.md"}
    assert kept_in_vain(team.home / "state") == []
    embedded = len(team.encoder.embedded)
    for _ in range(2):
        team.night()
        assert set(team.states()) == {"개발/b.md", "정책/c.md"} and set(team.served()) == {"개발/b.md", "정책/c.md"}
    assert len(team.encoder.embedded) == embedded and nowhere(team)


def test_the_file_is_left_alone_and_named(team: Team, call: Callable[..., Result]) -> None:
    file = team.file(PLACE)
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    (said,) = forgotten(call, PLACE)["files"]
    assert forgotten(call, PLACE)["files"] == [said], "called again it says so again"
    assert said == {"source": "개발", "path": PATH, "file": str(file), "there": True}
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    with team.saero().ledger.transaction("test") as con:  # a state that was moved with its folders
        con.execute("update documents set disk_path = ? where path = 'b.md'", ["/elsewhere/개발/b.md".encode()])
    assert forgotten(call, "개발/b.md")["files"][0]["file"] == str(team.file("개발/b.md"))
    file.unlink()
    team.night()
    assert nowhere(team)


@pytest.mark.parametrize("name", ["견적 \"최종\" [1] 'a' \\ %_{}", "긴" * 80 + "{}", "a\u202eb{} 1"])
def test_odd_names_leave_no_trace(team: Team, call: Callable[..., Result], name: str) -> None:
    path = f"{name.format(NAME)}.md"
    team.file(PLACE).rename(team.file(f"개발/{path}"))
    team.night()
    forgotten(call, f"개발/{path}")
    assert traces(team.home / "state", MARK, path) == []
    team.night()
    assert set(team.states()) == {"개발/b.md", "정책/c.md"} and traces(team.home / "state", MARK, path) == []


def test_the_example_of_the_docs_has_its_shape(team: Team, call: Callable[..., Result]) -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    example = json.loads(page.partition("\n## forget\n")[2].partition("```json\n")[2].partition("```")[0])
    report = forgotten(call, PLACE)
    assert list(example) == list(report)
    assert {one["where"] for one in example["looked"]} <= {one["where"] for one in report["looked"]}
    assert list(example["files"][0]) == list(report["files"][0])


def test_only_hashes_are_kept(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    (row,) = team.ask("select * from decisions where kind = 'forget'")
    content = hashlib.sha256(team.file(PLACE).read_bytes()).hexdigest()
    assert (
        row["subject"]
        == hashlib.sha256(PLACE.encode()).hexdigest()
        == place_hash("개발", unicodedata.normalize("NFD", PATH))
    )
    assert json.loads(row["value"]) == {"contents": [content]}


def test_doctor_is_content_afterwards(team: Team, call: Callable[..., Result]) -> None:
    before = json.loads(call("doctor", "--json").stdout)
    forgotten(call, PLACE)
    assert json.loads(call("doctor", "--json").stdout)["checks"][3:5] != before["checks"][3:5]
    after = json.loads(call("doctor", "--json").stdout)
    assert [(one["name"], one["ok"]) for one in after["checks"]] == [
        (one["name"], one["ok"]) for one in before["checks"]
    ]


def test_a_rollback_does_not_bring_it_back(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    assert call("rollback").exit_code != 0
    team.write("개발/d.md", prose("d"))
    team.night()
    assert call("rollback").exit_code == 0 and nowhere(team)


def test_other_content_at_the_same_place_stays_away_until_it_is_allowed(
    team: Team, call: Callable[..., Result]
) -> None:
    forgotten(call, PLACE)
    team.write(PLACE, prose("harmless"))
    team.night()
    assert PLACE not in team.states()
    assert call("forget", "--allow", PLACE).exit_code == 0
    team.night()
    assert team.states()[PLACE] == "live" and PLACE in team.served()
    assert call("forget", "--allow", PLACE).exit_code != 0


def test_allowed_it_comes_back_whole(team: Team, call: Callable[..., Result]) -> None:
    before = team.served()[PLACE]
    forgotten(call, PLACE)
    team.night()
    assert call("forget", "--allow", PLACE).exit_code == 0
    team.night()
    assert team.served()[PLACE] == before and PLACE in team.mirrored()


def test_a_later_copy_and_a_moved_file_are_not_read(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    shutil.copy(team.file(PLACE), team.file("정책/사본.md"))
    team.file(PLACE).rename(team.file("개발/다른 이름.md"))
    run = team.night()
    assert team.states()["정책/사본.md"] == team.states()["개발/다른 이름.md"] == "rejected"
    assert run.failures == [] and MARK not in team.words() and nowhere(team)
    assert not {place for place in team.mirrored() if "사본" in place or "이름" in place}
    assert "--allow" in str(call("show", "정책/사본.md").exception)
    listed = json.loads(call("documents", "--state", "rejected", "--json").stdout)["documents"]
    assert len(listed) == 2 and all("--allow" in row["reason"] and row["category"] is None for row in listed)
    with team.saero().ledger.transaction("test") as con:
        con.execute("update documents set read_at_ns = read_at_ns + 10_000_000_000")  # beyond the clock's grain
    assert team.night().opened_files == 0, "it is hashed once"
    assert call("forget", "--allow", "정책/사본.md").exit_code == 0
    team.night()
    assert set(team.states().values()) == {"live", "duplicate"} and MARK in team.words()


def test_a_file_that_takes_on_a_forgotten_content_serves_its_old_text_no_more(
    team: Team, call: Callable[..., Result]
) -> None:
    forgotten(call, PLACE)
    shutil.copy(team.file(PLACE), team.file("개발/b.md"))
    team.night()
    assert team.states()["개발/b.md"] == "rejected" and set(team.served()) == {"정책/c.md"} and nowhere(team)
    team.write("개발/b.md", prose("b again"))
    team.night()
    assert team.states()["개발/b.md"] == "live"


def test_a_rejected_copy_stays_so_while_its_folder_is_away(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    shutil.copy(team.file(PLACE), team.file("정책/사본.md"))
    team.night()
    away = team.file("정책").rename(team.home / "away")
    team.night()
    assert team.states()["정책/사본.md"] == "held"
    away.rename(team.file("정책"))
    team.night()
    assert team.states()["정책/사본.md"] == "rejected" and team.states()["정책/c.md"] == "live"


def test_copies_are_named_and_refused(team: Team, call: Callable[..., Result]) -> None:
    team.write("정책/같은 글.txt", "\n\n".join(secret()))
    shutil.copy(team.file(PLACE), team.file("개발/복사본.md"))
    team.night()
    done = call("forget", PLACE, "--yes")
    assert done.exit_code != 0 and "개발/복사본.md, 정책/같은 글.txt" in str(done.exception)
    assert MARK in team.words()
    report = forgotten(call, PLACE, "--copies")
    assert len(report["forgotten"]) == 3 and nowhere(team)
    team.night()
    assert set(team.states()) == {"개발/b.md", "정책/c.md"}
    call("forget", "--allow", PLACE)
    team.night()
    assert set(team.states()) == {PLACE, "개발/b.md", "정책/c.md"}, "the copies stay away by their names"


def test_alike_documents_are_named_and_stay(team: Team, call: Callable[..., Result]) -> None:
    texts = prose("series", 8)
    team.write("개발/가.md", texts)
    team.write("개발/나.md", [*texts, "한 문단이 더 있다."])
    team.night()
    report = forgotten(call, "개발/가.md")
    assert report["alike"] == [{"source": "개발", "path": "나.md"}]
    team.night()
    assert "개발/나.md" in team.served()


def test_earlier_texts_of_the_file_leave_too(team: Team, call: Callable[..., Result]) -> None:
    team.write(PLACE, ["이제는 아무 말도 없습니다.", *prose("new", 2)])
    team.night()
    assert traces(team.home / "state", MARK)
    forgotten(call, PLACE)
    assert nowhere(team)


def test_the_name_before_a_rename_leaves_too(team: Team, call: Callable[..., Result]) -> None:
    team.file(PLACE).rename(team.file("개발/새 이름.md"))
    team.night()
    assert traces(team.home / "state", NAME)
    report = forgotten(call, "개발/새 이름.md")
    assert [place["path"] for place in report["forgotten"]] == ["새 이름.md", PATH] and nowhere(team)
    team.write(PLACE, prose("another person"))
    team.night()
    assert team.states()[PLACE] == "live", "that name was not forgotten, its content is another"


@pytest.mark.parametrize("fate", ["gone", "failed", "held", "expired"])
def test_whatever_its_state_it_can_be_forgotten(team: Team, call: Callable[..., Result], fate: str) -> None:
    if fate == "gone":
        team.file(PLACE).unlink()
    elif fate == "failed":
        team.write(PLACE, b"")
    elif fate == "held":
        team.file("개발").rename(team.home / "away")
    else:
        team.settings({"개발": 'ttl = [{match = "인사/**", after = "P1D"}]', "정책": ""})
    team.night(now=datetime.now(UTC) + timedelta(days=9) if fate == "expired" else None)
    states = team.ask(f"select state from documents where path = '{PATH}'")
    assert [row["state"] for row in states] == [fate]
    forgotten(call, PLACE)
    assert nowhere(team)
    team.night()
    assert PLACE not in team.states() and nowhere(team)


def test_the_version_before_returns_in_the_next_night(team: Team, call: Callable[..., Result]) -> None:
    common = prose("plan", 10)
    team.write(f"개발/{NAME}_v1.md", common)
    team.write(f"개발/{NAME}_v2.md", [*common, f"{MARK}가 더해졌다."])
    team.file(PLACE).unlink()
    team.night()
    forgotten(call, PLACE)
    assert team.states()[f"개발/{NAME}_v1.md"] == "superseded"
    forgotten(call, f"개발/{NAME}_v2.md")
    assert traces(team.home / "state", MARK, f"{NAME}_v2") == []
    run = team.night()
    assert team.states()[f"개발/{NAME}_v1.md"] == "live" and traces(team.home / "state", MARK, f"{NAME}_v2") == []
    assert run.embedded == 0


def eml(subject: str, *attachments: tuple[str, str]) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"], message["Date"] = subject, "a@example.com", "Mon, 30 Nov 2026 09:00:00 +0900"
    message.set_content(f"{subject}: 첨부를 보아 주십시오.\n")
    for name, text in attachments:
        message.add_attachment(text.encode(), maintype="text", subtype="plain", filename=name)
    return message.as_bytes()


def test_what_came_in_a_mail_goes_with_it_and_not_alone(team: Team, call: Callable[..., Result]) -> None:
    mail, other = f"개발/{NAME}.eml", "개발/다른 메일.eml"
    text = "\n\n".join(prose("attached"))
    team.write(mail, eml(f"{MARK} 안내", ("붙임.txt", f"{MARK} {text}")))
    team.write(other, eml("회람", ("붙임 2.txt", f"{MARK} {text}")))
    team.file(PLACE).unlink()
    team.night()
    forgotten(call, PLACE)
    alone = call("forget", f"{mail}!/붙임.txt", "--yes")
    assert alone.exit_code != 0 and mail in str(alone.exception)
    report = forgotten(call, mail, "--copies")
    assert report["cleared"] == [{"source": "개발", "path": "다른 메일.eml!/붙임 2.txt"}]
    assert nowhere(team)
    for _ in range(2):
        team.night()
        assert team.states()[f"{other}!/붙임 2.txt"] == "rejected" and team.states()[other] == "live"
        assert mail not in team.states() and nowhere(team)


def test_what_came_in_a_mail_stays_where_it_is_a_document_of_its_own(team: Team, call: Callable[..., Result]) -> None:
    mail, text = f"개발/{NAME}.eml", "\n\n".join(prose("price list"))
    team.write(mail, eml("가격표를 보냅니다", ("가격표.txt", text)))
    team.file(PLACE).unlink()
    team.night()
    team.write("정책/가격표.txt", text)
    team.write("정책/가격표 사본.md", text)
    team.night()
    assert team.states()["정책/가격표.txt"] == "duplicate" and "정책/가격표.txt" in team.also_in(f"{mail}!/가격표.txt")
    forgotten(call, PLACE)
    report = forgotten(call, mail)
    assert {place["path"] for place in report["staying"]} == {"가격표.txt", "가격표 사본.md"}
    assert traces(team.home / "state", NAME) == []
    assert team.states()["정책/가격표 사본.md"] == "live" and team.states()["정책/가격표.txt"] == "duplicate"
    assert "".join(team.served()["정책/가격표 사본.md"]) and team.also_in("정책/가격표 사본.md") == ["정책/가격표.txt"]
    checks = {one["name"]: one["ok"] for one in json.loads(call("doctor", "--json").stdout)["checks"]}
    assert checks["index"] and checks["mirror"] and checks["ledger"]
    run = team.night()
    assert run.embedded == 0 and mail not in team.states() and traces(team.home / "state", NAME) == []
    assert set(team.served()) == {"개발/b.md", "정책/c.md", "정책/가격표.txt"}


def test_every_table_is_thought_of(team: Team) -> None:
    tables = {row["table_name"] for row in team.ask("select table_name from duckdb_tables() where not temporary")}
    assert tables == set(TREATED)


def test_canaries_lose_their_pin_and_keep_their_question(team: Team, call: Callable[..., Result]) -> None:
    (before,) = team.ask("select * from canaries")
    assert before["pinned_path"] == PATH
    with team.saero().ledger.transaction("test") as con:
        con.execute("update canaries set expect_text = '다른 문서에 없습니다', expect_path = ?", [PLACE])
    forgotten(call, PLACE)
    (row,) = team.ask("select * from canaries")
    assert (row["pinned_path"], row["pinned_chunk"], row["baseline"], row["state"]) == (None, None, None, "new")
    assert (row["expect_text"], row["expect_path"]) == ("", "")
    assert row["query"] == before["query"]
    assert {row["top_path"] for row in team.ask("select top_path from canary_history")} <= {None, "b.md", "c.md"}


def test_settings_that_name_it_are_said(team: Team, call: Callable[..., Result]) -> None:
    settings = team.home / "saero.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + f'expect_path = "{PLACE}"\n', encoding="utf-8")
    assert forgotten(call, PLACE)["in_settings"] is True


def message(subject: str, body: str, mail: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"], made["To"], made["Message-ID"] = subject, "pm@example.com", f"<{mail}@example.com>"
    made.set_content(body)
    made.add_alternative(f"<p>{body}</p>", subtype="html")
    return made


def test_mails_that_name_or_quote_it_keep_no_text(team: Team, call: Callable[..., Result]) -> None:
    quoted = secret()[0]
    with team.saero().ledger.transaction("test") as con:
        for mail, body, state in (
            ("named", f"- 오래된 문서: {PLACE} (180일)", "sent"),
            ("quoted", f"- 점검 질문 | {quoted}", "file"),
            ("waiting", f"- {PLACE}을(를) 보십시오, 개발/b.md도", "queued"),
            ("other", f"- {PLACE}.bak, 개발/b.md", "sent"),
        ):
            outbox.queue(con, message("확인 1건", body, mail), kind="digest", now=NOW)
            con.execute("update mails set state = ? where mail_id = ?", [state, mail])
        con.execute("update alerts set mail_id = 'waiting', news = null, told = '{}', state = 'open'")
        con.execute(
            "insert into alerts (alert_id, kind, state, source, path, mail_id) values "
            "('x', 'review_due', 'open', '개발', 'b.md', 'waiting')"
        )
    box = team.home / "state" / "outbox"
    (box / "quoted.eml").write_bytes(message("점검", quoted, "quoted").as_bytes())
    (box / "other.eml").write_bytes(message("점검", "개발/b.md", "other").as_bytes())
    forgotten(call, PLACE)
    rows = {row["mail_id"]: row["mime"] for row in team.ask("select mail_id, mime from mails where kind = 'digest'")}
    assert (rows["named"], rows["quoted"]) == (None, None) and "waiting" not in rows
    assert rows["other"] is not None and "b.md" in mail_text(rows["other"])
    assert team.ask("select told, mail_id, news from alerts where alert_id = 'x'") == [
        {"told": None, "mail_id": None, "news": "open"}
    ]
    assert not (box / "quoted.eml").exists() and (box / "other.eml").exists()
    assert call("alerts", "--json").exit_code == 0


def test_what_searches_and_persons_left_of_it_goes_and_other_counts_stay(
    team: Team, call: Callable[..., Result]
) -> None:
    saero = team.saero()
    rows = {row["path"]: row for row in team.rows()}
    for found in ((PATH, "b.md"), ("b.md",), (PATH,)):
        line = search_line([rows[path] for path in found], NOW, questions=(), score=0.9, answerable=True)
        saero.inbox.append(line)
    saero.inbox.append(feedback_line(rows[PATH], 1, "누구", NOW))
    saero.inbox.append(feedback_line(rows["b.md"], -1, None, NOW))
    forgotten(call, PLACE)
    assert nowhere(team)
    saero.inbox.append(search_line([rows[PATH], rows["b.md"]], NOW, questions=(), score=0.9, answerable=True))
    saero.inbox.append(feedback_line(rows[PATH], 1, None, NOW))
    team.night()
    assert (
        team.ask("select path, times from found") == [{"path": "b.md", "times": 2}]
        or sum(row["times"] for row in team.ask("select times from found where path = 'b.md'")) == 3
    )
    assert team.ask("select vote, path from feedback") == [{"vote": -1, "path": "b.md"}]


def test_every_backup_is_mended_and_holds_what_keeps_it_away(team: Team, call: Callable[..., Result]) -> None:
    folder = team.home / "state" / "backup"
    (today,) = folder.glob("*.zst")
    shutil.copy(today, folder / "2026-01-01.jsonl.zst")
    (folder / "2026-01-02.jsonl.zst").write_bytes(b"torn")
    old = [
        {"table": "mails", "row": {"mail_id": "m"}},
        {"table": "alerts", "row": {"alert_id": "a", "source": "개발", "path": PATH}},
    ]
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in old)
    (folder / "2025-12-31.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(lines.encode()))
    (folder / ".2026-01-03.jsonl.zst.aside").write_bytes(MARK.encode())
    for leftover in (
        "ledger.duckdb.anew",
        "ledger.duckdb.new.wal",
        "ledger.duckdb.wal.left",
        "ledger.duckdb.tmp/1.tmp",
    ):
        (folder.parent / leftover).parent.mkdir(exist_ok=True)
        (folder.parent / leftover).write_bytes(MARK.encode())
    forgotten(call, PLACE)
    assert nowhere(team) and not (folder / "2026-01-02.jsonl.zst").exists()
    left = zstandard.ZstdDecompressor().decompress((folder / "2025-12-31.jsonl.zst").read_bytes(), 9999)
    assert [json.loads(line) for line in left.splitlines()] == old[:1], "what another version wrote lacks columns"
    (team.home / "state" / "ledger.duckdb").unlink()
    team.night()
    assert PLACE not in team.states() and nowhere(team)


def test_a_finding_and_a_decision_about_it_go_and_those_of_others_stay(team: Team, call: Callable[..., Result]) -> None:
    with team.saero().ledger.transaction("test") as con:
        body = fetch(con, f"select body_hash from documents where path = '{PATH}'")[0]["body_hash"]
        con.execute("delete from findings")
        for number, (path, detail) in enumerate(
            [(PATH, {}), ("b.md", {"newer": PLACE}), ("b.md", {"newer": f"{PLACE}x/y.md"}), (f"{PATH}.bak", {})]
        ):
            con.execute(
                "insert into findings (finding_id, kind, source, path, detail) values (?, 'odd', '개발', ?, ?)",
                [str(number), path, json.dumps(detail, ensure_ascii=False)],
            )
        for key, kind, subject, value in (
            ("1", "renew", body, {"until": "2027-01-01", "path": PLACE}),
            ("2", "answer", "item", {"a_body": "x", "b_body": body, "kind": "version", "evidence": {}}),
            ("3", "answer", "other", {"a_body": "x", "b_body": "y", "kind": "version", "evidence": {}}),
        ):
            con.execute(
                "insert into decisions values (?, ?, ?, ?, now(), null)", [key, kind, subject, json.dumps(value)]
            )
        con.execute(
            "insert into runs (run_id, outcome, counts) values ('old', 'killed', ?)",
            [json.dumps({"failures": [{"source": "개발", "path": PATH}, {"source": "개발", "path": "b.md"}]})],
        )
    forgotten(call, PLACE)
    assert [row["finding_id"] for row in team.ask("select finding_id from findings order by 1")] == ["2", "3"]
    assert [row["decision_id"] for row in team.ask("select decision_id from decisions where kind <> 'forget'")] == ["3"]
    (old,) = team.ask("select counts from runs where run_id = 'old'")
    assert json.loads(old["counts"]) == {"failures": [{"source": "개발", "path": "b.md"}]}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("없음/a.md",), "개발, 정책"),
        (("개발/없는 문서.md",), "no such document"),
        ((PLACE, "--json"), "--yes"),
        (("--allow", PLACE), "wasn't forgotten"),
        (("--allow", "--copies", PLACE), "alone"),
    ],
)
def test_wrong_calls_are_refused(team: Team, call: Callable[..., Result], args: tuple[str, ...], said: str) -> None:
    done = call("forget", *args)
    assert done.exit_code != 0 and said in done.output + str(done.exception)
    assert PLACE in team.states()


def test_it_is_refused_while_a_refresh_runs(team: Team, call: Callable[..., Result]) -> None:
    with hold(team.home / "state" / "refresh.lock", wait_seconds=0, what="", stage="embed"):
        done = call("forget", PLACE, "--yes")
    assert done.exit_code != 0 and "embed" in str(done.exception) and PLACE in team.states()


def test_it_asks_and_a_no_changes_nothing(team: Team, call: Callable[..., Result]) -> None:
    done = call("forget", PLACE, answer="n\n")
    assert done.exit_code == 1 and PLACE in done.output and PLACE in team.served()
    assert call("forget", PLACE, answer="").exit_code == 1 and PLACE in team.served()
    done = call("forget", PLACE, answer="y\n")
    assert done.exit_code == 0 and "디스크에" in done.output and nowhere(team)
    assert MARK not in done.output


def test_called_again_it_says_that_nothing_is_left(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    assert removed(forgotten(call, PLACE)) == {"ledger file": 1}
    assert nowhere(team) and team.night().embedded == 0


STEPS = (
    "resources.forgetting._inbox",
    "resources.forgetting._outbox",
    "resources.forgetting.mend_backups",
    "resources.ledger.forget.sweep_at_once",
    "resources.mirror.Mirror.keep_only",
    "resources.bodies.Bodies.keep_only",
    "resources.index.Index.forget",
    "resources.table.RowTable.shed",
    "resources.index.write_published",
    "resources.table.RowTable.cleanup",
    "resources.forgetting._status",
    "resources.forgetting.without_names",
    "resources.forgetting.rewrite",
    "resources.ledger.rewrite._copy",
    "resources.ledger.forget.finish",
    "resources.forgetting.write_backup",
)


class SwitchedOffError(BaseException):
    """The machine stops here."""


@pytest.mark.parametrize(
    ("step", "then"), [*((step, "again") for step in STEPS), *((step, "night") for step in STEPS[::3])]
)
def test_cut_off_anywhere_it_is_ended_by_the_next_call(
    team: Team, call: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, step: str, then: str
) -> None:
    def off(*args: object, **named: object) -> None:
        raise SwitchedOffError

    with monkeypatch.context() as patch:
        patch.setattr(step, off)
        with pytest.raises(SwitchedOffError):
            call("forget", PLACE, "--yes")
    if then == "night":
        team.night()
        assert (PLACE in team.states()) == (PLACE in team.served())
    forgotten(call, PLACE)
    assert nowhere(team)
    team.night()
    assert nowhere(team) and set(team.served()) == {"개발/b.md", "정책/c.md"}


@pytest.mark.parametrize("ending", [("doctor", "--fix", "--json"), ("forget", "개발/b.md", "--yes")])
def test_doctor_says_that_one_was_cut_off_and_whoever_comes_next_ends_it_without_its_name(
    team: Team, call: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, ending: tuple[str, ...]
) -> None:
    def ledger() -> dict[str, Any]:
        checks = json.loads(call("doctor", "--json").stdout)["checks"]
        return next(one for one in checks if one["name"] == "ledger")

    shutil.copy(team.file(PLACE), team.file(f"정책/{NAME} 사본.md"))
    team.night()
    with monkeypatch.context() as patch:
        patch.setattr("resources.mirror.Mirror.keep_only", lambda *args: 1 / 0)
        call("forget", PLACE, "--yes", "--copies")
    assert not ledger()["ok"] and "cut off" in ledger()["detail"] and not nowhere(team)
    call(*ending)
    assert ledger()["ok"] and nowhere(team)


def test_the_last_document_can_be_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(tmp_path, {"개발": ""})
    team.write(PLACE, secret())
    team.night()
    forget(team, PLACE)
    assert nowhere(team) and team.served() == {}
    team.night()
    assert nowhere(team) and team.states() == {}
    team.write("개발/b.md", prose("b"))
    team.night()
    assert set(team.served()) == {"개발/b.md"}


def test_rows_of_another_encoder_and_of_a_held_version_leave_too(team: Team) -> None:
    team.encoder.encoder_id = "words@2"
    team.night()
    forget(team, PLACE)
    assert nowhere(team)
    team.night()
    assert set(team.served()) == {"개발/b.md", "정책/c.md"}


def forget(team: Team, place: str) -> None:
    saero: Saero = team.saero()
    source, _, path = place.partition("/")
    forgetting.forget(saero, forgetting.meant(saero, [(source, path)], copies=False), NOW)


def test_a_source_that_was_renamed_keeps_its_forgotten_files_away(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    team.write(PLACE, prose("other"))
    team.settings({"연구": 'path = "docs/개발"\nwas = ["개발"]', "정책": ""})
    team.night()
    assert set(team.states()) == {"연구/b.md", "정책/c.md"}


def test_names_are_found_in_texts_as_persons_write_them() -> None:
    target = Target(frozenset({("개발", "a.md"), ("개발", "보 고.eml")}), disk=frozenset({"/srv/docs/개발/a.md"}))
    for text in (
        "개발/a.md",
        "보라: 개발/a.md을 보라",
        "'개발/a.md'.",
        "개발/보\n 고.eml!/x.txt",
        "/srv/docs/개발/a.md: no",
    ):
        assert target.named_in(text), text
    for text in ("개발/a.md.bak", "개발/a.mdx", "공유/개발/a.md", "재개발/a.md", "개발/a", "개발/a.md/b"):
        assert not target.named_in(text), text


def test_a_ban_holds_for_a_mail_and_all_in_it() -> None:
    bans = Bans(frozenset({place_hash("개발", "a.eml")}))
    assert bans.place("개발", "a.eml") and bans.place("개발", "a.eml!/b.eml!/c.txt")
    assert not bans.place("개발", "b.eml!/a.eml") and not bans.place("정책", "a.eml")


def test_a_folder_of_mails_goes_whole(team: Team, call: Callable[..., Result]) -> None:
    box = f"개발/{NAME}.mbox"
    mails = [
        eml(f"{MARK} {number}번 회람", (f"붙임 {number}.txt", f"{MARK} {prose(str(number))[0]}")) for number in (1, 2)
    ]
    team.write(box, b"".join(b"From a@example.com Mon Nov 30 09:00:00 2026\n" + mail + b"\n" for mail in mails))
    team.file(PLACE).unlink()
    team.night()
    assert sum(place.startswith(f"{box}!/") for place in team.states()) == 4
    forgotten(call, PLACE)
    report = forgotten(call, box)
    assert len(report["forgotten"]) == 5 and nowhere(team)
    team.write(box, b"From a@example.com Mon Nov 30 09:00:00 2026\n" + mails[0])
    team.night()
    assert set(team.states()) == {"개발/b.md", "정책/c.md"} and nowhere(team)


def test_an_empty_file_keeps_no_other_empty_file_away(team: Team, call: Callable[..., Result]) -> None:
    team.write("개발/빈 파일.md", b"")
    team.write("정책/빈 파일.md", b"")
    team.night()
    forgotten(call, "개발/빈 파일.md")
    team.write("정책/새 빈 파일.md", b"")
    team.night()
    states = team.states()
    assert "개발/빈 파일.md" not in states and states["정책/빈 파일.md"] == states["정책/새 빈 파일.md"] == "failed"


def test_a_plan_leaves_out_what_was_forgotten(team: Team, call: Callable[..., Result]) -> None:
    forgotten(call, PLACE)
    shutil.copy(team.file(PLACE), team.file("정책/사본.md"))
    plan = json.loads(call("refresh", "--plan", "--json").stdout)
    assert plan["gone"] == [] and plan["parse"]["new"] == 0 and plan["embed"]["estimated"] == 0
    team.night()
    plan = json.loads(call("refresh", "--plan", "--json").stdout)
    assert (plan["documents"]["new"], plan["documents"]["gone"]) == (0, 0)


def test_a_full_disk_leaves_the_old_ledger_and_the_next_call_goes_on(
    team: Team, call: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = team.home / "state" / "ledger.duckdb"

    def full(old: Path, new: Path) -> None:
        new.write_bytes(b"half")
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("resources.ledger.rewrite._copy", full)
        done = call("forget", PLACE, "--yes")
    assert isinstance(done.exception, TryAgain) and "full" in str(done.exception)
    assert ledger.exists() and not list(ledger.parent.glob("ledger.duckdb.*"))
    assert PLACE not in team.served()
    forgotten(call, PLACE)
    assert nowhere(team)


def test_a_ledger_written_anew_keeps_every_row_in_its_order(team: Team) -> None:
    ledger = team.saero().ledger
    tables = [row["table_name"] for row in team.ask("select table_name from duckdb_tables() where not temporary")]
    with ledger.transaction("test") as con:
        for number in range(5):
            con.execute("insert into runs (run_id, started_at) values (?, now())", [str(9 - number)])
        con.execute("delete from runs where run_id = '7'")
        before = {name: con.execute(f"select * from {name} order by rowid").fetchall() for name in tables}
    mode = ledger.path.stat().st_mode
    rewrite(ledger)
    with ledger.transaction("test") as con:
        assert {name: con.execute(f"select * from {name} order by rowid").fetchall() for name in tables} == before
        assert con.execute("select count(*) from judged").fetchone() == (3,)
    assert ledger.path.stat().st_mode == mode


def test_names_leave_databases_and_logs_of_runs_however_they_are_written(tmp_path: Path) -> None:
    mail = "개발/보고.eml"
    told = f"| ok | {mail}!/첨부 1.txt 0.9 | 개발/b.md |\n{mail}.bak"
    once = json.dumps({"md": told})
    for name, text in (("plain", told), ("once", once), ("twice", json.dumps({"event": once}))):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as con:
            con.execute("create table event_logs (id integer primary key, event text, at varchar(20), number integer)")
            con.executemany("insert into event_logs (event, number) values (?, 1)", [(text,), ("개발/b.md",), (None,)])
            con.commit()
    (tmp_path / "step.err").write_text(told, encoding="utf-8")
    assert without_names(tmp_path, [mail]) == 4
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        assert not any(one in data for one in spellings("첨부 1") | spellings(f"{mail}!"))
        assert any(one in data for one in spellings("개발/b.md")) and any(
            one in data for one in spellings(f"{mail}.bak")
        )
    assert without_names(tmp_path, [mail]) == 0
    with closing(sqlite3.connect(tmp_path / "once.db")) as con:
        (event,) = con.execute("select event from event_logs where id = 1").fetchone()
        assert json.loads(event)["md"].startswith("| ok | (forgotten)| 개발/b.md |")


def test_a_database_of_runs_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resources.run_records._WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(tmp_path / "index.db", isolation_level=None)) as con:
        con.execute("create table event_logs (event text)")
        con.execute("begin immediate")
        with pytest.raises(TryAgain, match=r"index\.db.*saero forget"):
            without_names(tmp_path, ["개발/a.md"])
