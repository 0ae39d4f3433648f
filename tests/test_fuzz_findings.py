"""What benchmarks/fuzz.py found, each as a small made file."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence

import olefile
import pytest
from ole_writer import write_ole

from pipelines import parsers
from pipelines.chunk import cut
from pipelines.errors import Corrupt
from pipelines.parsers.ole_chains import check_chains
from pipelines.records import Block, Limits, Parsed


def read(data: bytes, name: str) -> Parsed:
    return parsers.parse(io.BytesIO(data), name, Limits())


def xls(
    *cells: tuple[int, int, float], size: tuple[int, int, int, int] = (0, 3, 0, 3), more: Sequence[bytes] = ()
) -> bytes:
    """Return a workbook of one sheet of numbers; `size` is its first and last row and column, `more` are records."""
    begin, end = _biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)), _biff(0x0A, b"")
    name = "시트1".encode("utf-16-le")
    place = len(begin) + 4 + 8 + len(name) + len(end)
    about = struct.pack("<IBBBB", place, 0, 0, len(name) // 2, 1) + name
    parts = [begin, _biff(0x85, about), end, begin, _biff(0x200, struct.pack("<IIHHH", *size, 0))]
    parts += [_biff(0x203, struct.pack("<HHHd", row, column, 0, value)) for row, column, value in cells]
    return write_ole({"Workbook": b"".join([*parts, *more, end])})


def _biff(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def test_a_cell_outside_the_grid_of_an_xls_sheet_is_refused_before_memory_is_asked_for() -> None:
    """It ended the parser process: python-calamine reserves the rectangle from the first cell to the last.

    These cells lie barely outside, so that a test without the check fails and hurts nobody.
    """
    assert read(xls((0, 0, 1), (2, 2, 3)), "표.xls").blocks
    with pytest.raises(Corrupt, match="outside the grid"):
        read(xls((0, 0, 1), (2, 256, 3)), "표.xls")
    with pytest.raises(Corrupt, match="outside the grid"):
        read(xls((0, 0, 1), size=(0, 65537, 0, 3)), "표.xls")
    with pytest.raises(Corrupt, match="outside the grid"):
        read(xls((0, 0, 1), size=(9, 3, 0, 3)), "표.xls")


def test_a_panic_of_the_xls_reader_is_damage() -> None:
    """A panic of Rust is no Exception: it ended the parser process."""
    with pytest.raises(Corrupt, match="damaged"):
        read(xls((0, 0, 1), more=[_biff(0x203, b"\0\0")]), "표.xls")


def test_a_ring_of_sectors_is_damage() -> None:
    """python-calamine follows a ring until memory ends, and the process with it; this one is looked at first."""
    data = bytearray(write_ole({"Workbook": bytes(5000)}))
    (table,) = struct.unpack_from("<I", data, 76)
    struct.pack_into("<I", data, 512 * (table + 1) + 4 * 3, 1)
    with olefile.OleFileIO(io.BytesIO(bytes(data))) as ole, pytest.raises(Corrupt, match="ring"):
        check_chains(ole)


def test_html_tables_nest_no_deeper_than_tables_of_other_formats() -> None:
    page = "<table border=1><tr><td>가</td><td>" * 45 + "나" + "</td></tr></table>" * 45
    (table,) = read(f"<html><body>{page}</body></html>".encode(), "표.html").blocks
    depth = 0
    while table.kind == "table":
        depth, table = depth + 1, table.cells[1].blocks[-1]
    assert (depth, table.text) == (20, "나")


def test_a_passage_that_loses_only_white_space_is_counted_again() -> None:
    """The chunker asked for a count that it had never made, and the whole run ended."""
    chunks = cut(
        [Block("code", " " * 900 + "9" * 300)],
        title="",
        body_hash="",
        count_tokens=lambda texts: [len(text) // 2 for text in texts],
    )
    assert "".join(chunk.text for chunk in chunks).count("9") == 300
    assert all(chunk.n_tokens == len(chunk.embedded) // 2 <= 500 for chunk in chunks)


def test_markdown_references_to_control_characters_leave_none() -> None:
    (heading,) = read("# 제목&#13;둘\n".encode(), "글.md").blocks
    assert heading.text.split() == ["제목", "둘"] and "\r" not in heading.text
