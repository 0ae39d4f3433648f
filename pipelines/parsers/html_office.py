"""Pages that Word and Hancom saved: lists, notes and comments that only their style attributes tell."""

from __future__ import annotations

import re
from typing import Any

_LIST = re.compile(r"mso-list\s*:\s*\S+\s+level(\d)")
_IGNORED = re.compile(r"mso-list\s*:\s*ignore")
_NOTE = re.compile(r"mso-element\s*:\s*(?:footnote|endnote)\b(?!-)")
_ASIDE = re.compile(r"mso-element\s*:\s*(comment-list|header|footer)\b")
# Characters of Symbol, Wingdings and Courier New that Word draws as bullets.
_BULLETS = frozenset("·o§lnuvqØüà•◦▪●○■□◆◇▶►‣-–—")
_NOTE_MARK = re.compile(r"\[?(\d{1,4}|[ivxlc]{1,8}|\*)\]?\s+")


def list_level(element: Any) -> int:
    """Return the depth of a paragraph that Word numbered, from 1; 0 for others."""
    match = _LIST.search((element.get("style") or "").lower())
    return min(6, int(match[1])) if match else 0


def is_mark(element: Any) -> bool:
    """Tell the part of a paragraph that only shows its number or bullet."""
    return _IGNORED.search((element.get("style") or "").lower()) is not None


def mark_of(element: Any) -> str:
    """Return a numbered paragraph's number; "" for a bullet."""
    for part in element.iter("span"):
        if is_mark(part):
            mark = "".join("".join(part.itertext()).split())
            return "" if mark in _BULLETS or not mark.isprintable() or "\ue000" <= mark[:1] <= "\uf8ff" else mark[:20]
    return ""


def is_note(element: Any) -> bool:
    """Tell the block of one footnote or endnote."""
    return _NOTE.search((element.get("style") or "").lower()) is not None


def split_note(text: str) -> tuple[str, str]:
    """Return a note's number and its words."""
    match = _NOTE_MARK.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def office_aside(element: Any) -> str:
    """Return "comment", "header" or "footer" for what Word keeps apart from the text; "" otherwise."""
    match = _ASIDE.search((element.get("style") or "").lower())
    return match[1].removesuffix("-list") if match else ""
