"""Who does something, and by what or where, where a clause names one of several: 재무팀이 보관한다, 현금으로 낸다."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.quantities import Found

# class -> words, "=" joining spellings. One rule names one of a class.
_MEANS: dict[str, str] = {
    "paid by": "현금 법인카드=법인신용카드 개인카드 신용카드=카드 계좌이체=무통장입금=무통장 어음 수표 "
    "상품권 세금계산서 간이영수증",
    "sent by": "이메일=전자우편=메일 팩스 우편 등기우편=등기 택배 퀵서비스=퀵 인편 메신저 전화=유선 문자=문자메시지 "
    "전자결재 그룹웨어 홈페이지 공문",
    "language": "국문=한국어=한글 영문=영어 일문=일본어 중문=중국어",
    "currency": "원화 달러화=미화=달러 유로화=유로 엔화 위안화",
    "class": "이코노미석=이코노미클래스=일반석 비즈니스석=비즈니스클래스 일등석=퍼스트클래스 특실",
    "format": "PDF HWP=HWPX DOCX=워드 엑셀=XLSX=엑셀파일 파워포인트=PPT=PPTX CSV JSON XML JPG PNG",
    "place": "본관 별관 신관 구관 강당=대강당 대회의실 소회의실 본사 지사 공장 연구소 로비 구내식당 자택",
    "clothes": "정장 자율복=자율복장 캐주얼=비즈니스캐주얼 유니폼=근무복 작업복",
    "vehicle": "택시 버스 KTX=고속철도 항공=항공편=비행기 법인차량=법인차 자가용=개인차량 렌터카 지하철",
    "tool": "엑셀시트 위키 노션 슬랙=slack 팀즈=teams 줌=zoom 지라=jira 깃허브=github",
}
_NAMED = {
    word.lower(): (name, spelled.split("=")[0].lower())
    for name, words in _MEANS.items()
    for spelled in words.split()
    for word in spelled.split("=")
}
_MEANS_OF = re.compile(
    r"(?<![가-힣A-Za-z])(?P<what>"
    + "|".join(re.escape(word) for word in sorted(_NAMED, key=len, reverse=True))
    + r")(?P<how>(?:으로|로)(?:만)?\s(?!인|인한|부터|보|간주)|에서(?:만)?\s|(?:이다|입니다|다)[.!\s]*$)",
    re.IGNORECASE,
)
_DOER = re.compile(
    r"(?<![가-힣A-Za-z])(?P<who>(?:[가-힣]{1,8}|[A-Z]{2,3})(?:팀|부서|본부|위원회|센터)|(?:법무|총무|인사|재무|회계|구매|자재|영업|기획|홍보|생산|"
    r"품질|연구|개발|전산|감사|관리|물류|경리|마케팅)(?:부|실|과)|대표이사|사장|본부장|부서장|팀장|임원|이사회|실장|파트장|인사담당자|보안담당자|"
    r"임대인|임차인|매도인|매수인|발주자|수급인|시공사|위탁자|수탁자|주최측|협력사|공급사|발주처|고객|회사|본인|신청자)"
)
_DOES = re.compile(
    r"(?:이|가|에서)\s(?!아니|되|될|없|있)(?=.*(?:[ᆫ는한운]다|합니다|습니다|[가-힣]니다)[.!\s]*$)"
    r"|(?:이|가)?\s?(?:담당|소관|부담|주관|전담|관할)(?:한다|합니다|이다|입니다|으로\s한다)?[.!\s]*$"
)
_IS = re.compile(r"(?:이다|입니다|다)?[.!\s]*$|으?로\s(?:한다|합니다|정한다|정합니다|지정)")
# What is asked for is a doer: 담당 부서는, 승인권자는.
_ASKS = re.compile(
    r"(?:담당|주관|소관|관리|보관|책임|처리|승인|결재|검토|발행|운영)\s?(?:부서|조직|팀|자|권자|주체)[은는:]|(?:주체|부담자|책임자|담당자)[은는:]"
)
_COURT = re.compile(r"(?P<court>[가-힣]{2,8}(?:지방법원|고등법원|법원|중재원))")


def choices(clause: str) -> Iterator[Found]:
    """Yield who does what a clause says, and the means, language, place or court that it names."""
    for m in _MEANS_OF.finditer(clause):
        name, one = _NAMED[m["what"].lower()]
        if name == "place" or not m["how"].startswith("에서"):
            yield Found(f"choice:{name}", one, *m.span("what"))
    for m in _DOER.finditer(clause):
        asked = _ASKS.search(clause, 0, m.start())
        if _DOES.match(clause, m.end()) or (asked and _IS.match(clause, m.end())):
            yield Found("choice:doer", m["who"], *m.span("who"))
    for m in _COURT.finditer(clause):
        yield Found("choice:court", m["court"], *m.span("court"))
