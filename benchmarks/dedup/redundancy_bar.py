"""Fits the bundled encoder's duplicate bar: `python benchmarks/dedup/redundancy_bar.py`.

True duplicates are KorQuAD's paragraphs edited, cut elsewhere, followed by the next one, or under a heading; false ones
are its distinct paragraphs, each beside all others, and different texts on a common form. For each bar: how many of
either reach it by cosine (false ones also with half of their 5-grams there), and by a share of the 5-grams alone. Needs
KorQuAD (korquad.py says where).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from korquad import KINDS, distinct, encoded, forms, paragraphs, plants  # noqa: E402

from pipelines.covers import CONTAINED  # noqa: E402
from pipelines.grams import Hashes, folded, grams  # noqa: E402
from pipelines.near import shared  # noqa: E402

EACH = 400
COSINES = (0.92, 0.93, 0.94, 0.945, 0.95, 0.955, 0.96, 0.965, 0.97)
FORMS, FORM_PAIRS = (0.45, 0.6, 0.7), 80
SHARES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
Numbers = npt.NDArray[np.float64]


def main() -> int:
    """Print both tables; 1 without KorQuAD."""
    texts = paragraphs()
    if texts is None:
        print("KorQuAD isn't there: nothing to fit on")
        return 1
    vectors = encoded([text for _, text in texts], "paragraphs")
    held = [grams(folded(text)) for _, text in texts]
    planted = plants(texts, EACH)
    cosines = (encoded([plant.text for plant in planted], "plants") * vectors[[one.of for one in planted]]).sum(axis=1)
    within = np.array([_contained(held[one.of], grams(folded(one.text))) for one in planted])
    kinds = np.array([one.kind for one in planted])
    kept = distinct(texts)
    best, both, shares = _distinct_ones(vectors[kept], [held[n] for n in kept])
    blank = [_forms(forms(texts, FORM_PAIRS, share), share) for share in FORMS]
    columns = [*KINDS, "distinct", "and words", *(f"form {share:.0%}" for share in FORMS)]
    print(
        f"{len(planted)} true duplicates, {len(kept)} distinct paragraphs, {FORM_PAIRS} pairs a form; % reach the bar"
    )
    print(f"{'':>14}" + "".join(f"{name:>11}" for name in columns))
    for bar in COSINES:
        found = [cosines[kinds == kind] >= bar for kind in KINDS]
        formed = [(near >= bar) & (share >= CONTAINED) for near, share in blank]
        print(_line(f"cosine {bar}", [*found, best >= bar, both >= bar, *formed]))
    for bar in SHARES:
        found = [within[kinds == kind] >= bar for kind in KINDS]
        print(_line(f"5-grams {bar}", [*found, shares >= bar, shares >= bar, *(share >= bar for _, share in blank)]))
    return 0


def _forms(pairs: list[tuple[str, str]], share: float) -> tuple[Numbers, Numbers]:
    """Return the cosine of each pair, and the share of the first one's 5-grams in the second."""
    vectors = encoded([text for pair in pairs for text in pair], f"forms of {share:.0%}")
    contained = [_contained(grams(folded(one)), grams(folded(other))) for one, other in pairs]
    return (vectors[::2] * vectors[1::2]).sum(axis=1).astype(np.float64), np.array(contained)


def _contained(a: Hashes, b: Hashes) -> float:
    return shared(a, b) / len(a)


def _distinct_ones(vectors: npt.NDArray[np.float32], held: list[Hashes]) -> tuple[Numbers, Numbers, Numbers]:
    """Return each paragraph's best cosine, its best with half of its 5-grams there, and the best share of these."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1.0)
    share = np.array([[_contained(a, b) for b in held] for a in held])
    np.fill_diagonal(share, 0.0)
    return cosines.max(axis=1), np.where(share >= CONTAINED, cosines, -1.0).max(axis=1), share.max(axis=1)


def _line(name: str, reached: list[npt.NDArray[np.bool_]]) -> str:
    return f"{name:>14}" + "".join(f"{100 * float(one.mean()):11.2f}" for one in reached)


if __name__ == "__main__":
    sys.exit(main())
