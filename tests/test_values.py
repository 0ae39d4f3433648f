"""Values of a passage: one spelling each, with what they are values of and what they are not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.moments import moments
from pipelines.numerals import canonical, number
from pipelines.quantities import quantities
from pipelines.value import Value, from_json
from pipelines.values import stated
from pipelines.written import MOST_VALUES, written


def read(text: str) -> list[tuple[str, str]]:
    """Return kind and value of everything that a statement writes."""
    return [(found.kind, found.value) for found in written(text)]


def only(text: str, heading: str = "") -> Value:
    (value,) = stated(text, heading)
    return value


@pytest.mark.parametrize(
    ("kind", "value", "spellings"),
    [
        (
            "money:KRW",
            "10000000",
            "1천만원|10,000,000원|1000만 원|₩10,000,000|천만 원|10백만원|10,000천원|KRW 10,000,000",
        ),
        ("money:KRW", "320000000", "3억 2천만 원|3억2천만원|320,000,000원|3.2억원|삼억 이천만 원"),
        ("money:USD", "3500000", "$3,500,000|USD 3.5 million|3.5 million dollars|3,500,000달러|350만 달러"),
        (
            "date",
            "2026-12-31/",
            "2026-12-31|2026.12.31|2026. 12. 31.|2026년 12월 31일|26.12.31|2026/12/31|Dec 31, 2026",
        ),
        ("date", "?-12-31/", "12월 31일|12월31일|12/31(목)|December 31"),
        ("date", "2026-11-?/", "2026년 11월|2026.11|2026-11|November 2026|2026년 11월 중"),
        ("date", "?-11-?/말", "11월 말"),
        ("date", "?-?-?/Q3", "3분기|3/4분기|Q3"),
        ("time", "18:00", "오후 6시|18:00|18시|6 PM|6:00 p.m.|저녁 6시"),
        ("time", "18:30", "오후 6시 반|18:30|18시 30분|6:30pm"),
        ("time", "12:00", "정오|낮 12시|12:00|noon"),
        ("duration:second", "60", "60초|1분|60 seconds|60s|60000ms|육십 초"),
        ("duration:second", "5400", "1시간 30분|90분|1.5시간|90 minutes|한 시간 반"),
        ("duration:second", "604800", "7일|일주일|1주일|일주간|one week|168시간"),
        ("duration:month", "36", "3년|36개월|3년간|삼십육 개월|three years|36 months"),
        ("duration:month", "18", "1년 6개월|18개월|1년 반"),
        ("duration:workday", "3", "3영업일|3 business days|three working days"),
        ("rate", "604800", "주 1회|매주 1회|일주일에 한 번|once a week|every week|7일마다"),
        ("rate", "7884000", "분기별 1회|연 4회|3개월마다|every 3 months|분기 1회"),
        ("rate", "21600", "6시간마다|하루 4회|1일 4회|every 6 hours"),
        ("percent", "10", "10%|10퍼센트|10 percent|1할|10프로"),
        ("percent", "50", "50%|절반|2분의 1|1/2|one half|과반수|majority|5:5"),
        ("percent", "0.1", "0.1%|1,000분의 1|천분의 1"),
        ("percent", "80", "80%|8:2|8 대 2|80:20"),
        ("duration:second", "0", "당일까지|당일 비활성화한다|즉시|immediately|the same day"),
        ("duration:workday", "1", "다음 영업일까지|익영업일까지|the next business day|1영업일"),
        ("duration:second", "2592000", "30일|retention_days=30|retentionDays: 30"),
        ("count:단계", "3", "3단계 승인|세 단계로|3등급으로 나눈다|3단계로 구성"),
        ("weight", "18.75", "5돈|18.75g"),
        ("count:명", "20", "20명|이십 명|스무 명|20인|20 people|20 persons"),
        ("count:대", "4", "4대|네 대|사 대 아닌 4 대|4 servers"),
        ("count:회", "2", "2회|두 번|2번|2차례|twice 아닌 2 times"),
        ("size", "1073741824", "1GB|1024MB|1기가바이트|1 gigabyte"),
        ("monthday", "매월 25", "매월 25일|매달 25일|25th of each month|25th of every month"),
        ("monthday", "매월 말일", "매월 말일|매달 말|end of the month|last day of each month"),
        (
            "monthday",
            "매월 1주 6",
            "매월 첫째 주 토요일|매달 첫 번째 토요일|매월 1주 토요일|first Saturday of each month",
        ),
        ("monthday", "익월 5영업", "익월 5영업일|다음 달 5영업일|5th business day of the following month"),
        ("rate", "15768000", "매년 4월과 10월|연 2회|6개월마다|semiannually|매년 6월, 12월에"),
        ("weekday", "5", "금요일|Friday|fridays"),
        ("version", "1.2", "TLS 1.2|v1.2|버전 1.2"),
        ("length", "1200000", "1.2km|1,200m|1200미터"),
        ("area", "33", "33㎡|33 m²|33제곱미터"),
        ("phone", "15882000", "1588-2000"),
    ],
)
def test_one_value_is_written_in_many_ways(kind: str, value: str, spellings: str) -> None:
    for spelling in spellings.split("|"):
        assert (kind, value) in read(spelling.rsplit("아닌 ", 1)[-1]), spelling


@pytest.mark.parametrize(
    "text",
    [
        "구분",
        "사원 지원 조원",
        "세대 한편 두부",
        "제3장",
        "3년차",
        "2주년",
        "3회차",
        "3일정",
        "제12조 제2항",
        "192.168.0.1",
    ],
)
def test_a_word_that_begins_like_a_number_states_nothing(text: str) -> None:
    assert read(text) == []


@given(st.integers(1, 99_999), st.sampled_from([0, 3, 4, 7, 8]))
def test_an_amount_is_one_however_its_zeros_are_written(amount: int, zeros: int) -> None:
    value = amount * 10**zeros
    ways = [f"{value}원", f"{value:,}원", f"{value:,} 원", f"₩{value:,}", f"{value}KRW"]
    ways += [f"{value // 10**4}만원"] if value % 10**4 == 0 else []
    ways += [f"{value // 10**3:,}천원"] if value % 10**3 == 0 else []
    ways += [f"{value // 10**8}억 원"] if value % 10**8 == 0 else []
    ways += [_grouped(value)]
    assert {item for way in ways for item in read(way)} == {("money:KRW", str(value))}


def _grouped(value: int) -> str:
    """Write 320000000 as 3억 2000만원."""
    parts = [(value // 10**8, "억"), (value // 10**4 % 10**4, "만"), (value % 10**4, "")]
    return " ".join(f"{part}{unit}" for part, unit in parts if part) + "원"


@given(st.dates(date(1990, 1, 1), date(2039, 12, 31)))
def test_a_day_is_one_however_it_is_written(day: date) -> None:
    ways = [
        day.isoformat(),
        day.strftime("%Y.%m.%d"),
        f"{day.year}년 {day.month}월 {day.day}일",
        day.strftime("%Y/%m/%d"),
    ]
    ways += [f"{day.year}. {day.month}. {day.day}.", f"{day.year}.{day.month}.{day.day}"]
    assert {item for way in ways for item in read(way)} == {("date", f"{day.year}-{day.month}-{day.day}/")}


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_of_day_is_one_however_it_is_written(hour: int, minute: int) -> None:
    half, short = ("오전" if hour < 12 else "오후"), hour % 12 or 12
    ways = [f"{hour:02d}:{minute:02d}", f"{half} {short}시 {minute}분", f"{half} {short}:{minute:02d}"]
    ways += [f"{short}:{minute:02d} {'am' if hour < 12 else 'pm'}"]
    assert {item for way in ways for item in read(way)} == {("time", f"{hour}:{minute:02d}")}


@given(st.integers(1, 400))
def test_a_duration_is_one_in_every_unit(hours: int) -> None:
    ways = [f"{hours}시간", f"{hours} hours", f"{hours * 60}분", f"{hours * 3600}초", f"{hours * 3600:,} seconds"]
    ways += [f"{hours // 24}일"] if hours % 24 == 0 else []
    assert {item for way in ways for item in read(way)} == {("duration:second", str(hours * 3600))}


@settings(max_examples=200)
@given(st.text(alphabet="0123456789.,~-:/%원만억천년월일시분초명개회 가나다주매Qvm\n|:", max_size=40))
def test_any_text_is_read_without_a_fault_and_in_place(text: str) -> None:
    for found in [*moments(text), *quantities(text)]:
        assert 0 <= found.start < found.end <= len(text)


@given(st.decimals(min_value=0, max_value=10**12, places=4))
def test_a_number_has_one_spelling(value: Decimal) -> None:
    assert number(canonical(value)) == value and "E" not in canonical(value)


def test_an_attribute_is_named_by_the_words_of_its_clause() -> None:
    assert only("결제 API의 타임아웃은 30초로 설정한다.").words == ("결제", "api", "timeout")
    assert only("The payment API timeout is 30 seconds.").words == ("결제", "api", "timeout")
    first, second = stated("연결 타임아웃은 5초, 읽기 타임아웃은 30초이다.")
    assert (first.words, second.words) == (("연결", "timeout"), ("읽기", "timeout"))


def test_a_later_clause_may_mean_what_was_said_before() -> None:
    _, second = stated("결제 API의 연결 타임아웃은 5초이고, 읽기는 30초이다.")
    assert second.words == ("읽기",)
    assert {"결제", "api", "timeout"} <= set(second.context) and "연결" not in second.context


def test_a_heading_is_context_and_scope() -> None:
    value = only("일비는 5만 원이다.", "출장 규정 > 해외 출장")
    assert "출장" in value.context and any(said == "해외" for _, said in value.scope)


def test_bounds_are_part_of_a_value() -> None:
    said = ["8자 이상", "최소 8자", "at least 8 characters", "8자 이하", "최대 8자", "8자까지", "8자 미만", "8자 초과"]
    assert [only(text).bound for text in said] == ["min"] * 3 + ["max"] * 3 + ["under", "over"]
    assert only("8자를 넘을 수 없다").bound == "max"


def test_a_range_states_two_bounds() -> None:
    values = stated("접수 기간은 11월 1일부터 30일까지이다.")
    assert [(value.value, value.bound) for value in values] == [("?-11-1/", "min"), ("?-11-30/", "max")]
    assert [(value.value, value.bound) for value in stated("인원은 5~10명이다.")] == [("5", "min"), ("10", "max")]


def test_a_cell_is_named_by_its_row_and_column() -> None:
    table = "| 구분 | 수수료율 | 한도(만원) |\n| --- | --- | --- |\n| 기본형 | 1.9% | 300 |\n| 고급형 | 1.5% | 500 |\n"
    found = {(value.words, value.kind, value.value) for value in stated(table)}
    assert (("기본형", "비용"), "percent", "1.9") in found
    assert (("고급형",), "money:KRW", "5000000") in found


def test_a_day_that_no_month_has_is_no_date() -> None:
    for said in ("2월 31일", "2026-02-29", "2026년 4월 31일", "February 30, 2026"):
        whole = [value.value for value in stated(f"신청 마감일은 {said}이다.") if value.kind == "date"]
        assert not any(value.split("-")[2][0].isdigit() for value in whole), said
    (value,) = stated("신청 마감일은 2월 29일이다.")
    assert value.value == "?-2-29/"


@pytest.mark.parametrize("rule", ["", "| --- | --- | --- |\n"])
@pytest.mark.parametrize("header", ["2025 | 2026", "'25 | '26", "2025년 | 2026년(계획)", "FY2025 | FY2026"])
def test_years_over_columns_are_a_header_that_sets_a_scope(header: str, rule: str) -> None:
    first, second = stated(f"| 구분 | {header} |\n{rule}| 예산 | 3억 원 | 5억 원 |\n")
    assert (first.words, first.value) == (second.words, "300000000") == (("예산",), "300000000")
    assert ("year", "2025") in first.scope and ("year", "2026") in second.scope


def test_years_before_rows_and_quarters_under_an_empty_header_set_a_scope() -> None:
    (first, second) = stated("| 연도 | 예산 |\n| --- | --- |\n| 2025 | 3억 원 |\n| 2026 | 5억 원 |\n")
    assert ("year", "2025") in first.scope and ("year", "2026") in second.scope
    (first, second) = stated("|  |  |  |\n| --- | --- | --- |\n| 구분 | 1Q | 2Q |\n| 예산 | 3억 원 | 5억 원 |\n")
    assert ("quarter", "1") in first.scope and ("quarter", "2") in second.scope


def test_a_table_of_labels_has_no_header() -> None:
    (value, other) = stated("| 사업 기간 | 12개월 |\n| --- | --- |\n| 총 예산 | 3억 원 |\n")
    assert (value.words, value.value) == (("사업",), "12")
    assert (other.words, other.value) == (("예산",), "300000000")


def test_a_record_is_read_field_by_field() -> None:
    found = {(value.words, value.kind, value.value) for value in stated("요금제: 기본형; 월 요금: 9,900원; 해지: 가능")}
    assert (("기본형", "비용"), "money:KRW", "9900") in found
    assert (("기본형", "해지"), "state:can", "allowed") in found


@pytest.mark.parametrize(
    "text",
    [
        "개정 전 타임아웃은 30초였으나 바뀌었다.",
        "종전 한도는 100만 원이었다.",
        "예를 들어 10만 원을 결제하면 적립된다.",
        "한도는 몇 건인가요? 10건인가요?",
        "설치비가 30만 원 내려갑니다.",
        "9월 매출",
        "Date: Tue, 14 Jul 2026 00:12:00 +0000",
        "The old limit was 10 GB, but not any more.",
    ],
)
def test_what_held_once_for_example_or_as_a_question_is_not_stated(text: str) -> None:
    assert stated(text) == []


def test_of_a_change_only_what_it_becomes_is_stated() -> None:
    assert only("타임아웃을 30초에서 60초로 변경한다.").value == "60"
    assert only("개정 전 타임아웃은 30초였으나 현재 60초이다.").value == "60"


@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        (
            "need",
            "required",
            "인증은 필수이다.|인증: 필수|인증을 해야 한다.|Authentication is required for all.|인증은 의무 사항이다.",
        ),
        (
            "need",
            "optional",
            "인증은 선택 사항이다.|인증은 하지 않아도 된다.|Authentication is optional.|인증은 필수가 아니다.",
        ),
        (
            "can",
            "forbidden",
            "반출을 금지한다.|반출을 허용하지 않는다.|반출할 수 없다.|반출하면 안 된다.|Sharing is not allowed.",
        ),
        ("can", "allowed", "반출을 허용한다.|반출할 수 있다.|반출이 가능하다.|반출해도 된다."),
        ("use", "off", "캐시는 비활성화되어 있다.|캐시: 미사용|Cache is disabled by default.|캐시는 꺼져 있다."),
        ("progress", "done", "조치는 완료되었다.|조치 상태: 완료"),
        ("fee", "free", "조회는 무료이다.|조회는 무료로 제공된다."),
    ],
)
def test_a_state_is_one_however_it_is_said(kind: str, state: str, said: str) -> None:
    for text in said.split("|"):
        value = only(text)
        assert (value.kind, value.value) == (f"state:{kind}", state), text


def test_a_state_inside_a_sentence_is_none() -> None:
    assert stated("승인 담당자에게 완료 보고서를 보낸다.") == []


def test_scopes_set_values_apart() -> None:
    assert ("ordinal", "1") in only("1차 사업비는 3억 원이다.").scope
    assert ("year", "2025") in only("2025년 매출은 10억 원이다.").scope
    assert ("code", "r-12") in only("R-12 담당은 3명이다.").scope
    assert ("side", "latest") in only("회의실 예약은 3일 전까지 한다.").scope


def test_a_value_is_stored_and_read_again() -> None:
    for value in stated("1차 중도금은 계약 금액의 30%이며, 납품 후 15일 이내에 지급한다."):
        assert from_json(value.as_json()) == value


def test_a_clause_shows_at_most_120_characters() -> None:
    value = only(f"{'아주 긴 설명이 이어지는 ' * 30}결제 타임아웃은 30초로 한다.")
    assert len(value.clause) <= 120 and "30초" in value.clause


def test_a_day_that_its_label_names_is_one_of_every_month() -> None:
    assert [(value.kind, value.value) for value in stated("임대료 납부일은 매월 5일이다.")] == [("monthday", "매월 5")]


def test_of_a_tolerance_what_is_aimed_at_is_the_value() -> None:
    assert only("항온실 온도는 23±2℃로 유지한다.").value == "23"


def test_of_a_list_without_end_the_first_values_are_read() -> None:
    assert len(stated(f"값은 {' '.join(f'{n}원' for n in range(2 * MOST_VALUES))}이다.")) == MOST_VALUES


def test_the_days_of_a_range_or_list_are_days_of_the_month() -> None:
    days = [(found.value, found.bound) for found in written("신청은 매월 1일~10일에 받는다")]
    assert days == [("매월 1", "min"), ("매월 10", "max")]
    assert read("매월 10일과 25일에 지급") == [("monthday", "매월 10"), ("monthday", "매월 25")]


def test_a_period_named_apart_is_what_a_value_is_counted_against() -> None:
    (hours,) = written("1년에 직무교육을 30시간 이수한다")
    assert (hours.kind, hours.value, hours.per) == ("duration:second", "108000", "31536000")
    assert [found.per for found in written("로트당 5개")] == ["로트"]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("3일 전까지 신청한다.", {"latest"}),
        ("최소 3일 전에 신청한다.", {"latest"}),
        ("2주 전부터 신청한다.", {"early"}),
        ("최대 2주 전까지 신청한다.", {"early"}),
        ("3일 전 신청한다.", {"early", "latest"}),
        ("퇴사 3일 후 신청한다.", {"after"}),
    ],
)
def test_the_earliest_time_before_something_is_not_the_latest(text: str, sides: set[str]) -> None:
    assert {said for name, said in only(text).scope if name == "side"} == sides


def test_a_day_that_names_an_occasion_sets_a_scope_and_is_no_value() -> None:
    count = only("3월 4일 총무팀 회의: 참석자 6명")
    assert count.kind == "count:명" and ("day", "3-4") in count.scope
    assert only("총무팀 회의는 3월 4일이다.").kind == "date"


def test_the_noun_that_a_value_is_of_names_it() -> None:
    assert "지체상금" in "".join(only("납품이 늦으면 0.3%의 지체상금을 물린다.").words)
    assert only("물품이 들어오면 10일 안에 검수를 마친다.").words[:1] == ("검수",)


def test_a_sentence_without_words_borrows_those_of_the_one_before() -> None:
    place = stated("사내 어린이집은 시청 옆에 있다. 정원은 60명이다.")[-1]
    assert place.borrowed and "어린이집" in place.words


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Exports are stored without approval.", "optional"),
        ("The plan does not support exports.", "off"),
        ("The plan supports exports.", "on"),
        ("재택근무는 승인이 있어야 가능하다.", "required"),
        ("재택근무는 팀장 승인을 받는다.", "required"),
        ("과정 참여는 자율에 맡긴다.", "optional"),
        ("옥상은 직원에게 개방한다.", "allowed"),
        ("동반 자녀는 2명까지 허용한다.", "allowed"),
    ],
)
def test_what_a_verb_or_a_condition_says_is_a_state(text: str, state: str) -> None:
    assert state in [value.value for value in stated(text) if value.kind.startswith("state")]


@pytest.mark.parametrize(
    ("text", "kind", "value", "bound"),
    [
        ("추첨을 통해 150분께 드립니다.", "count:명", "150", ""),
        ("재택은 한 주에 최대 3일이다.", "rate", "201600", ""),
        ("로고 높이의 4분의 1만큼 비운다.", "percent", "25", ""),
        ("계약은 '27년 6월 말까지이다.", "date", "2027-6-?/말", "max"),
        ("달성률 100%를 채워야 한다.", "percent", "100", "min"),
        ("검진 비용은 전액 회사가 부담한다.", "percent", "100", ""),
        ("Either party may leave upon thirty (30) days' written notice.", "duration:second", "2592000", ""),
    ],
)
def test_what_everyday_sentences_write(text: str, kind: str, value: str, bound: str) -> None:
    assert (kind, value, bound) in [(one.kind, one.value, one.bound) for one in stated(text)]


def test_what_may_be_done_is_said_in_many_ways() -> None:
    for text in ("실명을 써도 괜찮습니다.", "사유서를 내면 됩니다.", "오후에 배포해도 문제없습니다."):
        assert [(one.kind, one.value) for one in stated(text)] == [("state:can", "allowed")]
