"""PDF pages drawn line by line, and files written object by object where reportlab knows better."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

KOREAN = "HYSMyeongJo-Medium"
Draw = Callable[[Canvas], object]


def drawn(*pages: Draw) -> bytes:
    """Return an A4 PDF whose pages are drawn by these functions of a canvas."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for draw in pages:
        canvas.setFont("Helvetica", 10)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def korean_font() -> str:
    if KOREAN not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(KOREAN))
    return KOREAN


def lines(
    texts: Iterable[str], *, x: float = 72, y: float = 760, size: float = 10, pitch: float = 16, font: str = ""
) -> Draw:
    """Draw each text below the one before, in a Korean font unless one is named."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font or korean_font(), size)
        for n, text in enumerate(texts):
            canvas.drawString(x, y - pitch * n, text)

    return draw


def together(*draws: Draw) -> Draw:
    """Draw several things on one page, in this order."""

    def draw(canvas: Canvas) -> None:
        for part in draws:
            part(canvas)

    return draw


def upright(columns: Sequence[str], *, x: float = 400, top: float = 760, size: float = 12) -> Draw:
    """Write columns of vertical Korean, the first one rightmost."""
    font = UnicodeCIDFont(KOREAN, isVertical=True)
    # It calls itself as the one for lines does.
    font.name = font.fontName = f"{KOREAN}-V"
    pdfmetrics.registerFont(font)

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font.fontName, size)
        for n, column in enumerate(columns):
            canvas.drawString(x - 2 * size * n, top, column)

    return draw


def rules(xs: Sequence[float], ys: Sequence[float], *, down: Sequence[float] | None = None) -> Draw:
    """Draw rules across at `ys` from the first to the last of `xs`, and down at `down` (all of `xs` unless said)."""

    def draw(canvas: Canvas) -> None:
        for y in ys:
            canvas.line(xs[0], y, xs[-1], y)
        for x in xs if down is None else down:
            canvas.line(x, ys[0], x, ys[-1])

    return draw


def written(*objects: bytes) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is the catalogue."""
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    entries = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer << /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + entries + trailer


def stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)


def one_page(content: bytes, *fonts: bytes, box: bytes = b"/MediaBox [0 0 595 842]") -> bytes:
    """Return a PDF of one page; the first of `fonts` is /F1 and may refer to those after it, object 5 on."""
    return written(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 %b >>" % box,
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        stream(content),
        *(fonts or (b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",)),
    )


def spaced_by_gaps(*words: tuple[str, int]) -> bytes:
    """Return a line of words and the gaps after them (thousandths of the size), without a space, as Word prints it."""
    shown = b" ".join(b"<%b> %d" % (text.encode("utf-16-be").hex().encode(), -gap) for text, gap in words)
    return one_page(
        b"BT /F1 10 Tf 72 700 Td [" + shown + b"] TJ ET",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium /Encoding /UniKS-UCS2-H"
        b" /DescendantFonts [6 0 R] >>",
        b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium /DW 1000 /W [1 94 500]"
        b" /FontDescriptor 7 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> >>",
        b"<< /Type /FontDescriptor /FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 -148 1001 880] /ItalicAngle 0"
        b" /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
    )


def with_map(points: Sequence[str]) -> bytes:
    """Return a line of signs that a font maps to these code points (four hexadecimal digits each)."""
    shown = b"".join(b"%04x" % n for n in range(1, len(points) + 1))
    pairs = b" ".join(b"<%04x> <%b>" % (n, point.encode()) for n, point in enumerate(points, 1))
    return one_page(
        b"BT /F1 12 Tf 72 700 Td <" + shown + b"> Tj ET",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H /DescendantFonts [6 0 R]"
        b" /ToUnicode 8 0 R >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica /DW 600 /FontDescriptor 7 0 R"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        b"<< /Type /FontDescriptor /FontName /Helvetica /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800"
        b" /Descent -200 /CapHeight 700 /StemV 80 >>",
        stream(
            b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            b"%d beginbfchar %b endbfchar endcmap" % (len(points), pairs)
        ),
    )


def without_map(text_codes: Iterable[int]) -> bytes:
    """Return a page in a font that says of its glyphs no characters: pdfium shows the glyphs' numbers as letters."""
    outlines = (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    codes = b"".join(b"%04x" % code for code in text_codes)
    return one_page(
        b"BT /F1 12 Tf 20 700 Td <" + codes + b"> Tj ET",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+X /Encoding /Identity-H /DescendantFonts [6 0 R] >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+X /FontDescriptor 7 0 R /DW 600"
        b" /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        b"<< /Type /FontDescriptor /FontName /ABCDEF+X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800"
        b" /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 8 0 R >>",
        stream(outlines),
    )
