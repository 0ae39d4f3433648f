"""What a mail says of each kind of finding, in Korean and English. No sentence takes a document's text."""

from __future__ import annotations

import re
from collections.abc import Mapping

Pair = tuple[str, str]

# Short name, and what is added in brackets when the detail has it.
KINDS: dict[str, Pair] = {
    "unsearched": ("검색에서 빠진 파일", "file that search can't find"),
    "needs_ocr": ("스캔 문서(글자 인식 필요)", "scan that needs OCR"),
    "stale_parse": ("파일을 읽지 못해 이전 내용으로 검색됨", "unreadable now; its earlier text is still found"),
    "source_unreachable": ("문서 폴더에 접근할 수 없음", "source folder can't be reached"),
    "source_unconfigured": ("설정에서 빠진 문서 폴더", "source no longer in the settings"),
    "deletions_held": (
        "한꺼번에 사라진 문서, 검색 제외를 보류함",
        "many documents vanished; they stay searchable for now",
    ),
    "expires_soon": ("유효기간이 다 되어 감", "expires soon"),
    "expiry_unreadable": ("유효기간(expires_at)이 날짜가 아님", "expires_at is no date"),
    "review_due": ("내용을 확인할 때가 됨", "due for a review"),
    "feedback": ("틀렸다는 의견이 있음", "readers call it wrong"),
    "future_clock": ("문서의 날짜가 미래임", "dated in the future"),
    "row_withheld": ("품질 규칙에 걸려 검색에 반영하지 않은 조각", "passages kept out of search by a quality rule"),
    "superseded": ("새 버전으로 대체됨", "replaced by a newer version"),
    "version_doubt": ("어느 것이 새 버전인지 확인 필요", "which version is newer is unclear"),
    "version_returned": (
        "새 버전이 없어지거나 바뀌어 이전 버전이 돌아옴",
        "the newer version is gone or changed; the one before is back",
    ),
    "redundancy_returned": (
        "다른 문서에 다 있어 제외했으나, 그 문서가 없어지거나 바뀌어 다시 검색됨",
        "was left out as redundant; what covered it is gone or changed, so it is back",
    ),
    "contradiction": ("다른 문서와 값이 서로 다름", "another document states another value"),
    "contradictions_unread": ("문서끼리 값을 견주다가 멈춤", "comparing what documents state broke off"),
    "name_clash": ("같은 이름의 파일이 둘 이상임", "two files with one name"),
    "name_not_utf8": ("파일 이름의 글자를 읽을 수 없음", "file name is not UTF-8"),
    "unlisted": ("열 수 없는 폴더", "folder that can't be listed"),
    "run_failed": ("새로 고침 실패", "refresh failed"),
    "run_missing": ("새로 고침이 실행되지 않음", "no refresh has run"),
    "publish_held": ("검색 반영 보류", "publishing held back"),
    "canary_lost": ("점검 질문의 답이 검색에서 사라짐", "a canary lost its answer"),
    "canary_value_changed": ("점검 질문의 답이 바뀜", "a canary's value changed"),
    "canary_moved": ("점검 질문의 답이 다른 문서로 옮겨감", "a canary's answer moved"),
    "canary_displaced": ("점검 질문의 답이 위쪽 결과에서 밀려남", "a canary's answer is out of the top results"),
    "canary_drop": ("점검 질문의 점수 하락", "a canary's score dropped"),
    "canary_gap": ("답이 없는 질문", "question without an answer"),
    "canary_new": ("점검 질문의 답 확인 필요", "a canary's answer waits for confirmation"),
}
CATEGORIES: dict[str, Pair] = {
    "empty": ("빈 파일", "empty"),
    "unsupported": ("지원하지 않는 형식", "unsupported format"),
    "encrypted": ("암호가 걸림", "password needed"),
    "damaged": ("손상됨", "damaged"),
    "too_large": ("너무 큼", "too large"),
    "timeout": ("시간 초과", "timed out"),
    "unsafe_xml": ("안전하지 않은 XML", "unsafe XML"),
    "needs_ocr": ("글자 인식 필요", "needs OCR"),
    "unreadable": ("열 수 없음", "can't be opened"),
    "changed_while_reading": ("읽는 중에 바뀜", "changed while being read"),
    "drm": ("문서 보안(DRM)", "DRM"),
}
HOLDS: dict[str, Pair] = {
    "mass_deletion": ("한 번에 많이 사라짐", "too many at once"),
    "unlisted": ("열 수 없는 폴더 아래", "under a folder that can't be listed"),
    "unreadable_wave": ("읽을 수 없게 된 파일이 많음", "many files turned unreadable"),
}
FATES: dict[str, Pair] = {
    "deleted": ("파일이 없어짐", "file deleted"),
    "expired": ("유효기간 지남", "expired"),
    "replaced": ("새 버전으로 대체됨", "replaced"),
    "changed": ("내용이 바뀜", "changed"),
    "rejected": ("사람이 제외함", "rejected"),
    "withheld": ("품질 규칙에 걸림", "withheld"),
}


def pick(pair: Pair, language: str) -> str:
    """Return the word in the language of the settings."""
    return pair[0] if language == "ko" else pair[1]


def kind_words(kind: str, language: str) -> str:
    """Name a kind of finding; an unknown one by itself."""
    return pick(KINDS.get(kind, (kind, kind)), language)


def facts(detail: Mapping[str, object], language: str) -> str:
    """Say what is known besides the kind: categories, counts, scores, dates. Never a passage, a query or a value."""
    said = [pick(pair, language) for pair in _words(detail)]
    korean = language == "ko"
    for key, template in (_KOREAN_NUMBERS if korean else _ENGLISH_NUMBERS).items():
        value = detail.get(key)
        if value is not None and value != "":
            said.append(template.format(_number(value)))
    score, baseline = detail.get("score"), detail.get("baseline")
    if isinstance(score, float):
        said.append(f"{baseline:.2f} → {score:.2f}" if isinstance(baseline, float) else f"{score:.2f}")
    return ", ".join(said)


def _words(detail: Mapping[str, object]) -> list[Pair]:
    tables = {"category": CATEGORIES, "reason": HOLDS, "cause": FATES}
    return [table[str(detail[key])] for key, table in tables.items() if str(detail.get(key)) in table]


_KOREAN_NUMBERS = {
    "documents": "문서 {}개",
    "pages": "글자 없는 쪽 {}개",
    "nights": "{}일째",
    "hours": "{}시간째",
    "days": "{}일 동안 그대로",
    "expires_at": "{}까지",
    "stage": "단계 {}",
    "losses": "잃은 답 {}개",
    "contradictions": "{}건",
    "jaccard": "겹침 {}",
}
_ENGLISH_NUMBERS = {
    "documents": "{} documents",
    "pages": "{} pages without text",
    "nights": "night {}",
    "hours": "for {} hours",
    "days": "unchanged for {} days",
    "expires_at": "until {}",
    "stage": "stage {}",
    "losses": "{} answers lost",
    "contradictions": "{} of them",
    "jaccard": "Jaccard {}",
}


def _number(value: object) -> str:
    """Show a number, a date without its time, or one plain word; nothing longer can pass."""
    text = str(value)
    date = re.match(r"\d{4}-\d\d-\d\d", text)
    if date:
        return date[0]
    return re.sub(r"[^\w.-]", "", text, flags=re.ASCII)[:20]
