"""Notes on the pages of a PDF stand apart; files inside it are counted."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from pipelines.body import squeezed
from pipelines.parsers import parse
from pipelines.records import Aside, Limits, Locator


def with_notes() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842), invariant=1)
    canvas.drawString(72, 700, "The contract runs for eight months.")
    canvas.showPage()
    canvas.drawString(72, 700, "The total amount is 1,250,000 won.")
    canvas.textAnnotation("금액 재확인", Rect=[72, 600, 92, 620])
    canvas.textAnnotation("", Rect=[72, 500, 92, 520])
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_the_words_of_a_note_are_kept_apart_with_their_page() -> None:
    parsed = parse(io.BytesIO(with_notes()), "검토.pdf", Limits())
    assert parsed.apart == (Aside("comment", "금액 재확인", Locator(page=2)),)
    assert parsed.asides == {"comment": 1}
    assert "재확인" not in squeezed(parsed.blocks)


def test_files_inside_a_pdf_are_counted() -> None:
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(with_notes())
    document.new_attachment("첨부.txt").set_data(b"words")
    out = io.BytesIO()
    document.save(out)
    parsed = parse(io.BytesIO(out.getvalue()), "검토.pdf", Limits())
    assert "1 embedded files that aren't read" in parsed.warnings
