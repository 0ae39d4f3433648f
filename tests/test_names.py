from __future__ import annotations

from datetime import date

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
        ("기획서_버전3.hwp", "기획서", (("v", (3,)),)),
        ("X_rev2.pdf", "x", (("rev", (2,)),)),
        ("취급방침 제2판.pdf", "취급방침", (("edition", (2,)),)),
        ("취급방침_3판.pdf", "취급방침", (("edition", (3,)),)),
        ("[공유] 운영매뉴얼 v3.pdf", "공유 운영매뉴얼", (("v", (3,)),)),
        ("사업계획_1차.hwp", "사업계획 1차", ()),
        ("예산 R2분기.xlsx", "예산 r2분기", ()),
        ("API v2 문서.md", "api 문서", (("v", (2,)),)),
        ("ipv6 안내.md", "ipv6 안내", ()),
        ("2026년 계획_v1.hwp", "2026년 계획", (("v", (1,)),)),
        ("최종.docx", "최종", ()),
        ("최종보고서_v1.hwp", "최종보고서", (("v", (1,)),)),
    ],
)
def test_stem_and_versions(path: str, stem: str, versions: object) -> None:
    name = parse_name(path)
    assert (name.stem, name.versions) == (stem, versions)


@pytest.mark.parametrize("spelled", ["계획서_20240110", "계획서 2024-01-10", "계획서_2024.01.10", "계획서_240110"])
def test_a_full_date_leaves_the_stem(spelled: str) -> None:
    name = parse_name(f"{spelled}.docx")
    assert (name.stem, name.day) == ("계획서", date(2024, 1, 10))


def test_words_of_state_leave_the_stem() -> None:
    assert {
        parse_name(f"제안서{mark}.hwp").stem for mark in ("", "_최종", "_진짜최종", "_수정본", "(안)", "_draft")
    } == {"제안서"}
