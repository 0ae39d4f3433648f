"""Blocks are kept by content and parser version; a damaged file is said, never guessed at."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipelines.errors import Broken
from pipelines.records import Attachment, Block, Cell, Locator, Parsed
from resources.bodies import Bodies

HASH = "ab" * 32
PARSED = Parsed(
    "docx",
    (
        Block("heading", "총칙", level=2, number="제1장", locator=Locator(page=1)),
        Block("table", cells=(Cell(0, 0, (Block("paragraph", "금액"),), col_span=2),)),
        Block("record", labels=("이름", "값"), values=("가", "1"), locator=Locator(sheet="Sheet1", rows=(2, 2))),
    ),
    title="규정",
    modified_at=datetime(2026, 11, 30, tzinfo=UTC),
    clock="ooxml:modified",
    asides={"header": 1},
    warnings=("1 formula without a cached value",),
)


@pytest.fixture
def bodies(tmp_path: Path) -> Bodies:
    return Bodies(tmp_path / "bodies")


def test_what_was_parsed_comes_back(bodies: Bodies) -> None:
    bodies.put(HASH, "p1", PARSED)
    assert bodies.get(HASH, "p1") == PARSED
    assert bodies.path(HASH, "p1").parent.name == "ab"


def test_another_parser_version_is_another_file(bodies: Bodies) -> None:
    bodies.put(HASH, "p1", PARSED)
    assert bodies.has(HASH, "p1")
    assert not bodies.has(HASH, "p2")


def test_what_a_parser_version_stored_is_listed(bodies: Bodies) -> None:
    assert bodies.stored("p1") == set()
    bodies.put(HASH, "p1", PARSED)
    bodies.put("cd" * 32, "p1.1", PARSED)
    assert (bodies.stored("p1"), bodies.stored("p1.1"), bodies.stored("1")) == ({HASH}, {"cd" * 32}, set())


def test_attachments_are_documents_of_their_own(bodies: Bodies) -> None:
    bodies.put(HASH, "p1", Parsed("eml", (Block("paragraph", "본문"),), attachments=(Attachment("a.txt", b"x"),)))
    assert bodies.get(HASH, "p1").attachments == ()


def test_a_missing_file_is_broken(bodies: Bodies) -> None:
    with pytest.raises(Broken, match="missing or damaged"):
        bodies.get(HASH, "p1")


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_a_damaged_file_is_broken_and_named(bodies: Bodies, damage: str) -> None:
    bodies.put(HASH, "p1", PARSED)
    path = bodies.path(HASH, "p1")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes({"cut": bytes(data[:40]), "flipped": bytes(data), "empty": b"", "text": b"{}"}[damage])
    with pytest.raises(Broken) as said:
        bodies.get(HASH, "p1")
    assert str(path) in str(said.value)


@pytest.mark.parametrize("stored", [b"[]", b"{}", b'{"form":1}', b'{"form":1,"format":"txt","blocks":[1]}', b"\xff"])
def test_a_file_of_another_form_is_broken(bodies: Bodies, stored: bytes) -> None:
    import zstandard

    path = bodies.path(HASH, "p1")
    path.parent.mkdir(parents=True)
    path.write_bytes(zstandard.ZstdCompressor().compress(stored))
    with pytest.raises(Broken):
        bodies.get(HASH, "p1")
