"""Search over many passages: bar 4 of search; exit code 1 below a bar.

    python benchmarks/retrieval/scale.py [--chunks 100000] [--folder FOLDER]

Rows of the project's own table, written, indexed and published by its own index (scale_index.py); texts whose morphemes
are known, as Kiwi would need an hour for half a million (scale_texts.py); vectors of KorQuAD's passages and neighbours
of them (scale_vectors.py). The whole search is all but the question's embedding: its words, both sides, the pool, the
ranking and the snippets, rows read anew each time. The bare query is LanceDB's own full text, as one writes it: the
question's words by Kiwi, and the whole rows of as many passages as our pool has of one side (beside it, what their text
and score alone would cost). All are asked in turn, question by question.

speed     p95 of the whole <= 4x that of the bare query
recall    of the 50 nearest by exact comparison >= .98, over all rows and within one source
sources   every passage within --source is of it, and p95 <= 4x the bare query
literal   "a quoted phrase" is found and nothing else, p95 <= 1.5 s at 100,000 passages and in proportion
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import lancedb
import numpy as np
import numpy.typing as npt

PROJECT = Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT), str(PROJECT / "benchmarks" / "dedup")]

from figures import Figure  # noqa: E402
from scale_index import FEWEST, MOST, NOW, Built, build  # noqa: E402
from scale_texts import Writer, agreement  # noqa: E402
from scale_vectors import bases  # noqa: E402

from pipelines.locate import snippet  # noqa: E402
from pipelines.search import POOL, Wanted  # noqa: E402
from pipelines.tokens import query_terms  # noqa: E402
from resources.reader import IndexReader  # noqa: E402
from resources.searcher import Searcher  # noqa: E402

SEED = 20261130
QUESTIONS, LITERALS, WARM = 300, 12, 20
# Of the bundled encoder, so that its calibration speaks.
ENCODER = "multilingual-e5-small@bench/fp32/512"
BARE = f"bare full text, {POOL} passages"
TIMES_BAR, RECALL_BAR, LITERAL_BAR = 4.0, 0.98, 1.5
Times = npt.NDArray[np.float64]


class KnownVectors:
    """An encoder that costs nothing: the vector of a question is looked up."""

    def __init__(self, encoder_id: str, vectors: dict[str, npt.NDArray[np.float32]]) -> None:
        self.encoder_id = encoder_id
        self._vectors = vectors

    def pieces(self, words: Sequence[str]) -> int:
        return len(words)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        return self._vectors.get(text, next(iter(self._vectors.values())))


class Desk:
    """Asks one built index, each time with nothing kept of the questions before but what the system keeps."""

    def __init__(self, built: Built, vectors: npt.NDArray[np.float32]) -> None:
        self.built = built
        self.vectors = dict(zip(built.questions, vectors, strict=False))
        self.questions = list(self.vectors)
        self.reader = IndexReader(built.folder)
        self.searcher = Searcher(self.reader, KnownVectors(self.reader.record.encoder, self.vectors))
        self._table = lancedb.connect(str(built.folder)).open_table(self.reader.record.table)

    def whole(self, text: str, sources: Sequence[str] = (), mode: str = "hybrid") -> list[str]:
        """Search as `saero search` does, snippets included; returns the sources of the results."""
        self.reader.__dict__.pop("_known", None)
        wanted = Wanted(weak_too=True, mode=mode)  # type: ignore[arg-type]
        ranking = self.searcher.search([text], now=NOW, wanted=wanted, sources=sources)
        terms = [(term.removeprefix("="), weight) for term, weight in query_terms(text)]
        for result in ranking.results:
            lines = str(result.row["text"]).split("\n")
            snippet(str(result.row["text"]), lines, [1, len(lines)], terms)
        return [str(result.row["source"]) for result in ranking.results]

    def bare(self, text: str, columns: list[str] | None = None) -> int:
        """Ask LanceDB's full text alone, for whole rows as it answers by itself, or some columns."""
        words = " ".join(term for term, _ in query_terms(text))
        search = self._table.search(words, query_type="fts", fts_columns="tokens").limit(POOL)
        return int((search if columns is None else search.select(columns)).to_arrow().num_rows)


def in_turn(questions: Sequence[str], asked: dict[str, Callable[[str], object]]) -> dict[str, tuple[Times, Times]]:
    """Return (wall, CPU) milliseconds of every way to ask, each question asked in every way before the next."""
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in asked}
    for number, text in enumerate([*questions[:WARM], *questions]):
        for name, ask in asked.items():
            began, cpu = time.perf_counter(), time.process_time()
            ask(text)
            if number >= WARM:
                spent[name].append((time.perf_counter() - began, time.process_time() - cpu))
    return {name: (np.array(rows)[:, 0] * 1e3, np.array(rows)[:, 1] * 1e3) for name, rows in spent.items()}


def speed(desk: Desk) -> list[Figure]:
    """Return the table of times, held to the bare query's p95."""
    spent = in_turn(
        desk.questions,
        {
            BARE: desk.bare,
            "bare, text and score alone": lambda text: desk.bare(text, ["chunk_id", "text", "_score"]),
            "whole search": desk.whole,
            "whole search, text mode": lambda text: desk.whole(text, mode="text"),
            f"whole search in {MOST}": lambda text: desk.whole(text, [MOST]),
            f"whole search in {FEWEST}": lambda text: desk.whole(text, [FEWEST]),
        },
    )
    most = TIMES_BAR * _p95(spent[BARE][0])
    return [
        Figure(
            f"4 {name}, p50 / p95 ms",
            f"{np.percentile(wall, 50):.1f} / {_p95(wall):.1f}",
            f"<= {most:.1f}" if name.startswith("whole") else "",
            _p95(wall) <= most,
            f"CPU {cpu.mean():.1f} ms a question",
        )
        for name, (wall, cpu) in spent.items()
    ]


def recall(desk: Desk) -> list[Figure]:
    """Return the share of the exact 50 nearest that the index finds, also within a large and a small source."""
    numbers = {chunk_id: number for number, chunk_id in enumerate(desk.built.ids)}
    sources = np.array(desk.built.sources)
    found = []
    for name in ("", MOST, FEWEST):
        rows = np.flatnonzero(sources == name) if name else np.arange(len(sources))
        where = f"source in ('{name}')" if name else None
        shares = [
            len(exact & {numbers[row["chunk_id"]] for row in desk.reader.vector(vector, POOL, where)}) / len(exact)
            for vector, exact in zip(desk.vectors.values(), _exact(desk, rows), strict=True)
        ]
        say = f"4 recall of the {POOL} nearest" + (f" in {name} ({len(rows):,} rows)" if name else "")
        mean = float(np.mean(shares))
        found.append(Figure(say, f"{mean:.4f}", f">= {RECALL_BAR}", mean >= RECALL_BAR, f"worst {min(shares):.2f}"))
    return found


def _exact(desk: Desk, rows: npt.NDArray[np.int64]) -> list[set[int]]:
    asked = np.stack(list(desk.vectors.values()))
    near = np.concatenate(
        [asked @ desk.built.vectors[part].T for part in np.array_split(rows, 1 + len(rows) // 50_000)], 1
    )
    return [set(rows[np.argsort(-line)[:POOL]].tolist()) for line in near]


def sources_right(desk: Desk) -> list[Figure]:
    """Return whether filters hold and leave enough."""
    found = []
    for name in (MOST, FEWEST):
        lists = [desk.whole(text, [name]) for text in desk.questions[:50]]
        wrong = sum(source != name for one in lists for source in one)
        short = sum(len(one) < 5 for one in lists)
        say = f"{wrong} foreign, {short} short of 5"
        found.append(Figure(f"4 results of 50 questions in {name}", say, "0 and 0", not wrong and not short))
    return found


def literal(desk: Desk, chunks: int) -> list[Figure]:
    """Return what quoted phrases cost: three words of a passage, as they stand there."""
    held = desk.reader.get(f"chunk_id in ('{desk.built.ids[7]}', '{desk.built.ids[-7]}')", columns=["text"])
    phrases = [" ".join(row["text"].split()[start : start + 3]) for row in held for start in range(0, LITERALS * 2, 4)][
        :LITERALS
    ]
    asked = [f'"{phrase}"' for phrase in phrases]
    wall, cpu = in_turn(asked, {"literal": desk.whole})["literal"]
    wrong = 0
    for text, phrase in zip(asked, phrases, strict=True):
        ranking = desk.searcher.search([text], now=NOW, wanted=Wanted(weak_too=True, mode="text"))
        wrong += not ranking.results or any(phrase not in result.row["text"] for result in ranking.results)
    most = LITERAL_BAR * 1e3 * max(chunks / 100_000, 1)
    shown = f"{np.percentile(wall, 50):.0f} / {_p95(wall):.0f}"
    say = '4 "quoted phrase", p50 / p95 ms'
    return [
        Figure(say, shown, f"<= {most:.0f}", _p95(wall) <= most, f"CPU {cpu.mean():.0f} ms"),
        Figure("4 quoted phrases not found, or found with others", f"{wrong}/{len(asked)}", "0", not wrong),
    ]


def sizes(built: Built, chunks: int) -> list[Figure]:
    """Return bytes a passage and seconds."""
    parts = built.bytes_by_part
    split = ", ".join(f"{part} {size / chunks:,.0f}" for part, size in parts.items())
    return [
        Figure("4 index, bytes a passage", f"{sum(parts.values()) / chunks:,.0f}", note=split),
        Figure(
            "4 writing and indexing, s",
            f"{built.written_seconds:.0f} + {built.indexed_seconds:.0f}",
            note=f"{chunks / (built.written_seconds + built.indexed_seconds):,.0f} passages a second",
        ),
    ]


def _p95(times: Times) -> float:
    return float(np.percentile(times, 95))


def measure(chunks: int, folder: Path) -> list[Figure]:
    """Build an index of `chunks` rows under `folder` and measure it."""
    found = bases(SEED)
    built = build(
        folder, found, chunks, questions=QUESTIONS, seed=SEED, encoder_id="multilingual-e5-small@bench/fp32/512"
    )
    desk = Desk(built, found.questions)
    texts = Writer(SEED)
    same = agreement([texts.passage() for _ in range(200)])
    print(
        f"{chunks:,} passages; vectors of {found.origin}; {same:.1%} of Kiwi's tokens of 200 texts are the known ones"
    )
    return [*speed(desk), *recall(desk), *sources_right(desk), *literal(desk, chunks), *sizes(built, chunks)]


def main() -> None:
    """Print the figures; exit code 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--chunks", type=int, default=100_000)
    options.add_argument("--folder", type=Path, help="build the index there and keep it")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="saero-scale-") as scratch:
        found = measure(chosen.chunks, chosen.folder or Path(scratch))
    print(*(figure.line() for figure in found), sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()
