"""Inline Markdown without its marks: the words that a reader sees."""

from __future__ import annotations

import html
import re

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\[\]]*)\]\(\s*<?([^\s)>]*(?:\([^\s)]*\)[^\s)>]*)?)>?(?:\s+[\"'(][^)]*)?\)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^\s>]+|[^\s@<>]+@[^\s@<>]+\.[a-z]+)>")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s+[^<>]*)?/?>")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
# Underscores mark emphasis only at word boundaries: 설정_값_목록 and snake_case stay.
_UNDERLINED = re.compile(r"(?<![\w])(_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w])", re.DOTALL)
_ESCAPED = re.compile(r"\\([!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])")


def plain(text: str) -> str:
    """Return `text` without marks; a link keeps its text, and its target too when that is a web address."""
    kept: list[str] = []

    def keep(words: str) -> str:
        kept.append(words)
        return f"\x00{len(kept) - 1}\x00"

    text = text.replace("\x00", "")
    text = _ESCAPED.sub(lambda match: keep(match[1]), _CODE.sub(lambda match: keep(match[2].strip()), text))
    text = _AUTOLINK.sub(lambda match: keep(match[1]), text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(lambda match: match[1] + keep(_target(match[1], match[2])), text)
    text = _REFERENCE.sub(r"\1", text)
    text = _TAG.sub("", _BREAK.sub("\n", text))
    for _ in range(3):
        text = _UNDERLINED.sub(r"\2", _STRONG.sub(r"\2", text))
    text = html.unescape(text)
    # A kept piece may hold the mark of an earlier one (code inside a link's text).
    for _ in range(3):
        text = re.sub("\x00(\\d+)\x00", lambda match: kept[int(match[1])], text)
    return text.strip()


def _target(words: str, target: str) -> str:
    if not target.lower().startswith(("http://", "https://")) or target == words:
        return ""
    return f" ({target})"
