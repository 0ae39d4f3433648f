from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pipelines.dedup import Copy, representatives

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
FIRST = Copy("제안서", "계획.docx", "aa", first_seen=EARLY, source_order=0, modified_at=LATE)

COPIES = st.builds(
    Copy,
    st.sampled_from(["가", "나"]),
    st.sampled_from(["a.docx", "a (1).docx", "b.hwp", "사본 - b.hwp", "c/a.docx"]),
    st.sampled_from(["aa", "bb", "cc"]),
    first_seen=st.sampled_from([EARLY, LATE]),
    source_order=st.integers(0, 1),
    modified_at=st.sampled_from([None, EARLY, LATE]),
    sound=st.booleans(),
)


@given(st.lists(COPIES, max_size=12, unique_by=lambda copy: (copy.source, copy.path)), st.randoms())
def test_groups_do_not_depend_on_the_order_of_documents(copies: list[Copy], random: object) -> None:
    shuffled = list(copies)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    groups = representatives(copies)
    assert representatives(shuffled) == groups
    assert sorted(map(repr, copies)) == sorted(repr(member) for group in groups for member in group.members)
    assert len({group.body_hash for group in groups}) == len(groups)


@given(st.lists(COPIES, min_size=2, max_size=12, unique_by=lambda copy: (copy.source, copy.path)))
def test_when_the_first_goes_the_next_serves(copies: list[Copy]) -> None:
    for group in representatives(copies):
        left = [copy for copy in copies if copy != group.representative]
        after = {other.body_hash: other for other in representatives(left)}
        if len(group.members) > 1:
            assert after[group.body_hash].members == group.members[1:]


def decided(*copies: Copy) -> tuple[str, str]:
    (group,) = representatives(copies)
    return group.representative.path, group.reason


def test_a_copy_made_later_never_takes_over() -> None:
    older_by_clock = replace(FIRST, path="a.docx", first_seen=LATE, modified_at=EARLY)
    assert decided(older_by_clock, FIRST) == ("계획.docx", "seen first")


def test_a_copy_that_can_be_read_goes_before_one_that_cannot() -> None:
    assert decided(replace(FIRST, sound=False), replace(FIRST, path="사본.docx", first_seen=LATE)) == (
        "사본.docx",
        "can be read",
    )


def test_within_a_run_marks_then_clocks_then_sources_then_paths_decide() -> None:
    assert decided(FIRST, replace(FIRST, path="계획 (1).docx", modified_at=EARLY)) == ("계획.docx", "no copy mark")
    assert decided(FIRST, replace(FIRST, path="나.docx", modified_at=EARLY)) == ("나.docx", "older embedded time")
    assert decided(FIRST, replace(FIRST, path="가.docx", modified_at=None)) == ("계획.docx", "older embedded time")
    assert decided(FIRST, replace(FIRST, path="가.docx", source_order=1)) == ("계획.docx", "source order")
    assert decided(FIRST, replace(FIRST, path="가.docx")) == ("가.docx", "path")
    assert decided(FIRST) == ("계획.docx", "only one")
