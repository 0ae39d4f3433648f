"""The words of a document, whatever format, line breaks or spelling of white space they came in."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator

from pipelines.heading import heading_text, is_heading
from pipelines.records import Block, Parsed

# White space to a reader that str.isspace doesn't know: zero width space, byte order mark, soft hyphen.
_INVISIBLE = ("\u200b", "\ufeff", "\u00ad")

# Titles that programs write by themselves. Compared without white space, in lower case.
_GENERIC = re.compile(
    r"""(?:untitled|제목없음|무제|새문서|빈문서|noname|slide|슬라이드|title|제목|cover|
        (?:microsoft(?:office)?)?(?:word|excel|powerpoint)(?:문서|document|프레젠테이션|presentation|워크시트)?|
        (?:제목없는)?(?:document|문서|presentation|프레젠테이션|sheet|book|통합문서|untitleddocument|한글문서)|
        newmicrosoft.*|printjob|스캔|scan|image
       )[\s_\-()]*\d*""",
    re.VERBOSE,
)
_PROGRAM_PREFIX = re.compile(r"microsoft(?:office)?(?:word|excel|powerpoint)[-–:]", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\S.*\.(?:hwpx?|hml|pdf|docx?|docm|dotx?|pptx?|pptm|xlsx?|xlsm|xls|eml|msg|txt|md|csv|html?|rtf|odt|indd|ai|psd|dwg)",
    re.IGNORECASE | re.DOTALL,
)


def squeeze(text: str) -> str:
    """Return `text` in NFC without any white space.

    NFC comes first, so that squeeze(a + " " + b) == squeeze(a) + squeeze(b) for every a and b.
    """
    text = unicodedata.normalize("NFC", text)
    for mark in _INVISIBLE:
        text = text.replace(mark, " ")
    return "".join(text.split())


def words(block: Block) -> str:
    """Return what `block` adds to the squeezed body: "" for notes and what a parser marked as outside."""
    if not block.in_body or block.kind == "note":
        return ""
    parts = [squeeze(block.number), squeeze(block.text)]
    for cell in sorted(block.cells, key=lambda cell: (cell.row, cell.col)):
        parts.extend(words(inner) for inner in cell.blocks)
    parts.extend(squeeze(value) for value in block.values)
    return "".join(parts)


def squeezed(blocks: Iterable[Block]) -> str:
    """Return the whole body: every word in reading order, NFC, no white space."""
    return "".join(map(words, blocks))


def compared_text(blocks: Iterable[Block]) -> str:
    """Return the words of the body with one space between blocks and between cells, NFC: what 5-grams are taken from.

    Unlike the squeezed body it keeps the spaces between words, which carry meaning in a comparison of texts.
    """
    return " ".join(part for block in blocks for part in _parts(block))


def _parts(block: Block) -> Iterator[str]:
    if not block.in_body or block.kind == "note":
        return
    yield from (part for text in (block.number, block.text) if (part := _spaced(text)))
    for cell in sorted(block.cells, key=lambda cell: (cell.row, cell.col)):
        for inner in cell.blocks:
            yield from _parts(inner)
    yield from (part for value in block.values if (part := _spaced(value)))


def _spaced(text: str) -> str:
    """Return `text` in NFC with single spaces, without marks that nobody sees."""
    text = unicodedata.normalize("NFC", text)
    for mark in _INVISIBLE:
        text = text.replace(mark, "")
    return " ".join(text.split())


def spans(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Return each block's closed-open range in the squeezed body; a block outside it has an empty one at its place."""
    ranges = []
    start = 0
    for block in blocks:
        end = start + len(words(block))
        ranges.append((start, end))
        start = end
    return ranges


def body_hash(blocks: Iterable[Block], content_hash: str) -> str:
    """Return the SHA-256 of the squeezed body; without any word, one that only equal bytes share."""
    text = squeezed(blocks) or f"bytes:{content_hash}"
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def title_of(parsed: Parsed) -> str:
    """Return the first level-1 heading of the body, else the embedded title unless a program made it up, else ""."""
    for block in parsed.blocks:
        if block.in_body and block.level == 1 and is_heading(block):
            return heading_text(block)
    title = " ".join(unicodedata.normalize("NFC", parsed.title or "").split())
    return "" if _is_generic(title) else title


def _is_generic(title: str) -> bool:
    bare = squeeze(title).lower()
    if not any(letter.isalpha() for letter in bare):
        return True
    return bool(_GENERIC.fullmatch(bare) or _PROGRAM_PREFIX.match(bare) or _FILE_NAME.fullmatch(title))
