"""One run of a first load whose encoder is slow: `python first_load_child.py HOME LOG [DIE_AFTER]`.

The encoder doesn't sleep: it puts the clock forward by what its tokens cost at SPEED; everything else counts with its
CPU time, workers too, as others may be at work on the machine. Each publication is told as a line of JSON on standard
output. After DIE_AFTER passages the process kills itself, as a power cut would; LOG holds a line for each passage whose
vector was made and stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from corpus import Laps, cpu
from ours_child import SOURCE, CountingEncoder, warm

from assets.stages import meanwhile
from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import judge
from pipelines.search import Wanted
from resources.build import Saero, build, open_run
from resources.searcher import Searcher

SPEED = 1_000  # tokens a second
TOKENS_A_WORD = 2  # a Korean word of three syllables is about two of the default encoder's tokens


class SlowEncoder(CountingEncoder):
    """Counts, logs what was stored, and puts the clock forward; dies at the beginning of a call."""

    max_tokens = 512

    def __init__(self, log: Path, die_after: int | None) -> None:
        super().__init__(Laps())
        self.slept = 0.0
        self.made = 0
        self._log, self._die_after = log, die_after
        self._returned: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [TOKENS_A_WORD * len(text.split()) + 2 for text in texts]

    def embed_passages(
        self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        self.keep()
        if self._die_after is not None and self.made >= self._die_after:
            os.kill(os.getpid(), signal.SIGKILL)
        self.slept += sum(self.count_tokens(texts)) / SPEED
        self.made += len(texts)
        self._returned = [hashlib.sha256(text.encode("utf-8")).hexdigest() for text in texts]
        return super().embed_passages(texts, on_batch)

    def keep(self) -> None:
        """Log the last batch: whoever asks for another one has stored it."""
        with self._log.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in self._returned)
        self._returned = []


def main() -> None:
    home, log = Path(sys.argv[1]), Path(sys.argv[2])
    encoder = SlowEncoder(log, int(sys.argv[3]) if sys.argv[3:] else None)
    warm()
    begun = cpu()

    def elapsed() -> float:
        return cpu() - begun + encoder.slept

    saero = build(str(home / "saero.toml"))
    saero.encoder = saero.query_encoder = encoder  # type: ignore[assignment]

    def told(run: Any) -> dict[str, Any]:
        done = publish(run)
        print(json.dumps({"published": elapsed(), **_look(saero)}), flush=True)
        return done

    meanwhile.publish = told
    meanwhile._now = lambda: datetime.now(UTC) + timedelta(seconds=encoder.slept)
    with open_run(saero, f"bench-{os.getpid()}", trigger="bench", wait=timedelta(0)) as run:
        parse_sources(run, [SOURCE])
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        encoder.keep()
        judge(run)
        told(run)
        analyse(run)
    print(json.dumps({"ended": elapsed(), "made": encoder.made}), flush=True)


def _look(saero: Saero) -> dict[str, Any]:
    """Return the rows that a search sees, how many have vectors, and whether it finds a text by its words."""
    reader = saero.reader()
    first = (saero.sources[0].path / "000" / "문서 7.md").read_text(encoding="utf-8")
    words = " ".join(first.split()[10:18])
    ranking = Searcher(reader, None).search([words], now=datetime.now(UTC), wanted=Wanted(mode="text"))
    found = bool(ranking.results) and ranking.results[0].row["path"] == "000/문서 7.md"
    return {"rows": reader.count(), "vectors": reader.count("vector is not null"), "found": found}


if __name__ == "__main__":
    main()
