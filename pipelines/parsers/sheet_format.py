"""Cell values as a person sees them: number formats of spreadsheets (ECMA-376 part 1, 18.8.30-31)."""

from __future__ import annotations

import math
import operator
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

from pipelines.parsers.sheet_code import Section, Token, sections_of
from pipelines.parsers.sheet_dates import show_serial
from pipelines.parsers.sheet_numerals import spelled, transcribed

# Formats that a file names by number only (18.8.30), in Korean: 5-8, 27-36 and 50-58 differ from country to country, 14
# and 22 show in the reader's own way.
BUILTIN_FORMATS = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"₩"#,##0;-"₩"#,##0', 6: '"₩"#,##0;-"₩"#,##0', 7: '"₩"#,##0.00;-"₩"#,##0.00', 8: '"₩"#,##0.00;-"₩"#,##0.00',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    **dict.fromkeys((27, 36, 50, 57), 'yyyy"年" mm"月" dd"日"'),
    **dict.fromkeys((28, 29, 51, 54, 58), "mm-dd"),
    30: "mm-dd-yy", 31: 'yyyy"년" mm"월" dd"일"', 32: 'h"시" mm"분"', 33: 'h"시" mm"분" ss"초"',
    **dict.fromkeys((34, 35, 52, 53, 55, 56), "yyyy-mm-dd"),
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    41: '#,##0;-#,##0;"-"', 42: '"₩"#,##0;-"₩"#,##0;"₩-"', 43: '#,##0.00;-#,##0.00;"-"',
    44: '"₩"#,##0.00;-"₩"#,##0.00;"₩-"', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
_COMPARED = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
# General shows 11 characters in a wide cell: 10 digits and a point, 6 digits before an exponent.
_GENERAL_DIGITS, _EXPONENT_DIGITS = 10, 6


@lru_cache(maxsize=16_384)
def show_number(value: float, code: str, *, from_1904: bool = False) -> str:
    """Return a stored number as its format shows it; a date or time when the format is one."""
    if not math.isfinite(value):
        return ""
    if code in ("General", "@", ""):
        return show_general(value)
    section, shown = _chosen(value, sections_of(code))
    if section.is_date:
        return show_serial(shown, section, from_1904=from_1904) or show_general(value)
    text = _plan(section).show(shown)
    # "#" and an empty section hide a zero; it is a value all the same.
    return text or ("" if value else "0")


def show_text(text: str, code: str) -> str:
    """Return a text as the text section of its format shows it: @"귀하"."""
    if "@" not in code or code == "@":
        return text
    sections = sections_of(code)
    section = sections[3] if len(sections) == 4 else sections[-1]
    if not any(token.kind == "cell" for token in section.tokens):
        return text
    return "".join(text if token.kind == "cell" else token.text for token in section.tokens).strip()


def show_general(value: float) -> str:
    """Return a number as General shows it in a wide cell; whole numbers never get an exponent up to 21 digits."""
    if not math.isfinite(value):
        return ""
    if float(value).is_integer() and abs(value) < 1e21:
        # A float holds 15 to 17 digits; the rest of a longer number is zeros, as in Excel.
        return format(Decimal(repr(float(value))), ".0f") if abs(value) >= 1e15 else str(int(value))
    if abs(value) >= 1e15 or abs(value) < 1e-4:
        return _with_exponent(value)
    # 0.0333 has a digit less than 0.333: leading zeros take the place of digits.
    lead = math.floor(math.log10(abs(value)))
    digits = _GENERAL_DIGITS + min(0, lead) if lead < _GENERAL_DIGITS else 15
    text = format(Decimal(f"{value:.{digits}g}"), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with_exponent(value: float) -> str:
    mantissa, _, exponent = f"{value:.{_EXPONENT_DIGITS - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}E{exponent[0]}{exponent[1:].lstrip('0').rjust(2, '0')}"


def _chosen(value: float, sections: tuple[Section, ...]) -> tuple[Section, float]:
    """Return the section for a number and the number that goes into it: the second one writes its own sign."""
    numeric = sections[:3]
    if any(section.condition for section in numeric):
        for section in numeric:
            if section.condition is None or _COMPARED[section.condition[0]](value, section.condition[1]):
                own = section.condition is not None and section.condition[0] in "<=" and section.condition[1] <= 0
                return section, abs(value) if own else value
        return numeric[-1], value
    if len(sections) == 2 and _is_text_only(sections[1]):
        return sections[0], value
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    if value == 0 and len(sections) > 2 and not (len(sections) == 3 and _is_text_only(sections[2])):
        return sections[2], value
    return sections[0], value


def _is_text_only(section: Section) -> bool:
    return any(token.kind == "cell" for token in section.tokens)


@lru_cache(maxsize=1024)
def _plan(section: Section) -> _Plan:
    return _Plan(section)


class _Plan:
    """A number section made ready: what stands before, between and after the digits."""

    def __init__(self, section: Section) -> None:
        self._numerals = section.numerals
        self._general = section.is_general
        tokens = list(section.tokens)
        kinds = [token.kind for token in tokens]
        places = [n for n, kind in enumerate(kinds) if kind in ("digit", "general", "cell")]
        first, last = (places[0], places[-1]) if places else (len(tokens), len(tokens) - 1)
        while places and last + 1 < len(tokens) and (kinds[last + 1] == "slash" or tokens[last + 1].text.isdecimal()):
            # A denominator that the format gives itself: "# ?/8".
            last += 1
        # Commas right behind the digits divide by a thousand each, also before a point without digits behind it.
        end = last + 1
        if "point" in kinds[last + 1 : last + 2]:
            end += 1
        commas = 0
        while end < len(tokens) and kinds[end] == "comma":
            commas, end = commas + 1, end + 1
        point = kinds.index("point") if "point" in kinds else end
        inside = point - 1
        while point <= last and inside >= first and kinds[inside] == "comma":
            commas, inside = commas + 1, inside - 1
        self._scale = Decimal(100) ** kinds.count("percent") / Decimal(1000) ** commas
        self._before = _words(tokens[:first])
        self._after = _words(tokens[end:])
        self._core = tokens[first:end]
        self._shape(places)

    def _shape(self, places: list[int]) -> None:
        kinds = [token.kind for token in self._core]
        self._has_digits = bool(places)
        self._fraction = kinds.index("slash") if "slash" in kinds else -1
        self._exponent = kinds.index("exponent") if "exponent" in kinds else -1
        split = kinds.index("point") if "point" in kinds else len(kinds)
        whole, rest = self._core[:split], self._core[split + 1 :]
        self._grouped = any(
            token.kind == "comma"
            and any(t.kind == "digit" for t in whole[:n])
            and any(t.kind == "digit" for t in whole[n:])
            for n, token in enumerate(whole)
        )
        self._whole = [token for token in whole if token.kind != "comma"]
        self._decimals = [token for token in rest if token.kind != "comma"]
        self._places = sum(token.kind == "digit" for token in self._decimals)
        self._quantum = Decimal(1).scaleb(-self._places)
        # Only "#,##0.00" and its like: no literals among the digits, at least one digit before the point.
        texts = "".join(token.text for token in self._whole)
        self._simple = (
            set(texts) <= {"#", "0"}
            and texts.strip("#") in ("0",)
            and all(token.text == "0" for token in self._decimals)
        )

    def show(self, value: float) -> str:
        """Return the number with its literals."""
        if not self._has_digits:
            return f"{self._before}{self._after}".strip()
        sign = "-" if value < 0 else ""
        if self._general:
            core = show_general(float(Decimal(repr(abs(value))) * self._scale))
            core = spelled(core, self._numerals) if self._numerals else core
            return f"{sign}{self._before}{core}{self._after}".strip()
        core = self._digits(Decimal(repr(abs(value))) * self._scale)
        if sign and not any(char in "123456789" for char in core):
            sign = ""
        core = transcribed(core, self._numerals) if self._numerals else core
        return f"{sign}{self._before}{core}{self._after}".strip()

    def _digits(self, value: Decimal) -> str:
        if self._exponent >= 0:
            return _scientific(value, self._core, self._exponent)
        if self._fraction >= 0:
            return _fraction(value, self._core, self._fraction)
        try:
            rounded = value.quantize(self._quantum, rounding=ROUND_HALF_UP)
        except InvalidOperation:
            return show_general(float(value))
        if self._simple:
            return format(rounded, ",f" if self._grouped else "f")
        left, _, right = format(rounded, "f").partition(".")
        shown = _filled(left.lstrip("0"), self._whole, grouped=self._grouped)
        tail = _tail(right, self._decimals)
        return f"{shown}.{tail}" if tail else shown


def _words(tokens: list[Token]) -> str:
    return "".join(token.text for token in tokens if token.kind in ("text", "percent", "slash", "point"))


def _filled(digits: str, tokens: list[Token], *, grouped: bool = False) -> str:
    """Put digits into placeholders from the right; what is left over stands before the first one."""
    out: list[str] = []
    left, count = list(digits), 0
    first = next((n for n, token in enumerate(tokens) if token.kind == "digit"), 0)
    for n in range(len(tokens) - 1, -1, -1):
        if tokens[n].kind != "digit":
            out.append(tokens[n].text)
            continue
        taken = [left.pop()] if left else ["0"] if tokens[n].text == "0" else []
        if n == first:
            taken += reversed(left)
        for digit in taken:
            if grouped and count and count % 3 == 0:
                out.append(",")
            out.append(digit)
            count += 1
    return "".join(reversed(out))


def _tail(digits: str, tokens: list[Token]) -> str:
    """Put the digits behind the point into placeholders from the left; zeros that only "#" asks for are left out."""
    needed = max((n + 1 for n, token in enumerate(tokens) if token.kind == "digit" and token.text == "0"), default=0)
    kept = max(len(digits.rstrip("0")), sum(token.kind == "digit" for token in tokens[:needed]))
    out, at = [], 0
    for token in tokens:
        if token.kind != "digit":
            out.append(token.text)
        else:
            out.append(digits[at] if at < kept else "")
            at += 1
    return "".join(out)


def _scientific(value: Decimal, core: list[Token], at: int) -> str:
    mantissa, exponent = core[:at], core[at + 1 :]
    point = next((n for n, token in enumerate(mantissa) if token.kind == "point"), len(mantissa))
    step = max(1, sum(token.kind == "digit" for token in mantissa[:point]))
    places = sum(token.kind == "digit" for token in mantissa[point:])
    power = value.adjusted() if value else 0
    power = power // step * step
    shown = value.scaleb(-power).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    if shown >= 10**step:
        shown, power = shown.scaleb(-step), power + step
    left, _, right = format(shown, "f").partition(".")
    tail = _tail(right, [token for token in mantissa[point + 1 :] if token.kind == "digit"])
    body = _filled(left, mantissa[:point]) + (f".{tail}" if tail else "")
    sign = "-" if power < 0 else "+" if core[at].text.endswith("+") else ""
    return f"{body}E{sign}{_filled(str(abs(power)), exponent)}"


def _fraction(value: Decimal, core: list[Token], at: int) -> str:
    """Write "# ?/?": the nearest fraction whose denominator has as many digits as the format, or is the one given."""
    under = "".join(token.text for token in core[at + 1 :]).strip()
    fixed = int(under) if under.isdecimal() and int(under) > 0 and under.strip("0") else 0
    over = [n for n, token in enumerate(core[:at]) if token.kind == "digit"]
    gap = next((n for n, token in enumerate(core[:at]) if token.kind == "text" and over and n > over[0]), -1)
    exact = Fraction(value)
    whole = int(exact) if gap >= 0 else 0
    rest = exact - whole
    part = (
        Fraction(round(rest * fixed), fixed) if fixed else rest.limit_denominator(max(1, 10 ** min(len(under), 7) - 1))
    )
    if gap >= 0 and part == 1:
        whole, part = whole + 1, Fraction(0)
    top, bottom = (round(rest * fixed), fixed) if fixed and part else (part.numerator, part.denominator)
    shown = str(whole) if gap >= 0 and (whole or not part) else ""
    return f"{shown} {top}/{bottom}".strip() if part or gap < 0 else shown
