"""The words on the screen, Korean first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

WORDS: dict[str, tuple[str, str]] = {
    "live": ("현행", "live"),
    "duplicate": ("본문 동일", "same text"),
    "superseded": ("새 버전으로 대체됨", "superseded"),
    "expired": ("유효기간 지남", "expired"),
    "rejected": ("거절됨", "rejected"),
    "needs_ocr": ("스캔 문서(글자 인식 필요)", "scan, needs OCR"),
    "failed": ("읽지 못함", "unreadable"),
    "held": ("보류", "held"),
    "gone": ("삭제됨", "gone"),
    "trusted": ("확실", "trusted"),
    "conditional": ("참고", "conditional"),
    "weak": ("약함", "weak"),
    "parse": ("읽기", "parse"),
    "dedup": ("중복·버전 판정", "dedup"),
    "chunk": ("나누기", "chunk"),
    "embed": ("임베딩", "embed"),
    "check": ("품질 검사", "check"),
    "index": ("검색에 반영", "index"),
    "gap_analysis": ("점검", "gap analysis"),
    "ok": ("정상", "ok"),
    "lost": ("답을 잃음", "lost"),
    "value_changed": ("값이 바뀜", "value changed"),
    "moved": ("자리 옮김", "moved"),
    "displaced": ("밀려남", "displaced"),
    "drop": ("점수 하락", "drop"),
    "gap": ("답이 없음", "gap"),
    "new": ("확인 전", "new"),
    "run_overdue": ("갱신한 지 오래됨", "no refresh for too long"),
    "last_run_failed": ("지난 갱신 실패", "the last refresh failed"),
    "publish_held": ("반영 보류", "publish held"),
    "source_unreachable": ("문서 폴더에 닿지 않음", "source out of reach"),
    "settings_changed": ("설정이 바뀜, 갱신 필요", "settings changed since the last refresh"),
    "encoder_changed": ("임베딩 모델이 바뀜, 갱신 필요", "encoder changed since the last refresh"),
}


def word(key: str, language: str) -> str:
    """Return the word for a state, stage or tier; the key itself when there is none."""
    pair = WORDS.get(key)
    return key if pair is None else pair[0 if language == "ko" else 1]


def said(keys: Iterable[str], language: str) -> str:
    """Return the words for several keys in one line."""
    return ", ".join(word(key, language) for key in keys)


def counted(kinds: Mapping[str, int], language: str) -> str:
    """Return kinds of findings with their counts in one line, in the words that mails use."""
    from pipelines.alert_words import KINDS

    short = {kind: pair[0 if language == "ko" else 1] for kind, pair in KINDS.items()}
    return ", ".join(f"{short.get(kind, kind)} {count}" for kind, count in kinds.items())


def either(language: str, korean: str, english: str) -> str:
    """Return the sentence in the language of the settings."""
    return korean if language == "ko" else english
