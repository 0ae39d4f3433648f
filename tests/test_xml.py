from __future__ import annotations

import io
import zipfile

import pytest

from pipelines.errors import Corrupt, UnsafeXml
from pipelines.parsers.archive import open_zip
from pipelines.parsers.xlsx_parts import elements
from pipelines.parsers.xml import parse_xml
from pipelines.records import Limits


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<a>" * 400 + b"</a>" * 400, "p.xml nests its elements deeper than office programs do"),
        (b"<a>\n<b></a>", r"p.xml is not well-formed XML \(line 2\)"),
        (b"<!-- only a comment -->", "p.xml is not well-formed XML"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(Corrupt, match=reason):
        parse_xml(data, "p.xml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declarations_are_refused_in_every_encoding(encoding: str) -> None:
    text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'
    with pytest.raises(UnsafeXml):
        parse_xml(text.encode(encoding), "p.xml")


def test_a_declaration_far_behind_the_beginning_is_refused_in_parts_of_either_kind() -> None:
    data = b"<!--" + b" " * 70_000 + b'--><!DOCTYPE a [<!ENTITY x "y">]><a><b>&x;</b></a>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("p.xml", data)
    with pytest.raises(UnsafeXml, match=r"p\.xml declares a DTD"):
        parse_xml(data, "p.xml")
    with pytest.raises(UnsafeXml, match=r"p\.xml declares a DTD"):
        list(elements(open_zip(packed, Limits()), "p.xml", ("b",)))
