"""Word files: the words of a paragraph, its fields, changes and hidden text."""

from __future__ import annotations

from docx_writer import R, field, in_paragraph, in_parts, link, mark, package, paragraph, read, run, texts


def test_tracked_changes_are_accepted_and_hidden_text_is_counted() -> None:
    body = (
        "<w:p><w:r><w:t>금액 </w:t></w:r><w:del><w:r><w:delText>1억</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>2억</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>옮김</w:t></w:r></w:moveFrom>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>숨김</w:t></w:r></w:p>"
    )
    parsed = read(package(body))
    assert texts(parsed) == ["금액 2억"]
    assert parsed.asides == {"hidden": 1, "tracked_change": 3}


def test_fields_show_their_results_only() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>IF x</w:instrText></w:r><w:r><w:t>code</w:t></w:r>"
    body = f"<w:p>{mark('begin')}{code}{mark('separate')}<w:r><w:t>결과</w:t></w:r>{mark('end')}</w:p>"
    assert texts(read(package(body))) == ["결과"]


def test_content_controls_are_read_at_every_level() -> None:
    def control(inner: str) -> str:
        return f"<w:sdt><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    cell = f"<w:tc>{paragraph('나')}</w:tc>"
    row = f"<w:tr><w:tc>{control(paragraph('가'))}</w:tc>{control(cell)}</w:tr>"
    inline = f"<w:p><w:r><w:t>담당: </w:t></w:r>{control('<w:r><w:t>김</w:t></w:r>')}</w:p>"
    parsed = read(package(f"{control(paragraph('문단'))}{inline}<w:tbl>{control(row)}</w:tbl>"))
    assert texts(parsed)[:2] == ["문단", "담당: 김"]
    assert [cell.blocks[0].text for cell in parsed.blocks[2].cells] == ["가", "나"]


def test_a_generated_list_is_left_out_and_counted() -> None:
    begin = f'{mark("begin")}<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>{mark("separate")}'
    body = (
        in_paragraph(begin + run("1. 개요\t3"))
        + in_paragraph(run("2. 범위\t") + field("PAGEREF _x", "7"))
        + in_paragraph(mark("end") + run("끝난 뒤"))
        + paragraph("본문")
    )
    parsed = read(package(body))
    assert texts(parsed) == ["끝난 뒤", "본문"]
    assert parsed.asides == {"contents": 2}


def test_a_list_without_an_end_is_read_as_text() -> None:
    begin = f"{mark('begin')}<w:r><w:instrText>TOC</w:instrText></w:r>{mark('separate')}"
    assert texts(read(package(in_paragraph(begin + run("개요")) + paragraph("본문")))) == ["개요", "본문"]


def test_the_contents_gallery_is_left_out() -> None:
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    body = f"<w:sdt>{gallery}<w:sdtContent>{paragraph('목차')}{paragraph('개요 1')}</w:sdtContent></w:sdt>"
    parsed = read(package(body + paragraph("본문")))
    assert (texts(parsed), parsed.asides) == (["본문"], {"contents": 2})


def test_results_that_word_draws_anew_are_drawn() -> None:
    checked = '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>'
    unchecked = '<w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData>'
    entries = '<w:listEntry w:val="갑"/><w:listEntry w:val="을"/>'
    choice = f'<w:ffData><w:ddList><w:result w:val="1"/>{entries}</w:ddList></w:ffData>'
    body = (
        in_paragraph(run("표 ") + field("SEQ 표 \\* ARABIC") + run(" 예산"))
        + in_paragraph(run("표 ") + field("SEQ 표 \\* ARABIC", "5") + run(" 인력"))
        + in_paragraph(run("표 ") + field("SEQ 표 \\* ARABIC") + run(" 일정"))
        + in_paragraph(run("동의 ") + field("FORMCHECKBOX", inner=checked) + field("FORMCHECKBOX", inner=unchecked))
        + in_paragraph(run("구분 ") + field("FORMDROPDOWN", inner=choice))
        + in_paragraph(field("eq \\o\\ac(○,11)") + run(" 시행") + field("SYMBOL 252 \\f Wingdings"))
        + in_paragraph(run("쪽 ") + field("PAGE"))
    )
    parsed = read(package(body))
    assert texts(parsed) == ["표 1 예산", "표 5 인력", "표 6 일정", "동의 ☒☐", "구분 을", "⑪ 시행✔", "쪽"]
    assert parsed.warnings == ("1 fields without a stored result",)


def test_a_field_whose_end_is_missing_hides_nothing() -> None:
    assert texts(read(package(in_paragraph(run("앞 ") + mark("begin") + run("뒤"))))) == ["앞 뒤"]


def test_a_deleted_field_mark_still_closes_its_field() -> None:
    body = in_paragraph(field("X", "가") + mark("begin") + f"<w:del>{mark('end')}</w:del>" + run("뒤"))
    assert texts(read(package(body))) == ["가뒤"]


def test_hidden_text_follows_the_nearest_word_on_it() -> None:
    styles = (
        '<w:styles><w:style w:styleId="h"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="v"><w:basedOn w:val="h"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>'
    )
    shown = run("드러냄", '<w:vanish w:val="0"/>')
    body = (
        paragraph("숨김", '<w:pStyle w:val="h"/>')
        + paragraph("보임", '<w:pStyle w:val="v"/>')
        + f'<w:p><w:pPr><w:pStyle w:val="h"/></w:pPr>{shown}</w:p>'
    )
    parsed = read(package(body, styles=styles))
    assert (texts(parsed), parsed.asides) == (["보임", "드러냄"], {"hidden": 1})


def test_a_deleted_paragraph_mark_joins_two_paragraphs() -> None:
    gone = "<w:rPr><w:del/></w:rPr>"
    body = (
        f'<w:p><w:pPr>{gone}</w:pPr><w:r><w:t xml:space="preserve">앞 문장 </w:t></w:r></w:p>'
        + paragraph("뒤 문장")
        + f"<w:p><w:pPr>{gone}</w:pPr>{run('표 앞')}</w:p><w:tbl><w:tr><w:tc>{paragraph('가')}</w:tc>"
        + f"<w:tc>{paragraph('나')}</w:tc></w:tr></w:tbl>"
        + f'<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>{run("대")}</w:p>'
        + paragraph("한민국")
    )
    assert texts(read(package(body))) == ["앞 문장 뒤 문장", "표 앞", "", "대한민국"]


def test_links_keep_their_web_address() -> None:
    body = (
        f'<w:p {R}><w:hyperlink r:id="h1">{run("새 공고")}</w:hyperlink> '
        f'<w:hyperlink w:anchor="x">{run("안쪽")}</w:hyperlink>'
        f'<w:hyperlink r:id="h1" w:anchor="b">{run("example.org/a#b")}</w:hyperlink></w:p>'
        + in_paragraph(field('HYPERLINK "https://example.org/b"', "양식"))
        + in_paragraph(field('HYPERLINK "https://example.org/b"', "example.org/b"))
    )
    data = in_parts(body, {}, link("h1", "hyperlink", "https://example.org/a", "External"))
    assert texts(read(data)) == [
        "새 공고 (https://example.org/a)안쪽example.org/a#b",
        "양식 (https://example.org/b)",
        "example.org/b",
    ]


def test_symbol_fonts_are_read_as_what_they_look_like() -> None:
    wingdings = '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'
    body = in_paragraph(
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F0B3"/>'
        '<w:sym w:font="Wingdings 2" w:char="F0A3"/><w:sym w:font="Webdings" w:char="zz"/></w:r>'
        + run("\u00fc", wingdings)
        + run("\uf0e0", "")
        + run("제1조", wingdings)
    )
    assert texts(read(package(body))) == ["☑≥□✔→제1조"]


def test_equations_are_read_on_one_line() -> None:
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

    def part(name: str, text: str) -> str:
        return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"

    fraction = f"<m:f>{part('num', 'a+b')}{part('den', '2')}</m:f>"
    power = f"<m:sSup>{part('e', 'x')}{part('sup', '2')}</m:sSup>"
    root = f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{part("e", "y")}</m:rad>'
    limits = part("sub", "i=1") + part("sup", "n")
    total = f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>{limits}{part("e", "k")}</m:nary>'
    body = f"<w:p>{run('식: ')}<m:oMath {space}>{fraction}{power}{root}{total}</m:oMath></w:p>"
    assert texts(read(package(body))) == ["식: (a+b)/2x^2√(y)∑_(i=1)^n k"]


def test_lines_of_a_program_are_one_block() -> None:
    styles = '<w:styles><w:style w:styleId="c"><w:name w:val="Source Code"/></w:style></w:styles>'
    code = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="c"/></w:pPr><w:r><w:t xml:space="preserve">{line}</w:t></w:r></w:p>'
        for line in ("# 설정", "a = (", "    1,", ")")
    )
    parsed = read(package(code + paragraph("설명") + code, styles=styles))
    assert [block.kind for block in parsed.blocks] == ["code", "paragraph", "code"]
    assert parsed.blocks[0].text == "# 설정\na = (\n    1,\n)"


def test_an_empty_result_is_a_result() -> None:
    empty = f"{mark('begin')}<w:r><w:instrText>REF 없음</w:instrText></w:r>{mark('separate')}{mark('end')}"
    picture = f"{mark('begin')}<w:r><w:instrText>INCLUDEPICTURE x</w:instrText></w:r>{mark('end')}"
    parsed = read(package(in_paragraph(run("글") + empty + picture)))
    assert (texts(parsed), parsed.warnings) == (["글"], ())


def test_what_an_empty_content_control_asks_for_is_left_out_and_counted() -> None:
    def control(inner: str, marks: str = "<w:showingPlcHdr/>") -> str:
        return f"<w:sdt><w:sdtPr>{marks}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    prompt = run("여기를 눌러 입력", '<w:rStyle w:val="a3"/>')
    styles = (
        '<w:styles><w:style w:type="character" w:styleId="a3"><w:name w:val="Placeholder Text"/></w:style></w:styles>'
    )
    cell = f"<w:tc>{in_paragraph(prompt)}</w:tc>"
    body = (
        in_paragraph(run("성명: ") + control(prompt))
        + control(in_paragraph(prompt))
        + f"<w:tbl><w:tr><w:tc>{paragraph('기간')}</w:tc>{control(cell)}</w:tr></w:tbl>"
        + in_paragraph(run("부서: ") + control(run("총무과")) + control(prompt, ""))
    )
    parsed = read(package(body, styles=styles))
    assert texts(parsed) == ["성명:", "", "부서: 총무과여기를 눌러 입력"]
    assert parsed.asides == {"prompt": 3}
