from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import version_content
from pipelines.near import Edge
from pipelines.version_holders import nearest
from pipelines.version_rule import Member, member
from pipelines.versions import Decisions, Named, Pair, replacements

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def named(path: str, body: str = "", chars: int = 1000, clock: datetime | None = None, says: str = "") -> Named:
    return Named("제안서", path, body or path, chars, clock, says)


def decide(*documents: Named, jaccard: float = 0.8, containment: float = 0.9) -> Decisions:
    return replacements(documents, lambda older, newer: (jaccard, containment))


def alike(*documents: Named, kind: str = "near") -> Decisions:
    """Decide over documents whose bodies are all near one another, or contained."""
    bodies = sorted({document.body_hash for document in documents})
    edges = [Edge(a, b, kind, 0.95, 0.97, 0.97) for a, b in itertools.combinations(bodies, 2)]  # type: ignore[arg-type]
    return replacements(documents, lambda older, newer: (0.0, 0.0), edges=edges)


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
        ("화면명세_ver2.1.docx", "화면명세_ver2.2.docx"),
        ("기획서ｖ１．docx", "기획서 v2.docx"),
        ("요구사항정의서 1차수정.hwp", "요구사항정의서 2차수정.hwp"),
        ("운영지침(개정1).hwp", "운영지침(개정2).hwp"),
        ("2026_Q1 계획_v1.pptx", "2026년 1분기 계획_v2.pptx"),
        ("기획서_v2_rev1.docx", "기획서_v2_rev2.docx"),
        ("v1_기획서.docx", "v2_기획서.docx"),
        ("기획서-v1.docx", "기획서–v2.docx"),
        ("기획서_v1_공유.docx", "기획서_v2_공유.docx"),
        ("앱 v2 매뉴얼_v1.pdf", "앱 v2 매뉴얼_v2.pdf"),
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
        ("지침_v1.hwp", "지침_v2_회람용.hwp"),
        ("지침_v1.hwp", "지침_v2_회람.hwp"),
        ("지침_v1_공유.hwp", "지침_v2_공유용.hwp"),
        ("지침_v1.hwp", "지침_v2_송부용.hwp"),
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
        ("서버실 R1_v1.hwp", "서버실 R2_v2.hwp"),
        # The version may be that of the thing described.
        ("결제_API_v2.md", "결제_API_v3.md"),
        ("API v1 문서.md", "API v2 문서.md"),
        # What stands beside the version differs.
        ("기획서_v1_홍길동.docx", "기획서_v2_김철수.docx"),
        ("기획서_v1.docx", "기획서_v2_예산반영.docx"),
        ("기획서_v1.docx", "홍길동_기획서_v2.docx"),
        ("기획서_v1.docx", "제출_기획서_v2.docx"),
        ("기획서_v1.docx", "★기획서_v2.docx"),
        ("v1 기획서.docx", "v2 기획서.docx"),
        ("v1.docx", "v2.docx"),
        ("기획서_v1.docx", "기획서_v2_old.docx"),
        ("지침_v1.hwp", "지침_v2_작성중.hwp"),
        ("지침_v1.hwp", "지침_v2 (수정 중).hwp"),
        ("추천모델 v1.hwp", "추천모델 v2.hwp"),
        ("지침_v1.hwp", "지침_v2_RC1.hwp"),
        ("지침_v1_결재완료.hwp", "지침_v2.hwp"),
        ("시행/지침_v1.hwp", "시행/지침_v2.hwp"),
        # A day before the version may say which of several it is.
        ("2026-03-02_예산_v1.xlsx", "2026-04-02_예산_v2.xlsx"),
        ("화면설계서_1.0.pptx", "화면설계서_1.1.pptx"),
        ("설계서_rev.A.pdf", "설계서_rev.B.pdf"),
        ("요구사항_1차 초안.hwp", "요구사항_2차 초안.hwp"),
        # Versions of one contract, and of the minutes of one day.
        ("용역계약서_v1.hwp", "용역계약서_v2.hwp"),
        ("회의록_2026-09-01_v1.docx", "회의록_2026-09-01_v2.docx"),
        ("주간보고_36주차_v1.xlsx", "주간보고_36주차_v2.xlsx"),
        ("회의록_v1.docx", "회의록_v2.docx"),
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
        ("회의록_2026-09-01_v1.docx", "회의록_2026-09-08_v2.docx"),
        ("주간보고_36주차.xlsx", "주간보고_37주차.xlsx"),
        ("릴리스노트 v3.1.md", "릴리스노트 v3.2.md"),
        ("release-notes-v1.md", "release-notes-v2.md"),
        ("영수증_240901.pdf", "영수증_240902.pdf"),
        ("invoice_2026_07.pdf", "invoice_2026_08.pdf"),
        ("2025년 사업계획서_v1.hwp", "2026년 사업계획서_v2.hwp"),
        ("2025년 사업계획서.hwp", "2026년 사업계획서.hwp"),
        ("1분기 전망_v1.pptx", "2분기 전망_v2.pptx"),
        ("Q1 report.pptx", "Q2 report.pptx"),
        ("상반기 계획_v1.hwp", "하반기 계획_v2.hwp"),
        ("계획 7월_v1.hwp", "계획 8월_v2.hwp"),
        ("교육자료 1차.pptx", "교육자료 2차.pptx"),
        ("뉴스레터 12호.pdf", "뉴스레터 13호.pdf"),
        ("iOS 15 대응.md", "iOS 16 대응.md"),
        ("앱 v2 매뉴얼_v4.pdf", "앱 v3 매뉴얼_v1.pdf"),
        ("기획서_v1.docx", "제안서_v2.docx"),
        ("결제 기획서_v1.docx", "정산 기획서_v2.docx"),
        ("2025/지침_v1.hwp", "2026/지침_v2.hwp"),
        ("계약서_A사.hwp", "계약서_B사.hwp"),
        ("제안서.hwp", "제안서.pdf"),
    ],
)
def test_other_names_are_left_alone_and_not_compared(one: str, other: str) -> None:
    def never(older: str, newer: str) -> tuple[float, float]:
        raise AssertionError((older, newer))

    assert replacements([named(one), named(other)], never) == Decisions((), ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("회의록_2026-09-01.docx", "회의록_2026-09-08.docx"),
        ("주간보고 36주차.docx", "주간보고 37주차.docx"),
        ("2025년 사업계획서.hwp", "2026년 사업계획서.hwp"),
        ("계약서_A사.hwp", "계약서_B사.hwp"),
        ("서울지점안내.hwp", "부산지점안내.hwp"),
        ("제안서_국문.hwp", "제안서_영문.hwp"),
        ("제안서.hwp", "제안서 요약.hwp"),
        ("iOS 15 대응.md", "iOS 16 대응.md"),
        ("제안서.hwp", "제안서.pdf"),
        ("2025/지침.hwp", "2026/지침.hwp"),
        ("가/제안서.hwp", "나/전혀다른글.hwp"),
        ("원본/제안서.hwp", "배포/제안서.pdf"),
    ],
)
def test_like_texts_of_a_series_another_period_or_subject_are_not_asked_about(one: str, other: str) -> None:
    assert alike(named(one), named(other)) == Decisions((), ())


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("기획서.docx", "기획서2.docx"),
        ("요구사항 1차.hwp", "요구사항 2차.hwp"),
        ("운영매뉴얼.docx", "운영메뉴얼.docx"),
        ("제안서.docx", "새벽상회 제안서.docx"),
        ("가/기획서_v1.docx", "나/기획서_v2.docx"),
        ("가/보고서.docx", "나/보고서.docx"),
        ("사업계획서.hwp", "2026년 사업계획서.hwp"),
        ("문서.docx", "가맹점 안내.docx"),
    ],
)
@pytest.mark.parametrize("kind", ["near", "contains"])
def test_like_texts_under_close_or_other_names_are_asked_about(older: str, newer: str, kind: str) -> None:
    automatic, doubtful = pairs(alike(named(newer, clock=LATE), named(older, clock=EARLY), kind=kind))
    assert (automatic, doubtful) == ([], [(older, newer)])


def test_forms_that_are_filled_in_are_not_asked_about() -> None:
    forms = [named(f"{name}.hwp") for name in ("김가온", "박나래", "이다온", "최라온", "정마루")]
    assert alike(*forms) == Decisions((), ())


def test_in_different_folders_versions_are_only_asked_about() -> None:
    two = named("가/기획서_v1.docx"), named("나/기획서_v2.docx")
    asked = [("가/기획서_v1.docx", "나/기획서_v2.docx")]
    assert pairs(decide(*two, jaccard=0.6, containment=0.6)) == ([], asked)
    assert pairs(decide(*two, jaccard=0.59, containment=0.99)) == ([], [])


def test_a_name_that_many_folders_hold_is_not_compared() -> None:
    assert decide(*(named(f"{folder}/README.md") for folder in "가나다라마")) == Decisions((), ())


def compared(*documents: Named, edges: Sequence[Edge] = ()) -> tuple[Decisions, int]:
    """Return what is decided of documents with little in common, and how many pairs were compared."""
    asked = []

    def similarity(older: str, newer: str) -> tuple[float, float]:
        asked.append((older, newer))
        return 0.1, 0.1

    return replacements(documents, similarity, edges=edges), len(asked)


def test_daily_files_in_two_folders_are_compared_by_content_only() -> None:
    days = [f"{month:02}{day:02}" for month in range(1, 13) for day in range(1, 29)]
    daily = [named(f"{folder}/현황_2026{day}.md") for folder in ("가", "나") for day in days]
    assert compared(*daily) == (Decisions((), ()), 0)
    pair = "가/현황_20260105.md", "나/현황_20260105.md"
    decided, _ = compared(*daily, edges=[Edge(*pair, "near", 0.95, 0.97, 0.97)])
    assert pairs(decided) == ([], [pair])


def test_of_long_chains_in_two_folders_or_under_two_names_only_the_next_are_compared() -> None:
    numbers = range(1, 101)
    folders = [named(f"{folder}/기획서_v{n}.md") for folder in ("가", "나") for n in numbers]
    names = [named(f"{name}_v{n}.md") for name in ("기획서", "홍길동_기획서") for n in numbers]
    assert compared(*folders)[1] <= 12 * len(folders) and compared(*names)[1] <= 32 * len(names)


def test_of_bodies_that_hundreds_of_folders_hold_few_pairs_of_names_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    def noted(a: Member, b: Member) -> bool:
        seen.append(a.folder)
        return True

    monkeypatch.setattr(version_content, "apart", noted)
    held = [named(f"{n}/{name}.md", body=name) for n in range(300) for name in ("제안서", "새벽상회 제안서")]
    assert alike(*held) == Decisions((), ()) and len(seen) < 500


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("가나"), st.sampled_from("12")), min_size=2))
def test_the_nearest_of_all_holders_are_found_without_their_product(drawn: list[tuple[str, str, str]]) -> None:
    members = [member(Named(source, f"{folder}/{name}.md", name, 1)) for source, folder, name in drawn]
    mine, theirs = members[: len(members) // 2], members[len(members) // 2 :]

    def distance(a: Member, b: Member) -> tuple[object, ...]:
        far = 2 if a.document.source != b.document.source else int(a.folder != b.folder)
        return far, a.place, b.place

    assert distance(*nearest(mine, theirs)) == min(distance(a, b) for a in mine for b in theirs)


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
    assert (
        pairs(decide(*two, jaccard=0.15, containment=0.1))[1] and pairs(decide(*two, jaccard=0.1, containment=0.4))[1]
    )
    assert pairs(decide(*two, jaccard=0.14, containment=0.39)) == ([], [])
    states = named("기획서_초안.docx"), named("기획서_최종.docx")
    assert pairs(decide(*states, jaccard=0.4, containment=0.1))[1]
    assert pairs(decide(*states, jaccard=0.39, containment=0.79)) == ([], [])


def test_figures_are_kept_as_they_were_decided_on() -> None:
    (asked,) = decide(named("기획서_v1.docx"), named("기획서_v2.docx"), jaccard=0.59996, containment=0.1).doubtful
    assert asked.evidence["jaccard"] == 0.59996


def test_another_text_between_two_versions_ends_the_search() -> None:
    one, between, three = named("기획서_v1.docx"), named("기획서_v2.docx"), named("기획서_v3.docx")

    def similarity(older: str, newer: str) -> tuple[float, float]:
        return (0.1, 0.2) if "v2" in older + newer else (0.9, 0.9)

    decided = replacements([one, between, three], similarity)
    assert pairs(decided) == ([], [("기획서_v1.docx", "기획서_v3.docx")])


def why(older: Named, newer: Named) -> str:
    decisions = decide(older, newer)
    assert decisions.automatic == ()
    return decisions.doubtful[0].why


def test_length_clock_and_own_words_forbid_it() -> None:
    assert "half as long" in why(named("a_v1.md", chars=1000), named("a_v2.md", chars=499))
    assert "own clock" in why(named("a_v1.md", clock=LATE), named("a_v2.md", clock=EARLY))
    assert "newer says 초안" in why(named("a_v1.md"), named("a_v2.md", says="결제 규정 초안"))
    assert "older says 시행" in why(named("a_v1.md", says="시행"), named("a_v2.md"))
    assert "can't be read" in why(named("a_v1.md"), replace(named("a_v2.md"), sound=False))
    assert decide(named("a_v1.md"), named("a_v2.md", chars=0)) == Decisions((), ())


def test_every_name_of_a_body_is_heard() -> None:
    in_force = named("규정/지침_시행.hwp", body="old")
    decisions = decide(named("a_v1.md", body="old"), named("a_v2.md", body="new"), in_force)
    assert decisions.automatic == () and "older says 시행" in decisions.doubtful[0].why


def test_a_version_that_came_back_is_not_replaced_by_the_one_between() -> None:
    back = [named("a_v1.md", body="X"), named("a_v2.md", body="Y"), named("a_v3.md", body="X")]
    assert pairs(decide(*back))[0] == [("Y", "X")]


def test_a_body_with_a_later_version_elsewhere_is_not_replaced() -> None:
    documents = [named("가/a_v1.md", body="X"), named("가/a_v2.md", body="Y"), named("나/a_v3.md", body="X")]
    assert "later version elsewhere" in decide(*documents).doubtful[0].why


def test_folders_that_disagree_replace_nothing() -> None:
    documents = [
        named("가/a_v1.md", body="X"),
        named("가/a_v2.md", body="Y"),
        named("나/a_v1.md", body="Y"),
        named("나/a_v2.md", body="X"),
    ]
    automatic, doubtful = pairs(decide(*documents))
    assert automatic == [] and len(doubtful) == 1


# What persons say


def answered(*documents: Named, accepted: Sequence[Pair] = (), rejected: Sequence[Pair] = ()) -> Decisions:
    return replacements(documents, lambda older, newer: (0.8, 0.9), accepted=accepted, rejected=rejected)


def accepted_pairs(decisions: Decisions) -> list[Pair]:
    return [(one.older_body, one.newer_body) for one in decisions.accepted]


def test_what_a_person_accepted_stands_and_is_not_asked_again() -> None:
    two = named("제안서_초안.docx", body="X"), named("제안서_최종.docx", body="Y")
    assert answered(*two).doubtful and not answered(*two).accepted
    decided = answered(*two, accepted=[("X", "Y")])
    assert accepted_pairs(decided) == [("X", "Y")] and decided.doubtful == decided.automatic == ()
    assert not answered(two[0], accepted=[("X", "Y")]).accepted


def test_what_a_person_turned_down_is_neither_replaced_nor_asked_in_any_direction() -> None:
    two = named("기획서_v1.docx", body="X"), named("기획서_v2.docx", body="Y")
    for rejected in (("X", "Y"), ("Y", "X")):
        assert not answered(*two, rejected=[rejected]).doubtful
        assert not answered(*two, rejected=[rejected]).automatic


def test_what_a_person_took_out_of_search_stays_in_its_chain_and_is_not_asked_about() -> None:
    chain = [named(f"기획서_v{n}.docx", body=f"X{n}") for n in (1, 2, 3)]
    decided = replacements(chain, lambda older, newer: (0.8, 0.9), away={"X2"})
    assert pairs(decided)[0] == [("X1", "X2"), ("X2", "X3")]
    two = named("제안서_초안.docx", body="X"), named("제안서_최종.docx", body="Y")
    assert not replacements(two, lambda older, newer: (0.8, 0.9), away={"Y"}).doubtful


def test_what_a_person_kept_is_only_asked_about_when_the_next_version_comes() -> None:
    three = [named(f"기획서_v{n}.docx", body=f"X{n}") for n in (1, 2, 3)]
    decided = answered(*three, rejected=[("X1", "X2")])
    assert pairs(decided) == ([("X2", "X3")], [("X1", "X3")])


def test_a_person_goes_before_the_rule() -> None:
    two = named("기획서_v1.docx", body="X"), named("기획서_v2.docx", body="Y")
    decided = answered(*two, accepted=[("Y", "X")])
    assert accepted_pairs(decided) == [("Y", "X")] and decided.automatic == ()


def test_of_answers_that_go_in_a_circle_the_newest_stands() -> None:
    two = named("제안서_초안.docx", body="X"), named("제안서_최종.docx", body="Y")
    assert accepted_pairs(answered(*two, accepted=[("Y", "X"), ("X", "Y")])) == [("Y", "X")]


# Laws

STEMS = ("기획서", "회의록", "2026년 1분기 보고", "API 문서", "계약서", "주간보고")
MARKS = ("", "_v1", "_v2", "_v10", "_최종", "_v3_초안", "_v2 (1)", "_20260301", "_v3_20260401", "_rev2", "_v2(안)", "2")
NAMES = st.lists(
    st.sampled_from([f"{folder}{stem}{mark}.md" for folder in ("", "가/") for stem in STEMS for mark in MARKS]),
    unique=True,
    max_size=12,
)


@given(NAMES, st.integers(0, 99))
def test_decisions_do_not_depend_on_the_order_of_documents(names: list[str], seed: int) -> None:
    documents = [named(name, body=name[-9:-3]) for name in names]
    shuffled = random.Random(seed).sample(documents, len(documents))
    assert decide(*shuffled) == decide(*documents)
    assert alike(*shuffled) == alike(*documents)


@given(NAMES)
def test_no_series_draft_or_copy_replaces_by_itself_and_nothing_without_a_version(names: list[str]) -> None:
    for edge in decide(*map(named, names)).automatic:
        for path in (edge.older[1], edge.newer[1]):
            assert not any(word in path for word in ("회의록", "주간보고", "계약서", "API", "(1)", "최종"))
            assert "_v" in path or "_rev" in path
        assert "초안" not in edge.newer[1] and "(안)" not in edge.newer[1]


@given(NAMES)
def test_there_is_one_question_for_an_older_body_and_none_about_what_is_replaced(names: list[str]) -> None:
    decided = decide(*map(named, names))
    older = [edge.older_body for edge in decided.doubtful]
    replaced = {edge.older_body for edge in decided.automatic}
    assert len(older) == len(set(older))
    assert not replaced & {body for edge in decided.doubtful for body in (edge.older_body, edge.newer_body)}


@given(NAMES)
def test_replacements_never_lead_back(names: list[str]) -> None:
    decided = decide(*(named(name, body=name[-8:-3]) for name in names))
    later: dict[str, set[str]] = {}
    for edge in decided.automatic:
        later.setdefault(edge.older_body, set()).add(edge.newer_body)
    for start in later:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            found = later.get(waiting.pop(), set()) - seen
            seen |= found
            waiting += found
        assert start not in seen
