"""Stored bodies: whether they are all there, and their blocks, read from the file again when they aren't."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pipelines.errors import Broken
from pipelines.outcome import worth_judging_again
from pipelines.parsers import PARSER_VERSION
from pipelines.records import Block
from resources.build import Run, Saero
from resources.ledger import documents as document_store
from resources.parsing import Task

Row = dict[str, Any]
Kept = Mapping[str, Any]  # a row as the ledger holds it: nobody writes to it

_log = logging.getLogger(__name__)


def doubtful(saero: Saero, contents: Mapping[str, Kept]) -> dict[str, Kept]:
    """Return the contents to be judged again: their blocks are lost, or the settings allow more than they did."""
    stored, limits = saero.bodies.stored(PARSER_VERSION), saero.limits
    return {
        content_hash: row
        for content_hash, row in contents.items()
        if (row["category"] is None and content_hash not in stored) or worth_judging_again(row, limits)
    }


def blocks_of(run: Run, content_hash: str, parser_version: str) -> tuple[Block, ...] | None:
    """Return the blocks of a served content; when they are lost or damaged, from its file.

    None when no file gives them any more: its folder is away, or it holds other bytes. What the ledger made of them
    before stays.
    """
    lost: set[tuple[str, str]] = run.memory.setdefault("lost_bodies", set())
    if (content_hash, parser_version) in lost:
        return None
    bodies = run.saero.bodies
    try:
        return bodies.get(content_hash, parser_version).blocks
    except Broken as error:
        _log.warning("%s", error)
    if parser_version == PARSER_VERSION and _read_again(run, content_hash):
        return bodies.get(content_hash, parser_version).blocks
    lost.add((content_hash, parser_version))
    return None


def _read_again(run: Run, content_hash: str) -> bool:
    """Store the blocks of a content anew; of an attachment, by reading its whole mail."""
    with run.saero.ledger.transaction("lost body") as con:
        files = document_store.files_holding(con, content_hash)
    for source, path, disk_path in files:
        run.opened_files += 1
        with run.saero.pool() as pool:
            for result in pool.run([Task(source, path, disk_path)]):
                if result.outcome == "parsed" and result.content_hash == content_hash:
                    run.saero.bodies.put(content_hash, PARSER_VERSION, result.parsed())
                    return True
    return False
