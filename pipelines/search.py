"""Ranks candidates: a fixed pool in, results in an order that doesn't depend on how many are asked for."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.matching import Asked, Match
from pipelines.notations import notations
from pipelines.score import ANSWERABLE, TEXT, Calibration, Tier, coverage, tier_of
from pipelines.script import is_foreign
from pipelines.tokens import NAMES_FOLLOW, names_of, own_tokens, query_codes, query_terms

Row = Mapping[str, Any]
Mode = Literal["hybrid", "text", "vector"]

# Candidates from each side, whatever top_k is: so the top 3 begin the top 5.
POOL = 50
# What the best passage of another text counts with when there is none: a score of 0 has no logit.
_NOTHING = 0.01
# What the order (not the score) gains in logits when all of a question's words stand in a document's name only.
_NAME_SLOPE = 4.0
# All of a question's weight, but for the sums of floats.
_WHOLE = 0.999
_ENDING = re.compile(r"(?<=[^\s.])\.[A-Za-z][A-Za-z0-9]{1,4}$")
# A row that another version replaces but that is still listed carries this flag and its successor's "source/path".
SUPERSEDED_BY = "superseded_by:"


@dataclass(frozen=True, slots=True)
class Query:
    """One question: its words with their weights (pipelines.tokens.query_terms) and its unit vector, if any.

    `legible` is false when its Latin words are none that the encoder knows: a vector of letters hit at random is near
    everything, so in another script than its own nothing speaks for a passage. `others` are the question and its
    terms in other notations (pipelines.notations): a passage counts with the one that it answers best.
    """

    text: str
    terms: Sequence[tuple[str, float]]
    vector: npt.NDArray[np.float32] | None = None
    legible: bool = True
    others: tuple[tuple[str, Sequence[tuple[str, float]]], ...] = ()

    @classmethod
    def of(cls, text: str, vector: npt.NDArray[np.float32] | None = None, *, legible: bool = True) -> Query:
        """Return the question with its words, in all its notations."""
        others = tuple((other, query_terms(other)) for other in notations(text))
        return cls(text, query_terms(text), vector, legible, others)

    @property
    def words(self) -> str:
        """Return what the full-text side looks for: every term once, joined by spaces."""
        return " ".join(dict.fromkeys(term for _, terms in self.readings for term, _ in terms))

    @property
    def readings(self) -> tuple[tuple[str, Sequence[tuple[str, float]]], ...]:
        """Return (text, terms) as asked and in the other notations."""
        return ((self.text, self.terms), *self.others)

    def matcher(self) -> Callable[[Row], Match]:
        """Return what matches rows to the question: with the notation that covers most."""
        asked = [Asked(text, terms) for text, terms in self.readings]
        return lambda row: max((match_row(one, row) for one in asked), key=lambda match: match.coverage)


@dataclass(frozen=True, slots=True)
class Result:
    """One passage. `score` is absolute; results are in the order of it, but for exact strings, codes and names.

    `order` is what they are sorted by, `also_in` are other places of the passage's text.
    """

    row: Row
    rank: int
    score: float
    tier: Tier
    exact: bool
    cosine: float | None
    bm25: float | None
    order: float
    also_in: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The results of a search. `answerable` is about all that its filters leave, and false when nothing is
    shown; `top_score` is the best pair score in the pool. `only_named`: no passage answers, and the results are the
    best passage of each document whose name holds all words of the question.
    """

    calibration: str
    results: tuple[Result, ...] = ()
    answerable: bool = False
    answerable_probability: float = 0.0
    only_conditional: bool = False
    only_named: bool = False
    top_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the ranking is shown."""

    top_k: int = 5
    min_score: float = 0.0
    weak_too: bool = False
    mode: Mode = "hybrid"
    expired_too: bool = False


@dataclass(slots=True)
class _Candidate:
    row: Row
    score: float
    exact: bool
    cosine: float | None
    bm25: float | None
    order: float
    foreign: bool = False
    codes: float | None = None
    named: bool = False
    twins: list[Row] = field(default_factory=list)

    @property
    def sort_key(self) -> tuple[bool, float, float, str]:
        return (not self.exact, -(self.codes or 0.0), -self.order, self.row["chunk_id"])


def condition(now: datetime, sources: Sequence[str] = (), expired_too: bool = False) -> str:
    """Return the SQL condition under which the pool is drawn: not expired, of these sources (of all when empty)."""
    parts = []
    if not expired_too:
        moment = now.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        parts.append(f"(expires_at is null or expires_at > timestamp '{moment}')")
    if sources:
        names = ", ".join("'" + source.replace("'", "''") + "'" for source in sources)
        parts.append(f"source in ({names})")
    return " and ".join(parts) or "true"


def merge_pool(query: Query, vector_rows: Sequence[Row], text_rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Unite both sides by chunk_id; a missing cosine is computed from the row's vector, a missing bm25 stays None."""
    pool: dict[str, dict[str, Any]] = {}
    for row in (*vector_rows, *text_rows):
        pool.setdefault(row["chunk_id"], {"cosine": None, "bm25": None}).update(row)
    for row in pool.values():
        if row["cosine"] is None and row.get("vector") is not None and query.vector is not None:
            row["cosine"] = float(np.dot(row["vector"], query.vector))
    return list(pool.values())


def rank(
    pools: Sequence[tuple[Query, Sequence[Row]]],
    calibration: Calibration,
    chunks: int,
    now: datetime,
    wanted: Wanted = Wanted(),
) -> Ranking:
    """Rank the pools of one or more queries together: each passage counts with the query it answers best.

    `chunks` is the size of the index. Nothing relevant is an answer too: passages below .3 are shown only on request,
    those below .6 only when none is trusted.
    """
    if wanted.mode == "text":
        calibration = TEXT
    best: dict[str, _Candidate] = {}
    for query, pool in pools:
        alive = [row for row in pool if wanted.expired_too or not _is_expired(row, now)]
        for candidate in _weigh(query, alive, calibration, wanted.mode):
            known = best.get(candidate.row["chunk_id"])
            if known is None or candidate.sort_key < known.sort_key:
                score = max(candidate.score, known.score if known else 0.0)
                best[candidate.row["chunk_id"]] = replace(candidate, score=score)
            else:
                known.score = max(known.score, candidate.score)
    ordered = _after_successors(_collapse(sorted(best.values(), key=lambda one: one.sort_key)))
    probability = _answerable(ordered, calibration, chunks)
    shown, only_conditional = _shown(ordered, wanted)
    named = [] if shown else _named(ordered, wanted)
    return Ranking(
        calibration=calibration.id,
        results=tuple(_result(one, number) for number, one in enumerate((shown or named)[: wanted.top_k], start=1)),
        answerable=probability >= ANSWERABLE and bool(shown),
        answerable_probability=probability,
        only_conditional=only_conditional,
        only_named=bool(named),
        top_score=max((one.score for one in ordered), default=0.0),
    )


def score_pair(query: Query, row: Row, calibration: Calibration) -> float:
    """Score one query against one passage, wherever it ranks: what a canary follows."""
    (united,) = merge_pool(query, [row], [])
    match = query.matcher()(row)
    return _judge(query, query_codes(query.text), row, united["cosine"], match, calibration).score


def match_row(asked: Asked, row: Row) -> Match:
    """Match a question to one passage; the names of its documents don't count."""
    headings = " ".join([row["title"] or "", *(row["heading"] or ())])
    return asked.match(own_tokens(row["tokens"]), headings, row["text"])


def contains_exactly(query: str, passage: str) -> bool:
    """Tell whether the query stands in the passage as written, not inside a longer word or number.

    "API_v3" isn't in "api_v31", "1,234" isn't in "1,234,567"; Korean particles may follow.
    """
    needle, folded = _folded(query), _folded(passage)
    if len(needle) < 2 or needle not in folded:
        return False
    before, after = r"(?<![0-9a-z_])" if _joins(needle[0]) else "", r"(?![0-9a-z_])" if _joins(needle[-1]) else ""
    if needle[0].isdigit():
        before += r"(?<![0-9][.,])"
    if needle[-1].isdigit():
        after += r"(?![.,][0-9])"
    return re.search(before + re.escape(needle) + after, folded) is not None


@dataclass(frozen=True, slots=True)
class _Judgement:
    score: float
    logit: float
    exact: bool
    foreign: bool
    codes: float | None


def _judge(
    query: Query, codes: Collection[str], row: Row, cosine: float | None, match: Match, calibration: Calibration
) -> _Judgement:
    """Judge one pair; `codes` are the query's (pipelines.tokens)."""
    exact = contains_exactly(query.text, "\n".join([*(row["heading"] or ()), row["text"]]))
    compared = cosine is not None and calibration.foreign is not None and query.legible
    foreign = compared and is_foreign(query.text, row["text"])
    # A document may be named after its code and not say it again.
    column = f" {row['tokens']} "
    standing = sum(f" ={one} " in column for one in codes) / len(codes) if codes else None
    # Letters and their order say nothing across scripts: names and numbers do.
    share = match.whole if foreign else match.coverage
    logit = calibration.pair_logit(cosine, share, foreign=foreign, codes=standing)
    score = calibration.pair_score(cosine, share, exact, foreign=foreign, codes=standing)
    return _Judgement(score, logit, exact, foreign, standing)


def _weigh(query: Query, pool: Sequence[Row], calibration: Calibration, mode: Mode) -> list[_Candidate]:
    codes, matched, names = query_codes(query.text), query.matcher(), _as_name(query.text)
    candidates = []
    for row in pool:
        cosine = None if mode == "text" else row["cosine"]
        match = matched(row)
        judged = _judge(query, codes, row, cosine, match, calibration)
        named = _NAME_SLOPE * _only_in_names(query, row, match)
        order = cosine or 0.0 if mode == "vector" else judged.logit + named
        candidates.append(
            _Candidate(
                row,
                judged.score,
                judged.exact,
                cosine,
                row["bm25"],
                order,
                judged.foreign,
                judged.codes,
                coverage(names, names_of(row["tokens"])) > _WHOLE,
            )
        )
    return candidates


def _as_name(text: str) -> list[tuple[str, float]]:
    """Return the words of a question that may be a file's name; names in the index have no ending."""
    return query_terms(_ENDING.sub("", text.strip()).replace("_", " "))


def _only_in_names(query: Query, row: Row, match: Match) -> float:
    """Return the share of the question that stands in the names of the passage's documents alone."""
    if NAMES_FOLLOW not in row["tokens"]:
        return 0.0
    return max(0.0, max(coverage(terms, row["tokens"]) for _, terms in query.readings) - match.whole)


def _collapse(ordered: Sequence[_Candidate]) -> list[_Candidate]:
    """Keep the first of equal chunk_hash; the others become its twins."""
    first: dict[str, _Candidate] = {}
    for candidate in ordered:
        known = first.setdefault(candidate.row["chunk_hash"], candidate)
        if known is not candidate:
            known.twins.append(candidate.row)
    return list(first.values())


def _after_successors(ordered: list[_Candidate]) -> list[_Candidate]:
    """Move passages of a replaced version behind the first passage of the version that replaces it, chains too."""
    replaced = [one for one in ordered if SUPERSEDED_BY in one.row["flags"]]
    for _ in replaced:  # a chain of n versions is in order after n rounds at most
        if not [one for one in replaced if _behind_successor(ordered, one)]:
            break
    return ordered


def _behind_successor(ordered: list[_Candidate], candidate: _Candidate) -> bool:
    """Move one passage behind its successor's first passage; tell whether it stood before it."""
    successor = next((f for f in json.loads(candidate.row["flags"]) if f.startswith(SUPERSEDED_BY)), None)
    places = [f"{SUPERSEDED_BY}{one.row['source']}/{one.row['path']}" for one in ordered]
    if successor not in places or ordered.index(candidate) > places.index(successor):
        return False
    target = ordered[places.index(successor)]
    ordered.remove(candidate)
    ordered.insert(ordered.index(target) + 1, candidate)
    return True


def _answerable(ordered: Sequence[_Candidate], calibration: Calibration, chunks: int) -> float:
    if not ordered:
        return 0.0
    best = max(ordered, key=lambda one: one.score)
    others = [one.score for one in ordered if one.row["body_hash"] != best.row["body_hash"]]
    probability = calibration.answerable(best.score, max(others, default=_NOTHING), chunks, foreign=best.foreign)
    return max([probability, *(one.score for one in ordered if one.exact)])


def _shown(ordered: Sequence[_Candidate], wanted: Wanted) -> tuple[list[_Candidate], bool]:
    """Return what may be shown, and whether all of it is conditional."""
    kept = [one for one in ordered if one.score >= wanted.min_score]
    if wanted.weak_too:
        return kept, False
    trusted = [one for one in kept if tier_of(one.score) == "trusted"]
    if trusted:
        return trusted, False
    conditional = [one for one in kept if tier_of(one.score) == "conditional"]
    return conditional, bool(conditional)


def _named(ordered: Sequence[_Candidate], wanted: Wanted) -> list[_Candidate]:
    """Return the best passage of each document that is named by the question, whatever its score."""
    best: dict[tuple[str, str], _Candidate] = {}
    for one in ordered:
        if one.named and one.score >= wanted.min_score:
            best.setdefault((one.row["source"], one.row["path"]), one)
    return list(best.values())


def _result(candidate: _Candidate, number: int) -> Result:
    own = candidate.row
    places = [*json.loads(own["also_in"])]
    for twin in candidate.twins:
        places += [{"source": twin["source"], "path": twin["path"]}, *json.loads(twin["also_in"])]
    unique = {(place["source"], place["path"]): place for place in places}
    unique.pop((own["source"], own["path"]), None)
    return Result(
        row=own,
        rank=number,
        score=candidate.score,
        tier=tier_of(candidate.score),
        exact=candidate.exact,
        cosine=candidate.cosine,
        bm25=candidate.bm25,
        order=candidate.order,
        also_in=tuple(unique.values()),
    )


def _is_expired(row: Row, now: datetime) -> bool:
    return row["expires_at"] is not None and row["expires_at"] <= now


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def _joins(character: str) -> bool:
    return re.match(r"[0-9a-z_]", character) is not None
