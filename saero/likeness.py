"""How alike documents are, in words: verdicts, clocks, and what stands beside equal bodies."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.compared import EXTRAS
from saero.words import either, word

_VERDICTS = {
    "exact": ("본문 동일", "same text"),
    "near": ("일부 수정", "partly changed"),
    "contains": ("포함", "contained"),
    "mixed": ("혼합", "mixed"),
    "different": ("다름", "different"),
}
# Names in one line of a screen.
_NAMES = 5
# Parts of pipelines.family's reasons.
_REASONS = {
    "tie between different bodies": "본문이 다른 문서들의 시각이 같음",
    "tie between copies": "본문이 같은 문서들의 시각이 같음",
    "no time": "쓸 수 있는 시각이 없음",
    "clocks mixed": "문서 안 시각과 파일 시각이 섞여 있음",
    "without a usable time": "쓸 수 있는 시각이 없는 문서가 있음",
}


def verdict_word(kind: str, language: str) -> str:
    """Return the word for the label of a family, the kind of an edge or the verdict of a comparison."""
    return either(language, *_VERDICTS[kind])


def clock_word(clock: str | None, language: str) -> str:
    """Say whose clock a time is: the file's, or the document's own, with the field it stands in."""
    if clock in (None, "mtime"):
        return either(language, "파일 시각", "file time")
    return either(language, f"문서 안 시각 {clock}", f"the document's own, {clock}")


def only_the_body(language: str) -> str:
    """Say what equal bodies leave open."""
    return either(
        language,
        "본문만 같음: 서식, 머리말, 그림, 메모, 서명은 다를 수 있습니다.",
        "Only the text is the same: formatting, headers, images, comments and signatures may differ.",
    )


def beside(extras: Mapping[str, Mapping[str, int]], language: str) -> list[str]:
    """Return a line for each kind of thing that one of the named documents has and another lacks or has fewer of."""
    lines = []
    for kind in EXTRAS:
        counts = {name: found.get(kind, 0) for name, found in extras.items()}
        if len(set(counts.values())) < 2:
            continue
        has = _some([f"{name} {count}" for name, count in counts.items() if count], language)
        none = _some([name for name, count in counts.items() if not count], language)
        lacks = f"; {either(language, '없음', 'none in')}: {none}" if none else ""
        lines.append(f"{word(kind, language)}: {has}{lacks}")
    return lines


def _some(names: list[str], language: str) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) - _NAMES
    rest = [either(language, f"외 {more}개", f"{more} more")] if more > 0 else []
    return ", ".join([*names[:_NAMES], *rest])


def why_unsure(reason: str, language: str) -> str:
    """Say why the latest candidate isn't certain, "" where it is; `reason` as pipelines.family gives it."""
    for words, korean in _REASONS.items():
        if words in reason:
            return either(language, korean, reason)
    return ""
