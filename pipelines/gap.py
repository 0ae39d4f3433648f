"""Judge canaries: questions whose answer is pinned, asked again after every change of the corpus."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from pipelines.score import TEXT

CanaryState = Literal["ok", "lost", "value_changed", "moved", "displaced", "drop", "gap", "new"]
Fate = Literal["", "deleted", "expired", "replaced", "changed", "rejected", "withheld"]
Place = tuple[str, str]  # source, path

# DESIGN section 7. Five results are what people read; one logit is .75 -> .52, beyond what other documents can do to a
# pair score (nothing) and what a new chunk cut does to it.
TOP = 5
DROP_LOGITS = 1.0
CONVERGED_RUNS = 3
GATE_LOSSES = 2
UNEXPLAINED = ("not in the index", "withheld")
# What is told at once.
CERTAIN: frozenset[str] = frozenset({"lost", "value_changed"})
SETTLED: frozenset[str] = frozenset({"ok", "moved"})


@dataclass(frozen=True, slots=True)
class Pin:
    """The passage that answers a canary."""

    source: str
    path: str
    body_hash: str
    chunk_hash: str
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Canary:
    """A question that must be answered, or (must_fail) must not.

    baseline     pair score of the pinned passage when it was last confirmed; it doesn't roll
    calibration  under which the baseline was measured; scores of different ones are never compared
    state        as the last run left it
    """

    canary_id: str
    query: str
    min_score: float = 0.75
    expect_path: str = ""
    expect_text: str = ""
    owner: str = ""
    critical: bool = False
    must_fail: bool = False
    pin: Pin | None = None
    baseline: float | None = None
    calibration: str = ""
    state: CanaryState = "new"


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result; `score` is the pair score, by words alone without a vector, `text` the passage."""

    source: str
    path: str
    body_hash: str
    chunk_hash: str
    score: float
    text: str = ""
    by_words: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of the pinned passage.

    places      where a live document holds it now, the one that serves first; empty when it isn't live
    fate        why it isn't live
    successors  documents that stand in its place: its own path with new content, the version that replaced it
    score       its pair score with the question, None when it isn't live
    by_words    it has no vector yet
    text        the passage itself
    unchanged   its document is the same on disk as when it was pinned
    """

    places: tuple[Place, ...] = ()
    fate: Fate = ""
    successors: tuple[Place, ...] = ()
    score: float | None = None
    text: str = ""
    by_words: bool = False
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a canary stands tonight. `top` is the index-wide best: reported, never alarmed on.

    `best` is what a person accepts who accepts the answer: the best of the first TOP that is as expected, else `top`.
    `calibration` is that of `score`: a passage without a vector is scored by words alone.
    """

    canary: Canary
    state: CanaryState
    cause: str
    score: float | None = None
    rank: int | None = None
    top: Hit | None = None
    pin: Pin | None = None
    unchanged: bool = False
    calibration: str = ""
    best: Hit | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the history, which is kept for ever, with the ids that say what was asked."""

    canary_id: str
    run_id: str
    asked_at: datetime
    state: CanaryState
    cause: str
    score: float | None
    rank: int | None
    top_score: float | None
    top_source: str | None
    top_path: str | None
    index_version: int | None
    encoder: str
    calibration: str


def judge(canary: Canary, standing: Standing, hits: Sequence[Hit], *, calibration: str) -> Verdict:
    """Judge one canary by the states of DESIGN section 7, in their order. `hits` are best first.

    `calibration` is that of scores with a vector; those without are the text calibration's.
    """
    scored = standing if canary.pin else _scored(canary, hits)
    used = TEXT.id if scored is not None and scored.by_words else calibration
    return replace(_judged(canary, standing, hits, used), calibration=used, best=_scored(canary, hits))


def _scored(canary: Canary, hits: Sequence[Hit]) -> Hit | None:
    """Return the hit that a question without a pin is judged by."""
    return next((hit for hit in hits[:TOP] if _is_expected(canary, hit)), hits[0] if hits else None)


def _judged(canary: Canary, standing: Standing, hits: Sequence[Hit], calibration: str) -> Verdict:
    top = hits[0] if hits else None
    if canary.must_fail:
        return _judge_unanswerable(canary, top)
    if canary.pin is None:
        return _first_answer(canary, hits)
    rank = next((n for n, hit in enumerate(hits, 1) if hit.chunk_hash == canary.pin.chunk_hash), None)
    if not standing.places:
        state, cause = _not_live(canary, standing, hits, calibration)
    else:
        state, cause = _live(canary, canary.pin, standing, rank, calibration)
    return Verdict(canary, state, cause, standing.score, rank, top, canary.pin, standing.unchanged)


def _judge_unanswerable(canary: Canary, top: Hit | None) -> Verdict:
    score = top.score if top else None
    if score is not None and score >= canary.min_score:
        return Verdict(canary, "gap", f"answered with {score:.2f} though it must not be", score, 1, top)
    return Verdict(canary, "ok", "not answered, as it must be", score, None, top)


def _first_answer(canary: Canary, hits: Sequence[Hit]) -> Verdict:
    """Propose the passage to be pinned: the best of the expected document or with the expected text, else the best."""
    fitting = [(rank, hit) for rank, hit in enumerate(hits[:TOP], 1) if _is_expected(canary, hit)]
    top = hits[0] if hits else None
    if not fitting:
        expected = bool(canary.expect_path or canary.expect_text) and bool(hits)
        cause = f"what is expected is not among the first {TOP}" if expected else "nothing was found"
        return Verdict(canary, "gap", cause, top=top)
    rank, hit = fitting[0]
    pin = Pin(hit.source, hit.path, hit.body_hash, hit.chunk_hash)
    if hit.score >= canary.min_score:
        return Verdict(canary, "new", "pinned; please confirm", hit.score, rank, top, pin)
    # A question in words of its own scores low, and yet a person said what its answer holds: losing that must be told.
    known = bool(canary.expect_path or canary.expect_text)
    cause = f"the best passage has {hit.score:.2f}, {canary.min_score:.2f} is asked"
    return Verdict(canary, "gap", cause, hit.score, rank, top, pin if known else None)


def _is_expected(canary: Canary, hit: Hit) -> bool:
    if canary.expect_path and unicodedata.normalize("NFC", canary.expect_path) != f"{hit.source}/{hit.path}":
        return False
    return not canary.expect_text or holds(hit.text, canary.expect_text)


def _not_live(canary: Canary, standing: Standing, hits: Sequence[Hit], calibration: str) -> tuple[CanaryState, str]:
    """Tell a loss from a change of hands: certain facts decide, except that an heir must answer well enough."""
    successors = [(rank, hit) for rank, hit in enumerate(hits, 1) if (hit.source, hit.path) in standing.successors]
    heirs = [(rank, hit) for rank, hit in successors if rank <= TOP and _is_good_enough(canary, hit)]
    if canary.expect_text and standing.successors:
        keeping = [(rank, hit) for rank, hit in successors if holds(hit.text, canary.expect_text)]
        if keeping:
            return _kept(canary, standing.fate, *keeping[0], calibration)
        return "value_changed", f"{standing.fate}; the expected text is gone from what took its place"
    if standing.fate == "replaced" and heirs:
        return "moved", f"replaced; its successor answers as result {heirs[0][0]}"
    return "lost", standing.fate or UNEXPLAINED[0]


def _is_good_enough(canary: Canary, hit: Hit) -> bool:
    """Tell whether a successor answers as well as is asked, or, where what was pinned never did, as well as that."""
    if hit.score >= canary.min_score or canary.baseline is None:
        return True
    return canary.baseline < canary.min_score and logit(canary.baseline) - logit(hit.score) < DROP_LOGITS


def _kept(canary: Canary, fate: Fate, rank: int, hit: Hit, calibration: str) -> tuple[CanaryState, str]:
    """Judge what took a passage's place and holds the expected text: a text that is edited step by step may go on
    holding its value and yet answer the question worse each time.
    """
    if rank > TOP:
        return "displaced", f"{fate}; the expected text stands in result {rank}, beyond the first {TOP}"
    comparable = canary.calibration == calibration and not hit.by_words
    if comparable and canary.baseline is not None and logit(canary.baseline) - logit(hit.score) >= DROP_LOGITS:
        return "drop", f"{fate}; the expected text has {hit.score:.2f}, the baseline is {canary.baseline:.2f}"
    was_accepted = canary.baseline is not None and canary.baseline < canary.min_score
    if hit.score < canary.min_score and not was_accepted:
        return "gap", f"the best passage has {hit.score:.2f}, {canary.min_score:.2f} is asked"
    return "moved", f"{fate}; the expected text stands in result {rank}"


def _live(canary: Canary, pin: Pin, standing: Standing, rank: int | None, calibration: str) -> tuple[CanaryState, str]:
    if canary.expect_text and not holds(standing.text, canary.expect_text):
        return "value_changed", "the expected text is not in the passage"
    if (pin.source, pin.path) not in standing.places:
        return "moved", "now at " + "/".join(standing.places[0])
    if rank is None or rank > TOP:
        return "displaced", f"not among the first {TOP}" if rank is None else f"result {rank}, beyond the first {TOP}"
    score = standing.score
    if score is None:
        return "ok", f"result {rank}"
    comparable = canary.baseline is not None and canary.calibration == calibration
    if comparable and canary.baseline is not None and logit(canary.baseline) - logit(score) >= DROP_LOGITS:
        return "drop", f"{score:.2f}, the baseline is {canary.baseline:.2f}"
    # A baseline below what is asked comes from a person who accepted the answer, or from another encoder.
    if score < canary.min_score and canary.baseline is None:
        return "gap", f"the pinned passage has {score:.2f}, {canary.min_score:.2f} is asked"
    return "ok", f"result {rank}" + ("" if comparable else "; new calibration, new baseline")


def baseline_after(verdict: Verdict) -> float | None:
    """Return the baseline that a run leaves: it is set with the pin, re-taken under a new calibration, and raised by a
    recovery; it never follows a score down, for a rolling value forgets a loss after a few runs.
    """
    canary, score = verdict.canary, verdict.score
    if canary.must_fail or score is None:
        return canary.baseline
    if canary.baseline is None and score < canary.min_score:
        return None  # pinned for what was expected of it, and nobody accepted it: a rename makes it no better
    if verdict.state == "new" or (verdict.state in SETTLED and canary.calibration != verdict.calibration):
        return score
    if verdict.state == "ok" and (canary.baseline is None or canary.state not in ("ok", "new")):
        return max(score, canary.baseline or 0.0)
    return canary.baseline


def accepted(canary: Canary, hit: Hit, *, calibration: str) -> Canary:
    """Return the canary that a person confirmed with `hit` as its answer (`canaries accept`)."""
    pin = Pin(hit.source, hit.path, hit.body_hash, hit.chunk_hash)
    used = TEXT.id if hit.by_words else calibration
    return replace(canary, pin=pin, baseline=hit.score, calibration=used, state="ok")


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What the canaries say of a version that isn't published yet."""

    losses: tuple[Verdict, ...]
    hold: bool


def gate(verdicts: Iterable[Verdict], explained: Collection[str] = ()) -> GateVerdict:
    """Weigh unexplained loss only: the pinned document is the same on disk, yet its passage left the first 5.

    `explained` holds ids of canaries that don't count: whose loss a person or a rule caused, or which the published
    version misses as well. Two losses hold a version, or one that is marked critical.
    """
    losses = tuple(
        verdict
        for verdict in verdicts
        if verdict.unchanged
        and verdict.canary.canary_id not in explained
        and (verdict.state == "displaced" or (verdict.state == "lost" and verdict.cause in UNEXPLAINED))
    )
    return GateVerdict(losses, len(losses) >= GATE_LOSSES or any(loss.canary.critical for loss in losses))


def converged(runs: Sequence[Mapping[str, CanaryState]], acknowledged: Collection[str] = ()) -> bool:
    """Tell whether the corpus answers what it is asked: three runs (newest first) in which every canary was ok, moved
    or acknowledged, and no gap opened.
    """
    if len(runs) < CONVERGED_RUNS or not all(runs[:CONVERGED_RUNS]):
        return False
    for number, states in enumerate(runs[:CONVERGED_RUNS]):
        earlier = runs[number + 1] if number + 1 < len(runs) else states
        for canary_id, state in states.items():
            if state not in SETTLED and canary_id not in acknowledged:
                return False
            if state == "gap" and earlier.get(canary_id) != "gap":
                return False
    return True


def answer(verdict: Verdict, *, run_id: str, asked_at: datetime, index_version: int | None, encoder: str) -> Answer:
    """Return the history's line for a verdict."""
    top = verdict.top
    return Answer(
        verdict.canary.canary_id,
        run_id,
        asked_at,
        verdict.state,
        verdict.cause,
        verdict.score,
        verdict.rank,
        top.score if top else None,
        top.source if top else None,
        top.path if top else None,
        index_version,
        encoder,
        verdict.calibration,
    )


def holds(text: str, expected: str) -> bool:
    """Tell whether a passage holds the expected words, however it is wrapped, spaced, or composed."""
    return bool(expected.strip()) and _folded(expected) in _folded(text)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).casefold().split())


def logit(score: float) -> float:
    """Return the log-odds of a score; scores are kept off 0 and 1, where they have none."""
    bounded = min(max(score, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))
