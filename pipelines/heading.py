"""Headings: as they are shown, and without the numbers that a new chapter moves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.records import Block

# A style put on a whole paragraph makes a "heading" of several sentences; it is treated as text.
HEADING_CHARS = 160

_NUMBERING = re.compile(
    r"""\s*(?:
        제\s*\d+\s*(?:편|부|장|절|관|조|항|과)(?:의\s*\d+)*[.:]?      # 제1장, 제5조의2
      | \d{1,2}(?:[.-]\d{1,3})*[.)](?=\s|[^\d\s])                     # 1. 1) 1.2. 1-2)
      | \d{1,2}(?:[.-]\d{1,3})+(?=\s|$)                               # 1.2, 2-1
      | \(\d{1,2}\) | \[\d{1,2}\]
      | [가나다라마바사아자차카타파하][.)](?=\s|$) | \([가나다라마바사아자차카타파하]\)
      | [\u2460-\u2473\u24d0-\u24e9\u3260-\u327b]                     # circled
      | [IVXivx]{1,5}[.)](?=\s|$) | [\u2160-\u217f]+[.)]?             # III. and the Roman numeral signs
      | [A-Za-z][.)](?=\s|$)
      | (?:chapter|section|part|article)\s+(?:\d+(?:\.\d+)*|[IVX]{1,5})\b[.:)]?
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)


def is_heading(block: Block) -> bool:
    """Tell whether a block heads a section: marked as a heading, with words, and no longer than a line or two."""
    return block.kind == "heading" and 0 < len(heading_text(block)) <= HEADING_CHARS and bool(block.text.strip())


def heading_text(block: Block) -> str:
    """Return a heading as one line, its number first."""
    return " ".join(f"{block.number} {block.text}".split())


def heading_paths(blocks: Iterable[Block]) -> list[tuple[str, ...]]:
    """Return for each block the headings over it, outermost first; a heading counts as its own."""
    paths = []
    levels: list[int] = []
    path: tuple[str, ...] = ()
    for block in blocks:
        if is_heading(block):
            while levels and levels[-1] >= block.level:
                levels.pop()
            path = (*path[: len(levels)], heading_text(block))
            levels.append(block.level)
        paths.append(path)
    return paths


def without_numbering(block: Block) -> str:
    """Return a heading as one line without its number, whether rebuilt or typed; "" when nothing is left.

    A year ("2026. 3. 1. 회의", "2026 계획") and a bare digit ("5 Whys") are words, not numbering.
    """
    text = " ".join(block.text.split())
    found = None if block.number else _NUMBERING.match(text)
    return text[found.end() :] if found else text
