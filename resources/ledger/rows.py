"""Rows in and out of DuckDB."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


# Rows that are taken from DuckDB at once; all of them as tuples would double the room that they need.
_AT_ONCE = 2048


class PlainRow(Mapping[str, Any]):
    """A row that nobody writes to, in a third of the room that a dict takes: of each document one is held at once.

    `places` says where each column stands in `values`; all rows of a query share it.
    """

    __slots__ = ("_places", "_values")

    def __init__(self, places: Mapping[str, int], values: tuple[Any, ...]) -> None:
        self._places = places
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __repr__(self) -> str:
        return repr(dict(self))

    __hash__ = None  # type: ignore[assignment]


def fetch_plain(
    con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any] = ()
) -> tuple[dict[str, int], Iterator[tuple[Any, ...]]]:
    """Run a query; returns column -> place, and the rows as tuples, to be taken before the next query."""
    cursor = con.execute(sql, list(values))
    places = {column[0]: n for n, column in enumerate(cursor.description or [])}
    return places, _taken(cursor)


def _taken(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


def fetch(con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Run a query and return its rows as dicts."""
    cursor = con.execute(sql, list(values))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def one(con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any] = ()) -> Any:
    """Return the first column of the first row, or None."""
    row = con.execute(sql, list(values)).fetchone()
    return row[0] if row else None


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Iterable[dict[str, Any]]) -> int:
    """Append rows by column name through Arrow; returns how many. All rows must have the same keys."""
    listed = list(rows)
    if not listed:
        return 0
    return insert_arrow(con, table, _arrow(con, table, listed))


def insert_arrow(con: duckdb.DuckDBPyConnection, table: str, data: pa.Table) -> int:
    """Append an Arrow table by column name; columns that it lacks become NULL."""
    con.register("incoming", data)
    try:
        con.execute(f"insert into {table} by name select * from incoming")
    finally:
        con.unregister("incoming")
    return int(data.num_rows)


def update(con: duckdb.DuckDBPyConnection, table: str, keys: Sequence[str], rows: Iterable[dict[str, Any]]) -> int:
    """Set every other column of the rows that match on `keys`; one statement for all of them.

    All rows must have the same keys; returns how many were given.
    """
    listed = list(rows)
    columns = [name for name in listed[0] if name not in keys] if listed else []
    if not columns:
        return 0
    con.register("incoming", _arrow(con, table, listed))
    try:
        sets = ", ".join(f'"{name}" = incoming."{name}"' for name in columns)
        match = " and ".join(f'{table}."{key}" = incoming."{key}"' for key in keys)
        con.execute(f"update {table} set {sets} from incoming where {match}")
    finally:
        con.unregister("incoming")
    return len(listed)


def as_json(value: Any) -> str:
    """Return compact JSON with Korean left as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _arrow(con: duckdb.DuckDBPyConnection, table: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Return rows in the table's own types; raises ValueError for rows of different keys and times without a zone."""
    import pyarrow as pa

    names = list(rows[0])
    if any(row.keys() != rows[0].keys() for row in rows):
        raise ValueError(f"rows for {table} differ in their columns")
    schema = _schema(con, table, names)
    return pa.table(
        [pa.array([_plain(row[field.name]) for row in rows], field.type) for field in schema], schema=schema
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list | tuple):
        value = as_json(value)
    if isinstance(value, str) and not value.isascii():
        # A file name that isn't UTF-8 reaches messages and details; no text column takes a lone surrogate.
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError(f"a time without a zone: {value}")
    return value


def _schema(con: duckdb.DuckDBPyConnection, table: str, names: list[str]) -> Any:
    """The Arrow types of a table's columns, so that a column of NULLs keeps its type."""
    import pyarrow as pa

    listed = ", ".join(f'"{name}"' for name in names)
    schema = con.execute(f"select {listed} from {table} limit 0").to_arrow_table().schema
    return pa.schema([pa.field(f.name, pa.string() if "json" in str(f.type) else f.type) for f in schema])
