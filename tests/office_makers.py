"""Make Word, PowerPoint and PDF files from our own records; the same input gives the same bytes (passwords aside)."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape

from pipelines.records import Block, Cell

# The zip format can't say anything earlier.
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_BULLET = "•"


def grid(rows: Sequence[Sequence[str]], header_rows: int = 1) -> Block:
    """Return a plain table block of these texts."""
    cells = tuple(Cell(r, c, (Block("paragraph", text),)) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Block("table", cells=cells, header_rows=header_rows)


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide: blocks of kind paragraph, item and table stand below the title, in this order."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    notes: str = ""
    hidden: bool = False
    cover: bool = False


def make_docx(blocks: Sequence[Block], *, title: str = "", author: str = "", modified: datetime | None = None) -> bytes:
    """Return a Word file; rebuilt numbers are written as text, notes become footnotes of the paragraph before."""
    import docx

    document = docx.Document()
    notes: list[str] = []
    last: Any = None
    for block in blocks:
        if block.kind == "note":
            notes.append(block.text)
            _add_docx_reference(last or document.add_paragraph(), len(notes) + 1)
        else:
            last = _add_docx_block(document, block) or last
    if notes:
        _add_docx_footnotes(document, notes)
    _set_core(document.core_properties, title, author, modified)
    return _saved(document.save)


def make_pptx(slides: Sequence[Slide], *, title: str = "", author: str = "", modified: datetime | None = None) -> bytes:
    """Return a presentation of these slides."""
    import pptx

    presentation = pptx.Presentation()
    for slide in slides:
        _add_slide(presentation, slide)
    _set_core(presentation.core_properties, title, author, modified)
    return _saved(presentation.save)


def make_pdf(
    blocks: Sequence[Block],
    *,
    title: str = "",
    author: str = "",
    modified: datetime | None = None,
    password: str = "",
    header: str = "",
    footer: str = "",
) -> bytes:
    """Return an A4 PDF in a Korean CID font; `footer` is followed by the page number."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.platypus import SimpleDocTemplate

    stamp = f"D:{modified.astimezone(UTC):%Y%m%d%H%M%S}+00'00'" if modified else ""

    def decorate(canvas: Any, _: object) -> None:
        canvas.setDateFormatter(lambda *parts: stamp)
        canvas.setFont(_pdf_font(), 8)
        if header:
            canvas.drawString(57, A4[1] - 30, header)
        if footer:
            canvas.drawString(57, 28, f"{footer} {canvas.getPageNumber()}")

    out = io.BytesIO()
    template = SimpleDocTemplate(
        out,
        pagesize=A4,
        title=title or None,
        author=author or None,
        invariant=1,
        encrypt=StandardEncryption(password, strength=128) if password else None,
    )
    template.build(_pdf_flow(blocks), onFirstPage=decorate, onLaterPages=decorate)
    return out.getvalue()


def make_scan_pdf(pages: int) -> bytes:
    """Return a PDF whose pages are pictures of noise and lines, without a character of text."""
    from PIL import Image, ImageDraw
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    for page in range(pages):
        chance = random.Random(page)
        picture = Image.new("L", (413, 585), 255)
        draw = ImageDraw.Draw(picture)
        for y in range(40, 545, 14):
            draw.line((40, y, chance.randint(200, 373), y), fill=chance.randint(0, 90), width=4)
        for _ in range(800):
            draw.point((chance.randrange(413), chance.randrange(585)), fill=chance.randrange(200))
        canvas.drawImage(ImageReader(picture), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _saved(save: Callable[[io.BytesIO], None]) -> bytes:
    """Return the package with every member's time set to the zip epoch."""
    raw, out = io.BytesIO(), io.BytesIO()
    save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            member = zipfile.ZipInfo(info.filename, _ZIP_EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(member, source.read(info))
    return out.getvalue()


def _set_core(core: Any, title: str, author: str, modified: datetime | None) -> None:
    core.title, core.author = title, author
    for child in list(core._element):
        if child.tag.rpartition("}")[2] in ("modified", "created", "revision", "lastModifiedBy", "description"):
            core._element.remove(child)
    if modified:
        core.modified = modified.astimezone(UTC).replace(tzinfo=None)


def _shown(block: Block) -> str:
    """Return the text of a block without cells, its number before it."""
    if block.kind == "record":
        labels = block.labels or ("",) * len(block.values)
        pairs = zip(labels, block.values, strict=True)
        return "; ".join(f"{label}: {value}" if label else value for label, value in pairs if value)
    return f"{block.number} {block.text}".strip()


def _add_docx_block(document: Any, block: Block) -> Any:
    if block.kind == "table":
        _fill_docx_table(document.add_table(*_size(block), style="Table Grid"), block)
        return None
    if block.kind == "heading":
        return document.add_heading(_shown(block), min(max(block.level, 1), 6))
    if block.kind == "item" and not block.number:
        return document.add_paragraph(block.text, style="List Bullet" + (f" {min(block.level, 3)}" * (block.level > 1)))
    return document.add_paragraph(_shown(block))


def _fill_docx_table(table: Any, block: Block) -> None:
    for cell in block.cells:
        target = table.cell(cell.row, cell.col)
        if cell.row_span > 1 or cell.col_span > 1:
            target = target.merge(table.cell(cell.row + cell.row_span - 1, cell.col + cell.col_span - 1))
        target.paragraphs[0].text = ""
        for index, inner in enumerate(cell.blocks):
            if inner.kind == "table":
                _fill_docx_table(target.add_table(*_size(inner)), inner)
            elif index == 0:
                target.paragraphs[0].text = _shown(inner)
            else:
                target.add_paragraph(_shown(inner))


def _size(block: Block) -> tuple[int, int]:
    rows = max((cell.row + cell.row_span for cell in block.cells), default=1)
    return rows, max((cell.col + cell.col_span for cell in block.cells), default=1)


def _add_docx_reference(paragraph: Any, number: int) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    reference = OxmlElement("w:footnoteReference")
    reference.set(qn("w:id"), str(number))
    paragraph.add_run()._r.append(reference)


def _add_docx_footnotes(document: Any, notes: Iterable[str]) -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    body = "".join(
        f'<w:footnote w:id="{index}"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>{escape(note)}</w:t></w:r></w:p>'
        "</w:footnote>"
        for index, note in enumerate(notes, 2)
    )
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    blob = f'<?xml version="1.0" encoding="UTF-8"?><w:footnotes xmlns:w="{space}">{body}</w:footnotes>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, blob.encode("utf-8"), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _add_slide(presentation: Any, slide: Slide) -> None:
    from pptx.util import Inches, Pt

    # Layouts of the default template: 0 title slide, 5 title only, 6 blank.
    layout = 0 if slide.cover else 5 if slide.title else 6
    page = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if slide.title:
        page.shapes.title.text = slide.title
    for holder in [shape for shape in page.placeholders if not shape.has_text_frame or not shape.text_frame.text]:
        holder._element.getparent().remove(holder._element)
    top = 4.0 if slide.cover else 1.5
    for block in slide.blocks:
        if block.kind == "table":
            rows, columns = _size(block)
            frame = page.shapes.add_table(rows, columns, Inches(0.5), Inches(top), Inches(9), Inches(0.4 * rows))
            _fill_pptx_table(frame.table, block)
            top += 0.4 * rows + 0.6
            continue
        box = page.shapes.add_textbox(Inches(0.5), Inches(top), Inches(9), Inches(0.5))
        mark = f"{_BULLET} " if block.kind == "item" and not block.number else ""
        box.text_frame.text = mark + _shown(block)
        box.text_frame.paragraphs[0].font.size = Pt(16)
        top += 0.6
    if slide.notes:
        page.notes_slide.notes_text_frame.text = slide.notes
    if slide.hidden:
        page._element.set("show", "0")


def _fill_pptx_table(table: Any, block: Block) -> None:
    for cell in block.cells:
        target = table.cell(cell.row, cell.col)
        if cell.row_span > 1 or cell.col_span > 1:
            target.merge(table.cell(cell.row + cell.row_span - 1, cell.col + cell.col_span - 1))
        target.text = "\n".join(_shown(inner) for inner in cell.blocks)


def _pdf_font() -> str:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    name = "HYSMyeongJo-Medium"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return name


def _pdf_flow(blocks: Sequence[Block]) -> list[Any]:
    from reportlab.platypus import Paragraph, Spacer

    flow: list[Any] = []
    for block in blocks:
        if block.kind == "table":
            flow += [_pdf_table(block), Spacer(1, 10)]
        elif block.kind == "heading":
            flow.append(Paragraph(_markup(_shown(block)), _pdf_style(max(13, 21 - 3 * block.level), 10)))
        else:
            mark = f"{_BULLET} " if block.kind == "item" and not block.number else ""
            flow.append(Paragraph(mark + _markup(_shown(block)), _pdf_style(10.5, 5)))
    return flow or [Spacer(1, 1)]


def _pdf_table(block: Block) -> Any:
    from reportlab.lib.colors import black
    from reportlab.platypus import Table

    rows, columns = _size(block)
    content: list[list[Any]] = [[""] * columns for _ in range(rows)]
    style: list[Any] = [("GRID", (0, 0), (-1, -1), 0.6, black), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    for cell in block.cells:
        content[cell.row][cell.col] = _pdf_flow(cell.blocks)
        if cell.row_span > 1 or cell.col_span > 1:
            end = (cell.col + cell.col_span - 1, cell.row + cell.row_span - 1)
            style.append(("SPAN", (cell.col, cell.row), end))
    return Table(content, colWidths=[440 / columns] * columns, style=style, repeatRows=block.header_rows)


def _pdf_style(size: float, space_after: float) -> Any:
    from reportlab.lib.styles import ParagraphStyle

    name = f"saero {size}"
    return ParagraphStyle(name, fontName=_pdf_font(), fontSize=size, leading=size * 1.5, spaceAfter=space_after)


def _markup(text: str) -> str:
    return escape(text).replace("\n", "<br/>")
