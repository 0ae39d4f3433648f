from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.versions import Decisions, Named, replacements

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def named(path: str, body: str = "", chars: int = 1000, clock: datetime | None = None, says: str = "") -> Named:
    return Named("제안서", path, body or path, chars, clock, says)


def decide(*documents: Named, jaccard: float = 0.8, containment: float = 0.9) -> Decisions:
    return replacements(documents, lambda older, newer: (jaccard, containment))


def pairs(decisions: Decisions) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    automatic = [(edge.older_body, edge.newer_body) for edge in decisions.automatic]
    return automatic, [(edge.older_body, edge.newer_body) for edge in decisions.doubtful]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("기획서_v1.docx", "기획서_v2.docx"),
        ("기획서_v1.docx", "기획서_v3.hwpx"),
        ("기획서_V9.docx", "기획서_V10.docx"),
        ("기획서 v0.9.hwp", "기획서 v0.10.hwp"),
        ("기획서 v1.0.hwp", "기획서 v1.1.hwp"),
        ("기획서 v1.hwp", "기획서 v1.0.1.hwp"),
        ("X_rev2.pdf", "X_rev3.pdf"),
        ("API명세_ver2.1.docx", "API명세_ver2.2.docx"),
        ("결제_API_v2.md", "결제_API_v3.md"),
        ("제안요청서(v1).hwp", "제안요청서(v2).hwp"),
        ("[공유] 운영매뉴얼 v3.pdf", "[공유] 운영매뉴얼 v4.pdf"),
        ("서비스기획서_v1_20240110.docx", "서비스기획서_v2_20240215.docx"),
        ("취급방침 제2판.pdf", "취급방침 제3판.pdf"),
        ("취급방침_2판.pdf", "취급방침_3판.pdf"),
        ("proposal_v1.docx", "proposal_v2_final.docx"),
        ("proposal v1.docx", "Proposal V2.pdf"),
        ("기획서v1.docx", "기획서v2.docx"),
        ("기획서_버전1.docx", "기획서_버전2.docx"),
        ("기획서_v1_초안.docx", "기획서_v2.docx"),
        ("기획서_v1.docx", "기획서_v2_최종.docx"),
        ("2026년 사업계획서_v1.hwp", "2026년 사업계획서_v2.hwp"),
        ("정산 시스템 기획서_v1.hwp", "정산 시스템 기획서_v2.hwp"),
    ],
)
def test_an_explicit_later_version_replaces(older: str, newer: str) -> None:
    assert pairs(decide(named(newer), named(older))) == ([(older, newer)], [])


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("기획서_v1.docx", "기획서_v2_초안.docx"),
        ("기획서_v1.docx", "기획서_v2_검토용.docx"),
        ("기획서_v1.docx", "기획서_v2_draft.docx"),
        ("기획서_v1.docx", "기획서_v2_WIP.docx"),
        ("지침_v1.hwp", "지침_v2(안).hwp"),
        ("지침_v1.hwp", "지침_v2_개정안.hwp"),
        ("지침_v1.hwp", "지침_v2_의견수렴.hwp"),
        ("지침_v1_시행.hwp", "지침_v2.hwp"),
        ("지침_v1_확정.hwp", "지침_v2.hwp"),
        ("사업계획서_v1_최종.docx", "사업계획서_v2.docx"),
        ("채용공고_v1.hwp", "채용공고_v2.hwp"),
        ("기획서_v1.docx", "기획서_v2 (1).docx"),
        ("기획서_v1_20240215.docx", "기획서_v2_20240110.docx"),
        ("제안서_최종.docx", "제안서_진짜최종.hwpx"),
        ("제안서_초안.docx", "제안서_최종.docx"),
        ("제안서.docx", "제안서_최종.docx"),
        ("제안서.docx", "제안서_v2.docx"),
        ("보고서.docx", "보고서(1).docx"),
        ("예산안.xlsx", "사본 - 예산안.xlsx"),
        ("계획서_20240110.docx", "계획서_20240215.docx"),
        ("계획서_240110.docx", "계획서_240215.docx"),
        ("기획서_v3.docx", "기획서_v3_수정.docx"),
        ("매뉴얼_v2.docx", "매뉴얼_rev3.docx"),
    ],
)
def test_a_doubtful_pair_is_only_asked_about(older: str, newer: str) -> None:
    automatic, doubtful = pairs(decide(named(newer), named(older)))
    assert automatic == []
    assert [set(pair) for pair in doubtful] == [{older, newer}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("회의록_2026-09-01.docx", "회의록_2026-09-08.docx"),
        ("회의록_v1.docx", "회의록_v2.docx"),
        ("주간보고_v1.xlsx", "주간보고_v2.xlsx"),
        ("용역계약서_v1.hwp", "용역계약서_v2.hwp"),
        ("계약_v1.hwp", "계약_v2.hwp"),
        ("릴리스노트 v3.1.md", "릴리스노트 v3.2.md"),
        ("release-notes-v1.md", "release-notes-v2.md"),
        ("invoice_v1.pdf", "invoice_v2.pdf"),
        ("2025년 사업계획서_v1.hwp", "2026년 사업계획서_v2.hwp"),
        ("1분기 실적_v1.pptx", "2분기 실적_v2.pptx"),
        ("교육자료 1차.pptx", "교육자료 2차.pptx"),
        ("요구사항 1차.hwp", "요구사항 2차.hwp"),
        ("기획서_v1.docx", "제안서_v2.docx"),
        ("가/기획서_v1.docx", "나/기획서_v2.docx"),
        ("계약서_A사.hwp", "계약서_B사.hwp"),
    ],
)
def test_other_names_are_left_alone_and_not_compared(one: str, other: str) -> None:
    def never(older: str, newer: str) -> tuple[float, float]:
        raise AssertionError((older, newer))

    assert replacements([named(one), named(other)], never) == Decisions((), ())


def test_a_chain_is_replaced_step_by_step() -> None:
    names = ["기획서_v10.docx", "기획서_v1.docx", "기획서_v2.docx"]
    assert pairs(decide(*map(named, names))) == ([(names[1], names[2]), (names[2], names[0])], [])


def test_a_draft_is_passed_over_for_the_version_after_it() -> None:
    names = ["기획서_v1.docx", "기획서_v2_초안.docx", "기획서_v3.docx"]
    assert pairs(decide(*map(named, names)))[0] == [(names[0], names[2]), (names[1], names[2])]


def test_texts_that_differ_are_asked_about_and_unlike_ones_are_not() -> None:
    two = named("기획서_v1.docx"), named("기획서_v2.docx")
    assert pairs(decide(*two, jaccard=0.6, containment=0.1))[0]
    assert pairs(decide(*two, jaccard=0.1, containment=0.85))[0]
    assert pairs(decide(*two, jaccard=0.59, containment=0.84)) == ([], [("기획서_v1.docx", "기획서_v2.docx")])
    assert pairs(decide(*two, jaccard=0.39, containment=0.79)) == ([], [])


def why(older: Named, newer: Named) -> str:
    decisions = decide(older, newer)
    assert decisions.automatic == ()
    return decisions.doubtful[0].evidence


def test_length_clock_and_own_words_forbid_it() -> None:
    assert "half as long" in why(named("a_v1.md", chars=1000), named("a_v2.md", chars=499))
    assert "own clock" in why(named("a_v1.md", clock=LATE), named("a_v2.md", clock=EARLY))
    assert "newer says 초안" in why(named("a_v1.md"), named("a_v2.md", says="결제 규정 초안"))
    assert "older says 시행" in why(named("a_v1.md", says="시행"), named("a_v2.md"))
    assert decide(named("a_v1.md"), named("a_v2.md", chars=0)) == Decisions((), ())


def test_every_name_of_a_body_is_heard() -> None:
    in_force = named("규정/지침_시행.hwp", body="old")
    decisions = decide(named("a_v1.md", body="old"), named("a_v2.md", body="new"), in_force)
    assert decisions.automatic == () and "older says 시행" in decisions.doubtful[0].evidence


def test_a_version_that_came_back_is_not_replaced_by_the_one_between() -> None:
    back = [named("a_v1.md", body="X"), named("a_v2.md", body="Y"), named("a_v3.md", body="X")]
    assert pairs(decide(*back))[0] == [("Y", "X")]


def test_folders_that_disagree_replace_nothing() -> None:
    documents = [
        named("가/a_v1.md", body="X"),
        named("가/a_v2.md", body="Y"),
        named("나/a_v1.md", body="Y"),
        named("나/a_v2.md", body="X"),
    ]
    automatic, doubtful = pairs(decide(*documents))
    assert automatic == [] and len(doubtful) == 2


NAMES = st.lists(
    st.sampled_from(
        [f"{stem}{mark}.md" for stem in ("a", "b") for mark in ("", "_v1", "_v2", "_v10", "_최종", "_v3_초안")]
    ),
    unique=True,
)


@given(NAMES, st.integers(0, 99))
def test_decisions_do_not_depend_on_the_order_of_documents(names: list[str], seed: int) -> None:
    documents = [named(name) for name in names]
    shuffled = random.Random(seed).sample(documents, len(documents))
    assert decide(*shuffled) == decide(*documents)
