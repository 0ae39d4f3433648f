"""Calibrations that were fitted here, one an encoder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from resources.ledger.rows import fetch, insert

if TYPE_CHECKING:
    import duckdb

Constants = dict[str, Any]


def constants_of(con: duckdb.DuckDBPyConnection, encoder_id: str) -> Constants | None:
    """Return the constants that were fitted for an encoder, None when none were."""
    rows = fetch(con, "select constants from calibrations where encoder_id = ?", [encoder_id])
    return json.loads(rows[0]["constants"]) if rows else None


def keep(con: duckdb.DuckDBPyConnection, row: dict[str, Any]) -> None:
    """Store a calibration in place of the encoder's earlier one."""
    con.execute("delete from calibrations where encoder_id = ?", [row["encoder_id"]])
    insert(con, "calibrations", [row])
