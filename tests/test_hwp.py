"""HWP 5 documents become blocks, or an error that says what to do."""

from __future__ import annotations

import io
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hwp5_writer import hwp_streams, pack_hwp, write_hwp
from ole_writer import write_ole

from pipelines.body import words
from pipelines.errors import Corrupt, Drm, Encrypted, SkipDocument, TooLarge, Unsupported
from pipelines.parsers import hwp
from pipelines.parsers.hwp_numbers import Level, Numberer, numeral
from pipelines.records import Block, Cell, Limits, Parsed

MODIFIED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def _read(data: bytes, limits: Limits | None = None) -> Parsed:
    return hwp.parse(io.BytesIO(data), "문서.hwp", limits or Limits())


def _write(*blocks: Block, outline_numbers: tuple[str, ...] = ()) -> bytes:
    return write_hwp(blocks, title="제안서", author="김새로", modified=MODIFIED, outline_numbers=outline_numbers)


def _cell(row: int, col: int, *texts: str, row_span: int = 1, col_span: int = 1) -> Cell:
    return Cell(row, col, tuple(Block("paragraph", text) for text in texts), row_span, col_span)


def _body(parsed: Parsed) -> str:
    return "".join(words(block) for block in parsed.blocks)


def _record(tag: int, level: int, data: bytes) -> bytes:
    return struct.pack("<I", tag | level << 10 | len(data) << 20) + data


def _control(code: int, name: bytes, text: str, inside: bytes) -> bytes:
    """A paragraph of `text` that anchors one control whose records are `inside`."""
    units = text.encode("utf-16-le") + struct.pack("<H4s8xH", code, name, code) + b"\r\0"
    return _record(66, 0, bytes(24)) + _record(67, 1, units) + _record(71, 1, name + bytes(20)) + inside


def _paragraph(level: int, text: str) -> bytes:
    return _record(66, level, bytes(24)) + _record(67, level + 1, (text + "\r").encode("utf-16-le"))


def _with_section(section: bytes) -> bytes:
    return pack_hwp({**hwp_streams([]), "BodyText/Section0": section})


def test_headings_paragraphs_items_and_tables_come_back_in_order() -> None:
    blocks = (
        Block("heading", "결제 연동", level=1),
        Block("paragraph", "첫 줄\n둘째 줄\t탭 & <표>"),
        Block("heading", "일정", level=2),
        Block("item", "설계", level=1),
        Block("item", "화면", level=2),
        Block("table", cells=(_cell(0, 0, "가"), _cell(0, 1, "나", "다"), _cell(1, 0), _cell(1, 1, "라"))),
        Block("paragraph", "끝."),
    )
    assert _read(_write(*blocks)).blocks == blocks


def test_title_author_and_time_come_from_the_summary() -> None:
    parsed = _read(_write(Block("paragraph", "본문")))
    assert (parsed.format, parsed.title, parsed.author) == ("hwp", "제안서", "김새로")
    assert (parsed.modified_at, parsed.created_at, parsed.clock) == (MODIFIED, MODIFIED, "hwp:summary13")


def test_a_document_without_summary_has_no_clock() -> None:
    parsed = _read(pack_hwp(hwp_streams([Block("paragraph", "본문")])))
    assert (parsed.title, parsed.modified_at, parsed.clock) == (None, None, None)


def test_merged_and_nested_tables_keep_their_places() -> None:
    inner = Block("table", cells=(_cell(0, 0, "안 하나"), _cell(0, 1, "안 둘")))
    table = Block("table", cells=(
        _cell(0, 0, "항목", row_span=2), _cell(0, 1, "값", col_span=2), _cell(1, 1, "최소"),
        Cell(1, 2, (Block("paragraph", "최대"), inner)),
    ))  # fmt: skip
    assert _read(_write(table)).blocks == (table,)


def test_a_frame_of_one_cell_is_its_paragraphs() -> None:
    frame = Block("table", cells=(_cell(0, 0, "알림", "내용"),))
    assert _read(_write(frame)).blocks == (Block("paragraph", "알림"), Block("paragraph", "내용"))


def test_a_note_follows_its_paragraph_outside_the_body() -> None:
    parsed = _read(_write(Block("paragraph", "기준은 30초."), Block("note", "운영 환경"), Block("paragraph", "끝.")))
    assert parsed.blocks[1] == Block("note", "운영 환경", number="1", in_body=False)
    assert _body(parsed) == "기준은30초.끝."


def test_automatic_numbers_are_rebuilt() -> None:
    blocks = [Block("heading", text, level=level) for text, level in
              (("총칙", 1), ("목적", 2), ("정의", 2), ("계약", 1), ("기간", 2))]  # fmt: skip
    parsed = _read(_write(*blocks, outline_numbers=("제^1장", "^1.^2")))
    assert [block.number for block in parsed.blocks] == ["제1장", "1.1", "1.2", "제2장", "2.1"]
    assert _body(parsed).startswith("제1장총칙1.1목적")


def test_a_long_numbered_sentence_is_an_item_not_a_heading() -> None:
    parsed = _read(_write(Block("heading", "가나다 " * 40, level=1), outline_numbers=("^1.",)))
    assert [(block.kind, block.number) for block in parsed.blocks] == [("item", "1.")]


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (3, "DIGIT", "3"), (20, "CIRCLED_DIGIT", "⑳"), (21, "CIRCLED_DIGIT", "㉑"), (51, "CIRCLED_DIGIT", "51"),
        (14, "ROMAN_CAPITAL", "XIV"), (4, "ROMAN_SMALL", "iv"), (2, "LATIN_CAPITAL", "B"), (28, "LATIN_SMALL", "bb"),
        (1, "HANGUL_SYLLABLE", "가"), (14, "HANGUL_SYLLABLE", "하"), (15, "HANGUL_SYLLABLE", "거"),
        (2, "CIRCLED_HANGUL_SYLLABLE", "㉯"), (3, "HANGUL_JAMO", "ㄷ"), (1, "CIRCLED_HANGUL_JAMO", "㉠"),
        (21, "HANGUL_PHONETIC", "이십일"), (10, "IDEOGRAPH", "十"), (2, "CIRCLED_IDEOGRAPH", "㊁"), (0, "DIGIT", "0"),
    ],
)  # fmt: skip
def test_every_number_format_is_written_as_hangul_shows_it(value: int, kind: str, shown: str) -> None:
    assert numeral(value, kind) == shown


def test_a_skipped_level_counts_from_its_start() -> None:
    numberer = Numberer({1: [Level("^1.", start=3), Level("^1.^2"), Level("^n")]})
    assert [numberer.next("outline", 1, level) for level in (1, 1, 0, 2)] == ["3.1", "3.2", "4.", "4.1.1"]
    assert numberer.next("outline", 9, 0) == ""


def test_headers_footers_and_comments_are_counted_not_read() -> None:
    section = b"".join(
        _control(code, name, text, _record(72, 2, bytes(8)) + _paragraph(2, "곁글"))
        for code, name, text in ((16, b"daeh", "하나"), (16, b"toof", "둘"), (15, b"tmct", "셋"))
    )
    parsed = _read(_with_section(section))
    assert parsed.asides == {"header": 1, "footer": 1, "comment": 1}
    assert _body(parsed) == "하나둘셋"


def test_a_text_box_follows_its_paragraph() -> None:
    box = _record(76, 2, bytes(8)) + _record(72, 3, bytes(8)) + _paragraph(3, "상자 글")
    parsed = _read(_with_section(_control(11, b" osg", "앞 문단", box)))
    assert [block.text for block in parsed.blocks] == ["앞 문단", "상자 글"]


def test_an_equation_is_its_script() -> None:
    script = "x = 1 over 2"
    equation = _record(88, 2, struct.pack("<IH", 0, len(script)) + script.encode("utf-16-le"))
    parsed = _read(_with_section(_control(11, b"deqe", "식:", equation)))
    assert parsed.blocks[0].text == "식: x = 1 over 2"


def test_lone_surrogates_and_control_characters_are_dropped() -> None:
    units = "가".encode("utf-16-le") + b"\x00\xd8" + b"\x01\x00" + bytes(14) + "나".encode("utf-16-le")
    parsed = _read(_with_section(_record(66, 0, bytes(24)) + _record(67, 1, units)))
    assert parsed.blocks == (Block("paragraph", "가나"),)


def test_old_hangul_and_signs_of_hancom_become_standard_characters() -> None:
    table = Block("table", cells=(_cell(0, 0, "\U000f02b1 개요"), _cell(0, 1, "\uf0e8")))
    parsed = _read(_write(Block("paragraph", "\uf53a글 문서"), table))
    assert parsed.blocks[0].text == "\u1112\u119e\u11ab글 문서"
    assert [cell.blocks[0].text for cell in parsed.blocks[1].cells] == ["① 개요", "➔"]


def test_two_cells_far_apart_are_no_table_of_billions() -> None:
    table = Block("table", cells=(_cell(0, 0, "가"), _cell(65_000, 65_000, "나")))
    with pytest.raises(TooLarge, match="cells"):
        _read(_write(table))


def test_an_empty_document_is_no_error() -> None:
    assert _read(_write()).blocks == ()


def test_a_password_is_named() -> None:
    data = write_hwp([], title="", author="", modified=MODIFIED, password=True)
    with pytest.raises(Encrypted, match="password"):
        _read(data)


@pytest.mark.parametrize(("flag", "error"), [(1 << 4, Drm), (1 << 10, Drm), (1 << 8, Encrypted)])
def test_protected_documents_are_named(flag: int, error: type[SkipDocument]) -> None:
    with pytest.raises(error):
        _read(pack_hwp(hwp_streams([]), flags=flag))


def test_a_file_cut_short_is_damaged() -> None:
    data = _write(*[Block("paragraph", f"{number} {hex(number**9)}") for number in range(3000)])
    for share in (0.1, 0.5, 0.9):
        with pytest.raises(Corrupt):
            _read(data[: int(len(data) * share)])


def test_a_damaged_stream_is_named() -> None:
    streams = {**hwp_streams([]), "FileHeader": struct.pack("<32sII216s", b"HWP Document File", 0x05000500, 1, b"")}
    with pytest.raises(Corrupt, match="DocInfo"):
        _read(write_ole({**streams, "DocInfo": b"\xff" * 100}))


def test_a_record_that_passes_the_end_is_damage() -> None:
    with pytest.raises(Corrupt, match="cut inside a record"):
        _read(_with_section(_paragraph(0, "본문") + struct.pack("<I", 66 | 500 << 20)))


def test_a_bomb_is_too_large() -> None:
    data = _with_section(bytes(3 << 20))
    with pytest.raises(TooLarge, match="Section0"):
        _read(data, Limits(stream_mb=2))


def test_a_document_without_section_is_damaged() -> None:
    streams = hwp_streams([])
    with pytest.raises(Corrupt, match="no section"):
        _read(pack_hwp({"DocInfo": streams["DocInfo"], "BodyText/Other": b""}))


def test_tables_nested_beyond_the_limit_are_refused() -> None:
    block = Block("paragraph", "속")
    for _ in range(6):
        block = Block("table", cells=(Cell(0, 0, (block,)), _cell(0, 1, "옆")))
    assert "속" in _body(_read(_write(block)))
    with pytest.raises(TooLarge, match="nested"):
        _read(_write(block), Limits(depth=5))


def test_the_notice_of_a_newer_distribution_copy_is_no_body() -> None:
    notice = (
        "이 문서는 상위 버전의 배포용 문서입니다. 문서를 읽으려면 최신 버전의 한글 또는 한글 전용 뷰어가 필요합니다."
    )
    with pytest.raises(Unsupported, match="distribution"):
        _read(_write(Block("paragraph", notice)))
    talk = [Block("paragraph", f"{number}번째 문단") for number in range(20)]
    assert len(_read(_write(Block("paragraph", notice), *talk)).blocks) == 21


CASES = [
    ("hwplib_distribution.hwp", {"table": 1}, {}),
    ("rhwp_footnote-01.hwp", {"note": 8, "table": 2}, {}),
    ("hancom_spec_equation_r1.3.hwp", {"table": 12}, {"header": 2}),
    ("hwplib_머리글꼬리글.hwp", {"heading": 42}, {"header": 1}),
]


@pytest.mark.cases
@pytest.mark.parametrize(("name", "kinds", "asides"), CASES)
def test_real_documents_keep_their_parts(
    cases_dir: Path, name: str, kinds: dict[str, int], asides: dict[str, int]
) -> None:
    with (cases_dir / "hwp" / name).open("rb") as file:
        parsed = hwp.parse(file, name, Limits())
    found: list[str] = [block.kind for block in parsed.blocks]
    assert {kind: found.count(kind) for kind in kinds} == kinds
    assert parsed.asides == asides


@pytest.mark.cases
def test_every_real_document_ends_in_text_or_a_category(cases_dir: Path) -> None:
    for path in sorted((cases_dir / "hwp").rglob("*.hwp")):
        with path.open("rb") as file:
            try:
                hwp.parse(file, path.name, Limits())
            except SkipDocument as error:
                assert error.reason
