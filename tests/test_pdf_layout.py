"""PDF pages as they are printed: words over line ends, columns, running lines, headings, what no reader sees."""

from __future__ import annotations

import io
import random

import pytest
from pdf_makers import Draw, drawn, lines, one_page, rules, spaced_by_gaps, together, upright, with_map, without_map
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipelines.errors import NeedsOcr
from pipelines.parsers.pdf import parse
from pipelines.records import Block, Limits, Parsed

WIDE = "공공기관의 문서를 한곳에 모아 찾는 일은 오래된 숙제이며"


def read(*pages: Draw) -> Parsed:
    return parse(io.BytesIO(drawn(*pages)), "문서.pdf", Limits())


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


def rows(block: Block) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for cell in block.cells:
        found.setdefault(cell.row, []).append(" ".join(inner.text for inner in cell.blocks))
    return list(found.values())


def filler(page: int, count: int = 30) -> list[str]:
    """Lines of one page that nothing else repeats, each a sentence."""
    return [f"{'가나다라마바사아자차카타파하'[n % 14]} {page * 100 + n}번 일을 마쳤다." for n in range(count)]


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        (f"{WIDE} 계약서는 각 1부씩 보관", "한다.", "각 1부씩 보관한다."),
        (f"{WIDE} 결재한 문서를 두 해 동안 보관", "을 맡긴다.", "동안 보관을 맡긴다."),
        (f"{WIDE} 그 밖의 일은 따로 정하여야", "한다.", "정하여야 한다."),
        (f"{WIDE} 아직 끝나지 않은 일이 있음", "또한, 새 일도 있다.", "있음 또한, 새 일도"),
    ],
)
def test_a_word_over_a_line_end_is_whole_and_two_words_stay_two(first: str, second: str, joined: str) -> None:
    assert joined in texts(read(lines([first, second])))[0]


def test_a_word_that_stands_whole_elsewhere_is_put_together() -> None:
    end = "보안성검토 결과는 보안성검토 위원회가 정하는 바에 따라 발주기관과 사업자에게 알리고 그 뒤의 일은 보안성"
    assert texts(read(lines([end, "검토 위원회에 맡긴다."])))[0].endswith("일은 보안성검토 위원회에 맡긴다.")


def test_a_label_starts_a_paragraph_though_a_particle_is_spelt_like_it() -> None:
    for label in ("을: 김철수", "계약금액: 금 일백만원", "병 : 이영희"):
        assert texts(read(lines([f"{WIDE} 성실히 이행할 것을 약속한다", label]))) == [
            f"{WIDE} 성실히 이행할 것을 약속한다",
            label,
        ]


def test_the_rest_of_a_word_before_a_colon_is_no_label() -> None:
    found = texts(read(lines([f"{WIDE} 지켜야 할 일은 다음과 같", "음: 문서를 버리지 않는다."])))
    assert len(found) == 1


def test_a_hyphen_of_a_compound_stays_and_one_of_a_line_end_goes() -> None:
    draw = lines(
        [
            "Search over open-domain text is an old problem, and many a method for open-",
            "domain text has been tried before; none of them was made for the docu-",
            "ments of one office.",
        ],
        font="Helvetica",
    )
    assert texts(read(draw)) == [
        "Search over open-domain text is an old problem, and many a method for open-domain text has been tried "
        "before; none of them was made for the documents of one office."
    ]


def test_ligatures_are_letters() -> None:
    assert texts(read(lines(["oﬃce ﬁle"]))) == ["office file"]


def test_a_raised_footnote_mark_is_no_part_of_the_word() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "practice")
        end = 72 + canvas.stringWidth("practice", "Helvetica", 10)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(end, 704, "2")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(end + 4, 700, ", indicating 5 km")
        canvas.setFont("Helvetica", 6)
        canvas.drawString(end + 4 + canvas.stringWidth(", indicating 5 km", "Helvetica", 10), 704, "2")

    assert texts(read(draw)) == ["practice 2, indicating 5 km2"]


def test_a_paragraph_over_a_page_is_one_with_the_place_of_its_first_line() -> None:
    top = [*filler(1), f"{WIDE} 결과가 저마다 다르게 나온 까닭을 살피"]
    parsed = read(lines(top), lines(["면 원본이 흩어져 있었기 때문이다.", *filler(2)]))
    joined = next(block for block in parsed.blocks if "까닭을" in block.text)
    assert joined.text.endswith("때문이다.")
    assert joined.locator.page == 1


def test_a_sentence_that_ends_with_its_page_stays_apart() -> None:
    top = [*filler(1), f"{WIDE} 결과가 저마다 다르게 나온 까닭을 살폈다."]
    parsed = read(lines(top), lines(["다음 일은 따로 적는다.", *filler(2)]))
    assert "다음 일은 따로 적는다." in texts(parsed)


def test_two_pages_have_running_lines_too_and_one_page_has_none() -> None:
    def page(number: int) -> Draw:
        return together(lines(["대외비 사업계획서"], y=810), lines(filler(number)), lines([f"- {number} / 2 -"], y=30))

    parsed = read(page(1), page(2))
    assert parsed.asides == {"header": 2, "footer": 2}
    assert [(aside.kind, aside.text) for aside in parsed.apart] == [("header", "대외비 사업계획서")]
    assert "대외비" not in "".join(texts(parsed))
    alone = read(together(lines(["대외비 사업계획서"], y=810), lines(filler(1))))
    assert texts(alone)[0] == "대외비 사업계획서"


def test_a_chapter_that_runs_over_its_own_pages_leaves() -> None:
    pages = [together(lines([f"{1 + n // 4}부 고르는 법"], y=810), lines(filler(n))) for n in range(12)]
    parsed = read(*pages)
    assert "고르는 법" not in "".join(texts(parsed))
    assert [(aside.text, aside.locator.page) for aside in parsed.apart] == [
        ("1부 고르는 법", 1),
        ("2부 고르는 법", 5),
        ("3부 고르는 법", 9),
    ]


def test_a_number_that_each_page_has_of_its_own_stays() -> None:
    pages = [together(lines([f"요구사항 SFR-{n:03}"], y=810), lines(filler(n))) for n in (11, 12, 13, 14)]
    assert sum("SFR-01" in text for text in texts(read(*pages))) == 4


def test_a_bold_line_over_plain_text_is_a_heading_and_bold_text_is_none() -> None:
    plain = [f"Plain sentence number {n} about the work of the year." for n in range(12)]
    draw = together(
        lines(["Scope of work"], y=780, font="Helvetica-Bold"),
        lines(plain, y=760, font="Helvetica"),
        lines(
            ["A bold warning that nobody may skip", "and that goes on for a second line."], y=560, font="Helvetica-Bold"
        ),
    )
    found = {block.text: block.kind for block in read(draw).blocks}
    assert found["Scope of work"] == "heading"
    assert [kind for text, kind in found.items() if "warning" in text] == ["paragraph"]


def test_chapters_are_headings_below_each_other_and_their_entries_in_a_contents_list_are_not() -> None:
    page = ["제1장 총칙", "제1절 목적", *filler(1), "제2장 보칙 ........ 12", "제2절 벌칙 14"]
    found = [(block.level, block.text) for block in read(lines(page)).blocks if block.kind == "heading"]
    assert found == [(2, "제1장 총칙"), (3, "제1절 목적")]


def test_a_title_that_is_drawn_last_comes_first() -> None:
    draw = together(lines(filler(1), y=700), lines(["하반기 예산안"], y=780))
    assert texts(read(draw))[0] == "하반기 예산안"


def test_columns_that_are_drawn_at_random_are_read_one_after_the_other() -> None:
    left, right = filler(1, 20), filler(2, 20)
    draws = [
        lines([text], x=x, y=760 - 20 * n) for x, column in ((60, left), (320, right)) for n, text in enumerate(column)
    ]
    shuffled = random.Random(3).sample(draws, len(draws))
    assert texts(read(together(*shuffled))) == left + right


def test_columns_of_vertical_writing_go_from_right_to_left() -> None:
    columns = ["착수보고서를 낸다.", "마감은 삼월이다.", "돈은 뒤에 준다."]
    assert texts(read(upright(columns))) == columns


def test_white_text_on_white_is_left_out_and_on_a_dark_box_it_stays() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Shown to all")
        canvas.setFillGray(0.1)
        canvas.rect(60, 590, 300, 30, stroke=0, fill=1)
        canvas.setFillGray(1)
        canvas.drawString(72, 600, "White on a dark box")
        canvas.drawString(72, 500, "White on white")

    parsed = read(draw)
    assert texts(parsed) == ["Shown to all", "White on a dark box"]
    assert parsed.asides == {"hidden": 1}
    assert parsed.warnings == ("1 lines left out that no reader sees (white, covered, invisible or tiny)",)


def unseen(canvas: Canvas, text: str, y: float) -> None:
    ink = canvas.beginText(72, y)
    ink.setTextRenderMode(3)
    ink.textLine(text)
    canvas.drawText(ink)


def picture(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (50, 70), 128)), x, y, width, height)


def test_invisible_text_is_left_out_and_counted() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Shown to all")
        picture(canvas, 72, 100, 50, 50)
        unseen(canvas, "Shown to nobody", 600)

    parsed = read(draw)
    assert (texts(parsed), parsed.asides) == (["Shown to all"], {"image": 1, "hidden": 1})


def test_invisible_text_of_a_table_page_is_left_out_too() -> None:
    def draw(canvas: Canvas) -> None:
        rules([60, 160, 260], [780, 750, 720])(canvas)
        for x, y, text in ((70, 760, "aa"), (170, 760, "bb"), (70, 730, "cc"), (170, 730, "dd")):
            canvas.drawString(x, y, text)
        unseen(canvas, "Shown to nobody", 600)

    parsed = read(draw)
    assert (texts(parsed), rows(parsed.blocks[0])) == ([""], [["aa", "bb"], ["cc", "dd"]])


def test_what_a_program_recognised_in_the_pieces_of_a_scan_stays() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(4):
            picture(canvas, 0, 210 * n, 595, 210)
        unseen(canvas, "Recognised in a scan that came in four strips", 600)

    assert texts(read(draw)) == ["Recognised in a scan that came in four strips"]


def test_invisible_text_over_letters_that_are_drawn_as_paths_stays() -> None:
    def draw(canvas: Canvas) -> None:
        for n in range(12):
            canvas.rect(72 + 9 * n, 600, 7, 10, fill=1)
        unseen(canvas, "Drawn title", 600)

    assert texts(read(draw)) == ["Drawn title"]


def test_print_that_nobody_can_read_is_left_out_and_small_print_stays() -> None:
    def draw(canvas: Canvas) -> None:
        for n, size in enumerate((10, 0.5, 3)):
            canvas.setFont("Helvetica", size)
            canvas.drawString(72, 700 - 40 * n, f"Print of {size} points")

    parsed = read(draw)
    assert (texts(parsed), parsed.asides) == (["Print of 10 points", "Print of 3 points"], {"hidden": 1})


@pytest.mark.parametrize("grey", [0, 1])
def test_text_under_a_box_is_left_out_and_text_on_one_stays(grey: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Shown to all")
        canvas.drawString(72, 600, "Name:")
        canvas.drawString(120, 600, "Kim Sujin")
        canvas.setFillGray(grey)
        canvas.rect(118, 594, 100, 20, stroke=0, fill=1)
        canvas.rect(70, 494, 200, 20, stroke=0, fill=1)
        canvas.setFillGray(0.5)
        canvas.drawString(72, 500, "Said on a box")

    parsed = read(draw)
    assert " ".join(texts(parsed)) == "Shown to all Name: Said on a box"
    assert parsed.asides == {"hidden": 1}


def test_text_under_a_marker_or_a_turned_box_stays() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Marked in yellow")
        canvas.drawString(72, 600, "Beside a diamond")
        canvas.setFillColorRGB(1, 1, 0, alpha=0.5)
        canvas.rect(70, 694, 200, 20, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 0, alpha=1)
        diamond = canvas.beginPath()
        diamond.moveTo(72, 610)
        for x, y in ((110, 690), (148, 610), (110, 530)):
            diamond.lineTo(x, y)
        diamond.close()
        canvas.drawPath(diamond, stroke=0, fill=1)

    assert texts(read(draw)) == ["Marked in yellow", "Beside a diamond"]


def test_a_page_with_a_large_unit_of_its_own_keeps_its_words() -> None:
    data = one_page(b"BT /F1 0.15 Tf 1 10 Td (Inches for points) Tj ET", box=b"/MediaBox [0 0 8 11] /UserUnit 72")
    assert texts(parse(io.BytesIO(data), "문서.pdf", Limits())) == ["Inches for points"]


def test_a_font_without_characters_needs_ocr_though_its_numbers_look_like_letters() -> None:
    with pytest.raises(NeedsOcr):
        parse(io.BytesIO(without_map(range(0x30, 0x60))), "문서.pdf", Limits())


def test_a_table_without_borders_at_its_sides_is_whole() -> None:
    words = [["Kind", "Before", "After"], ["Tax", "10", "20"], ["Fee", "30", "40"]]
    cells = [
        lines([text], x=70 + 100 * column, y=692 - 20 * row, font="Helvetica")
        for row, line in enumerate(words)
        for column, text in enumerate(line)
    ]
    parsed = read(together(rules([60, 160, 260, 360], [710, 690, 670, 650], down=[160, 260]), *cells))
    assert [rows(block) for block in parsed.blocks] == [words]


def test_a_gap_that_office_sets_between_digits_and_hangul_is_no_space() -> None:
    data = spaced_by_gaps(("계약은", 350), ("2026", 245), ("년", 350), ("팔월에", 350), ("맺은", 350), ("것이다", 0))
    assert texts(parse(io.BytesIO(data), "문서.pdf", Limits())) == ["계약은 2026년 팔월에 맺은 것이다"]


def test_the_second_part_of_a_table_has_its_page_and_the_header_outside_the_body() -> None:
    def part(first: int, last: int, top: float) -> Draw:
        texts = ["번호", *map(str, range(first, last))]
        ys = [top + 14 - 20 * n for n in range(len(texts) + 1)]
        names = lines(["이름", *(f"요구 {n}" for n in range(first, last))], x=170, y=top, pitch=20)
        return together(rules([60, 160, 360], ys), lines(texts, y=top, pitch=20), names)

    parsed = read(part(1, 5, 180), part(5, 8, 760))
    assert [block.locator.page for block in parsed.blocks] == [1, 2]
    assert rows(parsed.blocks[1])[:2] == [["번호", "이름"], ["5", "요구 5"]]
    assert [block.in_body for cell in parsed.blocks[1].cells for block in cell.blocks][:3] == [False, False, True]


def test_letters_that_stand_twice_in_a_word_stay_where_pdfium_loses_the_font() -> None:
    draw = together(lines(["값"]), lines(["Hello, all will fit the bill"], y=700, font="Helvetica"))
    assert texts(read(draw)) == ["값", "Hello, all will fit the bill"]


def test_the_first_line_of_each_slide_is_its_name() -> None:
    def slide(name: str, *texts: str) -> Draw:
        def draw(canvas: Canvas) -> None:
            canvas.setPageSize((720, 405))
            together(lines([name], y=360, size=24), lines(texts, y=300, size=14, pitch=30))(canvas)

        return draw

    parsed = read(slide("실적 보고", "전사 회의"), slide("사업부 요약", "플랫폼은 늘었다", "상담은 줄었다"))
    assert [block.text for block in parsed.blocks if block.kind == "heading"] == ["실적 보고", "사업부 요약"]


def test_an_article_on_a_line_of_its_own_is_a_heading_and_what_a_text_says_of_it_is_none() -> None:
    page = [
        "제1조 (목적)",
        "이 규정은 문서를 다루는 길을 정한다.",
        "제2조 (정의) 이 규정에서 쓰는 말은 다음과 같다.",
        f"{WIDE} 그 밖의 것은",
        "제1조 및 제2조에 따른 바",
    ]
    assert [block.text for block in read(lines(page)).blocks if block.kind == "heading"] == ["제1조 (목적)"]


def test_a_bracket_goes_on_where_the_line_is_full_and_starts_anew_where_it_is_not() -> None:
    full = "가나다라마바사아자차카타파하가나다라마바사아자차카타파하가나다"
    page = [full, full, "「감염병예방법」 제이조에 따른 병을 다루는 사람이 그날로", "[별표] 끝"]
    assert texts(read(lines(page))) == [f"{full} {full} {page[2]}", "[별표] 끝"]


def test_signs_of_symbol_fonts_become_standard_ones() -> None:
    data = with_map(["AC00", "0020", "F0E0"])
    assert texts(parse(io.BytesIO(data), "문서.pdf", Limits())) == ["가 →"]


def test_a_grid_that_would_hold_up_the_table_finder_keeps_its_lines() -> None:
    ticks = [float(n) for n in range(60, 560, 4)]
    parsed = read(together(rules(ticks, ticks), lines(["눈금 종이"])))
    assert [block.kind for block in parsed.blocks] == ["paragraph"]


def test_what_is_over_the_characters_of_a_page_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.parsers.pdf.MAX_CHARS", 5)
    monkeypatch.setattr("pipelines.parsers.pdf_glyphs.MAX_CHARS", 5)
    parsed = read(lines(["hello world"], font="Helvetica"))
    assert (texts(parsed), parsed.warnings) == (["hello"], ("1 pages read up to character 5",))


def test_a_word_over_a_line_end_in_a_cell_is_whole_and_short_lines_keep_their_break() -> None:
    draw = together(
        rules([60, 160, 300], [760, 700, 640]),
        lines(["분류", "기준"], x=80, y=740),
        lines(["결재가 끝난 문서를 보", "관을 맡은 부서로 옮김"], x=170, y=740),
        lines(["위치"], x=80, y=680),
        lines(["보관을 맡은 부서"], x=170, y=680),
    )
    found = rows(read(draw).blocks[0])
    assert found == [["분류\n기준", "결재가 끝난 문서를 보관을 맡은 부서로 옮김"], ["위치", "보관을 맡은 부서"]]


def test_rows_without_a_rule_between_them_keep_their_lines() -> None:
    names = ["Layouts of scanned modern magazines", "Layouts of scanned old newspapers", "Table regions of documents"]
    draw = together(
        rules([60, 260, 360], [760, 740, 640]),
        lines(["What"], x=70, y=746),
        lines(["Many"], x=270, y=746),
        lines(names, x=70, y=720, font="Helvetica"),
        lines(["12", "13", "14"], x=270, y=720, font="Helvetica"),
    )
    assert rows(read(draw).blocks[0])[1] == ["\n".join(names), "12\n13\n14"]
