"""Forms in sheets: a label, then its value, perhaps twice or three times a row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.parsers.sheet_grid import Grid

Row = tuple[int, dict[int, str]]

_MAX_LABEL_CHARS = 20
# What Korean forms, quotations, minutes and cover sheets ask for. A row whose first cell says one of these, and whose
# second doesn't, is an entry of a form; a header says several of them side by side.
_LABEL = re.compile(
    r"""(?:성명|성함|이름|소속(?:기관|부서)?|부서(?:명)?|직급|직위|직책|연락처|전화(?:번호)?|휴대(?:폰|전화)|이메일|전자우편|e-?mail|팩스|fax|tel|주소
      |생년월일|주민등록번호|입사일(?:자)?|퇴사일(?:자)?|학력|경력|은행(?:명)?|계좌번호|예금주
      |(?:사업|과제|계약|용역|공사|프로젝트|행사|회의|문서|보고서|교육|시스템|제안|과정|물품|품|건)명|제목|건명|안건|목적|개요|배경|범위|대상|용도|사유
      |(?:사업|과제|계약|용역|공사|수행|교육|보증|유효|보존|근무|지원|추진)?기간|(?:사업|계약|용역|행사|납품|교육|회의)?(?:장소|일시)|납기(?:일|일자)?|납품기한
      |(?:총|총사업|사업|계약|추정|기초|예정|견적|청구|합계|지급)(?:비|금액|가격|액)|예산(?:액)?|계약금액|금액|합계금액
      |(?:작성|신청|접수|발행|견적|계약|시행|등록|기준|완료|착수|준공|검수|보고|제출|승인|결재|발주|거래)(?:일|일자|일시|날짜|번호|자|인|부서)|일자|날짜|작성자|신청인
      |담당(?:자|부서|관)?|책임자|관리자|승인자|검토자|참석(?:자|인원)|주관(?:기관|부서)?|수행(?:기관|업체)?|발주(?:처|기관|부서)|주최|주관처|협조|배포처
      |(?:기관|업체|회사|상호|법인|학교|단체|고객|거래처)(?:명)?|상호\(법인명\)|대표(?:자|이사)?(?:명|성명)?|사업자(?:등록)?번호|등록번호|법인(?:등록)?번호|업태|종목|업종
      |견적번호|문서번호|관리번호|접수번호|계약번호|버전|수신(?:자|처)?|참조|발신(?:자|처)?|공급자|공급받는자|결제조건|지급조건|납품조건|보안등급|홈페이지|특이사항)""",
    re.VERBOSE | re.IGNORECASE,
)
# Spaces set for looks and a unit or number in brackets: "사 업 명", "계약금액(원)", "1. 목적", "* 성명", "성명:".
_DRESSING = re.compile(r"^(?:[\d]{1,2}[.)]|[*○□ㅇ•·-])|[\s]|[(\[][^)\]]*[)\]]$|[:：]$")


def is_form_label(text: str) -> bool:
    """Tell whether a cell asks for a value: a word of forms, or a short text that ends in a colon."""
    if len(text) > _MAX_LABEL_CHARS:
        return False
    if text.rstrip().endswith((":", "：")):
        return True
    return _LABEL.fullmatch(_DRESSING.sub("", re.sub(r"\s", "", text))) is not None


def is_entry(cells: dict[int, str]) -> bool:
    """Tell whether a row reads as label, value (and again label, value) of a form."""
    texts = [text for _, text in sorted(cells.items())]
    if len(texts) < 2 or not is_form_label(texts[0]):
        return False
    if len(texts) > 3:
        return is_form_label(texts[2]) and not (is_form_label(texts[1]) and is_form_label(texts[3]))
    return not is_form_label(texts[1])


def is_form(rows: Sequence[Row]) -> bool:
    """Tell whether rows are entries of a form: the first one, and more than half of those with two cells."""
    pairs = [cells for _, cells in rows if len(cells) > 1]
    if len(pairs) < 2 or not is_entry(pairs[0]):
        return False
    return sum(map(is_entry, pairs)) > len(pairs) / 2


def paired(number: int, cells: dict[int, str], grid: Grid) -> tuple[str, ...]:
    """Return a form's row with each label and its value as one text: "성명: 홍길동"."""
    labels = _labels(number, cells, grid)
    found: list[str] = []
    waiting = ""
    for column, text in sorted(cells.items()):
        if waiting and column not in labels:
            mark = "" if waiting.endswith((":", "：")) else ":"
            found.append(f"{waiting}{mark} {text}")
            waiting = ""
            continue
        found += [waiting] if waiting else []
        waiting = text if column in labels else ""
        found += [] if waiting else [text]
    return (*found, *([waiting] if waiting else []))


def _labels(number: int, cells: dict[int, str], grid: Grid) -> set[int]:
    """Return the columns of the labels: words of forms, or else cells that stand out beside cells that don't."""
    said = {column for column, text in cells.items() if is_form_label(text)}
    if said or grid.emphasised is None:
        return said
    marked = {column for column in cells if (number, column) in grid.emphasised}
    return marked if len(marked) < len(cells) and min(cells) in marked else set()
