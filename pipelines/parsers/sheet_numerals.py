"""Numbers in Chinese characters and Hangul, as [DBNum1] to [DBNum4] show them in Korean Excel."""

from __future__ import annotations

from typing import NamedTuple


class _Set(NamedTuple):
    digits: str
    units: tuple[str, ...]
    groups: tuple[str, ...]


_SETS = {
    1: _Set("〇一二三四五六七八九", ("", "十", "百", "千"), ("", "万", "億", "兆")),
    2: _Set("零壹貳參四五六七八九", ("", "拾", "百", "阡"), ("", "萬", "億", "兆")),
    3: _Set("０１２３４５６７８９", ("", "十", "百", "千"), ("", "万", "億", "兆")),
    4: _Set("영일이삼사오육칠팔구", ("", "십", "백", "천"), ("", "만", "억", "조")),
}
# Beyond 16 digits Excel has no word.
_MAX_DIGITS = 16


def spelled(number: str, kind: int) -> str:
    """Return a plain decimal number in words: "1230.5" as 일천이백삼십.오 for kind 4."""
    signs = _SETS[kind]
    sign, text = ("-", number[1:]) if number.startswith("-") else ("", number)
    whole, point, fraction = text.partition(".")
    if not whole.isdecimal() or len(whole) > _MAX_DIGITS:
        return transcribed(number, kind)
    return sign + _whole(whole, signs) + point + transcribed(fraction, kind)


def transcribed(text: str, kind: int) -> str:
    """Return a text with each digit replaced by its sign."""
    return "".join(_SETS[kind].digits[int(char)] if char in "0123456789" else char for char in text)


def day_number(value: int, kind: int) -> str:
    """Return a month or day: ten to nineteen are said without a leading one."""
    words = spelled(str(value), kind)
    one = _SETS[kind].digits[1]
    return words[1:] if 10 <= value < 20 and words.startswith(one) else words


def _whole(digits: str, signs: _Set) -> str:
    if not digits.strip("0"):
        return signs.digits[0]
    words = []
    for place, digit in zip(range(len(digits) - 1, -1, -1), digits, strict=True):
        group, unit = divmod(place, 4)
        if digit != "0":
            words.append(signs.digits[int(digit)] + signs.units[unit])
        low = len(digits) - place
        if unit == 0 and digits[max(0, low - 4) : low].strip("0"):
            words.append(signs.groups[group])
    return "".join(words)
