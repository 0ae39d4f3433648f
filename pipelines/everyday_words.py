"""Words in which people say of everyday matters what rules say in others: one line a meaning, as in attribute_words."""

from __future__ import annotations

# The first word stands for all; where pipelines.attribute_words knows it, it is its word.
EVERYDAY = """
반납 돌려주 돌려드리 반환
연료 기름 유류 주유 휘발유 fuel
방문 방문객 방문자 손님 내방객 visitors visiting
경조 경조금 조의금 부의금 축의금
겸직 부업 겸업 투잡 sidejob
단독 혼자 홀로 alone
여백 공간 여유공간
뉴스레터 newsletter newsletters 소식지
직원 headcount workforce 총원
데이터웨어하우스 dw datawarehouse
보관 archive archived store stored storing 남기
mfa otp 이단계인증 2차인증 인증앱 twofactor two-factor
usb usb메모리 usb저장장치 유에스비 이동식저장장치 이동식저장매체
해지 terminate termination terminated terminating 해약
서면 written 문서로
본문 payload 페이로드 요청본문
응답 acknowledge acknowledged acknowledgement 답장 replied 답
시험범위 coverage 커버리지
연구노트 labnotebook labnotebooks 실험노트
감가상각 상각 depreciation depreciate
컴퓨터 pc computer computers 전산장비 전산기기 데스크톱
연체 지체 체납
지체상금 지연배상금 지체보상금 latedeliverypenalty latepenalty latefee
육아 육아기 육아휴직
부모 부모님 parent parents
자녀 아이 child children kids
배우자 아내 남편 spouse
사망 돌아가 별세 death bereavement
결혼 marriage wedding
경쟁사 경쟁업체 경쟁회사 competitor competitors 타사
이름 실명 명칭 상호 name names
언급 거론 mention
광고 ad ads advertising advertisement
행사 이벤트 프로모션 promotion promotions event 캠페인 campaign
전시 전시회 박람회 exhibition expo tradeshow
배너 banner
로고 logo
색상 색 컬러 color colour
글꼴 폰트 서체 font typeface
반품 returning returned returns return
납품 shipping ship 배송비 배송료
교대 shift shifts
야간 야간조 night 심야
예방정비 preventivemaintenance 예방보전
민원 claim claims
보고 보고서 reports
배터리 battery 축전지
충전 charge charging recharge
안전모 helmet helmets
원자재 재료 자재 원재료 rawmaterial
부품 part parts component components
품질 quality
도면 drawing drawings
실험 experiment experiments 실험실 laboratory lab labs
포상 포상금 보상금
이탈 churn 이탈률
매출 revenue 매출액 sales
만족 만족도 csat satisfaction 고객만족도 customersatisfaction
가입 signup signups register registered enroll enrol enrollment
이관 migration migrate migrated 마이그레이션
앱 app apps 애플리케이션 어플
브라우저 browser browsers
화면 스크린 screen
잠금 lockout lockouts locks 차단되
연속 consecutive
비밀번호 비번 passcode passwd
공유 share shared sharing
암호화 encryption encrypt encrypted
리뷰 검토 reviewed reviews
법무 법무팀 legal
세금계산서 taxinvoice
환율 exchangerate 적용환율
정산 settle settlement reimbursement reimburse reimbursed
항공권 비행기표 airfare 항공료
일비 perdiem
렌터카 rentalcar
재택 wfh homeoffice workfromhome workingfromhome telework teleworking
코어타임 corehours coretime 집중근무시간 공통근무시간
수습 probationary
신입 newhire newhires
평가 appraisal
징계 disciplinary
복지 welfare benefits
동호회 동아리
검진 종합검진 종합건강검진 medicalcheckup healthcheckup
보험 insurance
예약 reserve reservation reservations booking
이월 넘기 넘어가 carryover carried carry
소프트웨어 software
접속기록 접속로그 accesslog accesslogs 접근로그 접근기록
모드 mode
다크모드 darkmode 어두운모드
메일 이메일 mails
알림 푸시 pushnotification
장애 incident incidents outage outages 인시던트
처리량 throughput
응답시간 responsetime latency 레이턴시 지연시간
배송 배달
입장 입장료 admission
도서관 library
수강 수강료 tuition
청소 미화 cleaning
회의실 meetingroom meetingrooms conferenceroom
주차 parked
예비군 민방위
기숙사 dormitory dorm
급식 meals
체험 trial trials 무료체험 체험판 freetrial
동의 consent
증빙 proof evidence
착용 wear wearing 쓰고
흡연 smoking 담배
음주 alcohol drinking 술
반려동물 애완동물 pet pets
재발급 reissue 다시발급
분실 lost 잃어버리
파손 damaged 망가지 깨지
조퇴 일찍퇴근
지각 늦 tardiness
결근 absence
공휴일 holidays holiday 빨간날
휴무 쉬 쉬는날
출입 드나들 게이트
전표 slip
법인카드 회사카드 corporatecard companycard
거래처 고객사 client clients
비품 사무용품 officesupplies 문구
승진 promote promoted
호봉 paygrade
퇴직금 severance
당직 숙직 oncall on-call
심의 심사위원회 committee
증명서 확인서
명함 businesscard businesscards
유니폼 근무복 작업복 uniform
사물함 락커 라커 locker lockers
냉장고 fridge refrigerator
간식 다과 snack snacks
탕비실 pantry
커피 coffee
엘리베이터 elevators
계단 stairs
비상구 emergencyexit
소화기 extinguisher
대피 evacuate evacuation
화장실 restroom toilet
세탁 laundry
우편 우편물 postal
택배 courier
퀵 퀵서비스
통화 calling
상담원 상담직원 agents
환자 patient patients
진료 진찰 consultation treatment
처방 처방전 prescription
예방접종 접종 vaccination vaccine
투약 복용 dose dosage
수술 surgery
입원 hospitalization
면회 문병
강사 instructor lecturer
학생 수강생 student students
학부모 보호자
수업료 등록금
기말 기말고사
과락 낙제
시험 exam exams examination 고사
합격 pass passing
졸업 graduation graduate
장학 장학금 scholarship
임대료 월세 임차료 rentfee
보증금 deposit 예치금
관리비 maintenancefee
입주 이사 movein
중개 복비 brokerage
공사 시공 construction
하도급 하청 subcontract subcontracting
공정 process
측정 measurement
계측기 측정기 계기 gauge gauges
교정 calibration calibrate calibrated
공차 tolerance tolerances
윤활 윤활유 lubricant
온수 뜨거운물
습도 humidity
압력 pressure
소독 살균 disinfection sanitize
세척 씻 rinse washing
폐기물 쓰레기 waste
재활용 분리수거 recycling recycle
유통 distribution
선적 적재 loading
통관 customs
관세 tariff duty
운임 운송비 freight
반려 돌려보내 rejected
신용 외상 credit
한도 ceiling cap caps
마진 이익률 margin
할부 installment installments
예치 입금액
환전 exchange
배당 dividend
주주총회 주총 shareholders
이사회 boardmeeting board
정관 bylaws
소송 재판 lawsuit litigation
손해배상 배상 damages compensation
비밀유지 기밀유지 confidentiality
저작권 copyright
상표 trademark
경쟁금지 전직금지 noncompete
자동연장 자동갱신 autorenewal auto-renewal
위임 proxyvote delegate delegation
결재선 approvalchain
법인 corporation
인감 직인 도장 seal
공증 notarization
팔로워 follower followers
조회수 views
클릭 click clicks
구매전환 전환율 전환 conversion
뷰어 시청 viewer
댓글 comment comments
게시물 포스트 posts
해시태그 hashtag hashtags
협찬 후원 sponsorship sponsor
인플루언서 influencer
촬영 사진 photo
동영상 영상 비디오 video
자막 subtitle subtitles caption
해상도 resolution
배경 background
썸네일 thumbnail
채널 channel
웨비나 webinar 온라인세미나
세미나 seminar
워크숍 워크샵 workshop
부스 booth
참가비 등록비 registrationfee
통계 statistics
표본 samples
지표 metric metrics kpi
집계 aggregation aggregate
결측 missing
중복 duplicate duplicates
컬럼 column columns
테이블 table
스키마 schema
파이프라인 pipeline
적재 ingest ingestion
모델학습 train trained 재학습 retrain retraining
추론 inference
정확도 accuracy
예측 forecast prediction
활성 active
가입자 subscriber subscribers
유지율 잔존율 retentionrate
도메인 domain
인증 authentication authenticate
접근권한 accessright accessrights
로그아웃 logout signout
암호키 encryptionkey
취약 vulnerable
침투 모의해킹 pentest penetration
개인정보 privacy 신상정보
익명 anonymous 무기명
가명 pseudonym
마스킹 masking 가림
격리 quarantine
복제 replication replicas
이중화 redundancy
장비실 serverroom 서버실 전산실
점검창 maintenancewindow
무중단 zerodowntime
릴리스노트 releasenotes
핫픽스 hotfix 긴급패치
티켓 ticket tickets
우선순위 priority
스프린트 sprint
백로그 backlog
회고 retrospective
코드 code
브랜치 branches
라이브러리 libraries
호환 compatible compatibility
지원종료 endofsupport eol
단위테스트 unittest unittests
통합테스트 integrationtest
매뉴얼 설명서 안내서 manual guide
온보딩 onboarding
멘토 멘토링 mentor mentoring
인사평가 performancereview
직무 job jobs
파견 dispatch secondment
안식 안식휴가 sabbatical
돌봄 간병 caregiving care
생일 birthday
기념품 선물 present
회식 팀회식 teamdinner
출근 출근하 commute
자전거 bicycle bike
전기차 ev electricvehicle
주행 mileage 주행거리
과태료 범칙금 벌금
보험료 premium
면허 운전면허
연봉 annualsalary
"""
