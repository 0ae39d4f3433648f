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
    r"(?<=[가-힣A-Za-z)\]%\"'”’][.!?。])(?<!e\.g\.)(?<![ap]\.m\.(?=\s[a-z\d(]))(?<!No\.)\s+|(?<=[0-9][.!?])\s+(?=[A-Z가-힣][^.\d])|;\s|\s[·•※▶]\s?"
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
            ruled = len(lines) > 1 and _RULE.match(text[slice(*lines[1])]) is not None
            ruled = ruled or "<th" in text[slice(*lines[0])]
            rows = [_cells(text, line) for line in lines if not _RULE.match(text[slice(*line)])]
            yield from _table(text, rows, unit, ruled)
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


def _table(text: str, rows: Sequence[Sequence[Span]], unit: str, ruled: bool) -> Iterator[Statement]:
    """Yield the cells under their column's header and beside their row's first cell.

    Where no header is marked (`ruled`), a first row that states numbers itself is none: its labels stand each
    before their values. Years, quarters and months over the columns are a header always.
    """
    shown = [[_words_of(text, cell) for cell in row] for row in rows]
    if len(shown) > 1 and not any(shown[0]) and _are_periods(shown[1]):
        rows, shown = rows[1:], shown[1:]  # an empty header stands over a table that marks none
    if not shown:
        return
    headed = len(rows) > 1 and any(shown[0])
    marked = ruled and len(shown[0]) > 2  # two columns are a form often, whose first row the format made a header
    headed = headed and (marked or _are_periods(shown[0]) or not any(re.search(r"\d", cell) for cell in shown[0][1:]))
    for row, cells in list(zip(rows, shown, strict=True))[headed:]:
        for n, cell in enumerate(row):
            if not cells[n] or (headed and n == 0 and _PERIOD.fullmatch(_period(cells[n]))):
                continue
            header = _period(shown[0][n]) if headed and n < len(shown[0]) else ""
            beside = "" if n == 0 else _period(cells[0]) if headed else cells[n - 1]
            told = _UNIT.search(header) or _UNIT.search(beside)
            yield Statement(
                *cell,
                f"{beside} {header}".strip(),
                unit=told[1] if told else unit,
                row=cells[0] if n and headed else "",
            )


_SHORT_YEAR = re.compile(r"(?<![\d.])['’](\d\d)(?!\d|년)")
_YEAR = re.compile(r"(?<![\d.,])(?:FY\s?)?((?:19|20)\d\d)(?![\d,년]|\s?년|\s?[가-힣]*[명원개건대회])")
_YEAR_MONTH = re.compile(r"(?<![\d.,])((?:19|20)\d\d)[.\-/]\s?(1[0-2]|0?[1-9])(?![\d.\-/])\.?")
_QUARTER = re.compile(r"(?<![A-Za-z\d])([1-4])Q(?![A-Za-z\d])", re.IGNORECASE)
_PERIOD = re.compile(
    r"(?:(?:FY\s?)?(?:19|20)\d\d년도?|Q[1-4]|[1-4](?:/4)?\s?분기|[상하]반기|\d{1,2}월|\s)+"
    r"[(\[]?[가-힣A-Za-z\s]{0,6}[)\]]?"
)


def _are_periods(cells: Sequence[str]) -> bool:
    """Tell whether a row's cells but the first name periods, those left empty and sums apart."""
    said = [_period(cell) for cell in cells[1:] if re.search(r"\d|반기", cell)]
    return bool(said) and all(_PERIOD.fullmatch(cell) for cell in said)


def _period(label: str) -> str:
    """Return a label whose bare years and quarters (2025, '25, 2025.1, 1Q) are written out as sentences write them."""
    label = _SHORT_YEAR.sub(r"20\1년", _YEAR_MONTH.sub(r"\1년 \2월", label))
    return _QUARTER.sub(r"\1분기", _YEAR.sub(r"\1년", label))


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
