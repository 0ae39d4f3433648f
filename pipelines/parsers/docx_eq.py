"""EQ fields (Word's own field reference; not part of ISO 29500): circled letters, fractions, phonetic guides.

Korean Word writes 원 문자 as `EQ \\o\\ac(○,11)`; such a field stores no result, its words stand in its code.
"""

from __future__ import annotations

import re

_OPTION = re.compile(r'\\\*\s*(?:"[^"]*"|\S+)')
_COMMAND = re.compile(r"\\([A-Za-z]+)\s*(?:-?\d+)?\s*")
_RINGS = "○◯〇O"
# first character and count of the circled forms that Unicode has
_CIRCLED = (
    (1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1),
)  # fmt: skip
_CIRCLED_LETTERS = {
    **{chr(ord("A") + n): chr(0x24B6 + n) for n in range(26)},
    **{chr(ord("a") + n): chr(0x24D0 + n) for n in range(26)},
    **{letter: chr(0x3260 + n) for n, letter in enumerate("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ")},
    **{letter: chr(0x326E + n) for n, letter in enumerate("가나다라마바사아자차카타파하")},
}
# A field code of a real document is one line; a longer one is not read.
_MAX_CODE = 2000
_MAX_DEPTH = 20


def eq_text(code: str) -> str:
    """Return the words that an EQ field draws, in reading order; `code` is what follows the word EQ."""
    return _Reader(_OPTION.sub("", code)).text() if len(code) <= _MAX_CODE else ""


class _Reader:
    """Reads `\\switch\\option(argument,argument)` from left to right, arguments within arguments."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._at = 0

    def text(self, depth: int = 0) -> str:
        """Read up to the end, or inside an argument up to its comma or closing parenthesis."""
        words = []
        while self._at < len(self._code):
            char = self._code[self._at]
            if depth and char in ",;)":
                break
            if char == "\\":
                words.append(self._command(depth))
            else:
                words.append(char)
                self._at += 1
        return "".join(words).strip()

    def _command(self, depth: int) -> str:
        names = []
        while match := _COMMAND.match(self._code, self._at):
            names.append(match[1].lower())
            self._at = match.end()
        if not names:
            # An escaped character: "\\," is a comma.
            escaped = self._code[self._at + 1 : self._at + 2]
            self._at += 2
            return escaped
        if self._code[self._at : self._at + 1] != "(" or depth >= _MAX_DEPTH:
            return ""
        return _drawn(names, self._arguments(depth + 1))

    def _arguments(self, depth: int) -> list[str]:
        found = []
        while self._at < len(self._code):
            self._at += 1
            found.append(self.text(depth))
            if self._code[self._at : self._at + 1] == ")":
                self._at += 1
                break
        return found


def _drawn(names: list[str], arguments: list[str]) -> str:
    kind = names[0]
    if kind == "o":
        return _overstruck(names, arguments)
    if kind == "f" and len(arguments) == 2:
        return f"{arguments[0]}/{arguments[1]}"
    if kind == "r":
        return f"{''.join(arguments[:-1])}√({arguments[-1]})"
    if kind == "s" and any(name in ("up", "do") for name in names[1:]):
        return "".join(arguments)
    if kind == "b":
        return f"({''.join(arguments)})"
    return " ".join(argument for argument in arguments if argument)


def _overstruck(names: list[str], arguments: list[str]) -> str:
    if len(arguments) == 2 and arguments[0] in _RINGS:
        return _circled(arguments[1])
    if len(arguments) == 2 and "ad" in names:
        # A phonetic guide: the reading stands over the word.
        return arguments[1]
    return "".join(arguments)


def _circled(text: str) -> str:
    if text.isdecimal() and len(text) < 3:
        for first, last, start in _CIRCLED:
            if first <= int(text) <= last:
                return chr(start + int(text) - first)
    return _CIRCLED_LETTERS.get(text, f"({text})" if text else "○")
