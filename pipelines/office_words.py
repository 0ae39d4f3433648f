"""More words of offices, plants and schools by what they mean: one line a meaning, as in everyday_words."""

from __future__ import annotations

# The first word stands for all; where another table knows it, it is its word.
OFFICE = """
해지 종결하 계약종료 파약 무르
통보 알려드리 알려 귀띔
지급 입금해 송금하 disburse disbursed disbursement payout payouts
결제 납입 불입 완납
제출 내주 상신 제시 handin turnin
신청 접수하 의뢰 요청서 신청서
승인 허락 인가 okay greenlight
구입 매수 장만 구비
판매 매도 selling sell sells sold
교체 바꿔 갈아 교환하 swap swapped 맞바꾸
변경 고치 amend amended amends modify modified
점검 살피 체크 순찰 둘러보 check checks checked
보관 간직 넣어두 보전
폐기 버리 없애 파쇄 shred shredded shredding
임대 빌리 빌려 lend lends lent
반납 돌려받 회수 recall
수리 손보 고쳐
청소 치우 쓸고
개최 치러지
참석 출석
퇴직 그만두 사직 이직
휴게 쉬는시간 breaktime
급여 페이
수당 추가급여
출장 travelexpense travelexpenses
식사 밥값 mealallowance
교통 차비 통근비
숙박 호텔
통신 휴대폰요금 전화요금
경조 애경사
검진 신체검사
security 시큐리티
취약점 보안취약점
패치 patches
권한 접근권
계정 아이디 userid
백업 사본저장
복구 되살리 recoverytime
장애 고장 crash crashes
재부팅 리부팅 restarts reboot reboots
배치 일괄작업
쿼리 질의 sql
대기열 queues
파일 attachments
해상 화질
연체 늦어지 딜레이 arrears
속도 스피드
인증서 cert certs
구독 정기구독
체험 맛보기
환불 moneyback
입고 들어오 inbound
재고 남은물량
주문 주문하 placeorder
비용 unitprice 개당가격 커미션 commission
할인 세일
고객 멤버 member membership
문의 질문 question questions consult counselling
민원 컴플레인
응대 대응
만족 rating
설문 서베이 survey surveys
이력서 resume cv
경력 experience
학력 학위
자격 자격증 licence certification
시험 평가시험
수료 완강
과제 숙제 assignment homework
강의 lecture classes lesson lessons
교재 textbook
방학 휴업
연구 researchfund grant grants
과제책임 연구책임자 pi
시료 specimen 시편
시약 reagent
농도 concentration
온도 temperature 기온 실내온도
회전 rpm
소음 noise
조도 brightness illuminance
진동 vibration
수명 lifespan
내구 durability
방수 waterproof
용접 weld welding
조립 assembly assemble assembled
가공 machining processing
금형 mold mould
불량 하자
수율 yield
가동 운전 operation
생산 output
작업 task
근무 일하
교대 교체근무
안전화 safetyshoes
보호구 안전장비 보호장비
안전교육 safetytraining
사고 재해 산재
대피소 집결지 assemblypoint
응급 emergency
의무실 보건실 clinic
면회 병문안
운전 driving
통행 toll 톨게이트
속도 제한속도 speedlimit
책상 desk desks
의자 chair
모니터 monitor monitors
프린터 복합기 printer printers
복사 카피 photocopy
전화 telephone
팩스 fax
명부 명단 list roster
양식 서식
원본 original originals
사본 복사본
공개 외부공개 disclose disclosure
비공개 대외비
대장 관리대장
위원 위원회
의결 결의
정족 quorum
투표 vote voting votes
선거 election
임기 tenure
회비 membershipfee dues
기부 donation donate
지원 subsidy subsidies
국고 정부출연금
자부담 자체부담
집행 지출 spend spending
결산 마감결산
세금 조세
원천세 원천징수 withholding
대출 융자
상환 repay repayment repayments
담보 collateral
위약 해약금
보증 개런티
계약금 선금 downpayment
견적 estimate
입찰 응찰
낙찰 award awarded
제안서 proposals
사양 스펙 spec specs specification specifications
납품 deliverydate leadtime
검수 인수
기술지원 techsupport technicalsupport
응답 responserate
처리 processrate
임계 thresholds
monitoring 감시
배포 롤아웃
문서 도큐먼트
위키 wiki
안건 의제 agenda
일정 스케줄 schedule timetable
기한 duedate
명절 추석
기념품 gifts
접대 entertainment 대접
금품 향응
징계위원회 인사위원회
경고 warning warnings
해고 dismissal dismiss
감봉 paycut
견책 reprimand
윤리 ethics
이해충돌 conflictofinterest
내부고발 공익신고 whistleblow whistleblowing
차별 discrimination
괴롭힘 harassment bullying
성희롱 sexualharassment
육아 parentalleave
산전후휴가 maternityleave
배우자출산휴가 paternityleave
가족돌봄휴가 familycareleave
난임 infertility
생리휴가 menstrualleave
단축근무 shorterhours reducedhours
유연근무 flexible flextime flexwork 탄력근무 시차출근
야근 잔업 늦게까지
휴일근무 holidaywork
대체휴무 compensatoryleave compensatorydayoff
"""
