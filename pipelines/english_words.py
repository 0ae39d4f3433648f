"""English words of office life by the Korean word that stands for their meaning: one line a meaning, by fields."""

from __future__ import annotations

# The first word stands for all; where another table knows it, it is its word.
ENGLISH = """
결제 payable payables remit remitted remittance paying
영수증 receipts
접수 receive received receiving receipt
청구서 invoices bill bills billing billed invoiced
비용 costs fees charge charged charges charging pricing priced rates
비용 expenses expenditure expenditures
정산 expenseclaim expenseclaims expensereport expensereports expensestatement
환불 refunded refunding refundable reimbursed
예산 budgets budgeted appropriation
매출 turnover earnings proceeds
이익 profit profits
손실 loss losses
세금 tax taxes taxed taxation
부채 debt debts liability liabilities
자산 asset assets
회계 accounting bookkeeping ledger
원가 expense
이자 interests
계좌 bankaccount
송금 wire transfer transferred transfers
계약 contracts agreements contractual
해지 terminated terminates ended cancelled canceled cancels cancellations cancelling rescind
갱신 renewed renews renewals renewing
종료 expires expired expiring expiration lapse lapses closing closes
위약 penalty penalties liquidateddamages
예약 booked bookflights booktravel bookhotels bookrooms
문의 supportdesk helpdesk servicedesk
조항 clause clauses article articles provision provisions
당사자 party parties
승인 approvals approving authorize authorized authorization authorise signoff sign-off
납품 ship shipped ships shipping shipment shipments deliver delivers deliveries delivery dispatched dispatch
주문 po purchaseorder orders ordering ordered
물품 goods merchandise items articles
구입 purchases purchasing procurement procure bought buying
협력사 vendors suppliers
견적 quotes quotations
입찰 bids tender tenders bidding proposal rfp
검수 inspect inspected inspections acceptance
재고 inventories stocks
창고 warehouses depot
원자재 material materials
운송 shipper carrier carriers
직원 employees worker workers personnel associates staffs
채용 hire hires hired recruitment
지원자 applicant applicants candidate candidates
면접 interviews
퇴직 resign resigned resigns leaver quit
사전통보 noticeperiod
급여 wage wages salaries payroll paycheck
수당 allowances
상여 bonuses
휴가 vacations leaves pto timeoff dayoff daysoff annual-leave
이월 rollover roll rolled rolls carryover carries
미사용 unused leftover remaining
병가 sick illness
출산 maternity paternity
재택 remotely remote
근무 works
야근 overtimes
휴게 breaks
교육 trainings trained courses
평가 evaluations assessments assessment appraisals
승진 promotions
징계 discipline
복지 perks perk
출장 trips travels travelling traveling
숙박 accommodation accommodations hotels
식사 meals dining food
항공권 flights flight
회의 meetings
회의실 rooms
좌석 seating
사무실 offices workplace
건물 buildings premises
출입 entry entrance
출입증 badge badges accesscard daypass visitorpass
냉방 aircon airconditioning
난방 heat heated
조명 lighting lights
청소 cleaned cleans
소방 fires firefighting
대피 evacuated
안전 safety safe
사고 accident accidents
부상 injury injuries injured
보호구 ppe protective
비밀번호 passphrase credentials credential
로그인 signin logged logon
로그아웃 signout
idle inactive idling unattended inactivity
세션 sessiontimeout
실패 fails failing unsuccessful failures
retry retried retrying reattempt reattempted attempted attempts attempt
계정 logins
권한 permissions privileges privilege rights
access accesses accessed accessing
암호화 encrypts
백업 backed backs
복구 restored restoring restores recover recovered recovers
장애 downtime
점검 maintenance inspecting inspects
서버 servers host hosts
데이터베이스 databases
저장 save saves saved saving
보관 retains retaining stores storage
삭제 deleted deletes deleting erased purge purged purges removal remove removed removes wiped
호출 requesting called calling invoke invocations queries query
endpoint endpoints 엔드포인트 route
webhook webhooks 웹훅 웹훅호출
응답 responses responding responds replies
통보 notified notifies notices informs informed
알림 alerted reminder reminders
배포 deploy deploys deployed deploying deployment deployments rollout releases
릴리스 releasing
버그 bug bugs defects
테스트 tests tested testing
리뷰 reviews reviewing
병합 merges merged merging
브랜치 branching
빌드 builds built
처리량 tps
소비전력 power powerconsumption consumption consumes consume draw draws drawn wattage
전압 voltage
온도 temperatures
습도 humid
압력 pressures
속도 speeds velocity
무게 weigh weighs weighed
설비 devices machine machinery machines apparatus
부품 spare
불량 defective scrap
품질 qualities
생산 produce produced manufactures manufacturing manufacture
가동 operating operates operate operated
교정 calibrations calibrates
교체 replaced replaces replacing replacement replacements
수리 repairs repaired repairing fix
보증 warranties guaranteed guarantees commit commits committed commitment promise promises assure ensures ensure
만족 satisfied
민원 complaints
고객 shopper shoppers buyer buyers
방문 guest guests
문의 inquiries enquiry enquiries
해결 resolve resolved resolves resolution
할인 discounts discounted
쿠폰 coupons voucher vouchers
적립 loyalty
구독 subscribe subscribed subscriptions
가입 join joined joins joining
평생 lifetime
무료 complimentary
체험 trialperiod
광고 advertise advertised
게시 publish published publishes publishing posted
방문 visits visited
학생 pupils pupil learner learners
강사 teacher teachers
수강 enrolled
시험 quiz quizzes
합격 passed passes passmark
졸업 graduated graduates
등록금 tuitions
환자 inpatient outpatient
처방 prescribed
검진 screening checkups
약 medicine medication drug drugs
연구 research researcher researchers study studies
특허 patents
논문 papers publication publications
개인정보 personalinformation pii
동의 consents consented
감사 audits audited auditing auditor auditors
보안 securities secure
비밀 confidential secret secrets
기록 record records recorded
문서 documents documentation paperwork
서명 signed signs signing signatures
사본 copies
제출 submit submits submitted submitting filed filing
신청 applies applied applications
보고 reporting reported
참석 attends attended attending attendees attendance participants participate
행사 events
발표 presentation presentations
차량 vehicle vehicles car cars
연료 fuels gasoline petrol
주행 mileages
기숙사 residence dorms
도서관 libraries
대출 loans borrow borrowed borrowing
반납 giveback
연체 delayed delays
분실 loses losing
파손 damage breakage broken
재활용 recycled recycles
폐기 dispose disposed disposal discard discarded
"""
# What English says without naming anything: adverbs, connectives, light verbs.
LIGHT = """
still yet already now then again once later earlier soon always usually normally generally typically currently
presently next following follow follows followed prior previous upon throughout toward towards against among amongst
across along around beyond behind via using used use uses without unless except while where whereas whenever however
therefore thus otherwise also too so such same own else even just merely simply exactly precisely roughly nearly
almost only very much many few several various certain specific specify specified specifies defined define defines
stated state states listed come comes came coming go goes went going gone put puts stay stays stayed remain remains
remained become becomes became happen happens happened occur occurs occurred counted counting count counts
automatically manually level levels degree degrees term terms condition conditions purpose purposes case
cases respect regard regarding concerning accordance according pursuant issue issued issues issuing good
would could might ought cannot being am were did doing done having it's they'll you'll we'll i he she his her him me
us my mine yours ours theirs myself yourself itself themselves these those some none neither either nor but because
since whether how why whom whose please kindly note notes plus minus
calendar peak half full entire whole overall standard regular ordinary basic eleven twelve thirteen fourteen
fifteen eighteen twenty thirty forty fifty sixty seventy eighty ninety hundred
"""
