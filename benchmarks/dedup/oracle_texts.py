"""Texts with the 5-grams that bar 4 counts: one number, cell or phrase changed, and drafts in longer ones."""

from __future__ import annotations

from collections.abc import Sequence

Lines = Sequence[str]

PROPOSAL = (
    "자료실 이전 제안",
    "배경: 3층 자료실의 서가가 부족해 새 책을 창고 바닥에 쌓아 두고 있다. 찾는 데 평균 20분이 걸린다.",
    "방법: 지하 강당 옆 빈 공간으로 옮기고, 서가를 주제별로 다시 나눈다. 대출 기록은 그대로 쓴다.",
    "일정: 5월에 도면을 확정하고 7월 둘째 주에 이사한다. 업무는 멈추지 않는다.",
    "비용: 운반비까지 모두 4,100만 원으로 본다.",
)
MINUTES = (
    "Library move: minutes",
    "Shelves arrive on March 14 by truck",
    "Two volunteers label every box",
    "Quiet room shut for nine days.",
)
RULES = (
    "자료실 운영 계획",
    "대출은 한 사람이 다섯 권까지, 기간은 두 주로 한다.",
    "연체가 쌓이면 다음 달 대출을 쉰다. 희망 도서는 매월 20일까지 모은다.",
    "훼손된 책은 빌린 사람이 같은 판으로 갚는다.",
)
COSTS = (
    ("품목", "금액"),
    ("서가", "2,740"),
    ("사다리", "315"),
    ("조명", "864"),
    ("책상", "1,920"),
    ("의자", "1,036"),
    ("카펫", "573"),
    ("운반비", "648"),
    ("라벨", "97"),
    ("잠금장치", "282"),
    ("청소", "160"),
    ("제습기", "495"),
    ("안내판", "1,690"),
    ("택배", "38"),
)
DRAFT = (
    "서가 배치 초안",
    "1구역에는 사전과 도감을 둔다.",
    "2구역에는 지난 연구 보고서를 연도순으로 꽂는다.",
    "3구역은 정기 간행물 자리이며 석 달 뒤 창고로 내린다.",
    "4구역에는 시청각 자료와 재생 장비를 함께 둔다.",
    "입구 쪽 벽은 게시판으로 비워 두고, 안내대는 출입문 왼쪽에 붙인다. (제3안.)",
)
ENCLOSURES = (
    "붙임 1. 층별 하중 계산서와 바닥 보강이 필요한 자리의 사진을 싣는다.",
    "붙임 2. 운반 업체 세 곳에서 받은 값과 보험 조건을 나란히 적는다.",
    "붙임 3. 훼손되어 버릴 책의 목록에는 등록 번호와 까닭을 남긴다.",
    "붙임 4. 이용자에게 보낼 안내문은 국문과 영문으로 만든다.",
    "붙임 5. 비상구, 소화기, 누전 차단기의 새 위치도 도면 위에다 표시한다.",
)
LONG_DRAFT = (
    *DRAFT,
    "이전 첫날에는 대출을 멈추고, 반납만 정문 옆 임시 창구에서 받는다.",
    "둘째 날부터 사서 두 사람이 구역마다 번호표와 색띠를 붙인다.",
    "마지막 날 저녁에 소방서의 점검을 받은 뒤 문을 연다.",
)
_THINGS = (
    "항온기 환풍기구 배전반 출입문 계단참 화물 승강기,창틀 천장 등기구 블라인드 콘센트 랜선,프린터 복합기 스캐너 "
    "파쇄기 제본기 재단기,열람석 사물함 정수기 우산꽂이 휴지통 시계,서지 원부 색인 카드 분류표"
)
APPENDICES = tuple(f"별첨 {number}: {thing}" for number, thing in enumerate(_THINGS.replace(",", " ").split(), 1))
READING_ROOM = (
    "열람실 이용 안내",
    "열람실은 평일 아침 아홉 시에 열고 저녁 여덟 시에 닫는다. 토요일은 오전에만 연다.",
    "자리는 먼저 온 사람이 쓰며, 한 시간 넘게 비우면 다른 사람에게 내준다.",
    "음료는 뚜껑이 있는 병만 된다. 통화는 복도에서 한다.",
    "빌린 책은 무인 반납함에 넣을 수 있다. 훼손된 책은 사서에게 직접 건넨다.",
    "복사는 한 번에 서른 장까지, 저작권법이 허락하는 범위에서만 된다.",
    "사물함 열쇠를 잃으면 자물쇠를 바꿔 다는 값을 물어 낸다.",
)


def changed(lines: Lines, old: str, new: str) -> list[str]:
    """Return the lines with `old`, which must be there, in other words."""
    found = [line.replace(old, new) for line in lines]
    if found == list(lines):
        raise ValueError(f"no line says {old}")
    return found


SECOND_READING_ROOM = changed(READING_ROOM, "오전에만 연다", "저녁 때까지 연다")
THIRD_READING_ROOM = changed(SECOND_READING_ROOM, "저작권법이 허락", "출판사 모두가 승인")
