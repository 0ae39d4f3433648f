"""The rows of the index: their columns, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

# A change of the columns needs another table: it is part of the table's name.
SCHEMA_VERSION = 1

_MOMENT = pa.timestamp("us", tz="UTC")


def row_schema(dimension: int) -> pa.Schema:
    """Return the columns of a row. locator, also_in and flags are JSON; vector is null until it is embedded."""
    text, needed = pa.string(), False
    return pa.schema(
        [
            pa.field("chunk_id", text, needed),
            pa.field("body_hash", text, needed),
            pa.field("chunk_hash", text, needed),
            pa.field("row_hash", text, needed),
            pa.field("text", text, needed),
            pa.field("tokens", text, needed),
            pa.field("title", text),
            pa.field("heading", pa.list_(text)),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
            pa.field("source", text, needed),
            pa.field("path", text, needed),
            pa.field("format", text, needed),
            pa.field("locator", text, needed),
            pa.field("also_in", text, needed),
            pa.field("modified_at", _MOMENT),
            pa.field("clock", text),
            pa.field("expires_at", _MOMENT),
            pa.field("flags", text, needed),
            pa.field("encoder_id", text, needed),
            pa.field("ordinal", pa.int32(), needed),
            pa.field("n_tokens", pa.int32(), needed),
        ]
    )


def rows_table(rows: Iterable[Mapping[str, Any]], dimension: int) -> pa.Table:
    """Make the Arrow table of some rows."""
    schema = row_schema(dimension)
    listed = list(rows)
    columns = [
        _vectors([row.get("vector") for row in listed], dimension)
        if field.name == "vector"
        else pa.array([row.get(field.name) for row in listed], field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows as dicts; vector is a (dimension,) float32 array or None."""
    plain = table.drop_columns(["vector"]) if "vector" in table.column_names else table
    rows: list[dict[str, Any]] = plain.to_pylist()
    if "vector" in table.column_names:
        column = table.column("vector").combine_chunks()
        present = column.is_valid().to_pylist()
        numbers = iter(np.asarray(column.flatten()).reshape(-1, column.type.list_size))
        for row, there in zip(rows, present, strict=True):
            row["vector"] = next(numbers) if there else None
    return rows


def _vectors(vectors: list[Any], dimension: int) -> pa.Array:
    numbers = np.zeros((len(vectors), dimension), np.float32)
    for index, vector in enumerate(vectors):
        if vector is not None:
            numbers[index] = vector
    missing = pa.array([vector is None for vector in vectors], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), dimension, mask=missing)
