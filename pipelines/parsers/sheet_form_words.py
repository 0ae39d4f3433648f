"""What Korean forms, quotations, minutes and cover sheets ask for."""

from __future__ import annotations

from typing import NamedTuple


class _Family(NamedTuple):
    """Labels made of a head and an end, every head with every end."""

    heads: str
    ends: str


# Labels that are whole words.
_WORDS = """
    성명 성함 이름 소속 소속기관 소속부서 부서 부서명 직급 직위 직책 연락처 전화 전화번호 휴대폰 휴대전화
    이메일 전자우편 e-mail email 팩스 fax tel 주소 생년월일 주민등록번호 입사일 입사일자 퇴사일 퇴사일자 학력 경력
    은행 은행명 계좌번호 예금주 제목 건명 안건 목적 개요 배경 범위 대상 용도 사유 납기 납기일 납기일자 납품기한
    예산 예산액 계약금액 금액 합계금액 일자 날짜 작성자 신청인 담당 담당자 담당부서 담당관 책임자 관리자 승인자 검토자
    참석자 참석인원 주관 주관기관 주관부서 수행 수행기관 수행업체 발주처 발주기관 발주부서 주최 주관처 협조 배포처
    상호(법인명) 대표 대표명 대표성명 대표자 대표자명 대표자성명 대표이사 대표이사명 대표이사성명
    사업자번호 사업자등록번호 등록번호 법인번호 법인등록번호 업태 종목 업종 견적번호 문서번호 관리번호 접수번호 계약번호
    기간 장소 일시 버전 수신 수신자 수신처 참조 발신 발신자 발신처 공급자 공급받는자
    결제조건 지급조건 납품조건 보안등급 홈페이지 특이사항
"""
# Said with and without a name's ending: 회사, 회사명.
_BODIES = "기관 업체 회사 상호 법인 학교 단체 고객 거래처"
_FAMILIES = (
    _Family("사업 과제 계약 용역 공사 프로젝트 행사 회의 문서 보고서 교육 시스템 제안 과정 물품 품 건", "명"),
    _Family("사업 과제 계약 용역 공사 수행 교육 보증 유효 보존 근무 지원 추진", "기간"),
    _Family("사업 계약 용역 행사 납품 교육 회의", "장소 일시"),
    _Family("총 총사업 사업 계약 추정 기초 예정 견적 청구 합계 지급", "비 금액 가격 액"),
    _Family(
        "작성 신청 접수 발행 견적 계약 시행 등록 기준 완료 착수 준공 검수 보고 제출 승인 결재 발주 거래",
        "일 일자 일시 날짜 번호 자 인 부서",
    ),
    _Family(_BODIES, "명"),
)

FORM_WORDS = frozenset(
    [
        *(_WORDS + _BODIES).split(),
        *(head + end for family in _FAMILIES for head in family.heads.split() for end in family.ends.split()),
    ]
)
