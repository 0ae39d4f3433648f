"""What explicit version names hide: each of these older documents is true, and a person is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from team import Team, prose

from pipelines.version_claims import claims_of
from pipelines.versions import Decisions, Named, replacements

TODAY = date(2026, 11, 30)
Front = dict[str, str]


def named(path: str, title: str = "", front: Front | None = None, body: str = "", source: str = "자료") -> Named:
    claims = claims_of(title, front or {})
    says = " ".join([title, *claims.statuses])
    return Named(source, f"{path}.md", body or path, 1000, None, says, claims=claims)


def decide(*documents: Named) -> Decisions:
    return replacements(documents, lambda older, newer: (0.95, 0.98), today=TODAY)


def is_asked(older: Named, newer: Named, *others: Named) -> bool:
    decisions = decide(older, newer, *others)
    pairs = [(one.older_body, one.newer_body) for one in decisions.doubtful]
    return decisions.automatic == () and (older.body_hash, newer.body_hash) in pairs


def is_replaced(older: Named, newer: Named, *others: Named) -> bool:
    automatic = decide(older, newer, *others).automatic
    return [(one.older_body, one.newer_body) for one in automatic] == [(older.body_hash, newer.body_hash)]


@pytest.mark.parametrize(
    "pair",
    [
        "라우터 설정_R1 | 라우터 설정_R2",
        "회의실 안내_R1 | 회의실 안내_R2",
        "[R1] 출입 안내 | [R2] 출입 안내",
        "취급 지침_R22 | 취급 지침_R32",
        "할인율_R10 | 할인율_R20",
        "충전 지침_V110 | 충전 지침_V220",
        "운영 지침_v8 | 운영 지침_v17",
        "방화벽 정책_v4 | 방화벽 정책_v6",
        "배치안내_v25.12 | 배치안내_v26.1",
        "서버 지침_v22.04 | 서버 지침_v24.04",
        "과업변경 1차 | 과업변경 2차",
        "SNMP_v2 | SNMP_v3",
        "yolo_v5 | yolo_v8",
        "학습 환경 CUDA v11 | 학습 환경 CUDA v12",
        "Kubernetes 운영 가이드_v1.28 | Kubernetes 운영 가이드_v1.29",
        "FHIR 연동 가이드_R4 | FHIR 연동 가이드_R5",
        "웹훅 규격_v1 | 웹훅 규격_v2",
        "연동규격서_v1.0 | 연동규격서_v2.0",
        "회로도 설명_rev1 | 회로도 설명_rev2",
        "밸브 사양_V1 | 밸브 사양_V2",
        "스피커 V5 | 스피커 V8",
        "셋톱박스 설치 가이드_v2 | 셋톱박스 설치 가이드_v3",
        "보험약관_v1 | 보험약관_v2",
        "요금제_v1 | 요금제_v2",
        "버그 관리 지침_v1 | 버그 관리 지침_v2",
        "버전별 차이_v1 | 버전별 차이_v2",
        "앱 심사 노트_v1 | 앱 심사 노트_v2",
        "이사회 의안_v1 | 이사회 의안_v2",
        "로고 제안_v1 | 로고 제안_v2",
        "광고 문안_v1 | 광고 문안_v2",
        "이메일 템플릿_v1 | 이메일 템플릿_v2",
        "모의고사_v1 | 모의고사_v2",
        "설문_v1 | 설문_v2",
        "시말서_v1 | 시말서_v2",
        "여비규정_v1 | 여비규정_v2_20270701",
        "여비규정_v1 | 여비규정_v2 (시행 예정)",
        "여비규정_v1 | 여비규정_v2_결재 대기",
        "여비규정_v1 | 여비규정_v2_보류",
    ],
)
def test_numbers_that_may_count_something_else_are_asked_about(pair: str) -> None:
    older, newer = pair.split(" | ")
    assert is_asked(named(older), named(newer))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("가온은행 차세대 제안서", "누리보험 콜센터 제안서"),
        ("대전공장 보고서", "광주공장 보고서"),
        ("2025년 예산", "2026년 예산"),
        ("1분기 예산", "2분기 예산"),
        ("운영지침 (현장용)", "운영지침 (본사용)"),
        ("A안", "B안"),
        ("설명 1차", "설명 2차"),
        ("Guide", "Guide (English)"),
        ("운영지침 v3", "운영지침 v2"),
        ("취업규칙", "취업규칙 (2027년 7월 1일 시행 예정)"),
        ("취업규칙", "취업규칙 2027. 7. 1."),
        ("정책", "정책(초안)"),
        ("결제 연동 규격", "결제 연동 규격"),
        ("용역 계약서", "용역 계약서"),
    ],
)
def test_titles_that_are_of_two_things_are_asked_about(older: str, newer: str) -> None:
    assert is_asked(named("자료_v1", older), named("자료_v2", newer))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("", ""),
        ("", "운영지침"),
        ("운영지침", "운영지침"),
        ("운영지침 v1", "운영지침 v2"),
        ("운영 지침 (초안)", "운영지침_v2"),
        ("운영지침 2026. 3. 1.", "운영지침 2026. 9. 1."),
    ],
)
def test_titles_that_differ_in_version_state_and_day_only_say_nothing_against_it(older: str, newer: str) -> None:
    assert is_replaced(named("자료_v1", older), named("자료_v2", newer))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ({"상태": "승인"}, {}),
        ({"상태": "현행"}, {"상태": "상신"}),
        ({"status": "active"}, {"status": "approved"}),
        ({}, {"상태": "승인 대기"}),
        ({}, {"상태": "2차 부서 의견"}),
        ({}, {"status": "pending legal"}),
        ({}, {"Status": "In review"}),
        ({}, {"state": "new"}),
        ({}, {"문서 상태": "초안"}),
        ({}, {"draft": "true"}),
        ({}, {"published": "false"}),
        ({}, {"시행일": "2027-07-01"}),
        ({}, {"시행일": "미정"}),
        ({}, {"effective": "2027-07-01"}),
        ({"프로젝트": "가온은행"}, {"프로젝트": "누리보험"}),
        ({"lang": "ko"}, {"lang": "en"}),
    ],
)
def test_statuses_days_and_subjects_of_front_matter_are_heard(older: Front, newer: Front) -> None:
    assert is_asked(named("정책_v1", front=older), named("정책_v2", front=newer))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ({"status": "draft"}, {"status": "approved"}),
        ({"상태": "작성 중"}, {"상태": "승인 완료"}),
        ({"시행일": "2025-01-01"}, {"시행일": "2026-07-01"}),
        ({"프로젝트": "가온 은행", "author": "김가온"}, {"프로젝트": "가온은행", "author": "박나래"}),
        ({}, {"draft": "false"}),
    ],
)
def test_front_matter_of_a_version_in_force_says_nothing_against_it(older: Front, newer: Front) -> None:
    assert is_replaced(named("정책_v1", front=older), named("정책_v2", front=newer))


def test_a_day_that_has_come_is_no_day_ahead() -> None:
    older, newer = named("여비규정_v1"), named("여비규정_v2_20261130")
    assert is_replaced(older, newer)
    assert not replacements([older, newer], lambda a, b: (0.9, 0.9), today=date(2026, 11, 29)).automatic


def test_what_has_expired_replaces_only_what_has_expired_too() -> None:
    older, newer = named("주차규정_v1"), replace(named("주차규정_v2"), ended=True)
    assert is_asked(older, newer)
    assert is_replaced(replace(older, ended=True), newer)
    assert is_replaced(older, newer, replace(newer, path="보관/주차규정_v2.md", ended=False))


def test_a_text_that_another_folder_or_source_holds_without_a_version_is_asked_about() -> None:
    older, newer = named("개발/휴가규정_v1", body="X"), named("개발/휴가규정_v2", body="Y")
    assert is_asked(older, newer, named("정책/휴가규정", body="X"))
    assert is_asked(older, newer, named("휴가규정", body="X", source="정책"))
    assert is_replaced(older, newer, named("개발/휴가규정", body="X"))
    assert is_replaced(older, newer, named("정책/사본 - 휴가규정", body="X"))


def test_a_night_hears_front_matter_and_expiry(tmp_path: Path) -> None:
    team = Team(tmp_path)
    ahead = f"{datetime.now(UTC).year + 2}-07-01"
    heads = {
        "여비": f"시행일: {ahead}",
        "주차": "expires_at: 2026-01-02",
        "정책": "상태: 결재 대기",
        "휴가": "상태: 승인",
    }
    for name, head in heads.items():
        text = "\n\n".join(prose(name, 8))
        team.write(f"개발/{name}_v1.md", text)
        team.write(f"개발/{name}_v2.md", f"---\n{head}\n---\n{text}\n\n둘째 판에서 더한 문단이다.\n")
    team.night()
    states = team.states()
    assert {name for name in heads if states[f"개발/{name}_v1.md"] == "superseded"} == {"휴가"}
    assert {place for kind, place in team.findings() if kind == "version_doubt"} == {
        f"개발/{name}_v1.md" for name in ("여비", "주차", "정책")
    }
