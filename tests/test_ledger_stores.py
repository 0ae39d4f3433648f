"""Every store against the real schema: what it promises is what the ledger holds afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from pipelines.records import Finding
from resources.ledger import Ledger, canaries, decisions, documents, findings, index_rows, outbox, passages, runs
from resources.ledger.rows import fetch, one

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
NIGHT = datetime(2026, 11, 30, 17, tzinfo=UTC)
NEXT = NIGHT + timedelta(days=1)


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Ledger(tmp_path).transaction() as con:
        yield con


def document(source: str, path: str, content: str | None = None, body: str | None = None, **values: Any) -> Row:
    return documents.new_row(
        source=source, path=path, content_hash=content, served_hash=content, served_parser=content and "p1",
        body_hash=body, first_seen=NIGHT, mtime_ns=1_764_000_000_000_000_000, **values,
    )  # fmt: skip


def upgraded(con: duckdb.DuckDBPyConnection, content_hash: str) -> None:
    """Let every document of a content be served as the next parser version read it."""
    con.execute("update documents set served_parser = 'p2' where served_hash = ?", [content_hash])


def content(
    content_hash: str, body: str | None, *, version: str = "p1", parsed_at: datetime = NIGHT, **values: Any
) -> Row:
    return {
        "content_hash": content_hash, "parser_version": version, "format": "txt", "category": None, "reason": None,
        "limits": None,
        "body_hash": body, "has_text": body is not None, "chars": 10, "title": None, "author": None,
        "modified_at": None, "created_at": None, "clock": None, "pages": None, "ocr_pages": [], "asides": {},
        "warnings": [], "properties": {}, "attachments": [], "parsed_at": parsed_at, **values,
    }  # fmt: skip


def body(name: str, *chunks: str, chunker: str = "c1") -> tuple[Row, list[Row], list[Row]]:
    row = {
        "body_hash": name, "content_hash": f"content of {name}", "parser_version": "p1", "chunker_version": chunker,
        "title": f"제목 {name}", "chars": 10, "chunk_count": len(chunks), "made_at": NIGHT,
    }  # fmt: skip
    chunk_rows = [
        {"chunk_id": f"{name}/{chunk}", "body_hash": name, "chunk_hash": chunk, "ordinal": number, "heading": ["제1장"],
         "span_start": 0, "span_end": 5}
        for number, chunk in enumerate(chunks)
    ]  # fmt: skip
    texts = [
        {"chunk_hash": chunk, "text": f"글 {chunk}", "embedded": f"장\n글 {chunk}", "n_tokens": 7, "made_at": NIGHT}
        for chunk in chunks
    ]
    return row, chunk_rows, texts


def store(con: duckdb.DuckDBPyConnection, *bodies: tuple[Row, list[Row], list[Row]]) -> None:
    passages.replace_bodies(
        con,
        [row for row, _, _ in bodies],
        [c for _, rows, _ in bodies for c in rows],
        [t for _, _, rows in bodies for t in rows],
    )


def paths(rows: list[Row]) -> list[str]:
    return [f"{row['source']}/{row['path']}" for row in rows]


# ── documents ──


def test_documents_come_back_by_source_as_they_went_in(con: duckdb.DuckDBPyConnection) -> None:
    row = document("정책", "가.hwp", "c1", "b1", disk_path="/mnt/\udcb0\udca1.hwp", flags=["stale_parse"], inode=2**63)
    documents.add(con, [row, document("정책", "나.hwp", "c2", state="gone"), document("개발", "가.hwp", "c3")])
    read = documents.of_source(con, "정책")
    assert list(read) == ["가.hwp"]
    assert read["가.hwp"] == row


def test_a_column_that_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError, match="colour"):
        documents.new_row(colour="red")


def test_a_changed_document_keeps_its_neighbours(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(con, [document("정책", "가.hwp", "c1"), document("개발", "가.hwp", "c1")])
    documents.change(con, [{**documents.of_source(con, "정책")["가.hwp"], "state": "failed", "category": "damaged"}])
    assert documents.of_source(con, "정책")["가.hwp"]["state"] == "failed"
    assert documents.of_source(con, "개발")["가.hwp"]["state"] == "live"


def test_a_document_that_is_back_replaces_its_gone_twin(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(con, [document("정책", "가.hwp", "c1", state="gone")])
    documents.drop_gone_twins(con, [("정책", "가.hwp"), ("정책", "없음")])
    documents.add(con, [document("정책", "가.hwp", "c2")])
    assert [row["state"] for row in fetch(con, "select state from documents")] == ["live"]


def test_present_documents_carry_what_the_parser_that_is_served_said(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con,
        [document("정책", "가.hwp", "c1", "b1"), document("정책", "나.hwp"), document("정책", "다.hwp", state="gone")],
    )
    documents.add_contents(con, [content("c1", "b1", title="옛 제목")])
    documents.add_contents(con, [content("c1", "b1", version="p2", parsed_at=NEXT, title="새 제목", modified_at=NIGHT)])
    assert documents.present(con)[0]["title"] == "옛 제목"
    upgraded(con, "c1")
    rows = documents.present(con)
    assert [(row["path"], row["title"], row["modified_at"]) for row in rows] == [
        ("가.hwp", "새 제목", NIGHT),
        ("나.hwp", None, None),
    ]


def test_sources_with_documents_and_contents_kept_elsewhere(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con,
        [
            document("정책", "가", "c1"),
            document("개발", "나", "c2", state="gone"),
            document("메일", "다", "c3", state="held"),
        ],
    )
    assert documents.sources_with_documents(con) == ["메일", "정책"]
    assert documents.hashes_elsewhere(con, ["c1", "c2", "c3", "c4"], []) == {"c1", "c3"}
    assert documents.hashes_elsewhere(con, ["c1", "c3"], [("정책", "가"), ("개발", "다")]) == {"c3"}
    assert documents.hashes_elsewhere(con, [], []) == set()


def test_a_lost_body_is_looked_for_where_its_content_lies(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con,
        [
            document("메일", "a.eml!/가", "c1", mail="a.eml", disk_path="/메일/a.eml"),
            document("정책", "가", "c1", disk_path="/정책/가"),
            document("정책", "나", "c1", state="held", hold_reason="root", disk_path="/정책/나"),
            document("정책", "다", "c2", disk_path="/정책/다"),
        ],
    )
    assert documents.files_holding(con, "c1") == [("정책", "가", "/정책/가"), ("메일", "a.eml!/가", "/메일/a.eml")]


def test_a_content_is_stored_once_for_each_parser_version(con: duckdb.DuckDBPyConnection) -> None:
    documents.add_contents(
        con, [content("c1", "b1"), content("c1", "b1", title="again"), content("c2", None, category="damaged")]
    )
    documents.add_contents(con, [content("c1", "b9"), content("c1", "b1", version="p2")])
    documents.add_contents(con, [])
    assert {key: row["body_hash"] for key, row in documents.contents_known(con, "p1").items()} == {
        "c1": "b1",
        "c2": None,
    }
    documents.forget_contents(con, ["c1"], "p1")
    documents.forget_contents(con, [], "p1")
    assert set(documents.contents_known(con, "p1")) == {"c2"}
    assert set(documents.contents_known(con, "p2")) == {"c1"}


def test_a_renamed_source_keeps_its_documents_findings_and_pins(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(con, [document("옛", "가", "c1"), document("다른", "가", "c2")])
    stale = [Finding("stale", "옛", "가")]
    findings.sync(con, stale, kinds=["stale"], sources=None, run_id="r1", now=NIGHT)
    findings.put_alerts(con, [alert(findings.finding_id(stale[0]), kind="stale", source="옛", path="가")])
    canaries.add(con, [{"canary_id": "q", "query": "?", "pinned_source": "옛"}])
    runs.put_sources(con, [source_row("옛")])
    documents.rename_source(con, "옛", "새")
    assert documents.sources_with_documents(con) == ["다른", "새"]
    findings.sync(con, [Finding("stale", "새", "가")], kinds=["stale"], sources=None, run_id="r2", now=NEXT)
    (row,) = findings.opened(con)
    assert (row["source"], row["opened_at"]) == ("새", NIGHT)
    assert [(row["alert_id"], row["source"]) for row in findings.alerts(con)] == [(row["finding_id"], "새")]
    assert canaries.active(con)[0]["pinned_source"] == "새"
    assert runs.sources(con) == {}


def test_a_rename_onto_a_source_that_was_read_before_doubles_nothing(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(con, [document("옛", name, f"old {name}", state="held") for name in ("가", "나", "다")])
    documents.add(con, [document("새", "가", "new 가"), document("새", "나", "x", state="gone")])
    documents.rename_source(con, "옛", "새")
    assert {path: row["content_hash"] for path, row in documents.of_source(con, "새").items()} == {
        "가": "new 가", "나": "old 나", "다": "old 다",
    }  # fmt: skip
    assert one(con, "select count(*) from documents") == 3


def source_row(name: str, position: int = 0) -> Row:
    return {
        "name": name, "position": position, "configured": True, "reachable": True, "reason": None, "first_run": "r1",
        "seen_at": NIGHT, "refreshed_at": NIGHT,
    }  # fmt: skip


def test_a_source_that_left_the_settings_is_held_until_it_is_forgotten(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con, [document("옛", "가", "c1"), document("옛", "나", "c2", state="gone"), document("새", "가", "c1")]
    )
    runs.put_sources(con, [source_row("옛"), source_row("새", 1)])
    documents.leave_source(con, "옛", forget=False, now=NIGHT)
    assert [(row["state"], row["hold_reason"]) for row in documents.of_source(con, "옛").values()] == [
        ("held", "unconfigured")
    ]
    assert not runs.sources(con)["옛"]["configured"]
    documents.leave_source(con, "옛", forget=True, now=NEXT)
    gone = fetch(con, "select state, gone_at, hold_reason from documents where source = '옛' and path = '가'")
    assert gone == [{"state": "gone", "gone_at": NEXT, "hold_reason": None}]
    assert list(runs.sources(con)) == ["새"]
    assert documents.of_source(con, "새")["가"]["state"] == "live"


def test_the_overview_names_every_document_with_its_clock_and_passages(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con,
        [
            document("정책", "가", "c1", "b1"),
            document("정책", "나", "c1", "b1", duplicate_of="정책/가"),
            document("정책", "다", "c2", state="failed", category="damaged", reason="not a zip file"),
            document("정책", "라", "c3", state="gone"),
        ],
    )
    documents.add_contents(con, [content("c1", "b1", title="규정", modified_at=NIGHT, clock="hwp:summary13")])
    store(con, body("b1", "x", "y"))
    rows = {row["path"]: row for row in documents.overview(con)}
    assert list(rows) == ["가", "나", "다", "라"]
    assert (rows["가"]["title"], rows["가"]["modified_at"], rows["가"]["clock"]) == ("규정", NIGHT, "hwp:summary13")
    assert (rows["가"]["chunks"], rows["나"]["chunks"]) == (2, None)
    assert (rows["다"]["clock"], rows["다"]["modified_at"]) == ("mtime", datetime.fromtimestamp(1_764_000_000, UTC))
    assert rows["라"]["state"] == "gone"
    asked = {
        "source", "path", "state", "format", "title", "modified_at", "clock", "expires_at", "duplicate_of",
        "superseded_by", "category", "reason", "chunks",
    }  # fmt: skip
    assert asked <= set(rows["가"])


# ── passages ──


def test_a_body_is_cut_once_from_its_representative(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con,
        [
            document("정책", "가_사본", "c2", "b1", duplicate_of="정책/나"),
            document("정책", "나", "c1", "b1"),
            document("정책", "스캔", "c3", "b3"),
            document("정책", "거절", "c4", "b4", state="rejected"),
        ],
    )
    documents.add_contents(
        con, [content("c1", "b1", title="원본"), content("c2", "b1", title="사본"), content("c4", "b4")]
    )
    documents.add_contents(
        con, [content("c1", "b1", version="p2", title="새 해석", parsed_at=NEXT), content("c3", None)]
    )
    upgraded(con, "c1")
    assert passages.bodies_to_cut(con, "c1") == [
        {"body_hash": "b1", "content_hash": "c1", "parser_version": "p2", "title": "새 해석", "chars": 10}
    ]
    store(con, body("b1", "x"))
    assert passages.bodies_to_cut(con, "c1") == []
    assert [row["body_hash"] for row in passages.bodies_to_cut(con, "c2")] == ["b1"], "another chunker cuts again"


def test_a_body_without_a_judged_duplicate_is_cut_from_the_document_seen_first(con: duckdb.DuckDBPyConnection) -> None:
    late = {**document("정책", "가", "c1", "b1"), "first_seen": NEXT}
    documents.add(con, [late, document("정책", "다", "c3", "b1"), document("정책", "나", "c2", "b1")])
    documents.add_contents(con, [content(name, "b1") for name in ("c1", "c2", "c3")])
    assert [row["content_hash"] for row in passages.bodies_to_cut(con, "c1")] == ["c2"]


def test_a_body_that_is_cut_again_leaves_no_old_chunks_and_no_text_twice(con: duckdb.DuckDBPyConnection) -> None:
    store(con, body("b1", "x", "y"), body("b2", "y"))
    store(con, body("b1", "y", "z", chunker="c2"))
    found = passages.chunks_of(con, ["b1", "b2", "none"])
    assert {body: [row["chunk_hash"] for row in rows] for body, rows in found.items()} == {
        "b1": ["y", "z"],
        "b2": ["y"],
    }
    assert fetch(con, "select chunk_hash from texts order by 1") == [{"chunk_hash": name} for name in "xyz"]
    assert one(con, "select count(*) from bodies") == 2
    passages.replace_bodies(con, [], [], [])


def served(con: duckdb.DuckDBPyConnection) -> None:
    """One body in two documents, one body of a gone document."""
    documents.add(
        con,
        [
            document("정책", "가", "c1", "b1"),
            document("정책", "나", "c1", "b1", duplicate_of="정책/가"),
            {**document("정책", "새것", "c2", "b2"), "mtime_ns": 1_764_999_000_000_000_000},
            document("정책", "간것", "c3", "b3", state="gone"),
        ],
    )
    documents.add_contents(con, [content("c1", "b1"), content("c2", "b2"), content("c3", "b3")])
    store(con, body("b1", "x", "y"), body("b2", "z"), body("b3", "w"))


def test_only_what_is_served_and_missing_is_tokenized_and_embedded(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    assert passages.texts_without_tokens(con, "k1") == ["x", "y", "z"]
    assert [key for key, _ in passages.keys_without_vector(con, "e1")] == ["z", "x", "y"], "newest documents first"
    assert passages.keys_without_vector(con, "e1")[0] == ("z", 7)
    assert passages.embedded_texts(con, ["z"]) == {"z": "장\n글 z"}
    assert passages.count_vectors_needed(con) == 3
    passages.add_tokens(con, "k1", [("x", "글 x")])
    passages.add_vectors(con, "e1", ["x", "z"], np.eye(2, 384, dtype=np.float32), NIGHT)
    assert passages.texts_without_tokens(con, "k1") == ["y", "z"]
    assert passages.texts_without_tokens(con, "k2") == ["x", "y", "z"]
    assert [key for key, _ in passages.keys_without_vector(con, "e1")] == ["y"]
    assert len(passages.keys_without_vector(con, "e2")) == 3, "vectors of another encoder don't count"


def test_vectors_come_back_as_float16(con: duckdb.DuckDBPyConnection) -> None:
    vectors = np.random.default_rng(7).normal(size=(3, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    passages.add_vectors(con, "e1", ["a", "b", "c"], vectors, NIGHT)
    rows = fetch(con, "select vector, made_at from vectors order by chunk_hash")
    read = np.stack([np.frombuffer(row["vector"], "<f2") for row in rows]).astype(np.float32)
    assert np.abs(1 - (read * vectors).sum(axis=1)).max() < 1e-3
    assert rows[0]["made_at"] == NIGHT


def test_places_are_asked_for_each_content_and_renewed_with_the_parser(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    needed = passages.places_needed(con)
    assert [(row["content_hash"], row["parser_version"], row["body_hash"]) for row in needed] == [
        ("c1", "p1", "b1"),
        ("c2", "p1", "b2"),
    ]
    place(con, "c1", "p1", "b1/x", "b1/y")
    place(con, "c2", "p1", "b2/z")
    assert passages.places_needed(con) == []
    documents.add_contents(con, [content("c1", "b1", version="p2", parsed_at=NEXT)])
    assert passages.places_needed(con) == []
    upgraded(con, "c1")
    assert [(row["content_hash"], row["parser_version"]) for row in passages.places_needed(con)] == [("c1", "p2")]
    place(con, "c1", "p2", "b1/x", "b1/y")
    assert passages.places_needed(con) == []
    assert one(con, "select count(*) from places") == 5
    passages.drop_unserved_places(con)
    assert one(con, "select count(*) from places") == 3
    passages.add_places(con, [])


def place(con: duckdb.DuckDBPyConnection, content_hash: str, version: str, *chunks: str) -> None:
    rows = [
        {"content_hash": content_hash, "parser_version": version, "chunk_id": chunk, "locator": {"page": 1}}
        for chunk in chunks
    ]
    passages.add_places(con, rows)


NO_ROWS = pa.table({"chunk_id": pa.array([], pa.string()), "row_hash": pa.array([], pa.string())})


def compared(
    con: duckdb.DuckDBPyConnection, live: pa.Table = NO_ROWS, retired: pa.Table = NO_ROWS, **other: Any
) -> pa.Table:
    versions: dict[str, Any] = {"encoder_id": "e1", "tokens_version": "k1", "rows_version": "r1", "max_tokens": 500}
    return index_rows.compare_rows(con, live, retired, **{**versions, "now": NIGHT, **other})


def ids(con: duckdb.DuckDBPyConnection) -> list[str]:
    return list(compared(con)["chunk_id"].to_pylist())


def hashes(con: duckdb.DuckDBPyConnection, **other: Any) -> dict[str, str]:
    found = compared(con, **other)
    return dict(zip(found["chunk_id"].to_pylist(), found["row_hash"].to_pylist(), strict=True))


def test_a_head_is_compared_row_by_row(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    known = hashes(con)
    head = pa.table({"chunk_id": ["b1/x", "b1/y", "b9/a"], "row_hash": [known["b1/x"], "another", "old"]})
    found = compared(con, head)
    changes = dict(zip(found["chunk_id"].to_pylist(), found["change"].to_pylist(), strict=True))
    assert changes == {"b1/x": "same", "b1/y": "changed", "b2/z": "new", "b9/a": "gone"}
    retired = compared(con, retired=head)
    assert sorted(zip(retired["change"].to_pylist(), retired["retired"].to_pylist(), strict=True)) == [
        ("gone", True), ("gone", True), ("gone", True), ("new", False), ("new", False), ("new", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        "update documents set path = '다른.md' where path = '가'",
        "update documents set flags = '[\"stale_parse\"]'",
        "update documents set superseded_by = '정책/새것'",
        "update documents set body_expires_at = timestamptz '2030-01-01'",
        "update documents set state = 'held'",
        "update documents set mtime_ns = mtime_ns + 1",
        "update documents set path = '또 다른 사본' where path = '나'",
        "update texts set n_tokens = n_tokens + 1",
        "update bodies set title = '다른 제목'",
        "insert into morphemes values ('x', 'k1', '글')",
        "insert into vectors values ('x', 'e1', '\\x00'::blob, now())",
        "insert into places values ('c1', 'p1', 'b1/x', '{}')",
    ],
)
def test_a_row_hash_changes_with_all_that_its_row_shows(con: duckdb.DuckDBPyConnection, change: str) -> None:
    served(con)
    before = hashes(con)["b1/x"]
    con.execute(change)
    assert hashes(con)["b1/x"] != before


def test_a_row_hash_changes_with_versions_and_with_the_hour_of_expiry(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    con.execute("update documents set body_expires_at = timestamptz '2030-01-01'")
    others: list[dict[str, Any]] = [{}, {"rows_version": "r2"}, {"max_tokens": 400}, {"tokens_version": "k2"}]
    others += [{"encoder_id": "e2"}, {"now": datetime(2031, 1, 1, tzinfo=UTC)}]
    assert len({hashes(con, **other)["b1/x"] for other in others}) == len(others)


def test_the_index_should_hold_each_passage_of_a_representative_once(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    documents.add_contents(con, [content("c1", "b1", version="p2", parsed_at=NEXT, title="새 제목")])
    upgraded(con, "c1")
    passages.add_tokens(con, "k1", [("x", "글")])
    passages.add_tokens(con, "k0", [("x", "옛")])
    passages.add_vectors(con, "e1", ["x"], np.eye(1, 384, dtype=np.float32), NIGHT)
    passages.add_vectors(con, "e0", ["x"], np.eye(1, 384, dtype=np.float32), NIGHT)
    place(con, "c1", "p2", "b1/x")
    rows = index_rows.rows_of(con, ids(con), encoder_id="e1", tokens_version="k1")
    assert [(row["chunk_id"], row["path"]) for row in rows] == [("b1/x", "가"), ("b1/y", "가"), ("b2/z", "새것")]
    first, second = rows[:2]
    assert (first["tokens"], len(first["vector"]), first["locator"]) == ("글", 768, '{"page":1}')
    assert (second["tokens"], second["vector"], second["locator"]) == (None, None, None)
    assert (first["title"], first["text"]) == ("제목 b1", "글 x")
    published = pa.table({"chunk_id": ["b1/x", "b9/a"]})
    assert passages.compare_ids(con, published) == (2, 1)
    assert passages.bodies_without(con, published) == 1


@pytest.mark.parametrize(
    ("state", "kept"),
    [("live", True), ("held", True), ("failed", True), ("superseded", True), ("expired", True), ("rejected", False),
     ("needs_ocr", False), ("gone", False)],
)  # fmt: skip
def test_a_state_decides_whether_passages_are_kept(con: duckdb.DuckDBPyConnection, state: str, kept: bool) -> None:
    documents.add(con, [document("정책", "가", "c1", "b1", state=state)])
    documents.add_contents(con, [content("c1", "b1")])
    store(con, body("b1", "x"))
    assert (compared(con).num_rows == 1) is kept


def test_a_document_that_never_gave_text_has_no_passages(con: duckdb.DuckDBPyConnection) -> None:
    row = {**document("정책", "가", "c1", "b1", state="failed"), "served_hash": None}
    documents.add(con, [row])
    store(con, body("b1", "x"))
    assert compared(con).num_rows == 0


def test_retired_and_withheld_passages_are_not_wanted_in_the_main_table(con: duckdb.DuckDBPyConnection) -> None:
    documents.add(
        con, [document("정책", "가", "c1", "b1"), document("정책", "나", "c2", "b2", state="superseded", retired=True)]
    )
    documents.add_contents(con, [content("c1", "b1"), content("c2", "b2")])
    store(con, body("b1", "x", "y"), body("b2", "z"))
    passages.put_withheld(con, {"b1/y": "empty"}, NIGHT)
    assert passages.compare_ids(con, pa.table({"chunk_id": ["b1/x"]})) == (0, 0)
    assert passages.chunk_counts(con) == {"정책": 2}


def test_what_is_withheld_keeps_its_date_until_it_is_let_in(con: duckdb.DuckDBPyConnection) -> None:
    passages.put_withheld(con, {"a": "empty", "b": "too long"}, NIGHT)
    passages.put_withheld(con, {"b": "not a number", "c": "empty"}, NEXT)
    assert fetch(con, "select * from withheld order by 1") == [
        {"chunk_id": "b", "reason": "not a number", "since": NIGHT},
        {"chunk_id": "c", "reason": "empty", "since": NEXT},
    ]
    passages.put_withheld(con, {}, NEXT)
    assert fetch(con, "select * from withheld") == []


def test_the_share_of_passages_with_a_vector_is_told(con: duckdb.DuckDBPyConnection) -> None:
    assert passages.vector_share(con, "e1") == 1.0
    served(con)
    assert passages.vector_share(con, "e1") == 0.0
    passages.add_vectors(con, "e1", ["x", "w"], np.eye(2, 384, dtype=np.float32), NIGHT)
    assert passages.vector_share(con, "e1") == pytest.approx(1 / 3)


def test_states_and_holders_are_told_by_source_and_body(con: duckdb.DuckDBPyConnection) -> None:
    served(con)
    assert passages.states(con) == {"정책": {"live": 3}}
    assert index_rows.holders_of(con, ["b1"]) == {"b1": [("정책", "가"), ("정책", "나")]}
    assert index_rows.served_names(con, "k1") == ["정책/가", "정책/나", "정책/새것"]


def test_morphemes_of_names_belong_to_their_version(con: duckdb.DuckDBPyConnection) -> None:
    passages.add_name_tokens(con, "k1", {"정책/휴가.hwp": "정책 휴가"})
    assert index_rows.name_tokens(con, "k1", ["정책/휴가.hwp", "정책/급여.hwp"]) == {"정책/휴가.hwp": "정책 휴가"}
    assert index_rows.name_tokens(con, "k2", ["정책/휴가.hwp"]) == {}


# ── findings and alerts ──


def test_findings_open_stay_and_are_resolved(con: duckdb.DuckDBPyConnection) -> None:
    def night(found: list[Finding], run: str, now: datetime, sources: list[str] | None = None) -> None:
        findings.sync(con, found, kinds=["stale_parse"], sources=sources, run_id=run, now=now)

    night([Finding("stale_parse", "정책", "가", {"nights": 1}), Finding("stale_parse", "개발", "나")], "r1", NIGHT)
    findings.sync(con, [Finding("gap", path="q")], kinds=["gap"], sources=None, run_id="r1", now=NIGHT)
    night([Finding("stale_parse", "정책", "가", {"nights": 2})], "r2", NEXT, sources=["정책"])
    rows = {(row["kind"], row["source"]): row for row in findings.opened(con)}
    assert set(rows) == {("stale_parse", "정책"), ("stale_parse", "개발"), ("gap", "")}
    kept = rows["stale_parse", "정책"]
    assert (kept["opened_at"], kept["opened_run"], kept["seen_run"], kept["detail"]) == (
        NIGHT,
        "r1",
        "r2",
        '{"nights":2}',
    )
    night([], "r3", NEXT)
    assert findings.counts(con) == {"gap": 1}
    resolved = fetch(con, "select resolved_at from findings where kind = 'stale_parse'")
    assert [row["resolved_at"] for row in resolved] == [NEXT, NEXT]


def test_a_finding_that_comes_back_is_opened_anew(con: duckdb.DuckDBPyConnection) -> None:
    for found, now in (
        ([Finding("gap", path="q")], NIGHT),
        ([], NEXT),
        ([Finding("gap", path="q")], NEXT + timedelta(1)),
    ):
        findings.sync(con, found, kinds=["gap"], sources=None, run_id="r", now=now)
    assert [row["opened_at"] for row in findings.opened(con)] == [NEXT + timedelta(1)]
    assert one(con, "select count(*) from findings") == 2


def test_a_finding_outside_the_named_scope_is_not_opened_twice(con: duckdb.DuckDBPyConnection) -> None:
    for _ in range(2):
        findings.sync(con, [Finding("gap", path="q")], kinds=["other"], sources=["정책"], run_id="r", now=NIGHT)
    assert len(findings.opened(con)) == 1


def alert(name: str, **values: Any) -> Row:
    return {
        "alert_id": name, "kind": "gap", "severity": "digest", "state": "open", "owner": "dev@example.com",
        "source": "개발", "path": "가", "evidence": {"score": 0.4}, "since": NIGHT, "changed_at": NIGHT,
        "news": "open", "told": None, "told_at": None, "mail_id": None, **values,
    }  # fmt: skip


def test_alerts_are_replaced_by_id_and_show_the_state_of_their_mail(con: duckdb.DuckDBPyConnection) -> None:
    findings.put_alerts(con, [])
    mail_id = outbox.queue(con, mail(), kind="digest", now=NIGHT)
    findings.put_alerts(con, [alert("a"), alert("b", mail_id=mail_id, news=None), alert("c", news=None)])
    outbox.mark(con, mail_id, state="sent", error=None, left=[], now=NIGHT)
    findings.put_alerts(con, [alert("a", state="resolved", news="resolved", changed_at=NEXT)])
    rows = findings.alerts(con)
    assert [(row["alert_id"], row["state"], row["mail"]) for row in rows] == [
        ("a", "resolved", "queued"),
        ("b", "open", "sent"),
        ("c", "open", None),
    ]
    assert rows[0]["evidence"] == '{"score":0.4}'


def test_an_accepted_alert_is_resolved_and_told_to_those_who_heard_of_it(con: duckdb.DuckDBPyConnection) -> None:
    lost = {"state": "open", "kind": "canary_lost", "severity": "urgent", "over": False}
    findings.put_alerts(con, [alert("told", kind="canary_moved", told=lost), alert("untold", kind="canary_new")])
    for name in ("told", "untold"):
        findings.accept_alert(con, name, NEXT)
    rows = {row["alert_id"]: (row["state"], row["kind"], row["news"]) for row in findings.alerts(con)}
    assert rows == {"told": ("resolved", "canary_lost", "resolved"), "untold": ("resolved", "canary_new", None)}


# ── canaries and decisions ──


def test_canaries_are_added_changed_and_removed(con: duckdb.DuckDBPyConnection) -> None:
    first, second = canaries.canary_id("연차는?"), canaries.canary_id("수수료는?")
    canaries.add(con, [{"canary_id": first, "query": "연차는?", "since": NIGHT}])
    canaries.add(con, [{"canary_id": second, "query": "수수료는?", "since": NEXT, "min_score": 0.5}])
    assert [(row["query"], row["min_score"], row["state"]) for row in canaries.active(con)] == [
        ("연차는?", 0.75, "new"),
        ("수수료는?", 0.5, "new"),
    ]
    canaries.change(con, [{"canary_id": first, "state": "ok", "baseline": 0.9}])
    canaries.change(con, [{"canary_id": second, "removed_at": NEXT}])
    assert [(row["query"], row["state"], row["baseline"]) for row in canaries.active(con)] == [("연차는?", "ok", 0.9)]


def test_a_question_typed_on_a_mac_is_the_same_canary() -> None:
    import unicodedata

    assert canaries.canary_id(unicodedata.normalize("NFD", "연차는?")) == canaries.canary_id("연차는?")


def test_answers_are_kept_and_come_back_newest_first(con: duckdb.DuckDBPyConnection) -> None:
    for night in range(5):
        asked = NIGHT + timedelta(days=night)
        canaries.add_history(
            con, [{"canary_id": name, "run_id": f"r{night}", "asked_at": asked, "score": night / 10} for name in "ab"]
        )
    assert [row["score"] for row in canaries.history(con, "a")] == [0.4, 0.3, 0.2, 0.1, 0.0]
    assert {row["run_id"] for row in canaries.last_answers(con)} == {"r4", "r3", "r2"}
    assert [row["run_id"] for row in canaries.last_answers(con, 1)] == ["r4", "r4"]


def test_the_newest_standing_decision_counts(con: duckdb.DuckDBPyConnection) -> None:
    for name, subject, now in (("1", "b1", NIGHT), ("2", "b1", NEXT), ("3", "b2", NIGHT)):
        decisions.add(
            con, decision_id=name, kind="renew", subject=subject, value={"until": name, "왜": "연장"}, now=now
        )
    decisions.add(con, decision_id="4", kind="reject", subject="b1", value={}, now=NEXT)
    assert decisions.standing(con, "renew") == {"b1": {"until": "2", "왜": "연장"}, "b2": {"until": "3", "왜": "연장"}}
    con.execute("update decisions set undone_at = now() where decision_id = '2'")
    assert decisions.standing(con, "renew")["b1"]["until"] == "1"


# ── mails ──


def mail(number: int = 1, to: str = "pm@example.com") -> EmailMessage:
    message = EmailMessage()
    message["Message-ID"] = f"<digest-{number}@host>"
    message["To"] = to
    message["Subject"] = "[새로] 확인 2건: 제안서 폴더 (11월 30일)"
    message.set_content("확인할 것이 있습니다.")
    return message


def test_a_mail_is_queued_once_by_its_message_id(con: duckdb.DuckDBPyConnection) -> None:
    first = outbox.queue(con, mail(), kind="digest", now=NIGHT)
    assert outbox.queue(con, mail(), kind="digest", now=NEXT) == first
    second = outbox.queue(con, mail(2, '"김, 담당" <dev@example.com>, pm@example.com'), kind="urgent", now=NEXT)
    rows = outbox.unsent(con)
    assert [row["mail_id"] for row in rows] == [first, second]
    assert rows[0]["subject"] == "[새로] 확인 2건: 제안서 폴더 (11월 30일)"
    assert rows[0]["mime"] == mail().as_bytes()
    assert rows[1]["recipients"] == '["dev@example.com","pm@example.com"]'


def test_a_mail_without_a_message_id_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ValueError, match="Message-ID"):
        outbox.queue(con, EmailMessage(), kind="digest", now=NIGHT)


def test_a_mail_that_is_refused_too_often_is_a_dead_letter(con: duckdb.DuckDBPyConnection) -> None:
    mail_id = outbox.queue(con, mail(), kind="digest", now=NIGHT)
    for _ in range(outbox.MAX_ATTEMPTS - 1):
        outbox.mark(con, mail_id, state="queued", error="connection refused", left=["pm@example.com"], now=NIGHT)
    assert [row["attempts"] for row in outbox.unsent(con)] == [outbox.MAX_ATTEMPTS - 1]
    outbox.mark(con, mail_id, state="queued", error="connection refused", left=["pm@example.com"], now=NIGHT)
    assert outbox.unsent(con) == []
    row = outbox.mails(con)[0]
    assert (row["state"], row["last_error"], row["sent_at"]) == ("failed", "connection refused", None)
    assert "mime" not in row


def test_the_newest_mail_of_some_kinds_is_found(con: duckdb.DuckDBPyConnection) -> None:
    assert outbox.last_of(con, ("digest", "summary")) is None
    outbox.queue(con, mail(1), kind="digest", now=NIGHT)
    outbox.queue(con, mail(2), kind="urgent", now=NEXT)
    assert outbox.last_of(con, ("digest", "summary")) == NIGHT
    assert outbox.last_of(con, ("digest", "urgent")) == NEXT


@pytest.mark.parametrize("state", ["sent", "file"])
def test_a_mail_that_left_knows_when(con: duckdb.DuckDBPyConnection, state: str) -> None:
    mail_id = outbox.queue(con, mail(), kind="digest", now=NIGHT)
    outbox.mark(con, mail_id, state="queued", error="busy", left=["dev@example.com"], now=NIGHT)
    assert outbox.unsent(con)[0]["recipients"] == '["dev@example.com"]', "only those who are still to get it"
    outbox.mark(con, mail_id, state=state, error=None, left=[], now=NEXT)
    row = outbox.mails(con)[0]
    assert (row["state"], row["attempts"], row["last_error"], row["sent_at"]) == (state, 2, None, NEXT)
    assert outbox.unsent(con) == []


# ── runs ──


def end(con: duckdb.DuckDBPyConnection, run_id: str, now: datetime, outcome: str) -> None:
    runs.end(con, run_id, now, outcome=outcome, published=True, held=None, counts={"embedded": 3})


def test_runs_end_and_the_newest_is_found_by_outcome(con: duckdb.DuckDBPyConnection) -> None:
    assert runs.last(con) is None
    for number, outcome in enumerate(["success", "success", "failed"]):
        runs.begin(con, f"r{number}", "cli", NIGHT + timedelta(days=number))
        end(con, f"r{number}", NIGHT + timedelta(days=number, hours=1), outcome)
    newest, good = runs.last(con), runs.last(con, "success")
    assert newest is not None
    assert good is not None
    assert (newest["run_id"], newest["outcome"]) == ("r2", "failed")
    assert (good["run_id"], good["ended_at"], good["counts"]) == (
        "r1",
        NIGHT + timedelta(days=1, hours=1),
        '{"embedded":3}',
    )
    assert runs.count(con) == 2


def test_a_run_that_never_ended_was_killed(con: duckdb.DuckDBPyConnection) -> None:
    runs.begin(con, "r1", "schedule", NIGHT)
    assert runs.last(con) is None
    runs.begin(con, "r2", "schedule", NEXT)
    killed = runs.last(con)
    assert killed is not None
    assert (killed["run_id"], killed["outcome"], killed["ended_at"]) == ("r1", "killed", NEXT)
    runs.begin(con, "r2", "schedule", NEXT)
    assert one(con, "select count(*) from runs") == 2


def test_sources_are_replaced_by_name(con: duckdb.DuckDBPyConnection) -> None:
    runs.put_sources(con, [source_row("정책", 1), source_row("개발", 0)])
    runs.put_sources(con, [{**source_row("정책", 1), "reachable": False, "reason": "missing"}])
    runs.put_sources(con, [])
    assert {name: row["reachable"] for name, row in runs.sources(con).items()} == {"개발": True, "정책": False}
    assert list(runs.sources(con)) == ["개발", "정책"]


def test_publications_and_checks_are_written_down(con: duckdb.DuckDBPyConnection) -> None:
    runs.add_publication(
        con, {"version": 7, "table_name": "passages", "run_id": "r1", "published_at": NIGHT, "rows": 3}
    )
    assert one(con, "select version from publications") == 7
    good = {
        "run_id": "r1",
        "name": "unique ids",
        "passed": True,
        "unexpected": 0,
        "checked_at": NIGHT,
    }
    runs.add_checks(con, [good, {**good, "passed": False}])
    assert one(con, "select count(*) from checks where passed") == 1
