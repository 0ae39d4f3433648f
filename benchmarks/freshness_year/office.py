"""An office's documents: 56 answers with their questions, what stands around them, and everything else."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("개발", "인사", "총무", "영업")
# Where what has nothing to do with any question is put.
LIBRARY = "자료실"
_AROUND = (
    "이 문서는 담당 부서가 해마다 고쳐 쓰며 바뀐 곳은 끝에 적는다.",
    "자세한 절차는 부서 게시판의 안내를 따르고 궁금한 점은 담당자에게 묻는다.",
    "예외가 필요하면 사유를 적어 부서장의 확인을 받는다.",
    "지난 회의에서 정한 내용을 담당자가 정리하여 옮겼다.",
    "관련 양식은 공용 폴더에 있으며 낡은 양식은 쓰지 않는다.",
    "협력사에는 요약한 내용만 따로 전한다.",
)
_THINGS = (
    "등산로",
    "해바라기",
    "바이올린",
    "김장",
    "고래",
    "화산",
    "도자기",
    "자전거",
    "별자리",
    "빵집",
    "수영",
    "낚시",
)
_OTHERS = ("가을", "강가", "섬마을", "박물관", "시장", "숲길", "부엌", "다락방", "운동장", "정원", "바닷가", "언덕")
_DEEDS = ("천천히 걸었다", "오래 바라보았다", "다시 그렸다", "이웃과 나누었다", "밤새 기다렸다", "손으로 빚었다")


@dataclass(frozen=True, slots=True)
class Fact:
    """A question with the sentence that answers it; `watched` canaries name their value (expect_text)."""

    number: int
    folder: str
    name: str
    question: str
    sentence: str
    value: str
    wrong: str

    @property
    def watched(self) -> bool:
        return self.number % 2 == 0

    @property
    def place(self) -> str:
        return f"{self.folder}/{self.name}.md"

    @property
    def replaced_by_rule(self) -> bool:
        """Tell whether name_v2 replaces name_v1 unasked: not where it may be a product's, or the name says 폐기."""
        return not self.name.isascii() and "폐기" not in self.name

    def answer(self, *, wrong: bool = False) -> str:
        return self.sentence.format(self.wrong if wrong else self.value)


def facts() -> list[Fact]:
    """Return the answers of facts.txt, folders in turn, so that each kind of canary is in each of them."""
    text = Path(__file__).with_name("facts.txt").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line and not line.startswith("#")]
    by_folder = [[row for row in rows if row[0] == folder] for folder in FOLDERS]
    turns = [row for group in zip(*by_folder, strict=True) for row in group]
    # Every second of a folder is watched.
    order = sorted(range(len(turns)), key=lambda n: (n // 8, n % 4, n // 4))
    return [Fact(number, *turns[n]) for number, n in enumerate(order)]


def page(fact: Fact, *, wrong: bool = False, note: str = "", expires: str = "") -> str:
    """Return the document that answers."""
    head = f"---\nexpires_at: {expires}\n---\n\n" if expires else ""
    parts = [f"# {fact.name}", fact.answer(wrong=wrong), _around(fact), *([note] if note else [])]
    return head + "\n\n".join(parts) + "\n"


def diluted(fact: Fact) -> list[str]:
    """Return the document with its answer more or less drowned: sentences before it, words of it taken away."""
    words = fact.sentence.split("{}")[0].split()
    texts = []
    for title in (fact.name, "안내"):
        for asides in range(6):
            for fewer in range(min(4, len(words)) + 1):
                answer = fact.answer()
                for word in words[:fewer]:
                    answer = answer.replace(word, "그것", 1)
                before = [aside(fact.number, n) for n in range(asides)]
                texts.append("\n\n".join([f"# {title}", " ".join([*before, answer]), _around(fact)]) + "\n")
    return texts


def _around(fact: Fact) -> str:
    return " ".join(random.Random(fact.number).sample(_AROUND, 4))


def asking(fact: Fact, number: int) -> str:
    """Return a page that repeats the question word for word and answers nothing."""
    dice = random.Random(fact.number * 100 + number)
    return f"# 자주 묻는 말 {number}\n\n{fact.question}\n\n{aside(fact.number, number)} {dice.choice(_AROUND)}\n"


def aside(first: int, second: int) -> str:
    """Return a sentence about something else."""
    dice = random.Random(f"{first}-{second}")
    return f"{dice.choice(_OTHERS)}에서 {dice.choice(_THINGS)}을 {dice.choice(_DEEDS)}."


def unrelated(number: int) -> str:
    """Return a document that has nothing to do with any question, alike to no other."""
    dice = random.Random(f"unrelated {number}")
    codes = " ".join(f"{dice.choice(_THINGS)}{dice.randrange(10_000)}" for _ in range(12))
    return f"{aside(number, 7)} {codes} {aside(number, 8)}\n"
