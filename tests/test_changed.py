"""Which words differ between two texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.changed import CHARS, PLACES, WORDS, changes

WORD_LISTS = st.lists(st.sampled_from(["가", "나", "다", "라"]), max_size=30)


def test_changed_added_and_missing_words_are_named_in_order() -> None:
    assert changes("한도는 30초 이며 매주 적용", "한도는 60초 이며 적용 한다") == [
        ("30초", "60초"),
        ("매주", ""),
        ("", "한다"),
    ]


def test_what_is_told_is_bounded() -> None:
    long = changes("가 " + "나" * 500, "가 다")
    assert [len(old) for old, _ in long] == [CHARS] and long[0][0].endswith("…")
    many = changes(" ".join(f"같음{n} 가{n}" for n in range(50)), " ".join(f"같음{n} 나{n}" for n in range(50)))
    assert len(many) == PLACES and many[0] == ("가0", "나0")
    assert changes("가 " * (WORDS + 1), "나") == []


@given(WORD_LISTS, WORD_LISTS)
def test_equal_texts_alone_have_no_changes(a: list[str], b: list[str]) -> None:
    assert (changes(" ".join(a), " ".join(b)) == []) == (a == b)
    assert all(old != new for old, new in changes(" ".join(a), " ".join(b)))
