"""Notes and threaded comments of a sheet (ECMA-376 part 1, 18.7; MS-XLSX 2.6.204)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pipelines.parsers.ooxml_comments import said
from pipelines.parsers.ooxml_xml import child
from pipelines.parsers.xlsx_strings import rich_text

# The author that Excel gives the note which it writes for programs that know no threads.
_STAND_IN = "tc="


class Remark(NamedTuple):
    """What a person says of a cell."""

    cell: str
    text: str


def notes(root: Any) -> list[Remark]:
    """Return the notes of a part."""
    authors = [" ".join((one.text or "").split()) for one in root.iter("{*}author")]
    return [Remark(one.get("ref", ""), _noted(one, authors)) for one in root.iter("{*}comment")]


def threaded(root: Any, people: Mapping[str, str]) -> list[Remark]:
    """Return the comments of a part, replies last for each cell; `people` are names by id."""
    found = sorted(root.iter("{*}threadedComment"), key=lambda one: bool(one.get("parentId")))
    return [
        Remark(one.get("ref", ""), said(people.get(one.get("personId", ""), ""), _text(child(one, "text"))))
        for one in found
    ]


def remarks(noted: list[Remark], said_in_threads: list[Remark]) -> list[str]:
    """Return "cell: author: text" for each, by cells; a note that only stands for a thread gives way to it."""
    by_cell: dict[str, list[Remark]] = {}
    threads = {one.cell for one in said_in_threads}
    for one in noted:
        by_cell.setdefault(one.cell, []).extend([] if one.cell in threads else [one])
    for one in said_in_threads:
        by_cell.setdefault(one.cell, []).append(one)
    return [f"{cell}: {one.text}" for cell, all_said in by_cell.items() for one in all_said if one.text]


def _noted(note: Any, authors: list[str]) -> str:
    text = child(note, "text")
    place = note.get("authorId", "")
    author = authors[int(place)] if place.isdecimal() and len(place) < 10 and int(place) < len(authors) else ""
    words = rich_text(text) if text is not None else ""
    return said("" if author.startswith(_STAND_IN) else author, words)


def _text(element: Any) -> str:
    return element.text or "" if element is not None else ""
