"""Damage inside a zip container: its members are unpacked, changed, and packed again with the right checksums."""

from __future__ import annotations

import io
import zipfile
import zlib
from random import Random

from mutate_bytes import mutated_bytes
from mutate_xml import mutated_xml

# Members above this are left as they are; the case files hold bombs.
_LARGEST = 8 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError)

Members = list[tuple[str, bytes]]


def mutated_zip(data: bytes, dice: Random) -> bytes:
    """Return the zip with one to three members changed; a zip that can't be unpacked takes damage as bytes."""
    members = _unpacked(data)
    if not members or dice.random() < 0.1:
        return mutated_bytes(data, dice)
    for _ in range(dice.choice((1, 1, 2, 3))):
        _change(members, dice)
    return _packed(members, dice)


def _unpacked(data: bytes) -> Members:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > _LARGEST:
                return []
            return [(info.filename, archive.read(info)) for info in infos]
    except _BROKEN:
        return []


def _packed(members: Members, dice: Random) -> bytes:
    written = io.BytesIO()
    method = zipfile.ZIP_STORED if dice.random() < 0.1 else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else method
            archive.NameToInfo.pop(name, None)  # a name that comes twice is meant
            archive.writestr(info, data)
    return written.getvalue()


def _change(members: Members, dice: Random) -> None:
    xml = [at for at, (name, _) in enumerate(members) if name.endswith((".xml", ".rels", ".hpf", ".rdf"))]
    at = dice.choice(xml) if xml and dice.random() < 0.9 else dice.randrange(len(members))
    name, data = members[at]
    act = dice.random()
    if act < 0.8:
        members[at] = (name, mutated_xml(data, dice) if at in xml else mutated_bytes(data, dice))
    elif act < 0.87:
        members.pop(at)
    elif act < 0.94:
        members.append((name, mutated_xml(data, dice)))
    else:
        other = dice.choice(members)
        members[at] = (name, other[1]) if act < 0.97 else (other[0] + dice.choice(("", "/", "x", "\\..\\x")), data)
    if not members:
        members.append((name, data))
