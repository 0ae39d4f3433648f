"""Every labelled case of expiry_cases.toml, and what each format says of itself through its own file."""

from __future__ import annotations

import io
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hwpx_writer import write_hwpx
from office_makers import Slide, make_docx, make_pdf, make_pptx
from sheet_makers import edited, make_xlsx

from pipelines import parsers
from pipelines.expiry import Dated, Expiry, expires_at, rule, unreadable
from pipelines.records import Block, Limits

CASES = tomllib.loads(Path(__file__).with_name("expiry_cases.toml").read_text(encoding="utf-8"))
SEOUL = ZoneInfo("Asia/Seoul")
PERIOD = {"match": "**", "until": "period_end"}
BLOCKS = [Block("paragraph", "점심시간은 열두 시부터 한 시까지입니다.")]
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006"


def kinds(*names: str) -> list[Any]:
    return [pytest.param(case, id=f"{name}-{n}") for name in names for n, case in enumerate(CASES[name]["cases"])]


def noon(day: str) -> datetime | None:
    return datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=SEOUL).astimezone(UTC) if day else None


def judged(case: dict[str, Any]) -> Expiry | None:
    modified, mtime = noon(case.get("dated", "2026-08-20")), noon(case.get("mtime", "2026-11-01"))
    assert mtime is not None
    said = {"expires_at": case["said"]} if "said" in case else {}
    document = Dated(case["path"], case.get("title", ""), modified, None, mtime, said)
    rules = [rule(each["match"], each.get("after", ""), each.get("until", "")) for each in case.get("rules", [PERIOD])]
    now = noon(case.get("today", "2026-11-30"))
    assert now is not None
    return expires_at(document, rules, ZoneInfo(case.get("zone", "Asia/Seoul")), now)


def assert_ends(found: Expiry | None, case: dict[str, Any]) -> None:
    assert (found.at.astimezone(SEOUL).isoformat()[:16] if found else "") == case.get("ends", "")
    assert found is None or case.get("evidence", "") in found.evidence
    assert found is None or found.evidence


@pytest.mark.parametrize("case", kinds("periods", "never", "rules", "clocks", "stated"))
def test_a_document_ends_as_labelled(case: dict[str, Any]) -> None:
    assert_ends(judged(case), case)


def with_custom_property(package: bytes, said: str) -> bytes:
    """Give a Word, PowerPoint or Excel file the custom property that File > Info > Properties > Advanced writes."""
    part = (
        f'<Properties xmlns="{_TYPES}/custom-properties" xmlns:vt="{_TYPES}/docPropsVTypes">'
        '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="expires_at">'
        f"<vt:lpwstr>{said}</vt:lpwstr></property></Properties>"
    )
    link = (
        f'<Relationship Id="rIdExpiry" Type="{_TYPES}/relationships/custom-properties" Target="docProps/custom.xml"/>'
    )
    kind = (
        '<Override PartName="/docProps/custom.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.custom-properties+xml"/>'
    )
    changes = {
        "_rels/.rels": [("</Relationships>", f"{link}</Relationships>")],
        "[Content_Types].xml": [("</Types>", f"{kind}</Types>")],
    }
    return edited(package, changes, {"docProps/custom.xml": part})


def pdf(said: str) -> bytes:
    """Return a PDF whose information dictionary has the entry that Acrobat's Custom tab writes, as a later update."""
    data = make_pdf(BLOCKS)
    if not said:
        return data
    size, root, start = (
        re.findall(pattern, data)[-1].decode()
        for pattern in (rb"/Size (\d+)", rb"/Root (\d+ 0 R)", rb"startxref\s+(\d+)")
    )
    text = (b"\xfe\xff" + said.encode("utf-16-be")).hex()
    entry = f"\n{size} 0 obj\n<< /expires_at <{text}> >>\nendobj\n"
    return (
        data
        + (
            f"{entry}xref\n{size} 1\n{len(data) + 1:010} 00000 n \n"
            f"trailer\n<< /Size {int(size) + 1} /Root {root} /Info {size} 0 R /Prev {start} >>\n"
            f"startxref\n{len(data) + len(entry)}\n%%EOF\n"
        ).encode()
    )


def hwpx(said: str) -> bytes:
    data = write_hwpx(BLOCKS, title="", author="", modified=datetime(2026, 8, 20, tzinfo=UTC))
    meta = f'<opf:meta name="expires_at" content="text">{said}</opf:meta></opf:metadata>'
    return edited(data, {"Contents/content.hpf": [("</opf:metadata>", meta)]}) if said else data


def document(form: str, said: str) -> bytes:
    match form:
        case "pdf":
            return pdf(said)
        case "hwpx":
            return hwpx(said)
        case "md":
            return f"---\nexpires_at: {said}\n---\n\n{BLOCKS[0].text}\n".encode()
        case "html":
            head = f'<meta charset="utf-8"><meta name="expires_at" content="{said}">'
            return f"<!DOCTYPE html>{head}<p>{BLOCKS[0].text}".encode()
    made = {
        "docx": lambda: make_docx(BLOCKS),
        "pptx": lambda: make_pptx([Slide("점심", tuple(BLOCKS))]),
        "xlsx": lambda: make_xlsx({"시간": [["이름"], [BLOCKS[0].text]]}),
    }[form]()
    return with_custom_property(made, said) if said else made


@pytest.mark.parametrize("case", kinds("documents"))
def test_a_file_says_when_it_ends(case: dict[str, Any]) -> None:
    name = f"공지.{case['format']}"
    parsed = parsers.parse(io.BytesIO(document(case["format"], case["said"])), name, Limits())
    assert unreadable(parsed.properties, SEOUL) is None
    now = datetime(2026, 11, 30, tzinfo=UTC)
    found = expires_at(Dated(name, parsed.title or "", now, None, now, parsed.properties), [], SEOUL, now)
    assert_ends(found, case)


def test_there_are_enough_cases_and_each_is_labelled() -> None:
    cases = [case for kind in CASES.values() for case in kind["cases"]]
    assert len(cases) >= 80 and len(CASES["never"]["cases"]) >= 20
    assert all("ends" in case or case in CASES["never"]["cases"] for case in cases)
