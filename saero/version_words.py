"""Why two documents count as versions, or why a person must say so, in Korean."""

from __future__ import annotations

import re

# The fixed reasons of pipelines/version_rule.py, version_claims.py, version_doubts.py, version_content.py, versions.py.
_WHYS: tuple[tuple[str, str], ...] = (
    (r"explicit versions", "이름의 버전이 더 높음"),
    (r"a person accepted it", "사람이 승인함"),
    (r"one of a series", "각각 유효한 문서일 수 있음(회의록, 계약서 등)"),
    (r"the version may be that of a product", "문서가 아니라 제품의 버전일 수 있음"),
    (r"the number may not be a version", "숫자가 버전이 아닐 수 있음"),
    (r"the newer names a day ahead", "새 문서에 아직 오지 않은 날짜가 있음"),
    (r"the newer has expired", "새 문서의 유효기간이 지남"),
    (
        r"another folder holds the older without a version",
        "이전 문서와 같은 본문이 다른 폴더에 버전 없는 이름으로 있음",
    ),
    (r"the documents say that they are about different things", "문서 속성의 대상(프로젝트, 고객 등)이 다름"),
    (r"the titles differ", "제목이 다름"),
    (r"the versions in the titles contradict those in the names", "제목의 버전과 이름의 버전이 어긋남"),
    (r"the version doesn't end the name", "이름이 버전으로 끝나지 않음"),
    (r"the names differ beside the version", "버전 말고도 이름이 다름"),
    (r"a name has a copy mark", "이름에 사본 표시가 있음"),
    (r"the newer says (.+)", r"새 문서에 '\1' 표시가 있음"),
    (r"the older says (.+)", r"이전 문서에 '\1' 표시가 있음"),
    (r"the newer can't be read now", "새 문서를 지금 읽을 수 없음"),
    (r"the newer is under half as long", "새 문서가 이전 문서의 절반보다 짧음"),
    (r"the newer is older by its own clock", "문서에 기록된 수정 시각은 새 문서가 더 이름"),
    (r"the newer is a backup", "새 문서가 백업으로 보임"),
    (r"the days may tell two of a series apart", "날짜가 다른 별개의 문서일 수 있음"),
    (r"the dates in the names contradict the versions", "이름의 날짜와 버전이 어긋남"),
    (r"the older has a later version elsewhere", "이전 문서가 다른 곳에서 더 높은 버전으로 쓰임"),
    (r"the texts differ much", "내용이 많이 다름"),
    (r"different folders", "폴더가 다름"),
    (r"words of state only: (.+)", r"상태를 나타내는 말뿐임: \1"),
    (r"dates only", "날짜만 다름"),
    (r"a number that may not be a version", "끝의 숫자가 버전인지 알 수 없음"),
    (r"no version on both names", "버전이 두 이름에 다 있지 않음"),
    (r"the older is contained in the newer", "이전 문서가 새 문서에 들어 있음"),
    (r"other names, almost the same text", "이름은 다르지만 내용이 거의 같음"),
)


def why_words(why: str, language: str) -> str:
    """Return the reason in the language of the settings; what has no words stays as it is."""
    if language == "ko":
        for pattern, korean in _WHYS:
            found = re.fullmatch(pattern, why)
            if found:
                return found.expand(korean)
    return why
