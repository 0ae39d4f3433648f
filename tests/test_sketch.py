from __future__ import annotations

import math
import unicodedata
from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import numpy as np
import pytest
from alike_texts import edited, filled, plain_grams, prose
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipelines import candidates, sketch
from pipelines.candidates import candidate_pairs, likely
from pipelines.grams import folded, grams
from pipelines.near import shared
from pipelines.signature import FORM_PLACES, ORDERS, PLACES, band_keys, estimate
from pipelines.sketch import Sketches, common_grams, sketches

NONE = np.empty(0, np.uint64)
WRITTEN = st.text(st.sampled_from("가나다라마 abAB1\n\t.\u3000각é"), max_size=60) | st.text(max_size=30)
FOLDED = WRITTEN.map(folded)


@given(WRITTEN)
@example("J\u030cÍ ẞ K")
def test_spelling_case_and_white_space_are_folded_away(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert folded(unicodedata.normalize("NFD", text)) == folded(unicodedata.normalize("NFC", text)) == once
    assert folded(f"\n {text}\t") == once
    assert "  " not in once and once == once.strip()


@given(FOLDED, FOLDED)
@example("ab", "ab\0\0\0")
@example("가나다라", "가나다라마")
def test_hashes_of_grams_are_those_of_the_plain_definition(one: str, other: str) -> None:
    a, b = grams(one), grams(other)
    assert (len(a), len(b)) == (len(plain_grams(one)), len(plain_grams(other)))
    assert (np.diff(a.astype(object)) > 0).all()
    assert shared(a, b) == len(plain_grams(one) & plain_grams(other))


def test_a_short_text_is_its_only_gram_and_an_empty_one_has_none() -> None:
    assert [len(grams(text)) for text in ("", "가", "abcd", "abcde", "abcdef")] == [0, 1, 1, 1, 2]


def test_a_lone_surrogate_is_a_character_like_any_other() -> None:
    assert len(grams("가나\ud800다라마")) == 2


def rows(made: Sketches, row: int) -> tuple[object, ...]:
    """Return everything that a batch says of one of its texts."""
    return (
        made.n_grams[row],
        made.signature[row].tolist(),
        made.bands[made.owners == row].tolist(),
    )


@given(st.lists(FOLDED, max_size=8), st.lists(FOLDED, max_size=3), st.integers(1, 40))
def test_a_batch_says_of_each_text_what_it_says_of_one(texts: list[str], boilerplate: list[str], block: int) -> None:
    common = np.unique(np.concatenate([NONE, *map(grams, boilerplate)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "_BLOCK_CHARS", block)
        batch = sketches(texts, common)
    assert len(batch.n_grams) == len(batch.signature) == len(texts)
    for row, text in enumerate(texts):
        assert rows(batch, row) == rows(sketches([text], common), 0)
        assert batch.n_grams[row] == len(plain_grams(text))


@given(FOLDED.filter(bool))
def test_each_value_is_the_least_gram_of_the_first_filled_bin(text: str) -> None:
    bins = defaultdict(list)
    for gram in grams(text).tolist():
        bins[gram >> 57].append(gram)
    expected = [min(next(bins[place] for place in order if place in bins)) & 0xFFFFFFFF for order in ORDERS.tolist()]
    assert sketches([text], NONE).signature[0].tolist() == expected


def test_each_place_looks_into_every_bin_its_own_first() -> None:
    assert (np.sort(ORDERS, axis=1) == np.arange(128)).all()
    assert (ORDERS[:, 0] == np.arange(128)).all()


def test_the_estimate_means_what_datasketch_means() -> None:
    from datasketch import MinHash

    def minhash(words: set[str]) -> MinHash:
        made = MinHash(num_perm=128, seed=1)
        made.update_batch([word.encode("utf-8") for word in words])
        return made

    rng = Random(4)
    errors, differences = [], []
    for n in range(60):
        one = folded(prose(rng, 60))
        other = folded(edited(rng, one, n / 60))
        a, b = plain_grams(one), plain_grams(other)
        true = len(a & b) / len(a | b)
        signature = sketches([one, other], NONE).signature
        ours = estimate(signature[0], signature[1])
        errors.append((ours - true) ** 2)
        differences.append(ours - minhash(a).jaccard(minhash(b)))
    assert math.sqrt(np.mean(errors)) <= 0.05
    assert abs(np.mean(differences)) <= 1 / math.sqrt(128)
    assert np.sqrt(np.mean(np.square(differences))) <= 0.065  # two estimates, each with an error of at most .045


def test_empty_texts_are_not_estimated_alike() -> None:
    signature = sketches(["", "", "가나다라마바"], NONE).signature
    assert estimate(signature[0], signature[1]) == estimate(signature[0], signature[2]) == 0
    assert estimate(signature[2], signature[2]) == 1


def test_without_a_list_a_body_has_one_set_of_bands_and_an_empty_one_has_none() -> None:
    made = sketches(["가나다라마바사", ""], NONE)
    assert np.bincount(made.owners, minlength=2).tolist() == [84, 0]


def test_bodies_that_are_mostly_form_meet_by_all_they_say() -> None:
    rng = Random(1)
    form = folded(prose(rng, 100))
    texts = [form, *(folded(filled(rng, form, words)) for words in (4, 4, 300)), folded(prose(rng, 100))]
    made = sketches(texts, grams(form))
    assert np.bincount(made.owners).tolist() == [32, 84 + 32, 84 + 32, 84, 84]
    assert candidate_pairs(made.owners, made.bands).tolist() == [[0, 1], [0, 2], [1, 2]]


def test_bands_of_forms_and_of_others_never_meet() -> None:
    signature = sketches(["가나다라마바사아자차카타파하"], NONE).signature
    keys = np.concatenate(
        [
            band_keys(signature, PLACES, 0),
            band_keys(signature, FORM_PLACES, len(PLACES)),
        ]
    )
    assert len(set(keys.tolist())) == 84 + 32


def test_common_grams_are_those_of_more_than_five_in_a_hundred() -> None:
    texts = [f"{n:05d}" for n in range(sketch.MIN_SAMPLE)]
    often = sketch.MIN_SAMPLE // 20
    samples = [
        np.unique(np.concatenate([grams(text), *([grams("aaaaa")] * (n <= often)), *([grams("bbbbb")] * (n < often))]))
        for n, text in enumerate(texts)
    ]
    assert common_grams(samples).tolist() == grams("aaaaa").tolist()
    assert common_grams(samples[1:]).tolist() == []


def test_the_sample_does_not_depend_on_order() -> None:
    bodies = [f"{n:03d}" for n in range(450)]
    shuffled = Random(1).sample(bodies, len(bodies))
    assert sketch.sampled(shuffled) == sketch.sampled(bodies) == bodies[: sketch.SAMPLE]


ENTRIES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), max_size=40)


@given(ENTRIES, st.none() | st.sets(st.integers(0, 12)), st.integers(1, 9))
def test_candidates_are_the_pairs_that_share_a_band(
    entries: list[tuple[int, int]], new: set[int] | None, block: int
) -> None:
    buckets = defaultdict(set)
    for owner, band in entries:
        buckets[band].add(owner)
    expected = {pair for bucket in buckets.values() for pair in combinations(sorted(bucket), 2)}
    if new is not None:
        expected = {pair for pair in expected if new & set(pair)}
    owners, bands = (np.array([entry[n] for entry in entries], np.int64) for n in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_BLOCK_PAIRS", block)
        found = candidate_pairs(owners, bands.astype(np.uint64), None if new is None else np.array([*new], np.int64))
    assert [tuple(pair) for pair in found.tolist()] == sorted(expected)


def test_pairs_are_kept_until_the_estimate_leaves_no_doubt() -> None:
    rng = Random(3)
    text = prose(rng, 100)
    signature = sketches([text, text + prose(rng, 140), prose(rng, 100)], NONE).signature
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    assert likely(pairs, signature, 0.40).tolist() == [[0, 1]]
    assert likely(pairs[:0], signature, 0.40).tolist() == []


@settings(max_examples=20)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), st.integers(0, 3))
def test_common_grams_are_counted_over_the_whole_range_of_hashes(rare: list[int], often: int) -> None:
    rng = np.random.default_rng(often)
    known = np.unique(rng.integers(0, 2**64, 61, dtype=np.uint64))
    samples = [np.sort(known[rng.random(len(known)) < 0.05 * (1 + often)]) for _ in range(sketch.MIN_SAMPLE)]
    samples += [known[sorted(set(rare))]] * often
    counts = Counter(gram for sample in samples for gram in sample.tolist())
    assert common_grams(samples).tolist() == sorted(
        gram for gram, count in counts.items() if count > 0.05 * len(samples)
    )


def test_samples_are_taken_until_they_fill_the_memory_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch, "_SAMPLE_GRAMS", 10)
    samples = iter([grams("aaaaab")] * (sketch.MIN_SAMPLE + 5))
    assert len(common_grams(samples)) == 2
    assert len(list(samples)) == 4
