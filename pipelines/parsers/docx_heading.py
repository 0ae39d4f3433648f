"""Headings that Korean writers make by hand: a mark and bold type instead of a style."""

from __future__ import annotations

import re

from pipelines.parsers.docx_styles import MAX_LEVEL

# The first mark of a report's outline (행정업무운영편람 and the outlines taught with it start at □). ○ and - follow
# below it and stand before whole sentences as often, so they are left as text.
_MARK = re.compile(r"[□■◆◇▣◈❏▢▩]\s*(?=\S)")
# Longer ones, and those that end like a sentence, are text in bold.
_MAX_CHARS = 40
_SENTENCE_ENDS = (".", "?", "!", ",", ";", ":")
# A second mark makes boxes to tick ("□ 개인 □ 법인").
_TWO_MARKS = re.compile("[□■☐☑☒]")


def marked_level(text: str, styled: int) -> int:
    """Return the level of a bold paragraph that a mark makes a heading, 0 when it is text.

    `styled` is the level of the last heading by style: the mark stands one below it.
    """
    match = _MARK.match(text)
    words = text[match.end() :] if match else ""
    if not words or len(words) > _MAX_CHARS or words.endswith(_SENTENCE_ENDS):
        return 0
    if "\n" in words or "\t" in words or _TWO_MARKS.search(words):
        return 0
    return min(styled + 1, MAX_LEVEL)
