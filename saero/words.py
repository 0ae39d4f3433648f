"""The words on the screen, Korean first."""

from __future__ import annotations

import re
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
    "gone": ("없어짐", "gone"),
    "stale_parse": ("파일을 읽지 못해 이전 내용을 보임", "file unreadable now, its earlier text is shown"),
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
    "redundancy": ("견주기", "compare"),
    "values": ("값 읽기", "read values"),
    "contradictions": ("값 견주기", "compare values"),
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
    "header": ("머리말", "header"),
    "footer": ("꼬리말", "footer"),
    "comment": ("메모", "comment"),
    "hidden": ("숨은 글", "hidden"),
    "quoted": ("인용한 메일", "quoted mail"),
    "contents": ("차례·색인", "generated list"),
    "ruby": ("덧말", "reading above words"),
    "image": ("그림", "picture"),
    "tracked_change": ("변경 추적", "tracked change"),
    "deleted": ("취소선 그은 글", "struck out"),
    "prompt": ("빈 입력란의 안내", "prompt of an empty field"),
    "equation": ("수식", "equation"),
    "navigation": ("메뉴", "navigation"),
    "signature": ("전자 서명", "signature"),
    "sealed": ("봉인된 글", "sealed text"),
    "report": ("배달 보고", "delivery report"),
    "part": ("본문 밖 부분", "other part"),
    "calendar": ("일정", "calendar"),
    "empty_attachment": ("빈 첨부", "empty attachment"),
    "parser_version": ("파서", "parser"),
    "chunker_version": ("조각 나누기 규칙", "chunker"),
    "tokens_version": ("형태소 분석", "morphemes"),
    "sketch_version": ("견주기 요약", "sketches"),
    "encoder_version": ("임베딩 모델", "encoder"),
    "encoder_changed": ("임베딩 모델이 바뀜, 갱신 필요", "encoder changed since the last refresh"),
}

# What `saero alerts` says: states, severities and what became of the mail.
ALERT_WORDS: dict[str, tuple[str, str]] = {
    "open": ("확인 필요", "open"),
    "worsened": ("나빠짐", "worsened"),
    "resolved": ("해결됨", "resolved"),
    "urgent": ("긴급", "urgent"),
    "digest": ("점검 결과 메일", "digest"),
    "queued": ("보낼 예정", "queued"),
    "sent": ("보냄", "sent"),
    "failed": ("보내지 못함", "failed"),
    "muted": ("알리지 않음", "muted"),
    "file": ("파일로 저장", "file"),
}
# The fixed causes of a canary's state (pipelines/gap.py); numbers and places are taken over.
CAUSES: tuple[tuple[str, str], ...] = (
    (r"accepted", "사람이 확인함"),
    (r"not in the index", "검색 색인에 없음"),
    (r"pinned; please confirm", "답을 찾음, 확인 필요"),
    (r"nothing was found", "찾은 것이 없음"),
    (r"not answered, as it must be", "답이 없어야 하고, 없음"),
    (r"answered with ([\d.]+) though it must not be", r"답이 없어야 하는데 \1로 답함"),
    (r"what is expected is not among the first (\d+)", r"기대한 답이 위 \1개에 없음"),
    (r"the best passage has ([\d.]+), ([\d.]+) is asked", r"가장 나은 답이 \1, 기준은 \2"),
    (r"the pinned passage has ([\d.]+), ([\d.]+) is asked", r"정해 둔 답이 \1, 기준은 \2"),
    (r"(\w+); the expected text stands in result (\d+)", r"\1, 기대한 글은 \2번째 결과에 있음"),
    (
        r"(\w+); the expected text stands in result (\d+), beyond the first (\d+)",
        r"\1, 기대한 글은 \2번째 결과, 위 \3개 밖",
    ),
    (r"(\w+); the expected text has ([\d.]+), the baseline is ([\d.]+)", r"\1, 기대한 글의 점수 \2, 기준 점수는 \3"),
    (r"(\w+); the expected text is gone from what took its place", r"\1, 이어받은 문서에 기대한 글이 없음"),
    (r"the expected text is not in the passage", "답에 기대한 글이 없음"),
    (r"replaced; its successor answers as result (\d+)", r"새 버전으로 대체됨, 새 버전이 \1번째 결과로 답함"),
    (r"now at (.+)", r"지금 위치: \1"),
    (r"not among the first (\d+)", r"위 \1개에 없음"),
    (r"result (\d+), beyond the first (\d+)", r"\1번째 결과, 위 \2개 밖"),
    (r"([\d.]+), the baseline is ([\d.]+)", r"\1, 기준 점수는 \2"),
    (r"result (\d+)(?:; new calibration, new baseline)?", r"\1번째 결과"),
)


def word(key: str, language: str) -> str:
    """Return the word for a state, stage or tier; the key itself when there is none."""
    pair = WORDS.get(key)
    return key if pair is None else pair[0 if language == "ko" else 1]


def alert_word(key: str | None, language: str) -> str:
    """Return the word for an alert's state, severity or mail; "" for none."""
    pair = ALERT_WORDS.get(key or "")
    return key or "" if pair is None else pair[0 if language == "ko" else 1]


def cause_words(cause: str | None, language: str) -> str:
    """Return why a canary stands as it does; what has no words stays as it is."""
    from pipelines.alert_words import FATES

    if not cause or language != "ko":
        return cause or ""
    for pattern, korean in CAUSES:
        found = re.fullmatch(pattern, cause)
        if found:
            said = found.expand(korean)
            fate = FATES.get(found[1]) if found.re.groups else None
            return said.replace(found[1], fate[0], 1) if fate else said
    return FATES[cause][0] if cause in FATES else cause


def said(keys: Iterable[str], language: str) -> str:
    """Return the words for several keys in one line; a key may name its place: held:제안서/a.md."""
    parts = (key.partition(":") for key in keys)
    return ", ".join(word(key, language) + (f" ({place})" if place else "") for key, _, place in parts)


def counted(kinds: Mapping[str, int], language: str) -> str:
    """Return kinds of findings with their counts in one line, in the words that mails use."""
    from pipelines.alert_words import KINDS

    short = {kind: pair[0 if language == "ko" else 1] for kind, pair in KINDS.items()}
    return ", ".join(f"{short.get(kind, kind)} {count}" for kind, count in kinds.items())


def either(language: str, korean: str, english: str) -> str:
    """Return the sentence in the language of the settings."""
    return korean if language == "ko" else english
