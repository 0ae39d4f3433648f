"""Plain text: paragraphs at blank lines, headings only where Korean rules number their chapters and articles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from pipelines.errors import Empty
from pipelines.parsers.text import clean, decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Block, Limits, Parsed

# 제1편, 제2장, 제3절 stand alone on a short line; dot leaders and page numbers mean a table of contents.
_CHAPTER = re.compile(r"제\s?\d{1,3}\s?(편|장|절|관)(?:의\d+)?(?:\s+\S.{0,40})?")
_CONTENTS = re.compile(r"[.·…\s]{4,}\d+$|\t\d+$")
_ARTICLE = re.compile(r"(제\d{1,4}조(?:의\d{1,3})?\s?[(（][^()（）]{1,40}[)）])(?:\s+(\S.*))?")
# "제5조(기간) 및 제6조": a sentence that cites the article.
_CITING = re.compile(r"(및|또는|내지|제\d+조)(\s|$)")
_MAX_CHAPTER_CHARS = 80
_RANKS = ("편", "장", "절", "관", "조")
# Level 1 is left to a document's title.
_TOP_LEVEL = 2


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a text file; raises Empty for white space alone, Corrupt for an unknown encoding, TooLarge."""
    text, encoding = decode(read_whole(file, limits))
    replaced = text.count("\ufffd") if encoding.endswith("-replace") else 0
    blocks = text_blocks(text)
    if not blocks:
        raise Empty("the file holds only white space")
    warnings = (f"characters that the encoding can't read: {replaced}",) if replaced else ()
    return Parsed(format="txt", blocks=tuple(blocks), warnings=warnings)


def text_blocks(text: str) -> list[Block]:
    """Split text at blank lines and set numbered chapters and articles as headings."""
    paragraphs = list(_paragraphs(text))
    found = {rank for lines in paragraphs for line, fresh in _fresh(lines) if fresh and (rank := _rank(line))}
    levels = {rank: level for level, rank in enumerate((r for r in _RANKS if r in found), _TOP_LEVEL)}
    blocks: list[Block] = []
    for lines in paragraphs:
        kept: list[str] = []
        for line, fresh in _fresh(lines):
            rank = _rank(line) if fresh else ""
            if not rank:
                kept.append(line)
                continue
            _add(blocks, kept)
            heading, rest = _divide(line, rank)
            blocks.append(Block("heading", heading, level=levels[rank]))
            kept = [rest] if rest else []
        _add(blocks, kept)
    return blocks


def plain_paragraphs(text: str) -> list[Block]:
    """Split text at blank lines without looking for headings."""
    return [Block("paragraph", "\n".join(lines)) for lines in _paragraphs(text)]


def _paragraphs(text: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in clean(text.replace("\f", "\n\n").lstrip("\ufeff")).split("\n"):
        if line.strip():
            lines.append(line.strip(" \t\xa0\u3000\u200b\ufeff"))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _fresh(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line and whether it may begin something new: the line above ended, or was a heading."""
    ended = True
    for line in lines:
        yield line, ended
        ended = line.endswith((".", ":", ")", "다", ">", "]")) or bool(_rank(line))


def _rank(line: str) -> str:
    """Return 편, 장, 절, 관 or 조 when the line is a heading of it; "" otherwise."""
    chapter = _CHAPTER.fullmatch(line) if len(line) <= _MAX_CHAPTER_CHARS else None
    if chapter:
        return "" if _CONTENTS.search(line) or line.endswith((".", "다", ",")) else chapter[1]
    article = _ARTICLE.fullmatch(line)
    if article and not _CONTENTS.search(line[-_MAX_CHAPTER_CHARS:]) and not (article[2] and _CITING.match(article[2])):
        return "조"
    return ""


def _divide(line: str, rank: str) -> tuple[str, str]:
    article = _ARTICLE.fullmatch(line) if rank == "조" else None
    return (article[1], article[2] or "") if article else (line, "")


def _add(blocks: list[Block], lines: list[str]) -> None:
    if lines:
        blocks.append(Block("paragraph", "\n".join(lines)))
