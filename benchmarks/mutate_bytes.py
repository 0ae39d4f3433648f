"""Damage that any file can take: bits, runs of bytes, cuts, blocks out of place. Every choice comes from the dice."""

from __future__ import annotations

import struct
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]

# Counts and sizes at the edges of what 8, 16 and 32 bits hold, signed and not.
EDGES = (0, 1, -1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFFFF, -0x80000000, 0xFFFFFFFE)
# An inserted run longer than this tells nothing new, and slows the round.
_LONGEST_RUN = 4096


def mutated_bytes(data: bytes, dice: Random) -> bytes:
    """Return `data` after one to four mutations."""
    for _ in range(dice.choice((1, 1, 2, 4))):
        data = dice.choice(MUTATIONS)(data, dice)
    return data


def _flip_bits(data: bytes, dice: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 2, 8, 32)) if data else 0):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _overwrite(data: bytes, dice: Random) -> bytes:
    start, end = _range(data, dice)
    kind = dice.choice(("zero", "ones", "random"))
    run = {"zero": b"\0", "ones": b"\xff"}.get(kind, b"") * (end - start) or dice.randbytes(end - start)
    return data[:start] + run + data[end:]


def _edge_number(data: bytes, dice: Random) -> bytes:
    """Put a number at the edge of its type anywhere, little-endian as OLE, zip and HWP have them."""
    size = dice.choice((1, 2, 4))
    number = struct.pack("<q", dice.choice(EDGES))[:size]
    start = dice.randrange(max(1, len(data) - size))
    return data[:start] + number + data[start + size :]


def _truncate(data: bytes, dice: Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _behead(data: bytes, dice: Random) -> bytes:
    return data[dice.randrange(min(64, len(data)) + 1) :]


def _insert(data: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    size = dice.choice((1, 2, 16, 512, _LONGEST_RUN))
    return data[:at] + (dice.randbytes(size) if dice.random() < 0.5 else dice.randbytes(1) * size) + data[at:]


def _remove(data: bytes, dice: Random) -> bytes:
    start, end = _range(data, dice)
    return data[:start] + data[end:]


def _duplicate(data: bytes, dice: Random) -> bytes:
    start, end = _range(data, dice)
    return data[:end] + data[start:end] * dice.choice((1, 1, 8)) + data[end:]


def _swap(data: bytes, dice: Random) -> bytes:
    a, b, c, d = sorted(dice.randrange(len(data) + 1) for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _range(data: bytes, dice: Random) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + dice.choice((1, 4, 64, 512, _LONGEST_RUN)))


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bits,
    _overwrite,
    _edge_number,
    _truncate,
    _behead,
    _insert,
    _remove,
    _duplicate,
    _swap,
)
