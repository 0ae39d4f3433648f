"""The written texts of the corpus (a small Markdown) as our blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from office_makers import grid

from pipelines.records import Block

Value = str | int | float | date | None
_NUMBERED = re.compile(r"(\d+\.) (.+)")
_RULE = re.compile(r"\|[\s:|-]+\|$")
# Columns that hold names made of digits: "1.1" of a work breakdown is no decimal number.
_NAMES = ("번호", "선행", "코드")


def body(text: str) -> str:
    """Return `text` without its front matter."""
    return text.split("\n---\n", 1)[1].lstrip("\n") if text.startswith("---\n") else text


def blocks(text: str) -> list[Block]:
    """Return headings, paragraphs (one a line), items and tables in order; code fences are not part of this markup."""
    found: list[Block] = []
    table: list[list[str]] = []
    for line in [*body(text).split("\n"), ""]:
        if line.startswith("|"):
            if not _RULE.match(line):
                table.append(_cells(line))
            continue
        if table:
            found.append(grid(table))
            table = []
        if line.strip():
            found.append(_block(line))
    return found


def sheets(text: str) -> dict[str, list[list[Value]]]:
    """Return sheet name -> rows; each "# name" opens a sheet and is followed by one table."""
    found: dict[str, list[list[Value]]] = {}
    for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        header, *rows = list(table_rows(rest))
        found[name.strip()] = [list(header), *(_typed(header, row) for row in rows)]
    return found


def table_rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of the tables in `text`, header rows included."""
    for line in text.split("\n"):
        if line.startswith("|") and not _RULE.match(line):
            yield _cells(line)


def slides(text: str) -> list[tuple[str, list[Block]]]:
    """Return (title, blocks) of each slide; "---" stands between slides."""
    found = []
    for part in text.split("\n---\n"):
        heading, *rest = blocks(part)
        found.append((heading.text, rest))
    return found


def mail(text: str) -> tuple[dict[str, str], str]:
    """Return the header fields and the text of a mail."""
    head, _, content = text.partition("\n\n")
    return dict(line.split(": ", 1) for line in head.split("\n")), content


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _block(line: str) -> Block:
    if line.startswith("#"):
        marks, text = line.split(" ", 1)
        return Block("heading", text, level=len(marks))
    if line.startswith("- "):
        return Block("item", line[2:], level=1)
    numbered = _NUMBERED.fullmatch(line)
    if numbered:
        return Block("item", numbered[2], level=1, number=numbered[1])
    return Block("paragraph", line)


def _typed(header: Sequence[str], row: Sequence[str]) -> list[Value]:
    return [_value(text, label) for label, text in zip(header, row, strict=True)]


def _value(text: str, label: str) -> Value:
    if not text:
        return None
    if label.endswith(_NAMES):
        return text
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return date.fromisoformat(text)
    if re.fullmatch(r"\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"\d+\.\d+", text) else text
