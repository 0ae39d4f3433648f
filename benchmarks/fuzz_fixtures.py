"""The files that are mutated: vectors and rich documents of the tests, the example corpus, and shared case files."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from pipelines.parsers import FORMATS  # noqa: E402

# Larger files take their seconds from hundreds of small ones.
LARGEST_BYTES = 1 << 20
_NO_DOCUMENTS = (".tsv", ".py", ".expected.txt", ".must.txt", ".mustnot.txt")


@dataclass(frozen=True, slots=True)
class Fixture:
    """A sound or unsound file: `key` finds it again ("cases/hwp/noori.hwp"), `name` is what the parser is told."""

    key: str
    name: str
    data: bytes


def kind_of(name: str) -> str:
    """Return the extension of a document's name, "-" for any other."""
    word = name.rpartition(".")[2].lower()
    return word if word in FORMATS else "-"


def fixtures(cases: Path | None) -> dict[str, Fixture]:
    """Return every fixture by key; `cases` is the folder of shared case files."""
    found = [*_made(), *files("corpus", PROJECT / "examples" / "corpus")]
    if cases is not None and cases.is_dir():
        found += files("cases", cases)
    return {one.key: one for one in found}


def _made() -> Iterator[Fixture]:
    from golden_documents import DOCUMENTS
    from vectors import VECTORS

    for vector in VECTORS:
        yield Fixture(f"vector/{vector.name}", vector.file, vector.make())
    for name, make in DOCUMENTS.items():
        yield Fixture(f"golden/{name}", name, make())


def files(lead: str, root: Path) -> Iterator[Fixture]:
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder) / name
            if path.is_symlink() or not path.is_file() or name.endswith(_NO_DOCUMENTS):
                continue
            if 0 < path.stat().st_size <= LARGEST_BYTES:
                yield Fixture(f"{lead}/{path.relative_to(root).as_posix()}", name, path.read_bytes())


def turns(found: dict[str, Fixture]) -> Iterator[tuple[Fixture, int]]:
    """Yield fixtures and the number of their mutation for ever, every kind of file as often as every other."""
    kinds: dict[str, list[Fixture]] = {}
    for one in found.values():
        kinds.setdefault(kind_of(one.name), []).append(one)
    for turn in itertools.count():
        for kind in kinds.values():
            yield kind[turn % len(kind)], turn // len(kind)
