"""Reading a small format whole, with a bound."""

from __future__ import annotations

from typing import BinaryIO

from pipelines.errors import TooLarge
from pipelines.records import Limits


def read_whole(file: BinaryIO, limits: Limits) -> bytes:
    """Return all bytes of `file`; raises TooLarge above limits.stream_mb."""
    file.seek(0)
    data = file.read((limits.stream_mb << 20) + 1)
    if len(data) > limits.stream_mb << 20:
        raise TooLarge(f"the file is over {limits.stream_mb} MB")
    return data
