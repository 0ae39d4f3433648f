"""Characters of symbol fonts as the standard characters that they look like."""

from __future__ import annotations

import re

from pipelines.parsers.old_hangul import plain

# Adobe's Symbol encoding by its Unicode mapping, from 0x20 and from 0xA0 on.
_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"
# Only the signs that forms and lists use; the others of these fonts are ornaments.
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0x99: "○", 0xA3: "□",
    **{0x6A + n: "①②③④⑤⑥⑦⑧⑨⑩"[n] for n in range(10)},
    **{0x75 + n: "❶❷❸❹❺❻❼❽❾❿"[n] for n in range(10)},
}  # fmt: skip
_WINGDINGS_3 = {
    0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x6A: "↖", 0x6B: "↗", 0x6C: "↙", 0x6D: "↘",
    0x70: "▲", 0x71: "▼", 0x72: "△", 0x73: "▽", 0x74: "◀", 0x75: "▶", 0x76: "◁", 0x77: "▷", 0x7C: "◀", 0x7D: "▶",
}  # fmt: skip
_FONTS = {
    "symbol": {
        **{0x20 + n: sign for n, sign in enumerate(_SYMBOL_LOW)},
        **{0xA0 + n: sign for n, sign in enumerate(_SYMBOL_HIGH)},
    },
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
}
# A sentence in such a font, or a word with Hangul in it, has the font by mistake and isn't a row of signs.
_MAX_SIGNS = 3
_PRIVATE = 0xF000
_PRIVATE_USE = re.compile("[\ue000-\uf8ff\U000f0000-\U000fffff]")
# What Word writes for a bullet whatever the font is called.
_BULLET = 0xF0B7


def symbol(code: str, font: str) -> str:
    """Return the character of a `w:sym`; "" for an ornament that no standard character shows."""
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    if point > 0x10FFFF:
        return ""
    if not _is_sign(point):
        return chr(point)
    shown = _sign(point, font.strip().lower())
    return "" if len(shown) == 1 and _is_sign(ord(shown)) else shown


def in_font(text: str, font: str) -> str:
    """Return the words of a run whose Latin font is `font`; private-use characters of any font become standard."""
    name = font.strip().lower()
    if (name in _FONTS or name == "wingdings") and len(text) <= _MAX_SIGNS and max(map(ord, text), default=0) < 0x100:
        text = "".join(_sign(ord(char), name) if ord(char) > 0x20 else char for char in text)
    if not _PRIVATE_USE.search(text):
        return text
    return plain("".join(_sign(ord(char), name) if _is_sign(ord(char)) else char for char in text))


def _is_sign(point: int) -> bool:
    return 0xF020 <= point <= 0xF0FF


def _sign(point: int, name: str) -> str:
    point = _PRIVATE | (point & 0xFF)
    if name in _FONTS:
        return _FONTS[name].get(point & 0xFF, chr(point))
    return "•" if point == _BULLET and name != "wingdings" else plain(chr(point))
