"""Korean full-text tokens: Kiwi morphemes plus "=raw" identifier tokens, the same for index and query."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

# Rules of this file and Kiwi's minor series (pinned, its model decides the morphemes). A change re-makes the tokens.
TOKENS_VERSION = "1/kiwi0.24"

# Tags that carry content; endings, particles and punctuation are left out (research/retrieval.md section 4).
_KEPT = ("NNG", "NNP", "NNB", "NR", "NP", "SL", "SN", "SH", "XR", "VV", "VA", "MAG", "MM", "W_", "XPN", "XSN")

# Corpus-independent weights by tag: fitted once, so a score doesn't move when documents arrive (section 6).
_WEIGHTS = (("NNP", 1.0), ("SL", 1.0), ("W_", 1.0), ("SN", 0.8), ("SH", 0.8), ("NNG", 0.7), ("XR", 0.6))
_OTHER_WEIGHT = 0.35
_RAW_WEIGHT = 1.0
_GENERIC_WEIGHT = 0.15
# fmt: off
_GENERIC = frozenset((
    "무엇", "누구", "언제", "어디", "몇", "얼마", "어느", "어떤", "왜", "있", "하", "되",
    "것", "수", "년", "월", "일", "명", "때", "곳", "그", "이", "이름",
))
# fmt: on

_EDGES = "()[]{}<>\"'“”‘’.,;:!?·…「」『』《》〈〉|*`"
_IDENTIFIER = re.compile(r"[0-9a-z](?:[0-9a-z._@:/+\-,#]*[0-9a-z])?")
_PARTICLE = re.compile(
    r"(?<=[0-9a-z)%])(?:은|는|이|가|을|를|의|에|로|와|과|도|만|까지|부터|에서|으로|이며|이다|입니다|이라|라|원으로|원을)+$"
)
# Longer runs are base64 or hashes; a token of 128 characters still tells them apart.
_MAX_TOKEN = 128

_lock = threading.Lock()


@cache
def _kiwi() -> Kiwi:
    """Load Kiwi for a fast start: measured 1.25 CPU s to the first result, against 4.5 with all dictionaries.

    The typo dictionary would rewrite what was written; entries of the multi-word dictionary contain spaces, which
    the white-space tokenizer of the index would cut; the encyclopedia's names change BM25 by 1 of 500 questions.
    """
    from kiwipiepy import Kiwi

    return Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)


def tokens(text: str) -> str:
    """Return the full-text column of a passage: tokens joined by one space, morphemes in order, then identifiers."""
    return " ".join([form for form, _ in _morphemes(text)] + _identifiers(text))


def query_terms(text: str) -> list[tuple[str, float]]:
    """Return the distinct tokens of a query with their weights; the full-text query is the tokens joined by a space."""
    terms: dict[str, float] = {}
    for form, tag in _morphemes(text):
        terms[form] = max(terms.get(form, 0.0), _weight(form, tag))
    for identifier in _identifiers(text):
        terms[identifier] = _RAW_WEIGHT
    return list(terms.items())


def _morphemes(text: str) -> Iterator[tuple[str, str]]:
    normal = unicodedata.normalize("NFKC", text)
    with _lock:
        found = _kiwi().tokenize(normal)
    for token in found:
        if token.tag.startswith(_KEPT):
            form = "".join(token.form.lower().split())[:_MAX_TOKEN]
            if form:
                yield form, token.tag


def _weight(form: str, tag: str) -> float:
    if form in _GENERIC:
        return _GENERIC_WEIGHT
    return next((weight for prefix, weight in _WEIGHTS if tag.startswith(prefix)), _OTHER_WEIGHT)


def _identifiers(text: str) -> list[str]:
    """Return "=word" for every word with a Latin letter or digit: whole, without its particle, and its inner runs."""
    found: dict[str, None] = {}
    for word in unicodedata.normalize("NFKC", text).lower().split():
        word = word.strip(_EDGES)
        runs = _IDENTIFIER.findall(word)
        if not runs:
            continue
        for form in (word, _PARTICLE.sub("", word).strip(_EDGES), *runs):
            found["=" + form[:_MAX_TOKEN]] = None
    return list(found)
