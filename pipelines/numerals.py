"""Numbers as people write them: 1,200 · 3억 2천만 · 이십 · 열두 · twelve · 1.5 million."""

from __future__ import annotations

import re
from decimal import Decimal

_SMALL = {"십": 10, "백": 100, "천": 1000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12}
_SINO = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4, "다섯": 5, "여섯": 6,
    "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_TENS = {"열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80}
_ENGLISH = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "ninety": 90, "hundred": 100,
}  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "k": 10**3, "m": 10**6, "bn": 10**9}

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MIXED = rf"(?:(?:{_DIGITS})\s?(?:[십백천]?[만억조]|[십백천])\s?)+(?:수\s?)?(?:(?:{_DIGITS})(?=\s?[가-힣]))?"
_HANGUL = r"(?<![가-힣\d])[일이삼사오육칠팔구십백천만억조]+(?:(?<=[억조])\s[일이삼사오육칠팔구십백천]+만?)?"
_NATIVE = (
    r"(?<![가-힣])(?:(?:열|스물|서른|마흔|쉰|예순|일흔|여든)(?:하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|"
    r"여덟|아홉)?|스무|"
    r"하나|한|둘|두|셋|세|석|넷|네|넉|다섯|여섯|일곱|여덟|아홉)"
)
_WORDS = rf"(?<![A-Za-z])(?:{'|'.join(sorted(_ENGLISH, key=len, reverse=True))})"
# Every way to write a number, the longer ones first.
NUMBER = rf"(?:{_MIXED}|{_DIGITS}|{_HANGUL}|{_NATIVE}|{_WORDS})"
DIGITS = rf"(?:{_DIGITS})"
# Without native numerals: "한 달" is a period, but "두 원" isn't money.
AMOUNT = rf"(?:{_MIXED}|{_DIGITS}|{_HANGUL})"


def number(text: str, scale: str = "") -> Decimal | None:
    """Return the number that `text` writes, times an English scale word; None when it writes none."""
    bare = re.sub(r"[\s,수]", "", text).lower()
    value = _plain(bare)
    return None if value is None else value * _SCALES.get(scale.strip().lower(), 1)


def canonical(value: Decimal) -> str:
    """Return one spelling for one number: no exponent, no zeros at the end."""
    return f"{value.normalize():f}" if value else "0"


def _plain(text: str) -> Decimal | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return Decimal(text)
    if text in _ENGLISH:
        return Decimal(_ENGLISH[text])
    return _native(text) if _native(text) is not None else _korean(text)


def _native(text: str) -> Decimal | None:
    tens = next((word for word in _TENS if text.startswith(word)), "")
    rest = text[len(tens) :]
    if rest and rest not in _ONES:
        return None
    return Decimal(_TENS.get(tens, 0) + _ONES.get(rest, 0)) if text else None


def _korean(text: str) -> Decimal | None:
    """Add up digits and units: each of 십, 백, 천 within each of 만, 억, 조."""
    total, section, last = Decimal(0), Decimal(0), None
    for part in re.findall(r"\d+(?:\.\d+)?|.", text):
        if part[0].isdigit() or part in _SINO:
            last = Decimal(_SINO.get(part, 0)) if part in _SINO else Decimal(part)
        elif part in _SMALL:
            section += (1 if last is None else last) * _SMALL[part]
            last = None
        elif part in _LARGE:
            total += (section + (last or 0) or 1) * _LARGE[part]
            section, last = Decimal(0), None
        else:
            return None
    if total >= _LARGE["억"] and section and last is None:
        section *= _LARGE["만"]  # nobody says "12억 5천" of anything but 12억 5천만
    return total + section + (last or 0)
