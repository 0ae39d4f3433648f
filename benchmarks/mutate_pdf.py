"""Damage inside a PDF: the numbers and references of its objects, and what its packed streams say."""

from __future__ import annotations

import re
import zlib
from random import Random

from mutate_bytes import EDGES, mutated_bytes

_STREAM = re.compile(rb"(/Length\s+)(\d+)([^/]{0,40}|.{0,400}?)stream\r?\n", re.DOTALL)
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_NAME = re.compile(rb"/[A-Za-z][A-Za-z0-9]*")
_LARGEST = 4 << 20


def mutated_pdf(data: bytes, dice: Random) -> bytes:
    """Return the PDF with a stream or some objects changed; readers rebuild the table of places that no longer fits."""
    act = dice.random()
    if act < 0.35:
        return _stream(data, dice)
    if act < 0.8:
        return _tokens(data, dice)
    return mutated_bytes(data, dice)


def _stream(data: bytes, dice: Random) -> bytes:
    streams = list(_STREAM.finditer(data))
    if not streams:
        return mutated_bytes(data, dice)
    one = dice.choice(streams)
    end = one.end() + int(one[2])
    try:
        plain = zlib.decompressobj().decompress(data[one.end() : end], _LARGEST)
        changed = zlib.compress(_tokens(plain, dice) if dice.random() < 0.7 else mutated_bytes(plain, dice))
    except zlib.error:
        changed = mutated_bytes(data[one.end() : end], dice)
    head = data[: one.start(2)] + str(len(changed)).encode() + data[one.end(2) : one.end()]
    return head + changed + data[end:]


def _tokens(data: bytes, dice: Random) -> bytes:
    """Change some numbers and names of PDF's syntax."""
    for _ in range(dice.choice((1, 3, 10))):
        pattern = _NUMBER if dice.random() < 0.7 else _NAME
        found = list(pattern.finditer(data))
        if not found:
            return mutated_bytes(data, dice)
        one = dice.choice(found)
        others = [str(edge).encode() for edge in EDGES] + [b"1e30", b"0.00001"] if pattern is _NUMBER else []
        new = dice.choice([*others, dice.choice(found)[0]])
        data = data[: one.start()] + new + data[one.end() :]
    return data
