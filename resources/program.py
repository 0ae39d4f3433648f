"""The program itself: what was decided by other code is decided again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_HOME = Path(__file__).resolve().parent.parent
# Where it stands what becomes of documents; the shells around it don't count.
_ROOMS = ("pipelines", "resources", "assets/stages")


@cache
def program_digest() -> str:
    """Name the code of this program: no version number is forgotten, and none is raised in vain."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((_HOME / room).rglob("*.py")):
            digest.update(path.relative_to(_HOME).as_posix().encode("utf-8") + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
