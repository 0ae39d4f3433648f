"""The words on the screen: Korean where there are words, the plain cause where there are none."""

from __future__ import annotations

import pytest

from pipelines.gap import Canary, Hit, Pin, Standing, judge
from saero.words import ALERT_WORDS, WORDS, cause_words, word

HIT = Hit("개발", "결제.md", "b", "k", 0.5, "읽기 30초")
PINNED = Canary("c", "q", pin=Pin("개발", "결제.md", "b", "k"), baseline=0.9, calibration="x", expect_text="30초")


@pytest.mark.parametrize(
    ("cause", "korean"),
    [
        ("deleted", "파일이 없어짐"),
        ("not in the index", "검색 색인에 없음"),
        ("result 2; new calibration, new baseline", "2번째 결과"),
        ("now at 개발/새 이름.md", "지금 위치: 개발/새 이름.md"),
        ("0.61, the baseline is 0.90", "0.61, 기준 점수는 0.90"),
        ("changed; the expected text stands in result 2", "내용이 바뀜, 기대한 글은 2번째 결과에 있음"),
        ("", ""),
        ("something else", "something else"),
    ],
)
def test_a_cause_is_said_in_korean(cause: str, korean: str) -> None:
    assert cause_words(cause, "ko") == korean
    assert cause_words(cause, "en") == cause


@pytest.mark.parametrize(
    ("canary", "standing", "hits"),
    [
        (Canary("c", "q", must_fail=True), Standing(), [HIT]),
        (Canary("c", "q", must_fail=True, min_score=0.4), Standing(), [HIT]),
        (Canary("c", "q"), Standing(), []),
        (Canary("c", "q"), Standing(), [HIT]),
        (Canary("c", "q", min_score=0.4), Standing(), [HIT]),
        (Canary("c", "q", expect_path="x/y"), Standing(), [HIT]),
        (PINNED, Standing(), [HIT]),
        (PINNED, Standing(fate="deleted"), [HIT]),
        (PINNED, Standing(fate="changed", successors=(("개발", "결제.md"),)), [HIT]),
        (PINNED, Standing(places=(("개발", "결제.md"),), text="60초"), [HIT]),
        (PINNED, Standing(places=(("개발", "결제.md"),), text="30초", score=0.5), [HIT]),
        (PINNED, Standing(places=(("개발", "결제.md"),), text="30초", score=0.5), []),
        (PINNED, Standing(places=(("정책", "결제.md"),), text="30초", score=0.9), [HIT]),
    ],
)
def test_every_cause_of_the_judgement_has_korean_words(canary: Canary, standing: Standing, hits: list[Hit]) -> None:
    cause = judge(canary, standing, hits, calibration="x").cause
    assert any("가" <= letter <= "힣" for letter in cause_words(cause, "ko").replace("개발", "").replace("정책", ""))


def test_no_word_speaks_of_deletion() -> None:
    assert not any("삭제" in korean for korean, _ in (*WORDS.values(), *ALERT_WORDS.values()))
    assert word("gone", "ko") == "없어짐"
