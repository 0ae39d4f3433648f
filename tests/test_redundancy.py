"""Which documents add nothing of their own."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from fakes import FakeEncoder
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.covers import Propose, by_cosine, by_rank, by_words, find_covers, together
from pipelines.own_numbers import own_numbers
from pipelines.redundancy import Facts, Judged, judge
from pipelines.review import Answer
from pipelines.score import E5_SMALL, calibration_for
from pipelines.served import Served, served

START = datetime(2026, 1, 1, tzinfo=UTC)
BAR = 0.8
Corpus = dict[str, list[str]]


def passage(seed: int, words: int = 40) -> str:
    dice = random.Random(seed)
    return " ".join(f"{dice.choice('가나다라마바사')}{dice.randrange(10**4)}" for _ in range(words))


def edited(text: str, words: int = 1) -> str:
    parts = text.split()
    return " ".join([f"바뀐{n}" if n < words else word for n, word in enumerate(parts)])


def named(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def columns(corpus: Corpus, vectors: bool = True) -> tuple[Served, Callable[[Sequence[int]], list[str]]]:
    """Return the corpus as columns, and what reads its texts."""
    rows = [(f"{body}{n}", body, named(text)) for body, texts in sorted(corpus.items()) for n, text in enumerate(texts)]
    text_of = {named(text): text for texts in corpus.values() for text in texts}
    names = sorted(text_of)
    made = FakeEncoder().embed_passages([text_of[name] for name in names]).astype(np.float16) if vectors else None
    return served(rows, made), lambda wanted: [text_of[names[row]] for row in wanted]


def verdicts(
    corpus: Corpus,
    facts: dict[str, Facts] | None = None,
    asked: Sequence[str] | None = None,
    propose: Callable[[Served, Callable[[Sequence[int]], list[str]]], Propose] | None = None,
    vectors: bool = True,
) -> dict[str, Judged]:
    """Judge a corpus: body -> judged. Later letters are newer."""
    known = {body: Facts(START + timedelta(days=ord(body[0]))) for body in corpus} | (facts or {})
    columns_, texts_of = columns(corpus, vectors)
    proposed = propose(columns_, texts_of) if propose else by_cosine(columns_, BAR)
    covers, reached = find_covers(columns_, asked or list(corpus), proposed, texts_of)
    return {one.body: one for one in judge(columns_, covers, {body: known[body] for body in reached})}


A, B, C, D, E = (passage(seed) for seed in range(5))


def test_a_document_whose_passages_stand_in_another_is_a_duplicate() -> None:
    found = verdicts({"a": [A, edited(B)], "b": [A, B, C, D]})
    assert (found["a"].verdict, found["a"].share, found["a"].by) == ("duplicate", 1.0, (("b", 2),))
    assert (found["b"].verdict, found["b"].share) == ("new", 0.0)


def test_a_pair_says_where_the_passages_stand_and_how_alike_they_are() -> None:
    (least, equal) = verdicts({"a": [A, edited(B, 3)], "b": [B, C, A]})["a"].pairs
    assert (least.passage, least.by, equal.passage, equal.by) == (1, 2, 0, 4)
    assert least.cosine is not None and BAR <= least.cosine < 1 and 0.8 < least.containment < 0.97
    assert (equal.cosine, equal.containment) == (1.0, 1.0)


def test_part_of_a_document_may_be_covered() -> None:
    found = verdicts({"a": [A, B, C, D, E], "b": [A, *(passage(n) for n in range(50, 60))]})
    assert {body: judged.verdict for body, judged in found.items()} == {"a": "partial", "b": "new"}
    assert verdicts({"a": [A, *(passage(n) for n in range(60, 66))], "b": [A]})["a"].verdict == "new"


def test_of_two_that_cover_each_other_the_older_is_named() -> None:
    corpus = {"a": [A, B], "b": [edited(A), edited(B)]}
    assert {body: judged.verdict for body, judged in verdicts(corpus).items()} == {"a": "duplicate", "b": "new"}
    newer = {"a": Facts(START + timedelta(days=999))}
    assert {body: judged.verdict for body, judged in verdicts(corpus, newer).items()} == {"a": "new", "b": "duplicate"}


def test_of_two_from_one_moment_the_shorter_is_named() -> None:
    same = {"a": Facts(START), "b": Facts(START)}
    assert verdicts({"a": [A, B, A + " 다"], "b": [edited(A), edited(B)]}, same)["b"].verdict == "duplicate"


def test_what_a_person_keeps_stays_and_the_other_is_asked_about() -> None:
    found = verdicts({"a": [A, B], "b": [edited(A), edited(B)]}, {"a": Facts(START, "reject")})
    assert {body: judged.verdict for body, judged in found.items()} == {"a": "new", "b": "duplicate"}


def test_what_a_person_let_go_covers_nothing_any_more() -> None:
    found = verdicts({"a": [A, B], "b": [edited(A), edited(B)]}, {"b": Facts(START, "accept")})
    assert {body: judged.verdict for body, judged in found.items()} == {"a": "new", "b": "duplicate"}


def test_several_documents_may_cover_one_together() -> None:
    found = verdicts({"a": [A, B, C], "b": [A, B, D, E, passage(70)], "c": [edited(C), *map(passage, range(71, 76))]})
    assert found["a"].by == (("b", 2), ("c", 1)) and found["a"].verdict == "duplicate"


def test_passages_repeated_within_a_document_are_its_own() -> None:
    assert verdicts({"a": [A, A, edited(A)], "b": [B]})["a"].share == 0


def test_alike_by_cosine_but_in_other_words_is_not_covered() -> None:
    found = verdicts({"a": [A], "b": [B, C]}, propose=lambda columns_, _: by_cosine(columns_, -1.0))
    assert {judged.verdict for judged in found.values()} == {"new"}


def by_words_alone(columns_: Served, texts_of: Callable[[Sequence[int]], list[str]]) -> Propose:
    return together(by_cosine(columns_, BAR), by_words(columns_, texts_of))


def test_without_vectors_the_words_must_say_more() -> None:
    half = {"a": [A], "b": [" ".join(A.split()[:26] + B.split()[26:]), C]}
    most = {"a": [A], "b": [" ".join(A.split()[:36] + B.split()[36:]), C]}
    assert verdicts(half, propose=lambda columns_, _: by_cosine(columns_, 0.6))["a"].verdict == "duplicate"
    assert verdicts(half, propose=by_words_alone, vectors=False)["a"].verdict == "new"
    judged = verdicts(most, propose=by_words_alone, vectors=False)["a"]
    assert judged.verdict == "duplicate" and judged.pairs[0].cosine is None


def test_only_an_encoder_that_was_measured_has_a_bar() -> None:
    measured, unknown = (calibration_for(name).cosine_duplicate for name in ("multilingual-e5-small@1/fp32", "bge@1"))
    assert measured is not None and measured > E5_SMALL.cosine_relevant and unknown is None


def test_an_encoder_without_a_bar_only_proposes() -> None:
    half = {"a": [A], "b": [" ".join(A.split()[:26] + B.split()[26:]), C]}
    most = {"a": [A], "b": [" ".join(A.split()[:36] + B.split()[36:]), C]}
    assert verdicts(half, propose=lambda columns_, _: by_rank(columns_))["a"].verdict == "new"
    judged = verdicts(most, propose=lambda columns_, _: by_rank(columns_))["a"]
    assert judged.verdict == "duplicate" and judged.pairs[0].cosine is not None


def test_numbers_count_as_own_only_when_no_other_document_has_them() -> None:
    assert own_numbers(["30초 안에, 3200원", "2026-12-31까지"], ["60초, 3,200원, 2026.12.31"]) == ("30",)
    assert own_numbers(["없음"], []) == ()


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Corpus, dict[str, Facts]]:
    """A few documents that share, edit and repeat passages of a small stock; some were answered."""
    stock = [variant for seed in range(5) for variant in (passage(seed), edited(passage(seed), 2))]
    names = "abcdefg"[: draw(st.integers(1, 7))]
    corpus = {name: draw(st.lists(st.sampled_from(stock), min_size=1, max_size=5)) for name in names}
    answers: list[Answer | None] = [None, None, None, "reject", "accept"]
    facts = {
        name: Facts(START + timedelta(days=draw(st.integers(0, 3))), draw(st.sampled_from(answers))) for name in names
    }
    return corpus, facts


@settings(max_examples=40, deadline=None)
@given(corpora())
def test_what_is_named_may_leave_all_at_once(drawn: tuple[Corpus, dict[str, Facts]]) -> None:
    corpus, facts = drawn
    found = verdicts(corpus, facts)
    leaving = {
        body
        for body, judged in found.items()
        if facts[body].answer != "reject" and (judged.verdict == "duplicate" or facts[body].answer == "accept")
    }
    columns_, _ = columns(corpus)
    for judged in found.values():
        assert not {body for body, _ in judged.by} & leaving
        for pair in judged.pairs:
            assert columns_.bodies[columns_.body_of[pair.passage]] == judged.body
            assert columns_.bodies[columns_.body_of[pair.by]] not in leaving | {judged.body}


@settings(max_examples=40, deadline=None)
@given(corpora(), st.randoms(use_true_random=False))
def test_a_verdict_is_the_same_however_few_were_asked(
    drawn: tuple[Corpus, dict[str, Facts]], dice: random.Random
) -> None:
    corpus, facts = drawn
    whole = verdicts(corpus, facts)
    asked = dice.sample(sorted(corpus), dice.randint(1, len(corpus)))
    part = verdicts(corpus, facts, asked)
    assert set(asked) <= set(part)
    assert all(part[body].verdict == whole[body].verdict for body in part)
