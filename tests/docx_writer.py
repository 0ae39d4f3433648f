"""Write Word files from WordprocessingML, for what no library writes: fields, changes, numbering, odd packages."""

from __future__ import annotations

import io
import re
import zipfile

from pipelines.parsers.docx import parse
from pipelines.records import Limits, Parsed

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def package(body: str, space: str = W, **others: str) -> bytes:
    """Return the smallest package around this body; other parts by kind, e.g. numbering="<w:numbering>..."."""
    out = io.BytesIO()
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rels = "".join(f'<Relationship Id="{kind}" Type="{office}/{kind}" Target="{kind}.xml"/>' for kind in others)
    head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    with zipfile.ZipFile(out, "w") as archive:
        main = f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/>'
        _put(archive, "_rels/.rels", f"{head}{main}</Relationships>")
        _put(archive, "word/_rels/document.xml.rels", f"{head}{rels}</Relationships>")
        document = f'<w:document xmlns:w="{space}" xmlns:mc="{MC}"><w:body>{body}</w:body></w:document>'
        _put(archive, "word/document.xml", document)
        for kind, content in others.items():
            _put(archive, f"word/{kind}.xml", re.sub(r"^<w:(\w+)", rf'<w:\1 xmlns:w="{space}"', content))
    return out.getvalue()


def _put(archive: zipfile.ZipFile, name: str, content: str | bytes) -> None:
    """Add a member with the earliest time that a zip can say, so that the same words give the same bytes."""
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def listed(text: str, level: int, num: int = 1) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def numbering(*levels: tuple[str, str]) -> str:
    inner = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, (fmt, text) in enumerate(levels)
    )
    nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return f'<w:numbering><w:abstractNum w:abstractNumId="0">{inner}</w:abstractNum>{nums}</w:numbering>'


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def mark(kind: str, inner: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'


def field(code: str, result: str = "", inner: str = "") -> str:
    """Return the runs of a field; without a result it has no separator either."""
    start = f"{mark('begin', inner)}<w:r><w:instrText>{code}</w:instrText></w:r>"
    return f"{start}{mark('separate') + run(result) if result else ''}{mark('end')}"


def in_paragraph(content: str) -> str:
    return f"<w:p>{content}</w:p>"


def in_parts(body: str, files: dict[str, str | bytes], links: str) -> bytes:
    """Return a package with these files under word/ and these relationships of the main part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package(body))) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/_rels/document.xml.rels":
                content = content.replace(b"</Relationships>", links.encode("utf-8") + b"</Relationships>")
            _put(target, name, content)
        for name, part in files.items():
            _put(target, f"word/{name}", part)
    return out.getvalue()


def link(identity: str, kind: str, target: str, mode: str = "Internal") -> str:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return f'<Relationship Id="{identity}" Type="{space}/{kind}" Target="{target}" TargetMode="{mode}"/>'


def read(data: bytes, limits: Limits | None = None) -> Parsed:
    return parse(io.BytesIO(data), "문서.docx", limits or Limits())


def texts(parsed: Parsed) -> list[str]:
    return [f"{block.number} {block.text}".strip() for block in parsed.blocks]
