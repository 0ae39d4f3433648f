"""status.json: search reads it instead of the ledger."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipelines.stale import Status
from resources.settings import load_settings
from resources.status import read_status, settings_digest, write_status

STATUS = Status(
    succeeded_at=datetime(2026, 11, 30, 2, 5, 6, 789, tzinfo=UTC),
    last_failed=True,
    held="canaries lost their passages: 연차",
    unreachable=("공유",),
    settings="abc",
    encoder="e5",
    unsearched=({"source": "정책", "path": "스캔.pdf", "category": "needs_ocr"},),
    vectors_share=0.5,
)


@pytest.mark.parametrize("status", [STATUS, Status()])
def test_what_a_run_leaves_is_what_search_reads(tmp_path: Path, status: Status) -> None:
    write_status(tmp_path / "state" / "status.json", status)
    assert read_status(tmp_path / "state" / "status.json") == status


def test_before_the_first_run_the_status_is_empty(tmp_path: Path) -> None:
    assert read_status(tmp_path / "status.json") == Status()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"null",
        b"{}",
        b'{"succeeded_at": 3}',
        b"\xff",
        b'{"succeeded_at":"x","unreachable":[],"unsearched":[]}',
    ],
)
def test_a_damaged_file_reads_as_empty(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "status.json").write_bytes(damage)
    assert read_status(tmp_path / "status.json") == Status()


BASE = "[sources.a]\npath = 'a'\n"


def digest(tmp_path: Path, text: str) -> str:
    (tmp_path / "saero.toml").write_text(text, encoding="utf-8")
    return settings_digest(load_settings(str(tmp_path / "saero.toml")))


@pytest.mark.parametrize(
    "change",
    ["[sources.b]\npath = 'b'", "exclude = ['*.bak']", "versions = 'list'", "[encoder]\nmodel = 'other'",
     "[limits]\nstream_mb = 1"],
)  # fmt: skip
def test_settings_that_shape_the_index_change_its_digest(tmp_path: Path, change: str) -> None:
    assert digest(tmp_path, BASE + change) != digest(tmp_path, BASE)


@pytest.mark.parametrize(
    "change",
    ["owner = 'pm@example.com'", "review_after = 'P30D'", "[mail]\nport = 26", "[limits]\nworkers = 2",
     "[[canaries]]\nquery = 'q'"],
)  # fmt: skip
def test_settings_of_mails_and_speed_do_not(tmp_path: Path, change: str) -> None:
    assert digest(tmp_path, BASE + change) == digest(tmp_path, BASE)
