"""A small writer of HWPX documents (OWPML, KS X 6101), for tests and the example corpus.

The same blocks give the same text as hwp5_writer.write_hwp.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from hwp5_writer import plain_numbers, preview_lines, with_notes

from pipelines.records import Block

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'
_HANCOM = "http://www.hancom.co.kr/hwpml/2011"
_SPACES = " ".join(
    f'xmlns:{prefix}="{_HANCOM}/{name}"'
    for prefix, name in (("hp", "paragraph"), ("hs", "section"), ("hc", "core"), ("hh", "head"))
)
_PACKAGE = 'xmlns:opf="http://www.idpf.org/2007/opf/" xmlns:hpf="http://www.hancom.co.kr/schema/2011/hpf"'
_SCRIPTS = ("hangul", "latin", "hanja", "japanese", "other", "symbol", "user")
# Paragraph shapes as in hwp5_writer: 0 plain, 1..6 outline levels, then bullets and indented lines of three depths.
_BULLET_SHAPE, _INDENT_SHAPE, _DEPTHS = 7, 10, 3
_TEXT_WIDTH, _ROW_HEIGHT = 42520, 1282
# Zip members carry a fixed time, so that the same blocks give the same bytes.
_MEMBER_TIME = (1980, 1, 1, 0, 0, 0)


def write_hwpx(
    blocks: Sequence[Block], *, title: str, author: str, modified: datetime, outline_numbers: Sequence[str] = ()
) -> bytes:
    """Return an HWPX file of headings, paragraphs, items, tables and notes; see write_hwp for `outline_numbers`."""
    blocks = plain_numbers(blocks, bool(outline_numbers))
    parts = {
        "mimetype": "application/hwp+zip",
        "version.xml": f'{_HEAD}<hv:HCFVersion xmlns:hv="{_HANCOM}/version" tagetApplication="WORDPROCESSOR" major="5"'
        ' minor="1" micro="0" buildNumber="1" os="1" xmlVersion="1.4" application="saero tests" appVersion="1"/>',
        "META-INF/container.xml": f'{_HEAD}<ocf:container xmlns:ocf="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<ocf:rootfiles><ocf:rootfile full-path="Contents/content.hpf" media-type="application/hwpml-package+xml"/>'
        "</ocf:rootfiles></ocf:container>",
        "META-INF/manifest.xml": f'{_HEAD}<odf:manifest xmlns:odf="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
        "/>",
        "Contents/content.hpf": _content(title, author, modified),
        "Contents/header.xml": _header(outline_numbers),
        "Contents/section0.xml": hwpx_section(_paragraphs(blocks, _SECTION)),
        "Preview/PrvText.txt": "\r\n".join(preview_lines(blocks))[:1023],
    }
    return pack_hwpx(parts)


def pack_hwpx(parts: Mapping[str, str | bytes]) -> bytes:
    """Return the package of `parts` in their order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, _MEMBER_TIME)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content.encode("utf-8") if isinstance(content, str) else content)
    return out.getvalue()


def hwpx_section(content: str) -> str:
    """Return a section part around ready paragraphs."""
    return f"{_HEAD}<hs:sec {_SPACES}>{content}</hs:sec>"


def hwpx_paragraph(*runs: str, shape: int = 0) -> str:
    """Return a paragraph around ready runs' content, each a run of its own."""
    inside = "".join(f'<hp:run charPrIDRef="0">{run}</hp:run>' for run in runs)
    return f'<hp:p id="0" paraPrIDRef="{shape}" styleIDRef="0">{inside}</hp:p>'


def hwpx_list(content: str) -> str:
    """Return a text list (of a cell, note, box or caption) around ready paragraphs."""
    return f'<hp:subList id="" textDirection="HORIZONTAL">{content}</hp:subList>'


def hwpx_cells(*rows: Sequence[str]) -> str:
    """Return a table of ready cell contents, each one paragraph of words or markup."""
    lines = "".join(
        "<hp:tr>"
        + "".join(
            f'<hp:tc>{hwpx_list(content)}<hp:cellAddr colAddr="{col}" rowAddr="{row}"/>'
            '<hp:cellSpan colSpan="1" rowSpan="1"/></hp:tc>'
            for col, content in enumerate(line)
        )
        + "</hp:tr>"
        for row, line in enumerate(rows)
    )
    return f"<hp:tbl>{lines}</hp:tbl>"


def one_section(content: str, **parts: str | bytes) -> bytes:
    """Return a package of one section; "__" in a further part's name stands for "/", "_xml" for ".xml"."""
    named = {name.replace("__", "/").replace("_xml", ".xml"): part for name, part in parts.items()}
    return pack_hwpx({"mimetype": "application/hwp+zip", "Contents/section0.xml": hwpx_section(content), **named})


def _content(title: str, author: str, modified: datetime) -> str:
    moment = modified.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    values = (("creator", author), ("lastsaveby", author), ("CreatedDate", moment), ("ModifiedDate", moment))
    metas = "".join(f'<opf:meta name="{name}" content="text">{escape(value)}</opf:meta>' for name, value in values)
    items = "".join(
        f'<opf:item id="{name}" href="Contents/{name}.xml" media-type="application/xml"/>'
        for name in ("header", "section0")
    )
    return (
        f'{_HEAD}<opf:package {_PACKAGE} version="" unique-identifier="" id=""><opf:metadata>'
        f"<opf:title>{escape(title)}</opf:title><opf:language>ko</opf:language>{metas}</opf:metadata>"
        f'<opf:manifest>{items}</opf:manifest><opf:spine><opf:itemref idref="header" linear="yes"/>'
        '<opf:itemref idref="section0" linear="yes"/></opf:spine></opf:package>'
    )


def _each(value: int) -> str:
    return " ".join(f'{script}="{value}"' for script in _SCRIPTS)


def _header(outline_numbers: Sequence[str]) -> str:
    fonts = "".join(
        f'<hh:fontface lang="{script.upper()}" fontCnt="1"><hh:font id="0" face="함초롬바탕" type="TTF"'
        ' isEmbedded="0"/></hh:fontface>'
        for script in _SCRIPTS
    )
    character = (
        '<hh:charPr id="0" height="1000" textColor="#000000" shadeColor="none" useFontSpace="0" useKerning="0"'
        f' symMark="NONE" borderFillIDRef="1"><hh:fontRef {_each(0)}/><hh:ratio {_each(100)}/>'
        f"<hh:spacing {_each(0)}/><hh:relSz {_each(100)}/><hh:offset {_each(0)}/></hh:charPr>"
    )
    shapes = [_shape(0, "NONE", 0, 0)]
    shapes += [_shape(1 + level, "OUTLINE", level, 0) for level in range(6)]
    shapes += [_shape(_BULLET_SHAPE + depth, "BULLET", depth, depth) for depth in range(_DEPTHS)]
    shapes += [_shape(_INDENT_SHAPE + depth, "NONE", 0, depth + 1) for depth in range(_DEPTHS)]
    names = [("바탕글", "Normal"), *((f"개요 {level}", f"Outline {level}") for level in range(1, 7))]
    styles = "".join(
        f'<hh:style id="{at}" type="PARA" name="{korean}" engName="{english}" paraPrIDRef="{at}" charPrIDRef="0"'
        f' nextStyleIDRef="{at}" langID="1042" lockForm="0"/>'
        for at, (korean, english) in enumerate(names)
    )
    lists = [
        ("fontfaces", 7, fonts),
        ("borderFills", 2, _border(1, "NONE") + _border(2, "SOLID")),
        ("charProperties", 1, character),
        ("tabProperties", 1, '<hh:tabPr id="0" autoTabLeft="0" autoTabRight="0"/>'),
        ("numberings", 1, _numbering(outline_numbers)),
        ("bullets", 1, f'<hh:bullet id="1" char="●" useImage="0">{_paragraph_head(1, "")}</hh:bullet>'),
        ("paraProperties", len(shapes), "".join(shapes)),
        ("styles", len(names), styles),
    ]
    body = "".join(f'<hh:{name} itemCnt="{count}">{text}</hh:{name}>' for name, count, text in lists)
    return (
        f'{_HEAD}<hh:head {_SPACES} version="1.4" secCnt="1">'
        '<hh:beginNum page="1" footnote="1" endnote="1" pic="1" tbl="1" equation="1"/>'
        f"<hh:refList>{body}</hh:refList></hh:head>"
    )


def _border(number: int, line: str) -> str:
    sides = "".join(
        f'<hh:{side}Border type="{line}" width="0.12 mm" color="#000000"/>'
        for side in ("left", "right", "top", "bottom")
    )
    return (
        f'<hh:borderFill id="{number}" threeD="0" shadow="0" centerLine="NONE" breakCellSeparateLine="0">'
        '<hh:slash type="NONE" Crooked="0" isCounter="0"/><hh:backSlash type="NONE" Crooked="0" isCounter="0"/>'
        f'{sides}<hh:diagonal type="SOLID" width="0.1 mm" color="#000000"/></hh:borderFill>'
    )


def _paragraph_head(level: int, text: str) -> str:
    return (
        f'<hh:paraHead start="1" level="{level}" align="LEFT" useInstWidth="1" autoIndent="1" widthAdjust="0"'
        ' textOffsetType="PERCENT" textOffset="50" numFormat="DIGIT" charPrIDRef="4294967295" checkable="0">'
        f"{escape(text)}</hh:paraHead>"
    )


def _numbering(formats: Sequence[str]) -> str:
    levels = (list(formats) + [""] * 7)[:7]
    heads = "".join(_paragraph_head(level, text) for level, text in enumerate(levels, 1))
    return f'<hh:numbering id="1" start="0">{heads}</hh:numbering>'


def _shape(number: int, head: str, level: int, depth: int) -> str:
    margins = "".join(
        f'<hc:{side} value="{500 * depth if side == "left" else 0}" unit="HWPUNIT"/>'
        for side in ("intent", "left", "right", "prev", "next")
    )
    reference = 1 if head == "BULLET" else 0
    return (
        f'<hh:paraPr id="{number}" tabPrIDRef="0" condense="0" fontLineHeight="0" snapToGrid="1"'
        ' suppressLineNumbers="0" checked="0"><hh:align horizontal="JUSTIFY" vertical="BASELINE"/>'
        f'<hh:heading type="{head}" idRef="{reference}" level="{level}"/>'
        '<hh:breakSetting breakLatinWord="KEEP_WORD" breakNonLatinWord="KEEP_WORD" widowOrphan="0" keepWithNext="0"'
        ' keepLines="0" pageBreakBefore="0" lineWrap="BREAK"/><hh:autoSpacing eAsianEng="0" eAsianNum="0"/>'
        f'<hh:margin>{margins}</hh:margin><hh:lineSpacing type="PERCENT" value="160" unit="HWPUNIT"/>'
        '<hh:border borderFillIDRef="1" offsetLeft="0" offsetRight="0" offsetTop="0" offsetBottom="0" connect="0"'
        ' ignoreMargin="0"/></hh:paraPr>'
    )


def _note_shape(name: str, place: str) -> str:
    return (
        f'<hp:{name}><hp:autoNumFormat type="DIGIT" userChar="" prefixChar="" suffixChar=")" supscript="0"/>'
        '<hp:noteLine length="-1" type="SOLID" width="0.12 mm" color="#000000"/>'
        '<hp:noteSpacing betweenNotes="283" belowLine="567" aboveLine="850"/>'
        f'<hp:numbering type="CONTINUOUS" newNum="1"/><hp:placement place="{place}" beneathText="0"/></hp:{name}>'
    )


# An A4 page with the outline numbered by numbering 1.
_SECTION = (
    '<hp:secPr id="" textDirection="HORIZONTAL" spaceColumns="1134" tabStop="8000" outlineShapeIDRef="1"'
    ' memoShapeIDRef="0" textVerticalWidthHead="0" masterPageCnt="0"><hp:grid lineGrid="0" charGrid="0"'
    ' wonggojiFormat="0"/><hp:startNum pageStartsOn="BOTH" page="0" pic="0" tbl="0" equation="0"/>'
    '<hp:visibility hideFirstHeader="0" hideFirstFooter="0" hideFirstMasterPage="0" border="SHOW_ALL" fill="SHOW_ALL"'
    ' hideFirstPageNum="0" hideFirstEmptyLine="0" showLineNumber="0"/>'
    '<hp:pagePr landscape="WIDELY" width="59528" height="84188" gutterType="LEFT_ONLY"><hp:margin header="4252"'
    ' footer="4252" gutter="0" left="8504" right="8504" top="5668" bottom="4252"/></hp:pagePr>'
    f"{_note_shape('footNotePr', 'EACH_COLUMN')}{_note_shape('endNotePr', 'END_OF_DOCUMENT')}</hp:secPr>"
    '<hp:ctrl><hp:colPr id="" type="NEWSPAPER" layout="LEFT" colCount="1" sameSz="1" sameGap="0"/></hp:ctrl>'
)


def _paragraphs(blocks: Sequence[Block], lead: str = "") -> str:
    out: list[str] = []
    for block, notes in with_notes(blocks) or [(Block("paragraph"), [])]:
        out.append(_paragraph(block, notes, lead))
        lead = ""
    return "".join(out)


def _paragraph(block: Block, notes: Sequence[Block], lead: str) -> str:
    shape, style = 0, 0
    if block.kind == "heading":
        shape = style = block.level
    elif block.kind == "item":
        depth = min(max(block.level, 1), _DEPTHS) - 1
        shape = (_INDENT_SHAPE if block.number else _BULLET_SHAPE) + depth
    content = _table(block) if block.kind == "table" else f"<hp:t>{_text(block.text)}</hp:t>"
    runs = f'<hp:run charPrIDRef="0">{lead}</hp:run>' if lead else ""
    runs += f'<hp:run charPrIDRef="0">{content}{"".join(_note(note) for note in notes)}</hp:run>'
    shaped = f'paraPrIDRef="{shape}" styleIDRef="{style}"'
    return f'<hp:p id="0" {shaped} pageBreak="0" columnBreak="0" merged="0">{runs}</hp:p>'


def _text(text: str) -> str:
    return escape(text).replace("\n", "<hp:lineBreak/>").replace("\t", '<hp:tab width="4000" leader="0" type="1"/>')


def _sub_list(content: str, align: str = "TOP") -> str:
    return (
        f'<hp:subList id="" textDirection="HORIZONTAL" lineWrap="BREAK" vertAlign="{align}" linkListIDRef="0"'
        ' linkListNextIDRef="0" textWidth="0" textHeight="0" hasTextRef="0" hasNumRef="0">'
        f"{content}</hp:subList>"
    )


def _note(block: Block) -> str:
    text = _sub_list(_paragraphs([Block("paragraph", block.text)]))
    return f'<hp:ctrl><hp:footNote number="1" suffixChar="41" instId="0">{text}</hp:footNote></hp:ctrl>'


def _table(block: Block) -> str:
    cells = sorted(block.cells, key=lambda cell: (cell.row, cell.col))
    rows = max(cell.row + cell.row_span for cell in cells)
    cols = max(cell.col + cell.col_span for cell in cells)
    width = _TEXT_WIDTH // cols
    lines: list[list[str]] = [[] for _ in range(rows)]
    for cell in cells:
        lines[cell.row].append(
            '<hp:tc name="" header="0" hasMargin="0" protect="0" editable="0" dirty="0" borderFillIDRef="2">'
            f'{_sub_list(_paragraphs(cell.blocks), "CENTER")}<hp:cellAddr colAddr="{cell.col}" rowAddr="{cell.row}"/>'
            f'<hp:cellSpan colSpan="{cell.col_span}" rowSpan="{cell.row_span}"/>'
            f'<hp:cellSz width="{width * cell.col_span}" height="{_ROW_HEIGHT * cell.row_span}"/>'
            '<hp:cellMargin left="510" right="510" top="141" bottom="141"/></hp:tc>'
        )
    body = "".join(f"<hp:tr>{''.join(line)}</hp:tr>" for line in lines)
    return (
        '<hp:tbl id="1" zOrder="0" numberingType="TABLE" textWrap="TOP_AND_BOTTOM" textFlow="BOTH_SIDES" lock="0"'
        f' dropcapstyle="None" pageBreak="CELL" repeatHeader="1" rowCnt="{rows}" colCnt="{cols}" cellSpacing="0"'
        f' borderFillIDRef="2" noAdjust="0"><hp:sz width="{width * cols}" widthRelTo="ABSOLUTE"'
        f' height="{_ROW_HEIGHT * rows}" heightRelTo="ABSOLUTE" protect="0"/>'
        '<hp:pos treatAsChar="0" affectLSpacing="0" flowWithText="1" allowOverlap="0" holdAnchorAndSO="0"'
        ' vertRelTo="PARA" horzRelTo="COLUMN" vertAlign="TOP" horzAlign="LEFT" vertOffset="0" horzOffset="0"/>'
        '<hp:outMargin left="283" right="283" top="283" bottom="283"/>'
        f'<hp:inMargin left="510" right="510" top="141" bottom="141"/>{body}</hp:tbl>'
    )
