"""Fit the constants of a calibration to questions whose right passage is known, asked with it and without it."""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt

from pipelines.piece import SENTENCE_END
from pipelines.score import Calibration

Numbers = npt.NDArray[np.float64]

# A question of our making is most of a sentence; a share of its words between these is said otherwise. On 132 questions
# to English papers (benchmarks/retrieval/calibrate.py) AUC .830 and calibration error .080, where labels would reach
# .836; said as it is meant .72 and .50, with up to half of the words replaced for the encoder too .71 and .32; words of
# the whole passage or half of a sentence come out alike (.82 to .83, .06 to .18).
_LEAST_WORDS, _MOST_WORDS = 6, 25
_MEANT = 0.7
_OTHERWISE = (0.3, 1.0)
# Questions that are asked can mostly be answered: 3 to 1, as for the shipped calibration.
_PRIOR = math.log(3)
# Against infinite weights where words separate all questions; a prior of standard deviation 3 on each weight.
_RIDGE = 1 / 9
_STEPS = 25
# What the best wrong passage counts with when there is none (search does the same).
_NOTHING = 0.01


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A question as it is meant, for the encoder, and as it is said, for the words: people use words of their own.

    Without a model that paraphrases, any other words stand for those that mean the same. Questions said as they are
    meant teach to trust words alone.
    """

    meant: str
    said: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a question and a passage have in common: cosine, and the share of its words (search.match_row)."""

    body: str
    cosine: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Posed:
    """A question asked of a corpus of so many chunks; `answered` when the right passage was in it."""

    question: int
    candidates: tuple[Candidate, ...]
    chunks: int
    answered: bool


@dataclass(frozen=True, slots=True)
class Held:
    """How a calibration does on questions whose slopes it wasn't fitted on: AUC and expected calibration error.

    Where its cosines lie comes from all questions.
    """

    questions: int
    auc: float
    ece: float


def question_of(passage: str, elsewhere: Sequence[str], dice: random.Random) -> Paraphrase | None:
    """Make a question of one sentence: some of its words as they are meant, and some of these said otherwise.

    Returns None for a passage without a sentence that is long enough.
    """
    sentences = [_words(part) for line in passage.split("\n") for part in SENTENCE_END.split(line)]
    long = [words for words in sentences if len(words) >= _LEAST_WORDS]
    if not long:
        return None
    words = dice.choice(long)[:_MOST_WORDS]
    meant = [words[n] for n in sorted(dice.sample(range(len(words)), round(_MEANT * len(words))))]
    said = list(meant)
    for n in dice.sample(range(len(said)), round(dice.uniform(*_OTHERWISE) * len(said))):
        said[n] = dice.choice(elsewhere)
    return Paraphrase(" ".join(meant), " ".join(said))


def words_of(passages: Sequence[str]) -> list[str]:
    """Return the words of passages, to draw from."""
    return [word for passage in passages for word in _words(passage)]


def fit(
    name: str, posed: Sequence[Posed], random_cosines: Sequence[float], own_cosines: Sequence[float]
) -> Calibration:
    """Return the calibration that tells answered questions from the others best; its id is made of its constants.

    `random_cosines` are those of questions and passages drawn at random, `own_cosines` of questions and their passage.
    Raises ValueError when the encoder tells right passages no better than chance.
    """
    start, end = float(np.median(random_cosines)), float(np.median(own_cosines))
    if end <= start:
        raise ValueError("questions are no nearer to their own passages than to others")
    draft = Calibration(
        id="", bias=0.0, coverage_slope=1.0, z_slope=1.0, cosine_random=round(start, 4), cosine_relevant=round(end, 4)
    )
    largest = max(one.chunks for one in posed)
    whole = [one for one in posed if one.chunks == largest]
    answered = np.array([one.answered for one in whole])
    for _ in range(3):  # which candidate is best depends on the weights
        best = [_best(draft, one.candidates) for one in whole]
        rows = np.array([(1.0, draft.z(c.cosine), c.coverage) if c else (1.0, 0.0, 0.0) for c in best])
        bias, z_slope, coverage_slope = (round(float(weight), 4) for weight in logistic(rows, answered))
        draft = replace(draft, bias=bias, z_slope=z_slope, coverage_slope=coverage_slope)
    draft = replace(draft, bias=round(draft.bias + _PRIOR, 4), sizes=(min(one.chunks for one in posed), largest))
    rows = np.array([_evidence(draft, one) for one in posed])
    weights = logistic(rows, np.array([one.answered for one in posed]))
    constant, top, lead, size = (round(float(weight), 4) for weight in weights)
    return named(replace(draft, answer=(constant, top, lead, size)), name)


def named(calibration: Calibration, encoder_id: str) -> Calibration:
    """Return the calibration with the id that its encoder and its constants decide."""
    constants = json.dumps([encoder_id, asdict(replace(calibration, id=""))], sort_keys=True)
    digest = hashlib.sha256(constants.encode("utf-8")).hexdigest()[:8]
    return replace(calibration, id=f"{encoder_id.partition('@')[0]}-{digest}")


def held_out(name: str, posed: Sequence[Posed], random_cosines: Sequence[float], own_cosines: Sequence[float]) -> Held:
    """Fit on either half of the questions and judge the other, at the largest size."""
    largest = max(one.chunks for one in posed)
    said: list[float] = []
    true: list[bool] = []
    for half in (0, 1):
        fitted = fit(name, [one for one in posed if one.question % 2 == half], random_cosines, own_cosines)
        for one in posed:
            if one.question % 2 != half and one.chunks == largest:
                said.append(answerable(fitted, one))
                true.append(one.answered)
    numbers, answered = np.array(said), np.array(true)
    count = len({one.question for one in posed})
    return Held(count, auc(numbers[answered], numbers[~answered]), calibration_error(numbers, answered))


def answerable(calibration: Calibration, posed: Posed) -> float:
    """Return how likely the corpus answers, as a search would say."""
    top, runner_up = _best_two(calibration, posed)
    return calibration.answerable(top, runner_up, posed.chunks)


def logistic(rows: Numbers, true: npt.NDArray[np.bool_]) -> Numbers:
    """Return the weights of a ridge logistic regression (n, k), by iteratively reweighted least squares."""
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[0] = 1e-6  # the constant is free
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (true - said) - ridge * weights
        curve = (rows * (said * (1 - said))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


def auc(right: Numbers, wrong: Numbers) -> float:
    """Return how often a right one scores above a wrong one; a tie counts half."""
    both = np.sort(wrong)
    counted = np.searchsorted(both, right, "left") + np.searchsorted(both, right, "right")
    return float(counted.sum() / (2 * len(right) * len(wrong)))


def calibration_error(said: Numbers, true: npt.NDArray[np.bool_], bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    which = np.minimum((said * bins).astype(int), bins - 1)
    parts = [which == one for one in range(bins)]
    return float(sum(abs(said[one].mean() - true[one].mean()) * one.mean() for one in parts if one.any()))


def _best(calibration: Calibration, candidates: Sequence[Candidate]) -> Candidate | None:
    return max(candidates, key=lambda one: calibration.pair_score(one.cosine, one.coverage), default=None)


def _best_two(calibration: Calibration, posed: Posed) -> tuple[float, float]:
    """Return the best pair score and the best of another body."""
    scored = [(calibration.pair_score(one.cosine, one.coverage), one.body) for one in posed.candidates]
    top, body = max(scored, default=(_NOTHING, ""))
    return top, max((score for score, other in scored if other != body), default=_NOTHING)


def _evidence(calibration: Calibration, posed: Posed) -> tuple[float, float, float, float]:
    top, runner_up = (_logit(score) for score in _best_two(calibration, posed))
    return 1.0, top, top - runner_up, math.log(max(posed.chunks, 1))


def _logit(score: float) -> float:
    bounded = min(max(score, 1e-6), 1 - 1e-6)  # as pipelines.score keeps it finite
    return math.log(bounded / (1 - bounded))


def _words(text: str) -> list[str]:
    return [word for part in text.split() if (word := part.strip("()[]{}<>\"'“”‘’.,;:!?·…|*`#-"))]
