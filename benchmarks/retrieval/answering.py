"""Does search know when nothing answers? The same questions with their answer present and taken out, corpus by corpus.

Taken out is every document that holds the answer or a copy of it, from the two lists of 50 that search looks at; what
moves up from below takes its place. Questions about every other article were used in fitting (`fitted`); only the
others are counted here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import corpus
import korquad
import numpy as np
import numpy.typing as npt
import office
from figures import Figure
from measures import Estimate, auc, calibration_error
from rankings import NOW
from vectors import CachedEncoder

from pipelines.matching import Match
from pipelines.score import ANSWERABLE, E5_SMALL, Calibration
from pipelines.search import POOL, Query, Ranking, Wanted, merge_pool, rank, score_pair
from resources.reader import IndexReader

Row = dict[str, Any]
Numbers = npt.NDArray[np.float64]
# Corpora of 150 paragraphs that are drawn, so that there are enough questions about them.
SMALL, DRAWS = 150, 8
SMALL_NAME, WHOLE, FINE = "KorQuAD, 150 paragraphs drawn", "KorQuAD, all paragraphs", "KorQuAD, the same cut finer"
# Passages that may hold one answer: copies, and an office document that answers in any of its passages.
MOST_ANSWERS = 60
CROWD = 50_000
# How far down a question's wrong passages the tail is taken from.
TAIL = 20
# Of 964 paragraphs, those that are there first: the others cut fine are more than 2,000 passages.
OLD, CANARIES = 300, 100
RESAMPLED = 400
AREA, FALL, WRONG = 0.95, 0.012, 0.10


@dataclass(frozen=True, slots=True)
class Posed:
    """One question and what search looks at, with its answer and without."""

    query: Query
    present: list[Row]
    removed: list[Row]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Questions posed to one corpus of `chunks` passages."""

    name: str
    chunks: int
    posed: list[Posed]


def measure(encoder: CachedEncoder, scratch: Path, every: int) -> tuple[list[Figure], list[str]]:
    """Measure answerability at every size, what 50,000 passages would make of it, and drift."""
    made = korquad_corpora(encoder, scratch, every) + office_corpora(encoder)
    by_name = {one.name: one for one in made}
    # The first simulation is of a size that was measured too: it tells how far the second can be believed.
    simulated = [crowded(by_name[SMALL_NAME], by_name[WHOLE].chunks), crowded(by_name[WHOLE], CROWD)]
    found = [figure for one in [*made, *simulated] for figure in judged(one)]
    found += falls([by_name[SMALL_NAME], by_name[WHOLE], by_name[FINE]])
    return [*found, *drift(encoder, scratch)], ["answerable against answer taken out, questions not used in fitting"]


def korquad_corpora(encoder: CachedEncoder, scratch: Path, every: int) -> list[Corpus]:
    """Return the questions that fitting never saw, posed to corpora of growing size."""
    texts = korquad.paragraphs() or []
    asked = [one for one in korquad.questions(texts)[::every] if not fitted(one, texts)]
    encoder.queries([one.text for one in asked])
    documents = [corpus.Document(str(n), one.title, one.text) for n, one in enumerate(texts)]
    whole, fine = corpus.rows_of(documents, encoder), corpus.rows_of(documents, encoder, corpus.FINE_TOKENS)
    small = [drawn(whole, asked, encoder, scratch / f"small-{draw}", draw) for draw in range(DRAWS)]
    chunks = round(float(np.mean([one.chunks for one in small])))
    return [
        Corpus(SMALL_NAME, chunks, [posed for one in small for posed in one.posed]),
        posed_to(WHOLE, whole, asked, encoder, scratch / "whole"),
        posed_to(FINE, fine, asked, encoder, scratch / "fine"),
    ]


def office_corpora(encoder: CachedEncoder) -> list[Corpus]:
    """Return the questions of each office half, posed to the index of both."""
    reader = office.team().reader()
    made = []
    for half in office.HALVES:
        asked = [one for one in office.questions(half) if one.documents]
        vectors = encoder.queries([one.text for one in asked])
        posed = [
            pose(_query(one.text, vector), lambda row, golds=one.documents: office.place(row) in golds, reader)
            for one, vector in zip(asked, vectors, strict=True)
        ]
        made.append(Corpus(f"office, {half} half", reader.count(), posed))
    return made


def drawn(
    rows: Sequence[Row], asked: Sequence[korquad.Asked], encoder: CachedEncoder, folder: Path, seed: int
) -> Corpus:
    """Return the questions about SMALL paragraphs, posed to an index of these alone."""
    kept = set(random.Random(seed).sample(sorted({int(row["path"]) for row in rows}), SMALL))
    about = [one for one in asked if one.golds & kept]
    return posed_to("", [row for row in rows if int(row["path"]) in kept], about, encoder, folder)


def posed_to(
    name: str, rows: Sequence[Row], asked: Sequence[korquad.Asked], encoder: CachedEncoder, folder: Path
) -> Corpus:
    """Write the rows as an index and pose the questions to it."""
    reader = corpus.write_index(folder, rows, encoder)
    vectors = encoder.queries([one.text for one in asked])
    posed = [
        pose(_query(one.text, vector), lambda row, golds=one.golds: int(row["path"]) in golds, reader)
        for one, vector in zip(asked, vectors, strict=True)
    ]
    return Corpus(name, reader.count(), posed)


def _query(text: str, vector: npt.NDArray[np.float32]) -> Query:
    return Query.of(text, vector)


def fitted(asked: korquad.Asked, texts: Sequence[korquad.Paragraph]) -> bool:
    """Tell whether the calibration was fitted on the questions of this article: every other one."""
    titles = list(dict.fromkeys(text.title for text in texts))
    return titles.index(texts[min(asked.golds)].title) % 2 == 0


def pose(query: Query, answers: Callable[[Row], bool], reader: IndexReader) -> Posed:
    """Return both pools of one question."""
    near, hits = reader.draw(query.vector, query.words, POOL + MOST_ANSWERS)
    without = [[row for row in rows if not answers(row)][:POOL] for rows in (near, hits)]
    return Posed(query, merge_pool(query, near[:POOL], hits[:POOL]), merge_pool(query, *without))


def answered(query: Query, pool: Sequence[Row], chunks: int, calibration: Calibration = E5_SMALL) -> Ranking:
    """Return the ranking of one pool."""
    return rank([(query, pool)], calibration, chunks, NOW, Wanted(top_k=5, weak_too=True))


def said(one: Corpus) -> tuple[Numbers, Numbers]:
    """Return how likely search says that each question is answered, with its answer and without."""
    present = np.array([answered(p.query, p.present, one.chunks).answerable_probability for p in one.posed])
    removed = np.array([answered(p.query, p.removed, one.chunks).answerable_probability for p in one.posed])
    return present, removed


def judged(one: Corpus) -> list[Figure]:
    """Return the figures of one corpus, with their bars."""
    present, removed = said(one)
    true = np.repeat([True, False], len(one.posed))
    name, bar = f"{one.name}, {one.chunks:,}", (f">= {AREA}", auc(present, removed) >= AREA)
    area = _interval(present, removed, auc)
    error = _interval(present, removed, lambda a, b: calibration_error(np.concatenate([a, b]), true))
    wrong = _interval(present, removed, lambda a, b: float((b >= ANSWERABLE).mean()))
    right = _interval(present, removed, lambda a, b: float((a >= ANSWERABLE).mean()))
    return [
        Figure(f"{name}: AUC", str(area), *(bar if one.name == WHOLE else ())),
        Figure(f"{name}: ECE", str(error)),
        Figure(f"{name}: removed, called answerable", str(wrong), f"<= {WRONG}", wrong.value <= WRONG),
        Figure(f"{name}: present, called answerable", str(right), note=f"{len(one.posed)} questions"),
    ]


def _interval(present: Numbers, removed: Numbers, measured: Callable[[Numbers, Numbers], float]) -> Estimate:
    """Return a measure with the interval of resampled questions."""
    dice = np.random.default_rng(5)
    picks = (dice.integers(0, len(present), len(present)) for _ in range(RESAMPLED))
    values = [measured(present[pick], removed[pick]) for pick in picks]
    low, high = np.quantile(values, [0.025, 0.975])
    return Estimate(measured(present, removed), float(low), float(high))


def falls(growing: Sequence[Corpus]) -> list[Figure]:
    """Return by how much the AUC falls a doubling, from each corpus to the next."""
    areas = [auc(*said(one)) for one in growing]
    found = []
    for (one, area), (other, less) in pairwise(zip(growing, areas, strict=True)):
        fall = (area - less) / math.log2(other.chunks / one.chunks)
        name = f"AUC lost a doubling, {one.chunks:,} to {other.chunks:,} passages"
        found.append(Figure(name, f"{fall:.4f}", f"<= {FALL}", fall <= FALL))
    return found


def crowded(one: Corpus, chunks: int) -> Corpus:
    """Return the questions as a corpus of `chunks` passages would answer them: a simulation.

    A question's passages of other articles than its answer's are a sample of what more articles would bring. Above the
    TAILth best of them their logits are taken to fall off exponentially; as many more as the corpus grows by are drawn
    from that tail (Poisson), and each stands in as the passage next below it, its cosine raised to the logit drawn.
    """
    dice = np.random.default_rng(50)
    posed = []
    for p in one.posed:
        crowd = _crowd(p, chunks / one.chunks - 1, dice)
        posed.append(Posed(p.query, p.present + crowd, p.removed + crowd))
    return Corpus(f"simulated from {one.chunks:,}", chunks, posed)


def _crowd(posed: Posed, growth: float, dice: np.random.Generator) -> list[Row]:
    matched = posed.query.matcher()
    left = {row["chunk_id"] for row in posed.removed}
    own = {row["title"] for row in posed.present if row["chunk_id"] not in left}
    others = [row for row in posed.removed if row["title"] not in own]
    if len(others) <= TAIL:  # all that is near is of the answer's own article
        others = posed.removed
    known = sorted(((_logit(matched(row), row), n) for n, row in enumerate(others)), reverse=True)[: TAIL + 1]
    logits = np.array([logit for logit, _ in known])
    scale = float((logits[:-1] - logits[-1]).mean())
    grown = logits[-1] + dice.exponential(scale, dice.poisson(len(logits[:-1]) * growth))
    return [_stand_in(others, known, logit, number) for number, logit in enumerate(np.sort(grown)[::-1][:POOL])]


def _logit(match: Match, row: Row) -> float:
    return E5_SMALL.pair_logit(row["cosine"], match.coverage)


def _stand_in(rows: Sequence[Row], known: Sequence[tuple[float, int]], logit: float, number: int) -> Row:
    below, which = next((one for one in known if one[0] <= logit), known[-1])
    raised = (logit - below) / E5_SMALL.z_slope * (E5_SMALL.cosine_relevant - E5_SMALL.cosine_random)
    name = f"crowd {number}"
    row = rows[which]
    return {**row, "chunk_id": name, "chunk_hash": name, "body_hash": name, "cosine": row["cosine"] + raised}


def drift(encoder: CachedEncoder, scratch: Path) -> list[Figure]:
    """Let 2,000 and more passages arrive beside 300 paragraphs, and compare what 100 questions about these score."""
    texts = korquad.paragraphs() or []
    documents = [corpus.Document(str(n), one.title, one.text) for n, one in enumerate(texts)]
    before = corpus.rows_of(documents[:OLD], encoder)
    arrived = corpus.rows_of(documents[OLD:], encoder, corpus.FINE_TOKENS)
    asked = [one for one in korquad.questions(texts) if max(one.golds) < OLD]
    asked = asked[:: len(asked) // CANARIES][:CANARIES]
    readers = [
        corpus.write_index(scratch / f"drift-{n}", rows, encoder) for n, rows in enumerate((before, before + arrived))
    ]
    pairs, tops = [], []
    for one, vector in zip(asked, encoder.queries([one.text for one in asked]), strict=True):
        query = _query(one.text, vector)
        posed = [pose(query, lambda row: False, reader) for reader in readers]
        first = answered(query, posed[0].present, readers[0].count())
        then = answered(query, posed[1].present, readers[1].count())
        pinned = first.results[0].row["chunk_id"]
        rows = [reader.rows([pinned])[0] for reader in readers]
        pairs.append(abs(score_pair(query, rows[0], E5_SMALL) - score_pair(query, rows[1], E5_SMALL)))
        tops.append(abs(first.top_score - then.top_score))
    return [
        Figure(
            f"drift of {len(pairs)} pair scores, {len(arrived):,} arrivals", f"{max(pairs):.6f}", "0", not max(pairs)
        ),
        Figure("  of the top score: median, p95", f"{np.median(tops):.4f} {np.quantile(tops, 0.95):.4f}"),
    ]
