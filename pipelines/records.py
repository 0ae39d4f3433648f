"""What flows between the stages. Text is NFC, times are aware UTC, hashes are lower-case hex."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

BlockKind = Literal["heading", "paragraph", "item", "table", "record", "code", "note"]
State = Literal["live", "duplicate", "superseded", "expired", "rejected", "needs_ocr", "failed", "held", "gone"]


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a block stands in its original. Pages, slides, rows and lines count from 1; ranges are closed."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    rows: tuple[int, int] | None = None
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; `row` and `col` count from 0. A merged cell stands once, at its top left."""

    row: int
    col: int
    blocks: tuple[Block, ...]
    row_span: int = 1
    col_span: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """One unit of a document in reading order.

    heading    text, level 1..6
    paragraph  text ("\\n" is a line break inside it)
    item       a list entry; level is its depth from 1; `number` the bullet or rebuilt number
    table      cells; the first `header_rows` rows are repeated when it is split
    record     one row of a sheet or CSV: `values` in column order under `labels` (empty for the header row
               itself and for rows without a header). len(labels) is 0 or len(values)
    code       text kept line by line
    note       a footnote or endnote, right after the paragraph that refers to it

    `number` is an automatic number that was rebuilt ("제1조", "가.", "①"); it belongs to the body, text doesn't repeat
    it. A bullet mark (•, -) isn't a number: leave `number` empty. `in_body` is False for what isn't a word of a
    paragraph or cell: notes, sheet names, labels such as "발표자 노트" that a parser adds.
    """

    kind: BlockKind
    text: str = ""
    level: int = 0
    number: str = ""
    cells: tuple[Cell, ...] = ()
    header_rows: int = 1
    labels: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    locator: Locator = Locator()
    in_body: bool = True


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a mail: its NFC name and bytes. It becomes the document "<mail path>!/<name>"."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Aside:
    """Words that stand beside the body and aren't searched; kind "header", "footer" or "comment"."""

    kind: str
    text: str
    locator: Locator = Locator()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser returns.

    modified_at  the document's own clock, None when it has none; `clock` names the field it came from
                 ("hwp:summary13", "hwpx:ModifiedDate", "ooxml:modified", "pdf:ModDate", "eml:Date")
    title        embedded title as stored (the stage drops generic ones), an HTML <title>, a mail's subject
    asides       kind -> how many stand beside the words of the body: "header", "footer", "comment", "hidden", ...; also
                 what tells files of one body apart: "signature", "tracked_change", "image" (docs/formats.md)
    apart        the words of those that a person may ask for (`saero show --apart`), what repeats once
    warnings     short counted facts in English without document text ("2 formulas without a cached value")
    ocr_pages    pages that hold only a picture of text
    properties   what the document says of itself: "expires_at", "status", ... (front matter, document properties)
    """

    format: str
    blocks: tuple[Block, ...]
    title: str | None = None
    author: str | None = None
    modified_at: datetime | None = None
    created_at: datetime | None = None
    clock: str | None = None
    pages: int | None = None
    ocr_pages: tuple[int, ...] = ()
    asides: dict[str, int] = field(default_factory=dict)
    apart: tuple[Aside, ...] = ()
    warnings: tuple[str, ...] = ()
    properties: dict[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Ocr:
    """How pictures of text are read: tesseract's language names, pages of one document, seconds of one page."""

    languages: str = "kor+eng"
    pages: int = 100
    page_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may cost. seconds and memory are enforced from outside, by the worker pool.

    With `ocr` a scan isn't refused: the worker reads its pages, each within ocr.page_seconds.
    """

    seconds: float = 120.0
    memory_mb: int = 2048
    stream_mb: int = 64
    file_mb: int = 1024
    pages: int = 5000
    cells: int = 5_000_000
    depth: int = 20
    ocr: Ocr | None = None

    @property
    def page_deadline(self) -> float:
        """Seconds from the start of one scanned page to the next, or to the end of the document."""
        return self.seconds + (self.ocr.page_seconds if self.ocr else 0.0)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a body.

    text      the rendered lines that a person reads, without the heading path; a slice of the body's mirror
              lines joined by "\\n", except that a split table repeats its header rows first
    embedded  exactly what is hashed and embedded: heading path without numbering, a line break, text
    start, end  closed-open range in the body's squeezed text (NFC, no white space), the same in every format
    """

    chunk_id: str
    chunk_hash: str
    body_hash: str
    ordinal: int
    heading: tuple[str, ...]
    text: str
    embedded: str
    start: int
    end: int
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person should know: `kind` is a short English word, `detail` holds names and numbers, no text."""

    kind: str
    source: str = ""
    path: str = ""
    detail: dict[str, object] = field(default_factory=dict)
