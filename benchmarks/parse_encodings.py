"""Text files in the encodings that Korean offices use: seeded prose, and who tells them apart."""

from __future__ import annotations

import random
from pathlib import Path

from cases_refresh import bare
from parse_desk import Desk
from parse_table import Row, count_score

# What office prose is made of, and syllables that only UHC (CP949) has, not KS X 1001.
_PROSE = (
    "제안요청서 사업 기간은 계약일로부터 개월 이내이며 수행기관은 착수보고서를 제출하여야 한다 총사업비 부가가치세",
    "포함 검수 결과 부적합 판정을 받은 경우 보완 조치 후 재검수를 받는다 담당자 연락처 회의록 안건 의결 사항",
    "예산 집행 현황 보고 (붙임) 2026년 3월 1,250,000천원 제12조 제3항에 따라 RFP SW 관련",
    "규정을 준용하고 개인정보는 즉시 파기하며 품질보증 계획을 수립하여 승인받는다",
)
_UHC = ("똠방각하", "펲시콜라", "햏자", "뷁", "믜워하다", "찦차", "숖")
ENCODINGS = ("cp949", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
SAMPLES = 30


def prose(dice: random.Random, n_chars: int) -> str:
    """Return office prose of n characters with a syllable that only UHC has, somewhere."""
    words = " ".join(_PROSE).split()
    text = " ".join(dice.choices(words, k=n_chars))
    at = dice.randrange(n_chars - max(map(len, _UHC)))
    return f"{text[:at]} {dice.choice(_UHC)} {text[at:]}"[:n_chars].strip().ljust(n_chars, ".")


def encoding_rows(desk: Desk) -> list[Row]:
    """Text files in the encodings that Korean offices use, told apart at three lengths."""
    rows = []
    for n_chars in (20, 200, 2000):
        texts = _write_samples(desk.scratch / f"encodings-{n_chars}", n_chars)
        scores, notes = {}, []
        for reader in desk.readers("txt"):
            read = desk.read_once(reader, "txt", list(texts)).readings
            right = [path for path, text in texts.items() if bare(read[path].text) == bare(text)]
            scores[reader.name] = count_score(len(right), len(texts))
            per = {one: sum(path.parent.name == one for path in right) for one in ENCODINGS}
            poor = [f"{one} {n}" for one, n in per.items() if n < SAMPLES]
            notes += [f"{n_chars} characters, {reader.name}: {', '.join(poor)} of {SAMPLES}"] if poor else []
        rows.append(
            Row(f"encodings: 6 x {SAMPLES} files of {n_chars:,} characters", scores, 1.0, "all", details=tuple(notes))
        )
    return rows


def _write_samples(folder: Path, n_chars: int) -> dict[Path, str]:
    texts = {}
    for encoding in ENCODINGS:
        (folder / encoding).mkdir(parents=True, exist_ok=True)
        for n in range(SAMPLES):
            text = prose(random.Random(f"{encoding} {n_chars} {n}"), n_chars)
            path = folder / encoding / f"{n:02}.txt"
            path.write_bytes(text.encode(encoding))
            texts[path] = text
    return texts
