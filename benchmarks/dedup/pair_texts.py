"""The two texts of a hand-written pair: a base text, and what the named change makes of it. The same on every run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Literal, get_args

Change = Literal["same", "edit", "grow", "cut", "rewrite", "other"]
CHANGES: tuple[str, ...] = get_args(Change)

# One word in twenty is touched by an edit: Jaccard about .75 to .85 on texts of 700 characters.
EDITED_EVERY = 20
# "Under half as long" is what the version rule asks about.
CUT_SHARE = 0.4

_NUMBER = re.compile(r"\d+")


def both_texts(texts: Mapping[str, str], key: str, change: str, seed: str) -> tuple[str, str]:
    """Return the older and the newer text of a pair; `seed` (the names of the two) chooses which words are edited.

    `texts` holds key, key_more (what grows) and key_rewrite (the same subject told anew) for every base text.
    """
    base = texts[key]
    if change == "same":
        return base, base
    if change == "edit":
        return base, edited(base, seed)
    if change == "grow":
        return base, f"{base.rstrip()}\n\n{texts[f'{key}_more'].strip()}\n"
    if change == "cut":
        return base, _beginning(base)
    if change == "rewrite":
        return base, texts[f"{key}_rewrite"]
    if change == "other":
        return base, texts[_next_key(texts, key)]
    raise ValueError(f"no change called {change!r}")


def edited(text: str, seed: str) -> str:
    """Return `text` with one word in EDITED_EVERY changed: a number up by one, a word put for another."""
    parts = re.split(r"(\s+)", text)  # words at even places
    places = [place for place in range(0, len(parts), 2) if parts[place]]
    wanted = max(1, len(places) // EDITED_EVERY)
    chosen = sorted(places, key=lambda place: _drawn(seed, place))[:wanted]
    for place in chosen:
        parts[place] = _other_word(parts[place], parts[places[_drawn(seed, -place) % len(places)]])
    return "".join(parts)


def _other_word(word: str, stand_in: str) -> str:
    if _NUMBER.search(word):
        return _NUMBER.sub(lambda found: str(int(found[0]) + 1), word)
    return stand_in if stand_in != word else f"{word} {stand_in}"


def _drawn(seed: str, place: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{place}".encode()).digest()[:6], "big")


def _beginning(text: str) -> str:
    """Return whole words from the start, CUT_SHARE of the length."""
    return text[: round(len(text) * CUT_SHARE)].rsplit(None, 1)[0] + "\n"


def _next_key(texts: Mapping[str, str], key: str) -> str:
    """Return the base text after `key`: one about something else."""
    bases = [name for name in texts if not name.endswith(("_more", "_rewrite"))]
    return bases[(bases.index(key) + 1) % len(bases)]
