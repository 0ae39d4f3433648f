"""What a value is a value of: the content words of its clause, each as the word that stands for its meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pipelines.attribute_words import EMPTY, MEANS
from pipelines.periods import THINGS
from pipelines.scope import ALTERNATIVES

Token = tuple[str, str, int, int]
Word = tuple[str, int, int]

_SUFFIX = re.compile(r"(?<=[가-힣]{2})(?:비용|요금|금액|일자|기간|기한|시간|비|료|금|액|자|율|률|일|량|수|값|시)$")
_KEPT_WHOLE_WORDS = """
관리자 개발자 운영자 책임자 사용자 담당자 공휴일 영업일 근무일 토요일 일요일 월요일 화요일 수요일 목요일
금요일 평일 휴무일 이메일 파일 모바일 스타일 프로파일 메일 휴일 과일 당일 종일 통일 기일 생일 디테일
보호자 작업자 응시자 발주자 리프레시 푸시 해시 대시 메시
"""
_KEPT_WHOLE = frozenset(_KEPT_WHOLE_WORDS.split())
_KINDS = frozenset(("특별", "차별", "개별", "식별", "선별", "분별", "작별", "성별", "감별", "판별", "이별"))
_THINGS = frozenset(THINGS.split())
_CONTENT_TAGS = ("NNG", "NNP", "XR", "VV", "VA", "MM", "NP", "SH")
_JOINED_TAGS = ("NNG", "NNP", "XSN", "XPN", "XR")
_NAME = re.compile("[a-z]{2,}(?:[._/-][a-z]{2,})+")
_LATIN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9_.+#-]*(?:/[A-Za-z]+)?")


def words(text: str, tokens: Sequence[Token]) -> list[Word]:
    """Return the words of a text with their places, in order, each as the word that stands for its meaning.

    `tokens` are Kiwi's morphemes. Hangul is cut by them, one-syllable pieces joined to what they stand at; Latin words
    are taken as they are written, since Kiwi divides some.
    """
    found = [piece for m in _LATIN.finditer(text) for piece in _parts(m[0].lower().rstrip("."), m.start())]
    tokens = [token for token in tokens if not _is_particle(text, token)]
    found += [piece for piece in _joined(tokens) if re.search("[가-힣一-龥]", piece[0])]
    ordered = _phrases(sorted(found, key=lambda piece: piece[1]))
    folded = [(fold(word), start, end) for word, start, end in ordered]
    return [piece for piece in folded if piece[0]]


def _parts(word: str, start: int) -> list[Word]:
    """Return the words of a name (gateway.timeout, max_size); codes and known words stay whole (tm-210, e-mail)."""
    if word in MEANS or word in ALTERNATIVES or not _NAME.fullmatch(word):
        return [(word, start, start + len(word))]
    return [(m[0], start + m.start(), start + m.end()) for m in re.finditer("[a-z]+", word)]


def _is_particle(text: str, token: Token) -> bool:
    """Tell a particle after Latin letters or signs that Kiwi takes for a verb: API는, 25℃를."""
    _, tag, start, _ = token
    return (
        tag.startswith(("VV", "VA"))
        and re.match("[은는을를]", text[start:]) is not None
        and text[:start][-1:].strip() != ""
    )


def _phrases(pieces: list[Word]) -> list[Word]:
    """Join neighbours that are one known word: 타임+아웃, 비밀+번호, 제한 시간."""
    made: list[Word] = []
    n = 0
    while n < len(pieces):
        for last in range(min(len(pieces), n + 4), n, -1):
            run = pieces[n:last]
            joined = "".join(word for word, _, _ in run)
            near = all(b[1] - a[2] <= 1 for a, b in pairwise(run))
            if last == n + 1 or (near and (joined in MEANS or joined in ALTERNATIVES)):
                made.append((joined, run[0][1], run[-1][2]))
                n = last
                break
    return made


def is_content(word: str) -> bool:
    """Tell whether a folded word says which value it is."""
    if word.endswith("당") and word[:-1] in _THINGS:
        return False  # 계정당: what it is counted against
    if re.fullmatch("[가-힣]{1,3}별", word) and word not in _KINDS:
        return False  # 팀별
    return word not in EMPTY and len(word) > (1 if word.isascii() else 0)


def fold(word: str) -> str:
    """Return the word that stands for a word's meaning; its stem without the suffix that only names a measure."""
    if word in MEANS or word in ALTERNATIVES:
        return MEANS.get(word, word)
    bare = word if word in _KEPT_WHOLE else _SUFFIX.sub("", word)
    return MEANS.get(bare, bare) if not re.fullmatch(r"[a-z]{4,}", bare) else _stem(bare)


def _stem(word: str) -> str:
    """Return an English word without its ending, or the word that stands for it."""
    if word in EMPTY:
        return word
    if word.endswith("ly") and word[:-2] in MEANS:
        return MEANS[word[:-2]]
    word = re.sub(r"(?<=[a-z]{3})ied$", "y", word)
    word = re.sub(r"(?<=[a-z]{2})([lnptg])\1(?:ed|ing)$", r"\1", word)
    for ending, instead in (("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("es", "e"), ("s", "")):
        bare = word.removesuffix(ending) + instead
        if word.endswith(ending) and len(bare) > 2 and (bare in MEANS or bare in EMPTY):
            return MEANS.get(bare, bare)
    return re.sub(r"(?<=[a-z]{3})(?:ing|ed|es|e|(?<=[^s])s)$", "", word)


def _joined(tokens: Sequence[Token]) -> list[Word]:
    pieces: list[Word] = []
    single = False
    for form, tag, start, end in tokens:
        if tag.startswith(_JOINED_TAGS) and re.fullmatch("[가-힣]+", form):
            touches = bool(pieces) and pieces[-1][2] == start
            if touches and (single or len(form) == 1) and len(pieces[-1][0]) + len(form) <= 4:
                before = pieces.pop()
                pieces.append((before[0] + form, before[1], end))
                single = False
                continue
            if not tag.startswith("XSN"):
                pieces.append((form, start, end))
            single = len(form) == 1
        elif tag.startswith(_CONTENT_TAGS):
            pieces.append((form, start, end))
            single = False
        else:
            single = False
    return pieces
