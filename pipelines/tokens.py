"""Korean full-text tokens: Kiwi morphemes plus "=raw" identifier tokens, the same for index and query."""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

# Rules of this file and Kiwi's minor series (pinned, its model decides the morphemes). A change re-makes the tokens.
TOKENS_VERSION = "1/kiwi0.24"

# Tags that carry content; endings, particles and punctuation are left out.
_KEPT = ("NNG", "NNP", "NNB", "NR", "NP", "SL", "SN", "SH", "XR", "VV", "VA", "MAG", "MM", "W_", "XPN", "XSN")

# Corpus-independent weights by tag: fitted once, so a score doesn't move when documents arrive.
_WEIGHTS = (("NNP", 1.0), ("SL", 1.0), ("W_", 1.0), ("SN", 0.8), ("SH", 0.8), ("NNG", 0.7), ("XR", 0.6))
_OTHER_WEIGHT = 0.35
_RAW_WEIGHT = 1.0
# "PM-32" is one thing: "pm" and "32" elsewhere in a passage say nothing of it, so the whole has their weight.
_CODE_WEIGHT = 2.0
_GENERIC_WEIGHT = 0.15
# fmt: off
_GENERIC = frozenset((
    "무엇", "누구", "언제", "어디", "몇", "얼마", "어느", "어떤", "왜", "있", "하", "되",
    "것", "수", "년", "월", "일", "명", "때", "곳", "그", "이", "이름",
))
# Generic too, unless in capitals ("IT", "WHO"). Left out of the full-text query they cost one of 40 English questions.
_FUNCTION_WORDS = frozenset((
    "a", "an", "the", "this", "that", "these", "those", "of", "in", "on", "at", "to", "for", "from", "by", "with",
    "about", "as", "into", "than", "and", "or", "but", "if", "not", "no", "is", "are", "was", "were", "be", "been",
    "being", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "shall", "should",
    "may", "might", "must", "i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her", "it",
    "its", "they", "them", "their", "there", "what", "which", "who", "whom", "whose", "when", "where", "why", "how",
    "many", "much", "any", "some", "so",
))
# fmt: on

_EDGES = "()[]{}<>\"'“”‘’.,;:!?·…「」『』《》〈〉|*`"
_IDENTIFIER = re.compile(r"[0-9a-z](?:[0-9a-z._@:/+\-,#]*[0-9a-z])?")
# An identifier that means nothing in pieces: a digit beside something else, or words joined by a sign of code.
_CODE = re.compile(r"(?=.*[0-9])(?=.*[^0-9]).+|.*[0-9a-z]{2}[_@.][0-9a-z]{2}.*", re.IGNORECASE)
# Of those, the ones that name one thing and are written in one way (telephones and addresses too): not 3.5, 21km or
# 2026-12-31, nor S8 or P2P.
_NAME = re.compile(
    r"(?=.*[a-z])(?![0-9][0-9.,]*[a-z]+$).{4,}|[0-9]{2,3}-[0-9]{2,4}-[0-9]{4,}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
)
_PARTICLE = re.compile(
    r"(?<=[0-9a-z)%])(?:은|는|이|가|을|를|의|에|로|와|과|도|만|까지|부터|에서|으로|이며|이다|입니다|이라|라|원으로|원을)+$"
)
# In the full-text column, after a passage's own tokens and before those of its documents' names. No token is written
# so: what follows "=" in an identifier never begins with one of _EDGES.
NAMES_FOLLOW = "=|"
# Longer runs are base64 or hashes; a token of 128 characters still tells them apart.
_MAX_TOKEN = 128

_lock = threading.Lock()
# Words that the settings ask to be kept whole; one set of settings speaks for a process.
_own_words: tuple[str, ...] = ()


def learn(words: Iterable[str]) -> None:
    """Keep these words whole from now on, as names of things; Kiwi cuts names that it doesn't know."""
    global _own_words
    _own_words = tuple(sorted({word for said in words if (word := unicodedata.normalize("NFKC", said).strip())}))


def tokens_version() -> str:
    """Name all that decides a text's tokens: the rules, Kiwi's model, and the words that were learned."""
    if not _own_words:
        return TOKENS_VERSION
    return f"{TOKENS_VERSION}/{hashlib.sha256(chr(0).join(_own_words).encode('utf-8')).hexdigest()[:8]}"


@cache
def _kiwi(own_words: tuple[str, ...]) -> Kiwi:
    """Load Kiwi for a fast start: measured 1.25 CPU s to the first result, against 4.5 with all dictionaries.

    The typo dictionary would rewrite what was written; entries of the multi-word dictionary contain spaces, which
    the white-space tokenizer of the index would cut; the encyclopedia's names change BM25 by 1 of 500 questions.
    """
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)
    for word in own_words:
        kiwi.add_user_word(word, "NNP")
    return kiwi


def analysed(texts: list[str]) -> list[list[tuple[str, str, int, int]]]:
    """Return every morpheme of each text, endings and particles too, as (form, tag, start, end); texts are NFC."""
    with _lock:
        return [
            [(t.form, t.tag, t.start, t.start + t.len) for t in found] for found in _kiwi(_own_words).tokenize(texts)
        ]


@dataclass(frozen=True, slots=True)
class _Morpheme:
    form: str
    written: str
    tag: str
    start: int
    end: int


def tokens(text: str) -> str:
    """Return the full-text column of a passage: tokens joined by one space, morphemes in order, then identifiers."""
    return " ".join([morpheme.form for morpheme in _morphemes(text)] + _identifiers(text))


def with_names(own: str, names: str) -> str:
    """Return the full-text column: a passage's own tokens, then those of its documents' names, to be found by."""
    return f"{own} {NAMES_FOLLOW} {names}" if names else own


def own_tokens(column: str) -> str:
    """Return what a score may look at: a copy under another name, or a rename, says nothing of the passage."""
    return column.partition(f" {NAMES_FOLLOW} ")[0]


def names_of(column: str) -> str:
    """Return the tokens of the names of a passage's documents; "" when it has none of its own."""
    return column.partition(f" {NAMES_FOLLOW} ")[2]


def query_terms(text: str) -> list[tuple[str, float]]:
    """Return the distinct tokens of a query with their weights; the full-text query is the tokens joined by a space."""
    text = unicodedata.normalize("NFKC", text)
    codes = _codes(text)
    terms: dict[str, float] = {}
    generic: set[str] = set()
    for morpheme in _morphemes(text):
        if _is_function_word(morpheme.written):
            generic.add(morpheme.form)
        inside = any(start <= morpheme.start and morpheme.end <= end for start, end in codes.values())
        weak = inside or morpheme.form in generic
        weight = _GENERIC_WEIGHT if weak else _weight(morpheme.form, morpheme.tag)
        terms[morpheme.form] = max(terms.get(morpheme.form, 0.0), weight)
    for identifier in _identifiers(text):
        weak = identifier[1:] in generic
        terms[identifier] = _GENERIC_WEIGHT if weak else _raw_weight(identifier[1:], codes)
    return list(terms.items())


def query_codes(text: str) -> frozenset[str]:
    """Return the codes of a query that name one thing ("pm-32", "err-4012"), without the "=" of their tokens."""
    codes = _codes(unicodedata.normalize("NFKC", text))
    return frozenset(code for code in codes if _NAME.fullmatch(code))


def _codes(text: str) -> dict[str, tuple[int, int]]:
    """Return the identifiers of a text that mean nothing in pieces, with their places."""
    found = re.finditer(_IDENTIFIER.pattern, text, re.IGNORECASE)
    return {one.group().lower()[:_MAX_TOKEN]: one.span() for one in found if _CODE.fullmatch(one.group())}


def _is_function_word(written: str) -> bool:
    return written.lower() in _FUNCTION_WORDS and not (len(written) > 1 and written.isupper())


def _morphemes(text: str) -> Iterator[_Morpheme]:
    normal = unicodedata.normalize("NFKC", text)
    with _lock:
        found = _kiwi(_own_words).tokenize(normal)
    for token in found:
        if token.tag.startswith(_KEPT):
            form = "".join(token.form.lower().split())[:_MAX_TOKEN]
            if form:
                yield _Morpheme(form, token.form, token.tag, token.start, token.start + token.len)


def _weight(form: str, tag: str) -> float:
    if form in _GENERIC:
        return _GENERIC_WEIGHT
    return next((weight for prefix, weight in _WEIGHTS if tag.startswith(prefix)), _OTHER_WEIGHT)


def _raw_weight(identifier: str, codes: Iterable[str]) -> float:
    if identifier in codes:
        return _CODE_WEIGHT
    # What a code is part of is the code with a particle or a unit.
    return _GENERIC_WEIGHT if any(code in identifier for code in codes) else _RAW_WEIGHT


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
