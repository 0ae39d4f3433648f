"""The index: desired rows in, published rows out."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from index_rows import NOW, row

from pipelines.errors import Broken, Refused, TryAgain
from resources.index import Index
from resources.published import FILE, Published, read_published
from resources.reader import IndexReader
from resources.rows import rows_table

DIMENSION = 4
# lancedb and lance keep worker threads and unclosed handles of their own.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    yield Index(tmp_path / "index", "test@0/fp32/512", DIMENSION)


def fill(index: Index, rows: list[dict[str, Any]], delete_ids: list[str] | None = None) -> None:
    index.live.apply(rows_table(rows, DIMENSION), delete_ids or [])
    index.optimize()


def publish(index: Index, run_id: str = "r1") -> Published:
    return index.publish(index.candidate(calibration="c", chunker="1", run_id=run_id, now=NOW))


def ids(rows: list[dict[str, Any]]) -> list[int]:
    return [int(one["chunk_id"], 16) for one in rows]


def test_keys_of_the_head_are_the_rows_that_were_written(index: Index) -> None:
    assert index.live.keys().num_rows == 0
    rows = [row(1), row(2)]
    fill(index, rows)
    keys = index.live.keys().to_pylist()
    assert sorted(map(tuple, (one.values() for one in keys))) == [(one["chunk_id"], one["row_hash"]) for one in rows]


def test_a_document_is_replaced_in_one_version(index: Index) -> None:
    fill(index, [row(1), row(2), row(3)])
    before = index.live.version
    index.live.apply(rows_table([row(4), row(3, text="새 본문")], DIMENSION), [row(1)["chunk_id"], row(2)["chunk_id"]])
    assert index.live.version == before + 1
    publish(index)
    assert {one["text"] for one in IndexReader(index.folder).get()} == {"본문 4", "새 본문"}


def test_the_same_chunk_twice_is_an_error(index: Index) -> None:
    with pytest.raises(Broken, match="same chunk twice"):
        index.live.apply(rows_table([row(1), row(1)], DIMENSION))


def test_nothing_to_do_makes_no_version(index: Index) -> None:
    fill(index, [row(1)])
    before = index.live.version
    fill(index, [])
    assert index.live.version == before


def test_one_optimization_is_enough(index: Index) -> None:
    fill(index, [row(number) for number in range(30)])
    fill(index, [row(number) for number in range(30, 40)], [row(number)["chunk_id"] for number in range(15)])
    before = index.live.version
    index.optimize()
    assert index.live.version == before and index.live.count() == 25


def test_deleting_from_an_index_that_was_wiped_does_nothing(index: Index) -> None:
    fill(index, [], ["gone"])
    assert index.live.count() == 0


def test_readers_keep_the_published_version(index: Index) -> None:
    fill(index, [row(1)])
    publish(index)
    reader = IndexReader(index.folder)
    fill(index, [row(2)], [row(1)["chunk_id"]])
    assert ids(reader.get()) == ids(IndexReader(index.folder).get()) == [1]
    publish(index, "r2")
    assert ids(reader.get()) == [1]
    assert ids(IndexReader(index.folder).get()) == [2]


def test_vectors_and_full_text_are_found_with_their_scores(index: Index) -> None:
    fill(index, [row(1), row(2, tokens="API =api_v3"), row(3, vector=None, tokens="API")])
    publish(index)
    reader = IndexReader(index.folder)
    near = reader.vector(np.array([1, 0, 0, 0], np.float32), 5)
    assert ids(near) == [1, 2]
    assert near[0]["cosine"] == pytest.approx(np.cos(0.1), abs=1e-5)
    assert near[0]["vector"].shape == (DIMENSION,)
    hits = reader.full_text("=api_v3 API", 5)
    assert ids(hits) == [2, 3] and hits[0]["bm25"] > hits[1]["bm25"] > 0
    assert hits[1]["vector"] is None and hits[0]["heading"] == ["제1장", "총칙"] and hits[0]["modified_at"] == NOW


def test_both_sides_are_drawn_at_once(index: Index) -> None:
    fill(index, [row(1), row(2, tokens="API =api_v3"), row(3, vector=None, tokens="API")])
    publish(index)
    reader = IndexReader(index.folder)
    query = np.array([1, 0, 0, 0], np.float32)
    near, hits = reader.draw(query, "=api_v3 API", 5, "true")
    assert (ids(near), ids(hits)) == ([1, 2], [2, 3])
    assert near[0].keys() - hits[0].keys() == {"cosine"} and hits[0].keys() - near[0].keys() == {"bm25"}
    assert ids(reader.draw(query, "", 1)[0]) == [1] and reader.draw(None, "", 1) == ([], [])


def test_rows_added_after_the_first_load_are_found(index: Index) -> None:
    fill(index, [row(1)])
    index.live.apply(rows_table([row(2, tokens="환불 규정")], DIMENSION))
    publish(index)
    assert ids(IndexReader(index.folder).full_text("환불", 5)) == [2]
    index.optimize()
    publish(index, "r2")
    assert ids(IndexReader(index.folder).full_text("환불", 5)) == [2]


def test_a_condition_is_applied_before_the_search(index: Index) -> None:
    fill(index, [row(1), row(2, source="회의 '24")])
    publish(index)
    reader = IndexReader(index.folder)
    where = "source = 'x' or source = '회의 ''24'"
    assert ids(reader.full_text("결제", 1, where)) == [2]
    assert ids(reader.vector(np.array([1, 0, 0, 0], np.float32), 1, where)) == [2]
    assert reader.count(where) == 1


def test_the_reader_knows_when_the_first_row_expires(index: Index) -> None:
    fill(index, [row(1, expires_at=NOW + timedelta(days=1)), row(2)])
    publish(index)
    reader = IndexReader(index.folder)
    assert not reader.may_be_expired(NOW) and reader.may_be_expired(NOW + timedelta(days=1))
    assert not reader.may_be_expired(NOW, "retired")


def test_long_tokens_are_indexed_as_they_are(index: Index) -> None:
    long = "=" + "a" * 90 + "_Ä"
    fill(index, [row(1, tokens=f"{long} A"), row(2, tokens="a b")])
    publish(index)
    assert ids(IndexReader(index.folder).full_text(long, 5)) == [1]
    assert ids(IndexReader(index.folder).full_text("A", 5)) == [1]


def test_rollback_returns_to_the_publication_before_and_back(index: Index) -> None:
    fill(index, [row(1)])
    publish(index)
    with pytest.raises(Refused):
        index.rollback()
    fill(index, [row(2)])
    publish(index, "r2")
    assert index.rollback().run_id == "r1"
    assert ids(IndexReader(index.folder).get()) == [1]
    assert index.rollback().run_id == "r2"
    assert len(IndexReader(index.folder).get()) == 2


def test_publishing_the_same_rows_again_keeps_the_way_back(index: Index) -> None:
    fill(index, [row(1)])
    publish(index)
    fill(index, [row(2)])
    publish(index, "r2")
    publish(index, "r3")
    assert index.rollback().run_id == "r1"


def test_cleanup_keeps_what_is_published_and_what_was_before(index: Index) -> None:
    for number in range(1, 6):
        fill(index, [row(number)])
        if number in (2, 4):
            publish(index, f"r{number}")
    index.cleanup(timedelta(0), NOW)
    assert len(IndexReader(index.folder).get()) == 4
    index.rollback()
    assert len(IndexReader(index.folder).full_text("결제", 10)) == 2


def test_cleanup_drops_the_table_of_an_earlier_encoder_after_two_publications(index: Index) -> None:
    fill(index, [row(1)])
    publish(index)
    other = Index(index.folder, "other@1/fp32/512", DIMENSION)
    fill(other, [row(1)])
    publish(other, "r2")
    other.cleanup(timedelta(hours=1), datetime.now(UTC) + timedelta(days=1))
    assert index.live.exists
    fill(other, [row(2)])
    publish(other, "r3")
    other.cleanup(timedelta(hours=1), datetime.now(UTC) + timedelta(days=1))
    assert not index.live.exists and len(IndexReader(index.folder).get()) == 2


def test_a_held_night_publishes_only_the_deletions(index: Index) -> None:
    fill(index, [row(1, body_hash="leaves"), row(2)])
    index.retired.apply(rows_table([row(4), row(5, body_hash="leaves")], DIMENSION))
    publish(index)
    fill(index, [row(3)])
    record = index.without_others({"b"}, {"b"})
    assert record is not None
    index.publish(record)
    assert ids(IndexReader(index.folder).get()) == [2] and ids(IndexReader(index.folder).get(part="retired")) == [4]
    assert ids(IndexReader(index.folder).full_text("결제", 5)) == [2]
    assert index.without_others({"b"}, {"b"}) is None


def test_deletions_leave_the_published_table_of_another_encoder(index: Index) -> None:
    fill(index, [row(1, body_hash="leaves"), row(2)])
    publish(index)
    other = Index(index.folder, "other@1/fp32/512", 2 * DIMENSION)
    record = other.without_others({"b"}, {"b"})
    assert record is not None and (record.encoder, record.table) == (index.encoder_id, index.live.name)
    other.publish(record)
    assert ids(IndexReader(index.folder).get()) == [2] and other.live.keys().num_rows == 0


def test_the_remains_of_a_killed_removal_are_put_away(index: Index) -> None:
    fill(index, [row(1)])
    publish(index)
    for name in ("chunks-0123abcd.lance", "chunks-0123abcd.gone"):
        (index.folder / name / "data").mkdir(parents=True)
    index.cleanup(timedelta(0), NOW)
    index.mend()
    assert {path.name for path in index.folder.iterdir()} == {index.live.path.name, FILE}
    shutil.rmtree(index.live.path / "_versions")
    index.mend()
    assert read_published(index.folder) is None and index.live.keys().num_rows == 0
    fill(index, [row(2)])
    publish(index, "r2")
    assert ids(IndexReader(index.folder).get()) == [2]


def test_retired_rows_are_only_found_when_asked_for(index: Index) -> None:
    fill(index, [row(1)])
    index.retired.apply(rows_table([row(2)], DIMENSION))
    index.optimize()
    publish(index)
    reader = IndexReader(index.folder)
    assert ids(reader.full_text("결제", 5)) == [1]
    assert ids(reader.full_text("결제", 5, part="retired")) == [2]


def test_a_candidate_can_be_read_before_it_is_published(index: Index) -> None:
    fill(index, [row(1)])
    candidate = index.candidate(calibration="c", chunker="1", run_id="r1", now=NOW)
    with pytest.raises(Refused, match="nothing is published"):
        IndexReader(index.folder)
    assert ids(IndexReader(index.folder, candidate).get()) == [1]


def test_rows_come_in_the_order_asked(index: Index) -> None:
    fill(index, [row(1), row(2), row(3)])
    publish(index)
    asked = [row(3)["chunk_id"], "unknown", row(1)["chunk_id"]]
    assert ids(IndexReader(index.folder).rows(asked)) == [3, 1]


def test_an_empty_index_can_be_published_and_searched(index: Index) -> None:
    index.optimize()
    publish(index)
    reader = IndexReader(index.folder)
    assert reader.get() == reader.full_text("결제", 5) == reader.vector(np.ones(4, np.float32), 5) == []


def test_a_wiped_table_or_a_torn_record_is_named(index: Index) -> None:
    fill(index, [row(1)])
    record = publish(index)
    assert read_published(index.folder) == record
    index.live.path.rename(index.folder / "elsewhere")
    with pytest.raises(Broken, match="is missing"):
        IndexReader(index.folder).get()
    (index.folder / FILE).write_text("{", encoding="utf-8")
    with pytest.raises(Broken, match="can't be read"):
        read_published(index.folder)


@pytest.mark.parametrize("part", ["data", "_indices", "_versions"])
def test_a_search_of_a_torn_table_says_what_mends_it(index: Index, part: str) -> None:
    fill(index, [row(number) for number in range(30)])
    publish(index)
    for path in (index.live.path / part).rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:10])
    with pytest.raises(Broken, match="saero refresh"):
        IndexReader(index.folder).draw(np.ones(DIMENSION, np.float32), "환불", 5)


def test_the_reader_never_loads_lancedb() -> None:
    code = "import sys, resources.reader, lance; print('lancedb' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"] and not done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_table_that_finds_no_room_says_so(index: Index, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise RuntimeError(f"lance error: LanceError(IO): it doesn't fit (os error {number}), writer.rs:258")

    monkeypatch.setattr("resources.table.RowTable._merge", no_room)
    with pytest.raises(TryAgain, match="the disk is full"):
        index.live.apply(rows_table([row(1)], DIMENSION))


@pytest.mark.parametrize("part", ["data", "_versions", "_indices"])
def test_a_torn_table_is_named_and_put_away(index: Index, part: str, caplog: pytest.LogCaptureFixture) -> None:
    fill(index, [row(1), row(2)])
    publish(index)
    for path in (index.live.path / part).rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    index.mend()
    assert "damaged" in caplog.text and index.live.name in caplog.text
    assert index.live.keys().num_rows == 0 and read_published(index.folder) is None
    fill(index, [row(1), row(2)])
    index.mend()
    assert index.live.keys().num_rows == 2
