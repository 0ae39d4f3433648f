"""Cell values as a person sees them: number and date formats of spreadsheets (ECMA-376 part 1, 18.8.30-31)."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

# Formats that a file names by number only. 27-36 and 50-58 are dates in East Asian Excel; 14 shows in the reader's
# locale.
BUILTIN_FORMATS = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 33, 34, 35, 55, 56), "h:mm"),
}  # fmt: skip
_GENERAL = "General"
# Excel's own limit for a format code.
_MAX_CODE_CHARS = 255
_WEEKDAYS = "월화수목금토일"
_ENGLISH_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Excel takes 1900 for a leap year: serials below 61 count from a day later.
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LITERAL = re.compile(
    r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE | re.DOTALL
)
_DATE_TOKEN = re.compile(r"\[h+\]|\[m+\]|\[s+\]|y+|m+|d+|h+|s+(?:\.0+)?|a{3,4}|am/pm|a/p", re.IGNORECASE)
_DIGITS = re.compile(r"[0#?](?:[0#?,.]*[0#?.])?")


def show_number(value: float, code: str, *, from_1904: bool = False) -> str:
    """Return a stored number as its format shows it; a date or time when the format is one."""
    if code in (_GENERAL, "", "@") or len(code) > _MAX_CODE_CHARS:
        return show_general(value)
    if is_date_format(code):
        shown = _show_serial(value, code, from_1904=from_1904)
        return show_general(value) if shown is None else shown
    return _show_by_section(value, code)


def show_general(value: float) -> str:
    """Return a number without an exponent where 15 digits say it, as Excel's General does."""
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if float(value).is_integer() and abs(value) < 1e21:
        # A float holds 15 to 17 digits; the rest of a longer number is zeros, as in Excel.
        return format(Decimal(repr(float(value))), ".0f") if abs(value) >= 1e15 else str(int(value))
    text = f"{value:.12g}"
    if "e" in text:
        text = format(Decimal(text), "f") if abs(value) < 1e15 and abs(value) >= 1e-9 else text
    return text


def show_moment(value: datetime | date | time | timedelta) -> str:
    """Return a date or time in ISO form; midnight and seconds of 0 are left out."""
    if isinstance(value, datetime):
        day = value.strftime("%Y-%m-%d")
        if value.time() == time(0):
            return day
        return f"{day} {show_moment(value.time())}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}" + (f":{seconds % 60:02d}" if seconds % 60 else "")
    return value.strftime("%H:%M:%S") if value.second else value.strftime("%H:%M")


@lru_cache(maxsize=1024)
def is_date_format(code: str) -> bool:
    """Tell whether a number format shows a date or time."""
    section = code.split(";")[0]
    if _GENERAL.lower() in section.lower():
        return False
    bare = _LITERAL.sub("", section)
    return bool(re.search(r"[ymdhs]|a{3}|am/pm", bare, re.IGNORECASE)) and not re.search(
        r"[#?]|0(?![0 ]*$)", _seconds_off(bare)
    )


def _seconds_off(code: str) -> str:
    return re.sub(r"s\.0+", "s", code, flags=re.IGNORECASE)


def serial_moment(value: float, *, from_1904: bool) -> datetime | None:
    """Return the moment of a day number, to the second; None out of range."""
    try:
        if from_1904:
            moment = _EPOCH_1904 + timedelta(days=value)
        else:
            moment = _EPOCH_1900 + timedelta(days=value + 1 if 0 < value < 60 else value)
    except OverflowError:
        return None
    return (moment + timedelta(microseconds=500_000)).replace(microsecond=0)


def _show_serial(value: float, code: str, *, from_1904: bool) -> str | None:
    section = code.split(";")[0]
    lowered = _LITERAL.sub("", section).lower()
    if "[h" in lowered or "[m" in lowered or "[s" in lowered:
        return show_moment(timedelta(days=value))
    if value < 0:
        return None
    moment = serial_moment(value, from_1904=from_1904)
    if moment is None:
        return None
    has_year, has_day = "y" in lowered, "d" in lowered
    has_month = bool(re.search(r"(?<![h:])m(?!\w*:?s)", lowered)) and (has_year or has_day)
    if not (has_year or has_day or has_month):
        # Times alone (h:mm) and weekdays alone (aaa).
        return _fill(section, moment) if value < 1 or "h" not in lowered else show_moment(moment)
    # "m/d" hides the year and "yy" the century; such cells are written out in full.
    if has_year and has_month and "yyy" in lowered and "mmm" not in lowered:
        return _fill(section, moment)
    return show_moment(moment)


def _fill(section: str, moment: datetime) -> str:
    """Write `moment` through a date format's tokens; m after h or before s is a minute."""
    out: list[str] = []
    position, after_hour = 0, False
    twelve = re.search(r"am/pm|a/p|오전/오후", section, re.IGNORECASE) is not None
    while position < len(section):
        literal = _LITERAL.match(section, position)
        if literal:
            out.append(literal[1] or literal[2] or literal[3] or "")
            position = literal.end()
            continue
        token = _DATE_TOKEN.match(section, position)
        if token is None:
            out.append("" if section[position] == "@" else section[position])
            position += 1
            continue
        position = token.end()
        word = token[0].lower()
        minute = after_hour or re.match(r"[^a-z]*s", section[position:], re.IGNORECASE) is not None
        out.append(_token(word, moment, minute=word[0] == "m" and minute, twelve=twelve))
        after_hour = word[0] == "h" or (after_hour and word[0] not in "hms")
    return "".join(out).strip()


def _token(word: str, moment: datetime, *, minute: bool, twelve: bool) -> str:
    width = 2 if len(word) == 2 else 1
    if word in ("am/pm", "a/p"):
        return "AM" if moment.hour < 12 else "PM"
    if word[0] == "y":
        return f"{moment.year:04d}" if len(word) > 2 else f"{moment.year % 100:02d}"
    if word[0] == "a":
        return _WEEKDAYS[moment.weekday()] + ("요일" if len(word) == 4 else "")
    if word[0] == "d":
        day = _ENGLISH_DAYS[moment.weekday()]
        return f"{moment.day:0{width}d}" if len(word) < 3 else day if len(word) > 3 else day[:3]
    if word[0] == "h":
        return f"{(moment.hour % 12 or 12) if twelve else moment.hour:0{width}d}"
    if word[0] == "s":
        return f"{moment.second:0{2 if word.startswith('ss') else 1}d}"
    return f"{moment.minute if minute else moment.month:0{width}d}"


def _show_by_section(value: float, code: str) -> str:
    sections = _split_sections(code)
    if re.match(r"\[[<>=]", code):
        return show_general(value)
    section, shown = sections[0], value
    if value < 0 and len(sections) > 1 and sections[1]:
        section, shown = sections[1], -value
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    if _GENERAL.lower() in section.lower():
        return show_general(value)
    return _show_section(shown, section) or ("" if value else "0")


def _split_sections(code: str) -> list[str]:
    return re.findall(r'((?:"[^"]*"|\\.|[^;"\\])*)(?:;|$)', code)[:4]


def _show_section(value: float, section: str) -> str:
    """Write a number through one section: literals stay, digits fill the placeholders."""
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return f"\x00{len(literals) - 1}\x01"

    bare = _LITERAL.sub(keep, section)
    protected = re.sub(r"\x00\d+\x01", lambda m: "\ue000" * len(m[0]), bare)
    runs = list(_DIGITS.finditer(protected))
    if not runs or "/" in protected or re.search(r"E[+-]", protected, re.IGNORECASE):
        if runs:
            return show_general(value)
        return _restore(bare, literals).strip()
    percents = bare.count("%")
    if len(runs) > 1 and not re.search(r"[.,]", "".join(run[0] for run in runs)):
        return _restore(_spread(value, bare, runs), literals).strip()
    first, last = runs[0].start(), runs[-1].end()
    pattern = protected[first:last]
    thousands = len(re.match(r",*", protected[last:])[0]) if last < len(protected) else 0  # type: ignore[index]
    digits = _digits(Decimal(repr(value)) * (100**percents) / (1000**thousands), pattern)
    return _restore(bare[:first] + digits + bare[last + thousands :], literals).strip()


def _digits(value: Decimal, pattern: str) -> str:
    whole, _, fraction = pattern.partition(".")
    places, needed = len(re.sub(r"[^0#?]", "", fraction)), fraction.count("0")
    try:
        rounded = value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    except InvalidOperation:
        return show_general(float(value))
    sign, text = ("-" if rounded < 0 else ""), format(abs(rounded), "f")
    left, _, right = text.partition(".")
    while len(right) > needed and right.endswith("0"):
        right = right[:-1]
    left = left.lstrip("0").rjust(whole.count("0"), "0")
    if "," in whole:
        left = f"{int(left or '0'):,}" if left and whole.count("0") < 2 else left
    return sign + left + (f".{right}" if right else "")


def _spread(value: float, bare: str, runs: list[re.Match[str]]) -> str:
    """Fill placeholders that literals divide (000-00-00000) from the right."""
    digits = str(abs(round(value)))
    out = bare
    for number, run in reversed(list(enumerate(runs))):
        width = len(run[0])
        taken = digits if number == 0 else digits[-width:]
        digits = "" if number == 0 else digits[:-width]
        needed = run[0].count("0")
        out = out[: run.start()] + taken.rjust(needed, "0") + out[run.end() :]
    return ("-" if value < 0 else "") + out


def _restore(bare: str, literals: list[str]) -> str:
    return re.sub(r"\x00(\d+)\x01", lambda match: literals[int(match[1])], bare)
