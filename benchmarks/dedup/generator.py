"""A seeded corpus of Korean and English office prose with every kind of likeness that dedup must tell apart.

exact      the same words, white space otherwise
near       .2 to 3 % of the words replaced
contains   a draft inside an extension, Jaccard .40 to .90; a third of them with one word changed in the draft
chain      v1 .. v5, each a little edited and a little longer than the one before
form       different documents on a shared form, a few % of all documents on each form: not alike
filled     the same form filled in, Jaccard just below and just above .90
solo       nothing of the above
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

SEED = 20261130
SOURCES = ("영업", "개발", "인사", "총무", "연구")
START = datetime(2026, 1, 5, 9, tzinfo=UTC)

# Shares of all documents; what is left stands alone.
EXACT, NEAR, CONTAINS, CHAIN, FILLED = 0.08, 0.14, 0.14, 0.08, 0.04
# Of each form: the share of all documents that use it, and how much of such a document it is. One is used by more than
# 5 % (its 5-grams are common), the others by less.
FORMS = ((0.07, 0.45), (0.04, 0.15), (0.03, 0.30), (0.02, 0.60), (0.02, 0.45), (0.01, 0.60))
# UTF-8 bytes of a word and the space after it, measured on this vocabulary.
WORD_BYTES = 11.0

# Real words first: the most frequent. The others are made of syllables.
_STEMS = (
    "회의 예산 계약 승인 일정 업무 부서 고객 사업 보고 검토 자료 관리 시스템 운영 계획 담당 변경 요청 결과 신청 "
    "기준 비용 점검 보안 교육 납품 견적 휴가 출장 정산 평가 인력 채용 개선 품질 배포 장애 서버 결제 문서 규정 "
    "절차 권한 공유 제안 성과 목표 지표 분기 하반기 연간 협력사 발주 재고 물류 홍보 행사 설문 통계 분석"
)
_SYLLABLES = (
    "가각간감강개거건검격견결경계고공과관광교구국군권규근금급기길나난남내노농능다단담당대도독동등라락란량력련령로"
    "록론료류률리림마만망매면명모목무문물미민반발방배백번범법변별병보복본부분불비빈사산상새색생서석선설성세소속손"
    "송수순술습승시식신실심안액약양어업여역연열영예오온외요용우운원월위유육은음의이익인일임입자작장재저적전절점접"
    "정제조족종좌주준중증지직진질집차착참창채처천철청체초총최추출측치침타탁탐태택토통투특파판편평포표품풍피필하학"
    "한할합항해행향허현협형호화확환황회획효후"
)
_ENDINGS = ("은", "는", "이", "가", "을", "를", "의", "에", "에서", "로", "으로", "와", "과", "도", "부터", "까지", "")
_CLOSINGS = ("한다.", "했다.", "합니다.", "할 예정이다.", "하지 않는다.", "되었다.", "이다.")
_ENGLISH = (
    "the of and to in for is on with that as by this are be from or at it an project team server client release report "
    "budget review data service request policy schedule contract quality test deploy API error user account"
)
_PIECES = "ta re con si lo ver ment al per ti da mo ex pro in ral cu tion ser no li ka te ble or sy"


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its place and its times. `group` is the kind and a number: those of one group were made together."""

    source: str
    path: str
    text: str
    first_seen: datetime
    modified_at: datetime | None
    group: str


class Prose:
    """Words by Zipf's law, and sentences of them; the same seed gives the same words."""

    def __init__(self, seed: int = SEED) -> None:
        self.rng = np.random.default_rng(seed)
        self._stems = np.array(_STEMS.split() + self._made(_SYLLABLES, 8000, (2, 3)), dtype=object)
        self._english = np.array(_ENGLISH.split() + self._made(_PIECES.split(), 2500, (2, 3, 4)), dtype=object)
        self._pool: list[str] = []

    def _made(self, pieces: Sequence[str], count: int, lengths: Sequence[int]) -> list[str]:
        drawn = self.rng.integers(0, len(pieces), (count, max(lengths)))
        return [
            "".join(pieces[place] for place in row[:length])
            for row, length in zip(drawn, self.rng.choice(lengths, count), strict=True)
        ]

    def _zipf(self, vocabulary: np.ndarray, count: int) -> np.ndarray:
        """Draw words: the k-th most frequent with weight 1 / (k + 2.7), Mandelbrot's form of the law."""
        weights = np.cumsum(1.0 / (np.arange(len(vocabulary)) + 2.7))
        places = np.searchsorted(weights, self.rng.random(count) * weights[-1])
        drawn: np.ndarray = vocabulary[places]
        return drawn

    def words(self, count: int) -> list[str]:
        """Return the next `count` words: Korean with an ending, one in seven English, some numbers."""
        while len(self._pool) < count:
            self._pool = self._drawn(max(count, 200_000))
        taken, self._pool = self._pool[-count:], self._pool[:-count]
        return taken

    def _drawn(self, count: int) -> list[str]:
        words = self._zipf(self._stems, count) + self.rng.choice(np.array(_ENDINGS, dtype=object), count)
        kind = self.rng.random(count)
        english = kind < 0.14
        words[english] = self._zipf(self._english, int(english.sum()))
        for place in np.flatnonzero(kind > 0.96):
            words[place] = self._number()
        return list(words)

    def _number(self) -> str:
        amount, kind = int(self.rng.integers(1, 9999)), self.rng.integers(4)
        day = f"2026-{amount % 12 + 1:02d}-{amount % 28 + 1:02d}"
        return (f"{amount:,}만원", f"{amount % 100}%", day, f"{amount}건")[kind]

    def text(self, size_bytes: float) -> str:
        """Return sentences, some of them ending a paragraph, of about `size_bytes` in UTF-8."""
        words = self.words(max(4, round(size_bytes / WORD_BYTES)))
        ends = np.cumsum(self.rng.integers(6, 15, len(words) // 6 + 1))
        closings = self.rng.integers(0, len(_CLOSINGS), len(ends))
        for end, closing, broken in zip(ends, closings, self.rng.random(len(ends)) < 0.3, strict=True):
            words[min(end, len(words)) - 1] += _CLOSINGS[closing] + ("\n" if broken else "")
            if end >= len(words):
                break
        return " ".join(words).replace("\n ", "\n").strip()


def edited(prose: Prose, text: str, share: float) -> str:
    """Return `text` with `share` of its words, one at least, replaced by others."""
    words = text.split(" ")
    count = max(1, round(share * len(words)))
    for place, word in zip(prose.rng.choice(len(words), count, replace=False), prose.words(count), strict=True):
        words[place] = word
    return " ".join(words)


def respaced(prose: Prose, text: str) -> str:
    """Return the same words: other line ends, wider gaps, or one gap closed, as when a document changes its format."""
    kind = prose.rng.integers(3)
    if kind == 0:
        return text.replace("\n", "\r\n\r\n")
    if kind == 1:
        return text.replace("\n", " ").replace(". ", ".   ")
    words = text.split(" ")
    place = int(prose.rng.integers(1, len(words)))
    return " ".join(words[:place]) + " ".join(words[place:]) + "\n"


def extended(prose: Prose, draft: str, size: int) -> str:
    """Return a longer text with `draft` in it, Jaccard .40 to .90 where one word is as long as another."""
    extra = size * (1 / prose.rng.uniform(0.40, 0.90) - 1)
    before = extra * prose.rng.choice([0.0, 0.0, 1.0, prose.rng.random()])
    body = edited(prose, draft, 0) if prose.rng.random() < 0.33 else draft
    parts = [prose.text(length) if length > WORD_BYTES else "" for length in (before, extra - before)]
    return "\n".join(part for part in (parts[0], body, parts[1]) if part)


def blanks(prose: Prose, form: str, jaccard: float) -> list[int]:
    """Return the words of `form` after which a blank is filled in, so that two such texts have about `jaccard`.

    A blank costs what the form has over the gap, 4 5-grams, and gives either text some 9 of its own.
    """
    words = form.count(" ") + 1
    count = max(1, round(words * 5 * (1 - jaccard) / (4 + 15 * jaccard)))
    return sorted(prose.rng.choice(words, count, replace=False).tolist())


def filled(prose: Prose, form: str, places: Sequence[int]) -> str:
    """Return the form with a word of its own in every blank."""
    words = form.split(" ")
    for place, own in zip(places, prose.words(len(places)), strict=True):
        words[place] += f" {own}"
    return " ".join(words)


Member = tuple[str, str]  # what the file name ends with, and the text


def _exact(prose: Prose, size: int) -> Iterator[Member]:
    text = prose.text(_about(prose, size))
    yield "", text
    for number in range(1, int(prose.rng.integers(2, 5))):
        yield prose.rng.choice([f" ({number})", f" - 복사본 ({number})", f"_공유{number}"]), respaced(prose, text)


def _near(prose: Prose, size: int) -> Iterator[Member]:
    text = prose.text(_about(prose, size))
    yield "", text
    for number in range(1, int(prose.rng.integers(2, 4))):
        yield f"_수정{number}", edited(prose, text, prose.rng.uniform(0.002, 0.03))


def _contains(prose: Prose, size: int) -> Iterator[Member]:
    draft = prose.text(_about(prose, size))
    yield "_초안", draft
    yield "_최종", extended(prose, draft, len(draft.encode("utf-8")))


def _chain(prose: Prose, size: int) -> Iterator[Member]:
    text = prose.text(_about(prose, size))
    for version in range(1, 6):
        yield f"_v{version}", text
        text = (
            edited(prose, text, prose.rng.uniform(0.002, 0.01))
            + "\n"
            + prose.text(size * prose.rng.uniform(0.02, 0.06))
        )


def _filled(prose: Prose, size: int) -> Iterator[Member]:
    form = prose.text(_about(prose, size))
    places = blanks(prose, form, float(prose.rng.uniform(0.86, 0.94)))
    for number in range(1, int(prose.rng.integers(5, 10))):
        yield f"_{number}호", filled(prose, form, places)


def _solo(prose: Prose, size: int) -> Iterator[Member]:
    yield "", prose.text(_about(prose, size))


def _about(prose: Prose, size: int) -> float:
    """Return a size around `size`, half to double: no two documents of a folder are equally long."""
    return float(size * np.clip(prose.rng.lognormal(0, 0.25), 0.5, 2))


def _of_form(form: str, share: float) -> Callable[[Prose, int], Iterator[Member]]:
    def members(prose: Prose, size: int) -> Iterator[Member]:
        own = prose.text(_about(prose, round(size * (1 - share))))
        place = form.find("\n", int(prose.rng.integers(0, max(1, len(form)))))
        yield "_서식", f"{form[:place]}\n{own}\n{form[place:].strip()}"

    return members


def _groups(prose: Prose, count: int, size: int, form_users: int | None) -> Iterator[tuple[str, list[Member]]]:
    """Yield groups of every kind; `form_users` documents on each form, or the share of FORMS."""
    left = count
    for kind, make, share in (
        ("exact", _exact, EXACT),
        ("near", _near, NEAR),
        ("contains", _contains, CONTAINS),
        ("chain", _chain, CHAIN),
        ("filled", _filled, FILLED),
    ):
        wanted = round(count * share)
        while wanted > 0:
            group = list(make(prose, size))
            wanted -= len(group)
            left -= len(group)
            yield kind, group
    for share, part in FORMS:
        users = round(count * share)
        for start in range(0, users, form_users or users):
            fill_in = _of_form(prose.text(size * part), part)
            for _ in range(start, min(users, start + (form_users or users))):
                left -= 1
                yield "form", list(fill_in(prose, size))
    for _ in range(left):
        yield "solo", list(_solo(prose, size))


def corpus(count: int, size_bytes: int, *, seed: int = SEED, form_users: int | None = None) -> list[Document]:
    """Return about `count` documents of about `size_bytes` (UTF-8), in an order that says nothing of their groups.

    Five documents are seen at a time. Of the times in the files some are equal, some missing, some in the future.
    """
    prose = Prose(seed)
    made: list[Document] = []
    for number, (kind, members) in enumerate(_groups(prose, count, size_bytes, form_users)):
        name = " ".join(prose.words(2)).replace("/", "-").replace(".", "").replace("\n", "")
        for ending, text in members:
            source = SOURCES[int(prose.rng.integers(len(SOURCES)))]
            path = f"{number % 40:02d}/{name} {number}{ending}.txt"
            made.append(Document(source, path, text, START, _modified(prose), f"{kind}-{number}"))
    order = prose.rng.permutation(len(made))
    return [replace(made[place], first_seen=START + timedelta(days=turn // 5)) for turn, place in enumerate(order)]


def _modified(prose: Prose) -> datetime | None:
    kind = prose.rng.random()
    if kind < 0.15:
        return None
    if kind < 0.17:
        return START + timedelta(days=20_000)
    return START - timedelta(days=int(prose.rng.integers(0, 400)))
