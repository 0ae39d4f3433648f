"""What documents say of themselves beside their names: title, status, first day, what they are about."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pipelines.name_times import take_days
from pipelines.name_words import of_a_product, series_of, spread
from pipelines.names import parse_name


def _keys(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Keys of front matter and of office properties, in lower case and without gaps.
_STATUS = _keys(
    """
    status contentstatus documentstatus state approval approvalstatus reviewstatus stage lifecycle 상태 문서상태 결재
    결재상태 승인 승인상태 승인여부 진행상태 진행상황 검토상태 배포상태 단계
    """
)
_STARTS = _keys(
    """
    effective effectivedate effectivefrom effectiveon effectiveat validfrom startson startsat inforcefrom
    applicablefrom 시행 시행일 시행일자 시행예정일 시행시기 적용일 적용일자 적용시작일 발효일 발효일자 효력발생일
    """
)
_ABOUT = _keys(
    """
    project projectname client customer account partner vendor company product productname model region country site
    plant branch location department lang language locale audience year quarter subject scope 프로젝트 프로젝트명 사업
    사업명 과제 과제명 고객 고객사 고객명 발주처 발주기관 거래처 협력사 회사 법인 제품 제품명 모델 기종 지역 국가 현장
    지점 지사 공장 사업장 부서 언어 대상 연도 년도 분기 주제 범위
    """
)
# A document with this status is in force. Any other one on a newer version is a question: nobody can list the steps
# of every approval flow (상신, 결재 대기, 2차 검토, pending legal).
_SETTLED = re.compile(
    r"(?:승인|결재|확정|최종|시행|현행|유효|발효|공포|공시|배포|발행|공개|게시|적용|등록|완성|완료)\s*(?:됨|됐음|완료|중|본)?|"
    r"active|approved|complete|completed|current|done|effective|final|finali[sz]ed|in[ _-]?force|in[ _-]?use|live|"
    r"official|public|published|ratified|released?|signed|valid|true|yes|o",
    re.IGNORECASE,
)
_NO = _keys("false no 0 n x 아니오 미승인")
_YES = _keys("true yes 1 y o 예")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a document says of itself.

    statuses  values of its keys of a status; `draft: true` is "draft"
    starts    values of its keys of the day from which it is in force
    about     key -> value of what it is about: project, customer, language
    """

    title: str = ""
    statuses: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()


NO_CLAIMS = Claims()


def claims_of(title: str, properties: Mapping[str, object]) -> Claims:
    """Return what title and properties of a document say."""
    said = {_key(name): str(value).strip() for name, value in properties.items() if str(value).strip()}
    statuses = [value for key, value in said.items() if key in _STATUS]
    statuses += ["draft"] if said.get("draft", "").lower() in _YES else []
    statuses += ["unpublished"] if said.get("published", "").lower() in _NO else []
    return Claims(
        title,
        tuple(statuses),
        tuple(value for key, value in said.items() if key in _STARTS),
        tuple(sorted((key, _key(value)) for key, value in said.items() if key in _ABOUT)),
    )


def claims_objection(older: Claims, newer: Claims, today: date | None) -> str:
    """Return what forbids that the newer replaces the older unasked, or ""; without `today` no day is ahead."""
    if found := next((one for one in newer.statuses if not _SETTLED.fullmatch(one)), ""):
        return f"the newer says {found}"
    if found := next((one for one in older.statuses if _SETTLED.fullmatch(one)), ""):
        return f"the older says {found}"
    if found := _not_yet(newer.starts, today):
        return f"the newer says {found}"
    if any(value != dict(newer.about).get(key, value) for key, value in older.about):
        return "the documents say that they are about different things"
    return _titles_objection(older.title, newer.title)


def days_ahead(text: str, today: date | None) -> bool:
    """Tell whether a text names a day after today; a day without a year is none."""
    days = take_days(unicodedata.normalize("NFKC", text))[1]
    return today is not None and any(day[0] and date(*day) > today for day in days)


def _not_yet(starts: tuple[str, ...], today: date | None) -> str:
    """Return the first day that is ahead, or that can't be read (미정): from then on the document is in force."""
    for one in starts:
        if days_ahead(one, today) or not take_days(unicodedata.normalize("NFKC", one))[1]:
            return one
    return ""


def _titles_objection(older: str, newer: str) -> str:
    """Titles are read like names: without version, state and day they must be the same."""
    if not older or not newer or _key(older) == _key(newer):
        return _kind_objection(newer or older)
    a, b = (parse_name(title.replace("/", " ")) for title in (older, newer))
    if (a.subject, a.periods, a.weak) != (b.subject, b.periods, b.weak):
        return "the titles differ"
    if a.versions and b.versions and a.versions >= b.versions:
        return "the versions in the titles contradict those in the names"
    return _kind_objection(newer)


def _kind_objection(title: str) -> str:
    if series_of(spread(title), dated=False):
        return "one of a series"
    return "the version may be that of a product" if of_a_product(spread(title), "") else ""


def _key(text: str) -> str:
    return re.sub(r"[\s_\-]+", "", unicodedata.normalize("NFKC", text)).lower()
