"""Words that head the columns of office tables, in Korean and English."""

from __future__ import annotations

import re

# Told apart from names and values without their help: a row that says one of these is a header.
_WORDS = """
    구분 항목 내용 비고 번호 순번 연번 일련번호 no 코드 코드명 명칭 설명 종류 유형 분류 대분류 중분류 소분류
    상태 결과 현황 실적 계획 목표 이름 제목 품목 품명 규격 모델 수량 단위 단가 가격 지역 위치 일정 시간 시기
    요일 주제 방법 절차 기준 근거 조항 조문 단계 세부 세부내용 값 질문 답변 담당 담당자 담당부서 업무 역할 권한
    책임 점검 조치 원인 대책 개선 문제 문제점 의견 검토 판정 평가 등급 순위 메뉴 과목 분야 영역 요구사항
    지적사항 기능 용어 정의 약어 의미 예시 출처 링크 파일 파일명 경로 키 변수 속성 형식 필수 참고 메모 사업 과제
    작업 활동 산출물 위험 name id no. # title type date time description status category code item value key
    note notes comment comments question answer email phone address city country department team role owner
    label text url term definition
"""
# Ends of compound labels: 점검 항목, 조치 결과, 변경 내용. Two of them make a header.
_ENDINGS = (
    *("항목", "내용", "결과", "사항", "구분", "방법", "현황"),
    *("기준", "여부", "번호", "코드", "분류", "유형", "의견", "사유"),
)
_HEADS = frozenset(_WORDS.split())
# col1, col2, col3: words that only count.
_NUMBERED = re.compile(r"(\D{1,20})(\d{1,4})")


def head_columns(texts: list[str]) -> bool:
    """Tell whether the cells of a row say words that head columns."""
    bare = [re.sub(r"\s|[(\[][^)\]]*[)\]]$", "", text).lower() for text in texts]
    return any(text in _HEADS for text in bare) or sum(text.endswith(_ENDINGS) for text in bare) > 1 or _count(bare)


def _count(texts: list[str]) -> bool:
    found = [match for text in texts if (match := _NUMBERED.fullmatch(text))]
    bases = {(match[1], int(match[2]) - place) for place, match in enumerate(found)}
    return len(found) == len(texts) and len(bases) == 1
