"""How many passages are embedded again after small changes of a document: bar 3 of search; exit code 1 below a bar.

    python benchmarks/retrieval/chunk_identity.py [--models FOLDER]

40 seeded documents of 90 paragraphs (about 7,000 tokens), cut by the project's chunker with the bundled encoder's
tokenizer: 16 with numbered headings of one level, 12 of two levels below a title, 12 without any heading.

insert      a new first paragraph                      <= 1.5 passages on average
edit        one word of one paragraph, each third      <= 1.2
renumber    a new first section, all numbers move      <= 2 (documents with headings)
over        passages above the hard limit, counted by the tokenizer with prompt and heading path: none
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT / "benchmarks" / "dedup")]

from figures import Figure  # noqa: E402
from generator import Prose  # noqa: E402

from assets.stages.chunk import MOST_TOKENS, TARGET_TOKENS  # noqa: E402
from pipelines.body import title_of  # noqa: E402
from pipelines.chunk import cut  # noqa: E402
from pipelines.records import Block, Chunk, Parsed  # noqa: E402
from resources.encoder import Encoder  # noqa: E402

SEED = 20261130
FLAT, NESTED, BARE = 16, 12, 12
PARAGRAPHS = 90
# UTF-8 bytes of a paragraph: 270 make about 78 tokens.
PARAGRAPH_BYTES = 270


class Cutter:
    """Cuts documents as a night does."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def __call__(self, blocks: Sequence[Block]) -> list[Chunk]:
        return cut(
            blocks,
            title=title_of(Parsed("md", tuple(blocks))),
            body_hash="b",
            count_tokens=self._encoder.count_tokens,
            limit=TARGET_TOKENS,
            hard_limit=MOST_TOKENS,
        )

    def tokens(self, chunks: Sequence[Chunk]) -> list[int]:
        """Count anew what the model would read."""
        return self._encoder.count_tokens([chunk.embedded for chunk in chunks])


def flat(prose: Prose) -> list[Block]:
    """Return a document of numbered sections of 4 to 12 paragraphs."""
    blocks: list[Block] = []
    left, number = PARAGRAPHS, 1
    while left:
        size = min(left, int(prose.rng.integers(4, 13)))
        blocks += [_heading(prose, f"{number}.", 1), *_paragraphs(prose, size)]
        left, number = left - size, number + 1
    return blocks


def nested(prose: Prose) -> list[Block]:
    """Return a titled document of chapters of 2 to 4 sections of 3 to 9 paragraphs."""
    blocks = [Block("heading", " ".join(prose.words(3)), level=1)]
    left, chapter = PARAGRAPHS, 1
    while left:
        blocks.append(_heading(prose, f"{chapter}.", 2))
        for section in range(1, int(prose.rng.integers(3, 6))):
            size = min(left, int(prose.rng.integers(3, 10)))
            if size:
                blocks += [_heading(prose, f"{chapter}.{section}", 3), *_paragraphs(prose, size)]
            left -= size
        chapter += 1
    return blocks


def bare(prose: Prose) -> list[Block]:
    """Return paragraphs alone."""
    return _paragraphs(prose, PARAGRAPHS)


def inserted(prose: Prose, blocks: Sequence[Block]) -> list[Block]:
    """Return the document with a new first paragraph."""
    place = next(n for n, block in enumerate(blocks) if block.kind == "paragraph")
    return [*blocks[:place], *_paragraphs(prose, 1), *blocks[place:]]


def edited(prose: Prose, blocks: Sequence[Block], third: int) -> list[Block]:
    """Return the document with one word replaced in a paragraph of its first, second or last third (0 to 2)."""
    places = [n for n, block in enumerate(blocks) if block.kind == "paragraph"]
    place = places[(third * len(places)) // 3 + int(prose.rng.integers(len(places) // 3))]
    words = blocks[place].text.split(" ")
    words[int(prose.rng.integers(len(words)))] = prose.words(1)[0]
    return [*blocks[:place], replace(blocks[place], text=" ".join(words)), *blocks[place + 1 :]]


def renumbered(prose: Prose, blocks: Sequence[Block]) -> list[Block]:
    """Return the document with a new first section; the outermost number of every heading grows by one."""
    first = next(n for n, block in enumerate(blocks) if block.number)
    moved = [replace(block, number=_next(block.number)) if block.number else block for block in blocks[first:]]
    new = [_heading(prose, "1.", blocks[first].level), *_paragraphs(prose, 2)]
    return [*blocks[:first], *new, *moved]


def _next(number: str) -> str:
    outer, dot, inner = number.partition(".")
    return f"{int(outer) + 1}{dot}{inner}"


def _heading(prose: Prose, number: str, level: int) -> Block:
    return Block("heading", " ".join(prose.words(2)), level=level, number=number)


def _paragraphs(prose: Prose, count: int) -> list[Block]:
    sizes = prose.rng.uniform(0.5, 1.5, count) * PARAGRAPH_BYTES
    return [Block("paragraph", " ".join(prose.text(size).split())) for size in sizes]


def changed(before: Sequence[Chunk], after: Sequence[Chunk]) -> int:
    """Count the passages that must be embedded again."""
    known = {chunk.chunk_hash for chunk in before}
    return len({chunk.chunk_hash for chunk in after} - known)


def figures(cutter: Cutter) -> list[Figure]:
    """Measure every document under every change."""
    prose = Prose(SEED)
    counts: dict[str, list[int]] = {"insert": [], "edit": [], "renumber": []}
    kinds: dict[str, dict[str, list[int]]] = {}
    total = over = 0
    for kind, make, number in (("flat", flat, FLAT), ("nested", nested, NESTED), ("bare", bare, BARE)):
        for _ in range(number):
            blocks = make(prose)
            before = cutter(blocks)
            total += len(before)
            over += sum(count > MOST_TOKENS for count in cutter.tokens(before))
            for name, later in _changes(prose, blocks, numbered=kind != "bare"):
                found = changed(before, cutter(later))
                counts[name].append(found)
                kinds.setdefault(name, {}).setdefault(kind, []).append(found)
    bars = {"insert": 1.5, "edit": 1.2, "renumber": 2.0}
    measured = [_figure(name, counts[name], kinds[name], bars[name]) for name in counts]
    measured.append(Figure("passages above the hard limit", f"{over} of {total}", "0", over == 0))
    return measured


def _changes(prose: Prose, blocks: list[Block], *, numbered: bool) -> list[tuple[str, list[Block]]]:
    changes = [("insert", inserted(prose, blocks)), *(("edit", edited(prose, blocks, n)) for n in range(3))]
    return [*changes, ("renumber", renumbered(prose, blocks))] if numbered else changes


def _figure(name: str, found: Sequence[int], kinds: dict[str, list[int]], bar: float) -> Figure:
    mean = sum(found) / len(found)
    note = ", ".join(f"{kind} {sum(one) / len(one):.2f} (most {max(one)})" for kind, one in kinds.items())
    shown = f"{mean:.2f} (most {max(found)})"
    return Figure(f"passages embedded again: {name}", shown, f"<= {bar}", mean <= bar, note)


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--models", type=Path, default=PROJECT / ".saero" / "models", help="unpacked models")
    chosen = options.parse_args()
    found = figures(Cutter(Encoder("bundled", chosen.models)))
    print(*(figure.line() for figure in found), sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
