"""Blocks and documents for tests, by hand and by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from pipelines.records import Block, Cell, Locator

# Letters without a meaning in Markdown or HTML, so that a word is found as it was written. Korean, Latin, digits and a
# letter outside the basic plane; all in NFC.
WORDS = st.text("가나다라마바힣abcXYZ0123456789é𠮷", min_size=1, max_size=8)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
LINES = st.lists(TEXTS, max_size=3).map("\n".join)
NUMBERS = st.sampled_from(["", "제1장", "가.", "①", "3)"])


def heading(text: str, level: int = 1, number: str = "") -> Block:
    return Block("heading", text, level=level, number=number)


def paragraph(text: str, page: int | None = None) -> Block:
    return Block("paragraph", text, locator=Locator(page=page))


def note(text: str, number: str = "1") -> Block:
    return Block("note", text, number=number, in_body=False)


def table(*rows: list[str], header_rows: int = 1) -> Block:
    cells = tuple(Cell(r, c, (Block("paragraph", text),)) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Block("table", cells=cells, header_rows=header_rows)


def record(labels: list[str], values: list[str], row: int = 1, sheet: str = "시트1") -> Block:
    return Block("record", labels=tuple(labels), values=tuple(values), locator=Locator(sheet=sheet, rows=(row, row)))


@st.composite
def records(draw: st.DrawFn) -> Block:
    values = draw(st.lists(TEXTS, min_size=1, max_size=4))
    labels = draw(st.lists(TEXTS, min_size=len(values), max_size=len(values)) | st.just([]))
    return record(labels, values)


@st.composite
def tables(draw: st.DrawFn, depth: int = 0) -> Block:
    inner = leaves() if depth else leaves() | tables(depth=1)
    cells = []
    for row in range(draw(st.integers(1, 4))):
        for col in range(draw(st.integers(0, 3))):
            blocks = tuple(draw(st.lists(inner, max_size=2)))
            cells.append(Cell(row, col, blocks, row_span=draw(st.sampled_from([1, 1, 1, 2]))))
    return Block(
        "table",
        cells=tuple(cells),
        header_rows=draw(st.integers(0, 2)),
        in_body=draw(st.sampled_from([True] * 5 + [False])),
    )


def leaves() -> st.SearchStrategy[Block]:
    in_body = st.sampled_from([True, True, True, True, False])
    return st.one_of(
        st.builds(Block, st.just("heading"), TEXTS, st.integers(1, 4), NUMBERS, in_body=in_body),
        st.builds(Block, st.just("paragraph"), LINES, number=NUMBERS, in_body=in_body),
        st.builds(Block, st.just("item"), LINES, st.integers(1, 3), NUMBERS, in_body=in_body),
        st.builds(Block, st.just("code"), LINES, in_body=in_body),
        st.builds(Block, st.just("note"), LINES, number=NUMBERS),
        records(),
    )


def documents(max_size: int = 12) -> st.SearchStrategy[list[Block]]:
    return st.lists(leaves() | tables(), max_size=max_size)
