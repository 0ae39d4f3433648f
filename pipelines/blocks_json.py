"""How a parsed document is kept: compact JSON, so that a new chunker needs no parser."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

from pipelines.records import Aside, Block, Cell, Locator, Parsed

# Told in every file; a reader of another form must parse the document again rather than guess.
FORM = 1


def dump(parsed: Parsed) -> bytes:
    """Return everything but the attachments as UTF-8 JSON; fields at their default are left out."""
    kept = _changed(parsed, skip=("attachments",))
    return json.dumps({"form": FORM, **kept}, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def load(data: bytes) -> Parsed:
    """Return what `dump` was given, without attachments; raises ValueError for another form."""
    kept = json.loads(data)
    if not isinstance(kept, dict) or kept.pop("form", None) != FORM:
        raise ValueError(f"stored blocks are not of form {FORM}; parse the document again")
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    kept["blocks"] = tuple(_block(block, shared) for block in kept["blocks"])
    for clock in ("modified_at", "created_at"):
        if clock in kept:
            kept[clock] = datetime.fromisoformat(kept[clock])
    for listed in ("ocr_pages", "warnings"):
        kept[listed] = tuple(kept.get(listed, ()))
    kept["apart"] = tuple(_aside(aside) for aside in kept.get("apart", ()))
    return Parsed(**kept)


def _changed(record: Any, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a record that differ from their default; a field without one always."""
    return {
        field.name: _plain(value)
        for field in fields(record)
        if field.name not in skip and (value := getattr(record, field.name)) != field.default and value != {}
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Block | Cell | Locator | Aside):
        return _changed(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


def _block(kept: dict[str, Any], shared: dict[tuple[str, ...], tuple[str, ...]]) -> Block:
    """Rebuild a block; the records of one sheet share one tuple of labels, as the parser made them."""
    if "cells" in kept:
        kept["cells"] = tuple(_cell(cell, shared) for cell in kept["cells"])
    if "labels" in kept:
        labels = tuple(kept["labels"])
        kept["labels"] = shared.setdefault(labels, labels)
    if "values" in kept:
        kept["values"] = tuple(kept["values"])
    if "locator" in kept:
        kept["locator"] = _locator(kept["locator"])
    return Block(**kept)


def _cell(kept: dict[str, Any], shared: dict[tuple[str, ...], tuple[str, ...]]) -> Cell:
    kept["blocks"] = tuple(_block(block, shared) for block in kept["blocks"])
    return Cell(**kept)


def _aside(kept: dict[str, Any]) -> Aside:
    if "locator" in kept:
        kept["locator"] = _locator(kept["locator"])
    return Aside(**kept)


def _locator(kept: dict[str, Any]) -> Locator:
    if "rows" in kept:
        first, last = kept["rows"]
        kept["rows"] = (first, last)
    return Locator(**kept)
