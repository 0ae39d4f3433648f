"""Units: what is measured, and how much one of them is of the smallest."""

from __future__ import annotations

import re
from decimal import Decimal

# kind -> factor in the kind's own unit -> spellings. `month` is kept apart from seconds: a month has no fixed length.
_TABLE: dict[str, dict[str, str]] = {
    "second": {
        "0.001": "ms msec msecs millisecond milliseconds 밀리초",
        "1": "초 초간 s sec secs second seconds",
        "60": "분 분간 min mins minute minutes",
        "3600": "시간 h hr hrs hour hours business_hours working_hours business_hour",
        "86400": "일 일간 day days",
        "604800": "주 주간 주일 주일간 week weeks",
    },
    "workday": {"1": "영업일 근무일 업무일 평일 working_day working_days business_day business_days workday workdays"},
    "month": {"1": "개월 개월간 달 달간 month months", "3": "개_분기 quarters", "12": "년 년간 개년 year years yr yrs"},
    "percent": {"1": "% ％ 퍼센트 프로 percent pct per_cent", "10": "할"},
    "point": {"1": "%p %포인트 퍼센트포인트 percentage_points"},
    "size": {
        "1": "바이트 byte bytes B",
        "1024": "KB 킬로바이트 kilobytes KiB",
        "1048576": "MB 메가바이트 메가 megabytes MiB",
        "1073741824": "GB 기가바이트 기가 gigabytes gigabyte GiB",
        "1099511627776": "TB 테라바이트 테라 terabytes terabyte TiB",
        "1125899906842624": "PB 페타바이트",
    },
    "bandwidth": {"1": "Kbps", "1000": "Mbps", "1000000": "Gbps"},
    "length": {
        "0.001": "㎛ µm μm um 마이크로미터 미크론",
        "1": "mm 밀리미터 ㎜ millimeters millimeter millimetres",
        "10": "cm 센티미터 센티 ㎝ centimeters centimeter centimetres",
        "1000": "m 미터 meter meters metre metres",
        "1000000": "km 킬로미터 ㎞ kilometers kilometer",
    },
    "area": {"1": "㎡ m² m2 제곱미터 평방미터", "3.305785": "평", "10000": "헥타르"},
    "weight": {
        "1": "g 그램 grams",
        "3.75": "돈",
        "1000": "kg ㎏ 킬로그램 킬로 kilograms kilogram kilos",
        "1000000": "t 톤 tons tonnes",
    },
    "volume": {"1": "ml mL ㎖ 밀리리터", "1000": "L ℓ 리터 liters liter litres litre"},
    "temperature": {"1": "℃ °C 도 degrees_Celsius degrees_C degree_Celsius deg_C"},
    "speed": {"1": "km/h kph km/hr kmh", "1.609344": "mph", "3.6": "m/s"},
    "power": {"1": "W 와트 watts watt", "1000": "kW 킬로와트 kilowatts kilowatt"},
    "energy": {"1": "kWh kilowatt_hours", "1000": "MWh"},
    "voltage": {"1": "V 볼트 volts volt", "1000": "kV 킬로볼트"},
    "frequency": {"1": "Hz 헤르츠 hertz", "1000": "kHz", "1000000": "MHz", "1000000000": "GHz"},
    "pixel": {"1": "px 픽셀 pixels"},
    "resolution": {"1": "dpi"},
    "inch": {"1": "인치 inch inches"},
    "light": {"1": "lx 럭스 lux 룩스"},
    "sound": {"1": "dB 데시벨 decibels"},
    "pressure": {"1": "kPa", "1000": "MPa", "100": "bar"},
    "torque": {"1": "N·m Nm N.m N-m N⋅m 뉴턴미터"},
    "current": {"1": "mA 밀리암페어", "1000": "암페어 amps"},
    "concentration": {"1": "ppm"},
    "turns": {"1": "rpm"},
    "energy in food": {"1": "kcal 칼로리"},
    "charge": {"1": "mAh", "1000": "Ah"},
    "frames": {"1": "fps 프레임"},
    "times": {"1": "배 배수 x"},
    "age": {"1": "세 살"},
    "floor": {"1": "층"},
    "score": {"1": "점 points 포인트"},
    "night": {"1": "박 nights"},
}
# Counters that mean the same. "개" and a bare number go with all of them (pipelines.contradict).
_COUNTERS: dict[str, str] = {
    "명": "명 인승 인 사람 people persons person users user employees members member seats seat attendees participants",
    "개": "개 items item 개소 units unit pieces",
    "건": "건 콜 통화 requests request reqs req cases transactions calls tps",
    "회": "회 번 차례 times time retries retry attempts attempt",
    "대": "대 servers machines instances instance nodes node",
    "부": "부 copies copy 통",
    "장": "장 매 쪽 페이지 pages page",
    "자": "자 글자 자리 characters character chars char digits 자릿수",
    "곳": "곳 군데 개소 지점 개점 개사 업체",
    "종": "종 가지 종류 types",
    "권": "권",
    "교대": "교대",
    "단": "단",
    "정": "정 캡슐",
    "줄": "줄 행 rows lines",
    "석": "석 좌석",
    "팀": "팀 teams",
    "학점": "학점",
    "세트": "세트 sets",
    "박스": "박스 상자 boxes",
    "병": "병",
    "면": "면",
    "채": "채 동 실",
    "코어": "코어 cores core vCPU vCPUs",
    "항목": "항목 문항",
    "끼": "끼 식",
    "량": "량",
    "팩": "팩 봉 봉지 포 포대",
    "롤": "롤",
    "컵": "컵 잔",
    "강": "강 강좌 차시 과정",
    "학급": "학급 반",
    "마리": "마리",
    "그루": "그루",
    "벌": "벌",
    "켤레": "켤레",
    "편": "편",
}
CURRENCIES: dict[str, str] = {
    "원": "KRW", "krw": "KRW", "₩": "KRW", "￦": "KRW", "won": "KRW", "달러": "USD", "불": "USD", "usd": "USD",
    "us$": "USD", "$": "USD", "dollars": "USD", "유로": "EUR", "eur": "EUR", "€": "EUR", "euros": "EUR", "엔": "JPY",
    "jpy": "JPY", "위안": "CNY", "cny": "CNY",
}  # fmt: skip

UNITS: dict[str, tuple[str, Decimal]] = {
    word.replace("_", " "): (kind, Decimal(factor))
    for kind, spelled in _TABLE.items()
    for factor, words in spelled.items()
    for word in words.split()
}
UNITS |= {word: (f"count:{name}", Decimal(1)) for name, words in _COUNTERS.items() for word in words.split()}
_FOLDED = {word.lower(): found for word, found in reversed(UNITS.items())}


def unit(written: str) -> tuple[str, Decimal]:
    """Return kind and factor of a unit as it is written; case counts only where two units differ by it."""
    bare = " ".join(written.split())
    return UNITS.get(bare) or _FOLDED[bare.lower()]


def spelled(words: list[str]) -> str:
    """Return a pattern for any of `words`, the longest first, a blank matching any white space or none."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s*") for word in ordered)


_LATIN = [word for word in UNITS if re.fullmatch(r"[A-Za-z0-9 ]+", word)]
_OTHER = [word for word in UNITS if word not in _LATIN]
# A Latin unit ends where its letters end; "일" isn't the begin of a word ("3일정").
UNIT = rf"(?:(?:{spelled(_LATIN)})(?![A-Za-z0-9²³])|(?:{spelled(_OTHER)}))"
# Units that stand after a native numeral ("두 달", "네 대") or one in Hangul ("이십 명").
COUNTED = spelled([word for word in _OTHER if re.fullmatch(r"[가-힣]+", word) and word not in ("일", "분기")])
