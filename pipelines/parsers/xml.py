"""XML parts of office files, read without entities, DTDs or the network."""

from __future__ import annotations

from typing import Any

from lxml import etree

from pipelines.errors import Corrupt, UnsafeXml

# The declaration must stand before the root element; 64 KiB of prologue is far beyond any office program's.
_PROLOGUE = 65536


def parse_xml(data: bytes, what: str) -> Any:
    """Return the root element of `data`; `what` names the part in messages.

    Raises UnsafeXml for a DTD or entity declaration and Corrupt for anything that isn't well formed, nested
    deeper than libxml2's 256 levels included.
    """
    refuse_prologue(data, what)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error.msg):
            raise Corrupt(f"{what} nests its elements deeper than office programs do") from error
        raise Corrupt(f"{what} is not well-formed XML (line {error.lineno})") from error
    if root is None:
        raise Corrupt(f"{what} holds no element")
    refuse_dtd(root, what)
    return root


def refuse_prologue(data: bytes, what: str) -> None:
    """Raise UnsafeXml for a DTD or entity declaration that stands where office programs would put one."""
    head = data[:_PROLOGUE]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "ignore").encode("utf-8")
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise UnsafeXml(f"{what} declares a DTD or entities, which office programs never write")


def refuse_dtd(element: Any, what: str) -> None:
    """Raise UnsafeXml when the document of `element` has a DTD, however far behind its beginning."""
    if element.getroottree().docinfo.internalDTD is not None:
        raise UnsafeXml(f"{what} declares a DTD, which office programs never write")


def local(element: Any) -> str:
    """Return the element's name without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
