"""Read canaries from a file: CSV as `saero canaries --csv` writes it, or TOML with [[canaries]]."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipelines.errors import Refused, SettingsError
from resources.ledger.canaries import canary_id
from resources.settings import CanarySettings

Row = dict[str, Any]
FIELDS = tuple(CanarySettings.model_fields)
# What `saero canaries --csv` writes besides: runs make it anew.
_OF_RUNS = frozenset({"canary_id", "origin", "state", "cause", "baseline", "pinned", "since"})
_FLAGS = ("critical", "must_fail")
_YES, _NO = frozenset({"true", "1", "yes", "y", "예", "o"}), frozenset({"", "false", "0", "no", "n", "아니오", "x"})
# An apostrophe before these is saero's own quoting (saero/output.py), not the question's.
_QUOTED = re.compile(r"'(?=[=+\-@\s＝＋－＠])")
_NAMED = 20


def read_canaries(path: Path) -> tuple[list[Row], list[Row]]:
    """Return the canaries of a file, and what it repeats (line, query, of: the line that has it first).

    Rows have `line`, `canary_id` and the fields of a canary. Raises SettingsError naming every bad row with its line,
    Refused when the file can't be read at all.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Refused(f"{path}: can't be read: {error.strerror}") from error
    text = unicodedata.normalize("NFC", _decoded(content, path))
    said = list(_of_toml(text, path) if path.suffix.lower() == ".toml" else _of_csv(text, path))
    if not said:
        raise Refused(f"{path}: no canary stands in it")
    rows, repeated, wrong = _checked(said)
    if wrong:
        more = [f"... and {len(wrong) - _NAMED} more"] if len(wrong) > _NAMED else []
        lines = [f"{path}: line {line}: {why}" for line, why in wrong[:_NAMED]]
        raise SettingsError("\n".join([*lines, *more, f"{path}: nothing was imported"]))
    return rows, repeated


def _decoded(content: bytes, path: Path) -> str:
    for encoding in ("utf-8-sig", "cp949"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Refused(f"{path}: neither UTF-8 nor CP949; save it as UTF-8 and try again")


def _of_csv(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    try:
        head = [name.strip().lower() for name in next(reader, [])]
        _judge_head(head, path)
        line = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, _row_of(head, cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise Refused(f"{path}: line {reader.line_num}: not readable as CSV: {error}") from error


def _judge_head(head: list[str], path: Path) -> None:
    if "query" not in head:
        raise Refused(f"{path}: line 1: no column query; the columns are {', '.join(FIELDS)}")
    unknown = [name for name in head if name and name not in FIELDS and name not in _OF_RUNS]
    twice = sorted({name for name in head if name and head.count(name) > 1})
    if unknown or twice:
        why = f"unknown column {', '.join(unknown)}" if unknown else f"column {', '.join(twice)} stands twice"
        raise Refused(f"{path}: line 1: {why}; the columns are {', '.join(FIELDS)}")


def _row_of(head: list[str], cells: list[str]) -> Row:
    """Return the cells that say something by column; "" names those beyond the head."""
    row: Row = {}
    for position, cell in enumerate(cells):
        value = _QUOTED.sub("", cell, count=1) if cell.startswith("'") else cell
        if value.strip():
            row[head[position] if position < len(head) else ""] = value.strip()
    return {name: value for name, value in row.items() if name not in _OF_RUNS}


def _of_toml(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    try:
        listed = tomllib.loads(text).get("canaries", [])
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{path}: not readable as TOML: {error}") from error
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise Refused(f"{path}: canaries: write each as a table [[canaries]]")
    lines = [n for n, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*canaries\s*\]\]", line)]
    for position, row in enumerate(listed):
        yield (lines[position] if len(lines) == len(listed) else position + 1), row


def _checked(said: list[tuple[int, Row]]) -> tuple[list[Row], list[Row], list[tuple[int, str]]]:
    """Return canaries, repetitions, and (line, why) of what is wrong."""
    first: dict[str, Row] = {}
    repeated: list[Row] = []
    wrong: list[tuple[int, str]] = []
    for line, values in said:
        try:
            fields = CanarySettings(**_typed(values)).model_dump()
        except ValidationError as error:
            wrong += [(line, _why(item)) for item in error.errors(include_url=False, include_input=False)]
            continue
        except ValueError as error:
            wrong.append((line, str(error)))
            continue
        fields["query"] = " ".join(fields["query"].split())
        row = {"line": line, "canary_id": canary_id(fields["query"]), **fields}
        if not row["query"]:
            wrong.append((line, "query: the question is empty"))
            continue
        same = first.setdefault(row["canary_id"], row)
        if same is row:
            continue
        if any(same[name] != row[name] for name in FIELDS):
            wrong.append((line, f"the question of line {same['line']} again, with other expectations"))
        repeated.append({"line": line, "query": row["query"], "of": same["line"]})
    return list(first.values()), repeated, wrong


def _typed(values: Row) -> Row:
    """Return cells in the types of a canary; raises ValueError for a flag that says neither yes nor no."""
    typed = dict(values)
    if "" in typed:
        raise ValueError("more cells than columns; put a text with commas in quotes")
    if "query" not in typed:
        raise ValueError("query: the question is empty")
    for name in _FLAGS:
        value = typed.get(name)
        if isinstance(value, str):
            if value.lower() not in _YES | _NO:
                raise ValueError(f"{name}: {value!r} is neither true nor false")
            typed[name] = value.lower() in _YES
    return typed


def _why(item: Any) -> str:
    key = ".".join(map(str, item["loc"]))
    said = "unknown key" if item["type"] == "extra_forbidden" else item["msg"].removeprefix("Value error, ")
    return f"{key}: {said}"
