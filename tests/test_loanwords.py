"""Loan words of two scripts, told by their consonants."""

from __future__ import annotations

import pytest

from pipelines.loanwords import is_loan


@pytest.mark.parametrize(
    ("latin", "hangul"), [("autoscaler", "오토스케일러"), ("replica", "레플리카"), ("debug", "디버그")]
)
def test_a_word_and_its_transcription_are_one(latin: str, hangul: str) -> None:
    assert is_loan(latin, hangul)
    assert is_loan(hangul, latin)


@pytest.mark.parametrize(
    ("one", "other"), [("replica", "레지스트리"), ("replica", "replicas"), ("log", "로그"), ("오토", "오토바이")]
)
def test_others_are_not(one: str, other: str) -> None:
    assert not is_loan(one, other)
