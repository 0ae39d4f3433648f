"""Seeded prose of our own, Korean with English words, and what offices do with it: edits, additions, filled forms."""

from __future__ import annotations

from random import Random

_STEMS = ("사업", "예산", "일정", "검토", "구축", "운영", "보안", "계약", "담당", "기관", "시스템", "데이터", "품질")
_ENDINGS = ("을", "를", "이", "가", "은", "는", "의", "에서", "으로", "까지", "하였다.", "한다.", "하고", "하며", "및")
_ENGLISH = ("API", "server", "budget", "review", "release", "schedule", "index", "token", "report", "team")


def prose(rng: Random, words: int) -> str:
    """Return `words` words, stems with numbers, so that two texts share few 5-grams."""
    return " ".join(_word(rng) for _ in range(words))


def edited(rng: Random, text: str, share: float) -> str:
    """Replace about `share` of the words."""
    return " ".join(_word(rng) if rng.random() < share else word for word in text.split(" "))


def filled(rng: Random, form: str, words: int) -> str:
    """Return `form` with `words` new words in the middle of it."""
    lines = form.split(" ")
    place = len(lines) // 2
    return " ".join([*lines[:place], prose(rng, words), *lines[place:]])


def plain_grams(text: str) -> set[str]:
    """Return the 5-grams of a folded text as strings: the definition, by the book."""
    return {text[n : n + 5] for n in range(max(len(text) - 4, 1))} if text else set()


def _word(rng: Random) -> str:
    if rng.random() < 0.15:
        return f"{rng.choice(_ENGLISH)}-{rng.randrange(10_000)}"
    return f"{rng.choice(_STEMS)}{rng.randrange(10_000)}{rng.choice(_ENDINGS)}"
