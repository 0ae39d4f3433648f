from __future__ import annotations

import pytest

from pipelines.names import has_copy_mark, parse_name


@pytest.mark.parametrize(
    "path",
    [
        "사본 - 예산안.xlsx",
        "복사본_예산안.xlsx",
        "예산안 - 복사본.xlsx",
        "예산안 - 복사본 (2).xlsx",
        "예산안(1).xlsx",
        "폴더/예산안 (12).hwp",
        "Copy of budget.xlsx",
        "Copy (2) of budget.xlsx",
        "budget - Copy.xlsx",
        "budget copy 2.docx",
        "메일/주문.eml!/견적 [1].xlsx",
    ],
)
def test_copy_marks_are_seen(path: str) -> None:
    assert has_copy_mark(path)


@pytest.mark.parametrize(
    "path",
    ["예산안.xlsx", "예산안(2026).xlsx", "사본.docx", "(1).pdf", "복사기 사용법.pdf", "copyright.txt", "사본/원본.txt"],
)
def test_other_names_are_no_copies(path: str) -> None:
    assert not has_copy_mark(path)


@pytest.mark.parametrize(
    ("path", "stem", "versions"),
    [
        ("기획서_v1.docx", "기획서", (("v", (1,)),)),
        ("기획서v1최종.docx", "기획서", (("v", (1,)),)),
        ("기획서 v1.10.hwp", "기획서", (("v", (1, 10)),)),
        ("기획서 Ver.2.0.hwp", "기획서", (("v", (2,)),)),
        ("기획서-ver-2.docx", "기획서", (("v", (2,)),)),
        ("기획서_버전3.hwp", "기획서", (("v", (3,)),)),
        ("계획서 2.0 버전.hwp", "계획서", (("v", (2,)),)),
        ("기획서ｖ２．docx", "기획서", (("v", (2,)),)),
        ("기획서（ｖ３）.docx", "기획서", (("v", (3,)),)),
        ("Proposalv2.docx", "proposal", (("v", (2,)),)),
        ("X_rev2.pdf", "x", (("rev", (2,)),)),
        ("기획서_r2.docx", "기획서", (("rev", (2,)),)),
        ("운영지침(개정2).hwp", "운영지침", (("rev", (2,)),)),
        ("취급방침 제2판.pdf", "취급방침", (("edition", (2,)),)),
        ("취급방침_3판.pdf", "취급방침", (("edition", (3,)),)),
        ("취급방침 개정3판.pdf", "취급방침", (("edition", (3,)),)),
        ("취급방침 초판.pdf", "취급방침", (("edition", (1,)),)),
        ("Guide 2nd edition.pdf", "guide", (("edition", (2,)),)),
        ("요구사항정의서_2차수정.hwp", "요구사항정의서", (("edit", (2,)),)),
        ("요구사항정의서 제3차 개정.hwp", "요구사항정의서", (("edit", (3,)),)),
        ("기획서_v2_rev3.docx", "기획서", (("v", (2,)), ("rev", (3,)))),
        ("[기획팀] 운영매뉴얼 v3.pdf", "기획팀 운영매뉴얼", (("v", (3,)),)),
        ("앱 v2 매뉴얼_v4.pdf", "앱 v2 매뉴얼", (("v", (4,)),)),
        ("API v2 문서.md", "api 문서", (("v", (2,)),)),
        ("2026년 계획_v1.hwp", "계획", (("v", (1,)),)),
        ("최종보고서_v1.hwp", "최종보고서", (("v", (1,)),)),
        ("예산 R2분기.xlsx", "예산 r2분기", ()),
        ("규정_개정2조.hwp", "규정 2조", ()),
        ("ipv6 안내.md", "ipv6 안내", ()),
        ("r2d2.md", "r2d2", ()),
        ("기획서_v2b.docx", "기획서 v2b", ()),
        ("계획_v20240110.docx", "계획", ()),
        ("최종.docx", "", ()),
    ],
)
def test_stem_and_versions(path: str, stem: str, versions: object) -> None:
    name = parse_name(path)
    assert (name.stem, name.versions) == (stem, versions)


@pytest.mark.parametrize(
    ("path", "weak"),
    [
        ("사업계획_1차.hwp", (("order", (1,)),)),
        ("기획서2.docx", (("number", (2,)),)),
        ("화면설계서_1.0.pptx", (("decimal", (1,)),)),
        ("설계서_rev.A1.pdf", (("letter", (0, 1)),)),
        ("iOS 15 대응.md", ()),
        ("기획서_v1_2.docx", ()),
    ],
)
def test_numbers_that_only_may_be_versions_are_kept_apart(path: str, weak: object) -> None:
    assert parse_name(path).weak == weak


@pytest.mark.parametrize(
    ("path", "final"),
    [
        ("기획서_v2_최종.docx", True),
        ("기획서_v2_20240110.docx", True),
        ("v2_기획서.docx", True),
        ("[v2] 기획서.docx", True),
        ("v2 기획서.docx", False),
        ("API v2 문서.md", False),
        ("기획서_v2_홍길동.docx", False),
        ("기획서.docx", False),
    ],
)
def test_a_version_is_the_documents_own_when_it_ends_the_name(path: str, final: bool) -> None:
    assert parse_name(path).final is final


@pytest.mark.parametrize(
    ("spelled", "day"),
    [
        ("계획서_20240110", (2024, 1, 10)),
        ("계획서 2024-01-10", (2024, 1, 10)),
        ("계획서_2024.01.10", (2024, 1, 10)),
        ("계획서_2024.1.10.", (2024, 1, 10)),
        ("계획서 2024년 1월 10일", (2024, 1, 10)),
        ("계획서_240110", (2024, 1, 10)),
        ("계획서_24.01.10", (2024, 1, 10)),
        ("계획서_20240110_1530", (2024, 1, 10)),
        ("계획서_0110", (0, 1, 10)),
        ("계획서 1월 10일", (0, 1, 10)),
    ],
)
def test_a_day_leaves_the_stem(spelled: str, day: object) -> None:
    name = parse_name(f"{spelled}.docx")
    assert (name.stem, name.days) == ("계획서", (day,))


@pytest.mark.parametrize(
    ("spelled", "periods"),
    [
        ("2026년", ("y2026",)),
        ("2026", ("y2026",)),
        ("26년", ("y2026",)),
        ("FY26", ("y2026",)),
        ("2026_Q1", ("q1", "y2026")),
        ("2026년 1분기", ("q1", "y2026")),
        ("2026-03", ("m3", "y2026")),
        ("2026년 3월", ("m3", "y2026")),
        ("March 2026", ("m3", "y2026")),
        ("상반기", ("h1",)),
        ("H2", ("h2",)),
        ("36주차", ("w36",)),
        ("W36", ("w36",)),
        ("9월 2주차", ("m9", "n2")),
        ("9월 둘째주", ("m9", "n2")),
    ],
)
def test_a_period_has_one_name_however_it_is_written(spelled: str, periods: object) -> None:
    name = parse_name(f"{spelled} 계획_v1.docx")
    assert (name.stem, name.periods) == ("계획", periods)


def test_words_of_state_leave_the_stem() -> None:
    marks = ("", "_최종", "_진짜최종", "_수정본2", "(안)", "_draft", "_old", "_결재완료")
    assert {parse_name(f"제안서{mark}.hwp").stem for mark in marks} == {"제안서"}


def test_a_word_of_state_before_a_noun_is_part_of_the_subject() -> None:
    assert parse_name("수정 마케팅 전략_v1.hwp").stem == "수정 마케팅 전략"
    assert parse_name("수정_마케팅 전략_v1.hwp").stem == "마케팅 전략"


def test_states_are_ordered_as_people_mean_them() -> None:
    names = ["_백업", "_초안", "", "_수정", "_최종", "_최종2", "_최종_수정", "_진짜최종", "_진짜진짜최종"]
    ranks = [parse_name(f"제안서{mark}.hwp").rank for mark in names]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)


@pytest.mark.parametrize(
    ("path", "series"),
    [
        ("회의록_v1.docx", "dated"),
        ("품질회의_2026-09-27.docx", "dated"),
        ("회의실 배치도.docx", ""),
        ("품질회의 운영방안.docx", ""),
        ("주간보고_36주차.xlsx", "dated"),
        ("release-notes-v1.md", "releases"),
        ("새벽 v3.2 변경사항.docx", "releases"),
        ("용역계약서_A사.hwp", "parties"),
        ("OrionMOU_v1.docx", "parties"),
        ("계약 시스템 기획서.hwp", ""),
        ("정산 시스템 기획서.hwp", ""),
        ("제안요청서.hwp", ""),
    ],
)
def test_a_series_is_known_by_its_word(path: str, series: str) -> None:
    assert parse_name(path).series == series


@pytest.mark.parametrize(
    ("path", "product"),
    [
        ("결제_API_v3.md", True),
        ("추천모델 v2.docx", True),
        ("빌드 목록_v3.1.md", True),
        ("마이그레이션 가이드 v2.md", True),
        ("모델 카드_v2.md", False),
        ("order-gateway-runbook-v4.md", False),
        ("앱 v2 매뉴얼_v4.pdf", False),
        ("API 문서.md", False),
    ],
)
def test_a_version_may_be_that_of_the_product_before_it(path: str, product: bool) -> None:
    assert parse_name(path).product is product
