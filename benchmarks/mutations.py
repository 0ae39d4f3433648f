"""Mutate a file after its kind. The same bytes and dice give the same damage on every machine."""

from __future__ import annotations

from random import Random

from mutate_bytes import mutated_bytes
from mutate_ole import mutated_ole
from mutate_pdf import mutated_pdf
from mutate_text import mutated_text
from mutate_xml import mutated_xml
from mutate_zip import mutated_zip

# A share of the files gets another format's extension: the format must come from the bytes.
_WRONG_NAME = 0.03
_EXTENSIONS = ("hwp", "hwpx", "hml", "pdf", "docx", "pptx", "xlsx", "xls", "eml", "txt", "csv", "md", "html", "")


def mutated(data: bytes, name: str, dice: Random) -> tuple[bytes, str]:
    """Return the damaged file and its name."""
    changed = _mutated(data, dice)
    if dice.random() < _WRONG_NAME:
        name = f"{name.rpartition('.')[0] or name}.{dice.choice(_EXTENSIONS)}"
    return changed, name


def _mutated(data: bytes, dice: Random) -> bytes:
    if data.startswith(b"PK"):
        return mutated_zip(data, dice)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return mutated_ole(data, dice)
    if data.startswith(b"%PDF"):
        return mutated_pdf(data, dice)
    if b"<HWPML" in data[:4096]:
        return mutated_xml(data, dice) if dice.random() < 0.8 else mutated_text(data, dice)
    if b"\0" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return mutated_bytes(data, dice)
    return mutated_text(data, dice)
