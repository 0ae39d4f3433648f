"""The product's own stage over documents in memory: sketches, edges and families by way of a ledger on disk."""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from generator import SOURCES, Document  # noqa: E402

from assets.stages.near import alike, compare  # noqa: E402
from pipelines.body import squeeze  # noqa: E402
from pipelines.compared import Content, chosen  # noqa: E402
from pipelines.dedup import Copy, representatives  # noqa: E402
from pipelines.edges import Edges  # noqa: E402
from pipelines.family import FILE_CLOCK, Family, Member, families  # noqa: E402
from resources.ledger import Ledger  # noqa: E402
from resources.ledger import edges as edge_store  # noqa: E402

NOW = datetime(2027, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Bodies:
    """Documents with the hashes that parsing gives them: body hash and content hash, one each."""

    documents: Sequence[Document]
    body: list[str]
    content: list[str]

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Bodies:
        """Hash what parsing hashes."""
        return cls(
            documents,
            [_sha(squeeze(document.text)) for document in documents],
            [_sha(document.text) for document in documents],
        )


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass
class Stand:
    """A ledger and what is in it now; `spent` are the CPU seconds of its last step."""

    folder: Path
    corpus: Bodies
    spent: float = 0.0
    edges: Edges = field(default_factory=lambda: Edges.of(()))
    families: list[Family] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    asked: int = 0
    steps: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.ledger = Ledger(self.folder)
        self._texts = {
            content: document.text for content, document in zip(self.corpus.content, self.corpus.documents, strict=True)
        }

    def step(self, places: Iterable[int]) -> None:
        """Let these documents be the ones that are there, and everything follow."""
        places, self.steps = list(places), self.steps + 1
        contents = chosen(
            (self.corpus.body[place], Content(False, self.corpus.content[place], "1")) for place in places
        )
        self.members = [self._member(place) for place in places]
        started = time.process_time()
        compare(self.ledger, contents, self._text_of, NOW + timedelta(days=self.steps))
        labels = alike(self.ledger, Counter(member.body_hash for member in self.members)).labels
        self.spent = time.process_time() - started
        with self.ledger.transaction("benchmark") as con:
            self.edges = edge_store.among(con, contents)
        self.families = families(self.members, self.edges, NOW)
        if labels != Counter(f"families_{family.label}" for family in self.families):
            raise AssertionError("the counted families aren't those that are shown")

    def representatives(self) -> dict[str, tuple[str, str]]:
        """Return body hash -> the document that serves it."""
        copies = (
            Copy(
                member.source,
                member.path,
                member.body_hash,
                member.first_seen,
                member.source_order,
                None if member.clock == FILE_CLOCK else member.modified_at,
            )
            for member in self.members
        )
        return {
            group.body_hash: (group.representative.source, group.representative.path)
            for group in representatives(copies)
        }

    def _text_of(self, content: Content) -> str:
        self.asked += 1
        return self._texts[content.content_hash]

    def _member(self, place: int) -> Member:
        document = self.corpus.documents[place]
        own = document.modified_at is not None and place % 2 == 0
        return Member(
            document.source,
            document.path,
            self.corpus.body[place],
            document.modified_at,
            "docx:modified" if own else FILE_CLOCK if document.modified_at else None,
            first_seen=document.first_seen,
            source_order=SOURCES.index(document.source),
        )
