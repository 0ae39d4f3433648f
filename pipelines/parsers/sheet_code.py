"""Number format codes of spreadsheets cut into sections and tokens (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["text", "digit", "point", "comma", "percent", "exponent", "slash", "date", "elapsed", "general", "cell"]

# Excel's own limit for a format code.
MAX_CODE_CHARS = 255
# LCIDs and names of Korean: [$-412], [$-ko-KR], [$₩-412].
_KOREAN = re.compile(r"\[\$[^\]-]*-(?:[0-9a-f]*0?412|ko\b[^\]]*)[^\]]*\]", re.IGNORECASE)
_SYMBOL = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?(?:E[+-]?\d+)?)\]", re.IGNORECASE)
_NUMERALS = re.compile(r"\[DBNum([1-4])\]", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_GENERAL = re.compile(r"General|G/표준", re.IGNORECASE)
_DATE = re.compile(r"am/pm|a/p|오전/오후|a{3,4}|y+|m+|d+|h+|s+(?:\.0+)?|e+", re.IGNORECASE)
_EXPONENT = re.compile(r"E[+-]")


class Token(NamedTuple):
    """One piece of a section: a literal's words, or the code letters of what is put there."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four sections of a code.

    condition   operator and number of "[>=1000]"
    numerals    1 to 4 for [DBNum1] to [DBNum4], 0 for Western digits
    korean      names of months and days are Korean
    """

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    numerals: int = 0
    korean: bool = False

    @property
    def is_date(self) -> bool:
        """Tell whether the section shows a date or time."""
        return any(token.kind in ("date", "elapsed") for token in self.tokens)

    @property
    def is_general(self) -> bool:
        """Tell whether the section leaves the digits to the program."""
        return any(token.kind == "general" for token in self.tokens)


@lru_cache(maxsize=1024)
def sections_of(code: str) -> tuple[Section, ...]:
    """Return the sections of a code, at least one; a code beyond Excel's limit counts as General."""
    if len(code) > MAX_CODE_CHARS:
        code = "General"
    return tuple(_section(part) for part in _divided(code)[:4])


def _divided(code: str) -> list[str]:
    parts, quoted, bracketed, skip = [""], False, False, False
    for char in code:
        if skip:
            skip = False
        elif quoted:
            quoted = char != '"'
        elif bracketed:
            bracketed = char != "]"
        elif char == ";":
            parts.append("")
            continue
        else:
            quoted, bracketed, skip = char == '"', char == "[", char in "\\_*"
        parts[-1] += char
    return parts


def _section(code: str) -> Section:
    condition = _CONDITION.search(code)
    numerals = _NUMERALS.search(code)
    return Section(
        tuple(_settled(_tokens(code))),
        (condition[1], float(condition[2])) if condition else None,
        int(numerals[1]) if numerals else 0,
        _KOREAN.search(code) is not None,
    )


def _tokens(code: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(code):
        token, at = _token(code, at)
        if token is not None:
            found.append(token)
    return found


def _token(code: str, at: int) -> tuple[Token | None, int]:
    char = code[at]
    if char == '"':
        end = code.find('"', at + 1)
        end = len(code) if end < 0 else end
        return Token("text", code[at + 1 : end]), end + 1
    if char == "\\":
        return Token("text", code[at + 1 : at + 2]), at + 2
    if char in "_*":
        # A gap as wide as the next character, or a filling of it: air on paper, nothing in a text.
        return None, at + 2
    if char == "[":
        return _bracket(code, at)
    for kind, pattern in (("general", _GENERAL), ("exponent", _EXPONENT), ("date", _DATE)):
        match = pattern.match(code, at)
        if match:
            return Token(kind, match[0]), match.end()  # type: ignore[arg-type]
    kinds: dict[str, Kind] = {
        "0": "digit", "#": "digit", "?": "digit", ".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "cell",
    }  # fmt: skip
    return Token(kinds.get(char, "text"), char), at + 1


def _bracket(code: str, at: int) -> tuple[Token | None, int]:
    elapsed, symbol = _ELAPSED.match(code, at), _SYMBOL.match(code, at)
    if elapsed:
        return Token("elapsed", elapsed[1].lower()), elapsed.end()
    if symbol:
        return (Token("text", symbol[1]) if symbol[1] else None), symbol.end()
    # Colours, conditions and numerals.
    end = code.find("]", at)
    return None, (len(code) if end < 0 else end + 1)


def _settled(tokens: list[Token]) -> list[Token]:
    """Decide what depends on the company: signs of numbers are words in a date, letters of dates words in a number."""
    dated = any(token.kind in ("date", "elapsed") for token in tokens) and not any(
        token.kind == "digit" and token.text != "0" for token in tokens
    )
    digits = any(token.kind == "digit" for token in tokens)
    words = {"digit", "point", "comma", "percent", "exponent", "slash"} if dated else {"date", "elapsed"}
    if not digits:
        words |= {"point", "comma", "exponent", "slash"}
    return [Token("text", token.text) if token.kind in words else token for token in tokens]
