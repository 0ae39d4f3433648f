"""The files that a person names, read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from resources.folder import Reading


def readings(files: Iterable[Path]) -> list[Reading]:
    """Return what each file holds; raises SkipDocument, its message safe for a terminal."""
    from pipelines.errors import SkipDocument
    from pipelines.records import Limits
    from resources.folder import read_files
    from saero.output import printable

    try:
        return read_files(files, Limits())
    except SkipDocument as error:
        raise SkipDocument(printable(str(error)), error.path) from error
