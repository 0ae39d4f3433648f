"""Private-use characters of Hangul word processors, written as the standard characters they mean.

Three makers share the area: Hanyang's old Hangul (U+E0BC to U+F8F7), Wingdings (U+F020 to U+F0FF, which Hangul draws
so in every font) and Hancom's own signs (plane 15). What no table knows stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from pipelines.parsers.old_hangul_table import FINALS, INITIALS, SYLLABLES, VOWELS

_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U000fffff]")
# A number of two digits in a circle is two signs of half the width each: tens, then ones.
_TWO_DIGITS = re.compile("([\U000f0289-\U000f0291])([\U000f0292-\U000f029b])")
# Three digits in a circle: hundreds, tens, ones. Unicode has no sign for those.
_THREE_DIGITS = re.compile("([\U000f0491-\U000f0499])([\U000f049a-\U000f04a3])([\U000f04a4-\U000f04ad])")
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿"
# The signs of Wingdings from 0x20 on, by their Unicode 7.0 names; 0x7F has none. 0xA0 and 0xD8 as Hangul shows them.
_WINGDINGS = (
    " 🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭📁📂📄🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌👌👍👎☜☞☝☟🖐☺😐☹💣☠🏳🏱✈☼💧❄🕆✞🕈✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵"
    "●❍■□□❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷\x7f⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿🙢🙠🙡🙣🙞🙜🙝🙟·•·⚪○○◉◎🔿▪◻🟂✦★✶✴✹✵⯐⌖⟡⌑⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛"
    "⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘⬅➔⬆⬇⬉⬈⬋⬊⇦⇨⇧⇩⬄⇳⬀⬁⬃⬂🢬🢭✗✔☒☑"
)
# Hancom's signs whose look is known from its own prints (public notes of the rhwp and kordoc projects name page and
# document). Numbers in a square have no standard sign and become the circled ones, white on black the black ones.
# U+F02BA and U+F02D7 on, and the brackets at U+F0854, are told differently by different sources, so they stay.
_HANCOM = {
    0xF003B: "↓",
    0xF0090: "✺",
    0xF00DA: "▸",
    0xF00E1: "(인)",
    0xF012B: "(인)",
    0xF0288: "⓪",
    **{0xF0289 + n: _CIRCLED[n] for n in range(9)},
    **{0xF02B1 + n: _CIRCLED[n] for n in range(9)},
    **{0xF02CE + n: "❶❷❸❹❺❻❼❽❾"[n] for n in range(9)},
    0xF02EC: "◇",
    0xF02EF: "·",
    0xF02FB: "▸",
    0xF02FC: "►",
    0xF031C: "■",
    0xF03A0: "↵",
    0xF03A7: "⊟",
    0xF03A8: "⊞",
    0xF03C5: "□",
    0xF03DA: "□",
    **{0xF03EF + n: "한글과컴퓨터"[n] for n in range(6)},
    0xF03FF: "□",
    0xF0806: "┌",
    0xF0807: "┬",
    0xF0808: "┐",
    0xF080C: "└",
    0xF080E: "┘",
    0xF080F: "━",
    0xF0810: "│",
    0xF0811: "┌",
    0xF0817: "└",
    0xF081A: "─",
    0xF081C: "┈",
    0xF0827: "■",
    0xF0832: "═",
    0xF0848: "━",
}


def plain(text: str) -> str:
    """Return `text` in NFC with old Hangul as conjoining jamo and known private signs as standard characters."""
    if _PRIVATE.search(text):
        text = _TWO_DIGITS.sub(_two_digits, _THREE_DIGITS.sub(_three_digits, text)).translate(_table())
    return unicodedata.normalize("NFC", text)


def _two_digits(match: re.Match[str]) -> str:
    value = 10 * (ord(match[1]) - 0xF0288) + ord(match[2]) - 0xF0292
    return _CIRCLED[value - 1] if value <= len(_CIRCLED) else str(value)


def _three_digits(match: re.Match[str]) -> str:
    return f"{ord(match[1]) - 0xF0490}{ord(match[2]) - 0xF049A}{ord(match[3]) - 0xF04A4}"


@cache
def _table() -> dict[int, str]:
    table = dict(_HANCOM)
    table.update({0xF020 + n: sign for n, sign in enumerate(_WINGDINGS) if sign != "\x7f"})
    for first, runs in SYLLABLES.items():
        code = first
        for run in runs.split():
            marks = [run[at : at + 2] for at in range(0, len(run), 2)]
            for final in marks[2:]:
                table[code] = _initial(marks[0]) + _vowel(marks[1]) + _final(final)
                code += 1
    for first, marks_in_row, jamo in ((0xF784, INITIALS, _initial), (0xF806, VOWELS, _vowel), (0xF86A, FINALS, _final)):
        for n in range(len(marks_in_row) // 2):
            table[first + n] = jamo(marks_in_row[2 * n : 2 * n + 2])
    return table


def _initial(mark: str) -> str:
    low = int(mark, 16)
    return chr((0xA900 if low >= 0x60 else 0x1100) + low)


def _vowel(mark: str) -> str:
    low = int(mark, 16)
    return chr((0xD700 if low >= 0xB0 else 0x1100) + low)


def _final(mark: str) -> str:
    if mark == "--":
        return ""
    return chr((0x1100 if mark.isupper() or mark.isdigit() else 0xD700) + int(mark, 16))
