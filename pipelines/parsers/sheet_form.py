"""Forms in sheets: a label, then its value, perhaps twice or three times a row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.parsers.sheet_form_words import FORM_WORDS
from pipelines.parsers.sheet_grid import Grid

Row = tuple[int, dict[int, str]]

_MAX_LABEL_CHARS = 20
# Spaces set for looks and a unit or number in brackets: "사 업 명", "계약금액(원)", "1. 목적", "* 성명", "성명:".
_DRESSING = re.compile(r"^(?:[\d]{1,2}[.)]|[*○□ㅇ•·-])|[\s]|[(\[][^)\]]*[)\]]$|[:：]$")


def is_form_label(text: str) -> bool:
    """Tell whether a cell asks for a value: a word of forms, or a short text that ends in a colon.

    A row whose first cell says such a word, and whose second doesn't, is an entry of a form; a header says several of
    them side by side.
    """
    if len(text) > _MAX_LABEL_CHARS:
        return False
    if text.rstrip().endswith((":", "：")):
        return True
    return _DRESSING.sub("", re.sub(r"\s", "", text)).lower() in FORM_WORDS


def is_entry(cells: dict[int, str]) -> bool:
    """Tell whether a row reads as label, value (and again label, value) of a form."""
    texts = [text for _, text in sorted(cells.items())]
    if len(texts) < 2 or not is_form_label(texts[0]):
        return False
    if len(texts) > 3:
        return is_form_label(texts[2]) and not (is_form_label(texts[1]) and is_form_label(texts[3]))
    return not is_form_label(texts[1])


def is_form(rows: Sequence[Row]) -> bool:
    """Tell whether rows are entries of a form: the first one, and more than half of those with two cells."""
    pairs = [cells for _, cells in rows if len(cells) > 1]
    if len(pairs) < 2 or not is_entry(pairs[0]):
        return False
    return sum(map(is_entry, pairs)) > len(pairs) / 2


def paired(number: int, cells: dict[int, str], grid: Grid) -> tuple[str, ...]:
    """Return a form's row with each label and its value as one text: "성명: 홍길동"."""
    labels = _labels(number, cells, grid)
    found: list[str] = []
    waiting = ""
    for column, text in sorted(cells.items()):
        if waiting and column not in labels:
            mark = "" if waiting.endswith((":", "：")) else ":"
            found.append(f"{waiting}{mark} {text}")
            waiting = ""
            continue
        found += [waiting] if waiting else []
        waiting = text if column in labels else ""
        found += [] if waiting else [text]
    return (*found, *([waiting] if waiting else []))


def _labels(number: int, cells: dict[int, str], grid: Grid) -> set[int]:
    """Return the columns of the labels: words of forms, or else cells that stand out beside cells that don't."""
    said = {column for column, text in cells.items() if is_form_label(text)}
    if said or grid.emphasised is None:
        return said
    marked = {column for column in cells if (number, column) in grid.emphasised}
    return marked if len(marked) < len(cells) and min(cells) in marked else set()
