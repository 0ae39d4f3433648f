"""Inline Markdown without its marks: the words that a reader sees. Every step is linear in the length of the text."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from types import MappingProxyType

from pipelines.parsers.text import clean

# Lengths are bounded, or a file of opening marks alone would be searched to its end once for each of them.
_IMAGE = re.compile(r"!\[([^\[\]]{0,500})\](?:\([^()]{0,500}\)|\[[^\[\]]{0,200}\])")
_IMAGE_TAG = re.compile(r"<img\s[^<>]{0,2000}\bsrc\s{0,9}=", re.IGNORECASE)
_LINK = re.compile(
    r"\[([^\[\]]{0,500})\]\([ \t]{0,9}<?([^\s()<>]{0,500}(?:\([^\s()]{0,200}\)[^\s()<>]{0,500})?)>?"
    r"(?:\s[\"'(][^()]{0,200})?\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]{1,500})\]\[([^\[\]]{0,200})\]")
_SHORTCUT = re.compile(r"\[([^\[\]^][^\[\]]{0,199})\]")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\[\]\s]{1,60}\]")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^\s<>]{1,2000}|[^\s@<>]{1,64}@[^\s@<>]{1,200}\.[a-z]{2,20})>")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s[^<>]{0,2000})?/?>")
_BREAK = re.compile(r"<br\s?/?>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])")
_TICKS = re.compile(r"`+")
_MARKS = re.compile(r"\*{1,3}|_{1,3}|~~")


def label(text: str) -> str:
    """Return a link label as labels are compared (CommonMark, 4.7)."""
    return " ".join(text.split()).casefold()


def plain(text: str, targets: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return `text` without marks; a link keeps its text, and its target too when that is a web address.

    targets  label -> target of the document's link definitions; footnote marks are dropped, their notes are blocks
    """
    kept: list[str] = []

    def keep(words: str) -> str:
        kept.append(words)
        return f"\x00{len(kept) - 1}\x00"

    text = text.replace("\x00", "")
    text = "".join(keep(piece.strip()) if is_code else piece for is_code, piece in _code_spans(text))
    text = _ESCAPED.sub(lambda match: keep(match[1]), text)
    text = _AUTOLINK.sub(lambda match: keep(match[1]), text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(lambda match: match[1] + keep(_target(match[1], match[2])), text)

    def refer(match: re.Match[str]) -> str:
        target = targets.get(label(match[match.lastindex or 1] or match[1]))
        if target is None:
            return match[0] if match.re is _SHORTCUT else match[1]
        return match[1] + keep(_target(match[1], target))

    text = _REFERENCE.sub(refer, text)
    text = _SHORTCUT.sub(refer, text) if targets else text
    text = _FOOTNOTE_MARK.sub("", text)
    text = html.unescape(_without_emphasis(_TAG.sub("", _BREAK.sub("\n", text))))
    # A kept piece may hold the mark of an earlier one (code inside a link's address).
    for _ in range(3):
        text = re.sub("\x00(\\d+)\x00", lambda match: kept[int(match[1])], text)
    return clean(text).strip()  # a reference may name a control character


def images(text: str) -> int:
    """Return how many pictures a text shows; a mark of one in code or behind a backslash shows none."""
    if "![" not in text and "<" not in text:
        return 0
    shown = (_ESCAPED.sub("", piece) for is_code, piece in _code_spans(text) if not is_code)
    return sum(len(_IMAGE.findall(piece)) + len(_IMAGE_TAG.findall(piece)) for piece in shown)


def _target(words: str, target: str) -> str:
    if not target.lower().startswith(("http://", "https://")) or target == words:
        return ""
    return f" ({target})"


def following_ticks(text: str) -> dict[int, int]:
    """Return where each run of backticks that another one of its length follows begins -> where that one ends."""
    closes: dict[int, int] = {}
    ahead: dict[int, int] = {}
    for run in reversed(list(_TICKS.finditer(text))):
        if (end := ahead.get(len(run[0]))) is not None:
            closes[run.start()] = end
        ahead[len(run[0])] = run.end()
    return closes


def _code_spans(text: str) -> list[tuple[bool, str]]:
    """Divide text into (is code, piece); a span ends at the next run of as many backticks."""
    closes = following_ticks(text)
    pieces: list[tuple[bool, str]] = []
    at = 0
    for run in _TICKS.finditer(text):
        if run.start() < at or run.start() not in closes:
            continue
        end = closes[run.start()]
        pieces.append((False, text[at : run.start()]))
        pieces.append((True, text[run.end() : end - len(run[0])]))
        at = end
    pieces.append((False, text[at:]))
    return pieces


def _without_emphasis(text: str) -> str:
    """Take off pairs of *, _ and ~~; underscores inside words (설정_값, snake_case) are no marks."""
    opened: dict[str, list[re.Match[str]]] = {}
    dropped: list[tuple[int, int]] = []
    for match in _MARKS.finditer(text):
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        opens, closes = bool(after.strip()), bool(before.strip())
        if match[0][0] == "_":
            opens, closes = opens and not _in_word(before), closes and not _in_word(after)
        stack = opened.setdefault(match[0], [])
        if closes and stack:
            start = stack.pop()
            dropped += [start.span(), match.span()]
        elif opens:
            stack.append(match)
    out, at = [], 0
    for start_at, end_at in sorted(dropped):
        out.append(text[at:start_at])
        at = end_at
    return "".join(out) + text[at:]


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
