"""What an office file says of itself: docProps/core.xml and docProps/custom.xml."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from pipelines.errors import Corrupt
from pipelines.parsers.archive import BoundedZip
from pipelines.parsers.ooxml_package import parts
from pipelines.parsers.text import clean
from pipelines.parsers.xml import local, parse_xml

# A property is a name or a date; longer ones are macros' and viewers' private data.
MAX_PROPERTY_CHARS = 500


@dataclass(frozen=True, slots=True)
class CoreProperties:
    """Core properties (ECMA-376 part 2, section 11); `properties` holds status and custom properties by name."""

    title: str | None = None
    author: str | None = None
    modified_at: datetime | None = None
    created_at: datetime | None = None
    properties: dict[str, str] = field(default_factory=dict)


def read_core(archive: BoundedZip) -> CoreProperties:
    """Return what the package says of itself; a damaged properties part counts as none, a DTD in it as UnsafeXml."""
    values = _core_values(archive)
    properties = _custom_values(archive)
    if values.get("contentStatus"):
        properties.setdefault("status", values["contentStatus"])
    return CoreProperties(
        title=values.get("title") or None,
        author=values.get("creator") or None,
        modified_at=parse_w3cdtf(values.get("modified", "")),
        created_at=parse_w3cdtf(values.get("created", "")),
        properties=properties,
    )


def parse_w3cdtf(text: str) -> datetime | None:
    """Return an aware UTC time; a time without a zone is taken as UTC, as Word and LibreOffice write it."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _core_values(archive: BoundedZip) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in parts(archive, "", "core-properties") or _by_name(archive, "docProps/core.xml"):
        try:
            root = parse_xml(archive.read(part), part)
        except Corrupt:
            continue
        for element in root:
            values.setdefault(local(element), _text(element.text))
    return values


def _custom_values(archive: BoundedZip) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in parts(archive, "", "custom-properties") or _by_name(archive, "docProps/custom.xml"):
        try:
            root = parse_xml(archive.read(part), part)
        except Corrupt:
            continue
        for element in root:
            name, value = _text(element.get("name")), _text("".join(element.itertext()))
            if name and value and len(value) <= MAX_PROPERTY_CHARS:
                values[name] = value
    return values


def _by_name(archive: BoundedZip, name: str) -> list[str]:
    return [name] if name in archive.names else []


def _text(value: str | None) -> str:
    return clean(value or "").strip()
