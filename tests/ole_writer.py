"""A small writer of OLE compound files (MS-CFB version 3: 512-byte sectors, 64-byte mini sectors)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

_SECTOR = 512
_MINI = 64
_MINI_CUTOFF = 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
# The header holds 109 FAT sector numbers; more would need DIFAT sectors (files over 6.8 MB), which tests never write.
_MAX_FAT_SECTORS = 109


@dataclass
class _Entry:
    name: str
    kind: int  # 1 storage, 2 stream, 5 root
    data: bytes = b""
    children: list[_Entry] = field(default_factory=list)
    red: bool = False
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE
    start: int = _END
    size: int = 0


def write_ole(streams: dict[str, bytes]) -> bytes:
    """Return a compound file; keys are paths with "/" ("BodyText/Section0")."""
    entries = _directory(streams)
    mini, mini_fat = _mini_stream(entries)
    chains = [(entry, entry.data) for entry in entries if entry.kind == 2 and len(entry.data) >= _MINI_CUTOFF]
    chains.append((entries[0], mini))
    sectors: list[bytes] = []
    fat: list[int] = []
    for entry, data in chains:
        entry.start = _append(sectors, fat, data)
    entries[0].size = len(mini)
    mini_fat_start = _append(sectors, fat, struct.pack(f"<{len(mini_fat)}I", *mini_fat), fill=b"\xff")
    mini_fat_sectors = -(-len(mini_fat) * 4 // _SECTOR)
    directory = b"".join(_pack(entry) for entry in entries)
    directory_start = _append(sectors, fat, directory + _UNUSED * (-len(entries) % 4))
    fat_numbers = _append_fat(sectors, fat)
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6,
        0, len(fat_numbers), directory_start, 0, _MINI_CUTOFF, mini_fat_start, mini_fat_sectors, _END, 0,
    )  # fmt: skip
    numbers = fat_numbers + [_FREE] * (_MAX_FAT_SECTORS - len(fat_numbers))
    return header + struct.pack("<109I", *numbers) + b"".join(sectors)


def _directory(streams: dict[str, bytes]) -> list[_Entry]:
    """Return all entries, root first, with the sibling trees linked by index."""
    root = _Entry("Root Entry", 5)
    for path, data in streams.items():
        parent = root
        *folders, name = path.split("/")
        for folder in folders:
            found = next((child for child in parent.children if child.name == folder), None)
            if found is None:
                found = _Entry(folder, 1)
                parent.children.append(found)
            parent = found
        parent.children.append(_Entry(name, 2, data, size=len(data)))
    entries = [root]
    _number(root, entries)
    index = {id(entry): position for position, entry in enumerate(entries)}
    for entry in entries:
        ordered = sorted(entry.children, key=lambda child: (len(child.name.encode("utf-16-le")), child.name.upper()))
        entry.child = _link(ordered, index, len(ordered).bit_length() - 1, 0)
    return entries


def _number(parent: _Entry, entries: list[_Entry]) -> None:
    entries.extend(parent.children)
    for child in parent.children:
        _number(child, entries)


def _link(ordered: list[_Entry], index: dict[int, int], depth_last: int, depth: int) -> int:
    """Link a balanced tree and return its top; the incomplete last level is red, so black heights are equal."""
    if not ordered:
        return _FREE
    middle = len(ordered) // 2
    top = ordered[middle]
    top.red = depth == depth_last and depth > 0
    top.left = _link(ordered[:middle], index, depth_last, depth + 1)
    top.right = _link(ordered[middle + 1 :], index, depth_last, depth + 1)
    return index[id(top)]


def _mini_stream(entries: list[_Entry]) -> tuple[bytes, list[int]]:
    """Lay out the streams under 4096 bytes; return (mini stream, mini FAT)."""
    sectors: list[bytes] = []
    fat: list[int] = []
    for entry in entries:
        if entry.kind == 2 and len(entry.data) < _MINI_CUTOFF:
            entry.start = _append(sectors, fat, entry.data, size=_MINI)
    return b"".join(sectors), fat


def _append(sectors: list[bytes], fat: list[int], data: bytes, size: int = _SECTOR, fill: bytes = b"\0") -> int:
    """Append `data` as a chain and return its first sector; an empty chain is END."""
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    if not pieces:
        return _END
    start = len(fat)
    sectors.extend(piece + fill * (size - len(piece)) for piece in pieces)
    fat.extend(range(start + 1, start + len(pieces)))
    fat.append(_END)
    return start


def _append_fat(sectors: list[bytes], fat: list[int]) -> list[int]:
    """Append the FAT itself, which also lists its own sectors."""
    count = 1
    while (len(fat) + count) * 4 > count * _SECTOR:
        count += 1
    if count > _MAX_FAT_SECTORS:
        raise ValueError("the compound file would need DIFAT sectors")
    numbers = list(range(len(fat), len(fat) + count))
    fat.extend([_FAT] * count)
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(count * _SECTOR, b"\xff")
    sectors.extend(table[at : at + _SECTOR] for at in range(0, len(table), _SECTOR))
    return numbers


def _pack(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name, len(name) + 2, entry.kind, 0 if entry.red else 1, entry.left, entry.right, entry.child,
        b"", 0, 0, 0, 0 if entry.kind == 1 else entry.start, entry.size,
    )  # fmt: skip


_UNUSED = struct.pack("<64sHBBIII16sIQQIQ", b"", 0, 0, 0, _FREE, _FREE, _FREE, b"", 0, 0, 0, 0, 0)
