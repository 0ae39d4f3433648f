"""How offices name their files: kinds of documents, projects, people, and the many ways to write a version."""

from __future__ import annotations


def _entries(text: str) -> tuple[str, ...]:
    """Return what stands between the bars."""
    return tuple(" ".join(entry.split()) for entry in text.split("|"))


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    """Return rows that are parted by bars, their entries by slashes."""
    return tuple(tuple(part.strip() for part in entry.split(" / ")) for entry in _entries(text))


# Kinds of documents of which an office keeps versions.
KINDS = _entries(
    """
    사업계획서 | 서비스 기획서 | 요구사항 정의서 | 화면설계서 | API 명세서 | 운영 매뉴얼 | 설치 가이드 | 보안 지침 |
    개인정보 처리방침 | 교육 교재 | 제안서 | 제안요청서 | 과업지시서 | 예산안 | 조직 개편안 | 인사규정 | 취업규칙 |
    테스트 계획서 | 테스트 시나리오 | 데이터 사전 | 인터페이스 정의서 | 장애 대응 매뉴얼 | 홍보 계획 | 마케팅 전략 |
    품질관리 계획서 | 아키텍처 설계서 | 연구보고서 | 사용자 가이드 | 수행계획서 | 이관 계획서 | 위험관리 대장 |
    가격표 | 비상대응 절차 | 온보딩 안내 | WBS | Proposal | System Design | User Guide | Runbook | Product Roadmap
    """
)
PROJECTS = _entries(
    """
    알파 | 미르 | 한빛 | 다온 | 누리 | 가온 | 새벽 | 오름 | 나래 | 해솔 | 바로 | 이음 | 차세대 | 통합물류 | 모바일 |
    고객센터 | 전자결재 | 정산시스템 | Orion | Helios
    """
)
PEOPLE = _entries(
    """
    한지우 | 오세린 | 문태겸 | 배하람 | 정로하 | 서이든 | 류가온 | 민소율 | jwhan | srin.oh | KHR | 모아라
    """
)
PARTIES = _entries(
    """
    한빛가구 | 다온사무 | 새로정보 | 미래유통 | (주)오름 | 가람물산 | Acme | Northwind
    """
)
TEAMS = _entries(
    """
    기획팀 | 개발1팀 | 총무 | 인사팀 | PMO | 영업본부
    """
)

# How a version is written around the title, by kind of counting: two kinds can't be compared.
EXPLICIT = tuple(
    (counting, way)
    for counting, ways in (
        (
            "v",
            """
            {t}_v{n} | {t} v{n} | {t}_V{n} | {t}_v{n}.0 | {t}_ver{n} | {t}_Ver.{n} | {t}_Ver {n}.0 | {t}(v{n}) |
            {t} (V{n}.0) | {t}-v{n} | v{n}_{t} | {t}_v0{n} | {t}_v0.{n} | {t}_v1.{n} | {t}_v1.0.{n} | {t}_v.{n} |
            {t}_version{n} | {t} 버전{n} | [공유] {t} v{n} | ({team}) {t}_v{n} | [{team}] {t} v{n} | {t}v{n} |
            {t}_{person}_v{n} | {t}_v{n}_{person} | {t}_v{n}_제출용 | {t}_v{n}(수정) | {t}_v{n}_공유 | {t}_v{n}_{day} |
            {t}_{day}_v{n} | {day}_{t}_v{n} | {t}_v{n}({day}) | 01. {t}_v{n} | 2026년 {t}_v{n} | {t}(2026)_v{n}
            """,
        ),
        (
            "rev",
            """
            {t}_rev{n} | {t}_Rev.{n} | {t} rev {n} | {t}_R{n} | {t}_r{n} | {t}_개정{n}
            """,
        ),
        (
            "edition",
            """
            {t} 제{n}판 | {t}_{n}판 | {t}(제{n}판)
            """,
        ),
        (
            "change",
            """
            {t}_{n}차수정 | {t} {n}차 수정본
            """,
        ),
    )
    for way in _entries(ways)
)
DAYS = ("%Y%m%d", "%y%m%d", "%Y-%m-%d", "%Y.%m.%d")
EXTENSIONS = ("docx", "hwp", "hwpx", "pdf", "pptx", "md")

# The same thing as before, but no number says so: a person decides.
STATES = _rows(
    """
    {t}_초안 / {t}_수정 / {t}_최종 | {t} / {t}_최종 / {t}_진짜최종 | {t}_최종 / {t}_최종2 / {t}_최종_수정 |
    {t} / {t}_수정 / {t}_수정2 | {t} 초안 / {t} 검토본 / {t} 확정본 | {t} / {t} (1) / {t} (2) |
    {t} / 사본 - {t} / {t} - 복사본 (2) | {t}_draft / {t}_final / {t}_final_final | {t}_구버전 / {t} |
    {t}_old / {t} / {t}_new | {t} / {t}_v2 | {t}_백업 / {t} | {t}_v2 / {t}_v2_수정 / {t}_v2_최종 | {t}_v1 / {t}_rev2 |
    {t} / Copy of {t} | {t}_시행 / {t}_개정안 | {t}_v3 / {t}_v3_1
    """
)
NOT_IN_FORCE = (
    "_초안",
    "_검토용",
    "(안)",
    "_개정안",
    "_의견수렴",
    "_draft",
    "_WIP",
    " 초안",
    "_검토중",
    "_검토본",
    "(초안)",
    "-draft",
)
IN_FORCE = ("_최종", "_확정", "_시행", "_결재완료", "(공고)", "_final", "_확정본", "(시행)", "_최종본", "_approved")

# Both true at once: periods, places, readers, parts. A later one replaces nothing, whatever version it carries.
VARIANTS = _rows(
    """
    2025년 {t} / 2026년 {t} | {t}_2025 / {t}_2026 | {t}(2025) / {t}(2026) | FY25 {t} / FY26 {t} |
    25년 {t} / 26년 {t} | {t}_2025학년도 / {t}_2026학년도 | 1분기 {t} / 2분기 {t} | {t}_1Q / {t}_2Q |
    {t} Q1 / {t} Q2 | 상반기 {t} / 하반기 {t} | {t}_3월 / {t}_4월 | {t}_202603 / {t}_202604 | {t}_26.03 / {t}_26.04 |
    {t} 3주차 / {t} 4주차 | {t}_1차 / {t}_2차 | 제1회 {t} / 제2회 {t} | {t}_1단계 / {t}_2단계 | {t} 2기 / {t} 3기 |
    {t}_국문 / {t}_영문 | {t}_초급 / {t}_중급 | {t}(관리자용) / {t}(사용자용) | {t}_서울 / {t}_부산 |
    본사 {t} / 지사 {t} | {t}_A동 / {t}_B동 | {t}-dev / {t}-prod | {t}_iOS / {t}_Android | {t}_PC / {t}_모바일 |
    {t}_별첨1 / {t}_별첨2 | {t} 1부 / {t} 2부 | {t} Part1 / {t} Part2 | {t}_1권 / {t}_2권 | {t} phase1 / {t} phase2 |
    IPv4 {t} / IPv6 {t} | ISO27001-2013 {t} / ISO27001-2022 {t} | {t}_L1 / {t}_L2 | A안 {t} / B안 {t} |
    {t}_1안 / {t}_2안 | {t} H1 / {t} H2 | 2025-26 {t} / 2026-27 {t} | 시즌1 {t} / 시즌2 {t} | {t}_원본 / {t}_요약 |
    개발 {t} / 운영 {t} | {t}_1호기 / {t}_2호기 | {t}_30기 / {t}_31기 | {t} 제3호 / {t} 제4호 | 중간 {t} / 결과 {t} |
    FY2025 {t} / FY2026 {t} | {t}_S1 / {t}_S2 |
    {t} / {t} 요약 | {t} / {t} 부록 | {t} / {t} 체크리스트 | {t} / {t} 설명회 | 사내 {t} / {t} | {t} / {t} 작성요령 |
    {t} / {t} II | {t} / {t} Lite | {t} / {t} 후속 | {t} 상 / {t} 하 | {t} 가 / {t} 나 | {t} / {t} 검토의견 |
    {t} / {t} 검토 의견 | {t} / {t} 개정 이유 | {t} / {t} 수정 요청 | {t} / {t} 최종 보고 | {t} / {t} 공고문 |
    {t} / {t} 초안 작성요령 | {t} / {t} 변경 대비표 | {t} / {t} 질의응답 | {t}_A / {t}_B | {t}(갑) / {t}(을) |
    {t} 101호 / {t} 102호 | {t}_01 / {t}_02 | {t} 1일차 / {t} 2일차 | {t} 오전 / {t} 오후 | {t} 남 / {t} 여
    """
)

# The number is that of the product, the model, the room: releases live side by side.
RELEASES = _entries(
    """
    결제 API v{n} {k} | SDK v{n} {k} | 추천모델 v{n} {k} | 앱 V{n} {k} | HWP v{n} {k} | Gateway v{n}.0 {k} |
    스키마 ver{n} {k} | 제품 V{n} {k} | 엔진 v{n}.1 {k} | client v{n} {k}
    """
)
RELEASE_NOTES = _entries(
    """
    릴리스노트 v3.{n} | 릴리즈 노트_v3.{n} | {p} 릴리스 노트 3.{n} | release-notes-v3.{n} | {p} Release Notes v{n} |
    변경이력_v3.{n} | CHANGELOG_v3.{n} | {p} 패치노트 v3.{n} | 업데이트 안내_v3.{n} | {p} 배포 결과_v3.{n} |
    배포노트 v{n} | What's New v{n} | {p}_업데이트 내역_v{n} | hotfix_v3.{n} | patch notes v3.{n} |
    {p} 릴리스 공지 v3.{n} |
    {p} v3.{n} 변경사항 | 개선사항 안내_v3.{n} | 신규기능 소개_v3.{n} | {p} 버그수정 내역 v3.{n} |
    알려진 문제_v3.{n} | {p} 빌드 결과_v3.{n} | 마이그레이션 가이드 v{n} | 롤백 계획_v3.{n} |
    deploy checklist v3.{n} | known issues v3.{n} | {p} 회귀시험 성적서_v3.{n}
    """
)

# Two things that are counted like versions: rooms, generations of a device or a standard, choices, sets.
GENERATIONS = _rows(
    """
    라우터 설정_R1 / 라우터 설정_R2 | 회의실 안내_R1 / 회의실 안내_R2 | 냉매 취급 지침_R22 / 냉매 취급 지침_R32 |
    면접 질문지_R1 / 면접 질문지_R2 | 곡률 가공 지침_R5 / 곡률 가공 지침_R8 | 할인율_R10 / 할인율_R20 |
    [R1] 라우터 / [R2] 라우터 | 어댑터 사양_V110 / 어댑터 사양_V220 | 밸브 사양_V1 / 밸브 사양_V2 |
    스피커 V5 / 스피커 V8 | 엔진 정비 V6 / 엔진 정비 V8 | 방화벽 정책_v4 / 방화벽 정책_v6 | SNMP_v2 / SNMP_v3 |
    NFS 마운트 가이드_v3 / NFS 마운트 가이드_v4 | FHIR 연동 가이드_R4 / FHIR 연동 가이드_R5 |
    웹훅 규격_v1 / 웹훅 규격_v2 | 연동규격서_v1.0 / 연동규격서_v2.0 | 회로도 설명_rev1 / 회로도 설명_rev2 |
    셋톱박스 설치 가이드_v2 / 셋톱박스 설치 가이드_v3 | Windows 설치 지침_v10 / Windows 설치 지침_v11 |
    배치안내_v25.12 / 배치안내_v26.1 | Ubuntu 운영 지침_v22.04 / Ubuntu 운영 지침_v24.04 | yolo_v5 / yolo_v8 |
    학습 환경 CUDA v11 / 학습 환경 CUDA v12 | 요금제_v1 / 요금제_v2 | 보험약관_v1 / 보험약관_v2 |
    과업변경 1차 / 과업변경 2차 | 로고 제안_v1 / 로고 제안_v2 | 광고 문안_v1 / 광고 문안_v2 |
    이메일 템플릿_v1 / 이메일 템플릿_v2 | 모의고사_v1 / 모의고사_v2 | 설문_v1 / 설문_v2 | 스토리_1판 / 스토리_2판 |
    이사회 의안_v1 / 이사회 의안_v2 | 버전별 차이_v1 / 버전별 차이_v2 | 앱 심사 노트_v1 / 앱 심사 노트_v2
    """
)

# Told of a day, a week, a month: {day} or {n}.
SERIES = _entries(
    """
    주간보고_{day} | 주간업무보고 {n}주차 | {p} 주간보고_v{n} | 월간보고 {n}월 | {p} 회의록_{day} | 회의록({day}) |
    정례회의 {day} | 업무일지_{day} | {p} 착수회의_{day} | 일일점검 {day} | 현장점검 결과_{day} | 출장보고_{day} |
    면담기록_{day} | {p}_진척보고_{day} | Weekly Report {day} | meeting notes {day} | 뉴스레터 제{n}호 |
    스프린트 {n} 리뷰 | 당직일지 {day} | 매출현황_{day} | 주간회의 {n}차 | {p} 미팅 {day} | 운영보고_{day} |
    월례회 자료_{day} | minutes_{day} | 품질회의_{day}_v{n} | 재고현황 {day} | 시험성적서_{day} |
    주간동향_{day}_v{n} | 감리보고_{day}_v{n} | {p} 브리핑_{day}_v{n} | 실적보고_{day}_v{n} | 워크숍 {day}_v{n} |
    교육결과보고 {n}회 | 고객 인터뷰_{day}_v{n} | 일보_{day} | {p} steering committee {day} v{n} | 세미나_{day} |
    안전점검_{day}_v{n} | 시험결과_{day}_v{n} | {day} 발표_v{n} | 소방훈련_{day}_v{n} | 품질검사_{day}_v{n} |
    사내교육 {day} v{n} | 내부감사_{day}_v{n} | 고객 방문_{day}_v{n} |
    수질분석_{day}_v{n} | 이사회 의안_{day}_v{n} | 순찰기록 {day} v{n}
    """
)
CONTRACTS = _entries(
    """
    계약서 | 용역계약서 | 비밀유지계약서 | 협약서 | 견적서 | NDA | 발주서 | 구매계약서 | MOU | 거래명세서 | SOW
    """
)
FORMS = _entries(
    """
    휴가신청서 | 연수신청서 | 동의서 | 이력서 | 자기소개서 | 평가표 | 서약서 | 출장신청서 | 경력증명서 | 면접평가표 |
    사직서 | 업무분장표 | 자기평가서 | 인수인계서
    """
)
