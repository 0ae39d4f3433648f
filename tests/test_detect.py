"""A file's format comes from its bytes, whatever its name says."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
from ole_writer import write_ole
from sheet_makers import make_eml, make_xlsx

from pipelines.errors import Corrupt, Drm, Empty, Encrypted, SkipDocument, Unsupported
from pipelines.parsers.detect import detect


def format_of(data: bytes, name: str = "파일.bin") -> str:
    return detect(io.BytesIO(data), name)


def zipped(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


def test_a_pdf_is_found_behind_junk_before_its_mark() -> None:
    assert format_of(b"\x00\x01junk\n%PDF-1.7\n\xe2\xe3", "a.docx") == "pdf"


def test_a_text_that_mentions_pdf_stays_text() -> None:
    assert format_of("파일은 %PDF-1.4 로 시작한다".encode(), "메모.txt") == "txt"


def test_a_workbook_is_a_workbook_under_any_name() -> None:
    data = make_xlsx({"표": [["이름", "값"]]})
    assert {format_of(data, name) for name in ("a.xlsx", "a.docx", "a.pdf", "a")} == {"xlsx"}


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml", "docx"),
        ("vnd.ms-word.document.macroEnabled.main+xml", "docx"),
        ("vnd.ms-word.template.macroEnabledTemplate.main+xml", "docx"),
        ("vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml", "pptx"),
        ("vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "pptx"),
        ("vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml", "xlsx"),
        ("vnd.ms-excel.sheet.macroEnabled.main+xml", "xlsx"),
    ],
)
def test_macro_and_template_variants_count_as_their_format(kind: str, word: str) -> None:
    types = f'<Types><Override PartName="/x.xml" ContentType="application/{kind}"/></Types>'
    assert format_of(zipped(**{"[Content_Types].xml": types})) == word


def test_hwpx_is_known_by_its_mimetype_or_its_sections() -> None:
    assert format_of(zipped(mimetype="application/hwp+zip")) == "hwpx"
    assert format_of(zipped(Contents__section0xml="", **{"Contents/section0.xml": "<x/>"})) == "hwpx"


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "OpenDocument text"),
        ({"mimetype": "application/epub+zip"}, "EPUB"),
        ({"xl/workbook.bin": ""}, "xlsb"),
        ({"a.txt": "x"}, "zip archive"),
    ],
)
def test_other_zips_are_refused_by_their_real_name(members: dict[str, str], named: str) -> None:
    with pytest.raises(Unsupported, match=named):
        format_of(zipped(**members), "a.docx")


@pytest.mark.parametrize(
    "data",
    [
        b"\x9b\x20DRMONE  This Document is encrypted and protected by Fasoo DRM",
        b"<DRMONE  This Document is encrypted and protected by Fasoo DRM",
        b"<!-- FasooSecureContainer - Ver 1 -->",
        b"<DOCUMENT SAFER V2010 R2>\x01\x02",
        b"SCDSA004\x00\x00\x00\x01",
        b"<## NASCA DRM FILE - VER1.00 ##>",
        b".pfile\x01\x00\x00\x00",
        b"NXLFMT!\x00",
        b"%PDF-1.7\n1 0 obj <</Filter /MicrosoftIRMServices>> endobj\n",
        write_ole({"\tDRMContent": bytes(5000), "WordDocument": bytes(5000)}),
    ],
)
def test_wrapped_files_are_drm_not_damage(data: bytes) -> None:
    with pytest.raises(Drm):
        format_of(data + bytes(200), "기획서.docx")


@pytest.mark.parametrize(
    "text",
    [
        "MarkAny 제품 도입 검토\n본문",
        "1. Fasoo 제품 비교",
        "DRMONE 해제 안내",
        "SCDSA004 헤더 안내",
        ".pfile notes",
        "E-DRM",
    ],
)
def test_a_sentence_about_drm_is_text(text: str) -> None:
    assert format_of(text.encode("utf-8"), "검토.txt") == "txt"


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "PNG"),
        (b"\xff\xd8\xff\xe0" + bytes(40), "JPEG"),
        (b"\x00\x00\x00\x18ftypmp42" + bytes(40), "video"),
        (b"MZ\x90\x00" + bytes(60), "program"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(40), "7z"),
        (b"{\\rtf1\\ansi text}", "rtf"),
        (b'// <!-- <mdb:mork:z v="1.4"/> -->\n< <(a=c)> >', "index of a mail program"),
        (b"\x78\x9f\x3e\x22" + bytes(40), "winmail.dat"),
        (b"HWP Document File V3.00 \x1a\x01" + bytes(40), "HWP 3.x"),
        (b"\xd0\xcf\x11\xe0\x00\x01\x02\x03", "unknown"),
    ],
)
def test_what_is_not_read_is_named(data: bytes, named: str) -> None:
    with pytest.raises(Unsupported, match=named):
        format_of(data)


def test_letters_that_look_like_magic_bytes_are_text() -> None:
    assert format_of("MZ세대 소비 보고".encode(), "a.txt") == "txt"
    assert format_of(b"BM25 and MinHash", "a.md") == "md"


def test_nothing_and_only_nul_bytes_are_told_apart() -> None:
    with pytest.raises(Empty):
        format_of(b"")
    with pytest.raises(Corrupt, match="NUL"):
        format_of(bytes(4096), "보고서.hwp")


def test_noise_under_a_document_name_is_damage() -> None:
    noise = random.Random(7).randbytes(4096)
    with pytest.raises(Corrupt):
        format_of(noise, "보고서.hwp")
    with pytest.raises(Unsupported):
        format_of(noise, "core.dump")


def test_a_part_packed_in_an_unknown_way_is_damaged_not_encrypted() -> None:
    data = bytearray(zipped(mimetype="application/hwp+zip"))
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):  # where each header names the method
        data[data.index(mark) + place] = 77
    with pytest.raises(Corrupt, match="mimetype can't be unpacked"):
        format_of(bytes(data))


def test_a_cut_zip_and_a_cut_ole_are_damaged() -> None:
    with pytest.raises(Corrupt):
        format_of(make_xlsx({"표": [["가"]]})[:900], "a.xlsx")
    with pytest.raises(Corrupt):
        format_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.hwp")


def test_html_saved_under_an_office_name_is_html() -> None:
    assert format_of(b"<table><tr><td>1</td></tr></table>", "매출.xls") == "html"
    assert format_of(b'\xef\xbb\xbf<?xml version="1.0"?>\n<!DOCTYPE html><html/>', "a.txt") == "html"


def test_a_page_is_found_behind_many_comments() -> None:
    assert format_of(b"<!-- x -->\n" * 500 + b"<html>", "a.txt") == "html"
    assert format_of(b"<!-- x -->\n" * 500 + b"plain", "a.txt") == "txt"


def test_markdown_may_begin_with_a_tag() -> None:
    assert format_of(b"<table>\n<tr><td>1</td></tr></table>\n# x", "README.md") == "md"


def test_hwpml_is_hml_and_other_xml_is_refused() -> None:
    assert format_of(b'<?xml version="1.0"?><HWPML Version="2.8"/>', "a.hwp") == "hml"
    with pytest.raises(Unsupported, match="XML"):
        format_of(b'<?xml version="1.0"?><data/>', "a.xml")


def test_a_mail_is_known_without_its_extension() -> None:
    mail = make_eml("회의", "kim@example.com", "lee@example.com", "Mon, 02 Mar 2026 09:30:00 +0900", "본문")
    assert format_of(mail, "메일") == "eml"
    assert format_of(b"Subject: x\n\nbody", "a.eml") == "eml"


def test_a_note_that_opens_like_a_mail_stays_a_note() -> None:
    note = "Subject: 회의\nDate: 3월\n\n본문".encode()
    assert format_of(note, "회의.txt") == "txt"
    assert format_of(b"Title: x\nDate: 2026-01-01\nFrom: me\n\nbody", "a.md") == "md"


@pytest.mark.parametrize(
    ("name", "word"),
    [("a.txt", "txt"), ("a.md", "md"), ("a.CSV", "csv"), ("a.tsv", "csv"), ("a.htm", "html"), ("a", "txt")],
)
def test_only_plain_text_asks_the_extension(name: str, word: str) -> None:
    assert format_of("가,나\n1,2\n".encode("cp949"), name) == word


def test_utf16_without_a_mark_is_text() -> None:
    assert format_of("사업 계획을 알립니다.\n둘째 줄\n".encode("utf-16-le") * 20, "a.txt") == "txt"


def test_text_cut_inside_a_character_at_the_window_is_text() -> None:
    for shift in range(3):
        assert format_of(b"x" * shift + "가".encode() * 40_000, "a.txt") == "txt"
        assert format_of(b"x" * shift + "가".encode("cp949") * 40_000, "a.txt") == "txt"


def test_detect_leaves_the_file_at_its_beginning() -> None:
    file = io.BytesIO(make_xlsx({"표": [["가"]]}))
    detect(file, "a.xlsx")
    assert file.tell() == 0


@pytest.mark.cases
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("formats/bad/docx_named.pdf", "docx"),
        ("formats/bad/pdf_named.docx", "pdf"),
        ("formats/bad/html_named.xls", "html"),
        ("formats/bad/doc_named.docx", Unsupported),
        ("formats/bad/syn_ko_password_1234.docx", Encrypted),
        ("formats/bad/truncated_half.docx", Corrupt),
        ("formats/bad/plain_zip.docx", Unsupported),
        ("formats/bad/binary_noise.txt", Corrupt),
        ("formats/legacy/budget.xls", "xls"),
        ("formats/xlsx/pass_protected.xlsx", Encrypted),
        ("hwp/bad/drmone.hwpx", Drm),
        ("hwp/bad/hwp_as.hwpx", "hwp"),
        ("hwp/bad/hwpx_as.hwp", "hwpx"),
        ("hwp/bad/docx_as.hwpx", "docx"),
        ("hwp/bad/text_as.hwp", "txt"),
        ("hwp/bad/trunc_600.hwp", Corrupt),
        ("hwp/bad/random_ole.hwp", Corrupt),
        ("hwp/rhwp_hwp3-sample5.hwp", Unsupported),
        ("hwp/rhwp_formatting_table.hml", "hml"),
    ],
)
def test_case_files(cases_dir: Path, path: str, expected: str | type[SkipDocument]) -> None:
    with (cases_dir / path).open("rb") as file:
        if isinstance(expected, str):
            assert detect(file, Path(path).name) == expected
        else:
            with pytest.raises(expected):
                detect(file, Path(path).name)
