"""HWP 5 documents become blocks, or an error that says what to do."""

from __future__ import annotations

import io
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hwp5_parts import (
    caption_number,
    chart_object,
    composed,
    control,
    document,
    equation,
    form,
    link,
    note,
    old_chart,
    over_words,
    paragraph,
    picture,
    record,
    stored_chart,
    text_art,
    text_box,
    wstring,
)
from hwp5_writer import hwp_streams, pack_hwp, write_hwp
from ole_writer import write_ole
from vectors_hwp import CHART

from pipelines.body import words
from pipelines.errors import Corrupt, Drm, Encrypted, NeedsOcr, SkipDocument, TooLarge, Unsupported
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


def _control(code: int, name: bytes, text: str, inside: bytes) -> bytes:
    """A paragraph of `text` that anchors one control whose records are `inside`."""
    units = text.encode("utf-16-le") + struct.pack("<H4s8xH", code, name, code) + b"\r\0"
    return record(66, 0, bytes(24)) + record(67, 1, units) + record(71, 1, name + bytes(20)) + inside


def _paragraph(level: int, text: str) -> bytes:
    return record(66, level, bytes(24)) + record(67, level + 1, (text + "\r").encode("utf-16-le"))


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


def test_a_damaged_summary_costs_the_title_not_the_body() -> None:
    data = _write(*[Block("paragraph", f"{number} {hex(number**9)}") for number in range(400)])
    name = "\x05HwpSummaryInformation".encode("utf-16-le")
    entry = data.index(name)
    damaged = data[: entry + 116] + struct.pack("<I", 0x7FFFFFF0) + data[entry + 120 :]
    parsed = _read(damaged)
    assert (parsed.title, parsed.clock, len(parsed.blocks)) == (None, None, 400)
    assert parsed.warnings == ("the summary with title and times can't be read",)


def test_the_final_text_of_a_tracked_document_is_its_body() -> None:
    final = document(paragraph("예산은 이백만원이다."), deletions=1)
    streams = hwp_streams([Block("paragraph", "예산은 백만원 이백만원이다.")])
    body = hwp_streams([Block("paragraph", "예산은 이백만원이다.")])["BodyText/Section0"]
    both = {**streams, "BodyText/Section0": body, "ViewText/Section0": streams["BodyText/Section0"]}
    assert _lines(pack_hwp(both, flags=1 << 14)) == _lines(final) == ["예산은 이백만원이다."]


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
        (2, "DECAGON_CIRCLE", "을"), (10, "DECAGON_CIRCLE_HANJA", "癸"), (11, "DECAGON_CIRCLE", "11"),
    ],
)  # fmt: skip
def test_every_number_format_is_written_as_hangul_shows_it(value: int, kind: str, shown: str) -> None:
    assert numeral(value, kind) == shown


def test_a_skipped_level_counts_from_its_start() -> None:
    numberer = Numberer({1: [Level("^1.", start=3), Level("^1.^2"), Level("^n")]})
    assert [numberer.next("outline", 1, level) for level in (1, 1, 0, 2)] == ["3.1", "3.2", "4.", "4.1.1"]
    assert numberer.next("outline", 9, 0) == ""


def test_an_older_numbering_says_only_the_first_number_of_its_top_level() -> None:
    level = bytes(12) + struct.pack("<H", 3) + "^1.".encode("utf-16-le")
    for rest, numbers in ((struct.pack("<H", 7), ["7.", "8."]), (struct.pack("<H7I", 7, 3, *[1] * 6), ["3.", "4."])):
        shapes = record(23, 0, level * 7 + rest) + record(25, 0, struct.pack("<I26xH", 2 << 23, 1))
        data = pack_hwp({"DocInfo": shapes, "BodyText/Section0": _paragraph(0, "가") + _paragraph(0, "나")})
        assert [block.number for block in _read(data).blocks] == numbers


def test_headers_footers_and_comments_stand_apart() -> None:
    section = b"".join(
        _control(code, name, text, record(72, 2, bytes(8)) + _paragraph(2, "곁글"))
        for code, name, text in ((16, b"daeh", "하나"), (16, b"toof", "둘"), (15, b"tmct", "셋"))
    )
    parsed = _read(_with_section(section))
    assert parsed.asides == {"header": 1, "footer": 1, "comment": 1}
    assert {(one.kind, one.text) for one in parsed.apart} == {(kind, "곁글") for kind in parsed.asides}
    assert _body(parsed) == "하나둘셋"


def test_a_text_box_follows_its_paragraph() -> None:
    box = record(76, 2, bytes(8)) + record(72, 3, bytes(8)) + _paragraph(3, "상자 글")
    parsed = _read(_with_section(_control(11, b" osg", "앞 문단", box)))
    assert [block.text for block in parsed.blocks] == ["앞 문단", "상자 글"]


def test_an_equation_is_its_script() -> None:
    script = "x = 1 over 2"
    equation = record(88, 2, struct.pack("<IH", 0, len(script)) + script.encode("utf-16-le"))
    parsed = _read(_with_section(_control(11, b"deqe", "식:", equation)))
    assert parsed.blocks[0].text == "식: x = 1 over 2"


def test_lone_surrogates_and_control_characters_are_dropped() -> None:
    units = "가".encode("utf-16-le") + b"\x00\xd8" + b"\x01\x00" + bytes(14) + "나".encode("utf-16-le")
    parsed = _read(_with_section(record(66, 0, bytes(24)) + record(67, 1, units)))
    assert parsed.blocks == (Block("paragraph", "가나"),)


def _lines(data: bytes) -> list[str]:
    return [block.text for block in _read(data).blocks]


def test_a_link_keeps_its_words_and_its_web_address() -> None:
    words = paragraph("안내는 ", *link("누리집", "http\\://a.kr/b\\;c;1;0;0;"), "에 있다.")
    itself = paragraph(*link("http://a.kr/b", "http\\://a.kr/b;1;0;0;"))
    inside = paragraph("앞의 ", *link("2장", "?#645989673;0;1;0;"), "을 본다.")
    assert _lines(document(words, itself, inside)) == [
        "안내는 누리집 (http://a.kr/b;c)에 있다.", "http://a.kr/b", "앞의 2장을 본다.",
    ]  # fmt: skip


def test_a_link_that_goes_on_in_the_next_paragraph_ends_with_its_own() -> None:
    begin, words, end = link("긴 이름", "http\\://a.kr;1;0;0;")
    assert _lines(document(paragraph(begin, words), paragraph("끝", end))) == ["긴 이름 (http://a.kr)", "끝"]


def test_links_in_links_cost_no_more_than_their_words() -> None:
    begin, words, end = link("말", "http\\://a.kr/" + "x" * 400 + ";1;0;0;")
    begins = [piece for _ in range(400) for piece in (begin, words)]
    data = document(paragraph(*begins, *[end] * 400))
    assert len(_lines(data)[0]) < 1000


def test_form_objects_show_their_words_and_ticks() -> None:
    objects = (
        form("tbc+", wstring("Caption", "동의함"), "Value:int:1"),
        form("tbc+", wstring("Caption", "거절"), "Value:int:0"),
        form("tbr+", wstring("Caption", "예"), "Value:int:1"),
        form("boc+", wstring("Text", "서울: 종로구")),
        form("tde+", wstring("Text", "1234"), wstring("PasswordChar", "*")),
    )
    assert " ".join(_lines(document(paragraph(*objects)))[0].split()) == "☑ 동의함 ☐ 거절 ◉ 예 서울: 종로구"


def test_words_over_words_and_composed_letters_are_read() -> None:
    data = document(paragraph(over_words("한글", "Hangul"), " ", composed("\U000f0289\U000f0294")))
    assert _lines(data) == ["한글(Hangul) ⑫"]


def test_numbers_of_captions_keep_their_format_and_marks() -> None:
    data = document(paragraph("그림 ", caption_number(3, shape=1)), paragraph(caption_number(2, 5, marks="()")))
    assert _lines(data) == ["그림 ③", "(2)"]
    assert _lines(document(paragraph("쪽 ", caption_number(7, 0), "끝"))) == ["쪽 끝"]


def test_text_art_and_captions_of_boxes_and_equations_are_read() -> None:
    data = document(paragraph("앞", text_art("새 출발"), text_box("상자 글", caption="설명"), equation("x", "식 설명")))
    assert _lines(data) == ["앞 x", "새 출발", "설명", "상자 글", "식 설명"]


def test_a_chart_is_its_title_and_data_once() -> None:
    data = document(paragraph("하나", chart_object()), paragraph("둘", chart_object()), chart=stored_chart(CHART))
    parsed = _read(data)
    assert [block.kind for block in parsed.blocks] == ["paragraph", "paragraph", "table", "paragraph"]
    assert _body(parsed) == "하나분기매출국내1분기120둘"


@pytest.mark.parametrize(
    "stored",
    [
        pytest.param(stored_chart("<a><b></a>"), id="no XML"),
        pytest.param(stored_chart("VtChart" + " " * 300, "Contents"), id="no data grid"),
        pytest.param(stored_chart(old_chart(["가", 1])[:-60], "Contents"), id="a grid cut short"),
        pytest.param(stored_chart(old_chart(["가"], declared=(60_000, 60_000)), "Contents"), id="a grid of billions"),
        pytest.param(stored_chart(CHART)[:700], id="cut short"),
    ],
)
def test_a_chart_that_cannot_be_read_is_counted(stored: bytes) -> None:
    parsed = _read(document(paragraph("하나", chart_object()), chart=stored))
    assert (_body(parsed), parsed.warnings) == ("하나", ("1 charts that can't be read",))


def test_a_chart_of_older_programs_is_its_data() -> None:
    grid = old_chart([None, "국내", "해외"], ["1분기", 120, 4.5], ["2분기", -3, None])
    (words, table) = _read(document(paragraph("매출", chart_object()), chart=stored_chart(grid, "Contents"))).blocks
    shown = [[block.text for block in cell.blocks] for cell in table.cells]
    assert words.text == "매출"
    assert shown == [[], ["국내"], ["해외"], ["1분기"], ["120"], ["4.5"], ["2분기"], ["-3"], []]


def test_objects_that_unpack_to_too_much_cost_a_warning_not_the_document() -> None:
    many = [control(11, "gso ", bytes(42), record(76, 2, b"") + record(84, 3, struct.pack("<IIIH", 1, 0, 0, number)))
            for number in range(1, 10)]  # fmt: skip
    streams = hwp_streams([Block("paragraph", "")])
    streams["BodyText/Section0"] += paragraph("본문", *many)
    for number in range(1, 10):
        streams["DocInfo"] += record(18, 0, struct.pack("<HHH", 2, number, 3) + "OLE".encode("utf-16-le"))
        streams[f"BinData/BIN{number:04X}.OLE"] = bytes(2 << 20)
    parsed = _read(pack_hwp(streams), Limits(stream_mb=1))
    assert (_body(parsed), parsed.warnings) == ("본문", ("9 charts that can't be read",))


def test_an_ole_object_that_is_no_chart_is_passed_over() -> None:
    stored = stored_chart("표", "Workbook")
    assert _read(document(paragraph("하나", chart_object()), chart=stored)).warnings == ()


def test_words_that_are_all_in_notes_are_the_body() -> None:
    parsed = _read(document(paragraph(" ", note("각주 글"), note("미주 글", "en  "))))
    assert [(block.kind, block.text, block.in_body) for block in parsed.blocks] == [
        ("paragraph", "각주 글", True), ("paragraph", "미주 글", True),
    ]  # fmt: skip


def test_pictures_without_a_word_want_text_recognition() -> None:
    with pytest.raises(NeedsOcr, match="pictures"):
        _read(document(paragraph(picture())))


def test_deleted_words_of_tracked_changes_leave_and_are_counted() -> None:
    data = document(paragraph("예산은 백만원 이백만원이다.", deleted=["백만원 "]), deletions=1)
    parsed = _read(data)
    assert _body(parsed) == "예산은이백만원이다."
    assert parsed.warnings == ("1 passages that tracked changes deleted",)


def test_what_is_anchored_in_deleted_words_leaves_with_them() -> None:
    data = document(paragraph("가나", note("지운 각주"), "다라", note("남은 각주"), deleted=["나\x11"]), deletions=1)
    assert [block.text for block in _read(data).blocks] == ["가다라", "남은 각주"]


def test_deletions_that_touch_or_lie_are_one() -> None:
    data = document(paragraph("가나다라마", deleted=["나다", "다라", "마\r"]), deletions=3)
    assert _lines(data) == ["가"]


def test_marks_that_are_no_tracked_deletion_keep_their_words() -> None:
    marked = paragraph("가나다라", deleted=["나", "다"])
    assert _lines(document(marked)) == ["가나다라"]
    assert _lines(document(marked, deletions=1)) == ["가다라"]


def test_text_boxes_nested_beyond_the_limit_are_refused() -> None:
    inside = b""
    for level in range(28, 0, -3):
        shape = record(76, level + 1, bytes(8)) + record(72, level + 2, bytes(8)) + _paragraph(level + 2, "속")
        inside = record(71, level, b" osg" + bytes(20)) + shape + inside
    with pytest.raises(TooLarge, match="nested"):
        _read(_with_section(_paragraph(0, "겉") + inside), Limits(depth=5))


def test_thousands_of_controls_in_one_paragraph_are_read_in_order() -> None:
    parts = [control(23, f"x{number % 900:03d}") for number in range(20_000)]
    assert _lines(document(paragraph("앞", *parts, caption_number(4), "뒤"))) == ["앞4뒤"]


def test_old_hangul_and_signs_of_hancom_become_standard_characters() -> None:
    table = Block("table", cells=(_cell(0, 0, "\U000f02b1 개요"), _cell(0, 1, "\uf0e8")))
    parsed = _read(_write(Block("paragraph", "\uf53a글 문서"), table))
    assert parsed.blocks[0].text == "\u1112\u119e\u11ab글 문서"
    assert [cell.blocks[0].text for cell in parsed.blocks[1].cells] == ["① 개요", "➔"]


def test_signs_of_hancom_in_sixteen_bits_are_the_same_signs() -> None:
    folded = document(paragraph("\ua2b1 개요 ", composed("\ua0e1"), " \ua80f"))
    assert _lines(folded) == ["① 개요 (인) ━"] == _lines(document(paragraph("\U000f02b1 개요 \U000f00e1 \U000f080f")))


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


def test_a_document_that_lost_a_section_is_damaged() -> None:
    streams = hwp_streams([Block("paragraph", "본문")])
    two = streams["DocInfo"].replace(struct.pack("<7H", *[1] * 7), struct.pack("<7H", 2, *[1] * 6))
    both = {**streams, "DocInfo": two, "BodyText/Section1": streams["BodyText/Section0"]}
    assert _lines(pack_hwp(both)) == ["본문", "본문"]
    del both["BodyText/Section1"]
    with pytest.raises(Corrupt, match="1 of the document's sections"):
        _read(pack_hwp(both))


def test_many_sections_below_the_limit_are_too_large_together() -> None:
    sections = {f"BodyText/Section{number}": record(0, 0, bytes(1 << 20)) for number in range(9)}
    with pytest.raises(TooLarge, match="the document"):
        _read(pack_hwp({**hwp_streams([]), **sections}), Limits(stream_mb=2))


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
    ("rhwp_footnote-01.hwp", {"note": 9, "table": 2}, {}),
    ("hancom_spec_equation_r1.3.hwp", {"table": 12}, {"header": 2, "image": 212}),
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
