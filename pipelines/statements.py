"""Statements of a passage: its sentences, table cells and fields, each with the labels that it stands under."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise


@dataclass(frozen=True, slots=True)
class Statement:
    """The range `start`..`end` of the passage.

    label   column header and row, or "" for a sentence; `unit` is what the label says that its numbers are ("만원")
    before  what was said just before and may be meant still
    row     the first cell of its row, "" elsewhere
    """

    start: int
    end: int
    label: str = ""
    before: str = ""
    unit: str = ""
    row: str = ""


Span = tuple[int, int]
_SENTENCE = re.compile(
    r"(?<=[가-힣A-Za-z)\]%\"'”’][.!?。])(?<!e\.g\.)(?<!No\.)\s+|(?<=[0-9][.!?])\s+(?=[A-Z가-힣][^.\d])|;\s|\s[·•※▶]\s?"
)
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*$")
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>")
_FIELD = re.compile(r"(?:^|;\s)([^;:|]{1,40}):\s([^;]*)")
_MARK = re.compile(
    r"^\s*(?:#{1,6}\s|[-*+•]\s|>\s|\d{1,2}[.)]\s|\(\d{1,2}\)\s|[가-하][.)]\s|[①-⑳]\s?|제\s?\d+조(?:의\d+)?\s?)+"
)
_UNIT = re.compile(r"[(\[]\s?(?:단위\s?[:：]?\s?)?([가-힣A-Za-z%㎡]{1,6}(?:/[가-힣a-z]+)?)\s?[)\]]\s*$")
_UNIT_LINE = re.compile(r"단위\s?[:：]\s?([가-힣A-Za-z%㎡]{1,6})")
# Full-width forms that have a plain form of the same length; circled numbers stay, they number a list.
_FOLDED: dict[int, str] = {
    n: unicodedata.normalize("NFKC", chr(n))
    for n in range(0xFF01, 0xFFEF)
    if len(unicodedata.normalize("NFKC", chr(n))) == 1
} | {0x3000: " ", 0x00A0: " ", 0x2010: "-", 0x2011: "-", 0x2212: "-", 0x301C: "~", 0x2236: ":"}


def plain(text: str) -> str:
    """Return `text` with full-width signs as plain ones and without emphasis; every character keeps its place."""
    return re.sub(r"\*\*|__|`", lambda m: " " * len(m[0]), text.translate(_FOLDED))


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a passage that `plain` returned, in order."""
    unit = ""
    before = ""
    for in_table, group in groupby(_lines(text), lambda line: _is_row(text, line)):
        lines = list(group)
        if in_table:
            yield from _table(text, [_cells(text, line) for line in lines if not _RULE.match(text[slice(*line)])], unit)
            continue
        for line in lines:
            said = _UNIT_LINE.search(text, *line)
            unit = said[1] if said else unit
            found = list(_fields(text, line)) or list(_sentences(text, line, before))
            yield from found
            shown = text[slice(*line)].strip()
            if shown:
                before = (
                    shown[-120:] if shown.endswith((":", "다음과 같다.", "다음과 같습니다.", "아래와 같다.")) else ""
                )


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _is_row(text: str, line: Span) -> bool:
    shown = text[slice(*line)].strip()
    return (shown.startswith("|") and shown.count("|") > 1) or shown.startswith("<tr>")


def _cells(text: str, line: Span) -> list[Span]:
    if "<tr>" in text[slice(*line)]:
        return [m.span(1) for m in _CELL.finditer(text, *line)]
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", text[slice(*line)])]
    return [(line[0] + a + 1, line[0] + b) for a, b in pairwise(bars)]


def _table(text: str, rows: Sequence[Sequence[Span]], unit: str) -> Iterator[Statement]:
    """Yield the cells under their column's header and beside their row's first cell.

    A first row that states numbers itself is no header: the table is one of labels, each before its value.
    """
    shown = [[_words_of(text, cell) for cell in row] for row in rows]
    if not shown:
        return
    headed = len(rows) > 1 and any(shown[0]) and not any(re.search(r"\d", cell) for cell in shown[0][1:])
    headed = headed and not (
        len(shown[0]) == 2 and all(re.search(r"\d", row[-1]) is None for row in shown[1:] if row) and False
    )
    for row, cells in list(zip(rows, shown, strict=True))[headed:]:
        for n, cell in enumerate(row):
            if not cells[n]:
                continue
            header = shown[0][n] if headed and n < len(shown[0]) else ""
            beside = "" if n == 0 else cells[0] if headed else cells[n - 1]
            told = _UNIT.search(header) or _UNIT.search(beside)
            yield Statement(
                *cell,
                f"{beside} {header}".strip(),
                unit=told[1] if told else unit,
                row=cells[0] if n and headed else "",
            )


def _words_of(text: str, cell: Span) -> str:
    return re.sub(r"<[^>]*>|\*\*", " ", text[slice(*cell)]).strip()


def _fields(text: str, line: Span) -> Iterator[Statement]:
    """Yield the fields of a record line ("열: 값; 열: 값"), each beside the first one's value."""
    shown = text[slice(*line)]
    found = list(_FIELD.finditer(shown))
    if len(found) < 2 or found[0].start() > 0:
        return
    row = found[0][2].strip()
    for n, m in enumerate(found):
        told = _UNIT.search(m[1].strip())
        label = f"{row} {m[1]}" if n else m[1]
        yield Statement(
            line[0] + m.start(2), line[0] + m.end(2), label, unit=told[1] if told else "", row=row if n else ""
        )


def _sentences(text: str, line: Span, before: str) -> Iterator[Statement]:
    shown = text[slice(*line)]
    mark = _MARK.match(shown)
    start = mark.end() if mark else 0
    for m in [*_SENTENCE.finditer(shown, start), None]:
        end = m.start() if m else len(shown)
        if shown[start:end].strip():
            yield Statement(line[0] + start, line[0] + end, before=before)
            before = shown[start:end]
        start = m.end() if m else end
