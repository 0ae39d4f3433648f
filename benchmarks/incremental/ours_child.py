"""Our stage functions in one warm process, without Dagster: `python ours_child.py FOLDER COUNT [PARAGRAPHS LAP ...]`.

The encoder is that of corpus.py; a word is a token, a passage holds one paragraph. Everything else is as in a night:
real workers read the files, Kiwi finds the morphemes, full text is indexed, checks and canaries run.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT)]

from corpus import DIMENSION, LAPS, WIPED, Laps, begin, change, deleted  # noqa: E402

from assets.stages.chunk import cut_bodies  # noqa: E402
from assets.stages.dedup import settle  # noqa: E402
from assets.stages.embed import embed_missing  # noqa: E402
from assets.stages.gap import analyse  # noqa: E402
from assets.stages.index import publish  # noqa: E402
from assets.stages.parse import parse_sources  # noqa: E402
from assets.stages.quality import judge  # noqa: E402
from pipelines.tokens import tokens  # noqa: E402
from resources.build import Run, Saero, build, open_run  # noqa: E402

SOURCE = "문서"


class CountingEncoder:
    """Vectors of corpus.py; a word is a token."""

    encoder_id, tokenizer_id, dimension, max_tokens = "bench@1", "words", DIMENSION, 72

    def __init__(self, laps: Laps) -> None:
        self._laps = laps

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed_passages(
        self, texts: Sequence[str], on_batch: Callable[[int, int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        if on_batch is not None:
            on_batch(len(texts), len(texts))
        return self._laps.vectors(texts)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        return self._laps.vectors([text])[0]


def handles(home: Path, laps: Laps) -> Saero:
    """Return the handles of a run, with the encoder that counts."""
    saero = build(str(home / "saero.toml"))
    saero.encoder = saero.query_encoder = CountingEncoder(laps)  # type: ignore[assignment]
    return saero


def warm() -> None:
    """Import what a run needs when it needs it, and load Kiwi."""
    for name in ("great_expectations", "lance", "lancedb", "lancedb.index", "resources.index", "resources.quality"):
        importlib.import_module(name)
    tokens("결제 승인")


def night(home: Path, laps: Laps) -> Run:
    """Play every stage of one run."""
    saero = handles(home, laps)
    with open_run(saero, f"bench-{uuid.uuid4()}", trigger="bench", wait=timedelta(0)) as run:
        parse_sources(run, [SOURCE])
        settle(run)
        cut_bodies(run)
        embed_missing(run)
        judge(run)
        publish(run)
        analyse(run)
    return run


def main() -> None:
    home, count = Path(sys.argv[1]), int(sys.argv[2])
    documents, laps = home / "docs", Laps()
    paragraphs, chosen = int(sys.argv[3]) if sys.argv[3:] else 3, sys.argv[4:] or LAPS
    if not documents.exists():
        begin(documents, count, paragraphs)
    text = f'state = "state"\n[sources."{SOURCE}"]\npath = "docs"\n[schedule]\npublish_every = "PT10H"\n'
    (home / "saero.toml").write_text(text, encoding="utf-8")
    warm()

    def look() -> dict[str, int]:
        reader = handles(home, laps).reader()
        gone = {path.relative_to(documents).as_posix() for path in deleted(documents, count)}
        names = ", ".join(f"'{path}'" for path in gone)
        left = {row["path"] for row in reader.get(f"path in ({names})")}
        return {"rows": reader.count(), "deleted_left": len(left)}

    for lap in chosen:
        concerns = change(lap, documents, count)
        if lap == WIPED:
            shutil.rmtree(home / "state" / "index")
        laps.lap(lap, lambda: night(home, laps), look, concerns=concerns)


if __name__ == "__main__":
    main()
