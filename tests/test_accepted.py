"""Which accepted redundancies hold, whatever else was accepted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.accepted import holding

BODIES = st.sampled_from("abcdef")
ACCEPTED = st.dictionaries(BODIES, st.sets(BODIES, min_size=1, max_size=3), max_size=6)


def test_an_acceptance_holds_only_while_all_that_covers_is_served() -> None:
    assert holding({"a": {"b", "c"}}, {"a", "b", "c"}) == {"a"}
    assert holding({"a": {"b", "c"}}, {"a", "b"}) == set()


def test_what_is_left_out_itself_covers_nothing() -> None:
    assert holding({"a": {"b"}, "b": {"c"}}, {"a", "b", "c"}) == {"b"}
    assert holding({"a": {"b"}, "b": {"c"}}, {"a", "b"}) == {"a"}
    assert holding({"a": {"b"}, "b": {"c"}, "c": {"d"}}, set("abcd")) == {"a", "c"}


def test_of_a_circle_all_stay() -> None:
    assert holding({"a": {"b"}, "b": {"a"}, "c": {"b"}}, {"a", "b", "c"}) == set()


@given(ACCEPTED, st.sets(BODIES))
def test_all_that_covers_what_leaves_is_served_and_stays(accepted: dict[str, set[str]], served: set[str]) -> None:
    leaving = holding(accepted, served)
    assert all(accepted[body] <= served - leaving for body in leaving)
    backwards = dict(reversed(list(accepted.items())))
    assert holding(backwards, served) == leaving
