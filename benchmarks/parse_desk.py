"""The case files, who reads them, and every reading made so far."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from parse_readers import OURS, PEER_READERS, Pass, Reader, Reading, python_of, read_files
from parse_truth import SUFFIXES, case_files


@dataclass
class Desk:
    """The case files, who reads them, and every reading made so far: each reader reads a form once."""

    cases: Path
    venvs: Path
    scratch: Path
    peers: tuple[Reader, ...] = PEER_READERS
    passes: dict[tuple[str, str], Pass] = field(default_factory=dict)

    @cached_property
    def files(self) -> dict[str, list[Path]]:
        """The case files of every form."""
        return {form: case_files(self.cases, form) for form in SUFFIXES}

    def readers(self, form: str) -> list[Reader]:
        """Return who says it reads a form, ours first."""
        return [reader for reader in (OURS, *self.peers) if form in reader.formats]

    def read(self, reader: Reader, form: str) -> Pass:
        """Return a reader's readings of the case files of a form."""
        key = (reader.name, form)
        if key not in self.passes:
            self.passes[key] = self.read_once(reader, form, self.files[form])
        return self.passes[key]

    def read_once(self, reader: Reader, form: str, files: Sequence[Path]) -> Pass:
        """Return a reader's readings of any files, in a process of its own."""
        progress(f"{reader.name} reads {len(files)} files: {form}")
        return read_files(python_of(reader, self.venvs), reader, form, files)

    def readings(self, form: str) -> dict[str, dict[Path, Reading]]:
        """Return every reader's readings of a form, by the reader's name."""
        return {reader.name: self.read(reader, form).readings for reader in self.readers(form)}

    def case(self, form: str, name: str) -> Path:
        """Return the case file of that name."""
        return next(path for path in self.files[form] if path.name == name)

    def named(self, path: Path) -> str:
        """Return a file's path below the case folder."""
        return path.relative_to(self.cases).as_posix()


def progress(text: str) -> None:
    """Tell a waiting person what is done; the table stands alone on standard output."""
    print(text, file=sys.stderr, flush=True)
