"""Vectors for many passages: KorQuAD's paragraphs and their neighbours, with KorQuAD's questions to ask.

A neighbour is a paragraph mixed with noise of the paragraphs' own covariance, so that all of them together have the
mean, the spread and the crowded directions that the encoder's vectors have. Without KorQuAD both are random clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from corpus import Document, rows_of
from korquad import paragraphs, questions
from vectors import CachedEncoder

Vectors = npt.NDArray[np.float32]

QUESTIONS = 500
# How much of a row is its paragraph: at .95 a cosine of .98 to it, at .5 not nearer than another of its article.
_NEAR, _FAR = 0.95, 0.5
_CLUSTERS = 1_000


@dataclass(frozen=True, slots=True)
class Bases:
    """Unit vectors of passages and of questions, and where they are from."""

    passages: Vectors
    questions: Vectors
    origin: str


def bases(seed: int) -> Bases:
    """Return KorQuAD's, encoded once and kept, or random ones of the same size."""
    texts = paragraphs()
    if texts is None:
        return clusters(np.random.default_rng(seed))
    encoder = CachedEncoder()
    documents = [Document(str(n), one.title, one.text) for n, one in enumerate(texts)]
    held = np.stack([row["vector"] for row in rows_of(documents, encoder)])
    every = questions(texts)
    asked = encoder.queries([one.text for one in every[:: max(1, len(every) // QUESTIONS)][:QUESTIONS]])
    return Bases(held, asked, f"KorQuAD: {len(held)} passages and their neighbours, {len(asked)} of its questions")


def neighbours(found: Bases, count: int, rng: np.random.Generator) -> Vectors:
    """Return (count, dimension) unit rows, each a passage mixed with noise."""
    mean = found.passages.mean(axis=0)
    spread = found.passages - mean
    # Random sums of the passages' own differences have their covariance.
    noise = rng.standard_normal((count, len(spread)), np.float32) @ spread / np.sqrt(np.float32(len(spread)))
    share = rng.uniform(_FAR, _NEAR, (count, 1)).astype(np.float32)
    rows = mean + share * spread[rng.integers(0, len(spread), count)] + np.sqrt(1 - share**2) * noise
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def clusters(rng: np.random.Generator) -> Bases:
    """Return random clusters, of no real passage."""
    middle = rng.standard_normal((_CLUSTERS, 384)).astype(np.float32) + 2
    asked = middle[rng.integers(0, _CLUSTERS, QUESTIONS)] + rng.standard_normal((QUESTIONS, 384)).astype(np.float32)
    unit = [(rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32) for rows in (middle, asked)]
    return Bases(unit[0], unit[1], f"{_CLUSTERS} random clusters (KorQuAD isn't there)")
