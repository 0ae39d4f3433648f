"""What tells documents of one body apart is counted: signatures, comments, tracked changes, images."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

import pytest
import vectors_hml
from docx_writer import R, in_parts, link, package, paragraph, run
from hwp5_parts import aside, document, memo, picture
from hwp5_parts import paragraph as hwp_paragraph
from hwp5_writer import hwp_streams, pack_hwp
from hwpx_writer import hwpx_list, hwpx_paragraph, one_section
from office_makers import make_docx
from ole_writer import write_ole
from pdf_makers import Draw, drawn, lines, stream, together, written
from sheet_makers import edited, make_xls
from vectors_pptx import deck

from pipelines.body import body_hash
from pipelines.parsers import parse
from pipelines.parsers.xls_records import stored_workbook
from pipelines.records import Block, Limits, Parsed
from saero.words import word

SIGNED = "<Signature xmlns='http://www.w3.org/2000/09/xmldsig#'/>"
W_CHANGES = {
    "ins": run("2억"),
    "del": "<w:r><w:delText>1억</w:delText></w:r>",
    "moveTo": run("뒤"),
    "moveFrom": run("앞"),
}


@dataclass(frozen=True)
class Pair:
    """Two files of one body, of which the second has `counts` more."""

    format: str
    plain: bytes
    more: bytes
    counts: dict[str, int]


def _read(data: bytes, word: str) -> Parsed:
    return parse(io.BytesIO(data), f"문서.{word}", Limits())


def _docx() -> list[Pair]:
    plain = make_docx([Block("paragraph", "계약서")])
    signed = edited(plain, {}, {"_xmlsignatures/origin.sigs": "", "_xmlsignatures/sig1.xml": SIGNED,
                                "_xmlsignatures/sig2.xml": SIGNED})  # fmt: skip
    line = (
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:v"><o:signatureline xmlns:o="urn:o"/></v:shape></w:pict></w:r></w:p>'
    )
    shown = f'<w:drawing><pic:pic xmlns:pic="urn:p" {R}><a:blip xmlns:a="urn:a" r:embed="r9"/></pic:pic></w:drawing>'
    said = f'<w:comments><w:comment w:id="0" w:author="김">{paragraph("확인")}</w:comment></w:comments>'
    words = paragraph("계약서")
    tracked = "".join(f"<w:{kind}>{inside}</w:{kind}>" for kind, inside in W_CHANGES.items())
    final = f"<w:p>{run('금액 ')}{run('2억')}{run('뒤')}</w:p>"
    return [
        Pair("docx", plain, signed, {"signature": 2}),
        Pair("docx", package(words), package(words + line), {}),
        Pair("docx", package(words), package(words + f"<w:p><w:r>{shown}{shown}</w:r></w:p>"), {"image": 2}),
        Pair("docx", package(words), package(words, comments=said), {"comment": 1}),
        Pair("docx", package(final), package(f"<w:p>{run('금액 ')}{tracked}</w:p>"), {"tracked_change": 4}),
    ]


def _pptx() -> list[Pair]:
    plain = deck()
    shape = (
        '<p:pic xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:nvPicPr>'
        '<p:cNvPr id="7" name="그림" {}/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill/><p:spPr/></p:pic>'
    )
    told = '<p:cmLst xmlns:p="urn:p"><p:cm authorId="0" idx="1"><p:text>확인</p:text></p:cm></p:cmLst>'
    links = {"rId93": ("comments", "../comments/comment1.xml")}
    return [
        Pair("pptx", plain, edited(plain, {}, {"_xmlsignatures/sig1.xml": SIGNED}), {"signature": 1}),
        Pair("pptx", plain, deck(shape.format("") + shape.format('hidden="1"')), {"image": 1}),
        Pair("pptx", plain, deck(links=links, added={"ppt/comments/comment1.xml": told}), {"comment": 1}),
    ]


def _book(**more: bool) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("자료")
        sheet.write("A1", "품목")
        if more.get("comment"):
            sheet.write_comment("A1", "확인")
        if more.get("image"):
            pixel = struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
            sheet.insert_image("B2", "점.bmp", {"image_data": io.BytesIO(pixel)})
    return out.getvalue()


def _xlsx() -> list[Pair]:
    plain = _book()
    space = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    kept = (
        f'<Relationship Id="r9" Type="{space}/revisionHeaders" Target="revisions/revisionHeaders.xml"/></Relationships>'
    )
    saves = '<headers><header/><header minRId="1" maxRId="3"/><header minRId="4" maxRId="4"/></headers>'
    tracked = edited(
        plain,
        {"xl/_rels/workbook.xml.rels": [("</Relationships>", kept)]},
        {"xl/revisions/revisionHeaders.xml": saves},
    )
    return [
        Pair("xlsx", plain, edited(plain, {}, {"_xmlsignatures/sig1.xml": SIGNED}), {"signature": 1}),
        Pair("xlsx", plain, _book(image=True), {"image": 1}),
        Pair("xlsx", plain, _book(comment=True), {"comment": 1}),
        Pair("xlsx", plain, tracked, {"tracked_change": 4}),
    ]


def _xls() -> list[Pair]:
    plain = make_xls([(0, 0, "품목", "General")])
    records = stored_workbook(io.BytesIO(plain), Limits()).records
    signed = write_ole({"Workbook": records, "_xmlsignatures/20031": SIGNED.encode()})
    return [Pair("xls", plain, signed, {"signature": 1})]


def _hwp() -> list[Pair]:
    plain = document(hwp_paragraph("예산은 이백만원이다."))
    streams = hwp_streams([Block("paragraph", "예산은 이백만원이다.")])
    listed = (struct.pack("<I6H6xI", kind, 2026, 3, 2, 9, 30, 1, 0) for kind in (0x10, 0x11, 0x20))
    changes = b"".join(struct.pack("<I", 96 | 1 << 10 | len(data) << 20) + data for data in listed)
    tracked = pack_hwp({**streams, "DocInfo": streams["DocInfo"] + changes}, flags=1 << 14)
    return [
        Pair("hwp", plain, pack_hwp(streams, flags=1 << 7), {"signature": 1}),
        Pair("hwp", plain, document(hwp_paragraph("예산은 이백만원이다.", picture(), picture())), {"image": 2}),
        Pair("hwp", plain, tracked, {"tracked_change": 2}),
        Pair(
            "hwp",
            plain,
            document(hwp_paragraph("예산은 이백만원이다.", aside("tcmt", "확인"), memo("확인"))),
            {"comment": 2},
        ),
    ]


def _hwpx() -> list[Pair]:
    def made(*runs: str, **parts: str) -> bytes:
        return one_section(hwpx_paragraph("<hp:t>예산은 이백만원이다.</hp:t>", *runs), **parts)

    said = hwpx_list(hwpx_paragraph("<hp:t>확인</hp:t>"))
    memos = f'<hp:ctrl><hp:fieldBegin type="MEMO">{said}</hp:fieldBegin></hp:ctrl><hp:ctrl><hp:fieldEnd/></hp:ctrl>'
    hidden = f"<hp:ctrl><hp:hiddenComment>{said}</hp:hiddenComment></hp:ctrl>"
    kinds = "".join(f'<c:trackChange type="{kind}"/>' for kind in ("Insert", "Delete", "CharShape"))
    head = f'<c:head xmlns:c="urn:c"><c:refList><c:trackChanges>{kinds}</c:trackChanges></c:refList></c:head>'
    marks = '<hp:t><hp:deleteBegin Id="1" TcId="1"/>삼백<hp:deleteEnd Id="1" TcId="1"/></hp:t>'
    return [
        Pair("hwpx", made(), made(**{"META-INF__signatures_xml": f"<s>{SIGNED}{SIGNED}</s>"}), {"signature": 2}),
        Pair("hwpx", made(), made("<hp:pic/>", "<hp:container><hp:pic/></hp:container>"), {"image": 2}),
        Pair("hwpx", made(), made(Contents__header_xml=head), {"tracked_change": 2}),
        Pair("hwpx", made(), made(marks), {"tracked_change": 1}),
        Pair("hwpx", made(), made(memos, hidden), {"comment": 2}),
    ]


def _hml() -> list[Pair]:
    def made(*items: str) -> bytes:
        return vectors_hml.document(vectors_hml.paragraph(vectors_hml.char("예산"), *items))

    marks = '<DELETEBEGIN Id="1"/>삼백<DELETEEND Id="1"/><INSERTBEGIN Id="2"/><INSERTEND Id="2"/>'
    said = vectors_hml.listed("확인")
    return [
        Pair("hml", made(), made("<PICTURE/>"), {"image": 1}),
        Pair("hml", made(), made(vectors_hml.char(marks)), {"tracked_change": 2}),
        Pair("hml", made(), made(f"<HIDDENCOMMENT>{said}</HIDDENCOMMENT>"), {"comment": 1}),
    ]


def _pdf() -> list[Pair]:
    plain = drawn(lines(["Contract"], font="Helvetica"))
    value = b"/V << /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <3082> >>"
    return [
        Pair("pdf", _form(b"6 0 R 7 0 R"), _form(b"6 0 R 7 0 R", value), {"signature": 1}),
        Pair("pdf", _form(b"8 0 R"), _form(b"8 0 R", value), {"signature": 1}),
        Pair(
            "pdf", plain, drawn(together(lines(["Contract"], font="Helvetica"), _seal(72), _seal(-900))), {"image": 1}
        ),
        Pair("pdf", plain, _stamped(), {"image": 1}),
        Pair("pdf", plain, _noted(), {"comment": 1}),
    ]


def _form(fields: bytes, value: bytes = b"") -> bytes:
    """Return a form with two places to sign, of which the first holds `value`; object 8 is a field around both."""
    place = b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (%b) /Rect [0 0 0 0] %b >>"
    return written(
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%b] >> >>" % fields,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R] >>",
        stream(b"BT /F1 12 Tf 72 700 Td (Contract) Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        place % (b"A", value),
        place % (b"B", b""),
        b"<< /T (form) /Kids [6 0 R 7 0 R] >>",
    )


def _seal(x: float) -> Draw:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    return lambda canvas: canvas.drawImage(ImageReader(Image.new("L", (2, 2), 128)), x, 100, 50, 50)


def _stamped() -> bytes:
    place = b"<< /Type /Annot /Subtype /Stamp /Rect [72 600 92 620] /Contents (seal) /F %d >>"
    return written(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R] >>",
        stream(b"BT /F1 12 Tf 72 700 Td (Contract) Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        place % 4,
        place % 2,
    )


def _noted() -> bytes:
    def note(canvas: object) -> None:
        canvas.textAnnotation("확인", Rect=[72, 600, 92, 620])  # type: ignore[attr-defined]

    return drawn(together(lines(["Contract"], font="Helvetica"), note))


def _mail(*parts: str, kind: str = "mixed") -> bytes:
    inside = "".join(f"--B\r\n{part}\r\n" for part in parts)
    head = f"Subject: 계약\r\nMIME-Version: 1.0\r\nContent-Type: multipart/{kind}; boundary=B\r\n\r\n"
    return f"{head}{inside}--B--\r\n".encode()


def _eml() -> list[Pair]:
    words = "Content-Type: text/plain; charset=utf-8\r\n\r\n본문"
    page = 'Content-Type: text/html; charset=utf-8\r\n\r\n<p>본문</p><img src="cid:1">'
    armoured = (
        "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n본문\r\n"
        "-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n-----END PGP SIGNATURE-----"
    )
    seal = "Content-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nabc"
    unknown = "Content-Type: application/octet-stream; name=smime.p7s\r\n\r\nabc"
    logo = "Content-Type: image/png\r\nContent-ID: <1>\r\n\r\nPNG"
    return [
        Pair("eml", _mail(words), _mail(words, seal, kind="signed"), {"signature": 1}),
        Pair("eml", _mail(words), _mail(words, unknown, kind="signed"), {"signature": 1}),
        Pair("eml", _mail(words), _mail(armoured), {"signature": 1}),
        Pair("eml", _mail(words), _mail(page, logo, kind="related"), {"image": 1}),
    ]


def _html() -> list[Pair]:
    shown = '<img src="a.png"><table><tr><td>표</td><td>안<img srcset="b.png 2x"></td></tr></table>'
    nothing = '<img><img src="t.gif" width="1" height="1"><img src="c.png" hidden><nav><img src="d.png"></nav>'
    words = "<table><tr><td>표</td><td>안</td></tr></table>"
    listed = '<div style="mso-element:comment-list"><p>확인</p></div>'
    return [
        Pair("html", f"<p>본문</p>{words}".encode(), f"<p>본문{nothing}</p>{shown}".encode(), {"image": 2}),
        Pair("html", "<p>본문</p>".encode(), f"<p>본문</p>{listed}".encode(), {"comment": 1}),
    ]


def _md() -> list[Pair]:
    shown = "본문 ![](a.png)\n\n| 표 ![](b.png) | 안 |\n|---|---|\n\n<p><img src='c.png'></p>\n\n<img src='d.png'/>\n"
    words = "본문\n\n| 표 | 안 |\n|---|---|\n"
    code = "본문 `![가](a.png)` \\![나](b.png)\n"
    return [
        Pair("md", words.encode(), shown.encode(), {"image": 4}),
        Pair("md", code.encode(), code.encode(), {}),
        Pair("md", words.encode(), f"{words}\n<!-- 확인 -->\n".encode(), {"comment": 1}),
    ]


PAIRS = [pair for made in (_docx, _pptx, _xlsx, _xls, _hwp, _hwpx, _hml, _pdf, _eml, _html, _md) for pair in made()]


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair.format}: {' '.join(pair.counts) or 'none'}" for pair in PAIRS])
def test_what_files_of_one_body_have_more_is_counted(pair: Pair) -> None:
    plain, more = _read(pair.plain, pair.format), _read(pair.more, pair.format)
    assert {kind: more.asides.get(kind, 0) - plain.asides.get(kind, 0) for kind in more.asides} == pair.counts
    assert plain.asides == {}
    assert body_hash(plain.blocks, "a") == body_hash(more.blocks, "b")


def test_each_kind_has_a_word_in_korean() -> None:
    kinds = {kind for pair in PAIRS for kind in pair.counts}
    assert {word(kind, "ko") for kind in kinds} == {"전자 서명", "변경 추적", "메모", "그림"}


def test_a_change_in_a_text_box_is_counted_once() -> None:
    box = f"<w:txbxContent><w:p><w:ins>{run('상자')}</w:ins></w:p></w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    assert _read(package(f"<w:p><w:r>{both}</w:r></w:p>"), "docx").asides == {"tracked_change": 1}


def test_the_signature_of_an_imported_file_signs_only_that() -> None:
    signed = edited(make_docx([Block("paragraph", "들여온 글")]), {}, {"_xmlsignatures/sig1.xml": SIGNED})
    data = in_parts(
        f'{paragraph("본문")}<w:altChunk {R} r:id="c1"/>', {"in.docx": signed}, link("c1", "aFChunk", "in.docx")
    )
    parsed = _read(data, "docx")
    assert ([block.text for block in parsed.blocks], parsed.asides) == (["본문", "들여온 글"], {})


def test_the_picture_over_an_older_program_isnt_counted_again() -> None:
    def picture_of(name: str) -> str:
        return f'<x:pic><x:nvPicPr><x:cNvPr id="1" name="{name}"/></x:nvPicPr></x:pic>'

    plain = _book(image=True)
    branches = f"<mc:Choice Requires=''>{picture_of('a')}</mc:Choice><mc:Fallback>{picture_of('b')}</mc:Fallback>"
    space = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:x="urn:x"'
    anchor = f"<xdr:oneCellAnchor {space}><mc:AlternateContent>{branches}</mc:AlternateContent></xdr:oneCellAnchor>"
    twice = edited(plain, {"xl/drawings/drawing1.xml": [("</xdr:wsDr>", f"{anchor}</xdr:wsDr>")]})
    assert _read(twice, "xlsx").asides == {"image": 2}


def test_a_damaged_part_of_signatures_is_one_and_said() -> None:
    data = one_section(hwpx_paragraph("<hp:t>본문</hp:t>"), **{"META-INF__documentsignatures_xml": "<s"})
    parsed = _read(data, "hwpx")
    assert (parsed.asides, parsed.warnings) == ({"signature": 1}, ("1 parts beside the body that can't be read",))
