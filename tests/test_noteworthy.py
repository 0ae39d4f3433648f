"""What the ledger picks for a night's findings is all that they need: the same is found in it as in all documents."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duration import Duration, parse_duration
from pipelines.findings import AHEAD, SOON, document_findings, latest_due, unsearched
from resources.ledger import Ledger, documents
from resources.ledger.noteworthy import around, noteworthy

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 11, 30, 17, tzinfo=UTC)
LIMITS = {"정책": parse_duration("P6M"), "매뉴얼": parse_duration("P1Y")}


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with Ledger(tmp_path).transaction() as con:
        yield con


def some_time(dice: random.Random) -> datetime | None:
    return dice.choice(
        [None, NOW + timedelta(days=dice.choice([-4000, -366, -365, -182, -180, -3, 0, 2, 13, 15, 400]))]
    )


def document(dice: random.Random, number: int) -> tuple[Row, Row]:
    """Return a document and its content; most have nothing to tell."""
    content = f"c{number}"
    served = dice.random() < 0.9
    dated = some_time(dice) or NOW
    row = documents.new_row(
        source=dice.choice(["정책", "개발", "매뉴얼"]),
        path=f"{number:03}.md",
        content_hash=content,
        served_hash=content if served else None,
        served_parser="p1" if served else None,
        body_hash=f"b{number % 90}",
        mtime_ns=int(dated.timestamp()) * 10**9,
        state=dice.choice(
            ["live"] * 6 + ["duplicate", "superseded", "expired", "held", "failed", "needs_ocr", "rejected"]
        ),
        category=dice.choice([None] * 8 + ["damaged", "needs_ocr", "unreadable"]),
        flags=dice.choice([[], ["stale_parse"]]),
        failed_runs=dice.choice([0, 1, 5]),
        hold_reason=dice.choice([None, "root", "mass_deletion"]),
        hold_nights=dice.choice([None, 3]),
        expires_at=some_time(dice),
        first_seen=NOW,
    )
    said = {
        "content_hash": content, "parser_version": "p1", "format": "md", "has_text": True, "chars": 9,
        "modified_at": some_time(dice), "clock": "embedded", "ocr_pages": dice.choice([None, [], [], [2, 3]]),
        "properties": dice.choice([None, {}, {"a": "b"}, {"expires_at": "2026-12-31"}, {"expires_at": "언젠가"}]),
        "parsed_at": NOW,
    }  # fmt: skip
    return row, said


def test_the_same_is_found_in_what_is_picked_as_in_all_documents(con: duckdb.DuckDBPyConnection) -> None:
    dice = random.Random(6)
    rows, contents = zip(*(document(dice, number) for number in range(700)), strict=True)
    documents.add(con, rows)
    documents.add_contents(con, contents)
    every = documents.present(con)
    old = {name: latest_due(limit, SEOUL, NOW) for name, limit in LIMITS.items()}
    picked = list(noteworthy(con, soon=NOW + SOON, ahead=NOW + AHEAD, old=old))
    found = []
    for listed in (every, picked):
        for row in listed:
            row["mtime"] = datetime.fromtimestamp(row["mtime_ns"] / 1e9, UTC)
        found.append(
            document_findings(
                listed,
                now=NOW,
                review_after=LIMITS,
                renewed={"b7": NOW, "b8": NOW - timedelta(days=400)},
                zone=SEOUL,
                unreachable={"개발": "missing"},
                replaced={},
            )
        )
    assert found[0] == found[1]
    assert len({finding.kind for finding in found[0]}) == 10
    assert unsearched(every) == unsearched(picked)
    assert len(picked) < len(every)


def test_without_rules_of_age_only_what_says_something_is_picked(con: duckdb.DuckDBPyConnection) -> None:
    quiet = documents.new_row(source="정책", path="가.md", mtime_ns=1_764_000_000_000_000_000)
    documents.add(con, [quiet, {**quiet, "path": "나.md", "category": "damaged"}])
    assert [row["path"] for row in noteworthy(con, soon=NOW, ahead=NOW, old={})] == ["나.md"]


@given(
    st.builds(Duration, st.integers(0, 40), st.integers(0, 400), st.timedeltas(timedelta(0), timedelta(days=9))),
    st.datetimes(datetime(2019, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
)
def test_nothing_is_due_whose_clock_is_later(limit: Duration, clock: datetime) -> None:
    if limit.after(clock, SEOUL) < NOW:
        assert clock <= latest_due(limit, SEOUL, NOW)


def test_around_a_place_are_its_twins_and_what_replaced_it(con: duckdb.DuckDBPyConnection) -> None:
    def row(path: str, served: str, **values: Any) -> Row:
        return documents.new_row(source="정책/인사", path=path, served_hash=served, **values)

    documents.add(
        con,
        [
            row("v1.md", "c1", superseded_by="정책/인사/v2.md"),
            row("v2.md", "c2"),
            row("사본.md", "c1"),
            row("옛.md", "c1", state="gone"),
            row("다른.md", "c3"),
        ],
    )
    assert {path for _, path in around(con, [("정책/인사", "v1.md")], ())} == {"v1.md", "v2.md"}
    assert {path for _, path in around(con, [], ["c1"])} == {"v1.md", "v2.md", "사본.md"}
    assert around(con, [], []) == {}
