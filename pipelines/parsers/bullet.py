"""Bullet marks that stand in the text itself, as PDF pages and hand-made lists have them."""

from __future__ import annotations

import re

# Marks that programs draw for automatic lists, the private-use signs of Symbol and Wingdings included. Signs that
# Korean writers type (-, ○, □, ※, ·) are words of theirs and stay.
_MARK = re.compile("[•◦▪‣●\uf0b7\uf0a7\uf06c\uf06e\uf0d8\uf0fc\uf0a8\uf09f][ \t\u00a0]+(?=\\S)")


def without_bullet(text: str) -> str | None:
    """Return the words after a leading bullet mark, None when there is no mark."""
    match = _MARK.match(text)
    return text[match.end() :] if match else None
