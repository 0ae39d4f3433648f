"""Absolute relevance: a number in [0, 1] for one query and one passage that doesn't move when documents arrive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Tier = Literal["trusted", "conditional", "weak"]

TRUSTED, CONDITIONAL = 0.6, 0.3
# The exact string in the passage is an answer whatever cosine and coverage say.
EXACT = 0.97
# What a passage with none of the question's codes loses (logits): it is about another one, however well the words fit.
# On 14 questions of our own, each with three passages that have all but the code: none of these is trusted any more
# (41 of 42 were), 5 are conditional, the right one is first 14 times (6 before).
_OTHER_CODE = 5.0
# From this probability search says that the corpus answers: the least at which, of the questions used in fitting whose
# answer was taken out, the 95 % interval of those still called answerable stays within .10 in every corpus: KorQuAD at
# each size (from .64 on) and the first half of our office set (.067 [.033, .100]; .076 [.048, .114] at .64), at the
# price of some that could be answered.
ANSWERABLE = 0.69
# What ln(chunks) takes back besides, in logits, above the largest corpus that was fitted: by the same rule, from the
# simulation of benchmarks/retrieval/answering.py over the questions used in fitting (1,107): .12 at 10,000 passages,
# .18 at 25,000, .20 at 50,000 and .25 at 100,000 would do.
_BEYOND = -0.25


@dataclass(frozen=True, slots=True)
class Foreign:
    """Constants for a passage in another script than the question, where only names and numbers can be shared."""

    bias: float
    z_slope: float
    coverage_slope: float
    answer: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Constants of the pair score and of answerability.

    The pair score is sigmoid(bias + z_slope * z + coverage_slope * coverage), z = (cosine - cosine_random) /
    (cosine_relevant - cosine_random), coverage that of pipelines.matching. `answer` weighs 1, the best pair's logit,
    its lead over the best passage of another body (logits), and ln(chunks). `sizes` are the smallest and largest
    corpus, in chunks, that it was fitted on. Without `foreign` the words are compared whatever the script. Scores of
    different ids are never compared. From `cosine_duplicate` on two passages may say the same, None where nobody
    measured it; no score depends on it, so it may change under an id.
    """

    id: str
    bias: float
    coverage_slope: float
    z_slope: float = 0.0
    cosine_random: float = 0.0
    cosine_relevant: float = 1.0
    answer: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 0.0)
    sizes: tuple[int, int] = (0, 0)
    foreign: Foreign | None = None
    cosine_duplicate: float | None = None

    def z(self, cosine: float) -> float:
        """Return 0 for a random pair and 1 for a relevant one, typically; not bounded."""
        return (cosine - self.cosine_random) / (self.cosine_relevant - self.cosine_random)

    def pair_score(
        self,
        cosine: float | None,
        coverage: float,
        exact: bool = False,
        *,
        foreign: bool = False,
        codes: float | None = None,
    ) -> float:
        """Score one pair; without a cosine the text calibration speaks.

        `foreign`: the passage is in another script than the question. `codes`: share of the question's codes ("PM-32")
        that stand in the passage, None when it has none; an encoder can't read those, so where all stand the words
        alone may speak.
        """
        score = _sigmoid(self.pair_logit(cosine, coverage, foreign=foreign, codes=codes))
        return max(score, EXACT) if exact else score

    def pair_logit(
        self, cosine: float | None, coverage: float, *, foreign: bool = False, codes: float | None = None
    ) -> float:
        """Return the logit of the pair score, for ranking: it tells apart what is all but certain."""
        words = self if not self.z_slope else TEXT
        logit = words.bias + words.coverage_slope * coverage
        if cosine is not None and self.z_slope:
            used = self.foreign if foreign and self.foreign else self
            near = used.bias + used.z_slope * self.z(cosine) + used.coverage_slope * coverage
            logit = max(near, logit) if codes == 1 else near
        return logit - _OTHER_CODE if codes == 0 else logit

    def answerable(self, best: float, runner_up: float, chunks: int, *, foreign: bool = False) -> float:
        """Return how likely the corpus answers: from the best pair score, that of another body, and the size.

        A maximum over more passages is higher by chance, which ln(chunks) takes back, and more of it above the sizes
        that were fitted; two bodies that score alike are more often both wrong.
        """
        constant, top, lead, size = (self.foreign if foreign and self.foreign else self).answer
        logit = _logit(best)
        beyond = math.log(max(chunks, 1) / self.sizes[1]) if 0 < self.sizes[1] < chunks else 0.0
        judged = constant + top * logit + lead * (logit - _logit(runner_up)) + size * math.log(max(chunks, 1))
        return _sigmoid(judged + _BEYOND * beyond)


# Fitted on the questions about every other article of KorQuAD dev (about 2,900 at 964 paragraphs, a third of them at
# other sizes) and on the first half of our office set (210), the answer present or taken out. The pair score at 964
# paragraphs and the office's 471 passages: the right passage shall outweigh all others, and nothing shall weigh when it
# is gone, at a prior of 3:1 (what is asked is expected to have an answer). Answerability at 60, 150, 400 and 964
# paragraphs, at 3,080 passages of the same cut finer, and at the office's 471. On the other articles rank-1 recall
# .957, answerability AUC .988 .980 .969 .952 .947 (benchmarks/results/retrieval.txt). Leads over the third, sixth and
# eleventh body, how far the best cosine stands out, ranks on either side and shares of BM25 were tried beside: AUC .001
# better together.
# Foreign: 106 English questions of our own for KorQuAD passages, answer present or taken out, 60 to 964 passages. There
# both say how often the best passage is the right one, as names spelled in another script hardly meet (one half fitted;
# on the other the score has AUC .735 and calibration error .058; ranked whole, its answerability has calibration errors
# of .16 to .30).
E5_SMALL = Calibration(
    id="e5-small-3",
    bias=-9.471,
    coverage_slope=11.264,
    z_slope=3.858,
    cosine_random=0.7696,
    cosine_relevant=0.8802,
    answer=(0.004, 0.546, 0.362, -0.11),
    sizes=(60, 3080),
    foreign=Foreign(bias=-1.74, z_slope=4.91, coverage_slope=1.05, answer=(0.676, 0.568, 1.371, -0.335)),
    # docs/decisions/008: it holds for every one of 400 paragraphs edited by .2 to 3 % and of 400 under another heading,
    # for 84 % of those cut elsewhere by 5 to 45 %; of 951 distinct ones 1.05 % reach it, none with half of its 5-grams.
    cosine_duplicate=0.95,
)
# Words alone, for text mode and for passages without a vector: the same questions; rank-1 recall .947, answerability
# AUC .987 .979 .968 .948 .942.
TEXT = Calibration(
    id="text-3",
    bias=-7.52,
    coverage_slope=13.719,
    answer=(0.04, 0.594, 0.378, -0.084),
    sizes=(60, 3080),
)


def calibration_for(encoder_id: str) -> Calibration:
    """Return the calibration of an encoder: the bundled model's, else words alone (its cosines mean nothing yet)."""
    return E5_SMALL if encoder_id.startswith("multilingual-e5-small@") else TEXT


def coverage(terms: Sequence[tuple[str, float]], tokens: str) -> float:
    """Return the share of the query's term weight that stands in the passage's tokens; 0 for a query without terms."""
    padded = f" {tokens} "  # whole tokens are found faster in the text than in a set made of it
    total = sum(weight for _, weight in terms)
    return sum(weight for term, weight in terms if f" {term} " in padded) / total if total else 0.0


def tier_of(score: float) -> Tier:
    """Return what a reader may make of a score."""
    if score >= TRUSTED:
        return "trusted"
    return "conditional" if score >= CONDITIONAL else "weak"


def _sigmoid(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1.0 + math.exp(logit))


def _logit(score: float) -> float:
    # 1e-6 keeps a score of 0 or 1 finite; no fitted score comes near.
    bounded = min(max(score, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1.0 - bounded))
