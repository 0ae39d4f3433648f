"""HTML pages, under whatever name they were saved."""

from __future__ import annotations

import codecs
import re
from datetime import datetime
from typing import Any, BinaryIO

from pipelines.errors import Corrupt, Empty
from pipelines.parsers.charset import LATIN, decode_labelled, known_codec
from pipelines.parsers.html_blocks import HtmlBlocks, is_cut, parse_html
from pipelines.parsers.ooxml_properties import parse_w3cdtf
from pipelines.parsers.text import clean, decode
from pipelines.parsers.whole_file import read_whole
from pipelines.records import Limits, Parsed

_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
# Browsers look for the declaration in the first 1,024 bytes; pages of web systems put scripts before it.
_META_WINDOW = 8192
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MODIFIED = ("article:modified_time", "og:updated_time", "dcterms.modified", "last-modified")
_CREATED = ("article:published_time", "dcterms.created")


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Read a page; raises Empty without visible text, Corrupt or TooLarge."""
    return read_page(decode_html(read_whole(file, limits)))


def read_page(text: str) -> Parsed:
    """Read a decoded page; raises Empty or Corrupt."""
    root = parse_html(text)
    if root is None:
        raise Empty("the page holds no text")
    walker = HtmlBlocks()
    walker.walk(root)
    blocks = walker.finish()
    title = " ".join((root.findtext(".//title") or "").split())
    cut = is_cut(root)
    if cut and not blocks:
        raise Corrupt("the page nests its elements too deep")
    if not blocks:
        raise Empty("the page shows no text without its scripts")
    modified = _moment(root, _MODIFIED)
    expires_at = _meta(root, ("expires_at",))
    return Parsed(
        format="html",
        blocks=tuple(blocks),
        title=clean(title) or None,
        author=_meta(root, ("author",)) or None,
        modified_at=modified,
        created_at=_moment(root, _CREATED),
        clock="html:modified" if modified else None,
        asides=dict(walker.apart.counts),
        apart=walker.apart.kept,
        properties={"expires_at": expires_at} if expires_at else {},
        warnings=("elements nested too deep end the text early",) if cut else (),
    )


def decode_html(data: bytes, charset: str = "") -> str:
    """Decode a page; `charset` is what a mail's header says and wins over the page's own <meta>.

    Strict UTF-8 with characters beyond ASCII goes before the label: a page converted to UTF-8 often keeps its old one.
    """
    if not data.startswith(_BOMS):
        match = _META_CHARSET.search(data[:_META_WINDOW])
        labels = [charset, "utf-8" if not data.isascii() else "", match[1].decode("ascii") if match else ""]
        for codec in filter(None, map(known_codec, labels)):
            if codec in LATIN:
                return decode_labelled(data, codec)[0]
            try:
                # A page that names UTF-16 in ASCII letters isn't in it (HTML standard, 13.2.3.2).
                return data.decode("utf-8" if codec.startswith("utf-16") and data[:1] == b"<" else codec)
            except UnicodeDecodeError:
                continue
    try:
        return decode(data)[0]
    except Corrupt:
        return data.decode(known_codec(charset) or "utf-8", "replace")


def _meta(root: Any, names: tuple[str, ...]) -> str:
    for element in root.iter("meta"):
        label = (element.get("name") or element.get("property") or element.get("http-equiv") or "").lower()
        if label in names and element.get("content"):
            return clean(element.get("content")).strip()
    return ""


def _moment(root: Any, names: tuple[str, ...]) -> datetime | None:
    return parse_w3cdtf(_meta(root, names))
