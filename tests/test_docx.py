"""Word files: what a reader of the printed page would read, in that order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from docx_writer import STRICT, in_paragraph, in_parts, listed, numbering, package, paragraph, read, run, texts
from office_makers import grid, make_docx
from sheet_makers import edited

from pipelines.errors import Corrupt, Empty, TooLarge, UnsafeXml
from pipelines.parsers import detect
from pipelines.records import Block, Limits


def test_what_was_made_comes_back() -> None:
    blocks = [
        Block("heading", "사업 계획", level=1),
        Block("paragraph", "마감은 3월 31일이다.\n연장은 없다."),
        Block("note", "휴일이면 다음 날", number="1", in_body=False),
        Block("item", "첫째", level=1),
        grid([["항목", "값"], ["기간", "8개월"]]),
    ]
    modified = datetime(2026, 3, 1, 9, tzinfo=UTC)
    parsed = read(make_docx(blocks, title="계획", author="김수진", modified=modified))
    assert list(parsed.blocks) == blocks
    assert (parsed.title, parsed.author) == ("계획", "김수진")
    assert (parsed.modified_at, parsed.clock) == (modified, "ooxml:modified")


def test_a_file_without_times_has_no_clock() -> None:
    parsed = read(make_docx([Block("paragraph", "글")]))
    assert (parsed.modified_at, parsed.clock, parsed.title) == (None, None, None)


def test_strict_files_read_like_transitional_ones() -> None:
    assert texts(read(package(paragraph("엄격"), space=STRICT))) == ["엄격"]


def test_a_damaged_numbering_part_costs_the_numbers_only() -> None:
    parsed = read(package(listed("항목", 0), numbering="<broken"))
    assert texts(parsed) == ["항목"]
    assert parsed.warnings == ("1 damaged numbering parts",)


def test_files_that_cannot_be_used_say_why() -> None:
    whole = make_docx([Block("paragraph", "글")])
    with pytest.raises(Corrupt):
        read(whole[: len(whole) // 2])
    with pytest.raises(Empty):
        read(package(paragraph(" ")))
    with pytest.raises(UnsafeXml):
        read(whole_with_dtd(whole))
    with pytest.raises(TooLarge):
        read(package(paragraph("가" * 400_000)), Limits(stream_mb=1))


# Every string that the file shows in its text; its comment, header and footer are the three kept apart.
_EVERYTHING = (
    "제1장 사업 개요", "마감일은 3월 31일이다.", "통째로 삽입된 문단.", "옮겨 온 문장.", "스마트태그 안 글 뒤 글",
    "블록 콘텐츠 컨트롤 문단", "담당: 인라인 컨트롤 값", "필드 결과 와 7쪽", "하이퍼링크 글\t탭 뒤\n줄바꿈 뒤-끝",
    "보이는 글", "漢字", "글상자 붙은 문단", "텍스트상자 내용", "제1절 예산", "인건비", "중첩표A", "중첩표B", "132",
    "컨트롤 행", "컨트롤 셀", "1. 첫째 항목", "2. 둘째 항목", "가 항목", "본문에 주석", "각주 붙은 문장 뒤 문장.",
    "각주: 2025년 결산 기준", "자소분리 문단",
)  # fmt: skip


def _cell_texts(blocks: Sequence[Block]) -> list[str]:
    inner = [block for table in blocks for cell in table.cells for block in cell.blocks]
    return [block.text for block in inner] + (_cell_texts(inner) if inner else [])


@pytest.mark.cases
def test_everything_in_one_file_is_found(cases_dir: Path) -> None:
    parsed = read((cases_dir / "formats/docx/syn_ko_everything.docx").read_bytes())
    found = "\n".join(texts(parsed) + _cell_texts(parsed.blocks))
    for must in _EVERYTHING:
        assert must in found
    for must_not in ("3월 1일", "옮겨 간", "숨은 글", " PAGE "):
        assert must_not not in found
    assert found.count("텍스트상자 내용") == 1
    assert parsed.asides == {"hidden": 1, "ruby": 1, "header": 1, "footer": 1, "comment": 1, "tracked_change": 5}
    said = "\n".join(one.text for one in parsed.apart)
    for apart in ("머리글: 대외비", "바닥글: 정보화전략팀", "검토 의견: 금액 재확인"):
        assert apart in said
        assert apart not in found


def test_a_hundred_thousand_empty_runs_are_read() -> None:
    assert texts(read(package(in_paragraph("<w:r/>" * 100_000 + run("끝"))))) == ["끝"]


def whole_with_dtd(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/document.xml":
                content = content.replace(b"<w:document", b'<!DOCTYPE d [<!ENTITY a "b">]><w:document', 1)
            target.writestr(name, content)
    return out.getvalue()


def rewritten(data: bytes, names: dict[str, str], content: dict[str, tuple[bytes, bytes]]) -> bytes:
    """Return the package with members renamed (dropped when the new name is empty) and bytes replaced in some."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            new = names.get(name, name)
            if new:
                target.writestr(new, source.read(name).replace(*content.get(name, (b"", b""))))
    return out.getvalue()


@pytest.mark.parametrize(
    "target",
    [b"/word/document.xml", b"./word/document.xml", b"word\\document.xml", b"Word/Document.xml", b"nowhere.xml"],
)
def test_odd_targets_and_part_names_are_followed(target: bytes) -> None:
    whole = package(paragraph("글"))
    assert texts(read(rewritten(whole, {}, {"_rels/.rels": (b"word/document.xml", target)}))) == ["글"]


def test_members_with_backslashes_or_without_relationships_are_found() -> None:
    notes = '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>각주</w:t></w:r></w:p></w:footnote></w:footnotes>'
    whole = package('<w:p><w:r><w:t>글</w:t><w:footnoteReference w:id="2"/></w:r></w:p>', footnotes=notes)
    backslashes = {name: name.replace("/", "\\") for name in zipfile.ZipFile(io.BytesIO(whole)).namelist()}
    assert texts(read(rewritten(whole, backslashes, {}))) == ["글", "1 각주"]
    assert texts(read(rewritten(whole, {"_rels/.rels": ""}, {}))) == ["글", "1 각주"]
    assert texts(read(rewritten(whole, {"word/_rels/document.xml.rels": ""}, {}))) == ["글"]


@pytest.mark.parametrize(
    "kind",
    [
        "vnd.openxmlformats-officedocument.wordprocessingml.document",
        "vnd.openxmlformats-officedocument.wordprocessingml.template",
        "vnd.ms-word.document.macroEnabled",
        "vnd.ms-word.template.macroEnabledTemplate",
    ],
)
def test_documents_and_templates_with_or_without_macros_are_word_files(kind: str) -> None:
    override = f'<Override PartName="/word/document.xml" ContentType="application/{kind}.main+xml"/>'
    types = f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{override}</Types>'
    data = in_parts(paragraph("글"), {"../[Content_Types].xml": types}, "")
    whole = rewritten(data, {"word/../[Content_Types].xml": "[Content_Types].xml"}, {})
    assert detect(io.BytesIO(whole), "이름") == "docx"
    assert texts(read(whole)) == ["글"]


def test_a_cut_list_of_relationships_costs_the_links_only() -> None:
    parsed = read(
        edited(
            package(
                listed("항목", 0) + paragraph("글"),
                numbering=numbering(("decimal", "%1.")),
                header=f"<w:hdr>{paragraph('머리글')}</w:hdr>",
            ),
            {"word/_rels/document.xml.rels": [("</Relationships>", ""), ("header.xml", "header")]},
        )
    )
    assert texts(parsed) == ["1. 항목", "글"]
    assert [one.text for one in parsed.apart] == ["머리글"]
    assert parsed.warnings == ("1 damaged lists of what belongs to a part",)


def test_a_package_whose_own_list_is_damaged_is_read_by_its_names() -> None:
    data = edited(package(paragraph("글")), {"_rels/.rels": [("<Relationship ", "<")]})
    assert texts(read(data)) == ["글"]
