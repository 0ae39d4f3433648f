"""Headers, footers and comments of Word files: their words stand apart from the text that is served."""

from __future__ import annotations

from docx_writer import R, in_paragraph, in_parts, link, listed, numbering, package, paragraph, read, run, texts

from pipelines.mirror import render
from pipelines.records import Aside

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"


def _comment(words: str, author: str = "이검토", para: str = "") -> str:
    lines = words.split("\n")
    before = "".join(paragraph(line) for line in lines[:-1])
    last = f'<w:p xmlns:w14="{W14}" w14:paraId="{para}">{run(lines[-1])}</w:p>'
    return f'<w:comment w:id="{para}" w:author="{author}">{before}{last}</w:comment>'


def _root(name: str, inside: str) -> str:
    return f'<w:{name} xmlns:w="{W}">{inside}</w:{name}>'


def test_the_words_beside_the_body_are_kept_and_not_served() -> None:
    comment = _comment("금액 확인 바람\n기한도")
    parsed = read(
        package(
            paragraph("본문"),
            comments=f"<w:comments>{comment}</w:comments>",
            header=f"<w:hdr>{paragraph('대외비')}{paragraph('운영과')}</w:hdr>",
            footer=f"<w:ftr>{paragraph('정보화전략팀')}</w:ftr>",
        )
    )
    assert parsed.apart == (
        Aside("header", "대외비\n운영과"),
        Aside("footer", "정보화전략팀"),
        Aside("comment", "이검토: 금액 확인 바람\n기한도"),
    )
    assert parsed.asides == {"header": 1, "footer": 1, "comment": 1}
    assert render(parsed.blocks).text == "본문\n"


def test_replies_follow_what_they_answer() -> None:
    answers = (("C", "A"), ("D", "A"), ("E", "Z"))
    extended = "".join(f'<w15:commentEx w15:paraId="{one}" w15:paraIdParent="{to}"/>' for one, to in answers)
    said = (("첫 물음", "A"), ("둘째 물음", "B"), ("답", "C"), ("다시 답", "D"), ("답할 데 없음", "E"), ("표 없음", ""))
    parsed = read(
        package(
            paragraph("본문"),
            comments=f"<w:comments>{''.join(_comment(words, '김', para) for words, para in said)}</w:comments>",
            commentsExtended=f'<w15:commentsEx xmlns:w15="{W15}">{extended}</w15:commentsEx>',
        )
    )
    assert [one.text for one in parsed.apart] == [
        "김: 첫 물음", "김: 답", "김: 다시 답", "김: 둘째 물음", "김: 답할 데 없음", "김: 표 없음",
    ]  # fmt: skip
    assert parsed.asides == {"comment": 6}


def test_a_comment_without_author_is_its_words_and_one_without_words_is_none() -> None:
    comments = _comment("말", author="") + _comment(" ")
    parsed = read(package(paragraph("본문"), comments=f"<w:comments>{comments}</w:comments>"))
    assert (parsed.apart, parsed.asides) == ((Aside("comment", "말"),), {"comment": 1})


def test_a_header_of_several_sections_is_read_once_and_its_links_are_its_own() -> None:
    header = _root("hdr", f'<w:p {R}><w:hyperlink r:id="h">{run("누리집")}</w:hyperlink></w:p>')
    space = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
    links = f"<Relationships {space}>{link('h', 'hyperlink', 'https://a.kr', 'External')}</Relationships>"
    other = f"<Relationships {space}>{link('h', 'hyperlink', 'https://b.kr', 'External')}</Relationships>"
    files: dict[str, str | bytes] = {
        "header1.xml": header,
        "header2.xml": header,
        "_rels/header1.xml.rels": links,
        "_rels/header2.xml.rels": other,
    }
    targets = ("header1.xml", "header1.xml", "header2.xml")
    relations = "".join(link(f"r{at}", "header", target) for at, target in enumerate(targets))
    parsed = read(in_parts(paragraph("본문"), files, relations))
    assert [one.text for one in parsed.apart] == ["누리집 (https://a.kr)", "누리집 (https://b.kr)"]
    assert parsed.asides == {"header": 2}


def test_a_watermark_is_words_of_its_header() -> None:
    art = '<w:r><w:pict><v:shape xmlns:v="urn:v"><v:textpath string="대외비"/></v:shape></w:pict></w:r>'
    parsed = read(package(paragraph("본문"), header=f"<w:hdr>{in_paragraph(art)}</w:hdr>"))
    assert (parsed.apart, parsed.asides) == ((Aside("header", "대외비"),), {"header": 1})


def test_numbers_of_the_body_go_on_as_if_nothing_stood_beside_it() -> None:
    def caption() -> str:
        return in_paragraph('<w:fldSimple w:instr="SEQ 표"/>' + run(" 예산"))

    parsed = read(
        package(
            listed("하나", 0) + caption(),
            numbering=numbering(("decimal", "%1.")),
            header=f"<w:hdr>{listed('머리', 0)}{caption()}</w:hdr>",
        )
    )
    assert texts(parsed) == ["1. 하나", "1 예산"]
    assert parsed.apart == (Aside("header", "머리\n1 예산"),)


def test_words_that_are_deleted_or_hidden_in_a_comment_are_not_kept() -> None:
    words = f"{run('남은 말')}<w:del><w:r><w:delText>지운 말</w:delText></w:r></w:del>{run('숨은 말', '<w:vanish/>')}"
    comment = f'<w:comment w:id="1" w:author="김">{in_paragraph(words)}</w:comment>'
    parsed = read(package(paragraph("본문"), comments=f"<w:comments>{comment}</w:comments>"))
    assert parsed.apart == (Aside("comment", "김: 남은 말"),)


def test_an_imported_document_brings_what_stands_beside_its_body() -> None:
    inner = package(paragraph("들여온 글"), header=f"<w:hdr>{paragraph('들여온 머리')}</w:hdr>")
    body = f'{paragraph("본문")}<w:altChunk {R} r:id="a"/>'
    parsed = read(in_parts(body, {"inner.docx": inner}, link("a", "aFChunk", "/word/inner.docx")))
    assert texts(parsed) == ["본문", "들여온 글"]
    assert (parsed.apart, parsed.asides) == ((Aside("header", "들여온 머리"),), {"header": 1})
