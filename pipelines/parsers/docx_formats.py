"""Numbers as Word shows them (ISO 29500-1 section 17.18.59, ST_NumberFormat)."""

from __future__ import annotations

_GANADA = "가나다라마바사아자차카타파하"
_CHOSUNG = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿"
_PARENTHESIZED = "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇"
_FULL_STOP = "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_NATIVE_UNITS = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# Sets that start over after their last sign, as Word shows them.
_RINGS = {
    "ganada": _GANADA,
    "chosung": _CHOSUNG,
    "ideographTraditional": _STEMS,
    "ideographZodiac": _BRANCHES,
    "aiueo": _AIUEO,
    "aiueoFullWidth": _AIUEO,
    "iroha": _IROHA,
    "irohaFullWidth": _IROHA,
}
# Sets that fall back to plain digits after their last sign.
_SIGNS = {
    "decimalEnclosedCircle": _CIRCLED,
    "decimalEnclosedCircleChinese": _CIRCLED,
    "decimalEnclosedParen": _PARENTHESIZED,
    "decimalEnclosedFullstop": _FULL_STOP,
    "ideographEnclosedCircle": "㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉",
}
# Sets whose signs are doubled, tripled and so on after the last one.
_REPEATED = {
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "russianLower": _RUSSIAN,
    "russianUpper": _RUSSIAN.upper(),
    "chicago": "*†‡§",
}
# digits, signs for 10, 100 and 1,000, and whether a leading one is spoken (壹拾, but 십)
_COUNTED = {
    "koreanCounting": ("영일이삼사오육칠팔구", "십백천", False),
    "chineseCounting": ("〇一二三四五六七八九", "十百千", False),
    "chineseCountingThousand": ("〇一二三四五六七八九", "十百千", False),
    "taiwaneseCounting": ("〇一二三四五六七八九", "十百千", False),
    "taiwaneseCountingThousand": ("〇一二三四五六七八九", "十百千", False),
    "japaneseCounting": ("〇一二三四五六七八九", "十百千", False),
    "chineseLegalSimplified": ("零壹贰叁肆伍陆柒捌玖", "拾佰仟", True),
    "ideographLegalTraditional": ("零壹貳參肆伍陸柒捌玖", "拾佰仟", True),
    "japaneseLegal": ("〇壱弐参四伍六七八九", "拾百阡", True),
    "ideographDigital": ("〇一二三四五六七八九", "", False),
    "japaneseDigitalTenThousand": ("〇一二三四五六七八九", "", False),
    "taiwaneseDigital": ("○一二三四五六七八九", "", False),
    "koreanDigital": ("영일이삼사오육칠팔구", "", False),
    "koreanDigital2": ("零一二三四五六七八九", "", False),
}
_WORDS = (
    "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
    "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
)  # fmt: skip
_TENS = ("Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety")
_ORDINALS = {
    "One": "First", "Two": "Second", "Three": "Third", "Five": "Fifth", "Eight": "Eighth", "Nine": "Ninth",
    "Twelve": "Twelfth",
}  # fmt: skip
# Word's own limits: letters up to 30 repeats, Roman numerals below 32,768. A start number from a file may be anything.
_MAX_REPEATS = 30
_MAX_ROMAN = 32_767


def shown(value: int, fmt: str) -> str:
    """Return `value` in a number format; what we don't know, and values beyond a set, as digits.

    A format of digits ("001") pads with zeros to its own width.
    """
    if fmt == "none":
        return ""
    if fmt == "decimalZero":
        return f"{value:02d}"
    if fmt.startswith("0") and fmt.isdecimal():
        return f"{value:0{len(fmt)}d}"
    if value < 1:
        return str(value)
    if fmt in _RINGS:
        return _RINGS[fmt][(value - 1) % len(_RINGS[fmt])]
    if fmt in _SIGNS:
        return _SIGNS[fmt][value - 1] if value <= len(_SIGNS[fmt]) else str(value)
    if fmt in _REPEATED:
        times, index = divmod(value - 1, len(_REPEATED[fmt]))
        return _REPEATED[fmt][index] * (times + 1) if times < _MAX_REPEATS else str(value)
    if fmt in _COUNTED:
        return _counted(value, *_COUNTED[fmt])
    return _special(value, fmt)


def _special(value: int, fmt: str) -> str:
    if fmt in ("lowerRoman", "upperRoman") and value <= _MAX_ROMAN:
        return _roman(value).upper() if fmt == "upperRoman" else _roman(value)
    if fmt == "koreanLegal" and value < 100:
        return _NATIVE_TENS[value // 10] + _NATIVE_UNITS[value % 10]
    if fmt == "ideographZodiacTraditional":
        return _STEMS[(value - 1) % 10] + _BRANCHES[(value - 1) % 12]
    if fmt in ("decimalFullWidth", "decimalFullWidth2"):
        return "".join(chr(ord("０") + int(digit)) for digit in str(value))
    if fmt == "numberInDash":
        return f"- {value} -"
    if fmt == "hex":
        return f"{value:X}"
    if fmt == "ordinal":
        return f"{value}{_suffix(value)}"
    if fmt in ("cardinalText", "ordinalText") and value < 100:
        return _spoken(value, ordinal=fmt == "ordinalText")
    return str(value)


def _roman(value: int) -> str:
    out = ""
    for size, sign in _ROMAN:
        out += sign * (value // size)
        value %= size
    return out


def _counted(value: int, digits: str, units: str, spoken_one: bool) -> str:
    """Return Sino-Korean or Chinese counting (십이, 十二), or digit by digit when there are no `units`."""
    text = str(value)
    if not units or len(text) > len(units) + 1:
        return "".join(digits[int(digit)] for digit in text)
    out = ""
    for place, digit in zip(range(len(text) - 1, -1, -1), text, strict=True):
        if digit == "0":
            continue
        silent = digit == "1" and place and not spoken_one
        out += ("" if silent else digits[int(digit)]) + (units[place - 1] if place else "")
    return out


def _suffix(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _spoken(value: int, *, ordinal: bool) -> str:
    words = [_WORDS[value]] if value < 20 else [_TENS[value // 10 - 2], *([_WORDS[value % 10]] if value % 10 else [])]
    if ordinal:
        last = words[-1]
        words[-1] = _ORDINALS.get(last, f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return "-".join([words[0], *(word.lower() for word in words[1:])])
